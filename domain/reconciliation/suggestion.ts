// A proposal which invoice a bank transaction pays, its reasons, and what is needed to find one.
import type { BelegSkonto } from '../beleg.ts'
import { type Decimal, formatCents } from '../geld.ts'

export interface ReconciliationRechnung {
  readonly rechnung_id: number
  readonly client_id: number
  readonly kunde: string
  readonly nummer: string
  readonly rn_datum: string
  readonly zahlbetrag: string
  readonly bezahlt: string
  /** Negative: overpaid. Zero for a cancelled invoice. */
  readonly offen: string
  readonly storniert: boolean
  readonly skonto: readonly BelegSkonto[]
  /** What reminders have demanded beside the invoice and is not paid. */
  readonly mahnkosten: string
}
export interface ReconciliationUmsatz {
  readonly id: number
  readonly datum: string
  /** The part not yet assigned to an invoice; negative: money that went out. */
  readonly rest: string
  readonly name: string
  readonly iban: string
  readonly zweck: string
}
/** An account that has paid for this customer before. */
export interface KnownBankAccount {
  readonly iban: string
  readonly client_id: number
}
export interface ReconciliationData {
  readonly rechnungen: readonly ReconciliationRechnung[]
  readonly accountList: readonly KnownBankAccount[]
}

/**
 * nummer: the purpose contains the invoice's number · nummer_teil: it does, but with blanks, without zeros
 * or without its letters · betrag: exactly the open amount · skonto: the open amount less the discount, in
 * time · skonto_spaet: the same, too late · mahnung: the open amount and the costs of the reminder, or
 * these alone · summe: all of these invoices together · iban: the account has paid for this customer before
 * · name · einzige: no other open invoice has this amount · teil: less than is open · ueber: more than is
 * open · mehrdeutig: others fit too · konkurrenz: another transaction claims it too · vor_rechnung: paid
 * before the invoice · bezahlt: a named invoice is paid or cancelled · rueckzahlung: an overpayment is paid
 * back · rueckgabe: a payment is returned · lauf: the sum of a file of credit transfers
 */
export type ReconciliationReason =
  | 'nummer'
  | 'nummer_teil'
  | 'betrag'
  | 'skonto'
  | 'skonto_spaet'
  | 'mahnung'
  | 'summe'
  | 'iban'
  | 'name'
  | 'einzige'
  | 'teil'
  | 'ueber'
  | 'mehrdeutig'
  | 'konkurrenz'
  | 'vor_rechnung'
  | 'bezahlt'
  | 'rueckzahlung'
  | 'rueckgabe'
  | 'lauf'

export interface Match {
  readonly rechnung_id: number
  /** With the sign of the transaction. */
  readonly betrag: string
  /** Grants what then remains open as a cash discount. */
  readonly skonto: boolean
  /** What exceeds the open amount pays costs of reminders. */
  readonly mahnkosten?: boolean
}
export interface Suggestion {
  readonly zuordnungen: readonly Match[]
  readonly reasons: readonly ReconciliationReason[]
  readonly sicher: boolean
  /** Only for sorting. */
  readonly punkte: number
}
export interface Reconciliation {
  readonly umsatz_id: number
  /** Best first. */
  readonly suggestions: readonly Suggestion[]
  /** Invoices named in the purpose that are already paid or cancelled. */
  readonly settled: readonly string[]
}

const POINTS: Readonly<Record<ReconciliationReason, number>> = {
  lauf: 60,
  nummer: 50,
  nummer_teil: 42,
  betrag: 40,
  skonto: 38,
  mahnung: 38,
  summe: 38,
  iban: 30,
  rueckzahlung: 30,
  rueckgabe: 25,
  name: 20,
  skonto_spaet: 18,
  einzige: 8,
  teil: 4,
  ueber: 4,
  bezahlt: -5,
  mehrdeutig: -15,
  konkurrenz: -10,
  vor_rechnung: -20,
}

export function suggestionFor(
  assignments: readonly Match[],
  reasons: readonly ReconciliationReason[],
  certain: boolean,
): Suggestion {
  const pointList = reasons.reduce((points, reason) => points + POINTS[reason], 0)
  return { zuordnungen: assignments, reasons, sicher: certain, punkte: pointList }
}
export const assignment = (
  { rechnung_id }: ReconciliationRechnung,
  amount: Decimal,
  skonto = false,
): Match => ({
  rechnung_id,
  betrag: formatCents(amount),
  skonto,
})
