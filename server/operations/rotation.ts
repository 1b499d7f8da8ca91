// Which dumps are kept: the newest of each of the last days and of each of the last weeks that have one. Those that
// could not be proved are counted apart.
import type { Head } from '#server/anchors.ts'

const UNPROVED = 'ungeprueft-'
const NAME =
  /^(?:ungeprueft-)?forstkontor-((\d{4}-\d{2}-\d{2})T\d{2}-\d{2}-\d{2}Z)(?:_\d+-[0-9a-f]{16})?\.gz$/
const timeOf = (name: string): string => NAME.exec(name)?.[1] ?? ''
const dayOf = (name: string): string => NAME.exec(name)?.[2] ?? ''

/** The name contains the head of the books, so that a copy elsewhere is an anchor (server/anchor-check.ts). */
export const dumpName = (time: Date, head: Head | null) =>
  `forstkontor-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z` +
  `${head === null ? '' : `_${head.nr}-${head.kopf.slice(0, 16)}`}.gz`

/** Still contains the head. */
export const unprovedName = (name: string) => `${UNPROVED}${name}`

interface Keep {
  readonly daily: number
  readonly weekly: number
}

/**
 * Files whose names are not those of our dumps are never touched. One that is not proved goes as soon as every proved
 * one that stays is newer.
 */
export function dumpsToDrop(names: readonly string[], keep: Keep): string[] {
  const dumps = names.filter((name) => NAME.test(name))
  const proved = dumps.filter((name) => !name.startsWith(UNPROVED))
  const unproved = dumps.filter((name) => name.startsWith(UNPROVED))
  const stays = newest(proved, keep)
  const oldest = [...stays].map(timeOf).sort()[0] ?? ''
  const staysUnproved = newest(unproved, keep)
  return [
    ...proved.filter((name) => !stays.has(name)),
    ...unproved.filter((name) => !staysUnproved.has(name) || timeOf(name) < oldest),
  ]
}

function newest(dumps: readonly string[], keep: Keep): Set<string> {
  const newestFirst = dumps.toSorted().reverse()
  const newestOf = (period: (day: string) => string, count: number): string[] => {
    const found = new Map<string, string>()
    for (const name of newestFirst) {
      const key = period(dayOf(name))
      if (!found.has(key)) found.set(key, name)
    }
    return [...found.values()].slice(0, count)
  }
  return new Set([...newestOf((day) => day, keep.daily), ...newestOf(mondayOf, keep.weekly)])
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
