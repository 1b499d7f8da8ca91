// Which refusals are written into the audit chain: attempts on what was issued, writes on the books that no role may do, and calls that change the books by those who may not.
import type { Refusal } from './data-api/data-api.ts'
import type { Statement } from './database/database.ts'

/** Of the right to do it, not of a value or of a row that is not there. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['PT403', '42501'])

/** Which tables and procedures are those of the books the database knows (rechte.ist_buch, rechte.ist_buchvorgang); of others it writes nothing down. */
export function noteRefusal({ kind, name, code, hint, detail }: Refusal): Statement | null {
  const fixed = hint === 'ausgestellt'
  if (!fixed && !NOT_ALLOWED.has(code)) return null
  const act = kind === 'call' ? name : `${kind} ${name}`
  return {
    text: 'select rechte.vermerke_verweigerung($1, $2, $3)',
    values: [act, detail ?? name, fixed ? 'ausgestellt' : code],
  }
}
