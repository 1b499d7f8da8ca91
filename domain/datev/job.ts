// What a batch for DATEV is made of, and what is wrong with it.
import type { InputTaxKind } from '../eingang/input-tax.ts'
import type { Beleg, BelegTax } from '../beleg.ts'

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
  /** Tax keys of accounts of expenses that have their own; empty: the account knows its tax. */
  readonly expenseKeys?: Readonly<Record<string, string>>
  /** Accounts of advances received, in the same form; what is not set is that of the chart of accounts. */
  readonly advanceAccounts?: DatevSettings['revenueAccounts']
}
/** What was paid for an invoice, or paid back (negative). */
export interface DatevZahlung {
  readonly nummer: string
  readonly kunde: string
  readonly debitor: string
  readonly datum: string
  readonly betrag: string
  readonly art: 'zahlung' | 'skonto' | 'ausfall' | 'mahnkosten'
  /** What a discount takes back, by rate and tax period; empty for other kinds. */
  readonly steuern: readonly DatevTax[]
  /** What a payment of an advance is by rate; null for other invoices. */
  readonly anzahlungen?: readonly DatevTax[] | null
  /** What an earlier batch has of it. */
  readonly booked?: { readonly money: boolean; readonly advance: boolean }
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
/** A tax group of a received invoice as its file says it (BG-23): texts, and amounts without a sign. */
export interface ReceivedTax {
  readonly kategorie: string | null
  readonly satz: string | null
  readonly basis: string | null
  readonly steuer: string | null
}
/** An approved received invoice; amounts of a credit note are below zero. */
export interface DatevEingang {
  readonly eingang_id: number
  readonly nummer: string
  readonly kreditor: string
  /** Account of the supplier, and of the expense. */
  readonly creditor: string
  readonly konto: string
  readonly datum: string
  readonly faellig: string | null
  readonly leistung: string
  /** The day that decides the tax period. */
  readonly ab: string
  readonly vorsteuer: InputTaxKind
  /** Rate at which we owe the tax. */
  readonly satz: string
  readonly netto: string
  readonly steuer: string
  readonly brutto: string
  /** What of its tax is deducted; null: tax is owed and none deducted (§ 19 (1) sentences 3 and 4 UStG). */
  readonly abzug: string | null
  readonly steuern: readonly ReceivedTax[] | null
  readonly sha256: string
  readonly groesse: number
  /** An advance, or a final invoice that takes advances off: booked with their payments, by people. */
  readonly abschlag?: 'abschlag' | 'schluss' | null
}
/** What the advance return says of a document in a month, and what the lines of all batches do. */
export interface DatevDifference {
  readonly nummer: string
  /** First day of the month. */
  readonly monat: string
  /** Empty if DATEV takes the tax from the money, whose lines have no rate. */
  readonly kategorie: BelegTax['kategorie'] | ''
  readonly satz: string
  /** Gross. */
  readonly declared: string
  readonly booked: string
  /** The invoice with its Storno and corrections; below zero the order with its advances. */
  readonly root: number | string
  /** genannt: an earlier batch says the same · anders: it says `before_…` · vorbei: there is none any more. */
  readonly stand: 'neu' | 'genannt' | 'anders' | 'vorbei'
  readonly before_declared: string | null
  readonly before_booked: string | null
  /** When that batch was written. */
  readonly noted_at: string | null
}
/** As the log of a batch keeps it: with equal amounts if there is none any more. */
export type DatevNote = Pick<
  DatevDifference,
  'root' | 'nummer' | 'monat' | 'kategorie' | 'satz' | 'declared' | 'booked'
>
export interface DatevJob {
  readonly von: string
  readonly bis: string
  /** ISO time, written to the header. */
  readonly createdAt: string
  readonly setting: DatevSettings
  readonly belege: readonly DatevBeleg[]
  readonly zahlungen?: readonly DatevZahlung[]
  readonly eingang?: readonly DatevEingang[]
  readonly differences?: readonly DatevDifference[]
  /** Also the differences that an earlier batch names. */
  readonly allDifferences?: boolean
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
    | 'kreditor'
    | 'aufwandskonto'
    | 'steuersatz'
    | 'belegbild'
    | 'ausfall'
    | 'abweichung'
    | 'mahnkosten'
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
  /** Received invoices that it books. */
  readonly eingang: readonly number[]
  /** Differences that it names, for the log. */
  readonly hinweise: readonly DatevNote[]
  readonly faults: readonly DatevFault[]
}
