// Looks up the names of one level: outputs, embeds, filters, order. Names that the catalogue does not know
// are refused here.
import { type Column, findPath, quoteName, type Relation } from './catalogue.ts'
import { notEmbedded, notImplemented, noRelationship, unknownColumn, unreadableQuery } from './faults.ts'
import { type Limits, Tally } from './limits.ts'
import type { Embed, Narrowed, Output, PlannedCondition, PlannedOrder } from './plan.ts'
import type { Condition, Narrowing, OrderTerm, Page, SelectItem } from './request.ts'

/** Rows that can be selected from and filtered: a relation, or what a function returns. */
export interface Rows {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  /** Where paths to embedded rows start; null if there are none. */
  readonly relation: Relation | null
}

export const rowsOfRelation = (relation: Relation): Rows => ({
  name: relation.name,
  columns: relation.columns,
  relation,
})

export interface PlanContext {
  readonly limits: Limits
  readonly role: string
}

const EVERYTHING: Narrowing = { conditions: [], order: [], page: { offset: 0, limit: null } }

function columnOf(rows: Rows, name: string): Column {
  const column = rows.columns.get(name)
  if (column === undefined) throw unknownColumn(rows.name, name)
  return column
}

/** `*` stands for what the role may read; if it may read nothing, PostgreSQL is left to say so. */
function allColumns(rows: Rows, role: string): Output[] {
  const all = [...rows.columns.values()]
  const readable = rows.relation === null ? all : all.filter((column) => column.readers.includes(role))
  return (readable.length > 0 ? readable : all).map((column) => ({
    kind: 'column',
    column,
    name: column.name,
    label: column.quoted,
  }))
}

export interface PlannedRows {
  readonly outputs: readonly Output[]
  readonly hidden: readonly Embed[]
}

export function planOutputs(
  rows: Rows,
  select: readonly SelectItem[],
  embedded: ReadonlyMap<string, Narrowing>,
  context: PlanContext,
  tally = new Tally(context.limits),
): PlannedRows {
  const outputs: Output[] = []
  const hidden: Embed[] = []
  const names = new Set<string>()
  for (const item of select) {
    if (item.kind === 'all') {
      const all = allColumns(rows, context.role)
      tally.add('starColumns', all.length)
      outputs.push(...all)
    } else if (item.kind === 'column') {
      const name = item.alias ?? item.name
      outputs.push({ kind: 'column', column: columnOf(rows, item.name), name, label: quoteName(name) })
    } else if (item.kind === 'aggregate') {
      const name = item.alias ?? item.of
      const column = item.name === null ? null : columnOf(rows, item.name)
      outputs.push({ kind: 'aggregate', of: item.of, column, name, label: quoteName(name) })
    } else {
      const name = item.alias ?? item.name
      if (names.has(name))
        throw unreadableQuery('"select parameter"', `two embedded resources are called '${name}'`)
      names.add(name)
      const embed = planEmbed(rows, item, { narrowing: embedded.get(name) ?? EVERYTHING, context, tally })
      if (item.items.length === 0) hidden.push(embed)
      else outputs.push({ kind: 'embed', embed, name, label: quoteName(name) })
    }
  }
  for (const name of embedded.keys()) if (!names.has(name)) throw notEmbedded(name)
  return { outputs, hidden }
}

export const isAggregated = (outputs: readonly Output[]): boolean =>
  outputs.some(({ kind }) => kind === 'aggregate')

/**
 * Aggregated rows can be ordered only by selected columns, embed nothing, and do not count the rows they were
 * made of.
 */
export function checkAggregated({
  outputs,
  hidden,
  order,
  count,
}: PlannedRows & Narrowed & { readonly count: boolean }): void {
  if (!isAggregated(outputs)) return
  const grouped = new Set(outputs.flatMap((output) => (output.kind === 'column' ? [output.column] : [])))
  if (hidden.length > 0 || outputs.some(({ kind }) => kind === 'embed'))
    throw notImplemented('Nothing is embedded into aggregated rows')
  if (order.some(({ column }) => !grouped.has(column)))
    throw notImplemented('Aggregated rows are ordered by selected columns alone')
  if (count) throw notImplemented('Aggregated rows are not counted')
}

interface Around {
  readonly narrowing: Narrowing
  readonly context: PlanContext
  readonly tally: Tally
}

function planEmbed(
  rows: Rows,
  item: SelectItem & { kind: 'embed' },
  { narrowing, context, tally }: Around,
): Embed {
  if (rows.relation === null) throw noRelationship(rows.name, item.name, '', item.hint)
  const path = findPath(rows.relation, item.name, item.hint)
  const target = rowsOfRelation(path.target)
  const { outputs } = planOutputs(target, item.items, new Map(), context, tally)
  return { path, outputs, inner: item.inner, ...planNarrowing(target, narrowing, context) }
}

export function planNarrowing(rows: Rows, narrowing: Narrowing, { limits }: PlanContext): Narrowed {
  return {
    conditions: planConditions(rows, narrowing.conditions),
    order: planOrder(rows, narrowing.order),
    ...planPage(narrowing.page, limits),
  }
}

/** No request gets more rows than the server's maximum. */
export const planPage = (page: Page, limits: Limits) => ({
  limit: Math.min(page.limit ?? limits.maxRows, limits.maxRows),
  offset: page.offset,
})

export const planOrder = (rows: Rows, order: readonly OrderTerm[]): readonly PlannedOrder[] =>
  order.map(({ column, direction, nulls }) => ({ column: columnOf(rows, column), direction, nulls }))

export function planConditions(rows: Rows, conditions: readonly Condition[]): readonly PlannedCondition[] {
  return conditions.map((condition): PlannedCondition => {
    if (condition.kind === 'logic') return { ...condition, parts: planConditions(rows, condition.parts) }
    return { ...condition, column: columnOf(rows, condition.column) }
  })
}
