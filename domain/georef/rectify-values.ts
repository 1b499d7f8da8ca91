import type { Resampling } from './output.ts'
import type { FilePoint } from './points-file.ts'
import type { GeorefType } from './transform.ts'

/** A control point as it is kept; left out: it is used, and nothing is known about its residual. */
export type KeptPoint = Pick<FilePoint, 'mapx' | 'mapy' | 'pixelx' | 'pixely'> &
  Partial<Pick<FilePoint, 'enable' | 'dx' | 'dy' | 'residual'>>

/** How a scan is placed on the map. */
export interface RectifyValues {
  readonly georef_typ: GeorefType
  readonly epsg: number
  /** Map units per pixel of the result; null uses the resolution of the scan. */
  readonly res: number | null
  readonly verfahren: Resampling
  readonly kompression: 'jpeg' | 'deflate'
  readonly punkte: readonly KeptPoint[]
  /** A person has confirmed that the plan is there, far from its customer. */
  readonly ort_bestaetigt?: boolean
}
