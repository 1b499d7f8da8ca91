import { describe, expect, test } from 'vitest'
import type { MeasuredFix } from '#domain/gnss/fix.ts'
import type { Outline } from '#contract/bestand.ts'
import { grad, mercator } from '../../karte/mercator.ts'
import { distanceFrom, type Fix, FixAges, isOutside, isUsable, meanOf } from './position.ts'

const fix = (lon: number, lat: number, accuracy: number, time = 1_000): Fix => ({
  lon,
  lat,
  accuracy,
  zeit: time,
  solution: null,
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
      zeit: 1_000,
      solution: null,
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
      zeit: 1_000,
      solution: null,
    })
  })
  test('the first coarse fix of a cold receiver draws nothing away', () => {
    expect(meanOf([fix(9.01, 51.01, 300), fix(9, 51, 5), fix(9, 51, 5)])).toEqual({
      lon: 9,
      lat: 51,
      accuracy: 5,
      anzahl: 2,
      zeit: 1_000,
      solution: null,
    })
  })
  test('of a receiver the least good solution that was used counts, and its height is the mean', () => {
    const fromReceiver = (
      type: MeasuredFix,
      accuracy: number,
      high: number | null,
      estimated = false,
    ): Fix => ({
      ...fix(9, 51, accuracy),
      solution: { type, estimated, ellipsoidal: null, orthometric: high },
    })
    expect(
      meanOf([fromReceiver('rtk_fixed', 0.014, 60), fromReceiver('rtk_fixed', 0.014, 61)]),
    ).toMatchObject({
      accuracy: 0.014,
      solution: { type: 'rtk_fixed', estimated: false, orthometric: 60.5, ellipsoidal: null },
    })
    // A float solution so much worse that it is left out does not count.
    expect(
      meanOf([fromReceiver('rtk_float', 0.4, 70), fromReceiver('rtk_fixed', 0.014, 60)])!.solution,
    ).toMatchObject({
      type: 'rtk_fixed',
      orthometric: 60,
    })
    expect(
      meanOf([fromReceiver('rtk_float', 0.03, null), fromReceiver('rtk_fixed', 0.02, 60, true)])!.solution,
    ).toMatchObject({
      type: 'rtk_float',
      estimated: true,
      orthometric: null,
    })
    expect(
      meanOf([fix(9, 51, 0.02), fromReceiver('rtk_fixed', 0.02, 60)])!.solution,
      'two sources',
    ).toBeNull()
    expect(meanOf([fromReceiver('rtk_fixed', 0.0002, 60)])!.accuracy).toBe(0.001)
  })
  test('a place keeps millimetres', () =>
    expect(meanOf([fix(9.123456789, 51.123456784, 0.01)])).toMatchObject({
      lon: 9.12345679,
      lat: 51.12345678,
    }))
  test('no fix is no place', () => expect(meanOf([])).toBeNull())
  test.each([
    ['0/0', fix(0, 0, 5)],
    ['swapped', fix(51, 9, 5)],
    ['no accuracy', fix(9, 51, 0)],
    ['by the network', fix(9, 51, 2_000)],
    ['no number', fix(Number.NaN, 51, 5)],
  ])('%s is no fix', (_why, wrong) => expect(isUsable(wrong, 0)).toBe(false))
  test('neither is an old one, nor one whose age nobody knows', () => {
    expect(isUsable(fix(9, 51, 5), 900_000)).toBe(false)
    expect(isUsable(fix(9, 51, 5), null)).toBe(false)
  })
  test('an ordinary one is', () => expect(isUsable(fix(9, 51, 5), 4_000)).toBe(true))
})

describe('how old a fix is', () => {
  const START = Date.UTC(2026, 10, 27, 9)
  const HOUR = 3_600_000
  /** Ages of fixes that arrive after so many milliseconds, taken then, by a device whose clock is off. */
  const agesOf = (off: number, all: readonly (readonly [arrived: number, taken: number])[]) => {
    const ages = new FixAges()
    return all.map(([arrived, taken]) =>
      ages.ageOf({ taken: START + taken, mono: 700 + arrived, wall: START + arrived + off }),
    )
  }
  test('by a right clock it is known at once, also of one that was kept', () => {
    expect(agesOf(0, [[0, -300]])).toEqual([300])
    expect(
      agesOf(0, [
        [0, -HOUR],
        [900, 800],
        [1_900, 1_800],
      ]),
    ).toEqual([null, 0, 0])
  })
  test.each([
    ['an hour ahead', HOUR],
    ['three years ahead', 26_280 * HOUR],
    ['an hour behind', -HOUR],
    ['two years behind', -17_520 * HOUR],
  ])('a clock %s: the second fix is known to be live', (_name, off) => {
    expect(
      agesOf(off, [
        [0, -200],
        [1_000, 800],
        [2_000, 1_800],
        [3_000, 2_700],
      ]),
    ).toEqual([null, 0, 0, 100])
    // Not the one that was kept from before.
    expect(
      agesOf(off, [
        [0, -40 * 60_000],
        [1_000, 900],
        [2_000, 1_900],
      ]),
    ).toEqual([null, 0, 0])
  })
  test('a clock that is set in between makes nothing old, although the receiver has its time', () => {
    for (const set of [HOUR, -HOUR]) {
      const ages = new FixAges()
      const at = (arrived: number, off: number) =>
        ages.ageOf({ taken: START + arrived + off, mono: arrived, wall: START + arrived + off })
      expect([at(0, 0), at(1_000, 0), at(2_000, 0)]).toEqual([0, 0, 0])
      at(3_000, set)
      expect([at(4_000, set), at(5_000, set)]).toEqual([0, 0])
    }
  })
  test('one that comes late is as old as it is', () => {
    expect(
      agesOf(HOUR, [
        [0, 0],
        [1_000, 1_000],
        [30_000, 5_000],
      ]),
    ).toEqual([null, 0, 25_000])
  })
  test('a receiver without a calendar is taken at its word', () => {
    expect(new FixAges().ageOf({ taken: 0, mono: 5, wall: START })).toBe(0)
    expect(new FixAges().ageOf({ taken: Number.NaN, mono: 5, wall: START })).toBe(0)
  })
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
