// GET pruefung/{von}_{bis}.zip: the books of a period for an auditor, with every stored document byte for
// byte. The database decides who may have it and records each download.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDay } from '#domain/day.ts'
import type { Authenticate, Caller } from '#server/caller.ts'
import type { Context, Database, Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { csv, FILES_TABLE, indexXml, readme, TABLES } from './tables.ts'
import { MOST_BYTES, MOST_FILES, type ZipFile, zipStream } from './zip-stream.ts'

export interface AuditOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  readonly log: Log
  /** Makes the files of an issued document if they are missing. */
  readonly make: (art: 'rechnung' | 'angebot', id: string) => Promise<boolean>
  readonly work?: WorkQueue
}

interface Period {
  readonly von: string
  readonly bis: string
}
interface Stored {
  readonly id: number
  readonly filePath: string
  readonly beleg: string
  readonly art: 'pdf' | 'xml'
  readonly groesse: number
  readonly sha256: string
  readonly erzeugt: string
}

const READER: Context = { role: 'forst_dokument' }
const RECORD = { name: 'pruefung_export', text: 'select app.a_add_pruefung_export($1::date, $2::date)' }
const MISSING = {
  name: 'pruefung_fehlende',
  text: `select 'rechnung' as art, r.id::text as id from app.rechnung r where r.zustand = 'ausgestellt' and r.rn_datum between $1::date and $2::date
      and not exists (select from app.dokument d where d.rechnung_id = r.id)
    union all select 'angebot', a.id::text from app.angebot a where a.beleg is not null and a.an_datum between $1::date and $2::date
      and not exists (select from app.dokument d where d.angebot_id = a.id)`,
}
const FILES = {
  name: 'pruefung_dateien',
  text: `select d.id, d.dateiname, coalesce(r.nummer, a.nummer || case when a.fassung > 1 then '/' || a.fassung else '' end, 'Mahnung zu ' || mr.nummer) as beleg, d.art, d.groesse, d.sha256,
      to_char(d.erzeugt_am at time zone 'Europe/Berlin', 'DD.MM.YYYY HH24:MI:SS') as erzeugt
    from app.dokument d left join app.rechnung r on r.id = d.rechnung_id left join app.angebot a on a.id = d.angebot_id left join app.mahnung m on m.id = d.mahnung_id left join app.rechnung mr on mr.id = m.rechnung_id
    where coalesce(r.rn_datum, a.an_datum, m.datum) between $1::date and $2::date order by d.id`,
}
const SUPPLIER = { name: 'pruefung_firma', text: 'select name, ort from app.lieferant' }
const BYTES = {
  name: 'pruefung_bytes',
  text: `select encode(inhalt, 'base64') as inhalt from app.dokument where id = $1`,
}
const TABLE_TIMEOUT_MS = 60_000
/**
 * Each table of the books comes as one answer and may cover many years: more than an
 * ordinary request may ask for.
 */
const TABLE_BYTES = 256 * 2 ** 20

function periodOf(request: FastifyRequest): Period {
  const { datei } = request.params as { datei: string }
  const [, von = '', bis = ''] = /^(\d{4}-\d{2}-\d{2})_(\d{4}-\d{2}-\d{2})\.zip$/.exec(datei) ?? []
  if (!isDay(von) || !isDay(bis) || bis < von)
    throw new Refusal('not_found', 'Dieser Zeitraum ist keiner. Bitte wählen Sie ihn neu.')
  return { von, bis }
}

/** A name that is valid on every file system and unique: it starts with the id of the file. */
const pathOf = (id: number, name: string): string =>
  `dokumente/${id}_${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}`

