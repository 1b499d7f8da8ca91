// Filters: column=op.value, and=(…), or=(…).
import { notImplemented, nulCharacter } from './faults.ts'
import { checkCap, type Limits } from './limits.ts'
import type { Comparison, Condition, IsWord, Logic } from './request.ts'
import { Scanner } from './scanner.ts'

const VALUE_OPERATORS: ReadonlySet<string> = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'])
const UNSUPPORTED: ReadonlySet<string> = new Set(
  'match imatch isdistinct fts plfts phfts wfts cs cd ov sl sr nxr nxl adj'.split(' '),
)
const IS_WORDS: ReadonlySet<string> = new Set(['null', 'not_null', 'true', 'false', 'unknown'])

type Where = 'top' | 'inside'

/** Parses `op.value` of one query pair. */
export function parseComparison(column: string, text: string, limits: Limits): Comparison {
  const scanner = new Scanner(text, 'filter')
  return operation(scanner, column, 'top', limits)
}

/** Parses `(a.eq.1,or(…))` of and= and or=. */
export function parseLogic(joint: 'and' | 'or', negated: boolean, text: string, limits: Limits): Logic {
  const scanner = new Scanner(text, 'logic tree')
  const logic = group(scanner, joint, negated, 1, limits)
  if (!scanner.done) throw scanner.fail('end of input')
  return logic
}

function group(
  scanner: Scanner,
  joint: 'and' | 'or',
  negated: boolean,
  depth: number,
  limits: Limits,
): Logic {
  checkCap(limits, 'logicDepth', depth)
  scanner.need('(')
  const parts: Condition[] = []
  do parts.push(part(scanner, depth, limits))
  while (scanner.take(','))
  scanner.need(')')
  return { kind: 'logic', joint, negated, parts }
}

function part(scanner: Scanner, depth: number, limits: Limits): Condition {
  for (const joint of ['and', 'or'] as const) {
    for (const not of ['', 'not.']) {
      if (!scanner.startsWith(`${not}${joint}(`)) continue
      scanner.need(`${not}${joint}`)
      return group(scanner, joint, not !== '', depth + 1, limits)
    }
  }
  const column = scanner.name('a column, and( or or(')
  refuseJsonPath(scanner)
  scanner.need('.')
  return operation(scanner, column, 'inside', limits)
}

export function refuseJsonPath(scanner: Scanner): void {
  if (scanner.startsWith('->')) throw notImplemented('JSON paths (->) are not supported')
}

function operation(scanner: Scanner, column: string, where: Where, limits: Limits): Comparison {
  const negated = scanner.take('not.')
  const operator = scanner.until('.(')
  if (UNSUPPORTED.has(operator)) throw notImplemented(`The operator ${operator} is not supported`)
  const known = operator === 'in' || operator === 'is' || VALUE_OPERATORS.has(operator)
  if (known && scanner.startsWith('('))
    throw notImplemented(`${operator}(any) and ${operator}(all) are not supported`)
  if (!known || !scanner.take('.')) throw scanner.fail('operator (eq, gt, …) and "."')
  if (operator === 'in') return { kind: 'list', column, negated, values: list(scanner, where, limits) }
  if (operator === 'is') return { kind: 'is', column, negated, word: isWord(scanner, where) }
  const text = where === 'top' ? scanner.rest() : scanner.element()
  if (text.includes('\0')) throw nulCharacter()
  const value = operator === 'like' || operator === 'ilike' ? text.replaceAll('*', '%') : text
  return { kind: 'value', column, negated, operator: operator as 'eq', value }
}

function isWord(scanner: Scanner, where: Where): IsWord {
  const at = (where === 'top' ? scanner.rest() : scanner.element()).toLowerCase()
  if (!IS_WORDS.has(at)) throw scanner.fail('null, not_null, true, false or unknown')
  return at as IsWord
}

function list(scanner: Scanner, where: Where, limits: Limits): string[] {
  scanner.need('(')
  const values: string[] = []
  if (!scanner.take(')')) {
    do values.push(scanner.element())
    while (scanner.take(','))
    scanner.need(')')
  }
  if (where === 'top' && !scanner.done) throw scanner.fail('end of input')
  checkCap(limits, 'inList', values.length)
  if (values.some((value) => value.includes('\0'))) throw nulCharacter()
  return values
}
