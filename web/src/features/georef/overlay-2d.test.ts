// Drawing triangles of the scan onto the map without a graphics card.
import { describe, expect, test } from 'vitest'
import { meshOf } from '#domain/georef/mesh.ts'
import { matrixOf, thinned, widened } from './overlay-2d.ts'

test('three corners go where they belong, and what lies between them in the same shares', () => {
  const from = [
    [10, 20],
    [110, 25],
    [15, 220],
  ] as const
  const to = [
    [300, 40],
    [330, 95],
    [180, 70],
  ] as const
  const [a, b, c, d, e, f] = matrixOf(from, to)!
  const put = ([x, y]: readonly [number, number]) => [a * x + c * y + e, b * x + d * y + f]
  from.forEach((corner, nr) => put(corner).forEach((value, at) => expect(value).toBeCloseTo(to[nr]![at]!, 9)))
  const [mx, my] = put([60, 22.5])
  expect(mx).toBeCloseTo(315, 9)
  expect(my).toBeCloseTo(67.5, 9)
})
test('three places on a line have no triangle', () => {
  const line = [
    [0, 0],
    [5, 5],
    [9, 9],
  ] as const
  expect(matrixOf(line, line)).toBeNull()
})
test('a widened triangle reaches a pixel beyond each of its edges', () => {
  const corners = [
    [0, 0],
    [300, 10],
    [20, 200],
  ] as const
  const wide = widened(corners)
  corners.forEach(([x, y], at) => {
    const [x1, y1] = corners[(at + 1) % 3]!
    const [length, middle] = [Math.hypot(x1 - x, y1 - y), corners[(at + 2) % 3]!]
    const beside = ([px, py]: readonly [number, number]) =>
      ((x1 - x) * (py - y) - (y1 - y) * (px - x)) / length
    // On the side away from the third corner.
    expect(-beside(wide[at]!) * Math.sign(beside(middle))).toBeGreaterThanOrEqual(0.999)
  })
})
describe('a thinned net', () => {
  const mesh = meshOf({ zurKarte: (x, y) => [1000 + 2 * x + y, 5000 - 2 * y + x] }, 3000, 2000)
  test('of a flat sheet is one piece with the four corners', () =>
    expect(thinned(mesh, 300)).toEqual({
      spalten: [0, 3000],
      zeilen: [0, 2000],
      orte: [
        [1000, 5000],
        [7000, 8000],
        [3000, 1000],
        [9000, 4000],
      ],
    }))
  const bent = (x: number, y: number) =>
    [1000 + x / 4 + 20 * Math.sin(y / 500), 5000 - y / 4 + 15 * Math.cos(x / 700)] as const
  test('of a bent one keeps its edges and as many places as it needs', () => {
    const few = thinned(meshOf({ zurKarte: bent }, 3000, 2000), 300)
    const pieces = (few.spalten.length - 1) * (few.zeilen.length - 1)
    expect(pieces).toBeGreaterThan(20)
    expect(pieces).toBeLessThanOrEqual(300)
    expect([few.spalten[0], few.spalten.at(-1), few.zeilen[0], few.zeilen.at(-1)]).toEqual([0, 3000, 0, 2000])
    few.zeilen.forEach((y, row) =>
      few.spalten.forEach((x, column) =>
        expect(few.orte[row * few.spalten.length + column]).toEqual(bent(x, y)),
      ),
    )
  })
  test('with a place at infinity is not thought flat', () => {
    const torn = { ...mesh, orte: mesh.orte.map((ort, at) => (at === 40 ? ([Number.NaN, 0] as const) : ort)) }
    expect(thinned(torn, 300).spalten.length).toBeGreaterThan(5)
  })
})
