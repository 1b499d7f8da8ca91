// In charge of the embedded identity provider: accounts, sign-in pages and OpenID Connect, so that no second
// server is needed to begin with.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Authenticate } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { asNutzer } from '#server/nutzer.ts'
import { createJob, type Job } from '#server/job.ts'
import type { Log } from '#server/log.ts'
import type { Sender } from '#server/mail/letter.ts'
import { createMailer, type SendMail } from '#server/mail/mailer.ts'
import { declareScope } from '#server/route-caller.ts'
import { createThrottle } from '#server/throttle.ts'
import { AccountService, type AccountServices } from './account-service.ts'
import { findByEmail } from './accounts.ts'
import { adminRoutes } from './admin-routes.ts'
import { deleteExpired } from './artefacts.ts'
import { DEVICE_PATH, deviceRoutes } from './device-flow.ts'
import { DeviceRequests } from './device-requests.ts'
import { Devices } from './devices.ts'
import { recordEvent } from './events.ts'
import { type IdpDatabase, idpDatabase } from './idp-database.ts'
import type { KeySource } from './key-source.ts'
import { KnownBrowsers } from './known-browsers.ts'
import { linkRoutes } from './link-routes.ts'
import { Outbox } from './outbox.ts'
import { type PageContext, preparePages, sendPage, serveAssets, throttledPage } from './page-routes.ts'
import type { ProgramClients } from './program-clients.ts'
import { prepareDummy } from './passwords.ts'
import { ownAccountRoutes, passwordChangeRoutes } from './own-account.ts'
import { busyPage, createPages, type Pages } from './pages.ts'
import { createProvider, PROTOCOL, type ProviderOptions, REALM } from './provider.ts'
import { adoptSecret, type SignOfLife } from './secret-check.ts'
import { createSecrets } from './secrets.ts'
import { type DemoWayIn, SignIn } from './sign-in.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { openSigningKeys, type SigningKeys } from './signing-keys.ts'
import { createStrangers, guardScope } from './strangers.ts'
import { isTemporary, TEMPORARY, WAIT_S } from './temporary.ts'
import { Throttle } from './throttle.ts'

export interface IdentityProviderOptions {
  readonly database: Database
  readonly log: Log
  readonly now: () => Date
  /** Newest first, at least 32 characters each; the same on every server. */
  readonly secrets: readonly string[]
  readonly publicOrigin: string
  /** Where the application is served from, if not from publicOrigin. */
  readonly appOrigins?: readonly string[]
  readonly title: string
  readonly clientId: string
  readonly audience: string
  readonly algorithm: string
  readonly accessTtlS: number
  readonly sessionIdleS: number
  readonly sessionMaxS: number
  readonly secondFactor: 'off' | 'provider' | 'all'
  readonly loginRatePerMin: number
  readonly lockAfter: number
  readonly smtpUrl?: string | undefined
  readonly mailFrom?: string | undefined
  readonly mailEveryMs?: number
  /** Used instead of smtpUrl. */
  readonly sendMail?: SendMail | undefined
  /** At the foot of mails. */
  readonly support?: Sender['support']
  readonly impressumUrl?: string | undefined
  readonly datenschutzUrl?: string | undefined
  readonly notice?: string | undefined
  /** Accounts of a trial that sign in without a password, from this machine only. */
  readonly demo?: readonly DemoWayIn[]
  readonly programs: ProgramClients
  /** Keys are changed after this many days. */
  readonly keyDays?: number
}

export interface MountOptions {
  readonly authenticate: Authenticate
  readonly generalApiBase: string
}

const MAINTAIN_MS = 600_000
const KEYS_MS = 60_000
const MAIL_MS = 20_000
/** Sign-ins started per address and minute: a whole office may share one address. */
const STARTS_PER_MIN = 300

const asksForPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true

const issuerAt = (publicOrigin: string): string => `${publicOrigin}${REALM}`

/**
 * Moves persons to the current issuer: they are bound to issuer and account, and the issuer is our address,
 * which may change between two starts.
 */
async function keepPersons(db: IdpDatabase, { publicOrigin, log }: IdentityProviderOptions): Promise<void> {
  const { rows } = await db.once<{ moved: number }>(
    'select accounts.move_identities($1, array(select konto_id::text from idp.konto)) as moved',
    issuerAt(publicOrigin),
  )
  const moved = rows[0]?.moved ?? 0
  if (moved > 0)
    log.info('the address of the sign-in has changed: its accounts keep their persons', {
      accounts: moved,
      address: publicOrigin,
    })
}

