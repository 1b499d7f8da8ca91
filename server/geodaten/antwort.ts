// How import and export of geographic data answer, and how they say what went wrong: with a stable code where there is one, so that the browser can say it in the reader's language.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DateiGrund } from '#contract/vermessung-import.ts'
import { Refusal, toRefusal } from '#server/errors.ts'
import { Ablehnung } from './ablehnung.ts'
import { LeserEnde } from './foreign.ts'
import { GRUENDE } from './gruende.ts'
import { DateiFault } from './quelle.ts'

const SUCCESS = 20_000

export const paramOf = (request: FastifyRequest, name: string): string => String((request.params as Record<string, unknown>)[name])
/** '' where it is missing or said twice. */
export function queryOf(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

/** How a browser is to name a file: `art` for those that know ASCII alone, and of whom and when it is for the others. */
export function alsDatei(art: string, von: string, day: Date, ending: string): string {
  const name = `${art}_${von.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)}_${day.toISOString().slice(0, 10)}.${ending}`
  return `attachment; filename="${art}.${ending}"; filename*=UTF-8''${encodeURIComponent(name)}`
}

/** In the general API's envelope, never kept by anybody between. */
export const antworte = (reply: FastifyReply, data: unknown): FastifyReply =>
  reply.header('cache-control', 'no-store').send({ code: SUCCESS, message: 'ok', data })

/** @param eigene reasons that this noun says in words of its own */
export const fehlerAntwort =
  (eigene: Partial<Record<DateiGrund, string>> = {}) =>
  (error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const send = (status: number, body: object) =>
      reply
        .code(status)
        .header('cache-control', 'no-store')
        .send({ code: status * 100, data: null, ...body })
    if (error instanceof DateiFault)
      return send(422, { message: eigene[error.code] ?? GRUENDE[error.code], error: 'bad_value', hint: error.code })
    const refusal = error instanceof LeserEnde ? new Refusal('unavailable') : toRefusal(error)
    const told = refusal instanceof Ablehnung
    if (refusal.status >= 500 && !told) throw error
    return send(refusal.status, {
      message: refusal.message,
      error: refusal.code,
      ...(told && { hint: refusal.hint, werte: refusal.werte }),
    })
  }
