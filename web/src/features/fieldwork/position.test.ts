import { describe, expect, test } from 'vitest'
import type { Outline } from '#contract/bestand.ts'
import { grad, mercator } from '../../karte/mercator.ts'
import { distanceFrom, type Fix, isOutside, isUsable, meanOf } from './position.ts'

const fix = (lon: number, lat: number, accuracy: number, time = 1_000): Fix => ({
  lon,
  lat,
  accuracy,
  zeit: time,
})

describe('averaging', () => {
  test('good fixes weigh more, and many of them promise no more than the receiver does', () => {
    const made = meanOf([fix(9, 51, 4), fix(9.00001, 51, 4), fix(9.0001, 51, 8)])!
    expect(made.lon).toBeCloseTo((9 + 9.00001 + 9.0001 / 4) / 2.25, 6)
    expect(made.accuracy).toBeGreaterThanOrEqual(4)
    expect(meanOf(Array.from({ length: 50 }, () => fix(9, 51, 5)))).toEqual({
      lon: 9,
      lat: 51,
      accuracy: 5,
      anzahl: 50,
    })
  })
  test('fixes that scatter more than they say are told as they scatter', () => {
    expect(meanOf([fix(9, 51, 3), fix(9.0003, 51, 3)])!.accuracy).toBeCloseTo(10.5, 0)
  })
  test('whoever walks on means the place where they stand now', () => {
    expect(meanOf([fix(9, 51, 3), fix(9.01, 51, 3), fix(9.01, 51, 3)])).toEqual({
      lon: 9.01,
      lat: 51,
      accuracy: 3,
      anzahl: 2,
    })
  })
  test('the first coarse fix of a cold receiver draws nothing away', () => {
    expect(meanOf([fix(9.01, 51.01, 300), fix(9, 51, 5), fix(9, 51, 5)])).toEqual({
      lon: 9,
      lat: 51,
      accuracy: 5,
      anzahl: 2,
    })
  })
  test('no fix is no place', () => expect(meanOf([])).toBeNull())
  test.each([
    ['0/0', fix(0, 0, 5)],
    ['swapped', fix(51, 9, 5)],
    ['no accuracy', fix(9, 51, 0)],
    ['by the network', fix(9, 51, 2_000)],
    ['no number', fix(Number.NaN, 51, 5)],
    ['from a quarter of an hour ago', fix(9, 51, 5, -900_000)],
  ])('%s is no fix', (_why, wrong) => expect(isUsable(wrong, 1_000)).toBe(false))
  test('an ordinary one is', () => expect(isUsable(fix(9, 51, 5), 5_000)).toBe(true))
})

describe('within the holding', () => {
  const [west, south] = mercator(9, 51)
  const ring = (size: number, at: number): [number, number][] => [
    [west + at, south + at],
    [west + at + size, south + at],
    [west + at + size, south + at + size],
    [west + at, south + at + size],
    [west + at, south + at],
  ]
  // 1 km wide with a hole of 200 m.
  const outlines: Outline[] = [[1, [[ring(1_000, 0), ring(200, 400)]]]]
  const at = (x: number, y: number) => {
    const [lon, lat] = grad(west + x, south + y)
    return { lon, lat }
  }
  test('inside, in the hole, beside', () => {
    expect(distanceFrom(outlines, at(100, 100))).toBe(0)
    expect(distanceFrom(outlines, at(500, 500))).toBeCloseTo(100 * Math.cos((51 * Math.PI) / 180), 0)
    expect(distanceFrom(outlines, at(-50, 500))).toBeCloseTo(50 * Math.cos((51 * Math.PI) / 180), 0)
    expect(distanceFrom([], at(0, 0))).toBeNull()
  })
  test('a coarse fix beside the edge may be inside', () => {
    expect(isOutside(outlines, at(-50, 500), 40)).toBe(false)
    expect(isOutside(outlines, at(-50, 500), 4)).toBe(true)
    expect(isOutside([], at(-50, 500), 4), 'nothing is drawn').toBe(false)
  })
})
