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
import type { Caller } from '#server/caller.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { forAnyone, forGuests } from '#server/route-caller.ts'
import { strangerAt } from '#server/share.ts'
import { createThrottle } from '#server/throttle.ts'
import { createWorkQueue, goneSignal, type Order, type WorkQueue } from '#server/work-queue.ts'
import type { Store } from './store.ts'
import { DocumentFault } from './renderer.ts'
import { answerFile, refusalOf } from './answer-file.ts'

export interface AcceptanceOptions {
  readonly database: Database
  readonly fileStore: Store
  readonly log: Log
  readonly now: () => Date
  /** Requests allowed per network. */
  readonly perMinute: number
  readonly work?: WorkQueue
}

/** A caller without claims. */
const stranger = ({ ip }: FastifyRequest): Context => ({ role: 'nutzer', person: strangerAt(ip) })
/** An expired sign-in counts as none: the code alone decides then. */
const contextOf = (caller: Caller | null, request: FastifyRequest): Context =>
  caller === null
    ? stranger(request)
    : { role: 'nutzer', settings: { 'request.jwt.claims': caller.claimsJson }, person: caller.person }
const LOOK = { name: 'view_acceptance', text: 'select books.view_acceptance($1)::text as answer' }
const DECIDE = {
  name: 'decide_acceptance',
  text: 'select books.decide_acceptance($1, $2, $3, $4, $5::bigint[])::text as answer',
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

export function acceptanceRoutes({
  work = createWorkQueue(),
  ...options
}: AcceptanceOptions): (app: FastifyInstance) => Promise<void> {
  const throttle = createThrottle(options.perMinute, options.now)
  const links = new Links(options, work)
  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      const wait = throttle.admit(request.ip)
      if (wait === 0) return
      reply.header('retry-after', String(wait))
      throw new Refusal(
        'too_many_requests',
        'Von Ihrem Anschluss kamen in kurzer Zeit sehr viele Anfragen. ' +
          'Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
      )
    })
    const limits = { bodyLimit: BODY_BYTES }
    app.post(
      '/annahme/ansehen',
      forAnyone(async (request, reply) => answer(reply, await links.look(request)), limits),
    )
    app.post(
      '/annahme/pdf',
      forAnyone((request, reply) => links.sendPdf(request, reply), limits),
    )
    app.post(
      '/annahme/entscheiden',
      forGuests(async (caller, request, reply) => answer(reply, await links.decide(caller, request)), limits),
    )
  }
}

const answer = (reply: FastifyReply, { angebot_id: _kept, ...seen }: Stored): FastifyReply =>
  reply.header('cache-control', 'no-store').send({ code: SUCCESS_CODE, message: 'ok', data: seen })

/** What people do with the code of a link. */
class Links {
  readonly #options: Omit<AcceptanceOptions, 'work'>
  readonly #work: WorkQueue

  constructor(options: Omit<AcceptanceOptions, 'work'>, work: WorkQueue) {
    this.#options = options
    this.#work = work
  }

  look(request: FastifyRequest): Promise<Stored> {
    return this.#ask({ ...LOOK, values: [hashOf(request)] }, stranger(request))
  }

  async decide(caller: Caller | null, request: FastifyRequest): Promise<Stored> {
    const values = [hashOf(request), ...decisionOf(request)]
    try {
      return await this.#ask({ ...DECIDE, values }, contextOf(caller, request))
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

  async sendPdf(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { angebot_id, stand } = await this.look(request)
    if (stand !== 'offen' || angebot_id === undefined)
      throw new Refusal('not_found', 'Dieser Link gilt nicht mehr.')
    const id = String(angebot_id)
    try {
      const order = { person: strangerAt(request.ip), signal: goneSignal(reply) }
      const file = await this.#fetchPdf(id, order)
      if (file === undefined) throw new Refusal('not_found')
      return answerFile(reply, 'pdf', {
        ...file,
        sha256: createHash('sha256').update(file.inhalt).digest('hex'),
      })
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error
      const facts = { id: request.id, art: 'angebot', beleg: id, code: error.code }
      this.#options.log.error('document not made', facts)
      throw refusalOf(error)
    }
  }

  /** Made first if it is missing. */
  async #fetchPdf(id: string, order: Order) {
    const { fileStore } = this.#options
    const read = async () => (await fileStore.fetchFiles('angebot', id)).find(({ art }) => art === 'pdf')
    const stored = await read()
    if (stored !== undefined) return stored
    await this.#work.run('short', order, () => fileStore.make('angebot', id))
    return read()
  }

  async #ask(statement: Statement, context: Context): Promise<Stored> {
    const { rows } = await this.#options.database.once<{ answer: string }>(context, statement)
    return JSON.parse(rows[0]?.answer ?? '{"stand":"unbekannt"}') as Stored
  }
}

const PROVIDER = 'Wer für den Anbieter arbeitet, kann dessen Angebote nicht selbst annehmen oder ablehnen.'
const FIELD_SENTENCES: Readonly<Record<string, string>> = {
  name: 'Bitte geben Sie Ihren Namen in einer Zeile mit höchstens 200 Zeichen an.',
  bemerkung: 'Die Bemerkung hat höchstens 2.000 Zeichen und keine Steuerzeichen.',
  positionen: 'Diese Auswahl passt nicht zum Angebot. Bitte laden Sie die Seite neu.',
}
