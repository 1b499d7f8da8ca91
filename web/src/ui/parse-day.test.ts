import { expect, test } from 'vitest'
import { parseDay } from './parse-day.ts'

test.each([
  ['31.12.2026', '2026-12-31'],
  ['1.2.26', '2026-02-01'],
  [' 01. 02. 2026 ', '2026-02-01'],
  ['01022026', '2026-02-01'],
  ['2026-12-31', '2026-12-31'],
  ['29.02.2028', '2028-02-29'],
])('%s is %s', (typed, day) => expect(parseDay(typed)).toBe(day))

test.each(['', '31.11.2026', '29.2.2027', '32.1.2026', '1.13.2026', '12/31/2026', 'heute', '1.2', '1.2.026'])('%j is no day', (typed) =>
  expect(parseDay(typed)).toBeNull(),
)
