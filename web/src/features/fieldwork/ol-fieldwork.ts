// Contents of the field map, all from the device's storage: saved base map, stands with addresses, trees, own
// position. Loaded together with the map.
import type { Coordinate } from 'ol/coordinate.js'
import Feature, { type FeatureLike } from 'ol/Feature.js'
import CircleGeometry from 'ol/geom/Circle.js'
import MultiPolygon from 'ol/geom/MultiPolygon.js'
import Point from 'ol/geom/Point.js'
import TileLayer from 'ol/layer/Tile.js'
import VectorLayer from 'ol/layer/Vector.js'
import type OlMap from 'ol/Map.js'
import { unByKey } from 'ol/Observable.js'
import { getPointResolution } from 'ol/proj.js'
import ImageTile from 'ol/source/ImageTile.js'
import VectorSource from 'ol/source/Vector.js'
import Circle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import RegularShape from 'ol/style/RegularShape.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text, { type Options as TextOptions } from 'ol/style/Text.js'
import type { Outline } from '#contract/bestand.ts'
import { mercator } from '../../karte/mercator.ts'
import { PARTIAL } from '../../karte/ol-sources.ts'
import type { Place } from './gnss.ts'
import type { TreePoint } from './tree-point.ts'
import { type FoundTile, tileOrCoarser } from './coarser-tile.ts'
import type { TileCoord } from './packet-extent.ts'

/** The base map on this device: its levels and its tiles. */
export interface SavedMap {
  readonly min: number
  readonly max: number
  readonly isVector: boolean
  readonly kachel: (ort: TileCoord) => Promise<Blob | null>
}
export interface FieldworkLayers {
  /** Null if no base map was saved. */
  readonly grund: (karte: SavedMap | null) => void
  readonly bestaende: (outlines: readonly Outline[], textOf: (id: number) => string) => void
  readonly baeume: (points: readonly TreePoint[]) => void
  /** `following`: the map stays centred on it. */
  readonly ort: (ort: Place | null, alt: boolean, following: boolean) => void
  readonly gewaehlt: (identifier: string | null) => void
  readonly panTo: (ort: readonly [x: number, y: number]) => void
  /** Also zooms in from far away. */
  readonly panToMe: (ort: Place) => void
  readonly dispose: () => void
}
export interface MapCallbacks {
  readonly baum: (identifier: string | null) => void
  /** The person moved the map by hand. */
  readonly dragged: () => void
  readonly viewport: (middlePoint: readonly [number, number], resolution: number) => void
}

/** Readable in sunlight: dark outlines on light and light ones on dark. */
const DARK = '#10240a'
const LIGHT = '#ffffff'
const COLOURS = ['#2f7d32', '#8a5a2b', '#1f6fb2', '#6b6b66'] as const
const OWN_COLOR = '#e85d00'
const CONFLICT_COLOR = '#b3261e'
/** Stands and trees are labelled below this many metres per pixel. */
const BESTAND_BELOW = 6
const NUMBER_BELOW = 0.6
/** Above this, trees are small dots that leave the stands visible. */
const SMALL_ABOVE = 8
/** How close the map zooms in on the person. */
const NEAR_RESOLUTION = 1

const whiteStroke = (width: number) => new Stroke({ color: LIGHT, width })

/** Everything on the map, and what the person does with it. */
export function fieldworkLayers(map: OlMap, callbacks: MapCallbacks): FieldworkLayers {
  const view = map.getView()
  const ground = map.getLayers().item(0) as TileLayer<ImageTile>
  const stands = standLayer(map)
  const trees = treeLayer(map)
  const place = placeLayer(map)
  const moveTo = (centre: Coordinate, closest?: number) => {
    const resolution = view.getResolution() ?? 1
    view.animate({
      center: centre,
      ...(closest !== undefined && resolution > closest && { resolution: closest }),
      duration: 250,
    })
  }
  return {
    grund: savedMapLayer(map, ground),
    bestaende: stands.show,
    baeume: trees.show,
    ort: (ort, alt, following) => {
      const centre = place.show(ort, alt)
      if (centre !== null && following && !view.getInteracting()) moveTo(centre)
    },
    gewaehlt: trees.choose,
    panTo: ([x, y]) => moveTo([x, y], 0.4),
    panToMe: ({ lon, lat }) => moveTo(mercator(lon, lat), NEAR_RESOLUTION),
    dispose: listen(map, trees, callbacks),
  }
}

