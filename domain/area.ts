// Areas of headquarters: which coordinate systems can be converted into each other, and how far a drawn area
// may differ from the documented one.

/**
 * ETRS89 in all its projections, and WGS 84, which differs from it by less than survey accuracy. Everything
 * else needs a datum grid.
 */
const ETRS89: readonly number[] = [25831, 25832, 25833, 4647, 5650, 4258, 4326, 3857]

/**
 * Whether coordinates convert from one system to the other without a datum grid. SQL has the same rule
 * (forest.same_datum in db/nouns/hq.sql).
 */
export const isSameDatum = (one: number, other: number): boolean =>
  one === other || (ETRS89.includes(one) && ETRS89.includes(other))

/**
 * By what share the drawn area is larger than the documented one; null if either is missing or not positive.
 */
export function areaDifference(drawn: number | null, onPaper: number | null): number | null {
  if (drawn === null || onPaper === null || onPaper <= 0 || drawn <= 0) return null
  return drawn / onPaper - 1
}

/**
 * An area drawn along paths and ditches differs slightly from the management plan's; more than two per cent
 * should be checked.
 */
export const isNotableDifference = (difference: number | null): boolean =>
  difference !== null && Math.abs(difference) > 0.02 + 1e-9

/** Habitat trees that the subsidy requires: at least five per hectare, rounded up. */
export const neededHabitatTrees = (hectares: number): number =>
  Math.ceil(Math.round(hectares * 5 * 1e6) / 1e6)
