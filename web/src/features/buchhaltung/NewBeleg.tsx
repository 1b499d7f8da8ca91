// A new draft: customer, date and tax rate. It is stored at once, without a number.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { RecordField } from '../../list/RecordField.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Card } from '../../ui/Display.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { FieldGrid, TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Actions, Page } from '../../ui/Page.tsx'
import { parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { useView } from '../../ui/view.tsx'
import { earliestQuery, KUNDE_FILTER, useBelegAct } from './beleg.data.ts'
import type { DocKind } from './beleg-kinds.ts'
import { fieldFault, fieldValue } from './draft-fields.ts'

const DAY = { kind: 'tag', required: true } as const
const SERVICE_DAY = { kind: 'tag' } as const
const RATE = { kind: 'zahl', decimals: 2, integerDigits: 2 } as const

interface NewValues {
  readonly datum: string
  readonly serviceDay: string
  readonly satz: string
}

function dayFault(datum: string, earliest: string | null): string | null {
  const broken = fieldFault(DAY, datum)
  const day = parseDay(datum)
  if (broken !== null || day === null) return broken
  if (earliest !== null && day < earliest)
    return t('Frühestens der {min}: An diesem Tag wurde zuletzt ausgestellt.', { min: formatDate(earliest) })
  return day > today() ? t('Spätestens heute.') : null
}
const faultsOf = ({ datum, serviceDay, satz }: NewValues, kunde: string, earliest: string | null) => ({
  kunde: kunde === '' ? t('Bitte wählen Sie den Kunden: Name eingeben und einen Treffer auswählen.') : null,
  datum: dayFault(datum, earliest),
  serviceDay: fieldFault(SERVICE_DAY, serviceDay),
  satz: fieldFault(RATE, satz),
})
type Faults = ReturnType<typeof faultsOf>

/** Adds the draft, once, and opens it. */
function useAdd(docKind: DocKind, { datum, serviceDay, satz }: NewValues, kunde: string) {
  const view = useView()
  const working = useRef(false)
  const add = useBelegAct(() =>
    docKind.add({
      client_id: kunde,
      datum: parseDay(datum) ?? today(),
      le_date: parseDay(serviceDay),
      ust_satz: satz.trim() === '' ? null : String(fieldValue(RATE, satz)),
    }),
  )
  const run = () => {
    if (working.current) return
    working.current = true
    add.mutate(undefined, {
      onSuccess: (id) => view.go(docKind.draft(id), { replace: true }),
      onSettled: () => {
        working.current = false
      },
    })
  }
  return { run, busy: add.isPending, error: add.error }
}

/** `/new/{new_id}`: the id is the customer's; 0 if they are still to be chosen. */
export function NewBeleg({ docKind }: { docKind: DocKind }) {
  const { params } = useView()
  const [kunde, setKunde] = useState(params['new_id'] === '0' ? '' : (params['new_id'] ?? ''))
  const earliest = useQuery(earliestQuery(docKind.docKind)).data ?? null
  const [values, setValues] = useState<NewValues>(() => ({
    datum: formatDate(today()),
    serviceDay: '',
    satz: '',
  }))
  const [tried, setTried] = useState(false)
  const add = useAdd(docKind, values, kunde)
  const faults = faultsOf(values, kunde, earliest)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.values(faults).every((fault) => fault === null)) add.run()
  }
  return (
    <Page width="narrow" title={docKind.words().fresh}>
      <Card>
        <form className="stack" noValidate onSubmit={submit}>
          {add.error !== null && <Refusal title={t('Nicht angelegt')}>{messageOf(add.error)}</Refusal>}
          <div>
            <RecordField filter={KUNDE_FILTER} label={t('Kunde')} value={kunde} apply={setKunde} />
            {tried && faults.kunde && (
              <p className="field-error" role="alert">
                {faults.kunde}
              </p>
            )}
          </div>
          <NewFields
            docKind={docKind}
            values={values}
            faults={faults}
            onChange={(change) => setValues((before) => ({ ...before, ...change }))}
          />
          <Actions>
            <Button type="submit" variant="primary" busy={add.busy}>
              {t('Entwurf anlegen')}
            </Button>
          </Actions>
        </form>
      </Card>
    </Page>
  )
}

interface NewFieldsProps {
  docKind: DocKind
  values: NewValues
  faults: Faults
  onChange: (change: Partial<NewValues>) => void
}

function NewFields({ docKind, values, faults, onChange }: NewFieldsProps) {
  return (
    <FieldGrid>
      <DateField
        label={docKind.words().date}
        required
        value={values.datum}
        error={faults.datum ?? undefined}
        onChange={({ target }) => onChange({ datum: target.value })}
      />
      {docKind.docKind === 'rechnung' && (
        <DateField
          label={t('Leistung am oder ab')}
          hint={t('Kann später eingetragen werden.')}
          value={values.serviceDay}
          error={faults.serviceDay ?? undefined}
          onChange={({ target }) => onChange({ serviceDay: target.value })}
        />
      )}
      <TextField
        label={t('Steuersatz')}
        unit="%"
        inputMode="decimal"
        autoComplete="off"
        hint={t('Standard: aus den Einstellungen')}
        value={values.satz}
        error={faults.satz ?? undefined}
        onChange={({ target }) => onChange({ satz: target.value })}
      />
    </FieldGrid>
  )
}
