// Payments of an invoice, with what lowered its claim without money.
import { queryOptions } from '@tanstack/react-query'
import type { Zahlung } from '#contract/zahlung.ts'
import { type Decimal, decimal, sum } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { belegKey } from '../beleg.data.ts'

export const paymentsQuery = (invoice_id: number) =>
  queryOptions({
    queryKey: [...belegKey('rechnung', String(invoice_id)), 'zahlungen'],
    queryFn: ({ signal }) => rpc('a_get_payments', { invoice_id: String(invoice_id) }, { signal }),
  })

/** What came in and was not paid back, and what was deducted or written off. */
export function settledBy(payments: readonly Zahlung[]): { money: Decimal; reduced: Decimal } {
  const of = (...kinds: Zahlung['art'][]): Decimal =>
    sum(payments.filter(({ art }) => kinds.includes(art)).map(({ betrag }) => decimal(betrag)))
  return { money: of('zahlung'), reduced: of('skonto', 'ausfall') }
}
