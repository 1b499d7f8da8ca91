// Our own check of a received invoice. It is not the official one (XRechnung's Schematron): it adds up again, asks
// for what EN 16931 and § 14 (4) UStG demand, and looks at numbers, days, VAT ids and accounts. Code lists,
// rules on single countries and most of XRechnung's own rules (BR-DE) are not in it.
import { normalizeUstId } from '../ust-id.ts'
import { checkContent } from './check-content.ts'
import { checkSums } from './check-sums.ts'
import { checkValues } from './check-values.ts'
import { createFaultList, type InvoiceFault, quoted } from './fault.ts'
import { groupOf, type ReadInvoice, term } from './invoice.ts'

/** Profiles of ZUGFeRD that lack lines: no invoice of § 14 UStG (BMF-Schreiben of 15.10.2024). */
const BOOKING_AIDS = /(?:#|:)(?:minimum|basicwl)$/

export interface Recipient {
  readonly name: string
  readonly ust_id: string
}

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
  const buyer = term(groupOf(invoice, 'BG-7'), 'BT-48')
  if (
    self !== null &&
    self.ust_id !== '' &&
    buyer !== '' &&
    normalizeUstId(buyer) !== normalizeUstId(self.ust_id)
  )
    list.fault(
      'empfaenger',
      'BT-48',
      `Die Rechnung ist an eine andere USt-IdNr. gerichtet: „${quoted(buyer)}“. Ihre ist ${self.ust_id}.`,
    )
  if (unread.length > 0)
    list.hint(
      'ungelesen',
      'BG-0',
      `Die Datei enthält Angaben, die diese Seite nicht zeigt: ${quoted(unread.slice(0, 3).join(', '))}.`,
    )
  return list.faults
}
