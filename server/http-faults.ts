// What the HTTP server answers before any application does: refusals of the parser, which knows no
// path and therefore answers in the form of both APIs; and the delivery of a refusal while its
// request is still being sent.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

interface ParserRefusal {
  readonly status: number
  readonly reason: string
  readonly message: string
  readonly details: string
}

const MALFORMED: ParserRefusal = {
  status: 400,
  reason: 'Bad Request',
  message: 'The request is not valid HTTP',
  details: 'A header, the request line or the framing of the body cannot be read',
}
const ADDRESS_TOO_LONG: ParserRefusal = {
  status: 414,
  reason: 'URI Too Long',
  message: 'The address is too long',
  details: 'The request line does not fit into what the server reads of a head',
}
const BY_CODE: Readonly<Record<string, ParserRefusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'The headers are too large',
    details: 'Request line and headers together exceed what the server reads',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    reason: 'Payload Too Large',
    message: 'The body is too large',
    details: 'The extensions of its chunks exceed what the server reads',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    message: 'The request did not arrive in time',
    details: 'The server has stopped waiting for the rest of it',
  },
}
const WRONG_EXPECTATION: ParserRefusal = {
  status: 417,
  reason: 'Expectation Failed',
  message: 'The expectation cannot be met',
  details: 'Expect knows 100-continue alone',
}
const NO_TUNNEL: ParserRefusal = {
  status: 405,
  reason: 'Method Not Allowed',
  message: 'Unsupported HTTP method: CONNECT',
  details: 'This server is no proxy',
}

const bodyOf = ({ status, message, details }: ParserRefusal): string =>
  JSON.stringify({ code: `HTTP${status}`, details, hint: null, message })

const headersOf = (refusal: ParserRefusal) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(bodyOf(refusal))),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
})

/** The parser has given up on this connection, so the response is written by hand. */
function write(socket: Duplex, refusal: ParserRefusal): void {
  if (!socket.writable || socket.writableEnded) return void socket.destroy()
  const head = Object.entries(headersOf(refusal)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refusal.status} ${refusal.reason}\r\n${head.join('')}\r\n${bodyOf(refusal)}`)
  drain(socket)
}

type ParserFault = Error & { readonly code?: string; readonly rawPacket?: unknown }

function refusalOf(error: ParserFault): ParserRefusal {
  const refusal = BY_CODE[error.code ?? ''] ?? MALFORMED
  if (error.code !== 'HPE_HEADER_OVERFLOW') return refusal
  // A packet that begins with a method and has no line break is an address that is too long.
  const start = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1', 0, 8_192) : ''
  return /^[A-Z]+ [^\n]*$/.test(start) ? ADDRESS_TOO_LONG : refusal
}

/** The last request of each connection, as its response. */
const last = new WeakMap<Duplex, ServerResponse>()
/** Fastify listens on the same server too, but a connection is refused only once. */
const refused = new WeakSet<Duplex>()

/**
 * The response has begun, or has ended before its request did: anything written now would be read as part of
 * it, or as the answer to the next request.
 */
const isAnswered = (response: ServerResponse | undefined): boolean =>
  response?.headersSent === true && !(response.writableFinished && response.req.complete)

/** Handler of the event `clientError`. */
export function refuseUnparsed(error: ParserFault, socket: Duplex): void {
  if (refused.has(socket)) return
  refused.add(socket)
  if (error.code === 'ECONNRESET' || isAnswered(last.get(socket))) return void socket.destroy()
  write(socket, refusalOf(error))
}

/** How long a refused sender may go on: between two pieces, and in total. */
const PAUSE_MS = 5_000
const DRAIN_MS = 60_000

/**
 * Our side is closed. What still arrives is read and discarded: closing with unread bytes would reset the
 * connection, and the answer would be lost with it.
 */
function drain(socket: Duplex, until?: IncomingMessage): void {
  const end = () => socket.destroy()
  const all = setTimeout(end, DRAIN_MS).unref()
  let pause = setTimeout(end, PAUSE_MS).unref()
  const more = () => {
    clearTimeout(pause)
    pause = setTimeout(end, PAUSE_MS).unref()
  }
  socket.on('data', more)
  until?.on('data', more).once('end', end)
  socket.once('end', end).once('close', () => {
    clearTimeout(all)
    clearTimeout(pause)
  })
  until?.resume()
  socket.resume()
}

/**
 * When a request is answered before it has arrived completely, reads the rest before
 * its connection is closed.
 */
function readToItsEnd(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  last.set(socket, response)
  response.prependOnceListener('finish', () => {
    if (request.complete || socket.destroyed) return
    // On a keep-alive connection Node reads the rest by itself as long as the body is flowing.
    request.resume()
    const plainly = socket.destroySoon
    request.once('end', () => {
      socket.destroySoon = plainly
    })
    socket.destroySoon = () => {
      socket.end()
      drain(socket, request)
    }
  })
}

/** For each of our HTTP servers, before it listens. */
export function answerEvery(server: Server): void {
  server.on('clientError', refuseUnparsed)
  server.prependListener('request', readToItsEnd)
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    response.writeHead(WRONG_EXPECTATION.status, headersOf(WRONG_EXPECTATION)).end(bodyOf(WRONG_EXPECTATION))
  })
  server.on('connect', (_request, socket: Duplex) => write(socket, NO_TUNNEL))
}
