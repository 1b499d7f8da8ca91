import { describe, expect, test } from 'vitest'
import ibanCases from './iban.cases.json' with { type: 'json' }
import { formatIban, ibanFault, isBic, mod97, normalizeIban } from './iban.ts'
import leitwegCases from './leitweg.cases.json' with { type: 'json' }
import { leitwegFault, normalizeLeitweg } from './leitweg.ts'
import steuernummerCases from './tax-number.cases.json' with { type: 'json' }
import { taxNumberFault } from './tax-number.ts'
import ustIdCases from './ust-id.cases.json' with { type: 'json' }
import { normalizeUstId, ustIdFault } from './ust-id.ts'

describe('IBAN', () => {
  for (const { why, text, iban, gedruckt, fault } of ibanCases)
    test(why, () => {
      expect(ibanFault(text)).toBe(fault)
      expect(normalizeIban(text)).toBe(iban)
      expect(formatIban(text)).toBe(gedruckt)
    })
  test('every single mistyped digit and every swap of neighbours is found', () => {
    const right = 'DE89370400440532013000'
    for (let at = 2; at < right.length; at += 1)
      for (const digit of '0123456789')
        if (digit !== right[at])
          expect(ibanFault(right.slice(0, at) + digit + right.slice(at + 1))).toBe('pruefziffer')
    for (let at = 2; at < right.length - 1; at += 1)
      if (right[at] !== right[at + 1])
        expect(ibanFault(right.slice(0, at) + right[at + 1] + right[at] + right.slice(at + 2))).toBe(
          'pruefziffer',
        )
  })
  test('remainder of numbers that no float holds', () =>
    expect(mod97('123456789012345678901234567890')).toBe(Number(123456789012345678901234567890n % 97n)))
  test('BIC', () => {
    expect(['COBADEFFXXX', 'COBADEFF', 'MARKDEF1100', 'NTSBDEB1XXX'].map(isBic)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(['', 'COBADEF', 'cobadeff', 'COBADEFFXX', 'COBA1EFF', 'COBADEFFXXXX'].map(isBic)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('Leitweg-ID', () => {
  for (const { why, text, leitweg_id, fault } of leitwegCases)
    test(why, () => {
      expect(leitwegFault(text)).toBe(fault)
      expect(normalizeLeitweg(text)).toBe(leitweg_id)
    })
  test('every single mistyped sign of the fine part is found', () => {
    for (let at = 9; at < 19; at += 1)
      for (const sign of '0123456789') {
        const right = '04011000-1234512345-06'
        if (sign !== right[at])
          expect(leitwegFault(right.slice(0, at) + sign + right.slice(at + 1))).toBe('pruefziffer')
      }
  })
})

describe('VAT id', () => {
  for (const { why, text, ust_id, fault } of ustIdCases)
    test(why, () => {
      expect(ustIdFault(text)).toBe(fault)
      expect(normalizeUstId(text)).toBe(ust_id)
    })
  test('every single mistyped digit is found', () => {
    const right = 'DE136695976'
    for (let at = 3; at < right.length; at += 1)
      for (const digit of '0123456789')
        if (digit !== right[at])
          expect(ustIdFault(right.slice(0, at) + digit + right.slice(at + 1))).toBe('pruefziffer')
  })
})

describe('tax number', () => {
  for (const { why, text, fault } of steuernummerCases)
    test(why, () => expect(taxNumberFault(text)).toBe(fault))
})
