// What a pack takes along of a holding: the stands and trees in a part, and the base map tiles that cover it.
// Pure.
import type { ShortBestand, Outline } from '#contract/bestand.ts'
import type { Choice } from '#domain/bestand.ts'
import { fits } from '#domain/bestand.ts'
import { mercator } from '../../karte/mercator.ts'

/** Web Mercator. */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** All of it, what is inside a rectangle of the map, or what has an address. */
export type Part =
  | { readonly art: 'ganz' }
  | { readonly art: 'kasten'; readonly kasten: Box }
  | { readonly art: 'adresse'; readonly auswahl: Choice }

const leer = (): [number, number, number, number] => [Infinity, Infinity, -Infinity, -Infinity]
function widen(box: [number, number, number, number], x: number, y: number) {
  if (x < box[0]) box[0] = x
  if (y < box[1]) box[1] = y
  if (x > box[2]) box[2] = x
  if (y > box[3]) box[3] = y
}

/** Null if nothing is drawn. */
export function outlineBoxOf([, areas]: Outline): Box | null {
  const box = leer()
  for (const [ring = []] of areas) for (const [x, y] of ring) widen(box, x, y)
  return Number.isFinite(box[0]) ? box : null
}
/** One box per stand. */
export const outlineBoxesOf = (outlines: readonly Outline[]): Box[] =>
  outlines.flatMap((outline) => {
    const box = outlineBoxOf(outline)
    return box === null ? [] : [box]
  })
export function enclosingBox(boxes: readonly Box[]): [number, number, number, number] | null {
  const box = leer()
  for (const [west, south, east, north] of boxes) {
    widen(box, west, south)
    widen(box, east, north)
  }
  return Number.isFinite(box[0]) ? box : null
}
export function placeBoxOf({ lon, lat }: { readonly lon: number; readonly lat: number }): Box {
  const [x, y] = mercator(lon, lat)
  return [x, y, x, y]
}
export const touches = (a: Box, b: Box): boolean =>
  a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1]
export const widened = ([west, south, east, north]: Box, convert: number): Box => [
  west - convert,
  south - convert,
  east + convert,
  north + convert,
]

/** Stands in the part; for a rectangle, all that touch it. */
export function bestaendeIn(
  part: Part,
  bestaende: readonly ShortBestand[],
  outlines: readonly Outline[],
): ShortBestand[] {
  if (part.art === 'ganz') return [...bestaende]
  if (part.art === 'adresse') return bestaende.filter((bestand) => fits(bestand, part.auswahl))
  const boxes = new Map(outlines.map((outline) => [outline[0], outlineBoxOf(outline)]))
  return bestaende.filter(({ id }) => {
    const box = boxes.get(id)
    return box !== undefined && box !== null && touches(box, part.kasten)
  })
}

export interface TreePlace {
  readonly lon: number
  readonly lat: number
  readonly sLVL01: string | null
  readonly sLVL02: string | null
  readonly sLVL03: string | null
  readonly sLVL04: string | null
  readonly sLVL05: string | null
}
/** Whether a tree is in the part. */
export function belongs(
  part: Part,
  { lon, lat, sLVL01, sLVL02, sLVL03, sLVL04, sLVL05 }: TreePlace,
): boolean {
  if (part.art === 'ganz') return true
  if (part.art === 'adresse')
    return fits({ l: [sLVL01, sLVL02, sLVL03, sLVL04, sLVL05], s: null }, part.auswahl)
  return touches(placeBoxOf({ lon, lat }), part.kasten)
}

// Base map tiles

export interface TileCoord {
  readonly z: number
  readonly x: number
  readonly y: number
}
/** From a whole district down to single trees; deeper levels are upscaled. */
export const LEVELS = { von: 12, bis: 17 } as const
export const MAX_TILES = 3_000
export const MAX_BYTES = 60 * 1024 * 1024
/** Metres around what is drawn. */
const MARGIN = 150

const HALF_WORLD = Math.PI * 6_378_137
export const tileKey = ({ z, x, y }: TileCoord): string => `${z}/${x}/${y}`

/**
 * Tiles covering these rectangles, coarse levels first. Stops before the level that would exceed `grenze`.
 */
export function tilesOver(
  boxes: readonly Box[],
  { min, max }: { readonly min: number; readonly max: number },
  limit = MAX_TILES,
): TileCoord[] {
  const all: TileCoord[] = []
  for (let z = Math.max(LEVELS.von, min); z <= Math.min(LEVELS.bis, max); z++) {
    const level = levelOf(boxes, z, limit - all.length)
    if (level === null) return all
    all.push(...level)
  }
  return all
}
/** Null if there are too many. */
function levelOf(boxes: readonly Box[], z: number, limit: number): TileCoord[] | null {
  const edge = (2 * HALF_WORLD) / 2 ** z
  const most = 2 ** z - 1
  const column = (x: number) => Math.min(most, Math.max(0, Math.floor((x + HALF_WORLD) / edge)))
  const row = (y: number) => Math.min(most, Math.max(0, Math.floor((HALF_WORLD - y) / edge)))
  const found = new Map<string, TileCoord>()
  for (const box of boxes) {
    const [west, south, east, north] = widened(box, MARGIN)
    for (let x = column(west); x <= column(east); x++)
      for (let y = row(north); y <= row(south); y++) {
        const ort = { z, x, y }
        found.set(tileKey(ort), ort)
        if (found.size > limit) return null
      }
  }
  return [...found.values()]
}

/**
 * Estimate from average tile sizes, larger for aerial images than for drawn maps. Shown before anything is
 * fetched.
 */
export const estimatedBytes = (tiles: number, art: 'karte' | 'luftbild'): number =>
  tiles * (art === 'luftbild' ? 22_000 : 14_000)
