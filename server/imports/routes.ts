// What the screens import, by one request of a program: POST /import/{was} with a file or JSON rows, and the address at
// which a long import is asked about. docs/api.md, "Import".
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS } from '#contract/errors.ts'
import { isDay } from '#domain/day.ts'
import { type Caller, personOf } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { type Arrivals, createArrivals } from '#server/files/arrivals.ts'
import type { Log } from '#server/log.ts'
import {
  type ImportFile,
  ImportRefusal,
  type ImportResult,
  type ProgramImport,
  refusal,
} from '#server/program-import.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import { refuseGeneral } from '#server/refuse.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { paramOf, respond } from '../geodata/answer.ts'
import { fileNameOf } from '../geodata/reasons.ts'
import { createStore } from '../geodata/store.ts'
import { statementByProgram } from './statement.ts'
import { kundenByProgram } from './kunden.ts'
import { type Ended, type Failure, failureOf, Runs } from './runs.ts'
import { type Language, languageOf, sayIn, translated } from './words.ts'

export interface ImportRoomOptions {
  readonly database: Database
  /** For files that are being read. */
  readonly folder: string
  readonly log: Log
  readonly now: () => Date
  readonly limits?: Limits
  readonly work?: WorkQueue
  /** What other rooms import. */
  readonly others: readonly ProgramImport[]
  readonly arrivals?: Arrivals
}

const KEY = /^[A-Za-z0-9_-]{16,64}$/
/** Seconds that a request waits for its import before the answer says where to ask. */
const WAIT_S = 20
const LONGEST_WAIT_S = 60
/** Files that one person may have under way, with all keys. */
const AT_ONCE = 4

export function createImportRoom(options: ImportRoomOptions): Room {
  const { database, log, now, limits = READER_LIMITS, work = createWorkQueue() } = options
  const ground = { database, limits, work, now }
  const kinds = [kundenByProgram(ground), statementByProgram(ground), ...options.others]
  const { folder, arrivals = createArrivals() } = options
  const desk = new ImportDesk(kinds, { database, log, folder, arrivals })
  void desk.tidy(now())
  const relationOf = (request: FastifyRequest): string =>
    kinds.find(({ was }) => was === paramOf(request, 'was'))?.programs ?? 'rpc/import'
  return {
    name: 'imports of programs',
    routes: async (app: FastifyInstance) => {
      // JSON too arrives as a stream: it is a file with rows.
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      app.setErrorHandler((error, request, reply) => {
        // The rest of the file is not wanted.
        if (!request.raw.complete) void reply.header('connection', 'close')
        return refuse(reply, error, languageIn(request))
      })
      app.post(
        '/import/:was',
        forNutzer((...asked) => desk.take(...asked), { programs: relationOf }),
      )
      app.get(
        '/import/:was/:id',
        forNutzer((...asked) => desk.tell(...asked), { programs: relationOf }),
      )
    },
    close: () => desk.close(),
  }
}

const languageIn = (request: FastifyRequest): Language => languageOf(request.headers['accept-language'])

class ImportDesk {
  readonly #kinds: readonly ProgramImport[]
  readonly #store: ReturnType<typeof createStore>
  readonly #runs: Runs
  readonly #arrivals: Arrivals
  readonly #folder: string
  /** Requests by the person who sends them. */
  readonly #underWay = new Map<string, number>()

  constructor(
    kinds: readonly ProgramImport[],
    {
      database,
      log,
      folder,
      arrivals,
    }: Required<Pick<ImportRoomOptions, 'database' | 'log' | 'folder' | 'arrivals'>>,
  ) {
    this.#arrivals = arrivals
    this.#folder = folder
    this.#kinds = kinds
    this.#store = createStore(folder)
    this.#runs = new Runs({ database, log })
  }

  tidy = (now: Date): Promise<void> => this.#store.tidy(now, 1)
  close = (): Promise<void> => this.#runs.close()

