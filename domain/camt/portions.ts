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
type KeyOf = (one: CamtBuchung) => string
const sizeOf = (some: readonly CamtBuchung[]): number =>
  some.reduce((size, one) => size + JSON.stringify(one).length, 0)

/**
 * Splits entries into parts for one call each. The entries of a day stay together: the database compares days
 * with what other kinds of files have of them. If a day is too long, those of one amount do, and identical
 * entries in any case: they are counted within one call, so two equal payments count as two and reading the
 * same file again adds nothing.
 */
export function bankPortions(
  buchungen: readonly CamtBuchung[],
  limits: Portion = { anzahl: 5000, zeichen: 250_000 },
): CamtBuchung[][] {
  const dayOf: KeyOf = ({ konto, datum }) => `${konto} ${datum}`
  const fits = (count: number, size: number): boolean => count <= limits.anzahl && size <= limits.zeichen
  const split = (some: readonly CamtBuchung[], [first, ...others]: readonly KeyOf[]): CamtBuchung[][] =>
    first === undefined
      ? [[...some]]
      : [...Map.groupBy(some, first).values()].flatMap((group) =>
          fits(group.length, sizeOf(group)) ? [group] : split(group, others),
        )
  const parts: { some: CamtBuchung[]; size: number }[] = []
  for (const group of split(buchungen, [dayOf, (one) => `${dayOf(one)} ${one.betrag}`, keyOf])) {
    const last = parts.at(-1)
    const size = sizeOf(group)
    if (last !== undefined && fits(last.some.length + group.length, last.size + size)) {
      last.some.push(...group)
      last.size += size
    } else parts.push({ some: [...group], size })
  }
  return parts.map(({ some }) => some)
}

/**
 * Combines several statements read at once as if each had been read separately: identical entries within a
 * statement are distinct, while the same entries in another statement (a file that is in the archive twice,
 * overlapping periods) are the same.
 */
export function allBuchungen(bankStatements: readonly CamtStatement[]): CamtBuchung[] {
  const most = new Map<string, CamtBuchung[]>()
  for (const { buchungen, quelle } of bankStatements)
    for (const [key, group] of Map.groupBy(buchungen, keyOf))
      if (group.length > (most.get(key)?.length ?? 0))
        most.set(key, quelle === 'camt' ? group : group.map((one) => ({ ...one, quelle })))
  return [...most.values()].flat()
}
