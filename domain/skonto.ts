// Cash discount: the text in the e-invoice (BT-20) and the amounts that people read.

import type { Beleg, BelegSkonto, BelegSums } from './beleg.ts'
import {
  compare,
  type Decimal,
  decimal,
  formatCents,
  formatEuro,
  formatGerman,
  percentOf,
  round2,
  roundTo,
  sign,
  subtract,
} from './geld.ts'
import { addDays, germanDay } from './day.ts'

const byDays = (skonto: readonly BelegSkonto[]): BelegSkonto[] =>
  skonto.toSorted((one, other) => one.tage - other.tage)

/**
 * XRechnung's extension of BT-20: one line per tier, decimal point with two places, and a line feed after
 * every line, without which the official rules refuse the invoice. The field must not contain anything else.
 * Empty without tiers.
 */
export const skontoBt20 = (skonto: readonly BelegSkonto[]): string =>
  byDays(skonto)
    .map(({ tage, prozent }) => `#SKONTO#TAGE=${tage}#PROZENT=${formatCents(decimal(prozent))}#\n`)
    .join('')

const BT20 = /#SKONTO#TAGE=(\d{1,3})#PROZENT=(\d{1,2}(?:\.\d{1,2})?)#[ \t]*$/gm
/** The tiers that a received invoice's terms of payment (BT-20) name; tiers of a part of the amount are left out. */
export const readSkonto = (bt20: string): BelegSkonto[] =>
  [...bt20.matchAll(BT20)]
    .map(([, days = '', percent = '']) => ({ tage: Number(days), prozent: formatCents(decimal(percent)) }))
    .filter(({ prozent }) => sign(decimal(prozent)) > 0)

export interface SkontoTier {
  readonly tage: number
  readonly prozent: string
  /** Last day on which the discount applies. */
  readonly bis: string
  readonly deduction: string
  readonly zahlbetrag: string
}

/** What a discount is computed from. */
export type SkontoBasis = Pick<Beleg, 'skonto' | 'datum'> & { readonly summen: Pick<BelegSums, 'zahlbetrag'> }

/** What is to be paid by when; empty if nothing is to be paid. */
export function skontoTiers({ skonto, datum, summen }: SkontoBasis): SkontoTier[] {
  const payable = decimal(summen.zahlbetrag)
  if (sign(payable) <= 0) return []
  return byDays(skonto).map(({ tage, prozent }) => {
    const deduction = round2(percentOf(payable, decimal(prozent)))
    return {
      tage,
      prozent: formatCents(decimal(prozent)),
      bis: addDays(datum, tage),
      deduction: formatCents(deduction),
      zahlbetrag: formatCents(subtract(payable, deduction)),
    }
  })
}

/** "Bei Zahlung bis 25.03.2026 abzüglich 2 % Skonto (76,73 €): 3.759,80 €". */
export const skontoText = ({ bis, prozent, deduction, zahlbetrag }: SkontoTier): string =>
  `Bei Zahlung bis ${germanDay(bis)} abzüglich ${formatGerman(decimal(prozent))}\u00A0% Skonto ` +
  `(${formatEuro(deduction)}): ${formatEuro(zahlbetrag)}`

/**
 * The discount that applies on a day, for matching payments: the largest of the tiers that are still open.
 */
export function skontoAt(beleg: SkontoBasis, day: string): Decimal {
  const open = skontoTiers(beleg).filter(({ bis }) => day <= bis)
  return open
    .map(({ deduction }) => decimal(deduction))
    .reduce((most, each) => (compare(each, most) > 0 ? each : most), roundTo(decimal('0'), 2))
}