/** Pictures go into the layer that is always there; vector tiles bring one, with the code that draws them. */
function savedMapLayer(map: OlMap, pictures: TileLayer<ImageTile>): FieldworkLayers['grund'] {
  let remove = () => {}
  let wanted: SavedMap | null = null
  return (karte) => {
    remove()
    remove = () => {}
    wanted = karte
    pictures.setSource(karte === null || karte.isVector ? null : savedTiles(karte))
    if (karte?.isVector !== true) return
    void import('../../karte/ol-vector-map.ts').then(({ vectorMapLayer }) => {
      const target = map.getTargetElement()
      if (wanted !== karte || !target) return
      const { min, max, kachel } = karte
      const { layer, dispose } = vectorMapLayer(target, { min, max, partial: true, tileAt: kachel })
      map.addLayer(layer)
      remove = () => {
        dispose()
        map.removeLayer(layer)
      }
    })
  }
}

function savedTiles({ min, max, kachel }: SavedMap): ImageTile {
  const source = new ImageTile({
    loader: async (z, x, y) => pictureOf(await tileOrCoarser({ z, x, y }, min, kachel)),
    minZoom: min,
    maxZoom: max,
    wrapX: false,
    transition: 0,
  })
  source.set(PARTIAL, true)
  return source
}

/** Clicks, keys and moves; returns what ends them. */
function listen(map: OlMap, trees: Trees, { baum, dragged, viewport }: MapCallbacks): () => void {
  const view = map.getView()
  const target = map.getTargetElement()
  const onKey = (event: KeyboardEvent) => {
    const middle = view.getCenter()
    if (event.key.startsWith('Arrow')) dragged()
    if (event.key !== 'Enter' || !middle) return
    event.preventDefault()
    baum(trees.closest(middle))
  }
  target?.addEventListener('keydown', onKey)
  const listening = [
    map.on('pointerdrag', dragged),
    map.on('singleclick', ({ pixel }) => baum(trees.at(pixel))),
    map.on('moveend', () => {
      const [x, y] = view.getCenter() ?? []
      const resolution = view.getResolution()
      if (x !== undefined && y !== undefined && resolution !== undefined) viewport([x, y], resolution)
    }),
  ]
  return () => {
    target?.removeEventListener('keydown', onKey)
    for (const key of listening) unByKey(key)
  }
}

const label = (text: string, size: number, more: Partial<TextOptions> = {}): Text =>
  new Text({
    text,
    font: `700 ${size}px "Source Sans", system-ui, sans-serif`,
    fill: new Fill({ color: DARK }),
    stroke: new Stroke({ color: LIGHT, width: 4 }),
    ...more,
  })

function standLayer(map: OlMap): { readonly show: FieldworkLayers['bestaende'] } {
  const source = new VectorSource<Feature<MultiPolygon>>()
  let textOf: (id: number) => string = () => ''
  const edge = [
    new Style({
      stroke: new Stroke({ color: 'rgba(255, 255, 255, 0.85)', width: 4 }),
      fill: new Fill({ color: 'rgba(86, 130, 60, 0.10)' }),
    }),
    new Style({ stroke: new Stroke({ color: DARK, width: 1.8 }) }),
  ]
  map.addLayer(
    new VectorLayer({
      source,
      zIndex: 10,
      declutter: true,
      style: (feature, resolution) =>
        resolution > BESTAND_BELOW
          ? edge
          : [...edge, new Style({ text: label(textOf(Number(feature.getId())), 14, { overflow: true }) })],
    }),
  )
  return {
    show: (outlines, named) => {
      textOf = named
      source.clear(true)
      source.addFeatures(
        outlines.map(([id, areas]) => {
          const feature = new Feature(new MultiPolygon(areas))
          feature.setId(id)
          return feature
        }),
      )
    },
  }
}

interface Trees {
  readonly show: FieldworkLayers['baeume']
  readonly choose: FieldworkLayers['gewaehlt']
  /** The tree at a pixel. */
  readonly at: (pixel: number[]) => string | null
  readonly closest: (place: Coordinate) => string | null
}
function treeLayer(map: OlMap): Trees {
  const source = new VectorSource<Feature<Point>>()
  const signOf = treeSigns()
  let chosen: string | null = null
  const layer = new VectorLayer({
    source,
    zIndex: 30,
    style: (feature, resolution) => {
      const point = feature.get('punkt') as TreePoint
      const isChosen = point.kennung === chosen
      const dot = signOf(point, false, resolution)
      const styles = isChosen ? [signOf(point, true, resolution), dot] : [dot]
      if (resolution < NUMBER_BELOW && point.nummer !== '')
        styles.push(new Style({ text: label(point.nummer, 13, { offsetY: isChosen ? -27 : -18 }) }))
      return styles
    },
  })
  map.addLayer(layer)
  const treeIdOf = (feature: FeatureLike | null | undefined): string | null =>
    (feature?.get('punkt') as TreePoint | undefined)?.kennung ?? null
  return {
    show: (points) => {
      source.clear(true)
      source.addFeatures(
        points.map((point) => {
          const feature = new Feature(new Point([point.x, point.y]))
          feature.set('punkt', point, true)
          return feature
        }),
      )
    },
    choose: (identifier) => {
      chosen = identifier
      layer.changed()
    },
    at: (pixel) =>
      treeIdOf(
        map.getFeaturesAtPixel(pixel, { hitTolerance: 14, layerFilter: (other) => other === layer })[0],
      ),
    closest: (place) => treeIdOf(source.getClosestFeatureToCoordinate(place)),
  }
}

