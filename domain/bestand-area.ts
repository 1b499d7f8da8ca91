// Areas of stands in other people's files: in hectares, ares or square metres, which the heading says, or else the
// outlines do.
import { hectaresOf } from './border/plane.ts'
import type { Area } from './vermessung/geometry.ts'

export const PER_HECTARE = { ha: 1, ar: 100, m2: 10_000 } as const
export type AreaUnit = keyof typeof PER_HECTARE

const HEADINGS: readonly (readonly [unit: AreaUnit, heading: RegExp])[] = [
  [
    'm2',
    /(?:^|[^a-zäöüß])(?:m²|m2|qm|sqm)(?![a-z0-9])|(?:fl|fläche|flaeche|area)(?:m²|m2|qm|sqm)$|quadratmeter/,
  ],
  ['ha', /(?:^|[^a-zäöüß])ha(?![a-zäöüß])|(?:fl|fläche|flaeche|area)ha$|hektar/],
  ['ar', /(?:^|[^a-zäöüß])ar(?![a-zäöüß])|[([]a[)\]]/],
]
/** Null: the heading says nothing. */
export const areaUnitOf = (heading: string): AreaUnit | null =>
  HEADINGS.find(([, pattern]) => pattern.test(heading.toLowerCase().normalize('NFC')))?.[0] ?? null

/** Half of the stands have at least this many times their hectares: nothing but square metres is so much. */
const SQUARE_METRES_FROM = 1_000

/** @param ratios stated areas by the hectares of their outlines */
export function areaUnitByOutlines(ratios: readonly number[]): AreaUnit {
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1
  return median >= SQUARE_METRES_FROM ? 'm2' : 'ha'
}

/** On the ellipsoid, of an area in degrees. */
export const hectaresOfOutline = ({ areas }: Area): number =>
  areas.reduce((sum, rings) => {
    const [outer = 0, ...holes] = rings.map((ring) => hectaresOf(ring.map(([lon, lat]) => ({ lon, lat }))))
    return sum + holes.reduce((rest, hole) => rest - hole, outer)
  }, 0)

/** What the file states and what is drawn cannot be the same stand, or not in the same unit. */
export const isOtherArea = (stated: number, outline: number): boolean =>
  Math.abs(stated - outline) > 0.1 && (stated > 2 * outline || outline > 2 * stated)
