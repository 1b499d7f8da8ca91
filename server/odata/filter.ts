// $filter of OData as a formula of the data API: operators by their rank, functions by the kinds that they take.
// Everything that is not known is refused; nothing of the text reaches a statement but values.
import type { Formula, FormulaType, FormulaWord } from '#server/data-api/formula.ts'
import { columnOf, type Kind, type Property, TYPE_OF } from './edm.ts'
import { FUNCTIONS, type Typed } from './functions.ts'
import { unreadable, type Word, wordsOf } from './literals.ts'

/** Levels of brackets, functions and `not`. */
export const MOST_LEVELS = 30

const COMPARISONS: Readonly<Record<string, FormulaWord>> = {
  eq: 'same',
  ne: 'differs',
  gt: 'above',
  ge: 'aboveOrSame',
  lt: 'below',
  le: 'belowOrSame',
}
const SUMS: Readonly<Record<string, FormulaWord>> = { add: 'plus', sub: 'minus' }
const PRODUCTS: Readonly<Record<string, FormulaWord>> = {
  mul: 'times',
  div: 'over',
  divby: 'over',
  mod: 'modulo',
}
/** Said by name, so that nobody looks for a typing error. */
const NOT_HERE: ReadonlySet<string> = new Set(['any', 'all', 'has', 'cast', 'isof', 'matchesPattern', 'case'])

const isNumber = (kind: Kind | 'null'): boolean => kind === 'int' || kind === 'decimal' || kind === 'double'

export function readFilter(text: string, properties: ReadonlyMap<string, Property>): Formula {
  return new Parser(text, properties).whole()
}

export const apply = (by: FormulaWord, ...to: readonly Formula[]): Formula => ({ kind: 'apply', by, to })

class Parser {
  readonly #words: readonly Word[]
  readonly #properties: ReadonlyMap<string, Property>
  readonly #end: number
  #next = 0
  #level = 0

  constructor(text: string, properties: ReadonlyMap<string, Property>) {
    this.#words = wordsOf(text)
    this.#properties = properties
    this.#end = text.length
  }

  whole(): Formula {
    const found = this.#condition(() => this.#either())
    const rest = this.#words[this.#next]
    if (rest !== undefined) throw unreadable(`„${rest.text}“ passt hier nicht.`, rest.at)
    return found
  }

