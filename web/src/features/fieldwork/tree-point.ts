// A tree as shown on the field mode's map and lists, and the trees nearby.
import { distanceBetween, type Degrees, standsIn, mercator, bearingOf } from '../../karte/mercator.ts'
import { treeName } from '../../record/habitat/habitat-words.ts'
import type { Outline } from '#contract/bestand.ts'
import type { TreeView } from './capture.ts'
import type { CaptureState, Identifier } from './fieldwork-db.ts'
import { touches, outlineBoxOf, type Box } from './packet-extent.ts'

export interface TreePoint extends Degrees {
  readonly kennung: Identifier
  readonly name: string
  readonly nummer: string
  readonly x: number
  readonly y: number
  /** Alive, dead, candidate, lost. */
  readonly art: 0 | 1 | 2 | 3
  /** Null if nothing is pending. */
  readonly stand: CaptureState | null
  readonly markiert: boolean
}
export function pointOf({ kennung, werte, stand }: TreeView): TreePoint {
  const [lon, lat] = [Number(werte.lon), Number(werte.lat)]
  const [x, y] = mercator(lon, lat)
  const art = werte.verlust_datum
    ? 3
    : werte.status === 'anwaerter'
      ? 2
      : werte.zustand === 'lebend' || werte.zustand === 'absterbend'
        ? 0
        : 1
  return {
    kennung,
    name: treeName(werte),
    nummer: werte.nummer ?? '',
    lon,
    lat,
    x,
    y,
    art,
    stand,
    markiert: werte.markierung_art !== null,
  }
}

export interface NearbyTree {
  readonly point: TreePoint
  /** Metres, and degrees clockwise from north. */
  readonly meter: number
  readonly grad: number
}
/** Nearest first. */
export const nearestOf = (points: readonly TreePoint[], ort: Degrees, most: number): NearbyTree[] =>
  points
    .map((point) => ({ point, meter: distanceBetween(ort, point) }))
    .toSorted((a, b) => a.meter - b.meter)
    .slice(0, most)
    .map(({ point, meter }) => ({ point, meter, grad: bearingOf(ort, point) }))

/** North, north-east and so on: 0 to 7. */
export const octant = (grad: number): number => Math.round(grad / 45) % 8

/** Stands indexed by bounding box, for a lookup at every fix. */
export class BestandSearch {
  readonly #all: readonly { readonly umriss: Outline; readonly kasten: Box }[]
  constructor(outlines: readonly Outline[]) {
    this.#all = outlines.flatMap((outline) => {
      const box = outlineBoxOf(outline)
      return box === null ? [] : [{ umriss: outline, kasten: box }]
    })
  }
  /** Null if outside all saved stands. */
  an({ lon, lat }: Degrees): number | null {
    const [x, y] = mercator(lon, lat)
    const found = this.#all.find(
      ({ umriss, kasten }) => touches(kasten, [x, y, x, y]) && standsIn(umriss[1], x, y),
    )
    return found?.umriss[0] ?? null
  }
}
