// Turns a plan into one statement. Delivered whole, its answer is always one row: n (rows), body (text),
// total (with count), k0… (key for Location).
import type { Database, Statement } from '#server/database/database.ts'
import type { Outcome } from './build-answer.ts'
import type { Column } from './catalogue.ts'
import type { Media } from './parse-media.ts'
import type { CallPlan, DeletePlan, InsertPlan, Output, Plan, ReadPlan, UpdatePlan } from './plan.ts'
import {
  bodyText,
  joinRows,
  orderText,
  outputsText,
  Parameters,
  rowsText,
  rowText,
  totalText,
  typedColumns,
  whereText,
} from './sql-text.ts'

/** Named so that it is prepared; the engine keys prepared statements by their text. */
const NAME = 'data-api'

/**
 * How the answer arrives: as one text built by the database, or row by row where that text would be built in
 * memory that the engine never gives back. Row by row, an answer beyond the limit ends with the row that
 * exceeds it.
 */
export type Delivery = 'whole' | 'by row'

export function deliveryOf(plan: Plan, engine: Database['engine']): Delivery {
  if (engine !== 'embedded' || plan.media.shape === 'object') return 'whole'
  if (plan.kind === 'read') return plan.head ? 'whole' : 'by row'
  if (plan.kind === 'call') return plan.routine.returns === 'rows' && plan.routine.set ? 'by row' : 'whole'
  return plan.returning === 'representation' ? 'by row' : 'whole'
}

export function buildStatement(plan: Plan, delivery: Delivery = 'whole'): Statement {
  const parameters = new Parameters()
  const text = textOf(plan, parameters, delivery)
  return { name: NAME, text, values: parameters.values }
}

/** The result as the one row that `whole` returns. */
export function outcomeOf(plan: Plan, rows: readonly Outcome[], delivery: Delivery): Outcome {
  if (delivery === 'whole') return rows[0] ?? {}
  const texts = rows.flatMap(({ body }) => (body == null ? [] : [body]))
  const outputs = 'outputs' in plan ? plan.outputs : []
  const total = rows[0]?.total
  return {
    n: texts.length,
    body: joinRows(plan.media, outputs, texts),
    ...(total === undefined ? {} : { total }),
  }
}

function textOf(plan: Plan, parameters: Parameters, delivery: Delivery): string {
  switch (plan.kind) {
    case 'read':
      return readText(plan, parameters, delivery)
    case 'call':
      return callText(plan, parameters, delivery)
    default:
      return writeText(plan, parameters, delivery)
  }
}

interface Shown {
  readonly media: Media
  readonly outputs: readonly Output[]
  readonly delivery: Delivery
  /** SQL text that counts the rows before the page is cut. */
  readonly total?: string | null
}

function shownText(
  rows: string,
  { media, outputs, delivery, total = null }: Shown,
  parameters: Parameters,
): string {
  if (delivery === 'whole') {
    const body = bodyText(media, outputs, parameters)
    return `select ${COUNT}, ${body} as body${total === null ? '' : `, ${total} as total`} from (${rows}) as _q`
  }
  const each = `select ${rowText(media, outputs)} as body from (${rows}) as _q`
  // The total is returned even if there are no rows.
  return total === null
    ? each
    : `select _r.body, _n.total from (select ${total} as total) as _n left join lateral (${each}) as _r on true`
}

const COUNT = 'pg_catalog.count(*) as n'

function readText(plan: ReadPlan, parameters: Parameters, delivery: Delivery): string {
  const rows = rowsText(plan.relation.quoted, plan, parameters)
  const total = plan.count ? totalText(plan.relation.quoted, plan, parameters) : null
  if (plan.head) return `select ${COUNT}${total === null ? '' : `, ${total} as total`} from (${rows}) as _q`
  return shownText(rows, { ...plan, delivery, total }, parameters)
}

type WritePlan = InsertPlan | UpdatePlan | DeletePlan

function writeText(plan: WritePlan, parameters: Parameters, delivery: Delivery): string {
  const returned = returnedColumns(plan)
  const list =
    returned.length === 0 ? '1 as _one' : returned.map((column) => `_t.${column.quoted}`).join(', ')
  const write = changesNothing(plan)
    ? `with _w as (select ${list} from ${plan.relation.quoted} as _t where false)`
    : `with _w as (${changeText(plan, parameters)} returning ${list})`
  if (plan.returning === 'representation') {
    const rows = `select ${outputsText(plan.outputs, '_t', parameters)} from _w as _t${orderText(plan.order, '_t')}`
    return `${write} ${shownText(rows, { ...plan, delivery }, parameters)}`
  }
  const keys = returned
    .map((column, i) => `, (pg_catalog.array_agg(_w.${column.quoted}::text))[1] as k${i}`)
    .join('')
  return `${write} select ${COUNT}${keys} from _w`
}

/** An empty list of rows, or nothing to set: no row is touched, and the answer is the one for no rows. */
const changesNothing = (plan: WritePlan): boolean =>
  plan.kind !== 'delete' && (plan.payload.rows === 0 || (plan.kind === 'update' && plan.columns.length === 0))

