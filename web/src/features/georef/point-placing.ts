// Setting and dragging points: the meaning of a click on a pane, and where the other half of a point is
// expected.
import { type RefObject, useCallback, useMemo } from 'react'
import { forecastOf } from '#domain/georef/evaluation.ts'
import { type KartePlace, type ScanPlace, type State, usedPoints } from '#domain/georef/session.ts'
import type { Converter } from '#domain/projection.ts'
import type { ScanSource } from '../../karte/ol-sources.ts'
import {
  type GeorefStore,
  moveToCrossing,
  perform,
  placeOnKarte,
  placeOnScan,
  removePoints,
  rounded,
  scanPlaceOf,
  standOf,
} from './georef-store.ts'
import { crossingNear } from './grid-search.ts'
import { isDegrees } from './georef-words.ts'
import type { Place } from './ol-points.ts'
import type { Surfaces, SurfaceHandlers } from './use-surfaces.ts'

/** Jumping to a place zooms to at most this: pixels of the scan, metres of the ground. */
const CLOSE_SCAN = 1
const CLOSE_MAP = 1

export type Conversion = ReturnType<typeof useConversion>

/** Conversions between the plan's system and the map's; both null if the plan's cannot be converted. */
export function useConversion(converter: Converter, epsg: number) {
  const isConvertible = converter.systems.has(epsg)
  const toView = useMemo(
    () => (isConvertible ? converter.conversion(epsg, 3857) : null),
    [isConvertible, converter, epsg],
  )
  const fromView = useMemo(
    () => (isConvertible ? converter.conversion(3857, epsg) : null),
    [isConvertible, converter, epsg],
  )
  const kartePlace = useCallback(
    ([x, y]: Place): KartePlace | null => {
      if (fromView === null) return null
      const [east, north] = fromView([x, y])
      const places = isDegrees(epsg) ? 9 : 4
      return { ost: rounded(east, places), nord: rounded(north, places) }
    },
    [fromView, epsg],
  )
  return { isConvertible, toView, kartePlace }
}

/** Where the other half of a point is expected, once there are enough points. */
export function useForecast(stand: State, toView: ((ort: Place) => Place) | null) {
  const forecast = useMemo(() => forecastOf(stand.typ, usedPoints(stand)), [stand])
  const sought = useMemo(() => {
    if (stand.half === null || forecast === null) return { scan: null, karte: null }
    if (stand.half.scan !== null) {
      const ort = forecast.zurKarte(stand.half.scan.spalte, stand.half.scan.zeile)
      return { scan: null, karte: toView === null ? null : toView(ort) }
    }
    const [column, row] = forecast.zumScan(stand.half.karte.ost, stand.half.karte.nord)
    return { scan: [column, -row] as const, karte: null }
  }, [stand.half, forecast, toView])
  return { forecast, sought }
}

interface Means {
  readonly store: GeorefStore
  readonly surfaces: Surfaces
  /** Element around the panes, to scroll to. */
  readonly frame: RefObject<HTMLElement | null>
  readonly conversion: Conversion
  readonly forecast: ReturnType<typeof useForecast>['forecast']
  readonly source: ScanSource | null
}

/** How far from a click a crossing may be, in pixels of the screen and at most of the scan. */
const SNAP = { screen: 10, most: 40 }

/** Looks at the pixels beside a place that was just set, and moves it to the crossing there. */
async function snapToCrossing({ store, surfaces, source }: Means, ort: ScanPlace): Promise<void> {
  if (source === null || !store.get().gridSnap) return
  const resolution = surfaces.scanSurface?.map.getView().getResolution() ?? 1
  const reach = Math.min(SNAP.most, Math.max(4, SNAP.screen * resolution))
  // What does not arrive is not snapped to: the point stays where it was set.
  const found = await crossingNear(source, { x: ort.spalte, y: ort.zeile, reach }).catch(() => null)
  if (found !== null) store.change((now) => moveToCrossing(now, ort, scanPlaceOf([found.x, -found.y])))
}

/** What a pane's clicks and drags do: the points change, and the other pane moves to where it is needed. */
export function surfaceHandlers(means: Means): SurfaceHandlers {
  const {
    store,
    surfaces: { scanLayer, karteLayer },
    frame,
    conversion: { toView, kartePlace },
    forecast,
  } = means
  return {
    placeOnScan: (at) => {
      const ort = scanPlaceOf(at)
      const completes = standOf(store.get()).half?.karte != null
      store.change((now) => placeOnScan(now, ort))
      void snapToCrossing(means, ort)
      if (!completes && forecast?.sicher && toView !== null)
        karteLayer?.goTo(toView(forecast.zurKarte(ort.spalte, ort.zeile)))
    },
    placeOnKarte: (at) => {
      const ort = kartePlace(at)
      if (ort === null) return
      const completes = standOf(store.get()).half?.scan != null
      store.change((now) => placeOnKarte(now, ort))
      if (completes || !forecast?.sicher) return
      const [column, row] = forecast.zumScan(ort.ost, ort.nord)
      scanLayer?.goTo([column, -row])
    },
    dragOnScan: (id, at, dragKey) =>
      store.change((now) => perform(now, { art: 'verschieben', id, ort: scanPlaceOf(at) }, dragKey)),
    dragOnKarte: (id, at, dragKey) => {
      const ort = kartePlace(at)
      if (ort !== null) store.change((now) => perform(now, { art: 'verschieben', id, ort }, dragKey))
    },
    goTo: (id) => {
      const point = standOf(store.get()).punkte.find((one) => one.id === id)
      if (point === undefined) return
      store.change((now) => ({ ...now, gewaehlt: id }))
      // The table may be scrolled far down: bring the panes into view.
      frame.current?.scrollIntoView({ block: 'nearest' })
      scanLayer?.goTo([point.spalte, -point.zeile], CLOSE_SCAN)
      if (toView !== null) karteLayer?.goTo(toView([point.ost, point.nord]), CLOSE_MAP)
    },
    remove: (ids) => store.change((now) => removePoints(now, ids)),
  }
}
