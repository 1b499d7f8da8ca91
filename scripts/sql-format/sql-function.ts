/** Lays out `create function` and `do`. */
import { layoutBody, layoutSqlStatements } from './sql-body.ts'
import { commentLines } from './sql-comments.ts'
import { layoutExpression } from './sql-expression.ts'
import { append, endColumn, fits, freshPlace, pad } from './sql-page.ts'
import { layoutParts, layoutStatement } from './sql-statement.ts'
import { type Body, type Token } from './sql-tokens.ts'
import { flat, isGroup, keyOf, type Nodes, parse, splitBefore } from './sql-tree.ts'

const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'returns language immutable stable volatile strict security parallel set cost rows leakproof called ' +
    'window support transform as'
  ).split(' '),
)

function isAttribute(nodes: Nodes, at: number): boolean {
  return ATTRIBUTES.has(keyOf(nodes[at])) && keyOf(nodes[at - 1]) !== '.' && keyOf(nodes[at - 1]) !== 'not'
}

/** All on a line, or what is returned on its own line. */
function layoutAttributes(parts: readonly Nodes[], tail: number, width: number): string[] {
  const place = { ...freshPlace(width, 2, tail), hang: 2 }
  const [returns = [], ...others] = parts
  if (keyOf(returns[0]) !== 'returns' || fits(parts.flat(), place)) return layoutParts(parts, place)
  const lines = layoutExpression(returns, { ...place, tail: 0 })
  const rest = others.flat()
  const column = endColumn(lines, 2) + 1
  if (lines.length > 1 && fits(rest, { ...place, column })) return append(lines, [` ${flat(rest)}`])
  return [...lines, ...append([pad(2, '')], layoutParts(others, place))]
}

/** Name and arguments, then what the function returns and is; `as $$` at the end. */
function layoutHeader(nodes: Nodes, tail: number, width: number): string[] {
  const place = freshPlace(width, 0, tail)
  if (fits(nodes, place)) return [flat(nodes)]
  const args = nodes.findIndex((node) => isGroup(node))
  const [name, rest] = [nodes.slice(0, args + 1), nodes.slice(args + 1)]
  if (args < 0) return layoutExpression(nodes, place)
  const lines = layoutExpression(name, { ...place, tail: 0 })
  const parts = splitBefore(rest, (at) => isAttribute(rest, at))
  if (parts.length === 0) return lines
  const indent = 2
  if (lines.length > 1) {
    const column = endColumn(lines, 0) + 1
    return append(lines, append([' '], layoutParts(parts, { width, column, indent: 0, hang: indent, tail })))
  }
  const below = layoutAttributes(parts, tail, width)
  return [...lines, ...append([pad(indent, '')], below)]
}

/** A body of one expression: `return …`. */
function layoutReturn(statement: readonly Token[], at: number, width: number): string[] {
  const nodes = parse(statement.slice(0, at))
  const whole = parse(statement)
  if (fits(whole, freshPlace(width, 0))) return [flat(whole)]
  const header = layoutHeader(nodes, 0, width)
  const comments = commentLines(statement[at]?.comments ?? [], 2, width)
  return [...header, ...comments, ...layoutStatement(statement.slice(at), 2, width)]
}

/** `begin atomic … end`. */
function layoutAtomic(statement: readonly Token[], at: number, width: number): string[] {
  const end = statement.findLastIndex((token) => token.key === 'end')
  const comments = commentLines(statement[end]?.comments ?? [], 2, width)
  const header = layoutHeader(parse(statement.slice(0, at)), 0, width)
  const lines = layoutSqlStatements(statement.slice(at + 2, end), 2, width)
  const last = statement.slice(end).map((token) => token.text)
  return [...header, 'begin atomic', ...lines, ...comments, last.join('')]
}

function layoutWithBody(statement: readonly Token[], body: Body, width: number): string[] {
  const header = layoutHeader(parse(statement.slice(0, body.at)), 1 + body.tag.length, width)
  const lines = layoutBody(body, width)
  const after = parse(statement.slice(body.at + 1))
  const closing = body.tag + (flat(after) === ';' ? '' : ' ') + flat(after)
  const opened = append(header, [` ${body.tag}`])
  const last = lines.at(-1) ?? ''
  if (last === 'end') return [...opened, ...append(lines, [` ${closing}`])]
  return [...opened, ...lines, closing]
}

/** A body in a language that is not known here stays as it is. */
function layoutForeign(statement: readonly Token[], at: number, width: number): string[] {
  const header = layoutHeader(parse(statement.slice(0, at)), 3, width)
  return append(header, [` ${flat(parse(statement.slice(at)))}`])
}

export function layoutFunction(statement: readonly Token[], body: Body | null, width: number): string[] {
  if (body !== null) return layoutWithBody(statement, body, width)
  const atomic = statement.findIndex(
    (token, at) => token.key === 'begin' && statement[at + 1]?.key === 'atomic',
  )
  if (atomic > 0) return layoutAtomic(statement, atomic, width)
  const at = statement.findIndex((token) => token.key === 'return')
  if (at > 0) return layoutReturn(statement, at, width)
  const foreign = statement.findIndex((token) => token.kind === 'dollar')
  if (foreign > 0) return layoutForeign(statement, foreign, width)
  return layoutStatement(statement, 0, width)
}

/** `create function` or `create procedure`, with a body of whatever kind. */
export function isFunction(statement: readonly Token[]): boolean {
  const words = statement.slice(0, 4).map((token) => token.key)
  return words[0] === 'create' && (words.includes('function') || words.includes('procedure'))
}
