// Answers of OData: its version on each of them, nothing kept by anybody, failures in its own form.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#server/errors.ts'
import { contentType, type Form } from './format.ts'

export const METHODS = 'GET, HEAD, OPTIONS'

/** Cases for which OData prescribes a status that none of our codes has. */
class OtherStatusRefusal extends Refusal {
  readonly #status: number
  constructor(status: number, message: string) {
    super('bad_value', message)
    this.#status = status
  }
  override get status(): number {
    return this.#status
  }
}

export const notAcceptable = (): Refusal =>
  new OtherStatusRefusal(406, 'Zeilen gibt es nur als JSON, $metadata nur als XML oder JSON.')

export function refuseWrite(request: FastifyRequest, reply: FastifyReply): never {
  reply.header('allow', METHODS)
  if (!request.raw.complete) reply.header('connection', 'close')
  if (/\/\$batch(?:\?|$)/.test(request.url))
    throw new OtherStatusRefusal(501, '$batch wird nicht unterstützt. Fragen Sie einzeln.')
  throw new OtherStatusRefusal(405, 'OData ist hier nur zum Lesen da (GET).')
}

export const stamped = (reply: FastifyReply): FastifyReply =>
  reply.headers({
    'odata-version': '4.0',
    'cache-control': 'private, no-store',
    vary: 'accept, authorization, prefer',
  })

export const send = (reply: FastifyReply, type: string, text: string): FastifyReply =>
  stamped(reply).header('content-type', type).send(Buffer.from(text))

export const sendJson = (reply: FastifyReply, form: Form, text: string): FastifyReply =>
  send(reply, contentType(form), text)
