// Invoices that come by mail: looks into the mailbox, takes in what may be an invoice as if somebody had put it
// there, notes each mail, and moves it only then. Whatever happens in between, nothing is lost and nothing doubled:
// a mail that is noted only has to be moved, and a file that is there is not taken in again.
import type { EingangFileRule, EingangMail } from '#contract/eingang.ts'
import type { Recipient } from '#domain/eingang/recipient.ts'
import { asBetrieb, type AsOwner } from '#server/as-betrieb.ts'
import { DatabaseFault } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { countAsFailed, createJob, type Job } from '#server/job.ts'
import type { Log } from '#server/log.ts'
import type { Limits } from '#server/reader/confined.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { FileFault } from './file-fault.ts'
import { type SeenMail, seeMail } from './mail-reader.ts'
import { type Mailbox, mailboxAddress, MailboxFault, type MailboxOptions, openMailbox } from './mailbox.ts'
import type { CheckByRules } from './official-rules.ts'
import { readReceived } from './reader.ts'
import type { UploadFolder } from './upload-folder.ts'
import { cleanName, valuesOf } from './values.ts'

export interface MailJobOptions {
  readonly asOwner: AsOwner
  /** Null: no mailbox is set. */
  readonly mailbox: MailboxOptions | null
  readonly everyMs: number
  readonly log: Log
  readonly limits: Limits
  readonly work: WorkQueue
  readonly folder: UploadFolder
  readonly checkByRules: CheckByRules
}

const FIRST_MS = 15_000
const CLAIM = 'select books.claim_postfach($1) as mine'
const NOTE = 'select books.note_postfach($1)'
const KNOWN = 'select zustand from app.eingang_mail where schluessel = $1'
const SELF = 'select name, name_zusatz, ust_id, steuernummer from app.lieferant'
const ADD = `select books.add_eingang_mail($1, decode($2, 'base64'), $3, $4, $5, $6::jsonb, $7::jsonb, $8::jsonb,
  $9::jsonb)::text as id`
const DEALT = 'select books.note_eingang_mail($1, $2, $3, $4::timestamptz, $5, $6, $7::jsonb)'

type Part = EingangMail['teile'][number]
type State = 'uebernommen' | EingangMail['zustand']

export function mailJob(options: MailJobOptions): Job {
  const { mailbox, log } = options
  return createJob({
    name: 'mailbox of received invoices',
    firstMs: FIRST_MS,
    // Without a mailbox it is only noted that there is none.
    everyMs: mailbox === null ? Number.POSITIVE_INFINITY : options.everyMs,
    round: async (signal) => countAsFailed((await lookOnce(options, signal)).failed),
    onFault: (error) => log.error('mailbox not seen', { reason: reasonForLog(error) }),
    graceMs: 2_000,
  })
}

interface Look {
  /** Mails. */
  readonly dealt: number
  /** The mailbox, or a mail that is left for the next look. */
  readonly failed: boolean
}

/** Whether the server may look now, and what it found. */
export async function lookOnce(options: MailJobOptions, signal: AbortSignal): Promise<Look> {
  const { asOwner, mailbox, log } = options
  const address = mailbox === null ? '' : mailboxAddress(mailbox.url)
  const [claimed] = await asBetrieb<{ mine: boolean }>(asOwner, CLAIM, [address])
  if (mailbox === null || claimed?.mine !== true) return { dealt: 0, failed: false }
  let fault: string = 'intern'
  try {
    const seen = await seeAll(options, mailbox, signal)
    fault = seen.failed ? 'mail' : ''
    return seen
  } catch (error) {
    if (!(error instanceof MailboxFault) || signal.aborted) throw error
    fault = error.what
    log.error('mailbox not seen', { fault, reason: reasonForLog(error) })
    return { dealt: 0, failed: true }
  } finally {
    await asBetrieb(asOwner, NOTE, [signal.aborted ? null : fault])
  }
}

