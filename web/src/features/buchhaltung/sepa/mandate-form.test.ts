import { expect, test } from 'vitest'
import { checkMandate, NEW_MANDATE } from './mandate-form.ts'

const TODAY = '2026-11-27'
const TYPED = {
  ...NEW_MANDATE,
  client_id: '7',
  referenz: ' M-1 ',
  unterschrieben: '15.1.2026',
  inhaber: 'Jürgen Groß',
  iban: 'de02 1203 0000 0000 2020 51',
}

test('a mandate is read as people write it', () =>
  expect(checkMandate(TYPED, TODAY)).toEqual({
    values: { ...TYPED, referenz: 'M-1', unterschrieben: '2026-01-15', iban: 'DE02120300000000202051' },
  }))
test.each([
  ['client_id', ''],
  ['referenz', 'M 1'],
  ['referenz', ''],
  ['unterschrieben', '28.11.2026'],
  ['unterschrieben', 'heute'],
  ['inhaber', ' '],
  ['iban', 'DE03120300000000202051'],
  ['bic', 'BYLADEM'],
])('%s may not be %j', (field, value) =>
  expect(checkMandate({ ...TYPED, [field]: value }, TODAY)).toMatchObject({
    faults: { [field]: expect.any(String) as string },
  }),
)
