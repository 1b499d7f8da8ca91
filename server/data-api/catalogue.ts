// What is published: relations, functions and the paths between relations. A grant to a web role is what
// publishes.
import { ambiguousRelationship, noRelationship } from './faults.ts'
import type { CatalogueRows, FunctionRow, RelationRow } from './catalogue-rows.ts'

export interface Column {
  readonly name: string
  /** As written in a statement. */
  readonly quoted: string
  /** As PostgreSQL prints it, qualified unless it belongs to pg_catalog. */
  readonly type: string
  /** Expression of the default as PostgreSQL prints it; null if there is none. */
  readonly defaultSql: string | null
  /** Web roles that may read it. */
  readonly readers: readonly string[]
}

export interface Relation {
  readonly schema: string
  readonly name: string
  readonly quoted: string
  /** Writes that the relation supports, regardless of rights: a list made of several tables supports none. */
  readonly writes: ReadonlySet<'insert' | 'update' | 'delete'>
  readonly columns: ReadonlyMap<string, Column>
  readonly primaryKey: readonly Column[]
  readonly paths: readonly Path[]
}

type ColumnPair = readonly [outer: Column, inner: Column]

/** How rows of one relation lead to rows of another. */
export interface Path {
  readonly target: Relation
  readonly cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many'
  /** Outer column: of the relation we come from. Inner column: of the target (or of the junction). */
  readonly on: readonly ColumnPair[]
  readonly via: { readonly relation: Relation; readonly on: readonly ColumnPair[] } | null
  /** Words that choose this path: constraint, single column, junction. */
  readonly hints: readonly string[]
  readonly description: string
}

export interface Argument {
  readonly name: string
  readonly quoted: string
  readonly type: string
  readonly required: boolean
  readonly variadic: boolean
}

export interface Routine {
  readonly schema: string
  readonly name: string
  readonly quoted: string
  readonly args: ReadonlyMap<string, Argument>
  /** False if an argument has no name, because arguments are given by name. */
  readonly callable: boolean
  readonly set: boolean
  readonly returns: 'void' | 'scalar' | 'json' | 'rows'
  readonly columns: ReadonlyMap<string, Column>
  /** The relation whose row type is returned, if it is published too: then its rows can embed. */
  readonly rowsOf: Relation | null
  readonly volatile: boolean
  /**
   * A function may ask for more time than others get. Set inside it, the setting would come too late for the
   * statement that calls it.
   */
  readonly timeLimitMs: number | null
  readonly signature: string
}

/** The only function that quotes names. Names come from the catalogue (or are checked aliases). */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

const qualified = (schema: string, name: string) => `${quoteName(schema)}.${quoteName(name)}`

export class Catalogue {
  readonly #relations = new Map<string, Relation>()
  readonly #routines = new Map<string, Routine[]>()
  readonly #settings = new Map<string, Record<string, string>>()

  constructor(rows: CatalogueRows) {
    const byId = new Map<number, Relation & { paths: Path[] }>()
    for (const row of rows.relations) {
      const relation = toRelation(row)
      byId.set(row.id, relation)
      this.#relations.set(`${row.schema}.${row.name}`, relation)
    }
    addPaths(rows, byId)
    for (const row of rows.functions) {
      const key = `${row.schema}.${row.name}`
      this.#routines.set(key, [
        ...(this.#routines.get(key) ?? []),
        toRoutine(row, byId.get(row.row_relation ?? -1) ?? null),
      ])
    }
    for (const { role, name, value } of rows.settings)
      this.#settings.set(role, { ...this.#settings.get(role), [name]: value })
  }

  relation(schema: string, name: string): Relation | undefined {
    return this.#relations.get(`${schema}.${name}`)
  }

  routines(schema: string, name: string): readonly Routine[] {
    return this.#routines.get(`${schema}.${name}`) ?? []
  }

  /** Time limits set on the role: switching to it does not apply them. */
  settingsOf(role: string): Readonly<Record<string, string>> {
    return this.#settings.get(role) ?? {}
  }
}

function toColumn(row: {
  name: string
  type: string
  default?: string | null
  readers?: readonly string[]
}): Column {
  return {
    name: row.name,
    quoted: quoteName(row.name),
    type: row.type,
    defaultSql: row.default ?? null,
    readers: row.readers ?? [],
  }
}

const WRITES = [
  ['update', 4],
  ['insert', 8],
  ['delete', 16],
] as const

