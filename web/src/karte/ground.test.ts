import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { GROUND_SOURCES, type Point, readGround } from './ground.ts'
import { grad, mercator } from './mercator.ts'

const FILE = join(import.meta.dirname, 'ground.json')
const ROOT = join(import.meta.dirname, '../../..')
const text = readFileSync(FILE, 'utf8')
const ground = readGround(text)

const isInside = ([x, y]: Point, polygons: readonly Point[][][]): boolean => {
  let inside = false
  for (const ring of polygons.flat())
    ring.forEach(([ax, ay], at) => {
      const [bx, by] = ring[(at + 1) % ring.length]!
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
    })
  return inside
}
const placeOf = (name: string) => ground.places.find((one) => one.name === name)

test('the file is small enough to come with a map', () => {
  expect(statSync(FILE).size).toBeLessThan(550_000)
  expect(gzipSync(text).length).toBeLessThan(220_000)
})

test('all sixteen states are named, each within Germany', () => {
  expect(ground.stateNames.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'de'))).toEqual([
    'Baden-Württemberg',
    'Bayern',
    'Berlin',
    'Brandenburg',
    'Bremen',
    'Hamburg',
    'Hessen',
    'Mecklenburg-Vorpommern',
    'Niedersachsen',
    'Nordrhein-Westfalen',
    'Rheinland-Pfalz',
    'Saarland',
    'Sachsen',
    'Sachsen-Anhalt',
    'Schleswig-Holstein',
    'Thüringen',
  ])
  for (const { name, at } of ground.stateNames) expect(isInside(at, ground.germany), name).toBe(true)
})

test('places are where they are, the largest first, under their German names', () => {
  for (const [name, lon, lat] of [
    ['Berlin', 13.41, 52.52],
    ['München', 11.575, 48.137],
    ['Den Haag', 4.3, 52.08],
    ['Aitern', 7.89, 47.8],
  ] as const) {
    const found = placeOf(name)
    if (name === 'Aitern') expect(found, 'below 1,500 people').toBeUndefined()
    else {
      const [x, y] = grad(...found!.at)
      expect(x, name).toBeCloseTo(lon, 1)
      expect(y, name).toBeCloseTo(lat, 1)
    }
  }
  const ranks = ground.places.map(({ rank }) => rank)
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
  expect(ground.places.length).toBeGreaterThan(5_000)
})

test('land, borders and waters lie where a map of Germany looks for them', () => {
  const [inland, outside] = [mercator(9.68, 50.55), mercator(11.5, 56.7)]
  expect(isInside(inland, ground.germany)).toBe(true)
  expect(isInside(inland, ground.land)).toBe(true)
  expect(isInside(mercator(2.35, 48.86), ground.land), 'Paris').toBe(true)
  expect(isInside(mercator(2.35, 48.86), ground.germany)).toBe(false)
  expect(isInside(outside, ground.land), 'sea').toBe(false)
  const near = ([x, y]: Point, lines: readonly Point[][]) =>
    Math.min(...lines.flatMap((line) => line.map(([ax, ay]) => Math.hypot(ax - x, ay - y))))
  expect(near(mercator(6.96, 50.94), ground.rivers), 'the Rhine at Köln').toBeLessThan(12_000)
  expect(near(mercator(9.99, 48.4), ground.states), 'between Ulm and Neu-Ulm').toBeLessThan(3_000)
  expect(ground.districts.flat().length).toBeGreaterThan(5_000)
  for (const lines of [ground.countries, ground.states, ground.districts, ground.rivers])
    expect(lines.every((line) => line.length > 1)).toBe(true)
})

test('every source is named on the map and, with its licence, in the documentation', () => {
  const page = readFileSync(join(ROOT, 'docs/map-services.md'), 'utf8')
  for (const source of ['GeoBasis-DE / BKG 2017', 'GeoNames', 'Natural Earth']) {
    expect(GROUND_SOURCES).toContain(source)
    expect(page).toContain(source)
  }
  const { dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'scripts/ground-sources/package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> }
  const data = Object.keys(dependencies).filter((name) => !name.startsWith('topojson'))
  expect(data.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
