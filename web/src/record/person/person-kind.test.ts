import { expect, test } from 'vitest'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { PERSON, PersonSchema, showValue, toFields, toValues } from './person-kind.ts'

const EVA = {
  first_name: 'Eva',
  last_name: null,
  mail: null,
  geb: '1979-02-01',
  geschlecht: null,
} as NutzerRecord
const VALUES = { first_name: 'Eva', last_name: '', mail: '', geb: '01.02.1979', geschlecht: '' }
const faultsOf = (change: Partial<typeof VALUES>) =>
  Object.fromEntries(
    (PersonSchema.safeParse({ ...VALUES, ...change }).error?.issues ?? []).map(({ path, message }) => [
      path.join('.'),
      message,
    ]),
  )

test('a record and its inputs become each other', () => {
  expect(toValues(EVA)).toEqual(VALUES)
  expect(toFields({ ...VALUES, last_name: '  Forst ', geb: '1.2.1979' })).toEqual({
    ...EVA,
    last_name: 'Forst',
  })
  expect(toFields({ ...VALUES, geb: '' }).geb).toBeNull()
})
test('what cannot be is told at its field', () => {
  expect(faultsOf({})).toEqual({})
  expect(
    Object.keys(faultsOf({ mail: 'eva@', geb: '31.02.1979', geschlecht: 'x', first_name: 'a\u0007' })),
  ).toEqual(['first_name', 'mail', 'geb', 'geschlecht'])
  expect(faultsOf({ geb: '31.02.1979' })['geb']).toBe('Bitte ein Datum wie 31.12.2026.')
  expect(faultsOf({ geb: '01.01.2999' })['geb']).toMatch(/Geburtsdatum zwischen 1900 und gestern/)
  expect(faultsOf({ geb: '01.01.1899' })['geb']).toMatch(/Geburtsdatum zwischen 1900 und gestern/)
  expect(Object.keys(faultsOf({ last_name: 'x'.repeat(101) }))).toEqual(['last_name'])
})
test('the database’s checks have words at every field', () => {
  for (const field of PERSON.fields) expect(PERSON.check(field), field).toMatch(/\w/)
})
test('values are told in words', () => {
  expect(showValue('system_status', 'ogf_team')).toBe('Team Forst')
  expect(showValue('enabled', false)).toBe('gesperrt')
  expect(showValue('geb', '1979-02-01')).toBe('01.02.1979')
  expect(showValue('apus_team', true)).toBe('ja')
  expect(showValue('mail', null)).toBe('')
})
