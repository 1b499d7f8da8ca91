// The letter as data: what the template reads, all of it text that is ready to be typeset.

export interface Figure {
  readonly text: string
  /** Typeset invisibly after the text, so that the decimal commas of a column align. */
  readonly rest: string
}

export interface TableRow {
  readonly art: 'position' | 'ueberschrift' | 'zwischensumme'
  /** How many rows, including this one, must stay on one page; 0: stays with the row before. */
  readonly halten: number
  /** A rule is drawn above it. */
  readonly regel: boolean
  /** So long that it may be split across pages. */
  readonly lang: boolean
  /**
   * Contains a word so long that it would leave a gap at the end of a line. Only such rows are hyphenated:
   * hyphenation costs a sixth of a document's time.
   */
  readonly trennen: boolean
  readonly nr: string
  readonly bez: readonly string[]
  readonly titel: string
  readonly marke: string
  readonly erl_titel: string
  readonly erl: readonly string[]
  readonly zusaetze: readonly string[]
  readonly menge: Figure
  readonly einheit: string
  readonly ep: Figure
  readonly ust: string
  readonly betrag: string
  readonly zaehlt: boolean
  /** Running total, including this line. */
  readonly lauf: string
}

export interface Table {
  /** Whether the column of tax rates is shown. */
  readonly ust: boolean
  /** All units are short: the column is as wide as the longest. Otherwise they are wrapped. */
  readonly einheit_schmal: boolean
  readonly zeilen: readonly TableRow[]
}

export type Pair = readonly [name: string, wert: string]
export type Paragraph = readonly string[]

export interface Sum {
  readonly art: 'zeile' | 'summe' | 'ende'
  readonly name: string
  readonly wert: string
}

export interface AdvanceRow {
  /** Empty in the rows below the first of an advance, and in the rows of the rest. */
  readonly name: string
  readonly tag: string
  readonly erhalten: string
  readonly satz: string
  readonly netto: string
  readonly steuer: string
  readonly brutto: string
}
/** What a final invoice takes off, and what is left by rate. */
export interface Advances {
  readonly titel: string
  readonly zeilen: readonly AdvanceRow[]
  readonly rest: readonly AdvanceRow[]
}

export interface Zahlung {
  readonly saetze: readonly Paragraph[]
  readonly konto: readonly Pair[]
  readonly giro: { readonly svg: string; readonly alt: string } | null
}

/** How interest was computed: a row for each period. */
export interface InterestTable {
  readonly zeilen: readonly {
    readonly zeitraum: string
    readonly tage: string
    readonly betrag: string
    readonly satz: string
    readonly zinsen: string
  }[]
  readonly summe: string
}

export interface PrintData {
  readonly pdf: {
    readonly pdf_titel: string
    readonly autor: string
    readonly beschreibung: string
    readonly stichworte: readonly string[]
    readonly tag: readonly [year: number, month: number, day: number]
    readonly anhang: string
  }
  readonly entwurf: boolean
  /** Whether the XML is attached. */
  readonly xml: boolean
  /** Path of the logo in the workspace of the template. */
  readonly logo: string | null
  readonly absender: { readonly name: string; readonly zusatz: string; readonly zeile: string }
  readonly anschrift: readonly string[]
  readonly info: readonly Pair[]
  readonly titel: string
  readonly untertitel: string
  readonly folgekopf: string
  readonly anrede: readonly Paragraph[]
  readonly anschreiben: readonly Paragraph[]
  readonly tabelle: Table
  readonly summen: readonly Sum[]
  readonly zinsen: InterestTable | null
  readonly abschlaege: Advances | null
  readonly zahlung: Zahlung | null
  readonly hinweise: readonly Paragraph[]
  readonly zuerl: readonly Paragraph[]
  /** Files that go with it. */
  readonly anlagen: readonly Paragraph[]
  readonly unterschrift: { readonly titel: string; readonly wahl: readonly string[] } | null
  readonly fuss: readonly Paragraph[]
}
