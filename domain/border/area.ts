// A walked track becomes a proposed area: thinned, laid on its neighbours' borders, without small loops.
import { hectaresOf, planeAt, signedArea, type Xy, type Degrees } from './plane.ts'
import { cleaned, type Corner, thinned, withoutLoops } from './ring.ts'
import { type KnownLine, snapRing } from './snap.ts'
import type { TrackPoint } from './track.ts'

/** Metres that the border may be off the line that was walked. */
export const TOLERANCES = [0.5, 1, 2, 5] as const
/** Corners so near to a neighbour's border are laid on it. */
export const SNAP_BORDER_M = 2
/** No stand is smaller: ten square metres. */
export const LEAST_HA = 0.001
export const MOST_HA = 10_000
export const MOST_CORNERS = 5_000
/** Loops of receivers are small; a figure of eight is two areas. */
const MOST_LOOP_SHARE = 0.05

/** wenig: fewer than three corners. kreuzt: two areas rather than one with small loops. */
export type AreaFault = 'wenig' | 'klein' | 'gross' | 'kreuzt' | 'ecken'
export interface WalkedArea {
  /** Not closed. */
  readonly ring: readonly Degrees[]
  readonly ha: number
  /** Corners laid on a border that was there. */
  readonly snapped: number
  /** Where the line crossed itself, and the square metres that were taken out there. */
  readonly crossings: readonly (Degrees & { readonly area: number })[]
  readonly fault: AreaFault | null
}
/** A border or survey object known on the device; a ring's last corner is not its first. */
export interface KnownPlaces {
  readonly places: readonly Degrees[]
  readonly closed: boolean
}

const NOTHING: WalkedArea = { ring: [], ha: 0, snapped: 0, crossings: [], fault: 'wenig' }
const round8 = (value: number): number => Math.round(value * 1e8) / 1e8

export function walkedArea(
  points: readonly TrackPoint[],
  known: readonly KnownPlaces[],
  tolerance: number,
  snaps = true,
): WalkedArea {
  const [first] = points
  if (first === undefined) return NOTHING
  const plane = planeAt(first)
  const walked = points.map((point): Corner => ({ ...plane.to(point), fixed: point.kind !== 'spur' }))
  const ring = thinned(cleaned(walked), tolerance)
  const near = snaps
    ? known.map(({ places, closed }): KnownLine => ({ points: places.map(plane.to), closed }))
    : []
  const laid = snapRing(ring, near, SNAP_BORDER_M, tolerance + SNAP_BORDER_M)
  const snapped = laid.filter(({ line }) => line !== null).length
  const back = (all: readonly Xy[]): Degrees[] =>
    all.map(plane.from).map(({ lon, lat }) => ({ lon: round8(lon), lat: round8(lat) }))
  const made = withoutLoops(laid)
  if (made === null) return { ...NOTHING, ring: back(laid), fault: 'kreuzt' }
  const crossings = made.loops.map(({ x, y, area }) => ({ ...plane.from({ x, y }), area }))
  const lost = made.loops.reduce((sum, { area }) => sum + area, 0)
  const whole = Math.abs(signedArea(made.ring)) + lost
  if (made.ring.length < 3) return { ...NOTHING, crossings }
  const area: Omit<WalkedArea, 'fault'> = {
    ring: back(made.ring),
    ha: Math.round(hectaresOf(back(made.ring)) * 10_000) / 10_000,
    snapped,
    crossings,
  }
  if (lost > MOST_LOOP_SHARE * whole) return { ...area, ring: back(laid), fault: 'kreuzt' }
  const fault =
    area.ha < LEAST_HA
      ? 'klein'
      : area.ha > MOST_HA
        ? 'gross'
        : made.ring.length > MOST_CORNERS
          ? 'ecken'
          : null
  return { ...area, fault }
}
