// /na/index: starting a subscription. Headquarters, module, voucher, price, then a summary of what was
// agreed.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AboModule, AboPrice, AboRow, GutscheinCheck } from '#contract/abo.ts'
import type { HqRecord } from '#contract/hq.ts'
import { endOf } from '#domain/abo.ts'
import { ApiError } from '../../data/api-error.ts'
import { useSession } from '../../data/session.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Badge, Card, Notice } from '../../ui/Display.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Actions, Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { useView } from '../../ui/view.tsx'
import './abo.css'
import { abosOf, priceList, switchesOf, type useCheckGutschein } from './abo.data.ts'
import { obstacleOf, runningOf, type Switches, subscribable } from './abo-state.ts'
import { euroText, MODULE, moduleContents, moduleName, monthsText, priceOf, reasonText } from './abo-words.ts'
import { type Start, type Started, useStart } from './use-start.ts'

export function AboStartPage() {
  const { hqs } = useSession()
  const abos = useQuery(abosOf(hqs.map(({ idHQ }) => idHQ)))
  const prices = useQuery(priceList)
  const switches = useQuery(switchesOf(hqs.map(({ idHQ }) => idHQ)))
  const [started, setStarted] = useState<Started | null>(null)
  const open = subscribable(hqs)
  const fault = abos.error ?? prices.error ?? switches.error
  if (started) return <Confirmation {...started} onMore={() => setStarted(null)} />
  return (
    <Page width="narrow" title={t('Abo abschließen')}>
      {open.length === 0 ? (
        <Card>
          <EmptyState icon="building" title={t('Kein freigeschalteter Forstbetrieb')}>
            {t(
              'Ein Abo gehört zu einem freigeschalteten Forstbetrieb. Bitte wenden Sie sich an den Support.',
            )}
          </EmptyState>
        </Card>
      ) : fault ? (
        <Card>
          <ErrorState
            error={fault}
            onRetry={() => {
              void abos.refetch()
              void prices.refetch()
              void switches.refetch()
            }}
          />
        </Card>
      ) : abos.data && prices.data && switches.data ? (
        <StartForm
          hqs={open}
          abos={abos.data}
          prices={prices.data}
          switches={switches.data}
          onStarted={setStarted}
        />
      ) : (
        <Card>
          <Skeleton lines={6} />
        </Card>
      )}
    </Page>
  )
}

interface StartFormProps {
  hqs: readonly HqRecord[]
  abos: readonly AboRow[]
  prices: readonly AboPrice[]
  switches: readonly Switches[]
  onStarted: (started: Started) => void
}

function StartForm({ hqs, abos, prices, switches, onStarted }: StartFormProps) {
  const view = useView()
  const hq = hqs.find(({ idHQ }) => String(idHQ) === view.search['fb']) ?? hqs[0]!
  const running = runningOf(abos, hq.idHQ)
  const on = switches.find(({ hqid }) => hqid === hq.idHQ)
  const free = MODULE.filter((feature) => obstacleOf(feature, running, on) === null)
  const start = useStart({ hq, prices, free, onStarted })
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void start.submit()
      }}
    >
      {hqs.length > 1 && (
        <Card title={t('Forstbetrieb')}>
          <SelectField
            label={t('Für welchen Forstbetrieb?')}
            value={String(hq.idHQ)}
            onChange={(event) => view.setSearch({ fb: event.target.value }, { replace: true })}
            options={hqs.map(({ idHQ, sHQ }) => ({ value: String(idHQ), label: sHQ }))}
          />
        </Card>
      )}
      <Card title={hqs.length > 1 ? t('Modul') : t('Modul für {name}', { name: hq.sHQ })}>
        <Modules start={start} prices={prices} obstacle={(feature) => obstacleOf(feature, running, on)} />
      </Card>
      <Card title={t('Gutschein')}>
        <CodeField
          code={start.code}
          voucher={start.voucher}
          check={start.check}
          onCode={start.typeCode}
          onChecked={start.setVoucher}
        />
      </Card>
      <Card title={t('Zusammenfassung')}>
        {start.preis ? (
          <Summary preis={start.preis} voucher={start.voucher} />
        ) : (
          <p className="soft">{t('Wählen Sie ein Modul, dann steht hier der Preis.')}</p>
        )}
      </Card>
      {start.fault && <Refusal title={t('Nicht gestartet')}>{start.fault}</Refusal>}
      <Actions>
        <Button type="submit" variant="primary" busy={start.busy} disabled={free.length === 0}>
          {t('Zahlungspflichtig abschließen')}
        </Button>
        <ButtonLink href="/abo/index">{t('Abbrechen')}</ButtonLink>
      </Actions>
    </form>
  )
}

function Modules({
  start: { modul, missing, pick },
  prices,
  obstacle,
}: {
  start: Start
  prices: readonly AboPrice[]
  obstacle: (feature: AboModule) => ReturnType<typeof obstacleOf>
}) {
  return (
    <>
      <fieldset className="abo-modules" aria-label={t('Modul')}>
        {MODULE.map((entry) => (
          <ModuleChoice
            key={entry}
            modul={entry}
            preis={prices.find((price) => price.modul === entry)}
            obstacle={obstacle(entry)}
            checked={modul === entry}
            onPick={() => pick(entry)}
          />
        ))}
      </fieldset>
      {MODULE.every((entry) => obstacle(entry) !== null) && (
        <Notice>
          {t('Für diesen Forstbetrieb sind bereits alle Module freigeschaltet, die sich abschließen lassen.')}
        </Notice>
      )}
      {missing && (
        <p className="field-error" role="alert">
          {t('Bitte wählen Sie ein Modul.')}
        </p>
      )}
    </>
  )
}

