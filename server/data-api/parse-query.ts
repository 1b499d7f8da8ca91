// The query string as a whole: what each pair means.
import { notSatisfiable, nulCharacter, unreadableQuery } from './faults.ts'
import { checkCap, type Limits, Tally } from './limits.ts'
import { parseComparison, parseLogic, type Subject } from './parse-conditions.ts'
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
  /** Levels of the resources embedded into this one. */
  readonly embedded: Map<string, Level>
}

const emptyLevel = (): Level => ({
  conditions: [],
  order: [],
  limit: null,
  offset: 0,
  embedded: new Map(),
})
const EVERYTHING: Page = { offset: 0, limit: null }

/**
 * `arguments`: pairs may be arguments of a function, so they stay unparsed until the catalogue has been
 * consulted.
 */
export function parseQuery(text: string, pairsAre: 'filters' | 'arguments', limits: Limits): Query {
  const pairs = splitPairs(text, limits)
  const single = new Map<string, string>()
  const loose: Pair[] = []
  const tally = new Tally(limits)
  const parser = new LevelParser(tally)
  for (const pair of pairs) {
    if (pair.name === 'select' || pair.name === 'columns' || pair.name === 'on_conflict') {
      if (single.has(pair.name)) throw unreadableQuery(`"${pair.name}"`, 'it is given twice')
      single.set(pair.name, pair.value)
    } else if (pairsAre === 'arguments' && !isReserved(pair.name)) loose.push(pair)
    else parser.add(pair)
  }
  return {
    select: parseSelect(single.get('select') ?? null, tally),
    top: narrowing(parser.top),
    embedded: narrowedLevels(parser.top.embedded),
    columns: parseColumns(single.get('columns') ?? null, limits),
    onConflict: parseColumns(single.get('on_conflict') ?? null, limits),
    pairs: loose,
    canonical: pairs.length < 2 ? text : text.split('&').sort().join('&'),
  }
}

/** What a call by GET contains besides its arguments. */
export function parseLoosePairs(
  pairs: readonly Pair[],
  limits: Limits,
): { conditions: readonly Condition[]; embedded: ReadonlyMap<string, Narrowing> } {
  const parser = new LevelParser(new Tally(limits))
  for (const pair of pairs) parser.add(pair)
  return {
    conditions: parser.top.conditions,
    embedded: narrowedLevels(parser.top.embedded),
  }
}

const isReserved = (name: string) =>
  ['order', 'limit', 'offset', 'and', 'or', 'not.and', 'not.or'].includes(name)

const narrowedLevels = (levels: ReadonlyMap<string, Level>): ReadonlyMap<string, Narrowing> =>
  new Map([...levels].map(([name, level]) => [name, narrowing(level)]))

function narrowing({ conditions, order, limit, offset, embedded }: Level): Narrowing {
  if (limit !== null && limit < 0) throw notSatisfiable('Limit should be greater than or equal to zero.')
  if (offset < 0) throw notSatisfiable('Offset should be greater than or equal to zero.')
  const page = limit === null && offset === 0 ? EVERYTHING : { limit, offset }
  if (embedded.size === 0) return { conditions, order, page }
  return { conditions, order, page, embedded: narrowedLevels(embedded) }
}

class LevelParser {
  readonly top = emptyLevel()
  readonly #limits: Limits
  readonly #seen = new Set<string>()
  readonly #tally: Tally

  constructor(tally: Tally) {
    this.#limits = tally.limits
    this.#tally = tally
  }

  add(pair: Pair): void {
    const { path, subject, joint, negated } = this.#splitName(pair.name)
    const level = this.#levelOf(path)
    const last = subject.path === undefined && !negated ? subject.column : ''
    if (last === 'order' || last === 'limit' || last === 'offset') {
      if (this.#seen.has(pair.name)) throw unreadableQuery(`"${pair.name}"`, 'it is given twice')
      this.#seen.add(pair.name)
      if (last === 'order') level.order = parseOrder(pair.value, this.#tally)
      else if (last === 'limit') level.limit = wholeNumber(pair.value)
      else level.offset = wholeNumber(pair.value) ?? 0
      return
    }
    const condition =
      joint === null
        ? parseComparison(subject, pair.value, this.#limits)
        : parseLogic(joint, negated, pair.value, { limits: this.#limits, countStep: this.#countStep })
    this.#tally.add('filters', countComparisons(condition))
    level.conditions.push(condition)
  }

  readonly #countStep = (): void => this.#tally.add('jsonSteps')

  /** `title`, `album.title`, `album.song.or`, `not.and`, `"a.b"`, `meta->a->>b`: resources, then the column. */
  #splitName(text: string): Named {
    if (/^[A-Za-z0-9_]+$/.test(text))
      return {
        path: [],
        subject: { column: text },
        joint: text === 'and' || text === 'or' ? text : null,
        negated: false,
      }
    const scanner = new Scanner(text, 'filter name')
    const names: { name: string; quoted: boolean }[] = []
    do {
      const quoted = scanner.startsWith('"')
      names.push({ name: scanner.name('a column'), quoted })
    } while (scanner.take('.'))
    const jsonPath = scanner.jsonPath(this.#countStep)
    if (!scanner.done) throw scanner.fail('"." or end of input')
    const last = names.pop()
    const column = last?.name ?? ''
    if (jsonPath !== undefined)
      return { path: namesOf(names), subject: { column, path: jsonPath }, joint: null, negated: false }
    const joint = last?.quoted !== true && (column === 'and' || column === 'or') ? column : null
    const before = names.at(-1)
    const negated = joint !== null && before !== undefined && before.name === 'not' && !before.quoted
    if (negated) names.pop()
    return { path: namesOf(names), subject: { column }, joint, negated }
  }

  #levelOf(path: readonly string[]): Level {
    checkCap(this.#limits, 'embedDepth', path.length)
    let level = this.top
    for (const name of path) {
      const below = level.embedded.get(name) ?? emptyLevel()
      level.embedded.set(name, below)
      level = below
    }
    return level
  }
}

interface Named {
  /** Names of the embedded resources, outermost first. */
  readonly path: readonly string[]
  readonly subject: Subject
  readonly joint: 'and' | 'or' | null
  readonly negated: boolean
}

const namesOf = (names: readonly { readonly name: string }[]) => names.map(({ name }) => name)

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
