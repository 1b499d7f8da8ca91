// Work that holds much memory waits for its turn.
import { Refusal } from '#server/errors.ts'

interface Platz {
  readonly zugleich: number
  readonly wartend: number
}

/** So many at once, the others in the order in which they came; whoever goes away while waiting loses the place. */
export function schranke({ zugleich, wartend }: Platz) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(signal: AbortSignal, onWait: () => void, work: () => Promise<T>): Promise<T> => {
    if (running >= zugleich) {
      if (waiting.length >= wartend)
        throw new Refusal('unavailable', 'Zurzeit werden viele Berichte erstellt. Bitte versuchen Sie es in einigen Minuten noch einmal.')
      onWait()
      await new Promise<void>((resolve, reject) => {
        const go = () => {
          signal.removeEventListener('abort', gone)
          resolve()
        }
        const gone = () => {
          waiting.splice(waiting.indexOf(go), 1)
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', gone, { once: true })
        waiting.push(go)
      })
    }
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
