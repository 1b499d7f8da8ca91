// Dialog to add or edit a forecast.
import type { Prognose } from '#contract/prognose.ts'
import { formatAmount, formatEuro } from '#domain/geld.ts'
import { checkPrognose, MAX_LENGTHS, PROGNOSE_KINDS, type PrognoseInput } from '#domain/prognose.ts'
import { withTexts } from '../../../record/dialog-form.ts'
import { RowDialog } from '../../../record/RowDialog.tsx'
import type { DialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { fact } from '../../../ui/Display.tsx'
import { FieldGrid, SelectField, TextField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { SuggestField } from '../../../ui/SuggestField.tsx'
import { t } from '../../../ui/text.ts'
import { useSavePrognose } from './prognose.data.ts'
import { kindText, prognoseFault } from './prognose-words.ts'

export interface PrognoseValues {
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

const check = (values: PrognoseValues) =>
  withTexts(checkPrognose(typed(values)), (fault, field) => prognoseFault(fault, LONGEST[field] ?? 0))

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
  const save = useSavePrognose()
  return (
    <RowDialog
      title={row === null ? t('Prognose anlegen') : t('Prognose bearbeiten')}
      row={row}
      initial={initial}
      valuesOf={valuesOf}
      check={check}
      save={(values, base) => save.mutateAsync({ row: base, values })}
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
      {(form) => <PrognoseFields form={form} categories={categories} />}
    </RowDialog>
  )
}

function PrognoseFields({
  form: { text },
  categories,
}: {
  form: DialogForm<PrognoseValues>
  categories: readonly string[]
}) {
  return (
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
          hint={t('Ohne Vorzeichen. Ob Einnahme oder Ausgabe, wählen Sie bei „Art“.')}
          {...text('betrag')}
        />
        <SuggestField
          label={t('Kategorie')}
          maxLength={80}
          suggestions={categories}
          hint={t('Eine vorhandene wählen oder eine neue eingeben.')}
          {...text('kategorie')}
        />
      </FieldGrid>
      <TextField label={t('Bemerkung')} maxLength={600} autoComplete="off" {...text('bemerkung')} />
    </>
  )
}
