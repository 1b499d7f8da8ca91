// Uploads of scans that can be interrupted and continued (tus 1.0.0). Each request is asked for its caller's rights anew; an upload belongs to its plan and to whoever began it. After the last byte the file is
// compared with what the sender says of it, looked at, and taken up; until then no row knows of it.
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { karteWege } from '#contract/karte-dateien.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { dinOf } from '#domain/blattformat.ts'
import type { Authenticate, Caller } from '#server/caller.ts'
import type { Context, Database } from '#server/database/database.ts'
import { reasonForLog, Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer, CHECK_REQUEST } from '#server/nutzer.ts'
import { type Ablage, hashOf, isFull } from './ablage.ts'
import { ArbeitFault, type Bildmasse } from './arbeit.ts'
import type { Arbeiter } from './arbeiter.ts'
import { dateitypOf } from './dateityp.ts'

export interface ScanUploadOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  readonly ablage: Ablage
  readonly arbeite: Arbeiter
  /** Unfinished uploads lie here; shared by all servers. */
  readonly folder: string
  /** Base path of the routes. */
  readonly prefix: string
  readonly maxBytes: number
  readonly memoryBytes: number
  readonly pdftoppm: string | null
  readonly log: Log
  readonly now: () => Date
  /** A scan was taken up, its tiles are ordered. */
  wake(): void
}

/** A rule of its own beside the code, by which the browser finds its sentence. */
class UploadFault extends Refusal {
  readonly hint: string
  constructor(code: ErrorCode, hint: string, message: string) {
    super(code, message)
    this.hint = hint
  }
}

const EXPIRES_MS = 3 * 24 * 60 * 60 * 1000
const LOOK_MS = 60_000
const PDF_MS = 180_000
/** Left free for the database beside it. */
const RESERVE = 64 * 2 ** 20
const TUS = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' }

const RIGHT = {
  name: 'karte_upload_recht',
  text: `select rechte.user_id() as person from app.kartenblatt k where k.id = $1 and rechte.has_any('apus_admin', 'apus_team')`,
}
const DONE = { name: 'karte_upload_datei', text: 'select rechte.karte_upload_datei($1, $2) as groesse' }
const TAKE = {
  name: 'karte_scan_aufnehmen',
  text: 'select rechte.karte_scan_aufnehmen($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as id',
}
/** In the caller's name, with what only the server may do. */
const asKarte = (caller: Caller): Context => ({ ...asNutzer(caller), role: 'forst_karte', preRequest: CHECK_REQUEST })

interface Wer {
  readonly caller: Caller
  readonly karte: string
  readonly person: number
  readonly id: string | null
}

const ID = /^[1-9]\d{0,17}$/
const UPLOAD = /^([1-9]\d{0,17})-(\d+)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export interface ScanUpload {
  install(app: FastifyInstance): Promise<void>
  /** Removes what was begun and left. */
  raeumeAuf(): Promise<number>
}

