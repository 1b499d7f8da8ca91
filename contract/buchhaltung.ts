// Invoices, offers and positions as the database returns them. Procedures return amounts, quantities and
// rates as text with full precision; list views use the dialect's JSON numbers, for sorting and display only.
// Dates are ISO dates.
import type { BusinessSize, TaxationChange } from '#domain/ust/taxation.ts'
import type {
  Beleg,
  BelegKind,
  BelegSkonto,
  BelegSums,
  BelegTax,
  InvoiceKind,
  PositionKind,
  RechnungFormat,
  XmlSyntax,
  TaxCategory,
} from '#domain/beleg.ts'
import type { DatevAccount } from '#domain/datev/job.ts'
import type { BaseRate } from '#domain/interest.ts'
import type { Place } from '#domain/supply-place.ts'

type Id = number | string
/** Decimal as text; a number is accepted too. */
type Figure = string | number
type None = Record<string, never>

/** Derived, never stored. */
export type RechnungState =
  | 'entwurf'
  | 'offen'
  | 'teilbezahlt'
  | 'ueberfaellig'
  | 'bezahlt'
  /** An advance that a final invoice has taken off. */
  | 'verrechnet'
  | 'storniert'
  | 'storno'
  /** Corrected down to nothing, and nothing was paid. */
  | 'korrigiert'
  | 'korrektur'
export type AngebotStatus = 'entwurf' | 'versendet' | 'angenommen' | 'abgelehnt' | 'ersetzt'
/** Derived, never stored. */
export type AngebotState = AngebotStatus | 'abgelaufen' | 'teilabgerechnet' | 'abgerechnet'

/** /rechnung_liste. */
export interface RechnungListRow {
  id: number
  client_id: number
  kunde: string
  sortname: string
  suchtext: string
  nummer: string | null
  /** Order of issue; null for drafts. */
  folge: number | null
  art: InvoiceKind
  zustand: 'entwurf' | 'ausgestellt'
  rn_datum: string
  le_date: string | null
  le_date_bis: string | null
  faellig: string | null
  bearbeiter: string
  ust_satz: number
  netto: number
  steuer: number
  brutto: number
  anzahlung: number
  zahlbetrag: number
  bezahlt: number
  offen: number
  stand: RechnungState
  archiviert: boolean
  /** The invoice that this one cancels. */
  storno_von: number | null
  /** The Storno that cancels this one. */
  storno_id: number | null
  storno_nummer: string | null
  /** The kind of what a Storno cancels. */
  storno_art: Exclude<InvoiceKind, 'storno'> | null
  /** Of an advance: the final invoice that has taken it off. */
  schluss_id: number | null
  schluss_nummer: string | null
  /** What its corrections have taken back, gross: zero or below. */
  korrigiert: number
  /** Of a correction: the invoice. */
  korrektur_von: number | null
  kopie_von: number | null
  angebot_id: number | null
  format: RechnungFormat | null
  bestellnummer: string | null
  ausgestellt_am: string | null
  ausgestellt_von: string | null
  version: number
  geaendert_am: string
  geaendert_von: string | null
}

/** /angebot_liste. `nummer` carries the revision ("AN-2026-0004/2"). */
export interface AngebotListRow {
  id: number
  client_id: number
  kunde: string
  sortname: string
  suchtext: string
  nummer: string | null
  fassung: number
  an_datum: string
  gueltig_bis: string | null
  bearbeiter: string
  ust_satz: number
  netto: number
  steuer: number
  brutto: number
  status: AngebotStatus
  sign: boolean
  /** Per cent. */
  chance: number | null
  stand: AngebotState
  entschieden_am: string | null
  entschieden_von: string | null
  entschieden_als: 'intern' | 'portal' | 'link' | null
  /** The previous revision and the next one. */
  ersetzt: number | null
  ersetzt_durch: number | null
  archiviert: boolean
  ausgestellt_am: string | null
  ausgestellt_von: string | null
  version: number
  geaendert_am: string
  geaendert_von: string | null
  /** Accepted amount; null until the offer is accepted. */
  auftrag_netto: number | null
  auftrag_brutto: number | null
  /** Amount in force: as accepted, otherwise as sent. */
  gilt_netto: number
  gilt_brutto: number
  /** Gross amount accepted but not yet billed. */
  rest_brutto: number
  /** Gross times the chance, while it can still be accepted. */
  gewichtet: number
  /** When its money is expected, today at the earliest; null: no more money is expected. */
  erwartet_am: string | null
}

