// Whether the values of a received invoice are what they claim to be: numbers, days, VAT ids, accounts, codes.
import { isDay } from '../day.ts'
import { sign } from '../geld.ts'
import { ibanFault } from '../iban.ts'
import { ustIdFault } from '../ust-id.ts'
import { type FaultList, nameOf, quoted } from './fault.ts'
import { groupOf, groupsOf, type InvoiceGroup, isCredit, term } from './invoice.ts'
import { centsOf, numberOf } from './numbers.ts'

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `BT-${from + index}`)

/** In cents (BR-DEC); prices and quantities may have more places. */
const AMOUNTS = new Set([
  ...'BT-92 BT-93 BT-99 BT-100 BT-116 BT-117 BT-131 BT-136 BT-137 BT-141 BT-142'.split(' '),
  ...range(106, 115),
])
const NUMBERS = new Set(
  'BT-94 BT-96 BT-101 BT-103 BT-119 BT-129 BT-138 BT-143 BT-146 BT-147 BT-148 BT-149 BT-152'.split(' '),
)
const DAYS = new Set(['BT-2', 'BT-7', 'BT-9', 'BT-26', 'BT-72', 'BT-73', 'BT-74', 'BT-134', 'BT-135'])
const UST_IDS = ['BT-31', 'BT-48', 'BT-63']

/** UNTDID 1001, as far as EN 16931 and XRechnung take them, and corrections. */
const TYPES = (
  '71 80 82 84 102 130 202 203 204 211 218 219 295 325 326 331 380 382 383 384 385 386 ' +
  '387 388 389 390 393 394 395 456 457 527 553 575 623 633 751 780 817 870 875 876 877 935'
).split(' ')
/** Attachments that EN 16931 allows, and XML of XRechnung. */
const MIMES = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'text/csv',
  'application/xml',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
]

function checkTexts(list: FaultList, group: InvoiceGroup, place: string): void {
  for (const [id, texts] of Object.entries(group.terms))
    for (const text of texts) {
      const number = AMOUNTS.has(id) || NUMBERS.has(id) ? numberOf(text) : undefined
      if (number === null)
        list.fault('zahl', id, `Das ist keine Zahl: ${nameOf(id)} „${quoted(text)}“.`, place)
      else if (AMOUNTS.has(id) && centsOf(text) === null)
        list.fault(
          'BR-DEC',
          id,
          `Dieser Betrag hat mehr als zwei Stellen: ${nameOf(id)} ${quoted(text)}.`,
          place,
        )
      if (DAYS.has(id) && !isDay(text))
        list.fault('tag', id, `Diesen Tag gibt es nicht: ${nameOf(id)} „${quoted(text)}“.`, place)
      if (UST_IDS.includes(id) && ustIdFault(text) !== null)
        list.hint('BR-CO-09', id, `Das ist keine gültige USt-IdNr.: „${quoted(text)}“.`, place)
    }
  for (const [id, groups] of Object.entries(group.groups))
    for (const one of groups) checkTexts(list, one, id === 'BG-25' ? term(one, 'BT-126') : place)
}

function checkPayment(list: FaultList, invoice: InvoiceGroup): void {
  const due = numberOf(term(groupOf(invoice, 'BG-22'), 'BT-115'))
  const isDue = due !== null && sign(due) > 0
  if (isDue && !isCredit(invoice) && term(invoice, 'BT-9') === '' && term(invoice, 'BT-20') === '')
    list.hint(
      'BR-CO-25',
      'BT-9',
      'Weder Fälligkeit noch Zahlungsbedingungen stehen da. Ohne sie ist sofort zu zahlen (§ 271 BGB).',
    )
  for (const means of groupsOf(invoice, 'BG-16')) {
    const account = term(groupOf(means, 'BG-17'), 'BT-84')
    const isTransfer = ['58', '59'].includes(term(means, 'BT-81'))
    if (account !== '' && (isTransfer || /^[A-Z]{2}\d\d/.test(account)) && ibanFault(account) !== null)
      list.fault(
        'BR-DE-19',
        'BT-84',
        `Das ist keine gültige IBAN: „${quoted(account)}“. Bitte nicht überweisen.`,
      )
  }
}

export function checkValues(list: FaultList, invoice: InvoiceGroup): void {
  checkTexts(list, invoice, '')
  const [type, currency] = [term(invoice, 'BT-3'), term(invoice, 'BT-5')]
  if (type !== '' && !TYPES.includes(type) && !isCredit(invoice))
    list.fault('BR-CL-01', 'BT-3', `Diese Art der Rechnung gibt es nicht: „${quoted(type)}“.`)
  if (currency !== '' && currency !== 'EUR')
    list.hint(
      'waehrung',
      'BT-5',
      `Die Rechnung ist in ${quoted(currency)} ausgestellt. Beträge in Euro tragen Sie bitte selbst ein.`,
    )
  for (const line of groupsOf(invoice, 'BG-25')) {
    const price = numberOf(term(groupOf(line, 'BG-29'), 'BT-146'))
    if (price !== null && sign(price) < 0)
      list.hint('BR-27', 'BT-146', 'Der Einzelpreis ist negativ.', term(line, 'BT-126'))
  }
  checkPayment(list, invoice)
  for (const { terms } of groupsOf(invoice, 'BG-24')) {
    const mime = terms['BT-125-1']?.[0] ?? ''
    if (terms['BT-125'] !== undefined && !MIMES.includes(mime))
      list.hint(
        'BR-CL-24',
        'BT-125-1',
        `Der Dateityp der Unterlage ist nicht vorgesehen: „${quoted(mime)}“. Bitte öffnen Sie sie mit Vorsicht.`,
      )
  }
}
