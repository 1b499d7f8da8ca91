import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discountOf, endOf, nettoOf, parseHundredths, ustOf } from './abo.ts'
import cases from './abo.cases.json' with { type: 'json' }

const text = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`

describe('net price of a term', () => {
  for (const { why, preis, laufzeit, rabatt, rabatt_monate, netto } of cases.netto)
    test(why, () =>
      expect(
        text(
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
        (preis, laufzeit, rabatt, months) => {
          const netto = nettoOf({ preis, laufzeit, rabatt, discountMonths: Math.min(months, laufzeit) })
          return (
            netto >= 0n &&
            netto <= preis &&
            netto + discountOf({ preis, laufzeit, rabatt, discountMonths: Math.min(months, laufzeit) }) ===
              preis
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
  expect(ustOf(parseHundredths('480.00'), 1900n)).toBe(9120n)
  expect(ustOf(parseHundredths('0.13'), 1900n)).toBe(2n)
})

describe('amounts', () => {
  test.each([
    ['480', 48000n],
    ['480.5', 48050n],
    ['0.05', 5n],
    ['-3.10', -310n],
    [12.34, 1234n],
    ['33.3300', 3333n],
  ])('%s', (given, cents) => expect(parseHundredths(given)).toBe(cents))
  test.each(['', 'abc', '1,50', '1.234', '1e5', '--1'])('%s is none', (given) =>
    expect(() => parseHundredths(given)).toThrow(),
  )
})
