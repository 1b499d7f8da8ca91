// Conditions that compare what is computed from columns: for dialects that have functions and arithmetic, which ours
// has not. A formula is data until it is written as SQL here; names come from the catalogue, values are parameters.
import type { Column } from './relation.ts'

/** Types that a value or a column is read as. */
export type FormulaType =
  | 'text'
  | 'bigint'
  | 'numeric'
  | 'double precision'
  | 'boolean'
  | 'date'
  | 'timestamptz'
  | 'time'
  | 'uuid'

export type Formula<C = string> =
  | { readonly kind: 'column'; readonly column: C; readonly as?: FormulaType }
  | { readonly kind: 'value'; readonly value: string; readonly type: FormulaType }
  /** The only kind that is where `among` has its second operand. */
  | { readonly kind: 'values'; readonly values: readonly string[]; readonly type: FormulaType }
  | { readonly kind: 'apply'; readonly by: FormulaWord; readonly to: readonly Formula<C>[] }

const infix = (operator: string) => (a: string, b: string) => `(${a} ${operator} ${b})`
const call = (name: string) => (a: string) => `pg_catalog.${name}(${a})`
const part = (name: string) => (a: string) => `(extract(${name} from ${a}))::bigint`
/** Times are shown in UTC, so their parts are those of UTC. */
const partOfTime = (name: string) => (a: string) => `(extract(${name} from ${a} at time zone 'UTC'))::bigint`

const WORDS = {
  and: (...parts: readonly string[]) => `(${parts.join(' and ')})`,
  or: (...parts: readonly string[]) => `(${parts.join(' or ')})`,
  // What is unknown is not so, and its opposite is.
  not: (a: string) => `(${a} is not true)`,
  same: infix('='),
  sameOrMissing: infix('is not distinct from'),
  differs: infix('is distinct from'),
  above: infix('>'),
  aboveOrSame: infix('>='),
  below: infix('<'),
  belowOrSame: infix('<='),
  missing: (a: string) => `(${a} is null)`,
  present: (a: string) => `(${a} is not null)`,
  among: (a: string, list: string) => `(${a} = any(${list}))`,
  contains: (a: string, b: string) => `(pg_catalog.strpos(${a}, ${b}) > 0)`,
  begins: (a: string, b: string) => `pg_catalog.starts_with(${a}, ${b})`,
  ends: (a: string, b: string) => `(pg_catalog.right(${a}, pg_catalog.length(${b})) = ${b})`,
  place: (a: string, b: string) => `(pg_catalog.strpos(${a}, ${b}) - 1)::bigint`,
  lower: call('lower'),
  upper: call('upper'),
  trim: call('btrim'),
  length: (a: string) => `pg_catalog.length(${a})::bigint`,
  joined: infix('||'),
  // A start before the text counts from its beginning, and no length is below nothing.
  rest: (a: string, from: string) => `pg_catalog.substr(${a}, ${place(from)})`,
  piece: (a: string, from: string, length: string) =>
    `pg_catalog.substr(${a}, ${place(from)}, greatest(least(${length}, 2000000000), 0)::integer)`,
  round: call('round'),
  // Half away from zero, as numeric does it; PostgreSQL rounds half of doubles to even. As text they lose nothing,
  // and the operand is here once, however deep.
  roundDouble: (a: string) => `pg_catalog.round(${a}::text::numeric)::double precision`,
  floor: call('floor'),
  ceiling: call('ceiling'),
  plus: infix('+'),
  minus: infix('-'),
  times: infix('*'),
  over: infix('/'),
  modulo: infix('%'),
  negative: (a: string) => `(- ${a})`,
  yearOf: part('year'),
  monthOf: part('month'),
  dayOf: part('day'),
  yearOfTime: partOfTime('year'),
  monthOfTime: partOfTime('month'),
  dayOfTime: partOfTime('day'),
  hourOfTime: partOfTime('hour'),
  minuteOfTime: partOfTime('minute'),
  secondOfTime: (a: string) => `pg_catalog.floor(extract(second from ${a}))::bigint`,
  hour: part('hour'),
  minute: part('minute'),
  dateOfTime: (a: string) => `(${a} at time zone 'UTC')::date`,
  timeOfDate: (a: string) => `(${a}::timestamp at time zone 'UTC')`,
  asNumeric: (a: string) => `${a}::numeric`,
  now: () => 'pg_catalog.now()',
} as const

export type FormulaWord = keyof typeof WORDS

const place = (from: string): string => `greatest(least(${from}, 2000000000) + 1, 1)::integer`

/** The same formula with what `find` knows about each column. */
export function mapColumns<A, B>(formula: Formula<A>, find: (column: A) => B): Formula<B> {
  if (formula.kind === 'column') return { ...formula, column: find(formula.column) }
  return formula.kind === 'apply'
    ? { ...formula, to: formula.to.map((one) => mapColumns(one, find)) }
    : formula
}

/** @param add takes a value and returns its place in the statement */
export function formulaText(
  formula: Formula<Column>,
  columnText: (column: Column) => string,
  add: (value: unknown) => string,
): string {
  switch (formula.kind) {
    case 'column': {
      const text = columnText(formula.column)
      return formula.as === undefined ? text : `${text}::${formula.as}`
    }
    case 'value':
      return `${add(formula.value)}::${formula.type}`
    case 'values':
      return `${add(formula.values)}::${formula.type}[]`
    case 'apply': {
      const write = WORDS[formula.by] as (...parts: readonly string[]) => string
      return write(...formula.to.map((one) => formulaText(one, columnText, add)))
    }
  }
}
