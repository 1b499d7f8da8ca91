// Which refusals are written into the audit chain: attempts on what was issued, by a procedure or by a write that no role may do.
import type { Refusal } from './data-api/data-api.ts'
import type { Statement } from './database/database.ts'

/** Nobody writes these directly. */
const BOOKS: ReadonlySet<string> = new Set([
  'rechnung',
  'angebot',
  'position',
  'dokument',
  'protokoll',
  'nummernkreis',
  'lieferant',
  'kunde_rechnung',
  'zahlung',
  'mahnung',
  'annahme_link',
])

export function noteRefusal({ kind, name, code, hint, detail }: Refusal): Statement | null {
  const fixed = hint === 'ausgestellt'
  const barred = kind !== 'call' && code === '42501' && BOOKS.has(name)
  if (!fixed && !barred) return null
  const act = kind === 'call' ? name : `${kind} ${name}`
  return { text: 'select rechte.vermerke_verweigerung($1, $2, $3)', values: [act, detail ?? name, fixed ? 'ausgestellt' : code] }
}
