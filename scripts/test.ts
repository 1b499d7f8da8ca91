// `npm test`: what must hold, two suites beside each other, then a table and one line that adds up. `npm run
// test:voll` (--voll): all of it, at any length.
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

// Read by vitest.config.ts and the tests: test/extent.ts.
const VOLL = process.argv.includes('--voll')
if (VOLL) process.env['VOLL'] = '1'

const ROOT = join(import.meta.dirname, '..')
const REPORTS = join(ROOT, 'build/test')
const bin = (path: string): string => join(ROOT, 'node_modules', path)

/** What failed, and what passed only when it was tried again. */
const failures: string[] = []

/** What a run writes beside the clone is 2 GB at most, and this much is to be left to the machine. */
const ROOMY = 10 * 2 ** 30

/**
 * In memory where there is room: hundreds of databases are made and dropped, each of a thousand files. At
 * length it is the disk's turn.
 */
function findTemporary(): string {
  const memory = '/dev/shm'
  if (VOLL || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, freemem()) > ROOMY ? memory : tmpdir()
}

/** What suites write beside the clone goes with the run. PostgreSQL's own user works in it too. */
const TEMPORARY = mkdtempSync(join(findTemporary(), 'forstkontor-test-'))
chmodSync(TEMPORARY, 0o755)
process.once('exit', () => rmSync(TEMPORARY, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

interface Suite {
  readonly name: string
  run(out: (text: string) => void): Promise<Counts>
}

/** The pinned Node runs everything, whatever Node started this. */
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

/** A project of vitest.config.ts, or a configuration of its own. */
const vitest = (project: string, selection: readonly string[] = ['--project', project]): Suite => ({
  name: project,
  run: async (out) => {
    const file = join(REPORTS, `${project}.json`)
    rmSync(file, { force: true })
    const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
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
 * Two at once, each the next that waits: a suite waits a third of its time, for browsers, for other
 * processes, for the disk. Three at once are too many for tests that measure time. What is over soon comes
 * first, then the longest.
 */
const SUITES: readonly Suite[] = [
  check('format', bin('@biomejs/biome/bin/biome'), 'format', '.'),
  check('lint', bin('oxlint/bin/oxlint'), '--type-aware'),
  check('types', bin('typescript/bin/tsc'), '-b'),
  vitest('sql'),
  vitest('e2e'),
  vitest('bench'),
  vitest('unit'),
  vitest('built'),
  // The official rules of the e-invoice; where Maven Central or Java is missing they are skipped, and counted
  // as skipped, and our own reckoning alone is left.
  vitest('einvoice', ['--config', 'test/einvoice/vitest.config.ts']),
  // A real Keycloak; where Maven Central or Java is missing its tests are skipped, and counted as skipped.
  vitest('keycloak', ['--config', 'keycloak/vitest.config.ts']),
]
const AT_ONCE = 2
/** Suites of the whole run, unless they are asked for. */
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

/** What fails is told at once. */
const TOLD = /^\s*[×✗] /u

/** What a suite prints comes as one block, so that two do not mix. */
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
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      results.push(await runSuite(suite))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runNext))
  return suites.flatMap(({ name }) => results.filter((result) => result.name === name))
}

mkdirSync(REPORTS, { recursive: true })
const stillMissing = ensureTestTools()
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
