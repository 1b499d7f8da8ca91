// Import and export of a management plan (Forsteinrichtung): what the server's own paths take and answer.
import type { FeFehler, FeTabelle } from '#domain/bestand-import.ts'
import type { DateiSchicht, ImportGrund, OrtSpalten, VermessungFormat } from './vermessung-import.ts'

type Id = number | string

/** A layer of an uploaded file. */
export interface FeDateiSchicht extends Omit<DateiSchicht, 'vorschlag'> {
  vorschlag: { tabelle: FeTabelle | null; felder: Record<string, string> }
}
export interface FeSchichtWahl {
  name: string
  tabelle: FeTabelle
  /** Of stands; null of species. */
  epsg: number | null
  /** Field → column. */
  felder: Record<string, string>
  ort?: OrtSpalten
}
export interface FeWerte {
  schichten: FeSchichtWahl[]
  /** Day that the plan describes, for stands that name none. */
  stichtag: string | null
  /** Date and area of the plan become those of the headquarters. */
  uebernehmen: boolean
}
export interface FeVorschauZeile {
  nr: number
  adresse: { l: (string | null)[]; s: number | null }
  werte: Record<string, string | number | boolean | null>
}
export interface FeVorschau {
  schichten: { name: string; tabelle: FeTabelle; anzahl: number; gut: number; zeilen: FeVorschauZeile[] }[]
  fehlerzahl: number
  /** At most 1,000. */
  fehler: FeFehler[]
}
export interface FeBericht {
  bestaende?: number
  baumarten?: number
  /** Stands that were there before. */
  entfernt?: number
  /** Outlines that crossed themselves and were mended. */
  bereinigt?: number
  /** Why it failed; the sentence stands in the browser. */
  grund?: ImportGrund
  fehlerzahl?: number
  fehler?: FeFehler[]
}
export interface BestandImport {
  id: number
  idHQ: number
  sHQ: string
  ebenen: string[]
  dateiname: string
  format: VermessungFormat
  groesse: number
  stand: 'bereit' | 'laeuft' | 'fertig' | 'fehlgeschlagen'
  werte: FeWerte | null
  bericht: FeBericht | null
  wer: string | null
  angelegt_am: string
  beendet_am: string | null
  /** Stands of the headquarters now: an import takes their place. */
  vorhanden: number
  /** While the file is there. */
  schichten: FeDateiSchicht[]
}

/** Under the base path of the general API; every request carries the bearer token. */
export const bestandWege = {
  /** POST the bytes of a file; the answer is the import. */
  upload: (hq: Id, name: string) => `/bestand/${hq}/upload?name=${encodeURIComponent(name)}`,
  /** GET; DELETE throws the file away. */
  import: (id: Id) => `/bestand/import/${id}`,
  /** POST FeWerte, answers FeVorschau: everything is read and checked, nothing is written. */
  pruefen: (id: Id) => `/bestand/import/${id}/pruefen`,
  /** POST FeWerte; answers when it is over. All or nothing: it takes the place of what the headquarters had. */
  start: (id: Id) => `/bestand/import/${id}/start`,
  /** GET: stands as areas in ETRS89 / UTM, species as a table, as an import takes them. */
  export: (hq: Id) => `/bestand/${hq}/export/waldbestand.gpkg`,
} as const

export const FE_MOST_BYTES = 256 * 1024 * 1024
