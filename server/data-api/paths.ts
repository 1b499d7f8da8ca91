// How rows of one relation lead to rows of another: by foreign keys (of tables, and of the tables behind
// views), through junctions, and by functions over rows.
import type { CatalogueRows, ForeignKeyRow, ViewColumnRow } from './catalogue-rows.ts'
import { ambiguousRelationship, noRelationship } from './faults.ts'
import {
  type Column,
  type ColumnPair,
  type OpenRelation,
  type Path,
  qualified,
  type Relation,
} from './relation.ts'

/** A relation as one side of a foreign key: the table itself or a view that shows the key's columns. */
interface Face {
  readonly relation: OpenRelation
  readonly view: boolean
  /** The key's columns as they are called here. */
  readonly columns: readonly Column[]
}

/** A foreign key between two published relations. */
interface Link {
  readonly name: string
  readonly from: Face
  readonly to: Face
  readonly on: readonly ColumnPair[]
  readonly unique: boolean
  /** Its table is published, so its name is no secret. */
  readonly told: boolean
}

/** A view may show a column more than once; more combinations than this are not looked at. */
const MOST_FACES = 4

export function addPaths(rows: CatalogueRows, byId: ReadonlyMap<number, OpenRelation>): void {
  const faces = new Faces(rows, byId)
  const links = rows.foreign_keys.flatMap((key) => linksOf(key, faces, byId))
  for (const link of links) addLink(link)
  addJunctions(links, faces)
  for (const [view, key] of faces.viewKeys) view.primaryKey.push(...key)
  addCalls(rows, byId)
}

/** Finds the relations that show given columns of a table. */
class Faces {
  readonly #byId: ReadonlyMap<number, OpenRelation>
  /** By table: the views that show it, with their columns by those of the table. */
  readonly #views = new Map<number, Map<OpenRelation, Map<string, Column[]>>>()
  readonly #keys = new Map<Relation, readonly Column[]>()
  /** The keys that each view shows, one of each table: together they name a row of a join. */
  readonly viewKeys = new Map<OpenRelation, Set<Column>>()

  constructor(rows: CatalogueRows, byId: ReadonlyMap<number, OpenRelation>) {
    this.#byId = byId
    for (const { view_id, column, table_id, origin } of tracedColumns(rows.view_columns ?? [])) {
      const view = byId.get(view_id)
      const shown = view?.columns.get(column)
      if (view === undefined || shown === undefined) continue
      const views = this.#views.get(table_id) ?? new Map<OpenRelation, Map<string, Column[]>>()
      const columns = views.get(view) ?? new Map<string, Column[]>()
      columns.set(origin, [...(columns.get(origin) ?? []), shown])
      this.#views.set(table_id, views.set(view, columns))
    }
    for (const { table_id, columns } of rows.origin_keys ?? [])
      this.#addKeys(this.#ofViews(table_id, columns))
  }

  #addKeys(shown: readonly Face[]): void {
    // A view may show the same key of a table twice.
    for (const { relation, columns } of new Map(
      shown.toReversed().map((face) => [face.relation, face]),
    ).values()) {
      if (!this.#keys.has(relation)) this.#keys.set(relation, columns)
      this.viewKeys.set(relation, new Set([...(this.viewKeys.get(relation) ?? []), ...columns]))
    }
  }

