// The place of a tree: fixes of the device's receiver over some seconds become one place with an honest
// accuracy. Pure; gnss.ts talks to the receiver.
import { type MeasuredFix, worstOf } from '#domain/gnss/fix.ts'
import type { Outline } from '#contract/bestand.ts'
import { distanceBetween, type Degrees, standsIn, mercator } from '../../karte/mercator.ts'

/** What only an external receiver says. */
export interface Solution {
  readonly type: MeasuredFix
  /** The accuracy was made from HDOP. */
  readonly estimated: boolean
  /** Metres at the foot of the antenna: above the ellipsoid, and above sea level by the receiver's geoid. */
  readonly ellipsoidal: number | null
  readonly orthometric: number | null
}
export interface Fix {
  /** Degrees, WGS 84. */
  readonly lon: number
  readonly lat: number
  /** Metres; the receiver's own estimate. */
  readonly accuracy: number
  /** Milliseconds since 1970, when the fix was taken, by the receiver. */
  readonly zeit: number
  /** Null: from the device itself. */
  readonly solution: Solution | null
}
export interface Mean {
  readonly lon: number
  readonly lat: number
  readonly accuracy: number
  readonly anzahl: number
  /** Milliseconds since 1970 by the receiver, of the last fix. */
  readonly zeit: number
  /** Its kind is the least good one. */
  readonly solution: Solution | null
}

/** From here on the person is warned that the place is coarse: neighbouring trees could be confused. */
export const COARSE_M = 15
/** Such a place comes from networks rather than satellites and is useless here. */
export const UNUSABLE_M = 500
/** How long fixes are averaged. */
export const MEASURING_MS = 8_000
/** Browsers return cached old fixes first. */
const OLDEST_MS = 15_000

/** How many milliseconds the time between two fixes may differ by from that between their arrivals. */
const LIVE_MS = 2_000

/**
 * How old fixes are, whatever the device's clock says: a receiver's time and the device's may be hours apart, or
 * the device's is set in between. Two fixes that come as far apart as they were taken are live, and from then on
 * the least time between fix and arrival is no age.
 */
export class FixAges {
  #least = Number.POSITIVE_INFINITY
  #before: { readonly taken: number; readonly mono: number } | null = null
  #live = false

