// Survey objects on the field map: large signs readable in sunlight, kinds by shape, what waits by colour; and the
// line being captured. Loaded together with the map.
import type { Coordinate } from 'ol/coordinate.js'
import Feature, { type FeatureLike } from 'ol/Feature.js'
import MultiLineString from 'ol/geom/MultiLineString.js'
import Point from 'ol/geom/Point.js'
import VectorLayer from 'ol/layer/Vector.js'
import type OlMap from 'ol/Map.js'
import { unByKey } from 'ol/Observable.js'
import VectorSource from 'ol/source/Vector.js'
import Circle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import RegularShape from 'ol/style/RegularShape.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import type { Table } from '#domain/vermessung/fields.ts'
import { mercator } from '../../karte/mercator.ts'
import type { Parts } from '../../karte/survey-place.ts'
import type { SurveyPoint } from './use-survey-points.ts'

export interface SurveyLayers {
  readonly show: (points: readonly SurveyPoint[]) => void
  readonly choose: (identifier: string | null) => void
  /** What is being captured; empty for nothing. */
  readonly draft: (parts: Parts) => void
  readonly dispose: () => void
}

const [DARK, LIGHT, KNOWN, WAITS, ARGUED] = ['#10240a', '#ffffff', '#0b5cad', '#e85d00', '#b3261e']
/** Objects are labelled below this many metres per pixel. */
const LABEL_BELOW = 0.6
const rim = new Stroke({ color: LIGHT, width: 2.5 })

function imageOf(table: Exclude<Table, 'draenage'>, color: string, radius: number) {
  const fill = new Fill({ color })
  switch (table) {
    case 'schacht':
      return new Circle({ radius, fill, stroke: rim })
    case 'ausmuendung':
      return new RegularShape({ points: 3, radius: radius + 2, fill, stroke: rim })
    case 'schlucker':
      return new RegularShape({ points: 4, angle: Math.PI / 4, radius: radius + 2, fill, stroke: rim })
    case 'einlauf':
      return new RegularShape({ points: 4, radius: radius + 2, fill, stroke: rim })
  }
}
const lineOf = (color: string, width: number): Style[] => [
  new Style({ stroke: new Stroke({ color: LIGHT, width: width + 3 }) }),
  new Style({ stroke: new Stroke({ color, width }) }),
]
const colorOf = ({ stand }: SurveyPoint): string =>
  (stand === null ? KNOWN : stand === 'wartet' ? WAITS : ARGUED)!

/** Cached per look. */
function signs(): (point: SurveyPoint, chosen: boolean) => Style[] {
  const kept = new Map<string, Style[]>()
  return (point, chosen) => {
    const key = `${point.tabelle} ${colorOf(point)} ${chosen}`
    const known = kept.get(key)
    if (known) return known
    const { tabelle } = point
    const color = colorOf(point)
    const made =
      tabelle === 'draenage'
        ? lineOf(color, chosen ? 6 : 3)
        : [new Style({ image: imageOf(tabelle, color, chosen ? 12 : 8), zIndex: 2 })]
    kept.set(key, made)
    return made
  }
}
const lineCoordinates = (parts: Parts): Coordinate[][] =>
  parts.map((part) => part.map(({ lon, lat }) => mercator(lon, lat)))

function featureOf(point: SurveyPoint): Feature<Point | MultiLineString> {
  const [[first] = []] = point.parts
  const feature = new Feature<Point | MultiLineString>(
    point.tabelle === 'draenage' || first === undefined
      ? new MultiLineString(lineCoordinates(point.parts))
      : new Point(mercator(first.lon, first.lat)),
  )
  feature.set('objekt', point, true)
  return feature
}

/** `onChoose`: the object that was tapped, or that is closest to the middle when Enter is pressed. */
export function surveyLayers(map: OlMap, onChoose: (identifier: string | null) => void): SurveyLayers {
  const source = new VectorSource<Feature<Point | MultiLineString>>()
  const drawn = new VectorSource<Feature<Point | MultiLineString>>()
  const signOf = signs()
  let chosen: string | null = null
  const layer = new VectorLayer({
    source,
    zIndex: 30,
    style: (feature, resolution) => {
      const point = feature.get('objekt') as SurveyPoint
      const styles = signOf(point, point.kennung === chosen)
      return resolution < LABEL_BELOW && point.tabelle !== 'draenage'
        ? [...styles, new Style({ text: labelOf(point.label) })]
        : [...styles]
    },
  })
  const draftLayer = new VectorLayer({
    source: drawn,
    zIndex: 35,
    style: [...lineOf(WAITS!, 4), new Style({ image: imageOf('schacht', WAITS!, 6) })],
  })
  map.addLayer(layer)
  map.addLayer(draftLayer)
  const idOf = (feature: FeatureLike | null | undefined): string | null =>
    (feature?.get('objekt') as SurveyPoint | undefined)?.kennung ?? null
  const target = map.getTargetElement()
  const onKey = (event: KeyboardEvent) => {
    const middle = map.getView().getCenter()
    if (event.key !== 'Enter' || !middle) return
    event.preventDefault()
    onChoose(idOf(source.getClosestFeatureToCoordinate(middle)))
  }
  target?.addEventListener('keydown', onKey)
  const listening = map.on('singleclick', ({ pixel }) =>
    onChoose(
      idOf(map.getFeaturesAtPixel(pixel, { hitTolerance: 14, layerFilter: (one) => one === layer })[0]),
    ),
  )
  return {
    show: (points) => {
      source.clear(true)
      source.addFeatures(points.map(featureOf))
    },
    choose: (identifier) => {
      chosen = identifier
      layer.changed()
    },
    draft: (parts) => {
      drawn.clear(true)
      drawn.addFeatures([
        new Feature<Point | MultiLineString>(
          new MultiLineString(lineCoordinates(parts.filter(({ length }) => length > 1))),
        ),
        ...parts
          .flat()
          .map(({ lon, lat }) => new Feature<Point | MultiLineString>(new Point(mercator(lon, lat)))),
      ])
    },
    dispose: () => {
      target?.removeEventListener('keydown', onKey)
      unByKey(listening)
    },
  }
}

const labelOf = (text: string): Text =>
  new Text({
    text,
    offsetY: -18,
    font: '700 13px "Source Sans", system-ui, sans-serif',
    fill: new Fill({ color: DARK! }),
    stroke: new Stroke({ color: LIGHT!, width: 4 }),
  })
