// How import and export of geographic data answer, and how they report faults: with a stable code where there
// is one, so that the browser can say it in the reader's language.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileReason } from '#contract/vermessung-import.ts'
import { Refusal, toRefusal } from '#server/errors.ts'
import { ArrivalFault } from '#server/files/arrivals.ts'
import { refuseGeneral } from '#server/refuse.ts'
import { CodedRefusal } from './coded-refusal.ts'
import { ReaderEndedError } from './foreign.ts'
import { REASONS } from './reasons.ts'
import { FileFault } from './source.ts'

const SUCCESS = 20_000

export const paramOf = (request: FastifyRequest, name: string): string =>
  String((request.params as Record<string, unknown>)[name])
/** '' if it is missing or repeated. */
export function queryOf(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

/** The coordinate system that is asked for; null: the usual one. @throws Refusal */
export function systemOf(request: FastifyRequest): number | null {
  const asked = queryOf(request, 'epsg')
  if (asked !== '' && !/^\d{4,5}$/.test(asked)) throw new Refusal('bad_value')
  return asked === '' ? null : Number(asked)
}

/** The uploaded file as a raw stream; not JSON or text that a parser has already read. */
export function fileOf(request: FastifyRequest): Readable {
  if (request.body instanceof Readable) return request.body
  throw new Refusal('bad_value', 'Die Datei muss als application/octet-stream geschickt werden.')
}

/**
 * Suggested file name: `art` alone for clients that only know ASCII, with the holder and
 * the date for the others.
 */
export function contentDispositionOf(art: string, source: string, day: Date, ending: string): string {
  const owner = source.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)
  const name = `${art}_${owner}_${day.toISOString().slice(0, 10)}.${ending}`
  return `attachment; filename="${art}.${ending}"; filename*=UTF-8''${encodeURIComponent(name)}`
}

/** In the general API's envelope, never cached. */
export const respond = (reply: FastifyReply, data: unknown): FastifyReply =>
  reply.header('cache-control', 'no-store').send({ code: SUCCESS, message: 'ok', data })

/** @param eigene reasons that this noun explains in its own words */
export const faultAnswer =
  (own: Partial<Record<FileReason, string>> = {}) =>
  (error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof FileFault)
      return reply
        .code(422)
        .header('cache-control', 'no-store')
        .send({
          code: 42_200,
          data: null,
          message: own[error.code] ?? REASONS[error.code],
          error: 'bad_value',
          hint: error.code,
        })
    const refusal = error instanceof ReaderEndedError ? new Refusal('unavailable') : toRefusal(error)
    if (refusal instanceof CodedRefusal || refusal instanceof ArrivalFault)
      return refuseGeneral(reply, refusal, { hint: refusal.hint, werte: refusal.werte })
    if (refusal.status >= 500) throw error
    return refuseGeneral(reply, error)
  }
