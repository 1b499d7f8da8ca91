// In charge of documents that people send by mail: hands them to the mail server, and says whether that is
// possible at all.
import type { Database } from '#server/database/database.ts'
import type { Room } from '#server/room.ts'
import { createBelegMailer } from './mail.ts'
import { dispatchPost, type DispatchPostOptions } from './post.ts'
import { dispatchRoutes } from './routes.ts'

export interface DispatchOptions extends Omit<DispatchPostOptions, 'send' | 'isStopped'> {
  readonly database: Database
  /** Undefined if there is no mail server. */
  readonly smtpUrl: string | undefined
  readonly from: string | undefined
  /** Between two checks for mails that wait. */
  readonly everyMs: number
}

export function createDispatchRoom({ smtpUrl, ...options }: DispatchOptions) {
  const from = smtpUrl === undefined ? undefined : options.from
  return {
    name: 'dispatch',
    routes: dispatchRoutes({ ...options, from }),
    jobs: [dispatchPost({ ...options, send: createBelegMailer({ smtpUrl, from }) })],
  } satisfies Room
}
