// How import and export of geographic data answer, and how they say what went wrong: with a stable code where there is one, so that the browser can say it in the reader's language.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DateiGrund } from '#contract/vermessung-import.ts'
import { toRefusal } from '#server/errors.ts'
import { Ablehnung } from './ablehnung.ts'
import { LeserEnde } from './faden.ts'
import { GRUENDE } from './gruende.ts'
import { DateiFault } from './quelle.ts'

const SUCCESS = 20_000

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
    const refusal = error instanceof LeserEnde ? new Ablehnung('import_lesezeit') : toRefusal(error)
    const told = refusal instanceof Ablehnung
    if (refusal.status >= 500 && !told) throw error
    return send(refusal.status, {
      message: refusal.message,
      error: refusal.code,
      ...(told && { hint: refusal.hint, werte: refusal.werte }),
    })
  }
