// Trees by stand and by month, as pages and documents of KAWM show them.
import { TREES_PER_HA } from './kawm.ts'
import { addMonths } from './day.ts'

/** Classes of trees per hectare; from 'genug' on they meet the requirement of the grant. */
export const LEVELS = ['ohne', 'wenig', 'fast', 'genug', 'viel'] as const
export type Level = (typeof LEVELS)[number]

/** @param ha positive */
export const perHa = (trees: number, ha: number): number => trees / ha
export function levelOf(trees: number, ha: number): Level {
  const density = perHa(trees, ha)
  if (trees === 0) return 'ohne'
  if (density < TREES_PER_HA / 2) return 'wenig'
  if (density < TREES_PER_HA) return 'fast'
  return density < 2 * TREES_PER_HA ? 'genug' : 'viel'
}

/**
 * Trees a stand lacks to reach five per hectare. The grant requires them for the whole area, not for each
 * stand; this only shows where to look.
 */
export const missingInBestand = (trees: number, ha: number): number =>
  Math.max(0, Math.ceil((Math.round(ha * 10_000) * TREES_PER_HA) / 10_000) - trees)

export type Month = readonly [monat: string, erfasst: number, markiert: number]
export interface Course {
  /** Every month up to the last one, including those without anything. */
  readonly monate: readonly Month[]
  /** Sum of everything before them. */
  readonly earlier: readonly [erfasst: number, markiert: number]
}
/** The last `most` months up to `heute`, or up to the last month with an entry if that is later. */
export function courseOf(given: readonly Month[], today: string, most: number): Course {
  const [first] = given
  const last = given.at(-1)
  if (first === undefined || last === undefined) return { monate: [], earlier: [0, 0] }
  const end = last[0] > today.slice(0, 7) ? last[0] : today.slice(0, 7)
  const months: string[] = []
  for (
    let month = end;
    month >= first[0] && months.length < most;
    month = addMonths(`${month}-01`, -1).slice(0, 7)
  )
    months.unshift(month)
  const known = new Map(given.map(([month, ...counts]) => [month, counts]))
  const before = given.filter(([month]) => month < months[0]!)
  return {
    monate: months.map((month): Month => [month, ...(known.get(month) ?? ([0, 0] as const))]),
    earlier: [before.reduce((sum, [, n]) => sum + n, 0), before.reduce((sum, [, , n]) => sum + n, 0)],
  }
}
