// A new draft: for whom, of which day, at which rate. It exists from then on, without a number.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { RecordField } from '../../list/RecordField.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { FieldGrid, TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Actions, Page } from '../../ui/Page.tsx'
import { parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { useView } from '../../ui/view.tsx'
import { fruehestensQuery, KUNDE_FILTER, useBelegAct } from './beleg.data.ts'
import { feldFault, feldWert } from './entwurf-felder.ts'
import type { Sorte } from './sorten.ts'

const TAG = { kind: 'tag', pflicht: true } as const
const LEISTUNG = { kind: 'tag' } as const
const SATZ = { kind: 'zahl', stellen: 2, vorkomma: 2 } as const

/** `/new/{new_id}`: the number is the customer's. */
export function BelegNeu({ sorte }: { sorte: Sorte }) {
  const view = useView()
  const words = sorte.words()
  const [kunde, setKunde] = useState(view.params['new_id'] ?? '')
  const earliest = useQuery(fruehestensQuery(sorte.sorte)).data ?? null
  const [datum, setDatum] = useState(formatDate(today()))
  const [leistung, setLeistung] = useState('')
  const [satz, setSatz] = useState('')
  const [tried, setTried] = useState(false)
  const working = useRef(false)
  const add = useBelegAct(() =>
    sorte.add({
      client_id: kunde,
      datum: parseDay(datum) ?? today(),
      le_date: parseDay(leistung),
      ust_satz: satz.trim() === '' ? null : String(feldWert(SATZ, satz)),
    }),
  )
  const day = parseDay(datum)
  const tooEarly = day !== null && earliest !== null && day < earliest
  const tooLate = day !== null && day > today()
  const faults = {
    kunde: kunde === '' ? t('Bitte wählen Sie den Kunden: Name eingeben und einen Treffer auswählen.') : null,
    datum:
      feldFault(TAG, datum) ??
      (tooEarly
        ? t('Frühestens der {min}: An diesem Tag wurde zuletzt ausgestellt.', { min: formatDate(earliest) })
        : tooLate
          ? t('Höchstens der heutige Tag.')
          : null),
    leistung: feldFault(LEISTUNG, leistung),
    satz: feldFault(SATZ, satz),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (working.current || Object.values(faults).some((fault) => fault !== null)) return
    working.current = true
    add.mutate(undefined, {
      onSuccess: (id) => view.go(sorte.draft(id), { replace: true }),
      onSettled: () => {
        working.current = false
      },
    })
  }
  return (
    <Page width="narrow" title={words.fresh}>
      <Card>
        <form className="stack" noValidate onSubmit={submit}>
          {add.isError && (
            <Notice tone="danger" title={t('Nicht angelegt')}>
              {messageOf(add.error)}
            </Notice>
          )}
          <div>
            <RecordField filter={KUNDE_FILTER} label={t('Kunde')} value={kunde} apply={setKunde} />
            {tried && faults.kunde && (
              <p className="field-error" role="alert">
                {faults.kunde}
              </p>
            )}
          </div>
          <FieldGrid>
            <DateField
              label={words.date}
              required
              value={datum}
              error={faults.datum ?? undefined}
              onChange={({ target }) => setDatum(target.value)}
            />
            {sorte.sorte === 'rechnung' && (
              <DateField
                label={t('Leistung am oder ab')}
                hint={t('Kann später eingetragen werden.')}
                value={leistung}
                error={faults.leistung ?? undefined}
                onChange={({ target }) => setLeistung(target.value)}
              />
            )}
            <TextField
              label={t('USt-Satz')}
              unit="%"
              inputMode="decimal"
              autoComplete="off"
              hint={t('leer: nach den Einstellungen')}
              value={satz}
              error={faults.satz ?? undefined}
              onChange={({ target }) => setSatz(target.value)}
            />
          </FieldGrid>
          <Actions>
            <Button type="submit" variant="primary" busy={add.isPending}>
              {t('Entwurf anlegen')}
            </Button>
          </Actions>
        </form>
      </Card>
    </Page>
  )
}
