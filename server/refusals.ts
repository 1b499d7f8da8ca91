// Which refusals are written into the audit chain: attempts to change what was issued, writes to the books
// that no role may do, and calls that change the books by callers who may not.
import type { Refusal } from './data-api/data-api.ts'
import type { Statement } from './database/database.ts'

/** Refusals for lack of permission, not because of a value or a missing row. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['PT403', '42501'])

/**
 * The database knows which tables and procedures belong to the books (books.is_table,
 * books.is_call); for others it records nothing.
 */
export function noteRefusal({ kind, name, code, hint, detail }: Refusal): Statement | null {
  const fixed = hint === 'ausgestellt'
  if (!fixed && !NOT_ALLOWED.has(code)) return null
  const act = kind === 'call' ? name : `${kind} ${name}`
  return {
    text: 'select books.record_refusal($1, $2, $3)',
    values: [act, detail ?? name, fixed ? 'ausgestellt' : code],
  }
}
