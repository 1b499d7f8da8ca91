// Payments, bank transactions, reminders and deliveries. Amounts are text.
import type {
  DatevRow,
  DatevStand,
  DatevLate,
  DatevZahlungRow,
  DatevDifferenceRow,
  DatevEingangRow,
  DatevPicture,
  DatevDraft,
} from './datev.ts'
import type { DatevNote } from '#domain/datev/job.ts'
import type { Beleg, BelegSkonto, InvoiceKind } from '#domain/beleg.ts'
import type { OpenStep } from '#domain/interest.ts'

type Id = number | string
type None = Record<string, never>

/** `mahnkosten`: fees of reminders, interest and lump sums; they lower no claim and have no VAT. */
export type ZahlungKind = 'zahlung' | 'skonto' | 'ausfall' | 'mahnkosten'
export interface Zahlung {
  id: number
  datum: string
  betrag: string
  art: ZahlungKind
  bemerkung: string
  umsatz_id: number | null
  /** The payment that this entry reverses. */
  gegen_id: number | null
  /** This payment was reversed. */
  zurueck: boolean
  angelegt_am: string
  wer: string | null
}
/** As read from a file; negative: money that went out. */
export interface UmsatzInput {
  konto?: string
  datum: string
  betrag: string
  name?: string
  iban?: string
  zweck?: string
  referenz?: string
  /** The batch that it is a part of, as earlier versions stored it in one entry. */
  vorher?: { betrag: string; zweck: string; referenz: string }
  /** Kind of file; the same for all of one call. Default: camt. */
  quelle?: 'camt' | 'mt940' | 'csv'
}
export interface BankUmsatz {
  id: number
  konto: string
  datum: string
  betrag: string
  /** The part not yet assigned to an invoice. */
  rest: string
  name: string
  iban: string
  zweck: string
  datei: string
  erledigt: boolean
  angelegt_am: string
}
/** /kontoumsatz_liste. */
export interface BankUmsatzListRow extends Omit<BankUmsatz, 'betrag' | 'rest'> {
  betrag: number
  rest: number
  stand: 'offen' | 'teilweise' | 'zugeordnet' | 'abgelegt'
  /** Numbers of the invoices that it pays. */
  nummern: string
  suchtext: string
}
/** What payments are matched against. */
export interface BankRechnung {
  rechnung_id: number
  client_id: number
  kunde: string
  nummer: string
  rn_datum: string
  faellig: string | null
  zahlbetrag: string
  bezahlt: string
  offen: string
  storniert: boolean
  skonto: BelegSkonto[]
  /** What reminders have demanded beside it and is not paid. */
  mahnkosten: string
}
/** With one of an invoice of ours and a received one. */
export interface BankMatch {
  umsatz_id: Id
  rechnung_id?: Id
  eingang_id?: Id
  /** With the sign of the transaction; if omitted, all that is left of it. */
  betrag?: string
  skonto?: boolean
  ueberzahlung?: boolean
  /** What exceeds the open amount pays costs of reminders. */
  mahnkosten?: boolean
}
/** Ids of the payments that assignments made, of our own invoices and of received ones. */
export interface BankMade {
  zahlungen: number[]
  eingang: number[]
}
export interface MahnungRow {
  id: number
  stufe: 1 | 2 | 3
  datum: string
  faellig: string
  gebuehr: string
  /** All interest until its day; replaces that of the reminder before. */
  zinsen: string
  zinsen_ab: string | null
  pauschale: string
  text: string
  angelegt_am: string
}
export interface MahnListRow {
  rechnung_id: number
  client_id: number
  kunde: string | null
  nummer: string
  rn_datum: string
  faellig: string
  /** Days overdue. */
  tage: number
  offen: string
  stufe: 0 | 1 | 2 | 3
  naechste: 1 | 2 | 3 | null
  gebuehr: string | null
  /** Due for the next reminder. */
  dran: boolean
  /**
   * First day of the next reminder: the deadline of the last one and the days of grace for a transfer have
   * passed. Null after the last level.
   */
  ab: string | null
  /** Date of the last reminder. */
  letzte: string | null
  /** Total fees of the levels so far. */
  gebuehren: string
  /** What was paid for fees, interest and lump sum already. */
  kosten_gezahlt: string
  /** Days to pay that a reminder allows. */
  frist: number
  /** Where the customer wants invoices sent; may be empty. */
  mail: string
  /** A private person: § 288 (1) BGB. */
  privat: boolean
  /** First day of interest that is proposed; null: none before a reminder. */
  zinsen_ab: string | null
  /** The earliest that can be typed. */
  zinsen_fruehestens: string
  posten: OpenStep[]
  /** Lump sum that was demanded already. */
  pauschale: string
  /** Is being collected, so nothing is demanded: announced, or in a file for the bank. */
  einzug: 'geplant' | 'datei' | null
}
export type OpenItemAge = 'nicht_faellig' | 'bis_30' | 'bis_60' | 'bis_90' | 'ueber_90' | 'guthaben'
/** An invoice that is not settled on a day. */
export interface OpenItem {
  rechnung_id: number
  client_id: number
  kunde: string
  nummer: string
  rn_datum: string
  faellig: string
  /** What the invoice claims on that day: nothing before its own day and once it is cancelled. */
  brutto: string
  /** Settled until that day: payments, cash discounts, losses, and the advance that the invoice names. */
  bezahlt: string
  /** Negative: the customer's credit. */
  offen: string
  /** Days overdue. */
  tage: number
  /** Days after the due day, in steps. */
  klasse: OpenItemAge
  /** Highest reminder by then. */
  stufe: 0 | 1 | 2 | 3
  lage: 'offen' | 'ueberzahlt' | 'korrigiert' | 'storniert' | 'vorauszahlung'
}
/** One movement of a customer's account. */
export interface AccountLine {
  datum: string
  /** `verrechnung`: what an advance still claimed goes over into the final invoice. */
  art:
    | InvoiceKind
    | 'verrechnung'
    | 'zahlung'
    | 'rueckzahlung'
    | 'skonto'
    | 'ausfall'
    | 'mahnkosten'
    | 'mahnung'
  /** The invoice, or the cancellation itself. */
  rechnung_id: number
  nummer: string
  faellig: string | null
  /** Level of a reminder. */
  stufe: number | null
  /** Positive: the customer owes more. */
  betrag: string
  /** Of a reminder; outside the balance. */
  gebuehr: string | null
  zinsen: string | null
  pauschale: string | null
  /** Paid for fees, interest and lump sum; outside the balance too. */
  kosten: string | null
  /** Balance after it. */
  saldo: string
}
export interface CustomerAccount {
  kunde: string
  /** Balance before the first day. */
  anfang: string
  /** Balance at the end of the last day. */
  ende: string
  /** Fees of the reminders in between, outside the balance. */
  gebuehren: string
  pauschalen: string
  zeilen: AccountLine[]
}
export type DispatchKind = 'rechnung' | 'angebot' | 'mahnung'
export interface Dispatch {
  versand_id: number
  weg: 'mail' | 'portal' | 'post' | 'abruf'
  an: string
  betreff: string
  text: string
  zustand: 'wartet' | 'gesendet' | 'fehlgeschlagen'
  versuche: number
  fehler: string
  angelegt_am: string
  gesendet_am: string | null
  /** Why a delivery failed. `ungewiss`: it may have arrived, so it is not resent automatically. */
  grund: '' | 'abgelehnt' | 'aufgegeben' | 'ungewiss' | 'dokument' | 'kein_mailserver' | 'zurueckgezogen'
  /** For a queued delivery: time of the next attempt. */
  naechster: string
  beleg_art: DispatchKind
  beleg_id: number
  /** Level of a reminder; null for other documents. */
  stufe: 1 | 2 | 3 | null
}
/** GET versand/lage of the general API: whether mails can be sent, and from which address. */
export interface DispatchState {
  mail: boolean
  absender: string | null
}

