// The query string as a whole: what each pair means.
import { notSatisfiable, nulCharacter, notImplemented, unreadableQuery } from './faults.ts'
import { checkCap, type Limits, Tally } from './limits.ts'
import { parseComparison, parseLogic, refuseJsonPath } from './parse-conditions.ts'
import { parseColumns, parseOrder, parseSelect } from './parse-select.ts'
import type { Condition, Narrowing, OrderTerm, Page, Query } from './request.ts'
import { Scanner } from './scanner.ts'

interface Pair {
  readonly name: string
  readonly value: string
}

interface Level {
  conditions: Condition[]
  order: readonly OrderTerm[]
  limit: number | null
  offset: number
}

const emptyLevel = (): Level => ({ conditions: [], order: [], limit: null, offset: 0 })
const EVERYTHING: Page = { offset: 0, limit: null }

/**
 * `arguments`: pairs may be arguments of a function, so they stay unparsed until the catalogue has been
 * consulted.
 */
export function parseQuery(text: string, pairsAre: 'filters' | 'arguments', limits: Limits): Query {
  const pairs = splitPairs(text, limits)
  const single = new Map<string, string>()
  const loose: Pair[] = []
  const parser = new LevelParser(limits)
  for (const pair of pairs) {
    if (pair.name === 'select' || pair.name === 'columns') {
      if (single.has(pair.name)) throw unreadableQuery(`"${pair.name}"`, 'it is given twice')
      single.set(pair.name, pair.value)
    } else if (pair.name === 'on_conflict') throw notImplemented('on_conflict is not supported')
    else if (pairsAre === 'arguments' && !isReserved(pair.name)) loose.push(pair)
    else parser.add(pair)
  }
  return {
    select: parseSelect(single.get('select') ?? null, limits),
    top: narrowing(parser.top),
    embedded: new Map([...parser.embedded].map(([name, level]) => [name, narrowing(level)])),
    columns: parseColumns(single.get('columns') ?? null, limits),
    pairs: loose,
    canonical: pairs.length < 2 ? text : text.split('&').sort().join('&'),
  }
}

/** What a call by GET contains besides its arguments. */
export function parseLoosePairs(
  pairs: readonly Pair[],
  limits: Limits,
): { conditions: readonly Condition[]; embedded: ReadonlyMap<string, Narrowing> } {
  const parser = new LevelParser(limits)
  for (const pair of pairs) parser.add(pair)
  return {
    conditions: parser.top.conditions,
    embedded: new Map([...parser.embedded].map(([name, level]) => [name, narrowing(level)])),
  }
}

const isReserved = (name: string) =>
  ['order', 'limit', 'offset', 'and', 'or', 'not.and', 'not.or'].includes(name)

function narrowing({ conditions, order, limit, offset }: Level): Narrowing {
  if (limit !== null && limit < 0) throw notSatisfiable('Limit should be greater than or equal to zero.')
  if (offset < 0) throw notSatisfiable('Offset should be greater than or equal to zero.')
  return { conditions, order, page: limit === null && offset === 0 ? EVERYTHING : { limit, offset } }
}

class LevelParser {
  readonly top = emptyLevel()
  readonly embedded = new Map<string, Level>()
  readonly #limits: Limits
  readonly #seen = new Set<string>()
  readonly #tally: Tally

  constructor(limits: Limits) {
    this.#limits = limits
    this.#tally = new Tally(limits)
  }

  add(pair: Pair): void {
    const { path, last, negated } = splitName(pair.name)
    const level = path === null ? this.top : this.#levelOf(path)
    if (!negated && (last === 'order' || last === 'limit' || last === 'offset')) {
      if (this.#seen.has(pair.name)) throw unreadableQuery(`"${pair.name}"`, 'it is given twice')
      this.#seen.add(pair.name)
      if (last === 'order') level.order = parseOrder(pair.value, this.#tally)
      else if (last === 'limit') level.limit = wholeNumber(pair.value)
      else level.offset = wholeNumber(pair.value) ?? 0
      return
    }
    const condition =
      last === 'and' || last === 'or'
        ? parseLogic(last, negated, pair.value, this.#limits)
        : parseComparison(last, pair.value, this.#limits)
    this.#tally.add('filters', countComparisons(condition))
    level.conditions.push(condition)
  }

  #levelOf(path: string): Level {
    const known = this.embedded.get(path)
    if (known !== undefined) return known
    const level = emptyLevel()
    this.embedded.set(path, level)
    return level
  }
}

const countComparisons = (condition: Condition): number =>
  condition.kind === 'logic' ? condition.parts.reduce((sum, part) => sum + countComparisons(part), 0) : 1

/**
 * The dialect ignores a limit that is not a number. One too large for PostgreSQL means as many rows as there
 * are.
 */
function wholeNumber(text: string): number | null {
  if (!/^-?[0-9]+$/.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : Math.sign(number) * Number.MAX_SAFE_INTEGER
}

/** `album.or`, `album.title`, `not.and`, `"a.b"`: at most one embedded resource, then the column. */
function splitName(text: string): { path: string | null; last: string; negated: boolean } {
  if (/^[A-Za-z0-9_]+$/.test(text)) return { path: null, last: text, negated: false }
  const scanner = new Scanner(text, 'filter name')
  const names: { name: string; quoted: boolean }[] = []
  do {
    const quoted = scanner.startsWith('"')
    names.push({ name: scanner.name('a column'), quoted })
    refuseJsonPath(scanner)
  } while (scanner.take('.'))
  if (!scanner.done) throw scanner.fail('"." or end of input')
  const last = names.pop()
  const joint = last !== undefined && !last.quoted && (last.name === 'and' || last.name === 'or')
  const before = names.at(-1)
  const negated = joint && before !== undefined && before.name === 'not' && !before.quoted
  if (negated) names.pop()
  if (names.length > 1) throw notImplemented('Resources are embedded one level deep')
  return { path: names[0]?.name ?? null, last: last?.name ?? '', negated }
}

function splitPairs(text: string, limits: Limits): Pair[] {
  const pairs: Pair[] = []
  if (text === '') return pairs
  for (const piece of text.split('&')) {
    if (piece === '') continue
    const equals = piece.indexOf('=')
    const name = decode(equals === -1 ? piece : piece.slice(0, equals))
    const value = equals === -1 ? '' : decode(piece.slice(equals + 1))
    if (name.includes('\0') || value.includes('\0')) throw nulCharacter()
    pairs.push({ name, value })
    checkCap(limits, 'queryPairs', pairs.length)
  }
  return pairs
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw unreadableQuery('"query string"', 'a percent sign is not followed by valid UTF-8')
  }
}
