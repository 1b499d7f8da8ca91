// Many trees on a map: what lies in one cell of a grid on the screen becomes one heap. The grid hangs on the ground, so that heaps stay where they are while the map is moved.

/** Places in web mercator, one after the other; no object for each tree, because there may be a hundred thousand. */
export interface Punkte {
  readonly anzahl: number
  readonly ids: Float64Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly art: Uint8Array
}
export interface Haufen {
  readonly x: number
  readonly y: number
  readonly anzahl: number
  /** Of a heap of one. */
  readonly at: number | null
  /** [west, south, east, north] of its trees. */
  readonly kasten: readonly [number, number, number, number]
}
export type Kasten = readonly [west: number, south: number, east: number, north: number]

const RADIUS = 6_378_137
export const mercator = (lon: number, lat: number): [x: number, y: number] => [
  (RADIUS * lon * Math.PI) / 180,
  RADIUS * Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)),
]
export const grad = (x: number, y: number): [lon: number, lat: number] => [
  ((x / RADIUS) * 180) / Math.PI,
  ((2 * Math.atan(Math.exp(y / RADIUS)) - Math.PI / 2) * 180) / Math.PI,
]

export interface Ort {
  readonly id: number
  readonly lon: number
  readonly lat: number
  /** How it is drawn. */
  readonly art: number
}
export function punkteOf(orte: readonly Ort[]): Punkte {
  const anzahl = orte.length
  const punkte = {
    anzahl,
    ids: new Float64Array(anzahl),
    x: new Float64Array(anzahl),
    y: new Float64Array(anzahl),
    art: new Uint8Array(anzahl),
  }
  orte.forEach(({ id, lon, lat, art }, at) => {
    const [x, y] = mercator(lon, lat)
    punkte.ids[at] = id
    punkte.x[at] = x
    punkte.y[at] = y
    punkte.art[at] = art
  })
  return punkte
}

export function kastenOf({ anzahl, x, y }: Punkte): Kasten | null {
  if (anzahl === 0) return null
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < anzahl; at++) {
    box[0] = Math.min(box[0], x[at]!)
    box[1] = Math.min(box[1], y[at]!)
    box[2] = Math.max(box[2], x[at]!)
    box[3] = Math.max(box[3], y[at]!)
  }
  return box
}

/** Cells of a row are told apart by this; wide enough for the whole earth at half a metre. */
const ROW = 2 ** 26

/** `zelle`: edge of a cell in metres of web mercator; 0: each tree by itself. */
export function haufenOf({ anzahl, x, y }: Punkte, [west, south, east, north]: Kasten, zelle: number): Haufen[] {
  const cells = new Map<number, { n: number; sx: number; sy: number; at: number; box: [number, number, number, number] }>()
  for (let at = 0; at < anzahl; at++) {
    const [px, py] = [x[at]!, y[at]!]
    if (px < west || px > east || py < south || py > north) continue
    const key = zelle === 0 ? at : Math.floor(py / zelle) * ROW + Math.floor(px / zelle)
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, { n: 1, sx: px, sy: py, at, box: [px, py, px, py] })
    else {
      cell.n++
      cell.sx += px
      cell.sy += py
      const { box } = cell
      if (px < box[0]) box[0] = px
      if (py < box[1]) box[1] = py
      if (px > box[2]) box[2] = px
      if (py > box[3]) box[3] = py
    }
  }
  return Array.from(cells.values(), ({ n, sx, sy, at, box }) => ({ x: sx / n, y: sy / n, anzahl: n, at: n === 1 ? at : null, kasten: box }))
}
