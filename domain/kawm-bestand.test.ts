import { describe, expect, test } from 'vitest'
import { missingInBestand, courseOf, levelOf } from './kawm-bestand.ts'

test('a stand is told by its trees per hectare', () => {
  const of = (...cases: [baeume: number, ha: number][]) => cases.map(([trees, ha]) => levelOf(trees, ha))
  expect(of([0, 3], [1, 3], [7, 3], [8, 3], [14, 3], [15, 3], [29, 3], [30, 3])).toEqual([
    'ohne',
    'wenig',
    'wenig',
    'fast',
    'fast',
    'genug',
    'genug',
    'viel',
  ])
})
test('what a stand lacks is rounded up over its area, and never below nothing', () =>
  expect([
    missingInBestand(0, 1.1),
    missingInBestand(5, 1.1),
    missingInBestand(6, 1.1),
    missingInBestand(2, 0.2),
    missingInBestand(0, 0.7),
  ]).toEqual([6, 1, 0, 0, 4]))

describe('the course over the months', () => {
  test('of nothing is nothing', () =>
    expect(courseOf([], '2026-11-22', 24)).toEqual({ monate: [], earlier: [0, 0] }))
  test('has each month until today, across the year', () =>
    expect(
      courseOf(
        [
          ['2025-11', 3, 1],
          ['2026-01', 2, 4],
        ],
        '2026-02-10',
        24,
      ).monate,
    ).toEqual([
      ['2025-11', 3, 1],
      ['2025-12', 0, 0],
      ['2026-01', 2, 4],
      ['2026-02', 0, 0],
    ]))
  test('what lies before its months is added up', () =>
    expect(
      courseOf(
        [
          ['2024-01', 7, 1],
          ['2024-05', 2, 2],
          ['2026-02', 1, 0],
        ],
        '2026-02-10',
        2,
      ),
    ).toEqual({
      monate: [
        ['2026-01', 0, 0],
        ['2026-02', 1, 0],
      ],
      earlier: [9, 3],
    }))
  test('a day to come is shown', () =>
    expect(courseOf([['2026-03', 1, 0]], '2026-02-28', 24).monate).toEqual([['2026-03', 1, 0]]))
})
