// The shortest way between two places on the ellipsoid, and where it leads.
import type { Degrees } from './plane.ts'

/** GRS 80. */
const [A, F] = [6_378_137, 1 / 298.257_222_101]
const B = A * (1 - F)
const RADIAN = Math.PI / 180

export interface Way {
  readonly meter: number
  /** At the beginning, in degrees clockwise from north, 0 to 360. */
  readonly bearing: number
}

/**
 * Vincenty's inverse solution (Survey Review 1975), exact to half a millimetre. Between places at opposite ends of
 * the world it finds none; then what it has so far is as good as a sphere's.
 */
export function wayBetween(a: Degrees, b: Degrees): Way {
  const difference = (b.lon - a.lon) * RADIAN
  const [u1, u2] = [a, b].map(({ lat }) => Math.atan((1 - F) * Math.tan(lat * RADIAN))) as [number, number]
  const [sin1, cos1, sin2, cos2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)]
  let lambda = difference
  for (let round = 0; ; round++) {
    const [sinL, cosL] = [Math.sin(lambda), Math.cos(lambda)]
    const [east, north] = [cos2 * sinL, cos1 * sin2 - sin1 * cos2 * cosL]
    const sinS = Math.hypot(east, north)
    if (sinS === 0) return { meter: 0, bearing: 0 }
    const cosS = sin1 * sin2 + cos1 * cos2 * cosL
    const sigma = Math.atan2(sinS, cosS)
    const sinAlpha = (cos1 * cos2 * sinL) / sinS
    const cos2Alpha = 1 - sinAlpha ** 2
    // Along the equator it is 0 by 0.
    const cosM = cos2Alpha < 1e-15 ? 0 : cosS - (2 * sin1 * sin2) / cos2Alpha
    const c = (F / 16) * cos2Alpha * (4 + F * (4 - 3 * cos2Alpha))
    const before = lambda
    lambda =
      difference + (1 - c) * F * sinAlpha * (sigma + c * sinS * (cosM + c * cosS * (2 * cosM ** 2 - 1)))
    if (Math.abs(lambda - before) > 1e-12 && round < 20) continue
    const u = (cos2Alpha * (A ** 2 - B ** 2)) / B ** 2
    const big = 1 + (u / 16_384) * (4_096 + u * (u * (320 - 175 * u) - 768))
    const small = (u / 1_024) * (256 + u * (u * (74 - 47 * u) - 128))
    const last = (small / 6) * cosM * (4 * sinS ** 2 - 3) * (4 * cosM ** 2 - 3)
    const less = small * sinS * (cosM + (small / 4) * (cosS * (2 * cosM ** 2 - 1) - last))
    return {
      meter: B * big * (sigma - less),
      bearing: (Math.atan2(east, north) / RADIAN + 360) % 360,
    }
  }
}
