// Answers of the OGC services about collections and features, with the caller's own rights and within the time of a
// read.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import { type Database, DatabaseFault, type Statement } from '#server/database/database.ts'
import { Refusal, toRefusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { aimedAt, type Collection, COLLECTIONS, findCollection } from './collections.ts'
import { type Column, readColumns } from './columns.ts'
import { readCrs } from './crs.ts'
import {
  describeCollection,
  describeCollections,
  describeQueryables,
  describeSchema,
  GEOJSON_TYPE,
  JSON_TYPE,
  SCHEMA_TYPE,
} from './documents.ts'
import { ExtentCache } from './extents.ts'
import { collectionHtml, collectionsHtml, featureHtml, featuresHtml, queryablesHtml } from './pages.ts'
import { allowOnly, readFeatureQuery, readPairs } from './query.ts'
import type { Scope, ScopeOf } from './scope.ts'
import { countStatement, featureStatement, MOST_COUNTED, pageStatement } from './statements.ts'
import type { Seen } from './style.ts'

export interface ReadOptions {
  readonly database: Database
  readonly scopeOf: ScopeOf
  /** Milliseconds that one statement may take. */
  readonly readMs: number
  readonly now: () => Date
}

/** Refuses who has no access any more, before anything that the database is not asked for. */
const STILL_THERE = { text: 'select 1' }
/** Rows of a page for people. */
const MOST_ON_PAGE = 200
const LEAST_MS = 100
/** Of a first page: next links are longer, and have to pass what takes headers of 16 KiB. */
const LONGEST_URL = 12_000

export const wantsHtml = (request: FastifyRequest): boolean => {
  const format = (request.query as Record<string, unknown>)['f']
  if (format === 'html' || format === 'json') return format === 'html'
  if (format !== undefined) throw new Refusal('bad_value', 'f: Es gibt json und html.')
  const [first = ''] = (request.headers.accept ?? '').split(/[,;]/, 1)
  return first.trim() === 'text/html'
}

/** What other routes of the services use is bound, so that it can be passed on. */
export class OgcReads {
  readonly scopeOf: ScopeOf
  readonly #database: Database
  readonly #readMs: number
  readonly #now: () => Date
  readonly #extents: ExtentCache
  readonly #columns = new Map<string, Promise<ReadonlyMap<string, Column>>>()

  constructor({ database, scopeOf, readMs, now }: ReadOptions) {
    this.scopeOf = scopeOf
    this.#database = database
    this.#readMs = readMs
    this.#now = now
    this.#extents = new ExtentCache(database, now)
  }

  readonly columnsOf = ({ relation, more = [] }: Collection): Promise<ReadonlyMap<string, Column>> => {
    const known = this.#columns.get(relation)
    if (known !== undefined) return known
    const read = readColumns(this.#database, relation).then(
      (list) => new Map([...list, ...more].map((column) => [column.name, column])),
    )
    this.#columns.set(relation, read)
    // One that failed is read again by the next request.
    read.catch(() => this.#columns.delete(relation))
    return read
  }

  readonly ask = async <Row>(
    caller: Caller,
    statement: Statement,
    timeoutMs = this.#readMs,
  ): Promise<Row[]> =>
    (
      await this.#database
        .once<Row>(asNutzer(caller, { readOnly: true, timeoutMs }), statement)
        .catch(explain)
    ).rows

  readonly send = (reply: FastifyReply, request: FastifyRequest, document: object, page: () => string) =>
    wantsHtml(request) ? sendHtml(reply, page()) : sendText(reply, JSON_TYPE, JSON.stringify(document))

  readonly collectionOf = (request: FastifyRequest): Collection => {
    const collection = findCollection((request.params as { collection: string }).collection)
    if (collection === undefined || !this.scopeOf(request).has(collection))
      throw new Refusal('not_found', 'Diese Sammlung gibt es nicht.')
    return collection
  }

  /** Undefined too for a key that does not open the collection. What is kept is given only to who may still ask. */
  async #extentOf(caller: Caller, scope: Scope, collection: Collection) {
    const aimed = aimedAt(caller, collection)
    try {
      await this.ask(aimed, STILL_THERE)
    } catch (error) {
      if (caller.key !== undefined && toRefusal(error).code === 'not_allowed') return undefined
      throw error
    }
    return this.#extents.of(aimed, scope, collection)
  }

  /** Collections that the caller sees something of. */
  readonly seenBy = async (caller: Caller, scope: Scope): Promise<Seen> => {
    const all = await Promise.all(
      COLLECTIONS.filter((collection) => scope.has(collection)).map(
        async (collection) => [collection.id, await this.#extentOf(caller, scope, collection)] as const,
      ),
    )
    return new Map(all.flatMap(([id, extent]) => (extent === undefined ? [] : [[id, extent] as const])))
  }

  async sendCollections(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    allowOnly(readPairs(request.query), ['f'])
    const scope = this.scopeOf(request)
    const seen = await this.seenBy(caller, scope)
    return this.send(reply, request, describeCollections(scope.base, seen), () =>
      collectionsHtml(scope.base, seen),
    )
  }

  async sendCollection(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const collection = this.collectionOf(request)
    allowOnly(readPairs(request.query), ['f'])
    const scope = this.scopeOf(request)
    const { base } = scope
    const extent = await this.#extentOf(caller, scope, collection)
    return this.send(reply, request, describeCollection(base, collection, extent), () =>
      collectionHtml(base, collection, extent ?? null),
    )
  }

  sendQueryables(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    return this.#sendColumns(describeQueryables, caller, request, reply)
  }

  sendSchema(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    return this.#sendColumns(describeSchema, caller, request, reply)
  }

  /** The page for people is the same of both. */
  async #sendColumns(
    describe: typeof describeQueryables | typeof describeSchema,
    ...[caller, request, reply]: [Caller, FastifyRequest, FastifyReply]
  ) {
    const collection = this.collectionOf(request)
    await this.ask(caller, STILL_THERE)
    allowOnly(readPairs(request.query), ['f'])
    const asHtml = wantsHtml(request)
    const list = [...(await this.columnsOf(collection)).values()]
    const { base } = this.scopeOf(request)
    return asHtml
      ? sendHtml(reply, queryablesHtml(base, collection, list))
      : sendText(reply, SCHEMA_TYPE, JSON.stringify(describe(base, collection, list)))
  }

  async sendFeatures(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const collection = this.collectionOf(request)
    const known = await this.columnsOf(collection)
    const asHtml = wantsHtml(request)
    if (request.url.length > LONGEST_URL && !('after' in (request.query as object)))
      throw new Refusal('too_large', `Eine Adresse hat höchstens ${LONGEST_URL} Zeichen.`)
    const read = readFeatureQuery(collection, known, request.query)
    const query = asHtml ? { ...read, limit: Math.min(read.limit, MOST_ON_PAGE) } : read
    const scope = this.scopeOf(request)
    const { base } = scope
    const asked = { scope, collection, columns: known, query }
    const started = performance.now()
    const found = await this.ask<{ id: string; feature: string }>(caller, pageStatement(asked, !asHtml))
    const rows = found.slice(0, query.limit)
    const last = found.length > rows.length ? rows.at(-1) : undefined
    const next = last === undefined ? null : addressOf(base, collection, request.url, { after: last.id })
    if (asHtml) {
      const features = rows.map(({ feature }) => JSON.parse(feature) as never)
      return sendHtml(reply, featuresHtml(base, collection, features, next))
    }
    // A page that is also the last one is its own count.
    const matched =
      query.after !== null
        ? null
        : next === null
          ? rows.length
          : await this.#count(caller, countStatement(asked), this.#readMs - (performance.now() - started))
    const links = [
      { href: addressOf(base, collection, request.url, {}), rel: 'self', type: GEOJSON_TYPE },
      {
        href: addressOf(base, collection, request.url, { f: 'html' }),
        rel: 'alternate',
        type: 'text/html',
      },
      { href: `${base}/collections/${collection.id}`, rel: 'collection', type: JSON_TYPE },
      ...(next === null ? [] : [{ href: next, rel: 'next', type: GEOJSON_TYPE }]),
    ]
    const head = {
      type: 'FeatureCollection',
      timeStamp: this.#now().toISOString(),
      ...(matched !== null && matched <= MOST_COUNTED && { numberMatched: matched }),
      numberReturned: rows.length,
      links,
    }
    const features = rows.map(({ feature }) => feature).join(',')
    reply.header('content-crs', `<${query.crs.uri}>`)
    return sendText(reply, GEOJSON_TYPE, `${JSON.stringify(head).slice(0, -1)},"features":[${features}]}`)
  }

  /** Null if what is left of the time for a request does not suffice: a count is no condition of an answer. */
  async #count(caller: Caller, statement: Statement, leftMs: number): Promise<number | null> {
    if (leftMs < LEAST_MS) return null
    try {
      return (await this.ask<{ n: number }>(caller, statement, Math.floor(leftMs)))[0]?.n ?? null
    } catch (error) {
      if (error instanceof DatabaseFault && error.code === '57014') return null
      throw error
    }
  }

  async sendFeature(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const collection = this.collectionOf(request)
    const { id } = request.params as { id: string }
    const given = readPairs(request.query)
    allowOnly(given, ['f', 'crs'])
    const crs = readCrs(given.get('crs') ?? 'OGC:CRS84', 'crs')
    if (!/^\d{1,18}$/.test(id)) throw new Refusal('not_found', 'Dieses Objekt gibt es nicht.')
    const scope = this.scopeOf(request)
    const { base } = scope
    const asked = { scope, collection, columns: await this.columnsOf(collection) }
    const statement = featureStatement(asked, id, crs)
    const [row] = await this.ask<{ feature: string; etag: string | null }>(caller, statement)
    if (row === undefined) throw new Refusal('not_found', 'Dieses Objekt gibt es nicht.')
    if (wantsHtml(request)) {
      const feature = JSON.parse(row.feature) as never
      return sendHtml(reply, featureHtml(base, collection, feature))
    }
    const here = `${base}/collections/${collection.id}/items/${id}`
    const links = [
      { href: here, rel: 'self', type: GEOJSON_TYPE },
      { href: `${here}?f=html`, rel: 'alternate', type: 'text/html' },
      { href: `${base}/collections/${collection.id}`, rel: 'collection', type: JSON_TYPE },
    ]
    reply.headers({ 'content-crs': `<${crs.uri}>`, etag: etagOf(row) })
    return sendText(reply, GEOJSON_TYPE, `${row.feature.slice(0, -1)},"links":${JSON.stringify(links)}}`)
  }
}

