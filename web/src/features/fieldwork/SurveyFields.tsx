// The attributes of a survey object: those of the imports' field table, the usual ones first.
import { type DataField, fieldsOf, type Table } from '#domain/vermessung/fields.ts'
import { fieldName } from '../../record/kataster/kataster-words.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import type { SurveyFormModel } from './use-survey-form.ts'

/** In this sequence above the fold. */
const USUAL = ['schluessel', 'art', 'dn', 'material', 'tiefe', 'gefaelle', 'zustand', 'bemerkung']

/** Nobody types what a receiver says; it is shown with the place. */
const SAID_BY_RECEIVER = ['lage_fix', 'genauigkeit_geschaetzt']

interface Props {
  form: Pick<SurveyFormModel, 'state' | 'change' | 'faults'>
}
export function SurveyFields({ form }: Props) {
  const { tabelle } = form.state
  const all = fieldsOf(tabelle)
  const usual = USUAL.flatMap((name) => all.filter((field) => field.name === name))
  const rare = all.filter(({ name }) => !USUAL.includes(name) && !SAID_BY_RECEIVER.includes(name))
  return (
    <>
      <section className="erf-teil" aria-label={t('Angaben')}>
        {usual.map((field) => (
          <Input key={field.name} field={field} form={form} tabelle={tabelle} />
        ))}
      </section>
      <details
        className="erf-teil erf-mehrdazu"
        open={rare.some(({ name }) => form.faults[name] !== undefined) || undefined}
      >
        <summary>{t('Weitere Angaben')}</summary>
        {rare.map((field) => (
          <Input key={field.name} field={field} form={form} tabelle={tabelle} />
        ))}
      </details>
    </>
  )
}

function Input({ field: { name, art, laengste }, form }: Props & { field: DataField; tabelle: Table }) {
  const common = {
    name,
    label: fieldName(name),
    value: form.state.inputs[name] ?? '',
    error: form.faults[name],
    onChange: ({ target: { value } }: { target: { value: string } }) =>
      form.change((before) => ({ ...before, inputs: { ...before.inputs, [name]: value } })),
  }
  if (art === 'ja_nein')
    return (
      <SelectField
        {...common}
        emptyOption={t('ohne Angabe')}
        options={[
          { value: 'ja', label: t('ja') },
          { value: 'nein', label: t('nein') },
        ]}
      />
    )
  if (name === 'bemerkung')
    return <TextAreaField {...common} rows={2} {...(laengste && { maxLength: laengste })} />
  return (
    <TextField
      {...common}
      enterKeyHint="done"
      {...((art === 'zahl' || art === 'ganz') && { inputMode: 'decimal' as const })}
      {...(laengste && { maxLength: laengste })}
    />
  )
}
