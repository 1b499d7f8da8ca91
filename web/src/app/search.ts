// Queries of addresses, always as text: `?plz=01067` is not the number 1067.

export type Search = Readonly<Record<string, string>>

export const parseSearch = (query: string): Search => Object.fromEntries(new URLSearchParams(query))

/** With question mark, or empty; empty values are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(
    Object.entries(search).flatMap(([key, value]) =>
      value === undefined || value === '' ? [] : [[key, String(value)]],
    ),
  )
  return query.size === 0 ? '' : `?${query}`
}
