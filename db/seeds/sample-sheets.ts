// Sheets of the sample that have a scan: each shows two fields of its customer's survey, drain by drain, so
// that it matches the survey. Position and content are set here; scripts/trial-files.ts draws it.
import { crossesOf, type PlanLine, type PlanRequest, toPixelOf } from './plan-location.ts'
import { makeRandom } from './random.ts'
import type { SampleObject } from './sample-vermessung.ts'

export interface SampleSheet {
  readonly karte_id: number
  readonly client_id: number
  /** File name of the scan. */
  readonly name: string
  readonly request: PlanRequest
}
export interface Surveyed {
  readonly epsg: 25832 | 25833
  readonly objekte: readonly SampleObject[]
}

/** A3 landscape at 150 dpi: 840 metres on the ground, with two fields inside the frame. */
const [WIDTH, HEIGHT, DPI] = [2480, 1754, 150]
export const SCALE = 2000
const GSD = (SCALE * 0.0254) / DPI

/**
 * A sheet showing the given pair of the survey's fields; the sheets of a customer are adjacent. Null if the
 * survey has no such pair.
 */
export function makeSheet({
  karte_id,
  client_id,
  map_name,
  jahr,
  pair,
  vermessung,
}: Omit<SampleSheet, 'name' | 'request'> & {
  readonly map_name: string
  readonly jahr: number
  readonly pair: number
  readonly vermessung: Surveyed
}): SampleSheet | null {
  const fields = new Set([2 * pair + 1, 2 * pair + 2])
  const shown = vermessung.objekte.filter(({ werte }) =>
    fields.has(Number(String(werte['schluessel']).split('-')[1])),
  )
  if (shown.length === 0) return null
  const lines = shown.flatMap(({ tabelle, orte, werte }): PlanLine[] =>
    tabelle === 'draenage' ? [{ art: werte['art'] === 'Sammler' ? 'Sammler' : 'Sauger', orte }] : [],
  )
  const middle = (axis: 0 | 1): number => {
    const all = lines.flatMap(({ orte }) => orte.map((ort) => ort[axis]))
    return (Math.min(...all) + Math.max(...all)) / 2
  }
  const random = makeRandom(9_000 + karte_id)
  return {
    karte_id,
    client_id,
    name: `${map_name.replaceAll(',', '')}.jpg`,
    request: {
      seed: karte_id,
      breite: WIDTH,
      hoehe: HEIGHT,
      epsg: vermessung.epsg,
      ost: middle(0) - (WIDTH * GSD) / 2,
      nord: middle(1) + (HEIGHT * GSD) / 2,
      gsd: GSD,
      skew: Number(((random.next() - 0.5) * 3.2).toFixed(2)),
      folds: 2.5,
      lines,
      titel: `Dränplan ${map_name}, Maßstab 1 : ${SCALE.toLocaleString('de-DE')}`,
      stamp: `Meliorationsbüro ${jahr}`,
      dpi: DPI,
      jpegQuality: 78,
    },
  }
}

/** Where a person would set the eight points: at the corners and the middles of the edges. */
const PLACES = [
  [0.1, 0.1],
  [0.5, 0.1],
  [0.9, 0.1],
  [0.9, 0.9],
  [0.5, 0.9],
  [0.1, 0.9],
  [0.1, 0.5],
  [0.9, 0.5],
] as const

export interface SheetPoint {
  readonly nr: number
  readonly mapx: number
  readonly mapy: number
  readonly pixelx: number
  readonly pixely: number
  readonly enable: boolean
}

/** Crosses of the sheet's grid, each hit to within half a pixel, as by a steady hand. */
export function controlPointsOf({ karte_id, request }: SampleSheet): SheetPoint[] {
  const random = makeRandom(9_500 + karte_id)
  const crosses = crossesOf(request)
  return PLACES.map(([x, y], at) => {
    const away = ({ spalte, zeile }: (typeof crosses)[number]) =>
      Math.hypot(spalte / WIDTH - x, zeile / HEIGHT - y)
    const { ost, nord, spalte, zeile } = crosses.toSorted((a, b) => away(a) - away(b))[0]!
    const read = (value: number) => Number((value + (random.next() - 0.5) * 0.8).toFixed(2))
    return { nr: at + 1, mapx: ost, mapy: nord, pixelx: read(spalte), pixely: -read(zeile), enable: true }
  })
}

/**
 * Whether the place is inside the frame, a twentieth in from the edges: the sheet's corners must enclose what
 * it shows.
 */
export const shows = (request: PlanRequest, ort: readonly [number, number]): boolean => {
  const [column, row] = toPixelOf(request)(...ort)
  return (
    column > request.breite * 0.05 &&
    column < request.breite * 0.95 &&
    row > request.hoehe * 0.06 &&
    row < request.hoehe * 0.94
  )
}
