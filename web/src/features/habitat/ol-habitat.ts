// Trees on the map: clusters, a single tree with its accuracy, and stand outlines beneath. Loaded together
// with the map.
import Feature from 'ol/Feature.js'
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
  return (umrisse: readonly Outline[]) => {
    source.clear()
    source.addFeatures(umrisse.map(([, areas]) => new Feature(new MultiPolygon(areas))))
  }
}

export interface PlaceLayer {
  readonly umrisse: (umrisse: readonly Outline[]) => void
  readonly show: (ort: readonly [x: number, y: number] | null, accuracy: number) => void
  /** Sets the tree to the centre of the map. */
  readonly center: () => void
  readonly dispose: () => void
}

export function placeLayer(
  map: OlMap,
  setPoint: ((ort: { lon: number; lat: number }) => void) | null,
): PlaceLayer {
  const umrisse = outlineLayer(map)
  const source = new VectorSource<Feature<Point | CircleGeometry>>()
  map.addLayer(
    new VectorLayer({
      source,
      zIndex: 30,
      style: (feature) =>
        feature.get('kreis') === true
          ? new Style({
              fill: new Fill({ color: 'rgba(31, 111, 178, 0.15)' }),
              stroke: new Stroke({ color: '#1f6fb2', width: 1 }),
            })
          : new Style({
              image: new Circle({
                radius: 8,
                fill: new Fill({ color: COLOURS[0] }),
                stroke: new Stroke({ color: '#ffffff', width: 3 }),
              }),
            }),
    }),
  )
  const put = ([x = 0, y = 0]: readonly number[]) => {
    const [lon, lat] = grad(x, y)
    setPoint?.({ lon: Math.round(lon * 1e7) / 1e7, lat: Math.round(lat * 1e7) / 1e7 })
  }
  const center = () => {
    const middle = map.getView().getCenter()
    if (middle) put(middle)
  }
  const target = map.getTargetElement()
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || setPoint === null) return
    event.preventDefault()
    center()
  }
  target?.addEventListener('keydown', onKey)
  const listening = setPoint === null ? null : map.on('singleclick', ({ coordinate }) => put(coordinate))
  return {
    umrisse,
    show: (ort, accuracy) => {
      source.clear()
      if (ort === null) return
      const place = [...ort]
      if (accuracy > 0) {
        const kreis = new Feature<Point | CircleGeometry>(
          new CircleGeometry(place, accuracy / getPointResolution('EPSG:3857', 1, place)),
        )
        kreis.set('kreis', true)
        source.addFeature(kreis)
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
    center,
    dispose: () => {
      target?.removeEventListener('keydown', onKey)
      if (listening !== null) unByKey(listening)
    },
  }
}

export interface TreeLayer {
  readonly umrisse: (umrisse: readonly Outline[]) => void
  readonly show: (haufen: readonly Heap[]) => void
  readonly fitTo: (kasten: Box) => void
  readonly dispose: () => void
}
export interface TreeLayerOptions {
  /** A tree was selected: by click, or with Enter the one nearest the centre. */
  readonly pick: (id: number) => void
  /** The visible area, whenever the map comes to rest. */
  readonly viewport: (kasten: Box, stufe: Level) => void
  /** How many symbols are visible. */
  readonly zeichen: (anzahl: number) => void
}

const heapRadius = (n: number): number => Math.min(26, 11 + 3 * Math.log10(n))

export function treeLayer(map: OlMap, { pick, viewport, zeichen }: TreeLayerOptions): TreeLayer {
  const umrisse = outlineLayer(map)
  const source = new VectorSource<Feature<Point>>()
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
  // One cached style per number, so that dragging the map creates none.
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
        font: '600 11px system-ui, sans-serif',
        fill: new Fill({ color: '#ffffff' }),
      }),
    })
    heaps.set(n, made)
    return made
  }
  const layer = new VectorLayer({
    source,
    zIndex: 30,
    style: (feature) => {
      const { anzahl, zeichen: nr } = feature.get('haufen') as Heap
      return anzahl === 1 ? singles[nr] : heapStyle(anzahl)
    },
  })
  map.addLayer(layer)
  const sight = (): Box | null => {
    const size = map.getSize()
    if (!size) return null
    const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(size)
    return [west, south, east, north]
  }
  const count = () => {
    const seen = sight()
    if (seen !== null) zeichen(source.getFeaturesInExtent([...seen]).length)
  }
  const look = () => {
    const [seen, resolution] = [sight(), map.getView().getResolution()]
    if (seen === null || resolution === undefined) return
    viewport(seen, levelOf(resolution))
    count()
  }
  const fitTo: TreeLayer['fitTo'] = (kasten) => {
    const [west, south, east, north] = kasten
    map.getView().fit([west, south, east, north], { padding: [48, 48, 48, 48], maxZoom: 20, duration: 250 })
  }
  const open = (feature: Feature<Point> | null | undefined) => {
    const haufen = feature?.get('haufen') as Heap | undefined
    if (haufen === undefined) return
    const [west, south, east, north] = haufen.kasten
    // Trees at the same place never separate by zooming.
    if (haufen.anzahl === 1 || (east - west < 0.2 && north - south < 0.2)) pick(haufen.id)
    else fitTo(haufen.kasten)
  }
  const onKey = (event: KeyboardEvent) => {
    const middle = map.getView().getCenter()
    if (event.key !== 'Enter' || !middle) return
    event.preventDefault()
    open(source.getClosestFeatureToCoordinate(middle))
  }
  const target = map.getTargetElement()
  target?.addEventListener('keydown', onKey)
  const listening = [
    map.on('moveend', look),
    map.on('singleclick', ({ pixel }) => {
      const [found] = map.getFeaturesAtPixel(pixel, { hitTolerance: 8, layerFilter: (one) => one === layer })
      open(found as Feature<Point> | undefined)
    }),
    map.on('pointermove', ({ pixel, dragging }) => {
      if (!dragging && target)
        target.style.cursor = map.hasFeatureAtPixel(pixel, {
          hitTolerance: 4,
          layerFilter: (one) => one === layer,
        })
          ? 'pointer'
          : ''
    }),
  ]
  // The map may already be at rest.
  look()
  return {
    umrisse,
    show: (haufen) => {
      source.clear(true)
      source.addFeatures(
        haufen.map((one) => {
          const [west, south, east, north] = one.kasten
          const feature = new Feature(new Point([(west + east) / 2, (south + north) / 2]))
          feature.set('haufen', one, true)
          return feature
        }),
      )
      count()
    },
    fitTo,
    dispose: () => {
      target?.removeEventListener('keydown', onKey)
      for (const key of listening) unByKey(key)
    },
  }
}
