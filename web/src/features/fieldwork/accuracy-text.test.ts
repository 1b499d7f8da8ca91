import { expect, test } from 'vitest'
import { distanceText } from './accuracy-text.ts'

test('with RTK the way is told by the centimetre', () => {
  expect([12.3456, 0.126, 0.004, 250.128].map((metres) => distanceText(metres, 0.014))).toEqual([
    '12,35 m',
    '0,13 m',
    'unter 0,01 m',
    '250,13 m',
  ])
})
test('otherwise no finer than the position is known', () => {
  expect(distanceText(12.3456, 0.4)).toBe('12,3 m')
  expect(distanceText(12.3456, 4)).toBe('12 m')
  expect(distanceText(12.3456, 25)).toBe('10 m')
  expect([distanceText(0.6, 4), distanceText(4, 25)]).toEqual(['unter 1 m', 'unter 10 m'])
})
test('far away in kilometres', () =>
  expect([distanceText(999.4, 4), distanceText(1234, 0.014)]).toEqual(['999 m', '1,2 km']))
