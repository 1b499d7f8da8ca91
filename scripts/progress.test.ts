import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { withProgress } from './progress.mjs'

describe('long steps', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  /** Lines with the second in which they were written. */
  function listen() {
    const began = performance.now()
    const lines: { readonly at: number; readonly text: string }[] = []
    const say = (text: string) => void lines.push({ at: (performance.now() - began) / 1000, text })
    const silences = (until: number) =>
      [...lines.map(({ at }) => at), until].map((at, nr) => at - (lines[nr - 1]?.at ?? 0))
    return { lines, say, silences }
  }

  test('a slow process is never silent for five seconds, and says how long it usually takes', async () => {
    const { lines, say, silences } = listen()
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const step = withProgress({ title: 'installiere die Pakete', expected: 25, say }, async () => {
      await once(child, 'close')
    })
    await vi.advanceTimersByTimeAsync(31_000)
    child.stdin.end()
    await step
    expect(Math.max(...silences(31))).toBeLessThan(5)
    expect(lines.map(({ text }) => text)).toEqual([
      'Forstkontor: installiere die Pakete … (etwa 25 s)',
      ...[3, 6, 9, 12, 15, 18, 21, 24, 27, 30].map(
        (at) => `Forstkontor: noch dabei: installiere die Pakete (${at} s von etwa 25 s)`,
      ),
      'Forstkontor: installiere die Pakete … fertig (31.0 s)',
    ])
    // Nothing goes on afterwards.
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lines.length).toBe(12)
  })

  test('steps beside each other share their lines, and the silence counts from the last of them', async () => {
    const { lines, say, silences } = listen()
    let end: () => void = () => undefined
    const first = withProgress(
      { title: 'eins', expected: 5, say },
      () => new Promise<void>((done) => (end = done)),
    )
    await vi.advanceTimersByTimeAsync(2_000)
    const second = withProgress({ title: 'zwei', expected: 9, say }, async () => {
      await first
      throw new Error('kein Platz')
    })
    const refused = expect(second).rejects.toThrow('kein Platz')
    await vi.advanceTimersByTimeAsync(7_000)
    end()
    await refused
    expect(Math.max(...silences(9))).toBeLessThan(5)
    expect(lines.map(({ text }) => text).slice(1)).toEqual([
      'Forstkontor: zwei … (etwa 9 s)',
      'Forstkontor: noch dabei: eins (5 s von etwa 5 s), zwei (3 s von etwa 9 s)',
      'Forstkontor: noch dabei: eins (8 s von etwa 5 s), zwei (6 s von etwa 9 s)',
      'Forstkontor: eins … fertig (9.0 s)',
      'Forstkontor: zwei … fehlgeschlagen (7.0 s)',
    ])
  })

  // A process that is waited for in the thread of the clock keeps every line back.
  test.each(['ensure.mjs', 'build.ts', 'test-tools.ts'])('%s waits for nothing long without it', (file) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    const quick = /spawnSync\('pdftotext'|PINNED_NODE, \[join\(ROOT, 'scripts\/build\.ts'\)/
    expect(
      source.split('\n').filter((line) => /(?:spawn|exec)(?:File)?Sync\(/.test(line) && !quick.test(line)),
    ).toEqual([])
    expect(source).toContain('withProgress(')
  })
})
