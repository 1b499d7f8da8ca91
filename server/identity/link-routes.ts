// /anmelden/vergessen, /anmelden/passwort/… and /anmelden/einrichten/…: what people can do without being
// signed in.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { reasonForLog } from '#server/database/log-reason.ts'
import { type AccountService, InputFault } from './account-service.ts'
import { isEmail } from './set-up-input.ts'
import { forgotPage, linkPasswordPage, setUpPage } from './form-pages.ts'
import type { FoundLink } from './links.ts'
import { field, type PageContext, sendPage, throttledPage } from './page-routes.ts'
import { messagePage, type Page, toApplication } from './pages.ts'

export interface LinkRoutesOptions extends PageContext {
  readonly accounts: AccountService
  readonly title: string
  readonly sendsMail: boolean
}

type WithToken = FastifyRequest<{ Params: { token: string } }>

export function linkRoutes(scope: FastifyInstance, options: LinkRoutesOptions): void {
  forgotRoutes(scope, options)
  passwordRoutes(scope, options)
  setUpRoutes(scope, options)
}

/** Links that one network address may request, no matter for whom. */
const FORGOTTEN_PER_HOUR = 20

function forgotRoutes(
  scope: FastifyInstance,
  { pages, accounts, throttle, sendsMail, appOrigin, log }: LinkRoutesOptions,
): void {
  scope.get('/anmelden/vergessen', (_request, reply) =>
    sendPage(reply, pages, forgotPage({ message: null, email: '' })),
  )
  scope.post('/anmelden/vergessen', async (request, reply) => {
    const email = field(request, 'email').trim()
    if (!isEmail(email))
      return sendPage(
        reply,
        pages,
        forgotPage({
          message: 'Bitte geben Sie eine vollständige E-Mail-Adresse an, zum Beispiel name@firma.de.',
          email,
        }),
        400,
      )
    const wait = await throttle.admitInHour(request.ip, 'vergessen', FORGOTTEN_PER_HOUR)
    if (wait > 0) return sendPage(reply.header('retry-after', String(wait)), pages, throttledPage(wait), 429)
    // Not awaited: neither the answer nor its timing reveals whether the address has an account.
    accounts
      .requestReset(email)
      .catch((error: unknown) => log.error('password reset', { reason: reasonForLog(error) }))
    return sendPage(reply, pages, sendsMail ? mailIsOnItsWay(appOrigin) : askForALink(appOrigin))
  })
}

const mailIsOnItsWay = (appOrigin: string) =>
  messagePage(
    'Bitte sehen Sie in Ihr Postfach',
    [
      'Gibt es zu dieser Adresse ein Konto, ist eine Nachricht mit einem Link unterwegs. Er gilt 60 Minuten.',
      'Kommt nichts an, prüfen Sie den Ordner für unerwünschte Nachrichten und die Schreibweise der Adresse.',
    ],
    toApplication(appOrigin),
  )

const askForALink = (appOrigin: string) =>
  messagePage(
    'Bitte wenden Sie sich an Ihre Verwaltung',
    [
      'Von hier werden keine E-Mails versendet. Ihre Verwaltung kann Ihnen einen Link geben, ' +
        'mit dem Sie ein neues Passwort festlegen.',
    ],
    toApplication(appOrigin),
  )

function passwordRoutes(scope: FastifyInstance, { pages, accounts, appOrigin }: LinkRoutesOptions): void {
  const form = (token: string, link: FoundLink, message: string | null) =>
    linkPasswordPage({
      action: `/anmelden/passwort/${token}`,
      email: link.email ?? '',
      message,
      welcome: link.art === 'einladung',
    })

  scope.get('/anmelden/passwort/:token', async (request: WithToken, reply) => {
    const link = await accounts.findLink(request.params.token)
    if (!isPasswordLink(link)) return sendPage(reply, pages, linkExpired(link, appOrigin), 410)
    return sendPage(reply, pages, form(request.params.token, link, null))
  })

  scope.post('/anmelden/passwort/:token', async (request: WithToken, reply) => {
    const { token } = request.params
    const link = await accounts.findLink(token)
    if (!isPasswordLink(link)) return sendPage(reply, pages, linkExpired(link, appOrigin), 410)
    const store = () => accounts.setPasswordByLink(token, field(request, 'neu'), field(request, 'wiederholt'))
    return answer(store, {
      again: (message) => sendPage(reply, pages, form(token, link, message), 400),
      used: () => sendPage(reply, pages, linkExpired(link, appOrigin), 410),
      done: () => sendPage(reply, pages, passwordStored(appOrigin)),
    })
  })
}

