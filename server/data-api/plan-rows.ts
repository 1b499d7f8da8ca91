// Looks up the names of one level: outputs, embeds, filters, order. Names that the catalogue does not know
// are refused here.
import { type Column, quoteName, type Relation } from './catalogue.ts'
import {
  badEmbedFilter,
  notEmbedded,
  notImplemented,
  noRelationship,
  relatedOrder,
  unknownColumn,
  unreadableQuery,
} from './faults.ts'
import { mapColumns } from './formula.ts'
import { type Limits, Tally } from './limits.ts'
import { findPath } from './paths.ts'
import type { Embed, Narrowed, Output, PlannedCondition, PlannedOrder } from './plan.ts'
import type { Path } from './relation.ts'
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

const knownColumn = (rows: Rows, name: string): Column | undefined =>
  rows.columns.get(name) ?? rows.relation?.computed.get(name)

function columnOf(rows: Rows, name: string): Column {
  const column = knownColumn(rows, name)
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

/** Embeds of one level by the name under which the request speaks of them. */
type Embeds = ReadonlyMap<string, Embed>

export interface PlannedRows {
  readonly outputs: readonly Output[]
  readonly hidden: readonly Embed[]
  /** For filters and orders of the same level. */
  readonly embeds: Embeds
}

const NO_EMBEDS: Embeds = new Map()

export function planOutputs(
  rows: Rows,
  select: readonly SelectItem[],
  embedded: ReadonlyMap<string, Narrowing>,
  context: PlanContext,
  tally = new Tally(context.limits),
): PlannedRows {
  const outputs: Output[] = []
  const hidden: Embed[] = []
  const embeds = new Map<string, Embed>()
  const narrowed = embedded.size === 0 ? embedded : byItem(select, embedded)
  for (const item of select) {
    if (item.kind === 'all') {
      const all = allColumns(rows, context.role)
      tally.add('starColumns', all.length)
      outputs.push(...all)
    } else if (item.kind === 'column') outputs.push(columnOutput(rows, item))
    else if (item.kind === 'aggregate') outputs.push(aggregateOutput(rows, item))
    else {
      const name = item.alias ?? item.name
      if (embeds.has(name))
        throw unreadableQuery('"select parameter"', `two embedded resources are called '${name}'`)
      const embed = planEmbed(rows, item, { narrowing: narrowed.get(name) ?? EVERYTHING, context, tally })
      embeds.set(name, embed)
      if (embed.outputs.length === 0) hidden.push(embed)
      else if (embed.spread) outputs.push(...liftedOutputs(embed))
      else outputs.push({ kind: 'embed', embed, name, label: quoteName(name) })
    }
  }
  return { outputs, hidden, embeds }
}

/**
 * Filters of an embedded resource speak of its alias, or of its name even if it has one: then of the first.
 */
function byItem(
  select: readonly SelectItem[],
  embedded: ReadonlyMap<string, Narrowing>,
): ReadonlyMap<string, Narrowing> {
  const items = select.filter((item) => item.kind === 'embed')
  const found = new Map<string, Narrowing>()
  for (const [name, narrowing] of embedded) {
    const item =
      items.find((one) => (one.alias ?? one.name) === name) ?? items.find((one) => one.name === name)
    if (item === undefined) throw notEmbedded(name)
    const key = item.alias ?? item.name
    if (found.has(key)) throw unreadableQuery(`"${name}"`, `it is called '${key}' in another filter`)
    found.set(key, narrowing)
  }
  return found
}

function columnOutput(rows: Rows, item: SelectItem & { kind: 'column' }): Output {
  const column = columnOf(rows, item.name)
  const name = item.alias ?? item.name
  const label = item.alias === null ? column.quoted : quoteName(item.alias)
  if (item.path === undefined && item.cast === undefined) return { kind: 'column', column, name, label }
  const { path, cast } = item
  return {
    kind: 'column',
    column,
    ...(path === undefined ? {} : { path }),
    ...(cast === undefined ? {} : { cast }),
    name,
    label,
  }
}

function aggregateOutput(
  rows: Rows,
  { of, name: of_, path, cast, resultCast, alias }: SelectItem & { kind: 'aggregate' },
): Output {
  const name = alias ?? of
  return {
    kind: 'aggregate',
    of,
    column: of_ === null ? null : columnOf(rows, of_),
    ...(path === undefined ? {} : { path }),
    ...(cast === undefined ? {} : { cast }),
    ...(resultCast === undefined ? {} : { resultCast }),
    name,
    label: quoteName(name),
  }
}

/** Columns of a spread resource; what it aggregates is aggregated over the rows that embed it. */
function liftedOutputs(embed: Embed): Output[] {
  return embed.outputs.map((output, at): Output => {
    const lifted = { kind: 'lifted' as const, embed, at, name: output.name, label: output.label }
    const aggregated = output.kind === 'aggregate' || (output.kind === 'lifted' && output.of !== undefined)
    if (!aggregated) return lifted
    if (!isToOne(embed.path))
      throw notImplemented('Aggregates are not implemented for one-to-many or many-to-many spreads.')
    const { of, resultCast } = output
    return {
      ...lifted,
      ...(of === undefined ? {} : { of }),
      ...(resultCast === undefined ? {} : { resultCast }),
    }
  })
}

export const isToOne = ({ cardinality }: Path): boolean =>
  cardinality === 'many-to-one' || cardinality === 'one-to-one'

export const isAggregated = (outputs: readonly Output[]): boolean =>
  outputs.some(
    (output) => output.kind === 'aggregate' || (output.kind === 'lifted' && output.of !== undefined),
  )

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
  const path = findPath(rows.relation, item.name, item.hint, context.role)
  const target = rowsOfRelation(path.target)
  const below = narrowing.embedded ?? NOTHING
  const { outputs, hidden, embeds } = planOutputs(target, item.items, below, context, tally)
  const narrowed = planNarrowing(target, narrowing, context, embeds)
  return { path, outputs, hidden, inner: item.inner, spread: item.spread, ...narrowed }
}

