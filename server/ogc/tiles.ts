// Vector tiles of a collection (OGC API Tiles, part 1) on the web mercator grid, from the level on at which a tile
// holds few enough features to be complete.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import type { Statement } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { forNutzer } from '#server/route-caller.ts'
import { boxOf, encodeLayer, EXTENT, MARGIN, type Value } from '#server/mvt.ts'
import { type Collection, OF_COLLECTION } from './collections.ts'
import { type Column, quoteName } from './columns.ts'
import { JSON_TYPE, type Link, schemaOf, styleLinks, stylesLink } from './documents.ts'
import type { Scope, ScopeOf } from './scope.ts'
import { Values } from './sql-text.ts'
import { firstLevel, LAST_LEVEL, MATRIX_SET } from './tile-levels.ts'

export interface TileOptions {
  readonly scopeOf: ScopeOf
  readonly collectionOf: (request: FastifyRequest) => Collection
  readonly columnsOf: (collection: Collection) => Promise<ReadonlyMap<string, Column>>
  readonly ask: <Row>(caller: Caller, statement: Statement) => Promise<Row[]>
}

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile'
/** A tile with more of them says so instead of leaving some out. */
export const MOST_IN_TILE = 10_000

interface Row {
  readonly id: string
  readonly werte: string
  readonly g: string | null
}

function tileStatement(
  { scope, collection, columns }: TileOf,
  { west, sued, ost, nord }: ReturnType<typeof boxOf>,
): Statement {
  const { indexed, key, source } = collection
  const values = new Values(scope.values)
  const [w, s, e, n] = [west, sued, ost, nord].map((one) => values.add(one, 'float8'))
  const wide = values.add(((ost - west) * MARGIN) / EXTENT, 'float8')
  const box = `public.st_expand(public.st_makeenvelope(${w}, ${s}, ${e}, ${n}, 3857), ${wide})`
  // Nothing smaller than a unit of the tile is drawn, and what is sent stays in proportion to what is seen.
  const whole =
    indexed.epsg === 3857 ? indexed.expression : `public.st_transform(${indexed.expression}, 3857)`
  const drawn =
    collection.kind === 'point'
      ? whole
      : `public.st_simplify(${whole}, ${values.add((ost - west) / EXTENT, 'float8')}, true)`
  const sought = indexed.epsg === 3857 ? box : `public.st_transform(${box}, ${indexed.epsg})`
  const names = [...columns.values()].filter(({ type }) => type !== 'json')
  return {
    text: `select ${key}::text as id, (select row_to_json(p)::text
        from (select ${names.map(({ name }) => `t.${quoteName(name)}`).join(', ')}) p) as werte,
        encode(public.st_asbinary(public.st_clipbybox2d(${drawn}, (${box})::public.box2d), 'NDR'), 'hex') as g
      from ${source} where ${scope.condition} and public.st_intersects(${indexed.expression}, ${sought})
      order by ${key} limit ${MOST_IN_TILE + 1}`,
    values: values.list,
  }
}

interface TileOf {
  readonly scope: Scope
  readonly collection: Collection
  readonly columns: ReadonlyMap<string, Column>
}

/** Description of the tiles of a collection. */
function tileset({ scope: { base }, collection, columns }: TileOf) {
  const here = `${base}/collections/${collection.id}/tiles/${MATRIX_SET}`
  const level = (z: number) => ({
    tileMatrix: String(z),
    minTileRow: 0,
    maxTileRow: 2 ** z - 1,
    minTileCol: 0,
    maxTileCol: 2 ** z - 1,
  })
  const first = firstLevel(collection)
  const properties = [...columns.values()].filter(({ type }) => type !== 'json')
  return {
    title: collection.title,
    dataType: 'vector',
    crs: 'http://www.opengis.net/def/crs/EPSG/0/3857',
    tileMatrixSetURI: `http://www.opengis.net/def/tilematrixset/OGC/1.0/${MATRIX_SET}`,
    tileMatrixSetLimits: Array.from({ length: LAST_LEVEL - first + 1 }, (_, at) => level(first + at)),
    layers: [
      {
        id: collection.id,
        dataType: 'vector',
        geometryDimension: { point: 0, line: 1, polygon: 2 }[collection.kind],
        propertiesSchema: {
          type: 'object',
          properties: Object.fromEntries(properties.map((column) => [column.name, schemaOf(column)])),
        },
      },
    ],
    links: [
      { href: here, rel: 'self', type: JSON_TYPE, title: collection.title },
      {
        href: `${here}/{tileMatrix}/{tileRow}/{tileCol}`,
        rel: 'item',
        type: TILE_TYPE,
        title: 'Kacheln',
        templated: true,
      },
      stylesLink(base),
      ...styleLinks(base, collection.id, collection.title).slice(0, 1),
    ] satisfies (Link & { templated?: boolean })[],
  }
}

function placeOf(request: FastifyRequest, collection: Collection) {
  const { z = '', row = '', col = '' } = request.params as Record<string, string>
  const [level, y, x] = [z, row, col].map((text) =>
    /^(?:0|[1-9]\d{0,7})$/.test(text) ? Number(text) : Number.NaN,
  )
  const size = 2 ** level!
  if (!(level! >= firstLevel(collection) && level! <= LAST_LEVEL && x! < size && y! < size))
    throw new Refusal(
      'not_found',
      `Kacheln gibt es hier von Stufe ${firstLevel(collection)} bis ${LAST_LEVEL}.`,
    )
  return boxOf(level!, x!, y!)
}

export function tileRoutes(
  app: FastifyInstance,
  { scopeOf, collectionOf, columnsOf, ask }: TileOptions,
): void {
  const of = async (request: FastifyRequest): Promise<TileOf> => {
    const collection = collectionOf(request)
    return { scope: scopeOf(request), collection, columns: await columnsOf(collection) }
  }
  const describe = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    await ask(caller, { text: 'select 1' })
    return reply.header('cache-control', 'private, no-cache').send(tileset(await of(request)))
  }

  const list = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    await ask(caller, { text: 'select 1' })
    const { title, dataType, crs, tileMatrixSetURI, links } = tileset(await of(request))
    return reply
      .header('cache-control', 'private, no-cache')
      .send({ tilesets: [{ title, dataType, crs, tileMatrixSetURI, links: links.slice(0, 1) }] })
  }

  const send = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    const asked = await of(request)
    const box = placeOf(request, asked.collection)
    const rows = await ask<Row>(caller, tileStatement(asked, box))
    if (rows.length > MOST_IN_TILE)
      throw new Refusal(
        'too_large',
        'In dieser Kachel liegen zu viele Objekte. Bitte vergrößern Sie die Karte.',
      )
    const features = rows.flatMap(({ id, werte, g }) =>
      g === null ? [] : [{ id: Number(id), werte: JSON.parse(werte) as Record<string, Value | null>, g }],
    )
    const tile = encodeLayer(asked.collection.id, features, box)
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'authorization' })
    return tile.length === 0 ? reply.code(204).send() : reply.type(TILE_TYPE).send(tile)
  }

  app.get('/collections/:collection/tiles', forNutzer(list, OF_COLLECTION))
  app.get(`/collections/:collection/tiles/${MATRIX_SET}`, forNutzer(describe, OF_COLLECTION))
  app.get(`/collections/:collection/tiles/${MATRIX_SET}/:z/:row/:col`, forNutzer(send, OF_COLLECTION))
}
