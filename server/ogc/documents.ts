// The descriptions that clients read before they ask for features: landing page, conformance, collections,
// queryable properties.
import { type Collection, type GeometryKind, COLLECTIONS } from './collections.ts'
import type { Column, ColumnType } from './columns.ts'
import { CRS_LIST, storageCrsOf } from './crs.ts'

export interface Link {
  readonly href: string
  readonly rel: string
  readonly type: string
  readonly title: string
}

export const JSON_TYPE = 'application/json'
export const GEOJSON_TYPE = 'application/geo+json'
export const SCHEMA_TYPE = 'application/schema+json'
export const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.0'
export const HTML_TYPE = 'text/html'
/** Of the draft; none is registered. */
export const STYLE_TYPE = 'application/vnd.mapbox.style+json'

const REL = 'http://www.opengis.net/def/rel/ogc/1.0'
const STYLES_REL = `${REL}/styles`
export const TILES_REL = `${REL}/tilesets-vector`

const spec = (part: string, name: string): string => `http://www.opengis.net/spec/${part}/1.0/conf/${name}`

export const CONFORMANCE: readonly string[] = [
  ...['core', 'landing-page', 'json', 'html', 'oas30'].map((name) => spec('ogcapi-common-1', name)),
  ...['core', 'oas30', 'html', 'geojson'].map((name) => spec('ogcapi-features-1', name)),
  spec('ogcapi-features-2', 'crs'),
  ...['queryables', 'queryables-query-parameters', 'filter', 'features-filter'].map((name) =>
    spec('ogcapi-features-3', name),
  ),
  ...['core', 'tileset', 'tilesets-list', 'geodata-tilesets', 'mvt'].map((name) =>
    spec('ogcapi-tiles-1', name),
  ),
  // A draft (20-009). Its class for Mapbox styles requires the one for changing styles, which is not offered.
  spec('ogcapi-styles-1', 'core'),
  ...['create-replace-delete', 'update', 'features', 'optimistic-locking'].map((name) =>
    spec('ogcapi-features-4', name),
  ),
  ...[
    'cql2-text',
    'basic-cql2',
    'advanced-comparison-operators',
    'case-insensitive-comparison',
    'basic-spatial-functions',
    'basic-spatial-functions-plus',
    'spatial-functions',
    'property-property',
  ].map((name) => spec('cql2', name)),
]

/** The same document as JSON and as a page. */
const bothKinds = (href: string, title: string): Link[] => [
  { href: `${href}?f=json`, rel: 'self', type: JSON_TYPE, title },
  { href: `${href}?f=html`, rel: 'alternate', type: HTML_TYPE, title: `${title} (HTML)` },
]

/** Where the styles of a landing page are. */
export const stylesLink = (base: string): Link => ({
  href: `${base}/styles`,
  rel: STYLES_REL,
  type: JSON_TYPE,
  title: 'Stile der Vektorkacheln',
})

/** The style itself, and what is said about it. */
export const styleLinks = (base: string, id: string, title: string): Link[] => [
  { href: `${base}/styles/${id}?f=mapbox`, rel: 'stylesheet', type: STYLE_TYPE, title },
  {
    href: `${base}/styles/${id}/metadata?f=json`,
    rel: 'describedby',
    type: JSON_TYPE,
    title: `${title}: Beschreibung`,
  },
]

export const landingPage = (base: string) => ({
  title: 'Forstkontor',
  description:
    'Vermessung, Pläne, Bestände und Habitatbäume als OGC API. Zu sehen ist, was Sie auch in ' +
    'Forstkontor sehen.',
  links: [
    ...bothKinds(base, 'Diese Seite'),
    { href: `${base}/api`, rel: 'service-desc', type: OPENAPI_TYPE, title: 'Beschreibung der Schnittstelle' },
    {
      href: `${base}/api?f=html`,
      rel: 'service-doc',
      type: HTML_TYPE,
      title: 'Beschreibung der Schnittstelle',
    },
    {
      href: `${base}/conformance`,
      rel: 'conformance',
      type: JSON_TYPE,
      title: 'Unterstützte Standards',
    },
    { href: `${base}/collections`, rel: 'data', type: JSON_TYPE, title: 'Sammlungen' },
    stylesLink(base),
  ] satisfies Link[],
})

export interface Extent {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  /** The system that all of the features are stored in; null if there are several. */
  readonly storage: number | null
}

