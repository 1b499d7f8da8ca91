// POST {general API}/einladung, /entsperren, /sitzungen-beenden, /zweiter-faktor-entfernen: what admins do with other people's accounts.
// Whether the caller may is decided in the database, by rechte.darf_konto_verwalten under the caller's own claims.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Authenticate, type Caller, SignInFault } from '#server/caller.ts'
import { type Database, DatabaseFault, PoolTimeoutFault, UnavailableFault } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'
import type { AccountService } from './account-service.ts'

export interface AdminRoutesOptions {
  /** Base path of the general API. */
  readonly base: string
  readonly database: Database
  readonly accounts: AccountService
  readonly authenticate: Authenticate
  readonly log: Log
}

type Act = (accounts: AccountService, email: string, wer: string) => Promise<unknown>

const ACTS: Readonly<Record<string, Act>> = {
  einladung: async (accounts, email, wer) => {
    const { link, expires, mailed } = await accounts.inviteUser(email, wer)
    return { link, expires: expires.toISOString(), mailed }
  },
  entsperren: (accounts, email, wer) => accounts.unlock(email, wer),
  'sitzungen-beenden': (accounts, email, wer) => accounts.endSessions(email, wer),
  'zweiter-faktor-entfernen': (accounts, email, wer) => accounts.resetSecondFactor(email, wer),
}

export async function adminRoutes(scope: FastifyInstance, options: AdminRoutesOptions): Promise<void> {
  scope.setErrorHandler((error, _request, reply) => answerFault(reply, error, options.log))
  for (const [name, act] of Object.entries(ACTS)) {
    scope.post(`${options.base}/${name}`, { bodyLimit: 1_024 }, async (request, reply) => {
      const caller = await options.authenticate(request.headers.authorization)
      const email = await addressOf(options.database, caller, userIdOf(request.body))
      const data = await act(options.accounts, email, caller.claims.email ?? caller.claims.sub)
      return reply.header('cache-control', 'no-store').send({ code: 20000, message: 'ok', data: data ?? null })
    })
  }
}

class BadValue extends Error {}

function userIdOf(body: unknown): string {
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : []
  const id = keys.length === 1 && keys[0] === 'user_id' ? (body as { user_id: unknown }).user_id : undefined
  const text = typeof id === 'number' ? String(id) : id
  if (typeof text !== 'string' || !/^[1-9]\d{0,17}$/.test(text)) throw new BadValue()
  return text
}

async function addressOf(database: Database, caller: Caller, userId: string): Promise<string> {
  const { rows } = await database.once<{ email: string }>(
    {
      role: 'nutzer',
      settings: { 'request.jwt.claims': caller.claimsJson },
      preRequest: { name: 'check_request', text: 'select rechte.check_request()' },
    },
    { text: 'select email from rechte.darf_konto_verwalten($1)', values: [userId] },
  )
  const [person] = rows
  if (person === undefined) throw new DatabaseFault('not found or not allowed', { code: 'PT403' })
  return person.email
}

function answerFault(reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  const say = (status: number, code: number, message: string) =>
    reply.code(status).header('cache-control', 'no-store').send({ code, message, data: null })
  if (error instanceof SignInFault) {
    if (error.kind === 'keys_unavailable')
      return say(503, 50300, 'Der Anmeldedienst ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.')
    reply.header('www-authenticate', error.kind === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"')
    return error.kind === 'expired'
      ? say(401, 50014, 'Ihre Anmeldung ist abgelaufen. Bitte melden Sie sich neu an.')
      : say(401, 50008, 'Bitte melden Sie sich an.')
  }
  if (error instanceof UnavailableFault || error instanceof PoolTimeoutFault)
    return say(503, 50300, 'Die Datenbank ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.')
  if (error instanceof DatabaseFault && error.code === 'PT401')
    return say(401, 50012, 'Ihr Zugang wurde gesperrt oder die Sitzung beendet. Bitte melden Sie sich neu an.')
  if (error instanceof DatabaseFault && (error.code === 'PT403' || error.code === '42501'))
    return say(403, 40300, 'Diese Person gibt es nicht, oder Sie dürfen ihr Konto nicht verwalten.')
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (error instanceof BadValue || (status >= 400 && status < 500))
    return say(error instanceof BadValue ? 400 : status, 40000, 'Erwartet wird {"user_id": Nummer}.')
  log.error('account administration', {
    reason: error instanceof Error ? error.name : 'unknown',
    code: error instanceof DatabaseFault ? error.code : null,
  })
  return say(500, 50000, 'Es ist ein Fehler aufgetreten. Bitte versuchen Sie es noch einmal.')
}