  /**
   * `taken`: the receiver's time. `mono`: arrival by a clock that nobody sets. `wall`: arrival by the device's
   * clock, as good as it is known. Null: not known yet.
   */
  ageOf({ taken, mono, wall }: { taken: number; mono: number; wall: number }): number | null {
    // Receivers without a calendar say nothing about when.
    if (!Number.isFinite(taken) || taken <= 0) return 0
    const before = this.#before
    const delay = mono - taken
    if (before !== null && taken !== before.taken) {
      const isLive = taken > before.taken && Math.abs(taken - before.taken - (mono - before.mono)) <= LIVE_MS
      // The receiver's clock was set: what came before says nothing any more.
      if (isLive && delay - this.#least > OLDEST_MS) this.#least = delay
      if (isLive || delay < this.#least) this.#live = true
    }
    this.#before = { taken, mono }
    this.#least = Math.min(this.#least, delay)
    if (this.#live) return delay - this.#least
    const byClock = wall - taken
    return Math.abs(byClock) <= OLDEST_MS ? Math.max(0, byClock) : null
  }
}

/**
 * Whether a fix is usable: not one at 0/0, as broken receivers report, and not an old one. `age`: milliseconds;
 * null if nobody knows yet.
 */
export const isUsable = ({ lon, lat, accuracy }: Fix, age: number | null): boolean =>
  age !== null &&
  Number.isFinite(lon) &&
  Number.isFinite(lat) &&
  lat >= 45 &&
  lat <= 57 &&
  lon >= 3 &&
  lon <= 18 &&
  accuracy > 0 &&
  accuracy <= UNUSABLE_M &&
  age <= OLDEST_MS

/**
 * Mean weighted by accuracy. Errors of one receiver within seconds are almost the same, so more fixes do not
 * improve on the accuracy it reports; if they scatter more than that, the scatter counts.
 */
export function meanOf(fixes: readonly Fix[]): Mean | null {
  const last = fixes.at(-1)
  if (last === undefined) return null
  // If the person walked on, their latest position counts.
  const here = fixes.filter((fix) => distanceBetween(fix, last) <= 10 + 2 * (fix.accuracy + last.accuracy))
  // Fixes much worse than the best one would only pull the mean away.
  const best = Math.min(...here.map(({ accuracy }) => accuracy))
  const good = here.filter(({ accuracy }) => accuracy <= best * 3)
  const weights = good.map(({ accuracy }) => 1 / accuracy ** 2)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const mean = (of: (fix: Fix) => number) =>
    good.reduce((total, fix, at) => total + of(fix) * weights[at]!, 0) / sum
  const [lon, lat] = [mean((fix) => fix.lon), mean((fix) => fix.lat)]
  const scatter = Math.sqrt(mean((fix) => distanceBetween(fix, { lon, lat }) ** 2))
  const said = Math.sqrt(good.length / sum)
  return {
    lon: round8(lon),
    lat: round8(lat),
    accuracy: roundAccuracy(Math.max(said, scatter)),
    anzahl: good.length,
    zeit: last.zeit,
    solution: solutionOf(good, mean),
  }
}
function solutionOf(good: readonly Fix[], mean: (of: (fix: Fix) => number) => number): Solution | null {
  const all = good.flatMap(({ solution }) => (solution === null ? [] : [solution]))
  const type = worstOf(all.map((one) => one.type))
  if (type === null || all.length < good.length) return null
  const height = (of: 'ellipsoidal' | 'orthometric') =>
    all.some((one) => one[of] === null)
      ? null
      : Math.round(mean(({ solution }) => solution?.[of] ?? 0) * 1_000) / 1_000
  return {
    type,
    estimated: all.some(({ estimated }) => estimated),
    ellipsoidal: height('ellipsoidal'),
    orthometric: height('orthometric'),
  }
}
/** About a millimetre. */
const round8 = (value: number): number => Math.round(value * 1e8) / 1e8
/** To the decimetre, below a metre to the millimetre; nothing is without an error. */
const roundAccuracy = (metres: number): number =>
  metres < 1 ? Math.max(0.001, Math.round(metres * 1_000) / 1_000) : Math.round(metres * 10) / 10

/** The receiver's own time of a fix, ISO; empty if it has no calendar. */
export const receiverTime = (taken: number): string =>
  taken >= SATELLITES_SINCE && taken < Date.UTC(2100) ? new Date(taken).toISOString() : ''
const SATELLITES_SINCE = Date.UTC(1980, 0, 6)

/** Metres from the drawn stands; 0 if inside, null if nothing is drawn. */
export function distanceFrom(outlines: readonly Outline[], ort: Degrees): number | null {
  const [x, y] = mercator(ort.lon, ort.lat)
  let least = Infinity
  for (const [, areas] of outlines) {
    if (standsIn(areas, x, y)) return 0
    for (const rings of areas)
      for (const ring of rings)
        for (let at = 0, before = ring.length - 1; at < ring.length; before = at++)
          least = Math.min(least, toSegment(x, y, ...ring[before]!, ...ring[at]!))
  }
  return Number.isFinite(least) ? least * Math.cos((ort.lat * Math.PI) / 180) : null
}
function toSegment(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length))
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy)
}

/** False if the tree may still be inside within the receiver's accuracy. */
export const isOutside = (outlines: readonly Outline[], ort: Degrees, accuracy: number): boolean => {
  const metres = distanceFrom(outlines, ort)
  return metres !== null && metres > Math.max(5, accuracy)
}
