// The survey on the map: tiles with the caller's token, signs, what lies under a point, measuring. Loaded with the map alone.
import type { Coordinate } from 'ol/coordinate.js'
import { buffer } from 'ol/extent.js'
import type { FeatureLike } from 'ol/Feature.js'
import type LineString from 'ol/geom/LineString.js'
import type Polygon from 'ol/geom/Polygon.js'
import Draw from 'ol/interaction/Draw.js'
import TileLayer from 'ol/layer/Tile.js'
import VectorLayer from 'ol/layer/Vector.js'
import VectorTileLayer from 'ol/layer/VectorTile.js'
import type OlMap from 'ol/Map.js'
import RenderFeature from 'ol/render/Feature.js'
import type ImageTile from 'ol/source/ImageTile.js'
import VectorSource from 'ol/source/Vector.js'
import { getArea, getLength } from 'ol/sphere.js'
import CircleStyle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import RegularShape from 'ol/style/RegularShape.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import {
  HAUFEN,
  type KachelHaufen,
  type KatasterFilter,
  OBJEKTARTEN,
  type Objektart,
  type VermessenWort,
} from '#contract/kataster-kachel.ts'
import { type KachelWeg, mercatorQuelle } from '../../karte/ol-quellen.ts'
import { vermessungsQuelle } from '../../karte/ol-vermessung.ts'
import { formatNumber } from '../../ui/format.ts'
import type { ObjektZiel } from './kataster.data.ts'
import { wortOf } from './kataster-words.ts'
import { abstandZu } from './abstand.ts'
import { FARBEN, GEWAEHLT, GROESSE, HAUFEN_FARBE, LINIE, RAND, STRICH } from './zeichen.ts'

export type Treffer = ObjektZiel & { readonly bezeichnung: string; readonly wort: VermessenWort }
export type Fund = { readonly objekte: readonly Treffer[] } | { readonly haufen: Coordinate }

/** How far from a press something may lie, in pixels. */
const GREIFEN = { zeichen: GROESSE + 7, linie: LINIE / 2 + 7, haufen: 26 } as const

const shapes = {
  ausmuendung: { points: 3, radius: GROESSE * 1.25 },
  schacht: null,
  schlucker: { points: 4, radius: GROESSE * 1.15, angle: Math.PI / 4 },
  einlauf: { points: 4, radius: GROESSE * 1.15 },
} as const

function lineStyles(wort: VermessenWort, chosen: boolean, wide: number): Style[] {
  const width = LINIE * wide
  return [
    new Style({ stroke: new Stroke({ color: chosen ? GEWAEHLT : RAND, width: width + (chosen ? 7 : 2.5) }), zIndex: chosen ? 1 : 0 }),
    new Style({
      stroke: new Stroke({ color: FARBEN[wort], width, lineDash: STRICH[wort].map((part) => part * wide), lineCap: 'butt' }),
      zIndex: chosen ? 2 : 1,
    }),
  ]
}
function signStyle(art: Exclude<Objektart, 'draenage'>, wort: VermessenWort, chosen: boolean): Style[] {
  const look = {
    fill: new Fill({ color: wort === 'ja' ? FARBEN.ja : RAND }),
    stroke: new Stroke({ color: wort === 'ja' ? RAND : FARBEN[wort], width: wort === 'ja' ? 1.5 : 2.5 }),
  }
  const shape = shapes[art]
  const sign = new Style({
    image: shape === null ? new CircleStyle({ radius: GROESSE, ...look }) : new RegularShape({ ...shape, ...look }),
    zIndex: chosen ? 4 : 3,
  })
  if (!chosen) return [sign]
  return [new Style({ image: new CircleStyle({ radius: GROESSE + 5, fill: new Fill({ color: GEWAEHLT }) }), zIndex: 3 }), sign]
}
/** In steps, so that there are few looks to keep. */
function heapStyle(count: number): Style {
  const step = Math.min(5, Math.floor(Math.log10(Math.max(1, count))))
  return new Style({
    image: new CircleStyle({
      radius: 11 + step * 3,
      fill: new Fill({ color: HAUFEN_FARBE }),
      stroke: new Stroke({ color: RAND, width: 2 }),
    }),
    text: new Text({ text: formatNumber(count), fill: new Fill({ color: RAND }), font: '600 11px system-ui, sans-serif' }),
    zIndex: 5,
  })
}

