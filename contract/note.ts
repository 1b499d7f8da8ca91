// Notes and files at a record: procedures, limits and addresses of the files.

export const NOTE_KINDS = ['kunde', 'hq', 'angebot', 'rechnung', 'karte'] as const
/** The kind of record a note is at. */
export type NoteKind = (typeof NOTE_KINDS)[number]
export const isNoteKind = (value: string): value is NoteKind => NOTE_KINDS.some((kind) => kind === value)

/** The same as notes.limits() in the database; a test compares them. */
export const NOTE_LIMITS = {
  /** At one record within 24 hours. */
  notesADay: 200,
  /** At one record. */
  files: 200,
  /** Of all files at one record. */
  bytes: 500_000_000,
  /** People named in one note. */
  mentions: 20,
} as const
export const NOTE_TEXT_LENGTH = 4000
/** Of one file. */
export const NOTE_FILE_BYTES = 50_000_000
/** In characters. */
export const NOTE_FILE_NAME = 200

/** What can be attached: endings by what the bytes must be. */
export const NOTE_FILE_TYPES = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/tiff': ['tif', 'tiff'],
  'image/webp': ['webp'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'text/plain': ['txt', 'csv'],
} as const satisfies Readonly<Record<string, readonly string[]>>
export type NoteFileType = keyof typeof NOTE_FILE_TYPES
export const NOTE_FILE_ENDINGS: readonly string[] = Object.values(NOTE_FILE_TYPES).flat()

export interface NoteFile {
  readonly id: number
  readonly name: string
  readonly mime: string
  readonly groesse: number
}
export interface Note {
  readonly id: number
  /** Empty where files stand alone. */
  readonly text: string
  /** The customer's people read it. */
  readonly fuer_kunde: boolean
  readonly angelegt_am: string
  /** Of the text; null: never. */
  readonly geaendert_am: string | null
  readonly version: number
  readonly wer: string | null
  readonly eigene: boolean
  readonly dateien: readonly NoteFile[]
  /** Stand in the text as @name. */
  readonly erwaehnt: readonly { readonly user_id: number; readonly name: string }[]
}
export interface NotePage {
  /** Of all notes that the caller reads here. */
  readonly anzahl: number
  /** The caller may write here. */
  readonly schreibt: boolean
  readonly dateien: number
  readonly bytes: number
  readonly zeilen: readonly Note[]
}
export interface NotePerson {
  readonly user_id: number
  readonly name: string
  /** One of the provider's people; otherwise one of the customer's. */
  readonly anbieter: boolean
}

export interface NoteRecord {
  art: NoteKind
  datensatz: number
}
export interface NoteRpc {
  a_count_notizen: { takes: NoteRecord; answers: number }
  a_get_notizen: { takes: NoteRecord & { vor?: number }; answers: NotePage }
  a_get_notiz_personen: { takes: NoteRecord & { fuer_kunde: boolean; suche: string }; answers: NotePerson[] }
  a_add_notiz: {
    takes: NoteRecord & { text: string; fuer_kunde: boolean; erwaehnt: readonly number[] }
    answers: number
  }
  a_update_notiz: {
    takes: { id: number; version: number; text: string; fuer_kunde: boolean; erwaehnt: readonly number[] }
    answers: null
  }
  a_delete_notiz: { takes: { id: number }; answers: null }
  a_delete_notiz_datei: { takes: { id: number }; answers: null }
}

/** Below the base path of the general API. */
export const notePaths = {
  upload: (art: NoteKind, record: number | string) => `/notizen/${art}/${record}/upload`,
  file: (file: number | string) => `/notizen/datei/${file}`,
}
