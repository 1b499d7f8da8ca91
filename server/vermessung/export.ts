// What the caller may see of a customer's survey, as a file: made outside the database's
// pages, hashed, and then sent.
import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { FileLayer, ExportFormat } from '#contract/vermessung-import.ts'
import { TABLES, type Table } from '#domain/vermessung/fields.ts'
import { type Geometry, readWkb, converted } from '#domain/vermessung/geometry.ts'
import type { Conversion } from '#domain/projection.ts'
import type { Caller } from '#server/caller.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { CodedRefusal } from '../geodata/coded-refusal.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Store } from '../geodata/store.ts'
import { csvCell } from '../geodata/write-csv.ts'
import { writeGpkg } from '../geodata/write-gpkg.ts'
import { columnsOf, TITLES, type TableRow } from './columns.ts'
import { converter } from '../geodata/converter.ts'
import { createZip } from '../geodata/write-zip.ts'

/** Even with a thousand corners per line a page stays below the limit of an answer. */
const PAGE = 500
const TIMEOUT_MS = 120_000
const SEES = {
  name: 'vermessung_sieht',
  // A customer without objects gives empty files to callers who would be allowed to see some.
  text: `select k.name, k.epsg, k.bundesland, rechte.vermessung_epsg(k.epsg, k.bundesland) as zone from app.kunde k
    where k.client_id = $1 and ((select rechte.has_any('apus_admin', 'apus_team')) or k.client_id = any ((select rechte.kataster_kunden())::bigint[]))`,
}
const page = (tabelle: Table) => ({
  name: `vermessung_seite_${tabelle}`,
  text: `select id, public.st_srid(geom) as srid, encode(public.st_asbinary(geom), 'hex') as g,
      jsonb_build_object(${columnsOf(tabelle)
        .map(({ name }) => `'${name}', ${name}`)
        .join(', ')})::text as werte
    from app.${tabelle} where client_id = $1 and id > $2 order by id limit ${PAGE}`,
})

/**
 * Page by page: an import in between either replaces rows by new ones with higher ids or changes whole rows.
 */
async function* rowsOf(
  tx: Transaction,
  kunde: string,
  tabelle: Table,
  epsg: number,
): AsyncGenerator<TableRow> {
  let last = 0
  for (;;) {
    const { rows } = await tx.query<{ id: number; srid: number; g: string; werte: string }>({
      ...page(tabelle),
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

/**
 * RFC 7946 recommends seven decimal places at most, about a centimetre; metres are kept to the millimetre.
 */
const rounded = (epsg: number) => {
  const places = epsg === 4326 || epsg === 4258 ? 7 : 3
  return ([x, y]: readonly [number, number]) => [Number(x.toFixed(places)), Number(y.toFixed(places))]
}

async function writeGeoJson(
  datei: FileHandle,
  epsg: number,
  tables: AsyncIterable<{ tabelle: Table; zeilen: AsyncIterable<TableRow> }>,
): Promise<void> {
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
        await datei.write(text)
        text = ''
      }
    }
  await datei.write(`${text}\n]}\n`)
}

const zahl = (value: number): string => value.toFixed(3).replace('.', ',')
function wktOf(geometrie: Geometry): string {
  const place = ([x, y]: readonly [number, number]): string =>
    `${Number(x.toFixed(3))} ${Number(y.toFixed(3))}`
  return geometrie.art === 'punkt'
    ? `POINT (${place(geometrie.ort)})`
    : `MULTILINESTRING (${geometrie.pieces.map((part) => `(${part.map(place).join(', ')})`).join(', ')})`
}
async function csvOf(tabelle: Table, epsg: number, zeilen: AsyncIterable<TableRow>): Promise<Buffer> {
  const spalten = columnsOf(tabelle)
  const point = tabelle !== 'draenage'
  const lines = [
    [...spalten.map(({ name }) => name), 'epsg', ...(point ? ['ost', 'nord'] : ['wkt'])].join(';'),
  ]
  for await (const { geometrie, werte } of zeilen)
    lines.push(
      [
        ...spalten.map(({ name, typ }) => csvCell(werte[name] ?? null, typ)),
        String(epsg),
        ...(geometrie.art === 'punkt' ? geometrie.ort.map(zahl) : [wktOf(geometrie)]),
      ].join(';'),
    )
  return Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`, 'utf8')
}

async function writeCsv(
  datei: FileHandle,
  epsg: number,
  tables: AsyncIterable<{ tabelle: Table; zeilen: AsyncIterable<TableRow> }>,
): Promise<void> {
  const zip = createZip((bytes) => datei.write(bytes).then(() => undefined))
  const sums: string[] = []
  for await (const { tabelle, zeilen } of tables) {
    const bytes = await csvOf(tabelle, epsg, zeilen)
    sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${tabelle}.csv`)
    await zip.add(`${tabelle}.csv`, bytes)
  }
  await zip.add('SHA256SUMS', Buffer.from(`${sums.join('\n')}\n`))
  await zip.end()
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
          for (const tabelle of TABLES) yield { tabelle, zeilen: rowsOf(tx, kunde, tabelle, system) }
        })()
        if (format === 'gpkg')
          await writeGpkg(
            filePath,
            system,
            (async function* () {
              for await (const { tabelle, zeilen } of tables)
                yield {
                  name: tabelle,
                  titel: TITLES[tabelle],
                  typ: tabelle === 'draenage' ? ('MULTILINESTRING' as const) : ('POINT' as const),
                  spalten: columnsOf(tabelle),
                  zeilen,
                }
            })(),
          )
        else {
          const datei = await open(filePath, 'wx', 0o600)
          try {
            await (format === 'geojson' ? writeGeoJson : writeCsv)(datei, system, tables)
          } finally {
            await datei.close()
          }
        }
        return seen.name
      },
    )
    const hash = createHash('sha256')
    let groesse = 0
    for await (const chunk of fileStore.open(filePath) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      groesse += chunk.length
    }
    return { filePath, sha256: hash.digest('hex'), groesse, kunde: name }
  } catch (error) {
    await rm(filePath, { force: true })
    throw error
  }
}