/** The sign of a tree, or the ring around a chosen one. Cached per look. */
function treeSigns(): (tree: TreePoint, isRing: boolean, resolution: number) => Style {
  const dots = (radius: number, edge: number) =>
    COLOURS.map((color) => new Circle({ radius, fill: new Fill({ color }), stroke: whiteStroke(edge) }))
  const [near, far] = [dots(8, 2.5), dots(4.5, 1)]
  // A different shape, not just a colour: untransferred trees are squares standing on a corner.
  const own = (color: string) =>
    new RegularShape({ points: 4, radius: 12, fill: new Fill({ color }), stroke: whiteStroke(2.5) })
  const [waits, argued] = [own(OWN_COLOR), own(CONFLICT_COLOR)]
  const ring = new Circle({
    radius: 16,
    stroke: new Stroke({ color: DARK, width: 3 }),
    fill: new Fill({ color: 'rgba(255, 255, 255, 0.5)' }),
  })
  const kept = new Map<string, Style>()
  return ({ art, stand }, isRing, resolution) => {
    const small = resolution > SMALL_ABOVE
    const key = `${art} ${stand} ${isRing} ${small}`
    const known = kept.get(key)
    if (known) return known
    const made = isRing
      ? new Style({ image: ring })
      : new Style({
          image: stand === null ? (small ? far : near)[art]! : stand === 'wartet' ? waits : argued,
          zIndex: stand === null ? 1 : 2,
        })
    kept.set(key, made)
    return made
  }
}

const placeStyles = (old: boolean) => {
  const color = old ? '#6b6b66' : '#0b57d0'
  return {
    punkt: new Style({
      image: new Circle({ radius: 9, fill: new Fill({ color }), stroke: whiteStroke(3) }),
    }),
    kreis: new Style({
      fill: new Fill({ color: old ? 'rgba(107, 107, 102, 0.14)' : 'rgba(11, 87, 208, 0.14)' }),
      stroke: new Stroke({ color, width: 1.5 }),
    }),
  }
}

/** The own position within its accuracy. `show` returns it on the map. */
function placeLayer(map: OlMap): { readonly show: (ort: Place | null, alt: boolean) => Coordinate | null } {
  const source = new VectorSource<Feature<Point | CircleGeometry>>()
  const [fresh, stale] = [placeStyles(false), placeStyles(true)]
  map.addLayer(
    new VectorLayer({
      source,
      zIndex: 40,
      style: (feature) =>
        (feature.get('alt') === true ? stale : fresh)[
          feature.getGeometry() instanceof CircleGeometry ? 'kreis' : 'punkt'
        ],
    }),
  )
  return {
    show: (ort, alt) => {
      source.clear(true)
      if (ort === null) {
        source.changed()
        return null
      }
      const centre = mercator(ort.lon, ort.lat)
      const both = [
        new Feature<Point | CircleGeometry>(
          new CircleGeometry(centre, ort.accuracy / getPointResolution('EPSG:3857', 1, centre)),
        ),
        new Feature<Point | CircleGeometry>(new Point(centre)),
      ]
      for (const feature of both) feature.set('alt', alt, true)
      source.addFeatures(both)
      return centre
    },
  }
}

/** Without a saved tile nothing is drawn. */
async function pictureOf(found: FoundTile | null): Promise<ImageBitmap | HTMLCanvasElement> {
  const canvas = document.createElement('canvas')
  canvas.width = 256
  canvas.height = 256
  if (found === null) return canvas
  const { blob, left, top, side } = found
  try {
    const whole = await createImageBitmap(blob)
    if (side === 1) return whole
    const { width, height } = whole
    canvas.width = width
    canvas.height = height
    canvas
      .getContext('2d')
      ?.drawImage(whole, left * width, top * height, side * width, side * height, 0, 0, width, height)
    whole.close()
  } catch {
    // Unreadable: treated as not saved.
  }
  return canvas
}
