// Devices of the tests of the queue: each its own database, and a run over a line that breaks.
import { deleteFieldworkDb, type FieldworkDb, openFieldworkDb, type Sub } from './fieldwork-db.ts'
import { breakingAt, type ModelServer, tokenFor } from './fieldwork-model.fixture.ts'
import { syncAll } from './sync.ts'
import { createTransport } from './sync-transport.ts'

/** `discard` after each test. */
export function devicesOf(name: string) {
  const open = new Set<FieldworkDb>()
  let nr = 0
  return {
    async device(): Promise<FieldworkDb> {
      const db = await openFieldworkDb({ name: `${name}-${++nr}` })
      open.add(db)
      return db
    },
    async discard(): Promise<void> {
      for (const db of open) {
        db.close()
        await deleteFieldworkDb(db.name)
      }
      open.clear()
    },
  }
}

interface Line {
  readonly sub: Sub
  readonly now: Date
  /** Bytes of a piece of a photo. */
  readonly chunk?: number
}

/** A run of the queue; the line breaks at request `cutAt`. */
export const syncOver =
  ({ sub, now, ...photos }: Line) =>
  (db: FieldworkDb, server: ModelServer, cutAt = -1) =>
    syncAll({
      db,
      sub,
      weg: createTransport(sub, {
        dataApi: 'https://forst.example/rest',
        generalApi: 'https://forst.example/api',
        token: () => tokenFor(sub),
        renew: () => Promise.resolve(false),
        fetch: breakingAt(server, cutAt).fetch,
        ...photos,
      }),
      signal: AbortSignal.timeout(10_000),
      present: () => now,
    })
