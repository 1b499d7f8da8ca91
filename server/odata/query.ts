// The options of an address in OData: which columns and rows, in which order. What is not known is refused, because a
// misspelt filter would otherwise return everything.
import type { Formula } from '#server/data-api/formula.ts'
import { Refusal } from '#server/errors.ts'
import type { Property } from './edm.ts'
import { apply, readFilter, valueOf } from './filter.ts'
import type { Order } from './order.ts'
import { readSkiptoken, type Token } from './page.ts'
import type { EntitySet } from './sets.ts'

export interface TableQuery {
  /** Empty: all. */
  readonly select: readonly Property[]
  readonly conditions: readonly Formula[]
  readonly order: readonly Order[]
  readonly top: number | null
  readonly skip: number
  readonly counted: boolean
  /** Where the page before has ended. */
  readonly token: Token | null
}

/** A table as the database describes it. */
export interface Table {
  readonly set: EntitySet
  readonly properties: ReadonlyMap<string, Property>
}

/** Words of $search. */
const MOST_WORDS = 10

const OPTIONS = [
  '$select', '$filter', '$orderby', '$top', '$skip', '$count', '$search', '$format', '$skiptoken',
] as const // biome-ignore format: a list
/** Known to OData, and not to this service. */
const NOT_HERE: ReadonlySet<string> = new Set(
  '$apply $compute $expand $levels $id $deltatoken $index $schemaversion'.split(' '),
)

export type Given = ReadonlyMap<string, string>

const bad = (message: string): Refusal => new Refusal('bad_value', message)

/** What comes after the first question mark; another one belongs to a value. */
export const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

/** @param allowed options of this address */
export function readOptions(search: string, allowed: readonly string[] = OPTIONS): Given {
  const given = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(search)) {
    if (NOT_HERE.has(name)) throw bad(`${name} wird nicht unterstützt.`)
    if (!allowed.includes(name)) {
      const meant = allowed.find((option) => option === `$${name}` || option === name.toLowerCase())
      throw bad(
        `Die Angabe „${name.slice(0, 40)}“ gibt es hier nicht.${meant === undefined ? '' : ` Meinten Sie ${meant}?`}`,
      )
    }
    if (given.has(name)) throw bad(`${name} steht zweimal in der Adresse.`)
    if (value.includes('\0')) throw bad(`${name}: Das Zeichen mit der Nummer 0 ist nicht erlaubt.`)
    given.set(name, value)
  }
  return given
}

export function readQuery({ set, properties }: Table, given: Given): TableQuery {
  const filter = given.get('$filter')
  const order = readOrder(given.get('$orderby'), properties, set.key)
  const search = given.get('$search')
  return {
    select: readSelect(given.get('$select'), properties),
    conditions: [
      ...(filter === undefined ? [] : [readFilter(filter, properties)]),
      ...(search === undefined ? [] : readSearch(search, set)),
    ],
    order,
    top: readNumber(given, '$top'),
    skip: readNumber(given, '$skip') ?? 0,
    counted: readFlag(given, '$count'),
    token: readSkiptoken(given.get('$skiptoken'), order),
  }
}

function readNumber(given: Given, name: string): number | null {
  const text = given.get(name)
  if (text === undefined) return null
  if (!/^\d{1,15}$/.test(text)) throw bad(`${name} ist eine ganze Zahl ab 0.`)
  return Number(text)
}

function readFlag(given: Given, name: string): boolean {
  const text = given.get(name) ?? 'false'
  if (text !== 'true' && text !== 'false') throw bad(`${name} ist true oder false.`)
  return text === 'true'
}

const pieces = (text: string): string[] => text.split(',').map((piece) => piece.trim())

function propertyOf(properties: ReadonlyMap<string, Property>, name: string, option: string): Property {
  const property = properties.get(name)
  if (property !== undefined) return property
  throw bad(
    name.includes('/') || name.includes('(')
      ? `${option} nennt nur Spalten dieser Tabelle, durch Kommas getrennt.`
      : `${option}: Die Spalte „${name.slice(0, 60)}“ gibt es hier nicht.`,
  )
}

function readSelect(text: string | undefined, properties: ReadonlyMap<string, Property>): Property[] {
  if (text === undefined) return []
  const names = pieces(text)
  if (names.includes('*')) return []
  return [...new Set(names.map((name) => propertyOf(properties, name, '$select')))]
}

function readOrder(
  text: string | undefined,
  properties: ReadonlyMap<string, Property>,
  key: string,
): Order[] {
  const order: Order[] = []
  for (const piece of text === undefined ? [] : pieces(text)) {
    const [name = '', direction = 'asc', ...rest] = piece.split(/\s+/)
    const property = propertyOf(properties, name, '$orderby')
    if ((direction !== 'asc' && direction !== 'desc') || rest.length > 0)
      throw bad('$orderby: Nach der Spalte steht asc oder desc.')
    if (property.kind === 'other') throw bad(`$orderby: Nach „${name}“ lässt sich nicht sortieren.`)
    if (order.some((known) => known.property === property)) throw bad(`$orderby nennt „${name}“ zweimal.`)
    order.push({ property, descending: direction === 'desc' })
  }
  // What tells rows apart ends the order, so that pages have no gaps.
  const last = properties.get(key)
  if (last !== undefined && !order.some(({ property }) => property === last))
    order.push({ property: last, descending: false })
  return order
}

/** As the search box of the list: each word somewhere in the row's text. */
function readSearch(text: string, { search, title }: EntitySet): Formula[] {
  if (search === null)
    throw bad(`„${title}“ lässt sich nicht mit $search durchsuchen. Verwenden Sie $filter.`)
  const words = [...text.matchAll(/"([^"]*)"|([^\s"]+)/g)].flatMap(([, phrase, word]) =>
    word === 'AND' ? [] : [{ text: (phrase ?? word ?? '').toLowerCase().trim(), isWord: word !== undefined }],
  )
  if (/(?:^|\s)(?:OR|NOT)(?:\s|$)|[()]/.test(text.replaceAll(/"[^"]*"/g, '""')))
    throw bad('$search: OR, NOT und Klammern werden nicht unterstützt; alle Wörter müssen vorkommen.')
  if ((text.match(/"/g) ?? []).length % 2 === 1) throw bad('$search: Ein Anführungszeichen fehlt.')
  const asked = words.filter((word) => word.text !== '')
  if (asked.length > MOST_WORDS) throw bad(`$search nimmt höchstens ${MOST_WORDS} Wörter.`)
  return asked.map((word) =>
    apply('contains', { kind: 'column', column: search }, valueOf(word.text, 'text')),
  )
}

/** The columns of the answer, in their order. */
export const shownOf = (
  { properties }: Table,
  { select }: Pick<TableQuery, 'select'>,
): readonly Property[] => (select.length === 0 ? [...properties.values()] : select)
