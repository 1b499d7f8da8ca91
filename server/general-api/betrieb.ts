// GET betrieb: the state of the installation, for the provider's admins.
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { forNutzer } from '#server/route-caller.ts'
import { type GeneralApiOptions, ok } from './answer.ts'
import { credentialOf } from './credential.ts'

const IS_ADMIN = {
  name: 'is_provider_admin',
  text: `select rights.has_any('ogf_admin', 'apus_admin') as allowed`,
}

export function betrieb(app: FastifyInstance, { database, readOperatingState }: GeneralApiOptions): void {
  app.get(
    '/betrieb',
    forNutzer(
      async (caller) => {
        const { rows } = await database.once<{ allowed: boolean }>(
          asNutzer(caller, { readOnly: true }),
          IS_ADMIN,
        )
        if (rows[0]?.allowed !== true) throw new Refusal('not_allowed')
        return ok(await readOperatingState())
      },
      { credentialOf },
    ),
  )
}
