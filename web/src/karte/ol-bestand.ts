// Map layer with the outlines of stands, coloured by the page; stands that do not match the filters are
// dimmed. Loaded only with the map.
import type { Coordinate } from 'ol/coordinate.js'
import { createEmpty, extend } from 'ol/extent.js'
import Feature, { type FeatureLike } from 'ol/Feature.js'
import MultiPolygon from 'ol/geom/MultiPolygon.js'
import VectorLayer from 'ol/layer/Vector.js'
import type OlMap from 'ol/Map.js'
import VectorSource from 'ol/source/Vector.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import type { Outline } from '#contract/bestand.ts'
import { PRINTED } from './ol-sources.ts'

export interface View {
  readonly colorOf: (id: number) => string
  /** Labels inside the stand, the longest first: the first one for which there is room is drawn. */
  readonly textsOf: (id: number) => readonly string[]
  readonly fits: ReadonlySet<number>
  readonly gewaehlt: number | null
}
export interface BestandLayer {
  readonly display: (ansicht: View) => void
  readonly an: (ort: Coordinate) => number | null
  readonly fitTo: (ids: Iterable<number>, maxZoom: number) => void
}

const EDGE = 'rgba(40, 40, 30, 0.75)'
const FAR = new Style({
  fill: new Fill({ color: 'rgba(160, 160, 150, 0.12)' }),
  stroke: new Stroke({ color: 'rgba(110, 110, 100, 0.45)', width: 0.7 }),
})
/**
 * Labels are tried below this resolution, in metres per pixel; each is drawn where it fits into its stand and
 * overlaps no other.
 */
const TEXT_BELOW = 16

const CHOSEN = [
  new Style({ stroke: new Stroke({ color: '#111111', width: 6 }), zIndex: 2 }),
  new Style({ stroke: new Stroke({ color: '#ffd400', width: 3 }), zIndex: 3 }),
]
const textStyle = (text: string): Style =>
  new Style({
    text: new Text({
      text,
      font: '600 12px "Source Sans", system-ui, sans-serif',
      fill: new Fill({ color: '#1a1a14' }),
      stroke: new Stroke({ color: 'rgba(255, 255, 255, 0.85)', width: 3 }),
    }),
  })

/** Pixels of a letter of a label, on average. */
const LETTER = 6.8
const widthOf = (feature: FeatureLike): number => {
  const [west = 0, , east = 0] = feature.getGeometry()?.getExtent() ?? []
  return east - west
}
/** The map itself leaves out what is wider than the stand where it is written. */
export const fittingText = (texts: readonly string[], pixels: number): string | null =>
  texts.find((text) => text !== '' && text.length * LETTER < pixels * 0.85) ?? null

/** The style of a stand; those of one colour share it. */
function styleOf({ colorOf, textsOf, fits, gewaehlt }: View) {
  const kept = new Map<string, Style>()
  const plain = (color: string): Style => {
    const known = kept.get(color)
    if (known !== undefined) return known
    const made = new Style({
      fill: new Fill({ color: `${color}dd` }),
      stroke: new Stroke({ color: EDGE, width: 1 }),
    })
    kept.set(color, made)
    return made
  }
  return (feature: FeatureLike, resolution: number): Style | Style[] => {
    const id = Number(feature.getId())
    if (!fits.has(id) && id !== gewaehlt) return FAR
    const styles = [plain(colorOf(id))]
    if (id === gewaehlt) styles.push(...CHOSEN)
    const text = resolution < TEXT_BELOW ? fittingText(textsOf(id), widthOf(feature) / resolution) : null
    if (text !== null) styles.push(textStyle(text))
    return styles
  }
}

export function bestandLayer(map: OlMap, outlines: readonly Outline[]): BestandLayer {
  const source = new VectorSource<Feature<MultiPolygon>>({
    features: outlines.map(([id, areas]) => {
      const feature = new Feature(new MultiPolygon(areas))
      feature.setId(id)
      return feature
    }),
  })
  const layer = new VectorLayer({ source, zIndex: 20, declutter: true })
  layer.set(PRINTED, true)
  map.addLayer(layer)
  return {
    display: (view) => layer.setStyle(styleOf(view)),
    an: (ort) => {
      const [found] = source.getFeaturesAtCoordinate(ort)
      return found === undefined ? null : Number(found.getId())
    },
    fitTo: (ids, maxZoom) => {
      const box = createEmpty()
      for (const id of ids) {
        const geometry = source.getFeatureById(id)?.getGeometry()
        if (geometry) extend(box, geometry.getExtent())
      }
      if (Number.isFinite(box[0]))
        map.getView().fit(box, { padding: [40, 40, 40, 40], maxZoom, duration: 250 })
    },
  }
}
