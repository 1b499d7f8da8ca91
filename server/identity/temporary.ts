// What has to wait: the same request may succeed in a moment.
import {
  OutcomeUnknownFault,
  PoolTimeoutFault,
  ShareFault,
  UnavailableFault,
} from '#server/database/database.ts'
import { TooBusyRefusal } from './passwords.ts'

/** Seconds until another try, as Retry-After has them. */
export const WAIT_S = 30

/**
 * The database is away or full, those without an account ask too much of it, or too many passwords are checked at once.
 * A change of which nobody knows whether it was kept belongs here too: a renewal may be repeated, and a
 * person who begins again at worst signs in once more.
 */
export const isTemporary = (error: unknown): boolean =>
  [TooBusyRefusal, UnavailableFault, PoolTimeoutFault, ShareFault, OutcomeUnknownFault].some(
    (kind) => error instanceof kind,
  )

/** RFC 6749 knows this word for the authorization endpoint; the others have none for it. */
export const TEMPORARY = {
  error: 'temporarily_unavailable',
  error_description: 'try again in a moment',
} as const
