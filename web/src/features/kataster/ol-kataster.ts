// The survey on the map: tiles with the caller's token, symbols, hit detection, measuring. Loaded together
// with the map.
import type { Coordinate } from 'ol/coordinate.js'
import { buffer } from 'ol/extent.js'
import type { FeatureLike } from 'ol/Feature.js'
import type LineString from 'ol/geom/LineString.js'
import type Polygon from 'ol/geom/Polygon.js'
import Draw from 'ol/interaction/Draw.js'
import TileLayer from 'ol/layer/Tile.js'
import VectorLayer from 'ol/layer/Vector.js'
import VectorTileLayer from 'ol/layer/VectorTile.js'
import type OlMap from 'ol/Map.js'
import RenderFeature from 'ol/render/Feature.js'
import type ImageTile from 'ol/source/ImageTile.js'
import VectorSource from 'ol/source/Vector.js'
import CircleStyle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import RegularShape from 'ol/style/RegularShape.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import { hectaresOf } from '#domain/border/plane.ts'
import {
  CLUSTER,
  type TileCluster,
  type KatasterFilter,
  OBJECT_KINDS,
  type ObjectKind,
  type SurveyedWord,
} from '#contract/kataster-tile.ts'
import { grad } from '../../karte/mercator.ts'
import { type TilePath, mercatorSource } from '../../karte/ol-sources.ts'
import { vermessungSource } from '../../karte/ol-vermessung.ts'
import { lengthOf } from '../../karte/survey-place.ts'
import { formatNumber } from '../../ui/format.ts'
import type { ObjectTarget } from './kataster.data.ts'
import { wortOf } from './kataster-words.ts'
import { distanceTo } from './distance.ts'
import { COLOURS, CHOSEN, SIGN_SIZE, CLUSTER_COLOR, LINE_WIDTH, EDGE, DASH } from './signs.ts'

export type Hit = ObjectTarget & { readonly label: string; readonly wort: SurveyedWord }
export type Finding = { readonly objekte: readonly Hit[] } | { readonly haufen: Coordinate }

/** Hit tolerance in pixels. */
const GRAB_PX = { zeichen: SIGN_SIZE + 7, line: LINE_WIDTH / 2 + 7, haufen: 26 } as const

const shapes = {
  ausmuendung: { points: 3, radius: SIGN_SIZE * 1.25 },
  schacht: null,
  schlucker: { points: 4, radius: SIGN_SIZE * 1.15, angle: Math.PI / 4 },
  einlauf: { points: 4, radius: SIGN_SIZE * 1.15 },
} as const

/** Drawn whatever is beside it; names keep clear of it. */
const ALWAYS = { declutterMode: 'obstacle' } as const

function lineStyles(wort: SurveyedWord, chosen: boolean, wide: number): Style[] {
  const width = LINE_WIDTH * wide
  return [
    new Style({
      stroke: new Stroke({ color: chosen ? CHOSEN : EDGE, width: width + (chosen ? 7 : 2.5) }),
      zIndex: chosen ? 1 : 0,
    }),
    new Style({
      stroke: new Stroke({
        color: COLOURS[wort],
        width,
        lineDash: DASH[wort].map((part) => part * wide),
        lineCap: 'butt',
      }),
      zIndex: chosen ? 2 : 1,
    }),
  ]
}
function signStyle(art: Exclude<ObjectKind, 'draenage'>, wort: SurveyedWord, chosen: boolean): Style[] {
  const look = {
    fill: new Fill({ color: wort === 'ja' ? COLOURS.ja : EDGE }),
    stroke: new Stroke({ color: wort === 'ja' ? EDGE : COLOURS[wort], width: wort === 'ja' ? 1.5 : 2.5 }),
  }
  const shape = shapes[art]
  const sign = new Style({
    image:
      shape === null
        ? new CircleStyle({ radius: SIGN_SIZE, ...ALWAYS, ...look })
        : new RegularShape({ ...shape, ...ALWAYS, ...look }),
    zIndex: chosen ? 4 : 3,
  })
  if (!chosen) return [sign]
  return [
    new Style({
      image: new CircleStyle({ radius: SIGN_SIZE + 5, ...ALWAYS, fill: new Fill({ color: CHOSEN }) }),
      zIndex: 3,
    }),
    sign,
  ]
}
/** Metres per pixel above which names would only be drawn here and there. */
const NAMES_BELOW = 2.5
const NAME_LETTERS = 24
/**
 * Beside the sign. Names never overlap: where there is no room for all, those of manholes come first, and the
 * map shows the others when it is enlarged. Signs are always drawn.
 */
