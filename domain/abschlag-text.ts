// What letter and e-invoice say of advances and of corrections, in the same words.
import { restByRate } from './abschlag.ts'
import type { Beleg, BelegAbschlag, BelegAmount, BelegKind } from './beleg.ts'
import { germanDay } from './day.ts'
import { add, decimal, formatEuro, formatGerman } from './geld.ts'

export const BELEG_NAME: Readonly<Record<BelegKind, string>> = {
  rechnung: 'Rechnung',
  abschlag: 'Abschlagsrechnung',
  schluss: 'Schlussrechnung',
  storno: 'Stornorechnung',
  korrektur: 'Rechnungskorrektur',
  angebot: 'Angebot',
  mahnung: 'Mahnung',
}

/** § 31 (5) UStDV: which invoice is corrected, specifically and unambiguously. */
export const correctionHint = ({ art, bezug }: Beleg): string =>
  art !== 'korrektur' || bezug === null
    ? ''
    : `Rechnungskorrektur zur ${BELEG_NAME[bezug.art]} Nr. ${bezug.nummer} vom ${germanDay(bezug.datum)}`

/**
 * An advance invoice says that its supply is still to come, and when, or that this is not agreed yet
 * (§ 14 (5) sentence 1 UStG; UStAE 14.8 (4)).
 */
export function advanceHint({ art, le_date, le_date_bis }: Beleg): string {
  if (art !== 'abschlag') return ''
  const when =
    le_date === null
      ? 'Der Zeitpunkt der Leistung ist noch nicht vereinbart.'
      : le_date_bis === null || le_date_bis === le_date
        ? `Die Leistung wird voraussichtlich am oder ab dem ${germanDay(le_date)} ausgeführt.`
        : `Die Leistung wird voraussichtlich vom ${germanDay(le_date)} bis ${germanDay(le_date_bis)} ausgeführt.`
  return `Abschlag auf eine noch nicht ausgeführte Leistung. ${when}`
}

const rate = ({ kategorie, satz }: BelegAmount): string =>
  kategorie === 'S' ? `USt ${formatGerman(decimal(satz))} %` : 'ohne USt'
const amounts = (group: BelegAmount): string =>
  `netto ${formatEuro(group.basis)}, ${rate(group)} ${formatEuro(group.steuer)}, ` +
  `brutto ${formatEuro(add(decimal(group.basis), decimal(group.steuer)))}`

export const receivedDays = ({ zahlungen }: BelegAbschlag): string =>
  zahlungen.map(({ datum }) => germanDay(datum)).join(', ')

/** For the e-invoice, which has no field for the tax of an advance: one line each, and what is left by rate. */
export function takenOffText(beleg: Beleg): string {
  const { abschlaege = [] } = beleg
  if (abschlaege.length === 0) return ''
  return [
    'Abgesetzt sind die erhaltenen Abschläge mit ihrer Steuer (§ 14 Abs. 5 UStG):',
    ...abschlaege.map(
      (one) =>
        `Abschlagsrechnung ${one.nummer} vom ${germanDay(one.datum)}, erhalten am ${receivedDays(one)}: ` +
        one.steuern.map(amounts).join('; '),
    ),
    ...restByRate(beleg).map((group) => `Es verbleiben: ${amounts(group)}`),
  ].join('\n')
}
