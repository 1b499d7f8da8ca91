// The owner's statements have no time limit, because a dump may take hours. Instead, when nothing is heard,
// the server is asked on a second connection whether it still works on the statement: an answer lost in the
// network would otherwise be awaited forever.
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endClient, guardConnection, KEEP_ALIVE } from './guard-connection.ts'

interface Wire extends Duplex {
  readonly bytesRead?: number
  readonly bytesWritten?: number
}
type Watched = pg.Client & { readonly connection: { readonly stream: Wire } }

export interface WatchOptions {
  readonly url: string
  /** Of the server process; the id that a pooler reports at the beginning is a different one. */
  readonly pid: number
  readonly quietMs: number
}

/** Waiting for us while nothing of ours arrives is not work. A state that is not reported counts as work. */
const ASK = `select coalesce(state not like 'idle%', true) and wait_event_type is distinct from 'Client' as works
  from pg_catalog.pg_stat_activity where pid = $1`
const ANSWER_MS = 4_000
/**
 * How often in a row the server must be unreachable or report no work: a single time may fall between two
 * messages.
 */
const TWICE = 2

/**
 * `work` is the statement running on `client`. When the server no longer works on it, the connection is cut,
 * so that it rejects.
 */
export async function watchProgress<T>(
  client: pg.Client,
  options: WatchOptions,
  work: Promise<T>,
): Promise<T> {
  const done = new AbortController()
  void watch(client as Watched, options, done.signal)
  try {
    return await work
  } finally {
    done.abort()
  }
}

async function watch(client: Watched, { url, pid, quietMs }: WatchOptions, done: AbortSignal): Promise<void> {
  let idle = 0
  for (let before = traffic(client); await waits(quietMs, done); before = traffic(client)) {
    if (traffic(client) !== before) idle = 0
    else if (await isWorking(url, pid, done)) idle = 0
    else idle++
    if (idle < TWICE || done.aborted) continue
    client.connection.stream.destroy(
      new Error(`nothing was heard for ${idle * quietMs} ms, and the server does not work on it`),
    )
    return
  }
}

const traffic = ({ connection: { stream } }: Watched): number =>
  (stream.bytesRead ?? 0) + (stream.bytesWritten ?? 0)

const waits = (milliseconds: number, done: AbortSignal): Promise<boolean> =>
  sleep(milliseconds, true, { signal: done, ref: false }).catch(() => false)

async function isWorking(url: string, pid: number, done: AbortSignal): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    ...KEEP_ALIVE,
    application_name: 'forstkontor watch',
  })
  guardConnection(client)
  client.on('error', () => undefined)
  const cut = setTimeout(() => void endClient(client, 0), ANSWER_MS)
  try {
    await client.connect()
    if (done.aborted) return true
    const { rows } = await client.query<{ works: boolean }>(ASK, [pid])
    return rows[0]?.works === true
  } catch {
    return false
  } finally {
    clearTimeout(cut)
    await endClient(client, 500)
  }
}
