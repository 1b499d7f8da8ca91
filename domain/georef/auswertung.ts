// Everything a screen shows of a set of points, as plain values: reckoned on the page or, where it takes long, beside it.
import { type Affin, fitAbbildung, type GeorefTyp, MINDESTPUNKTE, type Paar, type Passpunkt } from './abbildung.ts'
import { type Netz, netzOf } from './netz.ts'
import { type PunktMangel, pruefePunkte } from './punkt-pruefung.ts'
import { vorgeschlageneAufloesung } from './raster.ts'
import { ausgelassenerFehler, type Guete, gueteOf, type Restfehler, restfehlerInPixeln } from './restfehler.ts'

export interface AuswertungPunkt extends Passpunkt {
  readonly enable: boolean
}
export interface Auswertung {
  /** Of each point, in its order; null while nothing fits. */
  readonly rest: readonly (Restfehler | null)[]
  /** Distance from where all others put it; null for points that are not in use or cannot be left out. */
  readonly ausgelassen: readonly (number | null)[]
  /** Of the points in use; null while nothing fits. */
  readonly guete: Guete | null
  /** The point with the largest error, by its place among all; -1: none. For a spline the largest of those left out, as it passes through every point. */
  readonly schlechtester: number
  /** Points in them are places among all. */
  readonly maengel: readonly PunktMangel[]
  readonly netz: Netz | null
  readonly affin: Affin | null
  /** Units of the map per pixel of the scan. */
  readonly aufloesung: number | null
}

/** Without a formula each point is left out by fitting the others: of more points than this that takes longer than a frame and is worth no wait on each pull. */
const REFIT_MOST = 100
/** Splines of so many points are reckoned beside the page. */
export const LANGE_AB = 300
export const dauertLange = (typ: GeorefTyp, punkte: number): boolean => typ === 'tps' && punkte >= LANGE_AB

export function auswerten(typ: GeorefTyp, punkte: readonly AuswertungPunkt[], breite: number, hoehe: number): Auswertung {
  const places = punkte.flatMap(({ enable }, index) => (enable ? [index] : []))
  const used = places.map((index) => punkte[index]!)
  const none = punkte.map(() => null)
  const abbildung = fitAbbildung(typ, used)
  const maengel = pruefePunkte(typ, used, abbildung).map((mangel) =>
    'punkte' in mangel ? { ...mangel, punkte: mangel.punkte.map((index) => places[index]!) } : mangel,
  )
  if (abbildung === null)
    return { rest: none, ausgelassen: none, guete: null, schlechtester: -1, maengel, netz: null, affin: null, aufloesung: null }
  const rest = restfehlerInPixeln(abbildung, punkte)
  const guete = gueteOf(
    typ,
    places.map((index) => rest[index]!),
  )
  const byRefit = abbildung.ausgelassen === null
  const loo = byRefit && used.length > REFIT_MOST ? used.map(() => null) : ausgelassenerFehler(typ, used, abbildung)
  const ausgelassen: (number | null)[] = [...none]
  places.forEach((index, i) => {
    ausgelassen[index] = loo[i]!
  })
  const schlechtester =
    typ === 'tps'
      ? worst(ausgelassen)
      : used.length > MINDESTPUNKTE[typ] && guete.groesster > 1e-6
        ? (places[guete.schlechtester] ?? -1)
        : -1
  return {
    rest,
    ausgelassen,
    guete,
    schlechtester,
    maengel,
    netz: netzOf(abbildung, breite, hoehe),
    affin: abbildung.affin,
    aufloesung: vorgeschlageneAufloesung(abbildung, breite, hoehe),
  }
}

function worst(values: readonly (number | null)[]): number {
  let [most, place] = [1e-6, -1]
  values.forEach((value, index) => {
    if (value !== null && value > most) [most, place] = [value, index]
  })
  return place
}

/** Where a point should lie by those that are there: by the chosen way if they suffice, else by a simpler one. Null: too few. */
export interface Vorhersage {
  readonly zurKarte: (spalte: number, zeile: number) => Paar
  readonly zumScan: (ost: number, nord: number) => Paar
  /** From three points on a screen goes there by itself. */
  readonly sicher: boolean
}
export function vorhersageOf(typ: GeorefTyp, used: readonly Passpunkt[]): Vorhersage | null {
  // A long spline is foretold by a bent sheet, which is near enough to look there.
  const ways: readonly GeorefTyp[] = [...(dauertLange(typ, used.length) ? [] : [typ]), 'polynom1', 'helmert']
  for (const way of ways) {
    const abbildung = fitAbbildung(way, used)
    if (abbildung !== null) return { zurKarte: abbildung.zurKarte, zumScan: abbildung.zumScan, sicher: used.length >= 3 }
  }
  return null
}
