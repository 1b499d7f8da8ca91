// Where places of the ground lie on a plan that is drawn: turned a little, folded, with a grid of crosses. What is drawn and what is told of it come from here, so that both say the same.

type Ort = readonly [number, number]

export interface PlanLinie {
  readonly art: 'Sammler' | 'Sauger'
  readonly orte: readonly Ort[]
}

export interface PlanWunsch {
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
  readonly schief: number
  /** Pixels that folds move at most; 0: a flat sheet. */
  readonly falten: number
  /** Without it drains are invented. */
  readonly linien?: readonly PlanLinie[]
  /** In the upper margin, and the second line of the stamp. */
  readonly titel?: string
  readonly stempel?: string
  readonly dpi?: number
  /** Of the JPEG. */
  readonly qualitaet?: number
}
export const PLAN: PlanWunsch = {
  seed: 1,
  breite: 3000,
  hoehe: 2120,
  epsg: 25833,
  ost: 318_000,
  nord: 5_831_000,
  gsd: 0.35,
  schief: 1.4,
  falten: 5,
}

export interface Wahrheitspunkt {
  readonly ost: number
  readonly nord: number
  readonly spalte: number
  readonly zeile: number
}
/** Where any place of the ground lies on the scan. */
export type ZumPixel = (ost: number, nord: number) => readonly [spalte: number, zeile: number]

/** Scale, turn, and the waves of a sheet that was folded in four across and three down. */
export function zumPixelOf({ breite, hoehe, ost, nord, gsd, schief, falten }: PlanWunsch): ZumPixel {
  const turn = (schief * Math.PI) / 180
  return (o, n) => {
    const [dx, dy] = [(o - ost) / gsd - breite / 2, (nord - n) / gsd - hoehe / 2]
    const x = breite / 2 + dx * Math.cos(turn) - dy * Math.sin(turn)
    const y = hoehe / 2 + dx * Math.sin(turn) + dy * Math.cos(turn)
    return [
      x + falten * Math.sin((4 * Math.PI * x) / breite) * Math.cos((Math.PI * y) / hoehe),
      y + falten * Math.sin((3 * Math.PI * y) / hoehe) * Math.cos((2 * Math.PI * x) / breite),
    ]
  }
}

/** Crosses of the grid that lie well on the sheet, with their true pixels. */
export function kreuzeOf(wunsch: PlanWunsch): Wahrheitspunkt[] {
  const { breite, hoehe, ost, nord, gsd } = wunsch
  const zumPixel = zumPixelOf(wunsch)
  const [wide, high] = [breite * gsd, hoehe * gsd]
  const punkte: Wahrheitspunkt[] = []
  const grid = 10 ** Math.floor(Math.log10(Math.max(wide, high) / 3))
  const step = Math.max(wide, high) / grid > 12 ? grid * 2 : grid
  for (let o = Math.ceil(ost / step) * step; o < ost + wide; o += step)
    for (let n = Math.ceil((nord - high) / step) * step; n < nord; n += step) {
      const [spalte, zeile] = zumPixel(o, n)
      if (spalte > breite * 0.03 && spalte < breite * 0.97 && zeile > hoehe * 0.03 && zeile < hoehe * 0.97)
        punkte.push({ ost: o, nord: n, spalte, zeile })
    }
  return punkte
}
