// Finds the rules that the functions of the database name when they refuse something (db/nouns): the hint of a
// raise, and the third argument of checks.check_value and the second of checks.refuse_field.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NOUNS = join(import.meta.dirname, '../../db/nouns')
const CALL = /checks\.(check_value|refuse_field)\(|\bhint\s*=\s*/g

/** The expression that begins at `from`, up to the comma or bracket that ends it. */
function expressionAt(sql: string, from: number): string {
  let depth = 0
  for (const part of sql.slice(from).matchAll(/'(?:[^']|'')*'|[(),;[\]]/g)) {
    const at = from + part.index
    if (depth === 0 && /^[),;]/.test(part[0])) return sql.slice(from, at).trim()
    if (/^[([]/.test(part[0])) depth += 1
    if (/^[)\]]/.test(part[0])) depth -= 1
  }
  return ''
}

function argumentAt(sql: string, from: number, count: number): string {
  const expression = expressionAt(sql, from)
  const next = sql.indexOf(expression, from) + expression.length
  return count === 0 ? expression : argumentAt(sql, next + 1, count - 1)
}

export interface RefusedRules {
  readonly named: ReadonlySet<string>
  /** Expressions that are put together or handed over. */
  readonly composed: ReadonlySet<string>
}

export function refusedRules(): RefusedRules {
  const [named, composed] = [new Set<string>(), new Set<string>()]
  for (const file of readdirSync(NOUNS).filter((name) => name.endsWith('.sql'))) {
    const sql = readFileSync(join(NOUNS, file), 'utf8').replaceAll(/--.*$/gm, '')
    for (const call of sql.matchAll(CALL)) {
      if (/function\s+$/.test(sql.slice(0, call.index))) continue
      const place = { check_value: 2, refuse_field: 1 }[call[1] ?? ''] ?? 0
      const said = argumentAt(sql, call.index + call[0].length, place)
      const rule = /^'([^']*)'$/.exec(said)?.[1]
      if (rule === undefined) composed.add(said)
      else named.add(rule)
    }
  }
  return { named, composed }
}
