// A tree as the field mode's map and lists show it, and which of them are near.
import { entfernung, type Grad, liegtIn, mercator, richtung } from '../../karte/mercator.ts'
import { baumName } from '../../record/habitat/habitat-words.ts'
import type { Umriss } from '#contract/bestand.ts'
import type { Sicht } from './erfassung.ts'
import type { ErfassungStand, Kennung } from './feld-db.ts'
import { beruehrt, kastenVon, type Kasten } from './paket-umfang.ts'

export interface BaumPunkt extends Grad {
  readonly kennung: Kennung
  readonly name: string
  readonly nummer: string
  readonly x: number
  readonly y: number
  /** Alive, dead, candidate, lost. */
  readonly art: 0 | 1 | 2 | 3
  /** Null: the server has it as it is here. */
  readonly stand: ErfassungStand | null
  readonly markiert: boolean
}
export function punktOf({ kennung, werte, stand }: Sicht): BaumPunkt {
  const [lon, lat] = [Number(werte.lon), Number(werte.lat)]
  const [x, y] = mercator(lon, lat)
  const art = werte.verlust_datum
    ? 3
    : werte.status === 'anwaerter'
      ? 2
      : werte.zustand === 'lebend' || werte.zustand === 'absterbend'
        ? 0
        : 1
  return { kennung, name: baumName(werte), nummer: werte.nummer ?? '', lon, lat, x, y, art, stand, markiert: werte.markierung_art !== null }
}

export interface Nah {
  readonly punkt: BaumPunkt
  /** Metres, and degrees clockwise from north. */
  readonly meter: number
  readonly grad: number
}
/** Nearest first. */
export const naechste = (punkte: readonly BaumPunkt[], ort: Grad, most: number): Nah[] =>
  punkte
    .map((punkt) => ({ punkt, meter: entfernung(ort, punkt) }))
    .toSorted((a, b) => a.meter - b.meter)
    .slice(0, most)
    .map(({ punkt, meter }) => ({ punkt, meter, grad: richtung(ort, punkt) }))

/** North, north-east and so on: 0 to 7. */
export const achtel = (grad: number): number => Math.round(grad / 45) % 8

/** Stands with their rectangles, to be asked at every fix. */
export class Bestandssuche {
  readonly #all: readonly { readonly umriss: Umriss; readonly kasten: Kasten }[]
  constructor(umrisse: readonly Umriss[]) {
    this.#all = umrisse.flatMap((umriss) => {
      const kasten = kastenVon(umriss)
      return kasten === null ? [] : [{ umriss, kasten }]
    })
  }
  /** Null: outside of all that was saved. */
  an({ lon, lat }: Grad): number | null {
    const [x, y] = mercator(lon, lat)
    const found = this.#all.find(({ umriss, kasten }) => beruehrt(kasten, [x, y, x, y]) && liegtIn(umriss[1], x, y))
    return found?.umriss[0] ?? null
  }
}
