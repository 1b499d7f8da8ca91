// Distance of a place on the map from an object.

/**
 * Distance to the nearest point of flat coordinates [x, y, x, y, …]; each entry of `ends` closes a part. For
 * lines the segments count, for points only the coordinates themselves.
 */
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
