// Functions of the source and their lengths.
import { parseSync, Visitor } from 'oxc-parser'

export interface FunctionSize {
  readonly file: string
  readonly line: number
  /** Lines from its first to its last. */
  readonly length: number
}

interface Spanned {
  readonly start: number
  readonly end: number
}

/** Function declarations, function expressions, methods and arrow functions. */
export function functionsIn(file: string, text: string): FunctionSize[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineOf = (at: number): number => starts.findLastIndex((start) => start <= at) + 1
  const found: FunctionSize[] = []
  const add = ({ start, end }: Spanned): void =>
    void found.push({ file, line: lineOf(start), length: lineOf(end) - lineOf(start) + 1 })
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(parseSync(file, text).program)
  return found
}
