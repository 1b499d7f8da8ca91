// The messages between the server and the process that reads a plan.
import type { FeFileLayer, FePreview, FeValues } from '#contract/bestand-import.ts'
import type { VermessungFormat } from '#contract/vermessung-import.ts'
import type { FeFault, FeTable } from '#domain/bestand-import.ts'
import type { FarAway, Whereabouts } from '#domain/far-away.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'

export interface JobSpec {
  readonly datei: string
  readonly name: string
  readonly ebenen: readonly string[]
  readonly wo?: Whereabouts | null
  /** null: only report what the file contains. */
  readonly werte: FeValues | null
  /** Also hand over the rows; otherwise only check them. */
  readonly readOut: boolean
}
export type Message =
  | { readonly art: 'lage'; readonly format: VermessungFormat; readonly schichten: FeFileLayer[] }
  | { readonly art: 'vorschau'; readonly vorschau: FePreview }
  /**
   * `json` is what forest.store_bestand_rows and forest.store_baumart_rows take; the next packet
   * follows after an answer.
   */
  | {
      readonly art: 'zeilen'
      readonly schicht: string
      readonly tabelle: FeTable
      readonly json: string
      readonly anzahl: number
    }
  | {
      readonly art: 'fertig'
      readonly fehlerzahl: number
      readonly fehler: readonly FeFault[]
      readonly fern: FarAway | null
      readonly hinweise: readonly ImportLoss[]
    }
