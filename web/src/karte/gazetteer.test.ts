import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Box, findPlaces, readGazetteer, readTypedPlace } from './gazetteer.ts'
import { distanceBetween, grad } from './mercator.ts'

const FILE = join(import.meta.dirname, 'gazetteer-places.json')
const text = readFileSync(FILE, 'utf8')
const gazetteer = readGazetteer(text)
const find = (query: string) => findPlaces(gazetteer, query)
const middle = ([west, south, east, north]: Box) => {
  const [lon, lat] = grad((west + east) / 2, (south + north) / 2)
  return { lon, lat }
}
const named = (query: string) => find(query).map(({ name, detail }) => [name, detail].join(' · '))

test('the file is small enough to come with the first search', () => {
  expect(statSync(FILE).size).toBeLessThan(480_000)
  expect(gzipSync(text).length).toBeLessThan(180_000)
})

test.each([
  ['01067', 51.05, 13.72],
  ['80331', 48.135, 11.57],
  ['18069', 54.1, 12.06],
  ['Chemnitz', 50.83, 12.92],
  ['Göttingen', 51.53, 9.93],
  ['Goettingen', 51.53, 9.93],
  ['GÖTTINGEN', 51.53, 9.93],
  ['Sankt Augustin', 50.77, 7.18],
  ['St. Augustin', 50.77, 7.18],
  ['Bautzen', 51.18, 14.42],
  ['Budyšin', 51.18, 14.42],
  ['Halle (Saale)', 51.48, 11.97],
])('%s is found where it is', (query, lat, lon) => {
  const [first] = find(query)
  expect(first).toBeDefined()
  expect(distanceBetween(middle(first!.box), { lat, lon })).toBeLessThan(6_000)
})

test('places of one name are told apart and found by what tells them apart', () => {
  const towns = find('Aach').filter(({ name }) => name === 'Aach')
  expect(towns).toHaveLength(2)
  expect(new Set(towns.map(({ detail }) => detail)).size).toBe(2)
  expect(named('Aach Konstanz')).toEqual(['Aach · 78267 · Landkreis Konstanz'])
  expect(named('78267')[0]).toContain('Aach')
  expect(named('78267 Aach')[0]).toContain('Aach')
})

test('a large town comes before the small ones whose name begins alike', () => {
  expect(find('Leip')[0]?.name).toBe('Leipzig')
  expect(find('Dres')[0]?.name).toBe('Dresden')
})

test('the beginning of a postcode names those that begin so', () => {
  const codes = find('9943').map(({ name }) => name)
  expect(codes.length).toBeGreaterThan(0)
  expect(codes.every((code) => code.startsWith('9943'))).toBe(true)
  expect(find('99')).toEqual([])
})

test('a district is shown whole', () => {
  const [first] = find('Landkreis Leipzig')
  expect(first?.name).toBe('Landkreis Leipzig')
  const [west, south, east, north] = first!.box
  expect(east - west).toBeGreaterThan(50_000)
  expect(north - south).toBeGreaterThan(50_000)
})

test.each(['', ' ', 'x', 'Qwertzstadt', '00000', '%', '.*', 'constructor', '('])(
  'nothing is found for %j',
  (query) => {
    expect(find(query)).toEqual([])
  },
)

test('a text without end is not searched to its end', () => {
  expect(find('a'.repeat(10_000_000))).toEqual([])
  expect(readTypedPlace('1 '.repeat(10_000_000))).toEqual([])
})

test('at most twelve hits, also for what begins thousands of names', () => {
  expect(find('be')).toHaveLength(12)
})

test('everything is within Germany', () => {
  const outside = gazetteer.entries.filter(({ box }) => {
    const { lon, lat } = middle(box)
    return lon < 5.5 || lon > 15.3 || lat < 47.2 || lat > 55.2
  })
  expect(outside.map(({ name }) => name)).toEqual([])
})

test('the middle of a postcode', () => {
  expect(middle(gazetteer.boxOfCode('09111')!).lat).toBeCloseTo(50.83, 1)
  expect(gazetteer.boxOfCode('00000')).toBeUndefined()
  expect(gazetteer.boxOfCode('toString')).toBeUndefined()
})

const DEGREES = { epsg: 4326, place: [12.37, 51.34] }
test.each([
  ['51.34, 12.37', [DEGREES]],
  ['51,34 12,37', [DEGREES]],
  ['51,34; 12,37', [DEGREES]],
  ['12.37 51.34', [DEGREES]],
  ['51.34 N 12.37 E', [DEGREES]],
  ['N 51.34, E 12.37', [DEGREES]],
  ['lat: 51.34 lon: 12.37', [DEGREES]],
  ['33 318500 5690500', [{ epsg: 25_833, place: [318_500, 5_690_500] }]],
  ['33U 318500 5690500', [{ epsg: 25_833, place: [318_500, 5_690_500] }]],
  ['UTM 32 U 698500 5690500', [{ epsg: 25_832, place: [698_500, 5_690_500] }]],
  ['32698500 5690500', [{ epsg: 4647, place: [32_698_500, 5_690_500] }]],
  ['33318500,12 5690500,99', [{ epsg: 5650, place: [33_318_500.12, 5_690_500.99] }]],
  ['4526000 5690000', [{ epsg: 31_468, place: [4_526_000, 5_690_000] }]],
  [
    '698500 5690500',
    [
      { epsg: 25_832, place: [698_500, 5_690_500] },
      { epsg: 25_833, place: [698_500, 5_690_500] },
    ],
  ],
  [
    '5690500 698500',
    [
      { epsg: 25_832, place: [698_500, 5_690_500] },
      { epsg: 25_833, place: [698_500, 5_690_500] },
    ],
  ],
  ['Leipzig', []],
  ['01067', []],
  ['01067 Dresden', []],
  ['1 2', []],
  ['999999999 5690500', []],
  ['1e300 1e300', []],
])('%j is read as coordinates', (query, places) => {
  expect(readTypedPlace(query)).toEqual(places)
})

test('degrees, minutes and seconds', () => {
  const [found] = readTypedPlace('51° 20′ 24″ N, 12° 22′ 12″ E')
  expect(found?.epsg).toBe(4326)
  expect(found?.place[0]).toBeCloseTo(12.37, 6)
  expect(found?.place[1]).toBeCloseTo(51.34, 6)
  expect(readTypedPlace(`51°20'24"N 12°22'12"O`)).toEqual([found])
})
