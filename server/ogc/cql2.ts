// Reads filters in CQL2 Text (OGC 21-065r2) into a tree; cql2-sql.ts writes it as a condition. Of the grammar:
// comparisons, LIKE, BETWEEN, IN, IS NULL, AND/OR/NOT, CASEI, spatial and temporal functions, and literals. No
// arithmetic, no arrays and no functions of our own.
import { Refusal } from '#server/errors.ts'
import { faultAt, type Token, tokensOf } from './cql2-tokens.ts'

export type Literal =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'date' | 'timestamp'; readonly value: string }

export interface Property {
  readonly kind: 'property'
  readonly name: string
}
/** Compared without regard to upper and lower case. */
export interface Folded {
  readonly kind: 'casei'
  readonly of: Scalar
}
export type Scalar = Literal | Property | Folded

/** Well-known text, or the four numbers of a BBOX. */
export type Shape =
  | { readonly kind: 'wkt'; readonly text: string; readonly isCollection: boolean }
  | { readonly kind: 'bbox'; readonly numbers: readonly number[] }
  | Property

/** An instant, or an interval whose open ends are null. */
export type Time =
  | Property
  | Extract<Literal, { kind: 'date' | 'timestamp' }>
  | { readonly kind: 'interval'; readonly from: TimeEnd | null; readonly to: TimeEnd | null }
type TimeEnd = Property | Extract<Literal, { kind: 'date' | 'timestamp' }>

export const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const
export type Comparison = (typeof COMPARISONS)[number]
export const SPATIAL = [
  's_intersects',
  's_within',
  's_contains',
  's_disjoint',
  's_equals',
  's_touches',
  's_crosses',
  's_overlaps',
] as const
export type Spatial = (typeof SPATIAL)[number]
export const TEMPORAL = ['t_after', 't_before', 't_equals', 't_intersects', 't_during', 't_disjoint'] as const
export type Temporal = (typeof TEMPORAL)[number]

export type Filter =
  | { readonly op: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly op: 'not'; readonly part: Filter }
  | { readonly op: 'compare'; readonly by: Comparison; readonly left: Scalar; readonly right: Scalar }
  | { readonly op: 'like'; readonly value: Scalar; readonly pattern: Scalar }
  | { readonly op: 'between'; readonly value: Scalar; readonly from: Scalar; readonly to: Scalar }
  | { readonly op: 'in'; readonly value: Scalar; readonly list: readonly Scalar[] }
  | { readonly op: 'null'; readonly value: Scalar }
  | { readonly op: 'spatial'; readonly by: Spatial; readonly left: Shape; readonly right: Shape }
  | { readonly op: 'temporal'; readonly by: Temporal; readonly left: Time; readonly right: Time }
  | { readonly op: 'constant'; readonly value: boolean }

/** Limits of one filter: letters, levels of brackets, conditions, values of an IN, numbers of a geometry. */
export const FILTER_LIMITS = { letters: 6_000, depth: 20, conditions: 60, list: 500, numbers: 4_000 }

const tooLarge = (what: string): Refusal => new Refusal('bad_filter', `filter: ${what}`)

const GEOMETRIES: ReadonlySet<string> = new Set([
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
])
const COLLECTION = 'GEOMETRYCOLLECTION'
const RESERVED: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'LIKE', 'BETWEEN', 'IN', 'IS', 'NULL'])
const isSpatial = (word: string): word is Spatial => (SPATIAL as readonly string[]).includes(word)
const isTemporal = (word: string): word is Temporal => (TEMPORAL as readonly string[]).includes(word)
const isComparison = (text: string): text is Comparison => (COMPARISONS as readonly string[]).includes(text)

/** @throws Refusal 400 with the place of the first fault */
export function parseCql2(text: string): Filter {
  if (text.length > FILTER_LIMITS.letters)
    throw tooLarge(`Der Filter ist länger als ${FILTER_LIMITS.letters} Zeichen.`)
  return new Reader(text).whole()
}

