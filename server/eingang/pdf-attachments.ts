// Finds the files attached to a PDF, without its table of offsets: every object of the file is looked at, in the
// order of the file, so that a later revision wins and a damaged table does no harm. Nothing of a page is drawn
// and nothing is run.
import { inflateSync } from 'node:zlib'
import {
  isTable,
  isRef,
  type PdfTable,
  PdfScanner,
  PdfSyntaxError,
  pdfText,
  type PdfValue,
} from './pdf-values.ts'

export interface PdfAttachment {
  readonly name: string
  readonly bytes: Buffer
}
export interface PdfContent {
  readonly attachments: readonly PdfAttachment[]
  /** Behind a password: its streams cannot be read. */
  readonly isEncrypted: boolean
  /** It has scripts, or starts programs. */
  readonly isActive: boolean
  /** Attachments that could not be unpacked, by name. */
  readonly broken: readonly string[]
}

interface PdfObject {
  readonly value: PdfValue
  /** Bytes of its stream, still packed. */
  readonly stream: Buffer | null
}

const MOST_OBJECTS = 200_000
/** Of a stream unpacked, and of all packed objects together. */
const MOST_BYTES = 24 * 2 ** 20
const MOST_PACKED = 64 * 2 ** 20
const HEAD = /(?:^|[\0\t\n\f\r >])(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj(?![A-Za-z])/g

const numberIn = (table: PdfTable, key: string): number | null => {
  const value = table.get(key)
  return typeof value === 'number' ? value : null
}

/** The bytes behind the word "stream", which ends at `at`. */
function streamAt(file: Buffer, text: string, at: number, table: PdfTable): Buffer | null {
  const start = text[at] === '\r' ? (text[at + 1] === '\n' ? at + 2 : at + 1) : at + 1
  const length = numberIn(table, 'Length')
  if (length !== null && /^\s*endstream/.test(text.slice(start + length, start + length + 30)))
    return file.subarray(start, start + length)
  const end = text.indexOf('endstream', start)
  if (end === -1) return null
  return file.subarray(start, text[end - 1] === '\n' ? (text[end - 2] === '\r' ? end - 2 : end - 1) : end)
}

function unpacked({ value, stream }: PdfObject): Buffer | null {
  if (stream === null || !isTable(value)) return null
  const filter = value.get('Filter') ?? value.get('F')
  const filters = Array.isArray(filter) ? (filter as PdfValue[]) : filter === undefined ? [] : [filter]
  if (filters.length === 0) return stream.length > MOST_BYTES ? null : stream
  if (filters.length > 1 || (filters[0] !== '/FlateDecode' && filters[0] !== '/Fl')) return null
  try {
    return inflateSync(stream, { maxOutputLength: MOST_BYTES })
  } catch {
    return null
  }
}

function readObjects(file: Buffer, text: string): { objects: Map<number, PdfObject>; trailers: PdfTable[] } {
  const objects = new Map<number, PdfObject>()
  const trailers: PdfTable[] = []
  let packed = 0
  const head = new RegExp(HEAD)
  for (let found = head.exec(text); found !== null; found = head.exec(text)) {
    if (objects.size > MOST_OBJECTS) throw new PdfSyntaxError('too many objects')
    const scanner = new PdfScanner(text, found.index + found[0].length)
    let value: PdfValue
    try {
      value = scanner.value()
    } catch (error) {
      if (error instanceof PdfSyntaxError) continue
      throw error
    }
    const isStream = isTable(value) && scanner.takes('stream')
    const stream = isStream && isTable(value) ? streamAt(file, text, scanner.at, value) : null
    const object = { value, stream }
    objects.set(Number(found[1]), object)
    head.lastIndex = Math.max(scanner.at + (stream?.length ?? 0), head.lastIndex)
    if (!isTable(value)) continue
    if (value.get('Type') === '/XRef') trailers.push(value)
    if (value.get('Type') !== '/ObjStm') continue
    const inner = unpacked(object)
    packed += inner?.length ?? 0
    if (packed > MOST_PACKED) throw new PdfSyntaxError('too large')
    if (inner !== null) for (const [id, one] of packedObjects(inner, value)) objects.set(id, one)
  }
  for (let at = text.indexOf('trailer'); at !== -1; at = text.indexOf('trailer', at + 7)) {
    try {
      const value = new PdfScanner(text, at + 7).value()
      if (isTable(value)) trailers.push(value)
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error
    }
  }
  return { objects, trailers }
}

/** Objects packed into a stream (7.5.7): pairs of number and offset, then the values. */
function packedObjects(inner: Buffer, table: PdfTable): [number, PdfObject][] {
  const text = inner.toString('latin1')
  const [first, count] = [numberIn(table, 'First') ?? 0, numberIn(table, 'N') ?? 0]
  const pairs = text.slice(0, first).trim().split(/\s+/).map(Number)
  const found: [number, PdfObject][] = []
  for (let index = 0; index < Math.min(count, pairs.length / 2, MOST_OBJECTS); index += 1)
    try {
      const value = new PdfScanner(text, first + pairs[2 * index + 1]!).value()
      found.push([pairs[2 * index]!, { value, stream: null }])
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error
    }
  return found
}

/** Every dictionary of a value, the outer ones first. */
function* tablesOf(value: PdfValue): Generator<PdfTable> {
  if (isTable(value)) {
    yield value
    for (const inner of value.values()) yield* tablesOf(inner)
  } else if (Array.isArray(value)) for (const inner of value as PdfValue[]) yield* tablesOf(inner)
}

const isActiveTable = (table: PdfTable): boolean =>
  table.has('JS') || ['/JavaScript', '/Launch'].includes(table.get('S') as string)

/** Never throws for what is in a file: what cannot be read is not there. */
export function readPdf(file: Buffer): PdfContent {
  const nothing = { attachments: [], isEncrypted: false, isActive: false, broken: [] }
  try {
    const { objects, trailers } = readObjects(file, file.toString('latin1'))
    const isEncrypted = trailers.some((table) => table.has('Encrypt'))
    const attachments: PdfAttachment[] = []
    const broken: string[] = []
    const taken = new Set<number>()
    let isActive = false
    for (const { value } of objects.values())
      for (const table of tablesOf(value)) {
        isActive ||= isActiveTable(table)
        const resolved = table.get('EF')
        const files = isRef(resolved) ? objects.get(resolved.ref)?.value : resolved
        if (!isTable(files) || isEncrypted) continue
        const pointer = files.get('UF') ?? files.get('F')
        if (!isRef(pointer) || taken.has(pointer.ref)) continue
        taken.add(pointer.ref)
        const named = table.get('UF') ?? table.get('F')
        const name = typeof named === 'string' ? pdfText(named) : ''
        const object = objects.get(pointer.ref)
        const bytes = object === undefined ? null : unpacked(object)
        if (bytes === null) broken.push(name)
        else attachments.push({ name, bytes })
      }
    return { attachments, isEncrypted, isActive, broken }
  } catch (error) {
    if (error instanceof PdfSyntaxError) return nothing
    throw error
  }
}
