/** Lays out expressions: what fits stays on a line, else the outermost structure is broken first. */
import { layoutCase } from './sql-case.ts'
import { isClausal } from './sql-clauses.ts'
import { commentLines } from './sql-comments.ts'
import { type Item, layoutItems, pairItems } from './sql-list.ts'
import { BOOLEANS, type Operand, orderAt, SIGNS, splitOperands } from './sql-operators.ts'
import {
  append,
  commentsAbove,
  endColumn,
  fits,
  freshPlace,
  isClosed,
  isGood,
  moved,
  mustBreak,
  type Place,
  pad,
} from './sql-page.ts'
import { layoutQuery } from './sql-query.ts'
import { commaItems, flat, isGroup, joinTokens, keyOf, type Node, type Nodes, tokensIn } from './sql-tree.ts'

const PAIRS = /^jsonb?_build_object$/

function toItems(nodes: Nodes): readonly Item[] {
  return commaItems(nodes).map((item) => ({ nodes: item }))
}

/** Items with a comma between them, or one expression. */
export function layoutExpression(nodes: Nodes, place: Place): string[] {
  if (nodes.length === 0) return ['']
  if (fits(nodes, place)) return [flat(nodes)]
  if (isClausal(nodes)) return layoutQuery(nodes, place, layoutExpression)
  const order = orderAt(nodes)
  if (order > 0) return layoutOrdered(nodes, order, place)
  const items = toItems(nodes)
  if (items.length > 1) return layoutItems(items, place, layoutExpression)
  for (const level of BOOLEANS) {
    const operands = splitOperands(nodes, level)
    if (operands.length > 1) return layoutChain(operands, place, place.hang)
  }
  return layoutSigned(nodes, place)
}

/** `order by` behind the arguments of an aggregate. */
function layoutOrdered(nodes: Nodes, order: number, place: Place): string[] {
  const tail = nodes.slice(order)
  const items = toItems(nodes.slice(0, order))
  const last = items.at(-1)
  if (items.length > 1 && last !== undefined)
    return layoutItems([...items.slice(0, -1), { nodes: [...last.nodes, ...tail] }], place, layoutExpression)
  const head = layoutExpression(nodes.slice(0, order), { ...place, tail: 0 })
  const behind = { ...place, column: endColumn(head, place.column) + 1 }
  if (isClosed(head) && fits(tail, behind)) return append(head, [` ${flat(tail)}`])
  const fresh = layoutItems(toItems(tail), freshPlace(place.width, place.hang, place.tail), layoutExpression)
  return [...head, ...append([pad(place.hang, '')], fresh)]
}

/** Operators at the beginning of lines, or behind the bracket that closes what comes before them. */
function layoutChain(operands: readonly Operand[], place: Place, indent: number): string[] {
  const { width, hang } = place
  if (
    operands.every(
      (operand) => operand.nodes.length < 3 && operand.nodes.every((node) => node.close === null),
    )
  ) {
    const items = operands.map(({ sign, nodes }) => ({ nodes: sign === null ? nodes : [sign, ...nodes] }))
    return layoutItems(items, place, layoutExpression, '')
  }
  const lines: string[] = []
  for (const [at, { sign, nodes }] of operands.entries()) {
    const tail = at === operands.length - 1 ? place.tail : 0
    if (sign === null) {
      lines.push(...layoutExpression(nodes, { ...place, indent, hang: hang + 2, tail }))
      continue
    }
    if (indent < hang && isClosed(lines) && !mustBreak([sign, ...nodes.slice(0, 1)])) {
      const opened = append(lines, [` ${sign.open.text} `])
      const behind = { ...place, column: endColumn(opened, place.column), tail }
      const text = layoutExpression(nodes, behind)
      if (isGood(text, behind) && (text.length === 1 || isClosed(text))) {
        lines.splice(0, lines.length, ...append(opened, text))
        continue
      }
    }
    lines.push(...commentLines(sign.open.comments, hang, width), ...commentsAbove(nodes, hang, width))
    const start = pad(hang, `${sign.open.text} `)
    lines.push(
      ...append([start], layoutExpression(nodes, moved(freshPlace(width, hang, tail), start.trim() + ' '))),
    )
  }
  return lines
}

/** Without `and` and `or`. */
function layoutSigned(nodes: Nodes, place: Place): string[] {
  const last = nodes.at(-1)
  const single = breakOne(nodes, place)
  for (const [at, level] of SIGNS.entries()) {
    const operands = splitOperands(nodes, level)
    if (operands.length < 2) continue
    if (single !== null && at === 0 && last?.close != null) return single
    const chain = layoutChain(operands, place, place.indent)
    const isFlat = chain.length === operands.length && isGood(chain, place)
    if (isFlat || single === null) return chain
    return single
  }
  return single ?? breakMany(nodes, place)
}

function isBreakable(node: Node): boolean {
  return node.close !== null && node.body.length > 0
}

/** With one bracket of it broken, if that is enough; the longest first. */
function breakOne(nodes: Nodes, place: Place): string[] | null {
  const candidates = [...nodes.entries()]
    .filter(([, node]) => isBreakable(node))
    .sort(([, one], [, other]) => flat(other.body).length - flat(one.body).length)
  for (const [at] of candidates) {
    const before = nodes.slice(0, at)
    const after = nodes.slice(at + 1)
    if (mustBreak(before) || mustBreak(after) || (after[0]?.open.comments.length ?? 0) > 0) continue
    const lines = layoutAround(nodes, at, place)
    if (isGood(lines, place)) return lines
  }
  return null
}

