// POST annahme/ansehen, annahme/pdf and annahme/entscheiden: anyone with the code of a one-time link sees
// that one offer and decides on it without signing in. A signed-in caller decides under their own claims: the
// provider's people may not answer its offers, by a link either.
// The code is sent only in request bodies, because addresses are kept by browsers, proxies and logs. The
// database gets its hash, and decides.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AcceptanceAnswer } from '#contract/document.ts'
import { SUCCESS_CODE } from '#domain/constants.ts'
import { type Context, type Database, DatabaseFault, type Statement } from '#server/database/database.ts'
import type { Authenticate } from '#server/caller.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { subnetOf } from '#server/subnet.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import type { Store } from './store.ts'
import { createThrottle } from './throttle.ts'
import { DocumentFault } from './renderer.ts'
import { answerFile, refusalOf } from './routes.ts'

export interface AcceptanceOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  readonly fileStore: Store
  readonly log: Log
  readonly now: () => Date
  /** Requests allowed per network. */
  readonly perMinute: number
  readonly work?: WorkQueue
}

/** A caller without claims. */
const NOBODY: Context = { role: 'nutzer' }
const LOOK = { name: 'annahme_ansehen', text: 'select rechte.annahme_ansehen($1)::text as answer' }
const DECIDE = {
  name: 'annahme_entscheiden',
  text: 'select rechte.annahme_entscheiden($1, $2, $3, $4, $5::bigint[])::text as answer',
}
const BODY_BYTES = 16_384

/** The database's answer; angebot_id is not passed on. */
type Stored = AcceptanceAnswer & { angebot_id?: number }

const bodyOf = (request: FastifyRequest): Readonly<Record<string, unknown>> =>
  typeof request.body === 'object' && request.body !== null ? (request.body as Record<string, unknown>) : {}
/**
 * Anything that is not one of our codes is hashed too: neither the answer nor its timing
 * reveals what a code looks like.
 */
const hashOf = (request: FastifyRequest): string => {
  const { code } = bodyOf(request)
  return createHash('sha256')
    .update(typeof code === 'string' ? code : '')
    .digest('hex')
}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const ID = /^[1-9]\d{0,17}$/
function decisionOf(request: FastifyRequest): unknown[] {
  const { angenommen, name, bemerkung, positionen } = bodyOf(request)
  if (typeof angenommen !== 'boolean')
    throw new Refusal('bad_value', 'Bitte wählen Sie, ob Sie das Angebot annehmen oder ablehnen.')
  if (textOf(name).trim() === '') throw new Refusal('bad_value', 'Bitte geben Sie Ihren Namen an.')
  const lines = Array.isArray(positionen) ? positionen.map(String) : []
  if (lines.length > 1000 || !lines.every((line) => ID.test(line))) throw new Refusal('bad_value')
  return [angenommen, textOf(name), textOf(bemerkung), `{${lines.join(',')}}`]
}

export function acceptance({
  database,
  authenticate,
  fileStore,
  log,
  now,
  perMinute,
  work = createWorkQueue(),
}: AcceptanceOptions): (app: FastifyInstance) => Promise<void> {
  const throttle = createThrottle(perMinute, now)

  async function ask(statement: Statement, context: Context = NOBODY): Promise<Stored> {
    const { rows } = await database.once<{ answer: string }>(context, statement)
    return JSON.parse(rows[0]?.answer ?? '{"stand":"unbekannt"}') as Stored
  }
  const look = (request: FastifyRequest) => ask({ ...LOOK, values: [hashOf(request)] })
  const answer = (reply: FastifyReply, { angebot_id: _kept, ...seen }: Stored) =>
    reply.header('cache-control', 'no-store').send({ code: SUCCESS_CODE, message: 'ok', data: seen })

  /** An expired sign-in counts as none: the code alone decides then. */
  async function contextOf(authorization: string | undefined): Promise<Context> {
    if (authorization === undefined) return NOBODY
    try {
      const { claimsJson, person } = await authenticate(authorization)
      return { role: 'nutzer', settings: { 'request.jwt.claims': claimsJson }, person }
    } catch {
      return NOBODY
    }
  }

  async function decide(request: FastifyRequest): Promise<Stored> {
    const values = decisionOf(request)
    const { authorization } = request.headers
    try {
      return await ask({ ...DECIDE, values: [hashOf(request), ...values] }, await contextOf(authorization))
    } catch (error) {
      if (error instanceof DatabaseFault && error.hint === 'anbieter_entscheidet')
        throw new Refusal('not_allowed', PROVIDER)
      const sentence =
        error instanceof DatabaseFault && error.code === '23514'
          ? FIELD_SENTENCES[error.column ?? '']
          : undefined
      throw sentence === undefined ? error : new Refusal('bad_value', sentence)
    }
  }

  async function sendPdf(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { angebot_id, stand } = await look(request)
    if (stand !== 'offen' || angebot_id === undefined)
      throw new Refusal('not_found', 'Dieser Link gilt nicht mehr.')
    const id = String(angebot_id)
    const read = async () => (await fileStore.fetchFiles('angebot', id)).find(({ art }) => art === 'pdf')
    try {
      let file = await read()
      if (file === undefined) {
        const order = { person: `ohne Anmeldung ${subnetOf(request.ip)}`, signal: goneSignal(reply) }
        await work.run('short', order, () => fileStore.make('angebot', id))
        file = await read()
      }
      if (file === undefined) throw new Refusal('not_found')
      return answerFile(reply, 'pdf', {
        ...file,
        sha256: createHash('sha256').update(file.inhalt).digest('hex'),
      })
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error
      log.error('document not made', { id: request.id, art: 'angebot', beleg: id, code: error.code })
      throw refusalOf(error)
    }
  }

  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      const wait = throttle.admit(request.ip)
      if (wait === 0) return
      reply.header('retry-after', String(wait))
      throw new Refusal(
        'too_many_requests',
        'Von Ihrem Anschluss kamen in kurzer Zeit sehr viele Anfragen. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
      )
    })
    const limits = { bodyLimit: BODY_BYTES }
    app.post('/annahme/ansehen', limits, async (request, reply) => answer(reply, await look(request)))
    app.post('/annahme/pdf', limits, sendPdf)
    app.post('/annahme/entscheiden', limits, async (request, reply) => answer(reply, await decide(request)))
  }
}

const PROVIDER = 'Wer für den Anbieter arbeitet, kann dessen Angebote nicht selbst annehmen oder ablehnen.'
const FIELD_SENTENCES: Readonly<Record<string, string>> = {
  name: 'Bitte geben Sie Ihren Namen in einer Zeile mit höchstens 200 Zeichen an.',
  bemerkung: 'Die Bemerkung hat höchstens 2.000 Zeichen und keine Steuerzeichen.',
  positionen: 'Diese Auswahl passt nicht zum Angebot. Bitte laden Sie die Seite neu.',
}
