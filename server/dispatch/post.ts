// The post of the bookkeeping: takes mails that a person has sent from the database, attaches the stored
// files and hands them to the mail server. Each is taken by one server. What the mail server defers is
// retried at growing intervals; what it refuses is final; and what may have arrived is never sent again
// unless a person does it.
import { asBetrieb, type AsOwner } from '#server/as-betrieb.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { createJob, type Job } from '#server/job.ts'
import type { Log } from '#server/log.ts'
import { LETTERHEAD, parseLetterhead } from '#server/mail/letterhead.ts'
import { writeLetter } from '#server/mail/write-letter.ts'
import { coverLetter } from './cover-letter.ts'
import type { Attachment, SendBeleg } from './mail.ts'

export type BelegKind = 'rechnung' | 'angebot' | 'mahnung'
export interface BelegFile {
  readonly art: 'pdf' | 'xml'
  readonly name: string
  readonly inhalt: Buffer
}

export interface DispatchPostOptions {
  readonly asOwner: AsOwner
  /** Null if there is no mail server. */
  readonly send: SendBeleg | null
  /** Stored files of an issued document, made first if they are missing. */
  readonly fetchFiles: (art: BelegKind, id: string) => Promise<readonly BelegFile[]>
  readonly origin: string
  readonly log: Log
  /** When true, no further mail is started; what was taken but not sent is taken again later. */
  readonly isStopped?: () => boolean
}

interface Waiting {
  readonly versand: string
  readonly art: BelegKind
  readonly id: string
  readonly an: string
  readonly betreff: string
  readonly text: string
  readonly versuch: number
  readonly format: 'xrechnung' | 'zugferd' | 'pdf'
  readonly absender: string
  readonly antwort_an: string
  readonly letterhead: string | null
}

/**
 * XRechnung: the XML is the invoice and comes first, the PDF is a view of it. ZUGFeRD
 * embeds its XML in the PDF.
 */
export function attachmentsOf(format: Waiting['format'], files: readonly BelegFile[]): Attachment[] {
  const pdf = files.filter(({ art }) => art === 'pdf')
  const xml = format === 'xrechnung' ? files.filter(({ art }) => art === 'xml') : []
  return [...xml, ...pdf].map(({ art, name, inhalt }) => ({
    name,
    inhalt,
    typ: art === 'pdf' ? 'application/pdf' : 'application/xml',
  }))
}

/**
 * Sends everything that is due and returns how many mails were sent. One at a time: a lease lasts ten
 * minutes, another fifteen from the handing over, and no database connection is held while waiting for the
 * mail server.
 */
export async function sendDue(options: DispatchPostOptions): Promise<number> {
  const { asOwner, send, log, isStopped = () => false } = options
  if (send === null) return giveUp(options)
  await tellLost(options)
  let sent = 0
  while (!isStopped()) {
    const [mail] = await asBetrieb<Waiting>(
      asOwner,
      `select versand_id::text as versand, art, id::text as id, an, betreff, text, versuch, format,
        absender, antwort_an, ${LETTERHEAD} as letterhead from dispatch.take_dispatch(1)`,
    )
    if (mail === undefined) break
    const attachments = await fetchAttachments(options, mail)
    if (attachments === 'stopped') break
    if (attachments !== null && (await sendOne(options, send, mail, attachments))) sent++
  }
  if (sent > 0) log.info('documents mailed', { count: sent })
  return sent
}

/** Without a mail server nothing waits: the people who sent something learn that it will not arrive. */
async function giveUp({ asOwner, log }: DispatchPostOptions): Promise<number> {
  const [row] = await asBetrieb<{ n: number }>(asOwner, 'select dispatch.give_up_dispatches()::integer as n')
  if ((row?.n ?? 0) > 0)
    log.error('mails with documents given up: there is no mail server', { count: row?.n })
  return 0
}

async function tellLost({ asOwner, log }: DispatchPostOptions): Promise<void> {
  for (const { id } of await asBetrieb<{ id: string }>(
    asOwner,
    'select versand_id::text as id from dispatch.lost_dispatches()',
  ))
    log.error(
      'a mail with a document may or may not have been sent: the server went down over it; ' +
        'it is not sent again by itself',
      { versand: id },
    )
}

const settle = (
  { asOwner }: DispatchPostOptions,
  { versand, versuch }: Pick<Waiting, 'versand' | 'versuch'>,
  reason: string,
  fault: string,
): Promise<unknown> =>
  asBetrieb(asOwner, 'select dispatch.dispatch_result($1::bigint, $2, $3, $4)', [
    versand,
    reason,
    fault,
    versuch,
  ])

/** Null if there are none: the mail is settled then. */
async function fetchAttachments(
  options: DispatchPostOptions,
  { versand, versuch, art, id, format }: Waiting,
): Promise<Attachment[] | 'stopped' | null> {
  const { fetchFiles, log, isStopped } = options
  let files: readonly BelegFile[]
  try {
    files = await fetchFiles(art, id)
  } catch (error) {
    if (isStopped?.() === true) return 'stopped'
    log.error('a mail waits for its document', { versand, versuch, reason: reasonForLog(error) })
    await settle(options, { versand, versuch }, 'spaeter', 'Das Dokument konnte nicht erstellt werden.')
    return null
  }
  const attachments = attachmentsOf(format, files)
  if (attachments.length > 0) return attachments
  log.error('a mail has no document', { versand })
  await settle(options, { versand, versuch }, 'dokument', 'Zu diesem Beleg liegt kein PDF vor.')
  return null
}

/** Returns whether the mail server took it. */
async function sendOne(
  options: DispatchPostOptions,
  send: SendBeleg,
  { versand, versuch, an, betreff, text, absender, antwort_an: replyTo, letterhead }: Waiting,
  attachments: readonly Attachment[],
): Promise<boolean> {
  const { asOwner, origin, log } = options
  const written = writeLetter(coverLetter({ betreff, text, origin }), {
    name: absender,
    letterhead: parseLetterhead(letterhead),
  })
  // From here on a crash leaves a trace: it would be unknown whether the mail arrived.
  const [begun] = await asBetrieb<{ ja: boolean }>(
    asOwner,
    'select dispatch.begin_dispatch($1::bigint, $2) as ja',
    [versand, versuch],
  )
  if (begun?.ja !== true) return false
  const messageId = `<versand-${versand}@${new URL(origin).hostname}>`
  const { art, grund } = await send({
    an,
    betreff: written.subject,
    text: written.text,
    html: written.html,
    absender,
    replyTo,
    messageId,
    attachments,
  })
  await settle(options, { versand, versuch }, art === 'gesendet' ? '' : art, grund)
  if (art === 'gesendet') return true
  const reason = reasonForLog(new Error(grund))
  log.error('a mail with a document was not sent', { versand, versuch, art, reason })
  return false
}

const FIRST_MS = 15_000
/**
 * A mail server that does not answer must not delay the shutdown; the mail it was being given then counts as
 * uncertain after the next start.
 */
const GRACE_MS = 8_000

export function dispatchPost({
  everyMs,
  ...options
}: DispatchPostOptions & { readonly everyMs: number }): Job {
  return createJob({
    name: 'sending of documents',
    firstMs: FIRST_MS,
    everyMs,
    graceMs: GRACE_MS,
    wokenBy: ['a_send_beleg'],
    round: (signal) => sendDue({ ...options, isStopped: () => signal.aborted }),
    onFault: (error) => options.log.error('documents could not be mailed', { reason: reasonForLog(error) }),
  })
}
