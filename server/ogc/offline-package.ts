// The project of QGIS to take along: the same layers from a GeoPackage beside it, in a ZIP that QField opens without a
// network.
import { open, readFile } from 'node:fs/promises'
import { type Form, GeometryFault } from '#domain/vermessung/geometry.ts'
import { readWkb } from '#domain/vermessung/wkb.ts'
import type { Statement } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { zipStream } from '#server/write-zip.ts'
import type { Column as FileColumn, TableRow } from '../geodata/columns.ts'
import { type TableInfo, writeGpkg } from '../geodata/write-gpkg.ts'
import type { Collection, GeometryKind } from './collections.ts'
import { type Column, type ColumnType, quoteName } from './columns.ts'
import { type Project, writeProject } from './qgis-project.ts'
import type { Scope } from './scope.ts'
import { Values } from './sql-text.ts'

/** More than a device draws without stuttering, and than fits into memory while it is packed. */
export const MOST_OBJECTS = 100_000
const MOST_BYTES = 96 * 2 ** 20
const PAGE = 500
const GPKG = 'daten.gpkg'

interface Packing {
  readonly project: Omit<Project, 'plans' | 'source'>
  readonly scope: Scope
  /** By collection. They are not read here, within a transaction: the embedded engine has one at a time. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, Column>>
  /** Within one transaction. */
  readonly ask: <Row>(statement: Statement) => Promise<Row[]>
  /** Path of the GeoPackage; the caller removes it. */
  readonly gpkg: string
  readonly signal: AbortSignal
}

const FILE_TYPES: Readonly<Record<ColumnType, FileColumn['typ'] | null>> = {
  text: 'text',
  uuid: 'text',
  timestamp: 'text',
  integer: 'ganz',
  number: 'zahl',
  boolean: 'ja_nein',
  date: 'tag',
  // Lists and objects have no place in a table.
  json: null,
}
const SHAPES: Readonly<Record<GeometryKind, TableInfo['typ']>> = {
  point: 'POINT',
  line: 'MULTILINESTRING',
  polygon: 'MULTIPOLYGON',
}

const tooLarge = (): Refusal =>
  new Refusal(
    'too_large',
    'Das ist zu viel für ein Paket: Hier sind es mehr als 100.000 Objekte oder 96 MB. Im Projekt für QGIS sehen ' +
      'Sie alles.',
  )

interface Row {
  readonly id: string
  readonly werte: string
  readonly g: string | null
}

function pageOf(
  { scope, project: { epsg } }: Packing,
  { source, key, geometry }: Collection,
  names: readonly string[],
  last: string,
): Statement {
  const values = new Values(scope.values)
  const place = `public.st_force2d(public.st_transform(${geometry}, ${values.add(epsg, 'integer')}))`
  return {
    text: `select ${key}::text as id, (select row_to_json(p)::text
        from (select ${names.map((name) => `t.${quoteName(name)}`).join(', ')}) p) as werte,
        encode(public.st_asbinary(${place}), 'hex') as g
      from ${source} where ${scope.condition} and ${key} > ${values.add(last, 'bigint')}
      order by ${key} limit ${PAGE}`,
    values: values.list,
  }
}

/** Null for a feature without a place, which stays a row. */
function shapeOf(hex: string | null): Form | null {
  if (hex === null) return null
  try {
    return readWkb(Buffer.from(hex, 'hex'))
  } catch (error) {
    if (error instanceof GeometryFault) return null
    throw error
  }
}

interface Taken {
  objects: number
  bytes: number
}

async function* rowsOf(
  packing: Packing,
  collection: Collection,
  names: readonly string[],
  taken: Taken,
): AsyncGenerator<TableRow> {
  let last = '0'
  for (;;) {
    packing.signal.throwIfAborted()
    const rows = await packing.ask<Row>(pageOf(packing, collection, names, last))
    for (const { id, werte, g } of rows) {
      taken.objects++
      taken.bytes += werte.length + (g?.length ?? 0) / 2
      if (taken.objects > MOST_OBJECTS || taken.bytes > MOST_BYTES) throw tooLarge()
      yield { id: Number(id), geometrie: shapeOf(g), werte: JSON.parse(werte) as TableRow['werte'] }
      last = id
    }
    if (rows.length < PAGE) return
  }
}

async function* tablesOf(packing: Packing): AsyncGenerator<TableInfo> {
  const taken: Taken = { objects: 0, bytes: 0 }
  for (const { collection } of packing.project.layers) {
    const columns = [...packing.columns.get(collection.id)!.values()].flatMap(({ name, type }) => {
      const fileType = FILE_TYPES[type]
      return fileType === null ? [] : [{ name, typ: fileType }]
    })
    const names = columns.map(({ name }) => name)
    yield {
      name: collection.id,
      titel: collection.title,
      typ: SHAPES[collection.kind],
      spalten: columns,
      zeilen: rowsOf(packing, collection, names, taken),
    }
  }
}

/** Refuses before the first page what would be refused after the last. */
async function checkCount({ project, scope, ask }: Packing): Promise<void> {
  let left = MOST_OBJECTS
  for (const { collection } of project.layers) {
    const [found] = await ask<{ n: number }>({
      text: `select count(*)::integer as n from (select 1 from ${collection.source}
        where ${scope.condition} limit ${left + 1}) x`,
      values: scope.values,
    })
    left -= found?.n ?? 0
    if (left < 0) throw tooLarge()
  }
}

/** Reads the rows into the GeoPackage. @throws Refusal too_large */
export async function writeTables(packing: Packing): Promise<void> {
  await checkCount(packing)
  await writeGpkg(packing.gpkg, packing.project.epsg, tablesOf(packing))
}

interface Contents {
  readonly project: Omit<Project, 'plans' | 'source'>
  /** Of the project file. */
  readonly name: string
  readonly gpkg: string
}

/** Packs what was read; not within the transaction, because compressing takes seconds. */
export async function packZip(zip: string, { project, name, gpkg }: Contents): Promise<void> {
  const text = writeProject({ ...project, plans: [], source: { gpkg: GPKG } })
  const file = await open(zip, 'wx', 0o600)
  try {
    const files = [
      { name: `${name}.qgs`, inhalt: Buffer.from(text), compress: true },
      { name: GPKG, inhalt: await readFile(gpkg), compress: true },
    ]
    for await (const bytes of zipStream(files)) await file.write(bytes)
  } finally {
    await file.close()
  }
}
