// npm run try -- column role: makes changes in a copy of the tree and shows how many files each touches.
// Then leaves out one edit after the other, and prints who noticed: the compiler or which tests. What nobody
// notices is a fault of the house. `all` tries every change; with --short each is only made and tested whole.
// The changes are in try-changes/.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  applyEdit,
  type Change,
  type Command,
  COMMANDS,
  type Edit,
  filesOf,
  isTestRow,
} from './try-changes/change.ts'
import { CHANGES } from './try-changes/changes.ts'
import { copyTree } from './try-changes/copy-tree.ts'

const ROOT = join(import.meta.dirname, '..')
type Step = Edit | Command
/** Names printed of those that noticed. */
const MOST = 3

interface Ran {
  readonly right: boolean
  readonly output: string
}
function runNode(root: string, args: readonly string[]): Ran {
  // One engine says whether the database notices; the rights are the same on both.
  const env = { ...process.env, ONE_ENGINE: '1', NO_COLOR: '1' }
  const options = { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 28 } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
  return { right: status === 0, output: stdout + stderr }
}

/** First fault of the compiler, null if there is none. */
function compileFault(root: string): string | null {
  const { right, output } = runNode(root, ['node_modules/typescript/bin/tsc', '-b'])
  return right ? null : (/^\S+\(\d+,\d+\): error .*$/m.exec(output)?.[0] ?? output.trim())
}

/**
 * Names of the first tests that failed. Whatever keeps them from running is tried once more: a schema that
 * cannot be set up ends the run before its first test.
 */
function failedTests(root: string, tests: readonly string[], again = true): string[] {
  if (tests.length === 0) return []
  const options = ['--project', 'unit', '--project', 'sql', `--bail=${MOST}`]
  const { right, output } = runNode(root, ['node_modules/vitest/vitest.mjs', 'run', ...tests, ...options])
  if (right) return []
  const named = [...output.matchAll(/^ *FAIL +\S+ +(\S+\.test\.tsx?.*)$/gm)].map(([, name]) => name!.trim())
  if (named.length > 0) return [...new Set(named)]
  if (again) return failedTests(root, tests, false)
  return [
    `before the first test: ${/^(?!Serialized).*error: .*$/im.exec(output)?.[0].trim() ?? output.trim()}`,
  ]
}

type Who = 'compiler' | 'unit tests' | 'SQL tests'
/** Who noticed, and what they named; null if nobody did. */
type Outcome = { readonly who: Who; readonly named: readonly string[] } | null

const isSql = (file: string): boolean => file.endsWith('.sql.test.ts')

/** The quickest first: what one of them names, nobody else is asked. */
function notice(copy: string, { tests }: Change): Outcome {
  const fault = compileFault(copy)
  if (fault !== null) return { who: 'compiler', named: [fault] }
  const unit = failedTests(
    copy,
    tests.filter((file) => !isSql(file)),
  )
  if (unit.length > 0) return { who: 'unit tests', named: unit }
  const database = failedTests(copy, tests.filter(isSql))
  return database.length > 0 ? { who: 'SQL tests', named: database } : null
}

/** Makes the change in the copy, without the edit or the command that is left out, and takes it back. */
function tryOut(copy: string, change: Change, leftOut?: Step): Outcome {
  try {
    for (const edit of change.edits) if (edit !== leftOut) applyEdit(copy, edit)
    for (const command of change.commands) if (command !== leftOut) runNode(copy, [COMMANDS[command].script])
    return notice(copy, change)
  } finally {
    for (const file of filesOf(change))
      if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(copy, file))
      else rmSync(join(copy, file), { force: true })
  }
}

const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text
const firstLine = (text: string): string => shortened(text.trim().split('\n')[0] ?? '', 60)
const nameOf = (step: Step): string =>
  typeof step === 'string'
    ? step
    : `${step.file}${isTestRow(step) ? ' (row of a test)' : ''}: ${firstLine(step.insert)}`
const listed = (named: readonly string[]): string =>
  named
    .slice(0, MOST)
    .map((name) => shortened(name, 200))
    .join('; ')
const printRow = (...cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)

/** Tries one change and prints its table; returns its row of the summary and whether all was noticed. */
function tryChange(copy: string, name: string, change: Change, isShort: boolean) {
  const files = filesOf(change)
  console.log(`\n${change.title}: ${files.length} files`)
  for (const file of files) console.log(`  ${file}`)
  console.log('\n| left out | noticed by | what it names |\n|---|---|---|')
  const steps: readonly Step[] = [...change.edits, ...change.commands]
  const noticed = { compiler: 0, 'unit tests': 0, 'SQL tests': 0, nobody: 0 }
  const whole = tryOut(copy, change)
  printRow('nothing', whole?.who ?? '', listed(whole?.named ?? []))
  // A fault of the whole change would pass for a notice of every edit.
  if (whole === null && !isShort)
    for (const step of steps) {
      const outcome = tryOut(copy, change, step)
      noticed[outcome?.who ?? 'nobody']++
      printRow(nameOf(step), outcome?.who ?? 'NOBODY NOTICES', listed(outcome?.named ?? []))
    }
  const rows = change.edits.filter(isTestRow).length
  return {
    row: [name, files.length, steps.length, rows, ...Object.values(noticed)],
    right: whole === null && noticed.nobody === 0,
  }
}

const [names, options] = [
  process.argv.slice(2).filter((word) => !word.startsWith('--')),
  process.argv.slice(2).filter((word) => word.startsWith('--')),
]
const wanted = names.includes('all') ? Object.keys(CHANGES) : names
const chosen = wanted.flatMap((name) => {
  const change = CHANGES[name]
  return change === undefined ? [] : [[name, change] as const]
})
if (chosen.length === 0 || chosen.length < wanted.length) {
  console.error(`Which change? ${Object.keys(CHANGES).join(', ')}, all`)
  process.exit(2)
}
const copy = copyTree()
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const results = chosen.map(([name, change]) => tryChange(copy, name, change, options.includes('--short')))
console.log(
  '\n| change | files | edits | of these rows of tests | compiler | unit tests | SQL tests | nobody |',
)
console.log('|---|---|---|---|---|---|---|---|')
for (const { row } of results) printRow(...row)
process.exitCode = results.every(({ right }) => right) ? 0 : 1
