// Stands between the network and the driver: no incoming data may make a listener throw, and nothing larger
// than allowed reaches the driver.
import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { Inbound } from './inbound.ts'

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
export function guardConnection(client: pg.Client): Inbound {
  const { connection } = client as unknown as Inside
  const attach = connection.attachListeners.bind(connection)
  const driver = new EventEmitter()
  const inbound = new Inbound((bytes) => void driver.emit('data', bytes))
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
