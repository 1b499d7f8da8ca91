// `npm run test:doors`: what other people's programs find here, part by part, on both engines where a part depends on
// them. The same tests are part of `npm test`, but for QGIS,
// LibreOffice and a client of OData from PyPI, which this command installs where it may.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countReport, type Counts, failuresOf, sum, tableOf, type VitestReport } from './test-counts.ts'
import { ensureTestTools } from './test-tools.ts'

const ROOT = join(import.meta.dirname, '..')
const REPORT = join(ROOT, 'build/test/doors.json')

/** Each with its project of vitest.config.ts and its files. */
const PARTS: readonly (readonly [name: string, project: 'sql' | 'e2e' | 'unit', ...files: string[]])[] = [
  ['reads', 'sql', 'server/data-api/dialect-read', 'server/data-api/dialect-bounds'],
  ['writes', 'sql', 'server/data-api/dialect-write', 'server/data-api/around'],
  ['client', 'sql', 'server/data-api/client'],
  ['alone', 'sql', 'server/data-api/main'],
  ['keys', 'sql', 'db/test/zugang', 'server/program-keys'],
  ['oauth', 'sql', 'server/identity/client-credentials', 'server/identity/device-flow'],
  ['ogc', 'sql', 'server/ogc'],
  ['cql2', 'unit', 'server/ogc'],
  ['imports', 'sql', 'server/imports'],
  ['documents', 'sql', 'test/openapi'],
  ['events', 'sql', 'db/test/ereignis', 'server/webhooks'],
  ['receivers', 'unit', 'server/webhooks'],
  ['odata', 'sql', 'server/odata'],
  ['$filter', 'unit', 'server/odata'],
  [
    'programs',
    'e2e',
    'e2e/doors',
    'e2e/ogr2ogr',
    'e2e/program-keys',
    'e2e/webhooks',
    'e2e/changes',
    'e2e/device',
    'e2e/connect',
  ],
]

function runPart(project: string, files: readonly string[]): { counts: Counts; failures: string[] } {
  rmSync(REPORT, { force: true })
  const { status } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project',
      project,
      ...files,
      `--reporter=${join(ROOT, 'scripts/test-report.ts')}`,
      `--outputFile.json=${REPORT}`,
    ],
    { cwd: ROOT, env: { ...process.env, BOTH_ENGINES: '1' }, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const report = existsSync(REPORT) ? (JSON.parse(readFileSync(REPORT, 'utf8')) as VitestReport) : undefined
  return { counts: countReport(report, status ?? 1), failures: failuresOf(report) }
}

mkdirSync(join(ROOT, 'build/test'), { recursive: true })
for (const missing of await ensureTestTools(true)) console.log(missing)
const results = PARTS.map(([name, project, ...files]) => {
  const started = performance.now()
  const { counts, failures } = runPart(project, files)
  for (const failure of failures) console.log(`FAILED ${failure}`)
  return { name, ...counts, seconds: (performance.now() - started) / 1000 }
})
const total = sum(results)
console.log(tableOf(results))
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
