// Files that go with an invoice. POST beleg/rechnung/{id}/anlagen copies a file that hangs at a record of the
// customer; GET …/anlagen/{nr} hands out the copy. Rows are read as the caller: other people's are "not found".
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  ANLAGE_BYTES,
  ANLAGE_FILE_NAME,
  ANLAGE_TYPES,
  type AnlageAdded,
  type AnlageType,
} from '#contract/anlage.ts'
import { unprintable } from '#domain/printable.ts'
import type { Caller } from '#server/caller.ts'
import { type Context, type Database, DatabaseFault } from '#server/database/database.ts'
import { Refusal, toRefusal } from '#server/errors.ts'
import { attachment } from '#server/files/send.ts'
import type { Store } from '#server/files/store.ts'
import { UploadFault } from '#server/files/upload-refusals.ts'
import { asNutzer, CHECK_REQUEST } from '#server/nutzer.ts'
import { refuseGeneral } from '#server/refuse.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'

export interface AttachmentOptions {
  readonly database: Database
  /** Of the files at records. */
  readonly storedFiles: Pick<Store, 'readFrom'>
  readonly work?: WorkQueue
}

const SUCCESS = 20_000
const ID = /^[1-9]\d{0,17}$/
/** Only files of the invoice's own customer. */
const SOURCE = {
  name: 'anlage_quelle',
  text: `select f.name, f.mime, f.groesse, f.sha256
    from app.notiz_datei f
    join app.rechnung r on r.client_id = f.client_id
    where f.id = $1 and r.id = $2`,
}
const ADD = {
  name: 'anlage_neu',
  text: `select books.add_anlage($1, $2, '', $3, $4, decode($5, 'base64')) as id`,
}
const SEEN = {
  name: 'anlage_sichtbar',
  text: 'select dateiname, mime from app.anlage where id = $1 and rechnung_id = $2',
}
const BYTES = {
  name: 'anlage_bytes',
  text: `select encode(inhalt, 'base64') as inhalt, sha256 from app.anlage where id = $1`,
}

const READER: Context = { role: 'forst_dokument' }
/** The same in the caller's name: who attached it is in the log. */
const writerFor = (caller: Caller): Context => ({
  ...asNutzer(caller),
  ...READER,
  preRequest: CHECK_REQUEST,
})

const FAULTS = {
  anlage_art:
    'Diese Datei kann keine Anlage sein. Möglich sind PDF, PNG, JPEG, CSV, Excel (xlsx) und OpenDocument (ods).',
  anlage_gross:
    'Die Anlagen dieser Rechnung werden zusammen zu groß. ' +
    'Bitte entfernen Sie eine, oder wählen Sie eine kleinere Datei.',
  anlage_viele:
    'Diese Rechnung hat schon so viele Anlagen, wie in den Einstellungen erlaubt sind. ' +
    'Bitte entfernen Sie zuerst eine.',
  anlage_doppelt: 'Diese Datei ist schon angehängt.',
  anlage_fehlt: 'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
} as const
type AnlageFault = keyof typeof FAULTS
const isFault = (hint: string | null): hint is AnlageFault => hint !== null && hint in FAULTS
const fault = (hint: AnlageFault, code: 'conflict' | 'bad_value' | 'too_large' = 'conflict'): UploadFault =>
  new UploadFault(code, hint, FAULTS[hint])

export function attachmentRoutes(options: AttachmentOptions): (app: FastifyInstance) => Promise<void> {
  const work = options.work ?? createWorkQueue()
  return async (app) => {
    app.setErrorHandler(answerFault)
    app.post(
      '/beleg/rechnung/:id/anlagen',
      forNutzer((caller, request, reply) =>
        work.run('short', { person: caller.person, signal: goneSignal(reply) }, () =>
          add(options, caller, request, reply),
        ),
      ),
    )
    app.get(
      '/beleg/rechnung/:id/anlagen/:nr',
      forNutzer((...asked) => sendFile(options, ...asked)),
    )
  }
}

