// What a room of the server orders from the typesetter beyond the documents of the bookkeeping, and how it gets it: put together in start.ts.

export interface TypesetPicture {
  /** As the data name it: /foto/1.jpg */
  readonly filePath: string
  readonly bytes: Uint8Array
}
export interface TypesetJob {
  /** A template of server/documents/template. */
  readonly template: 'report'
  /** Day of the file's own data, YYYY-MM-DD. */
  readonly tag: string
  /** Texts, already freed of what no font draws (domain/typeset-text.ts); never markup. */
  readonly daten: object
  readonly bilder: readonly TypesetPicture[]
}

/** PDF/A-3a. @throws Refusal fit for the caller; the reason is in the log */
export type Typeset = (jobSpec: TypesetJob) => Promise<Uint8Array>
