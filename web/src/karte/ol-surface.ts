// The two kinds of maps, made with OpenLayers: a scan in its own pixels, and the ground in Web Mercator.
// Loaded with the first map.
import ScaleLine from 'ol/control/ScaleLine.js'
import type { Extent } from 'ol/extent.js'
import { defaults as interactionDefaults } from 'ol/interaction/defaults.js'
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js'
import type BaseLayer from 'ol/layer/Base.js'
import TileLayer from 'ol/layer/Tile.js'
import OlMap from 'ol/Map.js'
import Overlay from 'ol/Overlay.js'
import type BaseObject from 'ol/Object.js'
import Projection from 'ol/proj/Projection.js'
import type ImageTile from 'ol/source/ImageTile.js'
import View from 'ol/View.js'
import type { BaseMap } from '#contract/base-map.ts'
import { baseMapSwitch } from './ol-base-map.ts'
import { type ScanSource, scanResolutions, scanTiles } from './ol-sources.ts'

export interface Surface {
  readonly map: OlMap
  /** Zooms to the full extent. */
  readonly showAll: () => void
  /** Moves to an extent, smoothly. */
  readonly showBox: (extent: Extent) => void
  /** Marks one spot, so that the eye finds it; null takes the mark away. */
  readonly mark: (place: readonly [x: number, y: number] | null) => void
  /** Zooms by a factor: 2 doubles the magnification. */
  readonly zoomBy: (factor: number) => void
  /** Replaces the base map below all other layers; null removes it. Only for maps of the ground. */
  readonly baseMap: (karte: BaseMap | null) => void
  /** Reports the number of failed tiles; 0 once they are requested again. */
  readonly onError: (listener: (missing: number) => void) => void
  /** Reports whether the background is seen, whose sources then are to be named. */
  readonly onGround: (listener: (shown: boolean) => void) => void
  readonly retry: () => void
  readonly dispose: () => void
}

export interface SurfaceOptions {
  /** Whether the wheel always zooms, or only while the map has focus, for pages that scroll past it. */
  readonly wheel: 'immer' | 'fokus'
}

const ZOOM_MS = 120

/** No rotation gestures: an accidental two-finger turn looks like a bug. */
const interactions = ({ wheel }: SurfaceOptions) => {
  const all = interactionDefaults({
    altShiftDragRotate: false,
    pinchRotate: false,
    mouseWheelZoom: false,
    zoomDuration: ZOOM_MS,
  })
  // Only the wheel waits for focus: the default interactions' `onFocusOnly` would also swallow the first
  // drag.
  all.push(new MouseWheelZoom({ onFocusOnly: wheel === 'fokus', duration: ZOOM_MS }))
  return all
}

/** Lowest resolution, in scan pixels per screen pixel; beyond it there is nothing more to see. */
const FINEST = 1 / 32

/** Coordinates are scan pixels: x is the column, y the negative row. */
export function makeScanSurface(target: HTMLElement, scan: ScanSource, choice: SurfaceOptions): Surface {
  const extent: Extent = [0, -scan.hoehe, scan.breite, 0]
  const projection = new Projection({ code: 'SCAN', units: 'pixels', extent, global: false })
  const coarsest = scanResolutions(scan)[0] ?? 1
  const view = new View({
    projection,
    center: [scan.breite / 2, -scan.hoehe / 2],
    resolution: coarsest,
    maxResolution: coarsest * 8,
    minResolution: FINEST,
    extent: widened(extent, 0.5),
    constrainOnlyCenter: true,
    showFullExtent: true,
    enableRotation: false,
  })
  const layer = new TileLayer<ImageTile>({
    source: scanTiles(scan, projection),
    properties: { name: 'scan' },
  })
  const map = new OlMap({
    target,
    view,
    layers: [layer],
    controls: [],
    interactions: interactions(choice),
    maxTilesLoading: 8,
  })
  return surfaceOf(map, [layer], () => view.fit(extent, { padding: [12, 12, 12, 12] }))
}

const widened = ([left, bottom, right, top]: Extent, share: number): Extent => {
  const [dx, dy] = [((right ?? 0) - (left ?? 0)) * share, ((top ?? 0) - (bottom ?? 0)) * share]
  return [(left ?? 0) - dx, (bottom ?? 0) - dy, (right ?? 0) + dx, (top ?? 0) + dy]
}

/** Germany in Web Mercator. */
export const GERMANY: Extent = [650_000, 5_980_000, 1_680_000, 7_370_000]

