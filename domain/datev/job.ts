// What a batch for DATEV is made of, and what is wrong with it.
import type { Beleg, BelegSums, BelegTax } from '../beleg.ts'

export interface DatevAccount {
  readonly konto: string
  /** BU-Schlüssel, up to four digits; empty for automatic accounts. */
  readonly bu: string
}
export interface DatevSettings {
  readonly adviser: string
  readonly mandant: string
  /** Digits of a ledger account, 4 to 8; debtors have one more. */
  readonly accountDigits: number
  /** By category and rate: { "S 19.00": "8400" }, with a key { "S 19.00": { konto: "8000", bu: "3" } }. */
  readonly revenueAccounts: Readonly<Record<string, string | DatevAccount>>
  /** "03", "04" or empty. */
  readonly chartOfAccounts?: string
  /** Month in which the business year begins. */
  readonly fiscalYearMonth?: number
  /** The adviser can no longer change the lines. */
  readonly isFinal?: boolean
  /** Bank account, for payments. */
  readonly bankAccount?: string
  /** Accounts of granted discounts, by category and rate like the revenue accounts. */
  readonly skontoAccounts?: DatevSettings['revenueAccounts']
}
/** What was paid for an invoice, or paid back (negative). */
export interface DatevZahlung {
  readonly nummer: string
  readonly kunde: string
  readonly debitor: string
  readonly datum: string
  readonly betrag: string
  readonly art: 'zahlung' | 'skonto' | 'ausfall'
  /** Tax groups of the invoice, among which a discount is split. */
  readonly steuern: readonly BelegTax[]
}
export interface DatevBeleg {
  readonly beleg: Pick<Beleg, 'art' | 'nummer' | 'datum' | 'faellig'> & {
    readonly empfaenger: Pick<Beleg['empfaenger'], 'name' | 'ust_id'>
    readonly summen: Pick<BelegSums, 'steuern'>
  }
  /** Account of the customer. */
  readonly debitor: string
}
export interface DatevJob {
  readonly von: string
  readonly bis: string
  /** ISO time, written to the header. */
  readonly createdAt: string
  readonly setting: DatevSettings
  readonly belege: readonly DatevBeleg[]
  readonly zahlungen?: readonly DatevZahlung[]
}
/** `nummer` names the invoice, or the first of several with the same fault; empty for the settings. */
export interface DatevFault {
  readonly nummer: string
  readonly code:
    | 'berater'
    | 'mandant'
    | 'kontenlaenge'
    | 'zeitraum'
    | 'wirtschaftsjahr'
    | 'datum'
    | 'debitor'
    | 'erloeskonto'
    | 'bankkonto'
    | 'skontokonto'
    | 'ausfall'
    | 'betrag'
    | 'belegfeld'
    | 'zeichen'
    | 'leer'
  readonly text: string
  readonly severity: 'fehler' | 'hinweis'
}
export interface DatevBatch {
  readonly dateiname: string
  /** Empty if there are faults: half a batch is worse than none. */
  readonly bytes: Uint8Array
  readonly zeilen: number
  readonly faults: readonly DatevFault[]
}
