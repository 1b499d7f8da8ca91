// What is published: relations, functions and the paths between relations. A grant to a web role is what
// publishes.
import type { CatalogueRows, FunctionRow, RelationRow } from './catalogue-rows.ts'
import { addPaths } from './paths.ts'
import { type Column, type OpenRelation, qualified, quoteName, type Relation } from './relation.ts'

export { type Column, quoteName, type Relation } from './relation.ts'

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
  /** As PostgreSQL prints it; a domain's is that of its base. */
  readonly resultType: string | null
  /** The media type that the result is of, by a domain with its name. */
  readonly media: string | null
  readonly signature: string
}

export class Catalogue {
  readonly #relations = new Map<string, Relation>()
  readonly #routines = new Map<string, Routine[]>()
  readonly #settings = new Map<string, Record<string, string>>()
  /** The function that makes a GeoJSON feature of a row, as written in a statement; null without PostGIS. */
  readonly geojson: string | null

  constructor(rows: CatalogueRows) {
    this.geojson = rows.geojson ?? null
    const byId = new Map<number, OpenRelation>()
    for (const row of rows.relations) {
      const relation = toRelation(row)
      byId.set(row.id, relation)
      this.#relations.set(`${row.schema}.${row.name}`, relation)
    }
    addComputed(rows, byId)
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
  repeatable?: boolean
  readers?: readonly string[]
}): Column {
  return {
    name: row.name,
    quoted: quoteName(row.name),
    type: row.type,
    defaultSql: row.default ?? null,
    isRepeatable: row.repeatable ?? false,
    readers: row.readers ?? [],
  }
}

const WRITES = [
  ['update', 4],
  ['insert', 8],
  ['delete', 16],
] as const

function toRelation(row: RelationRow): OpenRelation {
  const columns = new Map(row.columns.map((column) => [column.name, toColumn(column)]))
  return {
    schema: row.schema,
    name: row.name,
    quoted: qualified(row.schema, row.name),
    secured: row.secured ?? true,
    writes: new Set(WRITES.filter(([, bit]) => (row.writable & bit) !== 0).map(([kind]) => kind)),
    replaces: row.replaces ?? true,
    columns,
    computed: new Map(),
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
    resultType: row.result ?? null,
    media: row.media ?? null,
    signature: `${row.schema}.${row.name}(${row.args.map(({ name, type }) => `${name} => ${type}`).join(', ')})`,
  }
}

/** A real column hides a function of the same name. */
function addComputed(rows: CatalogueRows, byId: ReadonlyMap<number, OpenRelation>): void {
  for (const { relation_id, schema, name, type, target_id } of rows.computed ?? []) {
    const relation = byId.get(relation_id)
    if (relation === undefined || target_id !== null || relation.columns.has(name)) continue
    const computed = { quoted: qualified(schema, name), rowType: relation.quoted }
    relation.computed.set(name, { ...toColumn({ name, type }), computed })
  }
}
