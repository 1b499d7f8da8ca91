// Entries on their way to the database: in parts that it accepts, each entry once.
import type { CamtBuchung, CamtStatement } from './statement.ts'

const keyOf = ({ konto, datum, betrag, name, iban, zweck, referenz }: CamtBuchung): string =>
  JSON.stringify([konto, datum, betrag, name, iban, zweck, referenz])

export interface Portion {
  /** Maximum number of entries per call. */
  readonly anzahl: number
  /** Maximum number of characters per call; the server accepts no more in one body. */
  readonly zeichen: number
}
/**
 * Splits entries into parts for one call each. Identical entries stay together: the database counts them
 * within one call, so two equal payments count as two and reading the same file again adds nothing.
 */
export function bankPortions(
  buchungen: readonly CamtBuchung[],
  { anzahl, zeichen }: Portion = { anzahl: 5000, zeichen: 250_000 },
): CamtBuchung[][] {
  const parts: CamtBuchung[][] = []
  let size = 0
  for (const group of Map.groupBy(buchungen, keyOf).values()) {
    const last = parts.at(-1)
    const more = JSON.stringify(group[0]).length * group.length
    if (last !== undefined && last.length + group.length <= anzahl && size + more <= zeichen) {
      last.push(...group)
      size += more
    } else {
      parts.push([...group])
      size = more
    }
  }
  return parts
}

/**
 * Combines several statements read at once as if each had been read separately: identical entries within a
 * statement are distinct, while the same entries in another statement (a file that is in the archive twice,
 * overlapping periods) are the same.
 */
export function allBuchungen(bankStatements: readonly CamtStatement[]): CamtBuchung[] {
  const most = new Map<string, CamtBuchung[]>()
  for (const { buchungen } of bankStatements)
    for (const [key, group] of Map.groupBy(buchungen, keyOf))
      if (group.length > (most.get(key)?.length ?? 0)) most.set(key, group)
  return [...most.values()].flat()
}