async function seeAll(options: MailJobOptions, settings: MailboxOptions, signal: AbortSignal): Promise<Look> {
  const mailbox = await openMailbox(settings)
  const hangUp = (): void => mailbox.close()
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    let dealt = 0
    let failed = false
    for (const uid of mailbox.mails) {
      signal.throwIfAborted()
      try {
        await dealWith(options, mailbox, uid, signal)
        dealt++
      } catch (error) {
        // What stops every mail ends the look; what stops this one does not hold up the others.
        if (error instanceof MailboxFault || signal.aborted) throw error
        failed = true
        options.log.error('mail not taken in', { uid, reason: reasonForLog(error) })
      }
    }
    return { dealt, failed }
  } finally {
    signal.removeEventListener('abort', hangUp)
    mailbox.close()
  }
}

async function dealWith(
  options: MailJobOptions,
  mailbox: Mailbox,
  uid: number,
  signal: AbortSignal,
): Promise<void> {
  const key = mailbox.keyOf(uid)
  const [known] = await asBetrieb<{ zustand: State }>(options.asOwner, KNOWN, [key])
  const state = known?.zustand ?? (await takeIn(options, mailbox, { uid, key, signal }))
  if (state !== null) await mailbox.move(uid, state === 'uebernommen' ? 'done' : 'refused')
}

/** Null: the mail is gone. */
function takeIn(
  options: MailJobOptions,
  mailbox: Mailbox,
  { uid, key, signal }: { readonly uid: number; readonly key: string; readonly signal: AbortSignal },
): Promise<State | null> {
  const { asOwner, folder, limits, work } = options
  return folder.with(Buffer.alloc(0), async (path) => {
    const saved = await mailbox.save(uid, path)
    if (saved === null) return null
    const parts: Part[] = []
    const files: { readonly name: string; readonly bytes: Buffer | null }[] = []
    const seen: SeenMail = saved
      ? await work.run('short', { signal }, () =>
          seeMail(path, { limits, signal }, async (name, bytes) => void files.push({ name, bytes })),
        )
      : { head: { from: '', subject: '', sentAt: null }, rule: 'mail_gross' }
    const { head, rule } = seen
    if (rule === null)
      for (const [at, { name, bytes }] of files.entries())
        parts.push(await addFile(options, { name, bytes, head, byRules: at < MOST_BY_RULES }, signal))
    const refused = parts.filter(({ grund }) => grund !== '').length
    const state: State =
      rule !== null || refused === parts.length ? 'abgelehnt' : refused > 0 ? 'teilweise' : 'uebernommen'
    await asBetrieb(asOwner, DEALT, [
      key,
      head.from,
      head.subject,
      head.sentAt,
      state,
      rule ?? '',
      JSON.stringify(parts),
    ])
    return state
  })
}

/** Files of one mail that the official rules check: each may take a minute of a processor, and anybody may write. */
const MOST_BY_RULES = 5

/** As if somebody had put it there; what is no invoice is said. */
async function addFile(
  { asOwner, folder, limits, work, checkByRules }: MailJobOptions,
  file: {
    readonly name: string
    readonly bytes: Buffer | null
    readonly head: SeenMail['head']
    readonly byRules: boolean
  },
  signal: AbortSignal,
): Promise<Part> {
  const name = cleanName(file.name) || 'Rechnung'
  const refusedFor = (reason: EingangFileRule): Part => ({ name, eingang_id: null, grund: reason })
  const { bytes, head } = file
  if (bytes === null) return refusedFor('eingang_gross')
  try {
    const id = await folder.with(bytes, async (path) => {
      const [self = null] = await asBetrieb<Recipient>(asOwner, SELF)
      const read = await work.run('short', { signal }, () => readReceived(path, self, { limits, signal }))
      const official = await checkByRules({ path, signal, format: read.format, skip: !file.byRules })
      const origin = { von: head.from, betreff: head.subject, am: head.sentAt }
      const [row] = await asBetrieb<{ id: string }>(asOwner, ADD, [
        ...valuesOf(name, bytes, read, official),
        JSON.stringify(origin),
      ])
      return Number(row!.id)
    })
    return { name, eingang_id: id, grund: '' }
  } catch (error) {
    if (error instanceof FileFault) return refusedFor(error.code)
    if (error instanceof DatabaseFault && error.constraint === 'eingang_gelesen_check')
      return refusedFor('eingang_umfang')
    throw error
  }
}
