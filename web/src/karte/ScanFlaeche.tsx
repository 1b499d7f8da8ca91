// A scan in its own pixels, as deep as it goes.
import { Flaeche, type FlaecheProps } from './Flaeche.tsx'
import type { ScanQuelle } from './ol-quellen.ts'

export type { ScanQuelle }

/** Another scan is another map: give it a `key`. */
export const ScanFlaeche = ({ scan, rad = 'immer', ...rest }: FlaecheProps & { scan: ScanQuelle; rad?: 'immer' | 'fokus' }) => (
  <Flaeche {...rest} make={(ol, target) => ol.makeScanFlaeche(target, scan, { rad })} />
)
