import { expect, test } from 'vitest'
import { distanceTo } from './distance.ts'

test.each<[string, [number, number], number[], number[], 'punkte' | 'linien', number]>([
  ['the foot on a line', [5, 3], [0, 0, 10, 0], [4], 'linien', 3],
  ['beyond the end of a line', [13, 4], [0, 0, 10, 0], [4], 'linien', 5],
  ['points are not joined', [5, 0], [0, 0, 10, 0], [2, 4], 'punkte', 5],
  ['nor are several points of one part', [5, 0], [0, 0, 10, 0], [4], 'punkte', 5],
  ['nor the parts of a line', [5, 0], [0, 0, 0, 5, 10, 5, 10, 0], [4, 8], 'linien', 5],
  ['the second part of a line', [9, 2], [0, 0, 0, 5, 10, 5, 10, 0], [4, 8], 'linien', 1],
  ['a line whose corners lie in one place', [3, 4], [0, 0, 0, 0], [4], 'linien', 5],
])('how far it is: %s', (_name, place, flat, ends, art, expected) =>
  expect(distanceTo(place, flat, ends, art)).toBeCloseTo(expected, 9),
)
test('nothing is infinitely far', () =>
  expect(distanceTo([0, 0], [], [], 'linien')).toBe(Number.POSITIVE_INFINITY))
