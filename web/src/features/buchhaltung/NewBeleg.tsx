// A new draft: customer, date and tax rate. It is stored at once, without a number.
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
import { earliestQuery, KUNDE_FILTER, useBelegAct } from './beleg.data.ts'
import { fieldFault, fieldValue } from './draft-fields.ts'
import type { DocKind } from './beleg-kinds.ts'

const DAY = { kind: 'tag', required: true } as const
const SERVICE_DAY = { kind: 'tag' } as const
const RATE = { kind: 'zahl', decimals: 2, integerDigits: 2 } as const

/** `/new/{new_id}`: the id is the customer's. */
export function NewBeleg({ docKind }: { docKind: DocKind }) {
  const view = useView()
  const words = docKind.words()
  const [kunde, setKunde] = useState(view.params['new_id'] ?? '')
  const earliest = useQuery(earliestQuery(docKind.docKind)).data ?? null
  const [datum, setDatum] = useState(formatDate(today()))
  const [serviceDay, setServiceDay] = useState('')
  const [satz, setRate] = useState('')
  const [tried, setTried] = useState(false)
  const working = useRef(false)
  const add = useBelegAct(() =>
    docKind.add({
      client_id: kunde,
      datum: parseDay(datum) ?? today(),
      le_date: parseDay(serviceDay),
      ust_satz: satz.trim() === '' ? null : String(fieldValue(RATE, satz)),
    }),
  )
  const day = parseDay(datum)
  const tooEarly = day !== null && earliest !== null && day < earliest
  const tooLate = day !== null && day > today()
  const faults = {
    kunde: kunde === '' ? t('Bitte wählen Sie den Kunden: Name eingeben und einen Treffer auswählen.') : null,
    datum:
      fieldFault(DAY, datum) ??
      (tooEarly
        ? t('Frühestens der {min}: An diesem Tag wurde zuletzt ausgestellt.', { min: formatDate(earliest) })
        : tooLate
          ? t('Höchstens der heutige Tag.')
          : null),
    serviceDay: fieldFault(SERVICE_DAY, serviceDay),
    satz: fieldFault(RATE, satz),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (working.current || Object.values(faults).some((fault) => fault !== null)) return
    working.current = true
    add.mutate(undefined, {
      onSuccess: (id) => view.go(docKind.draft(id), { replace: true }),
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
            {docKind.docKind === 'rechnung' && (
              <DateField
                label={t('Leistung am oder ab')}
                hint={t('Kann später eingetragen werden.')}
                value={serviceDay}
                error={faults.serviceDay ?? undefined}
                onChange={({ target }) => setServiceDay(target.value)}
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
              onChange={({ target }) => setRate(target.value)}
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
