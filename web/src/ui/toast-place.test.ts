import { describe, expect, test } from 'vitest'
import { type Box, type Corner, cornerFor } from './toast-place.ts'

const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom })
const AT: Record<Corner, Box> = {
  top: box(900, 66, 1320, 120),
  bottom: box(900, 830, 1320, 884),
  'bottom-left': box(16, 830, 436, 884),
}
const boxAt = (corner: Corner): Box => AT[corner]

describe('a toast', () => {
  test.each<[string, Box[], Corner]>([
    ['with nothing to keep clear of', [], 'top'],
    ['beside a row further down', [box(220, 300, 1340, 340)], 'top'],
    ['about a button at the top right', [box(1200, 80, 1300, 116)], 'bottom'],
    ['about that, over a save bar', [box(1200, 80, 1300, 116), box(700, 820, 1340, 900)], 'bottom-left'],
    ['about everything, where it covers least', [box(0, 0, 1340, 125), box(0, 870, 1340, 900)], 'bottom'],
  ])('%s', (_, subjects, corner) => expect(cornerFor(boxAt, subjects)).toBe(corner))
})
