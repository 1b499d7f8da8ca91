// Received invoices: how files come in, and who gets their bytes. Files arrive from the page or from a program, with
// the same token and the same checks; everything else of an invoice goes through the data API.
import { createHash } from 'node:crypto'
import { readFile as readBytes } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EINGANG_BYTES, type EingangAdded } from '#contract/eingang.ts'
import type { Recipient } from '#domain/eingang/recipient.ts'
import type { Caller } from '#server/caller.ts'
import { type Context, type Database, DatabaseFault, type Statement } from '#server/database/database.ts'
import { Refusal, toRefusal } from '#server/errors.ts'
import { ArrivalFault, type Arrivals, createArrivals } from '#server/files/arrivals.ts'
import { attachment } from '#server/files/send.ts'
import { UploadFault } from '#server/files/upload-refusals.ts'
import { type Log, silentLog } from '#server/log.ts'
import { asNutzer, CHECK_REQUEST } from '#server/nutzer.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import { ImportRefusal, type ImportOrder, type ImportResult } from '#server/program-import.ts'
import { refuseGeneral } from '#server/refuse.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { FILE_RULES, FileFault } from './file-fault.ts'
import { mailJob, type MailJobOptions } from './mail-job.ts'
import { type CheckByRules, createRules, type RulesOptions } from './official-rules.ts'
import { readEmbedded, readReceived } from './reader.ts'
import { createUploadFolder, type UploadFolder } from './upload-folder.ts'
import { cleanName, valuesOf } from './values.ts'

export interface EingangOptions {
  readonly database: Database
  /** For files that are being read. */
  readonly folder: string
  readonly now: () => Date
  readonly limits?: Limits
  readonly work?: WorkQueue
  readonly arrivals?: Arrivals
  /** The official rules, beside ours; null: not set up. */
  readonly rules?: RulesOptions | null
  readonly log?: Log
  /** Invoices that come by mail; without it none do. */
  readonly mail?: Omit<MailJobOptions, 'limits' | 'work' | 'folder' | 'checkByRules'>
}

const SUCCESS = 20_000
const ID = /^[1-9]\d{0,17}$/
const SELF = {
  name: 'eingang_recipient',
  text: 'select name, name_zusatz, ust_id, steuernummer from books.eingang_recipient()',
}
const TWIN = {
  name: 'eingang_twin',
  text: 'select id, nummer, name from app.eingang where sha256 = $1',
}
const ADD = {
  name: 'eingang_add',
  text: `select books.add_eingang($1, decode($2, 'base64'), $3, $4, $5, $6::jsonb, $7::jsonb, $8::jsonb) as id`,
}
const SEEN = { name: 'eingang_seen', text: 'select id, dateiname, format from app.eingang where id = $1' }
const BYTES = {
  name: 'eingang_bytes',
  text: `select encode(inhalt, 'base64') as inhalt from app.eingang where id = $1`,
}

/** Sees bytes, and nothing but documents and received files. */
const READER: Context = { role: 'forst_dokument' }
/**
 * The same in the caller's name: who took it in is in the log. A program's key was checked with the request before,
 * which asks for its own role; the function that stores it asks for the key's roles again.
 */
function writerFor(caller: Caller): Context {
  const { preRequest: _asked, ...context } = asNutzer(caller)
  return { ...context, ...READER, ...(caller.key === undefined && { preRequest: CHECK_REQUEST }) }
}

interface Stored {
  readonly name: string
  readonly mime: string
  readonly bytes: Buffer
}

export function createEingangRoom(options: EingangOptions): Room {
  const { mail, limits = READER_LIMITS, work = createWorkQueue(), arrivals = createArrivals() } = options
  const desk = new EingangDesk({ ...options, limits, work, arrivals })
  void desk.folder.tidy(options.now())
  return {
    name: 'eingang',
    imports: [
      {
        was: 'eingangsrechnungen',
        programs: 'rpc/add_eingang',
        words: 'auszug',
        mostBytes: EINGANG_BYTES,
        settings: {},
        may: (caller) => desk.may(caller),
        run: (order) => desk.addByProgram(order),
      },
    ],
    jobs:
      mail === undefined
        ? []
        : [mailJob({ ...mail, limits, work, folder: desk.folder, checkByRules: desk.checkByRules })],
    routes: async (app: FastifyInstance) => {
      app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
      app.setErrorHandler(answerFault)
      app.post(
        '/eingang/upload',
        forNutzer((...asked) => desk.add(...asked)),
      )
      app.get(
        '/eingang/:id/datei',
        forNutzer((...asked) => desk.sendFile(...asked)),
      )
      app.get(
        '/eingang/:id/anlage/:nr',
        forNutzer((...asked) => desk.sendAttachment(...asked)),
      )
    },
  }
}

