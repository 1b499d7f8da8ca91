// Validation of a plan's form, with texts for the person typing; the database checks the same
// (0023_karten.sql) and has the last word.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as z from 'zod/mini'
import type { Karte } from '#contract/karte.ts'
import { EPSG_CODES } from '#domain/epsg.ts'
import type { RecordKind } from '../../record/record-kind.ts'
import type { HistoryWords } from '../../record/history-lines.ts'
import { t } from '../../ui/text.ts'
import { CLIENT_STATUS, DIN, fieldLabel, showValue, STATUS } from './karte-words.ts'

/** The register data of a sheet; a new plan has only these. */
export const REGISTER_FIELDS = [
  'map_name',
  'typ',
  'auftr_nr',
  'reg_nr',
  'jahr',
  'scale',
  'din',
  'ausf_unternehmen',
  'kreis',
  'gemeinde',
  'gemarkung',
  'epsg',
] as const satisfies readonly (keyof Karte)[]
export type RegisterField = (typeof REGISTER_FIELDS)[number]
export const FORM_FIELDS = [
  ...REGISTER_FIELDS,
  'status',
  'show_client',
  'client_status',
  'bem_to_client',
  'bem_apus',
] as const satisfies readonly (keyof Karte)[]
export type FormField = (typeof FORM_FIELDS)[number]
export const ANSWER_FIELDS = ['client_status', 'bem_client'] as const satisfies readonly (keyof Karte)[]
export type AnswerField = (typeof ANSWER_FIELDS)[number]

export type RegisterValues = Record<RegisterField, string>
export type KarteValues = Record<Exclude<FormField, 'show_client'>, string> & { show_client: boolean }
export type AnswerValues = Record<AnswerField, string>

const tidy = (text: string): string => text.normalize('NFC').trim()
const tidied = () => z.overwrite<string>(tidy)

const line = (longest: number, missing?: () => string) =>
  z.string().check(
    tidied(),
    z.refine((text) => missing === undefined || text !== '', { error: () => missing?.(), abort: true }),
    z.refine((text) => Array.from(text).length <= longest, {
      error: () => t('Höchstens {n} Zeichen.', { n: longest }),
    }),
    z.refine((text) => !/\p{Cc}/u.test(text), {
      error: () => t('Bitte ohne Zeilenumbruch und Steuerzeichen.'),
    }),
  )
const paragraph = () =>
  z.string().check(
    tidied(),
    z.refine((text) => Array.from(text).length <= 4000, {
      error: () => t('Höchstens {n} Zeichen.', { n: '4.000' }),
    }),
    // oxlint-disable-next-line no-control-regex
    z.refine((text) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text), {
      error: () => t('Bitte ohne Steuerzeichen.'),
    }),
  )
const choice = (list: readonly string[]) =>
  z.string().check(
    z.refine((text) => list.includes(text), {
      error: () => t('Bitte wählen Sie einen Eintrag der Liste.'),
    }),
  )

/** 2500, 2.500, 1:2500 and 1 : 2 500 are the same scale; null for anything else. */
export function parseScale(text: string): number | null {
  const digits = text.replace(/^\s*1\s*[:/]/, '').replaceAll(/[\s.\u00a0\u202f]/g, '')
  if (!/^\d{1,8}$/.test(digits)) return null
  const scale = Number(digits)
  return scale >= 1 && scale <= 10_000_000 ? scale : null
}

const REGISTER = {
  map_name: line(200, () => t('Bitte geben Sie den Namen des Plans ein.')),
  typ: line(100),
  auftr_nr: line(100),
  reg_nr: line(100),
  jahr: z.string().check(
    tidied(),
    z.refine(
      (text) => text === '' || (/^\d{4}$/.test(text) && Number(text) >= 1700 && Number(text) <= 2100),
      {
        error: () => t('Bitte ein Jahr von 1700 bis 2100, zum Beispiel 1974.'),
      },
    ),
  ),
  scale: z.string().check(
    tidied(),
    z.refine((text) => text === '' || parseScale(text) !== null, {
      error: () => t('Bitte den Maßstab als 1:2500 oder 2500 angeben.'),
    }),
  ),
  din: choice(['', ...DIN]),
  ausf_unternehmen: line(200),
  kreis: line(100),
  gemeinde: line(100),
  gemarkung: line(100),
  epsg: z.string().check(
    z.refine((text) => EPSG_CODES.includes(Number(text)), {
      error: () => t('Bitte wählen Sie ein Koordinatensystem.'),
    }),
  ),
}
export const RegisterSchema = z.object(REGISTER)
export const KarteSchema = z.object({
  ...REGISTER,
  status: choice(STATUS),
  show_client: z.boolean(),
  client_status: choice(CLIENT_STATUS),
  bem_to_client: paragraph(),
  bem_apus: paragraph(),
})
/** A query needs a text; "not answered yet" is not a valid answer. */
export const AnswerSchema = z.object({ client_status: choice(CLIENT_STATUS), bem_client: paragraph() }).check(
  z.refine(({ client_status, bem_client }) => client_status !== 'rueckfrage' || bem_client !== '', {
    path: ['bem_client'],
    error: () => t('Bitte schreiben Sie, was nicht stimmt oder was Sie wissen möchten.'),
  }),
)

