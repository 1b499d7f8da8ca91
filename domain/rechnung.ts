// Sums of a document: lines, headings, tax groups, the discount of the whole, what is left to pay. The same rule stands in SQL (rechte.beleg_summen);
// both are tried on rechnung.cases.json. Tax is reckoned once per group and never per line: the lines' taxes would not add up to it.

import type { Beleg, BelegPosition, BelegSteuer, BelegSummen, PositionArt, SteuerKategorie } from './beleg.ts'
import {
  add,
  compare,
  type Dezimal,
  dezimal,
  formatCents,
  formatDezimal,
  multiply,
  NULL,
  negate,
  negateText,
  percentOf,
  round2,
  roundTo,
  sign,
  subtract,
  sum,
} from './geld.ts'

/** What the sums need of a line: the columns of `position`. A line of a frozen document is one as well. */
export interface RechenPosition {
  readonly art: PositionArt
  readonly anzahl: string
  readonly ep: string
  readonly rabatt_prozent: string
  /** Null or empty: the document's. */
  readonly ust_satz: string | null
  /** Null: S, or E where the rate is 0. */
  readonly kategorie: SteuerKategorie | null
  readonly steuergrund?: string | null
  /** Optional and alternative lines count once they are chosen. */
  readonly gewaehlt?: boolean | null
}

export interface RechenBeleg {
  readonly positionen: readonly RechenPosition[]
  readonly rabatt_prozent: string
  readonly ust_satz: string
  /** Gross, already paid. */
  readonly anzahlung: string
  readonly kleinunternehmer: boolean
}

/** § 14a (5) UStG asks for these words. */
export const GRUND_REVERSE_CHARGE = 'Steuerschuldnerschaft des Leistungsempfängers'
export const GRUND_KLEINUNTERNEHMER = 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)'

const HUNDRED = dezimal('100')
/** Groups are printed in this order. */
const KATEGORIEN: readonly SteuerKategorie[] = ['S', 'E', 'AE', 'O']

/** round2(anzahl × ep × (1 − rabatt/100)), rounded once at the end; half goes away from zero. */
export function positionBetrag({ anzahl, ep, rabatt_prozent }: Pick<RechenPosition, 'anzahl' | 'ep' | 'rabatt_prozent'>): Dezimal {
  return round2(percentOf(multiply(dezimal(anzahl), dezimal(ep)), subtract(HUNDRED, dezimal(rabatt_prozent))))
}

export const isCounted = ({ art, gewaehlt }: Pick<RechenPosition, 'art' | 'gewaehlt'>): boolean =>
  art === 'position' || (art !== 'ueberschrift' && gewaehlt === true)

export interface LineTax {
  readonly kategorie: SteuerKategorie
  /** Two places. */
  readonly satz: string
  readonly grund: string
}

/** How a line is taxed. Only S has a rate; who is a Kleinunternehmer has no other lines than exempt ones. */
export function taxOf(
  { ust_satz, kategorie, steuergrund }: Pick<RechenPosition, 'ust_satz' | 'kategorie' | 'steuergrund'>,
  beleg: Pick<RechenBeleg, 'ust_satz' | 'kleinunternehmer'>,
): LineTax {
  if (beleg.kleinunternehmer) return { kategorie: 'E', satz: '0.00', grund: GRUND_KLEINUNTERNEHMER }
  const own = roundTo(dezimal(ust_satz === null || ust_satz === '' ? beleg.ust_satz : ust_satz), 2)
  const found = kategorie ?? (sign(own) === 0 ? 'E' : 'S')
  if (found === 'S') return { kategorie: 'S', satz: formatDezimal(own), grund: '' }
  const grund = (steuergrund ?? '').trim()
  return { kategorie: found, satz: '0.00', grund: grund === '' && found === 'AE' ? GRUND_REVERSE_CHARGE : grund }
}

/**
 * Splits an amount of cents over parts so that the shares add up to it: every share is cut down to whole cents, and the cents that are left go to those that lost most
 * (the first of equals). Reckoned on the positive side of the whole, so that the split of the negated document is the negated split.
 */
