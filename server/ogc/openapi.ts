// The OpenAPI 3.0 description of the OGC services.
import { COLLECTIONS } from './collections.ts'
import type { Column } from './columns.ts'
import { CRS_LIST } from './crs.ts'
import { GEOJSON_TYPE, HTML_TYPE, JSON_TYPE, SCHEMA_TYPE, schemaOf, STYLE_TYPE } from './documents.ts'
import { MORE_PARAMETERS, TILES, WRITES } from './openapi-more.ts'
import { FILTER_LANGUAGES, MOST_FEATURES } from './query.ts'
import { FIXED_STYLES } from './style.ts'

const PROBLEM = 'application/problem+json'
const failures = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/${status}` }]))
const content = (type: string, schema: object) => ({ [type]: { schema } })
const page = { [HTML_TYPE]: { schema: { type: 'string' } } }
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })

const get = (
  operationId: string,
  summary: string,
  answer: object,
  {
    parameters = [],
    statuses = [400, 401, 403, 429, 503],
    format = 'f',
  }: { parameters?: object[]; statuses?: number[]; format?: string } = {},
) => ({
  get: {
    operationId,
    summary,
    parameters: [parameter(format), ...parameters],
    responses: { 200: { description: summary, content: answer }, ...failures(...statuses) },
  },
})

const query = (name: string, schema: object, description: string, more: object = {}) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
  ...more,
})
const crsSchema = { type: 'string', format: 'uri', enum: CRS_LIST.map(({ uri }) => uri) }
const LIST = { style: 'form', explode: false }

const STYLES = [...FIXED_STYLES, ...COLLECTIONS.map(({ id }) => id)]

const PARAMETERS = {
  f: query('f', { type: 'string', enum: ['json', 'html'] }, 'Format der Antwort'),
  limit: query(
    'limit',
    { type: 'integer', minimum: 1, maximum: MOST_FEATURES, default: 1000 },
    'Höchstzahl der Objekte einer Antwort',
  ),
  after: query('after', { type: 'string' }, 'Fortsetzung: steht im Verweis „next“ einer Antwort'),
  bbox: query(
    'bbox',
    { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 },
    'West, Süd, Ost, Nord, in der Achsenfolge von bbox-crs',
    LIST,
  ),
  'bbox-crs': query('bbox-crs', crsSchema, 'System der Koordinaten in bbox'),
  crs: query('crs', crsSchema, 'System der Koordinaten in der Antwort'),
  datetime: query('datetime', { type: 'string' }, 'Tag, Zeitpunkt oder Spanne a/b; .. für ein offenes Ende'),
  filter: query('filter', { type: 'string' }, 'Filter in CQL2-Text'),
  'filter-lang': query('filter-lang', { type: 'string', enum: FILTER_LANGUAGES }, 'Sprache des Filters'),
  'filter-crs': query('filter-crs', crsSchema, 'System der Koordinaten im Filter'),
  properties: query(
    'properties',
    { type: 'array', items: { type: 'string' } },
    'Eigenschaften, die die Antwort enthalten soll',
    LIST,
  ),
  collectionId: {
    name: 'collectionId',
    in: 'path',
    required: true,
    schema: { type: 'string', enum: COLLECTIONS.map(({ id }) => id) },
  },
  styleId: { name: 'styleId', in: 'path', required: true, schema: { type: 'string', enum: STYLES } },
  'style-f': query('f', { type: 'string', enum: ['mapbox'] }, 'Format des Stils'),
  featureId: { name: 'featureId', in: 'path', required: true, schema: { type: 'integer', minimum: 0 } },
}

const FEATURE = {
  type: 'object',
  required: ['type', 'geometry', 'properties'],
  properties: {
    type: { type: 'string', enum: ['Feature'] },
    id: { type: 'integer' },
    geometry: { type: 'object', nullable: true },
    properties: { type: 'object', nullable: true },
  },
}
const LINKS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['href', 'rel'],
    properties: {
      href: { type: 'string' },
      rel: { type: 'string' },
      type: { type: 'string' },
      title: { type: 'string' },
    },
  },
}
const FEATURES = {
  type: 'object',
  required: ['type', 'features'],
  properties: {
    type: { type: 'string', enum: ['FeatureCollection'] },
    features: { type: 'array', items: FEATURE },
    links: LINKS,
    timeStamp: { type: 'string', format: 'date-time' },
    numberMatched: { type: 'integer', minimum: 0 },
    numberReturned: { type: 'integer', minimum: 0 },
  },
}
const STYLED = {
  type: 'object',
  required: ['styles'],
  properties: {
    default: { type: 'string' },
    styles: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'links'],
        properties: { id: { type: 'string' }, title: { type: 'string' }, links: LINKS },
      },
    },
  },
}
const STYLE_METADATA = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    keywords: { type: 'array', items: { type: 'string' } },
    scope: { type: 'string', enum: ['style'] },
    stylesheets: {
      type: 'array',
      items: { type: 'object', required: ['link'], properties: { link: LINKS.items } },
    },
    layers: {
      type: 'array',
      items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    },
    links: LINKS,
  },
}
const STYLE_SHEET = {
  type: 'object',
  required: ['version', 'sources', 'layers'],
  properties: {
    version: { type: 'integer', enum: [8] },
    sources: { type: 'object' },
    layers: { type: 'array', items: { type: 'object' } },
  },
}
const LINKED = { type: 'object', required: ['links'], properties: { links: LINKS } }

const REASONS: Readonly<Record<number, string>> = {
  400: 'Ein Parameter ist ungültig; „detail“ sagt, welcher.',
  401: 'Nicht angemeldet',
  403: 'Nicht erlaubt',
  404: 'Nicht gefunden',
  409: 'Eine Regel verbietet es; „detail“ sagt, welche.',
  412: 'Das Objekt hat inzwischen eine andere Version.',
  413: 'Zu groß: beim Lesen bitte ein kleineres limit',
  415: 'Dieses Format wird hier nicht gelesen.',
  429: 'Zu viele Anfragen',
  503: 'Zurzeit nicht erreichbar; Retry-After sagt, wann wieder',
  504: 'Die Antwort hat zu lange gedauert',
}

const ITEM_PARAMETERS = Object.keys(PARAMETERS)
  .filter((name) => !['f', 'featureId', 'styleId', 'style-f'].includes(name))
  .map(parameter)

const COMPONENTS = {
  parameters: { ...PARAMETERS, ...MORE_PARAMETERS },
  responses: Object.fromEntries(
    Object.entries(REASONS).map(([status, description]) => [
      status,
      { description, content: content(PROBLEM, { $ref: '#/components/schemas/problem' }) },
    ]),
  ),
  schemas: {
    problem: {
      type: 'object',
      required: ['title', 'status', 'code'],
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
        code: { type: 'string' },
      },
    },
  },
  securitySchemes: {
    key: { type: 'http', scheme: 'basic', description: 'Beliebiger Name, als Passwort der Schlüssel' },
    token: { type: 'http', scheme: 'bearer' },
  },
}

/**
 * `?dn=300` for every property that some collection has: where they are described, GDAL leaves filters to the server.
 */
function propertyParameters(columns: Iterable<Column>): object[] {
  const schemas = new Map<string, object>()
  for (const column of columns) {
    if (column.type === 'json' || Object.hasOwn(PARAMETERS, column.name)) continue
    const schema = schemaOf(column)
    const known = schemas.get(column.name)
    const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(schema)
    schemas.set(column.name, isSame ? schema : { type: 'string' })
  }
  return [...schemas].map(([name, schema]) =>
    query(name, schema, 'Gleich diesem Wert, wo es die Eigenschaft gibt'),
  )
}

/**
 * @param base address of the landing page
 * @param columns those of all collections
 */
export const openApi = (base: string, columns: Iterable<Column>) => ({
  openapi: '3.0.3',
  info: {
    title: 'Forstkontor: OGC API',
    version: '1.0.0',
    description:
      'OGC API Features. Anmeldung mit einem Schlüssel für Programme: als Passwort (Basic, Name ' +
      'beliebig) oder als Bearer-Token.',
  },
  servers: [{ url: base }],
  security: [{ key: [] }, { token: [] }],
  paths: {
    '/': get('getLandingPage', 'Einstieg', { ...content(JSON_TYPE, LINKED), ...page }, { statuses: [400] }),
    '/conformance': get(
      'getConformance',
      'Unterstützte Standards',
      {
        ...content(JSON_TYPE, {
          type: 'object',
          required: ['conformsTo'],
          properties: { conformsTo: { type: 'array', items: { type: 'string' } } },
        }),
        ...page,
      },
      { statuses: [400] },
    ),
    '/collections': get('getCollections', 'Sammlungen', { ...content(JSON_TYPE, LINKED), ...page }),
    '/collections/{collectionId}': get(
      'describeCollection',
      'Eine Sammlung',
      { ...content(JSON_TYPE, LINKED), ...page },
      { parameters: [parameter('collectionId')], statuses: [400, 401, 403, 404, 429, 503] },
    ),
    '/collections/{collectionId}/queryables': get(
      'getQueryables',
      'Eigenschaften, nach denen sich filtern lässt',
      { ...content(SCHEMA_TYPE, { type: 'object' }), ...page },
      { parameters: [parameter('collectionId')], statuses: [400, 401, 403, 404, 429, 503] },
    ),
    '/collections/{collectionId}/schema': get(
      'getSchema',
      'Schema der Objekte',
      { ...content(SCHEMA_TYPE, { type: 'object' }), ...page },
      { parameters: [parameter('collectionId')], statuses: [400, 401, 403, 404, 429, 503] },
    ),
    '/collections/{collectionId}/items': {
      ...get(
        'getFeatures',
        'Objekte einer Sammlung',
        { ...content(GEOJSON_TYPE, FEATURES), ...page },
        {
          parameters: [...ITEM_PARAMETERS, ...propertyParameters(columns)],
          statuses: [400, 401, 403, 404, 413, 429, 503, 504],
        },
      ),
      ...WRITES['/collections/{collectionId}/items'],
    },
    '/collections/{collectionId}/items/{featureId}': {
      ...get(
        'getFeature',
        'Ein Objekt',
        { ...content(GEOJSON_TYPE, FEATURE), ...page },
        {
          parameters: [parameter('collectionId'), parameter('featureId'), parameter('crs')],
          statuses: [400, 401, 403, 404, 429, 503],
        },
      ),
      ...WRITES['/collections/{collectionId}/items/{featureId}'],
    },
    ...TILES,
    '/styles': get('getStyles', 'Stile der Vektorkacheln', { ...content(JSON_TYPE, STYLED), ...page }),
    '/styles/{styleId}': get('getStyle', 'Ein Stil (Mapbox Style)', content(STYLE_TYPE, STYLE_SHEET), {
      parameters: [parameter('styleId')],
      statuses: [400, 401, 403, 404, 429, 503],
      format: 'style-f',
    }),
    '/styles/{styleId}/metadata': get(
      'getStyleMetadata',
      'Was ein Stil zeigt',
      { ...content(JSON_TYPE, STYLE_METADATA), ...page },
      { parameters: [parameter('styleId')], statuses: [400, 401, 403, 404, 429, 503] },
    ),
  },
  components: COMPONENTS,
})
