// A scan in its own pixel coordinates, at full resolution.
import { Surface, type SurfaceProps } from './Surface.tsx'
import type { ScanSource } from './ol-sources.ts'

export type { ScanSource }

/** The map is not updated for another scan: set `key` to recreate it. */
export const ScanSurface = ({
  scan,
  wheel = 'immer',
  ...rest
}: SurfaceProps & { scan: ScanSource; wheel?: 'immer' | 'fokus' }) => (
  <Surface {...rest} make={(ol, target) => ol.makeScanSurface(target, scan, { wheel })} />
)
