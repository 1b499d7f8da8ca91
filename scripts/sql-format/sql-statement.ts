/** Lays out single statements: queries, assignments, what PL/pgSQL adds, grants and what else there is. */
import { isLongQuery, isQuery } from './sql-clauses.ts'
import { commentLines, commentWords } from './sql-comments.ts'
import { layoutExpression } from './sql-expression.ts'
import { layoutItems } from './sql-list.ts'
import { append, endColumn, fits, freshPlace, moved, type Place, pad } from './sql-page.ts'
import { layoutQuery } from './sql-query.ts'
import type { Token } from './sql-tokens.ts'
import { flat, hasWords, keyOf, type Nodes, parse, splitBefore } from './sql-tree.ts'

/** Longest query of several clauses that stays on one line. */
const LONGEST_QUERY = 90

/** Behind its first words, with what follows them. */
function layoutAfter(nodes: Nodes, words: number, place: Place): string[] {
  const head = `${flat(nodes.slice(0, words))} `
  return append([head], layoutExpression(nodes.slice(words), moved(place, head)))
}

/** Parts one behind the other as long as they fit, else on further lines. */
export function layoutParts(parts: readonly Nodes[], place: Place): string[] {
  return layoutItems(
    parts.map((nodes) => ({ nodes })),
    place,
    layoutExpression,
    '',
  )
}

function splitAtWords(nodes: Nodes, ...words: readonly string[]): readonly Nodes[] {
  return splitBefore(nodes, (at) => words.includes(keyOf(nodes[at])) && keyOf(nodes[at - 1]) !== '.')
}

function layoutReturnQuery(nodes: Nodes, place: Place): string[] {
  const query = nodes.slice(2)
  if (!isQuery(query)) return layoutAfter(nodes, 2, place)
  const { width, indent, tail } = place
  const comments = commentLines(query[0]?.open.comments ?? [], indent + 2, width)
  const lines = layoutQuery(query, freshPlace(width, indent + 2, tail), layoutExpression)
  return [flat(nodes.slice(0, 2)), ...comments, ...append([pad(indent + 2, '')], lines)]
}

/** `raise … using …` and `execute … into … using …`. */
function layoutSections(nodes: Nodes, place: Place, ...words: readonly string[]): string[] {
  const { width, indent, tail } = place
  const [first = [], ...others] = splitAtWords(nodes, ...words)
  let lines = layoutAfter(first, 1, { ...place, tail: others.length > 0 ? 0 : tail })
  let isBehind = lines.length === 1 ? keyOf(nodes[0]) === 'execute' : (lines.at(-1) ?? '').trim().length < 3
  for (const [at, part] of others.entries()) {
    const ending = at === others.length - 1 ? tail : 0
    const column = endColumn(lines, place.column) + 1
    isBehind &&= fits(part, { ...place, column, tail: ending })
    if (isBehind) {
      lines = append(lines, [` ${flat(part)}`])
      continue
    }
    const below = { ...freshPlace(width, indent + 2, ending), hang: indent + 4 }
    lines.push(...append([pad(indent + 2, '')], layoutAfter(part, 1, below)))
  }
  return lines
}

/** The objects of a grant packed; to whom at the end. */
function layoutGrant(nodes: Nodes, place: Place): string[] {
  const whom = nodes.findLastIndex((node) => ['to', 'from'].includes(keyOf(node)))
  if (whom < 0) return layoutExpression(nodes, place)
  const objects = layoutExpression(nodes.slice(0, whom), { ...place, tail: 0 })
  const people = nodes.slice(whom)
  const column = endColumn(objects, place.column) + 1
  if (fits(people, { ...place, column })) return append(objects, [` ${flat(people)}`])
  const below = freshPlace(place.width, place.hang, place.tail)
  return [...objects, ...append([pad(place.hang, '')], layoutExpression(people, below))]
}

/** `using` and `with check` of a policy on their own lines. */
function layoutPolicy(nodes: Nodes, place: Place): string[] {
  const { width, hang, tail } = place
  const isRule = (at: number): boolean => keyOf(nodes[at]) === 'using' || hasWords(nodes, at, 'with', 'check')
  const [head = [], ...rules] = splitBefore(nodes, isRule)
  const lines = layoutParts(splitAtWords(head, 'as', 'for', 'to', 'on'), {
    ...place,
    tail: rules.length > 0 ? 0 : tail,
  })
  for (const [at, rule] of rules.entries()) {
    const start = freshPlace(width, hang, at === rules.length - 1 ? tail : 0)
    lines.push(...append([pad(hang, '')], layoutExpression(rule, start)))
  }
  return lines
}

