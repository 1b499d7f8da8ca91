// Validation of a customer's form, with texts for the person typing; the database checks the same
// (0001_stammdaten.sql) and has the last word.
import * as z from 'zod/mini'
import type { Kunde } from '#contract/kunde.ts'
import { BUNDESLAENDER } from '#domain/address-bundesland.ts'
import type { FolderFault } from '#domain/project-folder.ts'
import { t } from '../../ui/text.ts'
import { FORM_FIELDS, type FormField } from './kunde-fields.ts'
import { SALUTATIONS, EPSG_CODES } from './kunde-values.ts'

/** The texts of the inputs; empty means none. */
export type KundeValues = Record<FormField, string>
/** A customer as the form sees it. */
export type KundeFields = Pick<Kunde, FormField>

const tidy = (text: string): string => text.normalize('NFC').trim()
const tidied = () => z.overwrite<string>(tidy)

function line(longest: number, missing?: () => string) {
  return z.string().check(
    tidied(),
    z.refine((text) => missing === undefined || text !== '', { error: () => missing?.(), abort: true }),
    z.refine((text) => Array.from(text).length <= longest, {
      error: () => t('Höchstens {n} Zeichen.', { n: longest }),
    }),
    z.refine((text) => !/\p{Cc}/u.test(text), {
      error: () => t('Bitte ohne Zeilenumbruch und Steuerzeichen.'),
    }),
  )
}
const shaped = (isRight: (text: string) => boolean, message: () => string) =>
  z.string().check(
    tidied(),
    z.refine((text) => text === '' || isRight(text), { error: message }),
  )
const choice = (list: readonly string[]) =>
  shaped(
    (text) => list.includes(text),
    () => t('Bitte wählen Sie einen Eintrag der Liste.'),
  )

export const KundeSchema = z.object({
  name: line(200, () => t('Bitte geben Sie den Namen des Kunden ein.')),
  name_zusatz: line(200),
  strasse: line(200, () => t('Bitte geben Sie Straße und Hausnummer ein.')),
  plz: z.string().check(
    tidied(),
    z.refine((text) => text !== '', { error: () => t('Bitte die PLZ angeben.'), abort: true }),
    z.refine((text) => /^\d{5}$/.test(text), { error: () => t('Fünf Ziffern, zum Beispiel 01067.') }),
  ),
  ort: line(200, () => t('Bitte geben Sie den Ort ein.')),
  bundesland: choice(BUNDESLAENDER),
  epsg: z.string().check(
    z.refine((text) => EPSG_CODES.includes(Number(text)), {
      error: () => t('Bitte wählen Sie ein Koordinatensystem.'),
    }),
  ),
  ap_gender: choice(SALUTATIONS),
  ap_vorname: line(100),
  ap_nachname: line(100),
  ap_tel: shaped(
    (text) => /^[0-9+()/ .-]{3,40}$/.test(text),
    () => t('Bitte 3 bis 40 Zeichen: Ziffern, Leerzeichen und + ( ) / . -'),
  ),
})

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
  Object.fromEntries(
    FORM_FIELDS.map((field) => [field, kunde[field] === null ? '' : String(kunde[field])]),
  ) as KundeValues

/** Validated values as the database stores them. */
export function toFields(values: KundeValues): KundeFields {
  const kept = (field: FormField, text: string) =>
    field === 'epsg' ? Number(text) : text === '' ? null : text
  return Object.fromEntries(
    FORM_FIELDS.map((field) => [field, kept(field, tidy(values[field]))]),
  ) as unknown as KundeFields
}

export const NEW_KUNDE: KundeValues = {
  name: '',
  name_zusatz: '',
  strasse: '',
  plz: '',
  ort: '',
  bundesland: '',
  epsg: '25832',
  ap_gender: '',
  ap_vorname: '',
  ap_nachname: '',
  ap_tel: '',
}
