import { describe, expect, test } from 'vitest'
import { methodFor, parseWorldFile, placedBy } from './placed.ts'
import { fitTransform } from './transform.ts'

describe('a world file', () => {
  test('puts the middle of the first pixel, and the sheet by its corners', () => {
    const affin = parseWorldFile('0.5\n0\n0\n-0.5\n412000.25\n5986999.75\n')!
    expect(affin).toEqual([412_000, 0.5, 0, 5_987_000, 0, -0.5])
    const placed = placedBy(affin, 800, 600)!
    expect(placed).toMatchObject({ georef_typ: 'linear', res: 0.5 })
    expect(placed.punkte.map(({ ost, nord }) => [ost, nord])).toEqual([
      [412_000, 5_987_000],
      [412_400, 5_987_000],
      [412_400, 5_986_700],
      [412_000, 5_986_700],
    ])
  })
  test('of a turned sheet is a polynomial that is exact at every pixel', () => {
    const affin = parseWorldFile('\uFEFF0,4\r\n0,3\r\n0,3\r\n-0,4\r\n412000\r\n5987000\r\n')!
    const placed = placedBy(affin, 800, 600)!
    expect(placed.georef_typ).toBe('polynom1')
    expect(placed.res).toBeCloseTo(0.5)
    const [east, north] = fitTransform('polynom1', placed.punkte)!.zurKarte(0.5, 0.5)
    expect(east).toBeCloseTo(412_000, 6)
    expect(north).toBeCloseTo(5_987_000, 6)
  })
  test.each(['', '1 2 3 4 5', '1 2 3 4 5 6 7', 'a b c d e f', '1 2 3 4 5 0x6'])('%j is none', (text) =>
    expect(parseWorldFile(text)).toBeNull(),
  )
  test('that puts the sheet nowhere is none', () => {
    expect(placedBy([1, 0, 0, 1, 0, 0], 10, 10)).toBeNull()
    expect(placedBy([1, 1, 1, 1, 1, 1], 10, 10)).toBeNull()
  })
})

test('a method that fits the number of points', () =>
  expect([1, 2, 3, 4, 40].map(methodFor)).toEqual(['linear', 'helmert', 'helmert', 'polynom1', 'polynom1']))
