// The statement of a call.
import type { CallPlan, PlannedCondition } from './plan.ts'
import { innerJoins, type Parameters, rowsText, totalText } from './rows-text.ts'
import { COUNT, type Delivery, RESPONSE, shownText } from './shown-text.ts'
import { typedColumns } from './sql-text.ts'

interface Called {
  /** The call itself. */
  readonly call: string
  /** If the arguments come from a body, the record that holds them. */
  readonly from: string
}

function callParts({ routine, given }: CallPlan, parameters: Parameters): Called {
  const named = (quoted: string, variadic: boolean, value: string) =>
    `${variadic ? 'variadic ' : ''}${quoted} => ${value}`
  if (given.from === 'whole')
    return { call: `${routine.quoted}(${parameters.add(given.value)}::${given.type})`, from: '' }
  if (given.from === 'query') {
    const list = given.args.map(({ argument: { quoted, type, variadic }, value }) =>
      named(quoted, variadic, `${parameters.add(value)}::${type}`),
    )
    return { call: `${routine.quoted}(${list.join(', ')})`, from: '' }
  }
  if (given.args.length === 0) return { call: `${routine.quoted}()`, from: '' }
  const list = given.args.map(({ quoted, variadic }) => named(quoted, variadic, `_a.${quoted}`))
  const record = `pg_catalog.json_to_record(${parameters.add(given.text)}::json) as _a(${typedColumns(given.args)})`
  return { call: `${routine.quoted}(${list.join(', ')})`, from: record }
}

export function callText(plan: CallPlan, parameters: Parameters, delivery: Delivery): string {
  const { routine } = plan
  const called = callParts(plan, parameters)
  const source = called.from === '' ? '' : ` from ${called.from}`
  if (routine.returns === 'rows') return rowsCallText(plan, called, delivery, parameters)
  const value = `select ${called.call} as v${source} offset 0`
  if (routine.returns === 'void') return `select _c.v as done, ${RESPONSE} from (${value}) as _c`
  if (!routine.set) return `select 1 as n, ${valueText(plan)} as body, ${RESPONSE} from (${value}) as _c`
  const limit = plan.limit === Number.POSITIVE_INFINITY ? '' : ` limit ${parameters.add(plan.limit)}`
  const page = `select _c.v from _c${limit} offset ${parameters.add(plan.offset)}`
  const total = plan.count !== false ? ', (select pg_catalog.count(*) from _c) as total' : ''
  return (
    `with _c as materialized (select ${called.call} as v${source}) select ${COUNT}, ` +
    `${valuesText(plan)} as body${total}, ${RESPONSE} from (${page}) as _q`
  )
}

/** The heading of a column that has no name. */
const HEAD = "E'pgrst_scalar\\n' || "
const csvCell = (text: string) =>
  `case when ${text} is null then '' when ${text} = '' or ${text} ~ '[",\\r\\n]' then '"' || ` +
  `pg_catalog.replace(${text}, '"', '""') || '"' else ${text} end`

/** One value called _c.v. */
function valueText({ media, routine }: CallPlan): string {
  if (media.shape === 'raw')
    return media.bytes === true ? "pg_catalog.encode(_c.v, 'hex')" : "pg_catalog.format('%s', _c.v)"
  if (media.shape === 'csv') return `${HEAD}${csvCell("pg_catalog.format('%s', _c.v)")}`
  const json = routine.returns === 'json' ? '_c.v' : 'pg_catalog.to_json(_c.v)'
  const shown = media.stripNulls ? `pg_catalog.json_strip_nulls(${json}::json)` : json
  return `coalesce(${shown}::text, 'null')`
}

/** Values called _q.v. */
function valuesText({ media }: CallPlan): string {
  if (media.shape === 'csv') {
    const lines = `pg_catalog.string_agg(${csvCell("pg_catalog.format('%s', _q.v)")}, E'\\n')`
    return `${HEAD}coalesce(${lines}, '')`
  }
  const rows = 'pg_catalog.json_agg(_q.v)'
  const list = media.stripNulls ? `pg_catalog.json_strip_nulls(${rows})` : rows
  return media.shape === 'object' ? `(${list} -> 0)::text` : `coalesce(${list}, '[]')::text`
}

/**
 * Whether PostgreSQL may read through the function, as it does where that is one query that changes nothing: then
 * filters, order and limit reach its tables and their indexes. Not where rows are counted besides, nor where a join
 * could make it begin once more.
 */
const isReadThrough = (plan: CallPlan): boolean =>
  plan.routine.set &&
  !plan.routine.volatile &&
  plan.count === false &&
  innerJoins(plan.outputs, plan.hidden).length === 0 &&
  !plan.conditions.some(asksForRows)

const asksForRows = (condition: PlannedCondition): boolean =>
  condition.kind === 'embedded' || (condition.kind === 'logic' && condition.parts.some(asksForRows))

/** Otherwise materialized, so that the function runs once no matter how often its rows are read. */
function rowsCallText(
  plan: CallPlan,
  { call, from }: Called,
  delivery: Delivery,
  parameters: Parameters,
): string {
  const result = `select _f.* from ${from === '' ? '' : `${from}, lateral `}${call} as _f`
  const rows = rowsText('_c', plan, parameters)
  const one = !plan.routine.set && plan.media.shape === 'array'
  const media = one ? { ...plan.media, shape: 'object' as const } : plan.media
  const total = plan.count === false ? null : totalText('_c', plan, parameters)
  const shown = { media, outputs: plan.outputs, delivery, total, extras: RESPONSE }
  const kept = isReadThrough(plan) ? 'not materialized' : 'materialized'
  return `with _c as ${kept} (${result}) ${shownText(rows, shown, parameters)}`
}
