// The post of the bookkeeping: takes mails that a person has sent from the database, attaches the stored
// files and hands them to the mail server. Each is taken by one server. What the mail server defers is
// retried at growing intervals; what it refuses is final; and what may have arrived is never sent again
// unless a person does it.
import type { OwnerConnection } from '#server/database/database.ts'
import { reasonForLog } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import type { Attachment, SendBeleg } from './mail.ts'

export type BelegKind = 'rechnung' | 'angebot' | 'mahnung'
export interface BelegFile {
  readonly art: 'pdf' | 'xml'
  readonly name: string
  readonly inhalt: Buffer
}

export interface DispatchPostOptions {
  readonly asOwner: <T>(work: (owner: OwnerConnection) => Promise<T>) => Promise<T>
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
}

async function asBetrieb<Row = Record<string, unknown>>(
  asOwner: DispatchPostOptions['asOwner'],
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return asOwner(async (owner) => {
    await owner.script('begin; set local role forst_betrieb')
    try {
      const { rows } = await owner.query<Row>(text, values)
      await owner.script('commit')
      return rows
    } catch (error) {
      await owner.script('rollback')
      throw error
    }
  })
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
 * minutes, and no database connection is held while waiting for the mail server.
 */
export async function sendDue({
  asOwner,
  send,
  fetchFiles,
  origin,
  log,
  isStopped = () => false,
}: DispatchPostOptions): Promise<number> {
  if (send === null) {
    const [row] = await asBetrieb<{ n: number }>(asOwner, 'select rechte.versand_aufgeben()::integer as n')
    if ((row?.n ?? 0) > 0)
      log.error('mails with documents given up: there is no mail server', { count: row?.n })
    return 0
  }
  for (const { id } of await asBetrieb<{ id: string }>(
    asOwner,
    'select versand_id::text as id from rechte.versand_verlorene()',
  ))
    log.error(
      'a mail with a document may or may not have been sent: the server went down over it; it is not sent again by itself',
      {
        versand: id,
      },
    )
  const host = new URL(origin).hostname
  const settle = (versand: string, grund: string, fehler = '') =>
    asBetrieb(asOwner, 'select rechte.versand_ergebnis($1::bigint, $2, $3)', [versand, grund, fehler])
  let sent = 0
  while (!isStopped()) {
    const [mail] = await asBetrieb<Waiting>(
      asOwner,
      `select versand_id::text as versand, art, id::text as id, an, betreff, text, versuch, format, absender, antwort_an from rechte.versand_nehmen(1)`,
    )
    if (mail === undefined) break
    const { versand, versuch } = mail
    let files: readonly BelegFile[]
    try {
      files = await fetchFiles(mail.art, mail.id)
    } catch (error) {
      if (isStopped()) break
      log.error('a mail waits for its document', { versand, versuch, reason: reasonForLog(error) })
      await settle(versand, 'spaeter', 'Das Dokument konnte nicht gesetzt werden.')
      continue
    }
    const attachments = attachmentsOf(mail.format, files)
    if (attachments.length === 0) {
      log.error('a mail has no document', { versand })
      await settle(versand, 'dokument', 'Zu diesem Beleg liegt kein PDF vor.')
      continue
    }
    // From here on a crash leaves a trace: it would be unknown whether the mail arrived.
    const [begun] = await asBetrieb<{ ja: boolean }>(
      asOwner,
      'select rechte.versand_beginnen($1::bigint, $2) as ja',
      [versand, versuch],
    )
    if (begun?.ja !== true) continue
    const { art, grund } = await send({
      an: mail.an,
      betreff: mail.betreff,
      text: mail.text,
      absender: mail.absender,
      replyTo: mail.antwort_an,
      messageId: `<versand-${versand}@${host}>`,
      attachments,
    })
    await settle(versand, art === 'gesendet' ? '' : art, grund)
    if (art === 'gesendet') sent++
    else
      log.error('a mail with a document was not sent', {
        versand,
        versuch,
        art,
        reason: reasonForLog(new Error(grund)),
      })
  }
  if (sent > 0) log.info('documents mailed', { count: sent })
  return sent
}

export interface DispatchPost {
  /** Something was sent: look now rather than in the next round. */
  wake(): void
  stop(): Promise<void>
}

const FIRST_MS = 15_000
/**
 * A mail server that does not answer must not delay the shutdown; the mail it was being given then counts as
 * uncertain after the next start.
 */
const GRACE_MS = 8_000

export function startDispatchPost({
  everyMs,
  ...options
}: DispatchPostOptions & { readonly everyMs: number }): DispatchPost {
  let stopped = false
  let busy = false
  let again = false
  let running: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout
  const plan = (milliseconds: number) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(run, milliseconds).unref()
  }
  function run(): void {
    busy = true
    running = sendDue({ ...options, isStopped: () => stopped })
      .catch((error: unknown) =>
        options.log.error('documents could not be mailed', { reason: String(error) }),
      )
      .then(() => {
        busy = false
        plan(again ? 0 : everyMs)
        again = false
      })
  }
  plan(Math.min(FIRST_MS, everyMs))
  return {
    wake() {
      if (busy) again = true
      else plan(0)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())])
    },
  }
}
