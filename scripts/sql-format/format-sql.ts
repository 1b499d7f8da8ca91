/** Formats PostgreSQL SQL: only whitespace changes. */
import { withComments, withTrailing } from './sql-body.ts'
import { commentWords } from './sql-comments.ts'
import { isFunction, layoutFunction } from './sql-function.ts'
import { layoutStatement } from './sql-statement.ts'
import { bodyOf, lex, splitStatements, type Token } from './sql-tokens.ts'

const WIDTH = 110

/** The tokens of a statement; words of its comments first, wherever in it they stand. */
function streamOf(statement: readonly Token[]): readonly string[] {
  const body = bodyOf(statement)
  const comments = statement.flatMap((token) => [
    ...token.comments.flatMap((comment) => commentWords(comment.text)),
    ...commentWords(token.trailing ?? ''),
  ])
  const tokens = statement.flatMap((token, at) =>
    body?.at === at ? [body.tag, ...tokensOf(body.text), body.tag] : [token.text],
  )
  return [...comments, ...tokens].filter((one) => one !== '')
}

/**
 * What formatting must not change: every token as it is written, the bodies of functions token by token, and
 * the words of the comments. Up to each semicolon comments come first, as they may move to the line above;
 * lengths of rulers do not count.
 */
export function tokensOf(text: string): readonly string[] {
  const streams: string[] = []
  let statement: Token[] = []
  for (const token of lex(text)) {
    statement.push(token)
    if (token.key !== ';' && token.kind !== 'end') continue
    streams.push(...streamOf(statement))
    statement = []
  }
  return streams
}

function sameTokens(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((token, at) => token === other[at])
}

/** A statement without the comments above it; as it was written where the layout would lose a token. */
function layoutTop(statement: readonly Token[], source: string, width: number): readonly string[] {
  const bare = statement.map((token, at) => (at === 0 ? { ...token, comments: [] } : token))
  const body = bodyOf(statement)
  const isWithBody = body !== null || isFunction(statement)
  const lines = isWithBody ? layoutFunction(bare, body, width) : layoutStatement(bare, 0, width)
  const text = statement.at(-1)?.trailing ?? null
  const whole = withTrailing(lines, text, 0, width)
  if (sameTokens(tokensOf(whole.join('\n')), streamOf(bare))) return whole
  const [first, last] = [statement[0], statement.at(-1)]
  const written = source.slice(first?.at ?? 0, (last?.at ?? 0) + (last?.text.length ?? 0))
  return withTrailing(written.split('\n'), text, 0, width)
}

/** The text in the house's layout: lines of at most `width` signs wherever something can be broken. */
export function formatSql(text: string, width: number = WIDTH): string {
  const tokens = lex(text)
  const lines: string[] = []
  for (const [at, statement] of splitStatements(tokens).entries()) {
    lines.push(
      ...withComments(statement[0], layoutTop(statement, text, width), {
        width,
        indent: 0,
        isFirst: at === 0,
      }),
    )
  }
  const end = tokens.at(-1)
  if ((end?.comments.length ?? 0) > 0) {
    lines.push(...withComments(end, [], { width, indent: 0, isFirst: lines.length === 0 }))
  }
  while (lines.at(-1) === '') lines.pop()
  const formatted = lines.length === 0 ? '' : `${lines.join('\n')}\n`
  return sameTokens(tokensOf(formatted), tokensOf(text)) ? formatted : text
}