function toRelation(row: RelationRow): Relation & { paths: Path[] } {
  const columns = new Map(row.columns.map((column) => [column.name, toColumn(column)]))
  return {
    schema: row.schema,
    name: row.name,
    quoted: qualified(row.schema, row.name),
    writes: new Set(WRITES.filter(([, bit]) => (row.writable & bit) !== 0).map(([kind]) => kind)),
    columns,
    primaryKey: row.primary_key.flatMap((name) => columns.get(name) ?? []),
    paths: [],
  }
}

function toRoutine(row: FunctionRow, rowsOf: Relation | null): Routine {
  const args = row.args.map((arg): [string, Argument] => [arg.name, { ...arg, quoted: quoteName(arg.name) }])
  return {
    schema: row.schema,
    name: row.name,
    quoted: qualified(row.schema, row.name),
    args: new Map(args),
    callable: row.args.every(({ name }) => name !== ''),
    set: row.set,
    returns: row.returns,
    columns: new Map(row.columns.map((column) => [column.name, toColumn(column)])),
    rowsOf,
    volatile: row.volatile,
    timeLimitMs: row.time_limit_ms,
    signature: `${row.schema}.${row.name}(${row.args.map(({ name, type }) => `${name} => ${type}`).join(', ')})`,
  }
}

function addPaths(rows: CatalogueRows, byId: ReadonlyMap<number, Relation & { paths: Path[] }>): void {
  const foreign = rows.foreign_keys.flatMap((key) => {
    const from = byId.get(key.from_id)
    const to = byId.get(key.to_id)
    if (from === undefined || to === undefined) return []
    const pairs = key.from_columns.map((name, i): [Column | undefined, Column | undefined] => [
      from.columns.get(name),
      to.columns.get(key.to_columns[i] ?? ''),
    ])
    const on = pairs.filter(
      (pair): pair is [Column, Column] => pair[0] !== undefined && pair[1] !== undefined,
    )
    return on.length === pairs.length ? [{ ...key, from, to, on }] : []
  })
  for (const { name, from, to, on, from_unique } of foreign) {
    const column = on.length === 1 ? [on[0]?.[0].name ?? ''] : []
    const shown = (pairs: readonly ColumnPair[], side: 0 | 1) =>
      pairs.map((pair) => pair[side].name).join(', ')
    const description = `${name} using ${from.name}(${shown(on, 0)}) and ${to.name}(${shown(on, 1)})`
    const self = from === to // then the constraint leads to the many side, its column to the one side
    from.paths.push({
      target: to,
      cardinality: from_unique ? 'one-to-one' : 'many-to-one',
      on,
      via: null,
      hints: self ? column : [name, ...column],
      description,
    })
    to.paths.push({
      target: from,
      cardinality: from_unique ? 'one-to-one' : 'one-to-many',
      on: on.map(([a, b]) => [b, a]),
      via: null,
      hints: self ? [name] : [name, ...column],
      description,
    })
  }
  addJunctions(foreign)
}

interface ForeignKey {
  readonly name: string
  readonly from: Relation & { paths: Path[] }
  readonly to: Relation & { paths: Path[] }
  readonly on: readonly ColumnPair[]
}

/** A table whose primary key contains two foreign keys joins the two relations they reference. */
function addJunctions(foreign: readonly ForeignKey[]): void {
  for (const one of foreign) {
    for (const other of foreign) {
      const junction = one.from
      const inKey = (key: ForeignKey) => key.on.every(([column]) => junction.primaryKey.includes(column))
      if (one === other || other.from !== junction || !inKey(one) || !inKey(other)) continue
      one.to.paths.push({
        target: other.to,
        cardinality: 'many-to-many',
        on: one.on.map(([a, b]) => [b, a]),
        via: { relation: junction, on: other.on },
        hints: [junction.name, other.name],
        description: `${junction.name} using ${one.name} and ${other.name}`,
      })
    }
  }
}

/** The path between two relations; `hint` chooses if there are several. */
export function findPath(from: Relation, target: string, hint: string | null): Path {
  const found = from.paths.filter(
    (path) => path.target.name === target && (hint === null || path.hints.includes(hint)),
  )
  const [path, ...others] = found
  if (path === undefined) throw noRelationship(from.name, target, from.schema, hint)
  if (others.length === 0) return path
  throw ambiguousRelationship(
    from.name,
    target,
    found.map(({ hints, cardinality, description }) => ({
      hint: hints[0] ?? '',
      cardinality,
      relationship: description,
    })),
  )
}
