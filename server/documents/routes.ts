// GET beleg/{rechnung|angebot|mahnung}/{id}.pdf and .xml: the stored file of an issued document, a
// watermarked preview of any other. POST beleg/vorschau/mahnung.pdf and
// beleg/vorschau/{rechnung|angebot}/{id}.pdf: a preview of what is typed and not stored. Other customers'
// documents are "not found".
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Beleg } from '#domain/beleg.ts'
import type { Authenticate, Caller } from '#server/caller.ts'
import { type Database, DatabaseFault } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import type { Store, RequestSpec, FileKind } from './store.ts'
import { DocumentFault, type DocumentFaultCode } from './renderer.ts'
import { typedBeleg } from './preview.ts'

export interface DocumentsOptions {
  readonly database: Database
  readonly authenticate: Authenticate
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

const TYPE: Readonly<Record<FileKind, string>> = {
  pdf: 'application/pdf',
  xml: 'application/xml; charset=utf-8',
}

/** RFC 6266: a plain ASCII name for old clients, the full one beside it. */
export const disposition = (name: string, kind: 'inline' | 'attachment'): string =>
  `${kind}; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`

export const refusalOf = (fault: DocumentFault): Refusal => REFUSALS[fault.code]()
const REFUSALS: Readonly<Record<DocumentFaultCode, () => Refusal>> = {
  logo: () =>
    new Refusal(
      'conflict',
      'Das Logo in den Einstellungen lässt sich nicht lesen. Bitte laden Sie dort ein anderes hoch (PNG, JPEG oder SVG).',
    ),
  satz: () =>
    new Refusal(
      'internal',
      'Das Dokument konnte nicht gesetzt werden. Der Fehler ist im Protokoll des Servers vermerkt.',
    ),
  absturz: () =>
    new Refusal(
      'internal',
      'Das Dokument konnte nicht gesetzt werden. Der Fehler ist im Protokoll des Servers vermerkt.',
    ),
  zeit: () =>
    new Refusal(
      'timeout',
      'Das Dokument wurde nicht rechtzeitig fertig. Bitte versuchen Sie es noch einmal.',
    ),
  voll: () =>
    new Refusal(
      'unavailable',
      'Zurzeit werden viele Dokumente erzeugt. Bitte versuchen Sie es gleich noch einmal.',
    ),
  beendet: () =>
    new Refusal('unavailable', 'Der Server wird gerade beendet. Bitte versuchen Sie es gleich noch einmal.'),
}

/** A file that nothing between here and the client may cache. */
export function answerFile(
  reply: FastifyReply,
  datei: FileKind,
  file: { name: string; inhalt: Uint8Array; sha256: string },
): FastifyReply {
  return reply
    .headers({
      'content-type': TYPE[datei],
      'content-disposition': disposition(file.name, datei === 'pdf' ? 'inline' : 'attachment'),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-length': file.inhalt.length,
      'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
    })
    .send(Buffer.from(file.inhalt.buffer, file.inhalt.byteOffset, file.inhalt.byteLength))
}

/** A PostgreSQL bigint in plain notation. */
const ID = /^[1-9]\d{0,17}$/

function requestOf(request: FastifyRequest): RequestSpec {
  const { art, datei: file } = request.params as { art: string; datei: string }
  const [id = '', datei = ''] = file.split('.', 2)
  if (
    (art !== 'rechnung' && art !== 'angebot' && art !== 'mahnung') ||
    (datei !== 'pdf' && datei !== 'xml') ||
    !ID.test(id) ||
    file !== `${id}.${datei}`
  )
    throw new Refusal('not_found')
  return { art, id, datei }
}

export function documents({
  database,
  authenticate,
  fileStore,
  log,
  work = createWorkQueue(),
}: DocumentsOptions): (app: FastifyInstance) => Promise<void> {
  /** Runs when its turn comes, and not at all if the client has gone. */
  const inTurn = <T>(caller: Caller, reply: FastifyReply, make: () => Promise<T>): Promise<T> =>
    work.run('short', { person: caller.person, signal: goneSignal(reply) }, make)

  /** Runs as the caller: one who may not see the row only learns that it was not found. */
  async function fetchDraft(caller: Caller, { art, id }: Pick<RequestSpec, 'art' | 'id'>): Promise<Beleg> {
    if (art === 'mahnung') throw new Refusal('not_found')
    const beleg = await database.transaction(asNutzer(caller, { readOnly: true }), async (tx) => {
      const seen = await tx.query({ ...DRAFT[art], values: [id] })
      if (seen.rowCount === 0) return null
      const { rows } = await tx.query<{ beleg: string }>({ ...BELEG, values: [art, id] })
      return JSON.parse(rows[0]?.beleg ?? 'null') as Beleg | null
    })
    if (beleg === null || !beleg.entwurf) throw new Refusal('not_found')
    return beleg
  }

  /** Turns faults of the typesetting process into words for the reader; the reason goes into the log. */
  async function told(
    request: FastifyRequest,
    { art, id }: Pick<RequestSpec, 'art' | 'id'>,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error
      log.error('document not made', {
        id: request.id,
        art,
        beleg: id,
        code: error.code,
        reason: error.message.slice(0, 300),
      })
      throw refusalOf(error)
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const requestSpec = requestOf(request)
    return told(request, requestSpec, async () => {
      const stored = await fileStore.fetchStored(caller, requestSpec)
      if (stored !== null) return answerFile(reply, requestSpec.datei, stored)
      // The first request makes the files. They are the same for everyone, and may be
      // seen by the same people.
      const isMade = await inTurn(caller, reply, () => fileStore.make(requestSpec.art, requestSpec.id))
      // Nothing is made for a draft, or when the server's own workshop has stored the
      // files since the first look.
      const made = await fileStore.fetchStored(caller, requestSpec)
      if (made !== null) return answerFile(reply, requestSpec.datei, made)
      if (isMade) throw new Refusal('not_found')
      const draft = await fetchDraft(caller, requestSpec)
      if (requestSpec.datei === 'xml')
        throw new Refusal('not_found', 'Von einem Entwurf gibt es noch keine E-Rechnung.')
      return answerFile(reply, 'pdf', await inTurn(caller, reply, () => fileStore.preview(draft)))
    })
  }

  /** A reminder that does not exist yet: the database checks it and returns what it would say. */
  async function previewReminder(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const given = bodyOf(request)
    const text = (name: string): string | null => {
      const value = given[name]
      return typeof value === 'string' || typeof value === 'number' ? String(value) : null
    }
    const id = text('rechnung_id') ?? ''
    if (!ID.test(id)) throw new Refusal('not_found')
    const values = [id, text('stufe'), text('datum'), text('faellig'), text('gebuehr'), text('text') ?? '']
    const { rows } = await database
      .once<{ beleg: string }>(asNutzer(caller, { readOnly: true }), { ...MAHNUNG, values })
      .catch(refuse)
    const [row] = rows
    if (row === undefined) throw new Refusal('not_found')
    const beleg = JSON.parse(row.beleg) as Beleg
    return told(request, { art: 'mahnung', id }, async () =>
      answerFile(reply, 'pdf', await inTurn(caller, reply, () => fileStore.preview(beleg))),
    )
  }

  /**
   * A draft with what is typed and not saved yet: parties and number come from the database, lines and texts
   * from the caller, sums are calculated here.
   */
  async function previewTyped(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const requestSpec = requestOf(request)
    if (requestSpec.datei !== 'pdf') throw new Refusal('not_found')
    const typed = typedBeleg(await fetchDraft(caller, requestSpec), bodyOf(request))
    if (typed === null)
      throw new Refusal(
        'bad_value',
        'Die Vorschau konnte nicht gelesen werden. Bitte laden Sie die Seite neu.',
      )
    return told(request, requestSpec, async () =>
      answerFile(reply, 'pdf', await inTurn(caller, reply, () => fileStore.preview(typed))),
    )
  }

  return async (app) => {
    app.get('/beleg/:art/:datei', answer)
    app.post('/beleg/vorschau/mahnung.pdf', { bodyLimit: PREVIEW_BYTES }, previewReminder)
    app.post('/beleg/vorschau/:art/:datei', { bodyLimit: PREVIEW_BYTES }, previewTyped)
  }
}

/** A letter of 500 lines is a tenth of this. */
const PREVIEW_BYTES = 1_000_000

const MAHNUNG = {
  name: 'a_preview_mahnung',
  text: 'select app.a_preview_mahnung($1::bigint, $2::integer, $3::date, $4::date, $5::numeric, $6)::text as beleg',
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
      'Stufe, Frist, Gebühr oder Text der Mahnung passen nicht. Bitte prüfen Sie die Angaben.',
    )
  throw error
}
