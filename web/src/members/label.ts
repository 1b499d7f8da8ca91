// Predicts the label that a new person will get (accounts.free_db_role), to check beforehand for someone with
// the same name.
import { sortKey } from '../list/fold.ts'

/** Anna-Lena Öz → anna_lena_oz; '' without a name. */
export function labelOf(first_name: string, last_name: string): string {
  const name = `${first_name} ${last_name}`
    .normalize('NFC')
    .trim()
    .replaceAll(/[.\-_]/g, ' ')
  const stem = sortKey(name)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 50)
  if (stem === '') return ''
  return /^[a-z]/.test(stem) ? stem : `n_${stem}`
}
