// npm run check: static checks of the source, two at a time. Prints the output of those that fail, and one
// line for each of the others.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const bin = (path: string): string => join(ROOT, 'node_modules', path)

/** Longest first. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  lint: [bin('oxlint/bin/oxlint'), '--type-aware'],
  types: [bin('typescript/bin/tsc'), '-b'],
  unused: [bin('knip/bin/knip.js'), '--no-progress', '--cache', '--cache-location', '.cache/knip'],
  sql: [join(ROOT, 'scripts/format-sql.ts'), '--check'],
  format: [bin('@biomejs/biome/bin/biome'), 'format', '.'],
}
const AT_ONCE = 2

async function run(name: string, args: readonly string[]): Promise<boolean> {
  const started = performance.now()
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void printed.push(text))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (status !== 0) console.log(printed.join(''))
  return status === 0
}

const waiting = Object.entries(CHECKS)
let failed = false
async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
    // oxlint-disable-next-line no-await-in-loop -- each worker runs its checks one after another
    if (!(await run(...next))) failed = true
}
await Promise.all(Array.from({ length: AT_ONCE }, work))
process.exitCode = failed ? 1 : 0
