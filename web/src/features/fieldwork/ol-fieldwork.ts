// Contents of the field map, all from the device's storage: saved base map, stands with addresses, trees, own
// position. Loaded together with the map.
import type { Coordinate } from 'ol/coordinate.js'
import Feature from 'ol/Feature.js'
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
import Text from 'ol/style/Text.js'
import type { Outline } from '#contract/bestand.ts'
import { mercator } from '../../karte/mercator.ts'
import type { Place } from './gnss.ts'
import type { TreePoint } from './tree-point.ts'
import type { TileCoord } from './packet-extent.ts'

export interface FieldworkLayers {
  /** Tiles come from `kachel`; null if no base map was saved. */
  readonly grund: (
    karte: { min: number; max: number; kachel: (ort: TileCoord) => Promise<Blob | null> } | null,
  ) => void
  readonly bestaende: (umrisse: readonly Outline[], textOf: (id: number) => string) => void
  readonly baeume: (punkte: readonly TreePoint[]) => void
  /** `following`: the map stays centred on it. */
  readonly ort: (ort: Place | null, alt: boolean, following: boolean) => void
  readonly gewaehlt: (kennung: string | null) => void
  readonly panTo: (ort: readonly [x: number, y: number]) => void
  /** Also zooms in from far away. */
  readonly panToMe: (ort: Place) => void
  readonly dispose: () => void
}
export interface MapCallbacks {
  readonly baum: (kennung: string | null) => void
  /** The person moved the map by hand. */
  readonly dragged: () => void
  readonly viewport: (middlePoint: readonly [number, number], aufloesung: number) => void
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

export function fieldworkLayers(map: OlMap, { baum, dragged, viewport }: MapCallbacks): FieldworkLayers {
  const view = map.getView()
  const ground = map.getLayers().item(0) as TileLayer<ImageTile>

  const stands = new VectorSource<Feature<MultiPolygon>>()
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
      source: stands,
      zIndex: 10,
      declutter: true,
      style: (feature, resolution) =>
        resolution > BESTAND_BELOW
          ? edge
          : [
              ...edge,
              new Style({
                text: new Text({
                  text: textOf(Number(feature.getId())),
                  overflow: true,
                  font: '700 14px system-ui, sans-serif',
                  fill: new Fill({ color: DARK }),
                  stroke: new Stroke({ color: LIGHT, width: 4 }),
                }),
              }),
            ],
    }),
  )

  const trees = new VectorSource<Feature<Point>>()
  const dots = COLOURS.map(
    (color) => new Circle({ radius: 8, fill: new Fill({ color }), stroke: whiteStroke(2.5) }),
  )
  const far = COLOURS.map(
    (color) => new Circle({ radius: 4.5, fill: new Fill({ color }), stroke: whiteStroke(1) }),
  )
  // A different shape, not just a colour: untransferred trees are squares standing on a corner.
  const own = (color: string) =>
    new RegularShape({ points: 4, radius: 12, fill: new Fill({ color }), stroke: whiteStroke(2.5) })
  const [waits, argued] = [own(OWN_COLOR), own(CONFLICT_COLOR)]
  const ring = new Circle({
    radius: 16,
    stroke: new Stroke({ color: DARK, width: 3 }),
    fill: new Fill({ color: 'rgba(255, 255, 255, 0.5)' }),
  })
  let chosen: string | null = null
  const kept = new Map<string, Style>()
  const plain = ({ art, stand }: TreePoint, shown: boolean, resolution: number): Style => {
    const small = resolution > SMALL_ABOVE
    const key = `${art} ${stand} ${shown} ${small}`
    const known = kept.get(key)
    if (known) return known
    const made = shown
      ? new Style({ image: ring })
      : new Style({
          image: stand === null ? (small ? far : dots)[art]! : stand === 'wartet' ? waits : argued,
          zIndex: stand === null ? 1 : 2,
        })
    kept.set(key, made)
    return made
  }
  const treeLayer = new VectorLayer({
    source: trees,
    zIndex: 30,
    style: (feature, resolution) => {
      const punkt = feature.get('punkt') as TreePoint
      const dot = plain(punkt, false, resolution)
      const styles = punkt.kennung === chosen ? [plain(punkt, true, resolution), dot] : [dot]
      if (resolution < NUMBER_BELOW && punkt.nummer !== '')
        styles.push(
          new Style({
            text: new Text({
              text: punkt.nummer,
              offsetY: punkt.kennung === chosen ? -27 : -18,
              font: '700 13px system-ui, sans-serif',
              fill: new Fill({ color: DARK }),
              stroke: new Stroke({ color: LIGHT, width: 4 }),
            }),
          }),
        )
      return styles
    },
  })
  map.addLayer(treeLayer)

  const place = new VectorSource<Feature<Point | CircleGeometry>>()
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
  const [fresh, stale] = [placeStyles(false), placeStyles(true)]
  map.addLayer(
    new VectorLayer({
      source: place,
      zIndex: 40,
      style: (feature) =>
        (feature.get('alt') === true ? stale : fresh)[
          feature.getGeometry() instanceof CircleGeometry ? 'kreis' : 'punkt'
        ],
    }),
  )

  const at = (pixel: number[]) =>
    (
      map
        .getFeaturesAtPixel(pixel, { hitTolerance: 14, layerFilter: (layer) => layer === treeLayer })[0]
        ?.get('punkt') as TreePoint | undefined
    )?.kennung ?? null
  const target = map.getTargetElement()
  const onKey = (event: KeyboardEvent) => {
    const middle = view.getCenter()
    if (event.key.startsWith('Arrow')) dragged()
    if (event.key !== 'Enter' || !middle) return
    event.preventDefault()
    baum(
      (trees.getClosestFeatureToCoordinate(middle)?.get('punkt') as TreePoint | undefined)?.kennung ?? null,
    )
  }
  target?.addEventListener('keydown', onKey)
  const listening = [
    map.on('pointerdrag', dragged),
    map.on('singleclick', ({ pixel }) => baum(at(pixel))),
    map.on('moveend', () => {
      const [x, y] = view.getCenter() ?? []
      const resolution = view.getResolution()
      if (x !== undefined && y !== undefined && resolution !== undefined) viewport([x, y], resolution)
    }),
  ]
  const nach = (center: Coordinate, closest?: number) => {
    const resolution = view.getResolution() ?? 1
    view.animate({
      center,
      ...(closest !== undefined && resolution > closest && { resolution: closest }),
      duration: 250,
    })
  }
  return {
    grund: (karte) => {
      ground.setSource(
        karte === null
          ? null
          : new ImageTile({
              loader: async (z, x, y) => bild(await karte.kachel({ z, x, y })),
              minZoom: karte.min,
              maxZoom: karte.max,
              wrapX: false,
              transition: 0,
            }),
      )
    },
    bestaende: (umrisse, named) => {
      textOf = named
      stands.clear(true)
      stands.addFeatures(
        umrisse.map(([id, areas]) => {
          const feature = new Feature(new MultiPolygon(areas))
          feature.setId(id)
          return feature
        }),
      )
    },
    baeume: (punkte) => {
      trees.clear(true)
      trees.addFeatures(
        punkte.map((punkt) => {
          const feature = new Feature(new Point([punkt.x, punkt.y]))
          feature.set('punkt', punkt, true)
          return feature
        }),
      )
    },
    ort: (ort, alt, following) => {
      place.clear(true)
      if (ort === null) return place.changed()
      const center = mercator(ort.lon, ort.lat)
      const both = [
        new Feature<Point | CircleGeometry>(
          new CircleGeometry(center, ort.accuracy / getPointResolution('EPSG:3857', 1, center)),
        ),
        new Feature<Point | CircleGeometry>(new Point(center)),
      ]
      for (const feature of both) feature.set('alt', alt, true)
      place.addFeatures(both)
      if (following && !view.getInteracting()) nach(center)
      return undefined
    },
    gewaehlt: (kennung) => {
      chosen = kennung
      treeLayer.changed()
    },
    panTo: ([x, y]) => nach([x, y], 0.4),
    panToMe: ({ lon, lat }) => nach(mercator(lon, lat), NEAR_RESOLUTION),
    dispose: () => {
      target?.removeEventListener('keydown', onKey)
      for (const key of listening) unByKey(key)
    },
  }
}

/** Without a saved tile nothing is drawn. */
async function bild(blob: Blob | null): Promise<ImageBitmap | HTMLCanvasElement> {
  if (blob !== null) {
    try {
      return await createImageBitmap(blob)
    } catch {
      // Unreadable: treated as not saved.
    }
  }
  const empty = document.createElement('canvas')
  empty.width = 256
  empty.height = 256
  return empty
}
