import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseLocation } from './location-text.ts'

const meter = (epsg: number, east: number, north: number) => ({ art: 'meter', epsg, ost: east, nord: north })
const grad = (lat: number, lon: number) => ({ art: 'grad', lat, lon })

test.each([
  ['32U 412345 5712345', meter(25_832, 412_345, 5_712_345)],
  ['32 U 412345,67 5712345,89', meter(25_832, 412_345.67, 5_712_345.89)],
  ['UTM 33 E 298776.43 N 5589029.06', meter(25_833, 298_776.43, 5_589_029.06)],
  ['zone 33N; 412345; 5712345', meter(25_833, 412_345, 5_712_345)],
  ['412345 5712345', meter(25_833, 412_345, 5_712_345)],
  ['5712345 412345', meter(25_833, 412_345, 5_712_345)],
  ['412.345,6 / 5.712.345,7', null],
  ['412.345,6; 5.712.345,7', meter(25_833, 412_345.6, 5_712_345.7)],
  ['Ostwert: 412345 Nordwert: 5712345', meter(25_833, 412_345, 5_712_345)],
  ['412345 m 5712345 m', meter(25_833, 412_345, 5_712_345)],
  ['32412345 5712345', meter(4647, 32_412_345, 5_712_345)],
  ['33412345,5\t5712345,5', meter(5650, 33_412_345.5, 5_712_345.5)],
  ['3512345 5712345', meter(31_467, 3_512_345, 5_712_345)],
  ['R 4512345 H 5712345', meter(31_468, 4_512_345, 5_712_345)],
  ['51.123, 9.234', grad(51.123, 9.234)],
  ['9.234, 51.123', grad(51.123, 9.234)],
  ['51,123 9,234', grad(51.123, 9.234)],
  ['51.123456789 N, 9.234 E', grad(51.1234568, 9.234)],
  ['N51.123 E9.234', grad(51.123, 9.234)],
  ['9.234 O 51.123 N', grad(51.123, 9.234)],
  ['51°07\'23" N 9°14\'02,4" O', grad(51.1230556, 9.234)],
  ['51°07’22.8” N, 9°14’2.4” E', grad(51.123, 9.234)],
  ["51°7'22.8'' 9°14'2.4''", grad(51.123, 9.234)],
  ["N 51° 07.380' E 009° 14.040'", grad(51.123, 9.234)],
  ['51,123° Nord, 9,234° Ost', grad(51.123, 9.234)],
  ['51.123°, 9.234°', grad(51.123, 9.234)],
  ['Lage: 51.123° N; 9.234° E', grad(51.123, 9.234)],
] as const)('%s', (text, expected) => expect(parseLocation(text, 25_833)).toEqual(expected))

test.each([
  '',
  'Rotbuche',
  '51.123',
  '412345',
  '51.123, 99',
  '-51.1, 9.2',
  "51°60'00\" N 9°14' E",
  '51.1° S 9.2° E',
  '12 34',
  '40.1, 9.2',
  '412345 100',
  '99U 412345 5712345',
  '1 2 3',
])('no place of ours: %s', (text) => expect(parseLocation(text, 25_832)).toBeNull())
test('metres that do not say their system lie in the usual one, and nowhere where that cannot be', () => {
  expect(parseLocation('412345 5712345', 25_832)).toMatchObject({ epsg: 25_832 })
  expect(parseLocation('412345 5712345', 31_467)).toBeNull()
  expect(parseLocation('4512345 5712345', 2398)).toMatchObject({ epsg: 2398 })
  expect(parseLocation('3512345 5712345', 2398)).toMatchObject({ epsg: 31_467 })
})
test('degrees that are written in any way are read as they were', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 450_000, max: 569_999 }),
      fc.integer({ min: 30_000, max: 179_999 }),
      fc.integer({ min: 0, max: 3 }),
      (a, b, how) => {
        const [lat, lon] = [a / 10_000, b / 10_000]
        const dms = (value: number) => {
          const seconds = Math.round(value * 3600 * 100) / 100
          const [g, rest] = [Math.floor(seconds / 3600), seconds % 3600]
          return `${g}°${Math.floor(rest / 60)}'${(rest % 60).toFixed(2)}"`
        }
        const text = [
          `${lat}, ${lon}`,
          `${lat}° N ${lon}° E`,
          `${dms(lat)} N, ${dms(lon)} O`,
          `N${lat} E${lon}`,
        ][how]!
        const read = parseLocation(text, 25_832)
        expect(read).toMatchObject({ art: 'grad' })
        if (read?.art !== 'grad') return
        expect(read.lat).toBeCloseTo(lat, 5)
        expect(read.lon).toBeCloseTo(lon, 5)
      },
    ),
  ))
test('nothing that is pasted breaks it', () =>
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void parseLocation(text, 25_832))))
