// Shapefiles of others. The library reads records; what their heads claim is looked at before.
import { openDbf, openShp } from 'shapefile'
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import { type Form, fromGeoJson, GeometrieFault } from '#domain/vermessung/geometrie.ts'
import type { RohObjekt } from '#domain/vermessung/pruefen.ts'
import { epsgOfWkt } from './systeme.ts'
import { createBeispiele, DateiFault, MOST_COLUMNS, type RohSchicht } from './quelle.ts'

export interface Teile {
  readonly shp: Buffer
  readonly dbf: Buffer | null
  readonly prj: string | null
  readonly cpg: string | null
}

/** As the numbers of code pages are written into .cpg files. */
function encodingOf(cpg: string | null): string {
  const text = cpg?.trim().toLowerCase() ?? ''
  if (/utf-?8|^65001$/.test(text)) return 'utf-8'
  if (/850/.test(text)) return 'ibm850'
  return 'windows-1252'
}
const [POINTS, LINES, AREAS] = [new Set([1, 8, 11, 18, 21, 28]), new Set([3, 13, 23]), new Set([5, 15, 25])]

/** Lengths of all records, before the library believes them: number of records. */
function checkShp(shp: Buffer): number {
  if (shp.length < 100 || shp.readInt32BE(0) !== 9994) throw new DateiFault('datei_kaputt')
  let records = 0
  for (let at = 100; at + 8 <= shp.length; records++) {
    const words = shp.readInt32BE(at + 4)
    if (words < 2 || at + 8 + words * 2 > shp.length) throw new DateiFault('datei_kaputt')
    checkRecord(shp.subarray(at + 8, at + 8 + words * 2))
    at += 8 + words * 2
    if (records >= MOST_OBJECTS) throw new DateiFault('zu_viele_objekte')
  }
  return records
}
function checkRecord(record: Buffer): void {
  const type = record.readInt32LE(0)
  if (!LINES.has(type) && !AREAS.has(type)) {
    if (POINTS.has(type) && ![8, 18, 28].includes(type) && record.length < 20) throw new DateiFault('datei_kaputt')
    if (
      [8, 18, 28].includes(type) &&
      (record.length < 40 || record.readInt32LE(36) < 0 || record.readInt32LE(36) * 16 > record.length - 40)
    )
      throw new DateiFault('datei_kaputt')
    return
  }
  if (record.length < 44) throw new DateiFault('datei_kaputt')
  const [parts, points] = [record.readInt32LE(36), record.readInt32LE(40)]
  if (parts < 0 || points < 0 || parts * 4 + points * 16 > record.length - 44) throw new DateiFault('datei_kaputt')
  for (let part = 0; part < parts; part++) {
    const first = record.readInt32LE(44 + part * 4)
    if (first < 0 || first > points) throw new DateiFault('datei_kaputt')
  }
}
function checkDbf(dbf: Buffer, records: number): void {
  if (dbf.length < 33) throw new DateiFault('datei_kaputt')
  const [rows, head, row] = [dbf.readUInt32LE(4), dbf.readUInt16LE(8), dbf.readUInt16LE(10)]
  if (head < 33 || row < 1 || head > dbf.length || head + rows * row > dbf.length + row || rows < records)
    throw new DateiFault('datei_kaputt')
  if ((head - 33) / 32 > MOST_COLUMNS) throw new DateiFault('zu_viele_spalten')
}

async function propertiesOf(dbf: Buffer | null, encoding: string, records: number): Promise<Record<string, unknown>[]> {
  if (dbf === null) return []
  checkDbf(dbf, records)
  const source = await openDbf(dbf, { encoding: encoding === 'ibm850' ? 'windows-1252' : encoding })
  const rows: Record<string, unknown>[] = []
  for (let next = await source.read(); !next.done && rows.length < records; next = await source.read()) rows.push(next.value ?? {})
  return rows
}

export async function read(
  name: string,
  { shp, dbf, prj, cpg }: Teile,
): Promise<{ schicht: RohSchicht; lies(): AsyncIterable<RohObjekt> }> {
  const records = checkShp(shp)
  const type = shp.readInt32LE(32)
  let properties: Record<string, unknown>[]
  try {
    properties = await propertiesOf(dbf, encodingOf(cpg), records)
  } catch (error) {
    throw error instanceof DateiFault ? error : new DateiFault('datei_kaputt')
  }
  const columns = Object.keys(properties[0] ?? {})
  const beispiele = createBeispiele(columns)
  for (const row of properties.slice(0, 50)) beispiele.add(row)
  return {
    schicht: {
      name,
      geometrie: POINTS.has(type) ? 'punkt' : LINES.has(type) ? 'linie' : AREAS.has(type) ? 'flaeche' : null,
      anzahl: records,
      epsg: prj === null ? null : epsgOfWkt(prj),
      system: prj?.slice(0, 100) ?? null,
      spalten: beispiele.all(),
      ort: null,
    },
    async *lies() {
      try {
        const source = await openShp(shp)
        for (let nr = 1; ; nr++) {
          const next = await source.read()
          if (next.done) return
          yield { nr, geometrie: geometryOf(next.value), werte: properties[nr - 1] ?? {} }
        }
      } catch (error) {
        throw error instanceof DateiFault ? error : new DateiFault('datei_kaputt')
      }
    },
  }
}

function geometryOf(value: unknown): Form | GeometrieFault {
  try {
    return fromGeoJson(value)
  } catch (error) {
    if (error instanceof GeometrieFault) return error
    throw error
  }
}
