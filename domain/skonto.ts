// Cash discount: the text that the e-invoice carries (BT-20) and the amounts that people read.

import type { Beleg, BelegSkonto, BelegSummen } from './beleg.ts'
import { compare, type Dezimal, dezimal, formatCents, formatEuro, formatZahl, percentOf, round2, roundTo, sign, subtract } from './geld.ts'
import { addDays, germanDay } from './tag.ts'

const byDays = (skonto: readonly BelegSkonto[]): BelegSkonto[] => skonto.toSorted((one, other) => one.tage - other.tage)

/**
 * XRechnung's extension of BT-20: a line per tier, point and two places, and a line feed after every last sign; without it the official rules refuse the whole.
 * Nothing else may stand in that field. Empty without tiers.
 */
export const skontoBt20 = (skonto: readonly BelegSkonto[]): string =>
  byDays(skonto)
    .map(({ tage, prozent }) => `#SKONTO#TAGE=${tage}#PROZENT=${formatCents(dezimal(prozent))}#\n`)
    .join('')

export interface SkontoStufe {
  readonly tage: number
  readonly prozent: string
  /** Last day on which it may be taken. */
  readonly bis: string
  readonly abzug: string
  readonly zahlbetrag: string
}

/** What of a document a discount is reckoned from. */
export type SkontoBasis = Pick<Beleg, 'skonto' | 'datum'> & { readonly summen: Pick<BelegSummen, 'zahlbetrag'> }

/** What is to be paid when: nothing for who has nothing to pay. */
export function skontoStufen({ skonto, datum, summen }: SkontoBasis): SkontoStufe[] {
  const payable = dezimal(summen.zahlbetrag)
  if (sign(payable) <= 0) return []
  return byDays(skonto).map(({ tage, prozent }) => {
    const abzug = round2(percentOf(payable, dezimal(prozent)))
    return {
      tage,
      prozent: formatCents(dezimal(prozent)),
      bis: addDays(datum, tage),
      abzug: formatCents(abzug),
      zahlbetrag: formatCents(subtract(payable, abzug)),
    }
  })
}

/** "Bei Zahlung bis 25.03.2026 abzüglich 2 % Skonto (76,73 €): 3.759,80 €". */
export const skontoText = ({ bis, prozent, abzug, zahlbetrag }: SkontoStufe): string =>
  `Bei Zahlung bis ${germanDay(bis)} abzüglich ${formatZahl(dezimal(prozent))}\u00A0% Skonto (${formatEuro(abzug)}): ${formatEuro(zahlbetrag)}`

/** What may be taken off on a day, for matching payments: the largest of the tiers that still run. */
export function skontoAt(beleg: SkontoBasis, day: string): Dezimal {
  const open = skontoStufen(beleg).filter(({ bis }) => day <= bis)
  return open.map(({ abzug }) => dezimal(abzug)).reduce((most, each) => (compare(each, most) > 0 ? each : most), roundTo(dezimal('0'), 2))
}
