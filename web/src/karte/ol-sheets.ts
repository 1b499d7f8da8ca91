// Edges of sheets on the map, with their numbers; one or two of them are marked. Loaded only with the map.
import Feature from 'ol/Feature.js'
import Polygon from 'ol/geom/Polygon.js'
import VectorLayer from 'ol/layer/Vector.js'
import VectorSource from 'ol/source/Vector.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'

export interface SheetEdge {
  readonly id: number
  readonly label: string
  /** In web mercator. */
  readonly ring: readonly (readonly [number, number])[]
}
export interface SheetLayer {
  readonly layer: VectorLayer<VectorSource<Feature<Polygon>>>
  readonly show: (edges: readonly SheetEdge[], marked: ReadonlySet<number>) => void
}

const styleOf = (label: string, isMarked: boolean): Style[] => [
  ...(isMarked ? [new Style({ stroke: new Stroke({ color: '#111111', width: 6 }), zIndex: 2 })] : []),
  new Style({
    stroke: new Stroke({ color: isMarked ? '#ffd400' : '#8a1f5c', width: isMarked ? 3 : 2 }),
    zIndex: isMarked ? 3 : 1,
    text: new Text({
      text: label,
      font: '600 14px "Source Sans", system-ui, sans-serif',
      fill: new Fill({ color: '#1a1a14' }),
      stroke: new Stroke({ color: 'rgba(255, 255, 255, 0.9)', width: 4 }),
      overflow: true,
    }),
  }),
]

export function sheetLayer(): SheetLayer {
  const source = new VectorSource<Feature<Polygon>>()
  const layer = new VectorLayer({ source, zIndex: 20 })
  return {
    layer,
    show(edges, marked) {
      source.clear(true)
      source.addFeatures(
        edges.map(({ id, label, ring }) => {
          const feature = new Feature(new Polygon([ring.map(([x, y]) => [x, y])]))
          feature.setStyle(styleOf(label, marked.has(id)))
          return feature
        }),
      )
    },
  }
}
