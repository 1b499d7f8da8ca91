import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginsLikeFormula, FORMULA_TEXTS, PLAIN_TEXTS } from '../test/formula-texts.ts'
import { bareText, csvText, neutralText } from './spreadsheet.ts'

const unquoted = (field: string): string =>
  field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field

describe('a hostile text', () => {
  test.each(FORMULA_TEXTS)('%j is a text in its cell, and comes back', (text) => {
    expect(beginsLikeFormula(neutralText(text))).toBe(false)
    expect(beginsLikeFormula(unquoted(csvText(text)))).toBe(false)
    expect(bareText(unquoted(csvText(text)))).toBe(text)
  })
  test.each(FORMULA_TEXTS)('%j begins no other cell for a reader that splits at anything', (text) => {
    for (const piece of `x;${csvText(text)};x`.split(/[;,\t|\r\n]/))
      expect([piece, beginsLikeFormula(piece)]).toEqual([piece, false])
  })
})

test.each(PLAIN_TEXTS)('%j stays as it is', (text) => {
  expect(neutralText(text)).toBe(text)
  expect(unquoted(csvText(text))).toBe(text)
})

test('any text comes back, and none begins like a formula', () => {
  const sign = fc.constantFrom(
    "'",
    '"',
    ';',
    ',',
    '\t',
    '\n',
    '\r',
    ' ',
    '=',
    '+',
    '-',
    '@',
    '＝',
    '\u200b',
    'a',
  )
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: sign }))
  fc.assert(
    fc.property(text, (value) => {
      expect(bareText(unquoted(csvText(value)))).toBe(value)
      expect(beginsLikeFormula(neutralText(value))).toBe(false)
      for (const piece of unquoted(csvText(value))
        .split(/[;,\t|\r\n]/)
        .slice(1))
        expect(beginsLikeFormula(piece)).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('a long hostile text takes no long time', () => {
  for (const text of [
    ' \t'.repeat(100_000),
    '"'.repeat(200_000),
    '\n'.repeat(200_000),
    "'".repeat(200_000),
  ]) {
    const began = performance.now()
    csvText(text)
    bareText(text)
    expect(performance.now() - began).toBeLessThan(5_000)
  }
})
