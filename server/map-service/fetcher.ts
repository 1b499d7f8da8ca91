// Requests one picture from a map service: no redirects, no private addresses, limits of time and size, and
// the bytes must be those of a picture.
import {
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { orderlyLookup, publicLookup } from '#server/name-lookup.ts'

export interface Limits {
  /** From the request to the last byte, including the wait for a free connection. */
  readonly timeMs: number
  readonly bytes: number
}
export const LIMITS: Limits = { timeMs: 10_000, bytes: 2 * 1024 * 1024 }

export type FetchFaultKind =
  | 'zu_langsam'
  | 'zu_gross'
  | 'kein_bild'
  | 'umgeleitet'
  | 'abgelehnt'
  | 'nicht_erreichbar'
  | 'eigenes_netz'

export class FetchFault extends Error {
  override readonly name = 'FetchFault'
  readonly art: FetchFaultKind
  constructor(art: FetchFaultKind, detail = '') {
    super(detail === '' ? art : `${art}: ${detail}`)
    this.art = art
  }
}

export interface Picture {
  readonly typ: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly inhalt: Buffer
}

const publicOnly = publicLookup({ refuse: () => new FetchFault('eigenes_netz') })

export interface Fetcher {
  /** Null if the service has nothing there. Rejects with FetchFault. */
  fetchImage(address: URL, intern: boolean): Promise<Picture | null>
  /** The text of a description. Rejects with FetchFault. */
  fetchText(address: URL, intern: boolean): Promise<string | null>
  close(): void
}

interface Wanted {
  readonly intern: boolean
  readonly accepted: string
}

export function createFetcher(limits: Limits = LIMITS): Fetcher {
  const keep = { keepAlive: true, keepAliveMsecs: 5_000, maxSockets: 8, maxFreeSockets: 4 }
  const agents = { http: new HttpAgent(keep), https: new HttpsAgent(keep) }

  function ask(address: URL, { intern, accepted }: Wanted, signal: AbortSignal): Promise<IncomingMessage> {
    const secure = address.protocol === 'https:'
    const options: RequestOptions = {
      method: 'GET',
      signal,
      agent: secure ? agents.https : agents.http,
      // Nothing about the caller is passed on: neither address nor language nor token.
      headers: { accept: accepted, 'user-agent': 'Forstkontor' },
      maxHeaderSize: 16_384,
      lookup: intern ? orderlyLookup : publicOnly,
    }
    return new Promise((resolve, reject) => {
      const request = (secure ? httpsRequest : httpRequest)(address, options, resolve)
      request.on('error', (error) => {
        // Services close idle connections: a kept one may be gone at the moment of the request. Each retry
        // uses one up, and the time limit still holds.
        const wasKept =
          request.reusedSocket && 'code' in error && error.code === 'ECONNRESET' && !signal.aborted
        if (wasKept) resolve(ask(address, { intern, accepted }, signal))
        else reject(error)
      })
      request.end()
    })
  }

  async function read(response: IncomingMessage): Promise<Buffer> {
    const parts: Buffer[] = []
    let size = 0
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.length
      if (size > limits.bytes) throw new FetchFault('zu_gross', `mehr als ${limits.bytes} Bytes`)
      parts.push(part)
    }
    return Buffer.concat(parts, size)
  }

  /** Null if there is nothing. */
  async function fetchBytes(address: URL, wanted: Wanted): Promise<Buffer | null> {
    const limit = AbortSignal.timeout(limits.timeMs)
    let response: IncomingMessage | undefined
    try {
      response = await ask(address, wanted, limit)
      const status = response.statusCode ?? 0
      if (status === 204 || status === 404) return null
      if (status >= 300 && status < 400) throw new FetchFault('umgeleitet', `Status ${status}`)
      if (status !== 200) throw new FetchFault('abgelehnt', `Status ${status}`)
      return await read(response)
    } catch (error) {
      if (error instanceof FetchFault) throw error
      if (limit.aborted) throw new FetchFault('zu_langsam', `mehr als ${limits.timeMs} ms`)
      throw new FetchFault(
        'nicht_erreichbar',
        error instanceof Error && 'code' in error ? String(error.code) : '',
      )
    } finally {
      // An unread rest would keep the connection occupied.
      if (response !== undefined && !response.complete) response.destroy()
      else response?.resume()
    }
  }

  return {
    async fetchImage(address, intern) {
      const content = await fetchBytes(address, { intern, accepted: 'image/png,image/jpeg,image/webp' })
      if (content === null) return null
      const kind = typeOf(content)
      if (kind === null) throw new FetchFault('kein_bild')
      return { typ: kind, inhalt: content }
    },
    async fetchText(address, intern) {
      const content = await fetchBytes(address, { intern, accepted: 'application/xml,text/xml' })
      return content?.toString('utf8') ?? null
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** The type by its bytes, whatever the service says. */
function typeOf(bytes: Buffer): Picture['typ'] | null {
  if (bytes.subarray(0, 8).equals(PNG)) return 'image/png'
  if (bytes.subarray(0, 3).equals(JPEG)) return 'image/jpeg'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp'
  return null
}
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
