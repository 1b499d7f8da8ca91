import { expect, test } from 'vitest'
import { nearestOn } from './nearest-place.ts'
import { distanceBetween } from './mercator.ts'
import { planeAt } from '#domain/border/plane.ts'

const HERE = { lon: 12.9, lat: 53.5 }
const at = (x: number, y: number) => planeAt(HERE).from({ x, y })

test('beside the middle of a straight the foot of the perpendicular is nearest', () => {
  const found = nearestOn([[at(-50, 3), at(50, 3)]], HERE)!
  expect(found.place.meter).toBeCloseTo(3, 3)
  expect(distanceBetween(found.place, at(0, 3))).toBeLessThan(0.001)
  expect(found.corner.meter).toBeCloseTo(Math.hypot(50, 3), 2)
})
test('beyond an end it is the end, to the last digit', () => {
  const end = at(4, 3)
  expect(nearestOn([[end, at(50, 3)]], HERE)).toMatchObject({ place: end, corner: end })
  expect(nearestOn([[end]], HERE)?.place.meter).toBeCloseTo(5, 3)
})
test('of several parts the nearest, and nothing between them', () => {
  const parts = [
    [at(-50, 9), at(-20, 9)],
    [at(20, 2), at(50, 2)],
  ]
  expect(nearestOn(parts, HERE)?.place.meter).toBeCloseTo(Math.hypot(20, 2), 2)
})
test('a ring has a last side, a line has not', () => {
  const ring = [at(-10, 1), at(-10, 30), at(10, 30), at(10, 1)]
  expect(nearestOn([ring], HERE, { closed: true })?.place.meter).toBeCloseTo(1, 3)
  expect(nearestOn([ring], HERE)?.place.meter).toBeCloseTo(Math.hypot(10, 1), 2)
})
test('out of reach, and without a point, there is nothing', () => {
  expect(nearestOn([[at(-50, 3), at(50, 3)]], HERE, { within: 2 })).toBeNull()
  expect(nearestOn([[]], HERE)).toBeNull()
  expect(nearestOn([[at(5, 0), at(5, 0)]], HERE)?.place.meter).toBeCloseTo(5, 3)
})
