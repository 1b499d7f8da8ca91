// Received invoices and their senders: rows, procedures, addresses of the files. Amounts are text.
import type { InvoiceFault } from '#domain/eingang/fault.ts'
import type { InputTaxKind } from '#domain/eingang/input-tax.ts'
import type { InvoiceGroup } from '#domain/eingang/invoice.ts'

type Id = number | string

/** zugferd: a PDF with an e-invoice inside; pdf: one without. */
export type EingangFormat = 'cii' | 'ubl' | 'zugferd' | 'pdf'
export type EingangState = 'neu' | 'freigegeben' | 'abgelehnt' | 'bezahlt'

/** Of one file, as the database stores it. */
export const EINGANG_BYTES = 20 * 2 ** 20
/** In characters. */
export const EINGANG_FILE_NAME = 150

/** Why a file is not taken in. */
export type EingangFileRule =
  | 'eingang_art'
  | 'eingang_leer'
  | 'eingang_gross'
  | 'eingang_zeichen'
  | 'eingang_xml'
  | 'eingang_dtd'
  | 'eingang_umfang'
  | 'eingang_fremd'
  | 'eingang_zugferd_1'
  | 'eingang_aufwand'

/** Why the files of a mail are not read. */
export type EingangMailRule = 'mail_gross' | 'mail_viele' | 'mail_ohne' | 'mail_kaputt'

/** A mail that was not taken in, or not with all of its files. */
export interface EingangMail {
  id: number
  absender: string
  betreff: string
  gesendet_am: string | null
  zustand: 'teilweise' | 'abgelehnt'
  grund: EingangMailRule | ''
  teile: { name: string; eingang_id: number | null; grund: EingangFileRule | '' }[]
  angelegt_am: string
}
export interface EingangPostfach {
  /** Empty: no mailbox is set. */
  adresse: string
  /** When all of it was seen. */
  geschaut_am: string | null
  /** What went wrong since. */
  fehler: '' | 'anmeldung' | 'verbindung' | 'ordner' | 'mail' | 'intern'
  fehler_am: string | null
  mails: EingangMail[]
}

export const eingangPaths = {
  /** POST with the bytes as application/octet-stream; answers EingangAdded. */
  upload: (name: string): string => `eingang/upload?name=${encodeURIComponent(name)}`,
  file: (id: Id): string => `eingang/${id}/datei`,
  /** An embedded document, from 1. */
  attachment: (id: Id, index: number): string => `eingang/${id}/anlage/${index}`,
}
export interface EingangAdded {
  id: number
}

export interface Kreditor {
  id: number
  name: string
  ust_id: string
  iban: string
  /** Number among the creditors. */
  konto: string
  /** Account of expenses that is proposed. */
  aufwandskonto: string
  version: number
}

/** /eingang_liste. */
export interface EingangListRow {
  id: number
  kreditor_id: number | null
  kreditor: string
  nummer: string
  datum: string | null
  faellig: string | null
  netto: number | null
  steuer: number | null
  brutto: number | null
  zahlbetrag: number | null
  /** Null before the approval and after a refusal. */
  offen: number | null
  zustand: EingangState
  stand: EingangState | 'ueberfaellig'
  format: EingangFormat
  dateiname: string
  konto: string
  bezahlt_am: string | null
  eingegangen_am: string
  /** Number of faults that the check found. */
  fehler: number
  /** Another invoice of the same sender has this number. */
  doppelt: boolean
  /** Day on which a file for the bank pays it; null: in none that waits to be carried out. */
  angewiesen: string | null
  suchtext: string
}

export interface Eingang {
  id: number
  dateiname: string
  sha256: string
  groesse: number
  format: EingangFormat
  /** The rules that the file says it follows. */
  profil: string
  /** The rules that it was checked by. */
  geprueft: string
  gelesen: InvoiceGroup | null
  befunde: InvoiceFault[]
  kreditor_id: number | null
  kreditor: Kreditor | null
  /** The mail that brought it; null: somebody put it there. */
  herkunft: { von: string; betreff: string; am: string | null } | null
  name: string
  ust_id: string
  iban: string
  nummer: string
  datum: string | null
  faellig: string | null
  netto: string | null
  steuer: string | null
  brutto: string | null
  zahlbetrag: string | null
  /** Fields that the file itself says. */
  aus_datei: string[]
  konto: string
  zustand: EingangState
  eingegangen_am: string
  entschieden_am: string | null
  bemerkung: string
  vorsteuer: InputTaxKind
  /** What of its tax is deducted; null: all of it. */
  vorsteuer_betrag: string | null
  /** Rate at which we owe the tax. */
  vorsteuer_satz: string
  /** Last day of the supply; null: the day of the invoice. */
  leistung: string | null
  /** Day on which it reached us; null: when it was taken in. */
  erhalten: string | null
  /** Day of the payment that settled it. */
  bezahlt_am: string | null
  /** Payments and cash discounts until now. */
  bezahlt: string
  /** Null before the approval and after a refusal; below zero: paid too much, or a credit note. */
  offen: string | null
  /** The file for the bank that pays it and that the bank has not carried out. */
  zahllauf: { id: number; tag: string; betrag: string } | null
  /** Others of the same sender with the same number. */
  gleiche: { id: number; datum: string | null; zustand: EingangState }[]
  version: number
}

