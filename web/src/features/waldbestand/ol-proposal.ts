// A proposed border on the map of the office: the border as it is and as proposed, where it overlaps neighbours or
// leaves gaps, and the track that was walked. Loaded with the map.
import Feature from 'ol/Feature.js'
import MultiPolygon from 'ol/geom/MultiPolygon.js'
import Point from 'ol/geom/Point.js'
import VectorLayer from 'ol/layer/Vector.js'
import type OlMap from 'ol/Map.js'
import VectorSource from 'ol/source/Vector.js'
import Circle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import type { Outline } from '#contract/bestand.ts'
import type { BorderProposalDetails, MapRings } from '#contract/border.ts'
import { parseTrack } from '#domain/border/track.ts'
import { mercator } from '../../karte/mercator.ts'
import { COLOURS, type Sign } from './proposal-colours.ts'

const area = (color: string, alpha: string, width: number, dash?: number[]): Style =>
  new Style({
    fill: new Fill({ color: `${color}${alpha}` }),
    stroke: new Stroke({ color, width, ...(dash && { lineDash: dash }) }),
  })
const STYLES: Readonly<Record<Sign, Style>> = {
  nachbarn: area(COLOURS.nachbarn, '14', 1),
  alt: area(COLOURS.alt, '1f', 2, [9, 6]),
  neu: area(COLOURS.neu, '2e', 3),
  ueberlappung: area(COLOURS.ueberlappung, 'b0', 1.5),
  luecken: area(COLOURS.luecken, 'b0', 1.5),
  spur: new Style({
    image: new Circle({
      radius: 2.5,
      fill: new Fill({ color: COLOURS.spur }),
      stroke: new Stroke({ color: '#ffffff', width: 1 }),
    }),
  }),
}

export function proposalLayer(
  map: OlMap,
  outlines: readonly Outline[],
  { neu, alt, ueberlappung, luecken, frei, spur, ziel_id }: BorderProposalDetails,
): () => void {
  const features: Feature[] = []
  const add = (sign: Sign, rings: MapRings | null) => {
    if (rings === null) return
    const feature = new Feature(new MultiPolygon(rings))
    feature.setStyle(STYLES[sign])
    features.push(feature)
  }
  for (const [id, rings] of outlines) if (id !== ziel_id) add('nachbarn', rings)
  add('alt', alt)
  add('neu', neu)
  add('ueberlappung', ueberlappung)
  add('luecken', luecken)
  add('luecken', frei)
  for (const { lon, lat } of parseTrack(spur)) {
    const point = new Feature(new Point(mercator(lon, lat)))
    point.setStyle(STYLES.spur)
    features.push(point)
  }
  const layer = new VectorLayer({ source: new VectorSource({ features }), zIndex: 20 })
  map.addLayer(layer)
  const extent = new MultiPolygon([...neu, ...(alt ?? [])]).getExtent()
  map.getView().fit(extent, { padding: [50, 50, 50, 50], maxZoom: 19 })
  return () => void map.removeLayer(layer)
}
