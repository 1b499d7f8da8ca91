// What sending the application's mails needs: notices, and confirmations of contact addresses.
import type { OwnerConnection } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same on each attempt, so that a mail server or reader that gets it twice can tell. */
  readonly messageId: string
}

export interface PostOptions {
  readonly asOwner: <T>(work: (owner: OwnerConnection) => Promise<T>) => Promise<T>
  /** Null if there is no mail server. */
  readonly send: ((mail: OutgoingMail) => Promise<boolean>) | null
  readonly origin: string
  readonly title: string
  readonly log: Log
  /** When true, no further mail is started; what was taken but not sent is taken again later. */
  readonly isStopped?: () => boolean
}
