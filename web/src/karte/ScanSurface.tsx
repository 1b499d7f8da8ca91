// A scan in its own pixels, as deep as it goes.
import { Surface, type SurfaceProps } from './Surface.tsx'
import type { ScanSource } from './ol-sources.ts'

export type { ScanSource }

/** Another scan is another map: give it a `key`. */
export const ScanSurface = ({
  scan,
  wheel = 'immer',
  ...rest
}: SurfaceProps & { scan: ScanSource; wheel?: 'immer' | 'fokus' }) => (
  <Surface {...rest} make={(ol, target) => ol.makeScanSurface(target, scan, { wheel })} />
)
