// The routes that write single features, and OPTIONS, by which programs learn whether they may.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { forNutzer } from '#server/route-caller.ts'
import { type Collection, OF_COLLECTION } from './collections.ts'
import type { Column } from './columns.ts'
import { type Crs, DEFAULT_CRS, readCrs } from './crs.ts'
import { readFeature } from './feature-body.ts'
import { allowOnly, readPairs } from './query.ts'
import type { ScopeOf } from './scope.ts'
import {
  changeFeature,
  createFeature,
  deleteFeature,
  explainRefusal,
  readStored,
  type Stored,
} from './write-features.ts'

export interface WriteOptions {
  readonly database: Database
  readonly scopeOf: ScopeOf
  readonly timeoutMs: number
  readonly collectionOf: (request: FastifyRequest) => Collection
  readonly columnsOf: (collection: Collection) => Promise<ReadonlyMap<string, Column>>
}

const BODIES = ['application/geo+json', 'application/merge-patch+json']

const idOf = (request: FastifyRequest): string => {
  const { id } = request.params as { id: string }
  if (!/^\d{1,18}$/.test(id)) throw new Refusal('not_found', 'Dieses Objekt gibt es nicht.')
  return id
}

/** The system of the body's coordinates: `<uri>`, as answers name theirs. */
function bodyCrs(request: FastifyRequest): Crs {
  const header = request.headers['content-crs']
  if (header === undefined) return DEFAULT_CRS
  return readCrs(
    String(header)
      .trim()
      .replace(/^<(.*)>$/, '$1'),
    'Content-Crs',
  )
}

/** @throws Refusal 412 if the request is about another version */
function checkMatch(request: FastifyRequest, { etag }: Stored): void {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return
  const named = header.split(',').map((one) => one.trim())
  if (etag === null || !named.includes(`"${etag}"`)) throw new Refusal('changed_meanwhile')
}

export function writeRoutes(app: FastifyInstance, options: WriteOptions): void {
  const { database, scopeOf, timeoutMs, collectionOf, columnsOf } = options
  const parser = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(BODIES, { parseAs: 'string' }, (request, body, done) =>
    parser(request, body as string, done),
  )

  const context = (caller: Caller) => asNutzer(caller, { timeoutMs })

  async function create(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const collection = collectionOf(request)
    allowOnly(readPairs(request.query), [])
    const columns = await columnsOf(collection)
    const asked = {
      scope: scopeOf(request),
      collection,
      columns,
      given: readFeature(request.body, collection.kind),
      crs: bodyCrs(request),
    }
    const id = await database
      .transaction(context(caller), (tx) => createFeature(tx, asked))
      .catch(explainRefusal)
    return reply
      .code(201)
      .header('location', `${asked.scope.base}/collections/${collection.id}/items/${id}`)
      .send()
  }

  const change = (whole: boolean) => async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    const collection = collectionOf(request)
    const id = idOf(request)
    allowOnly(readPairs(request.query), [])
    const columns = await columnsOf(collection)
    const asked = {
      scope: scopeOf(request),
      collection,
      columns,
      given: readFeature(whole ? request.body : asFeature(request.body), collection.kind),
      crs: bodyCrs(request),
    }
    const etag = await database
      .transaction(context(caller), async (tx) => {
        const stored = await readStored(tx, asked, id)
        checkMatch(request, stored)
        await changeFeature(tx, asked, { id, stored, whole })
        return (await readStored(tx, asked, id)).etag
      })
      .catch(explainRefusal)
    if (etag !== null) reply.header('etag', `"${etag}"`)
    return reply.code(204).send()
  }

  async function remove(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const collection = collectionOf(request)
    const id = idOf(request)
    allowOnly(readPairs(request.query), [])
    const asked = { scope: scopeOf(request), collection, columns: await columnsOf(collection) }
    await database
      .transaction(context(caller), async (tx) => {
        const stored = await readStored(tx, asked, id)
        checkMatch(request, stored)
        await deleteFeature(tx, asked, { id, stored })
      })
      .catch(explainRefusal)
    return reply.code(204).send()
  }

  /** What the policies would allow; they decide again when it is done. */
  const offer = (methods: string) => async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    const { written } = collectionOf(request)
    const { rows } = await database.once<{ may: boolean }>(
      { ...context(caller), readOnly: true },
      { text: `select ${written === null ? 'false' : written.mayWrite} as may` },
    )
    const allowed =
      rows[0]?.may === true && caller.key?.readsOnly !== true
        ? `GET, HEAD, OPTIONS, ${methods}`
        : 'GET, HEAD, OPTIONS'
    return reply.code(204).header('allow', allowed).send()
  }

  app.post('/collections/:collection/items', forNutzer(create, OF_COLLECTION))
  app.put('/collections/:collection/items/:id', forNutzer(change(true), OF_COLLECTION))
  app.patch('/collections/:collection/items/:id', forNutzer(change(false), OF_COLLECTION))
  app.delete('/collections/:collection/items/:id', forNutzer(remove, OF_COLLECTION))
  app.options('/collections/:collection/items', forNutzer(offer('POST'), OF_COLLECTION))
  app.options('/collections/:collection/items/:id', forNutzer(offer('PUT, PATCH, DELETE'), OF_COLLECTION))
}

/** A change need not repeat that it is of a feature. */
const asFeature = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && !('type' in body)
    ? { type: 'Feature', ...body }
    : body
