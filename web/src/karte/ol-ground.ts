// Draws the background that every map of the ground has, in the colours of the page. It steps back as soon as
// a base map has arrived. Loaded after the map itself.
import Feature from 'ol/Feature.js'
import type Geometry from 'ol/geom/Geometry.js'
import MultiLineString from 'ol/geom/MultiLineString.js'
import MultiPolygon from 'ol/geom/MultiPolygon.js'
import PointGeometry from 'ol/geom/Point.js'
import { fromExtent } from 'ol/geom/Polygon.js'
import Graticule from 'ol/layer/Graticule.js'
import LayerGroup from 'ol/layer/Group.js'
import VectorLayer from 'ol/layer/Vector.js'
import type OlMap from 'ol/Map.js'
import type BaseObject from 'ol/Object.js'
import { unByKey } from 'ol/Observable.js'
import VectorSource from 'ol/source/Vector.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import { formatNumber } from '../ui/format.ts'
import { t } from '../ui/text.ts'
import { type Ground, type Named, readGround } from './ground.ts'
import { shownSource } from './ol-base-map.ts'
import { ARRIVED, PARTIAL } from './ol-sources.ts'
import { onScheme, tokensAt } from './scheme.ts'

const FADE_MS = 220
/** Metres per pixel below which each rank of places is named, the largest first. */
const PLACES_BELOW = [2_500, 1_300, 700, 420, 260, 130, 75, 40] as const
const DISTRICTS_BELOW = 900
const STATE_NAMES = { below: 1_600, above: 180 }
const COUNTRY_NAMES_ABOVE = 500
const RIVER_NAMES = { below: 1_100, above: 60 }
/** Where places are rare, lines of longitude and latitude say where one is. */
const GRID_BELOW = 60
const GRID_STEPS = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00005]

const COLOURS = ['water', 'land', 'home', 'border', 'district', 'river', 'name'] as const
type Colours = Record<(typeof COLOURS)[number], string>

function coloursAt(target: HTMLElement): Colours {
  const tokens = tokensAt(
    target,
    COLOURS.map((name) => `map-${name}` as const),
  )
  return Object.fromEntries(COLOURS.map((name) => [name, tokens[`map-${name}`]])) as Colours
}

type Kind = 'sea' | 'land' | 'home' | 'lake' | 'district' | 'river' | 'state' | 'country'
function drawn(kind: Kind, geometry: Geometry): Feature {
  const feature = new Feature(geometry)
  feature.set('kind', kind, true)
  return feature
}

const EARTH = [-20_037_508, -20_037_508, 20_037_508, 20_037_508]
/** From the lowest to the uppermost. */
const featuresOf = (ground: Ground): Feature[] => [
  drawn('sea', fromExtent(EARTH)),
  drawn('land', new MultiPolygon(ground.land)),
  drawn('home', new MultiPolygon(ground.germany)),
  drawn('lake', new MultiPolygon(ground.lakes)),
  drawn('district', new MultiLineString(ground.districts)),
  drawn('river', new MultiLineString(ground.rivers)),
  drawn('state', new MultiLineString(ground.states)),
  drawn('country', new MultiLineString(ground.countries)),
]

function shapeStyles({ water, land, home, border, district, river }: Colours): Record<Kind, Style> {
  const fill = (color: string, zIndex: number) => new Style({ fill: new Fill({ color }), zIndex })
  const line = (color: string, width: number, zIndex: number) =>
    new Style({ stroke: new Stroke({ color, width, lineJoin: 'round' }), zIndex })
  return {
    sea: fill(water, -1),
    land: fill(land, 0),
    home: fill(home, 1),
    lake: fill(water, 2),
    district: line(district, 1, 3),
    river: line(river, 1.6, 4),
    state: line(border, 1, 5),
    country: line(border, 1.8, 6),
  }
}

/** Names of one kind, between two scales; they become features when the map first shows them. */
interface NameGroup {
  readonly kind: 'country' | 'state' | 'river' | 'place'
  readonly rank: number
  readonly above: number
  readonly below: number
  readonly names: readonly Named[]
}

const regionNames = (): Intl.DisplayNames =>
  new Intl.DisplayNames([document.documentElement.lang || 'de'], { type: 'region' })

/** In the order in which they get their room. */
function nameGroupsOf(ground: Ground): NameGroup[] {
  const regions = regionNames()
  const countries = ground.countryNames.map(({ name, at }) => ({ name: regions.of(name) ?? name, at }))
  const places = Map.groupBy(ground.places, ({ rank }) => rank)
  return [
    { kind: 'country', rank: 0, above: COUNTRY_NAMES_ABOVE, below: Infinity, names: countries },
    { kind: 'state', rank: 0, ...STATE_NAMES, names: ground.stateNames },
    ...PLACES_BELOW.map(
      (below, rank): NameGroup => ({ kind: 'place', rank, above: 0, below, names: places.get(rank) ?? [] }),
    ),
    { kind: 'river', rank: 0, ...RIVER_NAMES, names: ground.riverNames },
  ]
}

function nameFeature({ name, at }: Named): Feature {
  const feature = new Feature(new PointGeometry(at))
  feature.set('name', name, true)
  return feature
}

/** Thousands of small places are named only near by: most maps never make features of them. */
function nameLayer({ above, below, names }: NameGroup): VectorLayer {
  const source: VectorSource = new VectorSource({ loader: () => source.addFeatures(names.map(nameFeature)) })
  return new VectorLayer({ source, declutter: true, minResolution: above, maxResolution: below })
}

