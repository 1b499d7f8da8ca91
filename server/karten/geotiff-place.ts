// Where a GeoTIFF is according to its own tags: scale and tie point, a matrix, or several tie points.
import { open } from 'node:fs/promises'
import { planeOf } from '#domain/epsg-plane.ts'
import { epsgOfSystemName } from '#domain/epsg-name.ts'
import { epsgOfName, epsgOfWkt } from '#domain/epsg-text.ts'
import { methodFor, type Placed, placedBy } from '#domain/georef/placed.ts'
import type { Affin } from '#domain/georef/transform.ts'
import { directoriesOf, type Tags } from './tiff-directories.ts'

/** Null as a system: one that has no number, or that we do not compute with. */
export interface OwnPlace extends Placed {
  readonly epsg: number | null
  /** Whether the file says anything of its system, even if we do not understand it. */
  readonly isNamed: boolean
}

const SCALE = 33_550
const TIES = 33_922
const MATRIX = 34_264
const KEYS = 34_735
const NUMBERS = 34_736
const TEXTS = 34_737
const WANTED: ReadonlySet<number> = new Set([SCALE, TIES, MATRIX, KEYS, NUMBERS, TEXTS])
/** A thousand tie points. */
const MOST_VALUES = 6000

const PROJECTED = 3072
const GEOGRAPHIC = 2048
const DATUM = 2050
/** Names of the plane and of the whole, the most telling first; that of the datum says nothing of the plane. */
const CITATIONS = [3073, 1026]
const DATUM_CITATION = 2049
const PROJECTION = 3074
const MIDDLE_MERIDIAN = [3080, 3088, 3084]
const FALSE_EASTING = [3082, 3086]
const RASTER_TYPE = 1025
const IS_POINT = 2
/** The key's value is not a number of the list but described by other keys. */
const USER_DEFINED = 32_767

/** Null: not a TIFF, or one without a place. */
export async function ownPlaceOf(path: string, width: number, height: number): Promise<OwnPlace | null> {
  const file = await open(path, 'r')
  try {
    const [first] = await directoriesOf(file, WANTED, MOST_VALUES).catch(() => [])
    if (first === undefined) return null
    const isPoint = keyOf(first.get(KEYS), RASTER_TYPE) === IS_POINT
    const placed = placeOf(first, isPoint, width, height)
    return placed === null ? null : { ...placed, ...systemOf(first) }
  } finally {
    await file.close()
  }
}

const UNNAMED = /^\s*(?:unnamed|unknown)?\s*$/i

function systemOf(tags: Tags): Pick<OwnPlace, 'epsg' | 'isNamed'> {
  const keys = tags.get(KEYS)
  const plane = keyOf(keys, PROJECTED)
  const number = plane ?? keyOf(keys, GEOGRAPHIC)
  if (number !== null && number !== USER_DEFINED) return { epsg: planeOf(number), isNamed: true }
  const citations = (plane === null ? [DATUM_CITATION] : CITATIONS).map((key) => textOf(tags, key))
  const epsg = citations.map(epsgOfCitation).find((code) => code !== null) ?? epsgOfParameters(tags)
  return { epsg, isNamed: epsg !== null || citations.some((text) => !UNNAMED.test(text)) }
}

