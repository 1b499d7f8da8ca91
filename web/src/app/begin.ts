// What a start needs of the network: configuration, sign-in, roles. Begun before the code of the screens is here, which takes a slow device as long to read as these answers take to come.
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
  /** Where the person wants to be, also on the way back from the provider: good enough to fetch its code meanwhile. */
  readonly wanted: string
  /** Null: this page is open to everybody, and nobody is signed in for it. */
  readonly entering: Entering | null
}
export interface Entering {
  readonly started: Promise<Started>
  /** Nothing more is asked of the provider: until its answer comes there is time to read code. */
  readonly asked: Promise<void>
  /** Rejects where nobody is signed in. */
  readonly session: Promise<Session>
}

let begun: Promise<Begun> | undefined

/** The same beginning each time. Rejects with a ConfigFault where the installation cannot be used. */
export function begin(): Promise<Begun> {
  if (begun === undefined) {
    begun = open()
    // Told by whoever takes it.
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
  // Open to everybody: whoever reads it is not signed in for it.
  if (location.pathname === LANDING || location.pathname === ACCEPTANCE)
    return { config, identity, wanted: location.pathname, entering: null }
  return { config, identity, wanted: identity.wanted(), entering: signIn(identity) }
}

function signIn(identity: Identity): Entering {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const started = identity.start(resolve)
  const session = started.then(async ({ kind }) => {
    if (kind !== 'signed-in') throw new Error('nobody is signed in')
    const profile = await identity.profile()
    return keepTrying('session', () => loadSession(profile))
  })
  // Both are told by whoever takes them.
  started.catch(() => {}).finally(resolve)
  session.catch(() => {})
  return { started, asked, session }
}
