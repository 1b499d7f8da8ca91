// The objects of a GML, one after the other: an element each, with what its collection says about the system. The
// file is parsed in pieces, strictly and without a network: a document type, so every entity, is refused, and what
// the file names elsewhere (schemas, references) is never looked at.
import { closeSync, openSync, readSync } from 'node:fs'
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { XmlFault, type XmlTree, xmlTreeBuilder } from '#domain/xml-tree.ts'
import { isGeometry, isGmlNamespace } from './gml-shape.ts'
import { FileFault } from './source.ts'

/** Of one object: survey data have a few hundred elements, or two for each corner. */
const LIMITS = { depth: 40, elements: 300_000 }
const DEEPEST = 20
const PIECE_BYTES = 256 * 1024

export interface GmlFeature {
  readonly element: XmlTree
  /** Of the collection's envelope. */
  readonly srsName: string | null
}

/** XML in any of its encodings, and no web page. */
export function isXml(head: Buffer): boolean {
  const text = decoded(head, encodingOf(head)).trimStart()
  return /^<[?!\p{L}_]/u.test(text) && !/<html[\s>]|<!doctype\s+html/i.test(text)
}

function decoded(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    // An encoding that nobody knows: what XML begins with is ASCII in most of them.
    return bytes.toString('latin1')
  }
}

function encodingOf(head: Buffer): string {
  const mark = head.toString('hex', 0, 4)
  if (mark.startsWith('fffe') || mark === '3c003f00') return 'utf-16le'
  if (mark.startsWith('feff') || mark === '003c003f') return 'utf-16be'
  const declared = /^(?:\xEF\xBB\xBF)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(
    head.toString('latin1'),
  )
  return declared?.[1] ?? 'utf-8'
}

/** Each piece holds until the next one is read. */
export function* piecesOfFile(file: string): Iterable<Buffer> {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(PIECE_BYTES)
    for (let got = readSync(handle, bytes); got > 0; got = readSync(handle, bytes))
      yield bytes.subarray(0, got)
  } finally {
    closeSync(handle)
  }
}
export function* piecesOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** The file's text in pieces. @throws FileFault if its bytes are not of its encoding */
function* textsOf(pieces: Iterable<Buffer>): Iterable<string> {
  try {
    let decoder: InstanceType<typeof TextDecoder> | null = null
    for (const piece of pieces) {
      decoder ??= new TextDecoder(encodingOf(piece.subarray(0, 512)), { fatal: true })
      yield decoder.decode(piece, { stream: true })
    }
    yield decoder?.decode() ?? ''
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? new FileFault('datei_kaputt') : error
  }
}

const MEMBERS: readonly string[] = ['featureMember', 'featureMembers', 'member']
/** Members that hold their own objects: answers to several queries at once. */
const COLLECTIONS: readonly string[] = ['FeatureCollection', 'SimpleFeatureCollection', 'Tuple']
const XMLNS = 'http://www.w3.org/2000/xmlns/'

const attributesOf = (attributes: Readonly<Record<string, SaxesAttributeNS>>): Record<string, string> =>
  Object.fromEntries(
    Object.values(attributes)
      .filter(({ uri }) => uri !== XMLNS)
      .map(({ local, value }) => [local, value] as const),
  )
const isGmlRoot = ({ local, uri, attributes }: SaxesTagNS): boolean =>
  COLLECTIONS.includes(local) ||
  isGmlNamespace(uri) ||
  Object.values(attributes).some((one) => one.uri === XMLNS && isGmlNamespace(one.value))

const reasonOf = ({ code }: XmlFault): FileFault =>
  new FileFault(code === 'dtd' ? 'gml_doctype' : code === 'tief' ? 'datei_aufwand' : 'datei_kaputt')

/** @throws FileFault */
export function* featuresOf(pieces: Iterable<Buffer>): Iterable<GmlFeature> {
  const parser = new SaxesParser({ xmlns: true, position: false })
  /** Elements outside of objects. */
  const around: string[] = []
  let feature: { readonly tree: ReturnType<typeof xmlTreeBuilder>; depth: number } | null = null
  let srsName: string | null = null
  let ready: GmlFeature[] = []
  parser.on('error', () => {
    throw new FileFault('datei_kaputt')
  })
  parser.on('doctype', () => {
    throw new FileFault('gml_doctype')
  })
  parser.on('opentag', (tag) => {
    const { local, uri } = tag
    if (feature === null) {
      const parent = around.at(-1) ?? ''
      if (around.length === 0 && !isGmlRoot(tag)) throw new FileFault('format_unbekannt')
      if (MEMBERS.includes(parent) && !COLLECTIONS.includes(local))
        feature = { tree: xmlTreeBuilder(LIMITS, () => 0), depth: 0 }
      else {
        if (around.length >= DEEPEST) throw new FileFault('datei_aufwand')
        around.push(local)
        if (parent === 'boundedBy') srsName = attributesOf(tag.attributes)['srsName'] ?? srsName
        return
      }
    }
    feature.depth += 1
    feature.tree.open(local, uri, attributesOf(tag.attributes))
  })
  const text = (piece: string): void => feature?.tree.text(piece)
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', () => {
    if (feature === null) return void around.pop()
    feature.tree.close()
    feature.depth -= 1
    if (feature.depth > 0) return
    ready.push({ element: feature.tree.end(), srsName })
    feature = null
  })
  try {
    for (const piece of textsOf(pieces)) {
      parser.write(piece)
      yield* ready
      ready = []
    }
    parser.close()
  } catch (error) {
    throw error instanceof XmlFault ? reasonOf(error) : error
  }
}

/** Elements of all geometries that are looked up by name; beyond it the rest counts as missing. */
const MOST_FOUND = 1_000_000
/** Geometries with these identifiers, wherever they are in a file that was read before; the first of each. */
export function* elementsById(
  pieces: Iterable<Buffer>,
  ids: ReadonlySet<string>,
): Iterable<readonly [string, XmlTree]> {
  const parser = new SaxesParser({ xmlns: true, position: false })
  interface Open {
    readonly id: string
    readonly tree: ReturnType<typeof xmlTreeBuilder>
    depth: number
  }
  let open: Open[] = []
  let elements = 0
  const seen = new Set<string>()
  let ready: (readonly [string, XmlTree])[] = []
  const text = (piece: string): void => {
    for (const { tree } of open) tree.text(piece)
  }
  parser.on('opentag', ({ local, uri, attributes: all }) => {
    const attributes = attributesOf(all)
    const { id } = attributes
    const place = { name: local, namespace: uri, attributes, children: [], text: '' }
    if (id !== undefined && ids.has(id) && !seen.has(id) && isGeometry(place) && open.length < DEEPEST) {
      seen.add(id)
      open.push({ id, tree: xmlTreeBuilder(LIMITS, () => 0), depth: 0 })
    }
    elements += open.length
    for (const one of open) {
      one.depth += 1
      one.tree.open(local, uri, attributes)
    }
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', () => {
    for (const one of open) {
      one.tree.close()
      one.depth -= 1
      if (one.depth === 0) ready.push([one.id, one.tree.end()])
    }
    open = open.filter(({ depth }) => depth > 0)
  })
  try {
    for (const piece of textsOf(pieces)) {
      if (elements > MOST_FOUND) return
      parser.write(piece)
      yield* ready
      ready = []
    }
  } catch (error) {
    throw error instanceof XmlFault ? reasonOf(error) : error
  }
}
