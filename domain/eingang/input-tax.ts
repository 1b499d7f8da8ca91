// Which input tax a received invoice may bring, by its categories of tax and its sender. A proposal: people decide,
// because nobody can read from an invoice what it is used for (§ 15 (2) UStG).
import { isDay } from '../day.ts'
import { absolute, compare, decimal, formatDecimal, ROUNDING, sign, subtract } from '../geld.ts'
import { taxArea, territoryOf } from '../tax-area.ts'
import { taxNumberFault } from '../tax-number.ts'
import { rateKind } from '../tax-rates.ts'
import { isForeignEuId, normalizeUstId } from '../ust-id.ts'
import { groupOf, groupsOf, type InvoiceGroup, term } from './invoice.ts'
import { numberOf } from './numbers.ts'
import { isOwnSupply, type Recipient } from './recipient.ts'

/**
 * inland: tax of the invoice (§ 15 (1) Nr. 1 UStG) · anzahlung: tax of an advance, deducted when it is paid (sentence 3
 * there) · eu_leistung: service of a business in the EU (§ 13b (1)), not about land ·
 * andere_leistung: other services for which the recipient owes the tax (§ 13b (2)) · erwerb: goods from another state
 * of the EU (§ 1a) · keine: nothing is deducted and nothing owed
 */
export const INPUT_TAX_KINDS = [
  'inland',
  'anzahlung',
  'eu_leistung',
  'andere_leistung',
  'erwerb',
  'keine',
] as const
export type InputTaxKind = (typeof INPUT_TAX_KINDS)[number]

/** Whether what is deducted is the tax of the invoice itself. */
export const isOwnTax = (kind: InputTaxKind): boolean => kind === 'inland' || kind === 'anzahlung'
/** Whether an invoice with tax demands less than it bills (books.is_partly_paid). */
export function isPartlyPaid(invoice: {
  readonly brutto: string | null
  readonly zahlbetrag: string | null
  readonly steuer: string | null
}): boolean {
  const { brutto, zahlbetrag, steuer } = invoice
  if (brutto === null || zahlbetrag === null || steuer === null || sign(decimal(steuer)) === 0) return false
  return compare(subtract(absolute(decimal(brutto)), absolute(decimal(zahlbetrag))), ROUNDING) > 0
}

/** Partial invoice, prepayment invoice, partial construction invoice (UNTDID 1001). */
const ADVANCES = ['326', '386', '875']
/** Whether the invoice calls itself an advance. */
export const isAdvance = (invoice: InvoiceGroup): boolean => ADVANCES.includes(term(invoice, 'BT-3'))

/** Categories of tax (BT-118) of the invoice. */
export const categoriesOf = (invoice: InvoiceGroup): ReadonlySet<string> =>
  new Set(groupsOf(invoice, 'BG-23').map((group) => term(group, 'BT-118')))

/** Where the seller is (BT-40, BT-38), and the VAT id. */
function sellerOf(invoice: InvoiceGroup): { country: string; postcode: string; vatId: string } {
  const seller = groupOf(invoice, 'BG-4')
  const address = groupOf(seller, 'BG-5')
  return {
    country: term(address, 'BT-40'),
    postcode: term(address, 'BT-38'),
    vatId: normalizeUstId(term(seller, 'BT-31')),
  }
}

/** Whether the seller is abroad and shows no German registration, so that its tax is not German. */
export function isForeignSeller(invoice: InvoiceGroup): boolean {
  const { country, vatId } = sellerOf(invoice)
  const registered = [vatId, normalizeUstId(term(groupOf(invoice, 'BG-11'), 'BT-63'))]
  if (registered.some((id) => id.startsWith('DE'))) return false
  // A tax number (BT-32) abroad is one of that country, unless it looks like a German one.
  if (vatId === '' && taxNumberFault(term(groupOf(invoice, 'BG-4'), 'BT-32')) === null) return false
  return (country !== '' && country !== 'DE') || isForeignEuId(vatId)
}

/** Rates of the invoice (BT-119) that German law does not know on the day of supply. */
export function strangeRates(invoice: InvoiceGroup): readonly string[] {
  const day = supplyDay(invoice) ?? term(invoice, 'BT-2')
  if (!isDay(day)) return []
  return groupsOf(invoice, 'BG-23').flatMap((group) => {
    const rate = numberOf(term(group, 'BT-119'))
    if (term(group, 'BT-118') !== 'S' || rate === null || sign(rate) <= 0) return []
    return rateKind(formatDecimal(rate), day) === null ? [term(group, 'BT-119')] : []
  })
}

