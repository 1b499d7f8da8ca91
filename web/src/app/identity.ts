// Sign-in from the application's point of view (oidc.ts has the protocol): the token, its renewal, and the
// end of the session in all tabs.
import type { IdentityConfig } from '#contract/app-config.ts'
import { claimAt, decodeClaims, groupsOf, type TokenClaims } from './claims.ts'
import { forgetPerson } from './forget.ts'
import { keepTrying } from './keep-trying.ts'
import { Oidc, type SignedIn } from './oidc.ts'
import { PassingFault, passingOfProvider } from './passing.ts'
import { closePreferences } from '../ui/preferences.ts'
import { t } from '../ui/text.ts'
import { safeTarget } from './targets.ts'

export interface Profile {
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
  /** The person's number according to the provider; only a hint. */
  readonly userId: number | null
}
/**
 * Result of start(). `leaving`: the browser is being redirected to the sign-in page. `window`: this is the
 * sign-in popup and it is closing.
 */
export type Started =
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'signed-out'; readonly failed: boolean }
  | { readonly kind: 'leaving' }
  | { readonly kind: 'window' }
export interface IdentityEvents {
  /** Signed out in another tab, or someone else signed in there. */
  ended: () => void
}

const TRIES_KEY = 'anmeldung-versuche'
const SIGNED_OUT_KEY = 'abgemeldet'
/**
 * Belongs to the device: someone signed out here without the provider being notified. Its session may still
 * exist, so the next sign-in must ask for the password.
 */
const ASK_KEY = 'geraet.neu-fragen'
const LOCK = 'forstkontor-token'

export class Identity {
  readonly #config: IdentityConfig
  readonly #oidc: Oidc
  #onEnded: () => void = () => {}
  #timer: ReturnType<typeof setInterval> | undefined
  #sub: string | undefined
  /** Another tab has ended this session: the stored token is no longer ours. */
  #over = false
  #leaving = false

  constructor(config: IdentityConfig) {
    this.#config = config
    this.#oidc = new Oidc(config, (user) => (user ? this.#keep(user) : this.#drop()))
  }

  on(event: keyof IdentityEvents, listener: IdentityEvents[typeof event]) {
    if (event === 'ended') this.#onEnded = listener
  }

  get config(): IdentityConfig {
    return this.#config
  }
  /** The person's id at the provider; undefined if nobody has signed in on this page. */
  get sub(): string | undefined {
    return this.#oidc.user?.profile.sub
  }

  token(): string | null {
    return localStorage.getItem(this.#config.storageKey)
  }

  /** Whose token is stored here. */
  owner(): string | null {
    const token = this.token()
    const owner = token === null ? undefined : decodeClaims(token)['sub']
    return typeof owner === 'string' ? owner : null
  }

  /** The requested path, also on the way back from the provider; reliable enough to prefetch its code. */
  wanted(): string {
    if (location.pathname !== this.#config.redirectPath) return location.pathname
    return safeTarget(begunWith().target).split(/[?#]/, 1)[0] ?? '/'
  }

  /**
   * Signs in if there should be a session; everything else is left to the guard. `asked` is called once the
   * last request to the provider is sent.
   */
  async start(asked: () => void = () => {}): Promise<Started> {
    if (location.pathname === this.#config.redirectPath) return this.#returned()
    const token = this.token()
    if (token === null) return { kind: 'signed-out', failed: false }
    // A token is stored but nobody is signed in: the page was reloaded. The provider's session restores the
    // sign-in without asking, and if the provider has our origin, without leaving the page.
    const owner = decodeClaims(token)['sub']
    if (
      typeof owner === 'string' &&
      (await this.#persist(() => this.#signInSilently(owner, asked))) === 'signed-in'
    ) {
      sessionStorage.removeItem(TRIES_KEY)
      return { kind: 'signed-in' }
    }
    if (tooManyTries()) {
      this.clear()
      return { kind: 'signed-out', failed: true }
    }
    console.info('Not Authenticated!')
    try {
      await this.#persist(() => this.signIn(location.pathname + location.search + location.hash))
      return { kind: 'leaving' }
    } catch (error) {
      console.error('sign-in could not be started', error)
      return { kind: 'signed-out', failed: true }
    }
  }

  /** Retries while there is no answer, or one that is not from the provider. */
  #persist<T>(ask: () => Promise<T>): Promise<T> {
    const attempt = () => {
      this.#oidc.startOver()
      return ask()
    }
    return keepTrying('sign-in', attempt, { passing: passingOfProvider })
  }

  /** Handles the return from the provider, in this window or in the popup. */
  async #returned(): Promise<Started> {
    try {
      if (inSmallWindow()) {
        Oidc.answerOpener()
        return { kind: 'window' }
      }
      const state = await this.#exchanged()
      if (state === undefined) return { kind: 'leaving' }
      sessionStorage.removeItem(TRIES_KEY)
      localStorage.removeItem(ASK_KEY)
      history.replaceState(null, '', safeTarget(state?.target))
      this.#watch()
      return { kind: 'signed-in' }
    } catch (error) {
      console.error('sign-in failed', error)
      this.clear()
      history.replaceState(null, '', '/')
      return { kind: 'signed-out', failed: location.search !== '' }
    }
  }

  /**
   * Completes the sign-in and returns its state. Undefined: the answer to the first exchange was lost and the
   * code is used up, so the page is being redirected to the provider again.
   */
  async #exchanged(): Promise<{ target?: unknown } | null | undefined> {
    const { target } = begunWith()
    let lost = false
    try {
      return ((await this.#persist(() => {
        const exchanged = this.#oidc.returned()
        exchanged.catch((error: unknown) => (lost ||= passingOfProvider(error) !== null))
        return exchanged
      })) ?? null) as { target?: unknown } | null
    } catch (error) {
      if (!lost || tooManyTries()) throw error
      console.info('the code of the sign-in is used up', error)
      await this.#persist(() => this.signIn(safeTarget(target)))
      return undefined
    }
  }

  /**
   * Redirects to the provider's sign-in page, and afterwards back to `target`. `otherAccount`: asks for
   * credentials even if there is a session.
   */
  async signIn(target: string, { otherAccount = false } = {}): Promise<void> {
    sessionStorage.removeItem(SIGNED_OUT_KEY)
    await this.#oidc.leave(
      { target: safeTarget(target) },
      otherAccount || localStorage.getItem(ASK_KEY) !== null,
    )
  }

