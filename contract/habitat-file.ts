// Files of habitat trees (GeoPackage, GeoJSON, shapefile, CSV, XLSX): what the server's own paths take and answer. The file stays with the browser and is sent with each step; the server keeps none.
import type { HabitatField } from '#domain/habitat/file.ts'
import type { FileLayer, PlaceColumns, VermessungFormat } from './vermessung-import.ts'

type Id = number | string

export type HabitatExportFormat = 'gpkg' | 'geojson' | 'csv'

/** A layer of the file with what its columns seem to mean. */
export interface HabitatLayer extends Omit<FileLayer, 'vorschlag'> {
  vorschlag: Partial<Record<HabitatField, string>>
}
export interface HabitatFileContent {
  format: VermessungFormat
  schichten: HabitatLayer[]
}

/** What is to be taken from which layer: field → column. */
export interface HabitatImportValues {
  schicht: string
  epsg: number
  felder: Partial<Record<HabitatField, string>>
  ort?: PlaceColumns
}

export interface HabitatImportFault {
  /** Counts the rows of the layer from 1. */
  nr: number
  feld: string | null
  /** A rule's stable word, with its sentence in the browser. */
  regel: string
  wert: string
  /** Where the row lies, as far as it says so. */
  ort?: readonly [lon: number, lat: number]
}
/** What becomes of a row: its number, where it lies, and how it is to be found again. */
export type HabitatImportRow = readonly [
  nr: number,
  lon: number,
  lat: number,
  was: 'neu' | 'geaendert' | 'unveraendert',
  nummer: string | null,
  art: string,
]
export interface HabitatImportResult {
  anzahl: number
  neu: number
  geaendert: number
  unveraendert: number
  fehlerzahl: number
  /** The first thousand. With any nothing is imported. */
  fehler: HabitatImportFault[]
  /** The rows without a fault, of a look alone. */
  zeilen: HabitatImportRow[]
  /** False: it was only looked at, or there are faults. */
  importiert: boolean
}

export const HABITAT_FILE_MOST_BYTES = 64 * 1024 * 1024
export const HABITAT_FILE_MOST_TREES = 20_000

/** Under the base path of the general API; every request carries the bearer token. */
export const habitatFilePaths = {
  /** POST the bytes: what the file holds. */
  lage: (hq: Id, name: string) => `/habitat/${hq}/import/lage?name=${encodeURIComponent(name)}`,
  /** POST the bytes with `werte` as JSON in the query: all rows are read and tried, nothing stays. */
  pruefen: (hq: Id, name: string, werte: HabitatImportValues) =>
    `/habitat/${hq}/import/pruefen?name=${encodeURIComponent(name)}&werte=${encodeURIComponent(JSON.stringify(werte))}`,
  /** As above, and it stays: all rows or none. */
  importieren: (hq: Id, name: string, werte: HabitatImportValues) =>
    `/habitat/${hq}/import/start?name=${encodeURIComponent(name)}&werte=${encodeURIComponent(JSON.stringify(werte))}`,
  /** GET; without `epsg` degrees (GeoJSON, CSV) or the zone in which the trees stand (GeoPackage). */
  export: (hq: Id, format: HabitatExportFormat, epsg?: number) =>
    `/habitat/${hq}/export/habitatbaeume.${format}${epsg === undefined ? '' : `?epsg=${epsg}`}`,
} as const
