// The OpenID provider itself: which flows it offers, what its tokens contain, how long things last. Addresses
// are shaped like Keycloak's.
import type { JWK } from 'jose'
import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import { type Account, displayName, findById } from './accounts.ts'
import { ArtefactAdapter, type SessionTimes, sidOf } from './artefacts.ts'
import { DEVICE_CLIENT, DEVICE_GRANT, DEVICE_PATH, registerDeviceGrant } from './device-flow.ts'
import type { DeviceRequests } from './device-requests.ts'
import type { IdpDatabase } from './idp-database.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import type { Pages } from './pages.ts'
import { isTemporary, TEMPORARY, WAIT_S } from './temporary.ts'
import {
  clientOfProgram,
  compareByDigest,
  HELD,
  type ProgramClients,
  settleScope,
} from './program-clients.ts'

export interface ProviderOptions {
  readonly db: IdpDatabase
  readonly log: Log
  readonly pages: Pages
  readonly publicOrigin: string
  /**
   * Origins that the application is served from; the first is publicOrigin unless the application is
   * elsewhere.
   */
  readonly appOrigins: readonly string[]
  readonly clientId: string
  readonly audience: string
  readonly algorithm: string
  readonly accessTtlS: number
  readonly times: SessionTimes
  readonly cookieKeys: readonly string[]
  readonly programs: ProgramClients
  readonly deviceRequests: DeviceRequests
  readonly browsers: KnownBrowsers
}

export const REALM = '/realms/master'
/** Our API as OpenID sees it; the token's audience is the configured one. */
const API = 'urn:forstkontor:api'
const INTERACTION_S = 1_800
/**
 * Tokens are accepted for this long after their end, because clocks of several servers may differ: by
 * AUTH_CLOCK_SKEW_S at most, of which this is the largest value.
 */
const SKEW_S = 300

export function createProvider(options: ProviderOptions, keys: readonly JWK[]): Provider {
  const provider = new Provider(`${options.publicOrigin}${REALM}`, configuration(options, keys))
  // Addresses come from the issuer; only whether the connection is secure is taken from the proxy.
  provider.proxy = true
  compareByDigest(provider, options.programs)
  registerDeviceGrant(provider, options.deviceRequests)
  answerFaults(provider, options)
  endTokensWithSession(provider, options)
  rememberBrowsers(provider, options)
  return provider
}

/** With tokens of a person, not with those of a program. */
function rememberBrowsers(provider: Provider, { browsers }: ProviderOptions): void {
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.status !== 200 || ctx.path !== ROUTES.token) return
    const account = (ctx as Partial<KoaContextWithOIDC>).oidc?.account?.accountId
    if (account !== undefined) ctx.append('Set-Cookie', browsers.cookieFor(account))
  })
}

/** The provider calls every fault of the database a `server_error` with 500, after which clients may give up. */
function answerFaults(provider: Provider, { log, pages }: ProviderOptions): void {
  const waiting = new WeakSet<object>()
  provider.on('server_error', (ctx, error: Error) => {
    if (isTemporary(error)) waiting.add(ctx)
    else log.error('identity provider', { reason: reasonForLog(error) })
  })
  provider.use(async (ctx, next) => {
    await next()
    if (!waiting.has(ctx)) return
    ctx.status = 503
    ctx.set('Retry-After', String(WAIT_S))
    if (ctx.accepts('json', 'html') === 'html') pages.answerBusy(ctx)
    else ctx.body = TEMPORARY
  })
}

