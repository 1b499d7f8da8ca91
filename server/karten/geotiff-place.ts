// Where a GeoTIFF lies by its own tags: scale and tie point, a matrix, or several tie points.
import { open } from 'node:fs/promises'
import { planeOf } from '#domain/epsg-plane.ts'
import { methodFor, type Placed, placedBy } from '#domain/georef/placed.ts'
import type { Affin } from '#domain/georef/transform.ts'
import { directoriesOf, type Tags } from './tiff-directories.ts'

/** Null as a system: one that has no number, or that we do not compute with. */
export interface OwnPlace extends Placed {
  readonly epsg: number | null
  /** As the file names its system; null if it does not. */
  readonly named: number | null
}

const SCALE = 33_550
const TIES = 33_922
const MATRIX = 34_264
const KEYS = 34_735
const WANTED: ReadonlySet<number> = new Set([SCALE, TIES, MATRIX, KEYS])
/** A thousand tie points. */
const MOST_VALUES = 6000

const PROJECTED = 3072
const GEOGRAPHIC = 2048
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
    const keys = first.get(KEYS)
    const named = keyOf(keys, PROJECTED) ?? keyOf(keys, GEOGRAPHIC)
    const placed = placeOf(first, keyOf(keys, RASTER_TYPE) === IS_POINT, width, height)
    if (placed === null) return null
    const plain = named === null || named === USER_DEFINED ? null : named
    return { ...placed, named: plain, epsg: plain === null ? null : planeOf(plain) }
  } finally {
    await file.close()
  }
}

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