/** An article of the VAT directive, or a paragraph and subsection of the UStG. */
const article = (numbers: string): string => `\\bArt(?:\\.|icle|ikel)?\\s*(?:${numbers})\\b`
const subsection = (paragraph: string, number: string): string =>
  `§\\s*${paragraph}\\s*(?:\\(${number}\\)|Abs(?:\\.|atz)\\s*${number}\\b)`
const rule = (...references: readonly string[]): RegExp => new RegExp(references.join('|'), 'i')
/** Where land is, and what follows from it: the recipient of a business abroad owes the tax. */
const LAND_RULE = rule(article('47|194'), subsection('3a', '3'), subsection('13b', '2'))
/** Services to businesses that are not about land. */
const SERVICE_RULE = rule(article('44|196'), subsection('3a', '2'), subsection('13b', '1'))
const LAND_WORDS = rule(
  'vermess|abmarkung|kataster|liegenschaft|flurst(?:ü|ue)ck|grundst(?:ü|ue)ck',
  'grenz(?:punkt|stein|feststell|herstell|anzeige|termin)',
  'surveying|(?:land|boundary) survey|cadastr',
)

/**
 * Whether the service is connected with land: surveying and all that marks it out or divides it (§ 3a (3) Nr. 1 UStG;
 * UStAE 3a.3; Art. 31a (2) of the implementing regulation (EU) 282/2011). The reason decides; without one, the words.
 */
function isAboutLand(invoice: InvoiceGroup): boolean {
  const reasons = groupsOf(invoice, 'BG-23')
    .map((group) => term(group, 'BT-120'))
    .join(' ')
  if (LAND_RULE.test(reasons)) return true
  if (SERVICE_RULE.test(reasons)) return false
  return groupsOf(invoice, 'BG-25').some((line) => {
    const item = groupOf(line, 'BG-31')
    return LAND_WORDS.test(`${term(item, 'BT-153')} ${term(item, 'BT-154')}`)
  })
}

/** Whether different kinds of input tax would follow from its categories: one invoice has one kind here. */
export const hasMixedKinds = (invoice: InvoiceGroup): boolean =>
  ['S', 'AE', 'K'].filter((category) => categoriesOf(invoice).has(category)).length > 1

/** @param self who receives it; null: not known */
export function inputTaxKind(invoice: InvoiceGroup, self: Recipient | null = null): InputTaxKind {
  if (isOwnSupply(invoice, self)) return 'keine'
  const categories = categoriesOf(invoice)
  if (categories.has('S')) {
    // § 15 (1) sentence 1 Nr. 1 UStG: German tax that is owed by law.
    if (isForeignSeller(invoice) || strangeRates(invoice).length > 0) return 'keine'
    return isAdvance(invoice) ? 'anzahlung' : 'inland'
  }
  if (categories.has('K')) return 'erwerb'
  // Taxes of the Canaries, and of Ceuta and Melilla: the supply is taxed there.
  if (categories.has('L') || categories.has('M')) return 'keine'
  const { country, postcode, vatId } = sellerOf(invoice)
  const address = { land: country, plz: postcode }
  const hasEuId = isForeignEuId(vatId) && territoryOf(address) === null
  // § 13b (1) UStG is about services whose place follows from § 3a (2) alone. Those about land have theirs from § 3a
  // (3) Nr. 1 and come under § 13b (2) Nr. 1, from the EU as well: figures 84/85, not 46/47.
  const service: InputTaxKind = isAboutLand(invoice) ? 'andere_leistung' : 'eu_leistung'
  if (categories.has('AE')) return hasEuId ? service : 'andere_leistung'
  if (!isForeignSeller(invoice)) return 'keine'
  // Not taxed where the seller is: the recipient owes the tax of a service (§ 13b (1), (2) Nr. 1, (5) UStG).
  if (hasEuId || taxArea(address) === 'eu') return categories.has('O') ? service : 'keine'
  return categories.size > 0 ? 'andere_leistung' : 'keine'
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