export function pruefung({
  database,
  authenticate,
  log,
  make,
  work = createWorkQueue(),
}: AuditOptions): (app: FastifyInstance) => Promise<void> {
  async function readTables(caller: Caller, { von, bis }: Period) {
    return database.transaction(
      { ...asNutzer(caller, { readOnly: true, timeoutMs: TABLE_TIMEOUT_MS }), answerBytes: TABLE_BYTES },
      async (tx: Transaction) => {
        const tables: { datei: string; inhalt: Buffer }[] = []
        for (const tabelle of TABLES) {
          // Columns by position: the statements are ours and select in the order of the headings.
          const columns = tabelle.spalten.map((_, index) => `c${index}`)
          const text = `select json_build_array(${columns.join(', ')})::text as zeile from (${tabelle.sql}) as t(${columns.join(', ')})`
          const { rows } = await tx.query<{ zeile: string }>({ text, values: [von, bis] })
          tables.push({
            datei: tabelle.datei,
            inhalt: csv(
              tabelle,
              rows.map(({ zeile }) => JSON.parse(zeile) as (string | null)[]),
            ),
          })
        }
        const files = await tx.query<Omit<Stored, 'filePath'> & { dateiname: string }>({
          ...FILES,
          values: [von, bis],
        })
        const [firma] = (await tx.query<{ name: string; ort: string }>(SUPPLIER)).rows
        return {
          tables,
          firma: { firma: firma?.name ?? '', ort: firma?.ort ?? '', von, bis },
          files: files.rows.map(
            ({ dateiname, ...one }): Stored => ({ ...one, filePath: pathOf(one.id, dateiname) }),
          ),
        }
      },
    )
  }

  async function* contents({
    tables,
    firma,
    files,
  }: Awaited<ReturnType<typeof readTables>>): AsyncGenerator<ZipFile> {
    yield { name: 'LIESMICH.txt', inhalt: readme(firma), compress: true }
    yield { name: 'index.xml', inhalt: indexXml([...TABLES, FILES_TABLE], firma), compress: true }
    for (const { datei, inhalt } of tables) yield { name: datei, inhalt, compress: true }
    const index: string[][] = []
    for (const { id, filePath, beleg, art, groesse, sha256, erzeugt } of files) {
      const { rows } = await database.once<{ inhalt: string }>(READER, { ...BYTES, values: [id] })
      const inhalt = Buffer.from(rows[0]?.inhalt ?? '', 'base64')
      const sound = createHash('sha256').update(inhalt).digest('hex') === sha256
      index.push([filePath, beleg, art, String(groesse), sha256, erzeugt, sound ? 'ja' : 'ABWEICHUNG'])
      yield { name: filePath, inhalt, compress: art === 'xml' }
    }
    yield { name: FILES_TABLE.datei, inhalt: csv(FILES_TABLE, index), compress: true }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const period = periodOf(request)
    // Checks the permission and records who downloaded what; if refused, nothing below happens.
    await database.once(asNutzer(caller), { ...RECORD, values: [period.von, period.bis] })
    const turn = work.admit('long', { person: caller.person, signal: goneSignal(reply) })
    try {
      await turn.come
      const archive = Readable.from(await collected(request, caller, period))
      // The archive is still being made while it is sent.
      archive.once('close', turn.release)
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="Pruefung_${period.von}_${period.bis}.zip"`,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        .send(archive)
    } catch (error) {
      turn.release()
      throw error
    }
  }

  async function collected(
    request: FastifyRequest,
    caller: Caller,
    period: Period,
  ): Promise<ReturnType<typeof zipStream>> {
    const missing = await database.once<{ art: 'rechnung' | 'angebot'; id: string }>(
      asNutzer(caller, { readOnly: true }),
      {
        ...MISSING,
        values: [period.von, period.bis],
      },
    )
    for (const { art, id } of missing.rows)
      await make(art, id).catch((error: unknown) =>
        log.error('document not made', {
          id: request.id,
          art,
          beleg: id,
          reason: String(error).slice(0, 300),
        }),
      )
    const read = await readTables(caller, period)
    const bytes = read.files.reduce((total, { groesse }) => total + groesse, 0)
    if (read.files.length > MOST_FILES - 100 || bytes > MOST_BYTES * 0.9)
      throw new Refusal(
        'conflict',
        'Für ein Archiv sind das zu viele Belege. Bitte wählen Sie einen kürzeren Zeitraum.',
      )
    return zipStream(contents(read))
  }

  return async (app) => {
    app.get('/pruefung/:datei', answer)
  }
}
