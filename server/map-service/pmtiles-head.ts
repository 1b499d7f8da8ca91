// What a PMTiles file says of itself: the first bytes and the metadata, checked so far that an operator hears
// what is wrong with a file before people see a map without tiles. The browser reads the tiles.
import { gunzipSync } from 'node:zlib'

/** Says in German what is wrong with the file; completes "Die Hintergrundkarte …". */
export class PmtilesFault extends Error {
  override readonly name = 'PmtilesFault'
}
const fault = (message: string): never => {
  throw new PmtilesFault(message)
}

interface Section {
  readonly offset: number
  readonly length: number
}
export interface PmtilesHead {
  readonly form: 'bild' | 'vektor'
  readonly min: number
  readonly max: number
  readonly metadata: Section
}

export const HEAD_BYTES = 127
/** Head and root directory are within these, as the format demands: one request brings both. */
export const FIRST_BYTES = 16_384
/** Packed; an operator's file has some kilobytes. */
export const METADATA_BYTES = 1024 * 1024
const UNPACKED_BYTES = 8 * 1024 * 1024
const LEVELS = 22
const [NONE, GZIP] = [1, 2]
const PACKERS = ['unbekannt', 'gar nicht', 'gzip', 'Brotli', 'Zstandard']
const [VECTOR, FIRST_PICTURE, LAST_PICTURE] = [1, 2, 5]
const SECTIONS = ['Wurzelverzeichnis', 'Metadaten', 'Verzeichnisse', 'Kacheln']

/** @param size of the whole file */
export function readHead(first: Buffer, size: number): PmtilesHead {
  if (first.toString('latin1', 0, 15) === 'SQLite format 3')
    fault('ist MBTiles (SQLite). Bitte mit „pmtiles convert“ nach PMTiles umwandeln')
  if (first.length >= 3 && first.toString('latin1', 0, 2) === 'PM' && first[2] === 2)
    fault('ist PMTiles der Version 2. Bitte mit „pmtiles convert“ in Version 3 umwandeln')
  if (first.toString('latin1', 0, 7) !== 'PMTiles') fault('ist keine PMTiles-Datei')
  if (first[7] !== 3)
    fault(`ist PMTiles der Version ${first[7] ?? '?'}; gelesen wird Version 3 („pmtiles convert“)`)
  if (first.length < HEAD_BYTES) fault('ist abgeschnitten: der Kopf ist nicht vollständig')
  const [root, metadata] = sectionsOf(first, size)
  const [directories, tiles, type] = [first[97]!, first[98]!, first[99]!]
  if (root!.offset + root!.length > FIRST_BYTES)
    fault(`hat ein Wurzelverzeichnis, das nicht in den ersten ${FIRST_BYTES} Bytes liegt`)
  if (directories !== NONE && directories !== GZIP)
    fault(`hat Verzeichnisse, gepackt mit ${PACKERS[directories] ?? directories}; gelesen wird gzip`)
  // 0 is what some programs write for pictures, which pack themselves.
  if (tiles > GZIP) fault(`hat Kacheln, gepackt mit ${PACKERS[tiles] ?? tiles}; Browser lesen nur gzip`)
  if (type !== VECTOR && (type < FIRST_PICTURE || type > LAST_PICTURE))
    fault(`hat Kacheln eines unbekannten Typs (${type}); gelesen werden MVT, PNG, JPEG, WebP und AVIF`)
  checkRoot(first.subarray(root!.offset, root!.offset + root!.length), directories)
  const [min, max] = [first[100]!, first[101]!]
  if (min > max || max > LEVELS) fault(`nennt die Ebenen ${min} bis ${max}; es gibt 0 bis ${LEVELS}`)
  return { form: type === VECTOR ? 'vektor' : 'bild', min, max, metadata: metadata! }
}

/** Root directory, metadata, leaf directories, tiles. */
function sectionsOf(first: Buffer, size: number): Section[] {
  return SECTIONS.map((name, at) => {
    const [offset, length] = [first.readBigUInt64LE(8 + at * 16), first.readBigUInt64LE(16 + at * 16)]
    if (offset + length > BigInt(size))
      fault(`ist abgeschnitten: ${name} bis Byte ${offset + length}, die Datei hat ${size}`)
    return { offset: Number(offset), length: Number(length) }
  })
}

function checkRoot(packed: Buffer, packer: number): void {
  const root = unpacked(packed, packer)
  if (root === null) return fault('hat ein Wurzelverzeichnis, das sich nicht lesen lässt')
  // Its first number is that of its entries.
  if (root.length === 0 || root[0] === 0) fault('hat keine Kacheln')
}

/** Null if it cannot be unpacked, or has more bytes than such a file needs. */
function unpacked(bytes: Buffer, packer: number): Buffer | null {
  if (packer === NONE) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES })
  } catch {
    return null
  }
}

export interface PmtilesFacts {
  readonly titel: string | null
  /** Plain text. */
  readonly namensnennung: string | null
  readonly ebenen: readonly string[]
}

/** Names of the layers that the style knows, of Protomaps and of OpenMapTiles. */
export const KNOWN_LAYERS: readonly string[] = [
  'earth',
  'landcover',
  'landuse',
  'natural',
  'park',
  'water',
  'waterway',
  'roads',
  'transit',
  'transportation',
  'buildings',
  'building',
  'boundaries',
  'boundary',
  'places',
  'place',
]

/** Metadata that cannot be read says nothing; what it should have said is asked for by its name. */
export function readMetadata(bytes: Buffer, packer: number): PmtilesFacts {
  let said: Record<string, unknown> = {}
  try {
    const json: unknown = JSON.parse(unpacked(bytes, packer)?.toString('utf8') ?? '')
    if (typeof json === 'object' && json !== null) said = json as Record<string, unknown>
  } catch {
    // See above.
  }
  const layers = Array.isArray(said['vector_layers']) ? (said['vector_layers'] as unknown[]) : []
  return {
    titel: plain(said['name'], 100),
    namensnennung: plain(said['attribution'], 300),
    ebenen: layers.flatMap((layer) =>
      typeof layer === 'object' && layer !== null && 'id' in layer && typeof layer.id === 'string'
        ? [layer.id]
        : [],
    ),
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  copy: '©',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
}

/** Attributions are often written as HTML; here they are text. */
function plain(value: unknown, most: number): string | null {
  if (typeof value !== 'string' || value.length > 5_000) return null
  const text = value
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:#(\d{1,6})|([a-z]{2,6}));/g, (all, code?: string, name?: string) =>
      code === undefined
        ? (ENTITIES[name ?? ''] ?? all)
        : String.fromCodePoint(Math.min(Number(code), 0xffff)),
    )
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return text === '' ? null : text.slice(0, most)
}
