// npm run texts: brings en.po up to date with the source. New texts are added without their English, unused
// ones removed, and each entry names the files that say it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, parsePo, printPo } from './po-file.ts'
import { findSourceTexts, type SourceTexts } from './source-texts.ts'

export const ENGLISH_FILE = join(import.meta.dirname, 'en.po')

const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** In the order of files, so that the texts of a screen are together, then of the German text. */
export function updatedEntries(entries: readonly Entry[], { files }: Pick<SourceTexts, 'files'>): Entry[] {
  const former = new Map(entries.map((entry) => [entry.german, entry]))
  return [...files]
    .map(([german, at]) => ({
      english: '',
      isFuzzy: false,
      comment: '',
      ...former.get(german),
      german,
      files: at,
    }))
    .toSorted((a, b) => byCodePoint(a.files[0] ?? '', b.files[0] ?? '') || byCodePoint(a.german, b.german))
}

function update(): void {
  const source = findSourceTexts()
  const entries = parsePo(readFileSync(ENGLISH_FILE, 'utf8'))
  const updated = updatedEntries(entries, source)
  writeFileSync(ENGLISH_FILE, printPo(updated))
  for (const { german, english } of entries)
    if (!source.files.has(german)) console.log(`removed: ${german}\n         ${english}`)
  for (const { german, english } of updated) if (english === '') console.log(`needs its English: ${german}`)
  console.log(`${updated.length} texts in ${ENGLISH_FILE}`)
}

if (import.meta.main) update()
