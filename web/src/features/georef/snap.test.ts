import { expect, test } from 'vitest'
import { snapToLines } from './snap.ts'

const LINES = [
  [
    [0, 0],
    [100, 0],
    [100, 50],
  ],
] as const

test('a corner is what was aimed at, though the line is nearer', () =>
  expect(snapToLines([96, 1], LINES, 10)).toEqual([100, 0]))
test('away from corners the nearest place of the line', () =>
  expect(snapToLines([40, 7], LINES, 10)).toEqual([40, 0]))
test('beyond the end of a line its end', () => expect(snapToLines([-6, 3], LINES, 10)).toEqual([0, 0]))
test('out of reach nothing', () => expect(snapToLines([40, 11], LINES, 10)).toBeNull())
test('a single point, and a line of one place twice', () => {
  expect(snapToLines([3, 4], [[[0, 0]]], 5)).toEqual([0, 0])
  expect(
    snapToLines(
      [3, 4],
      [
        [
          [0, 0],
          [0, 0],
        ],
      ],
      4.9,
    ),
  ).toBeNull()
})
