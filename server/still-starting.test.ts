import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tellWhileStarting } from './still-starting.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('a long start is never silent for five seconds, a short one says nothing', async () => {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  let ready: (value: string) => void = () => undefined
  const told = tellWhileStarting(new Promise<string>((done) => (ready = done)), say)
  await vi.advanceTimersByTimeAsync(7_000)
  ready('bereit')
  expect(await told).toBe('bereit')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lines).toEqual(['Forstkontor startet noch (seit 3 s) …', 'Forstkontor startet noch (seit 6 s) …'])
  await tellWhileStarting(Promise.resolve(), say)
  expect(lines.length).toBe(2)
})
