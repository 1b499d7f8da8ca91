// Areas of headquarters: which coordinate systems pass into each other, and how far a drawn area may differ from the one on paper.

/** ETRS89 in all its projections, and WGS 84, which differs from it by less than a survey. Everything else needs a datum grid. */
const ETRS89: readonly number[] = [25831, 25832, 25833, 4647, 5650, 4258, 4326, 3857]

/** Whether coordinates pass from one system to the other without a datum grid. The same rule stands in SQL (rechte.same_datum in db/nouns/hq.sql). */
export const isSameDatum = (one: number, other: number): boolean =>
  one === other || (ETRS89.includes(one) && ETRS89.includes(other))

/** How much larger than on paper an area is drawn, as a share; null where one of the two is missing or nothing. */
export function areaDifference(drawn: number | null, onPaper: number | null): number | null {
  if (drawn === null || onPaper === null || onPaper <= 0 || drawn <= 0) return null
  return drawn / onPaper - 1
}

/** Drawn along paths and ditches, an area differs from the management plan's by a little; beyond two per cent somebody should look. */
export const isNotableDifference = (difference: number | null): boolean =>
  difference !== null && Math.abs(difference) > 0.02 + 1e-9

/** Habitat trees that the subsidy asks for: at least five per hectare, begun hectares count. */
export const neededHabitatTrees = (hectares: number): number =>
  Math.ceil(Math.round(hectares * 5 * 1e6) / 1e6)
