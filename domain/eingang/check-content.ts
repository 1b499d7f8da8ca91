// What a received invoice must contain: EN 16931 (BR-01 to BR-65), § 14 (4) and § 14a UStG.
import { isDay } from '../day.ts'
import { inputTaxKind, isAdvance } from './input-tax.ts'
import { numberOf } from './numbers.ts'
import { type FaultList, nameOf, quoted } from './fault.ts'
import { groupOf, groupsOf, type InvoiceGroup, term } from './invoice.ts'

/** Rule, group ('' for the invoice itself) and term. */
const NEEDED: readonly (readonly [rule: string, group: string, id: string])[] = [
  ['BR-01', 'BG-2', 'BT-24'],
  // § 14 (4) sentence 1 Nr. 4 and Nr. 3 UStG.
  ['BR-02', '', 'BT-1'],
  ['BR-03', '', 'BT-2'],
  ['BR-04', '', 'BT-3'],
  ['BR-05', '', 'BT-5'],
  // § 14 (4) sentence 1 Nr. 1 UStG: full names and addresses.
  ['BR-06', 'BG-4', 'BT-27'],
  ['BR-07', 'BG-7', 'BT-44'],
  ['BR-13', 'BG-22', 'BT-109'],
  ['BR-14', 'BG-22', 'BT-112'],
  ['BR-15', 'BG-22', 'BT-115'],
  ['BR-12', 'BG-22', 'BT-106'],
]
const ADDRESSES: readonly (readonly [rule: string, party: string, group: string, ids: readonly string[]])[] =
  [
    ['BR-08', 'BG-4', 'BG-5', ['BT-37', 'BT-38', 'BT-40']],
    ['BR-10', 'BG-7', 'BG-8', ['BT-52', 'BT-53', 'BT-55']],
  ]
/** § 14 (4) sentence 1 Nr. 5 UStG: quantity and name of what was supplied. */
const OF_LINE: readonly (readonly [rule: string, group: string, id: string])[] = [
  ['BR-21', '', 'BT-126'],
  ['BR-22', '', 'BT-129'],
  ['BR-23', '', 'BT-130'],
  ['BR-24', '', 'BT-131'],
  ['BR-25', 'BG-31', 'BT-153'],
  ['BR-26', 'BG-29', 'BT-146'],
  ['BR-CO-04', 'BG-30', 'BT-151'],
]
const OF_TAX: readonly (readonly [rule: string, id: string])[] = [
  ['BR-45', 'BT-116'],
  ['BR-46', 'BT-117'],
  ['BR-47', 'BT-118'],
]

const inside = (group: InvoiceGroup | undefined, id: string): InvoiceGroup | undefined =>
  id === '' ? group : groupOf(group, id)

function missing(list: FaultList, rule: string, id: string, place = ''): void {
  list.fault(rule, id, `Diese Angabe fehlt: ${nameOf(id)}.`, place)
}

function checkNeeded(list: FaultList, invoice: InvoiceGroup): void {
  for (const [rule, group, id] of NEEDED) if (term(inside(invoice, group), id) === '') missing(list, rule, id)
  for (const [rule, party, group, ids] of ADDRESSES) {
    const address = groupOf(groupOf(invoice, party), group)
    for (const id of ids) if (term(address, id) === '') missing(list, rule, id)
  }
  const lines = groupsOf(invoice, 'BG-25')
  if (lines.length === 0)
    list.fault(
      'BR-16',
      'BG-25',
      'Die Rechnung nennt keine Positionen. Ohne sie ist sie keine E-Rechnung nach § 14 UStG.',
    )
  for (const line of lines)
    for (const [rule, group, id] of OF_LINE)
      if (term(inside(line, group), id) === '') missing(list, rule, id, term(line, 'BT-126'))
  const taxes = groupsOf(invoice, 'BG-23')
  if (taxes.length === 0) missing(list, 'BR-CO-18', 'BG-23')
  for (const tax of taxes) for (const [rule, id] of OF_TAX) if (term(tax, id) === '') missing(list, rule, id)
}

/** Categories without tax, which must say why (BR-E-10, BR-AE-10, BR-IC-10, BR-G-10, BR-O-10). */
const REASONED = ['E', 'AE', 'K', 'G', 'O']
const CATEGORIES = ['S', 'Z', 'L', 'M', ...REASONED]

function checkCategories(list: FaultList, invoice: InvoiceGroup): void {
  for (const tax of groupsOf(invoice, 'BG-23')) {
    const [category, rate] = [term(tax, 'BT-118'), numberOf(term(tax, 'BT-119'))]
    if (category !== '' && !CATEGORIES.includes(category))
      list.fault('BR-CL-17', 'BT-118', `Diese Steuerkategorie gibt es nicht: „${quoted(category)}“.`)
    if (REASONED.includes(category) && term(tax, 'BT-120') === '' && term(tax, 'BT-121') === '')
      list.fault(
        `BR-${category === 'K' ? 'IC' : category}-10`,
        'BT-120',
        // § 14 (4) sentence 1 Nr. 8 UStG.
        'Für den Umsatz ohne Steuer fehlt der Grund der Befreiung (§ 14 Abs. 4 Nr. 8 UStG).',
      )
    if (category === 'S' && (rate === null || rate.wert <= 0n))
      list.fault('BR-S-05', 'BT-119', 'Für die Regelbesteuerung fehlt ein Steuersatz über null.')
    if ([...REASONED, 'Z'].includes(category) && rate !== null && rate.wert !== 0n)
      list.fault('BR-E-05', 'BT-119', `Zur Steuerkategorie ${category} gehört kein Steuersatz über null.`)
  }
}

