// Dialog to add or edit a forecast.
import { useId } from 'react'
import type { Prognose } from '#contract/prognose.ts'
import { formatAmount, formatEuro } from '#domain/geld.ts'
import { checkPrognose, MAX_LENGTHS, PROGNOSE_KINDS, type PrognoseInput } from '#domain/prognose.ts'
import { fact } from '../../../ui/Display.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid, SelectField, TextField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { RowDialog } from '../RowDialog.tsx'
import { useSavePrognose } from './prognose.data.ts'
import { kindText, prognoseFault } from './prognose-words.ts'

export interface PrognoseValues extends Readonly<Record<string, string>> {
  readonly art: string
  readonly datum: string
  readonly betrag: string
  readonly kategorie: string
  readonly bemerkung: string
}
export const valuesOf = ({ datum, betrag, art, kategorie, bemerkung }: Prognose): PrognoseValues => ({
  art,
  datum: formatDate(datum),
  betrag: formatAmount(betrag),
  kategorie: kategorie ?? '',
  bemerkung: bemerkung ?? '',
})
const typed = (values: PrognoseValues): PrognoseInput => ({
  ...values,
  datum: values.datum.trim() === '' ? '' : parseDay(values.datum),
})
const LONGEST: Readonly<Record<string, number>> = MAX_LENGTHS

export function PrognoseDialog({
  row,
  initial,
  categories,
  onClose,
  onSaved,
}: {
  /** Null for a new one. */
  row: Prognose | null
  initial: PrognoseValues
  /** Categories in use, as suggestions. */
  categories: readonly string[]
  onClose: () => void
  onSaved: () => void
}) {
  const listId = useId()
  const save = useSavePrognose()
  const check = (values: PrognoseValues) => {
    const checked = checkPrognose(typed(values))
    if ('values' in checked) return {}
    return Object.fromEntries(
      Object.entries(checked.faults).map(([field, fault]) => [
        field,
        prognoseFault(fault, LONGEST[field] ?? 0),
      ]),
    )
  }
  return (
    <RowDialog<PrognoseValues, Prognose>
      title={row === null ? t('Prognose anlegen') : t('Prognose bearbeiten')}
      row={row}
      initial={initial}
      valuesOf={valuesOf}
      check={check}
      save={async (values, base) => {
        const checked = checkPrognose(typed(values))
        if ('values' in checked) await save.mutateAsync({ row: base, values: checked.values })
      }}
      factsOf={({ datum, betrag, art, kategorie, bemerkung }) => [
        fact(t('Art'), kindText(art)),
        fact(t('Datum'), formatDate(datum)),
        fact(t('Betrag'), formatEuro(betrag)),
        fact(t('Kategorie'), kategorie),
        fact(t('Bemerkung'), bemerkung),
      ]}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ text }) => (
        <>
          <FieldGrid>
            <SelectField
              label={t('Art')}
              required
              options={PROGNOSE_KINDS.map((art) => ({ value: art, label: kindText(art) }))}
              {...text('art')}
            />
            <DateField label={t('Datum')} required data-autofocus {...text('datum')} />
            <TextField
              label={t('Betrag')}
              required
              unit="€"
              inputMode="decimal"
              maxLength={24}
              autoComplete="off"
              hint={t('Ohne Vorzeichen: die Richtung sagt die Art.')}
              {...text('betrag')}
            />
            <TextField
              label={t('Kategorie')}
              maxLength={80}
              list={listId}
              autoComplete="off"
              hint={t('Eine vorhandene wählen oder eine neue eingeben.')}
              {...text('kategorie')}
            />
          </FieldGrid>
          <TextField label={t('Bemerkung')} maxLength={600} autoComplete="off" {...text('bemerkung')} />
          <datalist id={listId}>
            {categories.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </RowDialog>
  )
}
