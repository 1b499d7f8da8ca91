// Which function a call means: the names of its arguments decide.
import type { Argument, Catalogue, Routine } from './catalogue.ts'
import { ambiguousFunction, badBody, unknownFunction } from './faults.ts'
import type { BodyType } from './parse-media.ts'
import type { CallRequest } from './request.ts'

const OPERATORS =
  'eq|neq|gt|gte|lt|lte|like|ilike|match|imatch|in|is|isdistinct|fts|plfts|phfts|wfts|cs|cd|ov|sl|sr|nxr|nxl|adj'
/** What looks like a filter of the result, unless the function has an argument of that name. */
const FILTER = new RegExp(`^(not[.])?(${OPERATORS})[.(]`)

const WHOLE: Readonly<Record<BodyType, readonly string[]>> = {
  json: ['json', 'jsonb'],
  text: ['text'],
  xml: ['xml'],
  bytes: ['bytea'],
  csv: [],
  form: [],
}

/** The only argument, if it has no name and a type that a body can be as it is. */
export function wholeArgument(routine: Routine): Argument | null {
  const [argument, ...others] = routine.args.values()
  if (argument === undefined || others.length > 0 || argument.name !== '' || argument.variadic) return null
  return Object.values(WHOLE).some((types) => types.includes(argument.type)) ? argument : null
}

/** Whether it takes a body of this type. */
export function takesWhole(routine: Routine, { payload }: CallRequest): boolean {
  const type = payload?.whole?.type
  const argument = wholeArgument(routine)
  return type !== undefined && argument !== null && WHOLE[type].includes(argument.type)
}

/** Throws PGRST202 if no function has these arguments, PGRST203 if several have. */
export function findRoutine(catalogue: Catalogue, request: CallRequest): Routine {
  const { schema, target, payload } = request
  const all = catalogue.routines(schema, target)
  const found = payload?.named === false ? [] : namedRoutines(all, request)
  const chosen = found.length > 0 ? found : all.filter((one) => takesWhole(one, request))
  const [routine, ...others] = chosen
  if (routine !== undefined && others.length === 0) return routine
  if (routine !== undefined) throw ambiguousFunction(chosen.map(({ signature }) => signature))
  if (payload?.named === false && payload.whole?.type === 'json' && all.length > 0)
    throw badBody('Empty or invalid json', 'the arguments of a function are one object')
  const type = payload?.whole?.type
  const whole = type === undefined ? null : type === 'json' ? 'json/jsonb' : (WHOLE[type][0] ?? null)
  throw unknownFunction(schema, target, givenNames(request), whole)
}

const givenNames = ({ payload, query }: CallRequest): readonly string[] =>
  payload === null ? [...new Set(query.pairs.map(({ name }) => name))] : (query.columns ?? payload.keys ?? [])

function namedRoutines(all: readonly Routine[], request: CallRequest): readonly Routine[] {
  // An argument without a name can be given by a body alone.
  const body = request.payload?.whole != null
  const callable = all.filter((routine) => routine.callable || (body && wholeArgument(routine) !== null))
  if (request.payload !== null) {
    const given = givenNames(request)
    return callable.filter((routine) => takes(routine, given))
  }
  const { pairs } = request.query
  // First as the dialect reads it: what looks like a filter is one.
  const plain = pairs.filter(({ value }) => !FILTER.test(value)).map(({ name }) => name)
  const strict = callable.length > 1 ? callable.filter((routine) => takes(routine, plain)) : []
  if (strict.length > 0) return strict
  return callable.filter((routine) =>
    takes(
      routine,
      pairs
        .filter(({ name, value }) => routine.args.has(name) || !FILTER.test(value))
        .map(({ name }) => name),
    ),
  )
}

/** All arguments without a default are given, and none that it does not have. */
function takes(routine: Routine, given: readonly string[]): boolean {
  const names = new Set(given)
  for (const { name, required, variadic } of routine.args.values())
    if (required && !variadic && !names.has(name)) return false
  return [...names].every((name) => routine.args.has(name))
}
