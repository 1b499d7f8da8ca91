import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wayBetween } from './geodesic.ts'
import { planeAt } from './plane.ts'

const dms = (degrees: number, minutes: number, seconds: number) => degrees + minutes / 60 + seconds / 3600

test('from Flinders Peak to Buninyong, as Geoscience Australia gives it', () => {
  const from = { lat: -dms(37, 57, 3.7203), lon: dms(144, 25, 29.5244) }
  const to = { lat: -dms(37, 39, 10.1561), lon: dms(143, 55, 35.3839) }
  const { meter, bearing } = wayBetween(from, to)
  expect(meter).toBeCloseTo(54_972.271, 3)
  expect(bearing).toBeCloseTo(dms(306, 52, 5.37), 5)
})
test('a quarter of a meridian, nothing, and the equator', () => {
  expect(wayBetween({ lon: 10, lat: 0 }, { lon: 10, lat: 90 }).meter).toBeCloseTo(10_001_965.729, 3)
  expect(wayBetween({ lon: 10, lat: 51 }, { lon: 10, lat: 51 })).toEqual({ meter: 0, bearing: 0 })
  const { meter, bearing } = wayBetween({ lon: 10, lat: 0 }, { lon: 11, lat: 0 })
  expect([meter, bearing]).toEqual([expect.closeTo(111_319.491, 3), 90])
  expect(Number.isFinite(wayBetween({ lon: 0, lat: 0.5 }, { lon: 179.7, lat: -0.5 }).meter)).toBe(true)
})
test('near by it is the length in the plane', () =>
  fc.assert(
    fc.property(
      fc.double({ min: 47, max: 55, noNaN: true }),
      fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      fc.double({ min: 0.001, max: 300, noNaN: true }),
      (lat, turn, metres) => {
        const middle = { lon: 12, lat }
        const plane = planeAt(middle)
        const [x, y] = [(metres / 2) * Math.sin(turn), (metres / 2) * Math.cos(turn)]
        const way = wayBetween(plane.from({ x: -x, y: -y }), plane.from({ x, y }))
        expect(Math.abs(way.meter - metres)).toBeLessThan(1e-5)
      },
    ),
  ))