/** Only columns that are returned need the right to be read. */
function returnedColumns(plan: WritePlan): readonly Column[] {
  if (plan.returning === 'minimal') return []
  if (plan.returning === 'headers-only') return plan.kind === 'insert' ? plan.relation.primaryKey : []
  const shown = plan.outputs.flatMap((output) =>
    output.kind === 'embed' ? output.embed.path.on.map(([mine]) => mine) : (output.column ?? []),
  )
  return [...new Set([...shown, ...plan.order.map(({ column }) => column)])]
}

function changeText(plan: WritePlan, parameters: Parameters): string {
  const target = plan.relation.quoted
  if (plan.kind === 'delete')
    return `delete from ${target} as _t${whereText(plan.conditions, [], '_t', parameters)}`
  if (plan.kind === 'insert') return insertText(plan, parameters)
  const source = payloadText(plan, parameters)
  const set = plan.columns.map((column) => `${column.quoted} = _p.${column.quoted}`).join(', ')
  return `update ${target} as _t set ${set} from (${source}) as _p${whereText(plan.conditions, [], '_t', parameters)}`
}

function insertText(plan: InsertPlan, parameters: Parameters): string {
  const into = `insert into ${plan.relation.quoted} as _t`
  if (plan.columns.length === 0) return `${into} default values`
  const names = plan.columns.map(({ quoted }) => quoted).join(', ')
  return `${into} (${names}) ${payloadText(plan, parameters)}`
}

/**
 * The whole body as one parameter, expanded into typed columns; with missing=default an absent key takes the
 * column's default.
 */
function payloadText(
  { payload, columns, missingDefault }: InsertPlan | UpdatePlan,
  parameters: Parameters,
): string {
  const json = `${parameters.add(payload.text)}::json`
  const record = `as _p(${typedColumns(columns)})`
  const list = payload.shape === 'array'
  if (!missingDefault) {
    const names = columns.map(({ quoted }) => `_p.${quoted}`).join(', ')
    return `select ${names} from pg_catalog.${list ? 'json_to_recordset' : 'json_to_record'}(${json}) ${record}`
  }
  const names = columns.map((column) =>
    column.defaultSql === null
      ? `_p.${column.quoted}`
      : `case when (_o.value -> ${parameters.add(column.name)}::text) is null ` +
        `then ${column.defaultSql} else _p.${column.quoted} end as ${column.quoted}`,
  )
  const objects = list
    ? `pg_catalog.json_array_elements(${json}) as _o(value)`
    : `(select ${json} as value) as _o`
  return `select ${names.join(', ')} from ${objects}, lateral pg_catalog.json_to_record(_o.value) ${record}`
}

/** The call itself and, if the arguments come from a body, the record that holds them. */
function callParts({ routine, given }: CallPlan, parameters: Parameters): { call: string; from: string } {
  const named = (quoted: string, variadic: boolean, value: string) =>
    `${variadic ? 'variadic ' : ''}${quoted} => ${value}`
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

function callText(plan: CallPlan, parameters: Parameters, delivery: Delivery): string {
  const { routine } = plan
  const { call, from } = callParts(plan, parameters)
  const source = from === '' ? '' : ` from ${from}`
  if (routine.returns === 'void') return `select ${call} as done${source}`
  if (routine.returns === 'rows') return rowsCallText(plan, { call, from, delivery }, parameters)
  if (!routine.set) {
    const value = routine.returns === 'json' ? '_c.v::text' : 'pg_catalog.to_json(_c.v)::text'
    return `select 1 as n, coalesce(${value}, 'null') as body from (select ${call} as v${source} offset 0) as _c`
  }
  const limit = plan.limit === Number.POSITIVE_INFINITY ? '' : ` limit ${parameters.add(plan.limit)}`
  const page = `select _c.v from _c${limit} offset ${parameters.add(plan.offset)}`
  const rows = 'pg_catalog.json_agg(_q.v)'
  const body = plan.media.shape === 'object' ? `(${rows} -> 0)::text` : `coalesce(${rows}, '[]')::text`
  const total = plan.count ? ', (select pg_catalog.count(*) from _c) as total' : ''
  return (
    `with _c as materialized (select ${call} as v${source}) select ${COUNT}, ` +
    `${body} as body${total} from (${page}) as _q`
  )
}

/** Materialised, so that the function runs once no matter how often its rows are read. */
function rowsCallText(
  plan: CallPlan,
  called: { call: string; from: string; delivery: Delivery },
  parameters: Parameters,
): string {
  const { call, from, delivery } = called
  const result = `select _f.* from ${from === '' ? '' : `${from}, lateral `}${call} as _f`
  const rows = rowsText('_c', plan, parameters)
  const one = !plan.routine.set && plan.media.shape === 'array'
  const media = one ? { ...plan.media, shape: 'object' as const } : plan.media
  const total = plan.count ? totalText('_c', plan, parameters) : null
  return (
    `with _c as materialized (${result}) ` +
    shownText(rows, { media, outputs: plan.outputs, delivery, total }, parameters)
  )
}
