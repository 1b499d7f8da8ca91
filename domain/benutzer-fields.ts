// The columns of app.benutzer (people), in the order of forms and history. How a declaration is read: fields.ts.
import { columnsWith, type Field, type Fields } from './fields.ts'

const OWN = { privacy: 'person', nullable: true, input: 'person' } as const

export const BENUTZER_FIELDS = {
  user_id: { kind: 'number', privacy: 'person' },
  first_name: {
    ...OWN,
    kind: 'line',
    longest: 100,
    label: 'Vorname',
    refused: 'Ein Name hat höchstens 100 Zeichen und keinen Zeilenumbruch.',
  },
  last_name: {
    ...OWN,
    kind: 'line',
    longest: 100,
    label: 'Nachname',
    refused: 'Ein Name hat höchstens 100 Zeichen und keinen Zeilenumbruch.',
  },
  /** Contact address. */
  mail: {
    ...OWN,
    kind: 'email',
    longest: 254,
    label: 'E-Mail für Rückfragen',
    hint: 'Nur zur Kontaktaufnahme; die Anmeldeadresse bleibt gleich.',
    refused: 'Das ist keine gültige E-Mail-Adresse.',
  },
  geb: {
    ...OWN,
    kind: 'birthday',
    label: 'Geburtsdatum',
    refused: 'Bitte geben Sie ein Geburtsdatum zwischen 1900 und gestern ein.',
  },
  geschlecht: {
    ...OWN,
    kind: 'sex',
    label: 'Geschlecht',
    refused: 'Bitte wählen Sie einen Eintrag der Liste.',
  },
  /** Sign-in address. */
  email: { kind: 'email', privacy: 'person', longest: 254, label: 'Anmeldeadresse' },
  username: { kind: 'line', privacy: 'person', label: 'Benutzername' },
  db_role: { kind: 'line', privacy: 'person', nullable: true, label: 'Kürzel' },
  system_status: { kind: 'line', privacy: 'person', label: 'Grundrolle' },
  apus_admin: { kind: 'boolean', privacy: 'person', label: 'Verwaltung Vermessung' },
  apus_team: { kind: 'boolean', privacy: 'person', label: 'Team Vermessung' },
  /** The last day on which the person reads the books as an auditor; null: no auditor. */
  pruefer_bis: { kind: 'date', privacy: 'person', nullable: true, label: 'Prüft die Buchhaltung bis' },
  enabled: { kind: 'boolean', privacy: 'person', label: 'Zugang' },
  /** Access to the mobile app. */
  app_status: { kind: 'app', privacy: 'person', label: 'Mobile App' },
  reg_date: { kind: 'moment', privacy: 'person', label: 'Registriert' },
  kataster_enabled: { kind: 'boolean', privacy: 'person', label: 'Kataster' },
  version: { kind: 'number', privacy: 'other' },
  geaendert_am: { kind: 'moment', privacy: 'other' },
  geaendert_von: { kind: 'line', privacy: 'person', nullable: true },
  /** Set by the database. */
  sortname: { kind: 'line', privacy: 'person', derived: true },
  suchtext: { kind: 'line', privacy: 'person', derived: true },
} as const satisfies Fields

export const benutzerField = (column: keyof typeof BENUTZER_FIELDS): Field => BENUTZER_FIELDS[column]
/** Columns that people type in, in the order of the form. */
export const PERSON_INPUTS = columnsWith(BENUTZER_FIELDS, 'input')
