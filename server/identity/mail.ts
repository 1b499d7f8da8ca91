// Mails of the identity provider: links and warnings. Without a mail server nothing is sent, and admins hand links over themselves.
import { createTransport } from 'nodemailer'
import { reasonForLog } from '#server/errors.ts'
import type { Log } from '#server/log.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Made by the library where nothing else is wanted. */
  readonly messageId?: string
}

/** Answers whether the mail was handed over to the mail server. */
export type SendMail = (mail: Mail) => Promise<boolean>

export interface MailOptions {
  readonly smtpUrl: string | undefined
  readonly from: string | undefined
  readonly log: Log
}

const SINGLE_ADDRESS = /^[^\s,;:<>"()]+@[^\s,;:<>"()]+$/

export function createMailer({ smtpUrl, from, log }: MailOptions): SendMail | null {
  if (smtpUrl === undefined || from === undefined) return null
  const transport = createTransport(smtpUrl, { from })
  return async ({ to, ...mail }) => {
    // A text would be read as a list of recipients.
    if (!SINGLE_ADDRESS.test(to)) return false
    try {
      await transport.sendMail({
        ...mail,
        to: { name: '', address: to },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      return true
    } catch (error) {
      log.error('mail could not be sent', { subject: mail.subject, reason: reasonForLog(error) })
      return false
    }
  }
}

const until = (expires: Date) =>
  expires.toLocaleString('de-DE', { timeZone: 'Europe/Berlin', dateStyle: 'full', timeStyle: 'short' })

export const inviteMail = (to: string, title: string, link: string, expires: Date): Mail => ({
  to,
  subject: `Ihr Zugang zu ${title}`,
  text: `Guten Tag,

für Sie wurde ein Zugang zu ${title} angelegt. Bitte legen Sie hier Ihr Passwort fest:

${link}

Der Link gilt bis ${until(expires)} Uhr und nur einmal. Ist er abgelaufen, bitten Sie die Person, die Sie eingeladen hat, um einen neuen.

Mit freundlichen Grüßen
${title}
`,
})

export const resetMail = (to: string, title: string, link: string, expires: Date): Mail => ({
  to,
  subject: `Neues Passwort für ${title}`,
  text: `Guten Tag,

für Ihr Konto bei ${title} wurde ein neues Passwort angefordert. Hier legen Sie es fest:

${link}

Der Link gilt bis ${until(expires)} Uhr und nur einmal. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr bisheriges Passwort gilt weiter.

Mit freundlichen Grüßen
${title}
`,
})

export const lockMail = (to: string, title: string): Mail => ({
  to,
  subject: `Fehlversuche bei Ihrem Konto in ${title}`,
  text: `Guten Tag,

jemand hat mehrmals hintereinander versucht, sich mit Ihrer E-Mail-Adresse bei ${title} anzumelden, und dabei ein falsches Passwort angegeben. Das Konto nimmt deshalb für kurze Zeit keine Anmeldung an.

Wenn Sie das waren: Warten Sie einen Moment, oder wählen Sie auf der Anmeldeseite „Passwort vergessen“. Wenn nicht: Sie brauchen nichts zu tun. Melden Sie sich bei uns, falls es öfter vorkommt.

Mit freundlichen Grüßen
${title}
`,
})

export const passwordChangedMail = (to: string, title: string): Mail => ({
  to,
  subject: `Ihr Passwort bei ${title} wurde geändert`,
  text: `Guten Tag,

das Passwort Ihres Kontos bei ${title} wurde soeben geändert. Alle anderen Sitzungen wurden beendet.

Wenn Sie das nicht waren, wenden Sie sich bitte sofort an uns.

Mit freundlichen Grüßen
${title}
`,
})
