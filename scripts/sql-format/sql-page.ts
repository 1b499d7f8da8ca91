/** Places on the page: where text begins, how far it may go. */
import { isLongQuery } from './sql-clauses.ts'
import { commentLines } from './sql-comments.ts'
import { flat, type Nodes, tokensIn } from './sql-tree.ts'

export interface Place {
  readonly width: number
  /** Where the text begins. */
  readonly column: number
  /** Where its closing brackets go. */
  readonly indent: number
  /** Where further lines of the same level go. */
  readonly hang: number
  /** Signs that follow on its last line. */
  readonly tail: number
}

/** Longest query of several clauses that stays on one line inside something else. */
const LONGEST_INNER = 90

export type Layout = (nodes: Nodes, place: Place) => string[]

/** The beginning of its own line. */
export function freshPlace(width: number, indent: number, tail = 0): Place {
  return { width, column: indent, indent, hang: indent + 2, tail }
}

export function pad(indent: number, text: string): string {
  return ' '.repeat(indent) + text
}

export function moved(place: Place, text: string, tail = place.tail): Place {
  return { ...place, column: place.column + text.length, tail }
}

/** Puts one text behind another: the last line of the one and the first of the other become one. */
export function append(lines: readonly string[], more: readonly string[]): string[] {
  return [...lines.slice(0, -1), (lines.at(-1) ?? '') + (more[0] ?? ''), ...more.slice(1)]
}

export function endColumn(lines: readonly string[], column: number): number {
  const last = lines.at(-1) ?? ''
  const broken = last.lastIndexOf('\n')
  if (broken >= 0) return last.length - broken - 1
  return (lines.length === 1 ? column : 0) + last.length
}

/** A closing bracket, or `end`, begins the last of several lines. */
export function isClosed(lines: readonly string[]): boolean {
  return lines.length > 1 && /^\s*(?:[)\]]|end\b)/.test(lines.at(-1) ?? '')
}

/** Whether every line stays within the page. What is inside of literals does not count. */
export function isGood(lines: readonly string[], place: Place): boolean {
  if (endColumn(lines, place.column) + place.tail > place.width) return false
  return lines.every((line, at) => (at === 0 ? place.column : 0) + firstLine(line).length <= place.width)
}

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

function mustBreakInside(nodes: Nodes): boolean {
  return nodes.some(({ body }) => isLongQuery(body, LONGEST_INNER) || mustBreakInside(body))
}

const breaking = new WeakMap<Nodes, boolean>()

/** Comments, line breaks in literals and long queries are not for one line. */
export function mustBreak(nodes: Nodes): boolean {
  const known = breaking.get(nodes)
  if (known !== undefined) return known
  const [, ...others] = tokensIn(nodes)
  const answer =
    others.some((token) => token.comments.length > 0) ||
    flat(nodes).includes('\n') ||
    isLongQuery(nodes, LONGEST_INNER) ||
    mustBreakInside(nodes)
  breaking.set(nodes, answer)
  return answer
}

export function fits(nodes: Nodes, place: Place): boolean {
  return !mustBreak(nodes) && place.column + flat(nodes).length + place.tail <= place.width
}

/** The comments above a part, as lines. */
export function commentsAbove(nodes: Nodes, indent: number, width: number): string[] {
  return commentLines(nodes[0]?.open.comments ?? [], indent, width)
}
