// Pieces of statements that all kinds of plan share. Names come quoted from the plan, values go into
// parameters.
import type { Column } from './catalogue.ts'
import type { Media } from './parse-media.ts'
import type { Embed, Narrowed, Output, PlannedCondition, PlannedOrder } from './plan.ts'

/** Collects the values of one statement. */
export class Parameters {
  readonly values: unknown[] = []

  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }
}

const COMPARE = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
} as const
const IS = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const

function conditionText(condition: PlannedCondition, row: string, parameters: Parameters): string {
  const not = condition.negated ? 'not ' : ''
  if (condition.kind === 'logic') {
    const parts = condition.parts.map((part) => conditionText(part, row, parameters))
    return `${not}(${parts.join(condition.joint === 'and' ? ' and ' : ' or ')})`
  }
  const column = `${row}.${condition.column.quoted}`
  if (condition.kind === 'is') return `${not}(${column} ${IS[condition.word]})`
  if (condition.kind === 'list') return `${not}(${column} = any(${parameters.add(condition.values)}))`
  return `${not}(${column} ${COMPARE[condition.operator]} ${parameters.add(condition.value)})`
}

/** ' where …' or nothing. `joins` are conditions of our own, already as text. */
export function whereText(
  conditions: readonly PlannedCondition[],
  joins: readonly string[],
  row: string,
  parameters: Parameters,
): string {
  const parts = [...joins, ...conditions.map((condition) => conditionText(condition, row, parameters))]
  return parts.length === 0 ? '' : ` where ${parts.join(' and ')}`
}

export function orderText(order: readonly PlannedOrder[], row: string): string {
  if (order.length === 0) return ''
  const terms = order.map(
    ({ column, direction, nulls }) =>
      `${row}.${column.quoted}${direction === null ? '' : ` ${direction}`}${nulls === null ? '' : ` nulls ${nulls}`}`,
  )
  return ` order by ${terms.join(', ')}`
}

export const pageText = (
  { limit, offset }: { limit: number; offset: number },
  parameters: Parameters,
): string => ` limit ${parameters.add(limit)}${offset === 0 ? '' : ` offset ${parameters.add(offset)}`}`

/**
 * Columns that aggregated rows are grouped by. Nothing if there are no aggregates, or if all rows form one
 * group.
 */
function groupText(outputs: readonly Output[], row: string): string {
  if (!outputs.some(({ kind }) => kind === 'aggregate')) return ''
  const columns = new Set(
    outputs.flatMap((output) => (output.kind === 'column' ? [`${row}.${output.column.quoted}`] : [])),
  )
  return columns.size === 0 ? '' : ` group by ${[...columns].join(', ')}`
}

/** Output list of `row`, embedded rows as correlated subselects. */
export const outputsText = (outputs: readonly Output[], row: string, parameters: Parameters): string =>
  outputs
    .map((output) => {
      if (output.kind === 'embed') return `${embedText(output.embed, row, parameters)} as ${output.label}`
      if (output.kind === 'aggregate') {
        const of = output.column === null ? '*' : `${row}.${output.column.quoted}`
        return `pg_catalog.${output.of}(${of}) as ${output.label}`
      }
      const text = `${row}.${output.column.quoted}`
      return output.label === output.column.quoted ? text : `${text} as ${output.label}`
    })
    .join(', ')

/** `from` and `where` of the rows that an embed finds for one outer row. */
function embedSource(embed: Embed, outer: string, parameters: Parameters): string {
  const { path } = embed
  const first = path.via === null ? '_e' : '_j'
  const joins = path.on.map(([mine, theirs]) => `${first}.${theirs.quoted} = ${outer}.${mine.quoted}`)
  if (path.via !== null)
    joins.push(...path.via.on.map(([mine, theirs]) => `_j.${mine.quoted} = _e.${theirs.quoted}`))
  const junction = path.via === null ? '' : `, ${path.via.relation.quoted} as _j`
  return `from ${path.target.quoted} as _e${junction}${whereText(embed.conditions, joins, '_e', parameters)}`
}

const toOne = ({ path }: Embed) => path.cardinality === 'many-to-one' || path.cardinality === 'one-to-one'

function embedText(embed: Embed, outer: string, parameters: Parameters): string {
  const list = outputsText(embed.outputs, '_e', parameters)
  const rows =
    `select ${list} ` +
    `${embedSource(embed, outer, parameters)}${orderText(embed.order, '_e')}${pageText(embed, parameters)}`
  return toOne(embed)
    ? `(select pg_catalog.row_to_json(_r.*) from (${rows}) as _r)`
    : `(select coalesce(pg_catalog.json_agg(_r.*), '[]') from (${rows}) as _r)`
}