function nameStyle(name: string, isFirst: boolean): Style {
  return new Style({
    text: new Text({
      text: name.length > NAME_LETTERS ? `${name.slice(0, NAME_LETTERS - 1)}…` : name,
      font: '600 12px "Source Sans", system-ui, sans-serif',
      textAlign: 'left',
      offsetX: SIGN_SIZE + 5,
      fill: new Fill({ color: '#14202b' }),
      stroke: new Stroke({ color: EDGE, width: 3 }),
      padding: [1, 3, 1, 3],
    }),
    // The map gives room to the uppermost first.
    zIndex: isFirst ? 7 : 6,
  })
}

/** In steps, so that few styles need caching. */
function heapStyle(count: number): Style {
  const step = Math.min(5, Math.floor(Math.log10(Math.max(1, count))))
  return new Style({
    image: new CircleStyle({
      radius: 11 + step * 3,
      ...ALWAYS,
      fill: new Fill({ color: CLUSTER_COLOR }),
      stroke: new Stroke({ color: EDGE, width: 2 }),
    }),
    text: new Text({
      ...ALWAYS,
      text: formatNumber(count),
      fill: new Fill({ color: EDGE }),
      font: '600 11px "Source Sans", system-ui, sans-serif',
    }),
    zIndex: 5,
  })
}

/** The style of every feature in a tile. Cached per look, because a map draws thousands. */
export function styleOf(
  hiddenKinds: ReadonlySet<ObjectKind>,
  chosenOnes: ObjectTarget | null,
): (feature: FeatureLike, resolution: number) => Style | Style[] | undefined {
  const kept = new Map<string, Style | Style[]>()
  const keep = (key: string, make: () => Style | Style[]) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make()
    kept.set(key, made)
    return made
  }
  return (feature, resolution) => {
    const layer = String(feature.get('layer'))
    if (layer === CLUSTER) {
      const heap = feature.getProperties() as TileCluster
      const count = OBJECT_KINDS.reduce((sum, art) => sum + (hiddenKinds.has(art) ? 0 : heap[art]), 0)
      return count === 0 ? undefined : keep(`h${count}`, () => heapStyle(count))
    }
    const art = layer as ObjectKind
    if (hiddenKinds.has(art)) return undefined
    const wort = wortOf(feature.get('vermessen') as boolean | undefined)
    const chosen = chosenOnes !== null && chosenOnes.art === art && chosenOnes.id === Number(feature.getId())
    if (art !== 'draenage') {
      const sign = keep(`${art}${wort}${chosen}`, () => signStyle(art, wort, chosen)) as Style[]
      const name = feature.get('schluessel') as string | undefined
      if (name === undefined || resolution > NAMES_BELOW) return sign
      return keep(`${art}${wort}${chosen} ${name}`, () => [...sign, nameStyle(name, art === 'schacht')])
    }
    const wide = resolution > 4 ? 0.6 : resolution > 1.5 ? 0.8 : 1
    return keep(`d${wort}${chosen}${wide}`, () => lineStyles(wort, chosen, wide))
  }
}

export interface VermessungsLayer {
  readonly applyFilter: (filter: KatasterFilter) => void
  readonly display: (aus: ReadonlySet<ObjectKind>, chosen: ObjectTarget | null) => void
  /** Number of visible symbols and lines. */
  readonly anzahl: () => number
  /**
   * Objects at a place, nearest first. While the map is moving or loading, it waits until it is drawn and
   * asks for the place again. Null if a later search overtook it, or the map is gone.
   */
  readonly suche: (ort: () => Coordinate) => Promise<Finding | null>
}