const FONTS = {
  country: '600 14px',
  state: '600 12px',
  river: 'italic 12px',
  place: '12px',
} as const

/** Styles of a group of names; each is made once, until the colours change. */
function nameStyles({ kind, rank }: NameGroup, colours: Colours, family: string) {
  const made = new Map<string, Style>()
  const font = kind === 'place' && rank < 2 ? '600 13px' : FONTS[kind]
  const halo = new Stroke({ color: colours.home, width: 3 })
  const fill = new Fill({ color: kind === 'river' ? colours.border : colours.name })
  return (feature: { get: (key: string) => unknown }): Style => {
    const name = String(feature.get('name'))
    const style =
      made.get(name) ??
      new Style({
        text: new Text({ text: name, font: `${font} ${family}`, fill, stroke: halo, padding: [2, 6, 2, 6] }),
      })
    made.set(name, style)
    return style
  }
}

function makeGrid({ name, district, home }: Colours, family: string): Graticule {
  const label = {
    font: `11px ${family}`,
    fill: new Fill({ color: name }),
    stroke: new Stroke({ color: home, width: 3 }),
  }
  return new Graticule({
    maxResolution: GRID_BELOW,
    strokeStyle: new Stroke({ color: district, width: 1 }),
    targetSize: 150,
    intervals: GRID_STEPS,
    showLabels: true,
    wrapX: false,
    lonLabelPosition: 1,
    lonLabelFormatter: (lon) => t('{degrees}° O', { degrees: formatNumber(lon.toFixed(5)) }),
    latLabelFormatter: (lat) => t('{degrees}° N', { degrees: formatNumber(lat.toFixed(5)) }),
    latLabelPosition: 0,
    lonLabelStyle: new Text({ ...label, textBaseline: 'top', offsetY: 4 }),
    latLabelStyle: new Text({ ...label, textAlign: 'left', offsetX: 6, offsetY: -8 }),
  })
}

/** Makes the layers opaque or invisible, by and by; returns what ends it. */
function fader(group: LayerGroup) {
  let frame = 0
  const layers = group.getLayers().getArray()
  const fade = (to: 0 | 1) => {
    cancelAnimationFrame(frame)
    const from = layers[0]?.getOpacity() ?? 1
    const begin = performance.now()
    const time = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : FADE_MS
    if (to === 1) group.setVisible(true)
    const step = () => {
      const share = time === 0 ? 1 : Math.min(1, (performance.now() - begin) / time)
      for (const layer of layers) layer.setOpacity(from + (to - from) * share)
      if (share < 1) frame = requestAnimationFrame(step)
      else group.setVisible(to === 1)
    }
    step()
  }
  return { fade, stop: () => cancelAnimationFrame(frame) }
}

export interface GroundOptions {
  /** The base map above: its property `source`, if it has one. */
  readonly base: BaseObject
  /** Called when the background is shown and when it is not. */
  readonly told: (shown: boolean) => void
}

/** Adds the background below all layers; returns what removes it. */
export async function addGround(map: OlMap, { base, told }: GroundOptions): Promise<() => void> {
  const ground = readGround((await import('./ground.json?raw')).default)
  const target = map.getTargetElement()
  if (!target) return () => {}
  const shapes = new VectorLayer({ source: new VectorSource({ features: featuresOf(ground) }) })
  const names = nameGroupsOf(ground).map((nameGroup) => ({ nameGroup, layer: nameLayer(nameGroup) }))
  const family = getComputedStyle(target).fontFamily
  const first = coloursAt(target)
  const group = new LayerGroup({
    zIndex: -2,
    // The uppermost gets its room first.
    layers: [shapes, makeGrid(first, family), ...names.map(({ layer }) => layer).toReversed()],
  })
  group.set('name', 'hintergrund')
  const paint = () => {
    const colours = coloursAt(target)
    const styles = shapeStyles(colours)
    shapes.setStyle((feature, resolution) => {
      const kind = feature.get('kind') as Kind
      return kind === 'district' && resolution > DISTRICTS_BELOW ? undefined : styles[kind]
    })
    group.getLayers().setAt(1, makeGrid(colours, family))
    for (const { nameGroup, layer } of names) layer.setStyle(nameStyles(nameGroup, colours, family))
  }
  paint()
  map.addLayer(group)
  const ends = [onScheme(paint), follow(group, base, told)]
  return () => {
    for (const end of ends) end()
    map.removeLayer(group)
  }
}

/** Shows the background until the first tile of a base map has arrived; it stays where none does. */
function follow(group: LayerGroup, base: BaseObject, told: (shown: boolean) => void): () => void {
  const { fade, stop } = fader(group)
  const show = (shown: boolean) => {
    fade(shown ? 1 : 0)
    told(shown)
  }
  let waiting: Parameters<typeof unByKey>[0] = []
  const update = () => {
    unByKey(waiting)
    const source = shownSource(base)
    const covers = source !== null && source.get(PARTIAL) !== true
    show(!covers || source.get(ARRIVED) !== true)
    waiting = covers ? source.once('tileloadend' as 'change', () => show(false)) : []
  }
  const following = base.on('change:source' as 'change', update)
  update()
  return () => {
    stop()
    unByKey(waiting)
    unByKey(following)
  }
}
