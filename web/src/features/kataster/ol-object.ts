// One survey object on its own map, with the rest of the survey around it; its points can be dragged, a point
// also set by a click or by Enter in the middle. Loaded with the map.
import type { Coordinate } from 'ol/coordinate.js'
import Feature from 'ol/Feature.js'
import MultiLineString from 'ol/geom/MultiLineString.js'
import MultiPoint from 'ol/geom/MultiPoint.js'
import Point from 'ol/geom/Point.js'
import Modify from 'ol/interaction/Modify.js'
import VectorLayer from 'ol/layer/Vector.js'
import VectorTileLayer from 'ol/layer/VectorTile.js'
import type OlMap from 'ol/Map.js'
import { unByKey } from 'ol/Observable.js'
import VectorSource from 'ol/source/Vector.js'
import CircleStyle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import { grad, mercator } from '../../karte/mercator.ts'
import { vermessungSource } from '../../karte/ol-vermessung.ts'
import type { Parts } from '../../karte/survey-place.ts'
import { CHOSEN, EDGE } from './signs.ts'

export interface ObjectLayer {
  readonly show: (parts: Parts) => void
  /** Sets a point into the middle of the map. */
  readonly center: () => void
  readonly dispose: () => void
}
export interface ObjectLayerOptions {
  readonly kunde: number
  readonly isLine: boolean
  /** Left out for a map to look at. */
  readonly onPlace?: (parts: Parts) => void
}

const OTHERS = '#6b6f66'
const others = new Style({
  stroke: new Stroke({ color: OTHERS, width: 1.5 }),
  image: new CircleStyle({ radius: 4, fill: new Fill({ color: OTHERS }) }),
})
const own = [
  new Style({ stroke: new Stroke({ color: EDGE, width: 8 }) }),
  new Style({
    stroke: new Stroke({ color: CHOSEN, width: 4 }),
    image: new CircleStyle({
      radius: 9,
      fill: new Fill({ color: CHOSEN }),
      stroke: new Stroke({ color: EDGE, width: 3 }),
    }),
  }),
]
/** The points that can be dragged. */
const corners = new Style({
  geometry: (feature) => {
    const geometry = feature.getGeometry()
    return geometry instanceof MultiLineString ? new MultiPoint(geometry.getCoordinates().flat()) : undefined
  },
  image: new CircleStyle({
    radius: 6,
    fill: new Fill({ color: EDGE }),
    stroke: new Stroke({ color: CHOSEN, width: 3 }),
  }),
})
const degreesOf = ([x = 0, y = 0]: Coordinate) => {
  const [lon, lat] = grad(x, y)
  return { lon, lat }
}

export function objectLayer(map: OlMap, { kunde, isLine, onPlace }: ObjectLayerOptions): ObjectLayer {
  const around = new VectorTileLayer({ source: vermessungSource(kunde, {}), style: others, zIndex: 10 })
  const source = new VectorSource<Feature<Point | MultiLineString>>()
  const style = onPlace === undefined ? own : [...own, corners]
  const layer = new VectorLayer({ source, style, zIndex: 30 })
  map.addLayer(around)
  map.addLayer(layer)
  const told = () => {
    const geometry = source.getFeatures()[0]?.getGeometry()
    if (geometry instanceof Point) onPlace?.([[degreesOf(geometry.getCoordinates())]])
    else if (geometry !== undefined)
      onPlace?.(geometry.getCoordinates().map((part) => part.map((one) => degreesOf(one))))
  }
  const modify = onPlace === undefined ? null : new Modify({ source, pixelTolerance: 12 })
  modify?.on('modifyend', told)
  if (modify !== null) map.addInteraction(modify)
  const put = (place: Coordinate) => onPlace?.([[degreesOf(place)]])
  const centre = () => {
    const middle = map.getView().getCenter()
    if (middle !== undefined) put(middle)
  }
  const isSet = onPlace !== undefined && !isLine
  const target = map.getTargetElement()
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isSet) return
    event.preventDefault()
    centre()
  }
  target?.addEventListener('keydown', onKey)
  const listening = isSet ? map.on('singleclick', ({ coordinate }) => put(coordinate)) : null
  return {
    show: (parts) => {
      source.clear()
      const lines = parts.map((part) => part.map(({ lon, lat }) => mercator(lon, lat)))
      const [first] = lines[0] ?? []
      if (first === undefined) return
      const made = isLine ? new MultiLineString(lines) : new Point(first)
      source.addFeature(new Feature<Point | MultiLineString>(made))
    },
    center: centre,
    dispose: () => {
      target?.removeEventListener('keydown', onKey)
      if (listening !== null) unByKey(listening)
      if (modify !== null) map.removeInteraction(modify)
      map.removeLayer(layer)
      map.removeLayer(around)
    },
  }
}
