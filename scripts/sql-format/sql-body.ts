/** Lays out the bodies of functions. */
import { firstToken, type Part, readBlocks, type Statement } from './sql-blocks.ts'
import { isQuery } from './sql-clauses.ts'
import { commentLines } from './sql-comments.ts'
import { layoutExpression } from './sql-expression.ts'
import { append, fits, freshPlace, moved, pad } from './sql-page.ts'
import { layoutQuery } from './sql-query.ts'
import { layoutStatement } from './sql-statement.ts'
import { type Body, lex, splitStatements, type Token } from './sql-tokens.ts'
import { flat, keyOf, type Nodes, parse } from './sql-tree.ts'

interface Above {
  readonly width: number
  readonly indent: number
  /** Nothing comes before it, so no blank line either. */
  readonly isFirst: boolean
}

/** A statement below its comments, with the blank lines that were there. */
export function withComments(token: Token | undefined, lines: readonly string[], above: Above): string[] {
  const comments = token?.comments ?? []
  const texts = commentLines(comments, above.indent, above.width)
  const isBlank = !above.isFirst && (comments[0]?.blank ?? token?.blank ?? false)
  const isApart = comments.length > 0 && token?.blank === true
  return [...(isBlank ? [''] : []), ...texts, ...(isApart ? [''] : []), ...lines]
}

/** The comment behind a semicolon stays there, or goes above. */
export function withTrailing(
  lines: readonly string[],
  text: string | null,
  indent: number,
  width: number,
): readonly string[] {
  if (text === null) return lines
  if ((lines.at(-1) ?? '').length + 1 + text.length <= width) return append(lines, [` ${text}`])
  return [...commentLines([{ text, blank: false }], indent, width), ...lines]
}

function tokensOfStatement({ parts, end }: Statement): readonly Token[] {
  return [...parts.flatMap(({ head, body }) => [...head, ...body.flatMap(tokensOfStatement)]), ...end]
}

/** `if … then …; end if;` and `when … then …;` with one short statement. */
function oneLine(tokens: readonly Token[], indent: number, width: number): string[] | null {
  const nodes = parse(tokens)
  return fits(nodes, freshPlace(width, indent)) ? [pad(indent, flat(nodes))] : null
}

function isPlain(body: readonly Statement[]): boolean {
  const [only] = body
  return body.length === 1 && only?.parts.length === 0 && only.end.at(-1)?.key === ';'
}

/** `for … in`, the query below, then `loop`. */
function layoutQueryLoop(nodes: Nodes, at: number, indent: number, width: number): string[] {
  const query = layoutQuery(nodes.slice(at + 1, -1), freshPlace(width, indent + 2), layoutExpression)
  const head = flat(nodes.slice(0, at + 1))
  return [pad(indent, head), ...append([pad(indent + 2, '')], query), pad(indent, 'loop')]
}

/** `if … then`, `for … loop` and what else begins separate statements. */
function layoutHead(head: readonly Token[], indent: number, width: number): string[] {
  const nodes = parse(head)
  const place = freshPlace(width, indent)
  if (fits(nodes, place) || nodes.length < 3) return [pad(indent, flat(nodes))]
  const within = nodes.findIndex((node) => keyOf(node) === 'in')
  if (keyOf(nodes[0]) === 'for' && isQuery(nodes.slice(within + 1, -1)))
    return layoutQueryLoop(nodes, within, indent, width)
  const last = ` ${keyOf(nodes.at(-1))}`
  const first = `${flat(nodes.slice(0, 1))} `
  const middle = layoutExpression(nodes.slice(1, -1), { ...moved(place, first), tail: last.length })
  const lines = append([pad(indent, first)], middle)
  const isClosed = /^(?:[)\]]|end\b)/.test((lines.at(-1) ?? '').slice(indent))
  if (lines.length === 1 || isClosed) return append(lines, [last])
  return [...lines, pad(indent, last.trim())]
}

class BodyPrinter {
  private readonly width: number

  constructor(width: number) {
    this.width = width
  }

  statements(statements: readonly Statement[], indent: number): string[] {
    return statements.flatMap((statement, at) => {
      const trailing = statement.end.at(-1)?.trailing ?? null
      const lines = withTrailing(this.statement(statement, indent), trailing, indent, this.width)
      return withComments(firstToken(statement), lines, { width: this.width, indent, isFirst: at === 0 })
    })
  }

  private statement(statement: Statement, indent: number): string[] {
    const { parts, end } = statement
    const [first] = parts
    if (first === undefined) return layoutStatement(end, indent, this.width)
    if (parts.length === 1 && first.head[0]?.key === 'if' && isPlain(first.body)) {
      const line = oneLine(tokensOfStatement(statement), indent, this.width)
      if (line !== null) return line
    }
    const hasArms = first.head[0]?.key === 'case'
    const lines = parts.flatMap((part, at) => this.part(part, indent, at === 0, hasArms))
    const above = commentLines(end[0]?.comments ?? [], indent + 2, this.width)
    const bare = end.map((token, at) => (at === 0 ? { ...token, comments: [] } : token))
    return [...lines, ...above, ...layoutStatement(bare, indent, this.width)]
  }

  private part(part: Part, indent: number, isFirst: boolean, hasArms: boolean): string[] {
    const { head, body } = part
    const key = head[0]?.key
    const isArm = key === 'when' || (key === 'else' && hasArms)
    const level = isArm ? indent + 2 : indent
    const above = isFirst ? [] : commentLines(head[0]?.comments ?? [], level, this.width)
    const isOneLine = isPlain(body) && (isArm || key === 'declare')
    const line = isOneLine ? oneLine([...head, ...(body[0]?.end ?? [])], level, this.width) : null
    if (line !== null) return [...above, ...line]
    return [...above, ...layoutHead(head, level, this.width), ...this.statements(body, level + 2)]
  }
}

/** Statements of SQL, each on its own lines. */
export function layoutSqlStatements(tokens: readonly Token[], indent: number, width: number): string[] {
  const statements = splitStatements(tokens).map((end) => ({ parts: [], end }))
  return new BodyPrinter(width).statements(statements, indent)
}

/** The lines of a body, without the dollars around it. */
export function layoutBody({ text, language }: Body, width: number): string[] {
  const tokens = lex(text)
  const comments = tokens.at(-1)?.comments ?? []
  if (language === 'sql')
    return [...layoutSqlStatements(tokens, 2, width), ...commentLines(comments, 2, width)]
  const lines = new BodyPrinter(width).statements(readBlocks(tokens), 0)
  return [...lines, ...commentLines(comments, 0, width)]
}
