// Attributes of a shapefile (dBASE), read row by row from the bytes; rows are not kept.
import { FileFault, MOST_COLUMNS } from './source.ts'

export interface Dbf {
  readonly columns: readonly string[]
  /** Empty after the last row. */
  row(at: number): Record<string, unknown>
}

type Decode = (bytes: Uint8Array) => string
interface Field {
  readonly name: string
  readonly start: number
  readonly end: number
  read(text: string): unknown
}

const [HEAD_BYTES, FIELD_BYTES, END_OF_FIELDS, END_OF_ROWS] = [32, 32, 0x0d, 0x1a]

const numberOf = (text: string): number | null => {
  const trimmed = text.trim()
  return trimmed === '' || Number.isNaN(Number(trimmed)) ? null : Number(trimmed)
}
const textOf = (text: string): string | null => text.trim() || null
const dayOf = (text: string): Date =>
  new Date(Number(text.slice(0, 4)), Number(text.slice(4, 6)) - 1, Number(text.slice(6, 8)))
const flagOf = (text: string): boolean | null =>
  /^[nf]$/i.test(text) ? false : /^[yt]$/i.test(text) ? true : null

const TYPES: Readonly<Record<string, (text: string) => unknown>> = {
  B: numberOf,
  C: textOf,
  D: dayOf,
  F: numberOf,
  L: flagOf,
  M: numberOf,
  N: numberOf,
}

/** @param records number of shapes in the file beside it @throws FileFault */
export function openDbf(bytes: Buffer, encoding: string, records: number): Dbf {
  if (bytes.length < HEAD_BYTES + 1) throw new FileFault('datei_kaputt')
  const [rows, head, length] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)]
  if (
    head <= HEAD_BYTES ||
    length < 1 ||
    head > bytes.length ||
    head + rows * length > bytes.length + length ||
    rows < records
  )
    throw new FileFault('datei_kaputt')
  if ((head - HEAD_BYTES - 1) / FIELD_BYTES > MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
  const decoder = new TextDecoder(encoding)
  const decode: Decode = (part) => decoder.decode(part)
  const fields = fieldsOf(bytes.subarray(HEAD_BYTES, head), decode)
  const end = endOf(bytes, { head, length, records })
  return {
    columns: [...new Set(fields.map(({ name }) => name))],
    row(at) {
      if (at >= end) return {}
      const row = bytes.subarray(head + at * length, head + (at + 1) * length)
      return Object.fromEntries(
        fields.map(({ name, start, end: stop, read }) => [name, read(decode(row.subarray(start, stop)))]),
      )
    },
  }
}

function fieldsOf(bytes: Buffer, decode: Decode): Field[] {
  const fields: Field[] = []
  // The first byte of a row says whether it is deleted.
  let start = 1
  for (let at = 0; bytes[at] !== END_OF_FIELDS; at += FIELD_BYTES) {
    if (at + FIELD_BYTES > bytes.length) throw new FileFault('datei_kaputt')
    const read = TYPES[String.fromCharCode(bytes[at + 11]!)]
    if (read === undefined) throw new FileFault('datei_kaputt')
    const name = bytes.subarray(at, at + 11)
    const nameEnd = name.indexOf(0)
    const end = start + bytes[at + 16]!
    fields.push({ name: decode(nameEnd < 0 ? name : name.subarray(0, nameEnd)), start, end, read })
    start = end
  }
  return fields
}

/** The number of rows before the end mark. */
function endOf(
  bytes: Buffer,
  { head, length, records }: { readonly head: number; readonly length: number; readonly records: number },
): number {
  for (let at = 0; at < records; at++) {
    const from = head + at * length
    if (from >= bytes.length || bytes[from] === END_OF_ROWS) return at
  }
  return records
}
