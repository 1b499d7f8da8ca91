// What whoever sends mails of the application needs: notices and the question whose a contact address is.
import type { OwnerConnection } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same at each try: a mail server or reader that gets it twice can tell. */
  readonly messageId: string
}

export interface PostOptions {
  readonly asOwner: <T>(work: (owner: OwnerConnection) => Promise<T>) => Promise<T>
  /** Null: there is no mail server. */
  readonly send: ((mail: OutgoingMail) => Promise<boolean>) | null
  readonly origin: string
  readonly title: string
  readonly log: Log
  /** True: no further mail is begun; what was taken and not sent is taken again later. */
  readonly isStopped?: () => boolean
}