export function scanUpload(options: ScanUploadOptions): ScanUpload {
  const { database, authenticate, ablage, arbeite, folder, prefix, maxBytes, memoryBytes, pdftoppm, log, now, wake } = options
  const asked = new WeakMap<IncomingMessage, Wer>()
  const ending = new Map<string, Promise<number>>()
  const store = new FileStore({ directory: folder, expirationPeriodInMilliseconds: EXPIRES_MS })

  const werOf = (request: Request): Wer => {
    const raw = (request as Request & { runtime?: { node?: { req: IncomingMessage } } }).runtime?.node?.req
    const wer = raw === undefined ? undefined : asked.get(raw)
    if (wer === undefined) throw new Refusal('not_found')
    return wer
  }

  const tus = new Server({
    path: '/upload',
    datastore: store,
    maxSize: maxBytes,
    // One origin: nobody else's page reads an answer.
    allowedOrigins: [],
    relativeLocation: true,
    namingFunction: (request) => {
      const { karte, person } = werOf(request)
      return `${karte}-${person}-${randomUUID()}`
    },
    generateUrl: (request, { id }) => `${prefix}${karteWege.upload(werOf(request).karte)}/${id}`,
    getFileIdFromRequest: (request) => werOf(request).id ?? undefined,
    onUploadCreate: async (_request, { size, metadata }) => {
      if (size === undefined) throw told(new Refusal('bad_value', 'Die Größe der Datei muss vorher bekannt sein.'))
      if (size === 0) throw told(new UploadFault('bad_value', 'upload_leer', 'Diese Datei ist leer.'))
      if (nameOf(metadata) === null) throw told(new UploadFault('bad_value', 'upload_name', 'Der Dateiname ist leer oder zu lang.'))
      if ((await ablage.frei()) < size + RESERVE) throw told(new Refusal('storage_full'))
      return {}
    },
    onUploadFinish: async (request, { id }) => {
      const wer = werOf(request)
      const datei = await finish(wer, id).catch((error: unknown) => {
        throw told(error)
      })
      return { headers: { 'Karte-Datei': String(datei) } }
    },
    onResponseError: async (request, error) => {
      if ('body' in error && error.body.startsWith('{')) return { status_code: error.status_code, body: error.body }
      const status = 'status_code' in error ? error.status_code : 500
      if (status >= 500) {
        const full = (await ablage.frei().catch(() => RESERVE)) < 2 ** 20
        log.error('upload failed', { reason: reasonForLog(error), full })
        const { id } = werOf(request)
        // What does not fit is not kept half.
        if (full && id !== null) await store.remove(id).catch(() => undefined)
        return told(new Refusal(full ? 'storage_full' : 'internal'))
      }
      return told(refusalOf(status), status)
    },
  })

  /** The row of a finished upload, however often its end is told and by whichever server. */
  function finish(wer: Wer, id: string): Promise<number> {
    const known = ending.get(id)
    if (known !== undefined) return known
    const work = takeUp(wer, id).finally(() => ending.delete(id))
    ending.set(id, work)
    return work
  }

  async function takeUp({ caller, karte }: Wer, id: string): Promise<number> {
    const path = join(folder, id)
    let bild: string | null = null
    try {
      const { metadata } = await store.getUpload(id)
      const found = await hashOf(path)
      const said = metadata?.['sha256']?.toLowerCase()
      if (said !== undefined && said !== found.sha256)
        throw new UploadFault(
          'bad_value',
          'upload_hash',
          'Die Datei ist nicht so angekommen, wie sie abgeschickt wurde. Bitte laden Sie sie noch einmal hoch.',
        )
      const mime = await dateitypOf(path)
      if (mime === null)
        throw new UploadFault(
          'bad_value',
          'upload_typ',
          'Diese Datei ist kein Scan, der sich verwenden lässt. Bitte laden Sie TIFF, JPEG, PNG, WebP oder PDF hoch.',
        )
      if (mime === 'application/pdf') bild = await ablage.arbeitsdatei()
      const masse = await look(path, bild)
      const stored = await ablage.lege(path, found)
      const drawn = bild === null ? null : (await ablage.lege(bild)).sha256
      const { breite, hoehe, dpi } = masse
      const { rows } = await database.once<{ id: number }>(asKarte(caller), {
        ...TAKE,
        values: [karte, id, nameOf(metadata), mime, stored.groesse, stored.sha256, drawn, breite, hoehe, dpi, dinOf(breite, hoehe, dpi)],
      })
      await store.remove(id).catch(() => undefined)
      wake()
      return rows[0]!.id
    } catch (error) {
      const refusal = refusalOfFinish(error)
      // What another try would not mend is thrown away; else the next request tries again with what lies there.
      if (refusal.status < 500 || refusal.code === 'storage_full') await store.remove(id).catch(() => undefined)
      if (refusal.status >= 500) log.error('upload not taken up', { karte, reason: reasonForLog(error) })
      throw refusal
    } finally {
      if (bild !== null) await ablage.entferneArbeit(bild)
    }
  }

  /** In a process of its own: it is the first to read what somebody sent. */
  function look(pfad: string, bild: string | null): Promise<Bildmasse> {
    if (bild === null) return arbeite({ art: 'pruefen', pfad }, { timeoutMs: LOOK_MS, memoryBytes })
    if (pdftoppm === null)
      throw new UploadFault(
        'bad_value',
        'karte_pdf',
        'Aus diesem PDF lässt sich auf diesem Server kein Bild machen. Bitte laden Sie den Plan als TIFF, JPEG oder PNG hoch.',
      )
    return arbeite({ art: 'pdf', pfad, ziel: bild, pdftoppm }, { timeoutMs: PDF_MS, memoryBytes })
  }

  async function allowed(request: FastifyRequest): Promise<Wer> {
    const caller = await authenticate(request.headers.authorization)
    const { karte, id } = request.params as { karte: string; id?: string }
    if (!ID.test(karte)) throw new Refusal('not_found')
    const { rows } = await database.once<{ person: number }>(asNutzer(caller, { readOnly: true }), { ...RIGHT, values: [karte] })
    const [row] = rows
    if (row === undefined) throw new Refusal('not_found')
    const of = id === undefined ? null : UPLOAD.exec(id)
    if (id !== undefined && (of?.[1] !== karte || of[2] !== String(row.person))) throw new Refusal('not_found')
    return { caller, karte, person: row.person, id: id ?? null }
  }

  async function hand(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const wer = await allowed(request)
    asked.set(request.raw, wer)
    reply.raw.setHeader('cache-control', 'no-store')
    reply.hijack()
    await tus.handle(request.raw, reply.raw)
  }

  /** How far it came. Of one whose last byte is there it says so only once it is taken up: a sender that lost the answer would take it for good. */
  async function head(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const wer = await allowed(request)
    const id = wer.id!
    const taken = async () =>
      (await database.once<{ groesse: number | null }>(asKarte(wer.caller), { ...DONE, values: [wer.karte, id] })).rows[0]?.groesse ?? null
    let size = await taken()
    if (size === null) {
      const upload = await store.getUpload(id).catch(() => null)
      if (upload === null || upload.offset !== upload.size) {
        await hand(request, reply)
        return undefined
      }
      await finish(wer, id)
      size = await taken()
    }
    return reply.headers({ ...TUS, 'upload-offset': String(size), 'upload-length': String(size) }).send()
  }

  return {
    async install(app) {
      // The bytes go to the store untouched: whoever reads them here first takes them away from it.
      app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null, undefined))
      app.post('/karte/:karte/upload', hand)
      app.patch('/karte/:karte/upload/:id', hand)
      app.delete('/karte/:karte/upload/:id', hand)
      app.head('/karte/:karte/upload/:id', head)
    },
    raeumeAuf: () => removeLeft(folder, new Date(now().getTime() - EXPIRES_MS)),
  }
}

