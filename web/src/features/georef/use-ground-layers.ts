// Layers over the ground besides the points: the scan being placed, the finished plan, the existing survey.
import { useEffect, useState } from 'react'
import type { KarteFile } from '#contract/karte-files.ts'
import type { Karte } from '#contract/karte.ts'
import type { Mesh } from '#domain/georef/mesh.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import type { ScanSource } from '../../karte/ScanSurface.tsx'
import type { OverlayChoice } from './georef-store.ts'
import type { ScanOverlay } from './ol-overlay.ts'
import { bestandLayer } from './ol-bestand.ts'
import { resultLayer } from '../../karte/ol-result.ts'
import type { Place } from './ol-points.ts'
import { fetchScanPicture } from './scan-picture.ts'

/** Overlays the scan on the ground according to the points. */
export function useScanOverlay(
  overlay: ScanOverlay | null,
  source: ScanSource | null,
  mesh: Mesh | null,
  toView: ((ort: Place) => Place) | null,
  choice: OverlayChoice,
): void {
  const [pictureCount, setPictureCount] = useState(0)
  useEffect(() => {
    if (overlay === null || source === null || !choice.an) return undefined
    const ended = new AbortController()
    fetchScanPicture(source, ended.signal, (picture) => {
      overlay.setPicture(picture)
      setPictureCount((count) => count + 1)
    }).catch(() => {
      // The scan's own pane reports loading errors.
    })
    return () => ended.abort()
  }, [overlay, source, choice.an])
  useEffect(() => {
    overlay?.setMesh(mesh, toView)
  }, [overlay, mesh, toView, pictureCount])
  useEffect(() => {
    overlay?.show(choice.an, choice.opacity / 100, choice.swipePercent / 100)
  }, [overlay, choice])
}

/** The finished plan and the survey, each while it is switched on. */
export function useGroundLayers(
  area: SurfaceHandle | null,
  { id, client_id }: Pick<Karte, 'id' | 'client_id'>,
  result: KarteFile | null,
  bestand: boolean,
): void {
  useEffect(() => {
    if (area === null || result === null) return undefined
    const layer = resultLayer(id, result.id)
    area.map.addLayer(layer)
    return () => {
      area.map.removeLayer(layer)
    }
  }, [area, result, id])
  useEffect(() => {
    if (area === null || !bestand) return undefined
    const layer = bestandLayer(client_id)
    area.map.addLayer(layer)
    return () => {
      area.map.removeLayer(layer)
    }
  }, [area, bestand, client_id])
}
