// A receiver of webhooks for tests, which behaves as its path says.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Integer, PrintableString } from 'asn1js'
import { AttributeTypeAndValue, Certificate } from 'pkijs'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly at: number
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Its answer at `/` from now on: a status, or silence. */
  answer: number | 'silence'
  close(): Promise<void>
}

export async function startReceiver(tls = false): Promise<Receiver> {
  const received: Received[] = []
  const state: { answer: Receiver['answer'] } = { answer: 204 }
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { pathname: path } = new URL(request.url ?? '/', 'http://x')
      received.push({ path, headers: request.headers, body: Buffer.concat(parts).toString(), at: Date.now() })
      const { port } = request.socket.address() as AddressInfo
      switch (path) {
        case '/redirect':
          return response.writeHead(307, { location: `http://127.0.0.1:${port}/secret` }).end('over there')
        case '/huge':
          response.writeHead(200)
          return pour(response)
        case '/breaks':
          response.writeHead(200, { 'content-length': '100' })
          return response.write('half', () => response.destroy())
        case '/hangs-up':
          return request.socket.destroy()
        case '/upgrade':
          // The server of Node would not write it.
          return void request.socket.write('HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
        case '/far-off':
          return response.writeHead(503, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }).end()
        case '/past':
          return response.writeHead(503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }).end()
        case '/999':
        case '/099':
          return void request.socket.end(`HTTP/1.1 ${path.slice(1)} x\r\nContent-Length: 2\r\n\r\nno`)
        case '/drips':
          response.writeHead(200)
          return void response.write('a')
        case '/later':
          return response.writeHead(429, { 'retry-after': '7200' }).end('später')
        case '/words':
          return response.writeHead(500).end(`Fehler \u0001 ${'ä🌲'.repeat(600)}`)
        default:
          if (state.answer === 'silence') return
          return response.writeHead(state.answer).end()
      }
    })
  }
  const server: Server = tls ? createTlsServer(await selfSigned(), listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get answer() {
      return state.answer
    },
    set answer(answer) {
      state.answer = answer
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Without an end. */
function pour(response: import('node:http').ServerResponse): void {
  const more = () => {
    if (response.destroyed) return
    if (response.write('x'.repeat(65_536))) setImmediate(more)
    else response.once('drain', more)
  }
  response.on('error', () => undefined)
  more()
}

async function selfSigned(): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const certificate = new Certificate()
  certificate.version = 2
  certificate.serialNumber = new Integer({ value: 1 })
  for (const holder of [certificate.subject, certificate.issuer])
    holder.typesAndValues.push(
      new AttributeTypeAndValue({ type: '2.5.4.3', value: new PrintableString({ value: 'localhost' }) }),
    )
  certificate.notBefore.value = new Date(Date.now() - 86_400_000)
  certificate.notAfter.value = new Date(Date.now() + 86_400_000)
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  await certificate.sign(keys.privateKey, 'SHA-256')
  const pem = (kind: string, bytes: ArrayBuffer) =>
    `-----BEGIN ${kind}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${kind}-----\n`
  return {
    key: pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', keys.privateKey)),
    cert: pem('CERTIFICATE', certificate.toSchema().toBER()),
  }
}

/** The signature as the specification has it, written once more. */
export const expectedSignature = (secret: string, { headers, body }: Received): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')}`
