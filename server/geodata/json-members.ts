// Finds the members of a large JSON object without parsing it as a whole, which takes a gigabyte for a file
// of 100 MB. Their content is checked when they are parsed, one by one.
import { FileFault } from './source.ts'

export interface Slice {
  readonly from: number
  readonly to: number
}

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d,
]
/** A geometry has four levels; survey data have no properties nested more deeply than this. */
const DEEPEST = 64
/** For one object, or a member other than the list. */
const MOST_BYTES = 16 * 2 ** 20

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const broken = (): never => {
  throw new FileFault('datei_kaputt')
}

/** Position after the spaces that begin there. */
function skip(bytes: Buffer, at: number): number {
  let next = at
  while (isSpace(bytes[next])) next++
  return next
}

/** Position after the string that begins there. */
function endOfText(bytes: Buffer, at: number): number {
  for (let next = bytes.indexOf(QUOTE, at + 1); next >= 0; next = bytes.indexOf(QUOTE, next + 1)) {
    let slashes = 0
    while (bytes[next - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return next + 1
  }
  return broken()
}

/** Position after the value that begins there. */
function endOfValue(bytes: Buffer, at: number): number {
  let depth = 0
  for (let next = at; next < bytes.length; ) {
    const byte = bytes[next]!
    if (byte === QUOTE) {
      next = endOfText(bytes, next)
      if (depth === 0) return next
      continue
    }
    if (byte === OPEN || byte === OPEN_LIST) {
      if (++depth > DEEPEST) return broken()
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (depth === 0) return next
      if (--depth === 0) return next + 1
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return next
    next++
  }
  return broken()
}

/** Parses a slice with JSON.parse. @throws FileFault */
export function parsed(bytes: Buffer, { from, to }: Slice): unknown {
  if (to - from > MOST_BYTES) throw new FileFault('datei_aufwand')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(from, to)))
  } catch {
    return broken()
  }
}

/** Members of the file's top-level object. @throws FileFault */
export function* membersOf(bytes: Buffer): Iterable<readonly [name: string, value: Slice]> {
  let at = skip(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)
  if (bytes[at] !== OPEN) return broken()
  at = skip(bytes, at + 1)
  for (let first = true; bytes[at] !== CLOSE; first = false) {
    if (!first) at = bytes[at] === COMMA ? skip(bytes, at + 1) : broken()
    if (bytes[at] !== QUOTE) return broken()
    const nameEnd = endOfText(bytes, at)
    const name = parsed(bytes, { from: at, to: nameEnd }) as string
    at = skip(bytes, nameEnd)
    if (bytes[at] !== COLON) return broken()
    const from = skip(bytes, at + 1)
    const to = endOfValue(bytes, from)
    yield [name, { from, to }]
    at = skip(bytes, to)
  }
  if (skip(bytes, at + 1) !== bytes.length) broken()
}

/** Elements of a list. @throws FileFault */
export function* elementsOf(bytes: Buffer, { from, to }: Slice): Iterable<Slice> {
  let at = skip(bytes, from + 1)
  for (let first = true; bytes[at] !== CLOSE_LIST; first = false) {
    if (!first) at = bytes[at] === COMMA ? skip(bytes, at + 1) : broken()
    const end = endOfValue(bytes, at)
    if (end === at || end >= to) return broken()
    yield { from: at, to: end }
    at = skip(bytes, end)
  }
}

export const isList = (bytes: Buffer, { from }: Slice): boolean => bytes[from] === OPEN_LIST
