// What an auditor's archive contains: the tables of the books, every stored document byte for byte, and the
// chain of the books, by which the archive proves itself (docs/verify-archive.md).
import { createHash } from 'node:crypto'
import type { AnchorPlaces } from '#server/anchor-check.ts'
import { appendLine, makeAnchor } from '#server/anchors.ts'
import type { Caller } from '#server/caller.ts'
import type { Context, Database, Transaction } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { MOST_BYTES, MOST_FILES, type ZipFile, zipStream } from '#server/write-zip.ts'
import { csv, fileOf, indexXml, readme } from './index-xml.ts'
import { howToVerify } from './how-to-verify.ts'
import { chainFiles, type Range } from './seals.ts'
import { keysStatement, RECEIVED, statementOf } from './table.ts'
import { FILES_TABLE, TABLES } from './tables.ts'

export interface ArchiveOptions {
  readonly database: Database
  readonly log: Log
  /** Makes the files of an issued document if they are missing. */
  readonly make: (art: 'rechnung' | 'angebot', id: string) => Promise<boolean>
  readonly anchors: Pick<AnchorPlaces, 'file' | 'key'>
  readonly now: () => Date
}

export interface Period {
  readonly von: string
  readonly bis: string
}
interface Stored {
  readonly id: number
  readonly filePath: string
  readonly dateiname: string
  readonly beleg: string
  readonly rechnung_id: string | null
  readonly angebot_id: string | null
  readonly mahnung_id: string | null
  readonly art: 'pdf' | 'xml'
  readonly groesse: number
  readonly sha256: string
  readonly regelwerk: string
  readonly erzeugt: string
}
interface Beside {
  readonly id: number
  readonly dateiname: string
  readonly groesse: number
}
interface Books {
  readonly tables: readonly { readonly datei: string; readonly inhalt: NonSharedBuffer }[]
  readonly firma: Parameters<typeof readme>[0]
  readonly files: readonly Stored[]
  /** Received invoices, and files that went with our own. */
  readonly received: readonly Beside[]
  readonly attached: readonly Beside[]
}

const READER: Context = { role: 'forst_dokument' }
const MISSING = {
  name: 'pruefung_fehlende',
  text: `select 'rechnung' as art, r.id::text as id
    from app.rechnung r
    where r.zustand = 'ausgestellt' and r.rn_datum between $1::date and $2::date
      and not exists (select from app.dokument d where d.rechnung_id = r.id)
    union all select 'angebot', a.id::text
    from app.angebot a
    where a.beleg is not null and a.an_datum between $1::date and $2::date
      and not exists (select from app.dokument d where d.angebot_id = a.id)`,
}
const FILES = {
  name: 'pruefung_dateien',
  text: `select d.id, d.dateiname, coalesce(r.nummer, a.nummer || case when a.fassung > 1
    then '/' || a.fassung else '' end, 'Mahnung zu ' || mr.nummer) as beleg, d.rechnung_id::text,
      d.angebot_id::text, d.mahnung_id::text, d.art, d.groesse, d.sha256, d.regelwerk,
      to_char(d.erzeugt_am at time zone 'Europe/Berlin', 'DD.MM.YYYY HH24:MI:SS') as erzeugt
    from app.dokument d
    left join app.rechnung r on r.id = d.rechnung_id
    left join app.angebot a on a.id = d.angebot_id
    left join app.mahnung m on m.id = d.mahnung_id
    left join app.rechnung mr on mr.id = m.rechnung_id
    where coalesce(r.rn_datum, a.an_datum, m.datum) between $1::date and $2::date order by d.id`,
}
const SUPPLIER = { name: 'pruefung_firma', text: 'select name, ort from app.lieferant' }
const BYTES = {
  name: 'pruefung_bytes',
  text: `select encode(inhalt, 'base64') as inhalt from app.dokument where id = $1`,
}
const RECEIVED_FILES = {
  name: 'pruefung_eingang',
  text: `select i.id, i.dateiname, i.groesse from app.eingang i where ${RECEIVED} order by i.id`,
}
const RECEIVED_BYTES = {
  name: 'pruefung_eingang_bytes',
  text: `select encode(inhalt, 'base64') as inhalt from app.eingang where id = $1`,
}
const ATTACHED_FILES = {
  name: 'pruefung_anlagen',
  text: `select q.id, q.dateiname, q.groesse from app.anlage q
    where q.id::text in (${keysStatement('anlage')}) order by q.id`,
}
const ATTACHED_BYTES = {
  name: 'pruefung_anlage_bytes',
  text: `select encode(inhalt, 'base64') as inhalt from app.anlage where id = $1`,
}
const TABLE_TIMEOUT_MS = 60_000
/**
 * Each table of the books comes as one answer and may cover many years: more than an
 * ordinary request may ask for.
 */
