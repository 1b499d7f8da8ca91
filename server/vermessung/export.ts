// What the caller may see of a customer's survey, as a file: made outside the database's
// pages, hashed, and then sent.
import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { FileLayer, ExportFormat } from '#contract/vermessung-import.ts'
import { TABLES, type Table } from '#domain/vermessung/fields.ts'
import { type Geometry, converted } from '#domain/vermessung/geometry.ts'
import { readWkb } from '#domain/vermessung/wkb.ts'
import type { Conversion } from '#domain/projection.ts'
import type { Caller } from '#server/caller.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { CodedRefusal } from '../geodata/coded-refusal.ts'
import { asNutzer } from '#server/nutzer.ts'
import { type ZipFile, zipStream } from '#server/write-zip.ts'
import type { Store } from '../geodata/store.ts'
import { placesOf } from '#domain/epsg-text.ts'
import { csvCell } from '../geodata/write-csv.ts'
import { type TableInfo, writeGpkg } from '../geodata/write-gpkg.ts'
import { writeShapefiles } from '../geodata/write-shapefile.ts'
import { columnsOf, TITLES, type TableRow } from './columns.ts'
import { converter } from '../geodata/converter.ts'

/** Even with a thousand corners per line a page stays below the limit of an answer. */
const PAGE = 500
const TIMEOUT_MS = 120_000
const SEES = {
  name: 'vermessung_sieht',
  // A customer without objects gives empty files to callers who would be allowed to see some. A key for the survey
  // alone reads no customers: it gets the number it has asked with.
  text: `select z.zone, coalesce((select k.name from app.kunde k where k.client_id = $1), $1::bigint::text) as name
    from maps.export_zone($1) as z(zone) where z.zone is not null`,
}
const page = (table: Table) => ({
  name: `vermessung_seite_${table}`,
  text: `select id, public.st_srid(geom) as srid, encode(public.st_asbinary(geom), 'hex') as g,
      jsonb_build_object(${columnsOf(table)
        .map(({ name }) => `'${name}', ${name}`)
        .join(', ')})::text as werte
    from app.${table} where client_id = $1 and id > $2 order by id limit ${PAGE}`,
})

/**
 * Page by page: an import in between either replaces rows by new ones with higher ids or changes whole rows.
 */
async function* rowsOf(tx: Transaction, kunde: string, table: Table, epsg: number): AsyncGenerator<TableRow> {
  let last = 0
  for (;;) {
    const { rows } = await tx.query<{ id: number; srid: number; g: string; werte: string }>({
      ...page(table),
      values: [kunde, last],
    })
    for (const { id, srid, g, werte } of rows) {
      const convert: Conversion = converter().conversion(srid, epsg)
      yield {
        id,
        geometrie: converted(readWkb(Buffer.from(g, 'hex')) as Geometry, convert),
        werte: JSON.parse(werte) as TableRow['werte'],
      }
      last = id
    }
    if (rows.length < PAGE) return
  }
}

type Tables = AsyncIterable<{ tabelle: Table; zeilen: AsyncIterable<TableRow> }>

/**
 * RFC 7946 recommends seven decimal places at most, about a centimetre; metres are kept to the millimetre.
 */
const rounded = (epsg: number) => {
  const places = epsg === 4326 || epsg === 4258 ? 7 : 3
  return ([x, y]: readonly [number, number]) => [Number(x.toFixed(places)), Number(y.toFixed(places))]
}

async function writeGeoJson(file: FileHandle, epsg: number, tables: Tables): Promise<void> {
  const place = rounded(epsg)
  // RFC 7946 dropped this member, but GDAL and QGIS read it, and nothing else says which
  // system the metres are in.
  const crs =
    epsg === 4326 ? '' : `"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::${epsg}"}},`
  let text = `{"type":"FeatureCollection","name":"kataster",${crs}"features":[`
  let first = true
  for await (const { tabelle, zeilen } of tables)
    for await (const { geometrie, werte } of zeilen) {
      const geometry =
        geometrie.art === 'punkt'
          ? { type: 'Point', coordinates: place(geometrie.ort) }
          : { type: 'MultiLineString', coordinates: geometrie.pieces.map((part) => part.map(place)) }
      text += `${first ? '' : ','}\n${JSON.stringify({ type: 'Feature', properties: { tabelle, ...werte }, geometry })}`
      first = false
      if (text.length > 1_000_000) {
        await file.write(text)
        text = ''
      }
    }
  await file.write(`${text}\n]}\n`)
}