  async take(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const one = this.#kindOf(request)
    const { settings, isProbe, name } = settingsOf(one, request)
    const key = keyOf(request, isProbe)
    return this.#inTurn(personOf(caller.claims), async () => {
      // Who repeats what runs here was asked when it began; the embedded engine would answer after it.
      if (this.#runs.find(caller, key) === undefined) await one.may(caller, settings)
      const file = await this.#arrivals.take(
        caller,
        { request, reply },
        { folder: this.#folder, most: one.mostBytes },
        () => this.#receive(request, one, name),
      )
      const release = () => rm(file.path, { force: true })
      if (isProbe) {
        const probed = { caller, file, settings, isProbe, signal: goneSignal(reply) }
        try {
          const result = await one.run({ ...probed, onProgress: () => undefined, keep: noKeep })
          return respond(reply, shown(one, { result }, { probe: true, language: languageIn(request) }))
        } finally {
          await release()
        }
      }
      const digest = digestOf(one.was, settings, file)
      const begun = await this.#runs.begin({ caller, one, key, digest, order: { file, settings } }, release)
      const ended = await this.#runs.waitFor(
        caller,
        { id: begun.id, was: one.was },
        begun.ended,
        1000 * waitOf(request),
      )
      void reply.header('idempotency-replayed', String(begun.isRepeated))
      return this.#answer(request, reply, { one, id: begun.id, ended })
    })
  }

  async tell(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const one = this.#kindOf(request)
    const state = await this.#runs.read(caller, one.was, paramOf(request, 'id'))
    const language = languageIn(request)
    if (!('stand' in state)) return respond(reply, { id: state.id, ...shown(one, state, { language }) })
    const { id, stand, fortschritt } = state
    if (stand === 'laeuft') void reply.header('retry-after', '2')
    return respond(reply, { id, was: one.was, stand, fortschritt })
  }

  #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { one, id, ended }: { readonly one: ProgramImport; readonly id: number; readonly ended: Ended | null },
  ): FastifyReply {
    const language = languageIn(request)
    if (ended === null) {
      const here = request.url.split('?')[0]!
      void reply.code(202).headers({ location: `${here}/${id}`, 'retry-after': '2' })
      return respond(reply, { id, was: one.was, stand: 'laeuft', fortschritt: 0 })
    }
    const data = { id, ...shown(one, ended, { language }) }
    if ('result' in ended) return respond(reply, data)
    return refuseAs(reply, ended.failure, language, data)
  }

  /** @throws ImportRefusal */
  #kindOf(request: FastifyRequest): ProgramImport {
    const found = this.#kinds.find(({ was }) => was === paramOf(request, 'was'))
    if (found !== undefined) return found
    throw refusal('import_unbekannt', { namen: this.#kinds.map(({ was }) => was).join(', ') })
  }

  /** @throws Refusal if it is too long */
  async #receive(request: FastifyRequest, one: ProgramImport, name: string): Promise<ImportFile> {
    const body = request.body instanceof Readable ? request.body : Readable.from([])
    const arrived = await this.#store.take(body, one.mostBytes)
    return {
      path: arrived.filePath,
      name,
      bytes: arrived.groesse,
      sha256: arrived.sha256,
      type: request.headers['content-type'] ?? '',
    }
  }

  /** @throws ImportRefusal if too many of the person are under way */
  async #inTurn<T>(human: string, work: () => Promise<T>): Promise<T> {
    const underWay = this.#underWay.get(human) ?? 0
    if (Math.max(underWay, this.#runs.runningOf(human)) >= AT_ONCE)
      throw refusal('import_viele', { zahl: AT_ONCE })
    this.#underWay.set(human, underWay + 1)
    try {
      return await work()
    } finally {
      const left = (this.#underWay.get(human) ?? 1) - 1
      if (left === 0) this.#underWay.delete(human)
      else this.#underWay.set(human, left)
    }
  }
}

const noKeep = () => {
  throw new Error('a probe keeps nothing')
}

/** Settings that would otherwise be ignored where they cannot be read. */
const READABLE: Readonly<Record<string, { reads(text: string): boolean; readonly example: string }>> = {
  epsg: { reads: (text) => /^\d{4,6}$/.test(text), example: '25833' },
  stichtag: { reads: isDay, example: '2026-12-31' },
  uebernehmen: { reads: (text) => text === '0' || text === '1', example: '1' },
  ort: { reads: (text) => text === 'bestaetigt', example: 'bestaetigt' },
  verschiebung: { reads: (text) => text === 'bestaetigt', example: 'bestaetigt' },
}

/** @throws ImportRefusal */
function settingsOf(one: ProgramImport, request: FastifyRequest) {
  const { probe, name, ...given } = request.query as Record<string, unknown>
  const names = ['name', 'probe', ...Object.keys(one.settings)].join(', ')
  for (const [key, value] of Object.entries(given))
    if (!Object.hasOwn(one.settings, key) || typeof value !== 'string')
      throw refusal('import_angabe_fremd', { name: key.slice(0, 40), namen: names })
  const rest = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  for (const [key, kind] of Object.entries(one.settings))
    if (kind === 'needed' && rest[key] === undefined) throw refusal('import_angabe_fehlt', { name: key })
  for (const [key, value] of Object.entries(rest)) {
    const known = READABLE[key]
    if (known !== undefined && !known.reads(String(value)))
      throw refusal('import_angabe_wert', { name: key, wert: known.example })
  }
  const type = request.headers['content-type'] ?? ''
  const file =
    typeof name === 'string' && name !== '' ? fileNameOf(name) : /json/.test(type) ? 'daten.geojson' : 'datei'
  const isProbe = probe !== undefined && probe !== '0' && probe !== 'false'
  return { settings: rest as Record<string, string>, isProbe, name: file }
}

/** @throws ImportRefusal */
function keyOf(request: FastifyRequest, isProbe: boolean): string {
  const key = request.headers['idempotency-key']
  if (isProbe && key === undefined) return ''
  if (typeof key !== 'string' || !KEY.test(key)) throw refusal('import_schluessel')
  return key
}

/** `Prefer: wait=10` or `respond-async` (RFC 7240). */
function waitOf(request: FastifyRequest): number {
  const prefer = String(request.headers['prefer'] ?? '')
  if (/\brespond-async\b/i.test(prefer)) return 0
  const asked = /\bwait=(\d{1,4})\b/i.exec(prefer)?.[1]
  return asked === undefined ? WAIT_S : Math.min(LONGEST_WAIT_S, Number(asked))
}

const digestOf = (was: string, settings: Readonly<Record<string, string>>, file: ImportFile): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        was,
        Object.entries(settings)
          .map(String)
          .toSorted((a, b) => (a < b ? -1 : 1)),
        file.name,
        file.sha256,
      ]),
    )
    .digest('hex')

