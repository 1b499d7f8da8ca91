// How well a title fits what was typed.

/** Normalises spelling: ä, ae and a are equal, as are ö and ü; ß is ss; accents are removed. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/([aou])e/g, '$1')

const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/**
 * Rank of a match: 0 the whole title, 1 its start, 2 words of the title, 3 words of the other text, 4 inside
 * the title; undefined: no match.
 */
export function rankOf(query: string, title: string, other = ''): number | undefined {
  const wanted = wordsOf(query)
  if (wanted.length === 0) return undefined
  const [name, words] = [wordsOf(title), wordsOf(`${title} ${other}`)]
  const [whole, typed] = [name.join(' '), wanted.join(' ')]
  if (whole === typed) return 0
  if (whole.startsWith(typed)) return 1
  const begins = (among: readonly string[]) =>
    wanted.every((word) => among.some((one) => one.startsWith(word)))
  if (begins(name)) return 2
  if (begins(words)) return 3
  // Two letters occur in nearly every title.
  return wanted.every((word) => word.length >= 3 && name.some((one) => one.includes(word))) ? 4 : undefined
}
