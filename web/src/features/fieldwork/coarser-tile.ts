// A tile of a saved map that is not on the device: the part of a coarser one that covers it. The deepest level is
// often saved in part only, because the storage of a map is limited.
import type { TileCoord } from './packet-extent.ts'

/** Enlarged more, a tile says nothing. */
const MOST_LEVELS = 5

export interface FoundTile {
  readonly blob: Blob
  /** The part of its picture, as shares of its side. */
  readonly left: number
  readonly top: number
  readonly side: number
}

/** Null if none of the levels above has it either. */
export async function tileOrCoarser(
  { z, x, y }: TileCoord,
  coarsest: number,
  tileAt: (at: TileCoord) => Promise<Blob | null>,
): Promise<FoundTile | null> {
  for (let up = 0; up <= MOST_LEVELS && z - up >= coarsest; up++) {
    const times = 2 ** up
    const at = { z: z - up, x: Math.floor(x / times), y: Math.floor(y / times) }
    // oxlint-disable-next-line no-await-in-loop -- the finest one that is there
    const blob = await tileAt(at)
    if (blob !== null) return { blob, left: (x % times) / times, top: (y % times) / times, side: 1 / times }
  }
  return null
}
