// GET get_hqs_from_user/: the headquarters of a user. The procedure of the same name decides whose may be
// asked for.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { forNutzer } from '#server/route-caller.ts'
import { type GeneralApiOptions, ok } from './answer.ts'
import { credentialOf } from './credential.ts'

const FETCH = {
  name: 'get_hqs_from_user',
  text: `select coalesce(json_agg(hq), '[]')::text as hqs from app.__o_get_hqs_from_user($1::bigint) hq`,
}

export function hqsFromUser(app: FastifyInstance, { database }: GeneralApiOptions): void {
  const answer = async (caller: Caller, request: FastifyRequest) => {
    const id = oneText(request, 'user_id')
    if (id === undefined || !/^\d{1,18}$/.test(id))
      throw new Refusal('bad_value', 'user_id muss eine Nummer sein.')
    const { rows } = await database.once<{ hqs: string }>(asNutzer(caller, { readOnly: true }), {
      ...FETCH,
      values: [id],
    })
    return ok(JSON.parse(rows[0]?.hqs ?? '[]'))
  }
  const route = forNutzer(answer, {
    credentialOf: (request) => credentialOf(request, oneText(request, 'token')),
    programs: 'rpc/__o_get_hqs_from_user',
  })
  app.get('/get_hqs_from_user', route)
  app.get('/get_hqs_from_user/', route)
}

function oneText(request: FastifyRequest, name: 'token' | 'user_id'): string | undefined {
  const value = (request.query as Record<string, unknown>)[name]
  if (value === undefined || typeof value === 'string') return value
  throw new Refusal('bad_value', `${name} darf nur einmal angegeben werden.`)
}