const TABLE_BYTES = 256 * 2 ** 20

/** A name that is valid on every file system and unique: it starts with the id of the file. */
const pathOf = (id: number, name: string, folder = 'dokumente'): string =>
  `${folder}/${id}_${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}`

/** @throws Refusal when the period has more documents than an archive may hold */
export async function archiveOf(
  options: ArchiveOptions,
  caller: Caller,
  period: Period,
  /** For the log. */
  requestId: string,
): Promise<ReturnType<typeof zipStream>> {
  await makeMissing(options, caller, period, requestId)
  const books = await readBooks(options.database, caller, period)
  const all = [...books.files, ...books.received, ...books.attached]
  const bytes = all.reduce((total, { groesse }) => total + groesse, 0)
  if (all.length > MOST_FILES - 100 || bytes > MOST_BYTES * 0.9)
    throw new Refusal(
      'conflict',
      'Für ein Archiv sind das zu viele Belege. Bitte wählen Sie einen kürzeren Zeitraum.',
    )
  return zipStream(signed(options, caller, period, books))
}

/** A document that cannot be made is missing in the archive; it does not hold up the others. */
async function makeMissing(
  { database, log, make }: ArchiveOptions,
  caller: Caller,
  { von, bis }: Period,
  requestId: string,
): Promise<void> {
  const missing = await database.once<{ art: 'rechnung' | 'angebot'; id: string }>(
    asNutzer(caller, { readOnly: true }),
    { ...MISSING, values: [von, bis] },
  )
  for (const { art, id } of missing.rows)
    await make(art, id).catch((error: unknown) =>
      log.error('document not made', {
        id: requestId,
        art,
        beleg: id,
        reason: reasonForLog(error),
      }),
    )
}

const readBooks = (database: Database, caller: Caller, { von, bis }: Period): Promise<Books> =>
  database.transaction(
    { ...asNutzer(caller, { readOnly: true, timeoutMs: TABLE_TIMEOUT_MS }), answerBytes: TABLE_BYTES },
    async (tx) => {
      const tables = await readTables(tx, { von, bis })
      const files = await tx.query<Omit<Stored, 'filePath'>>({
        ...FILES,
        values: [von, bis],
      })
      const received = await tx.query<Beside>({ ...RECEIVED_FILES, values: [von, bis] })
      const attached = await tx.query<Beside>({ ...ATTACHED_FILES, values: [von, bis] })
      const [company] = (await tx.query<{ name: string; ort: string }>(SUPPLIER)).rows
      return {
        tables,
        firma: { firma: company?.name ?? '', ort: company?.ort ?? '', von, bis },
        files: files.rows.map((one): Stored => ({ ...one, filePath: pathOf(one.id, one.dateiname) })),
        received: received.rows,
        attached: attached.rows,
      }
    },
  )

async function readTables(tx: Transaction, { von, bis }: Period): Promise<Books['tables']> {
  const tables: { datei: string; inhalt: NonSharedBuffer }[] = []
  for (const table of TABLES) {
    // Columns by position: the statements are ours and select in the order of the headings.
    const columns = table.spalten.map((_, index) => `c${index}`)
    const text = `select json_build_array(${columns.join(', ')})::text as zeile
      from (${statementOf(table)}) as t(${columns.join(', ')})`
    const { rows } = await tx.query<{ zeile: string }>({ text, values: [von, bis] })
    const cells = rows.map(({ zeile }) => JSON.parse(zeile) as (string | null)[])
    tables.push({ datei: fileOf(table), inhalt: csv(table, cells) })
  }
  return tables
}

