// Writes the table of a shapefile (dBASE III): names of ten letters, texts of 254 bytes in UTF-8, numbers as
// text, days, yes and no.
import type { Column } from './columns.ts'

export interface MadeTable {
  readonly dbf: NonSharedBuffer
  /** What did not fit, in German. */
  readonly hints: readonly string[]
}
type Row = Readonly<Record<string, unknown>>

const LONGEST_NAME = 10
const LONGEST_TEXT = 254
const LONGEST_NUMBER = 19
const MOST_DECIMALS = 8

interface Field {
  readonly name: string
  readonly type: 'C' | 'N' | 'L' | 'D'
  readonly width: number
  readonly decimals: number
  readonly cells: readonly Buffer[]
}

export function tableBytes(columns: readonly Column[], rows: readonly Row[]): MadeTable {
  const hints: string[] = []
  const names = shortNames(columns)
  const fields = columns.map((column, at) => {
    if (names[at] !== column.name) hints.push(`Die Spalte ${column.name} heißt hier ${names[at]}.`)
    return fieldOf(column, names[at]!, rows, hints)
  })
  return { dbf: fileOf(fields, rows.length), hints }
}

/** Cut, and counted where two would be the same. */
function shortNames(columns: readonly Column[]): string[] {
  const taken = new Set<string>()
  return columns.map(({ name }) => {
    let short = name.slice(0, LONGEST_NAME)
    for (let nr = 1; taken.has(short.toLowerCase()); nr++)
      short = `${name.slice(0, LONGEST_NAME - String(nr).length - 1)}_${nr}`
    taken.add(short.toLowerCase())
    return short
  })
}

function fieldOf({ name, typ }: Column, short: string, rows: readonly Row[], hints: string[]): Field {
  const values = rows.map((row) => row[name] ?? null)
  switch (typ) {
    case 'ja_nein': {
      const cells = values.map((value) => Buffer.from(value === null ? '?' : value === true ? 'T' : 'F'))
      return { name: short, type: 'L', width: 1, decimals: 0, cells }
    }
    case 'tag': {
      const cells = values.map((value) =>
        Buffer.from(
          value === null
            ? ''
            : String(value as string)
                .slice(0, 10)
                .replaceAll('-', ''),
        ),
      )
      return { name: short, type: 'D', width: 8, decimals: 0, cells }
    }
    case 'text': {
      const texts = values.map((value) => Buffer.from(value === null ? '' : String(value as string)))
      const cut = texts.filter((text) => text.length > LONGEST_TEXT).length
      if (cut > 0)
        hints.push(
          `${cut} Texte der Spalte ${name} sind auf ${LONGEST_TEXT} Bytes gekürzt; ein GeoPackage hat sie ganz.`,
        )
      const cells = texts.map(fitting)
      return { name: short, type: 'C', width: widthOf(cells), decimals: 0, cells }
    }
    case 'ganz':
    case 'zahl':
      return numberField(
        short,
        values.map((value) => (value === null ? null : Number(value))),
        typ === 'zahl',
      )
  }
}

/** As many whole characters as there is room for. */
function fitting(text: Buffer): Buffer {
  if (text.length <= LONGEST_TEXT) return text
  let end = LONGEST_TEXT
  // Bytes within a character begin with the bits 10.
  while ((text[end]! & 0xc0) === 0x80) end -= 1
  return text.subarray(0, end)
}

function numberField(name: string, values: readonly (number | null)[], hasDecimals: boolean): Field {
  const decimals = hasDecimals
    ? values.reduce<number>((most, value) => Math.max(most, value === null ? 0 : decimalsOf(value)), 1)
    : 0
  const cells = values.map((value) => Buffer.from(value === null ? '' : value.toFixed(decimals)))
  const width = Math.max(widthOf(cells), decimals + 2, 4)
  if (width > LONGEST_NUMBER) throw new RangeError(`a number of ${width} digits`)
  return { name, type: 'N', width, decimals, cells }
}

function decimalsOf(value: number): number {
  for (let places = 0; places < MOST_DECIMALS; places++)
    if (Number(value.toFixed(places)) === value) return places
  return MOST_DECIMALS
}

const widthOf = (cells: readonly Buffer[]): number =>
  cells.reduce((most, cell) => Math.max(most, cell.length), 1)

const HEAD = 32
const DESCRIPTOR = 32
const BLANK = 0x20

function fileOf(fields: readonly Field[], rows: number): NonSharedBuffer {
  const head = HEAD + DESCRIPTOR * fields.length + 1
  const length = 1 + fields.reduce((sum, { width }) => sum + width, 0)
  const file = Buffer.alloc(head + rows * length + 1, BLANK)
  file.fill(0, 0, head)
  // dBASE III without memo; the day of the last change is of no use to anybody.
  file.set([0x03, 95, 7, 26], 0)
  file.writeUInt32LE(rows, 4)
  file.writeUInt16LE(head, 8)
  file.writeUInt16LE(length, 10)
  fields.forEach(({ name, type, width, decimals }, nr) => {
    const at = HEAD + DESCRIPTOR * nr
    file.write(name, at, LONGEST_NAME, 'latin1')
    file.write(type, at + 11, 'latin1')
    file.set([width, decimals], at + 16)
  })
  file[head - 1] = 0x0d
  let begin = 1
  for (const { type, width, cells } of fields) {
    cells.forEach((cell, row) => {
      const at = head + row * length + begin
      // Numbers stand to the right.
      cell.copy(file, type === 'N' ? at + width - cell.length : at)
    })
    begin += width
  }
  file[file.length - 1] = 0x1a
  return file
}
