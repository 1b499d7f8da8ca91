// The habitat trees of a holding that the caller may see, as a file: made outside the
// database's pages and then sent.
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import type { HabitatExportFormat } from '#contract/habitat-file.ts'
import { kindName } from '#domain/habitat/species.ts'
import { HABITAT_FIELDS, structuresText } from '#domain/habitat/file.ts'
import type { StructureDetail } from '#domain/habitat/structures.ts'
import type { Caller } from '#server/caller.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Store } from '../geodata/store.ts'
import { placesOf } from '#domain/epsg-text.ts'
import { csvCell } from '../geodata/write-csv.ts'
import { type TableInfo, writeGpkg } from '../geodata/write-gpkg.ts'
import { writeShapefiles } from '../geodata/write-shapefile.ts'
import type { Column, TableRow } from '../geodata/columns.ts'
import { converter } from '../geodata/converter.ts'

const PAGE = 5_000
const TIMEOUT_MS = 120_000
const SEES = {
  name: 'habitat_export_sieht',
  // A key for the trees alone reads no headquarters: it gets the number it has asked with. And the UTM zone
  // that most of them are in.
  text: `select coalesce((select h."sHQ" from app.hq h where h."idHQ" = $1), $1::bigint::text) as name,
    (select case when avg(t.lon) >= 12 then 25833 else 25832 end
      from app.habitatbaeume t where t."idHQ" = $1) as zone
    where forest.may_habitat($1)`,
}
const FIELDS = [...HABITAT_FIELDS.map(({ name }) => name), 'version', 'geaendert_am'] as const
const page = {
  name: 'habitat_export_seite',
  text: `select t.id, t.lon, t.lat, jsonb_build_object(${FIELDS.map((name) => `'${name}', t."${name}"`).join(', ')},
      'bilder', (select count(*) from app.habitatbilder b where b.habitat_id = t.id), 'letzte_kontrolle',
      (select max(k.datum) from app.habitatkontrollen k where k.habitat_id = t.id))::text as werte
    from app.habitatbaeume t where t."idHQ" = $1 and t.id > $2 order by t.id limit ${PAGE}`,
}
/** The fields that an import reads back, and columns that are only exported. */
export const COLUMNS: readonly Column[] = [
  ...HABITAT_FIELDS.map(({ name, art }): Column => ({ name, typ: art })),
  { name: 'baumart_name', typ: 'text' },
  { name: 'bilder', typ: 'ganz' },
  { name: 'letzte_kontrolle', typ: 'tag' },
  { name: 'lon', typ: 'zahl' },
  { name: 'lat', typ: 'zahl' },
]

async function* rowsOf(tx: Transaction, hq: string, epsg: number): AsyncGenerator<TableRow> {
  const convert = converter().conversion(4326, epsg)
  let last = 0
  for (;;) {
    const { rows } = await tx.query<{ id: number; lon: number; lat: number; werte: string }>({
      ...page,
      values: [hq, last],
    })
    for (const row of rows) {
      const [id, lon, lat] = [Number(row.id), Number(row.lon), Number(row.lat)]
      const values = JSON.parse(row.werte) as Record<string, string | number | boolean | null> & {
        strukturen: StructureDetail[] | string
      }
      const { art, art_text } = values as unknown as { art: string; art_text: string | null }
      yield {
        id,
        geometrie: { art: 'punkt', ort: convert([lon, lat]), z: null },
        werte: {
          ...values,
          strukturen: structuresText(values.strukturen as StructureDetail[]),
          baumart_name: kindName(art, art_text),
          lon,
          lat,
        },
      }
      last = id
    }
    if (rows.length < PAGE) return
  }
}

async function write(
  file: FileHandle,
  head: string,
  fuss: string,
  pieces: AsyncIterable<string>,
): Promise<void> {
  let text = head
  for await (const chunk of pieces) {
    text += chunk
    if (text.length < 1_000_000) continue
    await file.write(text)
    text = ''
  }
  await file.write(`${text}${fuss}`)
}
async function* csvLines(rows: AsyncIterable<TableRow>, epsg: number): AsyncGenerator<string> {
  const places = placesOf(epsg)
  for await (const { geometrie, werte } of rows) {
    const ort = geometrie?.art === 'punkt' ? geometrie.ort : []
    const cells = [
      ...COLUMNS.map(({ name, typ }) => csvCell(werte[name] ?? null, typ)),
      String(epsg),
      ...ort.map((value) => value.toFixed(places).replace('.', ',')),
    ]
    yield `${cells.join(';')}\r\n`
  }
}
async function* geoJsonLines(rows: AsyncIterable<TableRow>, epsg: number): AsyncGenerator<string> {
  const places = epsg === 4326 || epsg === 4258 ? 7 : 3
  let first = true
  for await (const { id, geometrie, werte } of rows) {
    const coordinates =
      geometrie?.art === 'punkt' ? geometrie.ort.map((value) => Number(value.toFixed(places))) : []
    const properties = Object.fromEntries(COLUMNS.map(({ name }) => [name, werte[name] ?? null]))
    yield `${first ? '' : ','}\n` +
      `${JSON.stringify({ type: 'Feature', id, properties, geometry: { type: 'Point', coordinates } })}`
    first = false
  }
}

async function* layersOf(rows: AsyncIterable<TableRow>): AsyncGenerator<TableInfo> {
  yield { name: 'habitatbaeume', titel: 'Habitatbäume', typ: 'POINT', spalten: COLUMNS, zeilen: rows }
}

export interface HabitatFile {
  readonly filePath: string
  readonly groesse: number
  readonly name: string
}

export async function writeHabitatExport(
  { database, fileStore }: { readonly database: Database; readonly fileStore: Store },
  caller: Caller,
  {
    hq,
    format,
    epsg,
  }: { readonly hq: string; readonly format: HabitatExportFormat; readonly epsg: number | null },
): Promise<HabitatFile> {
  if (epsg !== null && !converter().systems.has(epsg))
    throw new Refusal('bad_value', 'Dieses Koordinatensystem kann der Server nicht umrechnen.')
  const filePath = await fileStore.zwischenort()
  try {
    const name = await database.transaction(
      asNutzer(caller, { readOnly: true, timeoutMs: TIMEOUT_MS }),
      async (tx) => {
        const [seen] = (await tx.query<{ name: string; zone: number | null }>({ ...SEES, values: [hq] })).rows
        if (seen === undefined) throw new Refusal('not_found')
        const system = epsg ?? (format === 'gpkg' || format === 'shp' ? Number(seen.zone ?? 25_832) : 4326)
        const rows = rowsOf(tx, hq, system)
        if (format === 'gpkg') await writeGpkg(filePath, system, layersOf(rows))
        else {
          const file = await open(filePath, 'wx', 0o600)
          try {
            if (format === 'shp') await writeShapefiles(file, system, layersOf(rows))
            else if (format === 'csv')
              await write(
                file,
                `\uFEFF${[...COLUMNS.map((column) => column.name), 'epsg', 'ost', 'nord'].join(';')}\r\n`,
                '',
                csvLines(rows, system),
              )
            else {
              const crs =
                system === 4326
                  ? ''
                  : `"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::${system}"}},`
              await write(
                file,
                `{"type":"FeatureCollection","name":"habitatbaeume",${crs}"features":[`,
                '\n]}\n',
                geoJsonLines(rows, system),
              )
            }
          } finally {
            await file.close()
          }
        }
        return seen.name
      },
    )
    return { filePath, groesse: (await stat(filePath)).size, name }
  } catch (error) {
    await rm(filePath, { force: true })
    throw error
  }
}
