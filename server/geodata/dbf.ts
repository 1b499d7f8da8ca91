// Attributes of a shapefile (dBASE), read row by row from the bytes; rows are not kept.
import { encodingOfCpg, encodingOfDriver, type TextEncoding } from '#domain/text-encoding.ts'
import { decodeText, guessEncoding, inEachEncoding, isBeyondAscii } from './decode-text.ts'
import { FileFault, MOST_COLUMNS, type TextChoice } from './source.ts'

export interface Dbf {
  readonly columns: readonly string[]
  /** How the texts seem to be written; null if all of them are ASCII. */
  readonly texts: TextChoice | null
  /** Rows that were deleted stay in the file until it is packed. */
  isDeleted(at: number): boolean
  /** Empty after the last row. @param encoding default: what the file seems to have */
  row(at: number, encoding?: TextEncoding): Record<string, unknown>
}

interface Field {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly isText: boolean
  read(bytes: Buffer, encoding: TextEncoding): unknown
}

const [HEAD_BYTES, FIELD_BYTES, END_OF_FIELDS, END_OF_ROWS, DELETED] = [32, 32, 0x0d, 0x1a, 0x2a]
const DRIVER_AT = 29
/** Texts beyond ASCII that are looked at for guessing the encoding; all rows are searched for them. */
const LOOKED_AT = 5_000

const plainOf = (bytes: Buffer): string => bytes.toString('latin1').replaceAll('\0', ' ').trim()
/** Some programs write a decimal comma; stars stand for a number that did not fit. */
function numberOf(bytes: Buffer): number | string | null {
  const text = plainOf(bytes).replace(',', '.')
  if (text === '' || Number.isNaN(Number(text))) return null
  // A long number, perhaps a key, keeps its digits.
  return /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text)) ? text : Number(text)
}
function textOf(bytes: Buffer, encoding: TextEncoding): string | null {
  const end = bytes.indexOf(0)
  return decodeText(end < 0 ? bytes : bytes.subarray(0, end), encoding).trim() || null
}
/** As in UTC, like the days of all other formats, so that it is the same day wherever the server stands. */
function dayOf(bytes: Buffer): Date | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(plainOf(bytes)) ?? []
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date : null
}
const flagOf = (bytes: Buffer): boolean | null => {
  const text = plainOf(bytes)
  return /^[nf]$/i.test(text) ? false : /^[yt]$/i.test(text) ? true : null
}
const integerOf = (bytes: Buffer): number | null => (bytes.length === 4 ? bytes.readInt32LE(0) : null)
const doubleOf = (bytes: Buffer): number | null => (bytes.length === 8 ? bytes.readDoubleLE(0) : null)

/** Kinds of fields by their letter; all others are read as text. */
const TYPES: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  B: (bytes) => numberOf(bytes) ?? doubleOf(bytes),
  D: dayOf,
  F: numberOf,
  I: integerOf,
  '+': integerOf,
  L: flagOf,
  M: numberOf,
  N: numberOf,
  O: doubleOf,
}

/** @param records number of shapes in the file beside it @throws FileFault */
export function openDbf(bytes: Buffer, cpg: string | null, records: number): Dbf {
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
  const fields = fieldsOf(bytes.subarray(HEAD_BYTES, head), length)
  const end = endOf(bytes, { head, length, records })
  const rowBytes = (at: number): Buffer => bytes.subarray(head + at * length, head + (at + 1) * length)
  const named = (encoding: TextEncoding): Field[] =>
    fields.map((field) => ({ ...field, name: decodeText(field.rawName, encoding) }))
  const foreign = foreignTexts(fields, rowBytes, end)
  const known =
    (cpg === null ? null : encodingOfCpg(cpg)) ??
    (guessEncoding(foreign) === 'utf-8' ? null : encodingOfDriver(bytes[DRIVER_AT]!))
  const encoding = known ?? guessEncoding(foreign)
  // Named once: a choice of another encoding changes the texts, not the columns they were mapped by.
  const columns = withOwnNames(named(encoding))
  return {
    columns: columns.map(({ name }) => name),
    texts:
      foreign.length === 0
        ? null
        : { erkannt: encoding, sicher: known !== null, beispiele: inEachEncoding(foreign) },
    isDeleted: (at) => at < end && bytes[head + at * length] === DELETED,
    row(at, chosen = encoding) {
      if (at >= end) return {}
      const row = rowBytes(at)
      return Object.fromEntries(
        columns.map(({ name, start, end: stop, read }) => [name, read(row.subarray(start, stop), chosen)]),
      )
    },
  }
}

/** Other programs cut names to ten letters: of two that are alike the second is numbered, and neither is lost. */
function withOwnNames(fields: readonly Field[]): Field[] {
  const taken = new Set<string>()
  return fields.map((field) => {
    let name = field.name
    for (let nr = 2; taken.has(name); nr++) name = `${field.name} ${nr}`
    taken.add(name)
    return { ...field, name }
  })
}

type RawField = Omit<Field, 'name'> & { readonly rawName: Buffer }

function fieldsOf(bytes: Buffer, length: number): RawField[] {
  const fields: RawField[] = []
  // The first byte of a row says whether it is deleted.
  let start = 1
  for (let at = 0; bytes[at] !== END_OF_FIELDS; at += FIELD_BYTES) {
    if (at + FIELD_BYTES > bytes.length) throw new FileFault('datei_kaputt')
    const type = TYPES[String.fromCharCode(bytes[at + 11]!)]
    const name = bytes.subarray(at, at + 11)
    const nameEnd = name.indexOf(0)
    const end = start + bytes[at + 16]!
    if (end > length) throw new FileFault('datei_kaputt')
    fields.push({
      rawName: nameEnd < 0 ? name : name.subarray(0, nameEnd),
      start,
      end,
      isText: type === undefined,
      read: type ?? textOf,
    })
    start = end
  }
  return fields
}

/** The first texts beyond ASCII, names of columns included, without their padding. */
function foreignTexts(
  fields: readonly RawField[],
  rowBytes: (at: number) => Buffer,
  count: number,
): readonly Buffer[] {
  const found = fields.map(({ rawName }) => rawName).filter(isBeyondAscii)
  for (let at = 0; at < count && found.length < LOOKED_AT; at++) {
    const row = rowBytes(at)
    if (row[0] === DELETED || !isBeyondAscii(row)) continue
    for (const { start, end, isText } of fields) {
      const text = row.subarray(start, end)
      const stop = text.indexOf(0)
      const content = stop < 0 ? text : text.subarray(0, stop)
      if (isText && isBeyondAscii(content)) found.push(content)
    }
  }
  return found
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
