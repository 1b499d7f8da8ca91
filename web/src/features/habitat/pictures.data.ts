// The photos of a tree.
import type { HabitatImage } from '#contract/habitat-images.ts'
import { eq } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'
import { treeKey } from './habitat.data.ts'

const SELECT = [
  'id',
  'dateiname',
  'breite',
  'hoehe',
  'klein',
  'gross',
  'aufgenommen_am',
  'exif_abweichung_m',
  'bemerkung',
  'titelbild',
  'created_at',
  'created_by',
] as const satisfies readonly (keyof HabitatImage)[]
export type Picture = Pick<HabitatImage, (typeof SELECT)[number]>
/** Metres; a photo taken further away is probably of another tree. */
const FAR_M = 30

export const picturesQuery = (tree: number) => ({
  queryKey: [...treeKey(tree), 'bilder'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    selectRows<Picture>('habitatbilder', {
      select: SELECT,
      filters: [eq('habitat_id', tree)],
      order: [{ column: 'titelbild', descending: true }, { column: 'id' }],
      limit: 100,
      signal,
    }),
})
export const isFar = ({ exif_abweichung_m }: Picture): boolean =>
  exif_abweichung_m !== null && Number(exif_abweichung_m) > FAR_M
