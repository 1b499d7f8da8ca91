// The rates of German turnover tax by the day of the supply. SQL has the same table (checks.rate_kind); both are
// tested with beleg-check.cases.json.
import { compare, decimal } from './geld.ts'

/** allgemein: for everyone · forst: average rates of farms and forest owners, § 24 (1) UStG. */
export type RateKind = 'allgemein' | 'forst'

interface TaxRate {
  readonly satz: string
  readonly kind: RateKind
  readonly from: string
  readonly to: string | null
}

/** Days before are not checked. */
const SINCE = '2007-01-01'

export const TAX_RATES: readonly TaxRate[] = [
  // § 12 (1) UStG; § 28 (1): 16 % in the second half of 2020.
  { satz: '19.00', kind: 'allgemein', from: SINCE, to: '2020-06-30' },
  { satz: '16.00', kind: 'allgemein', from: '2020-07-01', to: '2020-12-31' },
  { satz: '19.00', kind: 'allgemein', from: '2021-01-01', to: null },
  // § 12 (2) UStG; § 28 (2): 5 % in the second half of 2020.
  { satz: '7.00', kind: 'allgemein', from: SINCE, to: '2020-06-30' },
  { satz: '5.00', kind: 'allgemein', from: '2020-07-01', to: '2020-12-31' },
  { satz: '7.00', kind: 'allgemein', from: '2021-01-01', to: null },
  // § 24 (1) sentence 1 Nr. 1 UStG: forestry products except sawmill products.
  { satz: '5.50', kind: 'forst', from: SINCE, to: null },
  // § 24 (1) sentence 1 Nr. 3 UStG, and its changes of 2021, 2022 and 2024. From 2026 on a regulation may change
  // it (§ 24 (5) with annex 5).
  { satz: '10.70', kind: 'forst', from: SINCE, to: '2021-12-31' },
  { satz: '9.50', kind: 'forst', from: '2022-01-01', to: '2022-12-31' },
  { satz: '9.00', kind: 'forst', from: '2023-01-01', to: '2024-12-05' },
  { satz: '8.40', kind: 'forst', from: '2024-12-06', to: '2024-12-31' },
  { satz: '7.80', kind: 'forst', from: '2025-01-01', to: null },
]

/** Null if no law knows the rate on that day. */
export function rateKind(rate: string, day: string): RateKind | null {
  if (day < SINCE) return 'allgemein'
  const wanted = decimal(rate)
  const found = TAX_RATES.find(
    ({ satz, from, to }) => compare(decimal(satz), wanted) === 0 && from <= day && (to === null || day <= to),
  )
  return found?.kind ?? null
}