const distanceOf = ([x = 0, y = 0]: Coordinate, feature: RenderFeature): number => {
  const flat = feature.getFlatCoordinates()
  return isLine(feature)
    ? distanceTo([x, y], flat, feature.getEnds() ?? [flat.length], 'linien')
    : distanceTo([x, y], flat, [flat.length], 'punkte')
}
const isLine = (feature: RenderFeature): boolean => feature.getType().endsWith('LineString')

function hitOf(feature: RenderFeature, art: ObjectKind): Hit {
  const dn = feature.get('dn') as number | undefined
  const text = [feature.get('art'), dn === undefined ? undefined : `DN ${dn}`, feature.get('material')]
  return {
    art,
    id: Number(feature.getId()),
    label: text.filter((part) => part !== undefined && part !== null).join(', '),
    wort: wortOf(feature.get('vermessen') as boolean | undefined),
  }
}

/**
 * Searches the features and not the rendered picture: one being redrawn shows nothing, and it mixes up the
 * ids of two kinds. Distances are in pixels.
 */
function searchFeatures(
  layer: VectorTileLayer,
  style: ReturnType<typeof styleOf>,
  ort: Coordinate,
  resolution: number,
): Finding | null {
  const [x = 0, y = 0] = ort
  const objects = new Map<string, { readonly hit: Hit; readonly distance: number }>()
  let heap: { readonly center: Coordinate; readonly distance: number } | null = null
  for (const feature of layer.getFeaturesInExtent(buffer([x, y, x, y], GRAB_PX.haufen * resolution))) {
    if (!(feature instanceof RenderFeature) || style(feature, resolution) === undefined) continue
    const name = String(feature.get('layer'))
    const distance = distanceOf(ort, feature) / resolution
    if (name === CLUSTER) {
      const before = heap?.distance ?? Number.POSITIVE_INFINITY
      if (distance <= GRAB_PX.haufen && distance < before)
        heap = { center: feature.getFlatCoordinates().slice(0, 2), distance }
      continue
    }
    const art = OBJECT_KINDS.find((one) => one === name)
    if (art === undefined || distance > (isLine(feature) ? GRAB_PX.line : GRAB_PX.zeichen)) continue
    const hit = hitOf(feature, art)
    const key = `${art}.${hit.id}`
    // At a tile's edge, an object is in the next tile too.
    if (distance < (objects.get(key)?.distance ?? Number.POSITIVE_INFINITY))
      objects.set(key, { hit, distance })
  }
  if (objects.size > 0) {
    const nearest = [...objects.values()].toSorted((a, b) => a.distance - b.distance)
    return { objekte: nearest.map(({ hit }) => hit) }
  }
  return heap === null ? null : { haufen: heap.center }
}

export function vermessungsLayer(
  map: OlMap,
  kunde: number,
  filter: KatasterFilter,
  onError: () => void,
): VermessungsLayer {
  let hidden: ReadonlySet<ObjectKind> = new Set()
  let style = styleOf(new Set(), null)
  const make = (wanted: KatasterFilter): VectorTileLayer => {
    const source = vermessungSource(kunde, wanted)
    source.on('tileloaderror', onError)
    return new VectorTileLayer({ source, style, renderBuffer: 96, zIndex: 20, declutter: 'kataster' })
  }
  let asked = 0
  let layer = make(filter)
  map.addLayer(layer)
  const searchNow = (ort: Coordinate): Finding | null =>
    searchFeatures(layer, style, ort, map.getView().getResolution() ?? 1)
  return {
    // A new layer per filter: with only its source replaced, the layer would keep counting its old features.
    applyFilter: (wanted) => {
      map.removeLayer(layer)
      layer = make(wanted)
      map.addLayer(layer)
    },
    display: (hiddenKinds, chosen) => {
      hidden = hiddenKinds
      style = styleOf(hiddenKinds, chosen)
      layer.setStyle(style)
    },
    anzahl: () => {
      const seen = new Set<string>()
      for (const feature of layer.getFeaturesInExtent(map.getView().calculateExtent(map.getSize())))
        if (!hidden.has(feature.get('layer') as ObjectKind))
          seen.add(`${String(feature.get('layer'))}${String(feature.getId())}`)
      return seen.size
    },
    suche: async (ort) => {
      const nr = ++asked
      const moving = map.getView().getAnimating()
      const found = moving ? null : searchNow(ort())
      if (found !== null) return found
      if (!moving && !map.getLoadingOrNotReady()) return NOTHING
      await untilDrawn(map)
      return nr === asked && map.getTargetElement() ? (searchNow(ort()) ?? NOTHING) : null
    },
  }
}

