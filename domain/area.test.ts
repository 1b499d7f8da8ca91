import { expect, test } from 'vitest'
import { areaDifference, isNotableDifference, isSameDatum, neededHabitatTrees } from './area.ts'

test.each([
  [25832, 25832, true],
  [31468, 31468, true],
  [25832, 25833, true],
  [4326, 25832, true],
  [3857, 4647, true],
  [31468, 25832, false],
  [4326, 31468, false],
  [2399, 31469, false],
  [99, 25832, false],
])('%d and %d share a datum: %s', (one, other, same) => {
  expect(isSameDatum(one, other)).toBe(same)
  expect(isSameDatum(other, one)).toBe(same)
})

test.each([
  [102, 100, 0.02, false],
  [102.1, 100, 0.021, true],
  [97, 100, -0.03, true],
  [100, 100, 0, false],
])('drawn %d ha, on paper %d ha', (drawn, paper, difference, notable) => {
  expect(areaDifference(drawn, paper)).toBeCloseTo(difference, 9)
  expect(isNotableDifference(areaDifference(drawn, paper))).toBe(notable)
})
test.each([
  [null, 100],
  [100, null],
  [100, 0],
  [0, 100],
])('nothing to compare: %s and %s', (drawn, paper) => {
  expect(areaDifference(drawn, paper)).toBeNull()
  expect(isNotableDifference(areaDifference(drawn, paper))).toBe(false)
})

test.each([
  [10, 50],
  [10.1, 51],
  [0.2, 1],
  [12.2, 61],
  [0, 0],
])('%d ha need %d habitat trees', (hectares, trees) => expect(neededHabitatTrees(hectares)).toBe(trees))
