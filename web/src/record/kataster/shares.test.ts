import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KatasterDay } from '#contract/vermessung.ts'
import { shares, historyOf } from './shares.ts'

const tag = (day: string, surveyed: number, assumed = 0): KatasterDay => ({
  tag: day,
  vermessen: 1,
  vermutet: 1,
  ohne: 0,
  laenge_vermessen: surveyed,
  laenge_vermutet: assumed,
})

test('what says nothing is "Andere", together with those that say so, and comes last', () =>
  expect(
    shares([
      { name: null, laenge: 900 },
      { name: 'B', laenge: 5 },
      { name: 'Andere', laenge: 100 },
      { name: 'A', laenge: 50 },
    ]),
  ).toEqual([
    { name: 'A', laenge: 50 },
    { name: 'B', laenge: 5 },
    { name: 'Andere', laenge: 1000 },
  ]))
test('the growth names every month between, also over the turn of a year', () =>
  expect(historyOf([tag('2026-02-01', 10, 1), tag('2025-11-30', 5), tag('2025-11-02', 1, 7)])).toEqual([
    { zeit: '2025-11', vermessen: 6, vermutet: 7 },
    { zeit: '2025-12', vermessen: 6, vermutet: 7 },
    { zeit: '2026-01', vermessen: 6, vermutet: 7 },
    { zeit: '2026-02', vermessen: 16, vermutet: 8 },
  ]))
test('over many years it is told by year, and nothing gets lost', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ month: fc.integer({ min: 0, max: 1300 }), metres: fc.integer({ min: 0, max: 1000 }) }),
        {
          minLength: 1,
          maxLength: 30,
        },
      ),
      (all) => {
        const days = all.map(({ month, metres }) =>
          tag(`${1920 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-15`, metres),
        )
        const points = historyOf(days)
        expect(points.at(-1)!.vermessen).toBe(all.reduce((sum, { metres }) => sum + metres, 0))
        expect(points.length).toBeLessThanOrEqual(110)
        expect(points.every(({ vermessen }, at) => at === 0 || vermessen >= points[at - 1]!.vermessen)).toBe(
          true,
        )
      },
    ),
  )
  expect(historyOf([])).toEqual([])
})