/** The files, a list of their digests, and a signature of the list and of the head of the books. */
async function* signed(
  options: ArchiveOptions,
  caller: Caller,
  period: Period,
  books: Books,
): AsyncGenerator<ZipFile> {
  const { database } = options
  const digests: string[] = []
  const noted = (file: ZipFile): ZipFile => {
    digests.push(`${createHash('sha256').update(file.inhalt).digest('hex')}  ${file.name}`)
    return file
  }
  for await (const file of filesOf(database, books)) yield noted(file)
  yield noted({ name: 'PRUEFEN.txt', inhalt: howToVerify(), compress: true })
  const chain = chainFiles({ database, caller, period })
  let next = await chain.next()
  for (; next.done !== true; next = await chain.next()) yield noted(next.value)
  const list = Buffer.from(`${digests.join('\n')}\n`)
  yield { name: 'kette/pruefsummen.txt', inhalt: list, compress: true }
  yield {
    name: 'kette/anker.json',
    inhalt: await signature(options, period, next.value, list),
    compress: true,
  }
}

/** Also sets an anchor: the head leaves the house with the archive. */
async function signature(
  { anchors: { file, key }, now }: ArchiveOptions,
  { von, bis }: Period,
  { ab, vorher, head }: Range,
  list: Buffer,
): Promise<NonSharedBuffer> {
  const time = now()
  if (head.nr > 0) await appendLine(file, makeAnchor(key, head, time, 'archiv'))
  const digest = createHash('sha256').update(list).digest('hex')
  const { nr, kopf } = head
  const stampTime = time.toISOString()
  const text = ['forstkontor-archiv', von, bis, stampTime, ab, vorher, nr, kopf, digest].join('|')
  const body = {
    format: 'forstkontor-archiv',
    von,
    bis,
    zeit: stampTime,
    ab,
    vorher,
    nr,
    kopf,
    pruefsumme: digest,
  }
  const proof = { ...body, schluessel: key.publicKey, signature: key.sign(text) }
  return Buffer.from(`${JSON.stringify(proof, null, 2)}\n`)
}

async function* filesOf(
  database: Database,
  { tables, firma, files, received, attached }: Books,
): AsyncGenerator<ZipFile> {
  yield { name: 'LIESMICH.txt', inhalt: readme(firma), compress: true }
  yield { name: 'index.xml', inhalt: indexXml([...TABLES, FILES_TABLE], firma), compress: true }
  for (const { datei, inhalt } of tables) yield { name: datei, inhalt, compress: true }
  const index: (string | null)[][] = []
  for (const file of files) {
    const { id, filePath, art, sha256 } = file
    const { rows } = await database.once<{ inhalt: string }>(READER, { ...BYTES, values: [id] })
    const content = Buffer.from(rows[0]?.inhalt ?? '', 'base64')
    const sound = createHash('sha256').update(content).digest('hex') === sha256
    index.push([
      filePath,
      file.beleg,
      file.rechnung_id,
      file.angebot_id,
      file.mahnung_id,
      art,
      file.dateiname,
      String(file.groesse),
      sha256,
      file.regelwerk,
      file.erzeugt,
      sound ? 'ja' : 'ABWEICHUNG',
    ])
    yield { name: filePath, inhalt: content, compress: art === 'xml' }
  }
  for (const [folder, beside, bytes] of [
    ['eingang', received, RECEIVED_BYTES],
    ['anlagen', attached, ATTACHED_BYTES],
  ] as const)
    for (const { id, dateiname } of beside) {
      const { rows } = await database.once<{ inhalt: string }>(READER, { ...bytes, values: [id] })
      const content = Buffer.from(rows[0]?.inhalt ?? '', 'base64')
      yield {
        name: pathOf(id, dateiname, folder),
        inhalt: content,
        compress: /\.(?:xml|csv)$/i.test(dateiname),
      }
    }
  yield { name: fileOf(FILES_TABLE), inhalt: csv(FILES_TABLE, index), compress: true }
}
