// How well a transformation fits its points. The figures of QGIS are named as QGIS names them, so that both can be compared.
import { type Abbildung, fitAbbildung, type GeorefTyp, MINDESTPUNKTE, type Passpunkt } from './abbildung.ts'

export interface Restfehler {
  readonly dx: number
  /** Positive downwards in the scan, upwards on the map: the signs of QGIS' point files. */
  readonly dy: number
  readonly laenge: number
}

const restfehlerOf = (dx: number, dy: number): Restfehler => ({ dx, dy, laenge: Math.hypot(dx, dy) })

/** In pixels: where the scan's place of the point should lie, less where it was set. Points that were left out of the fit have one as well. */
export const restfehlerInPixeln = ({ zumScan }: Abbildung, punkte: readonly Passpunkt[]): Restfehler[] =>
  punkte.map(({ ost, nord, spalte, zeile }) => {
    const [x, y] = zumScan(ost, nord)
    return restfehlerOf(x - spalte, y - zeile)
  })

/** In units of the map, where QGIS offers them: linear, Helmert and first order. */
export const restfehlerAufDerKarte = ({ zurKarte }: Abbildung, punkte: readonly Passpunkt[]): Restfehler[] =>
  punkte.map(({ ost, nord, spalte, zeile }) => {
    const [x, y] = zurKarte(spalte, zeile)
    return restfehlerOf(x - ost, y - nord)
  })

export interface Guete {
  /** Root of the mean square of the lengths. */
  readonly rmse: number
  /** What QGIS calls "mean error": divided by the points beyond those needed; 0 when there are none. */
  readonly mittlererFehler: number
  readonly groesster: number
  /** Index of the point with the largest, -1 without points. */
  readonly schlechtester: number
}

export function gueteOf(typ: GeorefTyp, restfehler: readonly Restfehler[]): Guete {
  const square = restfehler.reduce((sum, { laenge }) => sum + laenge ** 2, 0)
  const beyond = restfehler.length - MINDESTPUNKTE[typ]
  const groesster = restfehler.reduce((most, { laenge }) => Math.max(most, laenge), 0)
  return {
    rmse: restfehler.length === 0 ? 0 : Math.sqrt(square / restfehler.length),
    mittlererFehler: beyond > 0 ? Math.sqrt(square / beyond) : 0,
    groesster,
    schlechtester: restfehler.findIndex(({ laenge }) => laenge === groesster),
  }
}

/**
 * Each point's distance in pixels from where all others put it; null where the others do not suffice. The only honest figure for a spline, which passes through
 * every point, and for a polynomial with hardly more points than it needs.
 * @param abbildung what they determine, where it is known already
 */
export function ausgelassenerFehler(
  typ: GeorefTyp,
  punkte: readonly Passpunkt[],
  abbildung: Abbildung | null = fitAbbildung(typ, punkte),
): (number | null)[] {
  if (abbildung === null || punkte.length <= MINDESTPUNKTE[typ]) return punkte.map(() => null)
  return abbildung.ausgelassen?.() ?? byRefit(typ, punkte)
}

function byRefit(typ: GeorefTyp, punkte: readonly Passpunkt[]): (number | null)[] {
  return punkte.map((punkt, index) => {
    const others = fitAbbildung(typ, punkte.toSpliced(index, 1))
    return others === null ? null : restfehlerInPixeln(others, [punkt])[0]!.laenge
  })
}
