import { describe, expect, test } from 'vitest'
import type { Pair } from './frame.ts'
import { compassOf, hullOf, isInside, mosaicRaster, neighbourhoodOf, type Ring } from './sheets.ts'

const [EAST, NORTH] = [412_000, 5_987_000]
const box = (x: number, y: number, width = 500, height = 400): Ring => [
  [EAST + x, NORTH + y],
  [EAST + x + width, NORTH + y],
  [EAST + x + width, NORTH + y + height],
  [EAST + x, NORTH + y + height],
]
const turned = (ring: Ring, degrees: number): Ring => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  return ring.map(([x, y]): Pair => {
    const [dx, dy] = [x - EAST, y - NORTH]
    return [EAST + cos * dx - sin * dy, NORTH + sin * dx + cos * dy]
  })
}

const LARGEST = { pixels: 1e9, side: 100_000 }

describe('neighbours', () => {
  test('overlap by so much', () => {
    const found = neighbourhoodOf(box(0, 0), box(450, 0))
    expect(found).toMatchObject({ art: 'ueberlappt' })
    expect(found.art === 'ueberlappt' && found.flaeche).toBeCloseTo(50 * 400, -2)
  })
  test('overlap when they are turned', () => {
    const found = neighbourhoodOf(turned(box(0, 0), 30), turned(box(450, 0), 30))
    expect(found.art === 'ueberlappt' && found.flaeche / (50 * 400)).toBeCloseTo(1, 1)
  })
  test('touch at an edge, or with the gap that points leave', () => {
    expect(neighbourhoodOf(box(0, 0), box(500, 0))).toEqual({ art: 'beruehrt', abstand: 0 })
    expect(neighbourhoodOf(box(0, 0), box(506, 20))).toEqual({ art: 'beruehrt', abstand: 6 })
    expect(neighbourhoodOf(box(0, 0), box(500, 400))).toEqual({ art: 'beruehrt', abstand: 0 })
  })
  test('are none when they are further apart, even if their boxes meet', () => {
    expect(neighbourhoodOf(box(0, 0), box(540, 0))).toEqual({ art: 'getrennt' })
    expect(neighbourhoodOf(turned(box(0, 0, 500, 40), 45), turned(box(0, -120, 500, 40), 45))).toEqual({
      art: 'getrennt',
    })
  })
  test('one may be inside the other', () => {
    const found = neighbourhoodOf(box(0, 0), box(100, 100, 50, 50))
    expect(found.art === 'ueberlappt' && found.flaeche).toBeCloseTo(2500, 0)
  })
})

test('a place is inside a ring, closed or not', () => {
  const ring = turned(box(0, 0), 20)
  expect(isInside(ring, [EAST + 150, NORTH + 200])).toBe(true)
  expect(isInside([...ring, ring[0]!], [EAST + 150, NORTH + 200])).toBe(true)
  expect(isInside(ring, [EAST - 150, NORTH + 10])).toBe(false)
})

test('the hull leaves out what is between', () => {
  const hull = hullOf([...box(0, 0), ...box(500, 0), ...box(100, 100, 20, 20)])
  expect(hull).toEqual([
    [EAST, NORTH],
    [EAST + 1000, NORTH],
    [EAST + 1000, NORTH + 400],
    [EAST, NORTH + 400],
  ])
})

test.each([
  [0, 1, 'n'],
  [0.3, 0.3, 'no'],
  [5, 0.2, 'o'],
  [1, -1, 'so'],
  [0, -2, 's'],
  [-1, -1.2, 'sw'],
  [-1, 0, 'w'],
  [-1, 1, 'nw'],
  [-0.1, 1, 'n'],
] as const)('an offset of %f east and %f north is to the %s', (east, north, name) => {
  expect(compassOf(east, north)).toBe(name)
})

describe('the grid of a mosaic', () => {
  test('is around all sheets, on multiples of the resolution', () => {
    expect(mosaicRaster([box(0.2, 0.3), box(450, 100)], 0.5, LARGEST)).toEqual({
      west: EAST,
      nord: NORTH + 500,
      aufloesung: 0.5,
      breite: 1900,
      hoehe: 1000,
    })
  })
  test('coincides with that of sheets that lie on it', () => {
    const at = (pixels: number): number => pixels * 0.0846
    const ring: Ring = [
      [at(4_870_000), at(70_769_504)],
      [at(4_871_000), at(70_769_504)],
      [at(4_871_000), at(70_768_804)],
      [at(4_870_000), at(70_768_804)],
    ]
    expect(mosaicRaster([ring], 0.0846, LARGEST)).toMatchObject({ breite: 1000, hoehe: 700 })
  })
  test('is refused where it has no end or too many pixels', () => {
    expect(mosaicRaster([box(0, 0), [[Number.NaN, 0]]], 0.5, LARGEST)).toBe('unendlich')
    expect(mosaicRaster([box(0, 0)], 0, LARGEST)).toBe('unendlich')
    expect(mosaicRaster([box(0, 0), box(20_000, 20_000)], 0.1, LARGEST)).toBe('zu_gross')
    // Narrow, but longer than a side may be.
    expect(mosaicRaster([box(0, 0), box(60_000, 0)], 0.5, LARGEST)).toBe('zu_gross')
  })
})
