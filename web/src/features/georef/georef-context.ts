// What the parts of the georeferencer work on: the plan and its scan, the store of the points, and what
// follows from both.
import { createContext, type RefObject, useContext } from 'react'
import type { KarteFile } from '#contract/karte-files.ts'
import type { Evaluation } from '#domain/georef/evaluation.ts'
import type { State } from '#domain/georef/session.ts'
import type { ControlPoint } from '#domain/georef/transform.ts'
import type { Converter } from '#domain/projection.ts'
import type { BaseMapChoice } from '../../karte/base-maps.data.ts'
import type { Box } from '../../karte/gazetteer.ts'
import type { ScanSource } from '../../karte/ScanSurface.tsx'
import { usePicked } from '../../ui/store.ts'
import type { GeorefRecord } from './georef.data.ts'
import { type GeorefState, type GeorefStore, standOf } from './georef-store.ts'
import type { Conversion } from './point-placing.ts'
import type { SurfaceHandlers, Surfaces } from './use-surfaces.ts'
import type { Saver } from './use-saver.ts'

export interface GeorefContext {
  readonly store: GeorefStore
  readonly record: GeorefRecord
  readonly scan: KarteFile | null
  readonly ergebnis: KarteFile | null
  readonly converter: Converter
  readonly surroundings: Box | null
  readonly grund: BaseMapChoice
  readonly scanName: string
  /** Size of the scan in pixels. */
  readonly breite: number
  readonly hoehe: number
  /** Tiles of the scan; null until they are made. */
  readonly source: ScanSource | null
  readonly evaluation: Evaluation
  readonly isComputing: boolean
  readonly conversion: Conversion
  readonly surfaces: Surfaces
  readonly handlers: RefObject<SurfaceHandlers | null>
  /** Element around the panes. */
  readonly frame: RefObject<HTMLDivElement | null>
  readonly saver: Saver
  /** The commands for GDAL; null while no transformation fits. */
  readonly bash: () => string | null
  /** Moves the map to the points, unless they are already visible. */
  readonly showPoints: (points: readonly ControlPoint[], epsg: number) => void
}
export const GeorefFrame = createContext<GeorefContext | null>(null)

export function useGeoref(): GeorefContext {
  const georef = useContext(GeorefFrame)
  if (georef === null) throw new Error('a part of the georeferencer without its frame')
  return georef
}
export const useGeorefState = <T>(pick: (state: GeorefState) => T): T => usePicked(useGeoref().store, pick)
/** The points and settings being edited. */
export const useStand = (): State => useGeorefState(standOf)
