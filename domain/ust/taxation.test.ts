import { expect, test } from 'vitest'
import {
  type BusinessSize,
  changeFault,
  type Changing,
  isChangeDay,
  isFirstOfMonth,
  taxationOf,
  taxationOn,
  type TaxationSetting,
  wayOn,
} from './taxation.ts'

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
  ['2027-07-02', 'soll', 'tag'],
  ['2027-13-01', 'soll', 'tag'],
  ['', 'soll', 'tag'],
] as const)('a change on %s to %s: %s', (ab, art, expected) =>
  expect(changeFault({ ab, art }, taxationOf(SETTING), isFirstOfMonth)).toBe(expected),
)

const SIZE: Changing<BusinessSize> = { first: 'klein', changes: [{ ab: '2026-05-17', art: 'regel' }] }
test.each([
  ['2026-05-16', 'klein'],
  ['2026-05-17', 'regel'],
] as const)('a small business until the sale that exceeds the limit, on %s: %s', (day, expected) =>
  expect(wayOn(SIZE, day)).toBe(expected),
)
test.each([
  ['2026-05-18', 'klein', null],
  ['2026-05-18', 'regel', 'gleich'],
  ['2026-05-17', 'klein', 'doppelt'],
  ['2027-02-30', 'klein', 'tag'],
  ['', 'klein', 'tag'],
] as const)('a change on %s to %s: %s', (ab, art, expected) =>
  expect(changeFault({ ab, art }, SIZE, isChangeDay)).toBe(expected),
)
