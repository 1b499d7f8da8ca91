// `npm test`: what must hold, two suites at a time, then a table and one summary line. `npm run test:voll`
// (--voll): everything, however long it takes.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { DAY } from '../test/extent.ts'
import { ensureTestTools } from './test-tools.ts'
import {
  countReport,
  type Counts,
  failuresOf,
  filesToTryAgain,
  longestOf,
  NOTHING,
  sum,
  tableOf,
  type VitestReport,
  withSecondTry,
  wobblyOf,
} from './test-counts.ts'

// Read by vitest.config.ts and the tests through test/extent.ts.
const VOLL = process.argv.includes('--voll')
if (VOLL) process.env['VOLL'] = '1'

const ROOT = join(import.meta.dirname, '..')
const REPORTS = join(ROOT, 'build/test')
const REPORTER = join(ROOT, 'scripts/test-report.ts')
const bin = (path: string): string => join(ROOT, 'node_modules', path)

/** Failures, and tests that passed only at a second try: something in them, or in the product, is a race. */
const failures: string[] = []

/** Of each suite, where its time went. */
const longest: string[] = []
const LONGEST_NAMED = 12

/** A run writes at most 2 GB outside the clone; this much should remain for the machine. */
const ROOMY = 10 * 2 ** 30

/**
 * In memory if there is room, because hundreds of databases of a thousand files each are created and dropped.
 * The full run uses the disk.
 */
function findTemporary(): string {
  const memory = '/dev/shm'
  if (VOLL || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, freemem()) > ROOMY ? memory : tmpdir()
}

/** Temporary files of the suites, removed with the run. PostgreSQL's service user works in it too. */
const TEMPORARY = mkdtempSync(join(findTemporary(), 'forstkontor-test-'))
chmodSync(TEMPORARY, 0o755)
process.once('exit', () => rmSync(TEMPORARY, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

type Out = (text: string) => void
interface Suite {
  readonly name: string
  run(out: Out): Promise<Counts>
  /** Tries files with a failure once more, alone. Returns the counts of the whole suite then. */
  again?(out: Out): Promise<Counts | undefined>
}

/** Runs everything with the pinned Node, whichever Node started this. */
function runNode(args: readonly string[], out: Out): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // One day for all suites, whichever side of midnight they start.
    env: { ...process.env, TMPDIR: TEMPORARY, TEST_DAY: String(DAY) },
  })
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', out)
  return new Promise((resolve) => child.once('close', (status) => resolve(status ?? 1)))
}

/** A check without single tests counts as one. */
const check = (name: string, ...args: string[]): Suite => ({
  name,
  run: async (out) =>
    (await runNode(args, out)) === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 },
})

/** Runs tests and reads their report; an earlier report does not count. */
async function runTests(name: string, args: readonly string[], out: Out) {
  const file = join(REPORTS, `${name}.json`)
  rmSync(file, { force: true })
  const report = ['--reporter=default', `--reporter=${REPORTER}`, `--outputFile.json=${file}`]
  const status = await runNode([bin('vitest/vitest.mjs'), 'run', ...args, ...report], out)
  const read = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined
  return { status, read }
}

const linesOf = (mark: string, lines: readonly string[]): string[] =>
  lines.map((line) => `${mark} ${line.replace(`${ROOT}/`, '')}`)

/** A project of vitest.config.ts, or a separate configuration. */
function vitest(project: string, selection: readonly string[] = ['--project', project]): Suite {
  let first: VitestReport | undefined
  let told: string[] = []
  return {
    name: project,
    run: async (out) => {
      const { status, read } = await runTests(project, selection, out)
      first = read
      longest.push(...longestOf(read, LONGEST_NAMED).map((line) => line.replace(`${ROOT}/`, '')))
      const counts = countReport(read, status)
      told = linesOf('FAILED', failuresOf(read))
      if (counts.failed > 0 && told.length === 0)
        told = [`FAILED ${project}: it ended badly without naming a test`]
      failures.push(...linesOf('WOBBLY', wobblyOf(read)), ...told)
      return counts
    },
    again: async (out) => {
      const files = filesToTryAgain(first)
      if (first === undefined || files.length === 0) return undefined
      const { status, read } = await runTests(`${project}-again`, [...selection, ...files], out)
      if (read === undefined) return undefined
      const both = withSecondTry(first, read)
      const still = linesOf('FAILED', failuresOf(both))
      const isGone = (line: string): boolean =>
        !still.some((one) => one.split(': ')[0] === line.split(': ')[0])
      for (const line of told.filter(isGone))
        failures[failures.indexOf(line)] = line.replace('FAILED', 'WOBBLY')
      return countReport(both, status)
    },
  }
}