const addedResult = (id: number): ImportResult => ({
  zahlen: { neu: 1 },
  fehlerzahl: 0,
  fehler: [],
  ...(id > 0 && { angelegt: [{ id }] }),
})

class EingangDesk {
  readonly #database: Database
  readonly #work: WorkQueue
  readonly #limits: Limits
  readonly #arrivals: Arrivals
  readonly #place: string
  readonly folder: UploadFolder
  readonly checkByRules: CheckByRules

  constructor(options: EingangOptions & Required<Pick<EingangOptions, 'limits' | 'work' | 'arrivals'>>) {
    const { database, folder, limits, work, arrivals, rules = null, log = silentLog } = options
    this.#database = database
    this.#work = work
    this.#limits = limits
    this.#arrivals = arrivals
    this.#place = folder
    this.folder = createUploadFolder(folder)
    this.checkByRules = createRules(rules, { work, uploads: this.folder, readers: limits, log })
  }

  async add(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { rows } = await this.#database.once<Recipient>(asNutzer(caller, { readOnly: true }), SELF)
    if (Number(request.headers['content-length'] ?? 0) > EINGANG_BYTES) throw new FileFault('eingang_gross')
    const name = fileNameOf(request)
    const { body } = request
    if (!(body instanceof Readable))
      throw new Refusal('bad_value', 'Die Datei muss als application/octet-stream geschickt werden.')
    const place = { folder: this.#place, most: EINGANG_BYTES }
    const id = await this.#arrivals.take(caller, { request, reply }, place, () =>
      this.folder.with(body, (path) =>
        this.#inTurn(caller, goneSignal(reply), (signal) =>
          this.#takeIn(caller, { path, name, self: rows[0] ?? null, signal }),
        ),
      ),
    )
    const data: EingangAdded = { id }
    return reply.header('cache-control', 'no-store').send({ code: SUCCESS, message: 'ok', data })
  }

  async #takeIn(
    caller: Caller,
    file: {
      readonly path: string
      readonly name: string
      readonly self: Recipient | null
      readonly signal: AbortSignal
      /** Runs in the transaction that stores it. */
      keep?(id: number): Statement
      /** Only looked at: 0 is answered. */
      readonly isProbe?: boolean
    },
  ): Promise<number> {
    const bytes = await readBytes(file.path)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const twins = await this.#database.once<{ id: number; nummer: string; name: string }>(
      asNutzer(caller, { readOnly: true }),
      { ...TWIN, values: [sha256] },
    )
    if (twins.rows[0] !== undefined) throw twinFault(twins.rows[0])
    const read = await readReceived(file.path, file.self, { limits: this.#limits, signal: file.signal })
    if (file.isProbe === true) return 0
    const { path, signal } = file
    const official = await this.checkByRules({ path, signal, format: read.format, person: caller.person })
    const statement = { ...ADD, values: valuesOf(file.name, bytes, read, official) }
    return this.#database
      .transaction(writerFor(caller), async (tx) => {
        const { rows } = await tx.query<{ id: number }>(statement)
        const id = Number(rows[0]!.id)
        if (file.keep !== undefined) await tx.query(file.keep(id))
        return id
      })
      .catch((error: unknown) => {
        if (error instanceof DatabaseFault && error.hint === 'eingang_doppelt')
          throw twinFault({ id: 0, nummer: '', name: '' })
        if (error instanceof DatabaseFault && error.constraint === 'eingang_gelesen_check')
          throw new FileFault('eingang_umfang')
        throw error
      })
  }

  /** Who may take invoices in. @throws DatabaseFault */
  async may(caller: Caller): Promise<void> {
    await this.#database.once(asNutzer(caller, { readOnly: true }), SELF)
  }

  /** The same by one request of a program. */
  async addByProgram({ caller, file, isProbe, signal, keep }: ImportOrder): Promise<ImportResult> {
    const { rows } = await this.#database.once<Recipient>(asNutzer(caller, { readOnly: true }), SELF)
    const task = { path: file.path, name: cleanName(file.name) || 'Rechnung', self: rows[0] ?? null, signal }
    const id = await this.#inTurn(caller, signal, () =>
      this.#takeIn(caller, { ...task, isProbe, keep: (made) => keep(addedResult(made)) }),
    ).catch((error: unknown) => {
      if (error instanceof FileFault) throw new ImportRefusal('bad_value', error.code, FILE_RULES[error.code])
      if (error instanceof UploadFault) throw new ImportRefusal(error.code, error.hint, error.message)
      throw error
    })
    return addedResult(id)
  }

  async sendFile(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return send(reply, await this.#fetch(caller, request))
  }

  /** Embedded in the invoice by its sender: never shown, whatever it says it is. */
  async sendAttachment(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { nr = '' } = request.params as Record<string, string>
    if (!/^[1-9]\d{0,2}$/.test(nr)) throw new Refusal('not_found')
    const found = await this.#inTurn(caller, goneSignal(reply), async (signal) => {
      const { bytes } = await this.#fetch(caller, request)
      return this.folder.with(bytes, (path) =>
        readEmbedded(path, Number(nr), { limits: this.#limits, signal }),
      )
    })
    if (found === null) throw new Refusal('not_found')
    return send(reply, {
      name: cleanName(found.name) || `Anlage-${nr}`,
      mime: 'application/octet-stream',
      bytes: Buffer.from(found.base64, 'base64'),
    })
  }

  /** As the caller: one who may not see the row only learns that it was not found. */
  async #fetch(caller: Caller, request: FastifyRequest): Promise<Stored> {
    const { id = '' } = request.params as Record<string, string>
    if (!ID.test(id)) throw new Refusal('not_found')
    const seen = await this.#database.once<{ dateiname: string; format: string }>(
      asNutzer(caller, { readOnly: true }),
      { ...SEEN, values: [id] },
    )
    const [row] = seen.rows
    if (row === undefined) throw new Refusal('not_found')
    const { rows } = await this.#database.once<{ inhalt: string }>(READER, { ...BYTES, values: [id] })
    const isPdf = row.format === 'pdf' || row.format === 'zugferd'
    return {
      name: row.dateiname,
      mime: isPdf ? 'application/pdf' : 'application/xml',
      bytes: Buffer.from(rows[0]!.inhalt, 'base64'),
    }
  }

  #inTurn<T>(caller: Caller, signal: AbortSignal, make: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#work.run('short', { person: caller.person, signal }, () => make(signal))
  }
}

