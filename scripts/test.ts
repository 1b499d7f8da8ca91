// `npm test`: everything that must hold, one suite after the other, then a table and one line that adds up.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureTestTools } from './test-tools.ts'
import { countReport, type Counts, NOTHING, sum, tableOf, type VitestReport } from './test-counts.ts'

const ROOT = join(import.meta.dirname, '..')
const REPORTS = join(ROOT, 'build/test')
const bin = (path: string): string => join(ROOT, 'node_modules', path)

interface Suite {
  readonly name: string
  run(): Counts
}

/** The pinned Node runs everything, whatever Node started this. */
const runNode = (args: readonly string[]): number => spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1

/** A check without single tests counts as one. */
const check = (name: string, ...args: string[]): Suite => ({
  name,
  run: () => (runNode(args) === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 }),
})

/** A project of vitest.config.ts, or a configuration of its own. */
const vitest = (project: string, selection: readonly string[] = ['--project', project]): Suite => ({
  name: project,
  run: () => {
    const file = join(REPORTS, `${project}.json`)
    rmSync(file, { force: true })
    const status = runNode([
      bin('vitest/vitest.mjs'),
      'run',
      ...selection,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ])
    return countReport(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined, status)
  },
})

const SUITES: readonly Suite[] = [
  check('format', bin('@biomejs/biome/bin/biome'), 'format', '.'),
  check('lint', bin('oxlint/bin/oxlint'), '--type-aware'),
  check('types', bin('typescript/bin/tsc'), '-b'),
  vitest('unit'),
  vitest('sql'),
  vitest('built'),
  vitest('e2e'),
  // The official rules of the e-invoice; where Maven Central or Java is missing they are skipped, and counted as skipped, and our own reckoning alone is left.
  vitest('einvoice', ['--config', 'test/einvoice/vitest.config.ts']),
  // A real Keycloak; where Maven Central or Java is missing its tests are skipped, and counted as skipped.
  vitest('keycloak', ['--config', 'keycloak/vitest.config.ts']),
]

const only = process.argv.slice(2).flatMap((argument) => argument.split(','))
const unknown = only.filter((name) => !SUITES.some((suite) => suite.name === name))
if (unknown.length > 0) {
  console.error(`Unbekannt: ${unknown.join(', ')}. Es gibt: ${SUITES.map((suite) => suite.name).join(', ')}`)
  process.exit(2)
}

mkdirSync(REPORTS, { recursive: true })
const stillMissing = ensureTestTools()
const results = SUITES.filter((suite) => only.length === 0 || only.includes(suite.name)).map((suite) => {
  console.log(`\n── ${suite.name} ──`)
  const started = performance.now()
  return { name: suite.name, ...suite.run(), seconds: (performance.now() - started) / 1000 }
})

const total = sum(results)
console.log(`\n${tableOf(results)}`)
for (const line of stillMissing) console.log(line)
if (only.length > 0) console.log(`Nur ein Teil: ${only.join(', ')}`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
