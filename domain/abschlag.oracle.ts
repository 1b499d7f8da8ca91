// What an advance has brought, as db/nouns/abschlag.sql calculates it, for tests and samples: both are compared by
// abschlag.cases.json.
import { byRate, grossOf } from './abschlag.ts'
import type { Beleg, BelegAmount } from './beleg.ts'
import {
  add,
  type Decimal,
  decimal,
  divide,
  formatCents,
  multiply,
  NULL,
  sign,
  subtract,
  sum,
} from './geld.ts'

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

/** What all advances of a final invoice have brought, by rate. */
export const takenOff = ({ abschlaege = [] }: Pick<Beleg, 'abschlaege'>): readonly BelegAmount[] =>
  byRate(abschlaege.flatMap(({ steuern }) => steuern))
