// Photos of a record: a habitat tree or a survey object. What differs between the two is declared by the part
// that shows them; row security decides who sees, adds and deletes them.
import { type HabitatImage, type HabitatImageSize, habitatImagePaths } from '#contract/habitat-images.ts'
import { surveyImagePaths } from '#contract/survey-images.ts'
import type { Filter } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'

export type PhotoTable = 'habitatbilder' | 'vermessungsbilder'
/** Without the slash that the client adds itself. */
export const bytesPathOf = (table: PhotoTable, photo: number, size: HabitatImageSize): string =>
  (table === 'habitatbilder' ? habitatImagePaths : surveyImagePaths).bytes(photo, size).slice(1)

export interface PhotosOf {
  readonly table: PhotoTable
  /** Of this record only. */
  readonly filter: Filter
  /** The record's own query key. */
  readonly key: readonly unknown[]
  /** As it is called in alternative texts. */
  readonly name: string
  /** Path of the upload of a photo with this kennung. */
  readonly upload: (photo: string) => string
  readonly mayAdd: boolean
  readonly mayDelete: boolean
  readonly words: PhotoWords
}
export interface PhotoWords {
  /** While there is none, for those who may add one and for others. */
  readonly none: string
  readonly drop: string
  /** A photo taken too far away. */
  readonly far: (metres: number) => string
}

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
  'created_at',
  'created_by',
] as const satisfies readonly (keyof HabitatImage)[]
/** titelbild: only trees have one. */
export type Picture = Pick<HabitatImage, (typeof SELECT)[number]> & { readonly titelbild?: boolean }
/** Metres; a photo taken further away is probably of something else. */
const FAR_M = 30

export const picturesQuery = ({ table, key, filter }: Pick<PhotosOf, 'table' | 'key' | 'filter'>) => ({
  queryKey: [...key, 'bilder'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    selectRows<Picture>(table, {
      select: table === 'habitatbilder' ? [...SELECT, 'titelbild'] : SELECT,
      filters: [filter],
      order: [
        ...(table === 'habitatbilder' ? [{ column: 'titelbild', descending: true }] : []),
        // Not by arrival: two devices send in any order, and so does one after a refusal.
        { column: 'aufgenommen_am' },
        { column: 'id' },
      ],
      limit: 100,
      signal,
    }),
})
export const isFar = ({ exif_abweichung_m }: Picture): boolean =>
  exif_abweichung_m !== null && Number(exif_abweichung_m) > FAR_M
