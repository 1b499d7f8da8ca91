import { expect, test } from 'vitest'
import { daysOf, PARTS, parsePeriod } from './period.ts'

test.each([
  [{}, '2026-11-27', '2026 m10'],
  [{}, '2026-01-05', '2025 m12'],
  [{ jahr: '2025', zeitraum: 'q3' }, '2026-11-27', '2025 q3'],
  [{ jahr: 'x', zeitraum: 'm13' }, '2026-03-31', '2026 m2'],
])('%j on %s is %s', (search: Record<string, string>, today, wanted) => {
  const { year, part } = parsePeriod(search, today)
  expect(`${year} ${part}`).toBe(wanted)
})
test.each([
  ['m1', '2026-01-01', '2026-01-31'],
  ['m2', '2026-02-01', '2026-02-28'],
  ['m12', '2026-12-01', '2026-12-31'],
  ['q1', '2026-01-01', '2026-03-31'],
  ['q4', '2026-10-01', '2026-12-31'],
])('%s of 2026 is %s to %s', (part, from, bis) =>
  expect(daysOf({ year: '2026', part })).toEqual({ von: from, bis }),
)
test('four quarters and twelve months', () => expect(PARTS).toHaveLength(16))
