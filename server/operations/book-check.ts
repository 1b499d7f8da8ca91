// The nightly check of the books: every stored document byte for byte, both chains with every record, and
// the anchors. Then the head of the day leaves the machine: as an anchor, by mail, as a time stamp.
import { asBetrieb } from '#server/as-betrieb.ts'
import { type AnchorPlaces, checkAnchors } from '#server/anchor-check.ts'
import { appendLine, type Head } from '#server/anchors.ts'
import { countAsFailed, createJob, type Job } from '#server/job.ts'
import type { SendMail } from '#server/mail/mailer.ts'
import { aloneAmongServers } from './as-owner.ts'
import { type AnchorOptions, setAnchor } from './book-anchors.ts'
import { headLetter } from './head-letter.ts'
import { lastRun, nextRun } from './rotation.ts'
import { reasonForLog } from '#server/database/log-reason.ts'

export interface HeadMail {
  readonly send: SendMail
  readonly to: string
  readonly origin: string
  /** Of the application. */
  readonly title: string
}

export interface BookCheckOptions extends AnchorOptions, AnchorPlaces {
  readonly engine: 'postgres' | 'embedded'
  /** Null if nobody is to get the head by mail. */
  readonly mail: HeadMail | null
}

export interface BookCheckResult {
  readonly files: number
  readonly bytes: number
  /** Of the bytes alone. */
  readonly ms: number
  readonly faults: number
  readonly head: Head | null
}

/** The embedded engine serves nobody while it reads a part. */
const PART_BYTES = { postgres: 64 * 2 ** 20, embedded: 8 * 2 ** 20 }
const MOST_FAULTS = 100

interface FilesPart {
  readonly bis: string | number
  readonly anzahl: string | number
  readonly groesse: string | number
  readonly fertig: boolean
  readonly befunde: string
}

type Reading = Pick<BookCheckOptions, 'asOwner' | 'engine'>

interface FilesFound {
  /** The last document compared. */
  readonly until: number
  readonly files: number
  readonly bytes: number
  readonly ms: number
  readonly faults: readonly object[]
}

/** Every stored document against its digest, in parts. The proof is kept. */
export async function checkFiles(options: Reading, signal: AbortSignal) {
  const found = await readFiles(options, signal)
  await keepProof(options, found)
  return { ...found, faults: found.faults.length }
}

async function readFiles({ asOwner, engine }: Reading, signal: AbortSignal): Promise<FilesFound> {
  const faults: object[] = []
  let [until, files, bytes] = [0, 0, 0]
  const begun = performance.now()
  for (let isDone = false; !isDone; ) {
    signal.throwIfAborted()
    // oxlint-disable-next-line no-await-in-loop -- each part begins where the one before ended
    const [part] = await asBetrieb<FilesPart>(
      asOwner,
      'select bis, anzahl, groesse, fertig, befunde::text as befunde from books.check_files($1, $2)',
      [until, PART_BYTES[engine]],
    )
    if (part === undefined) break
    until = Number(part.bis)
    files += Number(part.anzahl)
    bytes += Number(part.groesse)
    if (faults.length < MOST_FAULTS) faults.push(...(JSON.parse(part.befunde) as object[]))
    isDone = part.fertig
  }
  return { until, files, bytes, ms: Math.round(performance.now() - begun), faults }
}

async function keepProof(
  { asOwner }: Reading,
  { until, files, bytes, ms, faults }: FilesFound,
): Promise<void> {
  await asBetrieb(asOwner, 'select books.keep_files_proof($1, $2, $3, $4, $5::jsonb)', [
    until,
    files,
    bytes,
    ms,
    JSON.stringify(faults.slice(0, MOST_FAULTS)),
  ])
}

/** All of it: a record that was sealed long ago is compared as well. */
async function checkChain({ asOwner }: BookCheckOptions): Promise<number> {
  const [proof] = await asBetrieb<{ ok: boolean; faults: number }>(
    asOwner,
    'select ok, jsonb_array_length(befunde) as faults from books.prove_journal(false)',
  )
  if (proof?.ok === true) return 0
  // What is open follows from records, so it is made again; the finding stays in the proof.
  await asBetrieb(asOwner, 'select books.count_open()')
  return Math.max(1, proof?.faults ?? 1)
}

const headsAsBetrieb =
  ({ asOwner }: BookCheckOptions) =>
  (numbers: readonly number[]): Promise<Head[]> =>
    asBetrieb<Head>(asOwner, 'select nr, kopf from books.heads_of($1::bigint[])', [numbers])

/**
 * Checks everything and tells the bookkeeping what it found. The proof of the files is kept last: it says that the
 * night's work is done, and what broke off before is repeated.
 */