const NOTHING: Finding = { objekte: [] }
/** A base map that does not respond must not block searches of the survey. */
const MAX_WAIT_MS = 3000
const untilDrawn = (map: OlMap): Promise<void> =>
  new Promise((resolve) => {
    const end = () => (clearTimeout(timer), map.un('rendercomplete', end), resolve())
    const timer = setTimeout(end, MAX_WAIT_MS)
    map.on('rendercomplete', end)
  })

/** A georeferenced plan on the map. */
export const planLayer = (tile: TilePath, opacity: number): TileLayer<ImageTile> =>
  new TileLayer<ImageTile>({ source: mercatorSource(tile), opacity: opacity, zIndex: 10 })

export type MeasureKind = 'strecke' | 'flaeche'
export interface Measurement {
  readonly art: MeasureKind
  /** Metres or square metres on the ground. */
  readonly wert: number
  readonly fertig: boolean
}
export interface MeasuringTool {
  readonly ende: () => void
  /** Adds a corner at a place of the map, for use without a pointer. */
  readonly addCorner: (ort: Coordinate) => void
  readonly zurueck: () => void
  readonly fertig: () => void
}

/** Metres or square metres on the ellipsoid; plain Web Mercator would be about half too large. */
export function sizeOf(geometry: LineString | Polygon): number {
  const isLine = geometry.getType() === 'LineString'
  const corners = (isLine ? geometry.getCoordinates() : geometry.getCoordinates()[0]) as
    | number[][]
    | undefined
  const places = (corners ?? []).map(([x = 0, y = 0]) => {
    const [lon, lat] = grad(x, y)
    return { lon, lat }
  })
  return isLine ? lengthOf([places]) : hectaresOf(places) * 10_000
}
/** Draws a line or area and reports its size while it grows. */
export function measure(
  map: OlMap,
  art: MeasureKind,
  tell: (measurement: Measurement | null) => void,
): MeasuringTool {
  const source = new VectorSource()
  const look = [
    new Style({ stroke: new Stroke({ color: EDGE, width: 5 }) }),
    new Style({
      stroke: new Stroke({ color: '#111111', width: 2, lineDash: [8, 4] }),
      fill: new Fill({ color: 'rgba(255, 212, 0, 0.25)' }),
      image: new CircleStyle({
        radius: 4,
        fill: new Fill({ color: '#111111' }),
        stroke: new Stroke({ color: EDGE, width: 1.5 }),
      }),
    }),
  ]
  const layer = new VectorLayer({ source, style: look, zIndex: 40 })
  const draw = new Draw({ source, type: art === 'strecke' ? 'LineString' : 'Polygon', style: look })
  draw.on('drawstart', ({ feature }) => {
    source.clear()
    feature
      .getGeometry()
      ?.on('change', ({ target }) =>
        tell({ art, wert: sizeOf(target as LineString | Polygon), fertig: false }),
      )
  })
  draw.on('drawend', ({ feature }) =>
    tell({ art, wert: sizeOf(feature.getGeometry() as LineString | Polygon), fertig: true }),
  )
  map.addLayer(layer)
  map.addInteraction(draw)
  return {
    ende: () => {
      map.removeInteraction(draw)
      map.removeLayer(layer)
      tell(null)
    },
    addCorner: (ort) => draw.appendCoordinates([ort]),
    zurueck: () => draw.removeLastPoint(),
    fertig: () => draw.finishDrawing(),
  }
}
