import proj4 from 'proj4'
import { expect, test } from 'vitest'
import { createConverter, type Projector } from '#domain/projection.ts'
import { inDegrees, inMetres, isMetreSystem, placeOf, typedPlace, zoneOf } from './location-metres.ts'

const convert = createConverter(proj4 as unknown as Projector, null)

test('metres of a place and back, to the centimetre', () => {
  // echo "13.4 53.9" | gdaltransform -s_srs EPSG:4326 -t_srs EPSG:25833
  expect(inMetres(convert, 25_833, { lon: 13.4, lat: 53.9 })).toEqual({ ost: 394_873.7, nord: 5_973_581.84 })
  const back = inDegrees(convert, 25_833, 394_873.7, 5_973_581.84)
  expect(back?.lon).toBeCloseTo(13.4, 6)
  expect(back?.lat).toBeCloseTo(53.9, 6)
})
test('nothing far away, and nothing of a system that cannot be computed here', () => {
  expect(inDegrees(convert, 25_833, 5_973_581, 394_873)).toBeNull()
  // Without the grid file, systems on Bessel's ellipsoid would be inaccurate.
  expect(inDegrees(convert, 31_467, 3_550_000, 5_750_000)).toBeNull()
  expect(placeOf(convert, { art: 'meter', epsg: 31_467, ost: 3_550_000, nord: 5_750_000 })).toBeNull()
  expect(placeOf(convert, { art: 'grad', lat: 51.5, lon: 9.25 })).toEqual({ lat: 51.5, lon: 9.25 })
})
test.each([
  ['', ' ', 'leer'],
  ['394873,7', '', 'halb'],
  ['394873,7', 'x', 'keine_zahl'],
  ['5973581,84', '394873,7', 'fern'],
])('typed as %s and %s it is no place: %s', (east, north, why) =>
  expect(typedPlace(convert, 25_833, { ost: east, nord: north })).toBe(why),
)
test('the same figures are another place in another system', () => {
  const texts = { ost: '394873,7', nord: '5973581,84' }
  expect(typedPlace(convert, 25_833, texts)).toMatchObject({ lat: expect.closeTo(53.9, 6) as number })
  expect(typedPlace(convert, 25_832, texts)).toMatchObject({ lon: expect.closeTo(7.4, 6) as number })
})
test('the usual zone where nobody says which', () => {
  expect([5.9, 6, 11.99, 12, 14].map(zoneOf)).toEqual([25_831, 25_832, 25_832, 25_833, 25_833])
  expect([25_832, 31_467, 4326, 4258, 3857].map(isMetreSystem)).toEqual([true, true, false, false, false])
})
