// Import and export of the survey: what the server's own endpoints take and return.
import type { FarAway } from '#domain/far-away.ts'
import type { Fault, ImportMode } from '#domain/vermessung/check.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'
import type { TextEncoding } from '#domain/text-encoding.ts'
import type { LayerKind, Table } from '#domain/vermessung/fields.ts'
import type { Moved } from '#domain/vermessung/moved.ts'

type Id = number | string

export type VermessungFormat = 'gpkg' | 'geojson' | 'shapefile' | 'csv' | 'dxf' | 'fgb' | 'gml'

/** A layer of an uploaded file. */
export interface FileLayer {
  name: string
  geometrie: LayerKind | null
  anzahl: number
  /** The coordinate system the file names, if we know it; if null, the user has to be asked. */
  epsg: number | null
  /** What the file says about its coordinate system if we do not know it. */
  system: string | null
  spalten: { name: string; beispiele: string[] }[]
  /**
   * For tables: the columns with the location, as far as the headings show. Null for files that contain
   * geometry.
   */
  ort: PlaceColumns | null
  /** For shapefiles and CSV with letters beyond ASCII, whose encoding nobody knows for certain. */
  texte?: TextChoice | null
  vorschlag: { tabelle: Table | null; felder: Record<string, string> }
}
/** How the texts of a layer seem to be written, and how a few of them read in each encoding. */
export interface TextChoice {
  erkannt: TextEncoding
  /** The file says so itself. */
  sicher: boolean
  beispiele: Record<string, string[]>
}
/** Columns of a table that contain the location; an empty name stands for none. */
export interface PlaceColumns {
  x: string
  y: string
  wkt: string
}

export interface ImportLayer {
  name: string
  tabelle: Table
  epsg: number
  /** Field → column. */
  felder: Record<string, string>
  ort?: PlaceColumns
  zeichensatz?: TextEncoding
}
export interface ImportValues {
  schichten: ImportLayer[]
  modus: ImportMode
  /** Somebody has said that data far from the customer belong there. */
  ort_bestaetigt?: boolean
  /** Somebody has said that known objects are to be moved. */
  verschiebung_bestaetigt?: boolean
}

export interface PreviewRow {
  nr: number
  /** In the zone of the survey. */
  ost: number
  nord: number
  /** Metres; lines only. */
  laenge: number | null
  werte: Record<string, string | number | boolean | null>
}
export interface Preview {
  schichten: { name: string; tabelle: Table; anzahl: number; gut: number; zeilen: PreviewRow[] }[]
  /** What of the file is not taken over. */
  hinweise: ImportLoss[]
  /** Objects far from the customer: an import of them needs `ort_bestaetigt`. */
  fern: FarAway | null
  /** Known objects that are elsewhere in the file: an import of them needs `verschiebung_bestaetigt`. */
  verschoben: Moved | null
  /** The zone in which the survey is stored. */
  zone: number
  fehlerzahl: number
  /** At most 1,000. */
  fehler: Fault[]
}

export interface ImportCount {
  tabelle: Table
  neu: number
  geaendert: number
  entfernt: number
  /** Without a key, and changed by hand since they came: they stay as they are. Left out if there are none. */
  behalten?: number
}
export interface ImportReport {
  objekte?: ImportCount[]
  dauer_ms?: number
  /** Why it failed; the browser has the text. */
  grund?: ImportReason
  fehlerzahl?: number
  fehler?: Fault[]
  fern?: FarAway
  verschoben?: Moved
  /** What of the file was not taken over, or converted; left out if there is nothing. */
  hinweise?: ImportLoss[]
}
/**
 * fehler: objects with faults. datenbank: refused by the database. server: the server stopped meanwhile.
 * datei: can no longer be read. ort: objects are far from the customer, and nobody has confirmed it.
 * verschiebung: known objects are elsewhere in the file, and nobody has confirmed it. platz: the server's
 * disk is full. zeit: it took too long. abgebrochen: it was stopped.
 */
export type ImportReason =
  | 'fehler'
  | 'datenbank'
  | 'server'
  | 'datei'
  | 'zeit'
  | 'abgebrochen'
  | 'ort'
  | 'platz'
  | 'verschiebung'

export type VermessungImportState = 'bereit' | 'laeuft' | 'fertig' | 'fehlgeschlagen' | 'abgebrochen'

/** An import and, while its file is kept, the contents of the file. */
export interface VermessungImport {
  id: number
  client_id: number
  dateiname: string
  format: VermessungFormat
  groesse: number
  stand: VermessungImportState
  modus: ImportMode | null
  /** 0 to 100, while it is running. */
  fortschritt: number
  werte: ImportValues | null
  bericht: ImportReport | null
  wer: string | null
  angelegt_am: string
  beendet_am: string | null
  schichten: FileLayer[]
}

/** Why a file is refused: `hint` of the response. The browser has the text (web/src/data/rule-texts.ts). */
export const FILE_REASONS = [
  'format_unbekannt',
  'zeichnung_geschlossen',
  'gml_doctype',
  'gml_verweise',
  'datei_kaputt',
  'datei_aufwand',
  'keine_schicht',
  'nur_sichten',
  'nur_koerper',
  'zip_zu_gross',
  'zip_verschluesselt',
  'zu_viele_objekte',
  'zu_viele_spalten',
] as const
export type FileReason = (typeof FILE_REASONS)[number]
/** Other reasons why a request of the import is refused; the text uses `werte` of the response. */
export const IMPORT_RULES = [
  'import_datei_gross',
  'import_kein_platz',
  'import_schon_fertig',
  'import_datei_weg',
  'import_laeuft',
  'import_modus',
  'import_ohne_schicht',
  'import_schicht_fremd',
  'import_tabelle',
  'import_epsg',
  'import_ort',
  'export_epsg',
] as const
export type ImportRule = (typeof IMPORT_RULES)[number]
/** Why no file is received at the moment. */
export const ARRIVAL_RULES = ['upload_viele', 'import_voll'] as const
export type ArrivalRule = (typeof ARRIVAL_RULES)[number]

/** shp: a ZIP of shapefiles. */
export type ExportFormat = 'gpkg' | 'geojson' | 'csv' | 'shp'

/** Under the base path of the general API; every request carries the bearer token. */
export const vermessungPaths = {
  /** POST the bytes of a file; returns the import. */
  upload: (kunde: Id, name: string) => `/vermessung/${kunde}/upload?name=${encodeURIComponent(name)}`,
  /** GET; DELETE discards the file or cancels a running import. */
  import: (id: Id) => `/vermessung/import/${id}`,
  /** POST ImportValues, returns Preview: all objects are read and checked, nothing is written. */
  pruefen: (id: Id) => `/vermessung/import/${id}/pruefen`,
  /** POST ImportValues; the import continues without the browser. */
  start: (id: Id) => `/vermessung/import/${id}/start`,
  /**
   * GET. GeoJSON is in WGS 84 unless `epsg` says otherwise; the other formats are in the zone of the survey.
   * CSV is a ZIP with one table for each kind, SHP one with a shapefile for each.
   */
  export: (kunde: Id, format: ExportFormat, epsg?: number) =>
    `/vermessung/${kunde}/export/kataster.${format}${epsg === undefined ? '' : `?epsg=${epsg}`}`,
} as const

export const UPLOAD_MOST_BYTES = 512 * 1024 * 1024
export const MOST_OBJECTS = 250_000