  #condition(read: () => Typed): Formula {
    const { at } = this
    const found = read()
    if (found.kind !== 'boolean')
      throw unreadable('Hier muss eine Bedingung stehen, die wahr oder falsch ist.', at)
    return found.formula
  }

  get at(): number {
    return this.#words[this.#next]?.at ?? this.#end
  }

  #takes(kind: 'name' | 'sign', text: string): boolean {
    const word = this.#words[this.#next]
    if (word?.kind !== kind || word.text !== text) return false
    this.#next++
    return true
  }

  #operator(among: Readonly<Record<string, FormulaWord>>): string | null {
    const word = this.#words[this.#next]
    if (word?.kind !== 'name' || !Object.hasOwn(among, word.text)) return null
    this.#next++
    return word.text
  }

  #needs(sign: string): void {
    if (!this.#takes('sign', sign)) throw unreadable(`Hier fehlt „${sign}“.`, this.at)
  }

  /** Conditions in a row are one list, so that long ones are not deep. */
  #list(joint: 'and' | 'or', read: () => Typed): Typed {
    const { at } = this
    const first = read()
    const parts = [first]
    while (this.#takes('name', joint)) parts.push(read())
    if (parts.length === 1) return first
    if (parts.some(({ kind }) => kind !== 'boolean'))
      throw unreadable(`„${joint}“ verbindet Bedingungen, die wahr oder falsch sind.`, at)
    return { kind: 'boolean', formula: apply(joint, ...parts.map(({ formula }) => formula)) }
  }

  #either(): Typed {
    return this.#list('or', () => this.#list('and', () => this.#comparison()))
  }

  #comparison(): Typed {
    const left = this.#sum()
    const { at } = this
    if (this.#takes('name', 'in')) return this.#among(left, at)
    const operator = this.#operator(COMPARISONS)
    if (operator === null) {
      this.#refuseNamed()
      return left
    }
    return compare(operator, left, this.#sum(), at)
  }

  /** `tags has 'x'` and the like. */
  #refuseNamed(): void {
    const word = this.#words[this.#next]
    if (word?.kind === 'name' && NOT_HERE.has(word.text)) throw notHere(word)
  }

  #among(left: Typed, at: number): Typed {
    this.#needs('(')
    const values: Typed[] = []
    do values.push(this.#literal())
    while (this.#takes('sign', ','))
    this.#needs(')')
    const given = values.filter(({ kind }) => kind !== 'null')
    // All of a list are of one type: beside a moment, a day is its midnight.
    const known = [left, ...given].some(({ kind }) => kind === 'moment') ? given.map(literalMidnight) : given
    const missing = compare('eq', left, { kind: 'null', formula: NOTHING }, at)
    if (known.length === 0) return missing
    const same = known.map((value) => matched(left, value, at)[1].formula)
    const types = new Set(same.map((value) => (value.kind === 'value' ? value.type : 'text')))
    const type = types.has('numeric') ? 'numeric' : ([...types][0] ?? 'text')
    const list: Formula = {
      kind: 'values',
      values: same.map((value) => (value.kind === 'value' ? value.value : '')),
      type,
    }
    const formula = apply('among', matched(left, known[0]!, at)[0].formula, list)
    return {
      kind: 'boolean',
      formula: known.length < values.length ? apply('or', missing.formula, formula) : formula,
    }
  }

  #sum(): Typed {
    return this.#arithmetic(SUMS, () => this.#arithmetic(PRODUCTS, () => this.#sign()))
  }

  #arithmetic(words: Readonly<Record<string, FormulaWord>>, read: () => Typed): Typed {
    let left = read()
    for (;;) {
      const { at } = this
      const operator = this.#operator(words)
      if (operator === null) return left
      left = calculate(operator, words[operator]!, left, read(), at)
    }
  }

  #sign(): Typed {
    const { at } = this
    if (this.#takes('name', 'not'))
      return this.#deeper(() => ({
        kind: 'boolean',
        formula: apply(
          'not',
          this.#condition(() => this.#sign()),
        ),
      }))
    if (!this.#takes('sign', '-')) return this.#primary()
    const value = this.#deeper(() => this.#sign())
    if (!isNumber(value.kind)) throw unreadable('„-“ darf nur vor Zahlen stehen.', at)
    return { kind: value.kind, formula: apply('negative', value.formula) }
  }

  #deeper<T>(read: () => T): T {
    if (++this.#level > MOST_LEVELS)
      throw unreadable(`Klammern und Funktionen sind höchstens ${MOST_LEVELS} Ebenen tief.`, this.at)
    const found = read()
    this.#level--
    return found
  }

  #primary(): Typed {
    const word = this.#words[this.#next]
    if (this.#takes('sign', '(')) {
      const inside = this.#deeper(() => this.#either())
      this.#needs(')')
      return inside
    }
    if (word?.kind !== 'name') return this.#literal()
    const after = this.#words[this.#next + 1]
    if (after?.kind === 'sign' && after.text === '(' && !WORDS_OF_VALUES.has(word.text))
      return this.#call(word)
    if (after?.kind === 'sign' && after.text === '/')
      throw unreadable('Eigenschaften anderer Tabellen („a/b“) lassen sich nicht filtern.', word.at)
    return WORDS_OF_VALUES.has(word.text) ? this.#literal() : this.#property(word)
  }

  #property({ text, at }: Word): Typed {
    this.#next++
    const property = this.#properties.get(text)
    if (property === undefined) throw unreadable(`Die Spalte „${text}“ gibt es hier nicht.`, at)
    return { kind: property.kind, formula: columnOf(property) }
  }

  #literal(): Typed {
    const word = this.#words[this.#next]
    if (word === undefined) throw unreadable('Hier fehlt ein Wert.', this.#end)
    if (word.kind === 'literal') {
      this.#next++
      return literal(word)
    }
    const known = WORDS_OF_VALUES.get(word.text)
    if (word.kind !== 'name' || known === undefined)
      throw unreadable(`Hier fehlt ein Wert; „${word.text}“ ist keiner.`, word.at)
    this.#next++
    return known
  }

  #call(name: Word): Typed {
    if (NOT_HERE.has(name.text)) throw notHere(name)
    const choices = FUNCTIONS.get(name.text)
    if (choices === undefined) throw unreadable(`Die Funktion „${name.text}“ gibt es hier nicht.`, name.at)
    this.#next += 2
    const given = this.#takes('sign', ')') ? [] : this.#deeper(() => this.#arguments())
    const kinds = given.map(({ kind }) => kind)
    const chosen = choices.find(
      ({ takes }) => takes.length === kinds.length && takes.every((kind, i) => kind === kinds[i]),
    )
    if (chosen === undefined)
      throw unreadable(`„${name.text}“ passt nicht zu diesen Werten (Anzahl oder Art).`, name.at)
    return chosen.make(given)
  }

  #arguments(): Typed[] {
    const given = [this.#either()]
    while (this.#takes('sign', ',')) given.push(this.#either())
    this.#needs(')')
    return given
  }
}

const notHere = ({ text, at }: Word) => unreadable(`„${text}“ wird nicht unterstützt.`, at)

const NOTHING: Formula = { kind: 'value', value: '', type: 'text' }
const truth = (value: string): Typed => ({
  kind: 'boolean',
  formula: { kind: 'value', value, type: 'boolean' },
})
const WORDS_OF_VALUES: ReadonlyMap<string, Typed> = new Map([
  ['null', { kind: 'null', formula: NOTHING }],
  ['true', truth('true')],
  ['false', truth('false')],
])

