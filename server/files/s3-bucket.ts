// The files of a bucket, each under its SHA-256: how they are put in, read and listed.
import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { Response } from 'undici'
import { reasonOf, type S3Client, SilenceError, TRIES, within } from './s3-client.ts'
import { hashOf, isFileName, type Listed, type Stored, storeKeyOf } from './store.ts'

export interface BucketOptions {
  /** In front of every object name. */
  readonly prefix: string
  /** Files larger than this are uploaded in parts of this size. */
  readonly partBytes: number
}

/** Less than this within that time counts as silence. */
const MOVES_BYTES = 64 * 1024
/** For combining the parts: the store sends blanks meanwhile. */
const TOGETHER_MS = 60_000
const MOST_PARTS = 10_000

export interface ByteRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

export class Bucket {
  readonly #client: S3Client
  readonly #options: BucketOptions

  constructor(client: S3Client, options: BucketOptions) {
    this.#client = client
    this.#options = options
  }

  /** Null if there is no such file. */
  async look(sha256: string): Promise<{ readonly groesse: number; readonly seit: Date } | null> {
    const answer = await this.#client.ask({ method: 'HEAD', name: this.#nameOf(sha256), also: [404] })
    if (answer.status === 404) return null
    return {
      groesse: Number(answer.headers.get('content-length')),
      seit: new Date(answer.headers.get('last-modified') ?? 0),
    }
  }

