// A small invented landscape as a PMTiles file, for maps without a service: forest, fields, a lake, a brook,
// roads and named places around a point, in the layers of Protomaps or of OpenMapTiles.
import {
  type FixtureFeature,
  type FixtureTile,
  vectorTile,
  writePmtiles,
} from '../server/map-service/pmtiles.fixture.ts'

type Point = readonly [x: number, y: number]
interface Thing {
  readonly art: FixtureFeature['art']
  /** Metres east and north of the centre. */
  readonly at: readonly Point[]
  readonly protomaps: readonly [layer: string, is: FixtureFeature['is']]
  readonly openmaptiles: readonly [layer: string, is: FixtureFeature['is']]
}
export type Schema = 'protomaps' | 'openmaptiles'

const box = (west: number, south: number, east: number, north: number): Point[] => [
  [west, south],
  [west, north],
  [east, north],
  [east, south],
]
const both = (layer: string, is: FixtureFeature['is'], other: string, that: FixtureFeature['is']) => ({
  protomaps: [layer, is] as const,
  openmaptiles: [other, that] as const,
})
const road = (kind: string, roadClass: string, name: string, at: Point[]): Thing => ({
  art: 'line',
  at,
  ...both('roads', { kind, name }, 'transportation', { class: roadClass, name }),
})
const place = (detail: string, name: string, at: Point): Thing => ({
  art: 'point',
  at: [at],
  ...both('places', { kind: 'locality', kind_detail: detail, name }, 'place', { class: detail, name }),
})

const THINGS: readonly Thing[] = [
  {
    art: 'area',
    at: box(-30_000, -30_000, 30_000, 30_000),
    ...both('earth', { kind: 'earth' }, 'landcover', { class: 'farmland' }),
  },
  {
    art: 'area',
    at: box(-9_000, -6_000, 1_500, 5_000),
    ...both('landuse', { kind: 'forest' }, 'landcover', { class: 'wood' }),
  },
  {
    art: 'area',
    at: box(2_200, -3_000, 9_000, 6_000),
    ...both('landuse', { kind: 'farmland' }, 'landcover', { class: 'farmland' }),
  },
  {
    art: 'area',
    at: [
      [-4_000, 1_200],
      [-3_200, 2_600],
      [-1_700, 2_900],
      [-900, 1_800],
      [-1_600, 800],
    ],
    ...both('water', { kind: 'lake' }, 'water', { class: 'lake' }),
  },
  {
    art: 'point',
    at: [[-2_400, 1_800]],
    ...both('water', { kind: 'lake', name: 'Erlensee' }, 'water_name', { class: 'lake', name: 'Erlensee' }),
  },
  {
    art: 'line',
    at: [
      [-1_600, 800],
      [-400, -300],
      [900, -900],
      [3_000, -2_600],
      [7_000, -3_200],
    ],
    ...both('water', { kind: 'stream', name: 'Welse' }, 'waterway', { class: 'stream', name: 'Welse' }),
  },
  {
    art: 'area',
    at: box(1_700, 300, 2_900, 1_300),
    ...both('landuse', { kind: 'residential' }, 'landuse', { class: 'residential' }),
  },
  ...[0, 1, 2, 3, 4, 5].map(
    (nr): Thing => ({
      art: 'area',
      at: box(1_800 + nr * 160, 520, 1_900 + nr * 160, 600),
      ...both('buildings', { kind: 'building' }, 'building', { render_height: 6 }),
    }),
  ),
  road('highway', 'motorway', 'A 11', [
    [-9_000, -5_000],
    [0, -3_800],
    [9_000, -4_400],
  ]),
  road('major_road', 'secondary', 'L 23', [
    [-8_000, 4_200],
    [1_000, 600],
    [2_300, 700],
    [8_000, 3_000],
  ]),
  road('minor_road', 'minor', 'Dorfstraße', [
    [1_700, 450],
    [2_900, 470],
  ]),
  road('path', 'track', '', [
    [-2_000, -3_900],
    [-1_500, -1_000],
    [200, 400],
    [1_000, 600],
  ]),
  place('town', 'Angermünde', [6_200, 4_800]),
  place('village', 'Ringenwalde', [2_300, 900]),
  place('hamlet', 'Libbesicke', [-2_600, -2_000]),
]

const HALF = 20_037_508.342789244

/** @param centre in Web Mercator */
export function landscape(
  centre: Point,
  schema: Schema,
  levels: readonly [min: number, max: number],
): Buffer {
  const tiles: FixtureTile[] = []
  for (let z = levels[0]; z <= levels[1]; z++) {
    const width = (2 * HALF) / 2 ** z
    const number = (from: number) => Math.floor((from + HALF) / width)
    const [column, row] = [number(centre[0]), number(-centre[1])]
    const around = Math.ceil(12_000 / width)
    for (let x = column - around; x <= column + around; x++)
      for (let y = row - around; y <= row + around; y++) {
        const layers: Record<string, FixtureFeature[]> = {}
        for (const thing of THINGS) {
          const [layer, is] = thing[schema]
          const at = thing.at.map(
            ([east, north]): Point => [
              Math.round(((centre[0] + east + HALF) / width - x) * 4096),
              Math.round(((HALF - centre[1] - north) / width - y) * 4096),
            ],
          )
          // A point is in one tile only; what is longer is cut by the map.
          if (thing.art === 'point' && !at[0]!.every((c) => c >= 0 && c < 4096)) continue
          ;(layers[layer] ??= []).push({ art: thing.art, at, is })
        }
        tiles.push({ z, x, y, bytes: vectorTile(layers) })
      }
  }
  const names = [...new Set(THINGS.map((thing) => thing[schema][0]))]
  const metadata = {
    name: 'Unsere Karte',
    attribution: '<a href="https://osm.example">© OpenStreetMap</a>',
    vector_layers: names.map((id) => ({ id, fields: {} })),
  }
  return writePmtiles({ type: 'mvt', tiles, metadata, leaf: 64 })
}