export interface RechnungRow
  extends Pick<
    RechnungListRow,
    | 'id'
    | 'client_id'
    | 'kunde'
    | 'nummer'
    | 'art'
    | 'stand'
    | 'rn_datum'
    | 'le_date'
    | 'faellig'
    | 'bearbeiter'
    | 'archiviert'
    | 'storno_von'
    | 'storno_id'
    | 'angebot_id'
    | 'version'
  > {
  ust_satz: string
  netto: string
  steuer: string
  brutto: string
  zahlbetrag: string
  bezahlt: string
  offen: string
}

/** Where the supply is taxed, and the buyer's numbers; null: the customer's, if he has any. */
export interface BelegMore {
  leistungsort: Place | null
  leistungsland: string | null
  kaeufer_ref: string | null
  projekt_nr: string | null
  vertrag_nr: string | null
  vergabe_nr: string | null
  objekt_nr: string | null
}

export interface RechnungDetails extends RechnungRow, BelegMore {
  le_date_bis: string | null
  anrede: string
  anschreiben: string
  zuerl: string
  zustand: 'entwurf' | 'ausgestellt'
  /** Days; null: the customer's value, otherwise the supplier's. */
  zahlungsziel: number | null
  /** Null: the customer's terms, otherwise the supplier's; an empty list: none. */
  skonto: BelegSkonto[] | null
  rabatt_prozent: string
  rabatt_grund: string
  anzahlung: string
  bestellnummer: string | null
  format: RechnungFormat | null
  storno_grund: string
  storno_art: RechnungListRow['storno_art']
  schluss_id: number | null
  schluss_nummer: string | null
  korrigiert: string
  korrektur_von: number | null
  korrektur_von_nummer: string | null
  kopie_von: number | null
  ausgestellt_am: string | null
  ausgestellt_von: string | null
  geaendert_am: string
  geaendert_von: string | null
}

/** A line that a correction takes back. */
export interface KorrekturWish {
  position_id: Id
  menge?: Figure
  preis?: Figure
  betrag?: Figure
}
/** What is left of an issued invoice, and its corrections. */
export interface KorrekturState {
  brutto: string
  /** Zero or below. */
  korrigiert: string
  rest: string
  /** What is left by category and rate. */
  steuern: BelegTax[]
  rabatt_prozent: string
  zeilen: {
    position_id: string
    nr: string
    bez: string
    einheit: string
    anzahl: string
    ep: string
    rabatt_prozent: string
    betrag: string
    kategorie: TaxCategory
    ust_satz: string
    /** Without their sign. */
    rest_menge: string
    rest_betrag: string
  }[]
  korrekturen: {
    id: number
    nummer: string | null
    datum: string
    grund: string
    brutto: string
    entwurf: boolean
  }[]
}

export interface AngebotRow
  extends Pick<
    AngebotListRow,
    | 'id'
    | 'client_id'
    | 'kunde'
    | 'nummer'
    | 'fassung'
    | 'stand'
    | 'status'
    | 'sign'
    | 'an_datum'
    | 'gueltig_bis'
    | 'bearbeiter'
    | 'chance'
    | 'ersetzt'
    | 'ersetzt_durch'
    | 'archiviert'
    | 'version'
  > {
  ust_satz: string
  netto: string
  steuer: string
  brutto: string
  /** Accepted amount; null until the offer is accepted. */
  auftrag_netto: string | null
  auftrag_brutto: string | null
  /** Gross amount accepted but not yet billed. */
  rest_brutto: string
}

export interface AngebotDetails extends AngebotRow, BelegMore {
  anrede: string
  anschreiben: string
  zuerl: string
  rabatt_prozent: string
  rabatt_grund: string
  ausgestellt_am: string | null
  ausgestellt_von: string | null
  entschieden_am: string | null
  entschieden_von: string | null
  entschieden_als: 'intern' | 'portal' | 'link' | null
  entscheidung: string
  geaendert_am: string
  geaendert_von: string | null
}

export interface Position {
  id: number
  rechnung_id: number | null
  angebot_id: number | null
  lfd_nr: number
  art: PositionKind
  /** As printed: 1, 2.1 … */
  nr: string
  anzahl: string
  einheit: string
  bez: string
  ep: string
  rabatt_prozent: string
  /** Null: the document's rate. */
  ust_satz: string | null
  /** Null: S if there is a rate, otherwise E. */
  kategorie: TaxCategory | null
  steuergrund: string
  erl: string
  erl_on: boolean
  erl_titel: string
  le_date: string | null
  le_date_bis: string | null
  angebot_position_id: number | null
  gewaehlt: boolean
  betrag: string
}

