// A person's choice of columns: their keys in order, each with its width in pixels if it has one of its own.

/** 'ort', or 'ort:180'. */
export const keyOfEntry = (entry: string): string => entry.split(':', 1)[0] ?? ''

export function arranged<C extends { readonly key: string; readonly fixed?: boolean }>(
  columns: readonly C[],
  entries: readonly string[],
): readonly (C & { readonly ownWidth?: number })[] {
  const places = new Map(entries.map((entry, at) => [keyOfEntry(entry), at]))
  // The first column is the name of the row; fixed ones without a place come last.
  const placeOf = ({ key }: C) => (key === columns[0]?.key ? -1 : (places.get(key) ?? entries.length))
  return columns
    .filter((column) => placeOf(column) < entries.length || column.fixed)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((column) => {
      const width = Number(entries[places.get(column.key) ?? -1]?.split(':')[1])
      return width > 0 ? { ...column, ownWidth: width } : column
    })
}
