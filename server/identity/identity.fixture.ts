// A server with the embedded provider on its own database, and a browser made of fetch and a cookie jar, for
// the tests.
import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { decodeJwt, type JWTPayload } from 'jose'
import type { Authenticate } from '#server/caller.ts'
import type { Database, OwnerConnection } from '#server/database/database.ts'
import { silentLog } from '#server/log.ts'
import type { Mail } from '#server/mail/mailer.ts'
import { refuseAt } from '#server/refuse.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { createKeyClients } from '#server/program-keys/key-clients.ts'
import { createProgramKeys } from '#server/program-keys/program-keys.ts'
import { createProgramKeyRoom, type Proof } from '#server/program-keys/routes.ts'
import {
  createIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from './identity-provider.ts'
import { createAuthenticate, linkIdentity } from './verify.ts'

export const PASSWORD = 'Kranich über Moor 7'
export const SECRETS = [randomBytes(32).toString('base64url')]

export interface TestServer {
  readonly origin: string
  readonly idp: IdentityProvider
  readonly authenticate: Authenticate
  readonly mails: Mail[]
  readonly server: FastifyInstance
  browser(): Browser
  client(): Client
  /** The complete sign-in of somebody without a second factor. */
  signIn(email: string, password?: string, browser?: Browser): Promise<Tokens & { browser: Browser }>
  /** A renewal, asked without a connection: also of a server that does not listen. */
  renewal(refreshToken: string): Promise<LightMyRequestResponse>
  /** The roles that the database reports for a signed-in person; undefined if the token is refused. */
  rolesOf(token: string): Promise<string[] | undefined>
  close(): Promise<void>
}

/**
 * One server process with the provider. `given.publicOrigin`: the address of an earlier server, which this
 * one takes over.
 */
export async function startServer(
  database: Database,
  given: Partial<IdentityProviderOptions> = {},
): Promise<TestServer> {
  const server = fastify({ trustProxy: 'loopback' })
  const mails: Mail[] = []
  // The origin is needed before the server listens, so a port is chosen first.
  const port = given.publicOrigin === undefined ? await freePort() : Number(new URL(given.publicOrigin).port)
  const origin = given.publicOrigin ?? `http://127.0.0.1:${port}`
  const now = () => new Date()
  const programs = createKeyClients(database, 'ogf-web')
  const idp = await createIdentityProvider({
    database,
    log: silentLog,
    now,
    secrets: SECRETS,
    publicOrigin: origin,
    title: 'Forstkontor',
    clientId: 'ogf-web',
    audience: 'ogf-api',
    algorithm: 'RS256',
    accessTtlS: 300,
    sessionIdleS: 1_800,
    sessionMaxS: 36_000,
    secondFactor: 'off',
    loginRatePerMin: 1_000,
    lockAfter: 5,
    programs,
    sendMail: async (mail) => mails.push(mail) > 0,
    ...given,
  })
  const tokens = createAuthenticate({
    programOf: (claims) => programs.callerOf(claims),
    issuer: idp.issuer,
    audience: 'ogf-api',
    algorithms: [given.algorithm ?? 'RS256'],
    jwks: idp.keys,
    groupsClaim: 'groups',
    groupsMode: 'claim',
    emailClaim: 'email',
    clockSkewS: 5,
    now,
    log: silentLog,
    onFirstContact: linkIdentity(database),
  })
  const { authenticate } = createProgramKeys({
    database,
    tokens,
    now,
    log: silentLog,
    failuresPerMinute: 1_000,
  })
  const bases = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }
  server.setErrorHandler((error, request, reply) => refuseAt(request.url, bases)(reply, error))
  guardRoutes(server, authenticate)
  await idp.mount(server, { authenticate, generalApiBase: '/prod-api' })
  const confirm = (email: string, proof: Proof) => idp.accounts.confirm(email, proof)
  await server.register(
    createProgramKeyRoom({ database, confirm, devices: idp.deviceRequests, now }).routes,
    { prefix: '/prod-api' },
  )
  return {
    origin,
    idp,
    authenticate,
    mails,
    server,
    browser: () => new Browser(origin),
    client: () => new Client(origin),
    signIn: (email, password = PASSWORD, browser = new Browser(origin)) =>
      signIn(origin, email, password, browser),
    renewal: (refresh_token) =>
      server.inject({
        method: 'POST',
        url: '/realms/master/protocol/openid-connect/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          client_id: 'ogf-web',
          grant_type: 'refresh_token',
          refresh_token,
        }).toString(),
      }),
    rolesOf: (token) => rolesOf(authenticate, database, token),
    close: async () => {
      await server.close()
      await idp.close()
    },
  }
}

