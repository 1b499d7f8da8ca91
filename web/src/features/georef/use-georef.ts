// Puts the georeferencer together: the store of the points, what is computed from them, and the two panes.
import { useEffect, useMemo, useRef, useState } from 'react'
import { type KarteFile, kartePaths } from '#contract/karte-files.ts'
import type { ControlPoint } from '#domain/georef/transform.ts'
import type { Converter } from '#domain/projection.ts'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import type { Box } from '../../karte/gazetteer.ts'
import type { ScanSource } from '../../karte/ScanSurface.tsx'
import { usePicked } from '../../ui/store.ts'
import type { GeorefContext } from './georef-context.ts'
import type { GeorefRecord } from './georef.data.ts'
import { startOf } from './georef-start.ts'
import { georefStore, standOf } from './georef-store.ts'
import { showPlaces } from './ol-points.ts'
import { bashOf } from './outputs.ts'
import { surfaceHandlers, useConversion, useForecast } from './point-placing.ts'
import { useEvaluation } from './use-evaluation.ts'
import { useGroundLayers, useScanOverlay } from './use-ground-layers.ts'
import { useSaver } from './use-saver.ts'
import { type SurfaceHandlers, usePointsOnSurfaces, useSurfaces } from './use-surfaces.ts'

export interface GeorefInput {
  readonly record: GeorefRecord
  readonly scan: KarteFile | null
  readonly ergebnis: KarteFile | null
  readonly converter: Converter
  /** Where the plan may be, for the first view of a plan without points; in Web Mercator. */
  readonly surroundings: Box | null
}

export function useGeorefStart({
  record,
  scan,
  ergebnis,
  converter,
  surroundings,
}: GeorefInput): GeorefContext {
  const { karte } = record
  const [store] = useState(() => georefStore(startOf(record)))
  const stand = usePicked(store, standOf)
  const reason = useBaseMap()

  const width = scan?.breite ?? karte.width ?? Math.max(1, ...stand.punkte.map(({ spalte }) => spalte))
  const height = scan?.hoehe ?? karte.height ?? Math.max(1, ...stand.punkte.map(({ zeile }) => zeile))
  const scanName = scan?.name ?? karte.map_name
  const bash = () => bashOf(stand, scanName, width, height)
  const { evaluation, isComputing } = useEvaluation(stand.typ, stand.punkte, width, height)
  const saver = useSaver(record, stand, evaluation, bash)
  const conversion = useConversion(converter, stand.epsg)
  const frame = useRef<HTMLDivElement>(null)
  const handlers = useRef<SurfaceHandlers | null>(null)
  const surfaces = useSurfaces(handlers, store)
  const source = useScanSource(karte.id, scan)
  const { forecast, sought } = useForecast(stand, conversion.toView)
  useEffect(() => {
    handlers.current = surfaceHandlers({ store, surfaces, frame, conversion, forecast, source })
  })

  function showPoints(points: readonly ControlPoint[], epsg: number) {
    const { karteSurface } = surfaces
    if (karteSurface === null || points.length === 0 || !converter.systems.has(epsg)) return
    const convert = converter.conversion(epsg, 3857)
    showPlaces(
      karteSurface.map,
      points.map(({ ost, nord }) => convert([ost, nord])),
    )
  }
  const georef: GeorefContext = {
    store,
    record,
    scan,
    ergebnis,
    converter,
    surroundings,
    grund: reason,
    scanName,
    breite: width,
    hoehe: height,
    source,
    evaluation,
    isComputing,
    conversion,
    surfaces,
    handlers,
    frame,
    saver,
    bash,
    showPoints,
  }
  useDrawing(georef, sought)
  return georef
}

function useScanSource(karteId: number, scan: KarteFile | null): ScanSource | null {
  return useMemo(
    () =>
      scan?.kacheln
        ? {
            breite: scan.breite,
            hoehe: scan.hoehe,
            kachel: (z, x, y) => kartePaths.kachel(karteId, scan.id, z, x, y),
          }
        : null,
    [scan, karteId],
  )
}

/** Keeps both panes as the store says. */
function useDrawing(georef: GeorefContext, sought: ReturnType<typeof useForecast>['sought']): void {
  const { store, record, ergebnis, source, evaluation, conversion, surfaces } = georef
  const { toView } = conversion
  const stand = usePicked(store, standOf)
  const chosen = usePicked(store, (state) => state.gewaehlt)
  const placing = usePicked(store, (state) => state.placing)
  const overlayChoice = usePicked(store, (state) => state.overlayChoice)
  const resultShown = usePicked(store, (state) => state.resultShown)
  const bestandShown = usePicked(store, (state) => state.bestandShown)
  usePointsOnSurfaces(surfaces, { stand, evaluation, gewaehlt: chosen, placing, sought, toView })
  useScanOverlay(surfaces.overlay, source, evaluation.mesh, toView, overlayChoice)
  useGroundLayers(surfaces.karteSurface, record.karte, resultShown ? ergebnis : null, bestandShown)
}
