// Requests to an S3-compatible store: signed, tried again while that may help, and given up when it stays
// silent.
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
// Node's own fetch crashes the process when a store hangs up while its answer is not being read
// (nodejs/undici#5360); this version is fixed.
import { Agent, fetch, type Response } from 'undici'
import { reasonForLog } from '#server/database/log-reason.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { NoSpaceError } from '#server/full-disk.ts'

export interface S3Options {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  /** Bucket in the path rather than in the host name. */
  readonly pathStyle: boolean
  /**
   * In front of every object name, for a bucket that holds other things too; ends with a slash or is empty.
   */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** On this machine, for this server alone: work files and copies. */
  readonly folder: string
  readonly cacheBytes: number
  readonly log: Log
  /** Files larger than this are uploaded in parts of this size. */
  readonly partBytes?: number
  /** For tests: pause between the first two attempts. */
  readonly retryMs?: number
  /** For tests: how long the store may stay silent. */
  readonly quietMs?: number
}

/** The bucket does not answer, or not as it should; the reason is in the log. */
class StoreFault extends Refusal {
  constructor() {
    super(
      'unavailable',
      'Der Dateispeicher ist zurzeit nicht erreichbar. Es ist nichts verloren; ' +
        'bitte versuchen Sie es gleich noch einmal.',
    )
  }
}

/** Attempts before the store counts as failed. */
export const TRIES = 4
/**
 * A store that is silent for this long counts as down, so a caller knows within ten seconds. Transfers may
 * take as long as they make progress.
 */
const QUIET_MS = 9_000
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const FULL =
  /<Code>(?:QuotaExceeded|XMinioStorageFull|StorageFull|InsufficientStorage|XMinioAdminBucketQuotaExceeded)<\/Code>/

export interface RequestSpec {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Without one: the bucket itself. */
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Blob | string
  /** Of the body. */
  readonly sha256?: string
  /**
   * Until the answer begins; the default is `quietMs`. Does not apply to requests with a body, which may take
   * as long as they make progress.
   */
  readonly withinMs?: number
  /** Further statuses that do not count as faults. */
  readonly also?: readonly number[]
}

/** With an empty name: the address of the bucket itself. */
export function addressOf(
  { endpoint, bucket, pathStyle }: Pick<S3Options, 'endpoint' | 'bucket' | 'pathStyle'>,
  name: string,
  query: Readonly<Record<string, string>>,
): string {
  const url = new URL(endpoint)
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
  url.pathname = `${url.pathname.replace(/\/$/, '')}${pathStyle ? `/${bucket}` : ''}/${name}`
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  return url.href
}

interface Problem {
  readonly reason: string
  /** Another attempt may help. */
  readonly passing: boolean
}

export class S3Client {
  /** How long the store may stay silent. */
  readonly quietMs: number
  readonly #options: S3Options
  readonly #retryMs: number
  // Passed with each request, because the global dispatcher may be Node's own.
  readonly #dispatcher: Agent
  readonly #keys = new Map<string, ArrayBuffer>()

  constructor(options: S3Options) {
    this.#options = options
    const quietMs = options.quietMs ?? QUIET_MS
    this.quietMs = quietMs
    this.#retryMs = options.retryMs ?? 200
    this.#dispatcher = new Agent({
      connect: { timeout: quietMs / 2 },
      // undici checks this once a second. While a body is being sent, each piece that leaves restarts it.
      headersTimeout: quietMs - Math.min(1_500, quietMs / 4),
      bodyTimeout: quietMs,
    })
  }

  failed(method: string, reason: string): StoreFault {
    this.#options.log.error('file store failed', { method, reason })
    return new StoreFault()
  }

  /** The whole text of a short answer. */
  async said(requestSpec: RequestSpec, withinMs = this.quietMs): Promise<string> {
    const end = performance.now() + withinMs
    const answer = await this.ask({ ...requestSpec, withinMs })
    try {
      return await textWithin(answer, Math.max(0, end - performance.now()))
    } catch (error) {
      throw this.failed(requestSpec.method, reasonOf(error))
    }
  }

  async ask(requestSpec: RequestSpec): Promise<Response> {
    const { method, body, withinMs = this.quietMs } = requestSpec
    const end = performance.now() + withinMs
    const left = (): number => (body === undefined ? Math.max(0, end - performance.now()) : this.quietMs)
    for (let tries = 1; ; tries++) {
      const answer = await this.#tryOnce(requestSpec, left).catch((error: unknown): Problem => {
        if (error instanceof NoSpaceError) throw error
        return { reason: reasonOf(error), passing: !isSilence(error) }
      })
      if ('ok' in answer) return answer
      const pause = this.#retryMs * 2 ** (tries - 1) * (0.5 + Math.random())
      if (!answer.passing || tries >= TRIES || left() <= pause) throw this.failed(method, answer.reason)
      await sleep(pause)
    }
  }

  async #tryOnce(requestSpec: RequestSpec, left: () => number): Promise<Response | Problem> {
    const { method, body, also = [] } = requestSpec
    const signed = await this.#sign(requestSpec)
    // Only until the answer begins: its body is timed where it is read.
    const patience = new AbortController()
    const timer =
      body === undefined ? setTimeout(() => patience.abort(new SilenceError()), left()) : undefined
    const answer = await fetch(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      redirect: 'manual',
      dispatcher: this.#dispatcher,
      signal: patience.signal,
      ...(body !== undefined && { body }),
    }).finally(() => clearTimeout(timer))
    if (answer.ok || also.includes(answer.status)) return answer
    const said = await textWithin(answer, left()).catch(() => '')
    if (answer.status === 507 || FULL.test(said)) throw new NoSpaceError('no space left')
    return {
      reason: `${answer.status} ${/<Code>([A-Za-z]+)<\/Code>/.exec(said)?.[1] ?? ''}`.trim(),
      passing: PASSING.has(answer.status),
    }
  }

  async #sign({ method, name = '', query = {}, headers = {}, body, sha256 }: RequestSpec) {
    const { accessKeyId, secretAccessKey, region } = this.#options
    const signer = new AwsV4Signer({
      method,
      url: addressOf(this.#options, name, query),
      headers: {
        ...headers,
        'X-Amz-Content-Sha256': sha256 ?? (body === undefined ? EMPTY : 'UNSIGNED-PAYLOAD'),
      },
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      cache: this.#keys,
    })
    const signed = await signer.sign()
    // After signing: a proxy may change it.
    signed.headers.set('accept-encoding', 'identity')
    return signed
  }
}

/** The store was silent for too long. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError'
  constructor() {
    super('the store says nothing')
  }
}
const SILENCE: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
/** Not worth another attempt, which would take as long again. */
function isSilence(error: unknown): boolean {
  if (error instanceof SilenceError) return true
  const cause: unknown = error instanceof TypeError ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'code' in cause && SILENCE.has(cause.code)
}

/** @throws SilenceError */
export async function within<T>(work: Promise<T> | undefined, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilenceError()), Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

async function textWithin(answer: Response, milliseconds: number): Promise<string> {
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  const end = performance.now() + milliseconds
  let text = ''
  try {
    for (;;) {
      const part = await within(reader?.read(), end - performance.now())
      if (part?.value === undefined) return text + decoder.decode()
      text += decoder.decode(part.value, { stream: true })
    }
  } finally {
    void reader?.cancel().catch(() => undefined)
  }
}

/** The network's error is the cause behind the library's own message. */
export const reasonOf = (error: unknown): string =>
  reasonForLog(error instanceof TypeError && error.cause instanceof Error ? error.cause : error)
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
