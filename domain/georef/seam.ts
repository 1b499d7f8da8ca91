// The offset between two neighbouring sheets, measured by what is drawn on both where they overlap. Rather no
// answer than a wrong one: too little drawing, hatching that fits at several shifts, and lines that all run one
// way are not measured.
import {
  type Correlations,
  correlateAll,
  correlateNear,
  correlationAt,
  type Peak,
  peakOf,
  subPixel,
} from './correlation.ts'
import { drawnInBoth, type GreyPart, halved, type Ink, inkOf, softened } from './ink.ts'

export type SeamDoubt = 'ohne_ueberlappung' | 'zu_schmal' | 'wenig_gezeichnet' | 'mehrdeutig' | 'ungleich'

/** How far the second sheet's drawing is from the first's, in pixels to the right and down. */
export interface PixelSeam {
  readonly x: number
  readonly y: number
  /** Correlation of the two drawings, 0 to 1. */
  readonly vertrauen: number
  /** The same along the seam, in thirds; null where a third has too little drawing. */
  readonly teile: readonly ({ readonly x: number; readonly y: number } | null)[]
}

/** Below this many pixels along a side, or of common area, nothing is looked for. */
const NARROWEST = 16
const LEAST_AREA = 1500
/** Pixels that are drawn, of each sheet. */
const LEAST_DRAWN = 150
/** All shifts are tried at this size at most; the finer sizes only look around what was found. */
const COARSE_PIXELS = 40_000
/** The search ends where less than two thirds of the overlap would meet. */
const REACH_SHARE = 1 / 3
const LEAST_CORRELATION = 0.3
/** A second place that is nearly as good makes the first a guess. */
const MOST_SECOND = 0.8
/** Around the peak, in coarse pixels, its own slope. */
const SLOPE = 3
const FINE_REACH = 4
const PART_REACH = 8
const PARTS = 3

/** @throws RangeError if the parts differ in size: both are on the same grid. */
export function measureSeam(first: GreyPart, second: GreyPart): PixelSeam | SeamDoubt {
  if (first.width !== second.width || first.height !== second.height)
    throw new RangeError('two parts of one grid have one size')
  if (Math.min(first.width, first.height) < NARROWEST) return 'zu_schmal'
  const fine = { a: inkOf(first), b: inkOf(second) }
  const [ofA, ofB, common] = drawnInBoth(fine.a, fine.b)
  if (common === 0) return 'ohne_ueberlappung'
  if (common < LEAST_AREA) return 'zu_schmal'
  if (Math.min(ofA, ofB) < LEAST_DRAWN) return 'wenig_gezeichnet'
  const levels = levelsOf({ a: softened(fine.a), b: softened(fine.b) })
  const rough = roughPeak(levels.at(-1)!)
  if (typeof rough === 'string') return rough
  let [x, y] = [rough.x, rough.y]
  let found: Correlations | null = null
  let peak: Peak | null = null
  for (const { a, b } of levels.toReversed()) {
    if (found !== null) [x, y] = [2 * x, 2 * y]
    found = correlateNear(a, b, [x, y], FINE_REACH)
    peak = peakOf(found, SLOPE)
    if (peak === null || peak.isAtEnd || hasRival(found, peak)) return 'mehrdeutig'
    ;[x, y] = [x + peak.x, y + peak.y]
  }
  const [dx, dy] = subPixel(found!, peak!)
  return {
    x: x - peak!.x + dx,
    y: y - peak!.y + dy,
    vertrauen: Math.min(1, rough.value),
    teile: partsOf(levels, [x, y]),
  }
}

interface Level {
  readonly a: Ink
  readonly b: Ink
}

/** The full size first. */
function levelsOf(fine: Level): Level[] {
  const levels = [fine]
  for (
    let { a, b } = fine;
    a.width * a.height > COARSE_PIXELS && Math.min(a.width, a.height) >= 2 * NARROWEST;
  ) {
    ;[a, b] = [halved(a), halved(b)]
    levels.push({ a, b })
  }
  return levels
}

function roughPeak({ a, b }: Level): Peak | SeamDoubt {
  const [reachX, reachY] = [Math.floor(a.width * REACH_SHARE), Math.floor(a.height * REACH_SHARE)]
  const peak = peakOf(correlateAll(a, b, reachX, reachY), SLOPE)
  if (peak === null || peak.value < LEAST_CORRELATION) return 'ungleich'
  return peak.next > MOST_SECOND * peak.value ? 'mehrdeutig' : peak
}

/** Narrow hatching fits again beside the best place, with a valley between. */
function hasRival(found: Correlations, peak: Peak): boolean {
  for (let y = -found.reachY; y <= found.reachY; y++)
    for (let x = -found.reachX; x <= found.reachX; x++) {
      const value = correlationAt(found, x, y)
      if (Number.isNaN(value) || value < MOST_SECOND * peak.value) continue
      if (Math.max(Math.abs(x - peak.x), Math.abs(y - peak.y)) < 2) continue
      if (isTop(found, x, y, value)) return true
    }
  return false
}

const isTop = (found: Correlations, x: number, y: number, value: number): boolean =>
  [-1, 0, 1].every((j) =>
    [-1, 0, 1].every(
      // A top at the end of what was looked at may be a slope.
      (i) => (i === 0 && j === 0) || correlationAt(found, x + i, y + j) < value,
    ),
  )

/** Along the longer side; sheets that are turned against each other differ from one end to the other. */
function partsOf(levels: readonly Level[], [x, y]: readonly [number, number]): PixelSeam['teile'] {
  // Half the size is fine enough for a hint, and a quarter of the work.
  const times = levels.length > 1 ? 2 : 1
  const { a, b } = levels[times - 1]!
  const isWide = a.width >= a.height
  const length = isWide ? a.width : a.height
  const middle = [Math.round(x / times), Math.round(y / times)] as const
  return Array.from({ length: PARTS }, (_, part) => {
    const range = [Math.floor((length * part) / PARTS), Math.floor((length * (part + 1)) / PARTS)] as const
    const found = correlateNear(
      a,
      b,
      middle,
      PART_REACH,
      isWide ? [0, a.height] : range,
      isWide ? range : [0, a.width],
    )
    const peak = peakOf(found, SLOPE)
    if (
      peak === null ||
      peak.isAtEnd ||
      peak.value < LEAST_CORRELATION ||
      peak.next > MOST_SECOND * peak.value
    )
      return null
    const [dx, dy] = subPixel(found, peak)
    return { x: (middle[0] + dx) * times, y: (middle[1] + dy) * times }
  })
}