/** A map in Web Mercator, the projection of the tiles. */
export function makeKarteSurface(
  target: HTMLElement,
  cutout: Extent | null,
  choice: SurfaceOptions,
): Surface {
  const view = new View({
    projection: 'EPSG:3857',
    center: [1_165_000, 6_675_000],
    zoom: 6,
    minZoom: 4,
    maxZoom: 24,
    enableRotation: false,
  })
  const ground = new TileLayer<ImageTile>({ properties: { name: 'grundkarte' }, zIndex: -1 })
  const map = new OlMap({
    target,
    view,
    layers: [ground],
    controls: [new ScaleLine({ className: 'flaeche-massstab', minWidth: 72 })],
    interactions: interactions(choice),
    maxTilesLoading: 8,
  })
  const surface = surfaceOf(map, [], () =>
    // Below stand the scale and the sources.
    view.fit(cutout ?? GERMANY, { padding: [24, 24, 44, 24], maxZoom: 20 }),
  )
  let [missing, told] = [0, (_absent: number) => {}]
  const base = baseMapSwitch(map, ground, () => told(++missing))
  const clear = () => told((missing = 0))
  return withGround(
    {
      ...surface,
      baseMap: (karte) => {
        clear()
        base.show(karte)
      },
      onError: (listener) => {
        told = listener
      },
      retry: () => {
        clear()
        base.refresh()
      },
      dispose: () => {
        base.dispose()
        surface.dispose()
      },
    },
    base.shown,
  )
}

/** Adds the background once its code and data are there; without them the map works as well. */
function withGround(surface: Surface, base: BaseObject): Surface {
  let [gone, shown] = [false, false]
  let end = () => {}
  let told: (now: boolean) => void = () => {}
  import('./ol-ground.ts')
    .then(({ addGround }) =>
      addGround(surface.map, {
        base,
        told: (now) => {
          shown = now
          told(now)
        },
      }),
    )
    .then(
      (remove) => {
        if (gone) remove()
        else end = remove
      },
      () => {},
    )
  return {
    ...surface,
    onGround: (listener) => {
      told = listener
      listener(shown)
    },
    dispose: () => {
      gone = true
      end()
      surface.dispose()
    },
  }
}

function markOn(map: OlMap): Surface['mark'] {
  let sign: Overlay | null = null
  return (place) => {
    if (sign === null && place === null) return
    if (sign === null) {
      const element = document.createElement('span')
      element.className = 'flaeche-marke'
      sign = new Overlay({ element, positioning: 'center-center', stopEvent: false })
      map.addOverlay(sign)
    }
    sign.setPosition(place === null ? undefined : [...place])
  }
}

function surfaceOf(map: OlMap, tiles: readonly TileLayer<ImageTile>[], showAll: () => void): Surface {
  const view = map.getView()
  let missing = 0
  let told: (absent: number) => void = () => {}
  const fail = () => told(++missing)
  for (const layer of tiles) layer.getSource()?.on('tileloaderror', fail)
  // A map created on a hidden page has no size yet.
  if (map.getSize()?.every((edge) => edge > 0)) showAll()
  else map.once('change:size', showAll)
  return {
    map,
    showAll,
    showBox: (extent) => view.fit(extent, { maxZoom: 18, duration: 250 }),
    mark: markOn(map),
    zoomBy: (factor) => view.animate({ resolution: (view.getResolution() ?? 1) / factor, duration: 120 }),
    baseMap: () => {},
    onError: (listener) => {
      told = listener
    },
    onGround: () => {},
    retry: () => {
      missing = 0
      told(0)
      for (const layer of tiles) layer.getSource()?.refresh()
    },
    dispose: () => {
      map.setTarget()
      map.dispose()
    },
  }
}

export interface Magnifier {
  readonly show: (center: readonly [x: number, y: number], factor: number) => void
  readonly dispose: () => void
}
/** A magnified view of another map; it shares the tile sources, so no tile is requested twice. */
export function makeMagnifier(target: HTMLElement, of: OlMap): Magnifier {
  const view = new View({
    projection: of.getView().getProjection(),
    center: [0, 0],
    resolution: 1,
    enableRotation: false,
  })
  const layers = of
    .getLayers()
    .getArray()
    .flatMap((layer): BaseLayer[] => {
      const copy = layer.get('copy') as (() => BaseLayer) | undefined
      if (copy !== undefined) return [copy()]
      const source = layer instanceof TileLayer ? (layer as TileLayer<ImageTile>).getSource() : null
      return source === null ? [] : [new TileLayer<ImageTile>({ source })]
    })
  const map = new OlMap({ target, view, layers, controls: [], interactions: [], maxTilesLoading: 4 })
  return {
    show: ([x, y], factor) => {
      view.setCenter([x, y])
      view.setResolution(1 / factor)
    },
    dispose: () => {
      map.setTarget()
      map.dispose()
    },
  }
}
