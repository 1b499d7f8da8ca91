// Trees on the map: clusters, a single tree with its accuracy, and stand outlines beneath. Loaded together
// with the map.
import Feature, { type FeatureLike } from 'ol/Feature.js'
import CircleGeometry from 'ol/geom/Circle.js'
import MultiPolygon from 'ol/geom/MultiPolygon.js'
import Point from 'ol/geom/Point.js'
import VectorLayer from 'ol/layer/Vector.js'
import type OlMap from 'ol/Map.js'
import { unByKey } from 'ol/Observable.js'
import { getPointResolution } from 'ol/proj.js'
import VectorSource from 'ol/source/Vector.js'
import Circle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import type { Outline } from '#contract/bestand.ts'
import { grad } from '../../karte/mercator.ts'
import { type Heap, type Box, type Level, levelOf } from './heaps.ts'

/**
 * Indexed by the number from the database: alive, dead, candidate, lost. Each symbol has a white rim, for
 * light and dark backgrounds.
 */
export const COLOURS = ['#2f7d32', '#8a5a2b', '#1f6fb2', '#8b8b86'] as const

function outlineLayer(map: OlMap) {
  const source = new VectorSource<Feature<MultiPolygon>>()
  const layer = new VectorLayer({
    source,
    zIndex: 10,
    style: new Style({
      fill: new Fill({ color: 'rgba(86, 130, 60, 0.08)' }),
      stroke: new Stroke({ color: 'rgba(86, 110, 70, 0.75)', width: 1 }),
    }),
  })
  map.addLayer(layer)
  return (outlines: readonly Outline[]) => {
    source.clear()
    source.addFeatures(outlines.map(([, areas]) => new Feature(new MultiPolygon(areas))))
  }
}

export interface PlaceLayer {
  readonly umrisse: (outlines: readonly Outline[]) => void
  readonly show: (ort: readonly [x: number, y: number] | null, accuracy: number) => void
  /** Sets the tree to the centre of the map. */
  readonly center: () => void
  readonly dispose: () => void
}

const ACCURACY = new Style({
  fill: new Fill({ color: 'rgba(31, 111, 178, 0.15)' }),
  stroke: new Stroke({ color: '#1f6fb2', width: 1 }),
})
const PLACE = new Style({
  image: new Circle({
    radius: 8,
    fill: new Fill({ color: COLOURS[0] }),
    stroke: new Stroke({ color: '#ffffff', width: 3 }),
  }),
})

export function placeLayer(
  map: OlMap,
  setPoint: ((ort: { lon: number; lat: number }) => void) | null,
): PlaceLayer {
  const outlines = outlineLayer(map)
  const source = new VectorSource<Feature<Point | CircleGeometry>>()
  map.addLayer(
    new VectorLayer({
      source,
      zIndex: 30,
      style: (feature) => (feature.get('kreis') === true ? ACCURACY : PLACE),
    }),
  )
  const put = ([x = 0, y = 0]: readonly number[]) => {
    const [lon, lat] = grad(x, y)
    setPoint?.({ lon: Math.round(lon * 1e7) / 1e7, lat: Math.round(lat * 1e7) / 1e7 })
  }
  const centre = () => {
    const middle = map.getView().getCenter()
    if (middle) put(middle)
  }
  const target = map.getTargetElement()
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || setPoint === null) return
    event.preventDefault()
    centre()
  }
  target?.addEventListener('keydown', onKey)
  const listening = setPoint === null ? null : map.on('singleclick', ({ coordinate }) => put(coordinate))
  return {
    umrisse: outlines,
    show: (ort, accuracy) => {
      source.clear()
      if (ort === null) return
      const place = [...ort]
      if (accuracy > 0) {
        const circle = new Feature<Point | CircleGeometry>(
          new CircleGeometry(place, accuracy / getPointResolution('EPSG:3857', 1, place)),
        )
        circle.set('kreis', true)
        source.addFeature(circle)
      }
      source.addFeature(new Feature<Point | CircleGeometry>(new Point(place)))
      // Bring a place typed or set elsewhere into view.
      const view = map.getView()
      const [west = 0, south = 0, east = 0, north = 0] = map.getSize()
        ? view.calculateExtent(map.getSize())
        : [0, 0, 0, 0]
      if (east > west && (ort[0] < west || ort[0] > east || ort[1] < south || ort[1] > north))
        view.setCenter(place)
    },
    center: centre,
    dispose: () => {
      target?.removeEventListener('keydown', onKey)
      if (listening !== null) unByKey(listening)
    },
  }
}

export interface TreeLayer {
  readonly umrisse: (outlines: readonly Outline[]) => void
  readonly show: (haufen: readonly Heap[]) => void
  readonly fitTo: (box: Box) => void
  readonly dispose: () => void
}
export interface TreeLayerOptions {
  /** A tree was selected: by click, or with Enter the one nearest the centre. */
  readonly pick: (id: number) => void
  /** The visible area, whenever the map comes to rest. */
  readonly viewport: (box: Box, level: Level) => void
  /** How many symbols are visible. */
  readonly zeichen: (count: number) => void
}

