// One mail with a document, handed to the mail server, and a truthful result: sent, refused for good,
// to be retried, or unknown.
import { createTransport } from 'nodemailer'
import { isSingleAddress } from '#server/mail/mailer.ts'
import { oneLine } from '#server/mail/plain.ts'
import { observed } from '#server/observe.ts'

export interface Attachment {
  readonly name: string
  readonly typ: 'application/pdf' | 'application/xml'
  readonly inhalt: Buffer
}

export interface BelegMail {
  readonly an: string
  readonly betreff: string
  readonly text: string
  readonly html: string
  /** Display name of the sender; the address is the one this server may send from. */
  readonly absender: string
  /** Reply-To address; empty: replies go to the sender. */
  readonly replyTo: string
  /** The same on each attempt, so that a mail server or reader that gets it twice can tell. */
  readonly messageId: string
  readonly attachments: readonly Attachment[]
}

/**
 * gesendet: the mail server accepted it. abgelehnt: it never will. spaeter: it did not, but may the next
 * time. ungewiss: the connection was lost between the mail server's go-ahead and its answer, so the mail may
 * have arrived; sending it again could send it twice.
 */
export interface Result {
  readonly art: 'gesendet' | 'abgelehnt' | 'spaeter' | 'ungewiss'
  /** For the person who sent the mail, in the mail server's words. */
  readonly grund: string
}

export type SendBeleg = (mail: BelegMail) => Promise<Result>

export interface MailerOptions {
  readonly smtpUrl: string | undefined
  readonly from: string | undefined
  /** Gives up after this time without a response. */
  readonly timeoutMs?: number
}

interface SmtpError extends Error {
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
  readonly code?: string
}

/** Accepts "Forstkontor <konto@forst.example>" or the bare address. */
export const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()

/**
 * Separates what the mail server says about this mail from what it says about us: a wrong password can be
 * fixed, a mailbox that does not exist cannot.
 */
function judge(error: SmtpError, handingOver: boolean): Result {
  const reason = oneLine(error.response ?? error.message).slice(0, 280)
  const { responseCode = 0, command = '', code = '' } = error
  if (responseCode >= 500 && (command === 'RCPT TO' || command === 'MAIL FROM' || command === 'DATA'))
    return { art: 'abgelehnt', grund: reason }
  // Rejected before anything was sent: no valid address, or nothing that can be written as a mail.
  if (code === 'EENVELOPE' && responseCode === 0 && command === 'API')
    return { art: 'abgelehnt', grund: reason }
  if (responseCode === 0 && handingOver) return { art: 'ungewiss', grund: reason }
  return { art: 'spaeter', grund: reason }
}

/**
 * Listens for the mail server's go-ahead: from then on it may have the mail, whatever
 * happens to the connection.
 */
function listener(onGoAhead: () => void) {
  const hear = (entry: unknown, message?: unknown) => {
    if ((entry as { tnx?: string }).tnx === 'server' && String(message).startsWith('354')) onGoAhead()
  }
  return {
    level: () => undefined,
    trace: hear,
    debug: hear,
    info: hear,
    warn: hear,
    error: hear,
    fatal: hear,
  }
}

export function createBelegMailer({ smtpUrl, from, timeoutMs = 60_000 }: MailerOptions): SendBeleg | null {
  if (smtpUrl === undefined || from === undefined) return null
  const address = addressOf(from)
  const url = new URL(smtpUrl)
  // The library's defaults are far too long; values given in the URL take precedence.
  for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout'])
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(timeoutMs))
  return async ({ an, betreff, text, html, absender, replyTo, messageId, attachments }) => {
    // Free text would be parsed as a list of recipients.
    if (!isSingleAddress(an)) return { art: 'abgelehnt', grund: 'Das ist keine gültige E-Mail-Adresse.' }
    let handingOver = false
    const transport = createTransport({
      url: url.href,
      logger: listener(() => (handingOver = true)),
      transactionLog: true,
    })
    try {
      const message = {
        from: { name: oneLine(absender), address },
        to: { name: '', address: an },
        ...(isSingleAddress(replyTo) ? { replyTo: { name: oneLine(absender), address: replyTo } } : {}),
        subject: oneLine(betreff),
        text,
        html,
        messageId,
        // No out-of-office replies: a person reads the answers.
        headers: { 'Auto-Submitted': 'no', 'X-Auto-Response-Suppress': 'OOF, AutoReply' },
        attachments: attachments.map(({ name, typ, inhalt }) => ({
          filename: name,
          contentType: typ,
          content: inhalt,
        })),
        disableFileAccess: true,
        disableUrlAccess: true,
      }
      await observed({ kind: 'mail', name: 'document' }, () => transport.sendMail(message))
      return { art: 'gesendet', grund: '' }
    } catch (error) {
      return judge(error as SmtpError, handingOver)
    } finally {
      transport.close()
    }
  }
}