class Reader {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  #conditions = 0
  #numbers = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = [...tokensOf(text)]
  }

  whole(): Filter {
    const filter = this.#or()
    if (this.#next.kind !== 'end') throw this.#fault()
    return filter
  }

  get #next(): Token {
    return this.#tokens[this.#at]!
  }
  #fault(token: Token = this.#next): Refusal {
    return faultAt(token.at, this.#text)
  }
  #take(): Token {
    const token = this.#next
    if (token.kind !== 'end') this.#at += 1
    return token
  }
  #isWord(word: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token?.kind === 'word' && token.text.toUpperCase() === word
  }
  #isSign(sign: string): boolean {
    return this.#next.kind === 'sign' && this.#next.text === sign
  }
  #takeWord(word: string): boolean {
    if (!this.#isWord(word)) return false
    this.#at += 1
    return true
  }
  #need(sign: string): void {
    if (!this.#isSign(sign)) throw this.#fault()
    this.#at += 1
  }
  #inside<T>(read: () => T): T {
    this.#need('(')
    this.#depth += 1
    if (this.#depth > FILTER_LIMITS.depth)
      throw tooLarge(`Der Filter hat mehr als ${FILTER_LIMITS.depth} Ebenen von Klammern.`)
    const value = read()
    this.#depth -= 1
    this.#need(')')
    return value
  }

  #chain(op: 'and' | 'or', read: () => Filter): Filter {
    const parts = [read()]
    while (this.#takeWord(op.toUpperCase())) parts.push(read())
    return parts.length === 1 ? parts[0]! : { op, parts }
  }
  #or(): Filter {
    return this.#chain('or', () => this.#and())
  }
  #and(): Filter {
    return this.#chain('and', () => this.#not())
  }
  #not(): Filter {
    let negations = 0
    while (this.#takeWord('NOT')) negations += 1
    const part = this.#condition()
    return negations % 2 === 1 ? { op: 'not', part } : part
  }

  #condition(): Filter {
    this.#conditions += 1
    if (this.#conditions > FILTER_LIMITS.conditions)
      throw tooLarge(`Der Filter hat mehr als ${FILTER_LIMITS.conditions} Bedingungen.`)
    if (this.#isSign('(')) return this.#inside(() => this.#or())
    const { kind, text } = this.#next
    const word = kind === 'word' ? text.toLowerCase() : ''
    if (isSpatial(word)) {
      this.#at += 1
      const [left, right] = this.#pair(() => this.#shape())
      return { op: 'spatial', by: word, left, right }
    }
    if (isTemporal(word)) {
      this.#at += 1
      const [left, right] = this.#pair(() => this.#time())
      return { op: 'temporal', by: word, left, right }
    }
    if ((word === 'true' || word === 'false') && !this.#isCompared()) {
      this.#at += 1
      return { op: 'constant', value: word === 'true' }
    }
    return this.#comparison(this.#scalar())
  }
  /** Whether a comparison follows the next token. */
  #isCompared(): boolean {
    const after = this.#tokens[this.#at + 1]
    return after?.kind === 'sign' && isComparison(after.text)
  }
  #pair<T>(read: () => T): [T, T] {
    return this.#inside(() => {
      const left = read()
      this.#need(',')
      return [left, read()]
    })
  }

  #comparison(value: Scalar): Filter {
    const { kind, text } = this.#next
    if (kind === 'sign' && isComparison(text)) {
      this.#at += 1
      return { op: 'compare', by: text, left: value, right: this.#scalar() }
    }
    if (this.#takeWord('IS')) {
      const negated = this.#takeWord('NOT')
      if (!this.#takeWord('NULL')) throw this.#fault()
      return negated ? { op: 'not', part: { op: 'null', value } } : { op: 'null', value }
    }
    const negated = this.#takeWord('NOT')
    const found = this.#range(value)
    return negated ? { op: 'not', part: found } : found
  }
  #range(value: Scalar): Filter {
    // Not of CQL2 but of its drafts, in which GDAL asks.
    if (this.#takeWord('ILIKE'))
      return {
        op: 'like',
        value: { kind: 'casei', of: value },
        pattern: { kind: 'casei', of: this.#scalar() },
      }
    if (this.#takeWord('LIKE')) return { op: 'like', value, pattern: this.#scalar() }
    if (this.#takeWord('BETWEEN')) {
      const from = this.#scalar()
      if (!this.#takeWord('AND')) throw this.#fault()
      return { op: 'between', value, from, to: this.#scalar() }
    }
    if (!this.#takeWord('IN')) throw this.#fault()
    const list = this.#inside(() => {
      const values = [this.#scalar()]
      while (this.#isSign(',')) {
        this.#at += 1
        if (values.length === FILTER_LIMITS.list)
          throw tooLarge(`Ein IN hat mehr als ${FILTER_LIMITS.list} Werte.`)
        values.push(this.#scalar())
      }
      return values
    })
    return { op: 'in', value, list }
  }

  #scalar(): Scalar {
    const token = this.#take()
    if (token.kind === 'quoted') return { kind: 'property', name: token.text }
    if (token.kind === 'text') return { kind: 'text', value: token.text }
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) }
    if (token.kind !== 'word') throw this.#fault(token)
    const word = token.text.toUpperCase()
    if (word === 'TRUE' || word === 'FALSE') return { kind: 'boolean', value: word === 'TRUE' }
    if (this.#isSign('(')) {
      if (word === 'CASEI') return { kind: 'casei', of: this.#inside(() => this.#scalar()) }
      if (word === 'DATE' || word === 'TIMESTAMP') return this.#instant(word)
      throw this.#fault(token)
    }
    if (RESERVED.has(word)) throw this.#fault(token)
    return { kind: 'property', name: token.text }
  }

  #instant(word: 'DATE' | 'TIMESTAMP'): Extract<Literal, { kind: 'date' | 'timestamp' }> {
    return this.#inside(() => {
      const { kind, text, at } = this.#take()
      const instant = kind === 'text' ? readInstant(text) : null
      if (instant === null || (word === 'DATE') !== (instant.kind === 'date')) throw faultAt(at, this.#text)
      return instant
    })
  }

  #time(): Time {
    const { kind, text } = this.#next
    const word = kind === 'word' ? text.toUpperCase() : ''
    if (word === 'INTERVAL') {
      this.#at += 1
      const [from, to] = this.#pair(() => this.#end())
      return { kind: 'interval', from, to }
    }
    return this.#timeEnd()
  }
  #timeEnd(): TimeEnd {
    const token = this.#next
    const scalar = this.#scalar()
    if (scalar.kind === 'property' || scalar.kind === 'date' || scalar.kind === 'timestamp') return scalar
    const instant = scalar.kind === 'text' ? readInstant(scalar.value) : null
    if (instant === null) throw this.#fault(token)
    return instant
  }
  #end(): TimeEnd | null {
    if (this.#next.kind !== 'text' || this.#next.text !== '..') return this.#timeEnd()
    this.#at += 1
    return null
  }

  #shape(): Shape {
    const token = this.#next
    if (token.kind === 'quoted') return { kind: 'property', name: this.#take().text }
    if (token.kind !== 'word') throw this.#fault()
    const word = token.text.toUpperCase()
    this.#at += 1
    if (word === 'BBOX') {
      const numbers = this.#inside(() => this.#numberList())
      if (numbers.length !== 4 && numbers.length !== 6) throw this.#fault(token)
      return { kind: 'bbox', numbers }
    }
    if (word !== COLLECTION && !GEOMETRIES.has(word)) return { kind: 'property', name: token.text }
    return { kind: 'wkt', text: this.#tagged(word), isCollection: word === COLLECTION }
  }
  /** What follows the name of a geometry: heights are read and left out. */
  #tagged(word: string): string {
    const isHigh = this.#takeWord('Z')
    if (word !== COLLECTION) return `${word}${this.#coordinates(isHigh)}`
    const members = this.#inside(() => {
      const parts = [this.#member()]
      while (this.#isSign(',')) {
        this.#at += 1
        parts.push(this.#member())
      }
      return parts
    })
    return `${word}(${members.join(',')})`
  }
  #member(): string {
    const token = this.#take()
    const word = token.kind === 'word' ? token.text.toUpperCase() : ''
    if (word !== COLLECTION && !GEOMETRIES.has(word)) throw this.#fault(token)
    return this.#tagged(word)
  }
  #numberList(): number[] {
    const numbers = [this.#number()]
    while (this.#isSign(',')) {
      this.#at += 1
      numbers.push(this.#number())
    }
    return numbers
  }
  #number(): number {
    const token = this.#take()
    if (token.kind !== 'number') throw this.#fault(token)
    this.#numbers += 1
    if (this.#numbers > FILTER_LIMITS.numbers)
      throw tooLarge(`Eine Geometrie hat mehr als ${FILTER_LIMITS.numbers} Zahlen.`)
    return Number(token.text)
  }
  /** The bracketed part of well-known text, written again from what was read. */
  #coordinates(isHigh: boolean): string {
    return `(${this.#inside(() => {
      const parts = [this.#coordinate(isHigh)]
      while (this.#isSign(',')) {
        this.#at += 1
        parts.push(this.#coordinate(isHigh))
      }
      return parts.join(',')
    })})`
  }
  #coordinate(isHigh: boolean): string {
    if (this.#isSign('(')) return this.#coordinates(isHigh)
    const numbers = [this.#number(), this.#number()]
    if (isHigh || this.#next.kind === 'number') this.#number()
    return numbers.join(' ')
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** A day or an instant as RFC 3339 writes them; null for anything else. */
export function readInstant(text: string): Extract<Literal, { kind: 'date' | 'timestamp' }> | null {
  const kind = DAY.test(text) ? 'date' : MOMENT.test(text) ? 'timestamp' : null
  if (kind === null || Number.isNaN(Date.parse(text))) return null
  // Date.parse takes the 31st of February for the 3rd of March.
  const day = text.slice(0, 10)
  if (new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) return null
  return { kind, value: text }
}
