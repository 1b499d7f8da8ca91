// Units that fit what is typed into a line's cell.
import { UNITS } from '#domain/units.ts'

/** By name, then by another word for it; all while nothing is typed. Others may be typed as well. */
export function findUnits(text: string): string[] {
  const asked = text.trim().toLowerCase()
  const byName = UNITS.filter(({ name }) => name.toLowerCase().startsWith(asked))
  const byWord = UNITS.filter(
    (unit) => !byName.includes(unit) && unit.aliases.some((one) => one.startsWith(asked)),
  )
  const found = [...byName, ...byWord].map(({ name }) => name)
  // Nothing is left to choose once the only one is written out.
  return found.length === 1 && found[0] === text.trim() ? [] : found
}
