// The grid of the vector tiles, and from which level on a collection has them.
import type { Collection } from './collections.ts'

export const MATRIX_SET = 'WebMercatorQuad'
export const LAST_LEVEL = 22
/** Of single objects, and of areas. */
export const firstLevel = ({ kind }: Collection): number => (kind === 'polygon' ? 8 : 12)
