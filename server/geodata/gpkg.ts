// Foreign GeoPackages: a SQLite file with tables of objects.
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import { type Form, GeometryFault } from '#domain/vermessung/geometry.ts'
import { readWkb } from '#domain/vermessung/wkb.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import { epsgOfName, epsgOfWkt } from '#domain/epsg-text.ts'
import { createExamples, FileFault, MOST_COLUMNS, type Source, type RawLayer } from './source.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'
import { foldName, type ForeignSqlite, openForeignSqlite } from './sqlite.ts'

const MOST_LAYERS = 200
/** For the tables that describe the file's content. */
const MOST_OWN_ROWS = 20_000
const LONGEST_DEFINITION = 20_000
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const ENVELOPE_BYTES = [0, 32, 48, 48, 64]

/** @throws GeometryFault */
export function readGpkgGeometry(blob: unknown): Form {
  if (blob === null || blob === undefined) throw new GeometryFault('geometrie_leer')
  if (!(blob instanceof Uint8Array) || blob.length < 8 || blob[0] !== 0x47 || blob[1] !== 0x50)
    throw new GeometryFault('geometrie_kaputt')
  const flags = blob[3]!
  const envelope = ENVELOPE_BYTES[(flags >> 1) & 7]
  if (envelope === undefined || (flags & 0x20) !== 0) throw new GeometryFault('geometrie_kaputt')
  return readWkb(blob.subarray(8 + envelope))
}

const geometryOrFault = (read: () => Form): Form | GeometryFault => {
  try {
    return read()
  } catch (error) {
    if (error instanceof GeometryFault) return error
    throw error
  }
}

interface TableInfo {
  readonly schicht: RawLayer
  /** null: a table without geometry. */
  readonly geometry: string | null
  readonly columns: readonly string[]
}

const plain = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? Number.isSafeInteger(Number(value))
      ? Number(value)
      : value.toString()
    : value instanceof Uint8Array
      ? null
      : value

/** `tabellen`: tables without geometry (attributes) count as layers too. */
export function openGpkg(file: string, { tabellen = false }: { readonly tabellen?: boolean } = {}): Source {
  const db = openForeignSqlite(file)
  try {
    const contents = contentsOf(db)
    const found = [...featuresOf(db, contents), ...(tabellen ? attributesOf(db, contents) : [])]
    const tables = new Map(found.map((tableInfo) => [tableInfo.schicht.name, tableInfo]))
    const leftOut = leftOutOf(db, contents, tables, tabellen)
    if (tables.size === 0 && leftOut.some(({ art }) => art === 'sicht')) throw new FileFault('nur_sichten')
    if ([...tables.values()].some(({ schicht }) => schicht.anzahl > MOST_OBJECTS))
      throw new FileFault('zu_viele_objekte')
    return { ...sourceOf(db, tables), leftOut }
  } catch (error) {
    db.close()
    throw error instanceof FileFault ? error : new FileFault('datei_kaputt')
  }
}

const sourceOf = (db: ForeignSqlite, tables: ReadonlyMap<string, TableInfo>): Source => ({
  format: 'gpkg',
  schichten: [...tables.values()].map(({ schicht }) => schicht),
  *readFrom(name): Iterable<RawObject> {
    const tableInfo = tables.get(name)
    if (tableInfo === undefined) throw new FileFault('keine_schicht')
    const { geometry, columns } = tableInfo
    let nr = 0
    try {
      for (const row of db.rows(name, geometry === null ? columns : [geometry, ...columns])) {
        nr += 1
        const values: Record<string, unknown> = {}
        for (const column of columns) values[column] = plain(row[column])
        yield {
          nr,
          geometrie: geometry === null ? null : geometryOrFault(() => readGpkgGeometry(row[geometry])),
          werte: values,
        }
      }
    } catch (error) {
      throw error instanceof FileFault ? error : new FileFault('datei_kaputt')
    }
  },
  close: () => db.close(),
})

/** Rows of one of the format's own tables; none if it is missing or not a plain table. */
function* ownRows(
  db: ForeignSqlite,
  table: string,
  wanted: readonly string[],
): Iterable<Record<string, unknown>> {
  const columns = new Set(db.columnsOf(table)?.map(({ name }) => foldName(name)))
  if (wanted.every((name) => columns.has(name))) yield* db.rows(table, wanted, MOST_OWN_ROWS)
}

