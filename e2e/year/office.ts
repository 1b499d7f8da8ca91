// The application on empty books, with a clock that the year sets. The clock is what the tests replace elsewhere too:
// checks.today(), the office's date.
import { generateSample, TRIAL_SIZE } from '../../db/seeds/sample.ts'
import { seedSample } from '../../db/seeds/seed-sample.ts'
import { createOwnerConnection } from '../../server/database/postgres-owner.ts'
import { silentLog } from '../../server/log.ts'
import { migrate } from '../../server/operations/migrate.ts'
import { SCHEMA_FOLDER } from '../../server/prepare.ts'
import { asUser, copyDatabase, dropDatabase, withDatabase } from '../../test/databases.ts'
import { START_FLAGS } from '../../test/start-command.ts'
import { type RunningApp, startApp } from '../app.ts'
import { call, type Answer } from '../calls.ts'
import { tokensOf } from '../http-sign-in.ts'

export interface Office {
  readonly app: RunningApp
  /** From now on it is this day. */
  today(day: string): Promise<void>
  /** A call that must succeed. */
  ask<T>(path: string, body?: object, method?: string): Promise<T>
  /** The bytes of a file that the office downloads. */
  download(path: string): Promise<Buffer>
  upload(path: string, bytes: Buffer): Promise<unknown>
  close(): Promise<void>
}

const SIGNED_IN_MS = 4 * 60_000

/** `server`: a database of the run's PostgreSQL, whichever. */
export async function openOffice(server: string, firstDay: string): Promise<Office> {
  const now = () => new Date()
  const url = await copyDatabase(withDatabase(server, 'template1'))
  const owner = await createOwnerConnection(url)
  const today = (day: string): Promise<void> =>
    owner.script(
      `create or replace function checks.today() returns date language sql stable
         set search_path = pg_catalog return '${day}'::date`,
    )
  await migrate(owner, { folder: SCHEMA_FOLDER, log: silentLog, now })
  // People and customers of the trial, but none of its books.
  await seedSample(owner, generateSample({ ...TRIAL_SIZE, now: now() }))
  await owner.script('analyze')
  await today(firstDay)
  const app = await startApp({
    command: [process.execPath, ...START_FLAGS, 'e2e/trial-on-postgres.ts', asUser(url, 'forst_api'), url],
    env: { LOGIN_RATE_PER_MIN: '1000' },
  })
  let token = { text: '', since: -Infinity }
  const signedIn = async (): Promise<string> => {
    // The real provider's tokens are short; a year of calls outlives them.
    if (performance.now() - token.since > SIGNED_IN_MS)
      token = { text: (await tokensOf(app, 'apus_admin')).access_token, since: performance.now() }
    return token.text
  }
  const done = (path: string, body: unknown, { status, json }: Answer): unknown => {
    if (status >= 300)
      throw new Error(`${path} ${JSON.stringify(body)} is refused: ${status} ${JSON.stringify(json)}`)
    return json
  }
  return {
    app,
    today,
    ask: async <T>(path: string, body?: object, method?: string) =>
      done(path, body, await call(app, await signedIn(), path, body, method)) as T,
    download: async (path) => {
      const answer = await fetch(app.origin + path, {
        headers: { authorization: `Bearer ${await signedIn()}` },
      })
      if (!answer.ok) throw new Error(`${path} is refused: ${answer.status} ${await answer.text()}`)
      return Buffer.from(await answer.arrayBuffer())
    },
    upload: async (path, bytes) => {
      const answer = await fetch(app.origin + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await signedIn()}`,
          'content-type': 'application/octet-stream',
        },
        body: new Uint8Array(bytes),
      })
      return done(path, bytes.length, { status: answer.status, json: await answer.json() })
    },
    close: async () => {
      await app.stop()
      await owner.close()
      await dropDatabase(url)
    },
  }
}
