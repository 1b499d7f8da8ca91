// Counts of a test run from Vitest's own report: only what ran is counted, and nothing that failed is left
// out.

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The part of Vitest's JSON report that is used here. */
export interface VitestReport {
  /** Messages of errors that belong to no test, such as a promise that nobody waited for. */
  readonly outside?: readonly string[]
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    /** Milliseconds since 1970. */
    readonly startTime?: number
    readonly endTime?: number
    /** Why the file or a hook of it failed, if it did. */
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName?: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 }

/**
 * A file that could not be loaded, an aborted run and a run without a report each count as one failure: none
 * of them names a test.
 */
export function countReport(report: VitestReport | undefined, exitStatus: number): Counts {
  if (report === undefined) return { ...NOTHING, failed: 1 }
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const file of report.testResults) {
    for (const { status } of file.assertionResults)
      counts[status === 'passed' ? 'passed' : status === 'failed' ? 'failed' : 'skipped']++
    if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'))
      counts.failed++
  }
  if (exitStatus !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}

/**
 * Each failed test with its file and the first line of its message, because some logs keep only the last
 * lines of a run.
 */
export function failuresOf(report: VitestReport | undefined): string[] {
  const outside = (report?.outside ?? []).map((message) => `outside of any test: ${message.split('\n')[0]}`)
  const inside = (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0) {
      const reason = message?.split('\n')[0] ?? ''
      return status === 'failed' ? [`${name}: the file broke off${reason && `: ${reason}`}`] : []
    }
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${name} > ${fullName ?? '?'}: ${failureMessages?.[0]?.split('\n')[0] ?? ''}`,
    )
  })
  return [...inside, ...outside]
}

/** Files with a failure, if they are few and all: with more, the fault is not the machine's. */
const MOST_AGAIN = 6
export function filesToTryAgain(report: VitestReport | undefined): string[] {
  const failed = (report?.testResults ?? []).filter(
    ({ status, assertionResults }) =>
      status === 'failed' || assertionResults.some((test) => test.status === 'failed'),
  )
  return failed.length > MOST_AGAIN || (report?.outside ?? []).length > 0
    ? []
    : failed.map(({ name }) => name)
}

/** The first report with the files that were tried again as they ended then. */
export const withSecondTry = (first: VitestReport, second: VitestReport): VitestReport => ({
  testResults: first.testResults.map(
    (file) => second.testResults.find(({ name }) => name === file.name) ?? file,
  ),
})

/** Journeys that passed only on the second attempt: something in them, or in the product, is a race. */
export function wobblyOf(report: VitestReport | undefined): string[] {
  return (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && (failureMessages?.length ?? 0) > 0)
      .map(
        ({ fullName, failureMessages }) =>
          `${name} > ${fullName ?? '?'}: ${failureMessages?.[0]?.split('\n')[0] ?? ''}`,
      ),
  )
}

export const sum = (all: readonly Counts[]): Counts =>
  all.reduce<Counts>(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    NOTHING,
  )

export function tableOf(
  results: readonly (Counts & { readonly name: string; readonly seconds: number })[],
): string {
  const row = (name: string, ...cells: readonly (string | number)[]) =>
    name.padEnd(10) + cells.map((cell) => String(cell).padStart(10)).join('')
  const lines = results.map((suite) =>
    row(suite.name, suite.passed, suite.failed, suite.skipped, suite.seconds.toFixed(1)),
  )
  return [row('Suite', 'passed', 'failed', 'skipped', 'seconds'), ...lines].join('\n')
}

/** The files that took longest, each with its seconds: where a shorter run would have to begin. */
export function longestOf(report: VitestReport | undefined, most: number): string[] {
  return (report?.testResults ?? [])
    .map(({ name, startTime = 0, endTime = 0 }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, most)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`)
}
