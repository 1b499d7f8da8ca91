// The parts of the OpenAPI description that are no reading of features: writing single features (OGC API Features,
// part 4) and vector tiles (OGC API Tiles).
import { COLLECTIONS } from './collections.ts'
import { CRS_LIST } from './crs.ts'
import { GEOJSON_TYPE, JSON_TYPE } from './documents.ts'
import { LAST_LEVEL, MATRIX_SET } from './tile-levels.ts'
import { TILE_TYPE } from './tiles.ts'

const PATCH_TYPE = 'application/merge-patch+json'
const REFUSED = [400, 401, 403, 404, 409, 412, 413, 415, 429, 503] as const

const failures = (statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/${status}` }]))
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })

/** What GeoJSON says of a feature that is sent; `id` and `links` in it count nothing. */
const SENT = {
  type: 'object',
  required: ['type', 'geometry', 'properties'],
  properties: {
    type: { type: 'string', enum: ['Feature'] },
    geometry: { type: 'object', nullable: true },
    properties: { type: 'object', nullable: true },
  },
}
const CHANGED = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['Feature'] },
    geometry: { type: 'object', nullable: true },
    properties: { type: 'object' },
  },
}

const ETAG = { etag: { description: 'Version des Objekts', schema: { type: 'string' } } }
const ALLOW = { allow: { description: 'Erlaubte Methoden', schema: { type: 'string' } } }

const act = (operationId: string, summary: string, parameters: readonly string[], body?: object) => ({
  operationId,
  summary,
  parameters: parameters.map(parameter),
  ...(body && { requestBody: { required: true, content: body } }),
})
const options = (operationId: string, parameters: readonly string[]) => ({
  ...act(operationId, 'Was der Aufrufer hier darf', parameters),
  responses: { 204: { description: 'Erlaubt', headers: ALLOW }, ...failures([400, 401, 403, 404, 429, 503]) },
})

const ONE = ['writtenId', 'featureId', 'if-match'] as const

/** Added to the paths of reading; collections that nobody writes through these services refuse with 403. */
export const WRITES = {
  '/collections/{collectionId}/items': {
    post: {
      ...act('createFeature', 'Ein Objekt anlegen', ['writtenId', 'content-crs'], {
        [GEOJSON_TYPE]: { schema: SENT },
      }),
      responses: {
        201: {
          description: 'Angelegt',
          headers: { location: { description: 'Adresse des Objekts', schema: { type: 'string' } } },
        },
        ...failures(REFUSED),
      },
    },
    options: options('offerCreation', ['collectionId']),
  },
  '/collections/{collectionId}/items/{featureId}': {
    put: {
      ...act('replaceFeature', 'Ein Objekt ersetzen', [...ONE, 'content-crs'], {
        [GEOJSON_TYPE]: { schema: SENT },
      }),
      responses: { 204: { description: 'Ersetzt', headers: ETAG }, ...failures(REFUSED) },
    },
    patch: {
      ...act('updateFeature', 'Ein Objekt ändern', [...ONE, 'content-crs'], {
        [PATCH_TYPE]: { schema: CHANGED },
      }),
      responses: { 204: { description: 'Geändert', headers: ETAG }, ...failures(REFUSED) },
    },
    delete: {
      ...act('deleteFeature', 'Ein Objekt löschen', ONE),
      responses: { 204: { description: 'Gelöscht' }, ...failures(REFUSED) },
    },
    options: options('offerChange', ['collectionId', 'featureId']),
  },
}

const level = (name: string, most?: number) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 0, ...(most !== undefined && { maximum: most }) },
})

export const MORE_PARAMETERS = {
  writtenId: {
    name: 'collectionId',
    in: 'path',
    required: true,
    schema: {
      type: 'string',
      enum: COLLECTIONS.filter(({ written }) => written !== null).map(({ id }) => id),
    },
  },
  'if-match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'Nur diese Version (ETag); sonst 412',
    schema: { type: 'string' },
  },
  'content-crs': {
    name: 'Content-Crs',
    in: 'header',
    required: false,
    description: 'System der gesendeten Koordinaten, in spitzen Klammern; ohne: CRS84',
    schema: { type: 'string', enum: CRS_LIST.map(({ uri }) => `<${uri}>`) },
  },
  tileMatrix: level('tileMatrix', LAST_LEVEL),
  tileRow: level('tileRow'),
  tileCol: level('tileCol'),
}

const READ = [400, 401, 403, 404, 429, 503] as const
const described = (operationId: string, summary: string) => ({
  get: {
    ...act(operationId, summary, ['collectionId']),
    responses: {
      200: { description: summary, content: { [JSON_TYPE]: { schema: { type: 'object' } } } },
      ...failures(READ),
    },
  },
})

export const TILES = {
  '/collections/{collectionId}/tiles': described('getTilesets', 'Kachelsätze einer Sammlung'),
  [`/collections/{collectionId}/tiles/${MATRIX_SET}`]: described('getTileset', 'Ein Kachelsatz'),
  [`/collections/{collectionId}/tiles/${MATRIX_SET}/{tileMatrix}/{tileRow}/{tileCol}`]: {
    get: {
      ...act('getTile', 'Eine Vektorkachel', ['collectionId', 'tileMatrix', 'tileRow', 'tileCol']),
      responses: {
        200: {
          description: 'Die Kachel',
          content: { [TILE_TYPE]: { schema: { type: 'string', format: 'binary' } } },
        },
        204: { description: 'Nichts in dieser Kachel' },
        ...failures([...READ, 413, 504]),
      },
    },
  },
}
