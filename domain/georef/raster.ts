// The pixel grid on the map that a warped scan is written into, and the outline of the scan on it.
import type { Pair } from './frame.ts'
import type { Transform } from './transform.ts'

export interface Raster {
  /** Outer edges */
  readonly west: number
  readonly nord: number
  /** Map units per pixel, the same in both directions. */
  readonly aufloesung: number
  readonly breite: number
  readonly hoehe: number
}

/** Points along the scan's edge between two corners; the edges of a bent sheet are curved. */
const STEPS = 24

/** The edge of the scan on the map, clockwise from its upper left corner, not closed. */
export function outlineOf({ zurKarte }: Transform, width: number, height: number): Pair[] {
  const corners: Pair[] = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ]
  return corners.flatMap(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % 4]!
    return Array.from({ length: STEPS }, (_, step) =>
      zurKarte(x + ((nextX - x) * step) / STEPS, y + ((nextY - y) * step) / STEPS),
    )
  })
}

/** As many pixels along the diagonal as the scan has, which is what GDAL suggests too. */
export function suggestedResolution(transform: Transform, width: number, height: number): number {
  const [min, max] = boxOf(outlineOf(transform, width, height))
  return Math.hypot(max[0] - min[0], max[1] - min[1]) / Math.hypot(width, height)
}

/**
 * A pixel of the result is at most this many of the scan long: beyond, nothing could be seen in it, and its number
 * is one of another unit.
 */
const COARSEST = 250
export const isTooCoarse = (resolution: number, suggested: number): boolean =>
  resolution > COARSEST * suggested

function boxOf(places: readonly Pair[]): readonly [min: Pair, max: Pair] {
  const along = (pick: (...values: number[]) => number): Pair => [
    pick(...places.map(([x]) => x)),
    pick(...places.map(([, y]) => y)),
  ]
  return [along(Math.min), along(Math.max)]
}

/** A raster that is too large is reported before anything is computed. */
export type RasterDefect = 'unendlich' | 'zu_gross'
export const MOST_PIXELS = 1_000_000_000

/**
 * The grid around the whole scan; its edges are multiples of the resolution, so that neighbouring sheets
 * share their pixels.
 */
export function rasterOf(
  transform: Transform,
  width: number,
  height: number,
  resolution: number,
): Raster | RasterDefect {
  const [min, max] = boxOf(outlineOf(transform, width, height))
  if (![...min, ...max].every(Number.isFinite) || !(resolution > 0)) return 'unendlich'
  const [west, east] = [Math.floor(min[0] / resolution), Math.ceil(max[0] / resolution)]
  const [sued, north] = [Math.floor(min[1] / resolution), Math.ceil(max[1] / resolution)]
  if ((east - west) * (north - sued) > MOST_PIXELS) return 'zu_gross'
  return {
    west: west * resolution,
    nord: north * resolution,
    aufloesung: resolution,
    breite: east - west,
    hoehe: north - sued,
  }
}
