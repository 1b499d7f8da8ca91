// What is known of a relation: its columns, and the paths to other relations.

export interface Column {
  readonly name: string
  /** As written in a statement. */
  readonly quoted: string
  /** As PostgreSQL prints it, qualified unless it belongs to pg_catalog. */
  readonly type: string
  /** Expression of the default as PostgreSQL prints it; null if there is none. */
  readonly defaultSql: string | null
  /** Evaluating the default again changes nothing and gives the same, within a transaction. */
  readonly isRepeatable: boolean
  /** Web roles that may read it. */
  readonly readers: readonly string[]
  /** For a computed column: the call that computes it, up to the row it is given. */
  readonly computed?: Computed
}

/** A function over the rows of a relation. */
export interface Computed {
  readonly quoted: string
  /** Type of its argument: what the row has to be. */
  readonly rowType: string
}

export interface Relation {
  readonly schema: string
  readonly name: string
  readonly quoted: string
  /** Some of its rows may be hidden, so nobody learns what PostgreSQL expects to find in it. */
  readonly secured: boolean
  /** Writes that the relation supports, regardless of rights: a list made of several tables supports none. */
  readonly writes: ReadonlySet<'insert' | 'update' | 'delete'>
  /** An insert may replace the row that exists. */
  readonly replaces: boolean
  readonly columns: ReadonlyMap<string, Column>
  /** Functions over its rows; read only when asked for by name. */
  readonly computed: ReadonlyMap<string, Column>
  /** Of a view that of the tables behind it, as far as it shows all of it. */
  readonly primaryKey: readonly Column[]
  readonly paths: readonly Path[]
}

export type ColumnPair = readonly [outer: Column, inner: Column]

export interface Path {
  readonly target: Relation
  readonly cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many'
  /** Outer column: of the relation we come from. Inner column: of the target (or of the junction). */
  readonly on: readonly ColumnPair[]
  readonly via: { readonly relation: Relation; readonly on: readonly ColumnPair[] } | null
  /** The function that returns the rows, instead of columns that join them; null for keys. */
  readonly call: { readonly name: string; readonly quoted: string; readonly rowType: string } | null
  /** The foreign key is ours and not the target's. */
  readonly holds: boolean
  /** Words besides the target's name that name this path on their own. */
  readonly names: readonly string[]
  /** Words that choose this path: constraint, single column, junction. The first is the one we suggest. */
  readonly hints: readonly string[]
  readonly description: string
}

/** A relation whose paths, computed columns and (of a view) key are still being found. */
export interface OpenRelation extends Relation {
  readonly primaryKey: Column[]
  readonly computed: Map<string, Column>
  readonly paths: Path[]
}

/** The only function that quotes names. Names come from the catalogue (or are checked aliases). */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const qualified = (schema: string, name: string) => `${quoteName(schema)}.${quoteName(name)}`
