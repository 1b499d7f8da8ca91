/** An error whose message is a sentence for people; every other error is shown as unexpected. */
export abstract class ToldError extends Error {
  /** Said to the support: the server's own word, and its number for the fault where it has one. */
  abstract readonly code: string
  abstract readonly origin: string | undefined
}
