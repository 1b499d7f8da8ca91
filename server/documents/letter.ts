// The letter as data: what the template reads, all of it text that is ready to be set.

export interface Figure {
  readonly text: string
  /** Set invisibly behind it, so that the commas of a column stand below each other. */
  readonly rest: string
}

export interface TableRow {
  readonly art: 'position' | 'ueberschrift' | 'zwischensumme'
  /** How many rows, this one included, must stand on one page; 0: it hangs on the row before. */
  readonly halten: number
  /** A rule is drawn above it. */
  readonly regel: boolean
  /** So long that it may be parted. */
  readonly lang: boolean
  /** Holds a word that would leave a hole at the end of a line: such rows alone are hyphenated, which costs a sixth of the time of a document. */
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
  /** All that counted up to here, this line included. */
  readonly lauf: string
}

export interface Table {
  /** The column of tax rates. */
  readonly ust: boolean
  /** All units are short: the column is as wide as the longest. Else they are set in lines. */
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

export interface Zahlung {
  readonly saetze: readonly Paragraph[]
  readonly konto: readonly Pair[]
  readonly giro: { readonly svg: string; readonly alt: string } | null
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
  /** The XML is attached. */
  readonly xml: boolean
  /** Path of the logo within the workspace of the template. */
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
  readonly zahlung: Zahlung | null
  readonly hinweise: readonly Paragraph[]
  readonly zuerl: readonly Paragraph[]
  readonly unterschrift: { readonly titel: string; readonly wahl: readonly string[] } | null
  readonly fuss: readonly Paragraph[]
  /** Lines of its longest column, those included that will be broken. */
  readonly fuss_zeilen: number
}
