// Many trees on a map: what lies in one cell of a grid is one heap, made by the server, so that a hundred thousand trees are never fetched. The grid hangs on the ground, so that heaps stay where they are while the
// map is moved; it is asked for in blocks, so that what was seen is not asked for again.

/** Places in web mercator. */
export interface Heap {
  readonly anzahl: number
  /** Of a heap of one the tree; otherwise one of its trees. */
  readonly id: number
  /** How a single tree is drawn. */
  readonly zeichen: number
  /** Of its trees. */
  readonly kasten: Box
}
export type Box = readonly [west: number, south: number, east: number, north: number]

/** Metres per pixel at or below which each tree stands by itself. */
const SINGLE_BELOW = 0.3
/** Cells of 64 pixels; the view of the database has those of 2^5 to 2^16 metres. */
const CELL = 6
export const SMALLEST = 5
const LARGEST = 16
/** Cells along the edge of a block, as a power of two: 2,048 pixels. */
const BLOCK = 5

/** Which heaps are asked for: null single trees, otherwise the cell's edge as a power of two. */
export type Level = number | null
/** Steps of two, so that heaps do not tremble while the map is enlarged. */
export const levelOf = (resolution: number): Level =>
  resolution <= SINGLE_BELOW
    ? null
    : Math.min(LARGEST, Math.max(SMALLEST, CELL + Math.round(Math.log2(resolution))))

export interface Block {
  readonly stufe: Level
  readonly x: number
  readonly y: number
}
const edgeOf = (stufe: Level): number => 2 ** ((stufe ?? SMALLEST - 1) + BLOCK)

/** Blocks that what is seen touches. */
export function blocksOf([west, south, east, north]: Box, stufe: Level): Block[] {
  const edge = edgeOf(stufe)
  const blocks: Block[] = []
  for (let y = Math.floor(south / edge); y * edge <= north; y++)
    for (let x = Math.floor(west / edge); x * edge <= east; x++) blocks.push({ stufe, x, y })
  return blocks
}
export const boxOfBlock = ({ stufe, x, y }: Block): Box => {
  const edge = edgeOf(stufe)
  return [x * edge, y * edge, (x + 1) * edge, (y + 1) * edge]
}

/** What of a box lies over the holding; the whole box where nothing of it does, or where nothing is drawn of the holding. One tree far outside must not make the others small. */
export function boxOver(kasten: Box, betrieb: Box | null): Box {
  if (betrieb === null) return kasten
  const both: Box = [
    Math.max(kasten[0], betrieb[0]),
    Math.max(kasten[1], betrieb[1]),
    Math.min(kasten[2], betrieb[2]),
    Math.min(kasten[3], betrieb[3]),
  ]
  return both[0] <= both[2] && both[1] <= both[3] ? both : kasten
}
