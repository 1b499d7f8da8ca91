// The messages between the server and the process that reads a file.
import type { FileLayer, ImportValues, VermessungFormat, Preview } from '#contract/vermessung-import.ts'
import type { FarAway, Whereabouts } from '#domain/far-away.ts'
import type { Table } from '#domain/vermessung/fields.ts'
import type { Fault } from '#domain/vermessung/check.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'

export interface JobSpec {
  readonly datei: string
  readonly name: string
  /** The UTM zone of the customer's survey. */
  readonly zone: 25832 | 25833
  readonly wo?: Whereabouts | null
  /** null: only report what the file contains. */
  readonly werte: ImportValues | null
  /** Hand over all objects; otherwise those with a key, and a preview. */
  readonly readOut: boolean
}

/** What the file says; the database knows the rest. */
export type FilePreview = Omit<Preview, 'verschoben'>

export type Message =
  | { readonly art: 'lage'; readonly format: VermessungFormat; readonly schichten: FileLayer[] }
  | { readonly art: 'vorschau'; readonly vorschau: FilePreview }
  /**
   * `json` is what maps.store_vermessung_rows takes; the next packet follows after an answer. For a preview only
   * objects with a key.
   */
  | {
      readonly art: 'zeilen'
      readonly tabelle: Table
      readonly json: string
      readonly gelesen: number
      readonly total: number
    }
  | {
      readonly art: 'fertig'
      readonly fehlerzahl: number
      readonly fehler: readonly Fault[]
      readonly fern: FarAway | null
      readonly hinweise: readonly ImportLoss[]
    }
