import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { niceSteps } from './nice-steps.ts'

test.each([
  [0, [0, 1]],
  [Number.NaN, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [1234, [0, 500, 1000, 1500]],
  [0.9, [0, 0.5, 1]],
  [76_000, [0, 20_000, 40_000, 60_000, 80_000]],
])('up to %d', (most, steps) => expect(niceSteps(most)).toEqual(steps))

test('reaches the largest value with few lines', () =>
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (most) => {
      const steps = niceSteps(most)
      return steps.length >= 2 && steps.length <= 7 && steps.at(-1)! >= most * (1 - 1e-9)
    }),
  ))
