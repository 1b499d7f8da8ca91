// What the browser has to know before its first request: /config/app.json, identity.json and keycloak.json;
// and the web app manifest (app.webmanifest).
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppConfig, IdentityConfig } from '#contract/app-config.ts'
import { FIELD_COOKIE, TOKEN_CHECK_MS, TOKEN_MIN_VALIDITY_S, TOKEN_STORAGE_KEY } from '#domain/constants.ts'
import { type Config, supportOf } from './config.ts'
import { forAnyone } from './route-caller.ts'

export function appConfig(config: Config): AppConfig {
  return {
    title: config.APP_TITLE,
    trial: config.trial,
    support: supportOf(config),
    manualUrl: config.MANUAL_URL ?? null,
    dataApi: config.DATA_API_BASE,
    generalApi: config.GENERAL_API_BASE,
    impressumUrl: config.IMPRESSUM_URL ?? null,
    datenschutzUrl: config.DATENSCHUTZ_URL ?? null,
    mail: config.SMTP_URL !== undefined,
    uploadLimitMb: config.UPLOAD_LIMIT_MB,
    stores: { ios: config.IOS_STORE_URL ?? null, android: config.ANDROID_STORE_URL ?? null },
    mobileLanding: config.MOBILE_LANDING,
    shell: {
      showSettings: config.SHOW_SETTINGS,
      settingsTop: config.SETTINGS_TOP,
      clickNotClose: config.SETTINGS_CLICK_NOT_CLOSE,
      tagsView: config.TAGS_VIEW,
      fixedHeader: config.FIXED_HEADER,
      sidebarLogo: config.SIDEBAR_LOGO,
      stamps: { sandbox: config.STAMP_SANDBOX, alpha: config.STAMP_ALPHA },
    },
  }
}

/**
 * The file named in the environment may override single keys; it is read and checked at the
 * start, not on each request.
 */
export function identityConfig(config: Config): IdentityConfig {
  const derived: IdentityConfig = {
    authority: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    scope: config.OIDC_SCOPE,
    redirectPath: '/auth-redirect',
    storageKey: TOKEN_STORAGE_KEY,
    checkIntervalMs: TOKEN_CHECK_MS,
    minValidityS: TOKEN_MIN_VALIDITY_S,
    groupsClaim: config.OIDC_GROUPS === 'ignore' ? null : config.OIDC_GROUPS_CLAIM,
  }
  const file = join(config.DATA_DIR, 'config', `identity.${config.APP_ENV}.json`)
  if (!existsSync(file)) return derived
  const given: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof given !== 'object' || given === null) throw new Error(`${file} ist kein JSON-Objekt`)
  for (const [key, value] of Object.entries(given)) {
    if (!(key in derived)) throw new Error(`${file}: ${key} ist nicht bekannt`)
    if (typeof value !== typeof derived[key as keyof IdentityConfig])
      throw new Error(`${file}: ${key} hat die falsche Form`)
  }
  return { ...derived, ...given }
}

/** The configuration file of Keycloak's own browser adapter, for those who use it. */
function keycloakConfig({ authority, clientId }: IdentityConfig): Record<string, unknown> {
  const realm = /^(.*)\/realms\/([^/]+)\/?$/.exec(authority)
  return {
    'auth-server-url': realm?.[1] ?? authority,
    realm: realm?.[2] ?? 'master',
    resource: clientId,
    'public-client': true,
    'ssl-required': 'external',
    'confidential-port': 0,
  }
}

/**
 * Installed on a phone or tablet, the application opens in the field mode; everything else is one tap away.
 */
const manifest = ({ APP_TITLE }: Pick<Config, 'APP_TITLE'>): Record<string, unknown> => ({
  id: '/feld',
  name: `${APP_TITLE} Feldmodus`,
  short_name: APP_TITLE,
  lang: 'de',
  start_url: '/feld',
  scope: '/',
  display: 'standalone',
  // --sidebar and --ground in the style sheet.
  theme_color: '#14290c',
  background_color: '#f4f6f2',
  icons: [
    { src: '/symbol-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/symbol-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/symbol-maskierbar-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
})

/** As the browser encoded it (web/src/features/fieldwork/mark-cookie.ts). */
const FIELD_MARK = new RegExp(`(?:^|;\\s*)${FIELD_COOKIE}=([\\w%.~-]{1,2000})(?:;|$)`)
/**
 * Sets the mark of a device of the field mode again. Safari forgets after seven days what a page's script has set,
 * as it does with the storage that the mark stands for, but not what a server sets.
 */
function keepFieldMark({ headers }: FastifyRequest, reply: FastifyReply, secure: boolean): void {
  const mark = FIELD_MARK.exec(headers.cookie ?? '')?.[1]
  if (mark === undefined) return
  const line = `${FIELD_COOKIE}=${mark}; Path=/; Max-Age=31536000; SameSite=Strict`
  reply.header('set-cookie', secure ? `${line}; Secure` : line)
}

export function browserConfig(app: FastifyInstance, config: Config): void {
  const identity = identityConfig(config)
  const secure = config.PUBLIC_ORIGIN.startsWith('https:')
  const files = { app: appConfig(config), identity, keycloak: keycloakConfig(identity) }
  for (const [name, content] of Object.entries(files)) {
    app.get(
      `/config/${name}.json`,
      forAnyone((request, reply) => {
        if (name === 'app') keepFieldMark(request, reply, secure)
        return reply.header('cache-control', 'no-store').send(content)
      }),
    )
  }
  const installed = JSON.stringify(manifest(config))
  app.get(
    '/config/app.webmanifest',
    forAnyone((_request, reply) =>
      reply.header('cache-control', 'no-cache').type('application/manifest+json').send(installed),
    ),
  )
}
