// Sign-in as configured: the embedded provider, whose keys are in this process, or an external
// one, whose keys are fetched.
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import type { Authenticate } from './caller.ts'
import { type Config, supportOf } from './config.ts'
import type { Database, OwnerConnection } from './database/database.ts'
import type { AccountService } from './identity/account-service.ts'
import type { DeviceRequests } from './identity/device-requests.ts'
import { idpDatabase } from './identity/idp-database.ts'
import { createIdentityProvider, type IdentityProvider } from './identity/identity-provider.ts'
import { checkSecretAsOwner, discardUnreadable } from './identity/secret-check.ts'
import { createSecrets } from './identity/secrets.ts'
import { createAuthenticate, linkIdentity } from './identity/verify.ts'
import type { Log } from './log.ts'
import { createBoundClients } from './program-keys/bound-clients.ts'
import { createKeyClients } from './program-keys/key-clients.ts'
import type { Room } from './room.ts'

export interface SignInOptions {
  readonly config: Config
  readonly database: Database
  /** Newest first. */
  readonly secrets: readonly string[]
  readonly log: Log
  readonly now: () => Date
}

export interface SignInRoom extends Room {
  readonly authenticate: Authenticate
  /** Null where an external provider signs people in. */
  readonly accounts: AccountService | null
  /** Programs that ask to be connected; null: the external provider connects them. */
  readonly deviceRequests: DeviceRequests | null
}

export async function createSignInRoom(options: SignInOptions): Promise<SignInRoom> {
  const { config, database, now, log } = options
  const provider = config.AUTH_MODE === 'embedded' ? await openProvider(options) : null
  const clientsOf = provider === null ? createBoundClients : createKeyClients
  const clients = clientsOf(database, config.OIDC_CLIENT_ID)
  const authenticate = createAuthenticate({
    programOf: (claims) => clients.callerOf(claims),
    issuer: provider?.issuer ?? config.OIDC_ISSUER,
    audience: config.OIDC_AUDIENCE,
    algorithms: config.OIDC_ALGS,
    jwks: provider?.keys ?? { uri: config.OIDC_JWKS_URI },
    clockSkewS: config.AUTH_CLOCK_SKEW_S,
    groupsClaim: config.OIDC_GROUPS_CLAIM,
    groupsMode: config.OIDC_GROUPS,
    emailClaim: config.OIDC_EMAIL_CLAIM,
    onFirstContact: linkIdentity(database),
    now,
    log,
  })
  const room = { name: 'sign-in', authenticate }
  if (provider === null) return { ...room, accounts: null, deviceRequests: null }
  return {
    ...room,
    routes: (app) => provider.mount(app, { authenticate, generalApiBase: config.GENERAL_API_BASE }),
    jobs: provider.jobs,
    close: () => provider.close(),
    accounts: provider.accounts,
    deviceRequests: provider.deviceRequests,
  }
}

/** With an external provider's sign-in the database holds nothing that the secret protects. */
export const secretCheck =
  (config: Config, secrets: readonly string[], accepts = false) =>
  async (owner: OwnerConnection): Promise<void> => {
    if (config.AUTH_MODE === 'embedded') await checkSecretAsOwner(owner, createSecrets(secrets), accepts)
  }

/** Discards what the former secret protected, when the operator asks for it; see discardUnreadable. */
export const acceptSecret = (database: Database, secrets: readonly string[]): Promise<number | null> =>
  discardUnreadable(idpDatabase(database), createSecrets(secrets))

export const openProvider = ({
  config,
  database,
  secrets,
  now,
  log,
}: SignInOptions): Promise<IdentityProvider> =>
  createIdentityProvider({
    database,
    secrets,
    publicOrigin: config.PUBLIC_ORIGIN,
    title: config.APP_TITLE,
    clientId: config.OIDC_CLIENT_ID,
    audience: config.OIDC_AUDIENCE,
    algorithm: config.OIDC_ALGS[0] ?? 'RS256',
    accessTtlS: config.ACCESS_TTL_S,
    sessionIdleS: config.SESSION_IDLE_S,
    sessionMaxS: config.SESSION_MAX_S,
    secondFactor: config.SECOND_FACTOR,
    loginRatePerMin: config.LOGIN_RATE_PER_MIN,
    lockAfter: config.LOCK_AFTER,
    smtpUrl: config.SMTP_URL,
    mailFrom: config.MAIL_FROM,
    mailEveryMs: config.MAIL_EVERY_S * 1000,
    support: supportOf(config),
    impressumUrl: config.IMPRESSUM_URL,
    datenschutzUrl: config.DATENSCHUTZ_URL,
    programs: createKeyClients(database, config.OIDC_CLIENT_ID),
    notice: config.trial ? 'Probebetrieb mit Beispieldaten' : undefined,
    demo: config.trial
      ? DEMO_ACCOUNTS.map(({ email, first_name, last_name, title }) => ({
          email,
          name: `${first_name} ${last_name}`,
          title,
        }))
      : [],
    now,
    log,
  })
