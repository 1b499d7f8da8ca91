// Filters: column=op.value, and=(…), or=(…).
import { nulCharacter } from './faults.ts'
import { checkCap, type Limits } from './limits.ts'
import {
  type Comparison,
  type Condition,
  type IsWord,
  type JsonPath,
  type Logic,
  OPERATORS,
  type Operator,
  QUANTIFIED,
  type Search,
  SEARCHES,
} from './request.ts'
import { Scanner } from './scanner.ts'

const VALUE_OPERATORS: ReadonlySet<string> = new Set(OPERATORS)
const MANY: ReadonlySet<string> = new Set(QUANTIFIED)
const SEARCH: ReadonlySet<string> = new Set(SEARCHES)
const IS_WORDS: ReadonlySet<string> = new Set(['null', 'not_null', 'true', 'false', 'unknown'])
/** Not a number: PostgreSQL would take it for the identifier of a configuration. */
const LANGUAGE = /^[\p{L}_][\p{L}\p{N}_ $]*$/u

type Where = 'top' | 'inside'

/** What a filter compares. */
export interface Subject {
  readonly column: string
  readonly path?: JsonPath
}

/** Parses `op.value` of one query pair. */
export function parseComparison(subject: Subject, text: string, limits: Limits): Comparison {
  const scanner = new Scanner(text, 'filter')
  return operation(scanner, subject, 'top', limits)
}

/** Parses `(a.eq.1,or(…))` of and= and or=. */
export function parseLogic(
  joint: 'and' | 'or',
  negated: boolean,
  text: string,
  { limits, countStep }: { limits: Limits; countStep: () => void },
): Logic {
  const scanner = new Scanner(text, 'logic tree')
  const parser = { scanner, limits, countStep }
  const logic = group(parser, joint, negated, 1)
  if (!scanner.done) throw scanner.fail('end of input')
  return logic
}

interface Parser {
  readonly scanner: Scanner
  readonly limits: Limits
  readonly countStep: () => void
}

function group(parser: Parser, joint: 'and' | 'or', negated: boolean, depth: number): Logic {
  const { scanner, limits } = parser
  checkCap(limits, 'logicDepth', depth)
  scanner.skipBlank()
  scanner.need('(')
  const parts: Condition[] = []
  do parts.push(part(parser, depth))
  while (scanner.take(','))
  scanner.need(')')
  scanner.skipBlank()
  return { kind: 'logic', joint, negated, parts }
}

const JOINT = /(not\.)?(and|or)[ \t]*(?=\()/y

function part(parser: Parser, depth: number): Condition {
  const { scanner, limits, countStep } = parser
  scanner.skipBlank()
  const joint = scanner.takeMatch(JOINT)
  if (joint !== null)
    return group(parser, joint.includes('and') ? 'and' : 'or', joint.startsWith('not.'), depth + 1)
  const column = scanner.name('a column, and( or or(')
  const path = scanner.jsonPath(countStep)
  scanner.need('.')
  return operation(scanner, path === undefined ? { column } : { column, path }, 'inside', limits)
}

function operation(scanner: Scanner, subject: Subject, where: Where, limits: Limits): Comparison {
  const negated = scanner.take('not.')
  const compared = { ...subject, negated }
  const operator = scanner.until('.(')
  if (SEARCH.has(operator)) {
    const language = inBrackets(scanner)
    if (language !== null && !LANGUAGE.test(language)) throw scanner.fail('a text search configuration')
    scanner.need('.')
    return { kind: 'search', ...compared, search: operator as Search, language, value: text(scanner, where) }
  }
  if (operator === 'in' && scanner.take('.'))
    return { kind: 'list', ...compared, values: list(scanner, where, limits) }
  if (operator === 'is' && scanner.take('.')) return { kind: 'is', ...compared, word: isWord(scanner, where) }
  const of = MANY.has(operator) ? inBrackets(scanner) : null
  if (!VALUE_OPERATORS.has(operator) || (of !== null && of !== 'any' && of !== 'all') || !scanner.take('.'))
    throw scanner.fail('operator (eq, gt, …) and "."')
  const given = text(scanner, where)
  if (operator === 'match' || operator === 'imatch') checkCap(limits, 'patternLength', given.length)
  const value = operator === 'like' || operator === 'ilike' ? given.replaceAll('*', '%') : given
  if (of === null) return { kind: 'value', ...compared, operator: operator as Operator, value }
  checkCap(limits, 'inList', commas(value) + 1)
  return { kind: 'value', ...compared, operator: operator as Operator, of, value }
}

/** Commas inside quotes count too, which only makes the check stricter. */
const commas = (value: string) => value.split(',').length - 1

/** `(any)`, `(german)`; null if no bracket follows. */
function inBrackets(scanner: Scanner): string | null {
  if (!scanner.take('(')) return null
  const word = scanner.until(')')
  scanner.need(')')
  return word
}

function text(scanner: Scanner, where: Where): string {
  const value = where === 'top' ? scanner.rest() : scanner.operand()
  if (value.includes('\0')) throw nulCharacter()
  return value
}

function isWord(scanner: Scanner, where: Where): IsWord {
  const word = (where === 'top' ? scanner.rest() : scanner.element()).trim().toLowerCase()
  if (!IS_WORDS.has(word)) throw scanner.fail('null, not_null, true, false or unknown')
  return word as IsWord
}

function list(scanner: Scanner, where: Where, limits: Limits): string[] {
  scanner.skipBlank()
  scanner.need('(')
  scanner.skipBlank()
  const values: string[] = []
  if (!scanner.take(')')) {
    do values.push(scanner.element())
    while (scanner.take(','))
    scanner.need(')')
  }
  scanner.skipBlank()
  if (where === 'top' && !scanner.done) throw scanner.fail('end of input')
  checkCap(limits, 'inList', values.length)
  if (values.some((value) => value.includes('\0'))) throw nulCharacter()
  return values
}
