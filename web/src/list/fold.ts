// Normalises texts for sorting and searching in the browser exactly as the database does (search.sort_key,
// search.search_text), so that both kinds of lists agree.

const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('äöüáàâéèêíìîóòôúùûñç').map((letter, at) => [letter, 'aouaaaeeeiiiooouuunc'[at]!]),
)

/** For sorting: umlauts as their base letters, ß as ss (DIN 5007-1). */
export const sortKey = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9 ]/g, (letter) => ACCENTS[letter] ?? '')

const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
/**
 * For searching: lower case, and if there are umlauts once more with them written out, so that both 'müller'
 * and 'mueller' match.
 */
export function searchText(text: string): string {
  const lower = text.toLowerCase()
  return /[äöüß]/.test(lower)
    ? `${lower} ${lower.replaceAll(/[äöüß]/g, (letter) => WRITTEN_OUT[letter]!)}`
    : lower
}

/**
 * Pads numbers to nine digits so that they sort by value: sheet 3 before sheet 10. Same as search.natural_key
 * in the database.
 */
export const naturalText = (text: string): string =>
  text.replace(/\d+/g, (digits) => digits.padStart(9, '0').slice(-9))
