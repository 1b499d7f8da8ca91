import { describe, expect, test } from 'vitest'
import cases from './placeholders.cases.json' with { type: 'json' }
import { fillPlaceholders, PLACEHOLDERS, unknownPlaceholders } from './placeholders.ts'

describe('placeholders', () => {
  test.each(cases)('$why', ({ text, unknown, ok }) => {
    expect(unknownPlaceholders(text)).toEqual(unknown)
    expect(unknown.length === 0).toBe(ok)
  })
  test('are filled in, what has no value stays, and a value is never read again', () => {
    expect(fillPlaceholders('{name}: {nummer}, {betrag}', { name: '{nummer}', nummer: 'RE-2026-0001' })).toBe(
      '{nummer}: RE-2026-0001, {betrag}',
    )
    const text = PLACEHOLDERS.map((name) => `{${name}}`).join(' ')
    expect(fillPlaceholders(text, { name: 'a', nummer: 'b', datum: 'c', faellig: 'd', betrag: 'e' })).toBe(
      'a b c d e',
    )
    expect(fillPlaceholders('{name}', { name: '$& $1' })).toBe('$& $1')
  })
})
