// Advances and the final invoice: which part of an order an advance demands, which part of it a payment is, and
// what the final invoice leaves after it has taken off what was received (§ 14 (5) UStG). SQL has the same rules
// (db/nouns/abschlag.sql); both are tested with abschlag.cases.json.
import type { Beleg, BelegAbschlag, BelegAmount, BelegKind, InvoiceKind } from './beleg.ts'
import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  formatCents,
  multiply,
  NULL,
  negate,
  negateText,
  percentOf,
  round2,
  sign,
  subtract,
  sum,
} from './geld.ts'

export const isInvoiceKind = (art: BelegKind): art is InvoiceKind => art !== 'angebot' && art !== 'mahnung'

const CATEGORIES = ['S', 'E', 'AE', 'O'] as const
const grossOf = ({ basis, steuer }: BelegAmount): Decimal => add(decimal(basis), decimal(steuer))

/** Net amounts of an advance of so many per cent of the order; rates without an amount are left out. */
export const advanceLines = (
  order: readonly BelegAmount[],
  percent: string,
): readonly Pick<BelegAmount, 'kategorie' | 'satz' | 'basis'>[] =>
  order.flatMap(({ kategorie, satz, basis }) => {
    const share = round2(percentOf(decimal(basis), decimal(percent)))
    return sign(share) === 0 ? [] : [{ kategorie, satz, basis: formatCents(share) }]
  })

/**
 * Net and tax of a payment, by rate: shared by the gross amounts in running totals, so that an advance that is
 * paid in full yields its own net and tax to the cent.
 */
export function receivedByRate(taxes: readonly BelegAmount[], paid: string): readonly BelegAmount[] {
  const total = sum(taxes.map(grossOf))
  const upTo = (until: Decimal): Decimal =>
    sign(total) === 0 ? NULL : divide(multiply(decimal(paid), until), total, 2)
  let before = NULL
  return taxes.map((group) => {
    const gross = grossOf(group)
    const until = add(before, gross)
    const share = subtract(upTo(until), upTo(before))
    before = until
    const tax = sign(gross) === 0 ? NULL : divide(multiply(share, decimal(group.steuer)), gross, 2)
    const { kategorie, satz } = group
    return { kategorie, satz, basis: formatCents(subtract(share, tax)), steuer: formatCents(tax) }
  })
}

/** One amount for each category and rate, in the order of documents. */
function byRate(amounts: readonly BelegAmount[]): readonly BelegAmount[] {
  const groups = Map.groupBy(amounts, ({ kategorie, satz }) => `${kategorie} ${satz}`)
  return [...groups.values()]
    .map((own): BelegAmount => {
      const [{ kategorie, satz }] = own as [BelegAmount]
      return {
        kategorie,
        satz,
        basis: formatCents(sum(own.map(({ basis }) => decimal(basis)))),
        steuer: formatCents(sum(own.map(({ steuer }) => decimal(steuer)))),
      }
    })
    .toSorted(
      (one, other) =>
        CATEGORIES.indexOf(one.kategorie) - CATEGORIES.indexOf(other.kategorie) ||
        compare(decimal(other.satz), decimal(one.satz)),
    )
}

/** What all advances of a final invoice have brought, by rate. */
export const takenOff = ({ abschlaege = [] }: Pick<Beleg, 'abschlaege'>): readonly BelegAmount[] =>
  byRate(abschlaege.flatMap(({ steuern }) => steuern))

/** What is left of a final invoice by rate; below zero where an advance was taxed at another rate. */
export const restByRate = ({
  summen,
  abschlaege = [],
}: Pick<Beleg, 'summen' | 'abschlaege'>): readonly BelegAmount[] =>
  byRate([
    ...summen.steuern,
    ...abschlaege.flatMap(({ steuern }) =>
      steuern.map((group) => ({
        ...group,
        basis: negateText(group.basis),
        steuer: negateText(group.steuer),
      })),
    ),
  ])

export const negateAbschlag = (abschlag: BelegAbschlag): BelegAbschlag => ({
  ...abschlag,
  brutto: negateText(abschlag.brutto),
  gezahlt: negateText(abschlag.gezahlt),
  netto: negateText(abschlag.netto),
  steuer: negateText(abschlag.steuer),
  zahlungen: abschlag.zahlungen.map(({ datum, betrag }) => ({
    datum,
    betrag: formatCents(negate(decimal(betrag))),
  })),
  steuern: abschlag.steuern.map((group) => ({
    ...group,
    basis: negateText(group.basis),
    steuer: negateText(group.steuer),
  })),
})
