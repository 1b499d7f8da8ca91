// Corrections of an issued invoice: what a line can still give back, and the sums of what is taken back. SQL has the
// same rules (books.korrektur_line, books.korrektur_sums); both are tested with korrektur.cases.json.
import type { BelegPosition, BelegSums, BelegTax } from './beleg.ts'
import {
  absolute,
  compare,
  type Decimal,
  decimal,
  divide,
  formatCents,
  isEqual,
  multiply,
  NULL,
  negateText,
  add,
  ROUNDING,
  sign,
  subtract,
  sum,
} from './geld.ts'
import { positionAmount } from './rechnung.ts'

/**
 * How a line is corrected: a quantity at its price (or its share of what a lower one has left), a lower price of all
 * that is left, or a net amount.
 */
export type KorrekturWay = 'menge' | 'preis' | 'betrag'
export type KorrekturFault = 'korrektur_null' | 'korrektur_menge' | 'korrektur_preis' | 'korrektur_betrag'

/** A line of the original, and what is left of it without its sign. */
export interface KorrekturRest
  extends Pick<BelegPosition, 'anzahl' | 'einheit' | 'ep' | 'rabatt_prozent' | 'betrag'> {
  readonly rest_menge: string
  readonly rest_betrag: string
}
export interface KorrekturLine
  extends Pick<BelegPosition, 'anzahl' | 'einheit' | 'ep' | 'rabatt_prozent' | 'betrag'> {
  /** What is taken back of the quantity. */
  readonly menge: string
}

const max = (value: Decimal, most: Decimal): boolean => compare(value, most) > 0

/** The line of a correction, or why it cannot be. */
export function korrekturLine(
  line: KorrekturRest,
  way: KorrekturWay,
  given: string,
): KorrekturLine | KorrekturFault {
  const wanted = decimal(given)
  const [quantity, amount] = [decimal(line.rest_menge), decimal(line.rest_betrag)]
  const isNegative = sign(decimal(line.betrag)) < 0
  const side = (text: string): string => (isNegative ? text : negateText(text))
  const made = (parts: Omit<KorrekturLine, 'betrag'>): KorrekturLine => ({
    ...parts,
    betrag: formatCents(positionAmount(parts)),
  })
  const lump = (ep: string, pieces: string): KorrekturLine =>
    made({ anzahl: side('1'), einheit: 'psch', ep, rabatt_prozent: '0.00', menge: pieces })
  if (sign(wanted) <= 0) return 'korrektur_null'
  if (way === 'betrag') return max(wanted, amount) ? 'korrektur_betrag' : lump(given, '0')
  const { einheit, rabatt_prozent } = line
  if (way === 'preis') {
    const lower = made({ anzahl: side(line.rest_menge), einheit, ep: given, rabatt_prozent, menge: '0' })
    if (max(wanted, decimal(line.ep)) || max(absolute(decimal(lower.betrag)), amount))
      return 'korrektur_preis'
    return sign(decimal(lower.betrag)) === 0 ? 'korrektur_null' : lower
  }
  if (max(wanted, quantity)) return 'korrektur_menge'
  const isLast = isEqual(wanted, quantity)
  const whole = made({ anzahl: side(line.rest_menge), einheit, ep: line.ep, rabatt_prozent, menge: '0' })
  // More than rounding: the price was lowered, or an amount was taken back.
  if (!isLast && sign(amount) > 0 && max(subtract(absolute(decimal(whole.betrag)), amount), ROUNDING)) {
    const share = divide(multiply(amount, wanted), quantity, 2)
    return sign(share) === 0 ? 'korrektur_null' : lump(formatCents(share), given)
  }
  const part = made({ anzahl: side(given), einheit, ep: line.ep, rabatt_prozent, menge: given })
  const worth = absolute(decimal(part.betrag))
  if (isEqual(worth, amount) || (!isLast && compare(worth, amount) < 0)) return part
  // The price was lowered before, or cents were left by rounding.
  return !isLast || sign(amount) === 0 ? 'korrektur_betrag' : lump(line.rest_betrag, given)
}

const sameGroup = (one: BelegTax) => (other: BelegTax) =>
  one.kategorie === other.kategorie && one.satz === other.satz

/**
 * The sums of a correction so that all of them together never exceed the invoice: what takes the last of a tax group
 * takes the last of its discount and tax, and none takes more tax than is left.
 */
export function korrekturSums(sums: BelegSums, rest: readonly BelegTax[]): BelegSums {
  const taxes = sums.steuern.map((own): BelegTax => {
    const left = rest.find(sameGroup(own))
    if (left === undefined) return own
    const isLast = isEqual(add(decimal(own.positionen), decimal(left.positionen)), NULL)
    const discount = isLast ? negateText(left.rabatt) : own.rabatt
    const isOver = max(absolute(decimal(own.steuer)), absolute(decimal(left.steuer)))
    return {
      ...own,
      rabatt: discount,
      basis: formatCents(subtract(decimal(own.positionen), decimal(discount))),
      steuer: isLast || isOver ? negateText(left.steuer) : own.steuer,
    }
  })
  const total = (key: 'rabatt' | 'basis' | 'steuer'): Decimal => sum(taxes.map((tax) => decimal(tax[key])))
  const brutto = formatCents(add(total('basis'), total('steuer')))
  return {
    ...sums,
    rabatt: formatCents(total('rabatt')),
    netto: formatCents(total('basis')),
    steuer: formatCents(total('steuer')),
    brutto,
    zahlbetrag: brutto,
    steuern: taxes,
  }
}
