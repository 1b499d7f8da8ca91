// Which consideration the turnover tax follows on a day: agreed (§ 16 (1) UStG) or received (§ 20). The same in SQL:
// books.is_by_received.

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

export function taxationOn({ besteuerung, besteuerung_ab }: TaxationSetting, day: string): Taxation {
  const last = besteuerung_ab.filter(({ ab }) => ab <= day).toSorted((a, b) => (a.ab < b.ab ? 1 : -1))[0]
  return last?.art ?? besteuerung
}

export type TaxationFault = 'monat' | 'doppelt' | 'gleich'
/** Months only, each once, and to something else than holds the day before. */
export function taxationFault(change: TaxationChange, setting: TaxationSetting): TaxationFault | null {
  if (!/^2[01]\d\d-(?:0[1-9]|1[0-2])-01$/.test(change.ab)) return 'monat'
  if (setting.besteuerung_ab.some(({ ab }) => ab === change.ab)) return 'doppelt'
  return taxationOn(setting, change.ab) === change.art ? 'gleich' : null
}
