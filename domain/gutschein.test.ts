import { describe, expect, test } from 'vitest'
import { checkGutschein, parsePercent, stateOf } from './gutschein.ts'

const TODAY = '2026-11-21'
const GOOD = { rabatt_abo: '12,5', rabatt_kawm: '0', expire_date: '2027-03-31', laufzeit: '24' }

describe('per cent', () => {
  test.each([
    ['0', 0],
    ['100', 100],
    ['12,5', 12.5],
    ['12.50 %', 12.5],
    [' 7 % ', 7],
    ['33,330', 33.33],
    ['', 'fehlt'],
    [' %', 'fehlt'],
    ['-1', 'prozent'],
    ['100,01', 'prozent'],
    ['1e1', 'prozent'],
    ['12,345', 'stellen'],
    ['zehn', 'prozent'],
    ['1.000,5', 'prozent'],
  ])('%j', (text, expected) => expect(parsePercent(text)).toBe(expected))
})

describe('a voucher', () => {
  test('good input becomes values', () =>
    expect(checkGutschein(GOOD, TODAY)).toEqual({
      values: { rabatt_abo: 12.5, rabatt_kawm: 0, expire_date: '2027-03-31', laufzeit: 24 },
    }))
  test.each([
    [
      'nothing filled in',
      { rabatt_abo: '', rabatt_kawm: '', expire_date: '', laufzeit: '' },
      { rabatt_abo: 'fehlt', rabatt_kawm: 'fehlt', expire_date: 'fehlt', laufzeit: 'fehlt' },
    ],
    ['today', { ...GOOD, expire_date: TODAY }, { expire_date: 'zukunft' }],
    ['a day that does not exist', { ...GOOD, expire_date: '2027-02-30' }, { expire_date: 'datum' }],
    ['a far future', { ...GOOD, expire_date: '9999-12-31' }, { expire_date: 'datum' }],
    ['no month', { ...GOOD, laufzeit: '0' }, { laufzeit: 'monate' }],
    ['half a month', { ...GOOD, laufzeit: '1,5' }, { laufzeit: 'monate' }],
    ['a century and a month', { ...GOOD, laufzeit: '1201' }, { laufzeit: 'monate' }],
    ['worth nothing', { ...GOOD, rabatt_abo: '0', rabatt_kawm: '0,00' }, { rabatt_abo: 'kein_rabatt' }],
  ])('%s', (_, input, faults) => expect(checkGutschein(input, TODAY)).toEqual({ faults }))
})

describe('its state', () => {
  const plain = { expire_date: '2026-11-21', code_ausgegeben_am: '2026-01-01T00:00:00Z', eingeloest_am: null }
  test.each([
    ['on its last day', plain, 'offen'],
    ['the day after', { ...plain, expire_date: '2026-11-20' }, 'abgelaufen'],
    ['whose code nobody has', { ...plain, code_ausgegeben_am: null }, 'ohne_code'],
    [
      'redeemed and past',
      { ...plain, expire_date: '2020-01-01', eingeloest_am: '2019-01-01T00:00:00Z' },
      'eingeloest',
    ],
  ])('%s', (_, gutschein, zustand) => expect(stateOf(gutschein, TODAY)).toBe(zustand))
})
