// Orders of credit transfers: which account, which discount, which day.
import { describe, expect, test } from 'vitest'
import type { Payable } from '#contract/eingang.ts'
import { formatDecimal } from '#domain/geld.ts'
import {
  amountOf,
  checkRun,
  dayFor,
  initialRun,
  leftOut,
  sumsByDay,
  totalOf,
  type TypedRun,
} from './transfer-form.ts'

const [KNOWN, OTHER] = ['DE75512108001245126199', 'DE89370400440532013000']
const TODAY = '2026-11-27'
const row = (eingang_id: number, part: Partial<Payable> = {}): Payable => ({
  eingang_id,
  kreditor_id: 1,
  kreditor: 'Baumschule Ost',
  nummer: `R-${eingang_id}`,
  datum: '2026-11-20',
  faellig: '2026-12-20',
  offen: '119.00',
  zahlbetrag: '119.00',
  iban: KNOWN,
  bekannt: KNOWN,
  bedingungen: '#SKONTO#TAGE=14#PROZENT=2.00#\n',
  ...part,
})
const check = (rows: readonly Payable[], part: Partial<TypedRun> = {}) =>
  checkRun(rows, { ...initialRun(rows, TODAY), ...part }, TODAY)

describe('the account', () => {
  test('the only one is taken', () =>
    expect(check([row(1), row(2, { iban: '' }), row(3, { bekannt: '' })])).toMatchObject({
      values: { posten: [{ iban: KNOWN }, { iban: KNOWN }, { iban: KNOWN }] },
    }))
  test('of two different ones nobody chooses for people', () => {
    const rows = [row(1, { iban: OTHER })]
    expect(check(rows)).toMatchObject({ faults: { iban: expect.stringContaining('R-1') as string } })
    expect(check(rows, { iban: { 1: OTHER } })).toMatchObject({ values: { posten: [{ iban: OTHER }] } })
  })
  test('of two of which one cannot be right, the other is taken', () =>
    expect(check([row(1, { iban: 'DE00512108001245126199' })])).toMatchObject({
      values: { posten: [{ iban: KNOWN }] },
    }))
  test('what cannot be paid is left out, with its reason', () => {
    const rows = [
      row(1),
      row(2, { iban: '', bekannt: '' }),
      row(3, { iban: 'DE00512108001245126199', bekannt: '' }),
      row(4, { kreditor: '日本' }),
      row(5, { iban: 'TR330006100519786457841326', bekannt: '' }),
    ]
    expect(leftOut(rows).map(({ row: { nummer }, why }) => `${nummer} ${why}`)).toEqual([
      'R-2 iban',
      'R-3 iban_falsch',
      'R-4 name',
      'R-5 iban_fremd',
    ])
    const typed = initialRun(rows, TODAY)
    expect(check(rows)).toMatchObject({ values: { posten: [{ eingang_id: 1 }] } })
    expect(formatDecimal(totalOf(rows, typed, TODAY))).toBe('116.62')
    expect(check(rows.slice(1))).toMatchObject({ faults: { iban: expect.any(String) as string } })
  })
})
describe('the discount', () => {
  test('is taken while it lasts, unless somebody pays in full', () => {
    const rows = [row(1), row(2, { bedingungen: '' })]
    const typed = initialRun(rows, TODAY)
    expect(rows.map((one) => amountOf(one, typed, TODAY))).toEqual(['116.62', '119.00'])
    expect(formatDecimal(totalOf(rows, typed, TODAY))).toBe('235.62')
    expect(check(rows)).toMatchObject({ values: { posten: [{ skonto: true }, { skonto: false }] } })
    expect(check(rows, { full: [1] })).toMatchObject({
      values: { posten: [{ betrag: '119.00', skonto: false }, {}] },
    })
    expect(check(rows, { tag: '07.12.2026' })).toMatchObject({
      values: { posten: [{ betrag: '119.00' }, {}] },
    })
  })
  test('of what is paid in part there is none', () =>
    expect(amountOf(row(1, { offen: '19.00' }), initialRun([], TODAY), TODAY)).toBe('19.00'))
})
describe('each on its own day', () => {
  // 20.11. + 14 days is Friday, 4.12.; the money arrives a bank day after the execution (§ 675s (1) BGB).
  test('the last one that keeps the discount, or the due day', () => {
    const rows = [row(1), row(2, { bedingungen: '', faellig: '2026-12-13' }), row(3, { bedingungen: '' })]
    const typed = { ...initialRun(rows, TODAY), when: 'faellig' as const }
    expect(rows.map((one) => dayFor(one, typed, TODAY))).toEqual(['2026-12-03', '2026-12-10', '2026-12-17'])
    expect(check(rows, { when: 'faellig' })).toMatchObject({
      values: {
        tag: '2026-12-03',
        posten: [
          { tag: '2026-12-03', betrag: '116.62', skonto: true },
          { tag: '2026-12-10', betrag: '119.00' },
          { tag: '2026-12-17' },
        ],
      },
    })
    expect(sumsByDay(rows, typed, TODAY).map(({ tag, summe }) => [tag, formatDecimal(summe)])).toEqual([
      ['2026-12-03', '116.62'],
      ['2026-12-10', '119.00'],
      ['2026-12-17', '119.00'],
    ])
  })
  test('in full only when it is due', () => {
    const typed = { ...initialRun([row(1)], TODAY), when: 'faellig' as const, full: [1] }
    expect(dayFor(row(1), typed, TODAY)).toBe('2026-12-17')
  })
  test('what is late, or almost, on the next bank day; what is far away within a year', () => {
    const typed = { ...initialRun([], '2026-11-28'), when: 'faellig' as const }
    const on = (due: string) => dayFor(row(1, { bedingungen: '', faellig: due }), typed, '2026-11-28')
    expect(['2026-10-01', '2026-11-30', '2026-12-01', '2028-12-01'].map(on)).toEqual([
      '2026-11-30',
      '2026-11-30',
      '2026-11-30',
      '2027-11-26',
    ])
  })
  test('the day of all is not asked for', () =>
    expect(check([row(1)], { when: 'faellig', tag: 'x' })).toMatchObject({ values: {} }))
})
test.each([
  ['05.12.2026', /07\.12\.2026/],
  ['26.11.2026', /Ab heute/],
  ['29.11.2027', /Ab heute/],
  ['x', /./],
])('the day %s is refused', (tag, why) =>
  expect(check([row(1)], { tag })).toMatchObject({ faults: { tag: expect.stringMatching(why) as string } }),
)
test('today is possible, and proposed on a bank day', () => {
  expect(initialRun([], '2026-11-27').tag).toBe('27.11.2026')
  expect(initialRun([], '2026-11-28').tag).toBe('30.11.2026')
})
