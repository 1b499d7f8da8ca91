// Parses select=, order= and columns=.
import { notImplemented, unreadableQuery } from './faults.ts'
import { checkCap, type Limits, Tally } from './limits.ts'
import { refuseJsonPath } from './parse-conditions.ts'
import { type Aggregate, AGGREGATES, type OrderTerm, type SelectItem } from './request.ts'
import { Scanner } from './scanner.ts'

const ALL: readonly SelectItem[] = [{ kind: 'all' }]
const isAggregate = (name: string): name is Aggregate => (AGGREGATES as readonly string[]).includes(name)

export function parseSelect(text: string | null, limits: Limits): readonly SelectItem[] {
  if (text === null || text === '*') return ALL
  if (text === '') return []
  const scanner = new Scanner(text, 'select parameter')
  const items = selectList(scanner, 0, new Tally(limits))
  if (!scanner.done) throw scanner.fail('"," or end of input')
  return items
}

function selectList(scanner: Scanner, level: number, tally: Tally): SelectItem[] {
  const items: SelectItem[] = []
  do items.push(selectItem(scanner, level, tally))
  while (scanner.take(','))
  return items
}

function selectItem(scanner: Scanner, level: number, tally: Tally): SelectItem {
  tally.add('selectItems')
  if (scanner.take('*')) return { kind: 'all' }
  if (scanner.startsWith('...')) throw notImplemented('Spread embedding (...) is not supported')
  const first = scanner.name('a column')
  if (scanner.startsWith('::')) throw notImplemented('Casts (::) are not supported')
  const alias = scanner.take(':') ? parseAlias(first) : null
  const name = alias === null ? first : scanner.name('a column after the alias')
  refuseJsonPath(scanner)
  if (scanner.startsWith('::')) throw notImplemented('Casts (::) are not supported')
  if (isAggregate(name) && scanner.startsWith('()'))
    return aggregate(scanner, { of: name, name: null, alias }, level, tally)
  if (scanner.take('.')) {
    const of = scanner.name('count(), sum(), avg(), min() or max()')
    if (!isAggregate(of)) throw scanner.fail('count(), sum(), avg(), min() or max()')
    return aggregate(scanner, { of, name, alias }, level, tally)
  }
  if (!scanner.startsWith('!') && !scanner.startsWith('(')) return { kind: 'column', name, alias }
  return embed(scanner, { name, alias }, level, tally)
}

type Aggregated = Omit<SelectItem & { kind: 'aggregate' }, 'kind'>

function aggregate(scanner: Scanner, item: Aggregated, level: number, tally: Tally): SelectItem {
  tally.add('aggregates')
  scanner.need('()')
  if (scanner.startsWith('::')) throw notImplemented('Casts (::) are not supported')
  if (level > 0) throw notImplemented('Embedded rows are not aggregated')
  return { kind: 'aggregate', ...item }
}

type Named = Pick<SelectItem & { kind: 'embed' }, 'name' | 'alias'>

function embed(scanner: Scanner, { name, alias }: Named, level: number, tally: Tally): SelectItem {
  if (level > 0) throw notImplemented('Resources are embedded one level deep')
  tally.add('embeds')
  let hint: string | null = null
  let inner = false
  while (scanner.take('!')) {
    const word = scanner.name('a hint or a join type')
    if (word === 'inner') inner = true
    else if (word !== 'left') hint = word
  }
  scanner.need('(')
  if (scanner.take(')')) return { kind: 'embed', name, alias, hint, inner, items: [] }
  const items = selectList(scanner, level + 1, tally)
  scanner.need(')')
  return { kind: 'embed', name, alias, hint, inner, items }
}

/**
 * An alias is the only name chosen by the client that may appear in a statement (always quoted): letters,
 * digits, space, - and _, and short enough not to be truncated by PostgreSQL.
 */
function parseAlias(text: string): string {
  if (!/^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(text) || Buffer.byteLength(text) > 63) {
    throw unreadableQuery(
      `"alias (${text.slice(0, 80)})"`,
      'an alias holds letters, digits, space, "-" and "_", at most 63 bytes',
    )
  }
  return text
}

export function parseOrder(text: string, tally: Tally): readonly OrderTerm[] {
  if (text === '') return []
  const scanner = new Scanner(text, 'order')
  const terms: OrderTerm[] = []
  do terms.push(orderTerm(scanner, tally))
  while (scanner.take(','))
  if (!scanner.done) throw scanner.fail('"," or end of input')
  return terms
}

function orderTerm(scanner: Scanner, tally: Tally): OrderTerm {
  tally.add('orderItems')
  const column = scanner.name('a column')
  refuseJsonPath(scanner)
  if (scanner.startsWith('(')) throw notImplemented('Ordering by an embedded resource is not supported')
  let direction: OrderTerm['direction'] = null
  let nulls: OrderTerm['nulls'] = null
  while (scanner.take('.')) {
    const word = scanner.until('.,')
    if ((word === 'asc' || word === 'desc') && direction === null && nulls === null) direction = word
    else if ((word === 'nullsfirst' || word === 'nullslast') && nulls === null)
      nulls = word === 'nullsfirst' ? 'first' : 'last'
    else throw scanner.fail('asc, desc, nullsfirst or nullslast')
  }
  return { column, direction, nulls }
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
