// Where places of the ground lie on a plan that is drawn: turned a little, folded, with a grid of crosses. What is drawn and what is told of it come from here, so that both say the same.

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
  /** Degrees that the sheet lies askew. */
  readonly skew: number
  /** Pixels that folds move at most; 0: a flat sheet. */
  readonly folds: number
  /** Without it drains are invented. */
  readonly lines?: readonly PlanLine[]
  /** In the upper margin, and the second line of the stamp. */
  readonly titel?: string
  readonly stamp?: string
  readonly dpi?: number
  /** Of the JPEG. */
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
/** Where any place of the ground lies on the scan. */
export type ToPixel = (ost: number, nord: number) => readonly [spalte: number, zeile: number]

/** Scale, turn, and the waves of a sheet that was folded in four across and three down. */
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

/** Crosses of the grid that lie well on the sheet, with their true pixels. */
export function crossesOf(request: PlanRequest): TruePoint[] {
  const { breite, hoehe, ost, nord, gsd } = request
  const toPixel = toPixelOf(request)
  const [wide, high] = [breite * gsd, hoehe * gsd]
  const punkte: TruePoint[] = []
  const grid = 10 ** Math.floor(Math.log10(Math.max(wide, high) / 3))
  const step = Math.max(wide, high) / grid > 12 ? grid * 2 : grid
  for (let o = Math.ceil(ost / step) * step; o < ost + wide; o += step)
    for (let n = Math.ceil((nord - high) / step) * step; n < nord; n += step) {
      const [spalte, zeile] = toPixel(o, n)
      if (spalte > breite * 0.03 && spalte < breite * 0.97 && zeile > hoehe * 0.03 && zeile < hoehe * 0.97)
        punkte.push({ ost: o, nord: n, spalte, zeile })
    }
  return punkte
}
