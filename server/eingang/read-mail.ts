// A mail that came in: who sent it, and its files that may be invoices. Runs beside the server (mail-worker.ts).
import PostalMime from 'postal-mime'
import type { EingangMailRule } from '#contract/eingang.ts'

/** Of one mail, as the mailbox has it; most providers take less. */
export const MAIL_BYTES = 40 * 2 ** 20
/** Files of one mail that are looked at; more are no mail with an invoice. */
export const MAIL_FILES = 50

export interface MailHead {
  readonly from: string
  readonly subject: string
  /** ISO; null if it names no time. */
  readonly sentAt: string | null
}
export interface ReadMail {
  readonly head: MailHead
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** Why none of its files is looked at; null if they are. */
  readonly rule: EingangMailRule | null
}

const LINE = 300
/** On one line, without signs that are not seen or turn the direction of reading. */
const lineOf = (text: string): string =>
  Array.from(text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim())
    .slice(0, LINE)
    .join('')

const INVOICE_NAME = /\.(?:pdf|xml)$/i
const INVOICE_TYPE = /^(?:application\/(?:pdf|x-pdf|xml)|text\/xml|application\/[\w.-]+\+xml)$/

/** Times before mails were sent, or after this century, are none. */
function timeOf(text: string | undefined): string | null {
  const time = new Date(text ?? '')
  const year = time.getUTCFullYear()
  return year >= 1990 && year < 2100 ? time.toISOString() : null
}

export async function readMail(bytes: Buffer): Promise<ReadMail> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 2 ** 20 })
  const { name = '', address = '' } = mail.from ?? {}
  const head: MailHead = {
    from: lineOf(name === '' || name === address ? (address ?? '') : `${name} <${address ?? ''}>`),
    subject: lineOf(mail.subject ?? ''),
    sentAt: timeOf(mail.date),
  }
  const found = mail.attachments.filter(
    ({ filename, mimeType }) => INVOICE_NAME.test(filename ?? '') || INVOICE_TYPE.test(mimeType),
  )
  if (found.length === 0) return { head, files: [], rule: 'mail_ohne' }
  if (found.length > MAIL_FILES) return { head, files: [], rule: 'mail_viele' }
  const files = found.map(({ filename, mimeType, content }) => ({
    name: filename ?? (mimeType.includes('pdf') ? 'Rechnung.pdf' : 'Rechnung.xml'),
    bytes: Buffer.from(content as ArrayBuffer),
  }))
  return { head, files, rule: null }
}
