// How far a place on the map is from an object.

/** From a place to the nearest point of corners [x, y, x, y, …], of which each end in `ends` closes a part; parts of lines are walked along, of points they are the corners themselves. */
export function distanceTo(
  [x, y]: readonly [number, number],
  flat: readonly number[],
  ends: readonly number[],
  art: 'punkte' | 'linien',
): number {
  let nearest = Number.POSITIVE_INFINITY
  let at = 0
  for (const end of ends) {
    for (let nr = at; nr < end; nr += 2) {
      const [ax, ay] = [flat[nr]!, flat[nr + 1]!]
      const last = art === 'punkte' || nr + 2 >= end
      const [dx, dy] = last ? [0, 0] : [flat[nr + 2]! - ax, flat[nr + 3]! - ay]
      const square = dx * dx + dy * dy
      const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square))
      nearest = Math.min(nearest, Math.hypot(x - ax - share * dx, y - ay - share * dy))
    }
    at = end
  }
  return nearest
}
