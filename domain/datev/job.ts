// What a batch for DATEV is made of, and what is wrong with it.
import type { Beleg, BelegAmount, BelegTax } from '../beleg.ts'

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
  /** Accounts of advances received, likewise; what is not set is that of the chart of accounts. */
  readonly advanceAccounts?: DatevSettings['revenueAccounts']
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
  /** What a payment of an advance is by rate; null for other invoices. */
  readonly anzahlungen?: readonly BelegAmount[] | null
}
/** A tax group, or the part of it that was supplied in one month. */
export interface DatevTax extends Pick<BelegTax, 'kategorie' | 'satz' | 'basis' | 'steuer'> {
  /** Last day of the supply. */
  readonly le_date: string
  /** The day that decides the tax period: that of the supply, or of a Storno or correction. */
  readonly datum: string
}
export interface DatevBeleg {
  readonly beleg: Pick<Beleg, 'art' | 'nummer' | 'datum' | 'faellig' | 'leistungsort'> & {
    /** What a correction corrects. */
    readonly bezug?: { readonly nummer: string } | null
    readonly empfaenger: Pick<Beleg['empfaenger'], 'name' | 'ust_id'>
    readonly summen: { readonly steuern: readonly DatevTax[] }
    /** What a final invoice takes off, by rate. */
    readonly anzahlungen?: readonly DatevTax[]
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
  /** Of payments only what the clearing by final invoices needs: the account of advances, not the bank's. */
  readonly advancesOnly?: boolean
  /** Without the days of supply, if the adviser does not work with them. */
  readonly withoutSupply?: boolean
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
    | 'anzahlungskonto'
    | 'ausfall'
    | 'betrag'
    | 'leistung'
    | 'belegfeld'
    | 'schluessel'
    | 'zeichen'
    | 'leer'
  readonly text: string
  /**
   * fehler: can be repaired, and until then there is no batch · ausgelassen: nobody can change what is issued,
   * so this document is left out and the others are written.
   */
  readonly severity: 'fehler' | 'ausgelassen' | 'hinweis'
}
export interface DatevBatch {
  readonly dateiname: string
  /** Empty as long as something can be repaired: half a batch is worse than none. */
  readonly bytes: Uint8Array
  readonly zeilen: number
  /** Numbers of the documents that are left out. */
  readonly ausgelassen: readonly string[]
  readonly faults: readonly DatevFault[]
}
