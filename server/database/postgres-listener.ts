// Hears NOTIFY on a connection of its own. While that is lost, messages may be missed: listeners are told so by
// an empty message when it is back. Behind a pooler nothing is heard, and nothing listened to: the connection
// would be another one with each transaction.
import pg from 'pg'
import type { Log } from '#server/log.ts'
import { endClient, KEEP_ALIVE } from './guard-connection.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** More than any message of the channel needs. */
const LONGEST_MESSAGE = 100

/** A pooler invents the process id that it reports for cancelling. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_catalog.pg_backend_pid() as pid')
  return rows[0]?.pid !== (client as unknown as { readonly processID: number | null }).processID
}

export class PostgresListener {
  readonly #url: string
  readonly #log: Log
  readonly #heard = new Map<string, Set<(message: string) => void>>()
  /** The one that listens, or is about to. */
  #client: pg.Client | null = null
  #opening = false
  #closed = false
  #pauseMs = FIRST_PAUSE_MS
  #retry: NodeJS.Timeout | null = null

  constructor(url: string, log: Log) {
    this.#url = url
    this.#log = log
  }

  /** @param channel a plain name of our own */
  listen(channel: string, heard: (message: string) => void): void {
    if (!/^[a-z_]+$/.test(channel)) throw new TypeError(`not the name of a channel: ${channel}`)
    const known = this.#heard.get(channel)
    this.#heard.set(channel, (known ?? new Set()).add(heard))
    if (this.#client === null) void this.#open(false)
    else if (known === undefined && !this.#opening)
      void this.#client.query(`listen ${channel}`).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#retry !== null) clearTimeout(this.#retry)
    const client = this.#client
    this.#client = null
    if (client !== null) await endClient(client)
  }

  async #open(again: boolean): Promise<void> {
    if (this.#opening || this.#closed) return
    this.#opening = true
    const client = new pg.Client({
      connectionString: this.#url,
      ...KEEP_ALIVE,
      connectionTimeoutMillis: 5_000,
      application_name: 'forstkontor listens',
    })
    this.#client = client
    let lost = false
    const lose = () => {
      if (lost) return
      lost = true
      if (this.#client === client) this.#client = null
      client.connection.stream.destroy()
      this.#later()
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', ({ channel, payload = '' }) => this.#tell(channel, payload))
    try {
      await client.connect()
      if (await isPooled(client)) {
        await this.close()
        return
      }
      for (const channel of this.#heard.keys()) await client.query(`listen ${channel}`)
      this.#pauseMs = FIRST_PAUSE_MS
      if (again) for (const channel of this.#heard.keys()) this.#tell(channel, '')
    } catch (error) {
      if (!this.#closed) this.#log.warn('the database cannot be listened to', { reason: String(error) })
      lose()
    } finally {
      this.#opening = false
    }
  }

  #later(): void {
    if (this.#closed || this.#retry !== null) return
    this.#retry = setTimeout(() => {
      this.#retry = null
      void this.#open(true)
    }, this.#pauseMs).unref()
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }

  #tell(channel: string, message: string): void {
    if (message.length > LONGEST_MESSAGE) return
    for (const heard of this.#heard.get(channel) ?? []) heard(message)
  }
}