export function splitByLargestRemainder(total: Dezimal, exact: readonly Dezimal[]): Dezimal[] {
  const side = sign(sum(exact)) === 0 ? sign(exact.find((share) => sign(share) !== 0) ?? NULL) : sign(sum(exact))
  const turn = (value: Dezimal): Dezimal => (side < 0 ? negate(value) : value)
  const shares = exact.map((share, index) => {
    const turned = turn(share)
    const down = floor2(turned)
    return { index, cents: down.wert, lost: subtract(turned, down) }
  })
  let left = round2(turn(total)).wert - shares.reduce((cents, share) => cents + share.cents, 0n)
  for (const share of shares.toSorted((one, other) => compare(other.lost, one.lost) || one.index - other.index)) {
    if (left <= 0n) break
    share.cents += 1n
    left -= 1n
  }
  return shares.map(({ cents }) => turn({ wert: cents, stellen: 2 }))
}

/** Down to whole cents, towards minus infinity. */
function floor2(value: Dezimal): Dezimal {
  if (value.stellen <= 2) return roundTo(value, 2)
  const divisor = 10n ** BigInt(value.stellen - 2)
  const cut = value.wert / divisor
  return { wert: value.wert < 0n && cut * divisor !== value.wert ? cut - 1n : cut, stellen: 2 }
}

interface Group {
  readonly kategorie: SteuerKategorie
  readonly satz: string
  readonly gruende: string[]
  positionen: Dezimal
}

/** One per category and rate: categories S, E, AE, O, rates from the highest. */
function groupsOf(beleg: RechenBeleg, amounts: readonly Dezimal[]): Group[] {
  const groups = new Map<string, Group>()
  for (const [index, position] of beleg.positionen.entries()) {
    if (!isCounted(position)) continue
    const { kategorie, satz, grund } = taxOf(position, beleg)
    const key = `${kategorie} ${satz}`
    const group = groups.get(key) ?? { kategorie, satz, gruende: [], positionen: NULL }
    group.positionen = add(group.positionen, amounts[index]!)
    if (grund !== '' && !group.gruende.includes(grund)) group.gruende.push(grund)
    groups.set(key, group)
  }
  return [...groups.values()].sort(
    (one, other) =>
      KATEGORIEN.indexOf(one.kategorie) - KATEGORIEN.indexOf(other.kategorie) || compare(dezimal(other.satz), dezimal(one.satz)),
  )
}

/** Sums alone; amounts with two places. A document without counted lines has no groups. */
export function belegSummen(beleg: RechenBeleg): BelegSummen {
  return sumsOf(
    beleg,
    beleg.positionen.map((position) => (position.art === 'ueberschrift' ? NULL : positionBetrag(position))),
  )
}

function sumsOf(beleg: RechenBeleg, amounts: readonly Dezimal[]): BelegSummen {
  const percent = dezimal(beleg.rabatt_prozent)
  const groups = groupsOf(beleg, amounts)
  const positionen = sum(groups.map((group) => group.positionen))
  const rabatt = round2(percentOf(positionen, percent))
  const shares = splitByLargestRemainder(
    rabatt,
    groups.map((group) => percentOf(group.positionen, percent)),
  )
  const steuern = groups.map((group, index) => {
    const basis = subtract(group.positionen, shares[index]!)
    return { group, rabatt: shares[index]!, basis, steuer: round2(percentOf(basis, dezimal(group.satz))) }
  })
  const netto = subtract(positionen, rabatt)
  const steuer = sum(steuern.map((group) => group.steuer))
  const brutto = add(netto, steuer)
  const anzahlung = dezimal(beleg.anzahlung)
  return {
    positionen: formatCents(positionen),
    rabatt: formatCents(rabatt),
    netto: formatCents(netto),
    steuer: formatCents(steuer),
    brutto: formatCents(brutto),
    anzahlung: formatCents(anzahlung),
    zahlbetrag: formatCents(subtract(brutto, anzahlung)),
    steuern: steuern.map(
      (row): BelegSteuer => ({
        kategorie: row.group.kategorie,
        satz: row.group.satz,
        grund: row.group.gruende.join('; '),
        positionen: formatCents(row.group.positionen),
        rabatt: formatCents(row.rabatt),
        basis: formatCents(row.basis),
        steuer: formatCents(row.steuer),
      }),
    ),
  }
}

