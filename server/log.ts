// What every room may report to the operator. Tokens, passwords and personal fields are never logged. Each line
// names the request or the round of a job that it belongs to, and its trace.
import { note } from './observe.ts'
import { trailNow } from './trail.ts'

export interface Log {
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

const LEVELS = ['error', 'warn', 'info'] as const
export type Level = (typeof LEVELS)[number]

export interface LogOptions {
  /** `text`: for people at a terminal. */
  readonly format?: 'json' | 'text'
  /** The least important lines that are written. */
  readonly level?: Level
}

/** Writes one line per entry. */
export function createLog(
  write: (line: string) => void,
  now: () => Date,
  { format = 'json', level: least = 'info' }: LogOptions = {},
): Log {
  const written = new Set(LEVELS.slice(0, LEVELS.indexOf(least) + 1))
  const line =
    (level: Level) =>
    (message: string, facts: Record<string, unknown> = {}) => {
      note('log', level)
      if (!written.has(level)) return
      const time = now()
      write(
        format === 'text'
          ? textLine(time, level, message, facts)
          : JSON.stringify({ time: time.toISOString(), level, message, ...facts, ...trailNow() }),
      )
    }
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

const MARKS: Readonly<Record<Level, string>> = { info: ' ', warn: '!', error: '✗' }
// Nothing that could move the cursor, or begin a separate line.
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

function textLine(time: Date, level: Level, message: string, facts: Record<string, unknown>): string {
  const clock = time.toTimeString().slice(0, 8)
  const { request } = trailNow()
  const shown = Object.entries({ ...facts, ...(request !== undefined && { request }) })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return [clock, MARKS[level], message, ...shown].join(' ').replace(CONTROLS, ' ')
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }
