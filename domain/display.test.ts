// Test vectors: shell.md B11, obtained by running the template's own code. Times are local, in whatever zone
// the machine uses.
import { expect, test } from 'vitest'
import {
  categoryOf,
  defaultRange,
  formatTime,
  relativeTime,
  shortNumber,
  surveyCategory,
  timeAgo,
  withThousands,
} from './display.ts'

test.each([
  [0, '0 minutes'],
  [59, '0 minutes'],
  [60, '1 minute'],
  [119, '1 minute'],
  [120, '2 minutes'],
  [3_599, '59 minutes'],
  [3_600, '1 hour'],
  [86_399, '23 hours'],
  [86_400, '1 day'],
  [172_800, '2 days'],
  [-120, '-2 minutes'],
])('time ago: %i s → %s', (seconds, expected) =>
  expect(timeAgo(1_800_000_000 - seconds, 1_800_000_000)).toBe(expected),
)

test.each([
  [999, undefined, '999'],
  [1_000, undefined, '1k'],
  [1_500, undefined, '2k'],
  [1_500, 1, '1.5k'],
  [1_550, 2, '1.55k'],
  [12_345, 1, '12.3k'],
  [999_999, 0, '1000k'],
  [1e6, undefined, '1M'],
  [2e9, undefined, '2G'],
  [3e12, undefined, '3T'],
  [4e15, undefined, '4P'],
  [1e21, undefined, '1000E'],
  [-5_000, undefined, '-5000'],
])('short number: %d with %s digits → %s', (value, digits, expected) =>
  expect(shortNumber(value, digits)).toBe(expected),
)

test.each([
  [1_234_567.891, '1,234,567.891'],
  [-1_234_567, '-1,234,567'],
  [999, '999'],
  [1_000, '1,000'],
  ['12345', '12,345'],
  ['text', '0'],
  [null, '0'],
])('thousands: %s → %s', (value, expected) => expect(withThousands(value)).toBe(expected))

const LOCAL = new Date(2026, 0, 4, 5, 6, 7)
test('times are year, month, day, hour, minute, second, each with two digits', () => {
  expect(formatTime(LOCAL)).toBe('2026-01-04 05:06:07')
  expect(formatTime(LOCAL.getTime())).toBe('2026-01-04 05:06:07')
  expect(formatTime(String(LOCAL.getTime() / 1000))).toBe('2026-01-04 05:06:07')
  expect(formatTime(LOCAL.getTime() / 1000)).toBe('2026-01-04 05:06:07')
  expect(formatTime('2026-01-04 05:06:07', '{d}.{m}.{y}')).toBe('04.01.2026')
  expect(formatTime(LOCAL, '{a}')).toBe('日')
  for (const nothing of [null, undefined, '', 0]) expect(formatTime(nothing)).toBeNull()
  expect(formatTime('2026-01-04T05:06:07Z')).toMatch(/^NaN-/)
})

test.each([
  [-3_600, 'just now'],
  [0, 'just now'],
  [29, 'just now'],
  [30, '1 minutes ago'],
  [61, '2 minutes ago'],
  [3_599, '60 minutes ago'],
  [3_601, '2 hours ago'],
  [86_399, '24 hours ago'],
  [86_400, '1 day ago'],
  [172_799, '1 day ago'],
])('relative time: %i s → %s', (seconds, expected) => {
  expect(relativeTime(LOCAL.getTime() - seconds * 1000, LOCAL)).toBe(expected)
  expect(relativeTime(String(LOCAL.getTime() / 1000 - seconds), LOCAL)).toBe(expected)
})
test('relative time of long ago: the pattern, else without year and padding; ten digits are seconds', () => {
  const later = new Date(2026, 5, 1)
  expect(relativeTime(LOCAL.getTime(), later)).toBe('1-4-5-6')
  expect(relativeTime(LOCAL.getTime(), later, '{y}/{m}/{d}')).toBe('2026/01/04')
  expect(relativeTime('2018-07-03', later, '{y}')).toBe('1970')
})

test('the default range begins 90 days back as a number and ends with today’s first moment', () => {
  const { start, end } = defaultRange(LOCAL)
  expect(LOCAL.getTime() - start).toBe(7_776_000_000)
  expect(end).toEqual(new Date(2026, 0, 4))
})

test('charts and surveys: what has no category is Andere, what was not said is left out', () => {
  expect([categoryOf('Luftbild', 'Andere'), categoryOf(null, 'Andere'), categoryOf('', 'Andere')]).toEqual([
    'Luftbild',
    'Andere',
    '',
  ])
  expect([true, false, null].map(surveyCategory)).toEqual(['vermessen', 'vermutet', null])
})
