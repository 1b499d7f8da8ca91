import { expect, test } from 'vitest'
import { taxationFault, taxationOn, type TaxationSetting } from './taxation.ts'

const SETTING: TaxationSetting = {
  besteuerung: 'soll',
  besteuerung_ab: [
    { ab: '2028-01-01', art: 'soll' },
    { ab: '2027-01-01', art: 'ist' },
  ],
}
test.each([
  ['2000-01-01', 'soll'],
  ['2026-12-31', 'soll'],
  ['2027-01-01', 'ist'],
  ['2027-12-31', 'ist'],
  ['2028-01-01', 'soll'],
] as const)('on %s: %s', (day, expected) => expect(taxationOn(SETTING, day)).toBe(expected))
test.each([
  ['2027-07-01', 'soll', null],
  ['2027-07-01', 'ist', 'gleich'],
  ['2026-01-01', 'ist', null],
  ['2027-01-01', 'soll', 'doppelt'],
  ['2027-07-02', 'soll', 'monat'],
  ['2027-13-01', 'soll', 'monat'],
  ['', 'soll', 'monat'],
] as const)('a change on %s to %s: %s', (ab, art, expected) =>
  expect(taxationFault({ ab, art }, SETTING)).toBe(expected),
)
