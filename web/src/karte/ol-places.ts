// Named places on a map: circles sized by what is there, heaps where they are close. Loaded with the map.
import Feature, { type FeatureLike } from 'ol/Feature.js'
import Point from 'ol/geom/Point.js'
import VectorLayer from 'ol/layer/Vector.js'
import type OlMap from 'ol/Map.js'
import { unByKey } from 'ol/Observable.js'
import Cluster from 'ol/source/Cluster.js'
import VectorSource from 'ol/source/Vector.js'
import Circle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import { labelSides, offsetOf, type Side, type Spot } from './label-sides.ts'
import { mercator } from './mercator.ts'
import { onScheme, tokensAt } from './scheme.ts'

/** A place to draw; `size` decides how large. */
export interface DrawnPlace {
  readonly key: string | number
  readonly label: string
  readonly size: number
  readonly lon: number
  readonly lat: number
}
export interface PlaceLayer {
  readonly show: (places: readonly DrawnPlace[]) => void
  /** Zooms to all of them. */
  readonly fit: () => void
  readonly dispose: () => void
}
export interface PlaceLayerOptions {
  /** Chosen by click, or with Enter the one nearest the centre. */
  readonly pick: (key: DrawnPlace['key']) => void
  /** Under the pointer; null when it leaves. */
  readonly point: (key: DrawnPlace['key'] | null) => void
}

/** Pixels between places below which they become a heap. */
const APART = 34
const [SINGLE, HEAP] = ['#2f7d32', 'rgba(30, 84, 40, 0.92)']
const radius = (size: number): number => Math.min(16, 6 + 2.5 * Math.log10(1 + size))
const WHITE = new Stroke({ color: '#ffffff', width: 2 })

const membersOf = (feature: FeatureLike | undefined): readonly Feature<Point>[] =>
  (feature?.get('features') as Feature<Point>[] | undefined) ?? []
const placeOf = (feature: Feature<Point> | undefined): DrawnPlace | undefined =>
  feature?.get('place') as DrawnPlace | undefined

const FONT = '600 12px "Source Sans", system-ui, sans-serif'
const nameOf = ({ label }: DrawnPlace): string => (label.length > 28 ? `${label.slice(0, 26)} …` : label)
const heapRadius = (n: number): number => 12 + 3 * Math.log10(n)

interface Ink {
  readonly text: string
  readonly halo: string
}
/** Text and ground of the map, light or dark. */
function inkOf(map: OlMap): Ink {
  const target = map.getTargetElement()
  if (!target) return { text: '#17240f', halo: '#ffffff' }
  const { text, 'map-home': halo } = tokensAt(target, ['text', 'map-home'])
  return { text, halo }
}

/** Measures names as they are drawn. */
function measurer(): (name: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  const widths = new Map<string, number>()
  return (name) => {
    let width = widths.get(name)
    if (width === undefined) {
      if (context) context.font = FONT
      width = context?.measureText(name).width ?? name.length * 7
      widths.set(name, width)
    }
    return width
  }
}

/** Height of the one or two lines with the sources, which no name may be under. */
const footOf = (width: number): number => (width > 380 ? 30 : 44)

/** The side of each heap's or place's name, for what is seen now. */
function sidesOn(
  map: OlMap,
  shown: readonly Feature[],
  widthOf: (name: string) => number,
): Map<Feature, Side> {
  const [width = 0, height = 0] = map.getSize() ?? []
  const spots = shown.flatMap((feature) => {
    const members = membersOf(feature)
    const place = placeOf(members[0])
    const at = (feature.getGeometry() as Point | undefined)?.getCoordinates()
    const [x, y] = (at && map.getPixelFromCoordinate(at)) ?? []
    if (place === undefined || x === undefined || y === undefined) return []
    const single = members.length === 1
    const spot: Spot = {
      x,
      y,
      radius: single ? radius(place.size) + 1 : heapRadius(members.length) + 1,
      width: single ? widthOf(nameOf(place)) + 4 : 0,
    }
    return [{ feature, spot }]
  })
  const sides = labelSides(
    spots.map(({ spot }) => spot),
    { width, height: height - footOf(width) },
  )
  return new Map(spots.flatMap(({ feature }, at) => (sides[at] ? [[feature, sides[at]] as const] : [])))
}

function singleStyle(place: DrawnPlace, ink: Ink, side: Side | undefined, width: number): Style {
  const [offsetX, offsetY] =
    side === undefined ? [0, 0] : offsetOf({ radius: radius(place.size) + 1, width }, side)
  return new Style({
    image: new Circle({
      radius: radius(place.size),
      fill: new Fill({ color: SINGLE }),
      stroke: WHITE,
      declutterMode: 'obstacle',
    }),
    ...(side !== undefined && {
      text: new Text({
        text: nameOf(place),
        font: FONT,
        offsetX,
        offsetY,
        fill: new Fill({ color: ink.text }),
        stroke: new Stroke({ color: ink.halo, width: 4 }),
        // Its side was chosen: it only keeps the names below away.
        declutterMode: 'obstacle',
      }),
    }),
  })
}
const heapStyle = (n: number): Style =>
  new Style({
    image: new Circle({
      radius: heapRadius(n),
      fill: new Fill({ color: HEAP }),
      stroke: WHITE,
      declutterMode: 'obstacle',
    }),
    text: new Text({
      text: n.toLocaleString('de'),
      font: FONT,
      fill: new Fill({ color: '#ffffff' }),
      declutterMode: 'none',
    }),
  })

