/** Lays out `case … end`: one `when` a line. */
import { commentLines } from './sql-comments.ts'
import {
  append,
  commentsAbove,
  endColumn,
  fits,
  freshPlace,
  isClosed,
  isGood,
  type Layout,
  moved,
  type Place,
  pad,
} from './sql-page.ts'
import { flat, keyOf, type Node, type Nodes, splitBefore } from './sql-tree.ts'

function isArm(node: Node | undefined): boolean {
  return ['when', 'else'].includes(keyOf(node))
}

/** `when … then …` or `else …`. */
function layoutArm(arm: Nodes, place: Place, layout: Layout): string[] {
  if (fits(arm, place)) return [flat(arm)]
  const then = keyOf(arm[0]) === 'else' ? 0 : arm.findIndex((node) => keyOf(node) === 'then')
  const head = layoutHead(arm.slice(0, then + 1), place, layout)
  return layoutValue(arm.slice(then + 1), head, place, layout)
}

/** `when …` with the `then`, which gets its own line where the condition takes several. */
function layoutHead(head: Nodes, place: Place, layout: Layout): string[] {
  if (head.length === 1 || fits(head, { ...place, tail: 0 })) return [flat(head)]
  const condition = head.slice(1, -1)
  const lines = append(['when '], layout(condition, moved({ ...place, tail: 5 }, 'when ')))
  if (lines.length === 1 || (lines.at(-1) ?? '').startsWith(pad(place.indent, ')')))
    return append(lines, [' then'])
  return [...lines, pad(place.indent, 'then')]
}

/** Behind the head, if it fits there or if only its brackets have to be broken; else below it. */
function layoutValue(value: Nodes, head: string[], place: Place, layout: Layout): string[] {
  const behind = { ...place, column: endColumn(head, place.column) + 1 }
  const below = freshPlace(place.width, place.indent + 2, place.tail)
  const comments = commentsAbove(value, below.indent, place.width)
  const isReady = head.length === 1 || /^\s*(?:[)\]]+ )?then$/.test(head.at(-1) ?? '')
  if (comments.length === 0 && isReady) {
    if (fits(value, behind)) return append(head, [` ${flat(value)}`])
    const text = fits(value, below) ? [] : layout(value, behind)
    if (isClosed(text) && isGood(text, behind)) return append(head, append([' '], text))
  }
  return [...head, ...comments, ...append([pad(below.indent, '')], layout(value, below))]
}

export function layoutCase(node: Node, place: Place, layout: Layout): string[] {
  const { open, body, close } = node
  const { width, indent } = place
  const first = body.findIndex((one) => isArm(one))
  const subject = body.slice(0, Math.max(0, first))
  const arms = splitBefore(body.slice(Math.max(0, first)), (at) => isArm(body[first + at]))
  let lines = [open.text]
  if (subject.length > 0) lines = append(lines, append([' '], layout(subject, moved(place, 'case ', 0))))
  for (const arm of arms) {
    lines.push(...commentsAbove(arm, indent + 2, width))
    lines.push(...append([pad(indent + 2, '')], layoutArm(arm, freshPlace(width, indent + 2), layout)))
  }
  lines.push(...commentLines(close?.comments ?? [], indent + 2, width))
  return [...lines, pad(indent, close?.text ?? '')]
}