/** What PostGIS cannot convert or compare came with the request. */
function explain(error: unknown): never {
  if (error instanceof DatabaseFault && error.code === 'XX000')
    throw new Refusal('bad_value', 'Mit diesen Koordinaten lässt sich hier nicht rechnen.')
  throw error
}

const etagOf = ({ feature, etag }: { readonly feature: string; readonly etag: string | null }): string =>
  `"${etag ?? createHash('sha256').update(feature).digest('base64url').slice(0, 22)}"`

/** Pieces of the address as they came: encoded in another way a next link might become too long. */
function addressOf(
  base: string,
  { id }: Collection,
  url: string,
  more: Readonly<Record<string, string>>,
): string {
  const kept = (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
    .split('&')
    .filter((piece) => [...new URLSearchParams(piece).keys()].some((name) => !Object.hasOwn(more, name)))
  const search = [...kept, ...Object.entries(more).map((pair) => pair.join('='))].join('&')
  return `${base}/collections/${id}/items${search === '' ? '' : `?${search}`}`
}

const PRIVATE = { 'cache-control': 'private, no-cache', vary: 'authorization, accept' }

export const sendText = (reply: FastifyReply, type: string, text: string): FastifyReply =>
  reply.headers(PRIVATE).header('content-type', type).send(Buffer.from(text))

export const sendHtml = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .headers({
      ...PRIVATE,
      'content-security-policy':
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    })
    .type('text/html; charset=utf-8')
    .send(text)
