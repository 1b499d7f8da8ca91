/** An error whose message can be shown to users; all others are shown as unexpected. */
export abstract class ToldError extends Error {
  /** Shown for support: our error code and, if there is one, the server's own. */
  abstract readonly code: string
  abstract readonly origin: string | undefined
}

/** What was asked for is not possible now; the sentence says why. */
export class NotNow extends ToldError {
  readonly code = 'not_now'
  readonly origin = undefined
}
