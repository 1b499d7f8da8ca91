// The messages between the server and the process that reads a plan.
import type { FeDateiSchicht, FeVorschau, FeWerte } from '#contract/bestand-import.ts'
import type { VermessungFormat } from '#contract/vermessung-import.ts'
import type { FeFehler, FeTabelle } from '#domain/bestand-import.ts'

export interface Auftrag {
  readonly datei: string
  readonly name: string
  readonly ebenen: readonly string[]
  /** null: only say what the file holds. */
  readonly werte: FeWerte | null
  /** Hand over the rows; otherwise only check them. */
  readonly lesen: boolean
}
export type Nachricht =
  | { readonly art: 'lage'; readonly format: VermessungFormat; readonly schichten: FeDateiSchicht[] }
  | { readonly art: 'vorschau'; readonly vorschau: FeVorschau }
  /** `json` is what rechte.bestand_zeilen and rechte.baumarten_zeilen take; the next one comes after an answer. */
  | { readonly art: 'zeilen'; readonly schicht: string; readonly tabelle: FeTabelle; readonly json: string; readonly anzahl: number }
  | { readonly art: 'fertig'; readonly fehlerzahl: number; readonly fehler: readonly FeFehler[] }
