// Adds up a received invoice again: lines, allowances and charges, tax groups, totals (EN 16931, BR-CO-10 to
// BR-CO-17, BR-S-08 and its kin). To the cent: the official rules accept tax that is wrong by up to 0.99 €.
import {
  absolute,
  add,
  compare,
  type Decimal,
  divide,
  formatAmount,
  formatCents,
  formatGerman,
  isEqual,
  multiply,
  negate,
  NULL,
  percentOf,
  round2,
  sign,
  subtract,
  sum,
} from '../geld.ts'
import { type FaultList, nameOf } from './fault.ts'
import { groupOf, groupsOf, type InvoiceGroup, term } from './invoice.ts'
import { numberOf } from './numbers.ts'

const CENT: Decimal = { wert: 1n, decimals: 2 }
const ONE: Decimal = { wert: 1n, decimals: 0 }

const amount = (group: InvoiceGroup | undefined, id: string): Decimal => numberOf(term(group, id)) ?? NULL
const isFar = (one: Decimal, other: Decimal, by: Decimal): boolean => {
  const away = subtract(one, other)
  return compare(absolute(away), by) > 0
}
const sumOf = (groups: readonly InvoiceGroup[], id: string): Decimal =>
  sum(groups.map((one) => amount(one, id)))

/** "S 19": what belongs to one tax group (BG-23). */
const keyOf = (category: string, rate: string): string => {
  const value = numberOf(rate)
  return `${category.trim()} ${value === null ? '0' : formatGerman(value)}`
}

const wrong = (list: FaultList, rule: string, id: string, written: Decimal, computed: Decimal, place = '') =>
  list.fault(
    rule,
    id,
    `Nachgerechnet stimmt nicht: ${nameOf(id)} ist ${formatAmount(written)}, ` +
      `errechnet sind ${formatAmount(computed)}.`,
    place,
  )

function checkLine(list: FaultList, line: InvoiceGroup): void {
  const price = groupOf(line, 'BG-29')
  const [quantity, net] = [numberOf(term(line, 'BT-129')), numberOf(term(price, 'BT-146'))]
  const written = numberOf(term(line, 'BT-131'))
  if (quantity === null || net === null || written === null) return
  const basis = numberOf(term(price, 'BT-149')) ?? ONE
  if (sign(basis) <= 0) return
  const full = divide(multiply(net, quantity), basis, 2)
  const off = sumOf(groupsOf(line, 'BG-27'), 'BT-136')
  const on = sumOf(groupsOf(line, 'BG-28'), 'BT-141')
  const computed = add(subtract(full, off), on)
  // Makers round the price, the allowance and the line; the official rules of XRechnung accept two cents.
  if (isFar(written, computed, add(CENT, CENT)))
    wrong(list, 'PEPPOL-EN16931-R120', 'BT-131', written, computed, term(line, 'BT-126'))
}

/** Of what the tax groups consist, by the lines, allowances and charges. */
function basesOf(invoice: InvoiceGroup): Map<string, Decimal> {
  const bases = new Map<string, Decimal>()
  const put = (category: string, rate: string, value: Decimal): void => {
    const key = keyOf(category, rate)
    bases.set(key, add(bases.get(key) ?? NULL, value))
  }
  for (const line of groupsOf(invoice, 'BG-25')) {
    const tax = groupOf(line, 'BG-30')
    put(term(tax, 'BT-151'), term(tax, 'BT-152'), amount(line, 'BT-131'))
  }
  for (const one of groupsOf(invoice, 'BG-20'))
    put(term(one, 'BT-95'), term(one, 'BT-96'), negate(amount(one, 'BT-92')))
  for (const one of groupsOf(invoice, 'BG-21'))
    put(term(one, 'BT-102'), term(one, 'BT-103'), amount(one, 'BT-99'))
  return bases
}

function checkTaxes(list: FaultList, invoice: InvoiceGroup): void {
  const bases = basesOf(invoice)
  const seen = new Set<string>()
  for (const tax of groupsOf(invoice, 'BG-23')) {
    const key = keyOf(term(tax, 'BT-118'), term(tax, 'BT-119'))
    if (seen.has(key)) {
      list.hint('BR-CO-18', 'BG-23', `Diese Gruppe der Umsatzsteuer steht mehrmals da: ${key} %.`)
      return
    }
    seen.add(key)
    const [basis, written] = [amount(tax, 'BT-116'), amount(tax, 'BT-117')]
    const base = bases.get(key)
    if (base === undefined)
      list.fault('BR-S-01', 'BG-23', `Keine Position gehört zu dieser Gruppe der Umsatzsteuer: ${key} %.`)
    else if (!isEqual(basis, base)) wrong(list, 'BR-S-08', 'BT-116', basis, base)
    const computed = round2(percentOf(basis, numberOf(term(tax, 'BT-119')) ?? NULL))
    if (!isEqual(written, computed)) {
      // Lines whose tax was rounded one by one: within a cent for each of them it is a habit, not a fault.
      const lines = { wert: BigInt(Math.max(1, groupsOf(invoice, 'BG-25').length)), decimals: 2 }
      if (isFar(written, computed, lines)) wrong(list, 'BR-CO-17', 'BT-117', written, computed)
      else
        list.hint(
          'BR-CO-17',
          'BT-117',
          `Die Steuer weicht um Cent ab: ${formatAmount(written)} statt ${formatAmount(computed)}. ` +
            'Vermutlich hat der Aussteller je Position gerundet.',
        )
    }
  }
  for (const [key, base] of bases)
    if (!seen.has(key) && !(key.startsWith('O ') && seen.has('O 0')))
      list.fault(
        'BR-S-01',
        'BG-23',
        `Diese Gruppe der Umsatzsteuer fehlt: ${key} % mit ${formatCents(base).replace('.', ',')}.`,
      )
}

function checkTotals(list: FaultList, invoice: InvoiceGroup): void {
  const sums = groupOf(invoice, 'BG-22')
  const same = (rule: string, id: string, computed: Decimal, isNeeded: boolean): void => {
    const text = term(sums, id)
    if (text === '' && !isNeeded && sign(computed) === 0) return
    const written = text === '' ? NULL : numberOf(text)
    if (written !== null && !isEqual(written, computed)) wrong(list, rule, id, written, computed)
  }
  const of = (id: string): Decimal => amount(sums, id)
  same('BR-CO-10', 'BT-106', sumOf(groupsOf(invoice, 'BG-25'), 'BT-131'), true)
  same('BR-CO-11', 'BT-107', sumOf(groupsOf(invoice, 'BG-20'), 'BT-92'), false)
  same('BR-CO-12', 'BT-108', sumOf(groupsOf(invoice, 'BG-21'), 'BT-99'), false)
  same('BR-CO-13', 'BT-109', add(subtract(of('BT-106'), of('BT-107')), of('BT-108')), true)
  same('BR-CO-14', 'BT-110', sumOf(groupsOf(invoice, 'BG-23'), 'BT-117'), false)
  same('BR-CO-15', 'BT-112', add(of('BT-109'), of('BT-110')), true)
  same('BR-CO-16', 'BT-115', add(subtract(of('BT-112'), of('BT-113')), of('BT-114')), true)
}

export function checkSums(list: FaultList, invoice: InvoiceGroup): void {
  for (const line of groupsOf(invoice, 'BG-25')) checkLine(list, line)
  checkTaxes(list, invoice)
  checkTotals(list, invoice)
}
