// Photos of survey objects: rows of app.vermessungsbilder. As of habitat trees (habitat-images.ts).
import type { Table } from '#domain/vermessung/fields.ts'
import type { HabitatImage, HabitatImageSize } from './habitat-images.ts'

/** As the API answers it. @public */
export interface SurveyImage extends Omit<HabitatImage, 'habitat_id' | 'idHQ' | 'titelbild'> {
  tabelle: Table
  /** The object's kennung. */
  objekt: string
}

/** Under the base path of the general API; every request carries the bearer token. */
export const surveyImagePaths = {
  /**
   * Resumable upload of a photo of an object, both identified by their kennung; otherwise as of trees
   * (habitatImagePaths). The last response names the photo in the header `Vermessung-Bild`.
   */
  upload: (kind: Table, object: string, picture: string) =>
    `/vermessungsobjekt/${kind}/${object}/bild/${picture}/upload`,
  bytes: (picture: number | string, size: HabitatImageSize) => `/vermessungsbilder/${picture}/${size}`,
} as const
