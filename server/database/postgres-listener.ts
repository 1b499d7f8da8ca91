// Hears NOTIFY on its own connection. While that is lost, messages may be missed: listeners learn of it
// by an empty message when it is back. Behind a pooler nothing is heard, and nothing listened to: the
// connection would be another one with each transaction.
import pg from 'pg'
import type { Log } from '#server/log.ts'
import { answered, endClient, guardConnection, KEEP_ALIVE } from './guard-connection.ts'
import { type Connector, type Hosts, IS_CLOSED } from './hosts.ts'

const FIRST_PAUSE_MS = 1_000
/** A takeover by another server takes about half a minute, and messages are missed until this is over. */
const LONGEST_PAUSE_MS = 10_000
/** More than any message of the channel needs. */
const LONGEST_MESSAGE = 100

/** A pooler invents the process id that it reports for cancelling. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_catalog.pg_backend_pid() as pid')
  return rows[0]?.pid !== (client as unknown as { readonly processID: number | null }).processID
}

const clients = (answerMs: number): Connector<pg.Client> => ({
  async open(url) {
    const client = new pg.Client({
      connectionString: url,
      ...KEEP_ALIVE,
      connectionTimeoutMillis: answerMs,
      application_name: 'forstkontor listens',
    })
    guardConnection(client, { notifications: true })
    // The caller that connects gets the rejection.
    client.on('error', () => undefined)
    try {
      await answered(client, answerMs, () => client.connect())
    } catch (error) {
      client.connection.stream.destroy()
      throw error
    }
    return client
  },
  async isWritable(client) {
    const { rows } = await answered(client, answerMs, () => client.query<{ closed: boolean }>(IS_CLOSED))
    return rows[0]?.closed === false
  },
  close: (client) => void endClient(client),
})

export interface ListenerOptions {
  /** Longest wait for an answer of the server. */
  readonly answerMs?: number
  /** How often it is asked whether it is still there: what was lost on the way would not be missed. */
  readonly askMs?: number
}

export class PostgresListener {
  readonly #hosts: Hosts
  readonly #log: Log
  readonly #answerMs: number
  readonly #asking: NodeJS.Timeout
  readonly #heard = new Map<string, Set<(message: string) => void>>()
  /** The one that listens, or is about to. */
  #client: pg.Client | null = null
  #opening = false
  #closed = false
  #pauseMs = FIRST_PAUSE_MS
  #retry: NodeJS.Timeout | null = null

  constructor(hosts: Hosts, log: Log, { answerMs = 5_000, askMs = 4_000 }: ListenerOptions = {}) {
    this.#hosts = hosts
    this.#log = log
    this.#answerMs = Math.min(answerMs, askMs)
    this.#asking = setInterval(() => void this.#ask(), askMs).unref()
  }

  /** @param channel a plain name of our own */
  listen(channel: string, heard: (message: string) => void): void {
    if (!/^[a-z_]+$/.test(channel)) throw new TypeError(`not the name of a channel: ${channel}`)
    const known = this.#heard.get(channel)
    this.#heard.set(channel, (known ?? new Set()).add(heard))
    if (this.#client === null) void this.#open(false)
    else if (known === undefined && !this.#opening)
      void this.#query(this.#client, `listen ${channel}`).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#asking)
    if (this.#retry !== null) clearTimeout(this.#retry)
    const client = this.#client
    this.#client = null
    if (client !== null) await endClient(client)
  }

  async #open(again: boolean): Promise<void> {
    if (this.#opening || this.#closed) return
    this.#opening = true
    try {
      const { connection: client } = await this.#hosts.open(clients(this.#answerMs))
      this.#attach(client)
      if (this.#closed || (await answered(client, this.#answerMs, () => isPooled(client)))) {
        await this.close()
        return
      }
      for (const channel of this.#heard.keys()) await this.#query(client, `listen ${channel}`)
      this.#pauseMs = FIRST_PAUSE_MS
      if (again) for (const channel of this.#heard.keys()) this.#tell(channel, '')
    } catch (error) {
      if (!this.#closed) this.#log.warn('the database cannot be listened to', { reason: String(error) })
      this.#client?.connection.stream.destroy()
      this.#client = null
      this.#later()
    } finally {
      this.#opening = false
    }
  }

  #query(client: pg.Client, text: string): Promise<unknown> {
    return answered(client, this.#answerMs, () => client.query(text))
  }

  /** A connection that gives no answer is lost, and a new one is made. */
  async #ask(): Promise<void> {
    if (this.#client === null || this.#opening) return
    await this.#query(this.#client, 'select').catch(() => undefined)
  }

  #attach(client: pg.Client): void {
    this.#client = client
    const lose = () => {
      if (this.#client !== client) return
      this.#client = null
      client.connection.stream.destroy()
      this.#later()
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', ({ channel, payload = '' }) => this.#tell(channel, payload))
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