function configuration(options: ProviderOptions, keys: readonly JWK[]): Configuration {
  const { db, times, pages, algorithm } = options
  return {
    adapter: (model: string) =>
      model === 'Client' ? clientsOf(options) : new ArtefactAdapter(model, db, times),
    jwks: { keys: [...keys] as Record<string, unknown>[] } as NonNullable<Configuration['jwks']>,
    clients: [clientOf(options), DEVICE],
    discovery: { device_authorization_endpoint: `${options.publicOrigin}${REALM}${DEVICE_PATH}` },
    extraClientMetadata: { properties: [HELD] },
    clientDefaults: { id_token_signed_response_alg: algorithm as 'RS256' },
    enabledJWA: { idTokenSigningAlgValues: [algorithm as 'RS256'] },
    responseTypes: ['code'],
    scopes: ['openid', 'email', 'profile'],
    claims: {
      openid: ['sub', 'groups', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username'],
    },
    // Our access token is for our API, so userinfo would refuse it; the profile is in the ID token instead.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    routes: ROUTES,
    cookies: cookiesOf(options),
    ttl: lifetimes(options),
    interactions: { policy: policyOf(), url: (_ctx, interaction) => `/anmelden/vorgang/${interaction.uid}` },
    findAccount: (ctx, sub, token) => accountOf(options, sub, begunAt(ctx, token)),
    extraTokenClaims: (_ctx, token) => accessTokenClaims(db, token),
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => true,
    rotateRefreshToken: true,
    loadExistingGrant: grantOf,
    clientBasedCORS: (_ctx, origin) => options.appOrigins.includes(origin),
    renderError: (ctx, out) => pages.answerProviderError(ctx, out),
    features: featuresOf(options),
  }
}

/** Clients besides the application itself: programs, of which this provider stores nothing. */
const clientsOf = ({ programs, db, times }: ProviderOptions) =>
  new (class extends ArtefactAdapter {
    override find(id: string) {
      return clientOfProgram(programs, id) as ReturnType<ArtefactAdapter['find']>
    }
  })('Client', db, times)

export const PROTOCOL = '/protocol/openid-connect'
const ROUTES = {
  authorization: `${PROTOCOL}/auth`,
  token: `${PROTOCOL}/token`,
  jwks: `${PROTOCOL}/certs`,
  userinfo: `${PROTOCOL}/userinfo`,
  end_session: `${PROTOCOL}/logout`,
  revocation: `${PROTOCOL}/revoke`,
}

function clientOf({ clientId, appOrigins }: ProviderOptions): NonNullable<Configuration['clients']>[number] {
  return {
    client_id: clientId,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: appOrigins.map((origin) => `${origin}/auth-redirect`),
    post_logout_redirect_uris: appOrigins.map((origin) => `${origin}/`),
  }
}

const DEVICE: NonNullable<Configuration['clients']>[number] = {
  client_id: DEVICE_CLIENT,
  token_endpoint_auth_method: 'none',
  grant_types: [DEVICE_GRANT],
  response_types: [],
  redirect_uris: [],
}

/**
 * __Host- for cookies of the whole host, __Secure- for those bound to one sign-in's path; browsers accept
 * neither without TLS.
 */
function cookiesOf({ publicOrigin, cookieKeys }: ProviderOptions): NonNullable<Configuration['cookies']> {
  const secure = publicOrigin.startsWith('https://')
  const flags = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const
  const scoped = secure ? '__Secure-' : ''
  return {
    names: {
      session: `${secure ? '__Host-' : ''}fk_sitzung`,
      interaction: `${scoped}fk_vorgang`,
      resume: `${scoped}fk_weiter`,
    },
    keys: [...cookieKeys],
    long: flags,
    short: flags,
  }
}

function lifetimes({ accessTtlS, times }: ProviderOptions): NonNullable<Configuration['ttl']> {
  /** Seconds until the session that began at `start` must end. */
  const left = (start: number | undefined) => Math.max(1, (start ?? epoch()) + times.maxS - epoch())
  // The last token ends with its session, however late it was issued.
  const ofToken = (ctx: KoaContextWithOIDC | undefined) =>
    Math.min(accessTtlS, left(ctx === undefined ? undefined : sourceOf(ctx)))
  return {
    AccessToken: ofToken,
    IdToken: ofToken,
    ClientCredentials: accessTtlS,
    AuthorizationCode: (_ctx, code) => Math.min(60, left((code as { authTime?: number }).authTime)),
    Interaction: INTERACTION_S,
    Session: (_ctx, session) => Math.min(times.idleS, left(session.loginTs)),
    Grant: (ctx) => left(ctx.oidc?.session?.loginTs),
    RefreshToken: (_ctx, token) =>
      Math.min(times.idleS, left((token as { authTime?: number }).authTime ?? token.iiat)),
  }
}

const epoch = () => Math.floor(Date.now() / 1000)

function featuresOf(options: ProviderOptions): NonNullable<Configuration['features']> {
  const { audience, algorithm, pages } = options
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    claimsParameter: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => pages.answerLogout(ctx, form),
      postLogoutSuccessSource: (ctx) => pages.answerSignedOut(ctx),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => API,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => {
        if (resource !== API) throw new errors.InvalidTarget()
        return {
          scope: settleScope(ctx, options.programs) ?? 'openid email profile',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: algorithm as 'RS256' } },
        }
      },
    },
  }
}

