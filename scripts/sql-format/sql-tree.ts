/** Tokens as nested groups, and how they stand on one line. */
import type { Token } from './sql-tokens.ts'

/** One token, or what is between brackets or between `case` and `end`. */
export interface Node {
  readonly open: Token
  readonly body: readonly Node[]
  readonly close: Token | null
}

export type Nodes = readonly Node[]

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['case', 'end'],
])
const ENDS: ReadonlySet<string> = new Set(CLOSERS.values())

class Reader {
  private at = 0
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  /** Up to what closes, or to the end. */
  read(closer: string | null): Node[] {
    const nodes: Node[] = []
    for (let token = this.tokens[this.at]; token !== undefined; token = this.tokens[this.at]) {
      if (closer !== null && ENDS.has(token.key) && (token.key === closer || token.key !== 'end')) break
      nodes.push(...this.next(token))
    }
    return nodes
  }

  private next(open: Token): Node[] {
    const before = this.tokens[this.at - 1]?.key
    this.at += 1
    const closer = before === '.' || before === 'end' ? undefined : CLOSERS.get(open.key)
    if (closer === undefined) return [{ open, body: [], close: null }]
    const body = this.read(closer)
    const close = this.tokens[this.at]
    if (close?.key !== closer) return [{ open, body: [], close: null }, ...body]
    this.at += 1
    return [{ open, body, close }]
  }
}

export function parse(tokens: readonly Token[]): Nodes {
  return new Reader(tokens).read(null)
}

/** The keyword or sign of a node that is a single token; nothing of a group. */
export function keyOf(node: Node | undefined): string {
  return node === undefined || node.close !== null ? '' : node.open.key
}

export function isGroup(node: Node | undefined): boolean {
  return node !== undefined && node.close !== null && node.open.key !== 'case'
}

/** Whether these words stand there, one after the other. */
export function hasWords(nodes: Nodes, at: number, ...words: readonly string[]): boolean {
  return words.every((word, offset) => keyOf(nodes[at + offset]) === word)
}

export function tokensIn(nodes: Nodes): readonly Token[] {
  return nodes.flatMap(({ open, body, close }) =>
    close === null ? [open] : [open, ...tokensIn(body), close],
  )
}

/** Split before each node that the question says yes to; the parts are never empty. */
export function splitBefore(nodes: Nodes, starts: (at: number) => boolean): Nodes[] {
  const parts: Node[][] = []
  for (const [at, node] of nodes.entries()) {
    const part = parts.at(-1)
    if (part === undefined || (at > 0 && starts(at))) parts.push([node])
    else part.push(node)
  }
  return parts
}

/** What is between the commas. */
export function commaItems(nodes: Nodes): Nodes[] {
  const items: Node[][] = [[]]
  for (const node of nodes) {
    if (keyOf(node) === ',') items.push([])
    else items.at(-1)?.push(node)
  }
  return items
}

/** Keywords that an operand follows: a sign behind them is one of the operand. */
const BEFORE_OPERAND: ReadonlySet<string> = new Set(
  (
    'select when then else and or not in between return by case where having limit offset default on using ' +
    'values is like ilike set if elsif while distinct all any from as to'
  ).split(' '),
)

/** Keywords that a bracket never sticks to. */
const BEFORE_BRACKET: ReadonlySet<string> = new Set(
  (
    'in values and or not over filter using check key exists as on where when then else from join lateral ' +
    'union select return with by is like between into materialized set default case except intersect if while'
  ).split(' '),
)

const TIGHT: ReadonlySet<string> = new Set(['.', '::', '..'])
const AS_WRITTEN: ReadonlySet<string> = new Set([':', '%', '<<', '>>'])

export function isOperator(token: Token | undefined): boolean {
  return token?.kind === 'operator'
}

export function isUnary(before: Token | undefined, sign: Token): boolean {
  if (!isOperator(sign) || sign.key === '*') return false
  if (before === undefined || isOperator(before)) return true
  return ['(', '[', ','].includes(before.key) || BEFORE_OPERAND.has(before.key)
}

function isSpaced(earlier: Token | undefined, before: Token, token: Token): boolean {
  if ([',', ';', ')', ']'].includes(token.key)) return false
  if (before.key === '(' || before.key === '[') return false
  if (TIGHT.has(before.key) || TIGHT.has(token.key)) return false
  if ([before, token].some((one) => AS_WRITTEN.has(one.key) || one.kind === 'other')) return !token.glued
  if (token.key === '[') return isOperator(before) || before.key === ','
  if (token.key === '(' && before.kind === 'word' && earlier?.key !== '.' && BEFORE_BRACKET.has(before.key))
    return true
  if (token.key === '(' && !isOperator(before) && before.key !== ',') return !token.glued
  if (isUnary(earlier, before)) return !token.glued
  return true
}

/** The tokens on one line. */
export function joinTokens(tokens: readonly Token[]): string {
  let text = ''
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    if (before !== undefined && isSpaced(tokens[at - 2], before, token)) text += ' '
    text += token.text
  }
  return text
}

const flats = new WeakMap<Nodes, string>()

export function flat(nodes: Nodes): string {
  const known = flats.get(nodes)
  if (known !== undefined) return known
  const text = joinTokens(tokensIn(nodes))
  flats.set(nodes, text)
  return text
}
