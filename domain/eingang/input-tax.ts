// Which input tax a received invoice may bring, by its categories of tax and its sender. A proposal: people decide,
// because nobody can read from an invoice what it is used for (§ 15 (2) UStG).
import { isDay } from '../day.ts'
import { isForeignEuId } from '../ust-id.ts'
import { groupOf, groupsOf, type InvoiceGroup, term } from './invoice.ts'

/**
 * inland: tax of the invoice (§ 15 (1) Nr. 1 UStG) · eu_leistung: service of a business in the EU (§ 13b (1)) ·
 * andere_leistung: other services for which the recipient owes the tax (§ 13b (2)) · erwerb: goods from another state
 * of the EU (§ 1a) · keine: nothing is deducted and nothing owed
 */
export const INPUT_TAX_KINDS = ['inland', 'eu_leistung', 'andere_leistung', 'erwerb', 'keine'] as const
export type InputTaxKind = (typeof INPUT_TAX_KINDS)[number]

export function inputTaxKind(invoice: InvoiceGroup): InputTaxKind {
  const categories = new Set(groupsOf(invoice, 'BG-23').map((group) => term(group, 'BT-118')))
  if (categories.has('S')) return 'inland'
  if (categories.has('K')) return 'erwerb'
  if (!categories.has('AE')) return 'keine'
  return isForeignEuId(term(groupOf(invoice, 'BG-4'), 'BT-31')) ? 'eu_leistung' : 'andere_leistung'
}

/** The last day of the supply: delivery (BT-72), or the end of the period (BT-74); null: the invoice says neither. */
export function supplyDay(invoice: InvoiceGroup): string | null {
  const delivery = groupOf(invoice, 'BG-13')
  const days = [
    term(delivery, 'BT-72'),
    term(groupOf(delivery, 'BG-14'), 'BT-74'),
    term(groupOf(invoice, 'BG-14'), 'BT-74'),
  ].filter(isDay)
  return days.toSorted().at(-1) ?? null
}
