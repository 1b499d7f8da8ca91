// The sign-in protocol: OpenID Connect's code flow. Uses only the client of oidc-client-ts; its manager of
// windows, frames and timers is half of the library, and identity.ts has its own rules for those. Tokens are
// kept only in this tab's memory.
import {
  OidcClient,
  type OidcClientSettings,
  type SigninResponse,
  WebStorageStateStore,
} from 'oidc-client-ts'
import type { IdentityConfig } from '#contract/app-config.ts'
import { PassingFault, passesByStatus } from './passing.ts'
import { storeAddresses, storedAddresses } from './provider-addresses.ts'

export type SignedIn = Pick<
  SigninResponse,
  'access_token' | 'refresh_token' | 'id_token' | 'session_state' | 'scope' | 'profile' | 'expires_at'
>

/** Identifies the popup's message to its opener. */
const SOURCE = 'forstkontor-anmeldung'
const CLOSED_CHECK_MS = 500
const REQUEST_S = 10

export class Oidc {
  readonly #settings: OidcClientSettings
  #client: OidcClient
  readonly #authority: string
  readonly #onUser: (user: SignedIn | null) => void
  #user: SignedIn | null = null

  /** `onUser` is called when someone signs in, the token is renewed, or nobody is signed in any more. */
  constructor(
    { authority, clientId, scope, redirectPath }: IdentityConfig,
    onUser: (user: SignedIn | null) => void,
  ) {
    this.#settings = {
      authority,
      client_id: clientId,
      scope,
      redirect_uri: location.origin + redirectPath,
      post_logout_redirect_uri: `${location.origin}/`,
      response_type: 'code',
      loadUserInfo: false,
      requestTimeoutInSeconds: REQUEST_S,
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
    }
    this.#authority = authority
    this.#client = this.#newClient()
    this.#onUser = onUser
  }

  #newClient(): OidcClient {
    const metadata = storedAddresses(this.#authority)
    return new OidcClient({ ...this.#settings, ...(metadata && { metadata }) })
  }
  /**
   * Creates a new client for a retry, because the library caches answers, even those of something in between.
   */
  startOver(): void {
    this.#client = this.#newClient()
  }

  get user(): SignedIn | null {
    return this.#user
  }

  /**
   * Redirects to the provider. Replaces the history entry, because going back must not start the sign-in
   * again.
   */
  async leave(state: unknown, otherAccount: boolean): Promise<void> {
    // Fetches the metadata again, in case the provider has moved.
    const client = new OidcClient(this.#settings)
    storeAddresses(this.#authority, await client.metadataService.getMetadata())
    const { url } = await client.createSigninRequest({ state, ...(otherAccount && { prompt: 'login' }) })
    await replacePage(url)
  }

  /**
   * Back from the provider: exchanges the code in the address. Returns the state that was passed along; it is
   * kept for another try if this one fails.
   */
  async returned(): Promise<unknown> {
    const key = `oidc.${new URLSearchParams(location.search).get('state') ?? ''}`
    const state = sessionStorage.getItem(key)
    try {
      return (await this.#take(location.href)).userState
    } catch (error) {
      if (state !== null) sessionStorage.setItem(key, state)
      throw error
    }
  }

  /**
   * Signs in without leaving the page: the provider answers immediately, or says that it has to ask
   * something. Only works if it has our origin; otherwise scripts cannot read where it redirects to. Null if
   * someone else is signed in there; nothing is kept then. `asked` is called once the last request is on its
   * way.
   */
  async silently(sub: string, asked: () => void = () => {}): Promise<SignedIn | null> {
    if (new URL(this.#authority).origin !== location.origin) throw new Error('the provider lies elsewhere')
    const { url } = await this.#client.createSigninRequest({
      prompt: 'none',
      extraQueryParams: { response_mode: 'form_post' },
    })
    const answer = await fetch(url, {
      headers: { accept: 'text/html' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(REQUEST_S * 1000),
    })
    if (passesByStatus(answer.status))
      throw new PassingFault({ kind: 'faulty', detail: `sign-in: ${answer.status}` })
    const exchanged = this.#client.processSigninResponse(answerIn(await answer.text(), answer))
    // The library sends its request within this task.
    setTimeout(asked)
    const response = await exchanged
    if (response.profile.sub !== sub) return null
    storeAddresses(this.#authority, await this.#client.metadataService.getMetadata())
    this.#set(response)
    return response
  }

  /**
   * Signs in through a popup, which closes itself; must be called from a click handler for the browser to
   * allow it.
   */
  async beside(): Promise<SignedIn> {
    const [width, height] = [520, 720]
    const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2))
    const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2))
    const popup = window.open(
      undefined,
      '_blank',
      `popup,width=${width},height=${height},left=${left},top=${top}`,
    )
    if (popup === null) throw new Error('the browser opens no window')
    try {
      const { url } = await this.#client.createSigninRequest({ display: 'popup' })
      popup.location.replace(url)
      return await this.#take(await answerOf(popup))
    } finally {
      popup.close()
    }
  }

  /** In the popup: passes the answer to the opener. */
  static answerOpener() {
    ;(window.opener as Window).postMessage({ source: SOURCE, url: location.href }, location.origin)
  }

  async renew(): Promise<void> {
    const user = this.#user
    // Without one the library would use a hidden frame, which our content security policy forbids.
    if (!user?.refresh_token) throw new Error('no refresh token')
    const { refresh_token, id_token, session_state, scope, profile } = user
    const state = {
      refresh_token,
      session_state,
      profile,
      ...(id_token !== undefined && { id_token }),
      ...(scope !== undefined && { scope }),
    }
    const renewed = await this.#client.useRefreshToken({ state, timeoutInSeconds: REQUEST_S })
    // The session ended meanwhile: the new tokens must not be used.
    if (this.#user === null) throw new Error('signed out while the token was renewed')
    // If the provider sends no new refresh token, the old one remains valid.
    this.#set({ ...renewed, refresh_token: renewed.refresh_token ?? refresh_token })
  }

  forget() {
    this.#set(null)
  }

  /** Ends the session at the provider too. */
  async signOut(): Promise<void> {
    const id_token_hint = this.#user?.id_token
    this.forget()
    const { url } = await this.#client.createSignoutRequest(
      id_token_hint === undefined ? {} : { id_token_hint },
    )
    await goTo(url)
  }

  async #take(url: string): Promise<SigninResponse> {
    const response = await this.#client.processSigninResponse(url)
    this.#set(response)
    return response
  }
  #set(user: SignedIn | null) {
    this.#user = user
    this.#onUser(user)
  }
}

