// Files that go with an invoice (BG-24 of EN 16931): rows, procedures, addresses.
import type { NoteKind } from './note.ts'

type Id = number | string

/** What EN 16931 allows, with the endings that a file has. The same list as in app.anlage; a test compares them. */
export const ANLAGE_TYPES = {
  'application/pdf': ['pdf'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'text/csv': ['csv'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
} as const satisfies Readonly<Record<string, readonly string[]>>
export type AnlageType = keyof typeof ANLAGE_TYPES
/** Of one file. */
export const ANLAGE_BYTES = 15_000_000
/** In characters. */
export const ANLAGE_FILE_NAME = 150

export interface Anlage {
  id: number
  /** BT-122 and BT-123. */
  name: string
  beschreibung: string
  dateiname: string
  mime: AnlageType
  groesse: number
  sha256: string
}
/** A file at a record of the invoice's customer that can be attached. */
export interface AnlageSource {
  id: number
  name: string
  groesse: number
  art: NoteKind
  datensatz: number
  angelegt_am: string
  /** A copy of it goes with the invoice already. */
  angehaengt: boolean
}
export interface AnlageSources {
  /** How many files an invoice may have, and how many bytes in all. */
  anzahl: number
  bytes: number
  /** Newest first, at most 500. */
  dateien: AnlageSource[]
}

export interface AnlageRpc {
  a_get_anlagen: { takes: { invoice_id: Id }; answers: Anlage[] }
  a_get_anlage_quellen: { takes: { invoice_id: Id }; answers: AnlageSources }
  a_update_anlage: { takes: { id: Id; name: string; beschreibung: string }; answers: null }
  a_delete_anlage: { takes: { id: Id }; answers: null }
}

/** Below the base path of the general API. */
export const anlagePaths = {
  /** POST { datei }: the number of a file at a record; answers AnlageAdded. */
  add: (invoice: Id): string => `beleg/rechnung/${invoice}/anlagen`,
  file: (invoice: Id, id: Id): string => `beleg/rechnung/${invoice}/anlagen/${id}`,
}
export interface AnlageAdded {
  id: number
}
