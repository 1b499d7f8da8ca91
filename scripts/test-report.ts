// Vitest's JSON report, which keeps silent about a failed hook (it leaves its tests out and names no reason)
// and about errors outside of tests.
import { JsonReporter, type SerializedError, type TestModule } from 'vitest/node'
import type { VitestReport } from './test-counts.ts'

/** The first error of the file itself or of a hook in one of its describes. */
function reasonOf(module: TestModule): string | undefined {
  const errors = [module, ...module.children.allSuites()].flatMap((one) => one.errors())
  return errors[0]?.message
}

export default class Report extends JsonReporter {
  #reasons = new Map<string, string | undefined>()
  #outside: readonly string[] = []

  override async onTestRunEnd(
    modules: readonly TestModule[],
    outside: readonly SerializedError[] = [],
  ): Promise<void> {
    this.#outside = outside.map(({ message }) => message)
    this.#reasons = new Map(modules.map((module) => [module.moduleId, reasonOf(module)]))
    await super.onTestRunEnd(modules)
  }

  override async writeReport(text: string): Promise<void> {
    const report = JSON.parse(text) as VitestReport
    const testResults = report.testResults.map((file) => ({
      ...file,
      message: this.#reasons.get(file.name) ?? file.message,
    }))
    await super.writeReport(JSON.stringify({ ...report, testResults, outside: this.#outside }))
  }
}
