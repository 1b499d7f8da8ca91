import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Affin, fitTransform, type GeorefType, type ControlPoint } from './transform.ts'
import { gcpArguments, gdalArguments, gdalPoints, georefBash, parseWorldFile, worldFileOf } from './output.ts'

const CORNERS: ControlPoint[] = [
  { spalte: 0, zeile: 0, ost: 412_000, nord: 5_988_000 },
  { spalte: 8000, zeile: 0, ost: 414_000, nord: 5_988_010 },
  { spalte: 8000, zeile: 6000, ost: 414_010, nord: 5_986_500 },
  { spalte: 0, zeile: 6000, ost: 411_990, nord: 5_986_490 },
]
const ORDER = { epsg: 25833, resampling: 'cubic', kompression: 'JPEG', aufloesung: 0.25 } as const

describe('a world file', () => {
  test('tells the centre of the first pixel, half a pixel inside the corner', () =>
    expect(worldFileOf([412_000, 0.25, 0, 5_988_000, 0, -0.25]).split('\n')).toEqual([
      '0.25',
      '0',
      '0',
      '-0.25',
      '412000.125',
      '5987999.875',
      '',
    ]))
  test('is read as it was written', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 9, noNaN: true }),
        fc.double({ min: -0.005, max: 0.005, noNaN: true }),
        (scale, turn) => {
          const affin: Affin = [412_000, scale, turn, 5_988_000, turn, -scale]
          parseWorldFile(worldFileOf(affin))!.forEach((value, i) => expect(value).toBeCloseTo(affin[i]!, 8))
        },
      ),
    ))
  test.each(['', '1\n2\n3', '1\n2\n3\n4\n5\nsechs', '0\n0\n0\n0\n1\n2'])('%j is none', (text) =>
    expect(parseWorldFile(text)).toBeNull(),
  )
  test('with decimal commas is read', () =>
    expect(parseWorldFile('0,5\n0\n0\n-0,5\n10,25\n20,75')).toEqual([10, 0.5, 0, 21, 0, -0.5]))
})

describe('for GDAL', () => {
  test.each<[GeorefType, string, number]>([
    ['linear', '-order 1', 4],
    ['helmert', '-order 1', 4],
    ['polynom1', '-order 1', 4],
    ['tps', '-tps', 4],
    ['projektiv', '-tps', 289],
  ])('%s becomes %s of %i points', (kind, method, count) => {
    const gdal = gdalPoints(fitTransform(kind, CORNERS)!, CORNERS, 8000, 6000)
    expect([gdal.methodArgs.join(' '), gdal.punkte.length]).toEqual([method, count])
  })
  test('first order through the corners of a Helmert is that Helmert', () => {
    const helmert = fitTransform('helmert', CORNERS)!
    const again = fitTransform('polynom1', gdalPoints(helmert, CORNERS, 8000, 6000).punkte)!
    const [one, other] = [helmert.zurKarte(1234, 4321), again.zurKarte(1234, 4321)]
    expect(Math.hypot(one[0] - other[0], one[1] - other[1])).toBeLessThan(1e-7)
  })
  test('the spline through a grid of a homography stays within a hundredth of a pixel', () => {
    const projective = fitTransform('projektiv', CORNERS)!
    const spline = fitTransform('tps', gdalPoints(projective, CORNERS, 8000, 6000).punkte)!
    for (let step = 0; step <= 100; step++) {
      const place = projective.zurKarte(80 * step, 30 * step + 1500)
      const [x, y] = spline.zumScan(...place)
      expect(Math.hypot(x - 80 * step, y - 30 * step - 1500)).toBeLessThan(0.01)
    }
  })
  test('points are told as column, row, easting, northing; degrees with more places', () => {
    expect(gcpArguments([{ spalte: 1.23456, zeile: 2, ost: 412_345.678912, nord: 5 }], false)).toEqual([
      '-gcp',
      '1.235',
      '2',
      '412345.6789',
      '5',
    ])
    expect(gcpArguments([{ spalte: 1, zeile: 2, ost: 13.123456789, nord: 53 }], true)[3]).toBe('13.123456789')
  })
  test('two calls: points onto the scan, the scan onto the map', () => {
    const gdal = gdalPoints(fitTransform('polynom1', CORNERS)!, CORNERS.slice(0, 1), 8000, 6000)
    expect(gdalArguments(gdal, ORDER, 'a.tif', 'b.tif', 'c.tif').map((call) => call.join(' '))).toEqual([
      'gdal_translate -of GTiff -a_srs EPSG:25833 -gcp 0 0 412000 5988000 a.tif b.tif',
      'gdalwarp -of COG -r cubic -order 1 -co COMPRESS=JPEG -dstalpha -tr 0.25 0.25 -t_srs EPSG:25833 b.tif c.tif',
    ])
  })
  test('as text for a shell, names that are no plain words are quoted', () =>
    expect(georefBash([['gdalwarp', "Plan 'Süd'; rm -rf $HOME.tif", 'c.tif']])).toBe(
      `gdalwarp 'Plan '\\''Süd'\\''; rm -rf $HOME.tif' c.tif`,
    ))
})
