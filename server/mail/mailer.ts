// Hands a mail that nobody wrote by hand to the mail server.
import { createTransport } from 'nodemailer'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import { observed } from '#server/observe.ts'
import type { WrittenLetter } from './letter.ts'

export interface Mail extends WrittenLetter {
  readonly to: string
  /** The same on each attempt, so that a mail server or reader that gets it twice can tell. */
  readonly messageId: string
}

/** Resolves with whether the mail was handed over to the mail server. */
export type SendMail = (mail: Mail) => Promise<boolean>

export interface MailOptions {
  readonly smtpUrl: string | undefined
  readonly from: string | undefined
  readonly log: Log
}

const SINGLE_ADDRESS = /^[^\s,;:<>"()]+@[^\s,;:<>"()]+$/
/** Free text would be read as a list of recipients. */
export const isSingleAddress = (address: string): boolean => SINGLE_ADDRESS.test(address)

/** Null without a mail server. */
export function createMailer({ smtpUrl, from, log }: MailOptions): SendMail | null {
  if (smtpUrl === undefined || from === undefined) return null
  const transport = createTransport(smtpUrl, { from })
  return async ({ to, ...mail }) => {
    const { messageId } = mail
    if (!isSingleAddress(to)) return false
    try {
      const message = {
        ...mail,
        to: { name: '', address: to },
        // An out-of-office reply to it would reach nobody.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' },
        disableFileAccess: true,
        disableUrlAccess: true,
      }
      await observed({ kind: 'mail', name: 'letter' }, () => transport.sendMail(message))
      return true
    } catch (error) {
      // Neither subject nor address: they name customers.
      log.error('mail could not be sent', { messageId, reason: reasonForLog(error) })
      return false
    }
  }
}
