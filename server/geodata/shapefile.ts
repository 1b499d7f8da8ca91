// Foreign shapefiles. What the record headers claim is checked before the records are read; the library
// assembles the rings of areas.
import { openShp } from 'shapefile'
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import { type Form, fromGeoJson, GeometryFault, type GeometryLoss } from '#domain/vermessung/geometry.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import { openDbf } from './dbf.ts'
import { epsgOfWkt } from './systems.ts'
import { createExamples, FileFault, type LayerChoice, type RawLayer } from './source.ts'

export interface ShapefileParts {
  readonly shp: Buffer
  readonly dbf: Buffer | null
  readonly prj: string | null
  readonly cpg: string | null
}

const MULTIPOINTS = new Set([8, 18, 28])
const [POINTS, LINES, AREAS] = [new Set([1, 8, 11, 18, 21, 28]), new Set([3, 13, 23]), new Set([5, 15, 25])]

/** Checks the lengths of all records before the library relies on them; returns the number of records. */
function checkShp(shp: Buffer): number {
  if (shp.length < 100 || shp.readInt32BE(0) !== 9994) throw new FileFault('datei_kaputt')
  let records = 0
  for (let at = 100; at + 8 <= shp.length; records++) {
    const words = shp.readInt32BE(at + 4)
    if (words < 2 || at + 8 + words * 2 > shp.length) throw new FileFault('datei_kaputt')
    checkRecord(shp.subarray(at + 8, at + 8 + words * 2))
    at += 8 + words * 2
    if (records >= MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
  }
  return records
}
function checkRecord(record: Buffer): void {
  const type = record.readInt32LE(0)
  if (!LINES.has(type) && !AREAS.has(type)) {
    if (POINTS.has(type) && !MULTIPOINTS.has(type) && record.length < 20) throw new FileFault('datei_kaputt')
    if (
      MULTIPOINTS.has(type) &&
      (record.length < 40 || record.readInt32LE(36) < 0 || record.readInt32LE(36) * 16 > record.length - 40)
    )
      throw new FileFault('datei_kaputt')
    return
  }
  if (record.length < 44) throw new FileFault('datei_kaputt')
  const [parts, points] = [record.readInt32LE(36), record.readInt32LE(40)]
  if (parts < 0 || points < 0 || parts * 4 + points * 16 > record.length - 44)
    throw new FileFault('datei_kaputt')
  let last = 0
  for (let part = 0; part < parts; part++) {
    const first = record.readInt32LE(44 + part * 4)
    if (first < last || first > points) throw new FileFault('datei_kaputt')
    last = first
  }
}
const NO_ROWS = { columns: [], texts: null, isDeleted: () => false, row: () => ({}) }

export async function read(
  name: string,
  { shp, dbf, prj, cpg }: ShapefileParts,
): Promise<{ schicht: RawLayer; readFrom(choice?: LayerChoice): AsyncIterable<RawObject> }> {
  const records = checkShp(shp)
  const type = shp.readInt32LE(32)
  const { columns, texts, isDeleted, row } = dbf === null ? NO_ROWS : openDbf(dbf, cpg, records)
  const examples = createExamples(records === 0 ? [] : columns)
  let count = 0
  for (let at = 0; at < records; at++) {
    if (isDeleted(at)) continue
    if (count < 50) examples.add(row(at))
    count += 1
  }
  return {
    schicht: {
      name,
      geometrie: POINTS.has(type) ? 'punkt' : LINES.has(type) ? 'linie' : AREAS.has(type) ? 'flaeche' : null,
      anzahl: count,
      epsg: prj === null ? null : epsgOfWkt(prj),
      system: prj?.slice(0, 100) ?? null,
      spalten: examples.all(),
      ort: null,
      texte: texts,
    },
    async *readFrom({ zeichensatz } = {}) {
      let at = 0
      // Files with heights may have measures as well, but then programs fill them with "no data".
      const lost: readonly GeometryLoss[] = type > 20 && type < 30 ? ['masse'] : []
      try {
        for await (const geometry of AREAS.has(type) ? areasOf(shp) : geometriesOf(shp, type)) {
          const nr = at++
          if (isDeleted(nr)) continue
          yield { nr: nr + 1, geometrie: geometryOf(geometry, lost), werte: row(nr, zeichensatz) }
        }
      } catch (error) {
        throw error instanceof FileFault ? error : new FileFault('datei_kaputt')
      }
    },
  }
}

async function* areasOf(shp: Buffer): AsyncIterable<unknown> {
  const source = await openShp(shp)
  for (let next = await source.read(); !next.done; next = await source.read()) yield next.value
}

/** As GeoJSON: points, the points of a record together, lines by parts. */
function* geometriesOf(shp: Buffer, type: number): Iterable<unknown> {
  if (!POINTS.has(type) && !LINES.has(type) && type !== 0) throw new FileFault('datei_kaputt')
  for (const record of recordsOf(shp)) {
    const own = record.readInt32LE(0)
    if (own !== 0 && own !== type) throw new FileFault('datei_kaputt')
    yield own === 0 ? null : geometryOfRecord(record, own)
  }
}

function* recordsOf(shp: Buffer): Iterable<Buffer> {
  for (let at = 100; at + 8 <= shp.length; ) {
    const length = shp.readInt32BE(at + 4) * 2
    yield shp.subarray(at + 8, at + 8 + length)
    at += 8 + length
  }
}

/** From 11 on with heights, from 21 on with measures. */
const withHeights = (type: number): boolean => type > 10 && type < 20

function geometryOfRecord(record: Buffer, type: number): unknown {
  /** Heights stand behind all points, after their range. */
  const places = (from: number, count: number, isSingle = false): number[][] => {
    const heights = from + count * 16 + (isSingle ? 0 : 16)
    const high = withHeights(type) && heights + count * 8 <= record.length
    return Array.from({ length: count }, (_, i) => [
      record.readDoubleLE(from + i * 16),
      record.readDoubleLE(from + i * 16 + 8),
      ...(high ? [record.readDoubleLE(heights + i * 8)] : []),
    ])
  }
  if (MULTIPOINTS.has(type)) return { type: 'MultiPoint', coordinates: places(40, record.readInt32LE(36)) }
  if (POINTS.has(type)) return { type: 'Point', coordinates: places(4, 1, true)[0] }
  const [parts, points] = [record.readInt32LE(36), record.readInt32LE(40)]
  const all = places(44 + parts * 4, points)
  const starts = Array.from({ length: parts }, (_, i) => record.readInt32LE(44 + i * 4))
  return parts === 1
    ? { type: 'LineString', coordinates: all }
    : { type: 'MultiLineString', coordinates: starts.map((start, i) => all.slice(start, starts[i + 1])) }
}

function geometryOf(value: unknown, lost: readonly GeometryLoss[]): Form | GeometryFault {
  try {
    return fromGeoJson(value, lost)
  } catch (error) {
    if (error instanceof GeometryFault) return error
    throw error
  }
}
