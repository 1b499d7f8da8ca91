// A proxy between server and database that a test can make swallow, hold back or cut the traffic.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class SilentLine {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /**
   * pass: everything gets through. swallow: bytes are read and lost, connections stay open. hold: nothing is
   * read, as by a frozen machine.
   */
  mode: 'pass' | 'swallow' | 'hold' = 'pass'
  /** Bytes lost so far. */
  lost = 0

  private constructor(target: URL) {
    this.#server = createServer({ allowHalfOpen: true }, (near) => {
      // On a silent line, a new connection is accepted and never answered.
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

  /** The same URL through this line. */
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
    // While nothing gets through, neither does the end of a connection.
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
