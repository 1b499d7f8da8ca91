// Which refusals are written into the audit chain: attempts on what was issued, writes on the books that no role may do, and calls that change the books by those who may not.
import type { Refusal } from './data-api/data-api.ts'
import type { Statement } from './database/database.ts'

/** Nobody writes these directly; db/test/angriff.sql.test.ts compares them with the catalogue. */
export const BOOKS: ReadonlySet<string> = new Set([
  'rechnung',
  'angebot',
  'position',
  'dokument',
  'protokoll',
  'nummernkreis',
  'lieferant',
  'kunde_rechnung',
  'zahlung',
  'kontoumsatz',
  'mahnung',
  'versand',
])

/** Of the right to call, not of a value or of a row that is not there. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['PT403', '42501'])

export function noteRefusal({ kind, name, code, hint, detail }: Refusal): Statement | null {
  const fixed = hint === 'ausgestellt'
  // Which procedures change the books the database knows (rechte.ist_buchvorgang); of others it writes nothing down.
  const barred = kind === 'call' ? NOT_ALLOWED.has(code) : code === '42501' && BOOKS.has(name)
  if (!fixed && !barred) return null
  const act = kind === 'call' ? name : `${kind} ${name}`
  return { text: 'select rechte.vermerke_verweigerung($1, $2, $3)', values: [act, detail ?? name, fixed ? 'ausgestellt' : code] }
}