export interface EingangValues {
  kreditor_id?: number | null
  nummer?: string
  datum?: string | null
  faellig?: string | null
  netto?: string | null
  steuer?: string | null
  brutto?: string | null
  zahlbetrag?: string | null
  konto?: string
  vorsteuer?: InputTaxKind
  vorsteuer_betrag?: string | null
  vorsteuer_satz?: string
  leistung?: string | null
  erhalten?: string | null
}

export interface EingangZahlung {
  id: number
  datum: string
  /** Above zero: money to the supplier, below zero: money from them. */
  betrag: string
  art: 'zahlung' | 'skonto'
  bemerkung: string
  umsatz_id: number | null
  /** The payment that this entry takes back. */
  gegen_id: number | null
  /** This payment was taken back. */
  zurueck: boolean
  /** The file for the bank that it carries out. */
  lauf_id: number | null
  angelegt_am: string
  wer: string | null
}
/** What bank entries are compared with. */
export interface BankEingang {
  eingang_id: number
  kreditor_id: number
  kreditor: string
  nummer: string
  datum: string
  faellig: string | null
  zahlbetrag: string
  bezahlt: string
  offen: string
  /** Accounts of the supplier. */
  iban: string[]
  /** Terms of payment as the file says them (BT-20). */
  bedingungen: string
  /** The line in a file for the bank that has not been carried out. */
  lauf_id: number | null
  posten: string | null
  posten_skonto: boolean | null
  /** Day of execution of that line. */
  posten_tag: string | null
}

/** An approved invoice that no file for the bank pays yet. */
export interface Payable {
  eingang_id: number
  kreditor_id: number
  kreditor: string
  nummer: string
  datum: string
  faellig: string
  offen: string
  zahlbetrag: string
  /** Account that the invoice names. */
  iban: string
  /** Account that the supplier is paid to; another one is the usual fraud. */
  bekannt: string
  bedingungen: string
}
export interface TransferOrderInput {
  eingang_id: Id
  betrag: string
  /** The rest of the open amount is deducted as cash discount. */
  skonto?: boolean
  /** One of the two accounts. */
  iban: string
  /** Day of execution; without it that of the file. */
  tag?: string
}
/** A file for the bank that pays received invoices. */
export interface TransferRun {
  id: number
  /** Day of the first execution. */
  tag: string
  name: string
  iban: string
  bic: string
  anzahl: number
  summe: string
  /** Lines that the bank has not carried out. */
  offen: number
  angelegt_am: string
  /** Of the file that was handed out first; empty: none yet. */
  sha256: string
  zurueckgezogen_am: string | null
  grund: string
  zeilen: {
    eingang_id: number
    nummer: string
    datum: string
    betrag: string
    skonto: string
    name: string
    iban: string
    /** Day of execution. */
    tag: string
  }[]
}

export interface EingangRpc {
  a_get_eingang_postfach: { takes: Record<string, never>; answers: EingangPostfach }
  a_set_eingang_mail_erledigt: { takes: { mail_id: Id }; answers: null }
  a_get_eingang: { takes: { eingang_id: Id }; answers: Eingang }
  a_get_kreditoren: { takes: Record<string, never>; answers: Kreditor[] }
  /** A new one without `id`. Returns the id. */
  a_save_kreditor: {
    takes: {
      werte: Partial<Pick<Kreditor, 'name' | 'ust_id' | 'iban' | 'konto' | 'aufwandskonto'>>
      id?: Id
      version?: number
    }
    answers: number
  }
  /** These return the new version. */
  a_save_eingang: { takes: { eingang_id: Id; version: number; werte: EingangValues }; answers: number }
  /** Null takes the decision back. */
  a_decide_eingang: {
    takes: { eingang_id: Id; version: number; freigegeben: boolean | null; bemerkung?: string }
    answers: number
  }
  /**
   * Below zero: money that came back. `skonto`: the rest is deducted as cash discount. More than the open amount
   * only with `ueberzahlung`. Returns the id of the payment.
   */
  a_add_eingang_zahlung: {
    takes: {
      eingang_id: Id
      datum: string
      betrag: string
      skonto?: boolean
      bemerkung?: string
      ueberzahlung?: boolean
    }
    answers: number
  }
  /** Returns the id of the reversing entry. */
  a_revoke_eingang_zahlung: { takes: { zahlung_id: Id; grund: string }; answers: number }
  a_get_eingang_zahlungen: { takes: { eingang_id: Id }; answers: EingangZahlung[] }
  a_get_bank_eingang: { takes: Record<string, never>; answers: BankEingang[] }
  a_get_zahlbare: { takes: Record<string, never>; answers: Payable[] }
  /** Days are those on which TARGET settles, today at the earliest. Returns the id of the file. */
  a_add_zahllauf: { takes: { posten: TransferOrderInput[]; tag: string }; answers: number }
  /** False: another file was handed out before. */
  a_set_zahllauf_datei: { takes: { lauf_id: Id; sha256: string }; answers: boolean }
  a_revoke_zahllauf: { takes: { lauf_id: Id; grund: string }; answers: null }
  a_get_zahllaeufe: { takes: Record<string, never>; answers: TransferRun[] }
}
