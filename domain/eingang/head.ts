// What the books take from a received invoice: the columns by which it is listed, recognised, approved and paid.
// Amounts of a credit note have their sign turned: they are money that comes back.
import { isDay } from '../day.ts'
import { type Decimal, formatCents, negate } from '../geld.ts'
import { ibanFault, normalizeIban } from '../iban.ts'
import { normalizeUstId } from '../ust-id.ts'
import { type InputTaxKind, inputTaxKind, supplyDay } from './input-tax.ts'
import { groupOf, groupsOf, type InvoiceGroup, isCredit, term } from './invoice.ts'
import { centsOf } from './numbers.ts'
import type { Recipient } from './recipient.ts'

/** Null: the file does not say it, or not so that it could be taken. */
export interface InvoiceHead {
  readonly name: string | null
  readonly ust_id: string | null
  readonly iban: string | null
  readonly nummer: string | null
  readonly datum: string | null
  readonly faellig: string | null
  readonly currency: string | null
  readonly netto: string | null
  readonly steuer: string | null
  readonly brutto: string | null
  readonly zahlbetrag: string | null
  readonly vorsteuer: InputTaxKind
  /** Last day of the supply. */
  readonly leistung: string | null
}

const LONGEST = { name: 200, nummer: 100 } as const
const line = (text: string, longest: number): string | null => {
  const clean = text
    .replaceAll(/[\s\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069]+/g, ' ')
    .trim()
  return clean === '' ? null : Array.from(clean).slice(0, longest).join('').trim()
}
const [FIRST, LAST] = ['2000-01-01', '2100-12-31']
const day = (text: string): string | null => (isDay(text) && text >= FIRST && text <= LAST ? text : null)

/** @param self who receives it; null: not known */
export function headOf(invoice: InvoiceGroup, self: Recipient | null = null): InvoiceHead {
  const seller = groupOf(invoice, 'BG-4')
  const sums = groupOf(invoice, 'BG-22')
  const accounts = groupsOf(invoice, 'BG-16').map((means) =>
    normalizeIban(term(groupOf(means, 'BG-17'), 'BT-84')),
  )
  const currency = term(invoice, 'BT-5')
  const turned = (value: Decimal): Decimal => (isCredit(invoice) ? negate(value) : value)
  // Amounts in another currency are ignored.
  const cents = (id: string): string | null => {
    const value = currency === 'EUR' ? centsOf(term(sums, id)) : null
    return value === null ? null : formatCents(turned(value))
  }
  const [netto, brutto] = [cents('BT-109'), cents('BT-112')]
  const ustId = normalizeUstId(term(seller, 'BT-31'))
  return {
    name: line(term(seller, 'BT-27'), LONGEST.name),
    ust_id: /^[A-Z0-9+*]{4,20}$/.test(ustId) ? ustId : null,
    iban: accounts.find((account) => ibanFault(account) === null) ?? null,
    nummer: line(term(invoice, 'BT-1'), LONGEST.nummer),
    datum: day(term(invoice, 'BT-2')),
    faellig: day(term(invoice, 'BT-9')),
    currency: /^[A-Z]{3}$/.test(currency) ? currency : null,
    netto,
    steuer: cents('BT-110') ?? (netto !== null && netto === brutto ? '0.00' : null),
    brutto,
    zahlbetrag: cents('BT-115'),
    vorsteuer: inputTaxKind(invoice, self),
    leistung: day(supplyDay(invoice) ?? ''),
  }
}