/**
 * A line to save: with an id it is changed, without one it is added; omitted fields take their defaults.
 * `nr`, `betrag` and other computed fields may be included and are ignored.
 */
export interface PositionInput extends Partial<Omit<Position, 'id' | 'anzahl' | 'ep'>> {
  id?: Id
  anzahl?: Figure
  ep?: Figure
}

/** As the specification's calls take it. A null erl or erl_titel means empty, a null erl_on means true. */
export interface PositionValues {
  anzahl: Figure
  bez: string
  einheit: string
  ep: Figure
  lfd_nr?: number | null
  rechnung_id?: Id | null
  angebot_id?: Id | null
  erl?: string | null
  erl_on?: boolean | string | null
  erl_titel?: string | null
  art?: PositionKind
  rabatt_prozent?: Figure
  ust_satz?: Figure | null
  kategorie?: TaxCategory | null
  steuergrund?: string
}

/** How much of an accepted line is billed, by issued invoices and by drafts; drafts already count. */
export interface AngebotRest {
  position_id: number
  lfd_nr: number
  bez: string
  einheit: string
  ep: string
  anzahl: string
  abgerechnet: string
  in_entwuerfen: string
  rest: string
}

/** The one row of /lieferant. */
export interface Lieferant {
  name: string
  name_zusatz: string
  strasse: string
  plz: string
  ort: string
  land: string
  steuernummer: string
  ust_id: string
  ansprechpartner: string
  telefon: string
  mail: string
  webseite: string
  bank: string
  kontoinhaber: string
  iban: string
  bic: string
  /** SEPA creditor identifier. */
  glaeubiger_id: string
  /** Days between an invoice and the collection that it announces. */
  einzug_tage: number
  fusszeile: string
  kleinunternehmer: boolean
  /** What holds from a day on; `kleinunternehmer` holds before the first one. */
  kleinunternehmer_ab: { ab: string; art: BusinessSize }[]
  /** Turnover tax by agreed or by received consideration. */
  besteuerung: 'soll' | 'ist'
  /** What holds from a month on; `besteuerung` holds before the first one. */
  besteuerung_ab: TaxationChange[]
  zahlungsziel: number
  skonto: BelegSkonto[]
  /** Days for which an offer is valid. */
  angebot_tage: number
  ust_satz: number
  /** Read as PostgreSQL's hex (\x…), written as base64. */
  logo: string | null
  logo_typ: 'image/png' | 'image/jpeg' | 'image/svg+xml' | null
  /** Three fees, as text with two decimals. */
  mahngebuehren: string[]
  /** Days to pay that a reminder allows, and days of grace after a due date before the next one. */
  mahn_frist: number
  mahn_kulanz: number
  /** Base rates of § 247 BGB by half-year. */
  basiszins: BaseRate[]
  aufbewahrung_text: string
  datev_berater: string
  datev_mandant: string
  datev_kontenlaenge: number
  /** By category and rate: { "S 19.00": "8400" }, with a tax key { "S 19.00": { konto: "8000", bu: "3" } }. */
  datev_erloeskonten: Record<string, string | DatevAccount>
  datev_debitor_von: number
  datev_rahmen: '' | '03' | '04'
  /** Month in which the business year begins. */
  datev_jahresbeginn: number
  /** One account for all debtors; empty: each has its own. */
  datev_debitor_sammel: string
  datev_bankkonto: string
  /** Accounts for discounts by category and rate, like the revenue accounts. */
  datev_skontokonten: Record<string, string | DatevAccount>
  /** Advances received; empty: as in the chart of accounts. */
  datev_anzahlungskonten: Record<string, string | DatevAccount>
  /** Accounts of expenses with their own tax key; empty: the account knows its tax. */
  datev_aufwandskonten: Record<string, string>
  datev_festschreiben: boolean
  /** Attachments of one invoice: how many, and how many megabytes in all. */
  anlagen_anzahl: number
  anlagen_mb: number
  version: number
}

/** /kunde_rechnung; a customer without a row is billed with the supplier's defaults. */
export interface KundeRechnung {
  client_id: number
  rechnungsformat: RechnungFormat
  /** Of an XRechnung. */
  syntax: XmlSyntax
  leitweg_id: string
  rechnung_mail: string
  ust_id: string
  ist_privat: boolean
  leistungsort: Place | null
  leistungsland: string | null
  kaeufer_ref: string
  vertrag_nr: string
  zahlungsziel: number | null
  skonto: BelegSkonto[] | null
  bestellnummer: string
  debitor: string
  version: number
}

