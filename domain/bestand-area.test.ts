import { expect, test } from 'vitest'
import { areaUnitByOutlines, areaUnitOf, hectaresOfOutline, isOtherArea } from './bestand-area.ts'

test.each([
  ['Fläche (m²)', 'm2'],
  ['Fla\u0308che [m²]', 'm2'],
  ['flaeche_m2', 'm2'],
  ['FLAECHEQM', 'm2'],
  ['FL_QM_GIS', 'm2'],
  ['area_sqm', 'm2'],
  ['Fläche in Quadratmetern', 'm2'],
  ['FL_HA', 'ha'],
  ['Fläche (ha)', 'ha'],
  ['flaecheha', 'ha'],
  ['Hektar', 'ha'],
  ['Fläche in Ar', 'ar'],
  ['Fläche [a]', 'ar'],
  ['Fläche', null],
  ['Shape_Area', null],
  ['area', null],
  ['Waldfläche', null],
  ['Harzfläche', null],
  ['fl_m25', null],
])('the heading %s says %s', (heading, unit) => expect(areaUnitOf(heading)).toBe(unit))

test.each([
  [[1, 0.98, 1.02], 'ha'],
  [[10_020, 9_950, 1], 'm2'],
  [[1, 1, 10_000], 'ha'],
  [[0.4, 2.5], 'ha'],
  [[], 'ha'],
] as const)('stated areas of %j times the outlines are in %s', (ratios, unit) =>
  expect(areaUnitByOutlines(ratios)).toBe(unit),
)

test('an outline has the area of its parts on the ellipsoid, less the holes', () => {
  const square = (lon: number, lat: number, size: number): (readonly [number, number])[] => [
    [lon, lat],
    [lon + size, lat],
    [lon + size, lat + size],
    [lon, lat + size],
    [lon, lat],
  ]
  const areas = [[square(13, 53, 0.01), square(13.002, 53.002, 0.005)], [square(13.1, 53, 0.01)]]
  // select st_area(…::geography) / 10000 of PostGIS
  expect(hectaresOfOutline({ art: 'flaeche', areas })).toBeCloseTo(130.73519, 3)
})

test.each([
  [1.25, 1, false],
  [1.99, 1, false],
  [2.2, 1, true],
  [1, 2.2, true],
  [0.15, 0.06, false],
  [12_000, 1.2, true],
])('%f ha stated, %f ha drawn: another area is %s', (stated, outline, other) =>
  expect(isOtherArea(stated, outline)).toBe(other),
)