  /**
   * Signs in without leaving the page if the provider still has this person's session. `other`: its session
   * is someone else's.
   */
  async signInSilently(sub: string, asked?: () => void): Promise<'signed-in' | 'other' | 'asks'> {
    return this.#signInSilently(sub, asked).catch((error: unknown) => {
      console.info('not signed in without asking', error)
      return 'asks'
    })
  }
  /** Same, but rejects on faults that may be temporary. */
  async #signInSilently(sub: string, asked?: () => void): Promise<'signed-in' | 'other' | 'asks'> {
    if (localStorage.getItem(ASK_KEY) !== null) return 'asks'
    try {
      if ((await this.#oidc.silently(sub, asked)) === null) return 'other'
      this.#over = false
      this.#stop()
      this.#watch()
      return 'signed-in'
    } catch (error) {
      if (passingOfProvider(error) !== null) throw error
      console.info('not signed in without asking', error)
      return 'asks'
    }
  }

  /**
   * Signs in again in a popup, so that this page keeps its state. False if it was someone else, whom this
   * page's content does not belong to.
   */
  async signInBeside(): Promise<boolean> {
    const before = this.#sub
    const user = await this.#oidc.beside()
    return before === undefined || user.profile.sub === before
  }

  async profile(): Promise<Profile> {
    const { user } = this.#oidc
    if (!user) throw new Error(t('Der Anmeldedienst ist noch nicht bereit. Bitte laden Sie die Seite neu.'))
    return this.#profileOf({ ...decodeClaims(user.access_token), ...user.profile })
  }
  /** The profile according to the stored token, while it is valid; null if it says too little. */
  storedProfile(): Profile | null {
    const claims = decodeClaims(this.token() ?? '')
    if (!(Number(claims['exp']) * 1000 > Date.now())) return null
    const profile = this.#profileOf(claims)
    return profile.email === '' ? null : profile
  }
  #profileOf(claims: TokenClaims): Profile {
    const email = claimAt(claims, 'email')
    const name = claimAt(claims, 'name') ?? claimAt(claims, 'preferred_username')
    const userId = claims['user_id']
    return {
      email: typeof email === 'string' ? email : '',
      name: typeof name === 'string' ? name : '',
      groups: groupsOf(claims, this.#config.groupsClaim),
      userId: typeof userId === 'number' ? userId : null,
    }
  }

  /** Renews a token that is about to expire. A failure is only logged: the next check tries again. */
  async checkNow(): Promise<void> {
    await this.#renew(this.#config.minValidityS).catch((error: unknown) =>
      console.error('token could not be renewed', error),
    )
  }
  /** After a 401: renews once, whatever the expiry time. */
  async refresh(): Promise<boolean> {
    return this.#renew(Number.POSITIVE_INFINITY).catch((error: unknown) => {
      console.error('token could not be renewed', error)
      return false
    })
  }

  /** Same for the start, which retries: rejects on faults that may be temporary. */
  async refreshForStart(): Promise<boolean> {
    return this.#renew(Number.POSITIVE_INFINITY).catch((error: unknown) => {
      const passing = passingOfProvider(error)
      if (passing !== null) throw new PassingFault(passing, error)
      console.error('token could not be renewed', error)
      return false
    })
  }

  /** Reads the user again inside the lock: it may have been renewed while we waited. */
  async #renew(minValidityS: number): Promise<boolean> {
    const asked = this.#oidc.user?.access_token
    return navigator.locks.request(LOCK, async () => {
      const { user } = this.#oidc
      if (!user || this.#over) return false
      const secondsLeft = (user.expires_at ?? 0) - Date.now() / 1000
      if (user.access_token !== asked || secondsLeft >= minValidityS) return true
      await this.#oidc.renew()
      return true
    })
  }

  /** True from signing out on: the page will be left in any case. */
  get leaving(): boolean {
    return this.#leaving
  }

  async logout(): Promise<void> {
    this.#leaving = true
    sessionStorage.setItem(SIGNED_OUT_KEY, '1')
    this.#over = true
    this.#stop()
    localStorage.removeItem(this.#config.storageKey)
    forgetPerson()
    closePreferences()
    // Empties the page before the browser caches it for the back button.
    window.addEventListener('pagehide', () => document.body.replaceChildren(), { once: true })
    if (this.#oidc.user === null) {
      localStorage.setItem(ASK_KEY, '1')
      return location.replace('/login')
    }
    try {
      await this.#oidc.signOut()
    } catch (error) {
      console.error('the provider did not end the session', error)
      localStorage.setItem(ASK_KEY, '1')
      this.#oidc.forget()
      location.replace('/')
    }
  }

  /** Clears the session in this browser without notifying the provider. */
  clear() {
    this.#stop()
    this.#oidc.forget()
    localStorage.removeItem(this.#config.storageKey)
    forgetPerson()
  }

  #keep(user: SignedIn) {
    this.#sub = user.profile.sub
    localStorage.setItem(this.#config.storageKey, user.access_token)
  }
  #drop() {
    if (!this.#over) localStorage.removeItem(this.#config.storageKey)
  }

  #watch() {
    this.#timer = setInterval(() => void this.checkNow(), this.#config.checkIntervalMs)
    document.addEventListener('visibilitychange', this.#onWake)
    window.addEventListener('online', this.#onWake)
    window.addEventListener('storage', this.#onStorage)
    // Never removed, because it matters most after the session has ended.
    window.addEventListener('pageshow', this.#onBack)
  }
  #stop() {
    clearInterval(this.#timer)
    document.removeEventListener('visibilitychange', this.#onWake)
    window.removeEventListener('online', this.#onWake)
    window.removeEventListener('storage', this.#onStorage)
  }
  readonly #onWake = () => {
    if (document.visibilityState === 'visible') void this.checkNow()
  }
  /**
   * The back button restored the page from the cache: reload if its session has ended or now belongs to
   * someone else.
   */
  readonly #onBack = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    const token = this.token()
    if (!this.#over && token !== null && decodeClaims(token)['sub'] === this.#sub) return
    document.body.replaceChildren()
    location.reload()
  }
  readonly #onStorage = (event: StorageEvent) => {
    // key is null if the whole storage was cleared.
    if (event.key !== null && event.key !== this.#config.storageKey) return
    const sub = event.newValue === null ? undefined : decodeClaims(event.newValue)['sub']
    if (sub === this.#sub) return
    this.#over = true
    this.#stop()
    this.#oidc.forget()
    forgetPerson()
    closePreferences()
    this.#onEnded()
  }
}

/** This is the popup: the sign-in was started by its opener, which alone holds the initial state. */
function inSmallWindow(): boolean {
  return window.opener !== null && sessionStorage.getItem(beganAt()) === null
}
/** Storage key of the returning sign-in's initial state. */
const beganAt = (): string => `oidc.${new URLSearchParams(location.search).get('state') ?? ''}`

function begunWith(): { readonly target?: unknown } {
  try {
    const begun: unknown = JSON.parse(sessionStorage.getItem(beganAt()) ?? '{}')
    return (begun as { data?: { target?: unknown } }).data ?? {}
  } catch {
    return {}
  }
}

/** The person has signed out in this tab and must not be signed in again automatically. */
export const hasSignedOut = (): boolean => sessionStorage.getItem(SIGNED_OUT_KEY) !== null

/** More than four sign-ins within twenty seconds are a loop, not a person. */
function tooManyTries(now = Date.now()): boolean {
  const stored: unknown = JSON.parse(sessionStorage.getItem(TRIES_KEY) ?? '[]')
  const recent = (Array.isArray(stored) ? stored : []).filter(
    (time): time is number => typeof time === 'number' && now - time < 20_000,
  )
  sessionStorage.setItem(TRIES_KEY, JSON.stringify([...recent, now]))
  return recent.length >= 4
}
