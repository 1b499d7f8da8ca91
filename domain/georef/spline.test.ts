import { describe, expect, test } from 'vitest'
import { splineDiagonal, splineWeights, splineSystem } from './spline.ts'

/** Deterministic pseudo-random numbers between -1 and 1. */
function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  }
}
const numbers = (count: number, seed: number): Float64Array => {
  const next = noise(seed)
  return Float64Array.from({ length: count }, () => next())
}
const kernel = (x: number, y: number): number =>
  x === 0 && y === 0 ? 0 : (x * x + y * y) * Math.log(x * x + y * y)
const dot = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Array.from(one).reduce((sum, value, i) => sum + value * other[i]!, 0)

/** Covers every way in which blocks, fours and twos leave a remainder. */
const COUNTS = [3, 4, 5, 6, 7, 8, 9, 33, 34, 35, 36, 37, 66, 67, 68, 70, 100, 131]

describe('the system of a spline', () => {
  test.each(COUNTS)('of %i points passes through each, and no weight pulls on the plane', (count) => {
    const [xs, ys, values] = [numbers(count, 1), numbers(count, 2), numbers(count, 3)]
    const weights = splineWeights(splineSystem(xs, ys)!, values)
    const pull = weights.subarray(0, count)
    const [a, b, c] = weights.subarray(count)
    for (let i = 0; i < count; i++) {
      const kernels = Array.from(xs, (x, j) => kernel(xs[i]! - x, ys[i]! - ys[j]!))
      expect(Math.abs(dot(pull, kernels) + a! + b! * xs[i]! + c! * ys[i]! - values[i]!)).toBeLessThan(1e-9)
    }
    for (const column of [new Float64Array(count).fill(1), xs, ys])
      expect(Math.abs(dot(pull, column))).toBeLessThan(1e-9)
  })
  // The weights for a value of one at a single point are a column of the inverse.
  test.each(COUNTS)('of %i points tells the diagonal of its inverse', (count) => {
    const system = splineSystem(numbers(count, 4), numbers(count, 5))!
    splineDiagonal(system).forEach((value, i) => {
      const unit = new Float64Array(count)
      unit[i] = 1
      expect(value).toBeCloseTo(splineWeights(system, unit)[i]!, 9)
    })
  })
  test('is none when points lie on one line, or two at one place, be they many', () => {
    const xs = numbers(200, 6)
    expect(
      splineSystem(
        xs,
        xs.map((x) => 0.3 - 2 * x),
      ),
    ).toBeNull()
    const ys = numbers(200, 7)
    expect(splineSystem(xs, ys)).not.toBeNull()
    expect(splineSystem(xs.with(150, xs[20]!), ys.with(150, ys[20]!))).toBeNull()
    expect(splineSystem(xs.with(3, Number.NaN), ys)).toBeNull()
  })
})
