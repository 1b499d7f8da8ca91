/** Lays out queries: one clause a line. */
import { type Clause, joinWords, splitClauses } from './sql-clauses.ts'
import { layoutItems } from './sql-list.ts'
import {
  append,
  commentsAbove,
  endColumn,
  fits,
  freshPlace,
  type Layout,
  moved,
  mustBreak,
  type Place,
  pad,
} from './sql-page.ts'
import { commaItems, flat, keyOf, type Nodes, splitBefore } from './sql-tree.ts'

/** Longest `from` with joins that stays on one line. */
const LONGEST_FROM = 80

function isFlat(nodes: Nodes, place: Place): boolean {
  return fits(nodes, place) && (nodes[0]?.open.comments.length ?? 0) === 0
}

/** The body behind its keyword, or below it where a comment is between. */
function layoutBehind(head: string, body: Nodes, place: Place, layout: Layout): string[] {
  if (body.length === 0) return [head]
  if (head === '') return layout(body, place)
  const { width, indent, tail } = place
  const comments = commentsAbove(body, indent + 2, width)
  const inner = { ...moved(freshPlace(width, indent, tail), `${head} `), hang: indent + 2 }
  if (comments.length === 0) {
    const lines = layout(body, { ...inner, column: place.column + head.length + 1 })
    return lines[0] === '' ? [head, ...lines.slice(1)] : append([`${head} `], lines)
  }
  const below = { ...freshPlace(width, indent + 2, tail), hang: indent + 2 }
  return [head, ...comments, ...append([pad(indent + 2, '')], layout(body, below))]
}

/** A join with its condition. */
function layoutJoin(join: Nodes, place: Place, layout: Layout): string[] {
  const on = join.findIndex((node) => keyOf(node) === 'on')
  if (fits(join, place) || on < 0) return layout(join, place)
  const [source, condition] = [join.slice(0, on), join.slice(on + 1)]
  const isChain = condition.some((node) => ['and', 'or'].includes(keyOf(node)))
  if (!isChain && !mustBreak(condition)) return layout(join, place)
  const head = append(layout(source, { ...place, tail: 3 }), [' on'])
  const column = endColumn(head, place.column) + 1
  return append(head, append([' '], layout(condition, { ...place, column })))
}

function layoutFrom(head: string, body: Nodes, place: Place, layout: Layout): string[] {
  const { width, indent, tail } = place
  const parts = splitBefore(
    body,
    (at) => joinWords(body, at) > 0 && joinWords(body, at - 1) <= joinWords(body, at),
  )
  const room = { ...place, column: place.column + head.length + 1 }
  const isShort = parts.length === 1 || flat(body).length <= LONGEST_FROM
  if (isShort && isFlat(body, room)) return [`${head} ${flat(body)}`]
  const sources = parts.flatMap((part) => {
    const items = commaItems(part)
    return items.map((item, at) => ({ item, comma: at < items.length - 1 ? ',' : '' }))
  })
  const lines = [head]
  for (const [at, { item, comma }] of sources.entries()) {
    const ending = at === sources.length - 1 ? tail : comma.length
    const comments = commentsAbove(item, indent + 2, width)
    const isBehind = at === 0 && comments.length === 0
    const start = isBehind ? { ...room, tail: ending } : freshPlace(width, indent + 2, ending)
    const text = append(layoutJoin(item, start, layout), [comma])
    if (isBehind) lines.splice(0, 1, ...append([`${head} `], text))
    else lines.push(...comments, ...append([pad(indent + 2, '')], text))
  }
  return lines
}

/** Common table expressions, each from the left. */
function layoutWith(head: string, body: Nodes, place: Place, layout: Layout): string[] {
  const { width, indent } = place
  const items = commaItems(body)
  const lines: string[] = []
  for (const [at, item] of items.entries()) {
    const comma = at < items.length - 1 ? ',' : ''
    const start = at === 0 ? `${head} ` : ''
    const text = append(layout(item, moved(freshPlace(width, indent, comma.length), start)), [comma])
    const comments = commentsAbove(item, indent, width)
    if (at > 0) lines.push(...comments, ...append([pad(indent, '')], text))
    else if (comments.length === 0) lines.push(...append([start], text))
    else lines.push(head, ...comments, ...append([pad(indent, '')], text))
  }
  return lines
}

