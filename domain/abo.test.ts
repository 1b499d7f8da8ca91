import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discountOf, endOf, nettoOf, ustOf } from './abo.ts'
import { add, compare, formatDecimal, isEqual, parseHundredths, sign } from './geld.ts'
import cases from './abo.cases.json' with { type: 'json' }

describe('net price of a term', () => {
  for (const { why, preis, laufzeit, rabatt, rabatt_monate, netto } of cases.netto)
    test(why, () =>
      expect(
        formatDecimal(
          nettoOf({
            preis: parseHundredths(preis),
            laufzeit,
            rabatt: parseHundredths(rabatt),
            discountMonths: rabatt_monate,
          }),
        ),
      ).toBe(netto),
    )
  test('is never below nothing and never above the list price', () =>
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10_000_000n),
        fc.integer({ min: 1, max: 60 }),
        fc.bigInt(0n, 10_000n),
        fc.nat(60),
        (cents, duration, hundredths, months) => {
          const price = { wert: cents, decimals: 2 }
          const discount = { wert: hundredths, decimals: 2 }
          const term = {
            preis: price,
            laufzeit: duration,
            rabatt: discount,
            discountMonths: Math.min(months, duration),
          }
          const netto = nettoOf(term)
          return (
            sign(netto) >= 0 && compare(netto, price) <= 0 && isEqual(add(netto, discountOf(term)), price)
          )
        },
      ),
    ))
})

describe('last day of a term', () => {
  for (const { why, beginn, laufzeit, ende } of cases.ende)
    test(why, () => expect(endOf(beginn, laufzeit)).toBe(ende))
})

test('tax is rounded to cents', () => {
  const ustOn = (netto: string) => formatDecimal(ustOf(parseHundredths(netto), parseHundredths(19)))
  expect(ustOn('480.00')).toBe('91.20')
  expect(ustOn('0.13')).toBe('0.02')
})
