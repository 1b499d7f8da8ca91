// The two kinds of map on a screen, made of OpenLayers: a scan in its own pixels, and the ground in web mercator. Loaded with the first map that is shown.
import ScaleLine from 'ol/control/ScaleLine.js'
import type { Extent } from 'ol/extent.js'
import { defaults as interactionDefaults } from 'ol/interaction/defaults.js'
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js'
import TileLayer from 'ol/layer/Tile.js'
import OlMap from 'ol/Map.js'
import Projection from 'ol/proj/Projection.js'
import type ImageTile from 'ol/source/ImageTile.js'
import View from 'ol/View.js'
import type { BaseMap } from '#contract/base-map.ts'
import { baseMapSource, type ScanSource, scanResolutions, scanTiles } from './ol-sources.ts'

export interface Surface {
  readonly map: OlMap
  /** Everything there is to see. */
  readonly showAll: () => void
  /** By a factor: 2 doubles what is seen, half a turn of the wheel is √2. */
  readonly zoomBy: (factor: number) => void
  /** Puts another base map under all else; null takes it away. Only of the ground. */
  readonly baseMap: (karte: BaseMap | null) => void
  /** Tells how many tiles did not come; 0 once all are asked again. */
  readonly onError: (listener: (fehlend: number) => void) => void
  readonly retry: () => void
  readonly dispose: () => void
}

export interface SurfaceOptions {
  /** The wheel enlarges at once, or only while the map has the focus: on pages that scroll past it. */
  readonly wheel: 'immer' | 'fokus'
}

const ZOOM_MS = 120

/** A view is turned by intent alone: what somebody turned with two fingers by chance looks like a fault. */
const interactions = ({ wheel }: SurfaceOptions) => {
  const all = interactionDefaults({
    altShiftDragRotate: false,
    pinchRotate: false,
    mouseWheelZoom: false,
    zoomDuration: ZOOM_MS,
  })
  // The wheel alone waits for the focus: what `onFocusOnly` of all does would let the first pull do nothing.
  all.push(new MouseWheelZoom({ onFocusOnly: wheel === 'fokus', duration: ZOOM_MS }))
  return all
}

/** Below this many pixels of the scan on one of the screen nothing is to be seen any more. */
const FINEST = 1 / 32

/** The scan's pixels: x is the column, y the row counted upwards, so below zero. */
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

const widened = ([xmin, ymin, xmax, ymax]: Extent, share: number): Extent => {
  const [dx, dy] = [((xmax ?? 0) - (xmin ?? 0)) * share, ((ymax ?? 0) - (ymin ?? 0)) * share]
  return [(xmin ?? 0) - dx, (ymin ?? 0) - dy, (xmax ?? 0) + dx, (ymax ?? 0) + dy]
}

/** Germany, in web mercator. */
export const GERMANY: Extent = [650_000, 5_980_000, 1_680_000, 7_370_000]

/** The ground in web mercator, as vector tiles ask for it. */
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
  return surfaceOf(map, [ground], () =>
    view.fit(cutout ?? GERMANY, { padding: [24, 24, 24, 24], maxZoom: 20 }),
  )
}

function surfaceOf(map: OlMap, tiles: readonly TileLayer<ImageTile>[], showAll: () => void): Surface {
  const view = map.getView()
  let missing = 0
  let told: (fehlend: number) => void = () => {}
  const fail = () => told(++missing)
  for (const layer of tiles) layer.getSource()?.on('tileloaderror', fail)
  // A map that is made while its page is hidden has no size yet.
  if (map.getSize()?.every((edge) => edge > 0)) showAll()
  else map.once('change:size', showAll)
  return {
    map,
    showAll,
    zoomBy: (factor) => view.animate({ resolution: (view.getResolution() ?? 1) / factor, duration: 120 }),
    baseMap: (karte) => {
      const source = karte === null ? null : baseMapSource(karte)
      source?.on('tileloaderror', fail)
      missing = 0
      told(0)
      tiles[0]?.setSource(source)
    },
    onError: (listener) => {
      told = listener
    },
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
/** A second, closer look at what another pane shows; it asks for no tiles twice. */
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
    .filter((layer): layer is TileLayer<ImageTile> => layer instanceof TileLayer)
    .flatMap((layer) => {
      const source = layer.getSource()
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
