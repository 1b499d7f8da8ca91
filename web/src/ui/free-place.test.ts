import { describe, expect, test } from 'vitest'
import { freeTop } from './free-place.ts'

const place = (...taken: [top: number, bottom: number][]) =>
  freeTop(250, { size: 48, height: 800, taken: taken.map(([top, bottom]) => ({ top, bottom })) })

describe('the place of the handle', () => {
  test.each<[string, number, [number, number][]]>([
    ['is the wanted one', 250, []],
    [
      'beside things above and below',
      250,
      [
        [100, 250],
        [298, 340],
      ],
    ],
    ['is just below a button', 281, [[240, 281]]],
    ['is just above one, if that is nearer', 222, [[270, 340]]],
    [
      'skips what follows closely',
      340,
      [
        [200, 281],
        [300, 340],
      ],
    ],
    ['stays where it is if all is taken', 250, [[0, 800]]],
  ])('%s: %i', (_, top, taken) => expect(place(...taken)).toBe(top))
})
