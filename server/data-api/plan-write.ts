// Plans writes: insert, upsert, update, delete.
import type { Column, Relation } from './catalogue.ts'
import {
  badBody,
  filtersOfPut,
  noFilter,
  notImplemented,
  otherKeyInPut,
  unknownBodyColumn,
  unknownColumn,
  unwritable,
} from './faults.ts'
import { checkCap } from './limits.ts'
import { methodsOf, takesPut } from './methods.ts'
import { type DeletePlan, embedsOf, type InsertPlan, type PlannedCondition, type UpdatePlan } from './plan.ts'
import {
  isAggregated,
  type PlanContext,
  planConditions,
  planOrder,
  planOutputs,
  type Rows,
  rowsOfRelation,
} from './plan-rows.ts'
import type { DeleteRequest, InsertRequest, Query, UpdateRequest } from './request.ts'

type WriteRequest = InsertRequest | UpdateRequest | DeleteRequest

export function planWrite(
  relation: Relation,
  request: WriteRequest,
  context: PlanContext,
): InsertPlan | UpdatePlan | DeletePlan {
  checkWritable(relation, request)
  const rows = rowsOfRelation(relation)
  const { query, preferences, media } = request
  const { embeds, ...planned } = planOutputs(rows, query.select, query.embedded, context)
  if (isAggregated(planned.outputs)) throw notImplemented('What was written is not aggregated')
  // !inner would hide changed rows from the answer and from max-affected.
  if (embedsOf(planned).some(({ inner }) => inner)) throw notImplemented('!inner does not apply to writes')
  const shared = {
    relation,
    media,
    count: preferences.count,
    returning: preferences.returning ?? ('minimal' as const),
    maxAffected: preferences.maxAffected,
    order: planOrder(rows, query.top.order, embeds),
    ...planned,
  }
  if (request.kind === 'delete')
    return { kind: 'delete', ...shared, conditions: planWriteFilter(rows, query, 'DELETE') }
  const { payload } = request
  const columns = writtenColumns(relation, query.columns, payload, context)
  const written = { payload, columns, missingDefault: preferences.missingDefault }
  if (request.kind === 'insert') {
    const put = request.put ? planPut(rows, request, columns) : null
    const conflict = conflictOf(relation, request)
    return { kind: 'insert', ...shared, ...written, maxAffected: null, conflict, put }
  }
  if (payload.rows > 1) throw badBody('Empty or invalid json', 'an update takes one object')
  return { kind: 'update', ...shared, ...written, conditions: planWriteFilter(rows, query, 'UPDATE') }
}

const METHODS = { insert: 'POST', update: 'PATCH', delete: 'DELETE' } as const

function checkWritable(relation: Relation, request: WriteRequest): void {
  const put = request.kind === 'insert' && request.put
  if (put ? takesPut(relation) : relation.writes.has(request.kind)) return
  throw unwritable(relation.name, put ? 'PUT' : METHODS[request.kind], methodsOf(relation).join(', '))
}

/** A forgotten filter must not change a whole table. */
function planWriteFilter(rows: Rows, query: Query, verb: 'UPDATE' | 'DELETE') {
  if (query.top.conditions.length === 0) throw noFilter(verb)
  return planConditions(rows, query.top.conditions)
}

/** The address names the row that PUT writes: every column of the primary key, each once. */
function planPut(
  rows: Rows,
  { query, payload }: InsertRequest,
  columns: readonly Column[],
): readonly PlannedCondition[] {
  const key = rows.relation?.primaryKey ?? []
  const conditions = planConditions(rows, query.top.conditions)
  const named = conditions.map((condition) => equalTo(condition))
  const whole = named.length === key.length && key.every((column) => named.includes(column))
  if (key.length === 0 || !whole) throw filtersOfPut()
  if (payload.rows !== 1 || !key.every((column) => columns.includes(column))) throw otherKeyInPut()
  return conditions
}

/** The column that a condition compares with one value; null for other conditions. */
const equalTo = (condition: PlannedCondition): Column | null =>
  condition.kind === 'value' &&
  condition.operator === 'eq' &&
  condition.of === undefined &&
  condition.path === undefined &&
  !condition.negated
    ? condition.column
    : null

/** By the primary key, unless on_conflict names another one; a relation without a key has no duplicates. */
function conflictOf(relation: Relation, { query, preferences, put }: InsertRequest): InsertPlan['conflict'] {
  if (put) return { key: relation.primaryKey, merge: true }
  if (preferences.resolution === null) return null
  const key =
    query.onConflict?.map((name) => {
      const column = relation.columns.get(name)
      if (column === undefined) throw unknownColumn(relation.name, name)
      return column
    }) ?? relation.primaryKey
  return key.length === 0 ? null : { key, merge: preferences.resolution === 'merge-duplicates' }
}

function writtenColumns(
  relation: Relation,
  asked: readonly string[] | null,
  payload: InsertRequest['payload'],
  { limits }: PlanContext,
): readonly Column[] {
  const names = asked ?? payload.keys
  if (names === null) throw badBody('All object keys must match')
  checkCap(limits, 'writtenColumns', names.length)
  return names.map((name) => {
    const column = relation.columns.get(name)
    if (column === undefined) throw unknownBodyColumn(relation.name, name)
    return column
  })
}