export async function listen(test: TestServer): Promise<TestServer> {
  await test.server.listen({ host: '127.0.0.1', port: Number(new URL(test.origin).port) })
  return test
}

export async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where the last redirect pointed, or the requested address. */
  readonly url: string
}

/**
 * Cookies by name and path, as a browser sends them. Follows redirects until they leave for the application.
 */
export class Browser {
  readonly #jar = new Map<string, { value: string; path: string }>()
  readonly #origin: string
  constructor(origin: string) {
    this.#origin = origin
  }

  get(address: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#go('GET', new URL(address, this.#origin), null, headers)
  }

  post(address: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#go('POST', new URL(address, this.#origin), new URLSearchParams(form).toString(), {
      origin: this.#origin,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    })
  }

  cookies(): string[] {
    return [...this.#jar.keys()]
  }

  /** The cookies that the browser would send to this address. */
  header(address: string): string {
    return this.#cookiesFor(new URL(address, this.#origin))
  }

  value(name: string): string {
    return [...this.#jar.entries()].find(([key]) => key.startsWith(`${name}|`))?.[1].value ?? ''
  }

  /** Puts a cookie in by hand. */
  put(name: string, value: string, path: string): void {
    this.#jar.set(`${name}|${path}`, { value, path })
  }

  async #go(method: string, url: URL, body: string | null, headers: Record<string, string>): Promise<Answer> {
    const answer = await fetch(url, {
      method,
      body,
      redirect: 'manual',
      headers: { accept: 'text/html', ...headers, cookie: this.#cookiesFor(url) },
    })
    for (const line of answer.headers.getSetCookie()) this.#keep(line, url)
    const target = answer.headers.get('location')
    const text = await answer.text()
    if (target === null || answer.status < 300 || answer.status > 399)
      return { status: answer.status, headers: answer.headers, text, url: url.href }
    const next = new URL(target, url)
    if (next.pathname === '/auth-redirect' || next.pathname === '/' || next.origin !== this.#origin)
      return { status: answer.status, headers: answer.headers, text, url: next.href }
    return this.#go('GET', next, null, {})
  }

  #cookiesFor({ pathname }: URL): string {
    return [...this.#jar.entries()]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split('|')[0]}=${value}`)
      .join('; ')
  }

  #keep(line: string, url: URL): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? url.pathname
    const expires = attributes.find((part) => /^expires=/i.test(part))?.slice(8)
    if (expires !== undefined && Date.parse(expires) < Date.now()) this.#jar.delete(`${name}|${path}`)
    else this.#jar.set(`${name}|${path}`, { value, path })
  }
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly expires_in: number
}

/** The application's side of a sign-in by authorization code with PKCE. */
export class Client {
  readonly #origin: string
  readonly #verifier = randomBytes(32).toString('base64url')
  constructor(origin: string) {
    this.#origin = origin
  }

  get endpoint(): string {
    return `${this.#origin}/realms/master/protocol/openid-connect`
  }

  startAddress(changes: Record<string, string | null> = {}): string {
    const parameters: Record<string, string | null> = {
      client_id: 'ogf-web',
      redirect_uri: `${this.#origin}/auth-redirect`,
      response_type: 'code',
      scope: 'openid email profile',
      state: 'zustand',
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    }
    const present = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
    return `${this.endpoint}/auth?${new URLSearchParams(present).toString()}`
  }

  redeem(code: string, changes: Record<string, string> = {}): Promise<Response> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${this.#origin}/auth-redirect`,
      code_verifier: this.#verifier,
      ...changes,
    })
  }

