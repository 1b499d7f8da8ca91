// The functions of $filter: what they take, and what they give.
import type { Formula, FormulaWord } from '#server/data-api/formula.ts'
import type { Kind } from './edm.ts'

/** A part of an expression with the kind of its value. */
export interface Typed {
  readonly kind: Kind | 'null'
  readonly formula: Formula
  readonly isLiteral?: true
}

export interface Choice {
  readonly takes: readonly Kind[]
  readonly make: (given: readonly Typed[]) => Typed
}

const gives = (takes: readonly Kind[], kind: Kind, by: FormulaWord): Choice => ({
  takes,
  make: (given) => ({ kind, formula: { kind: 'apply', by, to: given.map(({ formula }) => formula) } }),
})

const TEXT = ['string'] as const
const TWO_TEXTS = ['string', 'string'] as const

/** Of a day, and of a moment, whose parts are those of UTC. */
const ofTime = (kind: Kind, ofDate: FormulaWord, ofMoment: FormulaWord): Choice[] => [
  gives(['date'], kind, ofDate),
  gives(['moment'], kind, ofMoment),
]
const ofNumber = (by: FormulaWord, ofDouble = by): Choice[] => [
  { takes: ['int'], make: ([one]) => one! },
  gives(['decimal'], 'decimal', by),
  gives(['double'], 'double', ofDouble),
]

export const FUNCTIONS: ReadonlyMap<string, readonly Choice[]> = new Map<string, readonly Choice[]>([
  ['contains', [gives(TWO_TEXTS, 'boolean', 'contains')]],
  ['startswith', [gives(TWO_TEXTS, 'boolean', 'begins')]],
  ['endswith', [gives(TWO_TEXTS, 'boolean', 'ends')]],
  ['indexof', [gives(TWO_TEXTS, 'int', 'place')]],
  ['concat', [gives(TWO_TEXTS, 'string', 'joined')]],
  ['tolower', [gives(TEXT, 'string', 'lower')]],
  ['toupper', [gives(TEXT, 'string', 'upper')]],
  ['trim', [gives(TEXT, 'string', 'trim')]],
  ['length', [gives(TEXT, 'int', 'length')]],
  [
    'substring',
    [gives(['string', 'int'], 'string', 'rest'), gives(['string', 'int', 'int'], 'string', 'piece')],
  ],
  ['year', ofTime('int', 'yearOf', 'yearOfTime')],
  ['month', ofTime('int', 'monthOf', 'monthOfTime')],
  ['day', ofTime('int', 'dayOf', 'dayOfTime')],
  ['hour', [gives(['moment'], 'int', 'hourOfTime'), gives(['time'], 'int', 'hour')]],
  ['minute', [gives(['moment'], 'int', 'minuteOfTime'), gives(['time'], 'int', 'minute')]],
  ['second', [gives(['moment'], 'int', 'secondOfTime'), gives(['time'], 'int', 'secondOfTime')]],
  ['date', [{ takes: ['date'], make: ([one]) => one! }, gives(['moment'], 'date', 'dateOfTime')]],
  ['round', ofNumber('round', 'roundDouble')],
  ['floor', ofNumber('floor')],
  ['ceiling', ofNumber('ceiling')],
  ['now', [gives([], 'moment', 'now')]],
])

/** By their names in the standard, for what the metadata says. */
export const FUNCTION_NAMES: readonly string[] = [...FUNCTIONS.keys()]
