// Coordinates of points in their own frame, in which sums of their powers keep their digits.

export type Pair = readonly [number, number]
export type Direction = (x: number, y: number) => Pair

/**
 * Coordinates relative to their mean and scaled to the order of one: squares and cubes of five million metres
 * would leave no digits for the rest.
 */
export interface Frame {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface FramedPlaces {
  readonly frame: Frame
  readonly xs: Float64Array
  readonly ys: Float64Array
}

export function placesOf<Point>(
  points: readonly Point[],
  x: (point: Point) => number,
  y: (point: Point) => number,
): FramedPlaces {
  const [xs, ys] = [Float64Array.from(points, x), Float64Array.from(points, y)]
  const middle = [around(xs), around(ys)] as const
  const scale = Math.sqrt((squareSum(xs) + squareSum(ys)) / points.length) || 1
  for (let i = 0; i < xs.length; i++) {
    xs[i]! /= scale
    ys[i]! /= scale
  }
  return { frame: { x: middle[0], y: middle[1], scale }, xs, ys }
}

/** Subtracts the mean from the values and returns it. */
function around(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  for (let i = 0; i < values.length; i++) values[i]! -= mean
  return mean
}

export const squareSum = (values: Float64Array): number => dotProduct(values, values)

export function dotProduct(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!
  return sum
}

export const UNFRAMED: Frame = { x: 0, y: 0, scale: 1 }
