// How much of a holding a pack takes along: which stands and trees belong to a part, which tiles of a base map lie over it. Pure.
import type { BestandKurz, Umriss } from '#contract/bestand.ts'
import type { Auswahl } from '#domain/bestand.ts'
import { passt } from '#domain/bestand.ts'
import { mercator } from '../../karte/mercator.ts'

/** Web mercator. */
export type Kasten = readonly [west: number, south: number, east: number, north: number]

/** All of it, what lies in a rectangle of the map, or what bears an address. */
export type Teil =
  | { readonly art: 'ganz' }
  | { readonly art: 'kasten'; readonly kasten: Kasten }
  | { readonly art: 'adresse'; readonly auswahl: Auswahl }

const leer = (): [number, number, number, number] => [Infinity, Infinity, -Infinity, -Infinity]
function weite(box: [number, number, number, number], x: number, y: number) {
  if (x < box[0]) box[0] = x
  if (y < box[1]) box[1] = y
  if (x > box[2]) box[2] = x
  if (y > box[3]) box[3] = y
}

/** Null: nothing is drawn. */
export function kastenVon([, flaechen]: Umriss): Kasten | null {
  const box = leer()
  for (const [ring = []] of flaechen) for (const [x, y] of ring) weite(box, x, y)
  return Number.isFinite(box[0]) ? box : null
}
/** Each stand's own. */
export const kaestenVon = (umrisse: readonly Umriss[]): Kasten[] =>
  umrisse.flatMap((umriss) => {
    const kasten = kastenVon(umriss)
    return kasten === null ? [] : [kasten]
  })
export function kastenUm(kaesten: readonly Kasten[]): [number, number, number, number] | null {
  const box = leer()
  for (const [west, south, east, north] of kaesten) {
    weite(box, west, south)
    weite(box, east, north)
  }
  return Number.isFinite(box[0]) ? box : null
}
export function kastenVonOrt({ lon, lat }: { readonly lon: number; readonly lat: number }): Kasten {
  const [x, y] = mercator(lon, lat)
  return [x, y, x, y]
}
export const beruehrt = (a: Kasten, b: Kasten): boolean => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1]
export const erweitert = ([west, south, east, north]: Kasten, um: number): Kasten => [west - um, south - um, east + um, north + um]

/** Stands of the part; in a rectangle all that touch it. */
export function bestaendeIm(teil: Teil, bestaende: readonly BestandKurz[], umrisse: readonly Umriss[]): BestandKurz[] {
  if (teil.art === 'ganz') return [...bestaende]
  if (teil.art === 'adresse') return bestaende.filter((bestand) => passt(bestand, teil.auswahl))
  const kaesten = new Map(umrisse.map((umriss) => [umriss[0], kastenVon(umriss)]))
  return bestaende.filter(({ id }) => {
    const kasten = kaesten.get(id)
    return kasten !== undefined && kasten !== null && beruehrt(kasten, teil.kasten)
  })
}

export interface Baumort {
  readonly lon: number
  readonly lat: number
  readonly sLVL01: string | null
  readonly sLVL02: string | null
  readonly sLVL03: string | null
  readonly sLVL04: string | null
  readonly sLVL05: string | null
}
/** Trees of the part. */
export function gehoert(teil: Teil, { lon, lat, sLVL01, sLVL02, sLVL03, sLVL04, sLVL05 }: Baumort): boolean {
  if (teil.art === 'ganz') return true
  if (teil.art === 'adresse') return passt({ l: [sLVL01, sLVL02, sLVL03, sLVL04, sLVL05], s: null }, teil.auswahl)
  return beruehrt(kastenVonOrt({ lon, lat }), teil.kasten)
}

// Tiles of the base map ---------------------------------------------------------------------------------------------------------------------------------------------------

export interface Kachelort {
  readonly z: number
  readonly x: number
  readonly y: number
}
/** From a whole district down to single trees; deeper levels are enlarged. */
export const STUFEN = { von: 12, bis: 17 } as const
export const KACHELN_HOECHSTENS = 3_000
export const BYTES_HOECHSTENS = 60 * 1024 * 1024
/** Metres around what is drawn. */
const RAND = 150

const HALBE_WELT = Math.PI * 6_378_137
export const kachelKey = ({ z, x, y }: Kachelort): string => `${z}/${x}/${y}`

/** Tiles that lie over these rectangles, coarse levels first. A level that would go beyond `grenze` is left out, with all below it. */
export function kachelnUeber(
  kaesten: readonly Kasten[],
  { min, max }: { readonly min: number; readonly max: number },
  grenze = KACHELN_HOECHSTENS,
): Kachelort[] {
  const all: Kachelort[] = []
  for (let z = Math.max(STUFEN.von, min); z <= Math.min(STUFEN.bis, max); z++) {
    const level = stufe(kaesten, z, grenze - all.length)
    if (level === null) return all
    all.push(...level)
  }
  return all
}
/** Null: too many. */
function stufe(kaesten: readonly Kasten[], z: number, grenze: number): Kachelort[] | null {
  const edge = (2 * HALBE_WELT) / 2 ** z
  const most = 2 ** z - 1
  const column = (x: number) => Math.min(most, Math.max(0, Math.floor((x + HALBE_WELT) / edge)))
  const row = (y: number) => Math.min(most, Math.max(0, Math.floor((HALBE_WELT - y) / edge)))
  const found = new Map<string, Kachelort>()
  for (const kasten of kaesten) {
    const [west, south, east, north] = erweitert(kasten, RAND)
    for (let x = column(west); x <= column(east); x++)
      for (let y = row(north); y <= row(south); y++) {
        const ort = { z, x, y }
        found.set(kachelKey(ort), ort)
        if (found.size > grenze) return null
      }
  }
  return [...found.values()]
}

/** Bytes that tiles of maps take on average; aerial pictures more than drawn maps. To be said before anything is fetched. */
export const geschaetzt = (kacheln: number, art: 'karte' | 'luftbild'): number => kacheln * (art === 'luftbild' ? 22_000 : 14_000)