const isPasswordLink = (link: FoundLink | null): link is FoundLink =>
  link?.usable === true && link.art !== 'einrichtung'

const passwordStored = (appOrigin: string) =>
  messagePage(
    'Ihr Passwort ist gespeichert',
    ['Melden Sie sich jetzt damit an. Andere Sitzungen Ihres Kontos wurden beendet.'],
    toApplication(appOrigin),
  )

/** The same for used, expired and invented links; only the next step differs. */
function linkExpired(link: FoundLink | null, appOrigin: string): Page {
  if (link?.art === 'einladung')
    return messagePage(
      'Dieser Link ist abgelaufen',
      [
        'Er wurde schon benutzt, durch einen neueren ersetzt oder ist älter als sieben Tage.',
        'Haben Sie Ihr Passwort schon festgelegt, melden Sie sich einfach an. ' +
          'Sonst bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.',
      ],
      toApplication(appOrigin),
      true,
    )
  return messagePage(
    'Dieser Link ist abgelaufen',
    [
      'Er wurde schon benutzt, durch einen neueren ersetzt oder ist zu alt. Fordern Sie bitte einen neuen an.',
    ],
    { text: 'Neuen Link anfordern', href: '/anmelden/vergessen' },
    true,
  )
}

function setUpRoutes(scope: FastifyInstance, { pages, accounts, title, appOrigin }: LinkRoutesOptions): void {
  const form = (request: WithToken, link: FoundLink, message: string | null) =>
    setUpPage({
      action: `/anmelden/einrichten/${request.params.token}`,
      vorname: field(request, 'vorname'),
      nachname: field(request, 'nachname'),
      email: link.email ?? field(request, 'email'),
      fixedEmail: link.email !== null,
      message,
      title,
    })
  const gone = (reply: FastifyReply) => sendPage(reply, pages, SETUP_EXPIRED, 410)

  scope.get('/anmelden/einrichten/:token', async (request: WithToken, reply) => {
    const link = await accounts.findLink(request.params.token)
    return isSetUpLink(link) ? sendPage(reply, pages, form(request, link, null)) : gone(reply)
  })

  scope.post('/anmelden/einrichten/:token', async (request: WithToken, reply) => {
    const { token } = request.params
    const link = await accounts.findLink(token)
    if (!isSetUpLink(link)) return gone(reply)
    const [firstName, lastName, email] = [
      field(request, 'vorname'),
      field(request, 'nachname'),
      field(request, 'email'),
    ]
    const store = () =>
      accounts.setUp(token, {
        vorname: firstName,
        nachname: lastName,
        email,
        password: field(request, 'neu'),
        repeated: field(request, 'wiederholt'),
      })
    return answer(store, {
      again: (message) => sendPage(reply, pages, form(request, link, message), 400),
      used: () => gone(reply),
      done: () => sendPage(reply, pages, setUpDone(appOrigin)),
    })
  })
}

const isSetUpLink = (link: FoundLink | null): link is FoundLink =>
  link?.usable === true && link.art === 'einrichtung'

const SETUP_EXPIRED = messagePage(
  'Dieser Link ist abgelaufen',
  [
    'Der Link zum Einrichten gilt 60 Minuten und nur einmal. ' +
      'Gibt es noch kein Konto, starten Sie den Server neu: Er zeigt dann einen neuen Link an.',
  ],
  { text: 'Zur Anmeldung', href: '/' },
  true,
)

const setUpDone = (appOrigin: string) =>
  messagePage(
    'Ihr Konto ist angelegt',
    ['Melden Sie sich jetzt an. Danach können Sie unter „Nutzer“ weitere Personen einladen.'],
    toApplication(appOrigin),
  )

interface Answers {
  again(message: string): FastifyReply
  used(): FastifyReply
  done(): FastifyReply
}

async function answer(store: () => Promise<boolean>, answers: Answers): Promise<FastifyReply> {
  try {
    return (await store()) ? answers.done() : answers.used()
  } catch (error) {
    if (error instanceof InputFault) return answers.again(error.message)
    throw error
  }
}
