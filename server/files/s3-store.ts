// Files in a bucket of any S3-compatible store. A file is uploaded with its SHA-256, which the store checks;
// large ones go in parts. Programs that need random access get a local copy.
import { createReadStream, openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
// Node's own fetch crashes the process when a store hangs up while its answer is not being read
// (nodejs/undici#5360); this version is fixed.
import { Agent, fetch, type Response } from 'undici'
import { reasonForLog, Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import {
  type Store,
  workFolder,
  type Stored,
  type Listed,
  hashOf,
  isFileName,
  NoSpaceError,
  storeKeyOf,
} from './store.ts'
import { createFileCache, nameAlso } from './file-cache.ts'

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
      'Der Dateispeicher ist zurzeit nicht erreichbar. Es ist nichts verloren; bitte versuchen Sie es gleich noch einmal.',
    )
  }
}

const TRIES = 4
/**
 * A store that is silent for this long counts as down, so a caller knows within ten seconds. Transfers may
 * take as long as they make progress.
 */
const QUIET_MS = 9_000
/** Less than this within that time counts as silence. */
const MOVES_BYTES = 64 * 1024
/** For combining the parts: the store sends blanks meanwhile. */
const TOGETHER_MS = 60_000
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const FULL =
  /<Code>(?:QuotaExceeded|XMinioStorageFull|StorageFull|InsufficientStorage|XMinioAdminBucketQuotaExceeded)<\/Code>/
/** A file this young need not be uploaded again: the clean-up spares what is younger than a day. */
const FRESH_MS = 60 * 60_000
const MOST_PARTS = 10_000

