// Sums of a document: lines, headings, tax groups, the discount on the whole, the amount left to pay. SQL has
// the same rule (books.beleg_sums); both are tested with rechnung.cases.json. Tax is computed once per
// group, never per line: the lines' taxes would not add up to it.

import type { Beleg, BelegTax, BelegSums, PositionKind, TaxCategory } from './beleg.ts'
import {
  add,
  compare,
  type Decimal,
  decimal,
  formatCents,
  formatDecimal,
  multiply,
  NULL,
  negate,
  percentOf,
  round2,
  roundTo,
  sign,
  subtract,
  sum,
} from './geld.ts'

/**
 * The part of a line that the sums need: the columns of `position`. A line of a frozen document has them too.
 */
export interface PositionBasis {
  readonly art: PositionKind
  readonly anzahl: string
  readonly ep: string
  readonly rabatt_prozent: string
  /** Null or empty: the document's rate. */
  readonly ust_satz: string | null
  /** Null: S, or E if the rate is 0. */
  readonly kategorie: TaxCategory | null
  readonly steuergrund?: string | null
  /** Optional and alternative lines only count if chosen. */
  readonly gewaehlt?: boolean | null
}

export interface BelegBasis {
  readonly positionen: readonly PositionBasis[]
  readonly rabatt_prozent: string
  readonly ust_satz: string
  /** Gross, already paid. */
  readonly anzahlung: string
  readonly kleinunternehmer: boolean
}

/** § 14a (5) UStG requires this wording. */
export const REASON_REVERSE_CHARGE = 'Steuerschuldnerschaft des Leistungsempfängers'
export const REASON_SMALL_BUSINESS = 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)'

const HUNDRED = decimal('100')
/** Groups are printed in this order. */
const CATEGORIES: readonly TaxCategory[] = ['S', 'E', 'AE', 'O']

/** A discount below zero is a surcharge: its amounts are below zero too. */
export const isSurcharge = (discountPercent: string): boolean => sign(decimal(discountPercent)) < 0

/** round2(anzahl × ep × (1 − rabatt/100)), rounded once at the end, half away from zero. */
export function positionAmount({
  anzahl,
  ep,
  rabatt_prozent,
}: Pick<PositionBasis, 'anzahl' | 'ep' | 'rabatt_prozent'>): Decimal {
  return round2(percentOf(multiply(decimal(anzahl), decimal(ep)), subtract(HUNDRED, decimal(rabatt_prozent))))
}

export const isCounted = ({ art, gewaehlt }: Pick<PositionBasis, 'art' | 'gewaehlt'>): boolean =>
  art === 'position' || (art !== 'ueberschrift' && gewaehlt === true)

export interface LineTax {
  readonly kategorie: TaxCategory
  /** Two decimal places. */
  readonly satz: string
  readonly grund: string
}

/** How a line is taxed. Only S has a rate; a Kleinunternehmer has only exempt lines. */
export function taxOf(
  { ust_satz, kategorie, steuergrund }: Pick<PositionBasis, 'ust_satz' | 'kategorie' | 'steuergrund'>,
  beleg: Pick<BelegBasis, 'ust_satz' | 'kleinunternehmer'>,
): LineTax {
  if (beleg.kleinunternehmer) return { kategorie: 'E', satz: '0.00', grund: REASON_SMALL_BUSINESS }
  const own = roundTo(decimal(ust_satz === null || ust_satz === '' ? beleg.ust_satz : ust_satz), 2)
  const found = kategorie ?? (sign(own) === 0 ? 'E' : 'S')
  if (found === 'S') return { kategorie: 'S', satz: formatDecimal(own), grund: '' }
  const reason = (steuergrund ?? '').trim()
  return {
    kategorie: found,
    satz: '0.00',
    grund: reason === '' && found === 'AE' ? REASON_REVERSE_CHARGE : reason,
  }
}

/**
 * Splits an amount in cents into parts so that they add up to it: every share is rounded down to whole cents,
 * and the remaining cents go to the shares that lost most (ties: the first). Computed with the sign of the
 * whole made positive, so that the split of the negated document is the negated split.
 */
export function splitByLargestRemainder(total: Decimal, exact: readonly Decimal[]): Decimal[] {
  const side =
    sign(sum(exact)) === 0 ? sign(exact.find((share) => sign(share) !== 0) ?? NULL) : sign(sum(exact))
  const turn = (value: Decimal): Decimal => (side < 0 ? negate(value) : value)
  const shares = exact.map((share, index) => {
    const turned = turn(share)
    const down = floor2(turned)
    return { index, cents: down.wert, lost: subtract(turned, down) }
  })
  let left = round2(turn(total)).wert - shares.reduce((cents, share) => cents + share.cents, 0n)
  for (const share of shares.toSorted(
    (one, other) => compare(other.lost, one.lost) || one.index - other.index,
  )) {
    if (left <= 0n) break
    share.cents += 1n
    left -= 1n
  }
  return shares.map(({ cents }) => turn({ wert: cents, decimals: 2 }))
}

