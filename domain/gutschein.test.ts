import { describe, expect, test } from 'vitest'
import cases from './gutschein.cases.json' with { type: 'json' }
import { checkGutschein, GUTSCHEIN_RULES, parsePercent, stateOf } from './gutschein.ts'

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
  for (const { why, input, faults } of cases)
    test(why, () =>
      expect(checkGutschein(input, TODAY)).toEqual(
        faults === null ? { values: expect.anything() } : { faults },
      ),
    )
  test('every rule is broken by one of these cases', () => {
    const named = new Set(cases.flatMap(({ faults }) => Object.values(faults ?? {})))
    expect(Object.keys(GUTSCHEIN_RULES).filter((rule) => !named.has(rule))).toEqual([])
  })
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
  ])('%s', (_, gutschein, state) => expect(stateOf(gutschein, TODAY)).toBe(state))
})
