// Turns an accepted offer into an invoice, in part or as a whole: which lines, how much of each, and the
// total.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Beleg } from '#domain/beleg.ts'
import { decimal, formatAmount, formatDecimal, formatGerman, parseNumberInput, sign } from '#domain/geld.ts'
import { computeBeleg, positionAmount } from '#domain/rechnung.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Checkbox, FieldGrid, TextField } from '../../../ui/Field.tsx'
import { parseDay } from '../../../ui/parse-day.ts'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { type Angebot, type Rest, restQuery, useBelegAct, previewQuery } from '../beleg.data.ts'
import { BelegSums } from '../../../record/beleg/BelegSums.tsx'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'
import { numberFault } from '../number-words.ts'
import {
  shareQuantities,
  isMore,
  emptyQuantities,
  QUANTITY,
  type Quantities,
  remainingQuantities,
} from './quantities.ts'

const SHARE = { decimals: 2, integerDigits: 3 } as const

export function BillingDialog({ angebot, onClose }: { angebot: Angebot; onClose: () => void }) {
  const id = String(angebot.id)
  const rest = useQuery(restQuery(id))
  const beleg = useQuery(previewQuery('angebot', id, angebot.version))
  // The remainder is fetched each time the dialog opens and does not change while the user is choosing.
  if (rest.data && rest.isFetchedAfterMount && beleg.data)
    return <Choice angebot={angebot} rest={rest.data} beleg={beleg.data} onClose={onClose} />
  const failed = [rest, beleg].find(({ isError }) => isError)
  return (
    <Dialog open title={t('In Rechnung stellen')} onClose={onClose} width="wide">
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Dialog>
  )
}