function literal({ of, text, at }: Word & { kind: 'literal' }): Typed {
  if (of === 'int' && text.replace('-', '').length > 18) {
    if (text.length > 100) throw unreadable('Diese Zahl ist zu lang.', at)
    return { kind: 'decimal', formula: { kind: 'value', value: text, type: 'numeric' }, isLiteral: true }
  }
  if (text.length > 400 && of !== 'string') throw unreadable('Diese Angabe ist zu lang.', at)
  return { kind: of, formula: { kind: 'value', value: text, type: TYPE_OF[of] }, isLiteral: true }
}

/** Both sides as the same kind; a literal takes that of the other side. */
function matched(left: Typed, right: Typed, at: number): readonly [Typed, Typed] {
  if (left.kind === right.kind) return [left, right]
  if (isNumber(left.kind) && isNumber(right.kind)) return [asWide(left, right), asWide(right, left)]
  if (left.kind === 'date' && right.kind === 'moment') return [midnight(left), right]
  if (left.kind === 'moment' && right.kind === 'date') return [left, midnight(right)]
  throw unreadable(`${NAMES[left.kind]} und ${NAMES[right.kind]} lassen sich nicht vergleichen.`, at)
}

/** Numbers of a column with approximate ones are compared as such, so that 0.1 finds 0.1. */
function asWide(one: Typed, other: Typed): Typed {
  if (one.isLiteral !== true || one.formula.kind !== 'value' || other.kind !== 'double') return one
  return { ...one, kind: 'double', formula: { ...one.formula, type: 'double precision' } }
}

/** The beginning of the day in UTC, in which moments are shown. */
const literalMidnight = (literal: Typed): Typed =>
  literal.kind === 'date' && literal.formula.kind === 'value'
    ? {
        kind: 'moment',
        formula: { ...literal.formula, value: `${literal.formula.value}T00:00:00Z`, type: 'timestamptz' },
      }
    : literal

const midnight = ({ formula }: Typed): Typed => ({ kind: 'moment', formula: apply('timeOfDate', formula) })

/** Whether there may be no value. Where one side always has one, an index can find it. */
const mayMiss = (formula: Formula): boolean =>
  formula.kind === 'column' || (formula.kind === 'apply' && formula.to.some(mayMiss))

function compare(operator: string, left: Typed, right: Typed, at: number): Typed {
  const boolean = (formula: Formula): Typed => ({ kind: 'boolean', formula })
  if (left.kind === 'null' || right.kind === 'null') {
    const other = left.kind === 'null' ? right : left
    if (operator !== 'eq' && operator !== 'ne')
      throw unreadable(`Mit null vergleichen nur eq und ne, nicht „${operator}“.`, at)
    if (left.kind === right.kind) return truth(operator === 'eq' ? 'true' : 'false')
    return boolean(apply(operator === 'eq' ? 'missing' : 'present', other.formula))
  }
  if (left.kind === 'other' || right.kind === 'other')
    throw unreadable('Diese Spalte lässt sich nur mit null vergleichen.', at)
  const [a, b] = matched(left, right, at)
  const word = COMPARISONS[operator]!
  const both = word === 'same' && mayMiss(left.formula) && mayMiss(right.formula)
  return boolean(apply(both ? 'sameOrMissing' : word, a.formula, b.formula))
}

function calculate(operator: string, word: FormulaWord, left: Typed, right: Typed, at: number): Typed {
  if (!isNumber(left.kind) || !isNumber(right.kind)) throw unreadable(`„${operator}“ rechnet mit Zahlen.`, at)
  const kind = [left.kind, right.kind].includes('double')
    ? 'double'
    : operator === 'divby' || [left.kind, right.kind].includes('decimal')
      ? 'decimal'
      : 'int'
  if (operator === 'mod' && kind === 'double')
    throw unreadable('„mod“ gibt es nur für Zahlen mit fester Genauigkeit.', at)
  const first = operator === 'divby' && kind === 'decimal' ? apply('asNumeric', left.formula) : left.formula
  return { kind, formula: apply(word, first, right.formula) }
}

const NAMES: Readonly<Record<Kind | 'null', string>> = {
  string: 'Text',
  int: 'Zahl',
  decimal: 'Zahl',
  double: 'Zahl',
  boolean: 'Bedingung',
  date: 'Tag',
  moment: 'Zeitpunkt',
  time: 'Uhrzeit',
  guid: 'Kennung',
  other: 'Liste',
  null: 'null',
}

/** A value in a key or a link. */
export const valueOf = (value: string, type: FormulaType): Formula => ({ kind: 'value', value, type })

/** One literal of this kind; null if it is another or none. */
export function literalValue(text: string, kind: Kind): string | null {
  const [word, ...rest] = text.length > 200 ? [] : wordsOf(text)
  return word?.kind === 'literal' && rest.length === 0 && word.of === kind ? word.text : null
}
