// Stands between the network and the driver: no incoming data may make a listener throw, and nothing larger
// than allowed reaches the driver.
import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { Inbound, type InboundOptions } from './inbound.ts'

/**
 * Members that pg has and its types omit. The version is pinned, and tests assert that every byte passes
 * through here.
 */
interface Inside {
  readonly connection: EventEmitter & { readonly stream: Duplex; attachListeners(stream: EventEmitter): void }
}

/**
 * Call before connect(): encrypted connections switch to another stream, and each stream is guarded as it
 * appears.
 */
export function guardConnection(client: pg.Client, options: InboundOptions = {}): Inbound {
  const { connection } = client as unknown as Inside
  const attach = connection.attachListeners.bind(connection)
  const driver = new EventEmitter()
  const inbound = new Inbound((bytes) => void driver.emit('data', bytes), options)
  let refused = false
  connection.attachListeners = (stream) => {
    driver.removeAllListeners()
    attach(driver)
    stream.on('data', (chunk: Buffer) => {
      if (refused) return
      try {
        inbound.take(chunk)
      } catch (error) {
        // Nothing this connection says afterwards can be trusted.
        refused = true
        connection.emit('error', error)
        connection.stream.destroy()
      }
    })
  }
  return inbound
}

/**
 * The answer of the server, or the end of the connection if there is none in time: keep-alive is answered by a
 * machine that serves no one any more, and by whatever is in between.
 */
export async function answered<T>(client: pg.Client, withinMs: number, work: () => Promise<T>): Promise<T> {
  const cut = () => client.connection.stream.destroy(new Error(`no answer within ${withinMs} ms`))
  let onceMore: NodeJS.Immediate | undefined
  // After a pause of this process the answer may be waiting to be read.
  const late = setTimeout(() => (onceMore = setImmediate(cut)), withinMs)
  try {
    return await work()
  } finally {
    clearTimeout(late)
    clearImmediate(onceMore)
  }
}

/** Ends a connection in order; if nothing comes back, the connection is cut. */
export async function endClient(client: pg.Client, patienceMs = 2_000): Promise<void> {
  const { connection } = client as unknown as Inside
  const cut = setTimeout(() => connection.stream.destroy(), patienceMs)
  await client.end().catch(() => undefined)
  clearTimeout(cut)
  connection.stream.destroy()
}

/** Keep-alive detects a machine that is gone within this time plus ten seconds. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