/**
 * Two run at a time: a suite spends a third of its time waiting for browsers, other processes or the disk,
 * but three would disturb tests that measure time. Quick ones come first, then the longest.
 */
const SUITES: readonly Suite[] = [
  check('format', bin('@biomejs/biome/bin/biome'), 'format', '.'),
  check('format-sql', join(ROOT, 'scripts/format-sql.ts'), '--check'),
  check('lint', bin('oxlint/bin/oxlint'), '--type-aware'),
  check('unused', bin('knip/bin/knip.js'), '--no-progress'),
  check('types', bin('typescript/bin/tsc'), '-b'),
  vitest('sql'),
  vitest('e2e'),
  vitest('bench'),
  vitest('unit'),
  vitest('built'),
  // The official e-invoice rules; without Maven Central or Java they are skipped and counted as skipped, and
  // only our own calculation is left.
  vitest('einvoice', ['--config', 'test/einvoice/vitest.config.ts']),
  // A real Keycloak; without Maven Central or Java its tests are skipped and counted as skipped.
  vitest('keycloak', ['--config', 'keycloak/vitest.config.ts']),
]
const AT_ONCE = 2
/** Suites that only the full run includes, unless requested by name. */
const WHOLE_RUN: readonly string[] = ['keycloak']

const only = process.argv
  .slice(2)
  .filter((argument) => argument !== '--voll')
  .flatMap((argument) => argument.split(','))
const unknown = only.filter((name) => !SUITES.some((suite) => suite.name === name))
if (unknown.length > 0) {
  console.error(`Unbekannt: ${unknown.join(', ')}. Es gibt: ${SUITES.map((suite) => suite.name).join(', ')}`)
  process.exit(2)
}

type Result = Counts & { readonly name: string; readonly seconds: number }

/** Failures are printed immediately. */
const TOLD = /^\s*[×✗] /u

/** Prints a suite's output as one block, so that two suites do not mix. */
async function printed<T>(name: string, run: (out: Out) => Promise<T>): Promise<T> {
  const texts: string[] = []
  const answer = await run((text) => {
    texts.push(text)
    for (const line of stripVTControlCharacters(text).split('\n'))
      if (TOLD.test(line)) console.log(`${name}: ${line.trim()}`)
  })
  console.log(`\n── ${name} ──\n${texts.join('')}`)
  return answer
}

async function runSuite(suite: Suite): Promise<Result> {
  console.log(`${suite.name} …`)
  const started = performance.now()
  const counts = await printed(suite.name, (out) => suite.run(out))
  return { name: suite.name, ...counts, seconds: (performance.now() - started) / 1000 }
}

/**
 * What failed beside another suite is tried once more with the machine to itself. What passes then is named
 * as WOBBLY; what fails again has failed.
 */
async function tryAgain(results: Result[]): Promise<Result[]> {
  const answers: Result[] = []
  for (const result of results) {
    const again = result.failed > 0 ? SUITES.find(({ name }) => name === result.name)?.again : undefined
    if (again) console.log(`${result.name}: was fehlschlug, noch einmal allein …`)
    // oxlint-disable-next-line no-await-in-loop -- one at a time is the point
    const counts = again && (await printed(`${result.name}, noch einmal`, again))
    answers.push({ ...result, ...counts })
  }
  return answers
}

async function runAll(suites: readonly Suite[]): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...suites]
  const runNext = async (): Promise<void> => {
    for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- each worker runs its suites one after another
      results.push(await runSuite(suite))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runNext))
  return suites.flatMap(({ name }) => results.filter((result) => result.name === name))
}

mkdirSync(REPORTS, { recursive: true })
const stillMissing = await ensureTestTools()
const results = await tryAgain(
  await runAll(
    SUITES.filter(({ name }) =>
      only.length === 0 ? VOLL || !WHOLE_RUN.includes(name) : only.includes(name),
    ),
  ),
)

const total = sum(results)
console.log(`\nDie längsten Dateien:\n${longest.join('\n')}`)
console.log(`\n${tableOf(results)}`)
for (const line of [...failures, ...stillMissing]) console.log(line)
if (only.length > 0) console.log(`Nur ein Teil: ${only.join(', ')}`)
if (!VOLL) console.log(`Was täglich wechselt, noch einmal wie in diesem Lauf: TEST_DAY=${DAY} npm test`)
if (!VOLL && only.length === 0)
  console.log('Alles in jeder Länge, jede Regel auf beiden Datenbanken, und Keycloak: npm run test:voll')
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
