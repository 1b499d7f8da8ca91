// A person's record for form, conflict dialog and history.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as z from 'zod/mini'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { BENUTZER_FIELDS, benutzerField, PERSON_INPUTS } from '#domain/benutzer-fields.ts'
import { type Field, mapColumns } from '#domain/fields.ts'
import { labelsOf, textOf } from '../declared.ts'
import { choice, line, tidied, tidy } from '../input-checks.ts'
import type { RecordKind } from '../record-kind.ts'
import { formatDate, formatDateTime } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { roleInWords } from '../../ui/role-words.ts'
import { t } from '../../ui/text.ts'
import { appAccessText, GENDERS, genderName, zugang } from './person-words.ts'

export const PERSON_FIELDS = PERSON_INPUTS
export type PersonField = (typeof PERSON_FIELDS)[number]
/** The texts of the inputs; empty means none. */
export type PersonValues = Record<PersonField, string>
export type InputKind = (typeof BENUTZER_FIELDS)[PersonField]['kind']

/** The same rule as checks.is_email. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\].]{2,}$/.test(text)

const today = () => new Date().toISOString().slice(0, 10)
const isBirthday = (text: string): boolean => {
  const day = parseDay(text)
  return day !== null && day > '1900-01-01' && day < today()
}

/** The check of an input, by the kind of its field. */
const CHECKS: Readonly<Record<InputKind, (field: Field) => z.ZodMiniType<string, string>>> = {
  line: (field) => line(field.longest ?? 0),
  email: (field) =>
    z.string().check(
      z.trim(),
      z.refine((text) => text === '' || isEmail(text), { error: () => textOf(field, 'refused') ?? '' }),
    ),
  birthday: (field) =>
    z.string().check(
      tidied(),
      z.refine((text) => text === '' || parseDay(text) !== null, { error: () => dayExpected(), abort: true }),
      z.refine((text) => text === '' || isBirthday(text), { error: () => textOf(field, 'refused') ?? '' }),
    ),
  sex: () => choice(GENDERS),
}
export const PersonSchema = z.object(
  mapColumns(PERSON_FIELDS, (field) => CHECKS[BENUTZER_FIELDS[field].kind](BENUTZER_FIELDS[field])),
)

export const toValues = (row: Pick<NutzerRecord, PersonField>): PersonValues =>
  mapColumns(PERSON_FIELDS, (field) =>
    benutzerField(field).kind === 'birthday' ? formatDate(row[field]) : (row[field] ?? ''),
  )

export function toFields(values: PersonValues): Pick<NutzerRecord, PersonField> {
  const kept = (field: PersonField, text: string) =>
    text === '' ? null : benutzerField(field).kind === 'birthday' ? parseDay(text) : text
  return mapColumns(PERSON_FIELDS, (field) => kept(field, tidy(values[field]))) as Pick<
    NutzerRecord,
    PersonField
  >
}

/** Name of every column of a person that may appear in the history. */
export const fieldLabel = labelsOf(BENUTZER_FIELDS)

export function showValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  switch (field) {
    case 'geb':
    case 'pruefer_bis':
      return formatDate(text)
    case 'reg_date':
      return formatDateTime(text)
    case 'geschlecht':
      return genderName(text)
    case 'system_status':
      return roleInWords(text)
    case 'app_status':
      return appAccessText(text)
    case 'enabled':
      return zugang(value === true)
    default:
      return typeof value === 'boolean' ? (value ? t('ja') : t('nein')) : text
  }
}

export const PERSON: RecordKind<PersonField, NutzerRecord, PersonValues> = {
  draftOf: ({ user_id }) => `benutzer/${user_id}`,
  fields: PERSON_FIELDS,
  resolver: standardSchemaResolver(PersonSchema),
  toValues,
  toFields,
  label: fieldLabel,
  show: showValue,
  check: (field) => textOf(benutzerField(field), 'refused'),
  changedBy: (values) =>
    t(
      '{who} hat diese Person am {when} geändert, während Sie sie bearbeitet haben. Noch ist nichts ' +
        'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}
