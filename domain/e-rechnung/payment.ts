// How an invoice is paid: BG-16 with the account of one side.
import type { Beleg, BelegEinzug } from '../beleg.ts'
import { identifier } from './parties.ts'
import { isToBePaid } from './terms.ts'
import { leaf, node } from './xml.ts'

/** How it is collected, if there is something to collect. */
export const collected = (beleg: Beleg): BelegEinzug | undefined =>
  isToBePaid(beleg) ? beleg.einzug : undefined

/**
 * 59 is a SEPA direct debit from the buyer's account (BG-19, without BG-17: BR-DE-25).
 * 58 is a SEPA transfer to this account. If nothing is due, no account is given, so that nobody transfers
 * anything: 1, not defined.
 */
export function paymentMeans(beleg: Beleg): string {
  const debit = collected(beleg)
  if (debit !== undefined)
    return node(
      'ram:SpecifiedTradeSettlementPaymentMeans',
      leaf('ram:TypeCode', '59'),
      node('ram:PayerPartyDebtorFinancialAccount', leaf('ram:IBANID', identifier(debit.iban))),
    )
  const { iban, bic, kontoinhaber, name } = beleg.lieferant
  const account = isToBePaid(beleg) ? identifier(iban) : ''
  if (account === '') return node('ram:SpecifiedTradeSettlementPaymentMeans', leaf('ram:TypeCode', '1'))
  return node(
    'ram:SpecifiedTradeSettlementPaymentMeans',
    leaf('ram:TypeCode', '58'),
    node(
      'ram:PayeePartyCreditorFinancialAccount',
      leaf('ram:IBANID', account),
      leaf('ram:AccountName', kontoinhaber) || leaf('ram:AccountName', name),
    ),
    node('ram:PayeeSpecifiedCreditorFinancialInstitution', leaf('ram:BICID', identifier(bic))),
  )
}
