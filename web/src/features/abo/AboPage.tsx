// /abo/index: the subscriptions of the user's own headquarters, and how to cancel them.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AboRow } from '#contract/abo.ts'
import type { HqRecord } from '#contract/hq.ts'
import { ApiError } from '../../data/api-error.ts'
import { useSession } from '../../data/session.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card, DateText, Facts, fact } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import './abo.css'
import { abosOf, useCancelAbo, useResumeAbo } from './abo.data.ts'
import { obstacleOf, pastOf, runningOf } from './abo-state.ts'
import { euroText, MODULE, moduleName, monthsText, STATE_TONES, stateText } from './abo-words.ts'

export function AboPage() {
  const { hqs } = useSession()
  const abos = useQuery(abosOf(hqs.map(({ idHQ }) => idHQ)))
  return (
    <Page
      width="narrow"
      title={t('Abo')}
      subtitle={t('Was Ihre Forstbetriebe abonniert haben, bis wann es läuft und was es kostet.')}
      actions={
        hqs.length > 0 && (
          <ButtonLink variant="primary" icon="plus" href="/na/index">
            {t('Abo abschließen')}
          </ButtonLink>
        )
      }
    >
      {hqs.length === 0 ? (
        <Card>
          <EmptyState icon="building" title={t('Noch kein Forstbetrieb')}>
            {t(
              'Ein Abo gehört zu einem Forstbetrieb. Ihr Zugang ist mit keinem verbunden; bitte wenden Sie ' +
                'sich an Ihre Verwaltung.',
            )}
          </EmptyState>
        </Card>
      ) : abos.isPending ? (
        <Card>
          <Skeleton lines={5} />
        </Card>
      ) : abos.isError ? (
        <Card>
          <ErrorState error={abos.error} onRetry={() => void abos.refetch()} />
        </Card>
      ) : (
        hqs.map((hq) => <HqCard key={hq.idHQ} hq={hq} abos={abos.data} />)
      )}
    </Page>
  )
}

function HqCard({ hq, abos }: { hq: HqRecord; abos: readonly AboRow[] }) {
  const running = runningOf(abos, hq.idHQ)
  const past = pastOf(abos, hq.idHQ)
  const more = hq.fb_enabled && MODULE.some((feature) => obstacleOf(feature, running) === null)
  const start = `/na/index?fb=${hq.idHQ}`
  return (
    <Card
      title={hq.sHQ}
      actions={running.length > 0 && more && <ButtonLink href={start}>{t('Weiteres Modul')}</ButtonLink>}
    >
      {running.length === 0 ? (
        <EmptyState
          icon="ticket"
          title={t('Kein laufendes Abo')}
          action={
            hq.fb_enabled && (
              <ButtonLink variant="primary" href={start}>
                {t('Abo abschließen')}
              </ButtonLink>
            )
          }
        >
          {hq.fb_enabled
            ? t('Mit einem Abo sehen alle Personen dieses Forstbetriebs die Daten der Forsteinrichtung.')
            : t('Dieser Forstbetrieb ist nicht freigeschaltet. Bitte wenden Sie sich an den Support.')}
        </EmptyState>
      ) : (
        running.map((abo) => <Term key={abo.id} abo={abo} hq={hq} />)
      )}
      {past.length > 0 && <Past abos={past} />}
    </Card>
  )
}

/** Called where the row stays, so that what was done is still said once its state has changed. */
function useTermActs(abo: AboRow) {
  const cancel = useCancelAbo()
  const resume = useResumeAbo()
  const feature = moduleName(abo.modul)
  const onError = (error: unknown) =>
    toast.error(error instanceof ApiError ? error.message : t('Das hat nicht geklappt'))
  return {
    isResuming: resume.isPending,
    isCancelling: cancel.isPending,
    resume: () =>
      resume.mutate(abo.id, {
        onSuccess: () =>
          toast.success(t('Die Kündigung von {modul} wurde zurückgenommen.', { modul: feature })),
        onError,
      }),
    cancel: (onCancelled: () => void) =>
      cancel.mutateAsync(abo.id).then(() => {
        toast.success(t('{modul} ist zum {day} gekündigt.', { modul: feature, day: formatDate(abo.ende) }))
        onCancelled()
      }),
  }
}

function Term({ abo, hq }: { abo: AboRow; hq: HqRecord }) {
  const [asking, setAsking] = useState(false)
  const acts = useTermActs(abo)
  const name = moduleName(abo.modul)
  return (
    <section className="abo-term" aria-label={name}>
      <div>
        <h3>
          {name} <Badge tone={STATE_TONES[abo.zustand]}>{stateText(abo.zustand)}</Badge>
        </h3>
        <Facts facts={factsOf(abo)} />
      </div>
      {abo.zustand === 'gekuendigt' ? (
        <Button busy={acts.isResuming} onClick={acts.resume}>
          {t('Kündigung zurücknehmen')}
        </Button>
      ) : (
        <Button onClick={() => setAsking(true)}>{t('Kündigen')}</Button>
      )}
      <ConfirmDialog
        open={asking}
        title={t('Abo kündigen?')}
        record={`${name} · ${hq.sHQ}`}
        confirmLabel={t('Abo kündigen')}
        cancelLabel={t('Abo behalten')}
        danger
        busy={acts.isCancelling}
        onCancel={() => setAsking(false)}
        onConfirm={() => acts.cancel(() => setAsking(false))}
      >
        <p>
          {t(
            'Das Abo läuft noch bis zum {day} und verlängert sich dann nicht. Bis dahin können Sie die ' +
              'Kündigung zurücknehmen.',
            { day: formatDate(abo.ende) },
          )}
        </p>
      </ConfirmDialog>
    </section>
  )
}

const factsOf = (abo: AboRow) => [
  fact(
    t('Laufzeit'),
    <>
      <DateText value={abo.beginn} /> {t('bis')} <DateText value={abo.ende} />
    </>,
  ),
  fact(
    t('Preis'),
    t('{netto} netto für {term}', { netto: euroText(abo.netto), term: monthsText(abo.laufzeit) }),
  ),
  ...(abo.rabatt > 0
    ? [
        fact(
          t('Rabatt'),
          t('{rabatt} % für {term}', {
            rabatt: formatNumber(abo.rabatt),
            term: monthsText(abo.rabatt_monate),
          }),
        ),
      ]
    : []),
  fact(
    t('Danach'),
    abo.zustand === 'gekuendigt'
      ? t('endet am {day}', { day: formatDate(abo.ende) })
      : t('verlängert sich um {term}, wenn Sie nicht kündigen', { term: monthsText(abo.laufzeit) }),
  ),
]

const Past = ({ abos }: { abos: readonly AboRow[] }) => (
  <details className="abo-past">
    <summary>{t('Frühere Laufzeiten ({n})', { n: abos.length })}</summary>
    <DataTable
      caption={t('Frühere Laufzeiten')}
      rows={abos}
      rowKey={({ id }) => id}
      columns={[
        { key: 'modul', title: t('Modul'), cell: ({ modul }) => moduleName(modul) },
        { key: 'von', title: t('Von'), cell: ({ beginn }) => <DateText value={beginn} /> },
        { key: 'bis', title: t('Bis'), cell: ({ ende }) => <DateText value={ende} /> },
        {
          key: 'netto',
          title: t('Preis netto'),
          align: 'end',
          cell: ({ netto }) => <span className="nums">{euroText(netto)}</span>,
        },
      ]}
    />
  </details>
)
