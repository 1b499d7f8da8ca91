import { expect, test } from 'vitest'
import { tooMany } from './fitting.ts'

test('as many columns go as free the room that is missing, in their order', () => {
  expect(tooMany([50, 80, 120], 1)).toBe(1)
  expect(tooMany([50, 80, 120], 50)).toBe(1)
  expect(tooMany([50, 80, 120], 51)).toBe(2)
  expect(tooMany([50, 80, 120], 250)).toBe(3)
})
test('where all of them free too little all go; one that is not drawn frees nothing', () => {
  expect(tooMany([50, 80], 400)).toBe(2)
  expect(tooMany([0, 80], 10)).toBe(2)
})
