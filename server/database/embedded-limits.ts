// How much memory the embedded engine may take, and when it is given back.

const MB = 2 ** 20

/** Bytes of one answer to a request, where the operator names no other limit. */
export const ANSWER_DEFAULT = 32 * MB

/** Dumps and checks read in large pieces. */
export const OWNER_ANSWER = 64 * MB

/** Above this the engine is renewed as soon as a new one is loaded. */
export const RENEW_ABOVE = 512 * MB

/** An engine that grew by so much over its start is renewed when it has a quiet moment. */
export const GROWN = 64 * MB

/** An answer of so many bytes passes through five copies on its way: rows, their sum, its text, the message, and what doubling leaves behind. */
export const requestHeap = (maxAnswerBytes: number): number =>
  Math.max(RENEW_ABOVE, 256 * MB + 6 * maxAnswerBytes)
