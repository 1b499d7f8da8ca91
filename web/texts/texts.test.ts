// Checks the English texts: every text is translated, no translation is unused, and placeholders match.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { texts } from './en.po'
import { type Entry, parsePo, placesIn, printPo } from './po-file.ts'
import { findSourceTexts } from './source-texts.ts'
import { ENGLISH_FILE, updatedEntries } from './update-texts.ts'

/**
 * Files that pass t() something other than a literal; each takes its texts from a table that the scan reads
 * (TABLES in source-texts.ts).
 */
const BY_VARIABLE = [
  'web/src/app/jump/jump.ts',
  'web/src/app/pages/ErrorPages.tsx',
  'web/src/app/pages/LandingPage.tsx',
  'web/src/app/pages/NutzerDetailsPage.tsx',
  'web/src/app/places/PlacesMenu.tsx',
  'web/src/app/shell/Breadcrumb.tsx',
  'web/src/app/shell/MenuList.tsx',
  'web/src/app/shell/PageOutlet.tsx',
  'web/src/app/shell/TopBar.tsx',
  'web/src/app/shell/page-name.ts',
  'web/src/data/api-error.ts',
  'web/src/data/fault-words.ts',
  'web/src/data/field-faults.ts',
  'web/src/features/buchhaltung/eingang/Postfach.tsx',
  'web/src/features/buchhaltung/eingang/ReadableInvoice.tsx',
  'web/src/features/buchhaltung/ust/ust-words.ts',
  // Rule messages, from their table.
  'web/src/features/fieldwork/rule-text.ts',
  'web/src/features/gutschein/gutschein-words.ts',
  'web/src/record/photos/photo-upload.ts',
  'web/src/features/kataster/object.data.ts',
  'web/src/features/import/ImportMapping.tsx',
  'web/src/features/import/ImportPage.tsx',
  'web/src/features/import/ImportPreview.tsx',
  'web/src/features/import/ImportRows.tsx',
  'web/src/features/import/RowFaults.tsx',
  'web/src/features/import/fault-list.ts',
  'web/src/features/import/file-faults.ts',
  'web/src/features/karte/job-error.ts',
  'web/src/features/karte/upload-fault.ts',
  'web/src/record/declared.ts',
  // Units, from the table of a tree's fields.
  'web/src/record/habitat/TreeInput.tsx',
  'web/src/record/kunde/KundeFields.tsx',
  'web/src/record/notes/note-uploads.ts',
]

const source = findSourceTexts()
const written = readFileSync(ENGLISH_FILE, 'utf8')
const entries = parsePo(written)
const known = new Set(entries.map(({ german }) => german))

const german = (found: readonly Entry[]): string[] => found.map((entry) => entry.german)
const places = (text: string): string => placesIn(text).sort().join()
/** The first line that is not as expected; the whole file would be thousands. */
function firstWrongLine(text: string, expected: string): string | undefined {
  if (text === expected) return undefined
  const right = expected.split('\n')
  return text.split('\n').find((line, at) => line !== right[at]) ?? 'lines are missing'
}

describe('English', () => {
  test('the scan sees the texts', () => expect(source.files.size).toBeGreaterThan(1000))
  test('a text that is not written where it is said comes from a known table', () =>
    expect([...source.byVariable].sort()).toEqual([...BY_VARIABLE].sort()))
  test('no text is untranslated: npm run texts adds what is missing in en.po', () =>
    expect([...source.files.keys()].filter((text) => !known.has(text))).toEqual([]))
  test('no translation is left over: npm run texts removes it', () =>
    expect(german(entries.filter((entry) => !source.files.has(entry.german)))).toEqual([]))
  test('a translation has the same places to fill in', () =>
    expect(german(entries.filter((entry) => places(entry.german) !== places(entry.english)))).toEqual([]))
  test('none is empty', () =>
    expect(german(entries.filter(({ english }) => english.trim() === ''))).toEqual([]))
  test('none is a guess (fuzzy)', () => expect(german(entries.filter(({ isFuzzy }) => isFuzzy))).toEqual([]))
  test('the file is as its parser writes it: npm run texts', () =>
    expect(firstWrongLine(written, printPo(entries))).toBeUndefined())
  test('the file is up to date with the source: npm run texts', () =>
    expect(firstWrongLine(written, printPo(updatedEntries(entries, source)))).toBeUndefined())
  test('the screens get all of them', () =>
    expect(new Map(Object.entries(texts))).toEqual(
      new Map(entries.map((entry) => [entry.german, entry.english])),
    ))
})

describe('an update of the file', () => {
  const [screen, other] = ['web/src/ui/Screen.tsx', 'web/src/ui/Other.tsx']
  const files = new Map([
    ['Plan', [screen]],
    ['{n} Pläne', [other, screen]],
  ])
  const before = `
# Said to the customer.
#, fuzzy
msgid "Plan"
msgstr "Map"

msgid "alt"
msgstr "old"
`
  const after = updatedEntries(parsePo(before), { files })

  test('adds what is said without its English, and removes what nobody says', () =>
    expect(german(after)).toEqual(['{n} Pläne', 'Plan']))
  test('names the files, and keeps comments and guesses', () =>
    expect(printPo(after).split('\n\n').slice(1).join('\n\n')).toBe(
      `#: ${other} ${screen}
#, perl-brace-format
msgid "{n} Pläne"
msgstr ""

# Said to the customer.
#: ${screen}
#, fuzzy
msgid "Plan"
msgstr "Map"
`,
    ))
  test('changes nothing the second time', () =>
    expect(printPo(updatedEntries(parsePo(printPo(after)), { files }))).toBe(printPo(after)))
  test('refuses a text that is there twice', () =>
    expect(() => parsePo('msgid "Plan"\nmsgstr "Map"\n\nmsgid "Plan"\nmsgstr "Plan"\n')).toThrow('Plan'))
})
