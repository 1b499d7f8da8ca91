// Sheets of the sample that have a scan: each shows two fields of its customer's survey, drain by drain, so that it lies where the survey lies. Where a sheet lies and what is on it is said here;
// scripts/trial-files.ts draws it.
import { kreuzeOf, type PlanLinie, type PlanWunsch, zumPixelOf } from './plan-lage.ts'
import { makeRandom } from './random.ts'
import type { SampleObjekt } from './sample-vermessung.ts'

export interface SampleBlatt {
  readonly karte_id: number
  readonly client_id: number
  /** Of the scan's file. */
  readonly name: string
  readonly wunsch: PlanWunsch
}
export interface Vermessen {
  readonly epsg: 25832 | 25833
  readonly objekte: readonly SampleObjekt[]
}

/** A3 across, at 150 dpi: 840 metres on the ground, within whose frame two fields lie. */
const [BREITE, HOEHE, DPI] = [2480, 1754, 150]
export const MASSSTAB = 2000
const GSD = (MASSSTAB * 0.0254) / DPI

/** Which of the survey's pairs of fields a sheet shows; the sheets of a customer lie side by side. Null: the survey does not reach so far. */
export function makeBlatt({
  karte_id,
  client_id,
  map_name,
  jahr,
  paar,
  vermessung,
}: Omit<SampleBlatt, 'name' | 'wunsch'> & {
  readonly map_name: string
  readonly jahr: number
  readonly paar: number
  readonly vermessung: Vermessen
}): SampleBlatt | null {
  const fields = new Set([2 * paar + 1, 2 * paar + 2])
  const shown = vermessung.objekte.filter(({ werte }) => fields.has(Number(String(werte['schluessel']).split('-')[1])))
  if (shown.length === 0) return null
  const linien = shown.flatMap(({ tabelle, orte, werte }): PlanLinie[] =>
    tabelle === 'draenage' ? [{ art: werte['art'] === 'Sammler' ? 'Sammler' : 'Sauger', orte }] : [],
  )
  const middle = (axis: 0 | 1): number => {
    const all = linien.flatMap(({ orte }) => orte.map((ort) => ort[axis]))
    return (Math.min(...all) + Math.max(...all)) / 2
  }
  const random = makeRandom(9_000 + karte_id)
  return {
    karte_id,
    client_id,
    name: `${map_name.replaceAll(',', '')}.jpg`,
    wunsch: {
      seed: karte_id,
      breite: BREITE,
      hoehe: HOEHE,
      epsg: vermessung.epsg,
      ost: middle(0) - (BREITE * GSD) / 2,
      nord: middle(1) + (HOEHE * GSD) / 2,
      gsd: GSD,
      schief: Number(((random.next() - 0.5) * 3.2).toFixed(2)),
      falten: 2.5,
      linien,
      titel: `Dränplan ${map_name}, Maßstab 1 : ${MASSSTAB.toLocaleString('de-DE')}`,
      stempel: `Meliorationsbüro ${jahr}`,
      dpi: DPI,
      qualitaet: 78,
    },
  }
}

/** Where somebody would set the eight points: the corners, and the edges between them. */
const STELLEN = [
  [0.1, 0.1],
  [0.5, 0.1],
  [0.9, 0.1],
  [0.9, 0.9],
  [0.5, 0.9],
  [0.1, 0.9],
  [0.1, 0.5],
  [0.9, 0.5],
] as const

export interface BlattPunkt {
  readonly nr: number
  readonly mapx: number
  readonly mapy: number
  readonly pixelx: number
  readonly pixely: number
  readonly enable: boolean
}

/** Crosses of the sheet's grid, each met to half a pixel, as a steady hand does. */
export function punkteOf({ karte_id, wunsch }: SampleBlatt): BlattPunkt[] {
  const random = makeRandom(9_500 + karte_id)
  const kreuze = kreuzeOf(wunsch)
  return STELLEN.map(([x, y], at) => {
    const away = ({ spalte, zeile }: (typeof kreuze)[number]) => Math.hypot(spalte / BREITE - x, zeile / HOEHE - y)
    const { ost, nord, spalte, zeile } = kreuze.toSorted((a, b) => away(a) - away(b))[0]!
    const read = (value: number) => Number((value + (random.next() - 0.5) * 0.8).toFixed(2))
    return { nr: at + 1, mapx: ost, mapy: nord, pixelx: read(spalte), pixely: -read(zeile), enable: true }
  })
}

/** The sheet's four corners must lie around what it shows: the frame is a twentieth further in. */
export const zeigt = (wunsch: PlanWunsch, ort: readonly [number, number]): boolean => {
  const [spalte, zeile] = zumPixelOf(wunsch)(...ort)
  return spalte > wunsch.breite * 0.05 && spalte < wunsch.breite * 0.95 && zeile > wunsch.hoehe * 0.06 && zeile < wunsch.hoehe * 0.94
}
