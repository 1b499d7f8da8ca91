// GET beleg/{rechnung|angebot|mahnung}/{id}.pdf and .xml: the stored file of an issued document, a
// watermarked preview of any other. POST beleg/vorschau/mahnung.pdf and
// beleg/vorschau/{rechnung|angebot}/{id}.pdf: a preview of what is typed and not stored. Other customers'
// documents are "not found".
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Beleg } from '#domain/beleg.ts'
import type { Caller } from '#server/caller.ts'
import { type Database, DatabaseFault } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import type { Store, RequestSpec } from './store.ts'
import { answerFile, refusalOf } from './answer-file.ts'
import { DocumentFault } from './renderer.ts'
import { typedBeleg } from './preview.ts'

export interface DocumentsOptions {
  readonly database: Database
  readonly fileStore: Store
  readonly log: Log
  readonly work?: WorkQueue
}

const BELEG = { name: 'a_get_beleg', text: 'select app.a_get_beleg($1, $2::bigint)::text as beleg' }

const DRAFT = {
  rechnung: {
    name: 'entwurf_rechnung',
    text: 'select 1 as da from app.rechnung where id = $1 and ausgestellt_am is null',
  },
  angebot: {
    name: 'entwurf_angebot',
    text: 'select 1 as da from app.angebot where id = $1 and ausgestellt_am is null',
  },
} as const

/** A PostgreSQL bigint in plain notation. */
const ID = /^[1-9]\d{0,17}$/

function requestOf(request: FastifyRequest): RequestSpec {
  const { art, datei: file } = request.params as { art: string; datei: string }
  const [id = '', fileRow = ''] = file.split('.', 2)
  if (
    (art !== 'rechnung' && art !== 'angebot' && art !== 'mahnung') ||
    (fileRow !== 'pdf' && fileRow !== 'xml') ||
    !ID.test(id) ||
    file !== `${id}.${fileRow}`
  )
    throw new Refusal('not_found')
  return { art, id, datei: fileRow }
}

export function documentRoutes(options: DocumentsOptions): (app: FastifyInstance) => Promise<void> {
  const desk = new DocumentsDesk(options)
  return async (app) => {
    const limits = { bodyLimit: PREVIEW_BYTES }
    app.get(
      '/beleg/:art/:datei',
      forNutzer((...asked) => desk.answer(...asked)),
    )
    app.post(
      '/beleg/vorschau/mahnung.pdf',
      forNutzer((...asked) => desk.previewReminder(...asked), limits),
    )
    app.post(
      '/beleg/vorschau/:art/:datei',
      forNutzer((...asked) => desk.previewTyped(...asked), limits),
    )
  }
}

class DocumentsDesk {
  readonly #database: Database
  readonly #fileStore: Store
  readonly #log: Log
  readonly #work: WorkQueue

  constructor({ database, fileStore, log, work = createWorkQueue() }: DocumentsOptions) {
    this.#database = database
    this.#fileStore = fileStore
    this.#log = log
    this.#work = work
  }

