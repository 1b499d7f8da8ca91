// What all routes of the sign-in pages share: form bodies, guards against foreign forms and too many attempts,
// answers in HTML.
import { readFileSync } from 'node:fs'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import { chosenLanguage, languageCookie, languageOf } from './language.ts'
import { busyPage, messagePage, type Page, type Pages, toApplication } from './pages.ts'
import { waitText } from './sign-in.ts'
import { isTemporary, WAIT_S } from './temporary.ts'
import type { Throttle } from './throttle.ts'
import { readTypeface } from './typeface.ts'

export interface PageContext {
  readonly pages: Pages
  readonly throttle: Throttle
  readonly publicOrigin: string
  readonly appOrigin: string
  readonly log: Log
}

const FORM_BYTES = 16_384

/** In the language of the browser, or the one chosen on a page, which the browser then remembers. */
export function sendPage(reply: FastifyReply, pages: Pages, page: Page, status = 200): FastifyReply {
  const { raw } = reply.request
  const chosen = chosenLanguage(raw)
  if (chosen !== null) void reply.header('set-cookie', languageCookie(chosen))
  const path = raw.url?.split('?')[0] ?? ''
  const here = path.startsWith('/anmelden/') ? path : null
  return reply
    .code(status)
    .headers(pages.headers)
    .type('text/html; charset=utf-8')
    .send(pages.render(page, languageOf(raw), here))
}

/** A form field as text; empty if it is missing or sent twice. */
export function field(request: FastifyRequest, name: string): string {
  const body = request.body as Record<string, unknown> | null | undefined
  const value = body !== null && body !== undefined && Object.hasOwn(body, name) ? body[name] : ''
  return typeof value === 'string' ? value : ''
}

/** Registers what every page route needs; the routes follow in the same scope. */
export async function preparePages(scope: FastifyInstance, context: PageContext): Promise<void> {
  // Accepts forms only: a page elsewhere can send JSON and plain text unasked.
  scope.removeAllContentTypeParsers()
  await scope.register(formbody, { bodyLimit: FORM_BYTES })
  scope.addHook('preHandler', async (request, reply) => {
    if (request.method !== 'POST') return
    if (!isOwnForm(request, context.publicOrigin))
      return sendPage(reply, context.pages, foreignForm(context.appOrigin), 403)
    const wait = await context.throttle.admit(request.ip)
    if (wait > 0)
      return sendPage(reply.header('retry-after', String(wait)), context.pages, throttledPage(wait), 429)
    return undefined
  })
  scope.setErrorHandler((error, _request, reply) => answerFault(reply, context, error))
  // No not-found handler: the server has one for all its paths, and this scope has no prefix.
  scope.all('/anmelden/*', (_request, reply) =>
    sendPage(reply, context.pages, notFound(context.appOrigin), 404),
  )
}

/** Accepts forms only from our own pages. Browsers say where a form comes from in one header or the other. */
function isOwnForm({ headers }: FastifyRequest, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  if (headers.origin !== undefined) return headers.origin === publicOrigin
  return site === 'same-origin'
}

const foreignForm = (appOrigin: string) =>
  messagePage(
    'Diese Eingabe kam von einer fremden Seite',
    ['Zu Ihrer Sicherheit wurde sie nicht angenommen. Öffnen Sie die Anmeldung bitte über die Anwendung.'],
    toApplication(appOrigin),
    true,
  )

export const throttledPage = (seconds: number): Page =>
  messagePage(
    'Zu viele Versuche',
    [
      'Von Ihrem Anschluss kamen in kurzer Zeit sehr viele Versuche. ' +
        `Bitte warten Sie ${waitText(seconds)} und gehen Sie dann im Browser zurück.`,
    ],
    null,
    true,
  )

const notFound = (appOrigin: string) =>
  messagePage(
    'Diese Seite gibt es nicht',
    ['Vielleicht ist die Adresse unvollständig. Kopieren Sie einen Link bitte ganz.'],
    toApplication(appOrigin),
    true,
  )

function answerFault(
  reply: FastifyReply,
  { pages, appOrigin, log }: PageContext,
  error: unknown,
): FastifyReply {
  const status = (error as { statusCode?: number }).statusCode
  if (isTemporary(error)) return sendPage(reply.header('retry-after', String(WAIT_S)), pages, busyPage(), 503)
  if (status !== undefined && status >= 400 && status < 500) {
    const page = messagePage(
      'Diese Eingabe ist nicht gültig',
      ['Bitte gehen Sie zurück und versuchen Sie es noch einmal.'],
      toApplication(appOrigin),
      true,
    )
    return sendPage(reply, pages, page, status)
  }
  log.error('sign-in page', { reason: reasonForLog(error) })
  const page = messagePage(
    'Das hat leider nicht geklappt',
    ['Es ist ein Fehler aufgetreten. Versuchen Sie es bitte in einigen Minuten noch einmal.'],
    toApplication(appOrigin),
    true,
  )
  return sendPage(reply, pages, page, 500)
}

const ASSETS = [
  ['anmelden.css', 'text/css; charset=utf-8'],
  ['wald.svg', 'image/svg+xml'],
  ['zeichen.svg', 'image/svg+xml'],
  ['abmelden.js', 'text/javascript; charset=utf-8'],
] as const

/** Stylesheet, pictures, the typeface and the one script; read once at start. */
export function serveAssets(scope: FastifyInstance): void {
  const typeface = readTypeface()
  const files: (readonly [name: string, type: string, content: Buffer])[] = ASSETS.map(([name, type]) => [
    name,
    type,
    readFileSync(new URL(`assets/${name}`, import.meta.url)),
  ])
  if (typeface) files.push(['schrift.woff2', 'font/woff2', typeface])
  for (const [name, type, content] of files) {
    scope.get(`/anmelden/${name}`, (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=3600')
        .header('x-content-type-options', 'nosniff')
        .type(type)
        .send(content),
    )
  }
}
