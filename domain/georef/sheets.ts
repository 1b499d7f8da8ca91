// Several sheets of one area: which are neighbours, what the offset of a seam is called, and the grid and
// outline of the mosaic of them.
import type { Pair } from './frame.ts'
import type { Raster, RasterDefect } from './raster.ts'

/** A sheet's edge in map units, closed or not. */
export type Ring = readonly Pair[]

/** Of one mosaic. */
export const MOST_SHEETS_MERGED = 24
/** Between touching sheets, as a share of the smaller one's diagonal: points are never that exact. */
const GAP_SHARE = 0.02
/** The overlap is looked for at so many places in each direction. */
const PROBES = 48

export type Neighbourhood =
  | { readonly art: 'ueberlappt' /** Square map units, roughly. */; readonly flaeche: number }
  | { readonly art: 'beruehrt'; readonly abstand: number }
  | { readonly art: 'getrennt' }

interface Box {
  readonly west: number
  readonly sued: number
  readonly ost: number
  readonly nord: number
}
export function boxOfRing(ring: Ring): Box {
  let [west, sued, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of ring) {
    west = Math.min(west, x)
    east = Math.max(east, x)
    sued = Math.min(sued, y)
    north = Math.max(north, y)
  }
  return { west, sued, ost: east, nord: north }
}

const diagonal = ({ west, sued, ost, nord }: Box): number => Math.hypot(ost - west, nord - sued)

export function neighbourhoodOf(one: Ring, other: Ring): Neighbourhood {
  const [a, b] = [boxOfRing(one), boxOfRing(other)]
  const gap = GAP_SHARE * Math.min(diagonal(a), diagonal(b))
  const common: Box = {
    west: Math.max(a.west, b.west),
    sued: Math.max(a.sued, b.sued),
    ost: Math.min(a.ost, b.ost),
    nord: Math.min(a.nord, b.nord),
  }
  // Boxes that are further apart than the gap spare the work.
  if (!(common.ost - common.west > -gap && common.nord - common.sued > -gap)) return { art: 'getrennt' }
  const area = commonArea(one, other, common)
  if (area > 0) return { art: 'ueberlappt', flaeche: area }
  const distance = distanceOf(one, other)
  return distance <= gap ? { art: 'beruehrt', abstand: distance } : { art: 'getrennt' }
}

function commonArea(one: Ring, other: Ring, { west, sued, ost, nord }: Box): number {
  const [width, height] = [ost - west, nord - sued]
  if (!(width > 0 && height > 0)) return 0
  let inside = 0
  for (let i = 0; i < PROBES; i++)
    for (let j = 0; j < PROBES; j++) {
      const place: Pair = [west + (width * (i + 0.5)) / PROBES, sued + (height * (j + 0.5)) / PROBES]
      if (isInside(one, place) && isInside(other, place)) inside++
    }
  return (inside / PROBES ** 2) * width * height
}

export function isInside(ring: Ring, [x, y]: Pair): boolean {
  let inside = false
  ring.forEach(([x1, y1], i) => {
    const [x0, y0] = ring[(i + ring.length - 1) % ring.length]!
    if (y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) inside = !inside
  })
  return inside
}

/** Between the corners of each and the sides of the other; 0 would be one inside the other. */
function distanceOf(one: Ring, other: Ring): number {
  const fromCorners = (corners: Ring, sides: Ring): number =>
    corners.reduce(
      (least, [x, y]) =>
        sides.reduce((near, [x1, y1], i) => {
          const [x0, y0] = sides[(i + sides.length - 1) % sides.length]!
          const [dx, dy] = [x1 - x0, y1 - y0]
          const t = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)))
          return Math.min(near, Math.hypot(x - x0 - t * dx, y - y0 - t * dy))
        }, least),
      Number.POSITIVE_INFINITY,
    )
  return Math.min(fromCorners(one, other), fromCorners(other, one))
}

/** The smallest convex ring around all of them, counter-clockwise and not closed. */
export function hullOf(places: readonly Pair[]): Pair[] {
  const sorted = [...places].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const isRightTurn = (a: Pair, b: Pair, c: Pair): boolean =>
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0
  const half = (all: readonly Pair[]): Pair[] => {
    const line: Pair[] = []
    for (const place of all) {
      while (line.length > 1 && isRightTurn(line.at(-2)!, line.at(-1)!, place)) line.pop()
      line.push(place)
    }
    return line.slice(0, -1)
  }
  const hull = [...half(sorted), ...half(sorted.toReversed())]
  return hull.length > 0 ? hull : sorted.slice(0, 1)
}

export type Compass = 'n' | 'no' | 'o' | 'so' | 's' | 'sw' | 'w' | 'nw'
const ROSE: readonly Compass[] = ['n', 'no', 'o', 'so', 's', 'sw', 'w', 'nw']
/** The nearest of eight directions. */
export function compassOf(east: number, north: number): Compass {
  const eighths = Math.round(Math.atan2(east, north) / (Math.PI / 4))
  return ROSE[(eighths + 8) % 8]!
}

/** Around all rings; its edges are multiples of the resolution, as a sheet's are. */
export function mosaicRaster(
  rings: readonly Ring[],
  resolution: number,
  { pixels, side }: { readonly pixels: number; readonly side: number },
): Raster | RasterDefect {
  const { west, sued, ost, nord } = boxOfRing(rings.flat())
  if (![west, sued, ost, nord].every(Number.isFinite) || !(resolution > 0)) return 'unendlich'
  // What is a multiple but for its last digits stays where it is.
  const down = (value: number): number => Math.floor(value / resolution + 1e-6)
  const up = (value: number): number => Math.ceil(value / resolution - 1e-6)
  const [left, right, bottom, top] = [down(west), up(ost), down(sued), up(nord)]
  const [widthPx, heightPx] = [Math.max(1, right - left), Math.max(1, top - bottom)]
  if (widthPx * heightPx > pixels || Math.max(widthPx, heightPx) > side) return 'zu_gross'
  return {
    west: left * resolution,
    nord: top * resolution,
    aufloesung: resolution,
    breite: widthPx,
    hoehe: heightPx,
  }
}
