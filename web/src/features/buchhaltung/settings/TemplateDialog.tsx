// Dialog to add or edit a position template.
import type { PositionTemplate } from '#contract/template.ts'
import { formatGerman } from '#domain/geld.ts'
import { checkTemplate, priceOf, pricePlaces, TEMPLATE_LONGEST } from '#domain/template.ts'
import { UNITS } from '#domain/units.ts'
import { withTexts } from '../../../record/dialog-form.ts'
import { RowDialog } from '../../../record/RowDialog.tsx'
import type { DialogForm } from '../../../record/use-dialog-form.ts'
import { fact } from '../../../ui/Display.tsx'
import { Checkbox, FieldGrid, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { SuggestField } from '../../../ui/SuggestField.tsx'
import { t } from '../../../ui/text.ts'
import { rateText } from './rate-text.ts'
import { useSaveTemplate } from './template.data.ts'
import { templateFaultText } from './template-words.ts'

export interface TemplateFormValues {
  readonly gruppe: string
  readonly bez: string
  readonly einheit: string
  readonly ep: string
  readonly ust_satz: string
  readonly erl_titel: string
  readonly erl: string
  readonly erl_on: boolean
}
const EMPTY: TemplateFormValues = {
  gruppe: '',
  bez: '',
  einheit: '',
  ep: '',
  ust_satz: '',
  erl_titel: '',
  erl: '',
  erl_on: true,
}

const valuesOf = (row: PositionTemplate): TemplateFormValues => ({
  gruppe: row.gruppe ?? '',
  bez: row.bez,
  einheit: row.einheit,
  ep: formatGerman(priceOf(row.ep), pricePlaces),
  ust_satz: row.ust_satz === null ? '' : rateText(row.ust_satz),
  erl_titel: row.erl_titel,
  erl: row.erl,
  erl_on: row.erl_on,
})
const LONGEST: Readonly<Record<string, number>> = TEMPLATE_LONGEST
const UNIT_NAMES = UNITS.map(({ name }) => name)

function check(typed: TemplateFormValues) {
  const checked = withTexts(checkTemplate(typed), (fault, field) =>
    templateFaultText(fault, { longest: LONGEST[field] ?? 0, decimals: field === 'ep' ? 4 : 2 }),
  )
  return 'faults' in checked ? checked : { values: { ...checked.values, erl_on: typed.erl_on } }
}

const factsOf = (row: PositionTemplate) => [
  fact(t('Bezeichnung'), row.bez),
  fact(t('Gruppe'), row.gruppe),
  fact(t('Einheit'), row.einheit),
  fact(t('Preis netto'), `${formatGerman(priceOf(row.ep), pricePlaces)}\u00a0€`),
  fact(t('Steuersatz'), row.ust_satz === null ? t('wie im Beleg') : `${rateText(row.ust_satz)}\u00a0%`),
  fact(t('Titel der Erläuterung'), row.erl_titel),
  fact(t('Erläuterung'), row.erl),
]

export function TemplateDialog({
  row,
  groups,
  onClose,
  onSaved,
}: {
  /** Null for a new one. */
  row: PositionTemplate | null
  /** Groups in use, as suggestions. */
  groups: readonly string[]
  onClose: () => void
  onSaved: () => void
}) {
  const save = useSaveTemplate()
  return (
    <RowDialog
      title={row === null ? t('Positionsvorlage anlegen') : t('{name} bearbeiten', { name: row.bez })}
      width="wide"
      row={row}
      initial={EMPTY}
      valuesOf={valuesOf}
      check={check}
      save={(values, base) =>
        save.mutateAsync({ row: base, values: { ...values, archiviert: base?.archiviert ?? false } })
      }
      factsOf={factsOf}
      onClose={onClose}
      onSaved={onSaved}
    >
      {(form) => <TemplateFields form={form} groups={groups} />}
    </RowDialog>
  )
}

function TemplateFields({
  form,
  groups,
}: {
  form: DialogForm<TemplateFormValues>
  groups: readonly string[]
}) {
  const { text } = form
  return (
    <>
      <TextField
        label={t('Bezeichnung')}
        required
        maxLength={220}
        autoComplete="off"
        data-autofocus
        {...text('bez')}
      />
      <FieldGrid>
        <SuggestField
          label={t('Einheit')}
          required
          maxLength={30}
          suggestions={UNIT_NAMES}
          hint={t('Zum Beispiel Std, ha, m oder Stk.')}
          {...text('einheit')}
        />
        <TextField
          label={t('Preis netto')}
          required
          unit="€"
          inputMode="decimal"
          maxLength={24}
          autoComplete="off"
          hint={t('Je Einheit, bis zu vier Stellen nach dem Komma.')}
          {...text('ep')}
        />
        <TextField
          label={t('Steuersatz')}
          unit="%"
          inputMode="decimal"
          maxLength={8}
          autoComplete="off"
          hint={t('Standard: vom Beleg.')}
          {...text('ust_satz')}
        />
        <SuggestField
          label={t('Gruppe')}
          maxLength={80}
          suggestions={groups}
          hint={t('Eine vorhandene wählen oder eine neue eingeben.')}
          {...text('gruppe')}
        />
      </FieldGrid>
      <ExplanationFields form={form} />
    </>
  )
}

function ExplanationFields({ form: { text, flag } }: { form: DialogForm<TemplateFormValues> }) {
  return (
    <>
      <TextField
        label={t('Titel der Erläuterung')}
        maxLength={220}
        autoComplete="off"
        {...text('erl_titel')}
      />
      <TextAreaField label={t('Erläuterung')} rows={4} {...text('erl')} />
      <Checkbox label={t('Erläuterung drucken')} {...flag('erl_on')} />
    </>
  )
}
