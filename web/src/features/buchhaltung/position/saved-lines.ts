// Lines as they are saved: empty ones are left out, so that their numbers differ from the rows of the editor.
// Pure.
import { isBlankLine, type TableRow } from './line.ts'

/** The row of the n-th saved line; -1 if there are not so many. */
export function rowOfSaved(rows: readonly TableRow[], wanted: number): number {
  let before = -1
  return rows.findIndex((row) => {
    if (!isBlankLine(row)) before += 1
    return before === wanted
  })
}

/** `said`: texts by number of the saved line. Answers them by key of the line. */
export function textsByKey(
  rows: readonly TableRow[],
  said: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  return new Map(
    rows
      .filter((row) => !isBlankLine(row))
      .flatMap(({ key }, nr) => {
        const words = said.get(nr)
        return words === undefined ? [] : [[key, words] as const]
      }),
  )
}

/** How many lines with content are gone. */
export function countGone(before: readonly TableRow[], now: readonly TableRow[]): number {
  const left = new Set(now.map(({ key }) => key))
  return before.filter((row) => !left.has(row.key) && !isBlankLine(row)).length
}
