// GET karte/{karte}/naht/{andere}: the offset between the newest results of two plans, measured in a process of its
// own. Bytes of results never change, so an answer is kept.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KarteSeam } from '#contract/karte-mosaic.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Store } from '#server/files/store.ts'
import { asNutzer } from '#server/nutzer.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { withFiles } from './mosaic-sheets.ts'
import type { RunWork } from './run-work.ts'
import { type SeamWork, WorkFault } from './work.ts'

export interface SeamRouteOptions {
  readonly database: Database
  readonly fileStore: Store
  readonly runWork: RunWork
  readonly memoryBytes: number
  readonly gridFolder: string | undefined
  readonly work?: WorkQueue
}

/** Refuses everybody but staff. */
const RESULTS = {
  name: 'karte_naht_ergebnisse',
  text: `select karte_id, map_name as name, sha256, epsg, umriss::text as umriss
    from app.a_get_karte_ergebnisse(array[$1::bigint, $2::bigint])`,
}
interface Result {
  readonly karte_id: number
  readonly name: string
  readonly sha256: string
  readonly epsg: number
  readonly umriss: string
}
const ID = /^[1-9]\d{0,17}$/
const TIME_MS = 60_000
const MOST_KEPT = 500

export function seamRoute(options: SeamRouteOptions): (app: FastifyInstance) => Promise<void> {
  const { database, work = createWorkQueue() } = options
  const kept = new Map<string, KarteSeam>()

  async function resultsOf(caller: Caller, request: FastifyRequest): Promise<[Result, Result]> {
    const { karte = '', andere = '' } = request.params as Record<string, string>
    if (!ID.test(karte) || !ID.test(andere) || karte === andere) throw new Refusal('not_found')
    const { rows } = await database.once<Result>(asNutzer(caller, { readOnly: true }), {
      ...RESULTS,
      values: [karte, andere],
    })
    const of = (id: string): Result | undefined => rows.find(({ karte_id }) => String(karte_id) === id)
    const [first, second] = [of(karte), of(andere)]
    if (first === undefined || second === undefined) throw new Refusal('not_found')
    return [first, second]
  }

  async function measured(results: readonly [Result, Result], signal: AbortSignal): Promise<KarteSeam> {
    const { fileStore, runWork, memoryBytes, gridFolder } = options
    return withFiles({ fileStore, signal }, results, (sheets) =>
      runWork(
        { art: 'naht', blaetter: sheets as unknown as SeamWork['blaetter'], gridFolder },
        { timeoutMs: TIME_MS, memoryBytes, signal },
      ),
    )
  }

  return async (app) => {
    app.get(
      '/karte/:karte/naht/:andere',
      forNutzer(async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
        const signal = goneSignal(reply)
        const results = await resultsOf(caller, request)
        const key = results.map(({ sha256 }) => sha256).join(' ')
        const known = kept.get(key)
        const data =
          known ??
          (await work
            .run('short', { person: caller.person, signal }, () => measured(results, signal))
            .catch((error: unknown) => {
              throw refusalOf(error)
            }))
        kept.delete(key)
        kept.set(key, data)
        if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!)
        return reply.header('cache-control', 'no-store').send({ code: 20_000, message: 'ok', data })
      }),
    )
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof WorkFault)) return error
  switch (error.code) {
    case 'karte_blatt_fehlt':
      return new Refusal(
        'not_found',
        `Das Ergebnis von ${error.einzelheit ?? 'einem Plan'} liegt nicht mehr auf dem Server. Bitte ` +
          'entzerren Sie den Plan noch einmal.',
      )
    case 'karte_gitter':
      return new Refusal(
        'conflict',
        `Auf diesem Server fehlt das Gitter für ${error.einzelheit ?? 'dieses System'}. Bitte wenden Sie sich an ` +
          'den Support.',
      )
    case 'karte_zeit':
    case 'karte_speicher':
      return new Refusal(
        'unavailable',
        'Die Naht ließ sich nicht rechtzeitig messen. Bitte versuchen Sie es noch einmal.',
      )
    default:
      return new Refusal(
        'unavailable',
        'Die Naht ließ sich nicht messen. Bitte versuchen Sie es noch einmal.',
      )
  }
}
