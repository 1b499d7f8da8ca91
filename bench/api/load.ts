// Generates load from its own process: keep-alive connections, one request after another on each,
// written as raw bytes.
import { connect, type Socket } from 'node:net'

export interface LoadOrder {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Whole requests as text; each connection cycles through them. */
  readonly requests: readonly string[]
  readonly status: number
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly bytes: number
  /** Answers with any other status, and broken connections. */
  readonly faults: number
}

const HEAD_END = Buffer.from('\r\n\r\n')

class Connection {
  readonly #socket: Socket
  readonly #order: LoadOrder
  readonly #requests: readonly Buffer[]
  readonly #times: number[]
  #next: number
  #sentAt = 0
  #pending: Buffer = Buffer.alloc(0)
  #stopped = false
  bytes = 0
  faults = 0
  readonly done: Promise<void>

  constructor(order: LoadOrder, requests: readonly Buffer[], first: number, times: number[]) {
    this.#order = order
    this.#requests = requests
    this.#next = first
    this.#times = times
    this.#socket = connect({ host: '127.0.0.1', port: order.port, noDelay: true })
    this.#socket.on('connect', () => this.#send())
    this.#socket.on('data', (piece) => this.#receive(piece))
    this.#socket.on('error', () => this.faults++)
    this.done = new Promise((resolve) => this.#socket.on('close', () => resolve()))
  }

  stop(): void {
    this.#stopped = true
  }

  #send(): void {
    if (this.#stopped) return void this.#socket.destroy()
    this.#sentAt = performance.now()
    this.#socket.write(this.#requests[this.#next++ % this.#requests.length] as Buffer)
  }

  #receive(piece: Buffer): void {
    this.#pending = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece])
    const end = this.#pending.indexOf(HEAD_END)
    if (end === -1) return
    const head = this.#pending.toString('latin1', 0, end)
    const size = Number(/\r\ncontent-length: ([0-9]+)/i.exec(head)?.[1] ?? 0)
    if (this.#pending.length < end + 4 + size) return
    this.#times.push(performance.now() - this.#sentAt)
    this.bytes = size
    if (Number(head.slice(9, 12)) !== this.#order.status) this.faults++
    this.#pending = Buffer.alloc(0)
    this.#send()
  }
}

async function load(order: LoadOrder): Promise<LoadResult> {
  const requests = order.requests.map((text) => Buffer.from(text))
  const times: number[] = []
  const started = performance.now()
  const connections = Array.from(
    { length: order.connections },
    (_, i) => new Connection(order, requests, i * 7, times),
  )
  await new Promise((resolve) => setTimeout(resolve, order.seconds * 1000))
  for (const connection of connections) connection.stop()
  await Promise.all(connections.map(({ done }) => done))
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return {
    requests: times.length,
    perSecond: times.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    bytes: connections[0]?.bytes ?? 0,
    faults: connections.reduce((sum, { faults }) => sum + faults, 0),
  }
}

process.on('message', (order: LoadOrder) => {
  void load(order).then((result) => process.send?.(result))
})
