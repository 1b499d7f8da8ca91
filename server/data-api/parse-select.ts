// Parses select=, order= and columns=.
import { castType } from './casts.ts'
import { aggregatesOff, unknownType, unreadableQuery } from './faults.ts'
import { checkCap, type Limits, type Tally } from './limits.ts'
import { type Aggregate, AGGREGATES, type JsonPath, type OrderTerm, type SelectItem } from './request.ts'
import { Scanner } from './scanner.ts'

const ALL: readonly SelectItem[] = [{ kind: 'all' }]
const isAggregate = (name: string): name is Aggregate => (AGGREGATES as readonly string[]).includes(name)

export function parseSelect(text: string | null, tally: Tally): readonly SelectItem[] {
  if (text === null || text === '*') return ALL
  if (text === '') return []
  const scanner = new Scanner(text, 'select parameter')
  const items = selectList(scanner, 0, tally)
  if (!scanner.done) throw scanner.fail('"," or end of input')
  return items
}

function selectList(scanner: Scanner, level: number, tally: Tally): SelectItem[] {
  const items: SelectItem[] = []
  do {
    scanner.skipBlank()
    items.push(selectItem(scanner, level, tally))
    scanner.skipBlank()
  } while (scanner.take(','))
  return items
}

function selectItem(scanner: Scanner, level: number, tally: Tally): SelectItem {
  tally.add('selectItems')
  if (scanner.take('*')) return { kind: 'all' }
  if (scanner.take('...'))
    return embed(scanner, { name: scanner.name('a resource'), alias: null, spread: true }, level, tally)
  const first = scanner.name('a column')
  const alias = !scanner.startsWith('::') && scanner.take(':') ? parseAlias(first) : null
  const name = alias === null ? first : scanner.name('a column after the alias')
  if (name === 'count' && scanner.take('()')) {
    countAggregate(tally)
    return { kind: 'aggregate', of: 'count', name: null, ...casts(undefined, parseCast(scanner)), alias }
  }
  if (scanner.startsWith('!') || scanner.startsWith('('))
    return embed(scanner, { name, alias, spread: false }, level, tally)
  return column(scanner, { name, alias }, tally)
}

function column(scanner: Scanner, { name, alias }: Named, tally: Tally): SelectItem {
  const path = scanner.jsonPath(() => tally.add('jsonSteps'))
  const cast = parseCast(scanner)
  const given = { name, ...(path === undefined ? {} : { path }) }
  if (!scanner.take('.')) {
    if (path === undefined && cast === undefined) return { kind: 'column', name, alias }
    const label = alias ?? (path === undefined ? null : parseAlias(lastKey(name, path)))
    return { kind: 'column', ...given, ...casts(cast, undefined), alias: label }
  }
  countAggregate(tally)
  const of = scanner.name('count(), sum(), avg(), min() or max()')
  if (!isAggregate(of)) throw scanner.fail('count(), sum(), avg(), min() or max()')
  scanner.need('()')
  return { kind: 'aggregate', of, ...given, ...casts(cast, parseCast(scanner)), alias }
}

/** An operator may switch aggregates off by allowing none. */
function countAggregate(tally: Tally): void {
  if (tally.limits.aggregates === 0) throw aggregatesOff()
  tally.add('aggregates')
}

const casts = (cast: string | undefined, resultCast: string | undefined) => ({
  ...(cast === undefined ? {} : { cast }),
  ...(resultCast === undefined ? {} : { resultCast }),
})

/** What a path is called in the answer: its last key, or the column if it has none. */
function lastKey(name: string, path: JsonPath): string {
  const key = path.findLast((step) => typeof step.key === 'string')?.key
  return key === undefined ? name : String(key)
}

function parseCast(scanner: Scanner): string | undefined {
  if (!scanner.take('::')) return undefined
  const name = scanner.until('.,():!').trim()
  const type = castType(name)
  if (type === undefined) throw unknownType(name)
  return type
}

type Named = Pick<SelectItem & { kind: 'embed' }, 'name' | 'alias'>

function embed(
  scanner: Scanner,
  named: Named & { readonly spread: boolean },
  level: number,
  tally: Tally,
): SelectItem {
  tally.add('embeds')
  checkCap(tally.limits, 'embedDepth', level + 1)
  let hint: string | null = null
  let inner = false
  while (scanner.take('!')) {
    const word = scanner.name('a hint or a join type')
    if (word === 'inner') inner = true
    else if (word !== 'left') hint = word
  }
  scanner.need('(')
  scanner.skipBlank()
  const items = scanner.startsWith(')') ? [] : selectList(scanner, level + 1, tally)
  scanner.need(')')
  return { kind: 'embed', ...named, hint, inner, items }
}

/** One that begins with a digit has no spaces. */
const ALIAS = /^([\p{L}_][\p{L}\p{N}_ -]*|\p{N}[\p{L}\p{N}_-]*)$/u

/**
 * An alias is the only name chosen by the client that may appear in a statement (always quoted): letters,
 * digits, space, - and _, and short enough not to be truncated by PostgreSQL. The last key of a JSON path is
 * one too.
 */
function parseAlias(text: string): string {
  if (!ALIAS.test(text) || Buffer.byteLength(text) > 63) {
    throw unreadableQuery(
      `"alias (${text.slice(0, 80)})"`,
      'an alias holds letters, digits, space, "-" and "_", at most 63 bytes; ' +
        'a JSON path whose last key holds others needs an alias',
    )
  }
  return text
}

export function parseOrder(text: string, tally: Tally): readonly OrderTerm[] {
  if (text === '') return []
  const scanner = new Scanner(text, 'order')
  const terms: OrderTerm[] = []
  do {
    scanner.skipBlank()
    terms.push(orderTerm(scanner, tally))
    scanner.skipBlank()
  } while (scanner.take(','))
  if (!scanner.done) throw scanner.fail('"," or end of input')
  return terms
}

function orderTerm(scanner: Scanner, tally: Tally): OrderTerm {
  tally.add('orderItems')
  const countStep = () => tally.add('jsonSteps')
  const first = scanner.name('a column')
  const related = scanner.take('(')
  const column = related ? scanner.name('a column of the embedded resource') : first
  const path = scanner.jsonPath(countStep)
  if (related) scanner.need(')')
  let direction: OrderTerm['direction'] = null
  let nulls: OrderTerm['nulls'] = null
  while (scanner.take('.')) {
    const word = scanner.until('.,').trim()
    if ((word === 'asc' || word === 'desc') && direction === null && nulls === null) direction = word
    else if ((word === 'nullsfirst' || word === 'nullslast') && nulls === null)
      nulls = word === 'nullsfirst' ? 'first' : 'last'
    else throw scanner.fail('asc, desc, nullsfirst or nullslast')
  }
  const subject = { column, ...(path === undefined ? {} : { path }), direction, nulls }
  return related ? { relation: first, ...subject } : subject
}

export function parseColumns(text: string | null, limits: Limits): readonly string[] | null {
  if (text === null) return null
  const scanner = new Scanner(text, 'columns parameter')
  const columns = new Set<string>()
  do {
    columns.add(scanner.name('a column'))
    checkCap(limits, 'writtenColumns', columns.size)
  } while (scanner.take(','))
  if (!scanner.done) throw scanner.fail('"," or end of input')
  return [...columns]
}
