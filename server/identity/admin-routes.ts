// POST {general API}/konto, /einladung, /entsperren, /sitzungen-beenden, /zweiter-faktor-entfernen: what
// admins do with other people's accounts.
// The database decides whether the caller may, in accounts.check_may_manage under the caller's own claims.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SentInvitation } from '#contract/nutzer.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { isForLog, Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { refuseGeneral } from '#server/refuse.ts'
import { forNutzer } from '#server/route-caller.ts'
import { type AccountService, InputFault, type Invitation } from './account-service.ts'
import { HourlyLimitError } from './outbox.ts'
import { withKeys } from './proof.ts'

export interface AdminRoutesOptions {
  /** Base path of the general API. */
  readonly base: string
  readonly database: Database
  readonly accounts: AccountService
  readonly log: Log
}

interface Managed {
  readonly email: string
  /** Whether the caller may see a link that sets a first password and vouches for the address. */
  readonly vertraut: boolean
}

type Act = (accounts: AccountService, person: Managed, who: string, body: unknown) => Promise<unknown>

const HAS_PASSWORD =
  'Dieses Konto hat schon ein Passwort. Die Person kann es auf der Anmeldeseite unter „Passwort ' +
  'vergessen?“ selbst erneuern.'

const ASK_OPERATOR =
  'Dieses Konto hat schon ein Passwort, und von hier werden keine E-Mails versendet. Einen Link für ein neues ' +
  'Passwort macht, wer den Server betreibt (npm run password-link).'

const ACTS: Readonly<Record<string, Act>> = {
  konto: (accounts, { email }) => accounts.describe(email),
  einladung: async (accounts, { email, vertraut }, who) => {
    // A link to an account in use would give it to anyone who sees it: with what the person may see, and in
    // their name.
    const isUsed = (await accounts.describe(email)).passwort
    if (isUsed && !vertraut) throw new Refusal('conflict', HAS_PASSWORD)
    if (isUsed && !accounts.sendsMail) throw new Refusal('conflict', ASK_OPERATOR)
    if (!vertraut || accounts.sendsMail) return shown({ link: null, ...(await byMail(accounts, email, who)) })
    return shown(await accounts.inviteUser(email, who))
  },
  entsperren: (accounts, { email }, who) => accounts.unlock(email, who),
  'sitzungen-beenden': (accounts, { email }, who, body) => accounts.endSessions(email, who, withKeys(body)),
  'zweiter-faktor-entfernen': (accounts, { email }, who) => accounts.resetSecondFactor(email, who),
}

const shown = ({
  link,
  expires,
  mailed,
  wartet,
}: Omit<Invitation, 'link'> & { link: string | null }): SentInvitation => ({
  link,
  expires: expires.toISOString(),
  mailed,
  wartet,
})

/** The person who invites must not get the link back: it would let them pass for the person it belongs to. */
async function byMail(
  accounts: AccountService,
  email: string,
  who: string,
): Promise<Omit<Invitation, 'link'>> {
  try {
    return await accounts.inviteByMail(email, who)
  } catch (error) {
    throw error instanceof InputFault ? new Refusal('conflict', error.message) : error
  }
}

export async function adminRoutes(scope: FastifyInstance, options: AdminRoutesOptions): Promise<void> {
  scope.setErrorHandler((error, _request, reply) => answerFault(reply, error, options.log))
  for (const [name, act] of Object.entries(ACTS)) {
    const answer = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
      const person = await personOf(options.database, caller, userIdOf(request.body))
      const who = caller.claims.email ?? caller.claims.sub
      const data = await act(options.accounts, person, who, request.body)
      return reply
        .header('cache-control', 'no-store')
        .send({ code: 20000, message: 'ok', data: data ?? null })
    }
    scope.post(`${options.base}/${name}`, forNutzer(answer, { bodyLimit: 1_024 }))
  }
}

function userIdOf(body: unknown): string {
  const keys = (typeof body === 'object' && body !== null ? Object.keys(body) : []).filter(
    (key) => key !== 'zugaenge',
  )
  const id = keys.length === 1 && keys[0] === 'user_id' ? (body as { user_id: unknown }).user_id : undefined
  const text = typeof id === 'number' ? String(id) : id
  if (typeof text !== 'string' || !/^[1-9]\d{0,17}$/.test(text))
    throw new Refusal('bad_value', 'Die Nummer der Person (user_id) fehlt.')
  return text
}

async function personOf(database: Database, caller: Caller, userId: string): Promise<Managed> {
  const statement = { text: 'select email, vertraut from accounts.check_may_manage($1)', values: [userId] }
  const { rows } = await database.once<Managed>(asNutzer(caller), statement)
  const [person] = rows
  if (person === undefined) throw new Refusal('not_allowed')
  return person
}

const FORBIDDEN = 'Diese Person gibt es nicht, oder Sie dürfen ihr Konto nicht verwalten.'

export function answerFault(reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  const refusal =
    error instanceof HourlyLimitError ? new Refusal('too_many_requests', error.message) : toRefusal(error)
  if (error instanceof HourlyLimitError) reply.header('retry-after', String(error.seconds))
  if (isForLog(error, refusal.status)) log.error('account administration', { reason: reasonForLog(error) })
  const told = error instanceof HourlyLimitError ? refusal : error
  return refuseGeneral(reply, told, refusal.code === 'not_allowed' ? { message: FORBIDDEN } : {})
}
