// The messages between the server and the process that reads a file of habitat trees.
import type { HabitatImportFault, HabitatImportValues, HabitatLayer } from '#contract/habitat-file.ts'
import type { VermessungFormat } from '#contract/vermessung-import.ts'
import type { FarAway, Whereabouts } from '#domain/far-away.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'

export interface FileJob {
  readonly datei: string
  readonly name: string
  readonly wo?: Whereabouts | null
  /** null: only report what the file contains. */
  readonly werte: HabitatImportValues | null
}
export interface ReadRow {
  readonly nr: number
  /** A capture as the database accepts it, without `kennung` if the file has none. */
  readonly capture: Readonly<Record<string, unknown>>
}
export type FileMessage =
  | { readonly art: 'lage'; readonly format: VermessungFormat; readonly schichten: HabitatLayer[] }
  /** The next packet follows after an answer. */
  | { readonly art: 'zeilen'; readonly zeilen: readonly ReadRow[] }
  | {
      readonly art: 'fertig'
      readonly anzahl: number
      readonly fehlerzahl: number
      readonly fehler: readonly HabitatImportFault[]
      readonly hinweise: readonly ImportLoss[]
      readonly fern: FarAway | null
    }
