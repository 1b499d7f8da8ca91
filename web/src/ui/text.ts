// Every visible text passes here. The German text is the key; another language is a table from it.

let table: Readonly<Record<string, string>> = {}

/** Another language: German text → its translation. What is missing stays German. */
export function setTexts(texts: Readonly<Record<string, string>>) {
  table = texts
}

export function t(german: string, values?: Readonly<Record<string, string | number>>): string {
  const text = table[german] ?? german
  if (!values) return text
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
