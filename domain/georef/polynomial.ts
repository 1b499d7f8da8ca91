// Polynomials of two variables, fitted to points in their frames.
import type { Direction, Frame, FramedPlaces } from './frame.ts'
import { type LeastSquares, leastSquares } from './least-squares.ts'

const termsOf = (order: number): number => ((order + 1) * (order + 2)) / 2

/**
 * Powers of x and y up to this total order, the constant first: those of one order are those of the previous
 * one times x, plus its last one times y.
 */
function monomials(order: number, x: number, y: number, terms: Float64Array): void {
  terms[0] = 1
  for (let sum = 1; sum <= order; sum++) {
    const [before, at] = [termsOf(sum - 2), termsOf(sum - 1)]
    for (let k = 0; k < sum; k++) terms[at + k] = terms[before + k]! * x
    terms[at + sum] = terms[at - 1]! * y
  }
}

/** One direction of a polynomial in framed coordinates. */
export function leastSquaresPolynomial(
  order: number,
  from: FramedPlaces,
  to: FramedPlaces,
): LeastSquares | null {
  const [rows, columns] = [from.xs.length, termsOf(order)]
  const design = new Float64Array(rows * columns)
  const terms = new Float64Array(columns)
  for (let i = 0; i < rows; i++) {
    monomials(order, from.xs[i]!, from.ys[i]!, terms)
    for (let k = 0; k < columns; k++) design[k * rows + i] = terms[k]!
  }
  return leastSquares(design, [to.xs, to.ys], rows, columns)
}

export function polynomialDirection(
  order: number,
  { solution: [us, vs] }: LeastSquares,
  from: Frame,
  to: Frame,
): Direction {
  const [forX, forY] = [us!, vs!]
  const terms = new Float64Array(termsOf(order))
  return (x, y) => {
    monomials(order, (x - from.x) / from.scale, (y - from.y) / from.scale, terms)
    let u = 0
    let v = 0
    for (let k = 0; k < terms.length; k++) {
      u += forX[k]! * terms[k]!
      v += forY[k]! * terms[k]!
    }
    return [to.x + to.scale * u, to.y + to.scale * v]
  }
}
