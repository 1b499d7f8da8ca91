// Turns request and catalogue into a plan: reads, writes and calls.
import type { Argument, Catalogue, Column, Relation, Routine } from './catalogue.ts'
import {
  ambiguousFunction,
  badBody,
  badCallMethod,
  maxAffectedOnCall,
  noFilter,
  noMediaType,
  notImplemented,
  unknownBodyColumn,
  unknownFunction,
  unknownRelation,
  unwritable,
} from './faults.ts'
import { checkCap } from './limits.ts'
import { parseLoosePairs } from './parse-query.ts'
import type { CallPlan, DeletePlan, InsertPlan, Plan, ReadPlan, UpdatePlan } from './plan.ts'
import {
  checkAggregated,
  isAggregated,
  type PlanContext,
  planConditions,
  planNarrowing,
  planOrder,
  planOutputs,
  type Rows,
  rowsOfRelation,
} from './plan-rows.ts'
import type {
  ApiRequest,
  CallRequest,
  DeleteRequest,
  InsertRequest,
  Query,
  ReadRequest,
  UpdateRequest,
} from './request.ts'

export function planRequest(catalogue: Catalogue, request: ApiRequest, context: PlanContext): Plan {
  if (request.kind === 'call') return planCall(findRoutine(catalogue, request), request, context)
  const relation = catalogue.relation(request.schema, request.target)
  if (relation === undefined) throw unknownRelation(request.schema, request.target)
  if (request.kind === 'read') return planRead(relation, request, context)
  return planWrite(relation, request, context)
}

function planRead(relation: Relation, request: ReadRequest, context: PlanContext): ReadPlan {
  const rows = rowsOfRelation(relation)
  const plan: ReadPlan = {
    kind: 'read',
    relation,
    head: request.head,
    media: request.media,
    count: request.preferences.count,
    ...planOutputs(rows, request.query.select, request.query.embedded, context),
    ...planNarrowing(rows, request.query.top, context),
  }
  checkAggregated(plan)
  return plan
}

type WriteRequest = InsertRequest | UpdateRequest | DeleteRequest

function planWrite(
  relation: Relation,
  request: WriteRequest,
  context: PlanContext,
): InsertPlan | UpdatePlan | DeletePlan {
  checkWritable(relation, request.kind)
  const rows = rowsOfRelation(relation)
  const { query, preferences, media } = request
  const planned = planOutputs(rows, query.select, query.embedded, context)
  if (isAggregated(planned.outputs)) throw notImplemented('What was written is not aggregated')
  const joins = [
    ...planned.hidden,
    ...planned.outputs.flatMap((output) => (output.kind === 'embed' ? [output.embed] : [])),
  ]
  // !inner would hide changed rows from the answer and from max-affected.
  if (joins.some(({ inner }) => inner)) throw notImplemented('!inner does not apply to writes')
  const shared = {
    relation,
    media,
    count: preferences.count,
    returning: preferences.returning ?? ('minimal' as const),
    maxAffected: preferences.maxAffected,
    order: planOrder(rows, query.top.order),
    ...planned,
  }
  if (request.kind === 'delete')
    return { kind: 'delete', ...shared, conditions: planWriteFilter(rows, query, 'DELETE') }
  const { payload } = request
  const columns = writtenColumns(relation, query.columns, payload, context)
  const written = { payload, columns, missingDefault: preferences.missingDefault }
  if (request.kind === 'insert') return { kind: 'insert', ...shared, ...written, maxAffected: null }
  if (payload.rows > 1) throw badBody('Empty or invalid json', 'an update takes one object')
  return { kind: 'update', ...shared, ...written, conditions: planWriteFilter(rows, query, 'UPDATE') }
}

const METHODS = { insert: 'POST', update: 'PATCH', delete: 'DELETE' } as const

function checkWritable({ name, writes }: Relation, kind: WriteRequest['kind']): void {
  if (!writes.has(kind))
    throw unwritable(
      name,
      METHODS[kind],
      ['GET', 'HEAD', ...[...writes].map((one) => METHODS[one])].join(', '),
    )
}

