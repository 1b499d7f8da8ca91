// `npm test`: what must hold, two suites at a time, then a table and one summary line. `npm run test:voll`
// (--voll): everything, however long it takes.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ensureTestTools } from './test-tools.ts'
import {
  countReport,
  type Counts,
  failuresOf,
  NOTHING,
  sum,
  tableOf,
  type VitestReport,
  wobblyOf,
} from './test-counts.ts'

// Read by vitest.config.ts and the tests through test/extent.ts.
const VOLL = process.argv.includes('--voll')
if (VOLL) process.env['VOLL'] = '1'

const ROOT = join(import.meta.dirname, '..')
const REPORTS = join(ROOT, 'build/test')
const REPORTER = join(ROOT, 'scripts/test-report.ts')
const bin = (path: string): string => join(ROOT, 'node_modules', path)

/** Failures, and tests that passed only on a retry. */
const failures: string[] = []

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

interface Suite {
  readonly name: string
  run(out: (text: string) => void): Promise<Counts>
}

/** Runs everything with the pinned Node, whichever Node started this. */
function runNode(args: readonly string[], out: (text: string) => void): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: TEMPORARY },
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

/** A project of vitest.config.ts, or a separate configuration. */
const vitest = (project: string, selection: readonly string[] = ['--project', project]): Suite => ({
  name: project,
  run: async (out) => {
    const file = join(REPORTS, `${project}.json`)
    rmSync(file, { force: true })
    const report = ['--reporter=default', `--reporter=${REPORTER}`, `--outputFile.json=${file}`]
    const status = await runNode([bin('vitest/vitest.mjs'), 'run', ...selection, ...report], out)
    const read = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined
    failures.push(
      ...wobblyOf(read).map((line) => `WOBBLY ${line.replace(`${ROOT}/`, '')}`),
      ...failuresOf(read).map((line) => `FAILED ${line.replace(`${ROOT}/`, '')}`),
    )
    const counts = countReport(read, status)
    if (counts.failed > 0 && failuresOf(read).length === 0)
      failures.push(`FAILED ${project}: an error outside of its tests, told above`)
    return counts
  },
})

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
async function runSuite(suite: Suite): Promise<Result> {
  console.log(`${suite.name} …`)
  const printed: string[] = []
  const started = performance.now()
  const counts = await suite.run((text) => {
    printed.push(text)
    for (const line of stripVTControlCharacters(text).split('\n'))
      if (TOLD.test(line)) console.log(`${suite.name}: ${line.trim()}`)
  })
  console.log(`\n── ${suite.name} ──\n${printed.join('')}`)
  return { name: suite.name, ...counts, seconds: (performance.now() - started) / 1000 }
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
const results = await runAll(
  SUITES.filter(({ name }) => (only.length === 0 ? VOLL || !WHOLE_RUN.includes(name) : only.includes(name))),
)

const total = sum(results)
console.log(`\n${tableOf(results)}`)
for (const line of [...failures, ...stillMissing]) console.log(line)
if (only.length > 0) console.log(`Nur ein Teil: ${only.join(', ')}`)
else if (!VOLL)
  console.log('Alles in jeder Länge, jede Regel auf beiden Datenbanken, und Keycloak: npm run test:voll')
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
