// What read-catalogue.ts reads and catalogue.ts interprets.

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly default: string | null
  /** Evaluating the default again changes nothing and gives the same. */
  readonly repeatable?: boolean
  readonly readers: readonly string[]
}
export interface RelationRow {
  readonly id: number
  readonly schema: string
  readonly name: string
  /** Bits of pg_relation_is_updatable: 4 update, 8 insert, 16 delete. */
  readonly writable: number
  /** Row security, or a view, which may have tables with it behind it. Unset: not known, so yes. */
  readonly secured?: boolean
  /** False: a view that a trigger writes, where PostgreSQL cannot tell whether a row exists. Unset: yes. */
  readonly replaces?: boolean
  readonly columns: readonly ColumnRow[]
  readonly primary_key: readonly string[]
}
export interface ForeignKeyRow {
  readonly name: string
  readonly from_id: number
  readonly to_id: number
  readonly from_columns: readonly string[]
  readonly to_columns: readonly string[]
  /** At most one row points to each target row. */
  readonly from_unique: boolean
}
/** A function whose only argument is a row of a relation. */
export interface ComputedRow {
  readonly relation_id: number
  readonly schema: string
  readonly name: string
  readonly type: string
  /** The relation whose rows it returns; null for a value. */
  readonly target_id: number | null
  /** At most one row. */
  readonly one: boolean
}
/** The column of a table, or of another view, that a column of a view shows. */
export interface ViewColumnRow {
  readonly view_id: number
  readonly column: string
  readonly origin_id: number
  readonly origin: string
}
export interface FunctionRow {
  readonly schema: string
  readonly name: string
  readonly args: readonly { name: string; type: string; required: boolean; variadic: boolean }[]
  readonly set: boolean
  readonly returns: 'void' | 'scalar' | 'json' | 'rows'
  readonly columns: readonly { name: string; type: string }[]
  readonly row_relation: number | null
  readonly volatile: boolean
  /** Milliseconds from the function's own `set statement_timeout`. */
  readonly time_limit_ms: number | null
  /** Type of the result, that of a domain being its base. */
  readonly result?: string | null
  /** Name of the domain it returns if that is a media type. */
  readonly media?: string | null
}
export interface CatalogueRows {
  readonly relations: readonly RelationRow[]
  /** Also those of tables that only views show. */
  readonly foreign_keys: readonly ForeignKeyRow[]
  readonly computed?: readonly ComputedRow[]
  readonly view_columns?: readonly ViewColumnRow[]
  /** Primary keys of the tables behind views. */
  readonly origin_keys?: readonly { readonly table_id: number; readonly columns: readonly string[] }[]
  readonly functions: readonly FunctionRow[]
  readonly settings: readonly { role: string; name: string; value: string }[]
  /** PostGIS's function that makes a GeoJSON feature of a row, quoted; null without PostGIS. */
  readonly geojson?: string | null
}