/** `update … set …`: what does not fit behind goes below. */
function layoutSet(head: string, body: Nodes, place: Place, layout: Layout): string[] {
  const { width, indent, tail } = place
  if (isFlat(body, { ...place, column: place.column + head.length + 1 })) return [`${head} ${flat(body)}`]
  const below = { ...freshPlace(width, indent + 2, tail), hang: indent + 2 }
  const items = commaItems(body).map((nodes) => ({ nodes }))
  const comments = commentsAbove(body, indent + 2, width)
  if (items.length === 1 && comments.length === 0) return layoutBehind(head, body, place, layout)
  return [head, ...comments, ...append([pad(indent + 2, '')], layoutItems(items, below, layout))]
}

/** `on conflict … do update`, then `set` and `where` below. */
function layoutConflict(head: string, body: Nodes, place: Place, layout: Layout): string[] {
  const { width, indent, tail } = place
  const parts = splitBefore(body, (at) => ['set', 'where'].includes(keyOf(body[at])))
  if (isFlat(body, moved(place, `${head} `))) return [`${head} ${flat(body)}`]
  const lines: string[] = []
  for (const [at, part] of parts.entries()) {
    const ending = at === parts.length - 1 ? tail : 0
    if (at === 0) {
      lines.push(...layoutBehind(head, part, { ...place, tail: 0 }, layout))
      continue
    }
    const word = flat(part.slice(0, 1))
    lines.push(...commentsAbove(part, indent + 2, width))
    const start = freshPlace(width, indent + 2, ending)
    lines.push(...append([pad(indent + 2, '')], layoutBehind(word, part.slice(1), start, layout)))
  }
  return lines
}

function layoutClause({ name, head, body }: Clause, place: Place, layout: Layout): string[] {
  const words = flat(head)
  if (name === 'with') return layoutWith(words, body, place, layout)
  if (name === 'from' || (name === 'using' && body.length > 0)) return layoutFrom(words, body, place, layout)
  if (name === 'on') return layoutConflict(words, body, place, layout)
  return layoutBehind(words, body, place, layout)
}

/** What goes behind the clause before it where there is room. */
const SHORT: ReadonlySet<string> = new Set(['into', 'for', 'limit', 'offset'])
const SHORT_COLUMNS: ReadonlySet<string> = new Set(['', '*', '1'])

/** Behind the clause before it, if both are read as one; null: on its own line. */
function layoutJoined(
  lines: string[],
  before: Clause,
  clause: Clause,
  start: Place,
  layout: Layout,
): string[] | null {
  const place = { ...start, column: endColumn(lines, start.indent) + 1 }
  const whole = [...clause.head, ...clause.body]
  if (before.name === 'update' && clause.name === 'set')
    return append(lines, append([' '], layoutSet(flat(clause.head), clause.body, place, layout)))
  const isSource = clause.name === 'from' && ['select', 'perform'].includes(before.name)
  if (isSource && SHORT_COLUMNS.has(flat(before.body)))
    return append(lines, append([' '], layoutClause(clause, place, layout)))
  return SHORT.has(clause.name) && fits(whole, place) ? append(lines, [` ${flat(whole)}`]) : null
}

/** A query, or the inside of `over (…)` and `filter (…)`, from the beginning of a line. */
export function layoutQuery(nodes: Nodes, { width, indent, tail }: Place, layout: Layout): string[] {
  const clauses = splitClauses(nodes)
  let lines: string[] = []
  for (const [at, clause] of clauses.entries()) {
    const before = clauses[at - 1]
    const start = freshPlace(width, indent, at === clauses.length - 1 ? tail : 0)
    const comments = before === undefined ? [] : commentsAbove(clause.head, indent, width)
    const isJoined = before !== undefined && comments.length === 0
    const joined = isJoined ? layoutJoined(lines, before, clause, start, layout) : null
    const own = joined === null ? layoutClause(clause, start, layout) : []
    lines = joined ?? [...lines, ...comments, ...append([at === 0 ? '' : pad(indent, '')], own)]
  }
  return lines
}
