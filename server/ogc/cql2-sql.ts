// Writes a filter as a condition. Names are looked up among the columns of the collection, values become
// parameters.
import { Refusal } from '#server/errors.ts'
import type { Filter, Literal, Scalar, Shape, Spatial, Temporal, Time } from './cql2.ts'
import { readInstant } from './cql2.ts'
import type { Crs } from './crs.ts'
import { type Column, type ColumnType, quoteName } from './columns.ts'
import { bboxShape } from './places.ts'
import type { Values } from './sql-text.ts'

export interface FilterGround {
  readonly columns: ReadonlyMap<string, Column>
  /** The indexed geometry: an expression, and the system it is stored in. */
  readonly geometry: { readonly expression: string; readonly epsg: number }
  /** System of the coordinates in the filter. */
  readonly crs: Crs
  readonly values: Values
}

type Type = Exclude<ColumnType, 'json' | 'integer' | 'uuid'>
interface Term {
  readonly text: string
  readonly type: Type
}

const TYPE_OF: Readonly<Record<Exclude<ColumnType, 'json'>, Type>> = {
  text: 'text',
  uuid: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
}
const SQL_TYPE: Readonly<Record<Type, string>> = {
  text: 'text',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
}

/** Names by which a filter may mean the place of a feature. */
const GEOMETRY_NAMES: ReadonlySet<string> = new Set(['geometry', 'geom'])

/**
 * The others PostGIS does not know for collections: it does not distinguish what is within several things.
 */
const WITH_COLLECTIONS: ReadonlySet<Spatial> = new Set<Spatial>(['s_intersects', 's_disjoint', 's_equals'])

const refuse = (what: string): Refusal => new Refusal('bad_filter', `filter: ${what}`)

/** @throws Refusal 400 for names the collection does not have, and for comparisons that cannot be */
export function writeFilter(filter: Filter, ground: FilterGround): string {
  return new Writer(ground).condition(filter)
}

/** A condition `name = text`, as `?name=text` of an address asks for it. */
export function writeEquality(column: Column, text: string, values: Values): string {
  const value: Literal =
    column.type === 'number' || column.type === 'integer'
      ? { kind: 'number', value: numberOf(column.name, text) }
      : column.type === 'boolean'
        ? { kind: 'boolean', value: booleanOf(column.name, text) }
        : { kind: 'text', value: text }
  const filter: Filter = {
    op: 'compare',
    by: '=',
    left: { kind: 'property', name: column.name },
    right: value,
  }
  const columns = new Map([[column.name, column]])
  return new Writer({ columns, values }).condition(filter)
}

function numberOf(name: string, text: string): number {
  if (!/^[+-]?\d{1,15}(?:\.\d{1,10})?$/.test(text))
    throw new Refusal('bad_value', `${name}: Hier wird eine Zahl erwartet.`)
  return Number(text)
}
function booleanOf(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new Refusal('bad_value', `${name}: Hier wird true oder false erwartet.`)
  return text === 'true'
}

/** First and last moment; an open end is the end of time. A day is all of its moments. */
interface Span {
  readonly from: string
  readonly to: string
  /** Whether that end is a day, which is part of an interval; a moment only bounds one. */
  readonly fromDay: boolean
  readonly toDay: boolean
}
/** From the first moment of a day to its last; the database knows none shorter. */
const TO_LAST = `interval '1 day' - interval '1 microsecond'`

/** GDAL begins to write the time of a day that has none. */
const DAY_OF_GDAL = /^(\d{4}-\d\d-\d\d)T$/

/** For GDAL yes and no are numbers. */
const yesNoOf = (scalar: Scalar): Scalar =>
  scalar.kind === 'number' && (scalar.value === 0 || scalar.value === 1)
    ? { kind: 'boolean', value: scalar.value === 1 }
    : scalar

class Writer {
  readonly #ground: Pick<FilterGround, 'columns' | 'values'> & Partial<FilterGround>
  constructor(ground: Pick<FilterGround, 'columns' | 'values'> & Partial<FilterGround>) {
    this.#ground = ground
  }