const NOTHING: ReadonlyMap<string, Narrowing> = new Map()

export function planNarrowing(
  rows: Rows,
  narrowing: Narrowing,
  { limits }: PlanContext,
  embeds: Embeds,
): Narrowed {
  return {
    conditions: planConditions(rows, narrowing.conditions, embeds),
    order: planOrder(rows, narrowing.order, embeds),
    ...planPage(narrowing.page, limits),
  }
}

/** No request gets more rows than the server's maximum. */
export const planPage = (page: Page, limits: Limits) => ({
  limit: Math.min(page.limit ?? limits.maxRows, limits.maxRows),
  offset: page.offset,
})

export const planOrder = (rows: Rows, order: readonly OrderTerm[], embeds: Embeds): readonly PlannedOrder[] =>
  order.map(({ relation, column, ...term }) => {
    if (relation === undefined) return { column: columnOf(rows, column), ...term }
    const embed = embeds.get(relation)
    if (embed === undefined) throw notEmbedded(relation)
    if (!isToOne(embed.path)) throw relatedOrder(rows.name, relation)
    return { embed, column: columnOf(rowsOfRelation(embed.path.target), column), ...term }
  })

export function planConditions(
  rows: Rows,
  conditions: readonly Condition[],
  embeds: Embeds = NO_EMBEDS,
): readonly PlannedCondition[] {
  return conditions.map((condition): PlannedCondition => {
    if (condition.kind === 'logic')
      return { ...condition, parts: planConditions(rows, condition.parts, embeds) }
    if (condition.kind === 'formula')
      return { kind: 'formula', formula: mapColumns(condition.formula, (name) => columnOf(rows, name)) }
    const { column: name, negated } = condition
    const embed = condition.path === undefined ? embeds.get(name) : undefined
    if (embed !== undefined) {
      if (condition.kind === 'is' && (condition.word === 'null' || condition.word === 'not_null'))
        return { kind: 'embedded', embed, negated: negated === (condition.word === 'not_null') }
      if (knownColumn(rows, name) === undefined) throw badEmbedFilter(name)
    }
    return { ...condition, column: columnOf(rows, name) }
  })
}
