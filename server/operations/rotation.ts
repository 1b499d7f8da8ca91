// Which dumps are kept: the newest of each of the last days and of each of the last weeks that have one.
import type { Head } from '#server/anchors.ts'

const NAME = /^forstkontor-(\d{4}-\d{2}-\d{2})T(\d{2}-\d{2}-\d{2})Z(?:_\d+-[0-9a-f]{16})?\.gz$/

/** The name contains the head of the books, so that a copy elsewhere is an anchor (server/anchor-check.ts). */
export const dumpName = (time: Date, head: Head | null) =>
  `forstkontor-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z` +
  `${head === null ? '' : `_${head.nr}-${head.kopf.slice(0, 16)}`}.gz`

/** Files whose names are not those of our dumps are never touched. */
export function dumpsToDrop(names: readonly string[], keep: { daily: number; weekly: number }): string[] {
  const dumps = names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
  const newestOf = (period: (day: string) => string, count: number): string[] => {
    const found = new Map<string, string>()
    for (const name of dumps) {
      const key = period(NAME.exec(name)?.[1] ?? '')
      if (!found.has(key)) found.set(key, name)
    }
    return [...found.values()].slice(0, count)
  }
  const kept = new Set([...newestOf((day) => day, keep.daily), ...newestOf(mondayOf, keep.weekly)])
  return dumps.filter((name) => !kept.has(name))
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

/**
 * The next moment at which local clocks show `at` (HH:MM); on a day whose clock change
 * skips it, the moment after.
 */
export function nextRun(now: Date, at: string): Date {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const next = new Date(now)
  next.setHours(hours, minutes, 0, 0)
  if (next <= now) {
    next.setDate(next.getDate() + 1)
    next.setHours(hours, minutes, 0, 0)
  }
  return next
}

export function lastRun(now: Date, at: string): Date {
  const last = nextRun(now, at)
  last.setDate(last.getDate() - 1)
  return last
}