const heapRadius = (n: number): number => Math.min(26, 11 + 3 * Math.log10(n))

/** A single tree by its number, a cluster by its count: cached, so that dragging the map creates none. */
function treeStyles(): (heap: Heap) => Style | undefined {
  const singles = COLOURS.map(
    (color) =>
      new Style({
        image: new Circle({
          radius: 6,
          fill: new Fill({ color }),
          stroke: new Stroke({ color: '#ffffff', width: 2 }),
        }),
      }),
  )
  const heaps = new Map<number, Style>()
  const heapStyle = (n: number): Style => {
    const known = heaps.get(n)
    if (known !== undefined) return known
    const made = new Style({
      image: new Circle({
        radius: heapRadius(n),
        fill: new Fill({ color: 'rgba(30, 84, 40, 0.9)' }),
        stroke: new Stroke({ color: '#ffffff', width: 2 }),
      }),
      text: new Text({
        text: n.toLocaleString('de'),
        font: '600 11px "Source Sans", system-ui, sans-serif',
        fill: new Fill({ color: '#ffffff' }),
      }),
    })
    heaps.set(n, made)
    return made
  }
  return ({ anzahl, zeichen }) => (anzahl === 1 ? singles[zeichen] : heapStyle(anzahl))
}

const heapOf = (feature: FeatureLike | null | undefined): Heap | undefined =>
  feature?.get('haufen') as Heap | undefined

/** The visible area; null while the map has no size. */
function visibleBox(map: OlMap): Box | null {
  const size = map.getSize()
  if (!size) return null
  const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(size)
  return [west, south, east, north]
}

export function treeLayer(map: OlMap, options: TreeLayerOptions): TreeLayer {
  const outlines = outlineLayer(map)
  const source = new VectorSource<Feature<Point>>()
  const styleOf = treeStyles()
  const layer = new VectorLayer({
    source,
    zIndex: 30,
    style: (feature) => styleOf(feature.get('haufen') as Heap),
  })
  map.addLayer(layer)
  const count = () => {
    const seen = visibleBox(map)
    if (seen !== null) options.zeichen(source.getFeaturesInExtent([...seen]).length)
  }
  const look = () => {
    const [seen, resolution] = [visibleBox(map), map.getView().getResolution()]
    if (seen === null || resolution === undefined) return
    options.viewport(seen, levelOf(resolution))
    count()
  }
  const fitTo: TreeLayer['fitTo'] = ([west, south, east, north]) =>
    map.getView().fit([west, south, east, north], { padding: [48, 48, 48, 48], maxZoom: 20, duration: 250 })
  const open = (heap: Heap | undefined) => {
    if (heap === undefined) return
    const [west, south, east, north] = heap.kasten
    // Trees at the same place never separate by zooming.
    if (heap.anzahl === 1 || (east - west < 0.2 && north - south < 0.2)) options.pick(heap.id)
    else fitTo(heap.kasten)
  }
  const dispose = listen(map, layer, { look, open })
  // The map may already be at rest.
  look()
  return {
    umrisse: outlines,
    show: (heaps) => {
      source.clear(true)
      source.addFeatures(
        heaps.map((heap) => {
          const [west, south, east, north] = heap.kasten
          const feature = new Feature(new Point([(west + east) / 2, (south + north) / 2]))
          feature.set('haufen', heap, true)
          return feature
        }),
      )
      count()
    },
    fitTo,
    dispose,
  }
}

interface TreeCallbacks {
  /** The map comes to rest. */
  readonly look: () => void
  readonly open: (heap: Heap | undefined) => void
}
/** Clicks, keys and the pointer; returns what ends them. */
function listen(
  map: OlMap,
  layer: VectorLayer<VectorSource<Feature<Point>>>,
  { look, open }: TreeCallbacks,
): () => void {
  const layerFilter = (one: unknown) => one === layer
  const onKey = (event: KeyboardEvent) => {
    const middle = map.getView().getCenter()
    if (event.key !== 'Enter' || !middle) return
    event.preventDefault()
    open(heapOf(layer.getSource()?.getClosestFeatureToCoordinate(middle)))
  }
  const target = map.getTargetElement()
  target?.addEventListener('keydown', onKey)
  const listening = [
    map.on('moveend', look),
    map.on('singleclick', ({ pixel }) =>
      open(heapOf(map.getFeaturesAtPixel(pixel, { hitTolerance: 8, layerFilter })[0])),
    ),
    map.on('pointermove', ({ pixel, dragging }) => {
      if (dragging || !target) return
      const isOver = map.hasFeatureAtPixel(pixel, { hitTolerance: 4, layerFilter })
      target.style.cursor = isOver ? 'pointer' : ''
    }),
  ]
  return () => {
    target?.removeEventListener('keydown', onKey)
    for (const key of listening) unByKey(key)
  }
}