/** Rounds down to whole cents, towards minus infinity. */
function floor2(value: Decimal): Decimal {
  if (value.decimals <= 2) return roundTo(value, 2)
  const divisor = 10n ** BigInt(value.decimals - 2)
  const cut = value.wert / divisor
  return { wert: value.wert < 0n && cut * divisor !== value.wert ? cut - 1n : cut, decimals: 2 }
}

interface Group {
  readonly kategorie: TaxCategory
  readonly satz: string
  readonly reasons: string[]
  positionen: Decimal
}

/** One group per category and rate: categories S, E, AE, O, highest rate first. */
function groupsOf(beleg: BelegBasis, amounts: readonly Decimal[]): Group[] {
  const groups = new Map<string, Group>()
  for (const [index, position] of beleg.positionen.entries()) {
    if (!isCounted(position)) continue
    const { kategorie, satz, grund } = taxOf(position, beleg)
    const key = `${kategorie} ${satz}`
    const group = groups.get(key) ?? { kategorie, satz, reasons: [], positionen: NULL }
    group.positionen = add(group.positionen, amounts[index]!)
    if (grund !== '' && !group.reasons.includes(grund)) group.reasons.push(grund)
    groups.set(key, group)
  }
  return [...groups.values()].sort(
    (one, other) =>
      CATEGORIES.indexOf(one.kategorie) - CATEGORIES.indexOf(other.kategorie) ||
      compare(decimal(other.satz), decimal(one.satz)),
  )
}

/** Only the sums; amounts have two places. A document without counted lines has no groups. */
export function belegSums(beleg: BelegBasis): BelegSums {
  return sumsOf(
    beleg,
    beleg.positionen.map((position) => (position.art === 'ueberschrift' ? NULL : positionAmount(position))),
  )
}

function sumsOf(beleg: BelegBasis, amounts: readonly Decimal[]): BelegSums {
  const percent = decimal(beleg.rabatt_prozent)
  const groups = groupsOf(beleg, amounts)
  const positions = sum(groups.map((group) => group.positionen))
  const discount = round2(percentOf(positions, percent))
  const shares = splitByLargestRemainder(
    discount,
    groups.map((group) => percentOf(group.positionen, percent)),
  )
  const taxes = groups.map((group, index) => {
    const basis = subtract(group.positionen, shares[index]!)
    return { group, rabatt: shares[index]!, basis, steuer: round2(percentOf(basis, decimal(group.satz))) }
  })
  const netto = subtract(positions, discount)
  const tax = sum(taxes.map((group) => group.steuer))
  const brutto = add(netto, tax)
  const advance = decimal(beleg.anzahlung)
  return {
    positionen: formatCents(positions),
    rabatt: formatCents(discount),
    netto: formatCents(netto),
    steuer: formatCents(tax),
    brutto: formatCents(brutto),
    anzahlung: formatCents(advance),
    zahlbetrag: formatCents(subtract(brutto, advance)),
    steuern: taxes.map(
      (row): BelegTax => ({
        kategorie: row.group.kategorie,
        satz: row.group.satz,
        grund: row.group.reasons.join('; '),
        positionen: formatCents(row.group.positionen),
        rabatt: formatCents(row.rabatt),
        basis: formatCents(row.basis),
        steuer: formatCents(row.steuer),
      }),
    ),
  }
}

export interface TableRow {
  readonly nr: string
  /** For a heading: the counted lines below it up to the next heading. */
  readonly betrag: string
}

/**
 * Numbers as printed. Without headings: 1, 2, 3. With headings: a heading takes the next number, and the
 * lines below it are 2.1, 2.2 …; lines before the first heading are numbered like headings. Optional and
 * alternative lines are numbered like all others, so that people can refer to them.
 */
export function positionNumbers(positions: readonly Pick<PositionBasis, 'art'>[]): string[] {
  let top = 0
  let below: number | null = null
  return positions.map(({ art }) => {
    if (art === 'ueberschrift') below = 0
    else if (below !== null) {
      below += 1
      return `${top}.${below}`
    }
    top += 1
    return String(top)
  })
}

/** Sums, and the number and amount of every line in the given order. */
export function computeBeleg(beleg: BelegBasis): {
  readonly summen: BelegSums
  readonly zeilen: readonly TableRow[]
} {
  const amounts = beleg.positionen.map((position) =>
    position.art === 'ueberschrift' ? NULL : positionAmount(position),
  )
  const numbers = positionNumbers(beleg.positionen)
  const shown = [...amounts]
  let heading: number | null = null
  for (const [index, position] of beleg.positionen.entries()) {
    if (position.art === 'ueberschrift') heading = index
    else if (heading !== null && isCounted(position)) shown[heading] = add(shown[heading]!, amounts[index]!)
  }
  return {
    summen: sumsOf(beleg, amounts),
    zeilen: shown.map((amount, index) => ({ nr: numbers[index]!, betrag: formatCents(amount) })),
  }
}

/** The input of a frozen document, to recompute its sums. */
export const belegBasisOf = ({
  positionen,
  rabatt_prozent,
  ust_satz,
  summen,
  lieferant,
}: Beleg): BelegBasis => ({
  positionen,
  rabatt_prozent,
  ust_satz,
  anzahlung: summen.anzahlung,
  kleinunternehmer: lieferant.kleinunternehmer,
})