/** Opens the provider: reads or creates its keys. The schema must be up to date. */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const db = idpDatabase(options.database)
  const { now, log } = options
  const { life, secrets } = await adoptSecret(db, createSecrets(options.secrets))
  const keys = await openSigningKeys({
    db,
    secrets,
    algorithm: options.algorithm,
    now,
    log,
    verifiesForS: options.sessionMaxS,
    ...(options.keyDays === undefined ? {} : { signsForDays: options.keyDays }),
  })
  await keepPersons(db, options)
  await prepareDummy()
  const throttle = new Throttle({
    db,
    secrets,
    perMinute: options.loginRatePerMin,
    lockAfter: options.lockAfter,
  })
  const send = options.sendMail ?? createMailer({ smtpUrl: options.smtpUrl, from: options.mailFrom, log })
  const outbox = new Outbox({ ...options, db, secrets, send, everyMs: options.mailEveryMs ?? MAIL_MS })
  const services: AccountServices = { ...options, db, secrets, throttle, outbox }
  return new IdentityProvider(options, services, keys, life)
}

export class IdentityProvider {
  /** For createAuthenticate: verifies our own tokens without a detour over the network. */
  readonly keys: KeySource
  readonly accounts: AccountService
  readonly issuer: string
  /** Programs that ask to be connected. */
  readonly deviceRequests: DeviceRequests
  readonly #options: IdentityProviderOptions
  readonly #services: AccountServices
  readonly #db: IdpDatabase
  readonly #keys: SigningKeys
  readonly #life: SignOfLife
  readonly #pages: Pages
  readonly #providerOptions: ProviderOptions
  /** What it does besides answering requests; the caller that opens the provider starts and stops them. */
  readonly jobs: readonly Job[]
  readonly #browsers: KnownBrowsers
  #provider: Provider
  #handle: ReturnType<Provider['callback']>

