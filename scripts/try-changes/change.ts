// A change that is common enough to be measured: how many files it touches, and what says so when one of them
// is forgotten.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Edit {
  readonly file: string
  /** Text that the file contains once; `insert` goes right behind it. Without it the file is new. */
  readonly find?: string
  readonly insert: string
}
/** What is run after some changes, and the file that it writes. */
export const COMMANDS = {
  'npm run freeze': { script: 'scripts/freeze.ts', file: 'db/generation.json' },
  'npm run texts': { script: 'web/texts/update-texts.ts', file: 'web/texts/en.po' },
} as const
export type Command = keyof typeof COMMANDS

export interface Change {
  readonly title: string
  readonly edits: readonly Edit[]
  /** Run after the edits. */
  readonly commands: readonly Command[]
  /** Files of the tests that are to name what is forgotten. */
  readonly tests: readonly string[]
}

/** A line that only says what a test expects: left out, the test itself is to notice. */
export const isTestRow = ({ file }: Edit): boolean =>
  /\.(?:test|fixture)\.tsx?$|\.cases\.json$|^db\/test\//.test(file)

export const filesOf = ({ edits, commands }: Change): string[] => [
  ...new Set([...edits, ...commands.map((command) => COMMANDS[command])].map(({ file }) => file)),
]

/** The English of new texts; `npm run texts` moves them to their places. */
export const english = (texts: Readonly<Record<string, string>>): Edit => ({
  file: 'web/texts/en.po',
  find: '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n',
  insert: Object.entries(texts)
    .map(([german, translation]) => `\nmsgid "${german}"\nmsgstr "${translation}"\n`)
    .join(''),
})

export class EditFault extends Error {}

/** Fault of an edit that does not apply to the tree in `root`; null if it does. */
export function editFault(root: string, { file, find }: Edit): string | null {
  const path = join(root, file)
  if (find === undefined) return existsSync(path) ? `${file} is there already` : null
  if (!existsSync(path)) return `${file} is missing`
  const found = readFileSync(path, 'utf8').split(find).length - 1
  return found === 1 ? null : `${file}: found ${found} times instead of once: ${find.trim()}`
}

export function applyEdit(root: string, edit: Edit): void {
  const fault = editFault(root, edit)
  if (fault !== null) throw new EditFault(fault)
  const path = join(root, edit.file)
  if (edit.find === undefined) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, edit.insert)
  } else {
    const [before, after] = readFileSync(path, 'utf8').split(edit.find)
    writeFileSync(path, `${before}${edit.find}${edit.insert}${after}`)
  }
}
