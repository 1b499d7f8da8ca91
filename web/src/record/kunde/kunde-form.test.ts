import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mapColumns } from '#domain/fields.ts'
import { kundeField } from '#domain/kunde-fields.ts'
import { changesOf } from '../merge.ts'
import { FORM_FIELDS, type FormField } from './kunde-fields.ts'
import {
  type InputKind,
  type KundeFields,
  KundeSchema,
  type KundeValues,
  NEW_KUNDE,
  folderFaultText,
  tidyFolder,
  toFields,
  toValues,
} from './kunde-form.ts'
import { KUNDE } from './kunde-kind.ts'

const RIGHT: KundeValues = {
  ...NEW_KUNDE,
  name: 'Gut Eichberg',
  strasse: 'Am Forst 1',
  plz: '01067',
  ort: 'Dresden',
}
function faultsOf(change: Partial<KundeValues>): Record<string, string> {
  const read = KundeSchema.safeParse({ ...RIGHT, ...change })
  return read.success
    ? {}
    : Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join('.'), message]))
}

test('a whole customer passes', () => expect(faultsOf({})).toEqual({}))

const resolved = async (values: KundeValues) => {
  const { errors } = await KUNDE.resolver(values, undefined, { fields: {}, shouldUseNativeValidation: false })
  return Object.entries(errors).map(([field, fault]) => [field, (fault as { message?: string }).message])
}

test('an empty form names what is missing, each in its own words', async () => {
  const faults = await resolved(NEW_KUNDE)
  expect(faults).toEqual([
    ['name', 'Bitte geben Sie den Namen des Kunden ein.'],
    ['strasse', 'Bitte geben Sie Straße und Hausnummer ein.'],
    ['ort', 'Bitte geben Sie den Ort ein.'],
    ['plz', 'Bitte die PLZ angeben.'],
  ])
})

describe.each([
  [
    'name',
    ['A', '  Gut mit Rand  ', '😀'.repeat(200), '<script>alert(1)</script>'],
    ['', '   ', 'x'.repeat(201), 'a\tb', 'a\nb', 'a\u0000'],
  ],
  ['plz', ['01067', ' 99999 '], ['1067', '010670', 'D-01067', '０１０６７']],
  ['bundesland', ['', 'Bayern'], ['Preußen']],
  ['epsg', ['25832', '3857'], ['', '1', 'abc']],
  ['ap_tel', ['', '+49 (0)351 / 12-34.5', '110'], ['12', 'abc', '0'.repeat(41), '0351\u00a0123']],
  ['ap_gender', ['', 'Frau', 'divers'], ['Fräulein']],
] as const)('%s', (field, right, wrong) => {
  test.each(right)('takes %j', (value) => expect(faultsOf({ [field]: value })).toEqual({}))
  test.each(wrong)('refuses %j', (value) =>
    expect(Object.keys(faultsOf({ [field]: value }))).toEqual([field]),
  )
})

test('a customer abroad has the postcode of its country and no state', () => {
  expect(faultsOf({ land: 'AT', plz: '1010', bundesland: 'Bayern' })).toEqual({})
  expect(Object.keys(faultsOf({ land: 'AT', plz: '01010' }))).toEqual(['plz'])
  expect(faultsOf({ land: 'AT', plz: 'A-1010' })).toEqual({ plz: expect.stringContaining('1010') })
  expect(Object.keys(faultsOf({ land: 'ZZ' }))).toContain('land')
  const fields = (change: Partial<KundeValues>) => toFields(KundeSchema.parse({ ...RIGHT, ...change }))
  expect(fields({ land: 'NL', plz: '1012ab', bundesland: 'Bayern' })).toMatchObject({
    land: 'NL',
    plz: '1012 AB',
    bundesland: null,
  })
})
test('a customer in a country without postcodes needs none', async () => {
  expect(faultsOf({ land: 'HK', plz: ' ' })).toEqual({})
  expect(toFields(KundeSchema.parse({ ...RIGHT, land: 'HK', plz: ' ' })).plz).toBe('')
  expect(faultsOf({ land: 'SG', plz: '' })).toEqual({ plz: 'Bitte die PLZ angeben.' })
  expect(await resolved({ ...RIGHT, plz: '' })).toEqual([['plz', 'Bitte die PLZ angeben.']])
})
test('a wrong postcode is told although other fields are empty', async () => {
  const faults = await resolved({ ...NEW_KUNDE, plz: '1067' })
  expect(new Set(faults.map(([field]) => field))).toEqual(new Set(['name', 'ort', 'plz', 'strasse']))
})

test('texts are trimmed, empty ones become nothing, the system a number', () => {
  const fields = toFields(KundeSchema.parse({ ...RIGHT, name: ' Gut ', ap_tel: '  ' }))
  expect(fields).toMatchObject({ name: 'Gut', ap_tel: null, epsg: 25832 })
})

test('showing a customer and saving it untouched changes nothing', () => {
  const line = fc
    .string({ minLength: 1, maxLength: 100 })
    .map((text) => text.normalize('NFC').trim())
    .filter((text) => text !== '')
  const values: Readonly<Record<InputKind, fc.Arbitrary<string | number>>> = {
    line,
    plz: fc.constant('01067'),
    land: fc.constant('Bayern'),
    country: fc.constant('DE'),
    epsg: fc.constantFrom(25832, 4326),
    gender: fc.constant('Herr'),
    phone: fc.constant('0351 1'),
  }
  const valueOf = (field: FormField) => {
    const { kind, nullable } = kundeField(field)
    const value = values[kind as InputKind]
    return nullable ? fc.option(value) : value
  }
  const kunde = fc.record(mapColumns(FORM_FIELDS, valueOf)) as fc.Arbitrary<KundeFields>
  fc.assert(
    fc.property(kunde, (before) => {
      expect(changesOf(FORM_FIELDS, before, toFields(toValues(before)))).toEqual({})
    }),
  )
})

test('each fault of a folder name has words of its own', () => {
  const faults = ['path', 'long', 'end', 'start', 'signs', 'device'] as const
  expect(new Set(faults.map(folderFaultText)).size).toBe(faults.length)
  expect(tidyFolder(' Gru\u0308n ')).toBe('Grün')
})
