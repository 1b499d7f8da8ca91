// A person's own data: the form fields, and a read-only version.
import type { NutzerRecord } from '#contract/nutzer.ts'
import { DateField } from '../../ui/DateField.tsx'
import { DateText, Facts, fact, Notice } from '../../ui/Display.tsx'
import { FieldGrid, SelectField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import type { RecordEditor } from '../use-record-form.ts'
import { fieldLabel, type PersonField, type PersonValues } from './person-kind.ts'
import { GENDERS, genderName } from './person-words.ts'

export type PersonEditor = RecordEditor<PersonField, NutzerRecord, PersonValues>

export function PersonFields({ editor: { form } }: { editor: PersonEditor }) {
  const bind = (field: PersonField) => ({
    label: fieldLabel(field),
    error: form.formState.errors[field]?.message,
    autoComplete: 'off',
    ...form.register(field),
  })
  return (
    <FieldGrid>
      <TextField {...bind('first_name')} maxLength={100} />
      <TextField {...bind('last_name')} maxLength={100} />
      <TextField
        {...bind('mail')}
        type="email"
        maxLength={254}
        hint={t('Nur zur Kontaktaufnahme; die Anmeldeadresse bleibt gleich.')}
      />
      <DateField {...bind('geb')} />
      <SelectField
        {...bind('geschlecht')}
        emptyOption={t('keine Angabe')}
        options={GENDERS.map((value) => ({ value, label: genderName(value) }))}
      />
    </FieldGrid>
  )
}

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
        facts={[
          fact(fieldLabel('first_name'), person.first_name),
          fact(fieldLabel('last_name'), person.last_name),
          fact(fieldLabel('mail'), person.mail),
          fact(fieldLabel('geb'), person.geb && <DateText value={person.geb} />),
          fact(fieldLabel('geschlecht'), person.geschlecht && genderName(person.geschlecht)),
        ]}
      />
    </div>
  )
}
