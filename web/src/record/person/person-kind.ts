// A person's record for form, conflict dialog and history.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as z from 'zod/mini'
import type { NutzerRecord } from '#contract/nutzer.ts'
import type { RecordKind } from '../record-kind.ts'
import { formatDate, formatDateTime } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { roleInWords } from '../../ui/role-words.ts'
import { t } from '../../ui/text.ts'
import { appAccessText, GENDERS, genderName, zugang } from './person-words.ts'

export const PERSON_FIELDS = ['first_name', 'last_name', 'mail', 'geb', 'geschlecht'] as const
export type PersonField = (typeof PERSON_FIELDS)[number]
/** The texts of the inputs; empty means none. */
export type PersonValues = Record<PersonField, string>

const tidy = (text: string): string => text.normalize('NFC').trim()
const tidied = () => z.overwrite<string>(tidy)
const name = () =>
  z.string().check(
    tidied(),
    z.refine((text) => Array.from(text).length <= 100, {
      error: () => t('Höchstens {n} Zeichen.', { n: 100 }),
    }),
    z.refine((text) => !/\p{Cc}/u.test(text), {
      error: () => t('Bitte ohne Zeilenumbruch und Steuerzeichen.'),
    }),
  )
/** The same rule as rechte.is_email. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\].]{2,}$/.test(text)

const today = () => new Date().toISOString().slice(0, 10)
const isBirthday = (text: string): boolean => {
  const day = parseDay(text)
  return day !== null && day > '1900-01-01' && day < today()
}

export const PersonSchema = z.object({
  first_name: name(),
  last_name: name(),
  mail: z.string().check(
    z.trim(),
    z.refine((text) => text === '' || isEmail(text), {
      error: () => t('Das ist keine gültige E-Mail-Adresse.'),
    }),
  ),
  geb: z.string().check(
    tidied(),
    z.refine((text) => text === '' || parseDay(text) !== null, { error: () => dayExpected(), abort: true }),
    z.refine((text) => text === '' || isBirthday(text), {
      error: () => t('Das kann kein Geburtsdatum sein: Bitte ein Tag zwischen 1900 und gestern.'),
    }),
  ),
  geschlecht: z.string().check(
    z.refine((text) => text === '' || (GENDERS as readonly string[]).includes(text), {
      error: () => t('Bitte wählen Sie einen Eintrag der Liste.'),
    }),
  ),
})

export const toValues = (row: Pick<NutzerRecord, PersonField>): PersonValues => ({
  first_name: row.first_name ?? '',
  last_name: row.last_name ?? '',
  mail: row.mail ?? '',
  geb: formatDate(row.geb),
  geschlecht: row.geschlecht ?? '',
})
const orNull = (text: string): string | null => (tidy(text) === '' ? null : tidy(text))
export const toFields = (values: PersonValues): Pick<NutzerRecord, PersonField> => ({
  first_name: orNull(values.first_name),
  last_name: orNull(values.last_name),
  mail: orNull(values.mail),
  geb: values.geb.trim() === '' ? null : parseDay(values.geb),
  geschlecht: orNull(values.geschlecht),
})

/** Every column of a person that may appear in the history. */
export function fieldLabel(field: string): string {
  switch (field) {
    case 'first_name':
      return t('Vorname')
    case 'last_name':
      return t('Nachname')
    case 'mail':
      return t('E-Mail für Rückfragen')
    case 'geb':
      return t('Geburtsdatum')
    case 'geschlecht':
      return t('Geschlecht')
    case 'email':
      return t('Anmeldeadresse')
    case 'username':
      return t('Benutzername')
    case 'db_role':
      return t('Kürzel')
    case 'reg_date':
      return t('Registriert')
    case 'system_status':
      return t('Grundrolle')
    case 'apus_admin':
      return t('Verwaltung Vermessung')
    case 'apus_team':
      return t('Team Vermessung')
    case 'kataster_enabled':
      return t('Kataster')
    case 'app_status':
      return t('Mobile App')
    case 'enabled':
      return t('Zugang')
    default:
      return field
  }
}
export function showValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  switch (field) {
    case 'geb':
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

/** The failed database check of a field, explained for the person who typed. */
function checkText(field: PersonField): string | undefined {
  switch (field) {
    case 'mail':
      return t('Das ist keine gültige E-Mail-Adresse.')
    case 'geb':
      return t('Das kann kein Geburtsdatum sein: Bitte ein Tag zwischen 1900 und gestern.')
    case 'geschlecht':
      return t('Bitte wählen Sie einen Eintrag der Liste.')
    default:
      return t('Ein Name hat höchstens 100 Zeichen und keinen Zeilenumbruch.')
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
  check: checkText,
  changedBy: (values) =>
    t(
      '{who} hat diese Person am {when} geändert, während Sie sie bearbeitet haben. Noch ist nichts überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}
