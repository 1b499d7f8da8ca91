// Clusters many trees on a map: the server merges each grid cell into one cluster, so that a hundred thousand
// trees are never fetched. The grid is fixed to the ground, so that clusters stay in place while the map
// moves; it is requested in blocks, so that areas already seen are not requested again.

/** Places in Web Mercator. */
export interface Heap {
  readonly anzahl: number
  /** The tree of a cluster of one, otherwise one of its trees. */
  readonly id: number
  /** Symbol of a single tree. */
  readonly zeichen: number
  /** Extent of its trees. */
  readonly kasten: Box
}
export type Box = readonly [west: number, south: number, east: number, north: number]

/** Metres per pixel at or below which trees are shown individually. */
const SINGLE_BELOW = 0.3
/** Cells of 64 pixels; the database view has cells of 2^5 to 2^16 metres. */
const CELL = 6
export const SMALLEST = 5
const LARGEST = 16
/** Cells along the edge of a block, as a power of two: 2,048 pixels. */
const BLOCK = 5

/** Null for single trees, otherwise the cell's edge as a power of two. */
export type Level = number | null
/** Powers of two, so that clusters do not jitter while zooming. */
export const levelOf = (resolution: number): Level =>
  resolution <= SINGLE_BELOW
    ? null
    : Math.min(LARGEST, Math.max(SMALLEST, CELL + Math.round(Math.log2(resolution))))

export interface Block {
  readonly stufe: Level
  readonly x: number
  readonly y: number
}
const edgeOf = (level: Level): number => 2 ** ((level ?? SMALLEST - 1) + BLOCK)

/** Blocks that intersect the visible area. */
export function blocksOf([west, south, east, north]: Box, level: Level): Block[] {
  const edge = edgeOf(level)
  const blocks: Block[] = []
  for (let y = Math.floor(south / edge); y * edge <= north; y++)
    for (let x = Math.floor(west / edge); x * edge <= east; x++) blocks.push({ stufe: level, x, y })
  return blocks
}
export const boxOfBlock = ({ stufe, x, y }: Block): Box => {
  const edge = edgeOf(stufe)
  return [x * edge, y * edge, (x + 1) * edge, (y + 1) * edge]
}

/**
 * The part of a box over the holding; the whole box if they do not intersect or the holding has no outline. A
 * single tree far outside must not make the others tiny.
 */
export function boxOver(box: Box, betrieb: Box | null): Box {
  if (betrieb === null) return box
  const both: Box = [
    Math.max(box[0], betrieb[0]),
    Math.max(box[1], betrieb[1]),
    Math.min(box[2], betrieb[2]),
    Math.min(box[3], betrieb[3]),
  ]
  return both[0] <= both[2] && both[1] <= both[3] ? both : box
}
