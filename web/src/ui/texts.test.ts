// Checks the English texts: every text is translated, no translation is unused, and placeholders match.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ADDRESSES, ROUTES } from '../app/routes.ts'
import { ENGLISH } from './texts-en.ts'

const SRC = join(import.meta.dirname, '..')
const ROOT = join(SRC, '../..')

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture|d)\.tsx?$/.test(file),
)
/** Source of a string literal → its value. */
const unquote = (literal: string): string =>
  JSON.parse(
    `"${literal.slice(1, -1).replaceAll(/\\(.)|"/g, (whole, sign: string | undefined) => (sign === undefined ? '\\"' : sign === "'" || sign === '`' ? sign : whole))}"`,
  ) as string

const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/
const CALL = new RegExp(`(?<![\\w.])t\\(\\s*(?:(${LITERAL.source})|(\\S))`, 'g')

/**
 * Tables whose entries are passed to t() through a variable: file from the root, name of the constant, and
 * which properties.
 */
const TABLES: readonly (readonly [file: string, name: string, property?: string])[] = [
  ['web/src/data/api-error.ts', 'TEXTS'],
  ['web/src/data/rule-texts.ts', 'BY_RULE'],
  ['web/src/data/field-faults.ts', 'FIELD_TEXTS'],
  ['web/src/features/import/file-faults.ts', 'TEXTS'],
  ['web/src/features/import/ImportPage.tsx', 'TITLES'],
  ['web/src/features/import/ImportMapping.tsx', 'DELIMITERS'],
  ['domain/import-faults.ts', 'FAULTS', 'titel|text'],
  ['domain/import-fields.ts', 'FIELDS', 'label'],
  ['domain/address.ts', 'PLZ_SOURCE', 'text'],
]
function textsOfTable([file, name, property]: (typeof TABLES)[number]): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const start = source.search(new RegExp(`const ${name}\\b`))
  const block = source.slice(start).split(/\n[}\])]/)[0] ?? ''
  const found = [
    ...block.matchAll(new RegExp(`(?:${property ?? `[\\w'"]+`}):\\s*(${LITERAL.source})`, 'g')),
  ].map(([, literal]) => unquote(literal!))
  if (start < 0 || found.length === 0) throw new Error(`${file}: no texts in ${name}`)
  return found
}

/**
 * Files that pass t() something other than a literal; each takes its texts from a table above or from the
 * routes.
 */
const BY_VARIABLE = new Set([
  'app/jump/jump.ts',
  'app/pages/DashboardPage.tsx',
  'app/pages/NutzerDetailsPage.tsx',
  'app/shell/Breadcrumb.tsx',
  'app/shell/MenuList.tsx',
  'app/shell/PageOutlet.tsx',
  'app/shell/TopBar.tsx',
  'app/shell/page-name.ts',
  'data/api-error.ts',
  'data/field-faults.ts',
  // Rule messages, from their table.
  'features/fieldwork/rule-text.ts',
  'features/habitat/photo-upload.ts',
  'features/karte/job-error.ts',
  'features/karte/upload-fault.ts',
  'features/import/ImportMapping.tsx',
  'features/import/ImportPage.tsx',
  'features/import/ImportPreview.tsx',
  'features/import/ImportRows.tsx',
  'features/import/RowFaults.tsx',
  'features/import/fault-list.ts',
  'features/import/file-faults.ts',
  'record/kunde/KundeFields.tsx',
  'ui/text.ts',
])

const keys = new Set<string>()
const byVariable = new Set<string>()
for (const file of files)
  for (const [, literal] of readFileSync(join(SRC, file), 'utf8').matchAll(CALL)) {
    if (literal === undefined) byVariable.add(file)
    else keys.add(unquote(literal))
  }
for (const table of TABLES) for (const text of textsOfTable(table)) keys.add(text)
for (const { title } of [...ADDRESSES, ...ROUTES]) if (title !== '') keys.add(title)
// Passed through variables in forms and the import.
for (const text of ['Herr', 'Frau', 'divers', 'Fehler', 'Warnung', 'Mein Forstbetrieb']) keys.add(text)

const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

describe('English', () => {
  test('the scan sees the texts', () => expect(keys.size).toBeGreaterThan(1000))
  test('a text that is not written where it is said comes from a known table', () =>
    expect([...byVariable].filter((file) => !BY_VARIABLE.has(file))).toEqual([]))
  test('no text is untranslated', () =>
    expect([...keys].filter((key) => !Object.hasOwn(ENGLISH, key))).toEqual([]))
  test('no translation is left over', () =>
    expect(Object.keys(ENGLISH).filter((key) => !keys.has(key))).toEqual([]))
  test('a translation has the same places to fill in', () =>
    expect(
      Object.entries(ENGLISH)
        .filter(([german, english]) => places(german).join() !== places(english).join())
        .map(([german]) => german),
    ).toEqual([]))
  test('none is empty', () =>
    expect(Object.entries(ENGLISH).filter(([, english]) => english.trim() === '')).toEqual([]))
})
