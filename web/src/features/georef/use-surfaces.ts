// The two panes of the georeferencer and their layers: points, incomplete points, the scan over the ground.
import { type RefObject, useEffect, useState } from 'react'
import type { Evaluation } from '#domain/georef/evaluation.ts'
import type { Point, State } from '#domain/georef/session.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import type { GeorefStore, SurfacePointer } from './georef-store.ts'
import { ScanOverlay } from './ol-overlay.ts'
import { snapAt } from './ol-snap.ts'
import { type Place, type PointMark, PointLayer } from './ol-points.ts'

/** Actions on a pane. */
export interface SurfaceHandlers {
  readonly placeOnScan: (ort: Place) => void
  readonly placeOnKarte: (ort: Place) => void
  readonly dragOnScan: (point: number, ort: Place, dragKey: string) => void
  readonly dragOnKarte: (point: number, ort: Place, dragKey: string) => void
  readonly goTo: (point: number) => void
  readonly remove: (ids: readonly number[]) => void
}
export interface Surfaces {
  readonly scanSurface: SurfaceHandle | null
  readonly karteSurface: SurfaceHandle | null
  readonly scanLayer: PointLayer | null
  readonly karteLayer: PointLayer | null
  readonly overlay: ScanOverlay | null
  readonly onScanReady: (area: SurfaceHandle) => () => void
  readonly onKarteReady: (area: SurfaceHandle) => () => void
}

/** `handlers` is a ref, because a pane gets its callbacks once but must always call the current ones. */
export function useSurfaces(handlers: RefObject<SurfaceHandlers | null>, store: GeorefStore): Surfaces {
  const [scanSurface, setScanSurface] = useState<SurfaceHandle | null>(null)
  const [karteSurface, setKarteSurface] = useState<SurfaceHandle | null>(null)
  const [scanLayer, setScanLayer] = useState<PointLayer | null>(null)
  const [karteLayer, setKarteLayer] = useState<PointLayer | null>(null)
  const [overlay, setOverlay] = useState<ScanOverlay | null>(null)
  const pick = (chosen: number | null) => store.change((now) => ({ ...now, gewaehlt: chosen }))
  const display = (where: SurfacePointer['where']) => (ort: Place | null) =>
    store.change((now) => ({ ...now, pointer: ort === null ? null : { where, ort } }))
  const onScanReady = (area: SurfaceHandle) => {
    const level = new PointLayer(area.map, {
      setPoint: (ort) => handlers.current?.placeOnScan(ort),
      pick,
      drag: (...dragKey) => handlers.current?.dragOnScan(...dragKey),
      display: display('scan'),
      snap: (ort) => ort,
    })
    setScanSurface(area)
    setScanLayer(level)
    return () => level.dispose()
  }
  const onKarteReady = (area: SurfaceHandle) => {
    const level = new PointLayer(area.map, {
      setPoint: (ort) => handlers.current?.placeOnKarte(ort),
      pick,
      drag: (...dragKey) => handlers.current?.dragOnKarte(...dragKey),
      display: display('karte'),
      snap: (ort, pixel) => snapAt(area.map, ort, pixel),
    })
    const over = new ScanOverlay(area.map)
    setKarteSurface(area)
    setKarteLayer(level)
    setOverlay(over)
    return () => {
      level.dispose()
      over.dispose()
    }
  }
  return { scanSurface, karteSurface, scanLayer, karteLayer, overlay, onScanReady, onKarteReady }
}

interface Drawn {
  readonly stand: State
  readonly evaluation: Evaluation
  readonly gewaehlt: number | null
  readonly placing: boolean
  /** Where the other half of an incomplete point is expected. */
  readonly sought: { readonly scan: Place | null; readonly karte: Place | null }
  readonly toView: ((ort: Place) => Place) | null
}

/** Draws points, the incomplete one and its expected place on both panes. */
export function usePointsOnSurfaces(
  { scanLayer, karteLayer }: Surfaces,
  { stand, evaluation, gewaehlt, placing, sought, toView }: Drawn,
): void {
  const { punkte, half } = stand
  // A spline passes through every point, so its arrows would be meaningless.
  const arrows = stand.typ !== 'tps'
  useEffect(() => {
    const art = (index: number, enable: boolean): PointMark['art'] =>
      !enable ? 'aus' : index === evaluation.worstPoint ? 'schlecht' : 'benutzt'
    const pictures = (
      placeOf: (point: Point) => Place | null,
      errorOf: (index: number) => Place | null,
    ): PointMark[] =>
      punkte.flatMap((point, index) => {
        const ort = placeOf(point)
        if (ort === null || !ort.every(Number.isFinite)) return []
        return [
          {
            id: point.id,
            nr: index + 1,
            ort,
            art: art(index, point.enable),
            gewaehlt: point.id === gewaehlt,
            fehler: errorOf(index),
          },
        ]
      })
    scanLayer?.show(
      pictures(
        ({ spalte, zeile }) => [spalte, -zeile],
        (index) => {
          const rest = evaluation.rest[index]
          return rest && arrows ? [rest.dx, -rest.dy] : null
        },
      ),
    )
    karteLayer?.show(
      pictures(
        ({ ost, nord }) => (toView === null ? null : toView([ost, nord])),
        () => null,
      ),
    )
  }, [scanLayer, karteLayer, punkte, evaluation, gewaehlt, toView, arrows])
  useEffect(() => {
    scanLayer?.showHalf(half?.scan ? [half.scan.spalte, -half.scan.zeile] : null, sought.scan)
    karteLayer?.showHalf(
      half?.karte && toView ? toView([half.karte.ost, half.karte.nord]) : null,
      sought.karte,
    )
  }, [scanLayer, karteLayer, half, sought, toView])
  useEffect(() => {
    scanLayer?.switchPlacing(placing)
    karteLayer?.switchPlacing(placing)
  }, [scanLayer, karteLayer, placing])
}