  condition(filter: Filter): string {
    switch (filter.op) {
      case 'and':
      case 'or':
        return `(${filter.parts.map((part) => this.condition(part)).join(` ${filter.op} `)})`
      case 'not':
        return `(not ${this.condition(filter.part)})`
      case 'constant':
        return String(filter.value)
      case 'null':
        return `(${this.#geometryOf(filter.value) ?? this.#column(filter.value).text} is null)`
      case 'compare': {
        const [left, right] = this.#alike([filter.left, filter.right])
        return `(${left!.text} ${filter.by} ${right!.text})`
      }
      case 'between': {
        const [value, from, to] = this.#alike([filter.value, filter.from, filter.to])
        return `(${value!.text} between ${from!.text} and ${to!.text})`
      }
      case 'in': {
        const [value, ...list] = this.#alike([filter.value, ...filter.list])
        return `(${value!.text} in (${list.map(({ text }) => text).join(', ')}))`
      }
      case 'like': {
        const [value, pattern] = this.#alike([filter.value, filter.pattern])
        if (value!.type !== 'text') throw refuse('LIKE vergleicht nur Texte.')
        return `(${value!.text} like ${pattern!.text})`
      }
      case 'spatial':
        return this.#spatial(filter.by, filter.left, filter.right)
      case 'temporal':
        return this.#temporal(filter.by, filter.left, filter.right)
    }
  }

