// Collects uncaught errors of views, handlers and promises since the page was loaded, for support calls. Kept
// only in memory and without secrets: queries, fragments and tokens are removed first.
import { useSyncExternalStore } from 'react'

export interface LoggedError {
  readonly id: number
  readonly message: string
  readonly stack: string
  /** Where it was caught. */
  readonly place: 'view' | 'window' | 'promise'
  readonly path: string
  readonly first: Date
  readonly last: Date
  readonly times: number
}

const MOST = 100
let entries: readonly LoggedError[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly LoggedError[]) {
  entries = next
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const currentErrors = (): readonly LoggedError[] => entries
export const useErrorLog = (): readonly LoggedError[] => useSyncExternalStore(subscribe, currentErrors)
export const clearErrors = () => set([])

/** Removes tokens, codes and the queries of addresses. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/\b[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '…')
    .replaceAll(/\bBearer\s+\S+/gi, 'Bearer …')
    .replaceAll(/([?#])[^\s:)'"]*/g, '$1…')
    .replaceAll(/\b(token|code|state|secret|password|passwort)=[^\s&)'"]+/gi, '$1=…')

/** Deliberately aborted requests, and a meaningless browser warning. */
const isNoise = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'AbortError') ||
  /ResizeObserver loop/.test(error instanceof Error ? error.message : String(error))

export function logError(error: unknown, place: LoggedError['place'], info = '', now = new Date()) {
  if (isNoise(error)) return
  const known = error instanceof Error
  const message = withoutSecrets(known ? `${error.name}: ${error.message}` : String(error)).slice(0, 500)
  const stack = withoutSecrets([known ? error.stack : '', info].filter(Boolean).join('\n')).slice(0, 4_000)
  const path = location.pathname
  const same = entries.find(
    (entry) => entry.message === message && entry.stack === stack && entry.path === path,
  )
  const entry = same
    ? { ...same, last: now, times: same.times + 1 }
    : { id: ++lastId, message, stack, place, path, first: now, last: now, times: 1 }
  set([entry, ...entries.filter((other) => other !== same)].slice(0, MOST))
}

export function watchErrors() {
  window.addEventListener('error', (event) => {
    // Without an error a file failed to load; the view that needed it reports that.
    if (event.error) logError(event.error, 'window')
  })
  window.addEventListener('unhandledrejection', (event) => logError(event.reason, 'promise'))
}