/** ArcGIS writes `ESRI PE String = PROJCS[…]`, others `PCS Name = ETRS_1989_UTM_Zone_33N` or the name alone. */
function epsgOfCitation(text: string): number | null {
  const wkt = /(?:PROJ|GEOG)C(?:S|RS)\[.*$/s.exec(text)?.[0]
  if (wkt !== undefined) return epsgOfWkt(wkt)
  const code = /\bEPSG:\d{4,6}\b/i.exec(text)?.[0]
  if (code !== undefined) return epsgOfName(code)
  for (const part of text.split(/[|\r\n]/)) {
    const epsg = epsgOfSystemName(part.replace(/^.*=/, ''))
    if (epsg !== null) return epsg
  }
  return null
}

/** By the number of the geographic system, as the text of a plane names it. */
const DATUM_NAMES: Readonly<Record<number, string>> = {
  4258: 'ETRS89',
  4326: 'WGS84 UTM',
  4314: 'DHDN',
  4178: 'Pulkovo 1942(83)',
}
/** A plane that is described by its datum, its middle meridian and its false easting. */
function epsgOfParameters(tags: Tags): number | null {
  const find = (keys: readonly number[]): number | undefined =>
    keys.map((key) => numberOf(tags, key)).find((value) => value !== undefined)
  const zoned = zoneOf(keyOf(tags.get(KEYS), PROJECTION) ?? 0)
  const [meridian, easting] = zoned ?? [find(MIDDLE_MERIDIAN), find(FALSE_EASTING)]
  const datum = DATUM_NAMES[datumOf(tags.get(KEYS))]
  if (meridian === undefined || easting === undefined || datum === undefined) return null
  const parameters = `PARAMETER["central meridian",${meridian}],PARAMETER["false easting",${easting}]`
  return epsgOfWkt(`PROJCS["",GEOGCS["${datum}"],${parameters}]`)
}

/** The number of the geographic system, which is 2000 less than that of its datum. */
function datumOf(keys: readonly number[] | undefined): number {
  const geographic = keyOf(keys, GEOGRAPHIC)
  return geographic === null || geographic === USER_DEFINED ? (keyOf(keys, DATUM) ?? 0) - 2000 : geographic
}

/** Middle meridian and false easting by EPSG's number of the projection alone: UTM, and strips of three degrees. */
function zoneOf(projection: number): readonly [meridian: number, easting: number] | null {
  const [utm, strip] = [projection - 16_000, projection - 16_260]
  if (utm >= 31 && utm <= 33) return [6 * utm - 183, 500_000]
  return strip >= 2 && strip <= 5 ? [3 * strip, strip * 1_000_000 + 500_000] : null
}

/** The value of a key that is in the list of texts or of numbers. */
function valuesOfKey({ tags, key, list }: { tags: Tags; key: number; list: number }): readonly number[] {
  const keys = tags.get(KEYS) ?? []
  for (let at = 4; at + 3 < keys.length; at += 4)
    if (keys[at] === key && keys[at + 1] === list)
      return (tags.get(list) ?? []).slice(keys[at + 3]!, keys[at + 3]! + keys[at + 2]!)
  return []
}
const textOf = (tags: Tags, key: number): string =>
  String.fromCharCode(...valuesOfKey({ tags, key, list: TEXTS })).replace(/[|\0]+$/, '')
const numberOf = (tags: Tags, key: number): number | undefined => valuesOfKey({ tags, key, list: NUMBERS })[0]

function keyOf(keys: readonly number[] | undefined, wanted: number): number | null {
  if (keys === undefined) return null
  for (let at = 4; at + 3 < keys.length; at += 4)
    if (keys[at] === wanted && keys[at + 1] === 0) return keys[at + 3]!
  return null
}

function placeOf(tags: Tags, isPoint: boolean, width: number, height: number): Placed | null {
  // Where the tags mean the middle of a pixel, its corner is half a pixel away.
  const half = isPoint ? 0.5 : 0
  const moved = ([a, b, c, d, e, f]: Affin): Affin => [a - half * (b + c), b, c, d - half * (e + f), e, f]
  const matrix = tags.get(MATRIX)
  if (matrix?.length === 16) {
    const [b, c, , a, e, f, , d] = matrix as [number, number, number, number, number, number, number, number]
    return placedBy(moved([a, b, c, d, e, f]), width, height)
  }
  const [scale, ties] = [tags.get(SCALE), tags.get(TIES) ?? []]
  if (scale !== undefined && scale.length >= 2 && ties.length >= 6) {
    const [column, row, , east, north] = ties as [number, number, number, number, number]
    const [x, y] = [scale[0]!, scale[1]!]
    return placedBy(moved([east - column * x, x, 0, north + row * y, 0, -y]), width, height)
  }
  const points = Array.from({ length: Math.floor(ties.length / 6) }, (_, nr) => {
    const [column, row, , east, north] = ties.slice(6 * nr, 6 * nr + 5) as [
      number,
      number,
      number,
      number,
      number,
    ]
    return { spalte: column + half, zeile: row + half, ost: east, nord: north }
  })
  if (points.length < 2 || !points.every((point) => Object.values(point).every(Number.isFinite))) return null
  const [first, ...others] = points
  const far = others.reduce(
    (most, one) =>
      Math.max(
        most,
        Math.hypot(one.ost - first!.ost, one.nord - first!.nord) /
          (Math.hypot(one.spalte - first!.spalte, one.zeile - first!.zeile) || Number.POSITIVE_INFINITY),
      ),
    0,
  )
  return far > 0 ? { georef_typ: methodFor(points.length), punkte: points, res: far } : null
}
