// Slows down whoever asks again and again without being signed in. Counted in this process: what is guarded by it cannot be guessed in any number of tries,
// so it only keeps one network from keeping the server busy.
import { subnetOf } from '#server/subnet.ts'

export interface Throttle {
  /** Counts a request; answers 0, or the seconds until the next one is welcome. */
  admit(address: string): number
}

const WINDOW_MS = 60_000
/** More networks than that within a minute are all one. */
const MOST = 10_000

export function createThrottle(perMinute: number, now: () => Date): Throttle {
  let window = 0
  let counts = new Map<string, number>()
  return {
    admit(address) {
      const time = now().getTime()
      if (Math.floor(time / WINDOW_MS) !== window) {
        window = Math.floor(time / WINDOW_MS)
        counts = new Map()
      }
      const net = subnetOf(address)
      const key = counts.has(net) || counts.size < MOST ? net : '…'
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count > perMinute ? Math.ceil((WINDOW_MS - (time % WINDOW_MS)) / 1000) : 0
    },
  }
}
