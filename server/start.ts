// From settings to a running server: secrets, database, rooms, and the way back.
import { join } from 'node:path'
import { createApp, type Install } from './app.ts'
import { browserConfig } from './browser-config.ts'
import type { Config } from './config.ts'
import { createDataApi } from './data-api/data-api.ts'
import { dataApiPlugin } from './data-api/fastify-plugin.ts'
import { generalApi } from './general-api/general-api.ts'
import { health } from './health.ts'
import { createAuthenticate, linkIdentity } from './identity/verify.ts'
import { type Listener, listen } from './listener.ts'
import type { Log } from './log.ts'
import { CHECK_REQUEST } from './nutzer.ts'
import { openDatabase } from './open-database.ts'
import { prepare } from './prepare.ts'
import { screens } from './screens.ts'

export interface StartOptions {
  readonly config: Config
  readonly log: Log
  readonly now: () => Date
}

export interface RunningServer {
  stop(): Promise<void>
}

/** Requests under way get this long at the end. */
const GRACE_MS = 5_000
const ROOT = join(import.meta.dirname, '..')
const WEB = join(ROOT, 'web/dist')

export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { config } = options
  const listener = await listen({ host: config.HOST, port: config.PORT })
  const ends: (() => Promise<void>)[] = [() => listener.stop(GRACE_MS)]
  const stop = async () => {
    for (const end of ends) await end()
  }
  try {
    await compose(options, listener, ends)
    return { stop }
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}

/** Whatever is opened adds its end to `ends`; they run first to last: requests first, the database last. */
async function compose({ config, log, now }: StartOptions, listener: Listener, ends: (() => Promise<void>)[]): Promise<void> {
  const { secrets } = prepare(config, WEB)
  const [secret = ''] = secrets
  const { database } = await openDatabase({ config, secret, templateArchive: join(ROOT, 'build/datenbank.gz'), log, now })
  ends.push(() => database.close())

  const authenticate = createAuthenticate({
    issuer: config.OIDC_ISSUER,
    audience: config.OIDC_AUDIENCE,
    algorithms: config.OIDC_ALGS,
    jwks: { uri: config.OIDC_JWKS_URI },
    clockSkewS: config.AUTH_CLOCK_SKEW_S,
    now,
    log,
    onFirstContact: linkIdentity(database),
    groupsClaim: config.OIDC_GROUPS_CLAIM,
    groupsMode: config.OIDC_GROUPS,
    emailClaim: config.OIDC_EMAIL_CLAIM,
  })
  const dataApi = createDataApi({
    database,
    schemas: ['app'],
    base: config.DATA_API_BASE,
    role: 'nutzer',
    authenticate,
    preRequest: CHECK_REQUEST,
    limits: { maxRows: config.MAX_ROWS, bodyBytes: config.BODY_LIMIT },
    log,
  })
  await dataApi.ready()
  const installs: Install[] = [
    (app) => health(app, database),
    (app) => browserConfig(app, config),
    async (app) => {
      await app.register(dataApiPlugin, { dataApi })
    },
    async (app) => {
      await app.register(generalApi, {
        prefix: config.GENERAL_API_BASE,
        database,
        authenticate,
        readBetriebszustand: async () => ({ engine: database.engine }),
        demoEndpoints: config.DEMO_ENDPOINTS,
        log,
      })
    },
    (app) => screens(app, { config, folder: WEB }),
  ]
  const app = await createApp({ config, log, installs, serverFactory: () => listener.server })
  ends.splice(1, 0, () => app.close())
  listener.serve((request, response) => app.routing(request, response))
}
