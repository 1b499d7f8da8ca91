// GET betrieb: the state of the installation, for the provider's admins.
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { type GeneralApiOptions, ok } from './answer.ts'
import { credentialOf } from './credential.ts'

const IS_ADMIN = {
  name: 'is_provider_admin',
  text: `select rechte.has_any('ogf_admin', 'apus_admin') as allowed`,
}

export function betrieb(
  app: FastifyInstance,
  { authenticate, database, readOperatingState }: GeneralApiOptions,
): void {
  app.get('/betrieb', async (request) => {
    const caller = await authenticate(credentialOf(request))
    const { rows } = await database.once<{ allowed: boolean }>(asNutzer(caller, { readOnly: true }), IS_ADMIN)
    if (rows[0]?.allowed !== true) throw new Refusal('not_allowed')
    return ok(await readOperatingState())
  })
}