/** A forgotten filter must not change a whole table. */
function planWriteFilter(rows: Rows, query: Query, verb: 'UPDATE' | 'DELETE') {
  if (query.top.conditions.length === 0) throw noFilter(verb)
  return planConditions(rows, query.top.conditions)
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
  if (names.length === 0 && payload.rows > 1)
    throw badBody('Empty or invalid json', 'only one row can consist of defaults alone')
  return names.map((name) => {
    const column = relation.columns.get(name)
    if (column === undefined) throw unknownBodyColumn(relation.name, name)
    return column
  })
}

/**
 * The names of the arguments decide. Two functions of the same name are refused, because the caller could not
 * tell which one ran.
 */
function findRoutine(catalogue: Catalogue, { schema, target, query, payload }: CallRequest): Routine {
  const given = payload?.keys ?? query.pairs.map(({ name }) => name)
  const [routine, ...others] = catalogue.routines(schema, target)
  if (others.length > 0 && routine !== undefined)
    throw ambiguousFunction([routine, ...others].map(({ signature }) => signature))
  if (routine === undefined || !routine.callable) throw unknownFunction(schema, target, given)
  const missing = [...routine.args.values()].some(
    ({ name, required, variadic }) => required && !variadic && !given.includes(name),
  )
  const unknown = payload !== null && given.some((name) => !routine.args.has(name))
  if (missing || unknown) throw unknownFunction(schema, target, [...new Set(given)])
  return routine
}

function planCall(routine: Routine, request: CallRequest, context: PlanContext): CallPlan {
  const { query, preferences, media } = request
  if (request.method !== 'POST' && routine.volatile) throw badCallMethod(request.method, 'POST')
  if (preferences.maxAffected !== null && !routine.set) throw maxAffectedOnCall()
  if (media.shape === 'csv' && routine.returns !== 'rows') throw noMediaType('text/csv')
  const isArgument = ({ name }: { name: string }) => routine.args.has(name)
  const loose = parseLoosePairs(
    query.pairs.filter((pair) => !isArgument(pair)),
    context.limits,
  )
  const top = { ...query.top, conditions: [...query.top.conditions, ...loose.conditions] }
  const embedded = new Map([...query.embedded, ...loose.embedded])
  const rows: Rows = { name: routine.name, columns: routine.columns, relation: routine.rowsOf }
  const shown =
    routine.returns === 'rows' ? planOutputs(rows, query.select, embedded, context) : onlyValue(query)
  const plan: CallPlan = {
    kind: 'call',
    routine,
    head: request.method === 'HEAD',
    media,
    count: preferences.count,
    maxAffected: preferences.maxAffected,
    given:
      request.payload === null
        ? { from: 'query', args: argumentsInQuery(routine, query) }
        : {
            from: 'body',
            text: request.payload.text,
            args: argumentsInBody(routine, request.payload.keys ?? []),
          },
    ...shown,
    ...planNarrowing(rows, top, context),
  }
  checkAggregated(plan)
  return plan
}

function onlyValue(query: Query) {
  if (query.select.length !== 1 || query.select[0]?.kind !== 'all') {
    throw notImplemented('select applies to functions that return rows')
  }
  return { outputs: [], hidden: [] }
}

const argumentsInBody = (routine: Routine, keys: readonly string[]): Argument[] =>
  keys.flatMap((key) => routine.args.get(key) ?? [])

/** If a name appears twice, the last value wins; a variadic argument takes them all. */
function argumentsInQuery(routine: Routine, { pairs }: Query) {
  const values = new Map<Argument, string | readonly string[]>()
  for (const { name, value } of pairs) {
    const argument = routine.args.get(name)
    if (argument === undefined) continue
    values.set(argument, argument.variadic ? [...(values.get(argument) ?? []), value] : value)
  }
  return [...values].map(([argument, value]) => ({ argument, value }))
}