  /** The geometry if that is what the name means; null for a column. */
  #geometryOf(scalar: Scalar): string | null {
    const { columns, geometry } = this.#ground
    if (scalar.kind !== 'property' || columns.has(scalar.name) || !GEOMETRY_NAMES.has(scalar.name))
      return null
    return geometry?.expression ?? null
  }
  #column(scalar: Scalar): Term {
    if (scalar.kind !== 'property') throw refuse('IS NULL braucht den Namen einer Eigenschaft.')
    const column = this.#ground.columns.get(scalar.name)
    if (column === undefined)
      throw refuse(`Die Eigenschaft „${scalar.name.slice(0, 60)}“ gibt es hier nicht.`)
    if (column.type === 'json') throw refuse(`Nach „${column.name}“ lässt sich nicht filtern.`)
    const name = `t.${quoteName(column.name)}`
    return { text: column.type === 'uuid' ? `${name}::text` : name, type: TYPE_OF[column.type] }
  }

  /** The terms of a comparison, all of one type: a text beside a date is read as a date. */
  #alike(given: readonly Scalar[]): Term[] {
    const scalars = this.#isYesNo(given) ? given.map(yesNoOf) : given
    const types = new Set(scalars.map((scalar) => this.#typeOf(scalar)))
    const wanted = [...types].filter((type) => type !== null)
    const moments = wanted.filter((type) => type === 'date' || type === 'timestamp')
    const type = moments.length > 0 ? (moments.includes('timestamp') ? 'timestamp' : 'date') : wanted[0]
    const fits = wanted.every((one) => one === type || (type === 'timestamp' && one === 'date'))
    if (type !== undefined && !fits) throw refuse('Hier werden Werte verschiedener Art verglichen.')
    return scalars.map((scalar) => this.#term(scalar, type ?? 'text'))
  }
  #isYesNo(scalars: readonly Scalar[]): boolean {
    return scalars.some((scalar) => scalar.kind === 'property' && this.#typeOf(scalar) === 'boolean')
  }
  /** Null for a text, which may also be a date. */
  #typeOf(scalar: Scalar): Type | null {
    if (scalar.kind === 'property') return this.#column(scalar).type
    if (scalar.kind === 'casei') return 'text'
    return scalar.kind === 'text' ? null : scalar.kind
  }
  #term(scalar: Scalar, type: Type): Term {
    if (scalar.kind === 'property') return this.#column(scalar)
    if (scalar.kind === 'casei' && this.#typeOf(scalar.of) !== null && this.#typeOf(scalar.of) !== 'text')
      throw refuse('CASEI vergleicht nur Texte.')
    if (scalar.kind === 'casei') return { text: `lower(${this.#term(scalar.of, 'text').text})`, type: 'text' }
    if (scalar.kind === 'text' && type !== 'text') {
      const instant =
        type === 'date' || type === 'timestamp' ? readInstant(scalar.value.replace(DAY_OF_GDAL, '$1')) : null
      if (instant === null) throw refuse('Hier werden Werte verschiedener Art verglichen.')
      return { text: this.#ground.values.add(instant.value, SQL_TYPE[type]), type }
    }
    return { text: this.#ground.values.add(String(scalar.value), SQL_TYPE[type]), type }
  }

  #spatial(by: Spatial, left: Shape, right: Shape): string {
    const { geometry } = this.#ground
    if (geometry === undefined) throw refuse('Hier gibt es keine Geometrie.')
    const isCollection = [left, right].some((shape) => shape.kind === 'wkt' && shape.isCollection)
    if (isCollection && !WITH_COLLECTIONS.has(by))
      throw refuse('Eine GEOMETRYCOLLECTION vergleichen nur S_INTERSECTS, S_DISJOINT und S_EQUALS.')
    const [first, second] = [this.#shape(left), this.#shape(right)]
    const call = `public.st_${by.slice(2)}(${first}, ${second})`
    // Disjoint is the only one for which boxes that do not meet decide nothing.
    return by === 's_disjoint' ? `(not public.st_intersects(${first}, ${second}))` : `(${call})`
  }
  #shape(shape: Shape): string {
    const { geometry, crs, values } = this.#ground
    if (geometry === undefined || crs === undefined) throw refuse('Hier gibt es keine Geometrie.')
    if (shape.kind === 'property') {
      if (!GEOMETRY_NAMES.has(shape.name)) throw refuse('Die Geometrie heißt hier „geometry“.')
      return geometry.expression
    }
    if (shape.kind === 'bbox') return bboxShape(shape.numbers, crs, geometry.epsg, values)
    const read = `public.st_geomfromtext(${values.add(shape.text, 'text')}, ${crs.epsg})`
    const turned = crs.northFirst ? `public.st_flipcoordinates(${read})` : read
    return crs.epsg === geometry.epsg ? turned : `public.st_transform(${turned}, ${geometry.epsg})`
  }

  #temporal(by: Temporal, left: Time, right: Time): string {
    const [a, b] = [this.#span(left), this.#span(right)]
    switch (by) {
      case 't_after':
        return `(${a.from} > ${b.to})`
      case 't_before':
        return `(${a.to} < ${b.from})`
      case 't_equals':
        return `(${a.from} = ${b.from} and ${a.to} = ${b.to})`
      case 't_during':
        return `(${a.from} ${b.fromDay ? '>=' : '>'} ${b.from} and ${a.to} ${b.toDay ? '<=' : '<'} ${b.to})`
      case 't_intersects':
        return `(${a.from} <= ${b.to} and ${a.to} >= ${b.from})`
      case 't_disjoint':
        return `(not (${a.from} <= ${b.to} and ${a.to} >= ${b.from}))`
    }
  }
  #span(time: Time): Span {
    const [from, to] = time.kind === 'interval' ? [time.from, time.to] : [time, time]
    const first = from && this.#moment(from)
    const last = to === from ? first : to && this.#moment(to)
    return {
      from: first?.text ?? `'-infinity'::timestamptz`,
      to: last === null ? `'infinity'::timestamptz` : last.isDay ? `(${last.text} + ${TO_LAST})` : last.text,
      fromDay: first?.isDay ?? false,
      toDay: last?.isDay ?? false,
    }
  }
  #moment(one: Exclude<Time, { kind: 'interval' }>): { readonly text: string; readonly isDay: boolean } {
    if (one.kind !== 'property')
      return { text: this.#ground.values.add(one.value, 'timestamptz'), isDay: one.kind === 'date' }
    const { text, type } = this.#column(one)
    if (type !== 'date' && type !== 'timestamp') throw refuse(`„${one.name}“ ist kein Zeitpunkt.`)
    return { text: `${text}::timestamptz`, isDay: type === 'date' }
  }
}
