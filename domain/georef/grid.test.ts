import { expect, test } from 'vitest'
import { expectedCrossings, MOST_CROSSINGS, pointsOnGrid, spacingOf } from './grid.ts'
import type { ControlPoint } from './transform.ts'

const SHEET = { width: 4000, height: 3000 }
/** Quarter of a metre per pixel, turned by two degrees. */
const TURN = (2 * Math.PI) / 180
const scanOf = (easting: number, northing: number): ControlPoint => {
  const [east, north] = [(easting - 412_100) / 0.25, (northing - 5_987_200) / 0.25]
  return {
    ost: easting,
    nord: northing,
    spalte: 400 + east * Math.cos(TURN) + north * Math.sin(TURN),
    zeile: 2600 + east * Math.sin(TURN) - north * Math.cos(TURN),
  }
}

test('the other crossings are expected where they are, the nearest first', () => {
  const known = [scanOf(412_200, 5_987_400), scanOf(412_800, 5_987_600)]
  const found = expectedCrossings(known, 200, SHEET)
  if (typeof found === 'string') throw new Error(found)
  const all: ControlPoint[] = []
  for (let easting = 411_000; easting <= 414_000; easting += 200)
    for (let northing = 5_986_000; northing <= 5_989_000; northing += 200) {
      const place = scanOf(easting, northing)
      const isKnown = known.some((one) => one.ost === easting && one.nord === northing)
      if (place.spalte >= 0 && place.zeile >= 0 && place.spalte <= 4000 && place.zeile <= 3000 && !isKnown)
        all.push(place)
    }
  const key = ({ ost, nord }: ControlPoint) => `${Math.round(ost)} ${Math.round(nord)}`
  expect(found.map(key).toSorted()).toEqual(all.map(key).toSorted())
  for (const { ost, nord, spalte, zeile, turn } of found) {
    const place = scanOf(ost, nord)
    expect(Math.hypot(place.spalte - spalte, place.zeile - zeile)).toBeLessThan(1e-3)
    expect(turn).toBeCloseTo(TURN, 6)
  }
  const far = found.map((one) =>
    Math.min(...known.map((two) => Math.hypot(one.spalte - two.spalte, one.zeile - two.zeile))),
  )
  expect(far).toEqual(far.toSorted((a, b) => a - b))
})

test('with four points the stretch of the paper is followed', () => {
  const stretched = (easting: number, northing: number) => {
    const place = scanOf(easting, northing)
    return { ...place, spalte: place.spalte * 1.01 }
  }
  const known = [
    stretched(412_200, 5_987_400),
    stretched(412_800, 5_987_400),
    stretched(412_800, 5_987_600),
    stretched(412_200, 5_987_600),
  ]
  const found = expectedCrossings(known, 200, SHEET)
  if (typeof found === 'string') throw new Error(found)
  for (const { ost, nord, spalte, zeile } of found) {
    const place = stretched(ost, nord)
    expect(Math.hypot(place.spalte - spalte, place.zeile - zeile)).toBeLessThan(1e-3)
  }
})

test('points beside the grid do not move it', () => {
  const off = { ...scanOf(412_333, 5_987_455), spalte: 10, zeile: 10 }
  const known = [off, scanOf(412_200, 5_987_400), scanOf(412_800, 5_987_600)]
  expect(pointsOnGrid(known, 200)).toEqual([known[1], known[2]])
  const found = expectedCrossings(known, 200, SHEET)
  if (typeof found === 'string') throw new Error(found)
  const [first] = found
  const place = scanOf(first!.ost, first!.nord)
  expect(Math.hypot(place.spalte - first!.spalte, place.zeile - first!.zeile)).toBeLessThan(1e-3)
})

test('the spacing is the largest usual one on which all points lie', () => {
  const places = (...of: [number, number][]) =>
    of.map(([easting, northing]) => ({ ost: easting, nord: northing }))
  expect(spacingOf(places([4000, 8000], [4600, 8200]))).toBe(200)
  expect(spacingOf(places([4000, 8000], [5000, 8000]))).toBe(1000)
  expect(spacingOf(places([4000.3, 8000.1], [4100, 8000]))).toBe(100)
  expect(spacingOf(places([4000, 8000], [4033, 8007]))).toBeNull()
  expect(spacingOf(places([4000, 8000]))).toBeNull()
  expect(spacingOf([])).toBeNull()
})

test.each([
  ['zu_wenige', [], 200],
  ['zu_wenige', [scanOf(412_200, 5_987_400)], 200],
  ['nicht_im_gitter', [scanOf(412_200, 5_987_400), scanOf(412_250, 5_987_400)], 200],
  ['zu_viele', [scanOf(412_200, 5_987_400), scanOf(412_250, 5_987_400)], 0.01],
  ['zu_viele', [scanOf(412_200, 5_987_400), scanOf(412_250, 5_987_400)], 1],
] as const)('%s is said instead', (defect, points, spacing) => {
  expect(expectedCrossings(points, spacing, SHEET)).toBe(defect)
})

test('a spacing that cannot be is no grid', () => {
  const known = [scanOf(412_200, 5_987_400), scanOf(412_800, 5_987_600)]
  for (const spacing of [0, -200, Number.NaN, Number.POSITIVE_INFINITY, 1e-300])
    expect(typeof expectedCrossings(known, spacing, SHEET)).toBe('string')
  expect(MOST_CROSSINGS).toBeLessThan(1000)
})
