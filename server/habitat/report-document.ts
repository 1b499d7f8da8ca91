// The texts of a report, in the shape that its template reads (server/documents/template).
import type { KarteSheet } from '#domain/habitat/report-karte.ts'

export type Pair = readonly [name: string, wert: string]
export interface ListRow {
  readonly nummer: string
  readonly art: string
  readonly bhd: string
  readonly strukturen: string
  readonly bemerkung: string
  readonly zustand: readonly string[]
  readonly markierung: readonly string[]
  readonly ort: readonly string[]
  readonly grad: readonly string[]
  readonly genau: readonly string[]
  readonly bestand: string
  readonly erfasst: string
}
export interface Karte extends Omit<KarteSheet, 'balken' | 'scale' | 'baeume' | 'unnumbered'> {
  readonly titel: string
  readonly alt: string
  readonly balken: { readonly laenge: number; readonly mitte: string; readonly ende: string }
  readonly legende: readonly string[]
}
export interface Photo {
  readonly bild: string
  readonly alt: string
  readonly titel: string
  readonly zeile: string
}
export interface ReportData {
  readonly pdf: {
    readonly pdf_titel: string
    readonly autor: string
    readonly beschreibung: string
    readonly stichworte: readonly string[]
    readonly tag: readonly [year: number, month: number, day: number]
  }
  readonly logo: string | null
  readonly absender: { readonly name: string; readonly zeilen: readonly string[] }
  readonly kunde: readonly string[]
  readonly titel: string
  readonly untertitel: string
  readonly stand: string
  readonly folgekopf: string
  readonly fuss: string
  readonly info: readonly Pair[]
  readonly nachweis: {
    readonly grosse: readonly { readonly name: string; readonly wert: string; readonly zusatz: string }[]
    readonly zahlen: readonly Pair[]
    readonly maengel: readonly string[]
    readonly hinweise: readonly string[]
    readonly erklaerung: string
  } | null
  readonly zahlen: readonly Pair[]
  readonly verteilungen: readonly {
    readonly titel: string
    readonly zeilen: readonly (readonly [string, string, string])[]
  }[]
  readonly hinweise: readonly string[]
  readonly karten: readonly Karte[]
  readonly listen: readonly {
    readonly titel: string
    readonly system: string
    readonly zeilen: readonly ListRow[]
  }[]
  readonly fotos: readonly Photo[]
}
