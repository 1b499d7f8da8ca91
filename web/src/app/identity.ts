// The sign-in as the application sees it; the protocol is oidc.ts. In charge of the token, its renewal and the end of the session in all tabs.
import type { IdentityConfig } from '#contract/app-config.ts'
import { claimAt, decodeClaims, groupsOf } from './claims.ts'
import { forgetPerson } from './forget.ts'
import { keepTrying } from './keep-trying.ts'
import { Oidc, type SignedIn } from './oidc.ts'
import { PassingFault, passingOfProvider } from './passing.ts'
import { t } from '../ui/text.ts'
import { safeTarget } from './targets.ts'

export interface Profile {
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
  /** What the provider says the person's number is; only a hint. */
  readonly userId: number | null
}
/** What start() found. `leaving`: the browser is on its way to the sign-in page. `window`: this was the small sign-in window and it closes. */
export type Started =
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'signed-out'; readonly failed: boolean }
  | { readonly kind: 'leaving' }
  | { readonly kind: 'window' }
export interface IdentityEvents {
  /** Signed out in another tab, or signed in there as somebody else. */
  ended: () => void
}

const TRIES_KEY = 'anmeldung-versuche'
const SIGNED_OUT_KEY = 'abgemeldet'
/** Of the machine: somebody signed out here, and the provider could not be told. Its session may go on; it has to ask for the password the next time. */
const ASK_KEY = 'geraet.neu-fragen'
const LOCK = 'forstkontor-token'

export class Identity {
  readonly #config: IdentityConfig
  readonly #oidc: Oidc
  #onEnded: () => void = () => {}
  #timer: ReturnType<typeof setInterval> | undefined
  #sub: string | undefined
  /** Another tab has ended this session: what is stored is no longer ours. */
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
  /** Number of the person at the provider; undefined: nobody has signed in on this page. */
  get sub(): string | undefined {
    return this.#oidc.user?.profile.sub
  }

  token(): string | null {
    return localStorage.getItem(this.#config.storageKey)
  }

  /** Where the person wants to be, also on the way back from the provider: good enough to fetch its code meanwhile. */
  wanted(): string {
    if (location.pathname !== this.#config.redirectPath) return location.pathname
    return safeTarget(begunWith().target).split(/[?#]/, 1)[0] ?? '/'
  }

  /** Signs in where a session is known to exist; leaves everything else to the guard. `asked` is called once nothing more is asked of the provider. */
  async start(asked: () => void = () => {}): Promise<Started> {
    if (location.pathname === this.#config.redirectPath) return this.#returned()
    const token = this.token()
    if (token === null) return { kind: 'signed-out', failed: false }
    // A token without its owner: the page was loaded anew. The provider's session brings both back without asking; where it lies at our own address, without leaving the page.
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

  /** Once more while nobody answers, or something in between does: that is no answer of the provider's. */
  #persist<T>(ask: () => Promise<T>): Promise<T> {
    const attempt = () => {
      this.#oidc.startOver()
      return ask()
    }
    return keepTrying('sign-in', attempt, { passing: passingOfProvider })
  }

  /** Back from the provider, in this window or in the small one. */
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

  /** The state of a sign-in that comes back now; undefined: the page is on its way to the provider once more, because the answer to a first exchange was lost and its code is used up. */
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

  /** Goes to the provider's sign-in page and comes back to `target`. `otherAccount`: it asks even where its own session would do. */
  async signIn(target: string, { otherAccount = false } = {}): Promise<void> {
    sessionStorage.removeItem(SIGNED_OUT_KEY)
    await this.#oidc.leave(
      { target: safeTarget(target) },
      otherAccount || localStorage.getItem(ASK_KEY) !== null,
    )
  }

  /** Signs in without leaving the page, where the provider still knows this person. `other`: it is somebody else there. */
  async signInSilently(sub: string, asked?: () => void): Promise<'signed-in' | 'other' | 'asks'> {
    return this.#signInSilently(sub, asked).catch((error: unknown) => {
      console.info('not signed in without asking', error)
      return 'asks'
    })
  }
  /** The same; rejects where the fault may pass by itself. */
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

  /** Signs in again in a small window, so that this page keeps its work. False: it was somebody else, and what is on this page is not theirs. */
  async signInBeside(): Promise<boolean> {
    const before = this.#sub
    const user = await this.#oidc.beside()
    return before === undefined || user.profile.sub === before
  }

  async profile(): Promise<Profile> {
    const { user } = this.#oidc
    if (!user) throw new Error(t('Der Anmeldedienst ist noch nicht bereit. Bitte laden Sie die Seite neu.'))
    const claims = { ...decodeClaims(user.access_token), ...user.profile }
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

  /** Renews a token that is about to end. A failure is only logged: the next check tries again. */
  async checkNow(): Promise<void> {
    await this.#renew(this.#config.minValidityS).catch((error: unknown) =>
      console.error('token could not be renewed', error),
    )
  }
  /** After a 401: one renewal whatever the clock says. */
  async refresh(): Promise<boolean> {
    return this.#renew(Number.POSITIVE_INFINITY).catch((error: unknown) => {
      console.error('token could not be renewed', error)
      return false
    })
  }