export const innerJoins = (outputs: readonly Output[], hidden: readonly Embed[]): readonly Embed[] =>
  [...hidden, ...outputs.flatMap((output) => (output.kind === 'embed' ? [output.embed] : []))].filter(
    ({ inner }) => inner,
  )

/** Conditions that leave out rows without an embedded row. */
export const existsTexts = (embeds: readonly Embed[], outer: string, parameters: Parameters): string[] =>
  embeds.map((embed) => `exists (select ${embedSource(embed, outer, parameters)})`)

/** `select … from <source> as <row> where … group by … order by … limit …` */
export function rowsText(
  source: string,
  plan: Narrowed & { readonly outputs: readonly Output[]; readonly hidden: readonly Embed[] },
  parameters: Parameters,
): string {
  const list = outputsText(plan.outputs, '_t', parameters)
  const where = whereText(
    plan.conditions,
    existsTexts(innerJoins(plan.outputs, plan.hidden), '_t', parameters),
    '_t',
    parameters,
  )
  return (
    `select ${list} from ${source} as _t` +
    `${where}${groupText(plan.outputs, '_t')}${orderText(plan.order, '_t')}${pageText(plan, parameters)}`
  )
}

/** `(select count(*) …)` over everything the page was cut from. */
export function totalText(
  source: string,
  plan: Narrowed & { readonly outputs: readonly Output[]; readonly hidden: readonly Embed[] },
  parameters: Parameters,
): string {
  const where = whereText(
    plan.conditions,
    existsTexts(innerJoins(plan.outputs, plan.hidden), '_t', parameters),
    '_t',
    parameters,
  )
  return `(select pg_catalog.count(*) from ${source} as _t${where})`
}

/**
 * The body over rows called _q, built by PostgreSQL and never read again by us. `.*` means the row, even if a
 * column is called _q.
 */
export function bodyText(
  media: Media,
  outputs: readonly { readonly name: string; readonly label: string }[],
  parameters: Parameters,
): string {
  if (media.shape === 'csv') return csvText(outputs, parameters)
  const rows = 'pg_catalog.json_agg(_q.*)'
  if (media.shape === 'array')
    return media.stripNulls
      ? `coalesce(pg_catalog.json_strip_nulls(${rows}), '[]')::text`
      : `coalesce(${rows}, '[]')::text`
  return media.stripNulls ? `pg_catalog.json_strip_nulls(${rows} -> 0)::text` : `(${rows} -> 0)::text`
}

/** One row called _q, as it appears in the body. */
export function rowText(media: Media, outputs: readonly { readonly label: string }[]): string {
  if (media.shape === 'csv') return csvLine(outputs)
  const row = 'pg_catalog.row_to_json(_q.*)'
  return media.stripNulls ? `pg_catalog.json_strip_nulls(${row})::text` : `${row}::text`
}

/** The body from rows built by rowText: the same text that bodyText builds. */
export function joinRows(
  media: Media,
  outputs: readonly { readonly name: string }[],
  rows: readonly string[],
): string {
  if (media.shape === 'csv') return csvHeader(outputs) + rows.join('\n')
  return `[${rows.join(media.stripNulls ? ',' : ', \n ')}]`
}

const csvField = (label: string) => {
  const text = `pg_catalog.format('%s', _q.${label})`
  return (
    `case when _q.${label} is null then '' when ${text} = '' or ${text} ~ '[",\\r\\n]' then '"' || ` +
    `pg_catalog.replace(${text}, '"', '""') || '"' else ${text} end`
  )
}

/**
 * Header line from the names of the outputs (as a parameter), then a line per row; null is empty, empty text
 * is "".
 */
function csvText(
  outputs: readonly { readonly name: string; readonly label: string }[],
  parameters: Parameters,
): string {
  return (
    `${parameters.add(csvHeader(outputs))}::text || ` +
    `coalesce(pg_catalog.string_agg(${csvLine(outputs)}, E'\\n'), '')`
  )
}

function csvHeader(outputs: readonly { readonly name: string }[]): string {
  const header = outputs
    .map(({ name }) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join(',')
  return `${header}\n`
}

function csvLine(outputs: readonly { readonly label: string }[]): string {
  const line = outputs.map(({ label }) => csvField(label)).join(` || ',' || `)
  return line === '' ? "''" : line
}

/** `"a" integer, "b" text`: how a JSON body is expanded. */
export const typedColumns = (columns: readonly Pick<Column, 'quoted' | 'type'>[]): string =>
  columns.map(({ quoted, type }) => `${quoted} ${type}`).join(', ')