export async function checkBooks(options: BookCheckOptions, signal: AbortSignal): Promise<BookCheckResult> {
  const { asOwner, log } = options
  const found = await readFiles(options, signal)
  const anchors = await checkAnchors(options, headsAsBetrieb(options))
  const faults = found.faults.length + (await checkChain(options)) + anchors.befunde.length
  if (faults > 0) {
    await asBetrieb(asOwner, 'select notices.notify_books($1)', [faults])
    log.error('the books are not as they were posted', { faults, anchors: anchors.befunde.slice(0, 3) })
  }
  const { zeitstempel_fremd: unknown } = anchors
  if (unknown > 0) log.warn('time stamps are by nobody in TIMESTAMP_CERTIFICATES', { stamps: unknown })
  const head = await setAnchor(options, 'tag')
  await keepHeadProof(options, 'anker', head, { checked: anchors.anker, faults: anchors.befunde })
  await keepProof(options, found)
  const { files, bytes, ms } = found
  log.info('books checked', { files, bytes, ms, faults })
  return { files, bytes, ms, faults, head }
}

const WAYS = ['mail', 'stamp'] as const
type Way = (typeof WAYS)[number]
const KINDS: Readonly<Record<Way, string>> = { mail: 'mail', stamp: 'stempel' }

/** Kept in the database: the alert asks for it, and a restart goes on with what has not left the house. */
async function keepHeadProof(
  { asOwner }: Pick<Reading, 'asOwner'>,
  kind: string,
  head: Head | null,
  { checked, faults }: { readonly checked: number; readonly faults: readonly object[] },
): Promise<void> {
  const values = [kind, head?.nr ?? 0, head?.kopf ?? null, checked, JSON.stringify(faults)]
  await asBetrieb(asOwner, 'select books.keep_head_proof($1, $2, $3, $4, $5::jsonb)', values)
}

const PENDING = `
  select a.bis::text as nr, encode(a.kopf, 'hex') as kopf,
    exists (select from app.buchpruefung s where s.id > a.id and s.art = 'mail') as mail,
    exists (select from app.buchpruefung s where s.id > a.id and s.art = 'stempel') as stamp
  from app.buchpruefung a
  where a.art = 'anker'
  order by a.id desc
  limit 1`

/** The head of the last night, and the ways in which it has not left the house yet. */
async function readPending({
  asOwner,
}: Pick<Reading, 'asOwner'>): Promise<{ head: Head; left: Set<Way> } | null> {
  const [row] = await asBetrieb<{ nr: string; kopf: string | null } & Record<Way, boolean>>(asOwner, PENDING)
  if (row === undefined || row.kopf === null) return null
  return { head: { nr: Number(row.nr), kopf: row.kopf }, left: new Set(WAYS.filter((way) => !row[way])) }
}

/** Sends the head of the day out of the house in the ways that are left; what succeeds leaves the set. */
export async function sendHead(options: BookCheckOptions, head: Head, left: Set<Way>): Promise<void> {
  const { mail, stamps, file, now, log } = options
  const settle = async (way: Way): Promise<void> => {
    left.delete(way)
    await keepHeadProof(options, KINDS[way], head, { checked: 0, faults: [] })
  }
  if (mail === null) left.delete('mail')
  else if (left.has('mail')) {
    const { send, to, origin, title } = mail
    const letter = headLetter({ head, time: now(), origin, title })
    const messageId = `<anker-${head.nr}-${head.kopf.slice(0, 16)}@${new URL(origin).hostname}>`
    if (await send({ to, ...letter, messageId })) await settle('mail')
  }
  if (stamps.request === null) left.delete('stamp')
  else if (left.has('stamp'))
    try {
      const timeStamp = await stamps.request(head)
      await appendLine(file, { ...head, zeit: now().toISOString(), zeitstempel: timeStamp })
      await settle('stamp')
    } catch (error) {
      log.error('the books could not be stamped', { reason: reasonForLog(error) })
    }
}

/** Arbitrary but fixed: of several servers only one checks. */
const LOCK = 1_720_336_917
/** After a start that missed the last run, later than a dump that was missed as well. */
const CATCH_UP_MS = 600_000
const RETRY_MS = 30 * 60_000
const DAY_MS = 86_400_000

/** `at`: local time of day, HH:MM. A run that was missed while the server was off is made up for. */
export function bookCheckJob(options: BookCheckOptions & { readonly at: string }): Job {
  const { at, now, log, asOwner } = options
  let hasMore = false
  const untilNext = (): number => {
    const regular = nextRun(now(), at).getTime() - now().getTime()
    return hasMore ? Math.min(regular, RETRY_MS) : regular
  }
  const isDone = async (): Promise<boolean> => {
    const rows = await asBetrieb(
      asOwner,
      `select from app.buchpruefung where art = 'dateien' and user_id is null and zeit >= $1 limit 1`,
      [lastRun(now(), at)],
    )
    return rows.length > 0
  }
  return createJob({
    name: 'check of the books',
    nightly: true,
    firstMs: CATCH_UP_MS,
    everyMs: untilNext,
    usualMs: DAY_MS,
    round: async (signal) => {
      const left = await aloneAmongServers(options, LOCK, async () => {
        if (!(await isDone())) await checkBooks(options, signal)
        const pending = await readPending(options)
        if (pending !== null && pending.left.size > 0) await sendHead(options, pending.head, pending.left)
        return pending?.left.size ?? 0
      })
      // Another server is at it, and may end before it is through.
      hasMore = left !== 0
      countAsFailed((left ?? 0) > 0)
    },
    onFault: (error) => {
      hasMore = true
      log.error('the books could not be checked', { reason: reasonForLog(error) })
    },
  })
}
