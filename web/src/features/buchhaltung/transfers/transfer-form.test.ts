// Orders of credit transfers: which account, which discount, which day.
import { describe, expect, test } from 'vitest'
import type { Payable } from '#contract/eingang.ts'
import { formatDecimal } from '#domain/geld.ts'
import { amountOf, checkRun, initialRun, totalOf, type TypedRun } from './transfer-form.ts'

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
  test('without one the invoice is named', () =>
    expect(check([row(1), row(2, { iban: '', bekannt: '' })])).toMatchObject({
      faults: { iban: expect.stringMatching(/Ohne IBAN.*R-2/) as string },
    }))
})
describe('the discount', () => {
  test('is taken while it lasts, unless somebody pays in full', () => {
    const rows = [row(1), row(2, { bedingungen: '' })]
    const typed = initialRun(rows, TODAY)
    expect(rows.map((one) => amountOf(one, typed))).toEqual(['116.62', '119.00'])
    expect(formatDecimal(totalOf(rows, typed))).toBe('235.62')
    expect(check(rows)).toMatchObject({ values: { posten: [{ skonto: true }, { skonto: false }] } })
    expect(check(rows, { full: [1] })).toMatchObject({
      values: { posten: [{ betrag: '119.00', skonto: false }, {}] },
    })
    expect(check(rows, { tag: '07.12.2026' })).toMatchObject({
      values: { posten: [{ betrag: '119.00' }, {}] },
    })
  })
  test('of what is paid in part there is none', () =>
    expect(amountOf(row(1, { offen: '19.00' }), initialRun([], TODAY))).toBe('19.00'))
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