/** The text of a part of the nodes with the blank before it. */
function flatFrom(nodes: Nodes, from: number, to: number): string {
  const start = joinTokens(tokensIn(nodes.slice(0, from)))
  return flat(nodes.slice(0, to)).slice(start.length)
}

function layoutAround(nodes: Nodes, at: number, place: Place): string[] {
  const node = nodes[at]
  if (node === undefined) return [flat(nodes)]
  const before = flatFrom(nodes, 0, at)
  const opening = flatFrom(nodes, at, at + 1)
  const blank = opening.startsWith(' ') ? ' ' : ''
  const after = flat(nodes).slice(before.length + opening.length)
  const start = moved(place, before + blank, after.length + place.tail)
  return append([before + blank], append(layoutBroken(node, keyOf(nodes[at - 1]), start), [after]))
}

/** Breaks each bracket that does not fit behind what comes before it; words go to the next line. */
function breakMany(nodes: Nodes, place: Place): string[] {
  let lines: string[] = ['']
  for (const [at, node] of nodes.entries()) {
    const text = flatFrom(nodes, at, at + 1)
    const blank = text.startsWith(' ') ? ' ' : ''
    const comments = at === 0 ? [] : commentLines(node.open.comments, place.hang, place.width)
    const column = endColumn(lines, place.column) + blank.length
    const tail = at === nodes.length - 1 ? place.tail : 1
    const one = [node]
    const isFlat = fits(one, { ...place, column, tail })
    if (comments.length > 0) lines.push(...comments, pad(place.hang, text.trim()))
    else if (isFlat) lines = append(lines, [text])
    else if (isBreakable(node)) {
      const start = { ...place, column, tail }
      lines = append(lines, append([blank], layoutBroken(node, keyOf(nodes[at - 1]), start)))
    } else if (blank === '' || at === 0 || column <= place.hang + 2) lines = append(lines, [text])
    else lines.push(pad(place.hang, text.trim()))
  }
  return lines
}

/** The brackets, or `case` and `end`, on their own lines. */
function layoutBroken(node: Node, name: string, place: Place): string[] {
  const { open, body, close } = node
  if (close === null) return [open.text]
  if (!isGroup(node)) return layoutCase(node, place, layoutExpression)
  const { width, indent } = place
  const inner = freshPlace(width, indent + 2)
  const hugging = close.comments.length > 0 ? null : layoutHugged(node, name, place)
  if (hugging !== null) return hugging
  const items = PAIRS.test(name) ? pairItems(commaItems(body)) : toItems(body)
  const level = { ...inner, hang: indent + 2 }
  const text =
    isClausal(body) || orderAt(body) > 0
      ? layoutExpression(body, level)
      : layoutItems(items, level, layoutExpression)
  return [
    open.text,
    ...commentsAbove(body, indent + 2, width),
    ...append([pad(indent + 2, '')], text),
    ...commentLines(close.comments, indent + 2, width),
    pad(indent, close.text),
  ]
}

/** Signs that the other arguments may have before and behind the one that is broken. */
const LONGEST_BEFORE = 70
const LONGEST_BEHIND = 20
/** What is shorter is not worth three lines. */
const SHORTEST_BROKEN = 70

/** A name with its bracket, a bracket or a `case`: what can be broken without indenting it further. */
function isCall(item: Nodes): boolean {
  const last = item.at(-1)
  if (last === undefined || !isBreakable(last) || isClausal(item)) return false
  return item
    .slice(0, -1)
    .every(
      ({ open }, at) =>
        (open.kind === 'word' || open.kind === 'quoted' || open.key === '.') && (at === 0 || open.glued),
    )
}

/** Three lines that hide several levels among other arguments. */
function isNested(lines: readonly string[], count: number, large: number): boolean {
  return count > 1 && (large === 0 || /^\s*\)\)/.test(lines.at(-1) ?? ''))
}

/** The only argument, or a long one at either end, needs no lines of its own within another bracket. */
function layoutHugged({ open, body, close }: Node, name: string, place: Place): string[] | null {
  if (isClausal(body) || orderAt(body) > 0 || PAIRS.test(name) || close === null) return null
  if ((body[0]?.open.comments.length ?? 0) > 0) return null
  const items = commaItems(body)
  const large = isCall(items[0] ?? []) ? 0 : items.length - 1
  const item = items[large] ?? []
  const beside = items.length === 1 ? 0 : flat(body).length - flat(item).length
  const longest = large > 0 ? LONGEST_BEFORE : LONGEST_BEHIND
  const others = items.filter((_, at) => at !== large)
  const isLarge = items.length === 1 || flat(item).length > beside
  if (!isCall(item) || beside > longest || !isLarge || others.some(mustBreak)) return null
  const at = body.findIndex((node) => node === item.at(-1))
  const lines = layoutAround(body, at, moved(place, open.text, place.tail + 1))
  if (
    lines.length === 3 &&
    ((lines[1] ?? '').trim().length < SHORTEST_BROKEN || isNested(lines, items.length, large))
  )
    return null
  return isGood(lines, moved(place, open.text, place.tail + 1))
    ? append([open.text], append(lines, [close.text]))
    : null
}
