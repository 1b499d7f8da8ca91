// The existing survey beneath the points: to see where the plan belongs, and to snap to.
import VectorTileLayer from 'ol/layer/VectorTile.js'
import CircleStyle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import { CLUSTER } from '#contract/kataster-tile.ts'
import { vermessungSource } from '../../karte/ol-vermessung.ts'
import { SNAP } from './ol-snap.ts'

const COLOUR = '#00695c'
const STYLE = new Style({
  stroke: new Stroke({ color: COLOUR, width: 2 }),
  image: new CircleStyle({
    radius: 4,
    fill: new Fill({ color: COLOUR }),
    stroke: new Stroke({ color: '#ffffff', width: 1.5 }),
  }),
})

/**
 * Clusters of nearby objects are not at the place of any object, so they are neither drawn nor snapped to.
 */
export const bestandLayer = (kunde: number): VectorTileLayer =>
  new VectorTileLayer({
    source: vermessungSource(kunde, {}),
    style: (feature) => (feature.get('layer') === CLUSTER ? undefined : STYLE),
    declutter: false,
    zIndex: 6,
    properties: { [SNAP]: true },
  })