/** @param extent undefined if the caller sees nothing of it, null if it is not known */
export function describeCollection(base: string, collection: Collection, extent: Extent | null | undefined) {
  const { id, title, description } = collection
  const stored = collection.storage ?? extent?.storage ?? null
  const here = `${base}/collections/${id}`
  return {
    id,
    title,
    description,
    itemType: 'feature',
    ...(extent && {
      extent: { spatial: { bbox: [[extent.west, extent.south, extent.east, extent.north]] } },
    }),
    crs: CRS_LIST.map(({ uri }) => uri),
    // Not a must: nothing is said where there is not one, or none that can be asked for.
    ...(CRS_LIST.some(({ epsg }) => epsg === stored) && { storageCrs: storageCrsOf(stored!) }),
    // As the draft of styles extends collections.
    ...(extent !== undefined && {
      styles: [{ id, title, links: styleLinks(base, id, title) }],
      defaultStyle: id,
    }),
    links: [
      ...bothKinds(here, title),
      { href: `${here}/items`, rel: 'items', type: GEOJSON_TYPE, title: `${title} als GeoJSON` },
      { href: `${here}/items?f=html`, rel: 'items', type: HTML_TYPE, title: `${title} als Seite` },
      {
        href: `${here}/queryables`,
        rel: `${REL}/queryables`,
        type: SCHEMA_TYPE,
        title: 'Eigenschaften, nach denen sich filtern lässt',
      },
      // In this spelling, the only one that GDAL 3.6 knows; the names of relations do not distinguish case.
      {
        href: `${here}/schema`,
        rel: 'describedBy',
        type: SCHEMA_TYPE,
        title: `${title}: Schema der Objekte`,
      },
      {
        href: `${here}/tiles`,
        rel: TILES_REL,
        type: JSON_TYPE,
        title: `${title} als Vektorkacheln`,
      },
    ] satisfies Link[],
  }
}

export const describeCollections = (base: string, extents: ReadonlyMap<string, Extent | null>) => ({
  links: bothKinds(`${base}/collections`, 'Sammlungen'),
  crs: CRS_LIST.map(({ uri }) => uri),
  collections: COLLECTIONS.filter(({ id }) => extents.has(id)).map((collection) =>
    describeCollection(base, collection, extents.get(collection.id) ?? null),
  ),
})

const SCHEMAS: Readonly<Record<ColumnType, object>> = {
  text: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time' },
  json: {},
}
const GEOMETRY_SCHEMAS: Readonly<Record<GeometryKind, object>> = {
  point: { $ref: 'https://geojson.org/schema/Point.json' },
  line: { $ref: 'https://geojson.org/schema/MultiLineString.json' },
  polygon: { $ref: 'https://geojson.org/schema/MultiPolygon.json' },
}
export const schemaOf = ({ type }: Column): object => SCHEMAS[type]

/** JSON Schema of the properties that filters may name. */
export const describeQueryables = (base: string, collection: Collection, columns: Iterable<Column>) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `${base}/collections/${collection.id}/queryables`,
  type: 'object',
  title: collection.title,
  properties: {
    geometry: GEOMETRY_SCHEMAS[collection.kind],
    ...Object.fromEntries(
      [...columns]
        .filter(({ type }) => type !== 'json')
        .map((column) => [column.name, { title: column.name, ...schemaOf(column) }]),
    ),
  },
  additionalProperties: false,
})

/**
 * JSON Schema of a feature. Programs that need fixed columns, as GDAL does, would otherwise guess their types from the
 * first ten features, and lose what is of another. Lists are left to what is found in them. Without a value a property
 * is null. `id` is said once: GDAL takes the number of a feature for the property and would have two.
 */
export const describeSchema = (base: string, collection: Collection, columns: Iterable<Column>) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `${base}/collections/${collection.id}/schema`,
  title: collection.title,
  type: 'object',
  required: ['type', 'geometry', 'properties'],
  properties: {
    type: { type: 'string', enum: ['Feature'] },
    id: { type: 'integer' },
    geometry: GEOMETRY_SCHEMAS[collection.kind],
    properties: {
      type: 'object',
      properties: Object.fromEntries(
        [...columns]
          .filter(({ name, type }) => name !== 'id' && type !== 'json')
          .map((column) => [column.name, schemaOf(column)]),
      ),
    },
  },
})
