// Writes small PMTiles files (version 3) for tests, good ones and broken ones, without the library that reads
// them.
import { gzipSync } from 'node:zlib'
import { PbfWriter } from 'pbf'

export interface FixtureTile {
  readonly z: number
  readonly x: number
  readonly y: number
  readonly bytes: Uint8Array
}
/** As the format numbers them. */
export const TYPE = { unknown: 0, mvt: 1, png: 2, jpeg: 3, webp: 4, avif: 5 } as const
export const PACKED = { unknown: 0, none: 1, gzip: 2, brotli: 3, zstd: 4 } as const
export const HEAD_BYTES = 127

export interface FixtureOptions {
  readonly type: keyof typeof TYPE
  readonly tiles: readonly FixtureTile[]
  /** Of tiles; directories and metadata are always gzip. */
  readonly packed?: keyof typeof PACKED
  readonly metadata?: unknown
  /** Entries of one leaf directory; without it, all entries are in the root. */
  readonly leaf?: number
  readonly minZoom?: number
  readonly maxZoom?: number
}

export interface Entry {
  readonly id: number
  /** 0: the entry is a leaf directory. */
  readonly run: number
  readonly offset: number
  readonly length: number
}

/** Number of a tile: all of the levels above, then its place on the Hilbert curve of its own. */
export function tileId(z: number, x: number, y: number): number {
  let [id, cx, cy] = [(4 ** z - 1) / 3, x, y]
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const rx = (cx & side) > 0 ? 1 : 0
    const ry = (cy & side) > 0 ? 1 : 0
    id += side * side * ((3 * rx) ^ ry)
    if (ry === 0) {
      if (rx === 1) [cx, cy] = [side - 1 - cx, side - 1 - cy]
      ;[cx, cy] = [cy, cx]
    }
  }
  return id
}

export function writeDirectory(entries: readonly Entry[]): Buffer {
  const pbf = new PbfWriter()
  pbf.writeVarint(entries.length)
  entries.forEach(({ id }, at) => pbf.writeVarint(id - (entries[at - 1]?.id ?? 0)))
  for (const { run } of entries) pbf.writeVarint(run)
  for (const { length } of entries) pbf.writeVarint(length)
  for (const { offset } of entries) pbf.writeVarint(offset + 1)
  return gzipSync(pbf.finish())
}

export interface Parts {
  readonly root: Uint8Array
  readonly metadata: Uint8Array
  readonly leaves: Uint8Array
  readonly data: Uint8Array
}
/** Puts the parts behind a head that names their places. */
export function assemble({ root, metadata, leaves, data }: Parts, options: FixtureOptions): Buffer {
  const { type, packed = type === 'mvt' ? 'gzip' : 'none', tiles } = options
  const levels = tiles.map(({ z }) => z)
  const head = Buffer.alloc(HEAD_BYTES)
  head.write('PMTiles')
  head.writeUInt8(3, 7)
  let offset = HEAD_BYTES
  for (const [at, part] of [root, metadata, leaves, data].entries()) {
    head.writeBigUInt64LE(BigInt(offset), 8 + at * 16)
    head.writeBigUInt64LE(BigInt(part.length), 16 + at * 16)
    offset += part.length
  }
  for (const at of [72, 80, 88]) head.writeBigUInt64LE(BigInt(tiles.length), at)
  head.writeUInt8(1, 96)
  head.writeUInt8(PACKED.gzip, 97)
  head.writeUInt8(PACKED[packed], 98)
  head.writeUInt8(TYPE[type], 99)
  head.writeUInt8(options.minZoom ?? Math.min(...levels), 100)
  head.writeUInt8(options.maxZoom ?? Math.max(...levels), 101)
  for (const [at, degrees] of [-180, -85, 180, 85].entries()) head.writeInt32LE(degrees * 1e7, 102 + at * 4)
  return Buffer.concat([head, root, metadata, leaves, data])
}

export function writePmtiles(options: FixtureOptions): Buffer {
  const { type, packed = type === 'mvt' ? 'gzip' : 'none', metadata = {}, leaf } = options
  const all: Entry[] = []
  const data: Uint8Array[] = []
  let offset = 0
  for (const { z, x, y, bytes } of options.tiles.toSorted(
    (a, b) => tileId(a.z, a.x, a.y) - tileId(b.z, b.x, b.y),
  )) {
    const stored = packed === 'gzip' ? gzipSync(bytes) : bytes
    all.push({ id: tileId(z, x, y), run: 1, offset, length: stored.length })
    data.push(stored)
    offset += stored.length
  }
  const leaves: Buffer[] = []
  const pointers: Entry[] = []
  if (leaf !== undefined)
    for (let at = 0, place = 0; at < all.length; at += leaf) {
      const directory = writeDirectory(all.slice(at, at + leaf))
      pointers.push({ id: all[at]!.id, run: 0, offset: place, length: directory.length })
      leaves.push(directory)
      place += directory.length
    }
  return assemble(
    {
      root: writeDirectory(leaf === undefined ? all : pointers),
      metadata: gzipSync(JSON.stringify(metadata)),
      leaves: Buffer.concat(leaves),
      data: Buffer.concat(data),
    },
    options,
  )
}

// Vector tiles

export interface FixtureFeature {
  readonly art: 'point' | 'line' | 'area'
  /** In units of the tile, 0 to 4096 from its upper left corner. */
  readonly at: readonly (readonly [x: number, y: number])[]
  readonly is: Readonly<Record<string, string | number>>
}

const zigzag = (value: number): number => (value << 1) ^ (value >> 31)
function commandsOf({ art, at }: FixtureFeature): number[] {
  let [px, py] = [0, 0]
  const steps = at.map(([x, y]) => {
    const step = [zigzag(x - px), zigzag(y - py)]
    ;[px, py] = [x, y]
    return step
  })
  if (art === 'point') return [1 | (at.length << 3), ...steps.flat()]
  const line = [1 | (1 << 3), ...steps[0]!, 2 | ((at.length - 1) << 3), ...steps.slice(1).flat()]
  return art === 'area' ? [...line, 15] : line
}

/** A Mapbox vector tile of these layers. */
export function vectorTile(layers: Readonly<Record<string, readonly FixtureFeature[]>>): Uint8Array {
  const pbf = new PbfWriter()
  for (const [name, features] of Object.entries(layers)) {
    const keys = [...new Set(features.flatMap(({ is }) => Object.keys(is)))]
    const values = [...new Set(features.flatMap(({ is }) => Object.values(is)))]
    pbf.writeMessage(
      3,
      (_, layer) => {
        layer.writeVarintField(15, 2)
        layer.writeStringField(1, name)
        for (const feature of features)
          layer.writeMessage(
            2,
            (one, message) => {
              const tags = Object.entries(one.is).flatMap(([k, v]) => [keys.indexOf(k), values.indexOf(v)])
              message.writePackedVarint(2, tags)
              message.writeVarintField(3, { point: 1, line: 2, area: 3 }[one.art])
              message.writePackedVarint(4, commandsOf(one))
            },
            feature,
          )
        for (const key of keys) layer.writeStringField(3, key)
        for (const value of values)
          layer.writeMessage(
            4,
            (one, message) =>
              typeof one === 'string' ? message.writeStringField(1, one) : message.writeVarintField(5, one),
            value,
          )
        layer.writeVarintField(5, 4096)
      },
      null,
    )
  }
  return pbf.finish()
}
