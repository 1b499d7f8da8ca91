// Import and export of a management plan (Forsteinrichtung): what the server's own paths take and answer.
import type { FeFault, FeTable } from '#domain/bestand-import.ts'
import type { FileLayer, ImportReason, PlaceColumns, VermessungFormat } from './vermessung-import.ts'

type Id = number | string

/** A layer of an uploaded file. */
export interface FeFileLayer extends Omit<FileLayer, 'vorschlag'> {
  vorschlag: { tabelle: FeTable | null; felder: Record<string, string> }
}
export interface FeLayerChoice {
  name: string
  tabelle: FeTable
  /** Of stands; null of species. */
  epsg: number | null
  /** Field → column. */
  felder: Record<string, string>
  ort?: PlaceColumns
}
export interface FeValues {
  schichten: FeLayerChoice[]
  /** Day that the plan describes, for stands that name none. */
  stichtag: string | null
  /** Date and area of the plan become those of the headquarters. */
  uebernehmen: boolean
}
export interface FePreviewRow {
  nr: number
  adresse: { l: (string | null)[]; s: number | null }
  werte: Record<string, string | number | boolean | null>
}
export interface FePreview {
  schichten: { name: string; tabelle: FeTable; anzahl: number; gut: number; zeilen: FePreviewRow[] }[]
  fehlerzahl: number
  /** At most 1,000. */
  fehler: FeFault[]
}
export interface FeReport {
  bestaende?: number
  baumarten?: number
  /** Stands that were there before. */
  entfernt?: number
  /** Outlines that crossed themselves and were mended. */
  bereinigt?: number
  /** Why it failed; the sentence stands in the browser. */
  grund?: ImportReason
  fehlerzahl?: number
  fehler?: FeFault[]
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
  werte: FeValues | null
  bericht: FeReport | null
  wer: string | null
  angelegt_am: string
  beendet_am: string | null
  /** Stands of the headquarters now: an import takes their place. */
  vorhanden: number
  /** While the file is there. */
  schichten: FeFileLayer[]
}

/** Under the base path of the general API; every request carries the bearer token. */
export const bestandPaths = {
  /** POST the bytes of a file; the answer is the import. */
  upload: (hq: Id, name: string) => `/bestand/${hq}/upload?name=${encodeURIComponent(name)}`,
  /** GET; DELETE throws the file away. */
  import: (id: Id) => `/bestand/import/${id}`,
  /** POST FeValues, answers FePreview: everything is read and checked, nothing is written. */
  pruefen: (id: Id) => `/bestand/import/${id}/pruefen`,
  /** POST FeValues; answers when it is over. All or nothing: it takes the place of what the headquarters had. */
  start: (id: Id) => `/bestand/import/${id}/start`,
  /** GET: stands as areas in ETRS89 / UTM, species as a table, as an import takes them. */
  export: (hq: Id) => `/bestand/${hq}/export/waldbestand.gpkg`,
} as const

export const FE_MOST_BYTES = 256 * 1024 * 1024
