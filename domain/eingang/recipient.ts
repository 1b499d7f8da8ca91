// We, to whom received invoices are addressed, compared with what they say of seller and buyer.
import { isSameName, nameWords } from '../reconciliation/names.ts'
import { normalizeUstId } from '../ust-id.ts'
import { type FaultList, quoted } from './fault.ts'
import { groupOf, type InvoiceGroup, term } from './invoice.ts'

export interface Recipient {
  readonly name: string
  readonly name_zusatz: string
  readonly ust_id: string
  readonly steuernummer: string
}

const digits = (text: string): string => text.replaceAll(/\D/g, '')

/** Names of a party: BT-27 and BT-28 of a seller, BT-44 and BT-45 of a buyer. */
function isNamed(party: InvoiceGroup | undefined, ids: readonly string[], self: Recipient): boolean {
  const own = [self.name, `${self.name} ${self.name_zusatz}`].map(nameWords)
  return ids
    .map((id) => term(party, id))
    .some((name) => name !== '' && own.some((words) => isSameName(nameWords(name), words)))
}

/**
 * Whether the seller is ourselves: our own invoice has come back, or a customer has billed our supply for us
 * (Gutschrift, § 14 (2) sentence 5 UStG). Neither brings input tax.
 */
export function isOwnSupply(invoice: InvoiceGroup, self: Recipient | null): boolean {
  if (self === null) return false
  const seller = groupOf(invoice, 'BG-4')
  const [vatId, taxNumber] = [normalizeUstId(term(seller, 'BT-31')), digits(term(seller, 'BT-32'))]
  if (vatId !== '' && self.ust_id !== '') return vatId === normalizeUstId(self.ust_id)
  if (taxNumber !== '' && self.steuernummer !== '') return taxNumber === digits(self.steuernummer)
  return isNamed(seller, ['BT-27'], self) && !isNamed(groupOf(invoice, 'BG-7'), ['BT-44', 'BT-45'], self)
}

/** § 14 (4) sentence 1 Nr. 1, § 15 (1) sentence 1 Nr. 1 UStG: input tax is that of the one who is billed. */
export function checkRecipient(list: FaultList, invoice: InvoiceGroup, self: Recipient): void {
  if (isOwnSupply(invoice, self))
    return list.fault(
      'eigene_leistung',
      'BG-4',
      'Der Verkäufer sind Sie selbst: Das ist Ihre eigene Rechnung oder eine Gutschrift, mit der ein Kunde Ihre ' +
        'Leistung abrechnet (§ 14 Abs. 2 UStG). Sie bringt keine Vorsteuer und wird nicht bezahlt, sondern gehört zu ' +
        'Ihren Umsätzen. Bitte lehnen Sie sie hier ab.',
    )
  const buyer = groupOf(invoice, 'BG-7')
  const vatId = term(buyer, 'BT-48')
  if (vatId !== '' && self.ust_id !== '') {
    if (normalizeUstId(vatId) !== normalizeUstId(self.ust_id))
      list.fault(
        'empfaenger',
        'BT-48',
        `Die Rechnung ist an eine andere USt-IdNr. gerichtet: „${quoted(vatId)}“. Ihre ist ${self.ust_id}.`,
      )
    return
  }
  const name = term(buyer, 'BT-44')
  // Names are written in many ways, so people look.
  if (name !== '' && self.name !== '' && !isNamed(buyer, ['BT-44', 'BT-45'], self))
    list.hint(
      'empfaenger',
      'BT-44',
      `Die Rechnung ist an „${quoted(name)}“ gerichtet, nicht an „${self.name}“. Vorsteuer hat nur, wer selbst ` +
        'Empfänger ist (§ 15 Abs. 1 Nr. 1 UStG).',
    )
}
