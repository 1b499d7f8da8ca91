// Maps places on the ground to a drawn plan: slightly rotated, folded, with a grid of crosses. The drawing
// and its control points both use this mapping, so they agree.

type Place = readonly [number, number]

export interface PlanLine {
  readonly art: 'Sammler' | 'Sauger'
  readonly orte: readonly Place[]
}

export interface PlanRequest {
  readonly seed: number
  readonly breite: number
  readonly hoehe: number
  readonly epsg: number
  /** Upper left corner of the field, in that system. */
  readonly ost: number
  readonly nord: number
  /** Metres per pixel. */
  readonly gsd: number
  /** Degrees by which the sheet is rotated. */
  readonly skew: number
  /** Largest shift by folds, in pixels; 0 for a flat sheet. */
  readonly folds: number
  /** Without it, drains are invented. */
  readonly lines?: readonly PlanLine[]
  /** `titel` is printed in the upper margin, `stamp` is the second line of the stamp. */
  readonly titel?: string
  readonly stamp?: string
  readonly dpi?: number
  /** Quality of the JPEG. */
  readonly jpegQuality?: number
}
export const PLAN: PlanRequest = {
  seed: 1,
  breite: 3000,
  hoehe: 2120,
  epsg: 25833,
  ost: 318_000,
  nord: 5_831_000,
  gsd: 0.35,
  skew: 1.4,
  folds: 5,
}

export interface TruePoint {
  readonly ost: number
  readonly nord: number
  readonly spalte: number
  readonly zeile: number
}
/** Position on the scan of a place on the ground. */
export type ToPixel = (east: number, north: number) => readonly [spalte: number, zeile: number]

/** Scale, rotation, and the waves of a sheet that was folded in four across and three down. */
export function toPixelOf({ breite, hoehe, ost, nord, gsd, skew, folds }: PlanRequest): ToPixel {
  const turn = (skew * Math.PI) / 180
  return (o, n) => {
    const [dx, dy] = [(o - ost) / gsd - breite / 2, (nord - n) / gsd - hoehe / 2]
    const x = breite / 2 + dx * Math.cos(turn) - dy * Math.sin(turn)
    const y = hoehe / 2 + dx * Math.sin(turn) + dy * Math.cos(turn)
    return [
      x + folds * Math.sin((4 * Math.PI * x) / breite) * Math.cos((Math.PI * y) / hoehe),
      y + folds * Math.sin((3 * Math.PI * y) / hoehe) * Math.cos((2 * Math.PI * x) / breite),
    ]
  }
}

/** Grid crosses well inside the sheet, with their exact pixels. */
export function crossesOf(request: PlanRequest): TruePoint[] {
  const { breite, hoehe, ost, nord, gsd } = request
  const toPixel = toPixelOf(request)
  const [wide, high] = [breite * gsd, hoehe * gsd]
  const points: TruePoint[] = []
  const grid = 10 ** Math.floor(Math.log10(Math.max(wide, high) / 3))
  const step = Math.max(wide, high) / grid > 12 ? grid * 2 : grid
  for (let o = Math.ceil(ost / step) * step; o < ost + wide; o += step)
    for (let n = Math.ceil((nord - high) / step) * step; n < nord; n += step) {
      const [column, row] = toPixel(o, n)
      if (column > breite * 0.03 && column < breite * 0.97 && row > hoehe * 0.03 && row < hoehe * 0.97)
        points.push({ ost: o, nord: n, spalte: column, zeile: row })
    }
  return points
}
