// What sending the application's mails needs: notices, and confirmations of contact addresses.
import type { OwnerConnection } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'
import type { Sender } from '#server/mail/letter.ts'
import type { SendMail } from '#server/mail/mailer.ts'

export interface PostOptions {
  readonly asOwner: <T>(work: (owner: OwnerConnection) => Promise<T>) => Promise<T>
  /** Null if there is no mail server. */
  readonly send: SendMail | null
  readonly origin: string
  readonly title: string
  readonly support?: Sender['support']
  readonly log: Log
  /** When true, no further mail is started; what was taken but not sent is taken again later. */
  readonly isStopped?: () => boolean
}