  of(tableId: number, columns: readonly string[]): readonly Face[] {
    const table = this.#byId.get(tableId)
    const own = table === undefined ? [] : columns.flatMap((name) => table.columns.get(name) ?? [])
    const face =
      table !== undefined && own.length === columns.length
        ? [{ relation: table, view: false, columns: own }]
        : []
    return [...face, ...this.#ofViews(tableId, columns)]
  }

  /** Primary key, for a view that of the first table whose key it shows. */
  keyOf(relation: Relation): readonly Column[] {
    return relation.primaryKey.length > 0 ? relation.primaryKey : (this.#keys.get(relation) ?? [])
  }

  #ofViews(tableId: number, columns: readonly string[]): readonly Face[] {
    return [...(this.#views.get(tableId) ?? [])].flatMap(([relation, shown]) =>
      combined(columns.map((name) => shown.get(name) ?? [])).map((list) => ({
        relation,
        view: true,
        columns: list,
      })),
    )
  }
}

interface TracedColumn {
  readonly view_id: number
  readonly column: string
  readonly table_id: number
  readonly origin: string
}

/** Views of views, followed down to the tables. */
function tracedColumns(rows: readonly ViewColumnRow[]): readonly TracedColumn[] {
  const key = (id: number, column: string) => `${id}.${column}`
  const byColumn = new Map(rows.map((row) => [key(row.view_id, row.column), row]))
  const views = new Set(rows.map(({ view_id }) => view_id))
  return rows.flatMap(({ view_id, column, ...first }) => {
    let at: { readonly origin_id: number; readonly origin: string } | undefined = first
    for (let steps = 0; at !== undefined && views.has(at.origin_id) && steps < MOST_VIEWS; steps++)
      at = byColumn.get(key(at.origin_id, at.origin))
    if (at === undefined || views.has(at.origin_id)) return []
    return [{ view_id, column, table_id: at.origin_id, origin: at.origin }]
  })
}

/** Views below each other; PostgreSQL allows no circle. */
const MOST_VIEWS = 16

/** One of each, in all combinations; none if one list is empty. */
function combined(lists: readonly (readonly Column[])[]): readonly (readonly Column[])[] {
  let all: (readonly Column[])[] = [[]]
  for (const list of lists)
    all = all.flatMap((before) => list.map((column) => [...before, column])).slice(0, MOST_FACES)
  return all
}

function linksOf(key: ForeignKeyRow, faces: Faces, byId: ReadonlyMap<number, OpenRelation>): readonly Link[] {
  const told = byId.has(key.from_id)
  return faces.of(key.from_id, key.from_columns).flatMap((from) =>
    faces.of(key.to_id, key.to_columns).map((to) => ({
      name: key.name,
      from,
      to,
      on: from.columns.map((column, i): ColumnPair => [column, to.columns[i] as Column]),
      unique: key.from_unique,
      told,
    })),
  )
}

const listed = (columns: readonly Column[]) => columns.map(({ name }) => name).join(', ')

function addLink({ name, from, to, on, unique, told }: Link): void {
  const single = on.length === 1 ? [on[0]?.[0].name ?? '', on[0]?.[1].name ?? ''] : []
  const hints = told ? [name, ...single] : [...single, name]
  const described = (first: Face, second: Face) =>
    `${told ? name : 'foreign key'} using ${first.relation.name}(${listed(first.columns)}) ` +
    `and ${second.relation.name}(${listed(second.columns)})`
  const shared = { via: null, call: null, hints }
  from.relation.paths.push({
    ...shared,
    target: to.relation,
    cardinality: unique ? 'one-to-one' : 'many-to-one',
    on,
    holds: true,
    names: to.view ? [] : [name, ...single.slice(0, 1)],
    description: described(from, to),
  })
  to.relation.paths.push({
    ...shared,
    target: from.relation,
    cardinality: unique ? 'one-to-one' : 'one-to-many',
    on: on.map(([a, b]) => [b, a]),
    holds: false,
    names: from.view ? [] : [name, ...single.slice(1)],
    description: described(to, from),
  })
}

/**
 * A table whose primary key contains two foreign keys joins the two relations they reference. A view of such
 * a table does so only where the table itself is not published.
 */
function addJunctions(links: readonly Link[], faces: Faces): void {
  const byRelation = Map.groupBy(links, ({ from }) => from.relation)
  for (const [junction, around] of byRelation) {
    const key = faces.keyOf(junction)
    const inKey = around.filter((link) => link.on.every(([column]) => key.includes(column)))
    for (const one of inKey)
      for (const other of inKey)
        if (one.name !== other.name && !(one.from.view && one.told)) addJunction(junction, one, other)
  }
}

function addJunction(junction: Relation, one: Link, other: Link): void {
  one.to.relation.paths.push({
    target: other.to.relation,
    cardinality: 'many-to-many',
    on: one.on.map(([a, b]) => [b, a]),
    via: { relation: junction, on: other.on },
    call: null,
    holds: false,
    names: [],
    hints: [junction.name, other.name],
    description:
      `${junction.name} using ${one.told ? one.name : 'foreign key'}(${listed(one.from.columns)}) ` +
      `and ${other.told ? other.name : 'foreign key'}(${listed(other.from.columns)})`,
  })
}

function addCalls(rows: CatalogueRows, byId: ReadonlyMap<number, OpenRelation>): void {
  for (const { relation_id, schema, name, target_id, one } of rows.computed ?? []) {
    const from = byId.get(relation_id)
    const target = target_id === null ? undefined : byId.get(target_id)
    if (from === undefined || target === undefined) continue
    from.paths.push({
      target,
      cardinality: one ? 'many-to-one' : 'one-to-many',
      on: [],
      via: null,
      call: { name, quoted: qualified(schema, name), rowType: from.quoted },
      holds: false,
      names: [name],
      hints: [],
      description: '',
    })
  }
}

/**
 * The path from a relation to what `target` names; `hint` chooses if there are several. The choices named in
 * a refusal are those between relations that the role may read.
 */
export function findPath(from: Relation, target: string, hint: string | null, role: string): Path {
  const computed = from.paths.find(({ call }) => call?.name === target)
  if (computed !== undefined) return computed
  const found = from.paths.filter((path) => path.call === null && leads(path, from, target, hint))
  const [path, ...others] = found
  if (path === undefined) throw noRelationship(from.name, target, from.schema, hint)
  if (others.length === 0) return path
  throw ambiguousRelationship(
    from.name,
    target,
    found
      .filter((choice) => isTold(choice, role))
      .map((choice) => ({
        target: choice.target.name,
        hint: choice.hints[0] ?? '',
        cardinality: choice.cardinality,
        relationship: choice.description,
      })),
  )
}

const isTold = ({ target, via }: Path, role: string): boolean =>
  isReadable(target, role) && (via === null || isReadable(via.relation, role))

const isReadable = ({ columns }: Relation, role: string): boolean =>
  [...columns.values()].some(({ readers }) => readers.includes(role))

function leads(path: Path, from: Relation, target: string, hint: string | null): boolean {
  const named = path.target.name === target
  // A foreign key to the same table leads both ways: by the table's name to the many, by the column to the one.
  if (path.target === from) {
    if (hint !== null) return named && !path.holds && path.hints.includes(hint)
    if (path.cardinality === 'many-to-many') return false
    return path.holds ? path.names.includes(target) : named
  }
  return hint === null ? named || path.names.includes(target) : named && path.hints.includes(hint)
}
