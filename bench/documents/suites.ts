// Runs the gates that are tests and counts their results for the table of figures.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Runs vitest and counts the tests whose full name matches. */
export function runSuite(args: readonly string[], matching = /./): Counts {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-suite-'))
  try {
    const file = join(folder, 'report.json')
    spawnSync(
      process.execPath,
      [
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...args,
        '--reporter=json',
        `--outputFile=${file}`,
      ],
      {
        cwd: ROOT,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
      testResults: { status: string; assertionResults: { fullName: string; status: string }[] }[]
    }
    const tests = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ fullName }) => matching.test(fullName))
    const count = (status: (of: string) => boolean) => tests.filter((one) => status(one.status)).length
    const brokenFiles = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    ).length
    return {
      passed: count((status) => status === 'passed'),
      failed: count((status) => status === 'failed') + brokenFiles,
      skipped: count((status) => status !== 'passed' && status !== 'failed'),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
