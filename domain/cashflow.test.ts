import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import cases from './cashflow.cases.json' with { type: 'json' }
import { type CashflowInput } from './cashflow.ts'
import { cashflowOf, expectedOn, weighted } from './cashflow.oracle.ts'
import { decimal, formatCents, formatDecimal, subtract, sum } from './geld.ts'
import { addDays } from './day.ts'

test.each(cases.map(({ why, eingabe, zeilen }) => [why, eingabe as CashflowInput, zeilen] as const))(
  '%s',
  (_why, input, rows) => expect(cashflowOf(input)).toEqual(rows),
)

describe('an offer', () => {
  test('weighs by its chance, half where none is known', () =>
    expect(
      [weighted('100.01', 50), weighted('100.01', null), weighted('-0.01', 50), weighted('9', 0)].map(
        formatCents,
      ),
    ).toEqual(['50.01', '50.01', '-0.01', '0.00']))
  test('is expected by the end of its work and the days for paying', () => {
    expect(expectedOn({ basis: '2026-01-01', ende: null, zahlungsziel: 14 })).toBe('2026-03-02')
    expect(expectedOn({ basis: '2026-01-01', ende: '2026-06-20', zahlungsziel: 14 })).toBe('2026-07-04')
  })
})

test('for all: parts leave no gap, balances are their sums, and the last standing is the sum of balances', () => {
  const cents = fc.bigInt({ min: 1n, max: 10n ** 9n }).map((wert) => formatDecimal({ wert, decimals: 2 }))
  const signed = fc
    .bigInt({ min: -(10n ** 9n), max: 10n ** 9n })
    .map((wert) => formatDecimal({ wert, decimals: 2 }))
  const day = fc.integer({ min: 0, max: 400 }).map((days) => addDays('2026-01-01', days))
  const input = fc.record({
    heute: day,
    von: day,
    bis: day,
    schritt: fc.constantFrom('monat' as const, 'woche' as const),
    anfang: cents,
    prognosen: fc.array(
      fc.record({ datum: day, betrag: cents, art: fc.constantFrom('Einnahme' as const, 'Ausgabe' as const) }),
      {
        maxLength: 10,
      },
    ),
    offen: fc.array(fc.record({ faellig: fc.option(day), offen: signed }), { maxLength: 10 }),
    serien: fc.array(fc.record({ datum: day, betrag: cents }), { maxLength: 10 }),
    eingang: fc.array(fc.record({ faellig: fc.option(day), offen: cents }), { maxLength: 10 }),
    angebote: fc.array(
      fc.record({
        stand: fc.constantFrom('versendet' as const, 'angenommen' as const),
        offen: cents,
        basis: day,
        ende: fc.option(day),
        zahlungsziel: fc.integer({ min: 0, max: 90 }),
        chance: fc.option(fc.integer({ min: 0, max: 100 })),
      }),
      { maxLength: 10 },
    ),
  })
  fc.assert(
    fc.property(input, (given) => {
      const rows = cashflowOf(given)
      if (given.von > given.bis) {
        expect(rows).toEqual([])
        return
      }
      expect([rows[0]!.von, rows.at(-1)!.bis]).toEqual([given.von, given.bis])
      for (const [at, row] of rows.entries()) {
        if (at > 0) expect(row.von).toBe(addDays(rows[at - 1]!.bis, 1))
        const parts = sum(
          [row.einnahmen, row.offen, row.angenommen, row.wiederkehrend, row.erwartet].map(decimal),
        )
        const out = sum([row.ausgaben, row.zurueck].map(decimal))
        expect(formatCents(subtract(parts, out))).toBe(row.saldo)
        expect([row.offen, row.zurueck].some((amount) => amount.startsWith('-'))).toBe(false)
        expect(decimal(row.ueberfaellig).wert <= decimal(row.offen).wert).toBe(true)
      }
      const balances = sum([decimal(given.anfang), ...rows.map(({ saldo }) => decimal(saldo))])
      expect(rows.at(-1)!.stand).toBe(formatCents(balances))
    }),
    { numRuns: 500 },
  )
})
