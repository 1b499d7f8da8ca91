// Draws a base map of vector tiles in a plain style of our own, in the colours of the page: land use, waters,
// roads, borders, places. Loaded only where such a map is shown.
import type { Extent } from 'ol/extent.js'
import type { FeatureLike } from 'ol/Feature.js'
import MVT from 'ol/format/MVT.js'
import VectorTileLayer from 'ol/layer/VectorTile.js'
import type Projection from 'ol/proj/Projection.js'
import type RenderFeature from 'ol/render/Feature.js'
import VectorTileSource from 'ol/source/VectorTile.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import { createXYZ } from 'ol/tilegrid.js'
import type VectorTile from 'ol/VectorTile.js'
import type { BaseMapTile } from '#contract/base-map.ts'
import { PARTIAL } from './ol-sources.ts'
import { coloursAt, onScheme } from './scheme.ts'
import {
  type Kind,
  type Label,
  type Line,
  type Properties,
  type Surface,
  vectorKind,
} from './vector-kinds.ts'

/** As CSS, light and dark; most are those of the background without a base map. */
const COLOURS = {
  land: 'var(--map-home)',
  town: 'light-dark(#efece6, #2b2b26)',
  field: 'light-dark(#f4f3e3, #24271b)',
  grass: 'light-dark(#e9f1dd, #22301e)',
  forest: 'light-dark(#d6e6c9, #1d3320)',
  wetland: 'light-dark(#dfeae4, #1b2f2c)',
  sand: 'light-dark(#f1ead6, #322e22)',
  water: 'light-dark(#bfd9e8, #17303f)',
  building: 'light-dark(#ddd7cf, #3b3a33)',
  stream: 'light-dark(#8fbcd6, #2f5a75)',
  border: 'var(--map-border)',
  rail: 'light-dark(#a9a9a3, #5d605a)',
  motorway: 'light-dark(#e6a96a, #86602f)',
  main: 'light-dark(#f0d48f, #6d5b33)',
  minor: 'light-dark(#ffffff, #50564a)',
  casing: 'light-dark(#bdb9ad, #191d16)',
  track: 'light-dark(#a5947a, #75694f)',
  path: 'light-dark(#a5947a, #75694f)',
  name: 'light-dark(#3c4636, #c9d2c2)',
  waterName: 'light-dark(#2f6486, #8fbfdd)',
} as const
type Colours = Record<keyof typeof COLOURS, string>

/** From the lowest to the uppermost. */
const SURFACES: Readonly<Record<Surface, number>> = {
  land: 0,
  town: 1,
  field: 2,
  grass: 3,
  forest: 4,
  wetland: 5,
  sand: 5,
  water: 6,
  building: 8,
}
interface LineLook {
  /** Pixels at one metre per pixel and at sixteen; between and beyond them it grows and shrinks. */
  readonly near: number
  readonly far: number
  /** Metres per pixel above which it is not drawn. */
  readonly below: number
  readonly z: number
  readonly dash?: readonly number[]
  readonly cased?: boolean
}
const LINES: Readonly<Record<Line, LineLook>> = {
  stream: { near: 2.4, far: 1, below: 80, z: 7 },
  border: { near: 1.6, far: 1.4, below: Number.POSITIVE_INFINITY, z: 18, dash: [7, 4] },
  path: { near: 1.2, far: 0.6, below: 8, z: 10, dash: [3, 3] },
  track: { near: 1.8, far: 0.8, below: 16, z: 11, dash: [6, 3] },
  rail: { near: 2, far: 1, below: 160, z: 12 },
  minor: { near: 6, far: 1.2, below: 24, z: 13, cased: true },
  main: { near: 8, far: 2, below: 320, z: 14, cased: true },
  motorway: { near: 9, far: 2.6, below: 1_300, z: 15, cased: true },
}
interface LabelLook {
  readonly font: string
  readonly below: number
  readonly above: number
  /** The larger come first where there is no room for all. */
  readonly z: number
}
const LABELS: Readonly<Record<Label, LabelLook>> = {
  country: { font: '600 14px', below: 20_000, above: 1_200, z: 60 },
  state: { font: '600 12px', below: 2_400, above: 300, z: 50 },
  city: { font: '600 14px', below: 1_200, above: 2, z: 48 },
  town: { font: '600 13px', below: 260, above: 1, z: 46 },
  village: { font: '12px', below: 80, above: 0.5, z: 44 },
  hamlet: { font: '11px', below: 24, above: 0.2, z: 42 },
  water: { font: 'italic 12px', below: 160, above: 0, z: 30 },
  road: { font: '11px', below: 4, above: 0, z: 20 },
}

const widthAt = ({ near, far }: LineLook, resolution: number): number => {
  const share = Math.min(1.3, Math.max(-0.2, Math.log2(Math.max(0.1, resolution)) / 4))
  return Math.max(0.5, near + (far - near) * share)
}

