// A person's choice of columns for each list, stored with their preferences.
import { useCallback, useMemo } from 'react'
import { keyOfEntry } from './column-choice.ts'
import { setPreference, usePreference } from './preferences.ts'

/** @param known keys of the list's columns; others are left out */
export function useStoredColumns(list: string, known: readonly string[]) {
  const kept = usePreference(`columns.${list}`)
  const columns = useMemo(() => kept?.filter((entry) => known.includes(keyOfEntry(entry))), [kept, known])
  const choose = useCallback(
    (next: readonly string[] | undefined) => setPreference(`columns.${list}`, next),
    [list],
  )
  return [columns, choose] as const
}