export function placeLayer(map: OlMap, options: PlaceLayerOptions): PlaceLayer {
  const source = new VectorSource<Feature<Point>>()
  const styles = new Map<string, Style>()
  const widthOf = measurer()
  const heaps = new Cluster({ source, distance: APART })
  let ink = inkOf(map)
  let sides: ReadonlyMap<FeatureLike, Side> = new Map()
  const layer = new VectorLayer({
    source: heaps,
    zIndex: 30,
    declutter: true,
    style: (feature) => {
      const members = membersOf(feature)
      const place = placeOf(members[0])
      if (place === undefined) return undefined
      const side = sides.get(feature)
      const key = members.length > 1 ? `n${members.length}` : `p${place.key} ${side}`
      const made =
        styles.get(key) ??
        (members.length > 1
          ? heapStyle(members.length)
          : singleStyle(place, ink, side, widthOf(nameOf(place)) + 4))
      styles.set(key, made)
      return made
    },
  })
  map.addLayer(layer)
  const stopNames = keepNames(map, heaps, () => {
    ink = inkOf(map)
    styles.clear()
    sides = sidesOn(map, heaps.getFeatures(), widthOf)
    layer.changed()
  })
  const fitTo = (box: readonly number[]) => {
    const [width = 0, height = 0] = map.getSize() ?? []
    if (width === 0 || height === 0) return
    // Room for the names.
    const side = Math.min(100, width / 4)
    map.getView().fit([...box], { padding: [48, side, 56, side], maxZoom: 12, duration: 200 })
  }
  const open = (feature: FeatureLike | null | undefined) => {
    const members = membersOf(feature ?? undefined)
    const place = placeOf(members[0])
    if (place === undefined) return
    const box = new VectorSource({ features: [...members] }).getExtent() ?? []
    const [west = 0, south = 0, east = 0, north = 0] = box
    // Places that share a point never separate by zooming.
    if (members.length === 1 || (east - west < 1 && north - south < 1)) options.pick(place.key)
    else map.getView().fit([...box], { padding: [64, 64, 64, 64], duration: 200 })
  }
  const stop = listen(map, layer, { open, point: options.point })
  return {
    show: (places) => {
      styles.clear()
      source.clear(true)
      source.addFeatures(
        places.map((place) => {
          const feature = new Feature(new Point(mercator(place.lon, place.lat)))
          feature.set('place', place, true)
          return feature
        }),
      )
    },
    fit: () => {
      if (source.getFeatures().length > 0) fitTo(source.getExtent() ?? [])
    },
    dispose: () => {
      stopNames()
      stop()
    },
  }
}

/**
 * Chooses the names' sides whenever the map stands still with something new, or becomes light or dark; returns
 * what ends it.
 */
function keepNames(map: OlMap, heaps: Cluster<Feature>, choose: () => void): () => void {
  let chosen = ''
  const key = map.on('rendercomplete', () => {
    const { center, resolution } = map.getView().getState()
    const now = `${center} ${resolution} ${map.getSize()} ${heaps.getRevision()}`
    if (now === chosen) return
    chosen = now
    choose()
  })
  const stop = onScheme(choose)
  return () => {
    unByKey(key)
    stop()
  }
}

interface Callbacks extends Pick<PlaceLayerOptions, 'point'> {
  readonly open: (feature: FeatureLike | null | undefined) => void
}
/** Clicks, the Enter key and the pointer; returns what ends them. */
function listen(map: OlMap, layer: VectorLayer<Cluster<Feature>>, { open, point }: Callbacks): () => void {
  const layerFilter = (one: unknown) => one === layer
  const target = map.getTargetElement()
  const onKey = (event: KeyboardEvent) => {
    const middle = map.getView().getCenter()
    if (event.key !== 'Enter' || !middle) return
    event.preventDefault()
    open(layer.getSource()?.getClosestFeatureToCoordinate(middle))
  }
  const onLeave = () => point(null)
  target?.addEventListener('keydown', onKey)
  target?.addEventListener('pointerleave', onLeave)
  const listening = [
    map.on('singleclick', ({ pixel }) =>
      open(map.getFeaturesAtPixel(pixel, { hitTolerance: 8, layerFilter })[0]),
    ),
    map.on('pointermove', ({ pixel, dragging }) => {
      if (dragging || !target) return
      const [over] = map.getFeaturesAtPixel(pixel, { hitTolerance: 4, layerFilter })
      target.style.cursor = over === undefined ? '' : 'pointer'
      const members = membersOf(over)
      point(members.length === 1 ? (placeOf(members[0])?.key ?? null) : null)
    }),
  ]
  return () => {
    target?.removeEventListener('keydown', onKey)
    target?.removeEventListener('pointerleave', onLeave)
    for (const key of listening) unByKey(key)
    map.removeLayer(layer)
  }
}
