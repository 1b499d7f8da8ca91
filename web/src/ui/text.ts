// Translates every visible text. The German text is the key; another language is a table keyed by it.

let table: Readonly<Record<string, string>> = {}

/** Sets the table of another language: German text → translation. Missing texts stay German. */
export function setTexts(texts: Readonly<Record<string, string>>) {
  table = texts
}

/** German text → translation; empty in German. */
export const textTable = (): Readonly<Record<string, string>> => table

export function t(german: string, values?: Readonly<Record<string, string | number>>): string {
  const text = table[german] ?? german
  if (!values) return text
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
