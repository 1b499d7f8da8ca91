import { expect, test } from 'vitest'
import { languageOf, sayIn, translated } from './words.ts'

test.each([
  [undefined, 'de'],
  ['', 'de'],
  ['de-AT', 'de'],
  ['en', 'en'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ['de,en;q=0.5', 'de'],
  ['fr, en;q=0.2', 'en'],
  ['fr', 'de'],
  ['en;q=x', 'de'],
  ['en;q=0', 'de'],
  [`${'en;'.repeat(5_000)}`, 'de'],
])('%s prefers %s', (header, language) => expect(languageOf(header)).toBe(language))

test('a sentence names its values, and an unknown code has a sentence too', () => {
  expect(sayIn('en', 'kunden', 'plz_format', { wert: '123' })).toContain('123')
  expect(sayIn('de', 'baum', 'habitat_of_tomorrow', {})).not.toContain('{')
  expect(translated('en', 'Nur so.', { kind: 'antwort', code: 'of_tomorrow', values: {} })).toBe('Nur so.')
})
