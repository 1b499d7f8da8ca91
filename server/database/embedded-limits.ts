// Memory limits of the embedded engine, and when memory is given back.

const MB = 2 ** 20

/** Bytes of one answer to a request, unless the operator sets another limit. */
export const ANSWER_DEFAULT = 32 * MB

/** Bytes of one answer to the owner, because dumps and checks read in large pieces. */
export const OWNER_ANSWER = 64 * MB

/** Above this the engine is replaced as soon as a new one is loaded. */
export const RENEW_ABOVE = 512 * MB

/** An engine that has grown by this much since its start is replaced at a quiet moment. */
export const GROWN = 64 * MB

/**
 * An answer passes through five copies on its way: the rows, their aggregate, its text, the message, and what
 * doubling buffers leaves behind.
 */
export const requestHeap = (maxAnswerBytes: number): number =>
  Math.max(RENEW_ABOVE, 256 * MB + 6 * maxAnswerBytes)
