// The nearest corner of some lines, else the nearest place on one of them.
type Place = readonly [x: number, y: number]
export type Line = readonly Place[]

const nowhere = (): boolean => false

/**
 * Null if nothing is within reach. A corner wins over a line even if the line is nearer, because corners are
 * what people aim at.
 * @param geschnitten whether a line's end is only a clipped one that continues in another tile: not a corner
 */
export function snapToLines<L extends Line>(
  [x, y]: Place,
  lines: readonly L[],
  reach: number,
  isCutAt: (end: Place, line: L) => boolean = nowhere,
): Place | null {
  let [corner, cornerFar] = [null as Place | null, reach]
  let [edge, edgeFar] = [null as Place | null, reach]
  for (const line of lines) {
    const last = line.length - 1
    const isCut = line.map((ort, i) => (i === 0 || i === last) && isCutAt(ort, line))
    line.forEach((to, i) => {
      const far = Math.hypot(to[0] - x, to[1] - y)
      if (far <= cornerFar && !isCut[i]) [corner, cornerFar] = [to, far]
      const from = line[i - 1]
      if (from === undefined) return
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
      const square = dx * dx + dy * dy
      if (square === 0) return
      const share = Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / square))
      if ((share === 0 && isCut[i - 1]) || (share === 1 && isCut[i])) return
      const foot: Place = [from[0] + share * dx, from[1] + share * dy]
      const beside = Math.hypot(foot[0] - x, foot[1] - y)
      if (beside <= edgeFar) [edge, edgeFar] = [foot, beside]
    })
  }
  return corner ?? edge
}

/**
 * Survey tiles are clipped this fraction of their width beyond their square, with coordinates in this unit.
 */
const BEYOND = 64 / 4096
const UNIT = 1 / 4096

/**
 * Whether a place is on the edge at which a tile's lines are clipped; the square is [west, south, east,
 * north].
 */
export function isOnCut([x, y]: Place, [west, south, east, north]: readonly number[]): boolean {
  const width = east! - west!
  const [margin, near] = [width * BEYOND, (width * UNIT) / 2]
  return [x - (west! - margin), x - (east! + margin), y - (south! - margin), y - (north! + margin)].some(
    (off) => Math.abs(off) <= near,
  )
}
