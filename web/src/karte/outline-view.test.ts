import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boxRing,
  fitView,
  localOf,
  metresPerUnit,
  pan,
  pathOf,
  scaleBar,
  unite,
  zoomAt,
} from './outline-view.ts'

const FRAME = { width: 800, height: 500 }
const EXTENT = { xmin: 325000, ymin: 5690000, xmax: 326000, ymax: 5692000 }

describe('metres', () => {
  test('surveying systems count in them', () => expect(metresPerUnit(25833, 51)).toEqual({ x: 1, y: 1 }))
  test('a degree at 60° north is half as wide as high', () => {
    const { x, y } = metresPerUnit(4326, 60)
    expect(y).toBeCloseTo(111_319.49, 1)
    expect(x / y).toBeCloseTo(0.5, 9)
  })
  test('Web-Mercator stretches both alike', () => expect(metresPerUnit(3857, 60).x).toBeCloseTo(0.5, 9))
})

test('north is up, the middle is nought, and an outline is closed', () => {
  const { toLocal, width, height } = localOf(EXTENT, { x: 1, y: 1 })
  expect([width, height]).toEqual([1000, 2000])
  expect(toLocal([325000, 5692000])).toEqual([-500, -1000])
  expect(pathOf(boxRing(EXTENT), toLocal)).toBe('M-500.0 1000.0L500.0 1000.0L500.0 -1000.0L-500.0 -1000.0Z')
})
test('a single place is no division by nought', () => {
  const { width, height } = localOf({ xmin: 1, ymin: 1, xmax: 1, ymax: 1 }, { x: 1, y: 1 })
  expect(Number.isFinite(fitView({ width, height }, FRAME).scale)).toBe(true)
})
test('every part of several is within their common extent', () =>
  expect(unite([EXTENT, { xmin: 1, ymin: 5691000, xmax: 2, ymax: 5999999 }])).toEqual({
    xmin: 1,
    ymin: 5690000,
    xmax: 326000,
    ymax: 5999999,
  }))

test('the whole fits, higher than wide', () =>
  expect(fitView({ width: 1000, height: 2000 }, FRAME).scale).toBeCloseTo(0.215, 9))

test('zooming leaves the place under the pointer where it is, within bounds', () => {
  const fit = fitView({ width: 1000, height: 2000 }, FRAME)
  const placeAt = (view: typeof fit, [px, py]: readonly [number, number]) => [
    view.x + (px - FRAME.width / 2) / view.scale,
    view.y + (py - FRAME.height / 2) / view.scale,
  ]
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      fc.integer({ min: 0, max: 800 }),
      fc.integer({ min: 0, max: 500 }),
      (factor, px, py) => {
        const zoomed = zoomAt({ ...fit, x: 30, y: -70 }, factor, [px, py], FRAME, fit)
        expect(zoomed.scale).toBeGreaterThanOrEqual(fit.scale / 2)
        expect(zoomed.scale).toBeLessThanOrEqual(fit.scale * 200)
        const [before, after] = [placeAt({ ...fit, x: 30, y: -70 }, [px, py]), placeAt(zoomed, [px, py])]
        expect(after[0]).toBeCloseTo(before[0]!, 6)
        expect(after[1]).toBeCloseTo(before[1]!, 6)
      },
    ),
  )
})
test('moved as far as one likes, something stays in sight', () => {
  const fit = fitView({ width: 1000, height: 2000 }, FRAME)
  expect(pan(fit, 1e6, -1e6, { width: 1000, height: 2000 })).toMatchObject({ x: -500, y: 1000 })
  expect(pan(fit, 21.5, 0, { width: 1000, height: 2000 }).x).toBeCloseTo(-100, 9)
})

test.each([
  [0.215, 160, 500],
  [1, 160, 100],
  [1, 199, 100],
  [1, 200, 200],
  [10, 160, 10],
  [0.001, 160, 100_000],
])('at %d pixels per metre and %d pixels the bar says %d m', (scale, most, metres) => {
  const bar = scaleBar(scale, most)
  expect(bar.metres).toBeCloseTo(metres, 6)
  expect(bar.pixels).toBeLessThanOrEqual(most)
})
