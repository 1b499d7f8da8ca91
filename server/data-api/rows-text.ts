// Rows of a plan as SQL: outputs, embedded rows, conditions, order. Names come quoted from the plan, values go
// into parameters.
import { isDeepStrictEqual } from 'node:util'
import type { Column } from './catalogue.ts'
import { formulaText } from './formula.ts'
import { embedsOf, type Embed, type Narrowed, type Output } from './plan.ts'
import type { PlannedComparison, PlannedCondition, PlannedOrder } from './plan.ts'
import { isAggregated, isToOne } from './plan-rows.ts'
import type { JsonPath } from './request.ts'

/** Collects the values of one statement. */
export class Parameters {
  readonly values: unknown[] = []

  readonly #keys = new Map<string | number, string>()

  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  /**
   * A key of a JSON path: the same parameter each time, so that PostgreSQL sees the same expression where rows are
   * grouped and ordered by it.
   */
  addKey(key: string | number): string {
    const known = this.#keys.get(key)
    if (known !== undefined) return known
    const added = this.add(key)
    this.#keys.set(key, added)
    return added
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
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
} as const
const IS = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const
const SEARCH = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const

/** Aliases of rows by level: _t, then _e, _e2, _e3 … */
const below = (row: string) => (row === '_t' ? '_e' : `_e${Number(row.slice(2) || '1') + 1}`)
const junctionOf = (row: string) => `_j${row.slice(2)}`

/** A column of a row; a computed one is a call with the row. `.*` means the row even if a column has its name. */
const columnText = ({ quoted, computed }: Column, row: string): string =>
  computed === undefined ? `${row}.${quoted}` : `${computed.quoted}((${row}.*)::${computed.rowType})`

interface Field {
  readonly column: Column
  readonly path?: JsonPath
}

function fieldText({ column, path }: Field, row: string, parameters: Parameters): string {
  const text = columnText(column, row)
  if (path === undefined) return text
  const json = column.type === 'json' || column.type === 'jsonb' ? text : `pg_catalog.to_jsonb(${text})`
  const steps = path.map(({ key, text: asText }) => {
    const type = typeof key === 'number' ? 'integer' : 'text'
    return ` ${asText ? '->>' : '->'} ${parameters.addKey(key)}::${type}`
  })
  return `(${json}${steps.join('')})`
}

const castText = (text: string, type: string | undefined) =>
  type === undefined ? text : `(${text})::${type}`

function conditionText(condition: PlannedCondition, row: string, parameters: Parameters): string {
  if (condition.kind === 'formula')
    return formulaText(
      condition.formula,
      (column) => columnText(column, row),
      (value) => parameters.add(value),
    )
  const not = condition.negated ? 'not ' : ''
  if (condition.kind === 'logic') {
    const parts = condition.parts.map((part) => conditionText(part, row, parameters))
    return `${not}(${parts.join(condition.joint === 'and' ? ' and ' : ' or ')})`
  }
  if (condition.kind === 'embedded') return `${not}${existsText(condition.embed, row, parameters)}`
  return `${not}(${comparisonText(condition, row, parameters)})`
}

function comparisonText(condition: PlannedComparison, row: string, parameters: Parameters): string {
  const field = fieldText(condition, row, parameters)
  if (condition.kind === 'is') return `${field} ${IS[condition.word]}`
  if (condition.kind === 'list') return `${field} = any(${parameters.add(condition.values)})`
  if (condition.kind === 'search') {
    const language = condition.language === null ? '' : `${parameters.add(condition.language)}::regconfig, `
    const plain = condition.column.type !== 'tsvector' || condition.path !== undefined
    const vector = plain ? `pg_catalog.to_tsvector(${language}${field})` : field
    return `${vector} @@ pg_catalog.${SEARCH[condition.search]}(${language}${parameters.add(condition.value)})`
  }
  const value = parameters.add(condition.value)
  return `${field} ${COMPARE[condition.operator]} ${condition.of === undefined ? value : `${condition.of}(${value})`}`
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

/** @param outputs those that the rows are grouped by; without them they are not */
export function orderText(
  order: readonly PlannedOrder[],
  row: string,
  parameters: Parameters,
  outputs: readonly Output[] = NO_OUTPUTS,
): string {
  if (order.length === 0) return ''
  const grouped = isAggregated(outputs)
  const terms = order.map((term) => {
    const { embed, direction, nulls } = term
    const text =
      embed === undefined
        ? fieldText(term, row, parameters)
        : ((grouped ? liftedText(outputs, { ...term, embed }, row) : null) ??
          `(select ${fieldText(term, below(row), parameters)} ${embedSource(embed, row, parameters)} limit 1)`)
    return `${text}${direction === null ? '' : ` ${direction}`}${nulls === null ? '' : ` nulls ${nulls}`}`
  })
  return ` order by ${terms.join(', ')}`
}

const NO_OUTPUTS: readonly Output[] = []

/** A column of a spread resource as rows grouped by it know it; null if they are not grouped by it. */
function liftedText(
  outputs: readonly Output[],
  { embed, column, path }: Field & { readonly embed: Embed },
  row: string,
): string | null {
  const isMeant = (output: Output): boolean =>
    output.kind === 'column' && output.column === column && isDeepStrictEqual(output.path, path)
  const at = embed.outputs.findIndex(isMeant)
  const index = spreadsOf(outputs).indexOf(embed)
  return at === -1 || index === -1 ? null : `${row}s${index}._${at}`
}

export const pageText = (
  { limit, offset }: { limit: number; offset: number },
  parameters: Parameters,
): string => ` limit ${parameters.add(limit)}${offset === 0 ? '' : ` offset ${parameters.add(offset)}`}`

const isGrouped = (output: Output) =>
  output.kind !== 'aggregate' && !(output.kind === 'lifted' && output.of !== undefined)

/** Types without an order: rows can be grouped by what they are cast to, not by them. */
const UNORDERED: ReadonlySet<string> = new Set('json xml point line lseg box path polygon circle'.split(' '))

/** A cast that has no name of its own leaves the column what the rows are grouped by. */
const keepsColumn = (output: Output): output is Output & { kind: 'column' } =>
  output.kind === 'column' &&
  output.cast !== undefined &&
  output.path === undefined &&
  output.label === output.column.quoted &&
  !UNORDERED.has(output.column.type)

/**
 * What aggregated rows are grouped by: positions of outputs, and columns behind a cast. Nothing if there are no
 * aggregates, or if all rows form one group.
 */
function groupText(outputs: readonly Output[], row: string, parameters: Parameters): string {
  if (!isAggregated(outputs)) return ''
  const grouped = outputs.flatMap((output, i) => {
    if (!isGrouped(output)) return []
    return [keepsColumn(output) ? fieldText(output, row, parameters) : String(i + 1)]
  })
  return grouped.length === 0 ? '' : ` group by ${grouped.join(', ')}`
}

/** Output list of `row`, embedded rows as correlated subselects. */
export function outputsText(outputs: readonly Output[], row: string, parameters: Parameters): string {
  const spreads = spreadsOf(outputs)
  // Only jsonb can be compared, and so grouped by.
  const place = { row, spreads, jsonb: isAggregated(outputs), whole: true }
  return outputs
    .map((output) => {
      if (isPlain(output) && output.label === output.column.quoted) return `${row}.${output.label}`
      return `${outputText(output, place, parameters)} as ${output.label}`
    })
    .join(', ')
}

const isPlain = (output: Output): output is Output & { kind: 'column' } =>
  output.kind === 'column' &&
  output.path === undefined &&
  output.cast === undefined &&
  output.column.computed === undefined

interface Place {
  readonly row: string
  readonly spreads: readonly Embed[]
  readonly jsonb: boolean
  /** False: what aggregates would combine, for those who aggregate it. */
  readonly whole: boolean
}

function outputText(output: Output, place: Place, parameters: Parameters): string {
  const { row, whole } = place
  switch (output.kind) {
    case 'column':
      return castText(fieldText(output, row, parameters), output.cast)
    case 'embed':
      return `${embedText(output.embed, row, parameters)}${place.jsonb ? '::jsonb' : ''}`
    case 'lifted': {
      const text = `${row}s${place.spreads.indexOf(output.embed)}._${output.at}`
      return output.of !== undefined && whole
        ? castText(`pg_catalog.${output.of}(${text})`, output.resultCast)
        : `${text}${place.jsonb && isJson(output) ? '::jsonb' : ''}`
    }
    case 'aggregate': {
      const { column } = output
      if (column === null && !whole) return 'true'
      const of =
        column === null ? '*' : castText(fieldText({ ...output, column }, row, parameters), output.cast)
      return whole ? castText(`pg_catalog.${output.of}(${of})`, output.resultCast) : of
    }
  }
}

/** Made by ourselves as JSON. */
function isJson({ embed, at }: Output & { kind: 'lifted' }): boolean {
  const output = embed.outputs[at]
  if (!isToOne(embed.path) || output?.kind === 'embed') return true
  return output?.kind === 'lifted' && isJson(output)
}

function spreadsOf(outputs: readonly Output[]): readonly Embed[] {
  if (!outputs.some(({ kind }) => kind === 'lifted')) return NO_EMBEDS
  return [...new Set(outputs.flatMap((output) => (output.kind === 'lifted' ? [output.embed] : [])))]
}

const NO_EMBEDS: readonly Embed[] = []

/** Joins of the spread resources of `row`; outputsText takes their columns. */
export function spreadsText(outputs: readonly Output[], row: string, parameters: Parameters): string {
  const joins = spreadsOf(outputs).map((embed, i) => {
    const alias = `${row}s${i}`
    return ` left join lateral (${spreadText(embed, row, parameters)}) as ${alias} on true`
  })
  return joins.join('')
}

/** One row: of a to-one resource its columns, of a to-many resource an array per column. */
function spreadText(embed: Embed, outer: string, parameters: Parameters): string {
  const row = below(outer)
  const { outputs } = embed
  const one = isToOne(embed.path)
  const spreads = spreadsOf(outputs)
  const list = outputs
    .map(
      (output, i) =>
        `${outputText(output, { row, spreads, jsonb: false, whole: !one }, parameters)} as _${i}`,
    )
    .join(', ')
  const rows = `select ${list} ${embedRows(embed, outer, parameters)}`
  if (one) return rows
  const arrays = outputs.map((_, i) => `coalesce(pg_catalog.json_agg(_r._${i}), '[]') as _${i}`)
  return `select ${arrays.join(', ')} from (${rows}) as _r`
}

/** `from`, joins and `where` of the rows that an embed finds for one outer row. */
function embedSource(embed: Embed, outer: string, parameters: Parameters, spreads = ''): string {
  const { path } = embed
  const row = below(outer)
  const junction = junctionOf(row)
  const first = path.via === null ? row : junction
  const joins = path.on.map(([mine, theirs]) => `${first}.${theirs.quoted} = ${outer}.${mine.quoted}`)
  if (path.via !== null)
    joins.push(...path.via.on.map(([mine, theirs]) => `${junction}.${mine.quoted} = ${row}.${theirs.quoted}`))
  joins.push(...existsTexts(innerJoins(embed.outputs, embed.hidden), row, parameters))
  const via = path.via === null ? '' : `${path.via.relation.quoted} as ${junction}, `
  const source =
    path.call === null ? path.target.quoted : `${path.call.quoted}((${outer}.*)::${path.call.rowType})`
  return `from ${via}${source} as ${row}${spreads}${whereText(embed.conditions, joins, row, parameters)}`
}

/** The same with everything that follows: group, order, page. */
function embedRows(embed: Embed, outer: string, parameters: Parameters): string {
  const row = below(outer)
  const { outputs } = embed
  const source = embedSource(embed, outer, parameters, spreadsText(outputs, row, parameters))
  const page = isToOne(embed.path) ? { limit: Math.min(embed.limit, 1), offset: embed.offset } : embed
  // A spread to-one resource leaves its aggregates to the row that embeds it.
  const group = embed.spread && isToOne(embed.path) ? '' : groupText(outputs, row, parameters)
  const order = orderText(embed.order, row, parameters, outputs)
  return `${source}${group}${order}${pageText(page, parameters)}`
}

function embedText(embed: Embed, outer: string, parameters: Parameters): string {
  const list = outputsText(embed.outputs, below(outer), parameters)
  const rows = `select ${list} ${embedRows(embed, outer, parameters)}`
  return isToOne(embed.path)
    ? `(select pg_catalog.row_to_json(_r.*) from (${rows}) as _r)`
    : `(select coalesce(pg_catalog.json_agg(_r.*), '[]') from (${rows}) as _r)`
}

export const innerJoins = (outputs: readonly Output[], hidden: readonly Embed[]): readonly Embed[] =>
  embedsOf({ outputs, hidden }).filter(({ inner }) => inner)

const existsText = (embed: Embed, outer: string, parameters: Parameters) =>
  `exists (select ${embedSource(embed, outer, parameters)})`

/** Conditions that leave out rows without an embedded row. */
export const existsTexts = (embeds: readonly Embed[], outer: string, parameters: Parameters): string[] =>
  embeds.map((embed) => existsText(embed, outer, parameters))

type Shown = Narrowed & { readonly outputs: readonly Output[]; readonly hidden: readonly Embed[] }

function filteredText(source: string, plan: Shown, parameters: Parameters): string {
  const inner = existsTexts(innerJoins(plan.outputs, plan.hidden), '_t', parameters)
  const spreads = spreadsText(plan.outputs, '_t', parameters)
  return `from ${source} as _t${spreads}${whereText(plan.conditions, inner, '_t', parameters)}`
}

/** `select … from <source> as <row> where … group by … order by … limit …` */
export function rowsText(source: string, plan: Shown, parameters: Parameters): string {
  return (
    `select ${outputsText(plan.outputs, '_t', parameters)} ${filteredText(source, plan, parameters)}` +
    `${groupText(plan.outputs, '_t', parameters)}${orderText(plan.order, '_t', parameters, plan.outputs)}` +
    pageText(plan, parameters)
  )
}

/** Everything the page was cut from, to be counted. */
export function allText(source: string, plan: Shown, parameters: Parameters): string {
  if (isAggregated(plan.outputs))
    return (
      `select ${outputsText(plan.outputs, '_t', parameters)} ` +
      `${filteredText(source, plan, parameters)}${groupText(plan.outputs, '_t', parameters)}`
    )
  const inner = existsTexts(innerJoins(plan.outputs, plan.hidden), '_t', parameters)
  return `select from ${source} as _t${whereText(plan.conditions, inner, '_t', parameters)}`
}

/** `(select count(*) …)` over everything the page was cut from, or up to a number of rows. */
export function totalText(
  source: string,
  plan: Shown,
  parameters: Parameters,
  upTo: number | null = null,
): string {
  const all = allText(source, plan, parameters)
  if (upTo !== null) return `(select pg_catalog.count(*) from (${all} limit ${parameters.add(upTo)}) as _n)`
  return isAggregated(plan.outputs)
    ? `(select pg_catalog.count(*) from (${all}) as _n)`
    : `(${all.replace('select from', 'select pg_catalog.count(*) from')})`
}