interface System {
  readonly organization: string
  readonly code: unknown
  readonly definition: string
}
function systemsOf(db: ForeignSqlite): ReadonlyMap<string, System> {
  const systems = new Map<string, System>()
  for (const row of ownRows(db, 'gpkg_spatial_ref_sys', [
    'srs_id',
    'organization',
    'organization_coordsys_id',
    'definition',
  ]))
    systems.set(String(row['srs_id']), {
      organization: textOf(row['organization']),
      code: row['organization_coordsys_id'],
      definition: textOf(row['definition']).slice(0, LONGEST_DEFINITION),
    })
  return systems
}

interface Content {
  /** As the file writes it there. */
  readonly name: string
  readonly type: string
}
/** The tables that the file says hold objects, by their folded names. */
type Contents = ReadonlyMap<string, Content>
function contentsOf(db: ForeignSqlite): Contents {
  const contents = new Map<string, Content>()
  for (const { table_name: name, data_type: type } of ownRows(db, 'gpkg_contents', [
    'table_name',
    'data_type',
  ]))
    if (typeof name === 'string') contents.set(foldName(name), { name, type: foldName(textOf(type)) })
  return contents
}

function featuresOf(db: ForeignSqlite, contents: Contents): TableInfo[] {
  const systems = systemsOf(db)
  const layers = new Map<string, Record<string, unknown>>()
  for (const row of ownRows(db, 'gpkg_geometry_columns', [
    'table_name',
    'column_name',
    'geometry_type_name',
    'srs_id',
  ])) {
    const content = contents.get(foldName(textOf(row['table_name'])))
    if (content !== undefined && !layers.has(content.name) && layers.size < MOST_LAYERS)
      layers.set(content.name, row)
  }
  return [...layers]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, row]) => {
      const columns = db.columnsOf(name)
      if (columns === null) return []
      const asked = foldName(textOf(row['column_name']))
      const geometry = columns.find((column) => foldName(column.name) === asked)?.name
      if (geometry === undefined) throw new FileFault('datei_kaputt')
      const system = systems.get(String(row['srs_id']))
      return [tableOf(db, name, { geometry, geometrie: kindOf(textOf(row['geometry_type_name'])), system })]
    })
}

/** As GeoPackage names tables without a geometry, and as GDAL did before. */
const ATTRIBUTES: ReadonlySet<string> = new Set(['attributes', 'aspatial'])

const attributesOf = (db: ForeignSqlite, contents: Contents): TableInfo[] =>
  [...contents.values()]
    .filter(({ name, type }) => ATTRIBUTES.has(type) && db.columnsOf(name) !== null)
    .slice(0, MOST_LAYERS)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name }) => tableOf(db, name, { geometry: null, geometrie: 'ohne', system: undefined }))

/** What the file announces and is there, but is not read. */
const leftOutOf = (
  db: ForeignSqlite,
  contents: Contents,
  read: ReadonlyMap<string, unknown>,
  tables: boolean,
): ImportLoss[] =>
  [...contents.values()].flatMap(({ name, type }) => {
    const isWanted = type === 'features' || type === '' || (tables && ATTRIBUTES.has(type))
    const art = isWanted && !read.has(name) ? db.kindOf(name) : null
    return art === null ? [] : [{ schicht: name.slice(0, 100), art, anzahl: 1 }]
  })

interface Kind {
  readonly geometry: string | null
  readonly geometrie: RawLayer['geometrie']
  readonly system: System | undefined
}

function tableOf(db: ForeignSqlite, name: string, { geometry, geometrie, system }: Kind): TableInfo {
  const columns = db.columnsOf(name)!.map((column) => column.name)
  if (columns.length > MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
  const shown = columns.filter((column) => column !== geometry)
  const examples = createExamples(shown)
  for (const row of db.rows(name, shown, 50))
    examples.add(Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])))
  return {
    geometry,
    columns: shown,
    schicht: {
      name,
      geometrie,
      anzahl: db.count(name),
      epsg: system === undefined ? null : epsgOf(system),
      system: system === undefined || system.definition === '' ? null : system.definition.slice(0, 100),
      spalten: examples.all(),
      ort: null,
    },
  }
}

const epsgOf = ({ organization, code, definition }: System): number | null =>
  organization.toUpperCase() === 'EPSG' && typeof code === 'bigint'
    ? epsgOfName(`EPSG:${code}`)
    : epsgOfWkt(definition)

function kindOf(type: string): RawLayer['geometrie'] {
  const name = type.toUpperCase()
  if (name.includes('POINT')) return 'punkt'
  if (/POLYGON|SURFACE/.test(name)) return 'flaeche'
  return /LINESTRING|CURVE|CIRCULARSTRING/.test(name) ? 'linie' : null
}