  refresh(refreshToken: string): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  token(form: Record<string, string>): Promise<Response> {
    return fetch(`${this.endpoint}/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'ogf-web', ...form }),
    })
  }
}

export const codeOf = (answer: Answer): string => new URL(answer.url).searchParams.get('code') ?? ''

async function signIn(
  origin: string,
  email: string,
  password: string,
  browser: Browser,
): Promise<Tokens & { browser: Browser }> {
  const client = new Client(origin)
  const form = await browser.get(client.startAddress())
  const back = await browser.post(form.url, { schritt: 'anmelden', email, passwort: password })
  if (codeOf(back) === '')
    throw new Error(
      `no code: ${back.status} ${/role="alert"[^>]*>([^<]*)/.exec(back.text)?.[1] ?? back.text.slice(0, 300)}`,
    )
  const answer = await client.redeem(codeOf(back))
  if (answer.status !== 200) throw new Error(`no tokens: ${await answer.text()}`)
  return { ...((await answer.json()) as Tokens), browser }
}

export const claimsOf = (token: string): JWTPayload => decodeJwt(token)

export const alertOf = (answer: Answer): string => /role="alert"[^>]*>([^<]*)/.exec(answer.text)?.[1] ?? ''
export const headingOf = (answer: Answer): string => /<h1>([^<]*)/.exec(answer.text)?.[1] ?? ''

/** People with accounts; each test has its own. */
export class People {
  readonly #owner: Pick<OwnerConnection, 'query'>
  readonly #server: TestServer
  #count = 0
  constructor(owner: Pick<OwnerConnection, 'query'>, server: TestServer) {
    this.#owner = owner
    this.#server = server
  }

  /** Adds only the row in app.benutzer. */
  async add(columns: Record<string, unknown> = {}): Promise<{ email: string; userId: number }> {
    const email = `person${++this.#count}-${randomBytes(3).toString('hex')}@forst.example`
    const all = {
      email,
      username: email,
      first_name: 'Jörg',
      last_name: 'Eiche',
      system_status: 'ogf_standard',
      ...columns,
    }
    const names = Object.keys(all)
    const { rows } = await this.#owner.query<{ user_id: number }>(
      `insert into app.benutzer (${names.join(', ')})
        values (${names.map((_, nr) => `$${nr + 1}`).join(', ')})
        returning user_id`,
      Object.values(all),
    )
    return { email, userId: rows[0]?.user_id ?? 0 }
  }

  async withAccount(columns: Record<string, unknown> = {}): Promise<{ email: string; userId: number }> {
    const person = await this.add(columns)
    await this.#server.idp.accounts.setPassword(person.email, PASSWORD)
    // Setting a password ends sessions from the next second on, but a test signs in at once.
    await this.#owner.query('delete from accounts.sitzungsende where user_id = $1', [person.userId])
    return person
  }

  async events(email: string): Promise<string[]> {
    const { rows } = await this.#owner.query<{ art: string }>(
      'select art from idp.ereignis where email = $1 order by id',
      [email],
    )
    return rows.map(({ art }) => art)
  }
}

async function rolesOf(
  authenticate: Authenticate,
  database: Database,
  token: string,
): Promise<string[] | undefined> {
  const caller = await authenticate(`Bearer ${token}`)
  const context = {
    role: 'nutzer',
    settings: { 'request.jwt.claims': caller.claimsJson },
    preRequest: { text: 'select rights.check_request()' },
  }
  try {
    const { rows } = await database.once<{ rollen: string }>(context, {
      text: 'select to_json(rights.roles())::text as rollen',
    })
    return JSON.parse(rows[0]?.rollen ?? '[]') as string[]
  } catch {
    return undefined
  }
}