/** Bytes and what is known of them, by the time of the latter, which is that of the beginning; either may have lost the other. */
async function removeLeft(folder: string, before: Date): Promise<number> {
  const ageOf = (name: string) =>
    stat(join(folder, name)).then(
      ({ mtime }) => mtime,
      () => null,
    )
  let count = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const began = (await ageOf(`${name.replace(/\.json$/, '')}.json`)) ?? (await ageOf(name))
    if (began === null || began >= before) continue
    await rm(join(folder, name), { recursive: true, force: true })
    count++
  }
  return count
}

/** As the protocol's library takes it: a status and a text, which is the general API's failed answer. */
function told(error: unknown, status?: number): { status_code: number; body: string } {
  const refusal = refusalOfFinish(error)
  const body = {
    code: (status ?? refusal.status) * 100,
    message: refusal.message,
    data: null,
    error: refusal.code,
    ...(refusal instanceof UploadFault && { hint: refusal.hint }),
  }
  return { status_code: status ?? refusal.status, body: JSON.stringify(body) }
}

function refusalOfFinish(error: unknown): Refusal {
  if (isFull(error) || (error instanceof ArbeitFault && error.code === 'karte_platz')) return new Refusal('storage_full')
  if (!(error instanceof ArbeitFault)) return toRefusal(error)
  switch (error.code) {
    case 'karte_pixel':
      return new UploadFault(
        'bad_value',
        'karte_pixel',
        'Das Bild ist zu groß. Es darf höchstens 400 Millionen Pixel haben, an jeder Seite höchstens 200.000.',
      )
    case 'karte_pdf':
      return new UploadFault(
        'bad_value',
        'karte_pdf',
        'Aus diesem PDF lässt sich auf diesem Server kein Bild machen. Bitte laden Sie den Plan als TIFF, JPEG oder PNG hoch.',
      )
    default:
      return new UploadFault(
        'bad_value',
        'karte_bild',
        'Die Datei lässt sich nicht lesen: sie ist beschädigt oder unvollständig. Bitte öffnen Sie sie in einem Bildprogramm, und speichern Sie sie neu.',
      )
  }
}

const CODES = new Map<number, ErrorCode>(Object.entries(ERRORS).map(([code, status]) => [status, code as ErrorCode]))
function refusalOf(status: number): Refusal {
  if (status === 413) return new UploadFault('too_large', 'upload_gross', 'Diese Datei ist größer, als Scans sein dürfen.')
  if (status === 404 || status === 410) return new Refusal('not_found', 'Dieser Upload ist nicht mehr da. Bitte beginnen Sie ihn von vorn.')
  if (status === 409) return new Refusal('conflict', 'Der Upload steht an einer anderen Stelle. Bitte setzen Sie ihn fort.')
  return new Refusal(CODES.get(status) ?? 'bad_value', 'Der Upload konnte nicht fortgesetzt werden. Bitte versuchen Sie es noch einmal.')
}

/** The last part of a path, in one line; null where nothing is left of it. */
function nameOf(metadata: Readonly<Record<string, string | null>> | undefined): string | null {
  const name = (metadata?.['filename'] ?? '')
    .split(/[/\\]/)
    .at(-1)!
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  return name === '' || [...name].length > 255 ? null : name
}
