import { describe, expect, test } from 'vitest'
import { exifDetails } from './exif.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const details = (tags: Record<string, unknown>) => exifDetails(tags, NOW)
const BREMEN = {
  GPSLatitude: [53, 4, 30],
  GPSLatitudeRef: 'N',
  GPSLongitude: [8, 48, 0],
  GPSLongitudeRef: 'E',
}

describe('the place', () => {
  test('is computed from degrees, minutes and seconds, with its quarter of the globe', () => {
    expect(details(BREMEN)).toMatchObject({ lat: 53.075, lon: 8.8 })
    expect(details({ ...BREMEN, GPSLatitudeRef: 'S', GPSLongitudeRef: 'W\0' })).toMatchObject({
      lat: -53.075,
      lon: -8.8,
    })
    expect(details({ ...BREMEN, GPSLatitude: [53.075], GPSLongitude: 8.8 })).toMatchObject({
      lat: 53.075,
      lon: 8.8,
    })
    expect(details({ ...BREMEN, GPSLatitude: new Float64Array([53, 4.5, 0]) })).toMatchObject({ lat: 53.075 })
  })
  test.each([
    ['nothing divided by nothing', { ...BREMEN, GPSLatitude: [Number.NaN, Number.NaN, Number.NaN] }],
    ['something divided by nothing', { ...BREMEN, GPSLongitude: [Number.POSITIVE_INFINITY, 0, 0] }],
    ['null island', { ...BREMEN, GPSLatitude: [0, 0, 0], GPSLongitude: [0, 0, 0] }],
    ['a receiver that says it had none', { ...BREMEN, GPSStatus: 'V' }],
    ['no quarter of the globe', { GPSLatitude: [53, 4, 30], GPSLongitude: [8, 48, 0] }],
    ['half a place', { GPSLatitude: [53, 4, 30], GPSLatitudeRef: 'N' }],
    ['a place beyond the pole', { ...BREMEN, GPSLatitude: [91, 0, 0] }],
    ['minutes of another kind', { ...BREMEN, GPSLatitude: [53, 99, 0] }],
    ['words', { ...BREMEN, GPSLatitude: 'fünf', GPSLongitude: ['a', 'b', 'c'] }],
    ['nothing at all', {}],
  ])('is none with %s', (_what, tags) =>
    expect(details(tags)).toMatchObject({ lat: null, lon: null, hoehe_m: null }),
  )
  test('has a height, below the sea where it says so', () => {
    expect(details({ ...BREMEN, GPSAltitude: 12.34 }).hoehe_m).toBe(12.3)
    expect(details({ ...BREMEN, GPSAltitude: [3], GPSAltitudeRef: new Uint8Array([1]) }).hoehe_m).toBe(-3)
    expect(details({ ...BREMEN, GPSAltitude: 99_999 }).hoehe_m).toBeNull()
  })
})

test.each([
  [0, 0],
  [359.96, 0],
  [360, 0],
  [182.449, 182.4],
  [-1, null],
  [361, null],
  [Number.NaN, null],
  ['182', null],
])('the direction %s is %s', (said, direction) =>
  expect(details({ GPSImgDirection: said }).richtung).toBe(direction),
)

describe('the time', () => {
  const at = (tags: Record<string, unknown>) => details(tags).aufgenommen_am
  test('follows the zone that the camera says', () => {
    expect(at({ DateTimeOriginal: '2026:05:01 12:30:00', OffsetTimeOriginal: '+02:00' })).toBe(
      '2026-05-01T10:30:00.000Z',
    )
    expect(
      at({ DateTimeOriginal: '2026:05:01 12:30:00', OffsetTimeOriginal: '-03:30', OffsetTime: '+01:00' }),
    ).toBe('2026-05-01T16:00:00.000Z')
    expect(at({ CreateDate: '2026:05:01 12:30:00', OffsetTime: 'Z' })).toBe('2026-05-01T12:30:00.000Z')
  })
  test('else the satellites tell that a clock stayed in winter', () =>
    expect(
      at({
        DateTimeOriginal: '2026:05:01 11:30:00',
        GPSDateStamp: '2026:05:01',
        GPSTimeStamp: [10, 27, 12.5],
      }),
    ).toBe('2026-05-01T10:30:00.000Z'))
  test('but not where their last fix is hours old', () =>
    expect(
      at({ DateTimeOriginal: '2026:05:01 12:30:00', GPSDateStamp: '2026:05:01', GPSTimeStamp: [6, 31, 0] }),
    ).toBe('2026-05-01T10:30:00.000Z'))
  test('or days', () =>
    expect(
      at({ DateTimeOriginal: '2026:05:01 12:30:00', GPSDateStamp: '2026:04:28', GPSTimeStamp: [9, 27, 12] }),
    ).toBe('2026-05-01T10:30:00.000Z'))
  test.each([
    ['2026:03:29 01:59:59', '2026-03-29T00:59:59.000Z'],
    ['2026:03:29 03:00:00', '2026-03-29T01:00:00.000Z'],
    ['2026:10:25 01:59:59', '2026-10-24T23:59:59.000Z'],
    ['2026:10:25 02:30:00', '2026-10-25T00:30:00.000Z'],
    ['2026:10:25 03:00:00', '2026-10-25T02:00:00.000Z'],
    ['2026:01:15 12:00:00', '2026-01-15T11:00:00.000Z'],
  ])('else it is German time: %s is %s', (clock, moment) =>
    expect(at({ DateTimeOriginal: clock })).toBe(moment),
  )
  test('German time is what the calendar of the machine says it is', () => {
    for (let hour = 0; hour < 24 * 366; hour += 7) {
      const moment = new Date(Date.UTC(2026, 0, 1, hour, 30))
      if (moment > NOW) break
      const clock = moment.toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }).replaceAll('-', ':')
      expect(at({ DateTimeOriginal: clock }), clock).toBe(moment.toISOString())
    }
  })
  test('of the satellites alone counts where the clock says nothing', () =>
    expect(at({ GPSDateStamp: '2026:05:01', GPSTimeStamp: '09:27:12' })).toBe('2026-05-01T09:27:12.000Z'))
  test.each([
    ['0000:00:00 00:00:00'],
    ['    :  :     :  :  '],
    ['2026:02:30 10:00:00'],
    ['2026:05:01 24:00:00'],
    ['1970:01:01 00:00:00'],
    ['2031:05:01 12:00:00'],
    ['gestern'],
    [17],
    [null],
  ])('is none with %s', (clock) => expect(at({ DateTimeOriginal: clock })).toBeNull())
})
