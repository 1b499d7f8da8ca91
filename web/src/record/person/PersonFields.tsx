// A person's own data: the form fields, and a read-only version.
import type { ReactElement } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { BENUTZER_FIELDS, benutzerField } from '#domain/benutzer-fields.ts'
import { DateField } from '../../ui/DateField.tsx'
import { DateText, Facts, fact, Notice } from '../../ui/Display.tsx'
import { FieldGrid, SelectField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { textOf } from '../declared.ts'
import type { RecordEditor } from '../use-record-form.ts'
import {
  fieldLabel,
  type InputKind,
  PERSON_FIELDS,
  type PersonField,
  type PersonValues,
  showValue,
} from './person-kind.ts'
import { GENDERS, genderName } from './person-words.ts'

export type PersonEditor = RecordEditor<PersonField, NutzerRecord, PersonValues>

/** What differs between the forms that have the input. */
export interface OwnProps {
  readonly required?: boolean
  readonly autoComplete?: string
  readonly hint?: string
}
interface InputProps {
  form: UseFormReturn<PersonValues>
  field: PersonField
  own?: OwnProps | undefined
}
function bind({ form, field, own }: InputProps) {
  return {
    label: fieldLabel(field),
    error: form.formState.errors[field]?.message,
    hint: textOf(benutzerField(field), 'hint'),
    autoComplete: 'off',
    ...form.register(field),
    ...own,
  }
}

/** The input of a field, by its kind. */
const INPUTS: Readonly<
  Record<InputKind, (bound: ReturnType<typeof bind>, longest: number | undefined) => ReactElement>
> = {
  line: (bound, longest) => <TextField {...bound} maxLength={longest} />,
  email: (bound, longest) => <TextField {...bound} type="email" maxLength={longest} />,
  birthday: (bound) => <DateField {...bound} />,
  sex: (bound) => (
    <SelectField
      {...bound}
      emptyOption={t('keine Angabe')}
      options={GENDERS.map((value) => ({ value, label: genderName(value) }))}
    />
  ),
}
const PersonInput = (props: InputProps) =>
  INPUTS[BENUTZER_FIELDS[props.field].kind](bind(props), benutzerField(props.field).longest)

interface FieldsProps {
  editor: PersonEditor
  own?: Partial<Record<PersonField, OwnProps>>
}
export const PersonFields = ({ editor: { form }, own = {} }: FieldsProps) => (
  <FieldGrid>
    {PERSON_FIELDS.map((field) => (
      <PersonInput key={field} form={form} field={field} own={own[field]} />
    ))}
  </FieldGrid>
)

/** For users who may see the person but not change them. */
export function PersonFacts({ person }: { person: NutzerRecord }) {
  return (
    <div className="stack">
      <Notice>
        {t(
          'Diese Person gehört zum Team der anderen Verwaltung. Ihre Angaben ändert nur, wer dort verwaltet.',
        )}
      </Notice>
      <Facts
        facts={PERSON_FIELDS.map((field) =>
          fact(
            fieldLabel(field),
            benutzerField(field).kind === 'birthday' ? (
              <DateText value={person[field]} />
            ) : (
              showValue(field, person[field])
            ),
          ),
        )}
      />
    </div>
  )
}
