// A line in front of the server that a test can cut, and that can pass on a changed service worker: as if a new version had been installed.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Front {
  readonly port: number
  readonly origin: string
  /** Nobody answers any more, as without a connection. */
  cut(on: boolean): void
  /** The server does its work, and its next answer to such a request is lost; from then on nobody answers. */
  cutAtAnswer(to: RegExp): void
  /** From now on the worker is another one. */
  renew(version: string): void
  /** Where the server behind it listens; it is started after the line, because it must know its own address. */
  leadTo(port: number): void
  close(): Promise<void>
}

export async function openFront(): Promise<Front> {
  let isCut = false
  let lost: RegExp | null = null
  let version: string | undefined
  let target = 0
  const cut = (on: boolean) => {
    isCut = on
    if (on) server.closeAllConnections()
  }
  const server = createServer((asked, answer) => {
    if (isCut) return asked.socket.destroy()
    // Unpacked, so that its text can be changed.
    const headers = asked.url === '/sw.js' ? { ...asked.headers, 'accept-encoding': 'identity' } : asked.headers
    const passed = request({ port: target, host: '127.0.0.1', path: asked.url, method: asked.method, headers }, (got) => {
      if (lost?.test(`${asked.method} ${asked.url}`)) {
        lost = null
        cut(true)
        return
      }
      if (asked.url !== '/sw.js' || version === undefined) {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
        return
      }
      let text = ''
      got.setEncoding('utf8').on('data', (part: string) => (text += part))
      got.on('end', () => {
        const { 'content-length': _, etag: __, ...rest } = got.headers
        answer.writeHead(got.statusCode ?? 502, rest)
        answer.end(text.replace(/const VERSION = "\w+"/, `const VERSION = "${version}"`))
      })
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://localhost:${port}`,
    cut,
    cutAtAnswer: (to) => {
      lost = to
    },
    renew: (next) => {
      version = next
    },
    leadTo: (next) => {
      target = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
