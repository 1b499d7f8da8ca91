// Writes Mapbox vector tiles (version 2.1) of points, lines and areas, for the engine whose PostGIS cannot; the
// output matches that of ST_AsMVT.
import { PbfWriter } from 'pbf'

export const EXTENT = 4096
/** Tile units kept outside the edge, so that symbols on it are drawn completely. */
export const MARGIN = 64

export type Value = string | number | boolean
export interface TileFeature {
  readonly id: number
  readonly werte: Readonly<Record<string, Value | null>>
  /** WKB in web mercator, in hexadecimal. */
  readonly g: string
}

export interface Box {
  readonly west: number
  readonly sued: number
  readonly ost: number
  readonly nord: number
}

const HALF = 20_037_508.342789244

/** The extent of a tile in web mercator. */
export function boxOf(z: number, x: number, y: number): Box {
  const width = (2 * HALF) / 2 ** z
  return {
    west: x * width - HALF,
    ost: (x + 1) * width - HALF,
    nord: HALF - y * width,
    sued: HALF - (y + 1) * width,
  }
}

/** One layer as a field of a tile; concatenated layers make a tile. Empty if there is nothing to draw. */
export function encodeLayer(name: string, tileFeatures: readonly TileFeature[], box: Box): Buffer {
  const keys = new Map<string, number>()
  const values = new Map<Value, number>()
  const indexOf = <K>(map: Map<K, number>, key: K): number => {
    const known = map.get(key)
    if (known !== undefined) return known
    map.set(key, map.size)
    return map.size - 1
  }
  const features: { id: number; tags: number[]; type: number; geometry: number[] }[] = []
  for (const { id, werte, g } of tileFeatures) {
    const read = readWkb(Buffer.from(g, 'hex'))
    const geometry = commandsOf(read, box)
    if (geometry.length === 0) continue
    const tags = Object.entries(werte).flatMap(([key, value]) =>
      value === null ? [] : [indexOf(keys, key), indexOf(values, value)],
    )
    features.push({ id, tags, type: TYPES[read.art], geometry })
  }
  if (features.length === 0) return Buffer.alloc(0)
  const pbf = new PbfWriter()
  pbf.writeMessage(
    3,
    (_, layer) => {
      layer.writeVarintField(15, 2)
      layer.writeStringField(1, name)
      for (const feature of features)
        layer.writeMessage(
          2,
          (one, message) => {
            message.writeVarintField(1, one.id)
            message.writePackedVarint(2, one.tags)
            message.writeVarintField(3, one.type)
            message.writePackedVarint(4, one.geometry)
          },
          feature,
        )
      for (const key of keys.keys()) layer.writeStringField(3, key)
      for (const value of values.keys()) layer.writeMessage(4, writeValue, value)
      layer.writeVarintField(5, EXTENT)
    },
    null,
  )
  return Buffer.from(pbf.finish())
}

function writeValue(value: Value, pbf: PbfWriter): void {
  if (typeof value === 'string') pbf.writeStringField(1, value)
  else if (typeof value === 'boolean') pbf.writeBooleanField(7, value)
  else if (!Number.isInteger(value)) pbf.writeDoubleField(3, value)
  else if (value < 0) pbf.writeSVarintField(6, value)
  else pbf.writeVarintField(5, value)
}

type Place = readonly [x: number, y: number]

const MOVE = 1
const LINE = 2
const CLOSE = 7
const command = (id: number, count: number): number => id | (count << 3)
const zigzag = (value: number): number => (value << 1) ^ (value >> 31)

const toTile = ([x, y]: Place, { west, nord, ost }: Box): Place => {
  const unit = EXTENT / (ost - west)
  return [Math.round((x - west) * unit), Math.round((nord - y) * unit)]
}

function pointCommands(places: readonly Place[], box: Box): number[] {
  const inside = places
    .map((ort) => toTile(ort, box))
    .filter((ort) => ort.every((c) => c >= -MARGIN && c <= EXTENT + MARGIN))
  if (inside.length === 0) return []
  let [cx, cy] = [0, 0]
  const moves = inside.flatMap(([x, y]) => {
    const move = [zigzag(x - cx), zigzag(y - cy)]
    ;[cx, cy] = [x, y]
    return move
  })
  return [command(MOVE, inside.length), ...moves]
}

