// Plans calls of functions.
import type { Argument, Catalogue, Routine } from './catalogue.ts'
import { chooseMedia, type Produced } from './choose-media.ts'
import { maxAffectedOnCall, notImplemented } from './faults.ts'
import { findRoutine, takesWhole, wholeArgument } from './find-routine.ts'
import { parseLoosePairs } from './parse-query.ts'
import type { CallPlan } from './plan.ts'
import { type PlanContext, planNarrowing, planOutputs, type Rows } from './plan-rows.ts'
import type { CallRequest, Query } from './request.ts'

export function planCall(
  catalogue: Catalogue,
  request: CallRequest,
  context: PlanContext,
  produced: Produced,
): CallPlan {
  const routine = findRoutine(catalogue, request)
  const media = chooseMedia(request, produced, routine)
  const { query, preferences } = request
  if (preferences.maxAffected !== null && !routine.set) throw maxAffectedOnCall()
  const isArgument = ({ name }: { name: string }) => routine.args.has(name)
  const loose = parseLoosePairs(
    query.pairs.filter((pair) => !isArgument(pair)),
    context.limits,
  )
  const top = { ...query.top, conditions: [...query.top.conditions, ...loose.conditions] }
  const embedded = new Map([...query.embedded, ...loose.embedded])
  const rows: Rows = { name: routine.name, columns: routine.columns, relation: routine.rowsOf }
  const { embeds, ...shown } =
    routine.returns === 'rows' ? planOutputs(rows, query.select, embedded, context) : onlyValue(query)
  return {
    kind: 'call',
    routine,
    head: request.method === 'HEAD',
    // A read may call any function: what it would change, the database refuses.
    readOnly: request.method !== 'POST' || !routine.volatile,
    media,
    count: preferences.count,
    maxAffected: preferences.maxAffected,
    given: givenTo(routine, request),
    ...shown,
    ...planNarrowing(rows, top, context, embeds),
  }
}

function onlyValue(query: Query) {
  if (query.select.length !== 1 || query.select[0]?.kind !== 'all') {
    throw notImplemented('select applies to functions that return rows')
  }
  return { outputs: [], hidden: [], embeds: new Map() }
}

function givenTo(routine: Routine, request: CallRequest): CallPlan['given'] {
  const { payload, query } = request
  if (payload === null) return { from: 'query', args: argumentsOf(routine, query.pairs) }
  const whole = wholeArgument(routine)
  const used = takesWhole(routine, request) || (payload.keys?.length ?? 0) > 0
  if (whole !== null && payload.whole !== null && used)
    return { from: 'whole', value: payload.whole.value, type: whole.type }
  const keys = query.columns ?? payload.keys ?? []
  if (payload.pairs !== null) {
    const pairs = payload.pairs.filter(({ name }) => keys.includes(name))
    return { from: 'query', args: argumentsOf(routine, pairs) }
  }
  return { from: 'body', text: payload.text, args: keys.flatMap((key) => routine.args.get(key) ?? []) }
}

/**
 * A variadic argument takes all its values, as does one that is an array and given more than once. Of others
 * the last value wins.
 */
function argumentsOf(routine: Routine, pairs: Query['pairs']) {
  const values = new Map<Argument, readonly string[]>()
  for (const { name, value } of pairs) {
    const argument = routine.args.get(name)
    if (argument !== undefined) values.set(argument, [...(values.get(argument) ?? []), value])
  }
  return [...values].map(([argument, all]) => {
    const several = argument.variadic || (all.length > 1 && argument.type.endsWith('[]'))
    return { argument, value: several ? all : (all.at(-1) ?? '') }
  })
}