/** When and on what; then for each row, on which condition and what is done. */
function layoutTrigger(nodes: Nodes, place: Place): string[] {
  const { width, hang, tail } = place
  const [head = [], ...others] = splitBefore(nodes, (at) => hasWords(nodes, at, 'for', 'each'))
  const action = others.flat()
  const lines = layoutParts(splitAtWords(head, 'before', 'after', 'instead', 'on'), { ...place, tail: 0 })
  const below = { ...freshPlace(width, hang, tail), hang }
  const parts = splitAtWords(action, 'when', 'execute')
  return [...lines, ...append([pad(hang, '')], layoutParts(parts, below))]
}

function layoutView(nodes: Nodes, place: Place): string[] {
  const { width, hang, tail } = place
  const as = nodes.findIndex((node) => keyOf(node) === 'as')
  const query = nodes.slice(as + 1)
  if (as < 0 || !isQuery(query)) return layoutExpression(nodes, place)
  const head = layoutExpression(nodes.slice(0, as + 1), { ...place, tail: 0 })
  const comments = commentLines(query[0]?.open.comments ?? [], hang, width)
  return [
    ...head,
    ...comments,
    ...append([pad(hang, '')], layoutQuery(query, freshPlace(width, hang, tail), layoutExpression)),
  ]
}

function layoutNodes(nodes: Nodes, place: Place): string[] {
  const [first, second] = [keyOf(nodes[0]), keyOf(nodes[1])]
  if (isQuery(nodes)) {
    if (fits(nodes, place) && !isLongQuery(nodes, LONGEST_QUERY)) return [flat(nodes)]
    return layoutQuery(nodes, place, layoutExpression)
  }
  const isReturnedQuery = first === 'return' && second === 'query'
  const isLongReturn = isReturnedQuery && isLongQuery(nodes.slice(2), LONGEST_QUERY)
  const isView = first === 'create' && nodes.slice(0, 6).some((node) => keyOf(node) === 'view')
  if (fits(nodes, place) && !isLongReturn && !(isView && flat(nodes).length > LONGEST_QUERY))
    return [flat(nodes)]
  if (isReturnedQuery) return layoutReturnQuery(nodes, place)
  if (first === 'return') return layoutAfter(nodes, second === 'next' ? 2 : 1, place)
  if (first === 'raise') return layoutSections(nodes, place, 'using')
  if (first === 'execute') return layoutSections(nodes, place, 'into', 'using')
  if (first === 'grant' || first === 'revoke') return layoutGrant(nodes, place)
  if (isView) return layoutView(nodes, place)
  if (first === 'create' && nodes.slice(0, 4).some((node) => keyOf(node) === 'policy'))
    return layoutPolicy(nodes, place)
  if (first === 'create' && nodes.slice(0, 5).some((node) => keyOf(node) === 'trigger'))
    return layoutTrigger(nodes, place)
  const sign = nodes.findIndex((node) => keyOf(node) === ':=')
  if (sign > 0) return layoutAfter(nodes, sign + 1, place)
  return layoutExpression(nodes, place)
}

function words(comments: readonly { readonly text: string }[]): string {
  return comments.flatMap((comment) => commentWords(comment.text)).join(' ')
}

/**
 * A statement with its semicolon, as lines with their indentation. Comments within it that the layout has no
 * place for go above it.
 */
export function layoutStatement(tokens: readonly Token[], indent: number, width: number): string[] {
  const isEnded = tokens.at(-1)?.key === ';'
  const inner = isEnded ? tokens.slice(0, -1) : tokens
  const place = freshPlace(width, indent, isEnded ? 1 : 0)
  const ending = isEnded ? ';' : ''
  const within = tokens.slice(1).flatMap((token) => token.comments)
  const lines = append([pad(indent, '')], append(layoutNodes(parse(inner), place), [ending]))
  if (within.length === 0) return lines
  const text = lines.filter((line) => /^\s*(?:--|\/\*)/.test(line)).map((line) => ({ text: line.trim() }))
  if (words(text) === words(within)) return lines
  const bare = inner.map((token, at) => (at === 0 ? token : { ...token, comments: [] }))
  const plain = append([pad(indent, '')], append(layoutNodes(parse(bare), place), [ending]))
  return [...commentLines(within, indent, width), ...plain]
}
