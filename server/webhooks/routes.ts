// Webhooks for the screens: made, changed, given another secret, tried. What needs no secret and no look at the
// address is a procedure of the data API. The secret is in the answer that makes it and nowhere else.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { MadeWebhook, WebhookTest } from '#contract/webhook.ts'
import type { Caller } from '#server/caller.ts'
import { type Database, DatabaseFault, type Statement } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { refuseGeneral } from '#server/refuse.ts'
import { forNutzer } from '#server/route-caller.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { addressFault } from './address.ts'
import { attempt, type DeliverOptions, type Taken, TAKEN } from './deliver.ts'
import { makeSecret, signsOf } from './signature.ts'

export interface WebhookRoutesOptions extends DeliverOptions {
  readonly database: Database
  /** Tests wait for their turn: each may take ten seconds. */
  readonly work: WorkQueue
}

const BODY = { bodyLimit: 8_192 }

export function webhookRoutes(options: WebhookRoutesOptions): (app: FastifyInstance) => Promise<void> {
  const { database, seal, sending, work } = options
  const call = async <Row>(caller: Caller, statement: Statement): Promise<Row | undefined> =>
    (await database.once<Row>(asNutzer(caller), statement)).rows[0]
  const secret = () => {
    const freshSecret = makeSecret()
    return { geheimnis: freshSecret, sealed: seal.encrypt(freshSecret), signs: signsOf(freshSecret) }
  }
  /** Null: refused, and answered. */
  const wantedIn = (body: unknown, reply: FastifyReply): Record<string, unknown> | null => {
    const wanted = objectIn(body)
    const fault = addressFault(wanted['url'], sending.allowsPrivate)
    if (fault === null) return wanted
    const fields = [{ field: 'url', message: fault }]
    void refuseGeneral(reply, new Refusal('bad_value', fault), { fields })
    return null
  }
  return async (app) => {
    app.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    app.setErrorHandler((error, _request, reply) => refuse(reply, error))
    app.post(
      '/webhooks',
      forNutzer(async (caller, request, reply) => {
        const wanted = wantedIn(request.body, reply)
        if (wanted === null) return reply
        const { geheimnis, sealed, signs } = secret()
        const made = await call<{ id: string }>(caller, {
          text: 'select dispatch.add_webhook($1::jsonb, $2, $3)::text as id',
          values: [JSON.stringify(wanted), sealed, signs],
        })
        return done<MadeWebhook>(reply, { id: Number(made?.id), geheimnis })
      }, BODY),
    )
    app.put(
      '/webhooks/:id',
      forNutzer(async (caller, request, reply) => {
        const wanted = wantedIn(request.body, reply)
        if (wanted === null) return reply
        const { version, ...values } = wanted
        const changed = await call<{ version: number }>(caller, {
          text: 'select dispatch.update_webhook($1::bigint, $2::jsonb, $3::integer) as version',
          values: [idIn(request.params), JSON.stringify(values), version ?? null],
        })
        return done(reply, { version: Number(changed?.version) })
      }, BODY),
    )
    app.post(
      '/webhooks/:id/geheimnis',
      forNutzer(async (caller, request, reply) => {
        const id = idIn(request.params)
        const { geheimnis, sealed, signs } = secret()
        await call(caller, {
          text: 'select dispatch.renew_webhook_secret($1::bigint, $2, $3)',
          values: [id, sealed, signs],
        })
        return done<MadeWebhook>(reply, { id: Number(id), geheimnis })
      }, BODY),
    )
    app.post(
      '/webhooks/:id/test',
      forNutzer(async (caller, request, reply) => {
        const taken = await call<Taken>(caller, {
          text: `select ${TAKEN} from dispatch.begin_webhook_test($1::bigint)`,
          values: [idIn(request.params)],
        })
        if (taken === undefined) throw new Refusal('not_allowed')
        const { wait: _, ...result } = await work.run('short', { person: caller.person }, () =>
          attempt(options, taken),
        )
        return done<WebhookTest>(reply, result)
      }, BODY),
    )
  }
}

const done = <Data>(reply: FastifyReply, data: Data): FastifyReply =>
  reply.send({ code: 20_000, message: 'ok', data })

/** The browser has a sentence for every rule. */
function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof DatabaseFault && error.hint === 'changed_meanwhile')
    return refuseGeneral(reply, new Refusal('changed_meanwhile'))
  const named = error instanceof DatabaseFault && error.hint?.startsWith('webhook_') === true
  return refuseGeneral(reply, error, named ? { hint: error.hint, column: error.column } : {})
}

const objectIn = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}

function idIn(params: unknown): string {
  const { id = '' } = params as { id?: string }
  if (!/^\d{1,15}$/.test(id)) throw new Refusal('not_found')
  return id
}
