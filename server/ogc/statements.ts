// The statements behind the answers. Features come as finished GeoJSON, one text a row, in the order of their
// numbers: a page goes on after the last one, however many there are before it.
import type { Statement } from '#server/database/database.ts'
import type { Collection } from './collections.ts'
import { type Column, quoteName } from './columns.ts'
import { writeEquality, writeFilter } from './cql2-sql.ts'
import type { Crs } from './crs.ts'
import { bboxShape } from './places.ts'
import type { FeatureQuery } from './query.ts'
import type { Scope } from './scope.ts'
import { Values } from './sql-text.ts'

/** A feature of 8 decimal places of a degree is exact to a millimetre, as are metres with three. */
export const decimalsOf = ({ inDegrees }: Crs): number => (inDegrees ? 8 : 3)

function geometryIn({ geometry }: Collection, crs: Crs): string {
  const moved = `public.st_transform(${geometry}, ${crs.epsg})`
  const turned = crs.northFirst ? `public.st_flipcoordinates(${moved})` : moved
  return `public.st_asgeojson(${turned}, ${decimalsOf(crs)}, 0)`
}

function featureIn(collection: Collection, crs: Crs | null, names: readonly string[]): string {
  const columns = names.map((name) => `t.${quoteName(name)}`).join(', ')
  const properties = names.length === 0 ? `'{}'` : `(select row_to_json(p)::text from (select ${columns}) p)`
  const geometry = crs === null ? "'null'" : geometryIn(collection, crs)
  return `'{"type":"Feature","id":' || ${collection.key} || ',"geometry":' || ${geometry}
    || ',"properties":' || ${properties} || '}'`
}

interface Asked {
  readonly scope: Scope
  readonly collection: Collection
  readonly columns: ReadonlyMap<string, Column>
  readonly query: FeatureQuery
}

/** Conditions of a query but for the place where its page begins. */
function conditionsOf({ scope, collection, columns, query }: Asked, values: Values): string[] {
  const { indexed } = collection
  const conditions = [scope.condition]
  if (query.bbox !== null) {
    const box = bboxShape(query.bbox.numbers, query.bbox.crs, indexed.epsg, values)
    conditions.push(`public.st_intersects(${indexed.expression}, ${box})`)
  }
  for (const { column, text } of query.equal) conditions.push(writeEquality(column, text, values))
  if (query.filter !== null) {
    const ground = { columns, geometry: indexed, crs: query.filterCrs, values }
    conditions.push(writeFilter(query.filter, ground))
  }
  if (query.time !== null && collection.time !== null) {
    const moment = `t.${quoteName(collection.time)}`
    const { from, to } = query.time
    // A day that stands alone ends with the day.
    if (from !== null)
      conditions.push(`(${moment} is null or ${moment} >= ${values.add(from, 'timestamptz')}::date)`)
    if (to !== null)
      conditions.push(`(${moment} is null or ${moment} <= ${values.add(to, 'timestamptz')}::date)`)
  }
  return conditions
}
const where = (conditions: readonly string[]): string => `where ${conditions.join(' and ')}`

/**
 * Rows {id, feature}, one more than asked for if there is a next page.
 * @param withPlaces false: for people, who see no coordinates
 */
export function pageStatement(asked: Asked, withPlaces = true): Statement {
  const { collection, columns, query } = asked
  const values = new Values(asked.scope.values)
  const conditions = conditionsOf(asked, values)
  if (query.after !== null) conditions.push(`${collection.key} > ${values.add(query.after, 'bigint')}`)
  const names = query.properties ?? [...columns.keys()]
  return {
    text: `select ${collection.key}::text as id,
        ${featureIn(collection, withPlaces ? query.crs : null, names)} as feature
      from ${collection.source} ${where(conditions)}
      order by ${collection.key} limit ${query.limit + 1}`,
    values: values.list,
  }
}

/** Above this number features are not counted. */
export const MOST_COUNTED = 100_000

/** A row {n}. */
export function countStatement(asked: Asked): Statement {
  const values = new Values(asked.scope.values)
  return {
    text: `select count(*)::integer as n from (select 1 from ${asked.collection.source}
      ${where(conditionsOf(asked, values))} limit ${MOST_COUNTED + 1}) x`,
    values: values.list,
  }
}

/** A row {feature, etag}, or none. `etag` is null for features without a version. */
export function featureStatement(
  { scope, collection, columns }: Omit<Asked, 'query'>,
  id: string,
  crs: Crs,
): Statement {
  const values = new Values(scope.values)
  const etag = columns.has('version') ? 't.version::text' : 'null::text'
  return {
    text: `select ${featureIn(collection, crs, [...columns.keys()])} as feature, ${etag} as etag
      from ${collection.source} where ${scope.condition} and ${collection.key} = ${values.add(id, 'bigint')}`,
    values: values.list,
  }
}

/**
 * A row with the box in a system: {west, south, east, north}, null without a feature; and the system that all are
 * stored in, null if there are several.
 */
export function extentStatement(
  { scope, collection }: Pick<Asked, 'scope' | 'collection'>,
  epsg: number,
): Statement {
  const { source, indexed, geometry, storage } = collection
  const values = new Values(scope.values)
  const srid = `public.st_srid(${geometry})`
  const stored = storage ?? `case when min(${srid}) = max(${srid}) then min(${srid}) end`
  return {
    text: `select public.st_xmin(b)::text as west, public.st_ymin(b)::text as south, public.st_xmax(b)::text as east,
        public.st_ymax(b)::text as north, x.storage
      from (select public.st_transform(public.st_setsrid(public.st_extent(${indexed.expression})::public.geometry,
          ${indexed.epsg}), ${values.add(epsg, 'integer')}) as b, ${stored} as storage
        from ${source} where ${scope.condition}) x`,
    values: values.list,
  }
}
