// The statement of a write: a change with what it returns, and the answer over that.
import type { Column } from './catalogue.ts'
import { type DeletePlan, embedsOf, type InsertPlan, type UpdatePlan } from './plan.ts'
import { orderText, outputsText, type Parameters, spreadsText, whereText } from './rows-text.ts'
import { COUNT, type Delivery, RESPONSE, shownText } from './shown-text.ts'
import { typedColumns } from './sql-text.ts'

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan

/**
 * How many rows an upsert replaces: those of its keys that are there before it. Counted from the rows and not in a
 * setting, which a role need not have the right to set, nor from system columns, which it need not have the right to
 * read; the columns of the key it must be able to read for an upsert.
 */
function replacedText(plan: InsertPlan, parameters: Parameters): string {
  const key = plan.conflict?.key ?? []
  const isGiven = (column: Column): boolean => plan.columns.includes(column)
  // What is absent takes its default. One that draws a number, which no row has yet, would be used up here.
  if (!key.every((column) => isGiven(column) || (column.isRepeatable && column.defaultSql !== null)))
    return '0'
  const given = payloadText({ ...plan, missingDefault: false }, parameters)
  const same = key
    .map(
      (column) =>
        `_t.${column.quoted} = ${isGiven(column) ? `_p.${column.quoted}` : `(${column.defaultSql})`}`,
    )
    .join(' and ')
  return `(select pg_catalog.count(*)::integer from ${plan.relation.quoted} as _t
    where exists (select from (${given}) as _p where ${same}))`
}

export function writeText(plan: WritePlan, parameters: Parameters, delivery: Delivery): string {
  const returned = returnedColumns(plan)
  const list = needsWholeRow(plan, returned)
    ? '_t.*'
    : returned.length === 0
      ? '1 as _one'
      : returned.map((column) => `_t.${column.quoted}`).join(', ')
  const write = changesNothing(plan)
    ? `with _w as (select ${list} from ${plan.relation.quoted} as _t where false)`
    : `with _w as (${changeText(plan, parameters)} returning ${list})`
  const extras = mergesRows(plan) ? `${replacedText(plan, parameters)} as replaced, ${RESPONSE}` : RESPONSE
  if (plan.returning === 'representation') {
    const outputs = outputsText(plan.outputs, '_t', parameters)
    const spreads = spreadsText(plan.outputs, '_t', parameters)
    const rows = `select ${outputs} from _w as _t${spreads}${orderText(plan.order, '_t', parameters)}`
    return `${write} ${shownText(rows, { ...plan, delivery, extras }, parameters)}`
  }
  const keys = returned
    .map((column, i) => `, (pg_catalog.array_agg(_w.${column.quoted}::text))[1] as k${i}`)
    .join('')
  return `${write} select ${COUNT}${keys}, ${extras} from _w`
}

const mergesRows = (plan: WritePlan): plan is InsertPlan =>
  plan.kind === 'insert' && plan.conflict?.merge === true

/** An empty list of rows, or nothing to set: no row is touched, and the answer is the one for no rows. */
const changesNothing = (plan: WritePlan): boolean =>
  plan.kind !== 'delete' && (plan.payload.rows === 0 || (plan.kind === 'update' && plan.columns.length === 0))

/** Functions over the row, as computed columns and relations are, take all of it. */
const needsWholeRow = (plan: WritePlan, returned: readonly Column[]): boolean =>
  returned.some(({ computed }) => computed !== undefined) ||
  (plan.returning === 'representation' && embedsOf(plan).some(({ path }) => path.call !== null))

/** Only columns that are returned need the right to be read. */
function returnedColumns(plan: WritePlan): readonly Column[] {
  if (plan.returning === 'minimal') return []
  if (plan.returning === 'headers-only')
    return plan.kind === 'insert' && plan.put === null ? plan.relation.primaryKey : []
  const shown = plan.outputs.flatMap((output) => (output.kind === 'column' ? [output.column] : []))
  const joined = embedsOf(plan).flatMap(({ path }) => path.on.map(([mine]) => mine))
  const ordered = plan.order.flatMap(({ embed, column }) => (embed === undefined ? [column] : []))
  return [...new Set([...shown, ...joined, ...ordered])]
}

function changeText(plan: WritePlan, parameters: Parameters): string {
  const target = plan.relation.quoted
  if (plan.kind === 'delete')
    return `delete from ${target} as _t${whereText(plan.conditions, [], '_t', parameters)}`
  if (plan.kind === 'insert') return insertText(plan, parameters) + conflictText(plan)
  const source = payloadText(plan, parameters)
  const set = plan.columns.map((column) => `${column.quoted} = _p.${column.quoted}`).join(', ')
  return `update ${target} as _t set ${set} from (${source}) as _p${whereText(plan.conditions, [], '_t', parameters)}`
}

function insertText(plan: InsertPlan, parameters: Parameters): string {
  const into = `insert into ${plan.relation.quoted} as _t`
  if (plan.columns.length === 0)
    return plan.payload.shape === 'object'
      ? `${into} default values`
      : `${into} select from pg_catalog.json_array_elements(${parameters.add(plan.payload.text)}::json)`
  const names = plan.columns.map(({ quoted }) => quoted).join(', ')
  const source = payloadText(plan, parameters)
  if (plan.put === null) return `${into} (${names}) ${source}`
  // A row other than the one in the address is not written; that none was is refused afterwards.
  return `${into} (${names}) select * from (${source}) as _p${whereText(plan.put, [], '_p', parameters)}`
}

/** The columns of the key are equal anyway: they need not be changed, nor the right to change them. */
function conflictText({ conflict, columns }: InsertPlan): string {
  if (conflict === null) return ''
  const key = ` on conflict (${conflict.key.map(({ quoted }) => quoted).join(', ')})`
  if (!conflict.merge || columns.length === 0) return `${key} do nothing`
  const others = columns.filter((column) => !conflict.key.includes(column))
  const set = (others.length > 0 ? others : columns)
    .map(({ quoted }) => `${quoted} = excluded.${quoted}`)
    .join(', ')
  return `${key} do update set ${set}`
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
