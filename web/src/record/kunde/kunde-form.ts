// Validation of a customer's form, with texts for the person typing; the database checks the same
// (0001_stammdaten.sql) and has the last word.
import * as z from 'zod/mini'
import type { Kunde } from '#contract/kunde.ts'
import { BUNDESLAENDER } from '#domain/address-bundesland.ts'
import { isCountry, isPostcode, normalizePostcode, postcodeExample } from '#domain/countries.ts'
import { type Field, mapColumns } from '#domain/fields.ts'
import { kundeField, KUNDE_FIELDS } from '#domain/kunde-fields.ts'
import type { FolderFault } from '#domain/project-folder.ts'
import { t } from '../../ui/text.ts'
import { textOf } from '../declared.ts'
import { choice, line, shaped, tidied, tidy } from '../input-checks.ts'
import { FORM_FIELDS, type FormField } from './kunde-fields.ts'
import { SALUTATIONS, EPSG_CODES } from './kunde-values.ts'

/** The texts of the inputs; empty means none. */
export type KundeValues = Record<FormField, string>
/** A customer as the form sees it. */
export type KundeFields = Pick<Kunde, FormField>
export type InputKind = (typeof KUNDE_FIELDS)[FormField]['kind']

/** The check of an input, by the kind of its field. */
const CHECKS: Readonly<Record<InputKind, (field: Field) => z.ZodMiniType<string, string>>> = {
  line: (field) => line(field.longest ?? 0, field.missing === undefined ? undefined : missingText(field)),
  // Whether it may be empty depends on the country: plzFault.
  plz: () => z.string().check(tidied()),
  country: () => shaped(isCountry, () => t('Bitte wählen Sie einen Eintrag der Liste.')),
  land: () => choice(BUNDESLAENDER),
  gender: () => choice(SALUTATIONS),
  phone: (field) =>
    shaped(
      (text) => /^[0-9+()/ .-]{3,40}$/.test(text),
      () => textOf(field, 'refused') ?? '',
    ),
  epsg: () =>
    z.string().check(
      z.refine((text) => EPSG_CODES.includes(Number(text)), {
        error: () => t('Bitte wählen Sie ein Koordinatensystem.'),
      }),
    ),
}
const missingText = (field: Field) => () => textOf(field, 'missing') ?? ''

/** What a postcode looks like depends on the country. */
export function plzFault({ land, plz }: Pick<KundeValues, 'land' | 'plz'>): string | null {
  const typed = tidy(plz)
  if (isPostcode(land, normalizePostcode(land, typed))) return null
  if (typed === '') return textOf(kundeField('plz'), 'missing') ?? ''
  if (land === 'DE') return t('Fünf Ziffern, zum Beispiel 01067.')
  const example = postcodeExample(land)
  return example === null
    ? t('Höchstens {n} Zeichen.', { n: 12 })
    : t('Passt nicht zum Land. Dort sieht eine Postleitzahl aus wie {beispiel}.', { beispiel: example })
}

export const KundeSchema = z
  .object(mapColumns(FORM_FIELDS, (field) => CHECKS[KUNDE_FIELDS[field].kind](KUNDE_FIELDS[field])))
  .check(
    z.refine((values) => plzFault(values) === null, {
      path: ['plz'],
      error: ({ input }) => plzFault(input as KundeValues) ?? undefined,
    }),
  )

/** A folder name as checked and sent. */
export const tidyFolder = tidy
export function folderFaultText(fault: FolderFault): string {
  switch (fault) {
    case 'path':
      return t('Nur ein Ordnername, kein Pfad: ohne Schrägstriche und ohne zwei Punkte hintereinander.')
    case 'long':
      return t('Höchstens {n} Zeichen.', { n: 100 })
    case 'end':
      return t('Ein Ordnername endet nicht mit einem Punkt oder Leerzeichen.')
    case 'start':
      return t('Ein Ordnername beginnt mit einem Buchstaben, einer Ziffer oder einem Unterstrich.')
    case 'signs':
      return t('Erlaubt sind Buchstaben, Ziffern, Leerzeichen, Punkt, Unter- und Bindestrich.')
    case 'device':
      return t(
        'Diesen Namen hält Windows für ein Gerät. Bitte einen anderen wählen, zum Beispiel mit Unterstrich davor.',
      )
  }
}

export const toValues = (kunde: KundeFields): KundeValues =>
  mapColumns(FORM_FIELDS, (field) => (kunde[field] === null ? '' : String(kunde[field])))

/** Validated values as the database stores them. */
export function toFields(values: KundeValues): KundeFields {
  const kept = (field: FormField, text: string) =>
    field === 'epsg' ? Number(text) : text === '' ? null : text
  const { land } = values
  const home = land === 'DE'
  return mapColumns(FORM_FIELDS, (field) => {
    if (field === 'plz') return normalizePostcode(land, tidy(values.plz))
    // A state of Germany.
    return kept(field, field === 'bundesland' && !home ? '' : tidy(values[field]))
  }) as unknown as KundeFields
}

export const NEW_KUNDE: KundeValues = mapColumns(FORM_FIELDS, (field) =>
  String(kundeField(field).initial ?? ''),
)