export interface NumberRange {
  art: 'rechnung' | 'angebot'
  muster: string
  jaehrlich: boolean
  naechste: number
  /** The number that would be assigned today. */
  naechste_nummer: string
  /** Numbers have been assigned, so the counter can no longer be set. */
  begonnen: boolean
  /** 0: nothing has been set yet. */
  version: number
}

export interface JournalRow {
  nr: number
  zeit: string
  wer: string | null
  user_id: number | null
  gegenstand: string
  gegenstand_id: number | null
  client_id: number | null
  ereignis: string
  /** For a change: column → [before, after]. */
  inhalt: Record<string, unknown>
  hash: string
}

export interface JournalCheck {
  ok: boolean
  zeilen: number
  /** Number of issued documents compared. */
  belege: number
  /** The first fault: where, and what. */
  nr: number | null
  was: 'luecke' | 'kette' | 'inhalt' | 'beleg' | 'ohne_eintrag' | 'fehlt' | null
  gegenstand: string | null
  gegenstand_id: number | null
  /** Hash of the newest row of the log. */
  kopf: string | null
  /** Entries of the chain of records, and how many of them were compared. */
  siegel: number
  geprueft: number
  /** Hash of its newest entry; recorded elsewhere, it later proves the whole chain. */
  siegel_kopf: string | null
  /** At most 100 faults of that chain and of the records. */
  befunde: SealFault[]
}

/** A fault of the chain of records, or of stored bytes. */
export interface SealFault {
  /** The entry; none for a record without one. */
  nr?: number | null
  was:
    | 'luecke'
    | 'kette'
    | 'von_hand'
    | 'inhalt'
    | 'fehlt'
    | 'form'
    | 'ohne_eintrag'
    | 'abgeschnitten'
    | 'datei'
    | 'summe'
  tabelle?: string | null
  schluessel?: string | null
  /** Columns that were changed. */
  felder?: string[] | null
}

/** Row of app.buchpruefung: a proof of the books that was made. */
export interface BookProof {
  id: Id
  zeit: string
  art: 'neu' | 'alles' | 'dateien' | 'anker' | 'mail' | 'stempel'
  /** Entries of the chain, or documents. */
  anzahl: number
  ok: boolean
  /** Null: the server's own, at night. */
  user_id: Id | null
}
export interface FilesCheck {
  /** The last document compared. */
  bis: number
  anzahl: number
  groesse: number
  /** There are no more. */
  fertig: boolean
  befunde: SealFault[]
}

/** As the API answers it. @public */
export interface DocumentRow {
  id: number
  client_id: number
  rechnung_id: number | null
  angebot_id: number | null
  mahnung_id: number | null
  art: 'pdf' | 'xml'
  dateiname: string
  sha256: string
  groesse: number
  regelwerk: string
  erzeugt_am: string
}

/** Dates a document may have. */
export interface Period {
  min: string | null
  max: string
}

/** Fields of a draft that can be changed, apart from its lines. */
export type RechnungValues = Partial<
  Pick<
    RechnungDetails,
    | 'bearbeiter'
    | 'rn_datum'
    | 'le_date'
    | 'le_date_bis'
    | 'anrede'
    | 'anschreiben'
    | 'zuerl'
    | 'ust_satz'
    | 'zahlungsziel'
    | 'skonto'
    | 'rabatt_prozent'
    | 'rabatt_grund'
    | 'anzahlung'
    | 'bestellnummer'
    | 'format'
    | keyof BelegMore
  >
>
export type AngebotValues = Partial<
  Pick<
    AngebotDetails,
    | 'bearbeiter'
    | 'an_datum'
    | 'gueltig_bis'
    | 'anrede'
    | 'anschreiben'
    | 'zuerl'
    | 'ust_satz'
    | 'chance'
    | 'rabatt_prozent'
    | 'rabatt_grund'
    | keyof BelegMore
  >
