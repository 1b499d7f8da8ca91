// Setting, dragging and nudging points: the meaning of a click on a pane, and where the other half of a point
// is expected.
import { type RefObject, useCallback, useMemo } from 'react'
import { forecastOf } from '#domain/georef/evaluation.ts'
import { usedPoints, type KartePlace, type Point } from '#domain/georef/session.ts'
import type { Converter } from '#domain/projection.ts'
import { t } from '../../ui/text.ts'
import { isDegrees } from './georef-words.ts'
import type { Place } from './ol-points.ts'
import type { Surfaces, SurfaceHandlers, SurfacePointer } from './use-surfaces.ts'
import type { SessionHandle } from './use-georef-session.ts'

/**
 * Points are stored to a thousandth of a pixel and a tenth of a millimetre: finer than any hand, and still
 * readable.
 */
const rounded = (value: number, places: number): number => Number(value.toFixed(places))
const roundPixel = (value: number): number => rounded(value, 3)
/** Jumping to a place zooms to at most this: pixels of the scan, metres of the ground. */
const CLOSE_SCAN = 1
const CLOSE_MAP = 1

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
      const [ost, nord] = fromView([x, y])
      const places = isDegrees(epsg) ? 9 : 4
      return { ost: rounded(ost, places), nord: rounded(nord, places) }
    },
    [fromView, epsg],
  )
  return { isConvertible, toView, kartePlace }
}

/** Where the other half of a point is expected, once there are enough points. */
export function useForecast(stand: SessionHandle['present'], toView: ((ort: Place) => Place) | null) {
  const forecast = useMemo(() => forecastOf(stand.typ, usedPoints(stand)), [stand])
  const sought = useMemo(() => {
    if (stand.half === null || forecast === null) return { scan: null, karte: null }
    if (stand.half.scan !== null) {
      const ort = forecast.zurKarte(stand.half.scan.spalte, stand.half.scan.zeile)
      return { scan: null, karte: toView === null ? null : toView(ort) }
    }
    const [spalte, zeile] = forecast.zumScan(stand.half.karte.ost, stand.half.karte.nord)
    return { scan: [spalte, -zeile] as const, karte: null }
  }, [stand.half, forecast, toView])
  return { forecast, sought }
}

export interface PointPlacing extends SurfaceHandlers {
  /** The selected point. */
  readonly point: Point | null
  /** A point is complete: select and announce it. */
  readonly placed: () => void
  /** Centre of the magnifier and its label. */
  readonly magnifier: { readonly center: Place | null; readonly was: string | null }
  readonly nudge: (right: number, down: number) => void
}

interface Means {
  readonly session: Pick<SessionHandle, 'present' | 'tu'>
  readonly surfaces: Surfaces
  /** Element around the panes, to scroll to. */
  readonly frame: RefObject<HTMLElement | null>
  readonly conversion: ReturnType<typeof useConversion>
  readonly forecast: ReturnType<typeof useForecast>['forecast']
  readonly gewaehlt: number | null
  readonly pointer: SurfacePointer | null
  readonly onChoose: (point: number | null) => void
  /** For screen readers. */
  readonly announce: (text: string) => void
}

export function usePointPlacing({
  session: { present: stand, tu },
  surfaces: { scanLayer, karteLayer },
  frame,
  conversion: { toView, kartePlace },
  forecast,
  gewaehlt,
  pointer,
  onChoose,
  announce,
}: Means): PointPlacing {
  const placed = () => {
    onChoose(stand.naechste)
    announce(t('Punkt {nr} gesetzt.', { nr: stand.punkte.length + 1 }))
  }
  const placeOnScan = ([x, y]: Place): void => {
    const ort = { spalte: roundPixel(x), zeile: roundPixel(-y) }
    const whole = stand.half?.karte != null
    tu({ art: 'scan', ort })
    if (whole) return placed()
    onChoose(null)
    announce(t('Ort im Scan gesetzt. Jetzt denselben Ort auf der Karte.'))
    if (forecast?.sicher && toView !== null)
      karteLayer?.goTo(toView(forecast.zurKarte(ort.spalte, ort.zeile)))
    return undefined
  }
  const placeOnKarte = (ort: Place): void => {
    const place = kartePlace(ort)
    if (place === null) return undefined
    const whole = stand.half?.scan != null
    tu({ art: 'karte', ort: place })
    if (whole) return placed()
    onChoose(null)
    announce(t('Ort auf der Karte gesetzt. Jetzt denselben Ort im Scan.'))
    if (forecast?.sicher) {
      const [spalte, zeile] = forecast.zumScan(place.ost, place.nord)
      scanLayer?.goTo([spalte, -zeile])
    }
    return undefined
  }
  const dragOnScan = (point: number, [x, y]: Place, dragKey: string) =>
    tu({ art: 'verschieben', id: point, ort: { spalte: roundPixel(x), zeile: roundPixel(-y) } }, dragKey)
  const dragOnKarte = (point: number, ort: Place, dragKey: string) => {
    const place = kartePlace(ort)
    if (place !== null) tu({ art: 'verschieben', id: point, ort: place }, dragKey)
  }
  const goTo = (point: number) => {
    const one = stand.punkte.find((other) => other.id === point)
    if (one === undefined) return
    onChoose(point)
    // The table may be scrolled far down: bring the panes into view.
    frame.current?.scrollIntoView({ block: 'nearest' })
    scanLayer?.goTo([one.spalte, -one.zeile], CLOSE_SCAN)
    if (toView !== null) karteLayer?.goTo(toView([one.ost, one.nord]), CLOSE_MAP)
  }
  const remove = (ids: readonly number[]) => {
    tu({ art: 'loeschen', ids })
    onChoose(null)
    announce(t('Punkt gelöscht. Strg+Z holt ihn zurück.'))
  }

  const point = stand.punkte.find((one) => one.id === gewaehlt) ?? null
  // The magnifier shows the selected point, an incomplete one, or the pointer's place.
  const magnifier =
    point !== null
      ? {
          center: [point.spalte, -point.zeile] as const,
          was: t('Punkt {nr}', { nr: stand.punkte.indexOf(point) + 1 }),
        }
      : stand.half?.scan
        ? { center: [stand.half.scan.spalte, -stand.half.scan.zeile] as const, was: t('neuer Punkt') }
        : { center: pointer?.where === 'scan' ? pointer.ort : null, was: null }
  const nudge = (right: number, down: number) => {
    const moved = ({ spalte, zeile }: { spalte: number; zeile: number }) => ({
      spalte: roundPixel(spalte + right),
      zeile: roundPixel(zeile + down),
    })
    if (point !== null) tu({ art: 'verschieben', id: point.id, ort: moved(point) }, `schub ${point.id}`)
    else if (stand.half?.scan) tu({ art: 'scan', ort: moved(stand.half.scan) }, 'schub halb')
  }
  return { placeOnScan, placeOnKarte, dragOnScan, dragOnKarte, goTo, remove, point, placed, magnifier, nudge }
}
