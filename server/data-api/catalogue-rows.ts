// What read-catalogue.ts reads and catalogue.ts interprets.

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly default: string | null
  readonly readers: readonly string[]
}
export interface RelationRow {
  readonly id: number
  readonly schema: string
  readonly name: string
  /** Bits of pg_relation_is_updatable: 4 update, 8 insert, 16 delete. */
  readonly writable: number
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
}
export interface CatalogueRows {
  readonly relations: readonly RelationRow[]
  readonly foreign_keys: readonly ForeignKeyRow[]
  readonly functions: readonly FunctionRow[]
  readonly settings: readonly { role: string; name: string; value: string }[]
}
