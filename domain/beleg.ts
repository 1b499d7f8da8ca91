// A document as frozen at issue: everything that PDF, XML, DATEV and the auditor read, and nothing that could
// change afterwards. Amounts, quantities and rates are decimal texts ("1234.50"), because a JSON number would
// become a binary float; dates are ISO dates.

import type { InterestPeriod } from './interest.ts'
import type { Place } from './supply-place.ts'

export type InvoiceKind = 'rechnung' | 'abschlag' | 'schluss' | 'storno' | 'korrektur'
export type BelegKind = InvoiceKind | 'angebot' | 'mahnung'
export type PositionKind = 'position' | 'optional' | 'alternativ' | 'ueberschrift'
/** EN 16931 (UNTDID 5305): standard rate, exempt, reverse charge, outside the scope of tax. */
export type TaxCategory = 'S' | 'E' | 'AE' | 'O'
export type RechnungFormat = 'xrechnung' | 'zugferd' | 'pdf'
/** Of an XRechnung: Cross Industry Invoice or Universal Business Language. */
export type XmlSyntax = 'cii' | 'ubl'

/** Numbers of the buyer's that the document names; only those that there are. */
export interface BelegReferences {
  /** BT-10, where the buyer gives another reference than a Leitweg-ID. */
  readonly kaeufer_ref?: string
  /** BT-11 */
  readonly projekt_nr?: string
  /** BT-12 */
  readonly vertrag_nr?: string
  /** BT-17: tender or lot. */
  readonly vergabe_nr?: string
  /** BT-18: the object that the invoice is about. */
  readonly objekt_nr?: string
}

export interface BelegLieferant {
  readonly name: string
  readonly name_zusatz: string
  readonly strasse: string
  readonly plz: string
  readonly ort: string
  /** ISO 3166 alpha-2 */
  readonly land: string
  readonly steuernummer: string
  readonly ust_id: string
  readonly ansprechpartner: string
  readonly telefon: string
  readonly mail: string
  readonly webseite: string
  readonly bank: string
  readonly kontoinhaber: string
  readonly iban: string
  readonly bic: string
  /** Register court and number, managing directors: lines of the footer. */
  readonly fusszeile: string
  readonly kleinunternehmer: boolean
  /** First and last day on which that holds, where it changes before or after them (§ 19 UStG). */
  readonly kleinunternehmer_von?: string
  readonly kleinunternehmer_bis?: string
}

export interface BelegRecipient {
  readonly client_id: string
  readonly name: string
  readonly name_zusatz: string
  readonly strasse: string
  readonly plz: string
  readonly ort: string
  readonly land: string
  readonly ust_id: string
  /** BT-10; required by the format xrechnung. */
  readonly leitweg_id: string
  /** The buyer's order number, BT-13. */
  readonly bestellnummer: string
  /** BT-49, and the address that documents are sent to. */
  readonly mail: string
  /** A private person: § 14 (4) Nr. 9 UStG requires the note on keeping the invoice. */
  readonly ist_privat: boolean
}

export interface BelegPosition {
  readonly id: string
  readonly lfd_nr: number
  readonly art: PositionKind
  /**
   * As printed: 1, 2, 3; with headings, 1 for the heading and 1.1, 1.2 for the lines below it
   * (positionNumbers). Unique in the document.
   */
  readonly nr: string
  readonly bez: string
  readonly erl_titel: string
  /** Printed if `erl_on`. */
  readonly erl: string
  readonly erl_on: boolean
  /** Up to 3 places. */
  readonly anzahl: string
  readonly einheit: string
  /** Net unit price, up to 4 places. */
  readonly ep: string
  /** Discount on this line in per cent, up to 2 places; below zero a surcharge. */
  readonly rabatt_prozent: string
  readonly ust_satz: string
  readonly kategorie: TaxCategory
  /** Reason in words for E, AE and O. */
  readonly steuergrund: string
  readonly le_date: string | null
  readonly le_date_bis: string | null
  /**
   * round2(anzahl × ep × (1 − rabatt/100)); for a heading, the subtotal of the lines below it up to the next
   * heading.
   */
  readonly betrag: string
  /** For optional and alternative lines: chosen, and therefore counted. */
  readonly gewaehlt?: boolean
  /** Of a correction: the line that it takes back, and how much of its quantity (0: only of its price). */
  readonly korrigiert?: { readonly id: string; readonly menge: string }
}

export interface BelegTax {
  readonly kategorie: TaxCategory
  readonly satz: string
  readonly grund: string
  /** Sum of the lines of this group before the document's discount. */
  readonly positionen: string
  /** This group's share of the document's discount, positive. */
  readonly rabatt: string
  readonly basis: string
  readonly steuer: string
}

/** How an invoice is collected by direct debit, frozen at issue; of one without, a transfer is asked for. */
export interface BelegEinzug {
  /** Announced day of collection, and the due date. */
  readonly tag: string
  /** Reference of the mandate, BT-89. */
  readonly mandat: string
  /** Account of the customer, BT-91; printed masked. */
  readonly iban: string
  /** Our creditor identifier, BT-90. */
  readonly glaeubiger_id: string
}

