// Placeholders of text blocks: which there are, which of a text nobody fills in, and filling them. The database asks the same (rechte.platzhalter_bekannt).

export const PLATZHALTER = ['name', 'nummer', 'datum', 'faellig', 'betrag'] as const
export type Platzhalter = (typeof PLATZHALTER)[number]

const KNOWN = new RegExp(`\\{(${PLATZHALTER.join('|')})\\}`, 'g')
const ALL: ReadonlySet<string> = new Set(PLATZHALTER.map((name) => `{${name}}`))

/** What of a text stands in braces and is no placeholder, and braces without their other; each once, in the order of the text. */
export const unknownPlatzhalter = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{[^{}]*\}|[{}]/g)].map(([found]) => found).filter((found) => !ALL.has(found))),
]

/** A placeholder without a value stays as it is: a gap in a letter would go unnoticed, a brace does not. */
export const fillPlatzhalter = (text: string, values: Partial<Record<Platzhalter, string>>): string =>
  text.replaceAll(KNOWN, (whole, name: Platzhalter) => values[name] ?? whole)
