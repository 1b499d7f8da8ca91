import { describe, expect, test } from 'vitest'
import type { BankRechnung, BankUmsatz } from '#contract/zahlung.ts'
import { decimal, formatCents } from '#domain/geld.ts'
import {
  candidatesOf,
  checkSpread,
  deriveSpread,
  NO_PARTS,
  type Part,
  type Parts,
  proposePart,
  withPart,
} from './match-form.ts'

const rechnung = (rechnung_id: number, open: string, more: Partial<BankRechnung> = {}): BankRechnung => ({
  rechnung_id,
  client_id: rechnung_id,
  kunde: `Kunde ${rechnung_id}`,
  nummer: `RE-${rechnung_id}`,
  rn_datum: `2026-01-0${rechnung_id}`,
  faellig: null,
  zahlbetrag: '100.00',
  bezahlt: '0.00',
  offen: open,
  storniert: false,
  skonto: [],
  mahnkosten: '0.00',
  ...more,
})
const RECHNUNGEN = new Map(
  [rechnung(1, '100.00'), rechnung(2, '50.00'), rechnung(3, '0.00', { bezahlt: '30.00' })].map((one) => [
    one.rechnung_id,
    one,
  ]),
)
const umsatz = (rest: string): BankUmsatz => ({
  id: 9,
  konto: 'DE',
  datum: '2026-02-01',
  betrag: rest,
  rest,
  name: 'Kunde 2',
  iban: '',
  zweck: '',
  datei: '',
  erledigt: false,
  angelegt_am: '2026-02-01T00:00:00Z',
})
const PART = { skonto: false, mahnkosten: false }
const parts = (amounts: Readonly<Record<number, string>>, more: Partial<Part> = {}): Parts =>
  new Map(Object.entries(amounts).map(([id, amount]) => [Number(id), { ...PART, betrag: amount, ...more }]))
const check = (rest: string, given: Parts, isMore = false) => {
  const entry = umsatz(rest)
  return checkSpread(entry, given, deriveSpread(entry, given, RECHNUNGEN), isMore)
}

describe('an entry spread over invoices', () => {
  test('nothing chosen is as it started', () => {
    expect(withPart(withPart(NO_PARTS, 1, { ...PART, betrag: '1' }), 1, null)).toBe(NO_PARTS)
    expect(check('100.00', NO_PARTS)).toEqual({ faults: { parts: expect.any(String) } })
  })
  test.each([
    ['120.00', '100,00', 'what is open'],
    ['40.00', '40,00', 'what is left of the entry'],
    ['-20.00', '20,00', 'the whole refund, if nothing was paid'],
  ])('an invoice chosen for %s proposes %s: %s', (rest, amount) => {
    const entry = umsatz(rest)
    const { left } = deriveSpread(entry, NO_PARTS, RECHNUNGEN)
    const proposed = proposePart(RECHNUNGEN.get(1)!, left, rest.startsWith('-'))
    expect(proposed).toEqual({ ...PART, betrag: amount })
  })
  test('says what is given and left; what cannot be read counts nothing', () => {
    const spread = deriveSpread(umsatz('120.00'), parts({ 1: '100', 2: 'viel' }), RECHNUNGEN)
    expect([formatCents(spread.given), formatCents(spread.left)]).toEqual(['100.00', '20.00'])
  })
  test('a part below what is open leaves something that can be a discount', () => {
    const { short } = deriveSpread(umsatz('98.00'), parts({ 1: '98' }), RECHNUNGEN).states.get(1)!
    expect(short).toEqual(decimal('2.00'))
  })
})

