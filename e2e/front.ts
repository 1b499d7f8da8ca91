// A line in front of the server that a test can cut, and that can serve a changed service worker, as if a new
// version had been installed.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What can happen to a request: no server, no answer, an answer cut off in the middle, or what servers and
 * proxies answer instead.
 */
export const FRONT_FAULTS = ['refused', 'silent', 'reset', '500', '503', 'malformed', 'html'] as const
export type FrontFault = (typeof FRONT_FAULTS)[number]
/** Header with which a browser names its journey, so that faults affect only that journey. */
export const JOURNEY = 'x-reise'

const ANSWERS: Readonly<
  Record<
    Exclude<FrontFault, 'refused' | 'silent' | 'reset'>,
    readonly [number, Record<string, string>, string]
  >
> = {
  '500': [500, { 'content-type': 'application/json' }, '{"code":"XX000","message":"inside"}'],
  '503': [503, { 'content-type': 'text/plain', 'retry-after': '1' }, 'Service Unavailable'],
  malformed: [200, { 'content-type': 'application/json' }, '{"code": 20000, "data": [{"'],
  html: [
    200,
    { 'content-type': 'text/html' },
    '<!doctype html><title>Gastzugang</title><p>Bitte melden Sie sich am WLAN an.</p>',
  ],
}
/** What a line between device and server does to everything: beyond the faults of single requests. */
export const LINE_FAULTS = [
  ...(['refused', 'silent', 'html', '503'] as const),
  'half',
  '502',
  'redirect',
  'starting',
  'starting 200',
] as const
export type LineFault = (typeof LINE_FAULTS)[number]
const LINE_ANSWERS: Readonly<Partial<Record<LineFault, (typeof ANSWERS)['500']>>> = {
  '502': [502, { 'content-type': 'text/html' }, '<html><h1>502 Bad Gateway</h1><hr>nginx</html>'],
  // A hotel's sign-in page elsewhere, and one that wants to be kept.
  redirect: [302, { location: 'http://127.0.0.1:9/wlan', 'cache-control': 'max-age=600' }, ''],
  html: [200, { 'content-type': 'text/html', 'cache-control': 'public, max-age=600' }, ANSWERS.html[2]],
  starting: [503, { 'content-type': 'application/json', 'retry-after': '1' }, '{"status":"starting"}'],
  'starting 200': [200, { 'content-type': 'application/json' }, '{"status":"starting"}'],
}
function failLine(fault: LineFault, asked: IncomingMessage, answer: ServerResponse): void {
  const given = LINE_ANSWERS[fault]
  if (given !== undefined) {
    asked.resume()
    answer.writeHead(given[0], given[1]).end(given[2])
  } else if (fault === 'half') {
    asked.resume()
    answer.writeHead(200, { 'content-type': 'text/html', 'content-length': '2000' })
    answer.write('<!doctype html>\n<html lang="de">\n')
  } else failWith(fault as FrontFault, asked, answer)
}

function failWith(fault: FrontFault, asked: IncomingMessage, answer: ServerResponse): void {
  asked.resume()
  if (fault === 'silent') return
  if (fault === 'refused') return void asked.socket.destroy()
  if (fault === 'reset') {
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    answer.write('{"code": 20000')
    return void setTimeout(() => asked.socket.destroy(), 20)
  }
  const [status, headers, body] = ANSWERS[fault]
  answer.writeHead(status, headers).end(body)
}

export interface Front {
  readonly port: number
  readonly origin: string
  /** Nothing answers any more, as without a connection. */
  cut(on: boolean): void
  /** From now on the line does this to every request of everybody, or to these; null: it is whole again. */
  disturb(fault: LineFault | null, only?: RegExp): void
  /**
   * From now on, requests of this journey to such an address (method and path) fail in this way; null ends
   * it.
   */
  fail(journey: string, to: RegExp, fault: FrontFault | null): void
  /**
   * The server does its work, but its next answer to such a request is lost; from then on nothing answers.
   */
  cutAtAnswer(to: RegExp): void
  /** From now on the worker has another version. */
  renew(version: string): void
  /** Port of the server behind it, which starts after the line because it must know its own address. */
  leadTo(port: number): void
  close(): Promise<void>
}

export async function openFront(): Promise<Front> {
  let isCut = false
  let disturbed: readonly [fault: LineFault, only: RegExp] | null = null
  let lost: RegExp | null = null
  let version: string | undefined
  let target = 0
  const faults = new Map<string, readonly [to: RegExp, fault: FrontFault]>()
  const cut = (on: boolean) => {
    isCut = on
    if (on) server.closeAllConnections()
  }
  const server = createServer((asked, answer) => {
    if (isCut) return asked.socket.destroy()
    if (disturbed?.[1].test(String(asked.url))) return failLine(disturbed[0], asked, answer)
    const [to, fault] = faults.get(String(asked.headers[JOURNEY])) ?? []
    if (fault !== undefined && to?.test(`${asked.method} ${asked.url}`)) return failWith(fault, asked, answer)
    // Uncompressed, so that its text can be changed.
    const headers =
      asked.url === '/sw.js' ? { ...asked.headers, 'accept-encoding': 'identity' } : asked.headers
    const passed = request(
      { port: target, host: '127.0.0.1', path: asked.url, method: asked.method, headers },
      (got) => {
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
      },
    )
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://localhost:${port}`,
    cut,
    disturb: (fault, only = /^/) => {
      disturbed = fault === null ? null : [fault, only]
      // What hung before does not block what comes now.
      server.closeAllConnections()
    },
    fail: (journey, to, fault) =>
      void (fault === null ? faults.delete(journey) : faults.set(journey, [to, fault])),
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
