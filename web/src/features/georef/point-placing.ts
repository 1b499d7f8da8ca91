// Setting and dragging points: the meaning of a click on a pane, and where the other half of a point is
// expected.
import { type RefObject, useCallback, useMemo } from 'react'
import { forecastOf } from '#domain/georef/evaluation.ts'
import { usedPoints, type KartePlace, type State } from '#domain/georef/session.ts'
import type { Converter } from '#domain/projection.ts'
import {
  type GeorefStore,
  perform,
  placeOnKarte,
  placeOnScan,
  removePoints,
  rounded,
  scanPlaceOf,
  standOf,
} from './georef-store.ts'
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
}

/** What a pane's clicks and drags do: the points change, and the other pane moves to where it is needed. */
export function surfaceHandlers({
  store,
  surfaces: { scanLayer, karteLayer },
  frame,
  conversion: { toView, kartePlace },
  forecast,
}: Means): SurfaceHandlers {
  return {
    placeOnScan: (at) => {
      const ort = scanPlaceOf(at)
      const completes = standOf(store.get()).half?.karte != null
      store.change((now) => placeOnScan(now, ort))
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
