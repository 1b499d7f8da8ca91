/** Splits expressions at the operators that bind least. */
import { hasWords, isOperator, isUnary, keyOf, type Node, type Nodes } from './sql-tree.ts'

export interface Operand {
  /** What comes before it; nothing before the first. */
  readonly sign: Node | null
  readonly nodes: Nodes
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '>', '<=', '>='])
const SUMS: ReadonlySet<string> = new Set(['+', '-'])
const PRODUCTS: ReadonlySet<string> = new Set(['*', '/', '%', '^'])
const TIGHT: ReadonlySet<string> = new Set([
  '::',
  ':',
  ':=',
  '=>',
  '..',
  '->',
  '->>',
  '#>',
  '#>>',
  '<<',
  '>>',
])

type Level = (nodes: Nodes, at: number) => boolean

function isBinary(nodes: Nodes, at: number): boolean {
  const node = nodes[at]
  if (node === undefined || node.close !== null || !isOperator(node.open)) return false
  const before = nodes[at - 1]
  if (before === undefined || at === nodes.length - 1) return false
  return !isUnary(before.close ?? before.open, node.open)
}

function isAnd(nodes: Nodes, at: number): boolean {
  if (keyOf(nodes[at]) !== 'and') return false
  for (let back = at - 1; back >= 0; back -= 1) {
    const key = keyOf(nodes[back])
    if (key === 'and' || key === 'or') return true
    if (key === 'between') return false
  }
  return true
}

function signs(test: (key: string) => boolean): Level {
  return (nodes, at) => isBinary(nodes, at) && test(keyOf(nodes[at]))
}

const AFTER_CREATE: ReadonlySet<string> = new Set(['replace', 'insert', 'update', 'delete', 'truncate'])

/** Not the one of `create or replace` or of a trigger's events. */
function isOr(nodes: Nodes, at: number): boolean {
  return keyOf(nodes[at]) === 'or' && !AFTER_CREATE.has(keyOf(nodes[at + 1]))
}

export const BOOLEANS: readonly Level[] = [isOr, isAnd]

export const SIGNS: readonly Level[] = [
  signs((key) => COMPARISONS.has(key)),
  signs((key) => !COMPARISONS.has(key) && !SUMS.has(key) && !PRODUCTS.has(key) && !TIGHT.has(key)),
  signs((key) => SUMS.has(key)),
  signs((key) => PRODUCTS.has(key)),
]

export function splitOperands(nodes: Nodes, level: Level): readonly Operand[] {
  const operands: { sign: Node | null; nodes: Node[] }[] = [{ sign: null, nodes: [] }]
  for (const [at, node] of nodes.entries()) {
    if (at > 0 && level(nodes, at)) operands.push({ sign: node, nodes: [] })
    else operands.at(-1)?.nodes.push(node)
  }
  return operands.every((operand) => operand.nodes.length > 0) ? operands : [{ sign: null, nodes }]
}

/** Where `order by` of an aggregate begins; -1 if there is none. */
export function orderAt(nodes: Nodes): number {
  return nodes.findIndex((_, at) => at > 0 && hasWords(nodes, at, 'order', 'by'))
}