/** The look of everything in a tile. Made once for each kind of look: a map draws thousands. */
export function stilOf(
  aus: ReadonlySet<Objektart>,
  gewaehlt: ObjektZiel | null,
): (feature: FeatureLike, resolution: number) => Style | Style[] | undefined {
  const kept = new Map<string, Style | Style[]>()
  const keep = (key: string, make: () => Style | Style[]) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make()
    kept.set(key, made)
    return made
  }
  return (feature, resolution) => {
    const layer = String(feature.get('layer'))
    if (layer === HAUFEN) {
      const heap = feature.getProperties() as KachelHaufen
      const count = OBJEKTARTEN.reduce((sum, art) => sum + (aus.has(art) ? 0 : heap[art]), 0)
      return count === 0 ? undefined : keep(`h${count}`, () => heapStyle(count))
    }
    const art = layer as Objektart
    if (aus.has(art)) return undefined
    const wort = wortOf(feature.get('vermessen') as boolean | undefined)
    const chosen = gewaehlt !== null && gewaehlt.art === art && gewaehlt.id === Number(feature.getId())
    if (art !== 'draenage') return keep(`${art}${wort}${chosen}`, () => signStyle(art, wort, chosen))
    const wide = resolution > 4 ? 0.6 : resolution > 1.5 ? 0.8 : 1
    return keep(`d${wort}${chosen}${wide}`, () => lineStyles(wort, chosen, wide))
  }
}

export interface Vermessungsebene {
  readonly filtern: (filter: KatasterFilter) => void
  readonly zeigen: (aus: ReadonlySet<Objektart>, gewaehlt: ObjektZiel | null) => void
  /** Signs and lines in what is shown now. */
  readonly anzahl: () => number
  /** What lies at a place, the nearest first. While the map is still moving or loading, what lies there once it is drawn: the place is asked for again then. Null: a later search overtook it, or the map has gone. */
  readonly suche: (ort: () => Coordinate) => Promise<Fund | null>
}

export function vermessungsebene(map: OlMap, kunde: number, filter: KatasterFilter, onFehler: () => void): Vermessungsebene {
  let hidden: ReadonlySet<Objektart> = new Set()
  let style = stilOf(new Set(), null)
  const make = (wanted: KatasterFilter): VectorTileLayer => {
    const source = vermessungsQuelle(kunde, wanted)
    source.on('tileloaderror', onFehler)
    return new VectorTileLayer({ source, style, renderBuffer: 32, zIndex: 20 })
  }
  let asked = 0
  let layer = make(filter)
  map.addLayer(layer)
  /** Asked of the objects themselves and not of the picture: one that is just being drawn anew shows nothing, and in it ids of two kinds are one. */
  const suchen = (ort: Coordinate): Fund | null => {
    const [x = 0, y = 0] = ort
    const pixel = map.getView().getResolution() ?? 1
    const objects = new Map<string, Treffer & { readonly weit: number }>()
    let heap: { readonly mitte: Coordinate; readonly weit: number } | null = null
    for (const feature of layer.getFeaturesInExtent(buffer([x, y, x, y], GREIFEN.haufen * pixel))) {
      if (!(feature instanceof RenderFeature) || style(feature, pixel) === undefined) continue
      const name = String(feature.get('layer'))
      const flat = feature.getFlatCoordinates()
      const lines = feature.getType().endsWith('LineString')
      const weit =
        abstandZu([x, y], flat, lines ? (feature.getEnds() ?? [flat.length]) : [flat.length], lines ? 'linien' : 'punkte') / pixel
      if (name === HAUFEN && weit <= GREIFEN.haufen && weit < (heap?.weit ?? Number.POSITIVE_INFINITY))
        heap = { mitte: flat.slice(0, 2), weit }
      const art = OBJEKTARTEN.find((one) => one === name)
      if (art === undefined || weit > (lines ? GREIFEN.linie : GREIFEN.zeichen)) continue
      const id = Number(feature.getId())
      const key = `${art}.${id}`
      // At the edge of a tile it is in the next one as well.
      if (weit >= (objects.get(key)?.weit ?? Number.POSITIVE_INFINITY)) continue
      const dn = feature.get('dn') as number | undefined
      const text = [feature.get('art'), dn === undefined ? undefined : `DN ${dn}`, feature.get('material')]
      objects.set(key, {
        art,
        id,
        bezeichnung: text.filter((part) => part !== undefined && part !== null).join(', '),
        wort: wortOf(feature.get('vermessen') as boolean | undefined),
        weit,
      })
    }
    if (objects.size > 0) return { objekte: [...objects.values()].toSorted((a, b) => a.weit - b.weit) }
    return heap === null ? null : { haufen: heap.mitte }
  }
  return {
    // A layer of its own for each filter: with another source alone it would go on counting what it had before.
    filtern: (wanted) => {
      map.removeLayer(layer)
      layer = make(wanted)
      map.addLayer(layer)
    },
    zeigen: (aus, gewaehlt) => {
      hidden = aus
      style = stilOf(aus, gewaehlt)
      layer.setStyle(style)
    },
    anzahl: () => {
      const seen = new Set<string>()
      for (const feature of layer.getFeaturesInExtent(map.getView().calculateExtent(map.getSize())))
        if (!hidden.has(feature.get('layer') as Objektart)) seen.add(`${String(feature.get('layer'))}${String(feature.getId())}`)
      return seen.size
    },
    suche: async (ort) => {
      const nr = ++asked
      const moving = map.getView().getAnimating()
      const found = moving ? null : suchen(ort())
      if (found !== null) return found
      if (!moving && !map.getLoadingOrNotReady()) return NICHTS
      await bisGezeichnet(map)
      return nr === asked && map.getTargetElement() ? (suchen(ort()) ?? NICHTS) : null
    },
  }
}

