/** Where the clauses of a query begin. */
import { flat, hasWords, isGroup, keyOf, type Node, type Nodes } from './sql-tree.ts'

export interface Clause {
  /** Its first word; several words only where one does not tell. */
  readonly name: string
  readonly head: Nodes
  readonly body: Nodes
}

const QUERIES: ReadonlySet<string> = new Set([
  'select',
  'with',
  'values',
  'insert',
  'update',
  'delete',
  'merge',
  'perform',
])
/** Words that tell a query from a right that is granted. */
const FOLLOWED: ReadonlyMap<string, string> = new Map([
  ['insert', 'into'],
  ['delete', 'from'],
  ['merge', 'into'],
])
const SETS: ReadonlySet<string> = new Set(['union', 'intersect', 'except'])

export function isQuery(nodes: Nodes): boolean {
  const [first, second] = nodes
  const next = keyOf(second)
  if (QUERIES.has(keyOf(first))) {
    if (next === ',') return false
    if (keyOf(first) === 'values') return isGroup(second)
    const follows = FOLLOWED.get(keyOf(first))
    return follows === undefined ? !isGroup(second) || keyOf(first) !== 'update' : follows === next
  }
  return first !== undefined && isGroup(first) && isQuery(first.body) && SETS.has(next)
}

/** A query, or the inside of `over (…)` and `filter (…)`. */
export function isClausal(nodes: Nodes): boolean {
  if (isQuery(nodes) || keyOf(nodes[0]) === 'where') return true
  return hasWords(nodes, 0, 'partition', 'by') || hasWords(nodes, 0, 'order', 'by')
}

/** How many words begin a join here, the word `join` included; none if no join begins here. */
export function joinWords(nodes: Nodes, at: number): number {
  if (keyOf(nodes[at - 1]) === '.') return 0
  for (let length = 0; length < 4; length += 1) {
    const key = keyOf(nodes[at + length])
    if (key === 'join') return length + 1
    if (!['natural', 'inner', 'left', 'right', 'full', 'outer', 'cross'].includes(key)) return 0
  }
  return 0
}

const PLAIN: ReadonlySet<string> = new Set([
  'select',
  'perform',
  'where',
  'having',
  'window',
  'limit',
  'offset',
  'fetch',
  'returning',
  'into',
])

function isConflict(nodes: Nodes, at: number): boolean {
  return hasWords(nodes, at, 'on', 'conflict')
}

function isSourceWord(nodes: Nodes, at: number, kind: string): boolean {
  const key = keyOf(nodes[at])
  if (key === 'from') {
    const before = keyOf(nodes[at - 1])
    return !(before === 'distinct' && ['is', 'not'].includes(keyOf(nodes[at - 2]))) && before !== 'delete'
  }
  return key === 'using' && (kind === 'delete' || kind === 'merge')
}

/** How many words begin a clause here; none if no clause begins here. */
function clauseWords(nodes: Nodes, at: number, kind: string): number {
  const key = keyOf(nodes[at])
  const next = keyOf(nodes[at + 1])
  if (key === '' || ['.', 'as'].includes(keyOf(nodes[at - 1]))) return 0
  if (PLAIN.has(key) || isSourceWord(nodes, at, kind)) return 1
  if (['group', 'order', 'partition'].includes(key)) return next === 'by' ? 2 : 0
  if (SETS.has(key)) return ['all', 'distinct'].includes(next) ? 2 : 1
  if (key === 'values') return isGroup(nodes[at + 1]) ? 1 : 0
  if (key === 'set') return kind === 'update' ? 1 : 0
  if (key === 'update' || key === 'with') return at === 0 || isWith(nodes, at) ? 1 : 0
  if (key === 'insert' || key === 'delete' || key === 'merge') return ['into', 'from'].includes(next) ? 2 : 0
  if (isConflict(nodes, at)) return 2
  return key === 'for' && ['update', 'share', 'no', 'key'].includes(next) ? nodes.length : 0
}

/** `with` within a statement, as in `insert into … with … select`. */
function isWith(nodes: Nodes, at: number): boolean {
  if (keyOf(nodes[at]) === 'update') return ['', ')'].includes(keyOf(nodes[at - 1])) && hasWith(nodes)
  if (['ordinality', 'ties'].includes(keyOf(nodes[at + 1]))) return false
  return hasWords(nodes, at + 1, 'recursive') || hasWords(nodes, at + 2, 'as')
}

function hasWith(nodes: Nodes): boolean {
  return keyOf(nodes[0]) === 'with'
}

/** What a statement with common table expressions does in the end. */
function kindOf(nodes: Nodes): string {
  if (!hasWith(nodes)) return keyOf(nodes[0])
  const last = nodes.findIndex(
    (node, at) => QUERIES.has(keyOf(node)) && at > 0 && nodes[at - 1]?.close?.key === ')',
  )
  return keyOf(nodes[last])
}

function makeClause(part: Nodes, words: number): Clause {
  const end = Math.min(words, part.length)
  const clause = { name: keyOf(part[0]), head: part.slice(0, end), body: part.slice(end) }
  if (clause.name !== 'for') return clause
  return { ...clause, head: part, body: [] }
}

const HEAD_EXTRAS: ReadonlySet<string> = new Set(['distinct', 'all', 'recursive', 'strict'])

export function splitClauses(nodes: Nodes): readonly Clause[] {
  const kind = kindOf(nodes)
  const clauses: Clause[] = []
  let part: Node[] = []
  let words = 0
  const flush = (): void => {
    if (part.length > 0) clauses.push(makeClause(part, words))
    part = []
  }
  for (const [at, node] of nodes.entries()) {
    const inConflict = part.length > 0 && isConflict(part, 0)
    const starts = inConflict && keyOf(node) !== 'returning' ? 0 : clauseWords(nodes, at, kind)
    if (starts > 0 && (part.length === 0 || part.length >= words)) {
      flush()
      words = starts
      if (HEAD_EXTRAS.has(keyOf(nodes[at + 1])) && starts === 1 && keyOf(nodes[at + 2]) !== '.') words += 1
    }
    part.push(node)
  }
  flush()
  return clauses
}

/** A query that is better read clause by clause, though it would fit on a line. */
export function isLongQuery(nodes: Nodes, longest: number): boolean {
  if (!isQuery(nodes) || flat(nodes).length <= longest) return false
  const joins = nodes.filter((_, at) => keyOf(nodes[at]) === 'join').length
  return splitClauses(nodes).length + joins > 2
}
