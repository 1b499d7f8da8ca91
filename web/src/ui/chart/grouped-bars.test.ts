import { expect, test } from 'vitest'
import { stepsAround } from './GroupedBars.tsx'

test.each([
  [0, 0, [0, 1]],
  [0, 7, [0, 2, 4, 6, 8]],
  [-3, 7, [-4, -2, 0, 2, 4, 6, 8]],
  [-7, 1, [-8, -6, -4, -2, 0, 2]],
  [-800, 0, [-800, -600, -400, -200, 0, 200]],
])('a scale from %d to %d holds both and zero', (least, most, steps) =>
  expect(stepsAround(least, most)).toEqual(steps),
)