  async answer(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const requestSpec = requestOf(request)
    const { art, id, datei } = requestSpec
    return this.#told(request, requestSpec, async () => {
      const stored = await this.#fileStore.fetchStored(caller, requestSpec)
      if (stored !== null) return answerFile(reply, datei, stored)
      // The first request makes the files. They are the same for everyone, and may be
      // seen by the same people.
      const isMade = await this.#inTurn(caller, reply, () => this.#fileStore.make(art, id))
      // Nothing is made for a draft, or when the server's own workshop has stored the
      // files since the first look.
      const made = await this.#fileStore.fetchStored(caller, requestSpec)
      if (made !== null) return answerFile(reply, datei, made)
      if (isMade) throw new Refusal('not_found')
      const draft = await this.#fetchDraft(caller, requestSpec)
      if (datei === 'xml') throw new Refusal('not_found', 'Von einem Entwurf gibt es noch keine E-Rechnung.')
      return this.#answerPreview(caller, reply, draft)
    })
  }

  /** A reminder that does not exist yet: the database checks it and returns what it would say. */
  async previewReminder(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const given = bodyOf(request)
    const text = (name: string): string | null => {
      const value = given[name]
      return typeof value === 'string' || typeof value === 'number' ? String(value) : null
    }
    const id = text('rechnung_id') ?? ''
    if (!ID.test(id)) throw new Refusal('not_found')
    const values = [
      id,
      ...['stufe', 'datum', 'faellig', 'gebuehr'].map(text),
      text('text') ?? '',
      text('zinsen_ab'),
      given['pauschale'] === true,
    ]
    const { rows } = await this.#database
      .once<{ beleg: string }>(asNutzer(caller, { readOnly: true }), { ...MAHNUNG, values })
      .catch(refuse)
    const [row] = rows
    if (row === undefined) throw new Refusal('not_found')
    const beleg = JSON.parse(row.beleg) as Beleg
    return this.#told(request, { art: 'mahnung', id }, () => this.#answerPreview(caller, reply, beleg))
  }

  /**
   * A draft with what is typed and not saved yet: parties and number come from the database, lines and texts
   * from the caller, sums are calculated here.
   */
  async previewTyped(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const requestSpec = requestOf(request)
    if (requestSpec.datei !== 'pdf') throw new Refusal('not_found')
    const typed = typedBeleg(await this.#fetchDraft(caller, requestSpec), bodyOf(request))
    if (typed === null)
      throw new Refusal(
        'bad_value',
        'Die Vorschau konnte nicht gelesen werden. Bitte laden Sie die Seite neu.',
      )
    return this.#told(request, requestSpec, () => this.#answerPreview(caller, reply, typed))
  }

  async #answerPreview(caller: Caller, reply: FastifyReply, beleg: Beleg): Promise<FastifyReply> {
    return answerFile(reply, 'pdf', await this.#inTurn(caller, reply, () => this.#fileStore.preview(beleg)))
  }

  /** Runs when its turn comes, and not at all if the client has gone. */
  #inTurn<T>(caller: Caller, reply: FastifyReply, make: () => Promise<T>): Promise<T> {
    return this.#work.run('short', { person: caller.person, signal: goneSignal(reply) }, make)
  }

  /** Runs as the caller: one who may not see the row only learns that it was not found. */
  async #fetchDraft(caller: Caller, { art, id }: Pick<RequestSpec, 'art' | 'id'>): Promise<Beleg> {
    if (art === 'mahnung') throw new Refusal('not_found')
    const beleg = await this.#database.transaction(asNutzer(caller, { readOnly: true }), async (tx) => {
      const seen = await tx.query({ ...DRAFT[art], values: [id] })
      if (seen.rowCount === 0) return null
      const { rows } = await tx.query<{ beleg: string }>({ ...BELEG, values: [art, id] })
      return JSON.parse(rows[0]?.beleg ?? 'null') as Beleg | null
    })
    if (beleg === null || !beleg.entwurf) throw new Refusal('not_found')
    return beleg
  }

  /** Turns faults of the typesetting process into words for the reader; the reason goes into the log. */
  async #told(
    request: FastifyRequest,
    { art, id }: Pick<RequestSpec, 'art' | 'id'>,
    act: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error
      this.#log.error('document not made', {
        id: request.id,
        art,
        beleg: id,
        code: error.code,
        reason: reasonForLog(error),
      })
      throw refusalOf(error)
    }
  }
}

/** A letter of 500 lines is a tenth of this. */
const PREVIEW_BYTES = 1_000_000

const MAHNUNG = {
  name: 'a_preview_mahnung',
  text: `select app.a_preview_mahnung(
      $1::bigint, $2::integer, $3::date, $4::date, $5::numeric, $6, $7::date, $8::boolean
    )::text as beleg`,
}

const bodyOf = (request: FastifyRequest): Readonly<Record<string, unknown>> =>
  typeof request.body === 'object' && request.body !== null && !Array.isArray(request.body)
    ? (request.body as Record<string, unknown>)
    : {}

/** A violated rule is reported as a refusal that the screen can show. */
function refuse(error: unknown): never {
  if (error instanceof DatabaseFault && (error.code === 'PT409' || /^2[23]/.test(error.code)))
    throw new Refusal(
      'bad_value',
      'Stufe, Frist, Gebühr, Zinsen oder Text der Mahnung passen nicht. Bitte prüfen Sie die Angaben.',
    )
  throw error
}
