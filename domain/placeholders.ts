// Placeholders of text blocks: the list, finding unknown ones in a text, and filling them in. The database
// checks the same (books.are_placeholders_known).

export const PLACEHOLDERS = ['name', 'nummer', 'datum', 'faellig', 'betrag'] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

const KNOWN = new RegExp(`\\{(${PLACEHOLDERS.join('|')})\\}`, 'g')
const ALL: ReadonlySet<string> = new Set(PLACEHOLDERS.map((name) => `{${name}}`))

/**
 * Anything in braces that is not a placeholder, and unmatched braces; each once, in the order of the text.
 */
export const unknownPlaceholders = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\{[^{}]*\}|[{}]/g)].map(([found]) => found).filter((found) => !ALL.has(found)),
  ),
]

/** A placeholder without a value stays as it is: a gap in a letter would go unnoticed, a brace does not. */
export const fillPlaceholders = (text: string, values: Partial<Record<Placeholder, string>>): string =>
  text.replaceAll(KNOWN, (whole, name: Placeholder) => values[name] ?? whole)
