// The columns of the tables, as the database grants them to its web role: a new one appears by itself.
import type { Database } from '#server/database/database.ts'
import { propertyOf, type Property } from './edm.ts'
import { labelOf } from './labels.ts'
import type { Table } from './query.ts'
import { ENTITY_SETS, type EntitySet, INTERNAL_COLUMNS } from './sets.ts'

interface Row {
  readonly relation: string
  readonly name: string
  readonly type: string
  readonly not_null: boolean
}

const COLUMNS = `select c.relname::text as relation, a.attname::text as name,
    pg_catalog.format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as not_null
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid
  where n.nspname = 'app' and c.relname = any($1) and a.attnum > 0 and not a.attisdropped
    and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select')
  order by a.attrelid, a.attnum`

async function readTables(database: Database): Promise<ReadonlyMap<string, Table>> {
  const { rows } = await database.once<Row>(
    { role: 'nutzer', settings: { search_path: 'pg_catalog' }, readOnly: true },
    { name: 'odata_columns', text: COLUMNS, values: [ENTITY_SETS.map(({ relation }) => relation)] },
  )
  return new Map(ENTITY_SETS.map((set) => [set.name, { set, properties: propertiesOf(set, rows) }]))
}

function propertiesOf({ relation, key }: EntitySet, rows: readonly Row[]): ReadonlyMap<string, Property> {
  return new Map(
    rows
      .filter((row) => row.relation === relation && !INTERNAL_COLUMNS.has(row.name))
      .flatMap(({ name, type, not_null }) => {
        const nullable = !not_null && name !== key
        const property = propertyOf({ name, type, nullable, label: labelOf(relation, name) })
        return property === null ? [] : [[name, property] as const]
      }),
  )
}

/** Read once; again after a failure. */
export function describer(database: Database): () => Promise<ReadonlyMap<string, Table>> {
  let known: Promise<ReadonlyMap<string, Table>> | undefined
  return () => {
    if (known !== undefined) return known
    const read = readTables(database)
    known = read
    read.catch(() => {
      known = undefined
    })
    return read
  }
}
