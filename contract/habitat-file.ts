// Files of habitat trees (those of the survey, and XLSX): what the server's own endpoints take
// and return. The file stays in the browser and is sent with each step; the server keeps none.
import type { FarAway } from '#domain/far-away.ts'
import type { HabitatField } from '#domain/habitat/file.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'
import type { TextEncoding } from '#domain/text-encoding.ts'
import type { FileLayer, PlaceColumns, VermessungFormat } from './vermessung-import.ts'

type Id = number | string

/** shp: a ZIP with a shapefile. */
export type HabitatExportFormat = 'gpkg' | 'geojson' | 'csv' | 'shp'

/** A layer of the file with the presumed meaning of its columns. */
export interface HabitatLayer extends Omit<FileLayer, 'vorschlag'> {
  vorschlag: Partial<Record<HabitatField, string>>
}
export interface HabitatFileContent {
  format: VermessungFormat
  schichten: HabitatLayer[]
}

/** What to import from which layer: field → column. */
export interface HabitatImportValues {
  schicht: string
  epsg: number
  felder: Partial<Record<HabitatField, string>>
  ort?: PlaceColumns
  zeichensatz?: TextEncoding
  /** Somebody has said that trees far from the holding stand there. */
  ort_bestaetigt?: boolean
}

export interface HabitatImportFault {
  /** Row number within the layer, from 1. */
  nr: number
  feld: string | null
  /** Stable code of a rule; the browser has the text. */
  regel: string
  wert: string
  /** Location of the row, if it gives one. */
  ort?: readonly [lon: number, lat: number]
}
/** What happens to a row: its number, its location, and how to find it again. */
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
  /** The first thousand. If there are any, nothing is imported. */
  fehler: HabitatImportFault[]
  /** The rows without a fault; only for a preview. */
  zeilen: HabitatImportRow[]
  /** What of the file is not taken over. */
  hinweise: ImportLoss[]
  /** Trees far from the holding: without `ort_bestaetigt` nothing is imported. */
  fern: FarAway | null
  /** False: this was only a preview, there are faults, or trees far away are not confirmed. */
  importiert: boolean
}

export const HABITAT_FILE_MOST_BYTES = 64 * 1024 * 1024
export const HABITAT_FILE_MOST_TREES = 20_000

/** Under the base path of the general API; every request carries the bearer token. */
export const habitatFilePaths = {
  /** POST the bytes: describes what the file contains. */
  lage: (hq: Id, name: string) => `/habitat/${hq}/import/lage?name=${encodeURIComponent(name)}`,
  /** POST the bytes with `werte` as JSON in the query: all rows are read and tried, nothing is stored. */
  pruefen: (hq: Id, name: string, values: HabitatImportValues) =>
    `/habitat/${hq}/import/pruefen?name=${encodeURIComponent(name)}` +
    `&werte=${encodeURIComponent(JSON.stringify(values))}`,
  /** Same as above, but stored: all rows or none. */
  importieren: (hq: Id, name: string, values: HabitatImportValues) =>
    `/habitat/${hq}/import/start?name=${encodeURIComponent(name)}&werte=${encodeURIComponent(JSON.stringify(values))}`,
  /** GET. Without `epsg`: degrees (GeoJSON, CSV) or the zone in which the trees stand (GeoPackage, SHP). */
  export: (hq: Id, format: HabitatExportFormat, epsg?: number) =>
    `/habitat/${hq}/export/habitatbaeume.${format}${epsg === undefined ? '' : `?epsg=${epsg}`}`,
} as const
