// The messages between the server and the process that reads a file of habitat trees.
import type { HabitatImportFault, HabitatImportValues, HabitatLayer } from '#contract/habitat-file.ts'
import type { VermessungFormat } from '#contract/vermessung-import.ts'

export interface FileJob {
  readonly datei: string
  readonly name: string
  /** null: only say what the file holds. */
  readonly werte: HabitatImportValues | null
}
export interface ReadRow {
  readonly nr: number
  /** A capture as the database takes it, without kennung where the file has none. */
  readonly capture: Readonly<Record<string, unknown>>
}
export type FileMessage =
  | { readonly art: 'lage'; readonly format: VermessungFormat; readonly schichten: HabitatLayer[] }
  /** The next packet comes after an answer. */
  | { readonly art: 'zeilen'; readonly zeilen: readonly ReadRow[] }
  | {
      readonly art: 'fertig'
      readonly anzahl: number
      readonly fehlerzahl: number
      readonly fehler: readonly HabitatImportFault[]
    }
