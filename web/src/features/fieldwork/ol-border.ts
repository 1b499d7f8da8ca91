// A border being walked on the field map: its track, the area that it encloses, and where it crosses itself. Loaded
// together with the map.
import Feature from 'ol/Feature.js'
import type Geometry from 'ol/geom/Geometry.js'
import MultiLineString from 'ol/geom/MultiLineString.js'
import MultiPolygon from 'ol/geom/MultiPolygon.js'
import Point from 'ol/geom/Point.js'
import VectorLayer from 'ol/layer/Vector.js'
import type OlMap from 'ol/Map.js'
import VectorSource from 'ol/source/Vector.js'
import Circle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import RegularShape from 'ol/style/RegularShape.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import { type Degrees, mercator } from '../../karte/mercator.ts'

export interface BorderLayers {
  readonly track: (points: readonly Degrees[]) => void
  /** `ring` is not closed; empty for none. */
  readonly area: (ring: readonly Degrees[], crossings: readonly Degrees[]) => void
  readonly fit: () => void
  readonly dispose: () => void
}
const [WALKED, LIGHT, WRONG] = ['#e85d00', '#ffffff', '#b3261e']
const styles: Readonly<Record<string, Style[]>> = {
  spur: [
    new Style({ stroke: new Stroke({ color: LIGHT!, width: 6 }) }),
    new Style({ stroke: new Stroke({ color: WALKED!, width: 3 }) }),
  ],
  enden: [
    new Style({
      image: new Circle({
        radius: 6,
        fill: new Fill({ color: WALKED! }),
        stroke: new Stroke({ color: LIGHT!, width: 2 }),
      }),
    }),
  ],
  flaeche: [
    new Style({
      fill: new Fill({ color: 'rgba(232, 93, 0, 0.22)' }),
      stroke: new Stroke({ color: WALKED!, width: 2.5, lineDash: [8, 5] }),
    }),
  ],
  kreuzung: [
    new Style({
      image: new RegularShape({
        points: 4,
        radius: 13,
        radius2: 3,
        angle: Math.PI / 4,
        fill: new Fill({ color: WRONG! }),
        stroke: new Stroke({ color: LIGHT!, width: 2 }),
      }),
      zIndex: 3,
    }),
  ],
}

const at = ({ lon, lat }: Degrees) => mercator(lon, lat)
export function borderLayers(map: OlMap): BorderLayers {
  const source = new VectorSource<Feature>()
  const layer = new VectorLayer({
    source,
    zIndex: 34,
    style: (feature) => styles[String(feature.get('art'))],
  })
  map.addLayer(layer)
  const put = (name: string, geometries: readonly Geometry[]) => {
    source.removeFeatures(source.getFeatures().filter((known) => known.get('art') === name))
    source.addFeatures(
      geometries.map((geometry) => {
        const feature = new Feature(geometry)
        feature.set('art', name, true)
        return feature
      }),
    )
  }
  const fit = () => {
    const extent = source.getExtent()
    if (extent !== null && Number.isFinite(extent[0]))
      map.getView().fit(extent, { padding: [40, 60, 40, 40], maxZoom: 19 })
  }
  return {
    track: (points) => {
      put('spur', points.length < 2 ? [] : [new MultiLineString([points.map(at)])])
      const ends = points.length === 0 ? [] : [points[0]!, points.at(-1)!]
      put(
        'enden',
        ends.map((place) => new Point(at(place))),
      )
    },
    area: (ring, crossings) => {
      put('flaeche', ring.length < 3 ? [] : [new MultiPolygon([[[...ring, ring[0]!].map(at)]])])
      put(
        'kreuzung',
        crossings.map((place) => new Point(at(place))),
      )
    },
    fit: () => {
      fit()
      // The board below grows with the figures, and the map shrinks.
      map.once('change:size', fit)
    },
    dispose: () => {
      map.un('change:size', fit)
      map.removeLayer(layer)
    },
  }
}
