// What a room of the server asks of the typesetter beyond the documents of the
// bookkeeping; wired in start.ts.

export interface TypesetPicture {
  /** As the data refer to it: /foto/1.jpg */
  readonly filePath: string
  readonly bytes: Uint8Array
}
export interface TypesetJob {
  /** A template in server/documents/template. */
  readonly template: 'report'
  /** Date stored in the PDF's metadata, YYYY-MM-DD. */
  readonly tag: string
  /** Texts, already stripped of characters that no font draws (domain/typeset-text.ts); never markup. */
  readonly daten: object
  readonly bilder: readonly TypesetPicture[]
}

/** Returns a PDF/A-3a. @throws Refusal fit for the caller; the reason is in the log */
export type Typeset = (jobSpec: TypesetJob) => Promise<Uint8Array>
