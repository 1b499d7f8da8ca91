// An accepted offer becomes an invoice, in part or as a whole: which lines, and how much of each.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { compare, type Dezimal, dezimal, formatDezimal, formatZahl, parseEingabe, sign } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, TextField } from '../../../ui/Field.tsx'
import { parseDay } from '../../../ui/parse-day.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import '../../../ui/table.css'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { type Angebot, type Rest, restQuery, useBelegAct } from '../beleg.data.ts'
import { zahlFault } from '../zahl-words.ts'

const MENGE = { stellen: 3, vorkomma: 9, negativ: true } as const

export function AbrechnenDialog({ angebot, onClose }: { angebot: Angebot; onClose: () => void }) {
  const query = useQuery(restQuery(String(angebot.id)))
  // What is left is asked for anew each time; while it is being chosen from, it stays as it is.
  return query.data && query.isFetchedAfterMount ? (
    <Auswahl angebot={angebot} rest={query.data} onClose={onClose} />
  ) : (
    <Dialog open title={t('In Rechnung stellen')} onClose={onClose} width="wide">
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton lines={6} />}
    </Dialog>
  )
}

/** Above what is left; credits count the other way. */
const isMore = (wanted: Dezimal, rest: Dezimal): boolean => (sign(rest) < 0 ? compare(wanted, rest) < 0 : compare(wanted, rest) > 0)

function Auswahl({ angebot, rest, onClose }: { angebot: Angebot; rest: readonly Rest[]; onClose: () => void }) {
  const view = useView()
  const formId = useId()
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>(
    Object.fromEntries(rest.map((line) => [line.position_id, sign(dezimal(line.rest)) === 0 ? '' : formatZahl(dezimal(line.rest))])),
  )
  const [leistung, setLeistung] = useState('')
  const [mehr, setMehr] = useState(false)
  const [tried, setTried] = useState(false)
  const wanted = rest.map((line) => {
    const text = typed[line.position_id] ?? ''
    const value = text.trim() === '' ? null : parseEingabe(text, MENGE)
    return { line, fault: typeof value === 'string' ? value : null, value: typeof value === 'string' ? null : value }
  })
  const picked = wanted.filter(({ value }) => value !== null && sign(value) !== 0)
  const over = picked.some(({ line, value }) => value !== null && isMore(value, dezimal(line.rest)))
  const isDay = leistung.trim() === '' || parseDay(leistung) !== null
  const convert = useBelegAct(() =>
    rpc('a_convert_offer', {
      offer_id: angebot.id,
      positionen: picked.map(({ line, value }) => ({ position_id: line.position_id, anzahl: formatDezimal(value!) })),
      le_date: parseDay(leistung),
      mehr,
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (convert.isPending || picked.length === 0 || wanted.some(({ fault }) => fault !== null) || !isDay || (over && !mehr)) return
    convert.mutate(undefined, {
      onSuccess: (id) => {
        onClose()
        view.go(`/buchhaltung/rechnungen/rechnung/update/${id}`)
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
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('Bezeichnung')}</th>
              <th scope="col" className="cell-end">
                {t('Angeboten')}
              </th>
              <th scope="col" className="cell-end">
                {t('Abgerechnet')}
              </th>
              <th scope="col" className="cell-end">
                {t('In Entwürfen')}
              </th>
              <th scope="col">{t('Diese Rechnung')}</th>
            </tr>
          </thead>
          <tbody>
            {wanted.map(({ line, fault }) => (
              <tr key={line.position_id}>
                <td>{line.bez}</td>
                <td className="cell-end nums">{`${formatZahl(dezimal(line.anzahl))} ${line.einheit}`}</td>
                <td className="cell-end nums">{formatZahl(dezimal(line.abgerechnet))}</td>
                <td className="cell-end nums">{formatZahl(dezimal(line.in_entwuerfen))}</td>
                <td className="beleg-quantity">
                  <TextField
                    label={t('Menge für {bez}', { bez: line.bez })}
                    labelHidden
                    inputMode="decimal"
                    autoComplete="off"
                    value={typed[line.position_id] ?? ''}
                    error={fault === null ? undefined : zahlFault(fault, 3)}
                    onChange={({ target }) => setTyped({ ...typed, [line.position_id]: target.value })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
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
            onChange={({ target }) => setMehr(target.checked)}
          />
        )}
        <TextField
          label={t('Leistung am oder ab')}
          placeholder={t('TT.MM.JJJJ')}
          autoComplete="off"
          hint={t('Kann später eingetragen werden.')}
          value={leistung}
          error={isDay ? undefined : t('Bitte ein Datum wie 31.12.2026.')}
          onChange={({ target }) => setLeistung(target.value)}
        />
      </form>
    </Dialog>
  )
}