const NICHTS: Fund = { objekte: [] }
/** A base map that does not answer must not hold up what is asked of the survey. */
const LAENGSTENS_MS = 3000
const bisGezeichnet = (map: OlMap): Promise<void> =>
  new Promise((resolve) => {
    const end = () => (clearTimeout(timer), map.un('rendercomplete', end), resolve())
    const timer = setTimeout(end, LAENGSTENS_MS)
    map.on('rendercomplete', end)
  })

/** A plan that was laid onto the map. */
export const planEbene = (kachel: KachelWeg, deckkraft: number): TileLayer<ImageTile> =>
  new TileLayer<ImageTile>({ source: mercatorQuelle(kachel), opacity: deckkraft, zIndex: 10 })

export type MessArt = 'strecke' | 'flaeche'
export interface Messung {
  readonly art: MessArt
  /** Metres or square metres on the ground. */
  readonly wert: number
  readonly fertig: boolean
}
export interface Messen {
  readonly ende: () => void
  /** A corner at a place of the map, for those without a pointer. */
  readonly ecke: (ort: Coordinate) => void
  readonly zurueck: () => void
  readonly fertig: () => void
}

/** Draws a line or an area and tells its size while it grows, on the sphere: web mercator alone would say half as much again. */
export function messen(map: OlMap, art: MessArt, tell: (messung: Messung | null) => void): Messen {
  const source = new VectorSource()
  const look = [
    new Style({ stroke: new Stroke({ color: RAND, width: 5 }) }),
    new Style({
      stroke: new Stroke({ color: '#111111', width: 2, lineDash: [8, 4] }),
      fill: new Fill({ color: 'rgba(255, 212, 0, 0.25)' }),
      image: new CircleStyle({ radius: 4, fill: new Fill({ color: '#111111' }), stroke: new Stroke({ color: RAND, width: 1.5 }) }),
    }),
  ]
  const layer = new VectorLayer({ source, style: look, zIndex: 40 })
  const draw = new Draw({ source, type: art === 'strecke' ? 'LineString' : 'Polygon', style: look })
  const sizeOf = (geometry: LineString | Polygon) => (geometry.getType() === 'LineString' ? getLength(geometry) : getArea(geometry))
  draw.on('drawstart', ({ feature }) => {
    source.clear()
    feature.getGeometry()?.on('change', ({ target }) => tell({ art, wert: sizeOf(target as LineString | Polygon), fertig: false }))
  })
  draw.on('drawend', ({ feature }) => tell({ art, wert: sizeOf(feature.getGeometry() as LineString | Polygon), fertig: true }))
  map.addLayer(layer)
  map.addInteraction(draw)
  return {
    ende: () => {
      map.removeInteraction(draw)
      map.removeLayer(layer)
      tell(null)
    },
    ecke: (ort) => draw.appendCoordinates([ort]),
    zurueck: () => draw.removeLastPoint(),
    fertig: () => draw.finishDrawing(),
  }
}