function checkParties(list: FaultList, invoice: InvoiceGroup): void {
  const seller = groupOf(invoice, 'BG-4')
  const [ustId, taxNumber] = [term(seller, 'BT-31'), term(seller, 'BT-32')]
  const ofRepresentative = term(groupOf(invoice, 'BG-11'), 'BT-63')
  const categories = groupsOf(invoice, 'BG-23').map((tax) => term(tax, 'BT-118'))
  // Outside the scope of tax a VAT id is not even allowed (BR-O-02).
  const isTaxed = categories.some((one) => one !== 'O')
  if (isTaxed && ustId === '' && taxNumber === '' && ofRepresentative === '')
    list.fault(
      '§ 14 (4) Nr. 2',
      'BT-31',
      'Es fehlen USt-IdNr. und Steuernummer des Verkäufers. Eine von beiden muss dastehen (§ 14 Abs. 4 Nr. 2 UStG).',
    )
  const buyerId = term(groupOf(invoice, 'BG-7'), 'BT-48') || term(groupOf(invoice, 'BG-7'), 'BT-47')
  if (categories.some((one) => one === 'AE' || one === 'K') && buyerId === '')
    // § 14a (1) and (3) UStG for supplies in the EU; at home § 14a (5) asks for the notice alone.
    list.hint(
      categories.includes('K') ? 'BR-IC-02' : 'BR-AE-02',
      'BT-48',
      'Ihre USt-IdNr. steht nicht auf der Rechnung. Bei Umsätzen aus dem EU-Ausland muss sie dastehen (§ 14a UStG).',
    )
}

/** § 14 (4) sentence 1 Nr. 6 UStG: a day or period of supply, of the invoice or of every line. */
function checkSupply(list: FaultList, invoice: InvoiceGroup): void {
  const period = groupOf(invoice, 'BG-14')
  const has =
    term(groupOf(invoice, 'BG-13'), 'BT-72') !== '' ||
    term(period, 'BT-73') !== '' ||
    term(period, 'BT-74') !== '' ||
    term(invoice, 'BT-7') !== '' ||
    groupsOf(invoice, 'BG-25').every((line) => groupOf(line, 'BG-26') !== undefined)
  if (!has && !isAdvance(invoice))
    list.fault(
      '§ 14 (4) Nr. 6',
      'BT-72',
      'Der Zeitpunkt der Leistung fehlt (§ 14 Abs. 4 Nr. 6 UStG). Ohne ihn ist die Vorsteuer in Gefahr.',
    )
  const ordered = (rule: string, id: string, from: string, to: string, place = ''): void => {
    if (isDay(from) && isDay(to) && to < from)
      list.fault(rule, id, 'Das Ende des Leistungszeitraums liegt vor seinem Beginn.', place)
  }
  ordered('BR-29', 'BT-74', term(period, 'BT-73'), term(period, 'BT-74'))
  for (const line of groupsOf(invoice, 'BG-25')) {
    const own = groupOf(line, 'BG-26')
    ordered('BR-30', 'BT-135', term(own, 'BT-134'), term(own, 'BT-135'), term(line, 'BT-126'))
  }
}

/** § 15 (1) Nr. 1 sentence 3 UStG: the tax of an advance is deducted when it is paid, and not once more in the end. */
function checkAdvances(list: FaultList, invoice: InvoiceGroup): void {
  if (inputTaxKind(invoice) === 'anzahlung')
    return list.hint(
      '§ 15 (1) Nr. 1',
      'BT-3',
      'Das ist eine Abschlags- oder Anzahlungsrechnung. Ihre Vorsteuer zählt erst, wenn sie bezahlt ist ' +
        '(§ 15 Abs. 1 Satz 1 Nr. 1 Satz 3 UStG).',
    )
  const paid = numberOf(term(groupOf(invoice, 'BG-22'), 'BT-113'))
  if (inputTaxKind(invoice) === 'inland' && paid !== null && paid.wert !== 0n)
    list.hint(
      '§ 15 (1) Nr. 1',
      'BT-113',
      'Laut dieser Rechnung ist schon etwas gezahlt. Wurde die Vorsteuer von Abschlägen schon abgezogen, ist nur ' +
        'noch der Rest abziehbar. Bitte tragen Sie ihn unter „Angaben“ ein.',
    )
}

export function checkContent(list: FaultList, invoice: InvoiceGroup): void {
  checkNeeded(list, invoice)
  checkCategories(list, invoice)
  checkParties(list, invoice)
  checkSupply(list, invoice)
  checkAdvances(list, invoice)
}