/** Styles for one step of the resolution, each made once. */
function stylesFor(colours: Colours, family: string) {
  const made = new Map<string, Style[]>()
  const once = (key: string, make: () => Style[]): Style[] => {
    const known = made.get(key)
    if (known !== undefined) return known
    if (made.size > 4_000) made.clear()
    const style = make()
    made.set(key, style)
    return style
  }
  const surface = (is: Surface): Style[] =>
    once(is, () => [new Style({ fill: new Fill({ color: colours[is] }), zIndex: SURFACES[is] })])
  const line = (is: Line, resolution: number): Style[] => {
    const look = LINES[is]
    const width = Math.round(widthAt(look, resolution) * 4) / 4
    return once(`${is} ${width}`, () => {
      const stroke = (color: string, wide: number, zIndex: number) =>
        new Style({
          stroke: new Stroke({
            color,
            width: wide,
            lineJoin: 'round',
            ...(look.dash ? { lineDash: [...look.dash], lineCap: 'butt' } : {}),
          }),
          zIndex,
        })
      const own = stroke(colours[is], width, look.z)
      return look.cased && width > 1.5 ? [stroke(colours.casing, width + 1.5, 9), own] : [own]
    })
  }
  const label = (is: Label, name: string, along: boolean): Style[] =>
    once(`${is} ${along} ${name}`, () => [
      new Style({
        text: new Text({
          text: name,
          font: `${LABELS[is].font} ${family}`,
          placement: along ? 'line' : 'point',
          fill: new Fill({ color: is === 'water' ? colours.waterName : colours.name }),
          stroke: new Stroke({ color: colours.land, width: 3 }),
          padding: [2, 4, 2, 4],
        }),
        zIndex: LABELS[is].z,
      }),
    ])
  const isNamed = (is: Label, resolution: number) =>
    resolution < LABELS[is].below && resolution > LABELS[is].above
  return (kind: Kind, resolution: number, isLine: boolean): Style[] | undefined => {
    if (kind.art === 'flaeche') return kind.is === 'building' && resolution > 5 ? undefined : surface(kind.is)
    if (kind.art === 'name')
      return isNamed(kind.is, resolution) ? label(kind.is, kind.name, isLine) : undefined
    if (resolution > LINES[kind.is].below) return undefined
    const drawn = line(kind.is, resolution)
    const name: Label = kind.is === 'stream' ? 'water' : 'road'
    const below = name === 'water' ? 20 : LABELS.road.below
    return kind.name === '' || resolution > below || kind.is === 'border'
      ? drawn
      : [...drawn, ...label(name, kind.name, true)]
  }
}

const geometryOf = (feature: FeatureLike): 'point' | 'line' | 'area' => {
  const type = feature.getGeometry()?.getType() ?? ''
  return type.endsWith('Point') ? 'point' : type.endsWith('LineString') ? 'line' : 'area'
}

export interface VectorMap {
  readonly min: number
  readonly max: number
  /** Only parts of it are there, as on a device: the background stays below. */
  readonly partial?: boolean
  /** Empty or null: there is no such tile. */
  readonly tileAt: (at: BaseMapTile) => Promise<Blob | null>
}

function sourceOf({ min, max, partial = false, tileAt }: VectorMap): VectorTileSource<RenderFeature> {
  const format = new MVT<RenderFeature>()
  const source = new VectorTileSource<RenderFeature>({
    format,
    tileGrid: createXYZ({ tileSize: 512, minZoom: min, maxZoom: max }),
    wrapX: false,
    transition: 0,
    // Any text that is one per tile; the loader asks by the tile's numbers.
    tileUrlFunction: ([z, x, y]) => `${z}/${x}/${y}`,
    tileLoadFunction: (tile) => {
      const vector = tile as VectorTile<RenderFeature>
      const [z = 0, x = 0, y = 0] = vector.tileCoord
      const load = async (extent: Extent, projection: Projection): Promise<void> => {
        try {
          const blob = await tileAt({ z, x, y })
          vector.setFeatures(
            blob === null || blob.size === 0
              ? []
              : format.readFeatures(await blob.arrayBuffer(), { extent, featureProjection: projection }),
          )
        } catch {
          vector.onError()
        }
      }
      vector.setLoader((extent, _resolution, projection) => void load(extent, projection))
    },
  })
  if (partial) source.set(PARTIAL, true)
  return source
}

export interface VectorMapLayer {
  readonly layer: VectorTileLayer
  readonly source: VectorTileSource<RenderFeature>
  readonly dispose: () => void
}

/** @param target whose colours hold for the map */
export function vectorMapLayer(target: HTMLElement, map: VectorMap): VectorMapLayer {
  const source = sourceOf(map)
  const family = getComputedStyle(target).fontFamily
  const make = () => {
    const layer = new VectorTileLayer({ source, zIndex: -1, declutter: 'grundkarte', renderBuffer: 128 })
    layer.set('name', 'grundkarte')
    return layer
  }
  const layer = make()
  const paint = (onto: VectorTileLayer) => {
    const colours = coloursAt(target, COLOURS)
    const styleOf = stylesFor(colours, family)
    onto.setStyle((feature: FeatureLike, resolution: number) => {
      const is = feature.getProperties() as Properties
      const geometry = geometryOf(feature)
      const kind = vectorKind(String(is['layer'] ?? ''), is, geometry)
      return kind === null ? undefined : styleOf(kind, resolution, geometry === 'line')
    })
    // OpenMapTiles has no land of its own; what is not covered is land.
    if (map.partial !== true) onto.setBackground(colours.land)
  }
  paint(layer)
  // For a second map of the same place, such as the magnifier.
  layer.set('copy', () => {
    const copy = make()
    paint(copy)
    return copy
  })
  const end = onScheme(() => paint(layer))
  return { layer, source, dispose: end }
}
