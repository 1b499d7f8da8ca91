// Several sheets of one area, before they are merged: which are neighbours, in which order they overlap, and
// how large their mosaic would be.
import { type KarteResult, LARGEST_MOSAIC } from '#contract/karte-mosaic.ts'
import type { Pair } from '#domain/georef/frame.ts'
import type { RasterDefect } from '#domain/georef/raster.ts'
import { boxOfRing, mosaicRaster, type Neighbourhood, neighbourhoodOf } from '#domain/georef/sheets.ts'
import type { Converter } from '#domain/projection.ts'

/** A sheet's edge in another system; null if this device cannot convert it. */
export function ringIn(converter: Converter, { epsg, umriss }: KarteResult, target: number): Pair[] | null {
  if (!converter.systems.has(epsg) || !converter.systems.has(target)) return null
  const convert = converter.conversion(epsg, target)
  const ring = umriss.map((place) => convert(place))
  return ring.every((place) => place.every(Number.isFinite)) ? ring : null
}

export interface SheetPair {
  readonly first: KarteResult
  readonly second: KarteResult
  readonly neighbourhood: Exclude<Neighbourhood, { art: 'getrennt' }>
}

/** In any of them a unit is a metre, or nearly. */
const METRIC = 25833

/** In the order of the sheets, so that moving one up does not measure again. */
export function pairsOf(converter: Converter, sheets: readonly KarteResult[]): SheetPair[] {
  const byName = [...sheets].sort((a, b) => a.karte_id - b.karte_id)
  const rings = byName.map((sheet) => ringIn(converter, sheet, METRIC))
  return byName.flatMap((first, i) =>
    byName.slice(i + 1).flatMap((second, j) => {
      const [one, other] = [rings[i], rings[i + 1 + j]]
      if (!one || !other) return []
      const neighbourhood = neighbourhoodOf(one, other)
      return neighbourhood.art === 'getrennt' ? [] : [{ first, second, neighbourhood }]
    }),
  )
}

/** Those whose place cannot be compared here: without its grid, a system is none that can be converted. */
export const unplacedOf = (converter: Converter, sheets: readonly KarteResult[]): KarteResult[] =>
  sheets.filter((sheet) => ringIn(converter, sheet, METRIC) === null)

/** Those that touch no other: probably chosen by mistake, or not where they belong. */
export const aloneOf = (sheets: readonly KarteResult[], pairs: readonly SheetPair[]): KarteResult[] =>
  sheets.filter((sheet) => !pairs.some(({ first, second }) => first === sheet || second === sheet))

/** One step up or down; as it is at the ends. */
export function moved<T>(list: readonly T[], from: number, by: 1 | -1): T[] {
  const [next, to] = [[...list], from + by]
  const [one, other] = [next[from], next[to]]
  if (one === undefined || other === undefined) return next
  next[from] = other
  next[to] = one
  return next
}

/** The system of most of them; of two, that of the first. */
export function usualSystem(sheets: readonly KarteResult[]): number {
  const counts = new Map<number, number>()
  for (const { epsg } of sheets) counts.set(epsg, (counts.get(epsg) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? METRIC
}

/** Map units per pixel of the finest sheet, as nearly as its edge and size tell. */
function finestOf(sheets: readonly KarteResult[], rings: readonly (readonly Pair[])[]): number {
  return Math.min(
    ...sheets.map(({ umriss, breite }, i) => {
      const [own, there] = [boxOfRing(umriss), boxOfRing(rings[i]!)]
      const scale =
        Math.hypot(there.ost - there.west, there.nord - there.sued) /
        Math.hypot(own.ost - own.west, own.nord - own.sued)
      return ((own.ost - own.west) / breite) * scale
    }),
  )
}

export interface MosaicSize {
  readonly breite: number
  readonly hoehe: number
  /** Map units per pixel. */
  readonly aufloesung: number
}
/** Null if this device cannot convert the sheets into that system. */
export function sizeOf(
  converter: Converter,
  sheets: readonly KarteResult[],
  epsg: number,
  res: number | null,
): MosaicSize | RasterDefect | null {
  const rings = sheets.map((sheet) => ringIn(converter, sheet, epsg))
  if (sheets.length === 0 || rings.includes(null)) return null
  const known = rings as Pair[][]
  return mosaicRaster(known, res ?? finestOf(sheets, known), LARGEST_MOSAIC)
}

/** What their names begin with in common, or the first's. */
export function suggestedName(sheets: readonly Pick<KarteResult, 'map_name'>[]): string {
  const names = sheets.map(({ map_name }) => map_name)
  const [first = '', ...others] = names
  let length = first.length
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length--
  const common = first
    .slice(0, length)
    .replace(/[\s\d,.:;/_()-]+$/u, '')
    // What the number belonged to.
    .replace(/[\s,.:;/_()-]+(?:Blatt|Bl|Nr|Teil)$/iu, '')
  return common.length >= 3 ? common : first
}
