// Foreign shapefiles. What the record headers claim is checked before the records are read; the library
// assembles the rings of areas.
import { openShp } from 'shapefile'
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import {
  type Form,
  fromGeoJson,
  GeometryFault,
  type GeometryLoss,
  isStated,
} from '#domain/vermessung/geometry.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import { openDbf } from './dbf.ts'
import { epsgOfWkt } from '#domain/epsg-text.ts'
import { createExamples, FileFault, type LayerChoice, type RawLayer } from './source.ts'

export interface ShapefileParts {
  readonly shp: Buffer
  readonly dbf: Buffer | null
  readonly prj: string | null
  readonly cpg: string | null
}

const MULTIPOINTS = new Set([8, 18, 28])
const [POINTS, LINES, AREAS] = [new Set([1, 8, 11, 18, 21, 28]), new Set([3, 13, 23]), new Set([5, 15, 25])]

const BODIES = 31
/** Bodies of surfaces in space, which have no outline of their own; null for another kind, else how many. */
export function countBodies(shp: Buffer): number | null {
  if (shp.length < 100 || shp.readInt32BE(0) !== 9994 || shp.readInt32LE(32) !== BODIES) return null
  let count = 0
  for (const record of recordsOf(shp)) if (record.length >= 4 && record.readInt32LE(0) === BODIES) count += 1
  return count
}

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
      const bare = recordsOf(shp)[Symbol.iterator]()
      try {
        for await (const geometry of AREAS.has(type) ? areasOf(shp) : geometriesOf(shp, type)) {
          const nr = at++
          const { value: record } = bare.next()
          if (isDeleted(nr)) continue
          const lost = record === undefined ? [] : lossesOf(record)
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
    const length = Math.max(0, shp.readInt32BE(at + 4) * 2)
    yield shp.subarray(at + 8, at + 8 + length)
    at += 8 + length
  }
}

/** From 11 on with heights, from 21 on with measures; behind heights there may be measures as well. */
const withHeights = (type: number): boolean => type > 10 && type < 20
const withMeasures = (type: number): boolean => type > 20 && type < 30

/** The places of a record: where they begin, and where the numbers behind them do. */
interface Layout {
  readonly from: number
  readonly count: number
  /** Bytes of a range before the numbers of all points. */
  readonly range: number
}
function layoutOf(record: Buffer, type: number): Layout {
  if (MULTIPOINTS.has(type)) return { from: 40, count: record.readInt32LE(36), range: 16 }
  if (POINTS.has(type)) return { from: 4, count: 1, range: 0 }
  return { from: 44 + record.readInt32LE(36) * 4, count: record.readInt32LE(40), range: 16 }
}

/** The first or second row of numbers behind the places; empty if the record ends before. */
function numbersBehind(record: Buffer, { from, count, range }: Layout, nr: 0 | 1): number[] {
  const start = from + count * 16 + range + nr * (count * 8 + range)
  if (start + count * 8 > record.length) return []
  return Array.from({ length: count }, (_, at) => record.readDoubleLE(start + at * 8))
}

/** Below this a measure is none, says the format. */
const NO_MEASURE = -1e38

/** What GeoJSON has no place for: measures, and heights of areas, which the library does not read. */
function lossesOf(record: Buffer): GeometryLoss[] {
  const type = record.readInt32LE(0)
  if (!withHeights(type) && !withMeasures(type)) return []
  const layout = layoutOf(record, type)
  const measures = numbersBehind(record, layout, withHeights(type) ? 1 : 0)
  const isHigh = AREAS.has(type) && withHeights(type) && numbersBehind(record, layout, 0).some(isStated)
  return [
    ...(isHigh ? ['hoehen' as const] : []),
    ...(measures.some((m) => m > NO_MEASURE && m !== 0) ? ['masse' as const] : []),
  ]
}

function geometryOfRecord(record: Buffer, type: number): unknown {
  const layout = layoutOf(record, type)
  const heights = withHeights(type) ? numbersBehind(record, layout, 0) : []
  const all = Array.from({ length: layout.count }, (_, i) => [
    record.readDoubleLE(layout.from + i * 16),
    record.readDoubleLE(layout.from + i * 16 + 8),
    ...heights.slice(i, i + 1),
  ])
  if (MULTIPOINTS.has(type)) return { type: 'MultiPoint', coordinates: all }
  if (POINTS.has(type)) return { type: 'Point', coordinates: all[0] }
  const parts = record.readInt32LE(36)
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