/**
 * Turns the provider's self-posting form (OAuth 2.0 Form Post Response Mode) into the equivalent redirect
 * address, which saves the round trip of following it. Throws if the provider has to ask something. With
 * prompt=none it never answers 200 with another page unless it redirected, so such a page comes from
 * something in between.
 */
function answerIn(html: string, { ok, redirected }: Response): string {
  const form = new DOMParser()
    .parseFromString(html, 'text/html')
    .querySelector<HTMLFormElement>('form[method="post" i]')
  const told = new URLSearchParams()
  for (const { name, value } of form?.querySelectorAll<HTMLInputElement>('input[type="hidden"][name]') ?? [])
    told.set(name, value)
  if (form === null || !told.has('state')) {
    if (ok && !redirected)
      throw new PassingFault({ kind: 'faulty', detail: 'sign-in: another answer than expected' })
    throw new Error('the provider did not answer at once')
  }
  return `${form.getAttribute('action') ?? ''}?${told}`
}

/** Resolves only when the back button restores the page; until then nothing may continue. */
const gone = (): Promise<void> =>
  new Promise((resolve) => window.addEventListener('pageshow', () => resolve(), { once: true }))
function replacePage(url: string): Promise<void> {
  location.replace(url)
  return gone()
}
function goTo(url: string): Promise<void> {
  location.assign(url)
  return gone()
}

/** Waits for the address with which the popup came back from the provider. */
function answerOf(popup: Window): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const listen = ({ origin, source, data }: MessageEvent) => {
    const told = data as { source?: unknown; url?: unknown } | null
    if (
      origin === location.origin &&
      source === popup &&
      told?.source === SOURCE &&
      typeof told.url === 'string'
    )
      resolve(told.url)
  }
  const watch = setInterval(() => {
    if (popup.closed) reject(new Error('the sign-in window was closed'))
  }, CLOSED_CHECK_MS)
  window.addEventListener('message', listen)
  return promise.finally(() => {
    clearInterval(watch)
    window.removeEventListener('message', listen)
  })
}
