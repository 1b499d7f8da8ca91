import { describe, expect, test } from 'vitest'
import { AreaFileFault, checkFileSize, geometryFault, MOST_FILE_BYTES, readAreaFile } from './read-geojson.ts'

const square = (x: number, y: number, size = 1000) => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
]
const polygon = (...rings: number[][][]) => ({ type: 'Polygon', coordinates: rings })
const feature = (geometry: object | null) => ({ type: 'Feature', properties: { name: 'x' }, geometry })
const collection = (...geometries: object[]) => ({
  type: 'FeatureCollection',
  features: geometries.map(feature),
})
const read = (root: object, wanted = 25833) => readAreaFile(JSON.stringify(root), wanted)
const named = (name: string, root: object) => ({ ...root, crs: { type: 'name', properties: { name } } })

describe('what is an area', () => {
  test.each([
    ['a bare polygon', polygon(square(325000, 5690000)), 1],
    ['a feature', feature(polygon(square(325000, 5690000))), 1],
    [
      'a collection of two',
      collection(polygon(square(325000, 5690000)), polygon(square(328000, 5690000))),
      2,
    ],
    [
      'a multipolygon',
      {
        type: 'MultiPolygon',
        coordinates: [[square(325000, 5690000)], [square(328000, 5690000)], [square(331000, 5690000)]],
      },
      3,
    ],
    [
      'a geometry collection',
      { type: 'GeometryCollection', geometries: [polygon(square(325000, 5690000))] },
      1,
    ],
  ])('%s', (_what, root, parts) => {
    const file = read(root)
    expect([file.parts, file.corners, file.epsg]).toEqual([parts, parts * 5, 25833])
    expect(file.polygon.type).toBe(parts === 1 ? 'Polygon' : 'MultiPolygon')
  })
  test('a hole stays one', () =>
    expect(
      read(polygon(square(325000, 5690000), square(325300, 5690300, 100))).polygon.coordinates,
    ).toHaveLength(2))
  test('heights are dropped and places rounded to the millimetre', () => {
    const ring = square(325000.00049, 5690000).map(([x, y]) => [x!, y!, 311.2])
    expect(read(polygon(ring)).polygon.coordinates[0]?.[0]).toEqual([325000, 5690000])
    expect(read(polygon(square(325000.1236, 5690000))).polygon.coordinates[0]?.[0]).toEqual([
      325000.124, 5690000,
    ])
  })
  test('a byte order mark does no harm', () =>
    expect(readAreaFile(`\uFEFF${JSON.stringify(polygon(square(325000, 5690000)))}`, 25833).parts).toBe(1))
})

describe('its system', () => {
  test.each([
    ['urn:ogc:def:crs:EPSG::25832', 25832],
    ['EPSG:25833', 25833],
    ['urn:ogc:def:crs:EPSG:9.8:4647', 4647],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 4326],
  ])('named: %s', (name, epsg) => {
    const at = epsg === 4326 ? square(12, 51, 0.01) : square(325000, 5690000)
    expect(read(named(name, polygon(at)))).toMatchObject({ epsg, epsgFrom: 'file' })
  })
  test('degrees show by their size', () =>
    expect(read(polygon(square(12, 51, 0.01)))).toMatchObject({ epsg: 4326, epsgFrom: 'degrees' }))
  test('degrees of a customer in ETRS89 degrees are taken as such', () =>
    expect(read(polygon(square(12, 51, 0.01)), 4258).epsg).toBe(4258))
  test('otherwise the customer’s', () =>
    expect(read(polygon(square(4525000, 5690000)), 31468)).toMatchObject({
      epsg: 31468,
      epsgFrom: 'customer',
    }))
})

describe('what is wrong is said', () => {
  test.each([
    ['nonsense', 'PK\u0003\u0004', 'lässt sich nicht lesen'],
    ['a list', '[]', '„type“ fehlt'],
    ['lines', JSON.stringify(collection({ type: 'LineString', coordinates: [[1, 2]] })), 'Linien'],
    [
      'points among polygons',
      JSON.stringify(collection(polygon(square(325000, 5690000)), { type: 'Point', coordinates: [1, 2] })),
      'Punkte',
    ],
    ['nothing', JSON.stringify({ type: 'FeatureCollection', features: [] }), 'keine Fläche'],
    ['a feature without a place', JSON.stringify(feature(null)), 'keine Fläche'],
    ['a polygon without rings', JSON.stringify(polygon()), 'keine Fläche'],
    [
      'a triangle that is not closed',
      JSON.stringify(polygon(square(325000, 5690000).slice(0, 4))),
      'nicht geschlossen',
    ],
    [
      'two points',
      JSON.stringify(
        polygon([
          [1, 2],
          [3, 4],
        ]),
      ),
      'weniger als vier',
    ],
    [
      'words',
      JSON.stringify({
        type: 'Polygon',
        coordinates: [
          [
            ['a', 'b'],
            ['a', 'b'],
            ['a', 'b'],
            ['a', 'b'],
          ],
        ],
      }),
      'keine Zahlen',
    ],
    ['an unknown system', JSON.stringify(named('EPSG:2056', polygon(square(2600000, 1200000)))), 'EPSG:2056'],
    ['another datum', JSON.stringify(named('EPSG:31468', polygon(square(4525000, 5690000)))), 'Datumsgitter'],
    ['swapped degrees', JSON.stringify(polygon(square(51, 12, 0.01))), 'vertauscht'],
    ['swapped metres', JSON.stringify(polygon(square(5690000, 325000))), 'vertauscht'],
    [
      'too many corners',
      JSON.stringify(
        polygon([
          ...Array.from({ length: 60_000 }, (_, at) => [325000.123 + at / 7, 5690000.456 + (at % 2)]),
          [325000.123, 5690000.456],
        ]),
      ),
      'Eckpunkte',
    ],
  ])('%s', (_what, text, said) => {
    const reading = () => readAreaFile(text, 25833)
    expect(reading).toThrow(AreaFileFault)
    expect(reading).toThrow(said)
  })
  test('a file is refused for its size before it is read', () => {
    expect(() => checkFileSize(MOST_FILE_BYTES)).not.toThrow()
    expect(() => checkFileSize(MOST_FILE_BYTES + 1)).toThrow('zu groß')
  })
})

test.each([
  [
    'the area is not a valid polygon: Self-intersection[325500 5690500.25]',
    'schneidet oder berührt sich selbst bei 325.500 / 5.690.500,25',
  ],
  ['the area is not a valid polygon: Ring Self-intersection[1 2]', 'sich selbst'],
  ['the area is not a valid polygon: Hole lies outside shell[1 2]', 'Aussparung'],
  ['the area is not a valid polygon: Nested shells[1 2]', 'übereinander'],
  ['the area is not a valid polygon: Something new[1 2]', 'bei 1 / 2'],
  [undefined, 'kein gültiges Polygon.'],
])('the server’s word %s', (detail, said) => expect(geometryFault(detail)).toContain(said))
