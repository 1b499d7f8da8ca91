// /anmelden/vorgang/…: the pages between the application's request for a sign-in and the answer to it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Provider } from 'oidc-provider'
import { changePasswordPage, codePage, enrolPage, recoveryCodesPage, signInPage } from './form-pages.ts'
import type { Devices } from './devices.ts'
import { field, type PageContext, sendPage } from './page-routes.ts'
import { expiredPage, type Page } from './pages.ts'
import { totpQrCode } from './second-factor.ts'
import type { DemoWayIn, Outcome, SignIn, Step } from './sign-in.ts'

export interface SignInRoutesOptions extends PageContext {
  readonly signIn: SignIn
  readonly devices: Devices
  /** The current provider: it is rebuilt when the keys change. */
  readonly provider: () => Provider
  readonly title: string
  /** Accounts of a trial that need no password. */
  readonly demo: readonly DemoWayIn[]
}

type WithId = FastifyRequest<{ Params: { vorgang: string } }>

interface Interaction {
  readonly id: string
  readonly action: string
  readonly hint: string
}

export function signInRoutes(scope: FastifyInstance, options: SignInRoutesOptions): void {
  const { pages, signIn } = options
  const path = '/anmelden/vorgang/:vorgang'

  scope.get(path, async (request: WithId, reply) => {
    const interaction = await interactionOf(options, request, reply)
    if (interaction === null) return sendPage(reply, pages, expiredPage(options.appOrigin), 400)
    const step = await signIn.stepOf(interaction.id)
    return sendPage(reply, pages, await pageOf(options, request, interaction, step, null))
  })

  scope.post(path, async (request: WithId, reply) => {
    const interaction = await interactionOf(options, request, reply)
    if (interaction === null) return sendPage(reply, pages, expiredPage(options.appOrigin), 400)
    const step = await signIn.stepOf(interaction.id)
    if (field(request, 'schritt') === 'zurueck') {
      await signIn.forget(interaction.id)
      return reply.redirect(interaction.action, 303)
    }
    // A form of another step, for instance after the back button: show the step that the sign-in is at.
    if (field(request, 'schritt') !== (step?.schritt ?? 'anmelden'))
      return reply.redirect(interaction.action, 303)
    const outcome = await take(options, interaction.id, step, request)
    if (outcome.kind === 'done') return finish(options, request, reply, interaction.id, outcome)
    if (outcome.kind === 'step') return reply.redirect(interaction.action, 303)
    return sendPage(
      reply,
      pages,
      await pageOf(options, request, interaction, step, outcome.message, field(request, 'email')),
    )
  })
}

/** The sign-in in progress in this browser; its cookie must match the address. */
async function interactionOf(
  { provider }: SignInRoutesOptions,
  request: WithId,
  reply: FastifyReply,
): Promise<Interaction | null> {
  try {
    const details = await provider().interactionDetails(request.raw, reply.raw)
    if (details.uid !== request.params.vorgang) return null
    const hint = details.params['login_hint']
    return {
      id: details.uid,
      action: `/anmelden/vorgang/${details.uid}`,
      hint: typeof hint === 'string' ? hint.slice(0, 254) : '',
    }
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null
    throw error
  }
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
/** Set by whatever forwards requests of other machines. */
const FORWARDED = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'] as const

/** What may be chosen without a password: nothing for requests that come, or may come, from elsewhere. */
function demoFor({ demo }: SignInRoutesOptions, { raw, headers }: FastifyRequest): readonly DemoWayIn[] {
  const here = LOOPBACK.test(raw.socket.remoteAddress ?? '')
  return here && FORWARDED.every((name) => headers[name] === undefined) ? demo : []
}

function take(
  options: SignInRoutesOptions,
  id: string,
  step: Step | null,
  request: FastifyRequest,
): Promise<Outcome> {
  const { signIn, devices } = options
  const chosen = field(request, 'konto')
  if (step === null && chosen !== '' && demoFor(options, request).length > 0) return signIn.asDemo(id, chosen)
  const email = step === null ? field(request, 'email').trim().slice(0, 254) : step.account.email
  const device = devices.known(request, email)
  if (step === null) return signIn.withPassword(id, email, field(request, 'passwort'), device)
  if (step.schritt === 'code') return signIn.withCode(id, step, field(request, 'code'), device)
  if (step.schritt === 'einrichten') return signIn.enrol(id, step, field(request, 'code'))
  if (step.schritt === 'codes_zeigen') return signIn.codesKept(id, step)
  return signIn.changePassword(id, step, field(request, 'neu'), field(request, 'wiederholt'))
}

async function pageOf(
  options: SignInRoutesOptions,
  request: FastifyRequest,
  { action, hint }: Interaction,
  step: Step | null,
  message: string | null,
  typed = hint,
): Promise<Page> {
  if (step === null)
    return signInPage({
      action,
      email: typed,
      message,
      title: options.title,
      demo: demoFor(options, request),
    })
  const { email } = step.account
  const open = step.open ?? ''
  if (step.schritt === 'code') return codePage({ action, email, message })
  if (step.schritt === 'einrichten')
    return enrolPage({
      action,
      email,
      message,
      secret: open,
      qrCode: await totpQrCode(open, email, options.title),
    })
  if (step.schritt === 'codes_zeigen')
    return recoveryCodesPage({ action, codes: JSON.parse(open) as string[] })
  return changePasswordPage({ action, email, message })
}

async function finish(
  { provider, signIn, devices }: SignInRoutesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  { account, amr }: Extract<Outcome, { kind: 'done' }>,
): Promise<FastifyReply> {
  await signIn.complete(id, account, devices.known(request, account.email))
  devices.remember(request, reply, account.email)
  const login = {
    accountId: account.konto_id,
    amr: [...amr],
    // The session also ends with the browser.
    remember: false,
    // The present time, not when the browser follows: ending sessions in the meantime ends this one too.
    ts: Math.floor(Date.now() / 1000),
  }
  const returnTo = await provider().interactionResult(
    request.raw,
    reply.raw,
    { login },
    { mergeWithLastSubmission: false },
  )
  return reply.redirect(returnTo, 303)
}