  constructor(
    options: IdentityProviderOptions,
    services: AccountServices,
    keys: SigningKeys,
    life: SignOfLife,
  ) {
    const appOrigins = options.appOrigins ?? [options.publicOrigin]
    this.#options = options
    this.#services = services
    this.#db = services.db
    this.#keys = keys
    this.#life = life
    this.keys = keys
    this.accounts = new AccountService(services)
    this.issuer = issuerAt(options.publicOrigin)
    this.#pages = createPages({ ...options, appOrigins })
    this.deviceRequests = new DeviceRequests({ ...services, programs: options.programs })
    const times = { idleS: options.sessionIdleS, maxS: options.sessionMaxS }
    const { issuer } = this
    this.#browsers = new KnownBrowsers(
      { ...options, secrets: services.secrets, issuer },
      `${REALM}${PROTOCOL}`,
    )
    this.#providerOptions = {
      ...options,
      browsers: this.#browsers,
      appOrigins,
      db: services.db,
      pages: this.#pages,
      times,
      deviceRequests: this.deviceRequests,
      cookieKeys: services.secrets.cookieKeys,
    }
    this.#provider = this.#build()
    this.#handle = this.#provider.callback()
    keys.onChange = () => {
      this.#provider = this.#build()
      this.#handle = this.#provider.callback()
    }
    this.jobs = [
      services.outbox.job,
      this.#maintenance('keys of the identity provider', KEYS_MS, () => this.#maintain()),
      this.#maintenance('sessions that have ended', MAINTAIN_MS, () => deleteExpired(this.#db)),
    ]
  }

  /** Changes the signing key now; see SigningKeys.rotate. */
  rotateKeys(options?: { force?: boolean }): Promise<boolean> {
    return this.#keys.rotate(options)
  }

  /** Sends the waiting mails that are due; see Outbox. */
  sendDue(): Promise<number> {
    return this.#services.outbox.sendDue()
  }

  deleteExpired(): Promise<void> {
    return deleteExpired(this.#db)
  }

  async close(): Promise<void> {
    await this.#services.outbox.stop()
    await this.#guard(() => this.#life.end())
  }

  /** Mounts /realms/master, /anmelden and the account routes of the general API. */
  async mount(server: FastifyInstance, { authenticate, generalApiBase }: MountOptions): Promise<void> {
    const { log, publicOrigin, title } = this.#options
    const { throttle, outbox } = this.#services
    const appOrigin = this.#providerOptions.appOrigins[0] ?? publicOrigin
    const devices = new Devices(this.#services)
    const context: PageContext = { pages: this.#pages, throttle, publicOrigin, appOrigin, log }
    const strangers = createStrangers(this.#options.now, this.#browsers)
    await server.register(async (scope) => {
      guardScope(scope, strangers, (reply, wait) => this.#refuseStranger(reply, wait))
      this.#protocolRoutes(scope, context, authenticate)
    })
    const { deviceRequests: requests } = this
    const path = `${REALM}${DEVICE_PATH}`
    const { programs } = this.#options
    await server.register((scope) =>
      deviceRoutes(scope, { path, requests, programs, throttle, strangers, appOrigin }),
    )
    await server.register(async (scope) => {
      declareScope(scope, 'own-scheme')
      await scope.register(async (assets) => serveAssets(assets))
      guardScope(scope, strangers, (reply, wait) => sendPage(reply, this.#pages, throttledPage(wait), 429))
      await preparePages(scope, context)
      signInRoutes(scope, {
        ...context,
        signIn: new SignIn(this.#services),
        devices,
        provider: () => this.#provider,
        title,
        demo: this.#options.demo ?? [],
      })
      linkRoutes(scope, { ...context, accounts: this.accounts, title, sendsMail: outbox.sends })
      passwordChangeRoutes(scope, { ...context, services: this.#services, devices })
    })
    const api = {
      base: generalApiBase,
      database: this.#options.database,
      accounts: this.accounts,
      log,
    }
    await server.register((scope) => adminRoutes(scope, api))
    await server.register((scope) => ownAccountRoutes(scope, api))
  }

  #maintenance(name: string, everyMs: number, round: () => Promise<unknown>): Job {
    return createJob({ name, everyMs, round, onFault: (error) => this.#warn(error) })
  }

  async #maintain(): Promise<void> {
    await this.#life.show()
    await this.#keys.maintain()
  }

  #build(): Provider {
    const provider = createProvider(this.#providerOptions, this.#keys.all())
    provider.on('end_session.success', (ctx) => {
      const accountId = ctx.oidc.session?.accountId
      if (accountId !== undefined)
        void this.#guard(() => recordEvent(this.#db.once, { art: 'abgemeldet', konto_id: accountId }))
    })
    return provider
  }

  /** The provider reads requests itself, so no parser of ours may touch the body first. */
  #protocolRoutes(scope: FastifyInstance, context: PageContext, authenticate: Authenticate): void {
    declareScope(scope, 'own-scheme')
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.setErrorHandler((error, request, reply) => {
      if (!isTemporary(error)) throw error
      const later = reply.code(503).header('retry-after', String(WAIT_S))
      return asksForPage(request) ? sendPage(later, this.#pages, busyPage(), 503) : later.send(TEMPORARY)
    })
    scope.get(`${REALM}/account`, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const profile = await this.#profile(request, authenticate).catch((error: unknown) => {
        // While the database is away nobody is signed out.
        if (isTemporary(error)) throw error
        return null
      })
      return (
        profile ??
        reply
          .code(401)
          .header('www-authenticate', 'Bearer error="invalid_token"')
          .send({ error: 'HTTP 401 Unauthorized' })
      )
    })
    // RFC 8414 puts the path of the issuer last.
    scope.get(`/.well-known/oauth-authorization-server${REALM}`, async (request, reply) => {
      request.raw.url = `${REALM}/.well-known/openid-configuration`
      reply.hijack()
      await this.#hand(request.raw, reply.raw)
      return reply
    })
    // Of this server; the count in the database is that of all.
    const starts = createThrottle(STARTS_PER_MIN, this.#options.now)
    scope.all(`${REALM}/*`, async (request, reply) => {
      if (request.url.startsWith(`${REALM}/protocol/openid-connect/auth`)) {
        const wait =
          starts.admit(request.ip) || (await context.throttle.admit(request.ip, 'beginn', STARTS_PER_MIN))
        if (wait > 0)
          return sendPage(reply.header('retry-after', String(wait)), this.#pages, throttledPage(wait), 429)
      }
      reply.hijack()
      await this.#hand(request.raw, reply.raw)
      return reply
    })
  }

  #refuseStranger(reply: FastifyReply, wait: number): FastifyReply {
    return asksForPage(reply.request)
      ? sendPage(reply, this.#pages, throttledPage(wait), 429)
      : reply.code(429).header('cache-control', 'no-store').send(TEMPORARY)
  }

  /** The profile in the form of Keycloak's account address; as of now, not as of the token. */
  async #profile(request: FastifyRequest, authenticate: Authenticate): Promise<object | null> {
    const caller = await authenticate(request.headers.authorization)
    if (caller.key !== undefined) return null
    // Refuses sessions that were signed out of, as every other call does.
    await this.#options.database.once(asNutzer(caller, { readOnly: true }), { text: 'select', values: [] })
    const { claims } = caller
    const account = await findByEmail(this.#db, claims.email ?? '')
    if (
      account === null ||
      !account.enabled ||
      account.konto_id !== claims.sub ||
      claims.iat < account.sessions_valid_after
    )
      return null
    return {
      username: account.username ?? account.email,
      firstName: account.first_name,
      lastName: account.last_name,
      email: account.email,
      emailVerified: account.email_bestaetigt,
      attributes: {},
    }
  }

  async #hand(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { protocol, host } = new URL(this.#options.publicOrigin)
    // Fixed by the configuration, regardless of what proxies and callers say.
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    request.headers['x-forwarded-host'] = host
    for (const [name, value] of Object.entries(this.#pages.headers))
      if (name !== 'cache-control') response.setHeader(name, value)
    const outside = request.url ?? ''
    Object.assign(request, { originalUrl: outside, url: outside.slice(REALM.length) })
    await this.#handle(request, response)
  }

  async #guard(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#warn(error)
    }
  }

  #warn(error: unknown): void {
    this.#options.log.warn('maintenance of the identity provider', { reason: reasonForLog(error) })
  }
}