export interface BelegSkonto {
  readonly tage: number
  readonly prozent: string
}

export interface BelegSums {
  /** Sum of the counted lines. */
  readonly positionen: string
  readonly rabatt: string
  readonly netto: string
  readonly steuer: string
  readonly brutto: string
  /** Already paid, BT-113; of a final invoice what was received for the advances. */
  readonly anzahlung: string
  readonly zahlbetrag: string
  readonly steuern: readonly BelegTax[]
}

export type BelegAmount = Pick<BelegTax, 'kategorie' | 'satz' | 'basis' | 'steuer'>

/** An advance invoice as the final invoice takes it off: what was received for it (§ 14 (5) sentence 2 UStG). */
export interface BelegAbschlag {
  readonly id: string
  readonly nummer: string
  readonly datum: string
  /** As it was issued, gross. */
  readonly brutto: string
  /** Received, gross, with its net and tax. */
  readonly gezahlt: string
  readonly netto: string
  readonly steuer: string
  readonly zahlungen: readonly { readonly datum: string; readonly betrag: string }[]
  /** What was received by category and rate. */
  readonly steuern: readonly BelegAmount[]
}

/**
 * What a reminder says about its invoice. The invoice itself is in `bezug`, and `summen.zahlbetrag` is the
 * amount demanded (open amount and fee).
 */
export interface BelegMahnung {
  readonly stufe: 1 | 2 | 3
  /** Due date of the invoice. */
  readonly rechnung_faellig: string
  /** Amount of the invoice, and what has been paid since. */
  readonly rechnung_betrag: string
  readonly gezahlt: string
  readonly gebuehr: string
  /** Fees of the previous levels; reminders made before this field existed have none. */
  readonly gebuehren_bisher?: string
  /** What was paid for fees, interest and lump sum already; if absent, nothing. */
  readonly kosten_gezahlt?: string
  /** Interest and lump sum; without it none are demanded. */
  readonly verzug?: BelegVerzug
}

/** A file that goes with an invoice (BG-24). Its bytes are kept beside the document, which names their digest. */
export interface BelegAnlage {
  readonly id: string
  /** BT-122 and BT-123 */
  readonly name: string
  readonly beschreibung: string
  /** BT-125; unique in the document. */
  readonly dateiname: string
  readonly mime: string
  readonly sha256: string
  readonly groesse: number
}

/** What a reminder demands for default (§ 288 BGB), frozen with its calculation. */
export interface BelegVerzug {
  readonly privat: boolean
  /** First and last day of interest; without a first day only the lump sum is demanded. */
  readonly ab: string | null
  readonly bis: string
  readonly zinsen: string
  /** Also if an earlier reminder demanded it first. */
  readonly pauschale: string
  readonly zeilen: readonly InterestPeriod[]
}

export interface Beleg {
  /** Version of this structure; incremented with every change to it. */
  readonly fassung: 1
  readonly art: BelegKind
  readonly id: string
  /** Empty in a draft. */
  readonly nummer: string
  readonly entwurf: boolean
  readonly format: RechnungFormat
  /** Of an XRechnung; without one, cii. */
  readonly syntax?: XmlSyntax
  /** rn_datum or an_datum */
  readonly datum: string
  readonly le_date: string | null
  readonly le_date_bis: string | null
  /** Invoices: due date. Offers: null. */
  readonly faellig: string | null
  /** Offers: last day of validity. Invoices: null. */
  readonly gueltig_bis: string | null
  readonly bearbeiter: string
  readonly anrede: string
  readonly anschreiben: string
  readonly zuerl: string
  readonly ust_satz: string
  /** Discount on the whole document: per cent (below zero a surcharge), and the reason that is printed. */
  readonly rabatt_prozent: string
  readonly rabatt_grund: string
  readonly skonto: readonly BelegSkonto[]
  readonly lieferant: BelegLieferant
  readonly empfaenger: BelegRecipient
  readonly positionen: readonly BelegPosition[]
  readonly summen: BelegSums
  /** Of a Storno or a correction: its invoice. Of what is made from an offer: that offer. */
  readonly bezug: { readonly art: BelegKind; readonly nummer: string; readonly datum: string } | null
  /**
   * For private customers: the note on keeping the invoice, as set in the settings; empty: none is printed.
   * Documents issued before this field existed carry the usual note.
   */
  readonly aufbewahrung?: string
  /** Where the supply is taxed (place-of-supply.ts); without one, nobody has decided. */
  readonly leistungsort?: Place | null
  readonly leistungsland?: string | null
  readonly verweise?: BelegReferences
  /** Invoices of customers with a mandate only, never a Storno or a reminder. */
  readonly einzug?: BelegEinzug
  /** Final invoices and their Stornos only, in the order of issue. */
  readonly abschlaege?: readonly BelegAbschlag[]
  /** Invoices only, in the order in which they were added. */
  readonly anlagen?: readonly BelegAnlage[]
  /** Reminders only. */
  readonly mahnung?: BelegMahnung
}
