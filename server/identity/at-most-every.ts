// One look at something that many ask for: forged key names may come by the thousand and cost a look every half second.

export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
}

export interface Pace {
  /** Between the beginnings of two looks. */
  readonly pauseMs: number
  /** Callers wait no longer than this. */
  readonly waitMs: number
  /** More than so many do not wait at all. */
  readonly mostWaiting: number
}

/** One look at a time. Each caller gets the answer of a look that began after they asked, so what was there when they asked is seen. */
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
    if (waiting >= mostWaiting) throw new TooManyWaiting(`more than ${mostWaiting} wait already`)
    waiting++
    next ??= plan()
    try {
      return await within(waitMs, next)
    } finally {
      waiting--
    }
  }
}

/** What the work answers, or a fault when it takes longer; the work goes on. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  })
  // Nobody may be left to hear of its failure.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
