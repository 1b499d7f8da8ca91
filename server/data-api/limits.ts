// How much one request may ask for.

export interface Limits {
  /** Bytes of a request body. */
  readonly bodyBytes: number
  /** Levels of brackets in a JSON body; checked before anything parses it. */
  readonly jsonDepth: number
  /** Bytes of the request target. */
  readonly urlBytes: number
  readonly filters: number
  /** Values of one in(…). */
  readonly inList: number
  /** Levels of and(…)/or(…). */
  readonly logicDepth: number
  /** Rows of one answer, at every level; a client cannot raise it. */
  readonly maxRows: number
  /** Milliseconds from the first byte to the answer. */
  readonly deadlineMs: number
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 1024 * 1024,
  jsonDepth: 32,
  urlBytes: 8 * 1024,
  filters: 50,
  inList: 1000,
  logicDepth: 5,
  maxRows: 10_000,
  deadlineMs: 30_000,
}
