// Builds addresses of the data API: filters, order, quoting. Values are quoted here and nowhere else.

export type Scalar = string | number | boolean
/** A condition: column=op.value at the top level of an address, column.op.value inside or(…). */
export interface Filter {
  readonly key: string
  readonly value: string
  readonly inner: string
}

/**
 * Inside a list, separators and brackets would end a value, so values containing them are put in quotation
 * marks.
 */
const quoted = (text: string) =>
  /[,.:()"\\\s{}]/.test(text) || text === '' ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text

function condition(column: string, operator: string, value: string): Filter {
  return { key: column, value: `${operator}.${value}`, inner: `${column}.${operator}.${quoted(value)}` }
}

export const eq = (column: string, value: Scalar) => condition(column, 'eq', String(value))
export const neq = (column: string, value: Scalar) => condition(column, 'neq', String(value))
export const gt = (column: string, value: Scalar) => condition(column, 'gt', String(value))
export const gte = (column: string, value: Scalar) => condition(column, 'gte', String(value))
export const lt = (column: string, value: Scalar) => condition(column, 'lt', String(value))
export const lte = (column: string, value: Scalar) => condition(column, 'lte', String(value))
export const isNull = (column: string): Filter => ({
  key: column,
  value: 'is.null',
  inner: `${column}.is.null`,
})
export const notNull = (column: string): Filter => ({
  key: column,
  value: 'not.is.null',
  inner: `${column}.not.is.null`,
})

/** Escapes typed text for LIKE. The API reads every * as %, so a typed * becomes _ (any one character). */
const literal = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '_')
export const contains = (column: string, text: string) => condition(column, 'ilike', `*${literal(text)}*`)
export const startsWith = (column: string, text: string) => condition(column, 'ilike', `${literal(text)}*`)
/** Takes the pattern as is: * matches anything. */
export const ilike = (column: string, pattern: string) => condition(column, 'ilike', pattern)

export function oneOf(column: string, values: readonly Scalar[]): Filter {
  const list = `in.(${values.map((value) => quoted(String(value))).join(',')})`
  return { key: column, value: list, inner: `${column}.${list}` }
}

function joined(word: 'or' | 'and', filters: readonly Filter[]): Filter {
  const list = `(${filters.map((filter) => filter.inner).join(',')})`
  return { key: word, value: list, inner: `${word}${list}` }
}
export const or = (...filters: readonly Filter[]) => joined('or', filters)
export const and = (...filters: readonly Filter[]) => joined('and', filters)

export interface Order {
  readonly column: string
  readonly descending?: boolean
}

export interface ReadOptions {
  readonly filters?: readonly Filter[]
  readonly select?: readonly string[]
  readonly order?: readonly Order[]
  readonly limit?: number
  readonly offset?: number
}

/** `kunde` with its options → `kunde?client_id=eq.5&order=sortname`. */
export function address(
  table: string,
  { filters = [], select, order, limit, offset }: ReadOptions = {},
): string {
  const parts = filters.map(({ key, value }) => [key, value] as const)
  const query: (readonly [string, string])[] = [...parts]
  if (select) query.unshift(['select', select.join(',')])
  if (order && order.length > 0)
    query.push([
      'order',
      order.map(({ column, descending }) => (descending ? `${column}.desc` : column)).join(','),
    ])
  if (limit !== undefined) query.push(['limit', String(limit)])
  if (offset) query.push(['offset', String(offset)])
  if (query.length === 0) return table
  return `${table}?${query.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')}`
}
