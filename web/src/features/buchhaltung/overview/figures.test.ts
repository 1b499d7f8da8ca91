import { describe, expect, test } from 'vitest'
import { cashflowOf } from '#domain/cashflow.oracle.ts'
import {
  outlookEnd,
  parseYear,
  parseMonths,
  parseStep,
  percent,
  percentText,
  lowest,
  changeOf,
  changeText,
} from './figures.ts'
import { monthEnd, OPEN, cellAddress, umsatzInYear, umsatzInMonth, yearBefore, TO_REPAY } from './paths.ts'

describe('per cent', () => {
  test.each([
    ['50.00', '200.00', '25,0\u00A0%'],
    ['1.00', '3.00', '33,3\u00A0%'],
    ['2.00', '3.00', '66,7\u00A0%'],
    ['-20.00', '200.00', '-10,0\u00A0%'],
    ['20.00', '-200.00', '-10,0\u00A0%'],
    ['999999999999.99', '999999999999.99', '100,0\u00A0%'],
  ])('%s of %s is %s', (part, whole, text) => expect(percentText(percent(part, whole)!)).toBe(text))
  test('of nothing is nothing', () => expect(percent('1.00', '0.00')).toBeNull())
  test.each([
    ['150.00', '100.00', '+50,0\u00A0%'],
    ['100.00', '100.00', '0,0\u00A0%'],
    ['0.00', '100.00', '-100,0\u00A0%'],
  ])('from %s after %s', (now, before, text) => expect(changeText(changeOf(now, before)!)).toBe(text))
  test('after nothing, or less, no share can be said', () => {
    expect(changeOf('5.00', '0.00')).toBeNull()
    expect(changeOf('5.00', '-1.00')).toBeNull()
  })
})

test('what is in the address is one of few', () => {
  expect(['3', '12', '7', undefined].map(parseMonths)).toEqual([3, 12, 6, 6])
  expect(['woche', 'monat', 'x', undefined].map(parseStep)).toEqual(['woche', 'monat', 'monat', 'monat'])
  expect(['2025', '1999', '20255', undefined].map(parseYear)).toEqual([2025, null, null, null])
})
test('the forecast goes to the end of a month', () => {
  expect(outlookEnd('2026-11-21', 6)).toBe('2027-04-30')
  expect(outlookEnd('2026-01-31', 3)).toBe('2026-03-31')
})
test('the lowest point is the first at which least is in the bank', () => {
  const rows = cashflowOf({
    heute: '2026-01-01',
    von: '2026-01-01',
    bis: '2026-04-30',
    schritt: 'monat',
    anfang: '100.00',
    offen: [],
    angebote: [],
    prognosen: [
      { datum: '2026-02-02', betrag: '150.00', art: 'Ausgabe' },
      { datum: '2026-04-02', betrag: '20.00', art: 'Einnahme' },
    ],
  })
  expect(lowest(rows)).toMatchObject({ von: '2026-02-01', stand: '-50.00' })
  expect(lowest([])).toBeUndefined()
})

describe('links', () => {
  test('name exactly the rows that a figure adds up', () => {
    expect(OPEN).toBe('/buchhaltung/rechnungen?stand=offen,teilbezahlt,ueberfaellig')
    expect(TO_REPAY).toBe('/buchhaltung/rechnungen?stand=bezahlt,storniert&rest=..-0.01&archiv=mit')
    expect(umsatzInMonth('2028-02')).toContain('zeit=2028-02-01..2028-02-29')
    expect(umsatzInYear(2026, 17)).toMatch(/zeit=2026-01-01\.\.2026-12-31&kunde=17&archiv=mit$/)
    expect([monthEnd('2026-12'), yearBefore('2026-03')]).toEqual(['2026-12-31', '2025-03'])
  })
  test('of a part of the forecast: what is late is in the part of today', () => {
    const part = { von: '2026-11-21', bis: '2026-11-30' }
    expect(cellAddress('offen', part, '2026-11-21')).toContain('frist=..2026-11-30')
    expect(cellAddress('offen', { von: '2026-12-01', bis: '2026-12-31' }, '2026-11-21')).toContain(
      'frist=2026-12-01..2026-12-31',
    )
    expect(cellAddress('zurueck', part, '2026-11-21')).toBe(TO_REPAY)
    expect(cellAddress('angenommen', part, '2026-11-21')).toBe(
      '/buchhaltung/angebote?stand=angenommen,teilabgerechnet&geld=2026-11-21..2026-11-30',
    )
    expect(cellAddress('ausgaben', part, '2026-11-21')).toBe(
      '/buchhaltung/prognosen?art=Ausgabe&zeit=2026-11-21..2026-11-30',
    )
  })
})
