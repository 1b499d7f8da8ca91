// What a room of the server orders from the typesetter beyond the documents of the bookkeeping, and how it gets it: put together in start.ts.

export interface Satzbild {
  /** As the data name it: /foto/1.jpg */
  readonly pfad: string
  readonly bytes: Uint8Array
}
export interface Satzauftrag {
  /** A template of server/documents/vorlage. */
  readonly vorlage: 'bericht'
  /** Day of the file's own data, YYYY-MM-DD. */
  readonly tag: string
  /** Texts, already freed of what no font draws (domain/satztext.ts); never markup. */
  readonly daten: object
  readonly bilder: readonly Satzbild[]
}

/** PDF/A-3a. @throws Refusal fit for the caller; the reason is in the log */
export type Satz = (auftrag: Satzauftrag) => Promise<Uint8Array>
