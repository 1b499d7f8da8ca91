// Network part of the start: configuration, sign-in, roles. Runs before the screens' code is loaded, because
// slow devices take as long to parse that code as these requests take.
import type { AppConfig } from '#contract/app-config.ts'
import { connectClient } from '../data/client.ts'
import type { Session } from '../data/session.ts'
import { awaitConfig } from './config.ts'
import { Identity, type Started } from './identity.ts'
import { keepTrying } from './keep-trying.ts'
import { followLanguage } from './language.ts'
import { loadSession } from './load-session.ts'
import { ACCEPTANCE, LANDING, landingInstead } from './mobile.ts'

export interface Begun {
  readonly config: AppConfig
  readonly identity: Identity
  /** The requested path, also on the way back from the provider; reliable enough to prefetch its code. */
  readonly wanted: string
  /** Null if the page is public and needs no sign-in. */
  readonly entering: Entering | null
}
export interface Entering {
  readonly started: Promise<Started>
  /**
   * Resolves once the last request to the provider is sent: until its answer arrives there is time to parse
   * code.
   */
  readonly asked: Promise<void>
  /** Rejects if nobody is signed in. */
  readonly session: Promise<Session>
}

let begun: Promise<Begun> | undefined

/**
 * Starts once; later calls return the same promise. Rejects with a ConfigFault if the installation cannot be
 * used.
 */
export function begin(): Promise<Begun> {
  if (begun === undefined) {
    begun = open()
    // Prevents an unhandled rejection: callers that await it report the error.
    begun.catch(() => {})
  }
  return begun
}

async function open(): Promise<Begun> {
  const [{ app: config, identity: identityConfig }] = await Promise.all([awaitConfig(), followLanguage()])
  const identity = new Identity(identityConfig)
  connectClient({
    ...config,
    token: () => identity.token(),
    refresh: () => identity.refreshForStart(),
    sessionLost: () => {},
  })
  const landing = config.mobileLanding ? landingInstead(location) : undefined
  if (landing !== undefined) history.replaceState(null, '', landing)
  // Public pages: no sign-in, but the landing page offers what the person may, if the browser knows who it is.
  const isLanding = location.pathname === LANDING
  const owner = isLanding ? identity.owner() : null
  if (owner !== null)
    return { config, identity, wanted: LANDING, entering: signIn(identity, () => recognise(identity, owner)) }
  if (isLanding || location.pathname === ACCEPTANCE)
    return { config, identity, wanted: location.pathname, entering: null }
  return { config, identity, wanted: identity.wanted(), entering: signIn(identity) }
}

/** Signs in without asking and without leaving the page, if that is possible. */
const recognise = async (identity: Identity, owner: string): Promise<Started> =>
  (await identity.signInSilently(owner)) === 'signed-in'
    ? { kind: 'signed-in' }
    : { kind: 'signed-out', failed: false }

function signIn(
  identity: Identity,
  start: (asked: () => void) => Promise<Started> = (sent) => identity.start(sent),
): Entering {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  // While the provider is asked, the stored token already loads what it may; used if the same person signs in.
  const stored = identity.storedProfile()
  const ahead = stored && loadSession(stored).catch(() => null)
  const started = start(resolve)
  const session = started.then(async ({ kind }) => {
    if (kind !== 'signed-in') throw new Error('nobody is signed in')
    const profile = await identity.profile()
    const early = JSON.stringify(profile) === JSON.stringify(stored) ? await ahead : null
    return early && !early.incomplete ? early : keepTrying('session', () => loadSession(profile))
  })
  // Prevents unhandled rejections: callers that await them report the errors.
  started.catch(() => {}).finally(resolve)
  session.catch(() => {})
  return { started, asked, session }
}
