import { expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, germanDay, isDay, monthOf, nextWorkday } from './day.ts'

test('days of the calendar', () => {
  expect(['2024-02-29', '2026-12-31'].map(isDay)).toEqual([true, true])
  expect(
    ['2026-02-29', '2026-2-1', '', '2026-00-10', '2026-01-32', '20260101', '2026-01-01T00:00:00Z'].filter(
      isDay,
    ),
  ).toEqual([])
})
test('days are added over months, years and the change of the clock', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2026-03-15', -15)).toBe('2026-02-28')
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
  expect(daysBetween('2026-01-01', '2025-12-31')).toBe(-1)
})
test('months end where they end', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2025-08-31', 6)).toBe('2026-02-28')
  expect(addMonths('2026-12-15', 1)).toBe('2027-01-15')
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
  expect(monthOf('2026-12-15')).toBe('2026-12')
})
test('weekends pass over to Monday', () =>
  expect(['2026-03-13', '2026-03-14', '2026-03-15', '2026-03-16'].map(nextWorkday)).toEqual([
    '2026-03-13',
    '2026-03-16',
    '2026-03-16',
    '2026-03-16',
  ]))
test('as it is written in German', () => expect(germanDay('2026-03-05')).toBe('05.03.2026'))
