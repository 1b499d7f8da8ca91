// Slows down networks that make many requests without signing in. Counted in this process, before anything asks the
// database: what it protects cannot be guessed in any number of attempts, so it only keeps one network from occupying
// the server.
import { subnetOf } from './subnet.ts'

export interface Throttle {
  /** Counts a request; returns 0, or the seconds to wait before the next one. */
  admit(address: string): number
  /** Takes an admitted request off the count again. */
  giveBack(address: string): void
}

const WINDOW_MS = 60_000
/** More networks than this within a minute share one count. */
const MOST = 10_000

export function createThrottle(perMinute: number, now: () => Date): Throttle {
  let window = 0
  let counts = new Map<string, number>()
  const turn = (): number => {
    const time = now().getTime()
    if (Math.floor(time / WINDOW_MS) !== window) {
      window = Math.floor(time / WINDOW_MS)
      counts = new Map()
    }
    return Math.ceil((WINDOW_MS - (time % WINDOW_MS)) / 1000)
  }
  const keyOf = (address: string): string => {
    const net = subnetOf(address)
    return counts.has(net) || counts.size < MOST ? net : '…'
  }
  return {
    admit(address) {
      const rest = turn()
      const key = keyOf(address)
      const count = counts.get(key) ?? 0
      if (count >= perMinute) return rest
      counts.set(key, count + 1)
      return 0
    },
    giveBack(address) {
      turn()
      const key = keyOf(address)
      const count = counts.get(key) ?? 0
      if (count > 0) counts.set(key, count - 1)
    },
  }
}
