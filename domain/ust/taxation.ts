// Which consideration the turnover tax follows on a day: agreed (§ 16 (1) UStG) or received (§ 20). The same in SQL:
// books.is_by_received.
import { isDay } from '../day.ts'

export type Taxation = 'soll' | 'ist'
export interface TaxationChange {
  /** First day of a month. */
  readonly ab: string
  readonly art: Taxation
}
export interface TaxationSetting {
  /** Before the first change. */
  readonly besteuerung: Taxation
  readonly besteuerung_ab: readonly TaxationChange[]
}

/** Small business (§ 19 UStG), or taxed as usual. The same in SQL: books.is_small_business. */
export type BusinessSize = 'klein' | 'regel'

/** Something that changes on days; `first` holds before the first change. */
export interface Changing<Way extends string> {
  readonly first: Way
  readonly changes: readonly { readonly ab: string; readonly art: Way }[]
}
export function wayOn<Way extends string>({ first, changes }: Changing<Way>, day: string): Way {
  const last = changes.filter(({ ab }) => ab <= day).toSorted((a, b) => (a.ab < b.ab ? 1 : -1))[0]
  return last?.art ?? first
}
export const taxationOf = (setting: TaxationSetting): Changing<Taxation> => ({
  first: setting.besteuerung,
  changes: setting.besteuerung_ab,
})
export const taxationOn = (setting: TaxationSetting, day: string): Taxation => wayOn(taxationOf(setting), day)

/** Days of this century or the next. */
export const isChangeDay = (day: string): boolean => /^2[01]/.test(day) && isDay(day)
export const isFirstOfMonth = (day: string): boolean => isChangeDay(day) && day.endsWith('-01')
export type ChangeFault = 'tag' | 'doppelt' | 'gleich'
/** Each day once, and to something else than holds the day before. */
export function changeFault<Way extends string>(
  change: { readonly ab: string; readonly art: Way },
  changing: Changing<Way>,
  isPossible: (day: string) => boolean,
): ChangeFault | null {
  if (!isPossible(change.ab)) return 'tag'
  if (changing.changes.some(({ ab }) => ab === change.ab)) return 'doppelt'
  return wayOn(changing, change.ab) === change.art ? 'gleich' : null
}
