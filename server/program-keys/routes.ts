// POST {general API}/zugaenge: makes a key for a program, after the person has shown once more who they are.
// The key is in this answer and nowhere else.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MadeKey, NewKey } from '#contract/zugang.ts'
import type { Caller } from '#server/caller.ts'
import { type Database, DatabaseFault } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { refuseGeneral } from '#server/refuse.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { type DeviceDesk, deviceRoutes } from './device-routes.ts'
import { digestOf, makeKey, signsOf } from './key-format.ts'

export interface Proof {
  readonly password: string
  /** Of the second factor, if there is one. */
  readonly code: string
}

export interface ProgramKeyRoutesOptions {
  readonly database: Database
  /** Null where an outside provider signs people in: then the sign-in itself must be recent. */
  readonly confirm: ((email: string, proof: Proof) => Promise<string | null>) | null
  /** Null where an outside provider connects programs. */
  readonly devices: DeviceDesk | null
  readonly now: () => Date
}

const NO_CLIENTS =
  'Die Anmeldung dieses Servers kennt keine anderen Programme. Lassen Sie das Feld bitte leer.'

/** How long ago a sign-in at an outside provider may be. */
const RECENT_S = 900

export function createProgramKeyRoom(options: ProgramKeyRoutesOptions) {
  return {
    name: 'keys for programs',
    routes: async (app: FastifyInstance) => {
      app.post(
        '/zugaenge',
        forNutzer((...asked) => add(options, ...asked), { bodyLimit: 8_192 }),
      )
      const { database, devices } = options
      if (devices !== null)
        deviceRoutes(app, {
          database,
          devices,
          makeKey: async ({ caller, body, reply }) =>
            (await make(options, { caller, body, reply }))?.id ?? null,
        })
    },
  } satisfies Room
}

async function add(
  options: ProgramKeyRoutesOptions,
  caller: Caller,
  { body }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const data = await make(options, { caller, body, reply })
  return data === null
    ? reply
    : reply.header('cache-control', 'no-store').send({ code: 20_000, message: 'ok', data })
}

/** Answers itself if it refuses, with null. */
async function make(
  { database, confirm, now }: ProgramKeyRoutesOptions,
  { caller, body, reply }: { caller: Caller; body: unknown; reply: FastifyReply },
): Promise<MadeKey | null> {
  const { wanted, proof } = bodyOf(body)
  const fault =
    confirm === null ? recentSignIn(caller, now()) : await confirm(await ownEmail(database, caller), proof)
  if (fault !== null) {
    refuseField(reply, { field: 'passwort', message: fault })
    return null
  }
  const { client } = wanted
  if (client !== undefined && confirm !== null) {
    refuseField(reply, { field: 'client', message: NO_CLIENTS })
    return null
  }
  const key = makeKey()
  const statement = {
    text: 'select accounts.add_key($1::jsonb, $2, $3) as id',
    values: [JSON.stringify(wanted), digestOf(key), signsOf(key)],
  }
  try {
    const { rows } = await database.once<{ id: number }>(asNutzer(caller), statement)
    return { id: Number(rows[0]?.id), zugang: client === undefined ? key : null }
  } catch (error) {
    const refused = error instanceof DatabaseFault && error.hint?.startsWith('zugang_') === true
    if (!refused) throw error
    // The browser has a sentence for every rule.
    refuseGeneral(reply, error, { hint: error.hint, column: error.column })
    return null
  }
}

const refuseField = (reply: FastifyReply, fault: { field: string; message: string }): FastifyReply =>
  refuseGeneral(reply, new Refusal('bad_value', fault.message), { fields: [fault] })

function bodyOf(body: unknown): { wanted: NewKey; proof: Proof } {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const { passwort, code, ...wanted } = given
  const proof = { password: textIn(passwort), code: textIn(code) }
  return { wanted: wanted as unknown as NewKey, proof }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What is missing of a recent sign-in; null: nothing. */
function recentSignIn({ claims }: Caller, now: Date): string | null {
  const at = claims['auth_time']
  if (typeof at === 'number' && at > now.getTime() / 1000 - RECENT_S) return null
  return (
    'Dafür darf Ihre Anmeldung höchstens 15 Minuten alt sein. Bitte melden Sie sich ab und neu an, und ' +
    'legen Sie den Schlüssel dann an.'
  )
}

/** The address from the caller's own record. */
async function ownEmail(database: Database, caller: Caller): Promise<string> {
  const { rows } = await database.once<{ email: string }>(asNutzer(caller), {
    text: 'select email from app.a_get_currentuser()',
  })
  const [person] = rows
  if (person === undefined) throw new Refusal('not_allowed')
  return person.email
}
