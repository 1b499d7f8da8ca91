// Runs each bench in its short form from its start to its table, so that none breaks unnoticed. Half of them in
// each of two files, which run side by side.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isToday, VOLL } from '../test/extent.ts'
import type { Figure } from './figures.ts'

export const BENCHES = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .map((file) => /^(\w+)\/bench-\1\.ts$/.exec(file)?.[1])
  .filter((name) => name !== undefined)
  .toSorted()
/**
 * Without the variables that mark a test run: with them, browsers would be kept for the next test. Servers get
 * copies of the tests' sample in PostgreSQL (e2e/app.ts), unless their bench is about the embedded engine or a
 * folder.
 */
const ENV = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV'),
)

/** Of a bench that measures both engines one runs, the other one the day after; in the full run both. */
const enginesOf = (name: string): Readonly<Record<string, string>> =>
  VOLL ? {} : { ENGINES: isToday(BENCHES.indexOf(name), 2) ? 'postgres' : 'embedded' }

/** Returns the exit code and the output. */
async function run(name: string): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, name, `bench-${name}.ts`)], {
    env: { ...ENV, SHORT: '1', ...enginesOf(name) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, printed }
}

/** A test for each bench: it ends well and has printed what it measured. */
export const runShort = (names: readonly string[]): void =>
  describe.each(names)('bench:%s', (name) => {
    test('runs in its short form', { timeout: 900_000 }, async () => {
      const file = join(import.meta.dirname, 'out', `${name}.short.json`)
      rmSync(file, { force: true })
      const { code, printed } = await run(name)
      expect(code, printed).toBe(0)
      const figures = JSON.parse(readFileSync(file, 'utf8')) as Figure[]
      expect(figures.length).toBeGreaterThan(2)
      for (const { figure, measured, unit } of figures) {
        expect(printed).toContain(figure)
        expect([typeof measured, typeof unit]).toEqual(['number', 'string'])
      }
    })
  })