export interface ZahlungRpc {
  /**
   * Negative: money paid back. More than the open amount is accepted only with `ueberzahlung`. Returns the
   * payment's id.
   */
  a_add_payment: {
    takes: {
      rechnung_id: Id
      datum: string
      betrag: string
      art?: ZahlungKind
      bemerkung?: string
      umsatz_id?: Id | null
      ueberzahlung?: boolean
    }
    answers: number
  }
  /** Returns the id of the reversing entry. */
  a_revoke_payment: { takes: { zahlung_id: Id; grund: string }; answers: number }
  a_get_payments: { takes: { invoice_id: Id }; answers: Zahlung[] }
  /** At most 5,000 at once; those already known are skipped. */
  a_import_bank: {
    takes: { umsaetze: UmsatzInput[]; datei?: string }
    answers: { neu: number; bekannt: number }
  }
  /** `betrag`: a part of the transaction; `skonto`: what then remains open is granted as a discount. */
  a_match_bank: {
    takes: {
      umsatz_id: Id
      rechnung_id: Id
      betrag?: string | null
      skonto?: boolean
      ueberzahlung?: boolean
      mahnkosten?: boolean
    }
    answers: number
  }
  a_set_umsatz_erledigt: { takes: { umsatz_id: Id; erledigt: boolean }; answers: null }
  a_get_bank: { takes: { nur_offene?: boolean }; answers: BankUmsatz[] }
  /**
   * How many of them would be new; nothing is written. `fraglich`: new ones on a day that has entries from
   * another kind of file.
   */
  a_probe_bank: {
    takes: { umsaetze: UmsatzInput[] }
    answers: { neu: number; bekannt: number; fraglich: number }
  }
  a_get_bank_rechnungen: { takes: None; answers: BankRechnung[] }
  a_get_bank_konten: { takes: None; answers: { iban: string; client_id: number }[] }
  /** All of them or none. */
  a_match_bank_all: { takes: { zuordnungen: BankMatch[] }; answers: BankMade }
  /**
   * Reverses what a transaction has paid: all of it, or the payments that an assignment made. Returns the
   * number of payments.
   */
  a_unmatch_bank: { takes: { umsatz_id: Id; grund: string } & Partial<BankMade>; answers: number }
  a_get_datev: { takes: { von: string; bis: string }; answers: DatevRow[] }
  a_get_datev_zahlungen: { takes: { von: string; bis: string }; answers: DatevZahlungRow[] }
  a_get_datev_abweichung: { takes: { von: string; bis: string }; answers: DatevDifferenceRow[] }
  a_get_datev_eingang: { takes: { von: string; bis: string }; answers: DatevEingangRow[] }
  a_get_datev_belege: { takes: { nr: Id }; answers: DatevPicture[] }
  /** Called by the server's route when it makes the package of a batch's pictures. */
  a_add_datev_belege: { takes: { nr: Id }; answers: null }
  a_get_datev_stand: { takes: None; answers: DatevStand }
  a_get_datev_nachtraege: { takes: None; answers: DatevLate[] }
  a_get_datev_entwuerfe: { takes: { von: string; bis: string }; answers: DatevDraft[] }
  a_add_datev_export: {
    takes: {
      von: string
      bis: string
      datei: string
      sha256: string
      zeilen: number
      zahlungen: boolean
      /** Numbers of documents that the format cannot hold. */
      ausgelassen?: string[]
      /** Received invoices in it. */
      eingang?: number[]
      /** As it was when the rows were read. */
      stand?: DatevStand
      /** Differences that it names. */
      hinweise?: DatevNote[]
    }
    answers: null
  }
  /** Called by the server's route when it makes an archive for an audit. */
  a_add_pruefung_export: { takes: { von: string; bis: string }; answers: null }
  /** Not before the first day of its level (`ab` of the list); `datum`: today or tomorrow. */
  a_add_mahnung: {
    takes: {
      rechnung_id: Id
      stufe: 1 | 2 | 3
      datum?: string
      faellig?: string
      gebuehr?: string
      text?: string
      /** First day of interest; null: none. */
      zinsen_ab?: string | null
      /** Lump sum of § 288 (5) BGB. */
      pauschale?: boolean
    }
    answers: number
  }
  /** A preview of the same; nothing is stored. */
  a_preview_mahnung: {
    takes: {
      rechnung_id: Id
      stufe: 1 | 2 | 3
      datum?: string
      faellig?: string
      gebuehr?: string
      text?: string
      /** First day of interest; null: none. */
      zinsen_ab?: string | null
      /** Lump sum of § 288 (5) BGB. */
      pauschale?: boolean
    }
    answers: Beleg
  }
  a_get_mahnungen: { takes: { invoice_id: Id }; answers: MahnungRow[] }
  a_get_mahnliste: { takes: None; answers: MahnListRow[] }
  a_get_kundenkonto: { takes: { client_id: Id; von: string; bis: string }; answers: CustomerAccount }
  /** By customer; default: today. */
  a_get_offene_posten: { takes: { stichtag?: string }; answers: OpenItem[] }
  /**
   * A mail is queued for the server to send; other ways are recorded as sent. `an`: up to ten addresses, each
   * a separate delivery.
   */
  a_send_beleg: {
    takes: {
      art: DispatchKind
      id: Id
      an?: string
      betreff?: string
      text?: string
      weg?: 'mail' | 'portal' | 'post'
    }
    answers: number
  }
  /** Only for a queued delivery; one that is being handed over cannot be stopped. */
  a_withdraw_versand: { takes: { versand_id: Id }; answers: null }
  a_get_versand: { takes: { art: DispatchKind; id: Id }; answers: Dispatch[] }
}