describe('what is booked', () => {
  test('parts with the sign of the entry', () => {
    expect(check('98.00', parts({ 1: '98' }, { skonto: true }))).toEqual({
      values: [{ umsatz_id: 9, rechnung_id: 1, betrag: '98.00', skonto: true, ueberzahlung: false }],
    })
    expect(check('-30.00', parts({ 3: '30' }))).toEqual({
      values: [{ umsatz_id: 9, rechnung_id: 3, betrag: '-30.00', skonto: false, ueberzahlung: false }],
    })
  })
  test('more than is open only on purpose, and then without a discount', () => {
    const given = parts({ 2: '60' }, { skonto: true })
    expect(check('60.00', given)).toEqual({ faults: {} })
    expect(check('60.00', given, true)).toEqual({
      values: [{ umsatz_id: 9, rechnung_id: 2, betrag: '60.00', skonto: false, ueberzahlung: true }],
    })
  })
  test('what a reminder demanded beside the invoice is no overpayment', () => {
    const dunned = new Map([[2, rechnung(2, '50.00', { mahnkosten: '15.00' })]])
    const entry = umsatz('65.00')
    const checked = (given: Parts) => checkSpread(entry, given, deriveSpread(entry, given, dunned), false)
    const proposed = proposePart(dunned.get(2)!, decimal('65.00'), false)
    expect(proposed).toEqual({ betrag: '65,00', skonto: false, mahnkosten: true })
    expect(checked(new Map([[2, proposed]]))).toEqual({
      values: [
        {
          umsatz_id: 9,
          rechnung_id: 2,
          betrag: '65.00',
          skonto: false,
          ueberzahlung: false,
          mahnkosten: true,
        },
      ],
    })
    // Unticked, or more than was demanded: asked about.
    expect(checked(parts({ 2: '65' }))).toEqual({ faults: {} })
    const more = new Map([[2, rechnung(2, '45.00', { mahnkosten: '15.00' })]])
    const given = parts({ 2: '65' }, { mahnkosten: true })
    expect(checkSpread(entry, given, deriveSpread(entry, given, more), false)).toEqual({ faults: {} })
  })
  test.each([
    ['more than the entry holds', '50.00', { 1: '100' }],
    ['an amount that is no number', '50.00', { 1: 'viel' }],
    ['an amount of nothing', '50.00', { 1: '0' }],
    ['a refund of more than was paid', '-50.00', { 3: '40' }],
  ])('not %s', (_, rest, given) => expect(check(rest, parts(given), true)).toEqual({ faults: {} }))
})

describe('the invoices to choose from', () => {
  const ids = (rest: string, proposed: readonly number[]) =>
    candidatesOf(
      umsatz(rest),
      {
        umsatz_id: 9,
        settled: [],
        suggestions: proposed.map((rechnung_id) => ({
          zuordnungen: [{ rechnung_id, betrag: rest, skonto: false }],
          reasons: [],
          sicher: false,
          punkte: 0,
        })),
      },
      RECHNUNGEN,
      rest.startsWith('-'),
    ).map(({ rechnung_id }) => rechnung_id)
  test('are open; suggested ones first, then those of the same name', () => {
    expect(ids('50.00', [])).toEqual([2, 1])
    expect(ids('50.00', [1])).toEqual([1, 2])
  })
  test('settled and cancelled ones that the entry names, or of the same name: it was paid once more', () => {
    const others = new Map(
      [
        rechnung(2, '50.00'),
        rechnung(4, '0.00', { bezahlt: '100.00', kunde: 'Kunde 2' }),
        rechnung(5, '0.00', { storniert: true }),
        rechnung(6, '0.00', { storniert: true }),
      ].map((one) => [one.rechnung_id, one]),
    )
    const entry = umsatz('50.00')
    const found = candidatesOf(entry, { umsatz_id: 9, settled: ['RE-5'], suggestions: [] }, others, false)
    expect(found.map(({ rechnung_id }) => rechnung_id)).toEqual([2, 5, 4])
    const given = parts({ 5: '50,00' })
    const spread = deriveSpread(entry, given, others)
    expect(checkSpread(entry, given, spread, false)).toEqual({ faults: {} })
    expect(checkSpread(entry, given, spread, true)).toEqual({
      values: [{ umsatz_id: 9, rechnung_id: 5, betrag: '50.00', skonto: false, ueberzahlung: true }],
    })
  })
  test('are those with a payment for a refund', () => expect(ids('-30.00', [])).toEqual([3]))
})