function Choice({
  angebot,
  rest,
  beleg,
  onClose,
}: {
  angebot: Angebot
  rest: readonly Rest[]
  beleg: Beleg
  onClose: () => void
}) {
  const view = useView()
  const formId = useId()
  const [typed, setTyped] = useState<Quantities>(remainingQuantities(rest))
  const [shareText, setShareText] = useState('')
  const [serviceDay, setServiceDay] = useState('')
  const [mehr, setMore] = useState(false)
  const [tried, setTried] = useState(false)
  const offered = new Map(beleg.positionen.map((position) => [position.id, position]))
  const wanted = rest.map((line) => {
    const text = typed[line.position_id] ?? ''
    const value = text.trim() === '' ? null : parseNumberInput(text, QUANTITY)
    return {
      line,
      fault: typeof value === 'string' ? value : null,
      value: typeof value === 'string' ? null : value,
    }
  })
  const picked = wanted.flatMap(({ line, value }) => {
    const position = offered.get(String(line.position_id))
    return value === null || sign(value) === 0 || position === undefined
      ? []
      : [{ line, value, position: { ...position, art: 'position' as const, anzahl: formatDecimal(value) } }]
  })
  const amounts = new Map(picked.map(({ line, position }) => [line.position_id, positionAmount(position)]))
  const { summen } = computeBeleg({
    positionen: picked.map(({ position }) => position),
    rabatt_prozent: beleg.rabatt_prozent,
    ust_satz: beleg.ust_satz,
    anzahlung: '0.00',
    kleinunternehmer: beleg.lieferant.kleinunternehmer,
  })
  const over = picked.some(({ line, value }) => isMore(value, decimal(line.rest)))
  const share = shareText.trim() === '' ? 'fehlt' : parseNumberInput(shareText, SHARE)
  const isDay = serviceDay.trim() === '' || parseDay(serviceDay) !== null
  const convert = useBelegAct(() =>
    rpc('a_convert_offer', {
      offer_id: angebot.id,
      positionen: picked.map(({ line, value }) => ({
        position_id: line.position_id,
        anzahl: formatDecimal(value),
      })),
      le_date: parseDay(serviceDay),
      mehr,
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (
      convert.isPending ||
      picked.length === 0 ||
      wanted.some(({ fault }) => fault !== null) ||
      !isDay ||
      (over && !mehr)
    )
      return
    convert.mutate(undefined, {
      onSuccess: (id) => {
        onClose()
        view.go(RECHNUNG_KIND.draft(id))
      },
    })
  }
  return (
    <Dialog
      open
      title={t('In Rechnung stellen')}
      width="wide"
      onClose={onClose}
      dismissible={!convert.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={convert.isPending}>
            {t('Abbrechen')}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={convert.isPending}>
            {t('Rechnungsentwurf anlegen')}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" noValidate onSubmit={submit}>
        {convert.isError && (
          <Notice tone="danger" title={t('Nicht angelegt')}>
            {messageOf(convert.error)}
          </Notice>
        )}
        <p>{t('Für jede Position die Menge dieser Rechnung; leer lässt die Position aus.')}</p>
        <div className="beleg-share">
          <Button size="small" onClick={() => setTyped(remainingQuantities(rest))}>
            {t('Alles Übrige')}
          </Button>
          <Button size="small" onClick={() => setTyped(emptyQuantities(rest))}>
            {t('Keine')}
          </Button>
          <TextField
            label={t('Anteil des Angebots')}
            unit="%"
            inputMode="decimal"
            autoComplete="off"
            hint={t('höchstens, was übrig ist')}
            value={shareText}
            error={typeof share === 'string' && share !== 'fehlt' ? numberFault(share, 2) : undefined}
            onChange={({ target }) => {
              setShareText(target.value)
              const value = parseNumberInput(target.value, SHARE)
              if (typeof value !== 'string') setTyped(shareQuantities(rest, value))
            }}
          />
        </div>
        <SmallTable label={t('Positionen')}>
          <HeadRow
            left={[0, 5]}
            titles={[
              t('Bezeichnung'),
              t('Angeboten'),
              t('Abgerechnet'),
              t('In Entwürfen'),
              t('Rest'),
              t('Diese Rechnung'),
              t('Netto'),
            ]}
          />
          <tbody>
            {wanted.map(({ line, fault }) => (
              <tr key={line.position_id}>
                <td>
                  {line.bez} <span className="soft nums">{t('zu {preis}', { preis: priceOf(line) })}</span>
                </td>
                <td className="cell-end nums">{`${formatGerman(decimal(line.anzahl))} ${line.einheit}`}</td>
                <td className="cell-end nums">{formatGerman(decimal(line.abgerechnet))}</td>
                <td className="cell-end nums">{formatGerman(decimal(line.in_entwuerfen))}</td>
                <td className="cell-end nums">{formatGerman(decimal(line.rest))}</td>
                <td className="beleg-quantity">
                  <TextField
                    label={t('Menge für {bez}', { bez: line.bez })}
                    labelHidden
                    inputMode="decimal"
                    autoComplete="off"
                    value={typed[line.position_id] ?? ''}
                    error={fault === null ? undefined : numberFault(fault, 3)}
                    onChange={({ target }) => setTyped({ ...typed, [line.position_id]: target.value })}
                  />
                </td>
                <td className="cell-end nums">{formatAmount(amounts.get(line.position_id) ?? '0.00')}</td>
              </tr>
            ))}
          </tbody>
        </SmallTable>
        <BelegSums summen={summen} rabatt_prozent={beleg.rabatt_prozent} live />
        {tried && picked.length === 0 && (
          <p className="field-error" role="alert">
            {t('Bitte mindestens eine Menge eintragen.')}
          </p>
        )}
        {over && (
          <Checkbox
            label={t('Es wird mehr abgerechnet als angeboten; das ist gewollt.')}
            checked={mehr}
            error={tried && !mehr ? t('Bitte bestätigen oder die Menge verringern.') : undefined}
            onChange={({ target }) => setMore(target.checked)}
          />
        )}
        <FieldGrid>
          <DateField
            label={t('Leistung am oder ab')}
            hint={t('Kann später eingetragen werden.')}
            value={serviceDay}
            error={isDay ? undefined : t('Bitte ein Datum wie 31.12.2026.')}
            onChange={({ target }) => setServiceDay(target.value)}
          />
        </FieldGrid>
      </form>
    </Dialog>
  )
}

const priceOf = ({ ep, einheit }: Rest): string => {
  const price = `${formatGerman(decimal(ep), { atLeast: 2 })}\u00A0€`
  return einheit === '' ? price : `${price} / ${einheit}`
}
