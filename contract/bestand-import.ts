// Import and export of a management plan (Forsteinrichtung): what the server's own endpoints take and return.
import type { FeFault, FeTable } from '#domain/bestand-import.ts'
import type { FarAway } from '#domain/far-away.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'
import type { TextEncoding } from '#domain/text-encoding.ts'
import type { FileLayer, ImportReason, PlaceColumns, VermessungFormat } from './vermessung-import.ts'

type Id = number | string

/** A layer of an uploaded file. */
export interface FeFileLayer extends Omit<FileLayer, 'vorschlag'> {
  vorschlag: { tabelle: FeTable | null; felder: Record<string, string> }
}
export interface FeLayerChoice {
  name: string
  tabelle: FeTable
  /** Only for stands; null for species. */
  epsg: number | null
  /** Field → column. */
  felder: Record<string, string>
  ort?: PlaceColumns
  zeichensatz?: TextEncoding
}
export interface FeValues {
  schichten: FeLayerChoice[]
  /** Date the plan describes, for stands that have none of their own. */
  stichtag: string | null
  /** Copies the plan's date and area to the headquarters. */
  uebernehmen: boolean
  /** Somebody has said that data far from the holding belong there. */
  ort_bestaetigt?: boolean
}
export interface FePreviewRow {
  nr: number
  adresse: { l: (string | null)[]; s: number | null }
  werte: Record<string, string | number | boolean | null>
}
export interface FePreview {
  schichten: { name: string; tabelle: FeTable; anzahl: number; gut: number; zeilen: FePreviewRow[] }[]
  /** What of the file is not taken over. */
  hinweise: ImportLoss[]
  /** Stands far from the holding: an import of them needs `ort_bestaetigt`. */
  fern: FarAway | null
  fehlerzahl: number
  /** At most 1,000. */
  fehler: FeFault[]
}
export interface FeReport {
  bestaende?: number
  baumarten?: number
  /** Stands that were there before and were removed. */
  entfernt?: number
  /** Self-intersecting outlines that were repaired. */
  bereinigt?: number
  /** Why it failed; the browser has the text. */
  grund?: Exclude<ImportReason, 'verschiebung'>
  fehlerzahl?: number
  fehler?: FeFault[]
  fern?: FarAway
  /** What of the file was not taken over, or converted; left out if there is nothing. */
  hinweise?: ImportLoss[]
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
  /** Stands the headquarters has now; an import replaces them. */
  vorhanden: number
  /** Available while the file is kept. */
  schichten: FeFileLayer[]
}

export type FeExportFormat = 'gpkg' | 'shp'

/** Under the base path of the general API; every request carries the bearer token. */
export const bestandPaths = {
  /** POST the bytes of a file; returns the import. */
  upload: (hq: Id, name: string) => `/bestand/${hq}/upload?name=${encodeURIComponent(name)}`,
  /** GET; DELETE discards the file. */
  import: (id: Id) => `/bestand/import/${id}`,
  /** POST FeValues, returns FePreview: everything is read and checked, nothing is written. */
  pruefen: (id: Id) => `/bestand/import/${id}/pruefen`,
  /** POST FeValues; responds when it has finished. All or nothing: replaces what the headquarters had. */
  start: (id: Id) => `/bestand/import/${id}/start`,
  /**
   * GET: stands as polygons in ETRS89 / UTM and species as a table, in the form that an import takes. SHP is a
   * ZIP of a shapefile and a table.
   */
  export: (hq: Id, format: FeExportFormat = 'gpkg') => `/bestand/${hq}/export/waldbestand.${format}`,
} as const

export const FE_MOST_BYTES = 256 * 1024 * 1024
