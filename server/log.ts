// What every room may report to the operator. Tokens, passwords and personal fields are never logged.

export interface Log {
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

/** Writes one line of JSON per entry. */
export function createLog(write: (line: string) => void, now: () => Date): Log {
  const line =
    (level: string) =>
    (message: string, facts: Record<string, unknown> = {}) =>
      write(JSON.stringify({ time: now().toISOString(), level, message, ...facts }))
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }
