import { expect, test } from 'vitest'
import { objectKind, type ObjectRow } from './object-form.ts'
import { placesText } from '../../karte/survey-place.ts'

const LONG = placesText([Array.from({ length: 1_500 }, (_, nr) => ({ lon: 12.9 + nr * 1e-5, lat: 53.5 }))])
const kind = objectKind('draenage', LONG)
const values = kind.toValues({ schluessel: 'D1', lage: LONG } as unknown as ObjectRow)
const check = async (given: typeof values) =>
  (await kind.resolver(given, undefined, { fields: {}, shouldUseNativeValidation: false })).errors

test('a drain of more points than anybody could type is changed as long as its place stays', async () => {
  const changed = { ...values, dn: '80' }
  expect(await check(changed)).toEqual({})
  expect(kind.toFields(changed)).toMatchObject({ dn: 80, lage: LONG })
})
test('touched, its place is checked', async () => {
  const longer = { ...values, lage: `${values['lage']}\n53,6 12,9` }
  expect(Object.keys(await check(longer))).toEqual(['lage'])
  expect(Object.keys(await check({ ...values, lage: '' }))).toEqual(['lage'])
})
