// The line between server and database, over our own proxy, so that a test may have it swallow, hold back or
// cut what goes over it.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class SilentLine {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /**
   * pass: all goes through. swallow: bytes are taken and lost, connections stay open. hold: nothing is taken,
   * as from a frozen machine.
   */
  mode: 'pass' | 'swallow' | 'hold' = 'pass'
  /** Bytes that were lost. */
  lost = 0

  private constructor(target: URL) {
    this.#server = createServer({ allowHalfOpen: true }, (near) => {
      // A new connection over a line that says nothing is accepted and never answered.
      const far = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
      this.#forward(near, far)
      this.#forward(far, near)
    })
  }

  static async to(url: string): Promise<SilentLine> {
    const line = new SilentLine(new URL(url))
    line.#server.listen(0, '127.0.0.1')
    await once(line.#server, 'listening')
    return line
  }

  /** The same address by way of this line. */
  through(url: string): string {
    const address = this.#server.address()
    const changed = new URL(url)
    changed.hostname = '127.0.0.1'
    changed.port = String(typeof address === 'object' && address !== null ? address.port : 0)
    return changed.toString()
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #forward(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    from.on('data', (bytes: Buffer) => void this.#carry(from, to, bytes))
    // While nothing goes through, the end of a connection does not either.
    from.on('end', () => this.mode === 'pass' && to.end())
    from.on('error', () => undefined)
    from.on('close', () => {
      this.#sockets.delete(from)
      if (this.mode === 'pass') to.destroy()
    })
  }

  async #carry(from: Socket, to: Socket, bytes: Buffer): Promise<void> {
    if (this.mode === 'swallow') this.lost += bytes.length
    else if (this.mode === 'pass') to.write(bytes)
    else {
      from.pause()
      while (this.mode === 'hold' && !from.destroyed)
        await new Promise((resolve) => setTimeout(resolve, 20).unref())
      if (from.destroyed || to.destroyed) return
      to.write(bytes)
      from.resume()
    }
  }
}
