// Reads that are refused for a while are made once more after the time that the server tells. Never writes: nobody knows what became of the first one.
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { ApiError } from './api-error.ts'

const TRANSIENT: ReadonlySet<string> = new Set(['unavailable', 'timeout'])
const ASKS_TO_WAIT: ReadonlySet<string> = new Set(['unavailable', 'timeout', 'too_many_requests'])
/** Asked to wait longer, the person decides. */
const LONGEST_MS = 30_000
const TOLD_TRIES = 2
const DELAY_MS = 800

/** In milliseconds; undefined: the server has not said, or too long. */
const told = (error: ApiError): number | undefined =>
  ASKS_TO_WAIT.has(error.code) && error.retryAfterMs !== undefined && error.retryAfterMs <= LONGEST_MS
    ? error.retryAfterMs
    : undefined

export const mayRetry = (failures: number, error: unknown): boolean =>
  error instanceof ApiError &&
  (told(error) === undefined ? TRANSIENT.has(error.code) && failures < 1 : failures < TOLD_TRIES)

/** Never all at the same moment: whoever was refused together would be so again. */
export const retryDelayMs = (error: unknown, random = Math.random()): number => {
  const asked = error instanceof ApiError ? told(error) : undefined
  return asked === undefined ? DELAY_MS : Math.max(DELAY_MS, asked) + Math.round(random * DELAY_MS)
}

/** Says that it goes on by itself, where there is something to wait for. Repeated, it is one notice. */
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
