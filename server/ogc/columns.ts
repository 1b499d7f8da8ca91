// What a feature says besides its place: the columns of a relation that callers may read, taken from the
// database, so that a new column appears by itself.
import type { Database } from '#server/database/database.ts'

export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'timestamp' | 'uuid' | 'json'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Whether a new feature may say it, and whether it may be changed later. */
  readonly inserted: boolean
  readonly updated: boolean
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  text: 'text',
  bool: 'boolean',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  numeric: 'number',
  float4: 'number',
  float8: 'number',
  date: 'date',
  timestamptz: 'timestamp',
  uuid: 'uuid',
  jsonb: 'json',
}

/** Keys for sorting and searching, and places, which are the geometry of the feature. */
const INTERNAL: ReadonlySet<string> = new Set([
  'geom',
  'g3857',
  'lage',
  'sortname',
  'sortadresse',
  'suchtext',
  'struktur_suche',
])

/** Columns of `app.<relation>` in their order. */
export async function readColumns(database: Database, relation: string): Promise<readonly Column[]> {
  const { rows } = await database.once<Omit<Column, 'type'> & { type: string }>(
    { role: 'nutzer', readOnly: true },
    {
      name: 'ogc_columns',
      text: `select a.attname::text as name, t.typname::text as type,
          pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'insert') as inserted,
          pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'update') as updated
        from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
        where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped
          and pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'select')
        order by a.attnum`,
      values: [`app.${relation}`],
    },
  )
  return rows.flatMap(({ type, ...column }) => {
    const known = TYPES[type]
    return known === undefined || INTERNAL.has(column.name) ? [] : [{ ...column, type: known }]
  })
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
