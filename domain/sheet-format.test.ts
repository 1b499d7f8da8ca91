import { expect, test } from 'vitest'
import { dinOf } from './sheet-format.ts'

test.each([
  [13_244, 18_724, 400, 'A0'],
  [18_724, 13_244, 400, 'A0'],
  [4961, 7016, 300, 'A2'],
  // Scanned with a margin of 8 mm.
  [3602, 5055, 300, 'A3'],
  [2480, 3508, 300, 'A4'],
  [3508, 3508, 300, 'sonstige'],
  [2480, 3508, 100, 'sonstige'],
  [2480, 3508, null, null],
  [2480, 3508, 0, null],
] as const)('%i × %i pixels at %s to the inch: %s', (width, height, dpi, din) =>
  expect(dinOf(width, height, dpi)).toBe(din),
)
