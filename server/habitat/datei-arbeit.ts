// The messages between the server and the process that reads a file of habitat trees.
import type { HabitatImportFehler, HabitatImportWerte, HabitatSchicht } from '#contract/habitat-datei.ts'
import type { VermessungFormat } from '#contract/vermessung-import.ts'

export interface DateiAuftrag {
  readonly datei: string
  readonly name: string
  /** null: only say what the file holds. */
  readonly werte: HabitatImportWerte | null
}
export interface GeleseneZeile {
  readonly nr: number
  /** A capture as the database takes it, without kennung where the file has none. */
  readonly erfassung: Readonly<Record<string, unknown>>
}
export type DateiNachricht =
  | { readonly art: 'lage'; readonly format: VermessungFormat; readonly schichten: HabitatSchicht[] }
  /** The next packet comes after an answer. */
  | { readonly art: 'zeilen'; readonly zeilen: readonly GeleseneZeile[] }
  | { readonly art: 'fertig'; readonly anzahl: number; readonly fehlerzahl: number; readonly fehler: readonly HabitatImportFehler[] }