  async put(path: string, { sha256, groesse }: Stored): Promise<void> {
    const file = await openAsBlob(path)
    if (file.size !== groesse) throw new Error('the file was written to while it was put in')
    const name = this.#nameOf(sha256)
    if (groesse <= this.#options.partBytes)
      return void (await this.#client.ask({ method: 'PUT', name, body: file, sha256 }))
    await this.#putInParts(path, file, name)
    if ((await this.look(sha256))?.groesse !== groesse)
      throw new Error('the store has other bytes than were put in')
  }

  async remove(sha256: string): Promise<void> {
    await this.#client.ask({ method: 'DELETE', name: this.#nameOf(sha256), also: [404] })
  }

  /** Null if there is no such file. */
  async read(sha256: string, range?: ByteRange): Promise<Readable | null> {
    const first = await this.#get(sha256, range)
    if (first === null) return null
    return Readable.from(this.#bytes(first, sha256, range?.start ?? 0), { objectMode: false })
  }

  async *list(): AsyncGenerator<Listed> {
    const next = [['continuation-token', 'NextContinuationToken']] as const
    for await (const entry of this.#pages({ 'list-type': '2' }, /<Contents>([\s\S]*?)<\/Contents>/g, next)) {
      const key = textOf(entry, 'Key')
      const sha256 = key.slice(-64)
      if (!isFileName(sha256) || key !== this.#nameOf(sha256)) continue
      yield {
        sha256,
        groesse: Number(textOf(entry, 'Size')),
        seit: new Date(textOf(entry, 'LastModified')),
      }
    }
  }

  /** Removes uploads in parts that were begun before and not ended. Returns how many. */
  async abortUploads(olderThan: Date): Promise<number> {
    let count = 0
    const next = [
      ['key-marker', 'NextKeyMarker'],
      ['upload-id-marker', 'NextUploadIdMarker'],
    ] as const
    for await (const entry of this.#pages({ uploads: '' }, /<Upload>([\s\S]*?)<\/Upload>/g, next)) {
      if (new Date(textOf(entry, 'Initiated')) >= olderThan) continue
      const [name, uploadId] = [unescape(textOf(entry, 'Key')), unescape(textOf(entry, 'UploadId'))]
      await this.#client.ask({ method: 'DELETE', name, query: { uploadId }, also: [404] })
      count++
    }
    return count
  }

  #nameOf(sha256: string): string {
    return this.#options.prefix + storeKeyOf(sha256)
  }

  async #putInParts(path: string, file: Blob, name: string): Promise<void> {
    const begun = await this.#client.said({ method: 'POST', name, query: { uploads: '' } })
    const uploadId = unescape(/<UploadId>([^<]+)<\/UploadId>/.exec(begun)?.[1] ?? '')
    if (uploadId === '') throw new Error('the store began no upload')
    try {
      const etags = await this.#putParts(path, file, { name, uploadId })
      await this.#combineParts(etags, { name, uploadId })
    } catch (error) {
      // Not awaited: a store that was just silent would take as long again. Unfinished uploads
      // are aborted after a day.
      void this.#client
        .ask({ method: 'DELETE', name, query: { uploadId }, also: [404] })
        .catch(() => undefined)
      throw error
    }
  }

  async #putParts(path: string, file: Blob, { name, uploadId }: PartedUpload): Promise<string[]> {
    const size = Math.max(this.#options.partBytes, Math.ceil(file.size / MOST_PARTS))
    const etags: string[] = []
    for (let start = 0; start < file.size; start += size) {
      const end = Math.min(file.size, start + size)
      const { sha256 } = await hashOf(path, { start, end: end - 1 })
      const query = { partNumber: String(etags.length + 1), uploadId }
      const body = file.slice(start, end)
      const answer = await this.#client.ask({ method: 'PUT', name, query, body, sha256 })
      etags.push(answer.headers.get('etag') ?? '')
    }
    return etags
  }

  async #combineParts(etags: readonly string[], { name, uploadId }: PartedUpload): Promise<void> {
    const parts = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escape(etag)}</ETag></Part>`,
    )
    const body =
      '<CompleteMultipartUpload ' +
      `xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`
    const ended = await this.#client.said({ method: 'POST', name, query: { uploadId }, body }, TOGETHER_MS)
    // The store can report an error after it has begun to answer with 200.
    if (!ended.includes('CompleteMultipartUploadResult'))
      throw new Error('the store did not put the parts together')
  }

  async #get(sha256: string, range?: ByteRange, withinMs = this.#client.quietMs): Promise<Response | null> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
    const name = this.#nameOf(sha256)
    const answer = await this.#client.ask({ method: 'GET', name, headers, also: [404], withinMs })
    if (answer.status !== 404) return answer
    await answer.body?.cancel()
    return null
  }

  /**
   * Resumes where the connection was lost or fell silent. Only the time spent waiting for the store
   * counts, not that of the reader.
   */
  async *#bytes(first: Response, sha256: string, from: number): AsyncGenerator<Uint8Array> {
    const end = from + Number(first.headers.get('content-length')) - 1
    const { quietMs } = this.#client
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
        if (tries++ >= TRIES || quiet >= quietMs) throw this.#client.failed('GET', reasonOf(error))
        const asked = performance.now()
        const again = await this.#get(sha256, { start: at, end }, quietMs - quiet)
        quiet += performance.now() - asked
        if (again === null) throw error
        answer = again
      } finally {
        void reader?.cancel().catch(() => undefined)
      }
    }
  }
  /** Yields the elements of every page of a list. */
  async *#pages(
    query: Readonly<Record<string, string>>,
    element: RegExp,
    next: readonly (readonly [query: string, tag: string])[],
  ): AsyncGenerator<string> {
    const { prefix } = this.#options
    let more: Record<string, string> | null = {}
    while (more !== null) {
      const page: string = await this.#client.said({ method: 'GET', query: { ...query, prefix, ...more } })
      for (const [, inner] of page.matchAll(element)) yield inner!
      const on = Object.fromEntries(next.map(([name, tag]) => [name, unescape(textOf(page, tag))]))
      more =
        textOf(page, 'IsTruncated') === 'true' && Object.values(on).some((value) => value !== '') ? on : null
    }
  }
}

interface PartedUpload {
  readonly name: string
  readonly uploadId: string
}

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
