// What every room may say to the operator. Tokens, passwords and personal fields never go in here.

export interface Log {
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

/** One line of JSON per entry on standard output, or nothing at all for tests. */
export function createLog(write: (line: string) => void, now: () => Date): Log {
  const line =
    (level: string) =>
    (message: string, facts: Record<string, unknown> = {}) =>
      write(JSON.stringify({ time: now().toISOString(), level, message, ...facts }))
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }
