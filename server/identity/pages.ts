// The frame of every sign-in page, and the HTML answers that the OpenID provider itself gives.
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { dialHref } from '#domain/telephone.ts'
import { Html, html } from '#server/html.ts'
import { englishOf, inEnglish } from './english.ts'
import { type Asking, type Language, languageOf } from './language.ts'

export interface PagesOptions {
  readonly title: string
  readonly publicOrigin: string
  readonly appOrigins: readonly string[]
  readonly impressumUrl?: string | undefined
  readonly datenschutzUrl?: string | undefined
  /** Whom to call for help, at the foot of every page. */
  readonly support?: { readonly phone: string; readonly hours: string } | null | undefined
  /** A line above every page, for instance that this is a trial. */
  readonly notice?: string | undefined
}

export interface Page {
  readonly heading: string
  readonly body: Html
  /** Something went wrong: screen readers announce it first, in the title. */
  readonly fault?: boolean
}

/** Headers of every page: no script but our own file, nothing from elsewhere, never framed, never stored. */
export function pageHeaders({ appOrigins }: PagesOptions): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "script-src 'self'",
      // The answer to a form leads on to the application, which may have another origin.
      `form-action 'self' ${appOrigins.join(' ')}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // With no-referrer the browser would send `Origin: null` with our own forms.
    'referrer-policy': 'strict-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cache-control': 'no-store',
  }
}

/** As Koa has it. */
type Answering = Asking & { type: string; body: unknown }

export interface Pages {
  readonly options: PagesOptions
  readonly headers: Readonly<Record<string, string>>
  /** `here`: the address of the page, where its language can be changed; null if it cannot be opened again. */
  render(page: Page, language: Language, here: string | null): string
  answerProviderError(ctx: KoaContextWithOIDC, out: ErrorOut): void
  /** Says that the same request may succeed in a moment. */
  answerBusy(ctx: Answering): void
  answerLogout(ctx: KoaContextWithOIDC, form: string): void
  answerSignedOut(ctx: KoaContextWithOIDC): void
}

export function createPages(options: PagesOptions): Pages {
  const [appOrigin = options.publicOrigin] = options.appOrigins
  const render: Pages['render'] = (page, language, here) => frame(options, page, language, here).text
  const answer = (ctx: Answering, page: Page) => {
    ctx.type = 'html'
    ctx.body = render(page, languageOf(ctx), null)
  }
  return {
    options,
    headers: pageHeaders(options),
    render,
    answerProviderError: (ctx, out) => answer(ctx, providerFault(out, appOrigin)),
    answerBusy: (ctx) => answer(ctx, busyPage()),
    answerLogout: (ctx, form) => answer(ctx, logoutPage(form, isOwnRequest(ctx), appOrigin)),
    answerSignedOut: (ctx) => answer(ctx, signedOutPage(appOrigin)),
  }
}

function frame(
  { title, impressumUrl, datenschutzUrl, support, notice }: PagesOptions,
  { heading, body, fault = false }: Page,
  language: Language,
  here: string | null,
): Html {
  const say = (german: string) => (language === 'en' ? (englishOf(german) ?? german) : german)
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${fault ? `${say('Fehler:')} ` : ''}${say(heading)} – ${title}</title>
<link rel="icon" href="/anmelden/zeichen.svg" type="image/svg+xml">
<link rel="stylesheet" href="/anmelden/anmelden.css">
</head>
<body>
<header class="wald"><a class="marke" href="/"><img src="/anmelden/zeichen.svg" alt="">${title}</a></header>
<main>
${notice === undefined ? null : html`<p class="meldung">${say(notice)}</p>`}
<h1>${say(heading)}</h1>
${language === 'en' ? new Html(inEnglish(body.text)) : body}
</main>
<footer>
${support ? help(support, say) : null}
${otherLanguage(language, here)}
${footerLink(impressumUrl, say('Impressum'))}
${footerLink(datenschutzUrl, say('Datenschutz'))}
</footer>
</body>
</html>`
}

const help = ({ phone, hours }: NonNullable<PagesOptions['support']>, say: (german: string) => string) =>
  html`<span class="hilfe">${say('Hilfe bei der Anmeldung:')} <a href="${dialHref(phone)}">${phone}</a>${
    hours === '' ? null : ` (${hours})`
  }</span>`

/** A link to the same page in the other language. */
const otherLanguage = (language: Language, here: string | null) =>
  here === null
    ? null
    : language === 'de'
      ? html`<a href="${here}?sprache=en" lang="en" hreflang="en">English</a>`
      : html`<a href="${here}?sprache=de" lang="de" hreflang="de">Deutsch</a>`

const footerLink = (address: string | undefined, text: string) =>
  address === undefined ? null : html`<a href="${address}">${text}</a>`

/** A page that says what happened and where to continue. */
export function messagePage(
  heading: string,
  paragraphs: readonly string[],
  link: { text: string; href: string } | null,
  fault = false,
): Page {
  const way =
    link === null ? null : html`<p class="weiter"><a class="knopf" href="${link.href}">${link.text}</a></p>`
  return { heading, fault, body: html`${paragraphs.map((text) => html`<p>${text}</p>`)}${way}` }
}

export const toApplication = (appOrigin: string) => ({ text: 'Zur Anmeldung', href: `${appOrigin}/` })

export const expiredPage = (appOrigin: string): Page =>
  messagePage(
    'Diese Anmeldung ist abgelaufen',
    [
      'Die Seite war zu lange offen, oder die Anmeldung wurde schon abgeschlossen. Beginnen Sie bitte noch einmal.',
    ],
    toApplication(appOrigin),
    true,
  )

/** The database is away, or too many people sign in at once. */
export const busyPage = (): Page =>
  messagePage(
    'Gerade ist viel los',
    ['Die Anmeldung ist im Moment überlastet. Bitte versuchen Sie es in einer Minute noch einmal.'],
    null,
    true,
  )

const FAULTS: Readonly<Record<string, readonly [string, string]>> = {
  invalid_client: [
    'Unbekannte Anwendung',
    'Die Anwendung, von der Sie kommen, ist hier nicht eingetragen. Öffnen Sie sie bitte über ihre übliche Adresse.',
  ],
  invalid_redirect_uri: [
    'Unbekannte Adresse',
    'Die Anmeldung soll an eine Adresse zurückführen, die hier nicht eingetragen ist. ' +
      'Öffnen Sie die Anwendung bitte über ihre übliche Adresse.',
  ],
  session_not_found: [
    'Diese Anmeldung ist abgelaufen',
    'Die Seite war zu lange offen, oder die Anmeldung wurde schon abgeschlossen. Beginnen Sie bitte noch einmal.',
  ],
  server_error: [
    'Das hat leider nicht geklappt',
    'Bei der Anmeldung ist ein Fehler aufgetreten. ' +
      'Versuchen Sie es bitte in einigen Minuten noch einmal. Bleibt es dabei, rufen Sie uns an.',
  ],
}

/** OpenID's own English texts are for developers: they stay in the page as a code, not as the message. */
function providerFault(out: ErrorOut, appOrigin: string): Page {
  const expired =
    out.error === 'invalid_request' &&
    /session|interaction|expired|logout details|xsrf/i.test(out.error_description ?? '')
  const [heading, text] = FAULTS[expired ? 'session_not_found' : out.error] ?? [
    'Diese Anfrage ist nicht gültig',
    'Der Aufruf der Anmeldung war unvollständig oder falsch. Öffnen Sie die Anwendung bitte über ihre übliche Adresse.',
  ]
  return {
    heading,
    fault: true,
    body: html`<p>${text}</p><p class="leise">Kennung für Rückfragen: ${out.error}</p><p class="weiter"><a
    class="knopf" href="${appOrigin}/">Zur Anmeldung</a></p>`,
  }
}

/** The application presented the ID token of this very session, so the user wants to sign out. */
function isOwnRequest(ctx: KoaContextWithOIDC): boolean {
  const hint = ctx.oidc.entities['IdTokenHint'] as { payload?: { sub?: unknown } } | undefined
  return hint?.payload?.sub !== undefined && hint.payload.sub === ctx.oidc.session?.accountId
}

function logoutPage(form: string, ownRequest: boolean, appOrigin: string): Page {
  return {
    heading: 'Abmelden',
    // The form comes from the provider: two hidden fields and its address.
    body: html`<p>Möchten Sie sich auf diesem Gerät abmelden?</p>
${new Html(form)}
<button class="knopf" type="submit" form="op.logoutForm" name="logout" value="yes">Jetzt abmelden</button>
<a class="knopf zweiter" href="${appOrigin}/">Angemeldet bleiben</a>
${ownRequest ? html`<script src="/anmelden/abmelden.js"></script>` : null}`,
  }
}

const signedOutPage = (appOrigin: string): Page =>
  messagePage(
    'Sie sind abgemeldet',
    ['Auf einem gemeinsam benutzten Rechner schließen Sie bitte auch den Browser.'],
    {
      text: 'Neu anmelden',
      href: `${appOrigin}/`,
    },
  )
