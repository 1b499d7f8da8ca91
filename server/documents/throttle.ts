// Slows down networks that make many requests without signing in. Counted in this process: what it protects
// cannot be guessed in any number of attempts, so it only keeps one network from occupying the server.
import { subnetOf } from '#server/subnet.ts'

export interface Throttle {
  /** Counts a request; returns 0, or the seconds to wait before the next one. */
  admit(address: string): number
}

const WINDOW_MS = 60_000
/** More networks than this within a minute share one count. */
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
