// What differs between photos of habitat trees and of survey objects: their addresses, who may add them, and
// where their rows are. Everything else is the same (photo-upload.ts, photo-sizes.ts, photos.ts).
import { habitatImagePaths } from '#contract/habitat-images.ts'
import { surveyImagePaths } from '#contract/survey-images.ts'
import { isTable, type Table } from '#domain/vermessung/fields.ts'

interface Statement {
  readonly name: string
  readonly text: string
}
export interface PhotoKind {
  /** Where the rows are. */
  readonly relation: string
  readonly uploadRoute: string
  readonly bytesRoute: string
  /** In which the last answer to an upload names the photo. */
  readonly header: string
  /** What the photo is of, as the address says it; null if it is nothing. */
  readonly objectOf: (params: Readonly<Record<string, string>>) => readonly string[] | null
  readonly uploadPath: (object: readonly string[], photo: string) => string
  /** Names of rules: deleted before, and another one has this kennung. */
  readonly rules: { readonly deleted: string; readonly taken: string }
  /**
   * $1: the photo, then the object. For those who may add: `object` (a JSON list, as `there` and `add` take it),
   * the person, and whether the photo was deleted before.
   */
  readonly right: Statement
  /** $1: the photo, then the object. */
  readonly there: Statement
  /** The object, then the photo and what is known of it. */
  readonly add: Statement
  /** $1: the photo, $2 to $4: the stored files of its sizes. */
  readonly drawn: Statement
  /** Photos without sizes after $1, at most $2. */
  readonly open: Statement
  readonly bytes: Statement
}

/** `count` placeholders from $first on. */
const places = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `$${first + at}`).join(', ')

export const TREE_PHOTOS: PhotoKind = {
  relation: 'habitatbilder',
  uploadRoute: '/habitatbaum/:baum/bild/:bild/upload',
  bytesRoute: '/habitatbilder/:bild/:groesse',
  header: 'Habitat-Bild',
  objectOf: ({ baum }) => (isUuid(baum) ? [baum] : null),
  uploadPath: ([tree = ''], photo) => habitatImagePaths.upload(tree, photo),
  rules: { deleted: 'habitat_geloescht', taken: 'habitat_kennung_vergeben' },
  right: {
    name: 'habitat_upload_recht',
    text: `select json_build_array(t.id)::text as object, rights.user_id() as person,
        forest.was_habitat_deleted($1, t."idHQ") as geloescht
      from app.habitatbaeume t
      where t.kennung = $2 and (rights.has_role('ogf_admin') or t."idHQ" = any (forest.active_hqs()))`,
  },
  there: {
    name: 'habitat_bild_da',
    text: 'select id, groesse, sha256 from app.habitatbilder where kennung = $1 and habitat_id = $2',
  },
  add: {
    name: 'add_habitat_picture',
    text: `select id from forest.add_habitat_picture(${places(1, 13)})`,
  },
  drawn: {
    name: 'set_picture_sizes',
    text: 'select forest.set_picture_sizes($1, $2, $3, $4) as ok',
  },
  open: {
    name: 'pictures_without_sizes',
    text: 'select id, sha256 from forest.pictures_without_sizes($1, $2)',
  },
  bytes: {
    name: 'habitat_bild_bytes',
    text: 'select dateiname, typ, sha256, klein, mittel, gross from app.habitatbilder where id = $1',
  },
}

export const SURVEY_PHOTOS: PhotoKind = {
  relation: 'vermessungsbilder',
  uploadRoute: '/vermessungsobjekt/:art/:objekt/bild/:bild/upload',
  bytesRoute: '/vermessungsbilder/:bild/:groesse',
  header: 'Vermessung-Bild',
  objectOf: ({ art, objekt }) => (isTable(art) && isUuid(objekt) ? [art, objekt] : null),
  uploadPath: ([kind = '', object = ''], photo) => surveyImagePaths.upload(kind as Table, object, photo),
  rules: { deleted: 'vermessung_geloescht', taken: 'vermessung_kennung_vergeben' },
  right: {
    name: 'vermessung_upload_recht',
    text: `select json_build_array($2::text, $3::text)::text as object, rights.user_id() as person,
        maps.is_vermessung_deleted($1) as geloescht
      where rights.has_any('apus_admin', 'apus_team') and maps.vermessung_json($2, $3::uuid) is not null`,
  },
  there: {
    name: 'vermessung_bild_da',
    text: `select id, groesse, sha256 from app.vermessungsbilder
      where kennung = $1 and tabelle = $2 and objekt = $3::uuid`,
  },
  add: {
    name: 'add_vermessung_picture',
    text: `select id from maps.add_vermessung_picture(${places(1, 14)})`,
  },
  drawn: {
    name: 'set_survey_picture_sizes',
    text: 'select maps.set_picture_sizes($1, $2, $3, $4) as ok',
  },
  open: {
    name: 'survey_pictures_without_sizes',
    text: 'select id, sha256 from maps.pictures_without_sizes($1, $2)',
  },
  bytes: {
    name: 'vermessung_bild_bytes',
    text: 'select dateiname, typ, sha256, klein, mittel, gross from app.vermessungsbilder where id = $1',
  },
}
export const PHOTO_KINDS: readonly PhotoKind[] = [TREE_PHOTOS, SURVEY_PHOTOS]

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const isUuid = (text: string | undefined): text is string => text !== undefined && UUID.test(text)
