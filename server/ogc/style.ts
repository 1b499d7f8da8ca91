// Styles of the vector tiles, as the Mapbox Style Specification (version 8) has them: the looks of the project files of
// QGIS for programs that draw tiles. Letters are drawn with fonts of the program, so a style names no others.
import type { GeometryKind } from './collections.ts'
import type { Extent } from './documents.ts'
import {
  AREA_ALPHA,
  HALO_MM,
  LABEL_COLOR,
  LABEL_PT,
  LABEL_SCALE,
  LINE_MM,
  type Look,
  LOOKS,
  OUTLINE_MM,
  POINT_MM,
  propertiesOf,
} from './looks.ts'
import { firstLevel, LAST_LEVEL, MATRIX_SET } from './tile-levels.ts'

/** What a caller sees something of, and how far it reaches, as far as that is known. */
export type Seen = ReadonlyMap<string, Extent | null>

interface StyleInfo {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly looks: readonly Look[]
  readonly withNames: boolean
}

export const DEFAULT_STYLE = 'karte'
const WITHOUT_NAMES = 'karte-ohne-namen'
/** Besides them each collection has one of its own, with its id. */
export const FIXED_STYLES = [DEFAULT_STYLE, WITHOUT_NAMES]

/** For a caller who sees nothing there is no style. */
export function stylesOf(seen: Seen): StyleInfo[] {
  const looks = LOOKS.filter(({ collection }) => seen.has(collection.id))
  if (looks.length === 0) return []
  const all = looks.map(({ collection }) => collection.title).join(', ')
  return [
    { id: DEFAULT_STYLE, title: 'Karte', description: `Mit Namen: ${all}`, looks, withNames: true },
    {
      id: WITHOUT_NAMES,
      title: 'Karte ohne Namen',
      description: `Für Programme ohne eigene Schriften: ${all}`,
      looks,
      withNames: false,
    },
    ...looks.map((look) => {
      const { id, title } = look.collection
      return { id, title, description: `Nur ${title}, mit Namen`, looks: [look], withNames: true }
    }),
  ]
}

/** Of a screen, as style sheets count them. */
const PIXELS_PER_MM = 96 / 25.4
const pixels = (mm: number): number => Number((mm * PIXELS_PER_MM).toFixed(1))
const colorOf = ([red, green, blue]: readonly number[]): string => `rgb(${red}, ${green}, ${blue})`

/** The whole world is 512 pixels wide at level 0. */
const levelOfScale = (scale: number, latitude: number): number => {
  const metresPerPixel = scale / 1000 / PIXELS_PER_MM
  const equator = 40_075_016.7 * Math.cos((latitude * Math.PI) / 180)
  return Number(Math.log2(equator / 512 / metresPerPixel).toFixed(1))
}
/** About the middle of Germany; the scale of a level differs by a fifth between its ends. */
const NAMES_FROM = levelOfScale(LABEL_SCALE, 51)

/** As a pattern: of joined texts QGIS 3.22 reads no other form. */
const textOf = ({ label }: Look): string =>
  label.map((part) => (typeof part === 'string' ? part : `{${part.property}}`)).join('')
/** Nothing is beside a feature that has none of the properties. */
const isNamed = (look: Look): unknown => ['any', ...propertiesOf(look).map((name) => ['has', name])]

const placed = ({ collection: { id } }: Look) => ({ source: id, 'source-layer': id })

const SHAPES: Readonly<Record<GeometryKind, (look: Look) => object[]>> = {
  point: (look) => [
    {
      id: look.collection.id,
      type: 'circle',
      ...placed(look),
      paint: {
        'circle-radius': pixels(POINT_MM / 2),
        'circle-color': colorOf(look.color),
        'circle-stroke-color': 'rgb(255, 255, 255)',
        'circle-stroke-width': 1,
      },
    },
  ],
  line: (look) => [
    {
      id: look.collection.id,
      type: 'line',
      ...placed(look),
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': colorOf(look.color), 'line-width': pixels(LINE_MM) },
    },
  ],
  polygon: (look) => [
    {
      id: look.collection.id,
      type: 'fill',
      ...placed(look),
      paint: {
        'fill-color': colorOf(look.color),
        'fill-opacity': Number((AREA_ALPHA / 255).toFixed(2)),
        'fill-antialias': false,
      },
    },
    {
      id: `${look.collection.id}-rand`,
      type: 'line',
      ...placed(look),
      paint: { 'line-color': colorOf(look.color), 'line-width': pixels(OUTLINE_MM) },
    },
  ],
}

const BESIDE = { 'text-anchor': 'left', 'text-offset': [0.7, 0] }
const PLACES: Readonly<Record<GeometryKind, object>> = {
  point: BESIDE,
  line: { 'symbol-placement': 'line' },
  polygon: {},
}

const nameLayer = (look: Look) => ({
  id: `${look.collection.id}-name`,
  type: 'symbol',
  ...placed(look),
  minzoom: NAMES_FROM,
  filter: isNamed(look),
  layout: {
    'text-field': textOf(look),
    // The height of letters counts from screens of 72 points an inch.
    'text-size': pixels((LABEL_PT / 72) * 25.4),
    ...PLACES[look.collection.kind],
  },
  paint: {
    'text-color': colorOf(LABEL_COLOR),
    'text-halo-color': 'rgb(255, 255, 255)',
    'text-halo-width': pixels(HALO_MM / 2),
  },
})

/** Where a program looks first: what the caller sees, on a screen of usual size. */
function viewOf(extents: readonly Extent[]): object {
  if (extents.length === 0) return {}
  const west = Math.min(...extents.map((one) => one.west))
  const east = Math.max(...extents.map((one) => one.east))
  const south = Math.min(...extents.map((one) => one.south))
  const north = Math.max(...extents.map((one) => one.north))
  const widest = Math.max(east - west, (north - south) * 1.6, 1e-4)
  const zoom = Math.min(18, Math.max(0, Math.log2((360 / widest) * 1.5)))
  const middle = [(west + east) / 2, (south + north) / 2]
  return { center: middle.map((one) => Number(one.toFixed(5))), zoom: Number(zoom.toFixed(1)) }
}

/** @param base address of the landing page */
export function styleSheet(base: string, { title, looks, withNames }: StyleInfo, seen: Seen) {
  const extents = looks.flatMap(({ collection }) => seen.get(collection.id) ?? [])
  const fromBelow = looks.toReversed()
  return {
    version: 8,
    name: `Forstkontor: ${title}`,
    ...viewOf(extents),
    sources: Object.fromEntries(
      looks.map(({ collection }) => {
        const extent = seen.get(collection.id)
        return [
          collection.id,
          {
            type: 'vector',
            tiles: [`${base}/collections/${collection.id}/tiles/${MATRIX_SET}/{z}/{y}/{x}`],
            minzoom: firstLevel(collection),
            maxzoom: LAST_LEVEL,
            ...(extent && { bounds: [extent.west, extent.south, extent.east, extent.north] }),
          },
        ]
      }),
    ),
    layers: [
      ...fromBelow.flatMap((look) => SHAPES[look.collection.kind](look)),
      ...(withNames ? fromBelow.map(nameLayer) : []),
    ],
  }
}
