// Between the network and the driver: nothing that comes in may throw out of a listener, and nothing larger than allowed gets as far as the driver.
import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { Inbound } from './inbound.ts'

/** What pg has and its types do not say; the version is pinned, and tests hold that this is in the way of every byte. */
interface Inside {
  readonly connection: EventEmitter & { readonly stream: Duplex; attachListeners(stream: EventEmitter): void }
}

/** Before connect(): encrypted connections get another stream, and each is guarded as it comes. */
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
        // Nothing that this connection says after it can be trusted.
        refused = true
        connection.emit('error', error)
        connection.stream.destroy()
      }
    })
  }
  return inbound
}

/** Ends a connection in order; one over which nothing comes back is cut. */
export async function endClient(client: pg.Client, patienceMs = 2_000): Promise<void> {
  const { connection } = client as unknown as Inside
  const cut = setTimeout(() => connection.stream.destroy(), patienceMs)
  await client.end().catch(() => undefined)
  clearTimeout(cut)
  connection.stream.destroy()
}

/** Keep-alive finds a machine that is gone within this time and ten seconds more. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