function wktOf(geometry: Geometry, places: number): string {
  const place = ([x, y]: readonly [number, number]): string =>
    `${Number(x.toFixed(places))} ${Number(y.toFixed(places))}`
  return geometry.art === 'punkt'
    ? `POINT (${place(geometry.ort)})`
    : `MULTILINESTRING (${geometry.pieces.map((part) => `(${part.map(place).join(', ')})`).join(', ')})`
}
async function csvOf(table: Table, epsg: number, rows: AsyncIterable<TableRow>): Promise<NonSharedBuffer> {
  const columns = columnsOf(table)
  const point = table !== 'draenage'
  const places = placesOf(epsg)
  const number = (value: number): string => value.toFixed(places).replace('.', ',')
  const lines = [
    [...columns.map(({ name }) => name), 'epsg', ...(point ? ['ost', 'nord'] : ['wkt'])].join(';'),
  ]
  for await (const { geometrie, werte } of rows)
    lines.push(
      [
        ...columns.map(({ name, typ }) => csvCell(werte[name] ?? null, typ)),
        String(epsg),
        ...(geometrie.art === 'punkt' ? geometrie.ort.map(number) : [wktOf(geometrie, places)]),
      ].join(';'),
    )
  return Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`, 'utf8')
}

async function* csvFiles(epsg: number, tables: Tables): AsyncGenerator<ZipFile> {
  const sums: string[] = []
  for await (const { tabelle, zeilen } of tables) {
    const content = await csvOf(tabelle, epsg, zeilen)
    sums.push(`${createHash('sha256').update(content).digest('hex')}  ${tabelle}.csv`)
    yield { name: `${tabelle}.csv`, inhalt: content, compress: true }
  }
  yield { name: 'SHA256SUMS', inhalt: Buffer.from(`${sums.join('\n')}\n`), compress: true }
}

async function writeCsv(file: FileHandle, epsg: number, tables: Tables): Promise<void> {
  for await (const bytes of zipStream(csvFiles(epsg, tables))) await file.write(bytes)
}

async function* layersOf(tables: Tables): AsyncGenerator<TableInfo> {
  for await (const { tabelle, zeilen } of tables)
    yield {
      name: tabelle,
      titel: TITLES[tabelle],
      typ: tabelle === 'draenage' ? 'MULTILINESTRING' : 'POINT',
      spalten: columnsOf(tabelle),
      zeilen,
    }
}

export interface ExportFile {
  readonly filePath: string
  readonly sha256: string
  readonly groesse: number
  readonly kunde: string
}

export async function writeExport(
  { database, fileStore }: { readonly database: Database; readonly fileStore: Store<FileLayer> },
  caller: Caller,
  {
    kunde,
    format,
    epsg,
  }: { readonly kunde: string; readonly format: ExportFormat; readonly epsg: number | null },
): Promise<ExportFile> {
  if (epsg !== null && !converter().systems.has(epsg)) throw new CodedRefusal('export_epsg')
  const filePath = await fileStore.zwischenort()
  try {
    const name = await database.transaction(
      asNutzer(caller, { readOnly: true, timeoutMs: TIMEOUT_MS }),
      async (tx) => {
        const [seen] = (await tx.query<{ name: string; zone: number }>({ ...SEES, values: [kunde] })).rows
        if (seen === undefined) throw new Refusal('not_found')
        const system = epsg ?? (format === 'geojson' ? 4326 : seen.zone)
        const tables = (async function* () {
          for (const table of TABLES) yield { tabelle: table, zeilen: rowsOf(tx, kunde, table, system) }
        })()
        if (format === 'gpkg') await writeGpkg(filePath, system, layersOf(tables))
        else {
          const file = await open(filePath, 'wx', 0o600)
          try {
            if (format === 'shp') await writeShapefiles(file, system, layersOf(tables))
            else await (format === 'geojson' ? writeGeoJson : writeCsv)(file, system, tables)
          } finally {
            await file.close()
          }
        }
        return seen.name
      },
    )
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of fileStore.open(filePath) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      size += chunk.length
    }
    return { filePath, sha256: hash.digest('hex'), groesse: size, kunde: name }
  } catch (error) {
    await rm(filePath, { force: true })
    throw error
  }
}
