// A person's choice of columns for each list, stored in this browser.
import { useState } from 'react'

const nameOf = (list: string) => `forstkontor.columns.${list}`

/** Undefined if nothing was chosen or the stored value is invalid. */
export function readColumns(
  list: string,
  known: readonly string[],
  store: Pick<Storage, 'getItem'>,
): readonly string[] | undefined {
  try {
    const kept: unknown = JSON.parse(store.getItem(nameOf(list)) ?? 'null')
    return Array.isArray(kept) ? known.filter((key) => kept.includes(key)) : undefined
  } catch {
    return undefined
  }
}

export function writeColumns(
  list: string,
  columns: readonly string[] | undefined,
  store: Pick<Storage, 'setItem' | 'removeItem'>,
) {
  try {
    if (columns === undefined) store.removeItem(nameOf(list))
    else store.setItem(nameOf(list), JSON.stringify(columns))
  } catch {
    // Storage is full or blocked: the choice applies, but is not remembered.
  }
}

export function useStoredColumns(list: string, known: readonly string[]) {
  const [columns, setColumns] = useState(() => readColumns(list, known, localStorage))
  const choose = (next: readonly string[] | undefined) => {
    setColumns(next)
    writeColumns(list, next, localStorage)
  }
  return [columns, choose] as const
}
