import { describe, expect, test } from 'vitest'
import { addCents, monthsOf, parsePeriod, periodOf } from './period.ts'

describe('stretches of months', () => {
  test.each([
    ['12m', '2026-11-21', '2025-12-01', '2026-11-30'],
    ['36m', '2026-11-21', '2023-12-01', '2026-11-30'],
    ['jahr', '2026-11-21', '2026-01-01', '2026-12-31'],
    ['vorjahr', '2026-11-21', '2025-01-01', '2025-12-31'],
    ['voraus', '2026-11-21', '2026-11-01', '2027-10-31'],
    ['12m', '2028-02-29', '2027-03-01', '2028-02-29'],
    ['12m', '2026-01-31', '2025-02-01', '2026-01-31'],
  ] as const)('%s on %s', (key, today, start, bis) =>
    expect(periodOf(key, today)).toEqual({ von: start, bis }),
  )
  test('an unknown one is the plain one', () =>
    expect([parsePeriod('jahr'), parsePeriod('x'), parsePeriod(undefined)]).toEqual(['jahr', '12m', '12m']))
})

describe('months', () => {
  test('none is left out, and the sum is that of cents', () => {
    const months = monthsOf({ von: '2026-01-01', bis: '2026-03-31' }, [
      { monat: '2026-01-01', modul: 'fe', netto: '0.10', laufend: 1 },
      { monat: '2026-01-01', modul: 'kawm', netto: '0.20', laufend: 1 },
      { monat: '2026-03-01', modul: 'basis_fe', netto: '20.00', laufend: 1 },
    ])
    expect(months).toEqual([
      { monat: '2026-01-01', values: [0.1, 0, 0.2], sum: 0.3 },
      { monat: '2026-02-01', values: [0, 0, 0], sum: 0 },
      { monat: '2026-03-01', values: [0, 20, 0], sum: 20 },
    ])
    expect(addCents([])).toBe(0)
  })
})
