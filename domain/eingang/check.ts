// Our own check of a received invoice. It is not the official one (XRechnung's Schematron): it adds up again, asks
// for what EN 16931 and § 14 (4) UStG demand, and looks at numbers, days, VAT ids and accounts. Code lists,
// rules on single countries and most of XRechnung's own rules (BR-DE) are not in it.
import { checkContent } from './check-content.ts'
import { checkSums } from './check-sums.ts'
import { checkValues } from './check-values.ts'
import { createFaultList, type InvoiceFault, quoted } from './fault.ts'
import { groupOf, type ReadInvoice, term } from './invoice.ts'
import { checkTaxation } from './check-taxation.ts'
import { checkRecipient, type Recipient } from './recipient.ts'

/** Profiles of ZUGFeRD that lack lines: no invoice of § 14 UStG (BMF-Schreiben of 15.10.2024). */
const BOOKING_AIDS = /(?:#|:)(?:minimum|basicwl)$/

/** @param self who receives it; null: not known */
export function checkInvoice({ invoice, unread }: ReadInvoice, self: Recipient | null): InvoiceFault[] {
  const list = createFaultList()
  const profile = term(groupOf(invoice, 'BG-2'), 'BT-24')
  if (BOOKING_AIDS.test(profile))
    list.fault(
      'profil',
      'BT-24',
      'Dieses Profil von ZUGFeRD (MINIMUM oder BASIC WL) ist nur eine Buchungshilfe und keine Rechnung ' +
        'nach § 14 UStG.',
    )
  checkContent(list, invoice)
  checkValues(list, invoice)
  checkSums(list, invoice)
  checkTaxation(list, invoice, self)
  if (self !== null) checkRecipient(list, invoice, self)
  if (unread.length > 0)
    list.hint(
      'ungelesen',
      'BG-0',
      `Die Datei enthält Angaben, die diese Seite nicht zeigt: ${quoted(unread.slice(0, 3).join(', '))}.`,
    )
  return list.faults
}
