// The messages between the server and the process that reads a file.
import type { DateiSchicht, ImportWerte, VermessungFormat, Vorschau } from '#contract/vermessung-import.ts'
import type { Tabelle } from '#domain/vermessung/felder.ts'
import type { Fehler } from '#domain/vermessung/pruefen.ts'

export interface Auftrag {
  readonly datei: string
  readonly name: string
  /** The zone of the customer's survey. */
  readonly zone: 25832 | 25833
  /** null: only say what the file holds. */
  readonly werte: ImportWerte | null
  /** Hand over the objects; otherwise only check them. */
  readonly lesen: boolean
}

export type Nachricht =
  | { readonly art: 'lage'; readonly format: VermessungFormat; readonly schichten: DateiSchicht[] }
  | { readonly art: 'vorschau'; readonly vorschau: Vorschau }
  /** `json` is what rechte.vermessung_zeilen takes; the next one comes after an answer. */
  | { readonly art: 'zeilen'; readonly tabelle: Tabelle; readonly json: string; readonly gelesen: number; readonly gesamt: number }
  | { readonly art: 'fertig'; readonly fehlerzahl: number; readonly fehler: readonly Fehler[] }
