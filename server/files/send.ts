// A stored file as the answer to a request whose caller may have it: whole, a range, or
// 304 if it has not changed.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Store } from './store.ts'
import { isKept } from '#server/etag.ts'

/** Cached by the caller's browser for a while, and for this token only: what is withdrawn soon disappears. */
export const KEPT = { 'cache-control': 'private, max-age=300', vary: 'authorization' }

export interface SentFile {
  readonly sha256: string
  readonly mime: string
  /** Name to save it under; null: it is displayed. */
  readonly name: string | null
}

/** Null if its bytes are missing. */
export async function sendStoredFile(
  request: FastifyRequest,
  reply: FastifyReply,
  fileStore: Store,
  { sha256, mime, name }: SentFile,
): Promise<FastifyReply | null> {
  const etag = `"${sha256}"`
  if (isKept(request.headers['if-none-match'], etag))
    return reply
      .headers({ ...KEPT, etag })
      .code(304)
      .send()
  const size = await fileStore.groesse(sha256)
  if (size === null) return null
  const wanted =
    request.headers['if-range'] === undefined || request.headers['if-range'] === etag
      ? request.headers.range
      : undefined
  const range = rangeOf(wanted, size)
  if (range === 'unsatisfiable')
    return reply
      .headers({ ...KEPT, etag, 'content-range': `bytes */${size}` })
      .code(416)
      .send()
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const stream = request.method === 'HEAD' ? noBody() : await fileStore.readFrom(sha256, { start, end })
  if (stream === null) return null
  reply.headers({
    ...KEPT,
    etag,
    'accept-ranges': 'bytes',
    'content-type': mime,
    'content-disposition': name === null ? 'inline' : attachment(name),
    'x-content-type-options': 'nosniff',
  })
  if (range !== null) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.header('content-length', end - start + 1)
  return reply.send(stream)
}

/** For HEAD: without a stream, Fastify would say that the content has no length. */
export const noBody = (): Readable => Readable.from([])

/** A single byte range; several ranges, or unreadable ones, are answered with the whole file. */
export function rangeOf(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (found === null || (found[1] === '' && found[2] === '')) return null
  const [from, to] = [found[1]!, found[2]!]
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to))
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  return start >= size || (from === '' && Number(to) === 0) ? 'unsatisfiable' : { start, end }
}

/** RFC 6266: a plain ASCII name for old clients, the full one beside it. */
export const attachment = (name: string): string =>
  `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"; ` +
  `filename*=UTF-8''${encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )}`
