// Lines for people and lines for programs; what else writes into a stream that has become JSON.
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { openOutputs } from './outputs.ts'
import { startConfined } from './reader/confined.ts'
import { beginTrail, onJobTrail, onTrailOf, traceOf } from './trail.ts'

const NOW = () => new Date('2026-11-28T10:00:00Z')

function written(format: 'json' | 'text', level: 'info' | 'warn' | 'error' = 'info') {
  const lines: string[] = []
  return { lines, log: createLog((line) => lines.push(line), NOW, { format, level }) }
}

test('a line of JSON names its request and trace, or its job and round', async () => {
  const { lines, log } = written('json')
  const request = {}
  await new Promise<void>((resolve) => beginTrail(request, { request: 'r-1', trace: 'abc' }, resolve))
  onTrailOf(request, () => log.warn('in a request', { count: 2 }))
  await onJobTrail('upkeep', async () => {
    await Promise.resolve()
    log.info('in a job')
  })
  log.info('outside')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: NOW().toISOString(),
      level: 'warn',
      message: 'in a request',
      count: 2,
      request: 'r-1',
      trace: 'abc',
    },
    {
      time: NOW().toISOString(),
      level: 'info',
      message: 'in a job',
      job: 'upkeep',
      round: expect.any(String),
    },
    { time: NOW().toISOString(), level: 'info', message: 'outside' },
  ])
})
test('a line for people is one line, whatever is in it', () => {
  const { lines, log } = written('text')
  log.error('mail could not be sent', { reason: 'no\n\u001b[2Jline\u2028', tries: 3, nothing: undefined })
  expect(lines).toEqual([
    `${NOW().toTimeString().slice(0, 8)} ✗ mail could not be sent reason=no [2Jline  tries=3`,
  ])
})
test('what is less important is left out', () => {
  const { lines, log } = written('json', 'warn')
  log.info('a')
  log.warn('b')
  log.error('c')
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['b', 'c'])
})
test.each([
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '0af7651916cd43dd8448eb211c80319c'],
  ['01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', '0af7651916cd43dd8448eb211c80319c'],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', null],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01', null],
  ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', null],
  ['{"level":"error"}', null],
  [undefined, null],
  [['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'], null],
])('trace of %s: %s', (header, trace) => expect(traceOf(header)).toBe(trace))

test('with LOG_FORMAT=json whatever is written becomes lines of JSON', async () => {
  const lines: string[] = []
  const stream = () => ({
    isTTY: true,
    write: vi.fn((text: string | Uint8Array) => lines.push(String(text)) > 0),
  })
  const streams = { stdout: stream(), stderr: stream() }
  const before = { warning: process.listeners('warning'), fault: process.listeners('uncaughtException') }
  try {
    const { isJson, say } = openOutputs({ LOG_FORMAT: 'json', LOG_LEVEL: 'info' }, streams)
    expect(isJson).toBe(true)
    say('Passwort für alle: geheim')
    streams.stdout.write('two\nlines\n')
    streams.stderr.write(new TextEncoder().encode('a fault "quoted"'))
    process.emitWarning('something is old', 'DeprecationWarning')
    await new Promise((resolve) => setImmediate(resolve))
  } finally {
    process.removeAllListeners('warning').removeAllListeners('uncaughtException')
    for (const listener of before.warning) process.on('warning', listener)
    for (const listener of before.fault) process.on('uncaughtException', listener)
  }
  expect(lines.every((line) => line.endsWith('}\n'))).toBe(true)
  expect(lines.map((line) => JSON.parse(line)).map(({ level, message }) => [level, message])).toEqual([
    ['info', 'two'],
    ['info', 'lines'],
    ['warn', 'a fault "quoted"'],
    ['warn', 'warning of Node'],
  ])
})
test('on a terminal they are for people, elsewhere JSON', () => {
  const lines: string[] = []
  const stream = (isTTY: boolean) => ({
    isTTY,
    write: (text: string | Uint8Array) => lines.push(String(text)) > 0,
  })
  for (const isTTY of [true, false])
    openOutputs(
      { LOG_FORMAT: undefined, LOG_LEVEL: 'info' },
      { stdout: stream(isTTY), stderr: stream(isTTY) },
    ).log.info('a')
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {3}a\n$/)
  expect(JSON.parse(lines[1]!)).toMatchObject({ message: 'a' })
})

test('what a reading process writes goes where our own faults go, with the request, and not without end', async () => {
  const { lines, log } = written('json')
  let bytes = 0
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    bytes += String(chunk).length
    log.warn(String(chunk).slice(0, 30))
    return true
  })
  try {
    await new Promise<void>((resolve, reject) =>
      beginTrail({}, { request: 'r-2' }, () => {
        const child = startConfined(new URL('./reader/stderr.child.ts', import.meta.url), {
          memoryBytes: 2 ** 29,
          cpuMs: 10_000,
          talk: 'json',
        })
        once(child, 'close').then(() => resolve(), reject)
      }),
    )
  } finally {
    write.mockRestore()
  }
  expect(JSON.parse(lines[0]!)).toMatchObject({
    message: expect.stringMatching(/^decoder: strange byte/),
    request: 'r-2',
  })
  expect(bytes).toBeLessThanOrEqual(16_384)
})
