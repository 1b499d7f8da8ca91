// One attempt to deliver: a POST without redirects, to public addresses, within a time, of whose answer little is
// read.
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { WebhookTest } from '#contract/webhook.ts'
import { orderlyLookup } from '#server/name-lookup.ts'
import { checkAddress, publicOnly } from './address.ts'
import { type FaultWord, SendFault } from './send-fault.ts'
import { signedHeaders } from './signature.ts'

export interface SendOptions {
  /** Addresses of our own network and http. */
  readonly allowsPrivate: boolean
  readonly now: () => Date
  /** From the look-up of the name to the end of what is read of the answer. */
  readonly timeMs?: number
}

export interface Delivery {
  readonly kennung: string
  readonly url: string
  readonly koerper: string
  /** The present one first. */
  readonly secrets: readonly string[]
}

export interface Attempt extends Omit<WebhookTest, 'grund'> {
  /** Null: delivered. */
  readonly grund: FaultWord | null
  /** Seconds that the receiver asks us to wait. */
  readonly wait: number | null
}

const TIME_MS = 10_000
/** Bytes read of an answer, and characters kept of them. */
const READ_BYTES = 8_192
const KEPT = 500
/** Longer than the database waits too. */
const MOST_WAIT_S = 86_400

export async function sendDelivery(delivery: Delivery, options: SendOptions): Promise<Attempt> {
  const { now, timeMs = TIME_MS } = options
  const started = performance.now()
  const limit = new AbortController()
  // Whatever becomes of the connection, the time is over then.
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    limit.abort()
    late.reject(new SendFault('zu_langsam'))
  }, timeMs)
  const result = (reason: FaultWord | null, answer?: Answer): Attempt => ({
    grund: reason,
    status: answer?.status ?? null,
    antwort: answer?.text ?? '',
    dauer_ms: Math.round(performance.now() - started),
    wait: answer?.wait ?? null,
  })
  let response: IncomingMessage | undefined
  const exchange = async (): Promise<Answer> => {
    response = await post(delivery, options, limit.signal)
    const { statusCode: status = 0, headers } = response
    if (status < 100 || status > 599) throw new SendFault('nicht_erreichbar')
    const text = await beginningOf(response, limit.signal)
    return { status, text, wait: secondsOf(headers['retry-after'], now()) }
  }
  try {
    const answer = await Promise.race([exchange(), late.promise])
    return result(faultOf(answer.status), answer)
  } catch (error) {
    return result(limit.signal.aborted ? 'zu_langsam' : wordOf(error))
  } finally {
    clearTimeout(timer)
    response?.destroy()
  }
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly wait: number | null
}

function faultOf(status: number): FaultWord | null {
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'abgemeldet'
  return status >= 300 && status < 400 ? 'umgeleitet' : 'status'
}

function wordOf(error: unknown): FaultWord {
  if (error instanceof SendFault) return error.word
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? 'zertifikat' : 'nicht_erreichbar'
}

function post(
  { kennung, url, koerper, secrets }: Delivery,
  { allowsPrivate, now }: SendOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const address = new URL(url)
  checkAddress(address, allowsPrivate)
  const body = Buffer.from(koerper)
  const options: RequestOptions = {
    method: 'POST',
    signal,
    // A connection that is kept would pass by the check of the address.
    agent: false,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'user-agent': 'Forstkontor',
      ...signedHeaders(secrets, {
        id: `msg_${kennung}`,
        timestamp: Math.floor(now().getTime() / 1000),
        body: koerper,
      }),
    },
    maxHeaderSize: 16_384,
    lookup: allowsPrivate ? orderlyLookup : publicOnly,
  }
  return new Promise((resolve, reject) => {
    const request = (address.protocol === 'https:' ? httpsRequest : httpRequest)(address, options, resolve)
    request.on('error', reject)
    // Without an error too: after 101, which nobody here takes, or whatever else is no answer.
    request.once('close', () => reject(new SendFault('nicht_erreichbar')))
    request.end(body)
  })
}

/** The first bytes as text. An answer that breaks off was an answer all the same: its status counts. */
async function beginningOf(response: IncomingMessage, limit: AbortSignal): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, READ_BYTES - size))
      size += part.length
      if (size >= READ_BYTES) break
    }
  } catch (error) {
    if (limit.aborted) throw error
  }
  const text = Buffer.concat(parts).toString('utf8').replaceAll('\u0000', ' ').replaceAll('\uFFFD', '?')
  // A character that is cut in half becomes a sign for an unknown one.
  return text.slice(0, KEPT).toWellFormed()
}

/** RFC 9110: seconds or a date. A day at most. */
function secondsOf(retryAfter: string | undefined, now: Date): number | null {
  if (retryAfter === undefined) return null
  const seconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MOST_WAIT_S)
}
