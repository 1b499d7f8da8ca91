// Security headers of every answer, and which host names may be used.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import { Refusal } from './errors.ts'

/** For answers that are not pages: nothing in them may run or load. */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The screens: own files only, no inline script and no inline style; the sign-in may be at another origin.
 */
export function screenPolicy(config: Pick<Config, 'OIDC_ISSUER' | 'PUBLIC_ORIGIN'>): string {
  const issuer = new URL(config.OIDC_ISSUER).origin
  const connect = issuer === config.PUBLIC_ORIGIN ? "'self'" : `'self' ${issuer}`
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${connect}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    // Documents are fetched with the caller's token and shown from memory; only our own script can
    // create such a blob: address.
    'frame-src blob:',
    'object-src blob:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export const securityHeaders = (config: Pick<Config, 'PUBLIC_ORIGIN'>): Readonly<Record<string, string>> => ({
  'content-security-policy': NOTHING,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The sign-in form needs an Origin header, which no-referrer would remove.
  'referrer-policy': 'same-origin',
  // The field mode asks for the device's location and reads receivers at a serial port; its photos come from
  // the system's own camera app, which needs no permission here.
  'permissions-policy': 'camera=(), microphone=(), geolocation=(self), serial=(self), payment=(), usb=()',
  'cross-origin-resource-policy': 'same-origin',
  ...(config.PUBLIC_ORIGIN.startsWith('https://') && {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  }),
})

/** A sign-in at another origin returns in a popup, which must still know the page that opened it. */
function openerPolicy(
  { OIDC_ISSUER, PUBLIC_ORIGIN }: Pick<Config, 'OIDC_ISSUER' | 'PUBLIC_ORIGIN'>,
  url: string,
): string {
  if (new URL(OIDC_ISSUER).origin === PUBLIC_ORIGIN) return 'same-origin'
  return /^\/auth-redirect(?:[?/]|$)/.test(url) ? 'unsafe-none' : 'same-origin-allow-popups'
}

/**
 * Set on the raw response, so that they also apply where a room answers without Fastify; a room may set a
 * stricter policy of its own.
 */
export function setSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers = Object.entries(securityHeaders(config))
  app.addHook('onRequest', async (request, reply) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
    reply.raw.setHeader('cross-origin-opener-policy', openerPolicy(config, request.url))
    reply.raw.setHeader('x-request-id', request.id)
  })
}

const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * The trial listens on this machine only; any other host name means that a page elsewhere made the browser
 * send the request (DNS rebinding).
 */
export function guardHost(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (!LOCAL_HOST.test(request.headers.host ?? ''))
      throw new Refusal('not_allowed', 'Der Probebetrieb ist nur unter localhost erreichbar.')
  })
}

export const isNavigation = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  (request.headers.accept ?? '').includes('text/html')

/**
 * Signing in works under one origin only: a browser that uses another name of this server (127.0.0.1, an
 * alias) is redirected to it.
 */
export function leadToOrigin(app: FastifyInstance, { PUBLIC_ORIGIN }: Pick<Config, 'PUBLIC_ORIGIN'>): void {
  const { host } = new URL(PUBLIC_ORIGIN)
  app.addHook('onRequest', async (request, reply) => {
    if (!isNavigation(request) || request.headers.host?.toLowerCase() === host) return undefined
    return reply.header('cache-control', 'no-store').redirect(PUBLIC_ORIGIN + request.url, 307)
  })
}