interface Saying {
  readonly language: Language
  readonly probe?: boolean
}

/** As JSON for programs: row, field, code and sentence of each fault. */
function shown(one: ProgramImport, ended: Ended, { language, probe = false }: Saying): object {
  const result: Partial<ImportResult> = 'result' in ended ? ended.result : (ended.failure.result ?? {})
  const { zahlen = {}, fehlerzahl = 0, fehler = [], hinweise = [], angelegt = [] } = result
  return {
    was: one.was,
    stand: 'result' in ended ? 'fertig' : 'fehlgeschlagen',
    probe,
    zahlen,
    fehlerzahl,
    fehler: fehler.map(({ angaben, ...fault }) => ({
      ...fault,
      text: sayIn(language, one.words, fault.code, angaben),
      angaben,
    })),
    hinweise,
    angelegt,
    ...('failure' in ended && { grund: reasonOf(ended.failure, language) }),
  }
}

const reasonOf = (failure: Failure, language: Language) => ({
  status: statusOf(failure),
  error: failure.error,
  hint: failure.hint,
  text: textOf(failure, language),
})

/** What a file contains is wrong, not the request: 422, as everywhere. */
const statusOf = ({ error, hint }: Failure): number =>
  error === 'bad_value' && hint !== null && !hint.startsWith('import_angabe') && !ASKED.has(hint)
    ? 422
    : ERRORS[error]
const ASKED = new Set(['import_schluessel', 'import_json', 'import_doppelte'])

const textOf = ({ hint, error, message, werte }: Failure, language: Language): string =>
  translated(language, message, { kind: 'antwort', code: hint ?? error, values: werte })

function refuseAs(
  reply: FastifyReply,
  failure: Failure,
  language: Language,
  data: object | null,
): FastifyReply {
  const { hint, werte } = failure
  return refuseGeneral(reply, new FileRefusal(failure), {
    message: textOf(failure, language),
    data,
    ...(hint !== null && { hint }),
    ...(Object.keys(werte).length > 0 && { werte }),
  })
}

/** 422 if the file is what is wrong. */
class FileRefusal extends Refusal {
  readonly #status: number
  constructor(failure: Failure) {
    super(failure.error)
    this.#status = statusOf(failure)
  }
  override get status(): number {
    return this.#status
  }
}

/** @throws what is no refusal: a fault of ours */
function refuse(reply: FastifyReply, error: unknown, language: Language): FastifyReply {
  const failure = failureOf(error)
  if (ERRORS[failure.error] >= 500 && !(error instanceof ImportRefusal)) throw error
  // The limits of a key and the sign-in have their own answers.
  if (failure.hint === null && failure.error !== 'not_found') return refuseGeneral(reply, error)
  return refuseAs(reply, failure, language, null)
}
