// One word for each thing: the table of terms in docs/glossary.md, held against every text of the interface.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsePo } from './po-file.ts'
import { findServerTexts } from './server-texts.ts'
import { ENGLISH_FILE } from './update-texts.ts'

/** Sentences that the specification gives word by word, and words under which a page is found. */
const FIXED: readonly string[] = [
  'Verification failed, please Login again.',
  'Re-Login',
  'Faktura Beleg Rechnung',
]

const page = readFileSync(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8')
const table = /## Words of the interface\n[\s\S]*?\n\|---.*\n((?:\|.*\n)+)/.exec(page)?.[1] ?? ''
const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
const wordsOf = (cell = ''): readonly string[] => cell.split(', ').filter((word) => word !== '')

/** A whole word as written, at the beginning of a sentence too; in italics any part of a word. */
function patternOf(word: string): RegExp {
  const part = /^\*(.+)\*$/.exec(word)?.[1]
  if (part !== undefined) return new RegExp(part, 'iu')
  const first = word[0] ?? ''
  return new RegExp(`(?<![\\p{L}-])[${first}${first.toUpperCase()}]${word.slice(1)}(?!\\p{L})`, 'u')
}
const entries = parsePo(readFileSync(ENGLISH_FILE, 'utf8'))
const server = findServerTexts()
const SERVER = {
  German: server.German.map(({ text }) => text),
  English: server.English.map(({ text }) => text),
} as const
const TEXTS = {
  German: [...entries.map(({ german }) => german), ...SERVER.German],
  English: [...entries.map(({ english }) => english), ...SERVER.English],
} as const
/** What may contain marks of its own: pages, and words of a configuration. */
const isMarkup = (text: string): boolean => /[<=]|"intern"|'UTF8'|\bpg_/.test(text)
const found = (language: keyof typeof TEXTS, pattern: RegExp): string[] =>
  TEXTS[language].filter((text) => pattern.test(text) && !FIXED.includes(text))

describe('one word for each thing', () => {
  test('the table is there', () => expect(rows.length).toBeGreaterThan(12))
  test.each(rows.flatMap(([, say = '', not]) => wordsOf(not).map((word) => [word, say])))(
    'not “%s” but “%s”',
    (word) => expect(found('German', patternOf(word))).toEqual([]),
  )
  test.each(rows.flatMap(([, , , say = '', not]) => wordsOf(not).map((word) => [word, say])))(
    'English, not “%s” but “%s”',
    (word) => expect(found('English', patternOf(word))).toEqual([]),
  )
})

describe('marks', () => {
  test('German quotation marks are „ and “, in pairs', () => {
    expect(found('German', /[»«”]/u)).toEqual([])
    expect(TEXTS.German.filter((text) => text.split('„').length !== text.split('“').length)).toEqual([])
  })
  test('English ones are “ and ”, in pairs', () => {
    expect(found('English', /[»«„]/u)).toEqual([])
    expect(TEXTS.English.filter((text) => text.split('“').length !== text.split('”').length)).toEqual([])
  })
  // After a digit it is a sign of minutes or seconds.
  test('no straight marks, and an ellipsis is one sign', () => {
    for (const language of ['German', 'English'] as const)
      expect(found(language, /(?<!\d)["']|\.\.\./u).filter((text) => !isMarkup(text))).toEqual([])
  })
})

test('no text names a role', () => {
  for (const language of ['German', 'English'] as const)
    expect(found(language, /\b(?:apus|ogf|hq)_\w+|\bappuser|\bkundenadmin\b/u)).toEqual([])
})
