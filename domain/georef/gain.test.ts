import { describe, expect, test } from 'vitest'
import { gainOf } from './gain.ts'
import { type ControlPoint, fitTransform, type GeorefType, GEOREF_TYPES } from './transform.ts'

const SHEET = { width: 4000, height: 3000 }
/** On the ground half a metre per pixel, hardly turned. */
const at = (column: number, row: number): ControlPoint => ({
  spalte: column,
  zeile: row,
  ost: 412_000 + 0.5 * column + 0.01 * row,
  nord: 5_987_000 + 0.01 * column - 0.5 * row,
})
const CORNERS = [at(300, 300), at(3700, 320), at(3650, 2700), at(280, 2650)]
const MANY = [
  ...CORNERS,
  at(2000, 300),
  at(2000, 2700),
  at(300, 1500),
  at(3700, 1500),
  at(2000, 1500),
  at(1200, 900),
  at(2900, 2100),
  at(1000, 2200),
  at(3000, 800),
]

/** Normally distributed, the same in every run. */
function noise(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return (state + 0.5) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** The largest error of both axes at the sheet's corners and edges, from many fits to points with errors. */
function tried(kind: GeorefType, points: readonly ControlPoint[], sigma: number): number {
  const normal = noise(7)
  const [columns, rows] = [7, 7]
  const squares = new Float64Array(columns * rows)
  const rounds = 1500
  for (let round = 0; round < rounds; round++) {
    const moved = points.map((point) => ({
      ...point,
      ost: point.ost + (0.5 * sigma * normal()) / Math.SQRT2,
      nord: point.nord + (0.5 * sigma * normal()) / Math.SQRT2,
    }))
    const transform = fitTransform(kind, moved)!
    for (let i = 0; i < squares.length; i++) {
      const place = at((SHEET.width * (i % 7)) / 6, (SHEET.height * Math.floor(i / 7)) / 6)
      const [east, north] = transform.zurKarte(place.spalte, place.zeile)
      squares[i]! += ((east - place.ost) ** 2 + (north - place.nord) ** 2) / 0.25
    }
  }
  return Math.sqrt(Math.max(...squares) / rounds)
}

const LINEAR = GEOREF_TYPES.filter((kind) => kind !== 'tps')
describe.each(LINEAR)('%s', (kind) => {
  const points = kind === 'linear' ? MANY.map((point) => ({ ...point })) : MANY
  test('the certainty is that of many fits to points with random errors', () => {
    const gain = gainOf(kind, points, 3, SHEET)!
    const seen = tried(kind, points, 3)
    // A linear fit also has the error of the turn, which it cannot follow: see only that of the points.
    if (kind === 'linear') expect(gain.now).toBeGreaterThan(0)
    else expect(gain.now / seen).toBeCloseTo(1, 1)
  })
  test('one more point never makes it worse, and is where the fit is weak', () => {
    const gain = gainOf(kind, points, 3, SHEET)!
    expect(gain.after).toBeLessThanOrEqual(gain.now)
    const more = gainOf(kind, [...points, at(gain.spalte, gain.zeile)], 3, SHEET)!
    expect(more.now).toBeCloseTo(gain.after, 9)
  })
})

test('of three points on one side a fourth on the other helps most', () => {
  const side = [at(200, 200), at(250, 1500), at(200, 2800), at(300, 900)]
  const gain = gainOf('polynom1', side, 2, SHEET)!
  expect(gain.spalte).toBe(SHEET.width)
  expect(gain.after).toBeLessThan(gain.now / 5)
})

test('a similarity follows the known formula: 1/n and the distance from the middle', () => {
  const gain = gainOf('helmert', CORNERS, 1, { width: 4000, height: 4000 })!
  const middle = { x: 1982.5, y: 1492.5 }
  const sum = CORNERS.reduce(
    (all, { spalte, zeile }) => all + (spalte - middle.x) ** 2 + (zeile - middle.y) ** 2,
    0,
  )
  const far = Math.max(
    ...[0, 4000].flatMap((x) => [0, 4000].map((y) => (x - middle.x) ** 2 + (y - middle.y) ** 2)),
  )
  expect(gain.now).toBeCloseTo(Math.sqrt(1 / 4 + far / sum), 9)
})

test('there is no figure for a spline, without points beyond those needed, or for points on a line', () => {
  expect(gainOf('tps', MANY, 1, SHEET)).toBeNull()
  expect(gainOf('polynom1', MANY.slice(0, 3), 0, SHEET)).toBeNull()
  expect(gainOf('polynom1', MANY.slice(0, 2), 1, SHEET)).toBeNull()
  expect(gainOf('polynom1', [at(0, 0), at(1000, 1000), at(2000, 2000), at(3000, 3000)], 1, SHEET)).toBeNull()
  expect(gainOf('polynom3', MANY, Number.NaN, SHEET)).toBeNull()
})
