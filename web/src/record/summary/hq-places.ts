import type { KundeBooks } from '#contract/summary.ts'

/** Where the rows of a holding's summary lead. */
export interface HqPlaces {
  /** A tab of the holding's page. */
  readonly tab: (name: string) => string
  /** The same with the dialog that links a person. */
  readonly connect: string
  readonly trees: string
  readonly tree: (id: number) => string
  readonly stands: string
  readonly standImport: string
  readonly grant: string
  /** The customer's. */
  readonly plans: string
  /** Those that are not paid, where this person finds them. */
  readonly unpaid: (sicht: KundeBooks['sicht']) => string
  readonly survey: string
}
