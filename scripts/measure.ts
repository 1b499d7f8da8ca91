// npm run measure: size and structure of the source in one table, also written to bench/out/source.json.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { circlesIn, type SourceFile } from '../test/source-imports.ts'
import { declaredIn, wordsOf } from '../test/declared-names.ts'
import { duplicatePairs } from '../test/source-duplicates.ts'
import { functionsIn } from '../test/source-functions.ts'
import { readWordLists } from '../test/word-lists.ts'

const ROOT = join(import.meta.dirname, '..')
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
const read = (path: string): SourceFile => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })

const code = tracked.filter((path) => /\.tsx?$/.test(path)).map(read)
const sql = tracked.filter((path) => path.startsWith('db/nouns/') && path.endsWith('.sql')).map(read)

const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

function namesByLanguage(): { english: number; trade: number; other: number } {
  const { english, trade } = readWordLists()
  const counts = { english: 0, trade: 0, other: 0 }
  for (const { path, text } of code) {
    for (const { name } of declaredIn(path, text)) {
      const words = wordsOf(name).filter((word) => word.length > 2)
      if (words.some((word) => !english.has(word) && !trade.has(word))) counts.other++
      else if (words.some((word) => !english.has(word))) counts.trade++
      else counts.english++
    }
  }
  return counts
}

/** Findings of knip: unused files, packages and exports. */
function unused(): number {
  const report = execFileSync(
    process.execPath,
    [join(ROOT, 'node_modules/knip/bin/knip.js'), '--no-progress', '--no-exit-code', '--reporter=json'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 },
  )
  const { issues } = JSON.parse(report) as { issues: readonly Record<string, unknown>[] }
  return issues
    .flatMap((issue) => Object.values(issue))
    .reduce<number>((sum, found) => sum + (Array.isArray(found) ? found.length : 0), 0)
}

const lines = code.flatMap(({ text }) => text.split('\n'))
const sqlLines = sql.flatMap(({ text }) => text.split('\n'))
/** Only the product's; a test's function is as long as its table of cases. */
const functions = code
  .filter(
    ({ path }) => /^(?:domain|contract|server|web)\//.test(path) && !/\.(?:test|fixture)\.tsx?$/.test(path),
  )
  .flatMap(({ path, text }) => functionsIn(path, text))
const names = namesByLanguage()
const allNames = names.english + names.trade + names.other

interface Row {
  readonly figure: string
  readonly asked: string
  readonly measured: string | number
}
const rows: readonly Row[] = [
  { figure: 'files of code', asked: '', measured: code.length },
  { figure: 'lines of code', asked: '', measured: lines.length },
  {
    figure: 'lines over 120 characters',
    asked: '0',
    measured: lines.filter((line) => line.length > 120).length,
  },
  {
    figure: 'files over 400 lines',
    asked: 'tables only',
    measured: code.filter(({ text }) => text.split('\n').length > 400).length,
  },
  { figure: 'functions of the product', asked: '', measured: functions.length },
  {
    figure: 'lines of a function, median',
    asked: '',
    measured: median(functions.map(({ length }) => length)),
  },
  {
    figure: 'functions over 60 lines',
    asked: '1 %',
    measured: share(functions.filter(({ length }) => length > 60).length, functions.length),
  },
  {
    figure: 'functions over 100 lines',
    asked: '0',
    measured: functions.filter(({ length }) => length > 100).length,
  },
  { figure: 'names: English', asked: '', measured: share(names.english, allNames) },
  { figure: 'names: with a word of the trade', asked: '', measured: share(names.trade, allNames) },
  { figure: 'names: fixed by the API or SQL', asked: '', measured: share(names.other, allNames) },
  {
    figure: 'pairs of places that share six lines or more',
    asked: '300',
    measured: duplicatePairs([...code, ...sql]),
  },
  { figure: 'circles of imports', asked: '0', measured: circlesIn(code).length },
  {
    figure: 'any in types',
    asked: '0',
    measured: code.filter(({ text }) =>
      /(?::|<|\bas)\s*any\b/.test(text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '')),
    ).length,
  },
  { figure: 'unused files, packages and exports', asked: '0', measured: unused() },
  { figure: 'SQL: lines', asked: '', measured: sqlLines.length },
  {
    figure: 'SQL: lines over 110 characters',
    asked: '0',
    measured: sqlLines.filter((line) => line.length > 110).length,
  },
  { figure: 'SQL: longest line', asked: '110', measured: Math.max(...sqlLines.map((line) => line.length)) },
]

const width = Math.max(...rows.map(({ figure }) => figure.length))
for (const { figure, asked, measured } of rows)
  console.log(
    `${figure.padEnd(width)}  ${String(measured).padStart(10)}${asked === '' ? '' : `  (asked: ${asked})`}`,
  )
mkdirSync(join(ROOT, 'bench/out'), { recursive: true })
writeFileSync(join(ROOT, 'bench/out/source.json'), `${JSON.stringify(rows, null, 2)}\n`)
