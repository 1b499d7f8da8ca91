// Advances and the final invoice: which part of an order an advance demands, which part of it a payment is, and
// what the final invoice leaves after it has taken off what was received (§ 14 (5) UStG). SQL has the same rules
// (db/nouns/abschlag.sql); both are tested with abschlag.cases.json.
import type { Beleg, BelegAmount, BelegKind, InvoiceKind } from './beleg.ts'
import {
  add,
  compare,
  type Decimal,
  decimal,
  formatCents,
  negateText,
  percentOf,
  round2,
  sign,
  sum,
} from './geld.ts'

export const isInvoiceKind = (art: BelegKind): art is InvoiceKind => art !== 'angebot' && art !== 'mahnung'

const CATEGORIES = ['S', 'E', 'AE', 'O'] as const
export const grossOf = ({ basis, steuer }: BelegAmount): Decimal => add(decimal(basis), decimal(steuer))

/** Net amounts of an advance of so many per cent of the order; rates without an amount are left out. */
export const advanceLines = (
  order: readonly BelegAmount[],
  percent: string,
): readonly Pick<BelegAmount, 'kategorie' | 'satz' | 'basis'>[] =>
  order.flatMap(({ kategorie, satz, basis }) => {
    const share = round2(percentOf(decimal(basis), decimal(percent)))
    return sign(share) === 0 ? [] : [{ kategorie, satz, basis: formatCents(share) }]
  })

/** One amount for each category and rate, in the order of documents. */
export function byRate(amounts: readonly BelegAmount[]): readonly BelegAmount[] {
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
