// Points, lines and areas of the background of maps, in Web Mercator.

export type Point = readonly [x: number, y: number]
/** Steps from one corner to the next: x, y, x, y …; the first two lead from the origin. */
export type Line = number[]

const RADIUS = 6_378_137

export const toMercator = ([lon, lat]: Point): Point => {
  const up = Math.max(-85, Math.min(85, lat)) * (Math.PI / 360)
  return [RADIUS * lon * (Math.PI / 180), RADIUS * Math.log(Math.tan(Math.PI / 4 + up))]
}

export const rounded = ([x, y]: Point, step: number): [number, number] => [
  Math.round(x / step),
  Math.round(y / step),
]

export function lineOf(points: readonly Point[], step: number): Line {
  let [before, below] = [0, 0]
  return points.flatMap((point, at) => {
    const [x, y] = rounded(point, step)
    const moved = [x - before, y - below]
    before = x
    below = y
    return at > 0 && moved[0] === 0 && moved[1] === 0 ? [] : moved
  })
}

export const isInside = ([x, y]: Point, rings: readonly Point[][]): boolean => {
  let inside = false
  for (const ring of rings)
    ring.forEach(([ax, ay], at) => {
      const [bx, by] = ring[(at + 1) % ring.length] ?? [ax, ay]
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
    })
  return inside
}

const nearest = ([x, y]: Point, rings: readonly Point[][]): number =>
  Math.min(...rings.flatMap((ring) => ring.map(([ax, ay]) => Math.hypot(ax - x, (ay - y) * 1.6))))

/** The place farthest from all borders, searched on a grid: there is room for a name. */
export function poleOf(polygons: readonly Point[][][]): Point {
  const size = (rings: readonly Point[][]) => rings[0]?.length ?? 0
  const rings = [...polygons].sort((a, b) => size(b) - size(a))[0] ?? []
  const [xs, ys] = [(rings[0] ?? []).map(([x]) => x), (rings[0] ?? []).map(([, y]) => y)]
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const GRID = 40
  let best: { readonly at: Point; readonly free: number } = { at: [west, south], free: 0 }
  for (let column = 1; column < GRID; column++)
    for (let row = 1; row < GRID; row++) {
      const at: Point = [west + ((east - west) * column) / GRID, south + ((north - south) * row) / GRID]
      const free = isInside(at, rings) ? nearest(at, rings) : 0
      if (free > best.free) best = { at, free }
    }
  return best.at
}
