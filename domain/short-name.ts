// The label of a person's database name, as accounts.free_db_role derives it from the name
// (db/nouns/benutzer.sql) before it looks for a free one. Both are tested with short-name.cases.json.

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u', ß: 'ss' }
/** search.sort_key: umlauts as their base letters, punctuation dropped. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => UMLAUTS[letter]!)
    .replaceAll(/[áàâ]/g, 'a')
    .replaceAll(/[éèê]/g, 'e')
    .replaceAll(/[íìî]/g, 'i')
    .replaceAll(/[óòô]/g, 'o')
    .replaceAll(/[úùû]/g, 'u')
    .replaceAll('ñ', 'n')
    .replaceAll('ç', 'c')
    .replaceAll(/[^a-z0-9 ]/g, '')

export function shortNameOf(name: string): string {
  const stem = folded(name.trim().replaceAll(/[._-]/g, ' '))
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 50)
  return /^[a-z]/.test(stem) ? stem : `n_${stem}`
}
