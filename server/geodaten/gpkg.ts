// GeoPackages of others: a SQLite file with tables of objects. Only plain tables are read: a view could reckon for ever.
import { DatabaseSync } from 'node:sqlite'
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import { type Form, GeometrieFault, readWkb } from '#domain/vermessung/geometrie.ts'
import type { RohObjekt } from '#domain/vermessung/pruefen.ts'
import { epsgOfName, epsgOfWkt } from './systeme.ts'
import { createBeispiele, DateiFault, MOST_COLUMNS, type Quelle, type RohSchicht } from './quelle.ts'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const ENVELOPE_BYTES = [0, 32, 48, 48, 64]

/** @throws GeometrieFault */
export function readGpkgGeometry(blob: unknown): Form {
  if (blob === null || blob === undefined) throw new GeometrieFault('geometrie_leer')
  if (!(blob instanceof Uint8Array) || blob.length < 8 || blob[0] !== 0x47 || blob[1] !== 0x50) throw new GeometrieFault('geometrie_kaputt')
  const flags = blob[3]!
  const envelope = ENVELOPE_BYTES[(flags >> 1) & 7]
  if (envelope === undefined || (flags & 0x20) !== 0) throw new GeometrieFault('geometrie_kaputt')
  return readWkb(blob.subarray(8 + envelope))
}

const geometryOrFault = (read: () => Form): Form | GeometrieFault => {
  try {
    return read()
  } catch (error) {
    if (error instanceof GeometrieFault) return error
    throw error
  }
}

interface Tafel {
  readonly schicht: RohSchicht
  /** null: a table without any. */
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

/** `tabellen`: tables without geometry (attributes) are layers as well. */
export function openGpkg(file: string, { tabellen = false }: { readonly tabellen?: boolean } = {}): Quelle {
  let db: DatabaseSync
  try {
    db = new DatabaseSync(file, { readOnly: true })
    db.exec('pragma trusted_schema = off; pragma cell_size_check = on')
  } catch {
    throw new DateiFault('datei_kaputt')
  }
  const all = <Row>(text: string, ...values: string[]): Row[] => {
    const statement = db.prepare(text)
    statement.setReadBigInts(true)
    return statement.all(...values) as Row[]
  }
  const tafeln = new Map<string, Tafel>()
  try {
    const layers = all<{
      table_name: string
      column_name: string
      geometry_type_name: string
      organization: string | null
      code: bigint | null
      definition: string | null
    }>(
      `select g.table_name, g.column_name, g.geometry_type_name, s.organization, s.organization_coordsys_id as code, s.definition
       from gpkg_geometry_columns g join gpkg_contents c on c.table_name = g.table_name left join gpkg_spatial_ref_sys s on s.srs_id = g.srs_id
       where exists (select 1 from sqlite_master m where m.type = 'table' and m.name = g.table_name and m.sql not like 'create virtual%') order by g.table_name limit 200`,
    )
    for (const layer of layers) {
      const columns = all<{ name: string }>(`select name from pragma_table_info(?)`, layer.table_name).map(({ name }) => name)
      if (columns.length > MOST_COLUMNS) throw new DateiFault('zu_viele_spalten')
      if (!columns.includes(layer.column_name)) throw new DateiFault('datei_kaputt')
      const shown = columns.filter((name) => name !== layer.column_name)
      const [counted] = all<{ n: bigint }>(`select count(*) as n from ${quoted(layer.table_name)}`)
      const beispiele = createBeispiele(shown)
      for (const row of all<Record<string, unknown>>(
        `select ${shown.map(quoted).join(', ') || '1 as x'} from ${quoted(layer.table_name)} limit 50`,
      ))
        beispiele.add(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
      const type = layer.geometry_type_name.toUpperCase()
      tafeln.set(layer.table_name, {
        geometry: layer.column_name,
        columns: shown,
        schicht: {
          name: layer.table_name,
          geometrie: type.includes('POINT') ? 'punkt' : type.includes('LINESTRING') ? 'linie' : type.includes('POLYGON') ? 'flaeche' : null,
          anzahl: Number(counted?.n ?? 0),
          epsg:
            layer.organization?.toUpperCase() === 'EPSG' && layer.code !== null
              ? epsgOfName(`EPSG:${layer.code}`)
              : epsgOfWkt(layer.definition ?? ''),
          system: layer.definition?.slice(0, 100) ?? null,
          spalten: beispiele.all(),
          ort: null,
        },
      })
    }
    const plainTables = tabellen
      ? all<{ table_name: string }>(
          `select c.table_name from gpkg_contents c where c.data_type = 'attributes'
             and exists (select 1 from sqlite_master m where m.type = 'table' and m.name = c.table_name and m.sql not like 'create virtual%') order by c.table_name limit 200`,
        )
      : []
    for (const { table_name } of plainTables) {
      const columns = all<{ name: string }>(`select name from pragma_table_info(?)`, table_name).map(({ name }) => name)
      if (columns.length > MOST_COLUMNS) throw new DateiFault('zu_viele_spalten')
      const [counted] = all<{ n: bigint }>(`select count(*) as n from ${quoted(table_name)}`)
      const beispiele = createBeispiele(columns)
      for (const row of all<Record<string, unknown>>(`select * from ${quoted(table_name)} limit 50`))
        beispiele.add(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
      tafeln.set(table_name, {
        geometry: null,
        columns,
        schicht: {
          name: table_name,
          geometrie: 'ohne',
          anzahl: Number(counted?.n ?? 0),
          epsg: null,
          system: null,
          spalten: beispiele.all(),
          ort: null,
        },
      })
    }
  } catch (error) {
    db.close()
    throw error instanceof DateiFault ? error : new DateiFault('datei_kaputt')
  }
  if ([...tafeln.values()].some(({ schicht }) => schicht.anzahl > MOST_OBJECTS)) {
    db.close()
    throw new DateiFault('zu_viele_objekte')
  }
  return {
    format: 'gpkg',
    schichten: [...tafeln.values()].map(({ schicht }) => schicht),
    *lies(name): Iterable<RohObjekt> {
      const tafel = tafeln.get(name)
      if (tafel === undefined) throw new DateiFault('keine_schicht')
      const statement = db.prepare(
        `select ${[...(tafel.geometry === null ? [] : [tafel.geometry]), ...tafel.columns].map(quoted).join(', ')} from ${quoted(name)}`,
      )
      statement.setReadBigInts(true)
      let nr = 0
      try {
        for (const row of statement.iterate() as Iterable<Record<string, unknown>>) {
          nr += 1
          const werte: Record<string, unknown> = {}
          for (const column of tafel.columns) werte[column] = plain(row[column])
          const { geometry } = tafel
          yield { nr, geometrie: geometry === null ? null : geometryOrFault(() => readGpkgGeometry(row[geometry])), werte }
        }
      } catch (error) {
        throw error instanceof DateiFault ? error : new DateiFault('datei_kaputt')
      }
    },
    close: () => db.close(),
  }
}