async function add(
  { database, storedFiles }: AttachmentOptions,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id = '' } = request.params as Record<string, string>
  const { datei } = (request.body ?? {}) as Record<string, unknown>
  if (!ID.test(id) || !ID.test(String(datei))) throw new Refusal('not_found')
  const { rows } = await database.once<{ name: string; mime: string; groesse: number; sha256: string }>(
    asNutzer(caller, { readOnly: true }),
    { ...SOURCE, values: [String(datei), id] },
  )
  const [source] = rows
  if (source === undefined) throw new Refusal('not_found')
  const mime = typeOf(source.name)
  if (mime === null || (mime !== source.mime && !(mime === 'text/csv' && source.mime === 'text/plain')))
    throw fault('anlage_art', 'bad_value')
  // Before a byte is read.
  if (Number(source.groesse) > ANLAGE_BYTES) throw fault('anlage_gross', 'too_large')
  const stream = await storedFiles.readFrom(source.sha256)
  if (stream === null) throw fault('anlage_fehlt')
  const bytes = await bounded(stream)
  if (createHash('sha256').update(bytes).digest('hex') !== source.sha256) throw fault('anlage_fehlt')
  const { name, dateiname } = namesOf(source.name)
  const added = await database.once<{ id: number }>(writerFor(caller), {
    ...ADD,
    values: [id, name, dateiname, mime, bytes.toString('base64')],
  })
  const data: AnlageAdded = { id: Number(added.rows[0]!.id) }
  return reply.header('cache-control', 'no-store').send({ code: SUCCESS, message: 'ok', data })
}

/** By the ending, which was compared with the bytes when the file arrived. */
function typeOf(name: string): AnlageType | null {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const found = Object.entries(ANLAGE_TYPES).find(([, endings]) =>
    (endings as readonly string[]).includes(ending),
  )
  return (found?.[0] as AnlageType | undefined) ?? null
}

async function bounded(stream: Readable): Promise<NonSharedBuffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    size += part.length
    if (size > ANLAGE_BYTES) throw fault('anlage_gross', 'too_large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/**
 * A file name that every system can save, and a name to print: without signs that are not seen or that the
 * letter cannot print.
 */
export function namesOf(given: string): { readonly name: string; readonly dateiname: string } {
  const line = given
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const [, stem = '', ending = ''] = /^(.*?)(\.[A-Za-z0-9]{1,5})?$/.exec(line) ?? []
  const missing = new Set(unprintable(stem))
  const readable = Array.from(stem, (sign) => (missing.has(sign) ? '' : sign))
    .join('')
    .trim()
  const safe = stem.replaceAll(/[<>:"/\\|?*]+/g, '-').replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
  // Windows keeps these for devices, whatever their ending.
  const free = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(safe) ? `${safe}-Datei` : safe
  const shortened = Array.from(free)
    .slice(0, ANLAGE_FILE_NAME - ending.length - 5)
    .join('')
    .trim()
  return {
    name: Array.from(readable).slice(0, 100).join('').trim() || 'Anlage',
    dateiname: `${shortened || 'Anlage'}${ending}`,
  }
}

async function sendFile(
  { database }: AttachmentOptions,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id = '', nr = '' } = request.params as Record<string, string>
  if (!ID.test(id) || !ID.test(nr)) throw new Refusal('not_found')
  const seen = await database.once<{ dateiname: string; mime: string }>(
    asNutzer(caller, { readOnly: true }),
    {
      ...SEEN,
      values: [nr, id],
    },
  )
  const [row] = seen.rows
  if (row === undefined) throw new Refusal('not_found')
  const { rows } = await database.once<{ inhalt: string; sha256: string }>(READER, { ...BYTES, values: [nr] })
  const bytes = Buffer.from(rows[0]!.inhalt, 'base64')
  return reply
    .headers({
      'content-type': row.mime,
      'content-length': bytes.length,
      'content-disposition': attachment(row.dateiname),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'repr-digest': `sha-256=:${Buffer.from(rows[0]!.sha256, 'hex').toString('base64')}:`,
    })
    .send(bytes)
}

function answerFault(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof DatabaseFault && isFault(error.hint)) {
    const refusal = fault(error.hint)
    return refuseGeneral(reply, refusal, { hint: refusal.hint })
  }
  const refusal = toRefusal(error)
  if (refusal.status >= 500) throw error
  return refuseGeneral(reply, error, refusal instanceof UploadFault ? { hint: refusal.hint } : {})
}
