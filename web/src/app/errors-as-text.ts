import type { LoggedError } from './error-log.ts'

/** The log as text for an e-mail or chat with support, newest first. */
export function errorsAsText(list: readonly LoggedError[], about: readonly string[]): string {
  const parts = list.map(({ message, stack, path, first, last, times }) => {
    const when = times > 1 ? `${times} × ${first.toISOString()} … ${last.toISOString()}` : last.toISOString()
    return [
      `${when}  ${path}`,
      message,
      stack.includes(message) ? stack.split('\n').slice(1).join('\n') : stack,
    ]
      .filter(Boolean)
      .join('\n')
  })
  return [about.join('\n'), ...parts].join('\n\n')
}