interface RequestSpec {
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

export function s3Store(options: S3Options): Store {
  const {
    region,
    prefix,
    accessKeyId,
    secretAccessKey,
    folder,
    cacheBytes,
    log,
    partBytes = 64 * 2 ** 20,
    retryMs = 200,
  } = options
  const quietMs = options.quietMs ?? QUIET_MS
  const local = workFolder(folder)
  // Passed with each request, because the global dispatcher may be Node's own.
  const dispatcher = new Agent({
    connect: { timeout: quietMs / 2 },
    // undici checks this once a second. While a body is being sent, each piece that leaves restarts it.
    headersTimeout: quietMs - Math.min(1_500, quietMs / 4),
    bodyTimeout: quietMs,
  })
  const keys = new Map<string, ArrayBuffer>()
  const nameOf = (sha256: string): string => prefix + storeKeyOf(sha256)

  function failed(method: string, reason: string): StoreFault {
    log.error('file store failed', { method, reason })
    return new StoreFault()
  }

  /** The whole text of a short answer. */
  async function said(requestSpec: RequestSpec, withinMs = quietMs): Promise<string> {
    const end = performance.now() + withinMs
    const answer = await ask({ ...requestSpec, withinMs })
    try {
      return await textWithin(answer, Math.max(0, end - performance.now()))
    } catch (error) {
      throw failed(requestSpec.method, reasonOf(error))
    }
  }

  async function ask({
    method,
    name = '',
    query = {},
    headers = {},
    body,
    sha256,
    withinMs = quietMs,
    also = [],
  }: RequestSpec): Promise<Response> {
    const end = performance.now() + withinMs
    const left = (): number => (body === undefined ? Math.max(0, end - performance.now()) : quietMs)
    for (let tries = 1; ; tries++) {
      const problem = await once().catch((error: unknown) => {
        if (error instanceof NoSpaceError) throw error
        return { reason: reasonOf(error), passing: !isSilence(error) }
      })
      if ('ok' in problem) return problem
      const pause = retryMs * 2 ** (tries - 1) * (0.5 + Math.random())
      if (!problem.passing || tries >= TRIES || left() <= pause) throw failed(method, problem.reason)
      await sleep(pause)
    }

    async function once(): Promise<Response | { readonly reason: string; readonly passing: boolean }> {
      const signer = new AwsV4Signer({
        method,
        url: addressOf(options, name, query),
        headers: {
          ...headers,
          'X-Amz-Content-Sha256': sha256 ?? (body === undefined ? EMPTY : 'UNSIGNED-PAYLOAD'),
        },
        accessKeyId,
        secretAccessKey,
        service: 's3',
        region,
        cache: keys,
      })
      const signed = await signer.sign()
      // After signing: a proxy may change it.
      signed.headers.set('accept-encoding', 'identity')
      // Only until the answer begins: its body is timed where it is read.
      const patience = new AbortController()
      const timer =
        body === undefined ? setTimeout(() => patience.abort(new SilenceError()), left()) : undefined
      const answer = await fetch(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        redirect: 'manual',
        dispatcher,
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
  }

  async function look(sha256: string): Promise<{ readonly groesse: number; readonly seit: Date } | null> {
    const answer = await ask({ method: 'HEAD', name: nameOf(sha256), also: [404] })
    if (answer.status === 404) return null
    return {
      groesse: Number(answer.headers.get('content-length')),
      seit: new Date(answer.headers.get('last-modified') ?? 0),
    }
  }

  async function put(path: string, { sha256, groesse }: Stored): Promise<void> {
    const file = await openAsBlob(path)
    if (file.size !== groesse) throw new Error('the file was written to while it was put in')
    if (groesse <= partBytes)
      return void (await ask({ method: 'PUT', name: nameOf(sha256), body: file, sha256 }))
    await putInParts(path, file, nameOf(sha256))
    if ((await look(sha256))?.groesse !== groesse)
      throw new Error('the store has other bytes than were put in')
  }

  async function putInParts(path: string, file: Blob, name: string): Promise<void> {
    const begun = await said({ method: 'POST', name, query: { uploads: '' } })
    const uploadId = unescape(/<UploadId>([^<]+)<\/UploadId>/.exec(begun)?.[1] ?? '')
    if (uploadId === '') throw new Error('the store began no upload')
    const size = Math.max(partBytes, Math.ceil(file.size / MOST_PARTS))
    try {
      const etags: string[] = []
      for (let start = 0; start < file.size; start += size) {
        const end = Math.min(file.size, start + size)
        const { sha256 } = await hashOf(path, { start, end: end - 1 })
        const query = { partNumber: String(etags.length + 1), uploadId }
        const answer = await ask({ method: 'PUT', name, query, body: file.slice(start, end), sha256 })
        etags.push(answer.headers.get('etag') ?? '')
      }
      const parts = etags.map(
        (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escape(etag)}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`
      const ended = await said({ method: 'POST', name, query: { uploadId }, body }, TOGETHER_MS)
      // The store can report an error after it has begun to answer with 200.
      if (!ended.includes('CompleteMultipartUploadResult'))
        throw new Error('the store did not put the parts together')
    } catch (error) {
      // Not awaited: a store that was just silent would take as long again. Unfinished uploads
      // are aborted after a day.
      void ask({ method: 'DELETE', name, query: { uploadId }, also: [404] }).catch(() => undefined)
      throw error
    }
  }

  /**
   * Resumes where the connection was lost or fell silent. Only the time spent waiting for the store
   * counts, not that of the reader.
   */
  async function* bytes(first: Response, sha256: string, from: number): AsyncGenerator<Uint8Array> {
    const end = from + Number(first.headers.get('content-length')) - 1
    let [answer, at, tries] = [first, from, 1]
    let [quiet, moved] = [0, 0]
    while (at <= end) {
      const reader = answer.body?.getReader()
      try {
        for (;;) {
          const asked = performance.now()
          const part = await within(reader?.read(), Math.min(quietMs / 2, quietMs - quiet))
          quiet += performance.now() - asked
          if (part?.value === undefined) break
          at += part.value.byteLength
          moved += part.value.byteLength
          if (moved >= MOVES_BYTES) [quiet, moved, tries] = [0, 0, 1]
          yield part.value
        }
        if (at > end) return
        throw new Error('the answer ended early')
      } catch (error) {
        if (error instanceof SilenceError) quiet = Math.max(quiet, quietMs / 2)
        if (tries++ >= TRIES || quiet >= quietMs) throw failed('GET', reasonOf(error))
        const asked = performance.now()
        const again = await get(sha256, { start: at, end }, quietMs - quiet)
        quiet += performance.now() - asked
        if (again === null) throw error
        answer = again
      } finally {
        void reader?.cancel().catch(() => undefined)
      }
    }
  }
  async function get(
    sha256: string,
    range?: { readonly start: number; readonly end: number },
    withinMs = quietMs,
  ): Promise<Response | null> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
    const answer = await ask({ method: 'GET', name: nameOf(sha256), headers, also: [404], withinMs })
    if (answer.status !== 404) return answer
    await answer.body?.cancel()
    return null
  }
  async function stream(
    sha256: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<Readable | null> {
    const first = await get(sha256, range)
    return first === null
      ? null
      : Readable.from(bytes(first, sha256, range?.start ?? 0), { objectMode: false })
  }

  const copies = createFileCache({ folder: join(folder, 'kopien'), maxBytes: cacheBytes, fetchCopy: stream })

  /** Yields the elements of every page of a list. */
  async function* pages(
    query: Readonly<Record<string, string>>,
    element: RegExp,
    next: readonly (readonly [query: string, tag: string])[],
  ) {
    let more: Record<string, string> | null = {}
    while (more !== null) {
      const page: string = await said({ method: 'GET', query: { ...query, prefix, ...more } })
      for (const [, inner] of page.matchAll(element)) yield inner!
      const on = Object.fromEntries(next.map(([name, tag]) => [name, unescape(textOf(page, tag))]))
      more =
        textOf(page, 'IsTruncated') === 'true' && Object.values(on).some((value) => value !== '') ? on : null
    }
  }

  return {
    ...local,
    async putFile(path, known) {
      const found = known ?? (await hashOf(path))
      const there = await look(found.sha256)
      // Uploaded again if it is incomplete; and if it is old, because the clean-up looks at its age: not
      // every store updates the date of an object that is copied onto itself.
      if (there?.groesse !== found.groesse || Date.now() - there.seit.getTime() > FRESH_MS)
        await put(path, found)
      await copies.keep(found.sha256, path).catch(() => undefined)
      return found
    },
    async readFrom(sha256, range) {
      const path = await copies.vorhanden(sha256)
      return path === null
        ? stream(sha256, range)
        : createReadStream(path, { ...range, highWaterMark: 1 << 18 })
    },
    groesse: async (sha256) => (await look(sha256))?.groesse ?? null,
    async filePath(sha256, workPath) {
      const path = await copies.filePath(sha256)
      if (path === null || workPath === undefined) return path
      const own = `${workPath}.${sha256.slice(0, 8)}`
      await nameAlso(path, own)
      return own
    },
    async remove(sha256) {
      await ask({ method: 'DELETE', name: nameOf(sha256), also: [404] })
      await copies.evict(sha256)
    },
    async *liste(): AsyncIterable<Listed> {
      for await (const entry of pages({ 'list-type': '2' }, /<Contents>([\s\S]*?)<\/Contents>/g, [
        ['continuation-token', 'NextContinuationToken'],
      ])) {
        const key = textOf(entry, 'Key')
        const sha256 = key.slice(-64)
        if (!isFileName(sha256) || key !== nameOf(sha256)) continue
        yield {
          sha256,
          groesse: Number(textOf(entry, 'Size')),
          seit: new Date(textOf(entry, 'LastModified')),
        }
      }
    },
    async cleanUpWork(olderThan) {
      let count = await local.cleanUpWork(olderThan)
      const next = [
        ['key-marker', 'NextKeyMarker'],
        ['upload-id-marker', 'NextUploadIdMarker'],
      ] as const
      for await (const entry of pages({ uploads: '' }, /<Upload>([\s\S]*?)<\/Upload>/g, next)) {
        if (new Date(textOf(entry, 'Initiated')) >= olderThan) continue
        const [name, uploadId] = [unescape(textOf(entry, 'Key')), unescape(textOf(entry, 'UploadId'))]
        await ask({ method: 'DELETE', name, query: { uploadId }, also: [404] })
        count++
      }
      return count
    },
  }
}

/** The store was silent for too long. */
class SilenceError extends Error {
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

async function within<T>(work: Promise<T> | undefined, milliseconds: number): Promise<T | undefined> {
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
const reasonOf = (error: unknown): string =>
  reasonForLog(error instanceof TypeError && error.cause instanceof Error ? error.cause : error)
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const textOf = (xml: string, tag: string): string =>
  new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? ''
const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
const unescape = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d+)|#x([0-9a-f]+)|(lt|gt|quot|apos|amp));/gi,
    (_, ten?: string, sixteen?: string, sign?: string) =>
      sign === undefined
        ? String.fromCodePoint(ten === undefined ? Number.parseInt(sixteen!, 16) : Number(ten))
        : SIGNS[sign.toLowerCase()]!,
  )
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