function lineCommands(lines: readonly (readonly Place[])[], box: Box): number[] {
  const geometry: number[] = []
  let [cx, cy] = [0, 0]
  const push = ([x, y]: Place) => {
    geometry.push(zigzag(x - cx), zigzag(y - cy))
    ;[cx, cy] = [x, y]
  }
  for (const polyline of lines) {
    const line = polyline
      .map((ort) => toTile(ort, box))
      .filter(([x, y], at, all) => at === 0 || x !== all[at - 1]![0] || y !== all[at - 1]![1])
    if (line.length < 2) continue
    geometry.push(command(MOVE, 1))
    push(line[0]!)
    geometry.push(command(LINE, line.length - 1))
    for (const ort of line.slice(1)) push(ort)
  }
  return geometry
}

/** Twice the area, above zero if the ring runs clockwise on a screen, where rows count downwards. */
const turn = (ring: readonly Place[]): number =>
  ring.reduce((sum, [x, y], at) => {
    const [u, v] = ring[(at + 1) % ring.length]!
    return sum + x * v - u * y
  }, 0)

/** Outer rings run clockwise, holes the other way; what has no area left is not drawn. */
function areaCommands(areas: readonly (readonly (readonly Place[])[])[], box: Box): number[] {
  const geometry: number[] = []
  let [cx, cy] = [0, 0]
  const push = ([x, y]: Place) => {
    geometry.push(zigzag(x - cx), zigzag(y - cy))
    ;[cx, cy] = [x, y]
  }
  for (const area of areas)
    for (const [nr, closed] of area.entries()) {
      const ring = closed
        .slice(0, -1)
        .map((ort) => toTile(ort, box))
        .filter(([x, y], at, all) => at === 0 || x !== all[at - 1]![0] || y !== all[at - 1]![1])
      const around = turn(ring)
      // Without its outer ring a hole would be an area.
      if (ring.length < 3 || around === 0) {
        if (nr === 0) break
        continue
      }
      const drawn = around > 0 === (nr === 0) ? ring : ring.toReversed()
      geometry.push(command(MOVE, 1))
      push(drawn[0]!)
      geometry.push(command(LINE, drawn.length - 1))
      for (const ort of drawn.slice(1)) push(ort)
      geometry.push(command(CLOSE, 1))
    }
  return geometry
}

const TYPES = { punkt: 1, linie: 2, flaeche: 3 } as const

function commandsOf(read: Parsed, box: Box): number[] {
  if (read.art === 'punkt') return pointCommands(read.orte, box)
  return read.art === 'linie' ? lineCommands(read.lines, box) : areaCommands(read.areas, box)
}

type Parsed =
  | { readonly art: 'flaeche'; readonly areas: readonly (readonly (readonly Place[])[])[] }
  | { readonly art: 'punkt'; readonly orte: readonly Place[] }
  | { readonly art: 'linie'; readonly lines: readonly (readonly Place[])[] }

/**
 * Points, lines and areas, single, multiple, or in collections; of a mixture that with the most dimensions. Written
 * by the database in little endian.
 */
export function readWkb(bytes: Buffer): Parsed {
  const places: Place[] = []
  const lines: Place[][] = []
  const areas: Place[][][] = []
  let at = 0
  const uint = (): number => {
    at += 4
    return bytes.readUInt32LE(at - 4)
  }
  const ort = (): Place => {
    at += 16
    return [bytes.readDoubleLE(at - 16), bytes.readDoubleLE(at - 8)]
  }
  function one(): void {
    if (bytes[at] !== 1) throw new RangeError('WKB is not little endian')
    at += 1
    const type = uint()
    if (type === 1) places.push(ort())
    else if (type === 2) lines.push(Array.from({ length: uint() }, ort))
    else if (type === 3) areas.push(Array.from({ length: uint() }, () => Array.from({ length: uint() }, ort)))
    else if (type >= 4 && type <= 7) for (let left = uint(); left > 0; left--) one()
    else throw new RangeError(`WKB type ${type}`)
  }
  one()
  if (areas.length > 0) return { art: 'flaeche', areas }
  return lines.length > 0
    ? { art: 'linie', lines }
    : { art: 'punkt', orte: places.filter(([x]) => !Number.isNaN(x)) }
}
