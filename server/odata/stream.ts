// A whole table page by page, so that its size costs no memory and no long transaction. Pages follow each other by
// key: what others write meanwhile leaves no gap.
import { Readable } from 'node:stream'
import { Refusal } from '#server/errors.ts'

export type Row = Readonly<Record<string, unknown>>

/** Rows of a spreadsheet, without its head. */
export const MOST_ROWS = 1_048_575
const STRETCH = 2_000
/** A reader who takes longer is cut off. */
const LONGEST_MS = 10 * 60_000

export interface Writer {
  readonly head: string
  readonly line: (row: Row, nr: number) => string
  readonly foot: string
}

export interface Stretch {
  readonly rows: readonly Row[]
  /** Rows of all pages; null if they were not counted. */
  readonly total: number | null
}

export interface Streamed {
  /** Reads the rows after `last`; those of the beginning are counted. */
  readonly read: (last: Row | null, limit: number) => Promise<Stretch>
  /** Rows that are wanted; null: all. */
  readonly top: number | null
  /** Rows of an answer of the data API. */
  readonly maxRows: number
  /** Rows of a file at most; unset: as many as a spreadsheet has. */
  readonly mostRows?: number | undefined
}

/** The first page is read before anything is sent, so that refusals come as such. */
export async function streamRows(streamed: Streamed, writer: Writer): Promise<Readable> {
  const { top, maxRows, mostRows = MOST_ROWS, read } = streamed
  const most = Math.min(top ?? mostRows, mostRows)
  const stretch = Math.min(STRETCH, maxRows)
  const { rows, total } = await read(null, Math.min(stretch, most))
  if (top === null && total !== null && total > mostRows)
    throw new Refusal(
      'too_large',
      'Das sind mehr Zeilen, als eine Datei fasst (1.048.575). Bitte grenzen Sie sie ein.',
    )
  return Readable.from(written(read, rows, writer, { most, stretch }), { objectMode: false })
}

async function* written(
  read: Streamed['read'],
  first: readonly Row[],
  writer: Writer,
  { most, stretch }: { readonly most: number; readonly stretch: number },
): AsyncGenerator<Buffer> {
  const ends = performance.now() + LONGEST_MS
  let rows = first
  let done = 0
  yield Buffer.from(writer.head)
  while (rows.length > 0) {
    let text = ''
    for (const row of rows) text += writer.line(row, done++)
    yield Buffer.from(text)
    if (done >= most) break
    // Ends the connection before the end of the answer: what has arrived is not the whole.
    if (performance.now() > ends)
      throw new Refusal('timeout')
      // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before has ended
    ;({ rows } = await read(rows.at(-1)!, Math.min(stretch, most - done)))
  }
  yield Buffer.from(writer.foot)
}
