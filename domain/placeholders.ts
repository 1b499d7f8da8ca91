// Placeholders of text blocks: which there are, which of a text nobody fills in, and filling them. The database asks the same (rechte.platzhalter_bekannt).

export const PLACEHOLDERS = ['name', 'nummer', 'datum', 'faellig', 'betrag'] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

const KNOWN = new RegExp(`\\{(${PLACEHOLDERS.join('|')})\\}`, 'g')
const ALL: ReadonlySet<string> = new Set(PLACEHOLDERS.map((name) => `{${name}}`))

/** What of a text stands in braces and is no placeholder, and braces without their other; each once, in the order of the text. */
export const unknownPlaceholders = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\{[^{}]*\}|[{}]/g)].map(([found]) => found).filter((found) => !ALL.has(found)),
  ),
]

/** A placeholder without a value stays as it is: a gap in a letter would go unnoticed, a brace does not. */
export const fillPlaceholders = (text: string, values: Partial<Record<Placeholder, string>>): string =>
  text.replaceAll(KNOWN, (whole, name: Placeholder) => values[name] ?? whole)
