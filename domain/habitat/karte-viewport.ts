// The part of the world that a printed sheet shows, at a round scale.

/** Metres in a projected system. */
export type Point = readonly [ost: number, nord: number]
/** Rings of one area. */
export type Outline = readonly (readonly Point[])[]

export const KARTE = { hoch: { breite: 180, hoehe: 215 }, quer: { breite: 267, hoehe: 142 } } as const
export const SCALES = [
  250, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 7_500, 10_000, 15_000, 20_000, 25_000, 30_000,
  40_000, 50_000, 75_000, 100_000, 150_000, 200_000, 300_000, 400_000, 500_000, 750_000, 1_000_000, 1_500_000,
  2_000_000, 5_000_000,
]
/** Space between the content and the frame; the coordinates are in it. */
const MARGIN = 9

export interface Box {
  readonly w: number
  readonly s: number
  readonly o: number
  readonly n: number
}
export function boxOf(points: Iterable<Point>): Box | null {
  let [w, s, o, n] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    w = Math.min(w, x)
    s = Math.min(s, y)
    o = Math.max(o, x)
    n = Math.max(n, y)
  }
  return Number.isFinite(w) ? { w, s, o, n } : null
}
export const unionOf = (a: Box | null, b: Box | null): Box | null =>
  a === null || b === null
    ? (a ?? b)
    : { w: Math.min(a.w, b.w), s: Math.min(a.s, b.s), o: Math.max(a.o, b.o), n: Math.max(a.n, b.n) }
/** Adds a margin that shows where in the holding the trees stand. */
export function surrounding({ w, s, o, n }: Box): Box {
  const more = Math.max(100, 0.25 * Math.max(o - w, n - s))
  return { w: w - more, s: s - more, o: o + more, n: n + more }
}

export interface Viewport {
  readonly breite: number
  readonly hoehe: number
  readonly quer: boolean
  readonly scale: number
  readonly x: (east: number) => number
  readonly y: (north: number) => number
  readonly ost: (x: number) => number
  readonly nord: (y: number) => number
}
/** The sheet that shows a box at the largest round scale, in portrait or landscape, whichever fits better. */
export function viewOf(box: Box): Viewport {
  const [centreX, centreY] = [(box.w + box.o) / 2, (box.s + box.n) / 2]
  const fit = (format: 'hoch' | 'quer') => {
    const { breite, hoehe } = KARTE[format]
    return Math.max((box.o - box.w) / (breite - 2 * MARGIN), (box.n - box.s) / (hoehe - 2 * MARGIN)) * 1000
  }
  const format = fit('quer') < fit('hoch') * 0.95 ? 'quer' : 'hoch'
  const needed = Math.max(fit(format), SCALES[1]!)
  const scale = SCALES.find((one) => one >= needed) ?? Math.ceil(needed)
  const { breite, hoehe } = KARTE[format]
  const metresPerMm = scale / 1000
  return {
    breite,
    hoehe,
    quer: format === 'quer',
    scale,
    x: (east) => breite / 2 + (east - centreX) / metresPerMm,
    y: (north) => hoehe / 2 - (north - centreY) / metresPerMm,
    ost: (x) => centreX + (x - breite / 2) * metresPerMm,
    nord: (y) => centreY - (y - hoehe / 2) * metresPerMm,
  }
}

/** The area a sheet shows. */
export const windowOf = ({ breite, hoehe, ost, nord }: Viewport): Box => ({
  w: ost(0),
  o: ost(breite),
  s: nord(hoehe),
  n: nord(0),
})
