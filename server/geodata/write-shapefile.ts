// Writes a ZIP of shapefiles that GDAL, QGIS and ArcGIS open: one for each table, with .prj and a .cpg that says
// UTF-8. What the format has no room for is named in a text file beside them.
import type { FileHandle } from 'node:fs/promises'
import type { Place } from '#domain/projection.ts'
import type { Form } from '#domain/vermessung/geometry.ts'
import { type ZipFile, zipStream } from '#server/write-zip.ts'
import type { TableInfo } from './write-gpkg.ts'
import { tableBytes } from './write-dbf.ts'
import { esriWkt } from './esri-wkt.ts'

export async function writeShapefiles(
  file: FileHandle,
  epsg: number,
  tables: AsyncIterable<TableInfo>,
): Promise<void> {
  for await (const bytes of zipStream(shapefilesOf(epsg, tables))) await file.write(bytes)
}

async function* shapefilesOf(epsg: number, tables: AsyncIterable<TableInfo>): AsyncGenerator<ZipFile> {
  const hints: string[] = []
  const named = (name: string, content: NonSharedBuffer): ZipFile => ({
    name,
    inhalt: content,
    compress: true,
  })
  for await (const { name, typ, spalten, zeilen } of tables) {
    const rows: Record<string, unknown>[] = []
    const shapes: Buffer[] = []
    for await (const { geometrie, werte } of zeilen) {
      rows.push(werte)
      if (typ !== null) shapes.push(geometrie === null ? NOTHING : shapeOf(geometrie))
    }
    const table = tableBytes(spalten, rows)
    hints.push(...table.hints.map((hint) => `${name}: ${hint}`))
    if (typ !== null) {
      const { shp, shx } = filesOf(TYPES[typ], shapes)
      yield named(`${name}.shp`, shp)
      yield named(`${name}.shx`, shx)
      yield named(`${name}.prj`, Buffer.from(esriWkt(epsg)))
    }
    yield named(`${name}.dbf`, table.dbf)
    yield named(`${name}.cpg`, Buffer.from('UTF-8'))
  }
  if (hints.length > 0) yield named('HINWEISE.txt', Buffer.from(`\uFEFF${hints.join('\r\n')}\r\n`))
}

const TYPES = { POINT: 1, MULTILINESTRING: 3, MULTIPOLYGON: 5 } as const
const NOTHING = Buffer.alloc(4)

function shapeOf(geometry: Form): Buffer {
  if (geometry.art === 'punkt') {
    const shape = Buffer.alloc(20)
    shape.writeInt32LE(TYPES.POINT, 0)
    shape.writeDoubleLE(geometry.ort[0], 4)
    shape.writeDoubleLE(geometry.ort[1], 12)
    return shape
  }
  return geometry.art === 'linie'
    ? partsOf(TYPES.MULTILINESTRING, geometry.pieces)
    : partsOf(TYPES.MULTIPOLYGON, geometry.areas.flatMap(turned))
}

/** Outer rings run clockwise in this format, holes the other way. */
const turned = (rings: readonly (readonly Place[])[]): (readonly Place[])[] =>
  rings.map((ring, nr) => (isClockwise(ring) === (nr === 0) ? ring : ring.toReversed()))

/** Relative to the first corner: the sum of products of five million metres would leave no digits. */
function isClockwise(ring: readonly Place[]): boolean {
  const [x0, y0] = ring[0] ?? [0, 0]
  let twice = 0
  ring.forEach(([x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length]!
    twice += (x - x0) * (nextY - y0) - (nextX - x0) * (y - y0)
  })
  return twice < 0
}

/** Type, box, how many parts and corners, where each part begins, all corners. */
function partsOf(type: number, parts: readonly (readonly Place[])[]): Buffer {
  const corners = parts.flat()
  const shape = Buffer.alloc(44 + 4 * parts.length + 16 * corners.length)
  shape.writeInt32LE(type, 0)
  for (const [nr, value] of boxOf(corners).entries()) shape.writeDoubleLE(value, 4 + 8 * nr)
  shape.writeInt32LE(parts.length, 36)
  shape.writeInt32LE(corners.length, 40)
  let begin = 0
  parts.forEach((part, nr) => {
    shape.writeInt32LE(begin, 44 + 4 * nr)
    begin += part.length
  })
  corners.forEach(([x, y], nr) => {
    const at = 44 + 4 * parts.length + 16 * nr
    shape.writeDoubleLE(x, at)
    shape.writeDoubleLE(y, at + 8)
  })
  return shape
}

type Box = [west: number, south: number, east: number, north: number]
function boxOf(places: readonly Place[]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of places) {
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  }
  return box
}

const HEAD = 100
/** Of each record: its number and length. */
const RECORD_HEAD = 8
/** Lengths and places are counted in words of 16 bits. */
const WORD = 2

function filesOf(type: number, shapes: readonly Buffer[]): { shp: NonSharedBuffer; shx: NonSharedBuffer } {
  const length = shapes.reduce((sum, shape) => sum + RECORD_HEAD + shape.length, HEAD)
  const [shp, shx] = [Buffer.alloc(length), Buffer.alloc(HEAD + RECORD_HEAD * shapes.length)]
  const box = boxOf(shapes.flatMap(cornersOfBox))
  for (const file of [shp, shx]) {
    file.writeInt32BE(9994, 0)
    file.writeInt32BE(file.length / WORD, 24)
    file.writeInt32LE(1000, 28)
    file.writeInt32LE(type, 32)
    if (Number.isFinite(box[0]))
      for (const [nr, value] of box.entries()) file.writeDoubleLE(value, 36 + 8 * nr)
  }
  let at = HEAD
  shapes.forEach((shape, nr) => {
    shx.writeInt32BE(at / WORD, HEAD + RECORD_HEAD * nr)
    shx.writeInt32BE(shape.length / WORD, HEAD + RECORD_HEAD * nr + 4)
    shp.writeInt32BE(nr + 1, at)
    shp.writeInt32BE(shape.length / WORD, at + 4)
    shape.copy(shp, at + RECORD_HEAD)
    at += RECORD_HEAD + shape.length
  })
  return { shp, shx }
}

function cornersOfBox(shape: Buffer): Place[] {
  const type = shape.readInt32LE(0)
  if (type === 0) return []
  const at = (nr: number): number => shape.readDoubleLE(4 + 8 * nr)
  return type === TYPES.POINT
    ? [[at(0), at(1)]]
    : [
        [at(0), at(1)],
        [at(2), at(3)],
      ]
}
