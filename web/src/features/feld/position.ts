// Where the tree stands: fixes of the device's receiver over some seconds become one place with an honest accuracy. Pure; the receiver is asked in position-messen.ts.
import type { Umriss } from '#contract/bestand.ts'

export interface Fix {
  /** Degrees, WGS 84. */
  readonly lon: number
  readonly lat: number
  /** Metres; the receiver's own estimate. */
  readonly genauigkeit: number
  /** Milliseconds since 1970, when it was taken. */
  readonly zeit: number
}
export interface Mittel {
  readonly lon: number
  readonly lat: number
  readonly genauigkeit: number
  readonly anzahl: number
}

/** From here on it is told that the place is coarse: neighbouring trees would be mistaken for one another. */
export const GROB_M = 15
/** A place from networks and not from satellites: of no use here. */
export const UNBRAUCHBAR_M = 500
/** How long is averaged. */
export const MESSDAUER_MS = 8_000
/** Browsers hand out old fixes first. */
const AELTESTE_MS = 15_000

const METER_JE_GRAD = 111_320

/** What of a fix can be used at all; none at 0/0, which is what broken receivers say, and none from before. */
export const istBrauchbar = ({ lon, lat, genauigkeit, zeit }: Fix, jetzt: number): boolean =>
  Number.isFinite(lon) &&
  Number.isFinite(lat) &&
  lat >= 45 &&
  lat <= 57 &&
  lon >= 3 &&
  lon <= 18 &&
  genauigkeit > 0 &&
  genauigkeit <= UNBRAUCHBAR_M &&
  jetzt - zeit <= AELTESTE_MS

/**
 * Weighted by accuracy. Errors of one receiver within seconds are nearly the same, so more fixes do not make the place better than the receiver says; where they scatter more than that, the scatter counts.
 */
export function mittelOf(fixes: readonly Fix[]): Mittel | null {
  if (fixes.length === 0) return null
  // Two fixes that are much worse than the best one only draw the place away.
  const best = Math.min(...fixes.map(({ genauigkeit }) => genauigkeit))
  const good = fixes.filter(({ genauigkeit }) => genauigkeit <= best * 3)
  const weights = good.map(({ genauigkeit }) => 1 / genauigkeit ** 2)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const mean = (of: (fix: Fix) => number) => good.reduce((total, fix, at) => total + of(fix) * weights[at]!, 0) / sum
  const [lon, lat] = [mean((fix) => fix.lon), mean((fix) => fix.lat)]
  const scatter = Math.sqrt(mean((fix) => abstand(fix, { lon, lat }) ** 2))
  const said = Math.sqrt(good.length / sum)
  return { lon: round7(lon), lat: round7(lat), genauigkeit: Math.round(Math.max(said, scatter) * 10) / 10, anzahl: good.length }
}
const round7 = (value: number): number => Math.round(value * 1e7) / 1e7

interface Ort {
  readonly lon: number
  readonly lat: number
}
/** Metres; exact enough over a few kilometres. */
export function abstand(a: Ort, b: Ort): number {
  const east = (a.lon - b.lon) * METER_JE_GRAD * Math.cos(((a.lat + b.lat) / 2) * (Math.PI / 180))
  const north = (a.lat - b.lat) * METER_JE_GRAD
  return Math.hypot(east, north)
}

const ERDRADIUS = 6_378_137
export const mercatorOf = ({ lon, lat }: Ort): readonly [x: number, y: number] => [
  (lon * Math.PI * ERDRADIUS) / 180,
  Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * ERDRADIUS,
]
export const gradOf = ([x, y]: readonly [number, number]): Ort => ({
  lon: round7((x / ERDRADIUS) * (180 / Math.PI)),
  lat: round7((2 * Math.atan(Math.exp(y / ERDRADIUS)) - Math.PI / 2) * (180 / Math.PI)),
})

/** Metres from the drawn stands; 0 within, null where nothing is drawn. */
export function abstandVon(umrisse: readonly Umriss[], ort: Ort): number | null {
  const [x, y] = mercatorOf(ort)
  const scale = Math.cos((ort.lat * Math.PI) / 180)
  let least = Infinity
  for (const [, flaechen] of umrisse)
    for (const ringe of flaechen) {
      let inside = false
      for (const ring of ringe)
        for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
          const [x1, y1] = ring[before]!
          const [x2, y2] = ring[at]!
          if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
          least = Math.min(least, toSegment(x, y, x1, y1, x2, y2))
        }
      if (inside) return 0
    }
  return Number.isFinite(least) ? least * scale : null
}
function toSegment(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length))
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy)
}

/** The receiver may be wrong by so much that the tree stands within after all. */
export const istAusserhalb = (umrisse: readonly Umriss[], ort: Ort, genauigkeit: number): boolean => {
  const metres = abstandVon(umrisse, ort)
  return metres !== null && metres > Math.max(5, genauigkeit)
}
