// GET versand/lage: whether mails can be sent, and from which address. Only for users who see the books:
// others have nothing to send.
import type { FastifyInstance } from 'fastify'
import type { DispatchState } from '#contract/zahlung.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { forNutzer } from '#server/route-caller.ts'
import { addressOf } from './mail.ts'

export interface DispatchRoutesOptions {
  readonly database: Database
  /** Undefined if there is no mail server. */
  readonly from: string | undefined
}

const MAY = { name: 'versand_lage', text: `select (select rights.has_role('apus_admin')) as ja` }

export function dispatchRoutes({
  database,
  from,
}: DispatchRoutesOptions): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.get(
      '/versand/lage',
      forNutzer(async (caller, _request, reply) => {
        const { rows } = await database.once<{ ja: boolean }>(asNutzer(caller, { readOnly: true }), MAY)
        if (rows[0]?.ja !== true) throw new Refusal('not_allowed')
        const situation: DispatchState = {
          mail: from !== undefined,
          absender: from === undefined ? null : addressOf(from),
        }
        return reply.header('cache-control', 'no-store').send(situation)
      }),
    )
  }
}