  /** The same for the start, which tries again: rejects where the fault may pass by itself. */
  async refreshForStart(): Promise<boolean> {
    return this.#renew(Number.POSITIVE_INFINITY).catch((error: unknown) => {
      const passing = passingOfProvider(error)
      if (passing !== null) throw new PassingFault(passing, error)
      console.error('token could not be renewed', error)
      return false
    })
  }

  /** The user is read again inside the lock: somebody may have renewed while we waited. */
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

  /** Signing out leaves this page in any case. */
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
    // The browser keeps the page for its back button: what it keeps is empty.
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

  /** Forgets the session here without telling the provider. */
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
    // Never taken away: it matters most after the end.
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
  /** Brought back by the back button as it was: a page whose session has ended meanwhile, or is somebody else's now, starts anew. */
  readonly #onBack = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    const token = this.token()
    if (!this.#over && token !== null && decodeClaims(token)['sub'] === this.#sub) return
    document.body.replaceChildren()
    location.reload()
  }
  readonly #onStorage = (event: StorageEvent) => {
    // key null: the whole storage was emptied.
    if (event.key !== null && event.key !== this.#config.storageKey) return
    const sub = event.newValue === null ? undefined : decodeClaims(event.newValue)['sub']
    if (sub === this.#sub) return
    this.#over = true
    this.#stop()
    this.#oidc.forget()
    forgetPerson()
    this.#onEnded()
  }
}

/** The sign-in was begun by the window that opened this one: only that one holds the state it began with. */
function inSmallWindow(): boolean {
  return window.opener !== null && sessionStorage.getItem(beganAt()) === null
}
/** Where the sign-in that comes back now has kept what it began with. */
const beganAt = (): string => `oidc.${new URLSearchParams(location.search).get('state') ?? ''}`

function begunWith(): { readonly target?: unknown } {
  try {
    const begun: unknown = JSON.parse(sessionStorage.getItem(beganAt()) ?? '{}')
    return (begun as { data?: { target?: unknown } }).data ?? {}
  } catch {
    return {}
  }
}

/** This person has signed out in this tab and is not to be signed in again unasked. */
export const hasSignedOut = (): boolean => sessionStorage.getItem(SIGNED_OUT_KEY) !== null

/** More than four sign-ins within twenty seconds is a loop and not a person. */
function tooManyTries(now = Date.now()): boolean {
  const stored: unknown = JSON.parse(sessionStorage.getItem(TRIES_KEY) ?? '[]')
  const recent = (Array.isArray(stored) ? stored : []).filter(
    (time): time is number => typeof time === 'number' && now - time < 20_000,
  )
  sessionStorage.setItem(TRIES_KEY, JSON.stringify([...recent, now]))
  return recent.length >= 4
}