export interface Zeile {
  readonly nr: string
  /** Of a heading: the counted lines below it up to the next heading. */
  readonly betrag: string
}

/**
 * Numbers as printed. Without headings: 1, 2, 3. With headings: a heading takes the next number, and the lines below it are 2.1, 2.2 …; lines before the first heading
 * are numbered as if they were headings. Optional and alternative lines have numbers like all others, so that one can speak of them.
 */
export function positionNummern(positionen: readonly Pick<RechenPosition, 'art'>[]): string[] {
  let top = 0
  let below: number | null = null
  return positionen.map(({ art }) => {
    if (art === 'ueberschrift') below = 0
    else if (below !== null) {
      below += 1
      return `${top}.${below}`
    }
    top += 1
    return String(top)
  })
}

/** Sums, and number and amount of every line in the order given. */
export function belegRechnen(beleg: RechenBeleg): { readonly summen: BelegSummen; readonly zeilen: readonly Zeile[] } {
  const amounts = beleg.positionen.map((position) => (position.art === 'ueberschrift' ? NULL : positionBetrag(position)))
  const numbers = positionNummern(beleg.positionen)
  const shown = [...amounts]
  let heading: number | null = null
  for (const [index, position] of beleg.positionen.entries()) {
    if (position.art === 'ueberschrift') heading = index
    else if (heading !== null && isCounted(position)) shown[heading] = add(shown[heading]!, amounts[index]!)
  }
  return { summen: sumsOf(beleg, amounts), zeilen: shown.map((betrag, index) => ({ nr: numbers[index]!, betrag: formatCents(betrag) })) }
}

/** What a frozen document says about itself, reckoned again. */
export const rechenBelegOf = ({ positionen, rabatt_prozent, ust_satz, summen, lieferant }: Beleg): RechenBeleg => ({
  positionen,
  rabatt_prozent,
  ust_satz,
  anzahlung: summen.anzahlung,
  kleinunternehmer: lieferant.kleinunternehmer,
})

const negateSteuer = (steuer: BelegSteuer): BelegSteuer => ({
  ...steuer,
  positionen: negateText(steuer.positionen),
  rabatt: negateText(steuer.rabatt),
  basis: negateText(steuer.basis),
  steuer: negateText(steuer.steuer),
})

export const negateSummen = (summen: BelegSummen): BelegSummen => ({
  positionen: negateText(summen.positionen),
  rabatt: negateText(summen.rabatt),
  netto: negateText(summen.netto),
  steuer: negateText(summen.steuer),
  brutto: negateText(summen.brutto),
  anzahlung: negateText(summen.anzahlung),
  zahlbetrag: negateText(summen.zahlbetrag),
  steuern: summen.steuern.map(negateSteuer),
})

/** Quantities turn, prices stay: a price below nothing is refused by the rules of the e-invoice. */
const negatePosition = (position: BelegPosition): BelegPosition => ({
  ...position,
  anzahl: position.art === 'ueberschrift' ? position.anzahl : negateText(position.anzahl),
  betrag: negateText(position.betrag),
})

/** The Storno of an issued invoice: its stored amounts negated, never reckoned again. Number and day are given when it is issued. */
export const negateBeleg = (beleg: Beleg): Beleg => ({
  ...beleg,
  art: 'storno',
  id: '',
  nummer: '',
  entwurf: true,
  faellig: null,
  skonto: [],
  positionen: beleg.positionen.map(negatePosition),
  summen: negateSummen(beleg.summen),
  bezug: { art: beleg.art, nummer: beleg.nummer, datum: beleg.datum },
})
