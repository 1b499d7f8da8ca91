// What people do with their own account: POST {general API}/eigenes-konto and /eigene-sitzungen-beenden while
// signed in, and the page /anmelden/passwort-aendern, which asks for the present password, so that an
// unlocked screen does not give the account away.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '#server/errors.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { asNutzer } from '#server/nutzer.ts'
import { forNutzer } from '#server/route-caller.ts'
import { type AccountServices, InputFault } from './account-service.ts'
import { displayName, endSessions, storePassword } from './accounts.ts'
import { type AdminRoutesOptions, answerFault } from './admin-routes.ts'
import type { Devices } from './devices.ts'
import { recordEvent } from './events.ts'
import { changeOwnPasswordPage } from './form-pages.ts'
import { field, type PageContext, sendPage } from './page-routes.ts'
import { messagePage, toApplication } from './pages.ts'
import { hashPassword, passwordFault } from './passwords.ts'
import { checkProof, type OwnProof, withKeys } from './proof.ts'

/** How many recent events people see of their own account. */
const EVENTS = 10

export async function ownAccountRoutes(scope: FastifyInstance, options: AdminRoutesOptions): Promise<void> {
  const { base, database, accounts, log } = options
  scope.setErrorHandler((error, _request, reply) => answerFault(reply, error, log))
  const limits = { bodyLimit: 1_024 }
  const answer = (reply: FastifyReply, data: unknown) =>
    reply.header('cache-control', 'no-store').send({ code: 20000, message: 'ok', data })

  scope.post(
    `${base}/eigenes-konto`,
    forNutzer(async (caller, _request, reply) => {
      const own = await accounts.describe(await ownEmail(database, caller))
      const { passwort, zweiter_faktor, letzte_anmeldung, ereignisse } = own
      return answer(reply, {
        passwort,
        zweiter_faktor,
        letzte_anmeldung,
        ereignisse: ereignisse.slice(0, EVENTS),
      })
    }, limits),
  )
  scope.post(
    `${base}/eigene-sitzungen-beenden`,
    forNutzer(async (caller, request, reply) => {
      const email = await ownEmail(database, caller)
      await accounts.endSessions(email, email, withKeys(request.body))
      return answer(reply, null)
    }, limits),
  )
}

/** The address from the caller's own record, never one named in a request. */
async function ownEmail(database: Database, caller: Caller): Promise<string> {
  const { rows } = await database.once<{ email: string }>(asNutzer(caller), {
    text: 'select email from app.a_get_currentuser()',
    values: [],
  })
  const [person] = rows
  if (person === undefined) throw new Refusal('not_allowed')
  return person.email
}

export interface PasswordChange extends OwnProof {
  readonly next: string
  readonly repeated: string
}

const WRONG = 'E-Mail-Adresse, Passwort oder Code stimmen nicht. Bitte prüfen Sie alle drei.'

/** Answers the same whether or not an address has an account; see checkProof. */
export async function changeOwnPassword(
  services: AccountServices,
  change: PasswordChange,
  device: string | null,
): Promise<void> {
  const { db, throttle, outbox, title } = services
  const { password, next, repeated } = change
  const checked = await checkProof(services, change, { device, wrong: WRONG })
  if ('fault' in checked) throw new InputFault(checked.fault)
  const { account } = checked
  if (next !== repeated)
    throw new InputFault(
      'Die beiden Eingaben sind verschieden. Bitte geben Sie das neue Passwort zweimal gleich ein.',
    )
  const fault = passwordFault(next, [account.email, displayName(account), title])
  if (fault !== null) throw new InputFault(fault)
  if (next === password)
    throw new InputFault('Das ist Ihr bisheriges Passwort. Bitte legen Sie ein anderes fest.')
  const pwHash = await hashPassword(next, account.email)
  const post = await db.transaction(async (query) => {
    await storePassword(query, account.konto_id, pwHash)
    await endSessions(query, account)
    await throttle.succeed(query, account.email, device)
    await recordEvent(query, { art: 'passwort_gesetzt', konto_id: account.konto_id, email: account.email })
    return outbox.put(query, { art: 'passwort_neu', accountId: account.konto_id, to: account.email })
  })
  outbox.deliverSoon(post)
}

interface PasswordChangeOptions extends PageContext {
  readonly services: AccountServices
  readonly devices: Devices
}

export function passwordChangeRoutes(
  scope: FastifyInstance,
  { services, devices, ...context }: PasswordChangeOptions,
): void {
  const { pages, appOrigin } = context
  scope.get('/anmelden/passwort-aendern', (_request, reply) =>
    sendPage(reply, pages, changeOwnPasswordPage({ message: null, email: '' })),
  )
  scope.post('/anmelden/passwort-aendern', async (request, reply) => {
    const email = field(request, 'email').trim()
    try {
      const change = {
        email,
        password: field(request, 'passwort'),
        code: field(request, 'code'),
        next: field(request, 'neu'),
        repeated: field(request, 'wiederholt'),
      }
      await changeOwnPassword(services, change, devices.known(request, email))
    } catch (error) {
      if (error instanceof InputFault)
        return sendPage(reply, pages, changeOwnPasswordPage({ message: error.message, email }), 400)
      throw error
    }
    return sendPage(reply, pages, changed(appOrigin))
  })
}

const changed = (appOrigin: string) =>
  messagePage(
    'Ihr Passwort ist geändert',
    ['Alle Sitzungen Ihres Kontos wurden beendet. Melden Sie sich jetzt mit dem neuen Passwort an.'],
    toApplication(appOrigin),
  )
