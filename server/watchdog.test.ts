// Nothing a process does keeps it alive beyond its time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { offspringOf } from './offspring.ts'

const CHILD = join(import.meta.dirname, 'watchdog.child.ts')

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

for (const [way, what] of [
  ['blocked', 'a main thread that never turns'],
  ['exit', 'process.exit that waits for a thread in foreign code'],
] as const) {
  test(`${what} is ended, with the processes that it started`, { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [CHILD, '700', way], { stdio: ['ignore', 'pipe', 'inherit'] })
    const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const grandchild = Number(line.toString())
    expect(grandchild).toBeGreaterThan(1)
    const started = performance.now()
    expect((await gone)[1]).toBe('SIGKILL')
    expect(performance.now() - started).toBeLessThan(20_000)
    await expect.poll(() => runs(grandchild)).toBe(false)
  })
}

test('a watchdog whose parent is gone before it runs kills nobody', { timeout: 60_000 }, async () => {
  // In its own process, so that a watchdog that did kill would not hit this one.
  const child = spawn(process.execPath, [join(import.meta.dirname, 'watchdog-orphan.child.ts'), '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  expect(said.toString()).toBe('all alive')
  expect(await gone).toEqual([0, null])
})

test('the offspring of the first process of a system is nobody of ours', () =>
  expect(offspringOf(1)).toEqual([]))
