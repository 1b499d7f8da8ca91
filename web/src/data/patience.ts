// Retries temporarily refused reads after the delay that the server asks for. Writes are repeated by the client, with
// a key that keeps them from being done twice (client.ts).
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { ApiError } from './api-error.ts'

const TRANSIENT: ReadonlySet<string> = new Set(['unavailable', 'timeout'])
const ASKS_TO_WAIT: ReadonlySet<string> = new Set(['unavailable', 'timeout', 'too_many_requests'])
/** If the server asks for a longer wait, it is up to the user to retry. */
const LONGEST_MS = 30_000
const TOLD_TRIES = 2
const DELAY_MS = 800

/** The requested wait in milliseconds; undefined if the server named none or one that is too long. */
const told = (error: ApiError): number | undefined =>
  ASKS_TO_WAIT.has(error.code) && error.retryAfterMs !== undefined && error.retryAfterMs <= LONGEST_MS
    ? error.retryAfterMs
    : undefined

export const mayRetry = (failures: number, error: unknown): boolean =>
  error instanceof ApiError &&
  (told(error) === undefined ? TRANSIENT.has(error.code) && failures < 1 : failures < TOLD_TRIES)

/** Adds jitter: calls that were refused together would otherwise collide again. */
export const retryDelayMs = (error: unknown, random = Math.random()): number => {
  const asked = error instanceof ApiError ? told(error) : undefined
  return asked === undefined ? DELAY_MS : Math.max(DELAY_MS, asked) + Math.round(random * DELAY_MS)
}

/**
 * Shows that the read will be retried, if the server asked for a wait. Repeated calls show a single notice.
 */
export function tellWaiting(error: unknown): void {
  const asked = error instanceof ApiError ? told(error) : undefined
  if (asked === undefined) return
  const seconds = Math.ceil(asked / 1000)
  toast.info(
    seconds <= 3
      ? t('Der Server hat gerade viel zu tun. Es wird gleich noch einmal versucht.')
      : t('Der Server hat gerade viel zu tun. In {n} Sekunden wird es noch einmal versucht.', { n: seconds }),
  )
}
