// Shares one look at something among many who ask for it: thousands of forged key names cost only one look
// every half second.

export class TooManyWaitingError extends Error {
  override readonly name = 'TooManyWaitingError'
}

export interface Pace {
  /** Between the starts of two looks. */
  readonly pauseMs: number
  /** Callers wait at most this long. */
  readonly waitMs: number
  /** Further callers are refused at once. */
  readonly mostWaiting: number
}

/**
 * One look at a time. Each caller gets the answer of a look that began after they asked, so it includes
 * everything that existed then.
 */
export function atMostEvery<T>(
  { pauseMs, waitMs, mostWaiting }: Pace,
  look: () => Promise<T>,
): () => Promise<T> {
  let begun = Number.NEGATIVE_INFINITY
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  let waiting = 0

  const plan = async (): Promise<T> => {
    await running.catch(() => undefined)
    const pause = begun + pauseMs - performance.now()
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    begun = performance.now()
    next = null
    const answer = look()
    running = answer
    return answer
  }
  return async () => {
    if (waiting >= mostWaiting) throw new TooManyWaitingError(`more than ${mostWaiting} wait already`)
    waiting++
    next ??= plan()
    try {
      return await within(waitMs, next)
    } finally {
      waiting--
    }
  }
}

/** Resolves with what `work` resolves with; rejects if it takes longer, and the work goes on. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  })
  // Prevents an unhandled rejection if it fails after the time is over.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
