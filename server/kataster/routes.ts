// GET kataster/{client_id}/kachel/{z}/{x}/{y}.mvt: the survey of a customer for the
// map, with the page's filter.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type KatasterFilter, LAST_LEVEL, OBJECT_KINDS, SURVEYED } from '#contract/kataster-tile.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { isKept } from '#server/etag.ts'
import { asNutzer } from '#server/nutzer.ts'
import { note } from '#server/observe.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import type { TilePlace } from './tile-sql.ts'
import { makeTile } from './tile.ts'

export interface KatasterOptions {
  readonly database: Database
}

const TIMEOUT_MS = 20_000
const MOST_WORDS = 50
const pack = promisify(gzip)

export function createKatasterRoom({ database }: KatasterOptions) {
  async function answerTile(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { kunde, z, x, file } = request.params as Record<'kunde' | 'z' | 'x' | 'file', string>
    const ort = placeOf(z, x, file)
    if (ort === null || !/^[1-9]\d{0,14}$/.test(kunde)) throw new Refusal('not_found')
    const filter = filterOf(request.query as Record<string, unknown>)
    note('tile', 'survey drawn')
    const tile = await makeTile(
      database,
      asNutzer(caller, { readOnly: true, timeoutMs: TIMEOUT_MS }),
      Number(kunde),
      ort,
      filter,
    )
    // From its bytes: an import, a deleted plan or a withdrawn permission changes them, and
    // no other state is needed.
    const etag = `"${createHash('sha256').update(tile).digest('base64url').slice(0, 22)}"`
    reply.headers({
      etag,
      'cache-control': 'private, no-cache',
      vary: 'authorization, accept-encoding',
      'x-content-type-options': 'nosniff',
    })
    if (isKept(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (tile.length === 0) return reply.code(204).send()
    reply.type('application/vnd.mapbox-vector-tile')
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(tile)
    return reply.header('content-encoding', 'gzip').send(await pack(tile, { level: 5 }))
  }

  return {
    name: 'cadastre',
    routes: async (app: FastifyInstance) => {
      app.get('/kataster/:kunde/kachel/:z/:x/:file', forNutzer(answerTile, { programs: 'draenage' }))
    },
  } satisfies Room
}

/** Null if it is not a tile of the grid. */
function placeOf(z: string, x: string, file: string): TilePlace | null {
  const y = /^(\d+)\.mvt$/.exec(file)?.[1] ?? ''
  if (![z, x, y].every((text) => /^(?:0|[1-9]\d{0,7})$/.test(text))) return null
  const ort = { z: Number(z), x: Number(x), y: Number(y) }
  return ort.z <= LAST_LEVEL && ort.x < 2 ** ort.z && ort.y < 2 ** ort.z ? ort : null
}

function filterOf(query: Readonly<Record<string, unknown>>): KatasterFilter {
  const texts = (key: string): string[] | undefined => {
    const value = query[key]
    if (value === undefined) return undefined
    const list = (Array.isArray(value) ? value : [value]) as unknown[]
    const good =
      list.length <= MOST_WORDS &&
      list.every((one) => typeof one === 'string' && one.length <= 100 && !one.includes('\0'))
    if (!good) throw new Refusal('bad_filter')
    return list as string[]
  }
  const known = <T extends string>(key: string, words: readonly T[]): readonly T[] | undefined => {
    const list = texts(key)
    if (list?.some((one) => !(words as readonly string[]).includes(one))) throw new Refusal('bad_filter')
    return list as readonly T[] | undefined
  }
  const found = {
    arten: known('arten', OBJECT_KINDS),
    vermessen: known('vermessen', SURVEYED),
    erfq: texts('erfq'),
    qdt: texts('qdt'),
  }
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== undefined),
  ) as KatasterFilter
}