/**
 * No consent page: the application is our own. Somebody disabled in the meantime sees the sign-in page, not a
 * fault.
 */
function policyOf() {
  const policy = interactionPolicy.base()
  const gone = new interactionPolicy.Check('konto_gesperrt', 'the account is no longer active', (ctx) =>
    ctx.oidc.session?.accountId !== undefined && ctx.oidc.account === undefined
      ? interactionPolicy.Check.REQUEST_PROMPT
      : interactionPolicy.Check.NO_NEED_TO_PROMPT,
  )
  policy.get('login')?.checks.add(gone)
  policy.remove('consent')
  return policy
}

async function grantOf(ctx: KoaContextWithOIDC) {
  const { client, session, account, provider } = ctx.oidc
  if (client === undefined || session === undefined || account === undefined) return undefined
  const grantId = session.grantIdFor(client.clientId)
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  if (existing !== undefined && existing.accountId === account.accountId) return existing
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
  grant.addOIDCScope('openid email profile')
  grant.addResourceScope(API, 'openid email profile')
  await grant.save()
  return grant
}

/**
 * When the session behind a request began: codes and refresh tokens know it, otherwise the browser's session
 * does.
 */
const begunAt = (ctx: KoaContextWithOIDC, token: unknown): number =>
  (token as { authTime?: number } | undefined)?.authTime ?? ctx.oidc.session?.loginTs ?? epoch()
const sourceOf = (ctx: KoaContextWithOIDC): number =>
  begunAt(ctx, ctx.oidc.entities.AuthorizationCode ?? ctx.oidc.entities.RefreshToken)

/**
 * No account for the disabled, for sessions that began before sessions were last ended, and for sessions past
 * their maximum duration.
 */
async function accountOf({ db, times }: ProviderOptions, sub: string, begun: number) {
  const account = await findById(db, sub)
  if (
    account === null ||
    !account.enabled ||
    begun < account.sessions_valid_after ||
    begun + times.maxS <= epoch()
  )
    return undefined
  return { accountId: sub, claims: () => ({ sub, ...profileOf(account) }) }
}

/**
 * Signing out takes effect at once: access tokens of the session are refused although they have not expired.
 * Done before the browser is answered.
 */
function endTokensWithSession(provider: Provider, { db, accessTtlS }: ProviderOptions): void {
  provider.use(async (ctx, next) => {
    await next()
    const session = (ctx as Partial<KoaContextWithOIDC>).oidc?.session as
      | { uid: string; destroyed?: boolean }
      | undefined
    if (session?.destroyed === true)
      await db.once('select accounts.end_session($1, $2::integer)', sidOf(session.uid), accessTtlS + SKEW_S)
  })
}

/** Read again for every token, so that a changed group is in the next one. */
async function accessTokenClaims(db: IdpDatabase, token: object) {
  const { accountId, clientId, sessionUid } = token as {
    accountId?: string
    clientId?: string
    sessionUid?: string
  }
  if (accountId === undefined) return { typ: 'Bearer', azp: clientId }
  const account = await findById(db, accountId)
  if (account === null || !account.enabled) return undefined
  // user_id saves the browser a wait at the start; no rights follow from it.
  const hint = account.user_id === null ? {} : { user_id: account.user_id }
  return {
    typ: 'Bearer',
    azp: clientId,
    ...(sessionUid === undefined ? {} : { sid: sidOf(sessionUid) }),
    ...hint,
    ...profileOf(account),
  }
}

/**
 * The address counts as verified once a link was followed that only its mailbox or the provider's admins
 * received.
 */
function profileOf(account: Account) {
  return {
    email: account.email,
    email_verified: account.email_bestaetigt,
    name: displayName(account),
    ...(account.first_name === null ? {} : { given_name: account.first_name }),
    ...(account.last_name === null ? {} : { family_name: account.last_name }),
    preferred_username: account.username ?? account.email,
    groups: account.gruppe === null ? [] : [account.gruppe],
  }
}