interface ModuleChoiceProps {
  modul: AboModule
  preis: AboPrice | undefined
  obstacle: ReturnType<typeof obstacleOf>
  checked: boolean
  onPick: () => void
}
function ModuleChoice({ modul, preis, obstacle, checked, onPick }: ModuleChoiceProps) {
  return (
    <label className="abo-modul">
      <span className="abo-modul-head">
        <input
          type="radio"
          name="modul"
          value={modul}
          checked={checked}
          disabled={obstacle !== null}
          onChange={onPick}
        />
        {moduleName(modul)}
        {obstacle === 'laeuft' && <Badge tone="success">{t('läuft')}</Badge>}
        {obstacle === 'an' && <Badge tone="success">{t('freigeschaltet')}</Badge>}
      </span>
      <ul>
        {moduleContents(modul).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {obstacle === 'an' && (
        <span className="soft">{t('Ist für Ihren Forstbetrieb schon freigeschaltet, auch ohne Abo.')}</span>
      )}
      {(obstacle === 'fe_laeuft' || obstacle === 'fe_an') && (
        <span className="soft">{t('Ist in Ihrer Forsteinrichtung (FE) enthalten.')}</span>
      )}
      {obstacle === 'basis_fe_laeuft' && (
        <span className="soft">{t('Zuerst Basis-FE kündigen: beides zugleich ist nicht nötig.')}</span>
      )}
      {preis && (
        <span>
          <span className="abo-price">{euroText(preis.preis)}</span>{' '}
          <span className="soft">{t('netto für {term}', { term: monthsText(preis.laufzeit) })}</span>
        </span>
      )}
    </label>
  )
}

interface CodeFieldProps {
  code: string
  voucher: GutscheinCheck | null
  check: ReturnType<typeof useCheckGutschein>
  onCode: (code: string) => void
  onChecked: (voucher: GutscheinCheck) => void
}
function CodeField({ code, voucher, check, onCode, onChecked }: CodeFieldProps) {
  const [fault, setFault] = useState<string | null>(null)
  const run = () => {
    if (code.trim() === '') return setFault(t('Bitte geben Sie zuerst einen Code ein.'))
    check.mutate(code, {
      onSuccess: onChecked,
      onError: (error) => setFault(error instanceof ApiError ? error.message : t('Das hat nicht geklappt')),
    })
  }
  const error = fault ?? (voucher && !voucher.gueltig ? reasonText(voucher.grund ?? 'unbekannt') : undefined)
  return (
    <div className="stack">
      <div className="abo-code">
        <TextField
          label={t('Gutscheincode (freiwillig)')}
          value={code}
          error={error}
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
          placeholder="XXXXX-XXXXX-XXXXX-XXXXX"
          onChange={(event) => {
            setFault(null)
            onCode(event.target.value)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            run()
          }}
        />
        <Button busy={check.isPending} onClick={run}>
          {t('Prüfen')}
        </Button>
      </div>
      <div aria-live="polite">
        {voucher?.gueltig && (
          <Notice tone="success" title={t('Der Gutschein gilt')}>
            {t(
              '{abo} % auf FE und Basis-FE, {kawm} % auf KAWM, für {term} ab Beginn. Eingelöst wird er erst ' +
                'mit dem Abschluss.',
              {
                abo: formatNumber(voucher.rabatt_abo),
                kawm: formatNumber(voucher.rabatt_kawm),
                term: monthsText(voucher.laufzeit),
              },
            )}
          </Notice>
        )}
      </div>
    </div>
  )
}

function Summary({ preis, voucher }: { preis: AboPrice; voucher: GutscheinCheck | null }) {
  const { listPrice, rabatt, netto, ust, brutto } = priceOf(preis, voucher)
  const begin = today()
  return (
    <div className="stack">
      <table className="abo-sum">
        <tbody>
          <Line name={moduleName(preis.modul)} value={listPrice} />
          {rabatt !== null && <Line name={t('Rabatt')} value={`− ${rabatt}`} />}
          <Line name={t('Netto')} value={netto} />
          <Line name={t('Umsatzsteuer {satz} %', { satz: formatNumber(preis.ust_satz) })} value={ust} />
          <Line name={t('Gesamt für {term}', { term: monthsText(preis.laufzeit) })} value={brutto} />
        </tbody>
      </table>
      <p className="soft">
        {t(
          'Beginn heute, {begin}; Ende der ersten Laufzeit am {end}. Danach verlängert sich das Abo um jeweils ' +
            '{term} zum dann gültigen Preis, wenn Sie nicht bis zum letzten Tag kündigen.',
          {
            begin: formatDate(begin),
            end: formatDate(endOf(begin, preis.laufzeit)),
            term: monthsText(preis.laufzeit),
          },
        )}
      </p>
    </div>
  )
}
const Line = ({ name, value }: { name: string; value: string }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{value}</td>
  </tr>
)

function Confirmation({ modul, sHQ, preis, voucher, onMore }: Started & { onMore: () => void }) {
  return (
    <Page width="narrow" title={t('Ihr Abo läuft')}>
      <Notice
        tone="success"
        title={t('{modul} für {name} ist freigeschaltet', { modul: moduleName(modul), name: sHQ })}
      >
        {t(
          'Alle Personen dieses Forstbetriebs können es ab sofort nutzen. Eine Rechnung erhalten Sie gesondert.',
        )}
      </Notice>
      <Card title={t('Das haben Sie abgeschlossen')}>
        <Summary preis={preis} voucher={voucher} />
      </Card>
      <Actions>
        <ButtonLink variant="primary" href="/abo/index">
          {t('Zu meinen Abos')}
        </ButtonLink>
        <Button onClick={onMore}>{t('Weiteres Modul abschließen')}</Button>
      </Actions>
    </Page>
  )
}