const textOf = (field: string, value: unknown): string =>
  value === null || value === undefined ? '' : field === 'scale' ? `1:${String(value)}` : String(value)
function valueOf(field: string, text: string): string | number | null {
  const tidied = tidy(text)
  if (tidied === '') return null
  if (field === 'scale') return parseScale(tidied)
  return field === 'jahr' || field === 'epsg' ? Number(tidied) : tidied
}

/** Checked values of a new plan, without empty fields. */
export const newKarte = (values: RegisterValues): Partial<Pick<Karte, RegisterField>> =>
  Object.fromEntries(
    REGISTER_FIELDS.map((field) => [field, valueOf(field, values[field])] as const).filter(
      ([, value]) => value !== null,
    ),
  )
export const emptyRegister = (epsg: number | null): RegisterValues => ({
  ...(Object.fromEntries(REGISTER_FIELDS.map((field) => [field, ''])) as RegisterValues),
  epsg: epsg === null ? '' : String(epsg),
})
export const registerResolver = standardSchemaResolver(RegisterSchema)

/** The failed database check of a field, explained for the person who typed. */
export const checkText = (field: string): string | undefined =>
  ({
    map_name: t('Ein Name hat 1 bis 200 Zeichen und keinen Zeilenumbruch.'),
    jahr: t('Bitte ein Jahr von 1700 bis 2100, zum Beispiel 1974.'),
    scale: t('Bitte den Maßstab als 1:2500 oder 2500 angeben.'),
    epsg: t('Dieses Koordinatensystem wird nicht unterstützt. Bitte wählen Sie eines der Liste.'),
  })[field]

const changedBy = (values: { who: string; when: string }) =>
  t(
    '{who} hat diesen Plan am {when} geändert, während Sie ihn bearbeitet haben. Noch ist nichts ' +
      'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
    values,
  )

export const KARTE: RecordKind<FormField, Karte, KarteValues> = {
  draftOf: ({ id }) => `karte/${id}`,
  fields: FORM_FIELDS,
  resolver: standardSchemaResolver(KarteSchema),
  toValues: (row) =>
    Object.fromEntries(
      FORM_FIELDS.map((field) => [
        field,
        field === 'show_client' ? row.show_client : textOf(field, row[field]),
      ]),
    ) as unknown as KarteValues,
  toFields: (values) =>
    Object.fromEntries(
      FORM_FIELDS.map((field) => [
        field,
        field === 'show_client' ? values.show_client : valueOf(field, values[field]),
      ]),
    ) as unknown as Pick<Karte, FormField>,
  label: fieldLabel,
  show: showValue,
  check: checkText,
  changedBy,
}

/** The answer of a customer's admin. */
export const ANSWER: RecordKind<AnswerField, Karte, AnswerValues> = {
  draftOf: ({ id }) => `karte/${id}/antwort`,
  fields: ANSWER_FIELDS,
  resolver: standardSchemaResolver(AnswerSchema),
  toValues: ({ client_status, bem_client }) => ({ client_status, bem_client: bem_client ?? '' }),
  toFields: ({ client_status, bem_client }) => ({
    client_status: client_status as Karte['client_status'],
    bem_client: valueOf('bem_client', bem_client) as string | null,
  }),
  label: fieldLabel,
  show: showValue,
  check: checkText,
  changedBy,
}

export const KARTE_WORDS: HistoryWords = {
  order: [
    ...FORM_FIELDS,
    'bem_client',
    'georef_typ',
    'georef_label',
    'res',
    'width',
    'height',
    'georef_bash',
  ],
  hidden: ['id', 'karte_id', 'client_id'],
  // Deleted files appear in the plan's history.
  label: (field) =>
    field === 'datei_scan'
      ? t('Scandatei, gelöscht')
      : field === 'datei_ergebnis'
        ? t('Ergebnisdatei, gelöscht')
        : fieldLabel(field),
  show: (field, value) =>
    field === 'georef_bash' && typeof value === 'string'
      ? t('{n} Zeichen', { n: value.length })
      : showValue(field, value),
}
