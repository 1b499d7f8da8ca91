// Identifies a logo by its content, whatever its name: PNG and JPEG by their headers, SVG as a drawing that
// runs nothing, loads nothing and stays small when drawn. The database checks the same (checks.logo_fault,
// db/nouns/lieferant.sql); both are tested with logo.cases.json.

export type LogoType = 'image/png' | 'image/jpeg' | 'image/svg+xml'
/** masse: too many pixels, or none. svg_schwer: too complex, or parts that repeat each other. */
export type LogoFault = 'leer' | 'gross' | 'art' | 'masse' | 'svg_kaputt' | 'svg_aktiv' | 'svg_schwer'

export const LARGEST_LOGO = 1_048_576
export const LONGEST_EDGE = 6_000
/** A decoded pixel takes four bytes. */
export const MOST_PIXELS = 16_000_000
const MOST_ELEMENTS = 5_000
const DEEPEST = 32

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const startsWith = (bytes: Uint8Array, head: readonly number[]): boolean =>
  head.every((byte, at) => bytes[at] === byte)
const number = (bytes: Uint8Array, from: number, length: number): number => {
  let value = 0
  for (let at = from; at < from + length; at++) value = value * 256 + (bytes[at] ?? 0)
  return value
}

type Size = readonly [width: number, height: number]

/** Size from the first frame; null: none was found. */
function jpegSize(bytes: Uint8Array): Size | null {
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) at += 1
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return [number(bytes, at + 7, 2), number(bytes, at + 5, 2)]
    else at += 2 + Math.max(2, number(bytes, at + 2, 2))
  }
  return null
}

function pictureFault(kind: LogoType, size: Size | null): LogoType | LogoFault {
  if (size === null) return 'art'
  const [width, height] = size
  return width < 1 ||
    height < 1 ||
    width > LONGEST_EDGE ||
    height > LONGEST_EDGE ||
    width * height > MOST_PIXELS
    ? 'masse'
    : kind
}

/** Elements that run, play or load something, or contain something other than a drawing. */
const FORBIDDEN: ReadonlySet<string> = new Set(
  (
    'script foreignobject iframe object embed audio video animate animatemotion animatetransform ' +
    'animatecolor set handler listener image feimage a link'
  ).split(' '),
)
/** Addresses, programs, and ways of hiding either: characters written as numbers or with a backslash. */
const REACHES_OUT = /url\(\s*(?:['"]\s*)?[^#'"\s]|javascript:|@import|&(?!(?:amp|lt|gt|quot|apos);)|\\/i
// Both must match in linear time on any input: no value may contain a bracket, and names have a maximum
// length.
const TAG = /<(\/?)([a-z_][\w:.-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/gi
const ATTRIBUTE = /([\w:.-]{1,100})\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase()

interface Open {
  readonly name: string
  readonly id: string
}

/** Null: a comment is not closed. */
function withoutComments(source: string): string | null {
  const [first = '', ...parts] = source.split('<!--')
  const ends = parts.map((part) => part.indexOf('-->'))
  return ends.includes(-1) ? null : first + parts.map((part, at) => part.slice(ends[at]! + 3)).join('')
}

function svgFault(source: string): LogoType | LogoFault {
  const text = withoutComments(source)?.replace(/^\uFEFF?\s*<\?xml[^<>]*\?>/, '')
  if (text === undefined) return 'svg_kaputt'
  if (!/^\uFEFF?\s*<(?:[a-z_][\w.-]*:)?svg[\s>/]/i.test(text)) return 'art'
  // Document types, entities, raw text, processing instructions.
  if (/<[!?]/.test(text) || REACHES_OUT.test(text)) return 'svg_aktiv'
  const brackets = text.split('<').length - 1
  if (brackets > 2 * MOST_ELEMENTS) return 'svg_schwer'
  const open: Open[] = []
  const targets = new Set<string>()
  const repeaters = new Set<string>()
  let [tags, elements] = [0, 0]
  for (const [, closing, name = '', attributes = ''] of text.matchAll(TAG)) {
    tags += 1
    if (closing === '/') {
      if (open.pop()?.name !== name) return 'svg_kaputt'
      if (open.length === 0 && tags !== brackets) return 'svg_kaputt'
      continue
    }
    elements += 1
    if (elements > MOST_ELEMENTS || open.length >= DEEPEST) return 'svg_schwer'
    if (FORBIDDEN.has(localName(name))) return 'svg_aktiv'
    let id = ''
    for (const [, attribute = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
      const value = double ?? single ?? ''
      const local = localName(attribute)
      if (local.startsWith('on') || local === 'base') return 'svg_aktiv'
      if (local === 'id') id = value
      if (local !== 'href') continue
      if (!value.startsWith('#')) return 'svg_aktiv'
      if (localName(name) === 'use') targets.add(value.slice(1))
    }
    if (localName(name) === 'use')
      for (const { id: holder } of [...open, { name, id }]) if (holder !== '') repeaters.add(holder)
    if (!attributes.endsWith('/')) open.push({ name, id })
    else if (open.length === 0 && tags !== brackets) return 'svg_kaputt'
  }
  if (open.length > 0 || tags !== brackets) return 'svg_kaputt'
  // What is repeated must not itself repeat something: ten times ten times ten would be drawn.
  return [...targets].some((target) => repeaters.has(target)) ? 'svg_schwer' : 'image/svg+xml'
}

/** `text`: the bytes decoded as UTF-8; null if they are not UTF-8. */
export function logoType(bytes: Uint8Array, text: () => string | null): LogoType | LogoFault {
  if (bytes.length === 0) return 'leer'
  if (bytes.length > LARGEST_LOGO) return 'gross'
  if (startsWith(bytes, PNG))
    return pictureFault(
      'image/png',
      number(bytes, 12, 4) === 0x49484452 ? [number(bytes, 16, 4), number(bytes, 20, 4)] : null,
    )
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return pictureFault('image/jpeg', jpegSize(bytes))
  const source = text()
  return source === null || source.includes('\u0000') ? 'art' : svgFault(source)
}
