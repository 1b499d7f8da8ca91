// A document as it is frozen at issue: everything that PDF, XML, DATEV and the auditor read, and nothing that could change afterwards.
// Amounts, quantities and rates are decimal texts ("1234.50"), days are ISO days: a JSON number would become a binary float on its way.

export type BelegKind = 'rechnung' | 'storno' | 'angebot' | 'mahnung'
export type PositionKind = 'position' | 'optional' | 'alternativ' | 'ueberschrift'
/** EN 16931 (UNTDID 5305): standard rate, exempt, reverse charge, outside of the scope. */
export type TaxCategory = 'S' | 'E' | 'AE' | 'O'
export type RechnungFormat = 'xrechnung' | 'zugferd' | 'pdf'

export interface BelegLieferant {
  readonly name: string
  readonly name_zusatz: string
  readonly strasse: string
  readonly plz: string
  readonly ort: string
  /** ISO 3166 alpha-2. */
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
  /** BT-10; needed by the format xrechnung. */
  readonly leitweg_id: string
  /** The buyer's order number, BT-13. */
  readonly bestellnummer: string
  /** BT-49 and the address that documents are sent to. */
  readonly mail: string
  /** A private person: § 14 (4) Nr. 9 UStG asks for the note on keeping. */
  readonly ist_privat: boolean
}

export interface BelegPosition {
  readonly id: string
  readonly lfd_nr: number
  readonly art: PositionKind
  /** As printed: 1, 2, 3; with headings 1 for the heading and 1.1, 1.2 for the lines below it (positionNumbers). Unique in the document. */
  readonly nr: string
  readonly bez: string
  readonly erl_titel: string
  /** Printed where `erl_on`. */
  readonly erl: string
  readonly erl_on: boolean
  /** Up to 3 places. */
  readonly anzahl: string
  readonly einheit: string
  /** Net unit price, up to 4 places. */
  readonly ep: string
  /** Per cent off this line, up to 2 places. */
  readonly rabatt_prozent: string
  readonly ust_satz: string
  readonly kategorie: TaxCategory
  /** Reason in words for E, AE and O. */
  readonly steuergrund: string
  readonly le_date: string | null
  readonly le_date_bis: string | null
  /** round2(anzahl × ep × (1 − rabatt/100)); for headings the subtotal of the lines below it up to the next heading. */
  readonly betrag: string
  /** Of optional and alternative lines: chosen, and so counted. */
  readonly gewaehlt?: boolean
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
  /** Already paid, BT-113. */
  readonly anzahlung: string
  readonly zahlbetrag: string
  readonly steuern: readonly BelegTax[]
}

/** What a reminder says about its invoice; the invoice itself stands in `bezug`, and `summen.zahlbetrag` is what is asked for (open amount and fee). */
export interface BelegMahnung {
  readonly stufe: 1 | 2 | 3
  /** When the invoice was due. */
  readonly rechnung_faellig: string
  /** What the invoice asked for, and what came in since. */
  readonly rechnung_betrag: string
  readonly gezahlt: string
  readonly gebuehr: string
  /** Of the levels before; reminders made before this was kept have none. */
  readonly gebuehren_bisher?: string
}

export interface Beleg {
  /** Of this shape; raised with every change of it. */
  readonly fassung: 1
  readonly art: BelegKind
  readonly id: string
  /** Empty in a draft. */
  readonly nummer: string
  readonly entwurf: boolean
  readonly format: RechnungFormat
  /** rn_datum or an_datum. */
  readonly datum: string
  readonly le_date: string | null
  readonly le_date_bis: string | null
  /** Invoices: when it is due. Offers: null. */
  readonly faellig: string | null
  /** Offers: until when it holds. Invoices: null. */
  readonly gueltig_bis: string | null
  readonly bearbeiter: string
  readonly anrede: string
  readonly anschreiben: string
  readonly zuerl: string
  readonly ust_satz: string
  /** Of the whole document: per cent, and the reason that is printed. */
  readonly rabatt_prozent: string
  readonly rabatt_grund: string
  readonly skonto: readonly BelegSkonto[]
  readonly lieferant: BelegLieferant
  readonly empfaenger: BelegRecipient
  readonly positionen: readonly BelegPosition[]
  readonly summen: BelegSums
  /** Of a Storno: what it takes back. Of an invoice made from an offer: that offer. */
  readonly bezug: { readonly art: BelegKind; readonly nummer: string; readonly datum: string } | null
  /** To private persons: the note on keeping as the settings had it; empty: none is printed. Documents of before it was kept here bear the usual one. */
  readonly aufbewahrung?: string
  /** Of a reminder alone. */
  readonly mahnung?: BelegMahnung
}