/** To be saved, not shown: it is somebody else's file. */
const send = (reply: FastifyReply, { name, mime, bytes }: Stored): FastifyReply =>
  reply
    .headers({
      'content-type': mime,
      'content-length': bytes.length,
      'content-disposition': attachment(name),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(bytes)

function fileNameOf(request: FastifyRequest): string {
  const { name } = request.query as Record<string, unknown>
  return (typeof name === 'string' ? cleanName(name) : '') || 'Rechnung'
}

function twinFault({ id, nummer, name }: { id: number; nummer: string; name: string }): UploadFault {
  const which = [nummer, name].filter((text) => text !== '').join(', ')
  return new UploadFault(
    'conflict',
    'eingang_doppelt',
    which === '' || id === 0
      ? 'Diese Datei ist schon da.'
      : `Diese Datei ist schon da: ${which} (Eingang ${id}).`,
  )
}

function answerFault(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof FileFault) {
    const { code } = error
    const refusal = new Refusal(code === 'eingang_gross' ? 'too_large' : 'bad_value', FILE_RULES[code])
    return refuseGeneral(reply, refusal, { hint: code })
  }
  const refusal = toRefusal(error)
  if (refusal.status >= 500) throw error
  if (refusal instanceof ArrivalFault)
    return refuseGeneral(reply, error, { hint: refusal.hint, werte: refusal.werte })
  return refuseGeneral(reply, error, refusal instanceof UploadFault ? { hint: refusal.hint } : {})
}