>
export interface BuchhaltungRpc {
  // invoices
  a_get_invoices: { takes: None; answers: RechnungRow[] }
  a_get_invoice_details: { takes: { invoice_id: Id }; answers: RechnungDetails[] }
  a_get_invoice_positions: { takes: { invoice_id: Id }; answers: Position[] }
  /** Without a rate, the supplier's rate is used. */
  a_add_invoice: {
    takes: { client_id: Id; rn_datum: string; le_date: string | null; ust_satz: Figure | null }
    answers: number
  }
  /** A null date or rate leaves the value unchanged, a null text clears it. Returns the version. */
  a_update_invoice_details: {
    takes: {
      bearbeiter: string | null
      le_date: string | null
      rn_datum: string | null
      invoice_id: Id
      anrede: string | null
      anschreiben: string | null
      zuerl: string | null
      ust_satz: Figure | null
      version?: number
    }
    answers: number
  }
  /** Replaces all terms: omitted fields take their defaults. Returns the version. */
  a_set_invoice_terms: {
    takes: {
      invoice_id: Id
      version?: number
      le_date_bis?: string | null
      zahlungsziel?: number | null
      skonto?: BelegSkonto[] | null
      rabatt_prozent?: Figure
      rabatt_grund?: string
      anzahlung?: Figure
      bestellnummer?: string | null
      format?: RechnungFormat | null
    }
    answers: number
  }
  a_set_client_for_invoice: { takes: { client_id: Id; rechnung_id: Id }; answers: number }
  /** Drafts only. */
  a_delete_invoice: { takes: { invoice_id: Id; version?: number }; answers: null }
  a_copy_invoice: { takes: { invoice_id: Id }; answers: number }
  /**
   * `mehr`: the user has confirmed that more is billed than was offered. `stand`: of the document that they
   * looked at; refused if another one would be issued.
   */
  a_issue_invoice: {
    takes: { invoice_id: Id; version?: number; mehr?: boolean; stand?: string }
    answers: { nummer: string; rn_datum: string }[]
  }
  a_cancel_invoice: {
    takes: { invoice_id: Id; rn_datum?: string | null; grund?: string }
    answers: { id: number; nummer: string }[]
  }
  /** Without `archiviert` the state is toggled. Returns the new state. */
  a_set_archive_for_rn: { takes: { invoice_id: Id; archiviert?: boolean }; answers: boolean }
  /** Date of the last issued invoice; null: there is none. */
  a_get_min_rn_datum_for_new_invoice: { takes: None; answers: string | null }
  a_get_minmax_rn_datum: { takes: { rn_datum: string; invoice_id?: Id }; answers: Period[] }
  // offers
  a_get_offers: { takes: None; answers: AngebotRow[] }
  a_get_offer_details: { takes: { offer_id: Id }; answers: AngebotDetails[] }
  a_get_offer_positions: { takes: { offer_id: Id }; answers: Position[] }
  a_get_offer_rest: { takes: { offer_id: Id }; answers: AngebotRest[] }
  a_add_offer: { takes: { client_id: Id; an_datum: string; ust_satz: Figure | null }; answers: number }
  /**
   * A new status sends ('versendet') or decides ('angenommen', 'abgelehnt') the offer. Returns the version.
   */
  a_update_offer_details: {
    takes: {
      bearbeiter: string | null
      an_datum: string | null
      offer_id: Id
      anrede: string | null
      anschreiben: string | null
      zuerl: string | null
      ust_satz: Figure | null
      status?: AngebotStatus | null
      sign?: boolean | string | null
      version?: number
    }
    answers: number
  }
  a_set_offer_terms: {
    takes: {
      offer_id: Id
      version?: number
      gueltig_bis?: string | null
      chance?: number | null
      rabatt_prozent?: Figure
      rabatt_grund?: string
    }
    answers: number
  }
  a_set_client_for_offer: { takes: { client_id: Id; angebot_id: Id }; answers: number }
  a_delete_offer: { takes: { offer_id: Id; version?: number }; answers: null }
  a_issue_offer: {
    takes: { offer_id: Id; version?: number; stand?: string }
    answers: { nummer: string; an_datum: string }[]
  }
  a_revise_offer: { takes: { offer_id: Id }; answers: number }
  /** `positionen`: the optional and alternative lines that were chosen. */
  a_decide_offer: {
    takes: {
      offer_id: Id
      angenommen: boolean
      wer?: string
      bemerkung?: string
      positionen?: number[] | null
    }
    answers: null
  }
  /** Without `archiviert` the state is toggled. Returns the new state. */
  a_set_archive_for_an: { takes: { offer_id: Id; archiviert?: boolean }; answers: boolean }
  /** Without `positionen`, everything left is billed. Returns the draft. */
  a_convert_offer: {
    takes: {
      offer_id: Id
      positionen?: { position_id: Id; anzahl: Figure }[] | null
      rn_datum?: string
      le_date?: string | null
      mehr?: boolean
    }
    answers: number
  }
  /** `prozent` of the order or `betraege`, one of the two. `mehr`: more than ordered is intended. */
  a_add_abschlag: {
    takes: {
      offer_id: Id
      prozent?: Figure | null
      betraege?: { kategorie: TaxCategory; satz: string; netto: Figure }[] | null
      text?: string
      rn_datum?: string
      mehr?: boolean
    }
    answers: number
  }
  /** As a_convert_offer, as the final invoice that takes off what was received for advances. */
  a_add_schluss: {
    takes: {
      offer_id: Id
      positionen?: { position_id: Id; anzahl: Figure }[] | null
      rn_datum?: string
      le_date?: string | null
      mehr?: boolean
    }
    answers: number
  }
  /** A draft correction of an issued invoice: of each line one of `menge`, `preis` and `betrag`. */
  a_add_korrektur: {
    takes: { invoice_id: Id; zeilen: KorrekturWish[]; grund: string; rn_datum?: string | null }
    answers: number
  }
  /** The same of its draft; returns the new version. */
  a_save_korrektur: {
    takes: {
      invoice_id: Id
      zeilen: KorrekturWish[]
      grund: string
      rn_datum?: string | null
      version?: number
    }
    answers: number
  }
  a_get_korrektur: { takes: { invoice_id: Id }; answers: KorrekturState }
  a_get_korrektur_zeilen: {
    takes: { invoice_id: Id }
    answers: { position_id: number; menge: string | null; preis: string | null; betrag: string | null }[]
  }
  a_get_min_an_datum_for_new_offer: { takes: None; answers: string | null }
  a_get_minmax_an_datum: { takes: { an_datum: string; offer_id?: Id }; answers: Period[] }
  // positions
  a_insert_position: { takes: PositionValues; answers: number }
  a_update_position: { takes: PositionValues & { id: Id }; answers: number }
  a_delete_position: { takes: { position_id: Id }; answers: null }
  /** Returns the document's version. */
  a_reorder_positions: {
    takes: { positionen: Id[]; rechnung_id?: Id; angebot_id?: Id; version?: number }
    answers: number
  }
  a_save_positions: {
    takes: { positionen: PositionInput[]; rechnung_id?: Id; angebot_id?: Id; version?: number }
    answers: { version: number; summen: BelegSums; positionen: Position[] }
  }
  /**
   * Saves a draft as a whole, all or nothing: the fields in `werte`, and the lines unless omitted. Returns
   * the version.
   */
  a_save_beleg: {
    takes:
      | {
          art: 'rechnung'
          id: Id
          werte: RechnungValues
          positionen?: PositionInput[] | null
          version?: number
        }
      | {
          art: 'angebot'
          id: Id
          werte: AngebotValues
          positionen?: PositionInput[] | null
          version?: number
        }
    answers: number
  }
  // documents, settings, audit
  a_get_beleg: { takes: { art: BelegKind; id: Id }; answers: Beleg & { stand?: string } }
  a_set_lieferant: {
    takes: { werte: Partial<Omit<Lieferant, 'version'>>; version?: number }
    answers: number
  }
  a_set_kunde_rechnung: {
    takes: { client_id: Id; werte: Partial<Omit<KundeRechnung, 'client_id' | 'version'>>; version?: number }
    answers: number
  }
  a_set_nummernkreis: {
    takes: {
      art: NumberRange['art']
      muster: string
      jaehrlich: boolean
      naechste?: number | null
      version?: number
    }
    answers: number
  }
  a_get_nummernkreise: { takes: None; answers: NumberRange[] }
  /** Newest first, at most 10,000. */
  a_get_protokoll: { takes: { art?: string; id?: Id }; answers: JournalRow[] }
  /** Everything, or with `nur_neue` what was written since the last proof. */
  a_check_protokoll: { takes: { nur_neue?: boolean }; answers: JournalCheck[] }
  /** Hashes of these entries of the chain. */
  a_get_siegel_koepfe: { takes: { nummern: readonly Id[] }; answers: { nr: Id; kopf: string }[] }
  /** Records as their seals cover them. */
  a_get_siegel_saetze: {
    takes: { tabelle: string; kennungen: readonly string[] }
    answers: { nr: Id; schluessel: string; werte: string }[]
  }
  /** Stored bytes against their digests, from the document after `ab`, as many as one request can read. */
  a_check_dateien: { takes: { ab: Id }; answers: FilesCheck[] }
}
