// Results of several plans seen from one system: where their pixels are on its map, and how large these are.
import type { Pair } from '#domain/georef/frame.ts'
import type { Conversion, Converter } from '#domain/projection.ts'
import { readGrid } from './grid.ts'
import { readTiff, type TiffHead } from './read-tiff.ts'
import { computed, type PixelOf } from './result-part.ts'
import { WorkFault, type PlacedResult } from './work.ts'

type Situation = NonNullable<TiffHead['lage']>

export interface SeenResult {
  readonly path: string
  readonly head: TiffHead
  readonly lage: Situation
  readonly epsg: number
  /** From a place in the common system to a pixel. */
  readonly pixelOf: PixelOf
  /** The sheet's edge in the common system. */
  readonly ring: readonly Pair[]
  /** Side of its pixels in the common system. */
  readonly aufloesung: number
}

/** Without the grid, and without reading it, where all are in the same system. */
export async function converterFor(
  systems: readonly number[],
  gridFolder: string | undefined,
): Promise<Converter | null> {
  if (systems.every((epsg) => epsg === systems[0])) return null
  const { converter } = await readGrid(gridFolder)
  for (const epsg of systems)
    if (!converter.systems.has(epsg)) throw new WorkFault('karte_gitter', `${epsg}`, `EPSG:${epsg}`)
  return converter
}

const asItIs: Conversion = (place) => place

export async function seenFrom(
  epsg: number,
  converter: Converter | null,
  { filePath, umriss, epsg: own }: PlacedResult,
): Promise<SeenResult> {
  const head = await readTiff(filePath)
  const { lage } = head
  if (lage === null) throw new WorkFault('karte_pruefung', 'a result without a place')
  const between = (from: number, to: number): Conversion =>
    from === to ? asItIs : converter!.conversion(from, to)
  const [there, back] = [between(own, epsg), between(epsg, own)]
  const pixelOf: PixelOf = (east, north) => {
    const [e, n] = computed(back, [east, north])
    return [(e - lage.west) / lage.aufloesung, (lage.nord - n) / lage.aufloesung]
  }
  const ring = umriss.map((place) => computed(there, place)).filter((place) => place.every(Number.isFinite))
  return { path: filePath, head, lage, epsg: own, pixelOf, ring, aufloesung: sideOf(head, lage, there) }
}

/** In the middle, the root of a pixel's area: systems differ in scale from place to place. */
function sideOf({ bilder }: TiffHead, { west, nord, aufloesung }: Situation, there: Conversion): number {
  if (there === asItIs) return aufloesung
  const { breite, hoehe } = bilder[0]!
  const at = (column: number, row: number): Pair =>
    computed(there, [west + column * aufloesung, nord - row * aufloesung])
  const [x, y] = [breite / 2, hoehe / 2]
  const [middle, right, below] = [at(x, y), at(x + 1, y), at(x, y + 1)]
  const [a, b] = [right[0] - middle[0], right[1] - middle[1]]
  const [c, d] = [below[0] - middle[0], below[1] - middle[1]]
  return Math.sqrt(Math.abs(a * d - b * c))
}
