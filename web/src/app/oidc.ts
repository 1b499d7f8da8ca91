// The protocol of the sign-in: OpenID Connect's code flow by oidc-client-ts, of which only the client is taken; its manager of windows, frames and timers is
// half of the library, and identity.ts has its own rules for those. Tokens live in this tab's memory only.
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

/** What the small window tells the one that opened it. */
const SOURCE = 'forstkontor-anmeldung'
const CLOSED_CHECK_MS = 500
const REQUEST_S = 10

export class Oidc {
  readonly #settings: OidcClientSettings
  #client: OidcClient
  readonly #authority: string
  readonly #onUser: (user: SignedIn | null) => void
  #user: SignedIn | null = null

  /** `onUser`: somebody is signed in, the token is renewed, or nobody is signed in any more. */
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
  /** What has failed is asked for once more: the library keeps what it was told, even by something in between. */
  startOver(): void {
    this.#client = this.#newClient()
  }

  get user(): SignedIn | null {
    return this.#user
  }

  /** Goes to the provider. Without an entry of its own: going back must not lead into the sign-in again. */
  async leave(state: unknown, otherAccount: boolean): Promise<void> {
    // Asked anew, so that a provider that has moved is found.
    const client = new OidcClient(this.#settings)
    storeAddresses(this.#authority, await client.metadataService.getMetadata())
    const { url } = await client.createSigninRequest({ state, ...(otherAccount && { prompt: 'login' }) })
    await replacePage(url)
  }

  /** Back from the provider: exchanges the code in the address. Answers the state that was given along, which is kept for another try where this one fails. */
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
   * Without leaving the page: the provider answers at once, or says that it wants to ask something. Only where it lies at our own address; another one lets no script read where it leads to.
   * Null: it is somebody else who is signed in there, and nothing of that is kept. `asked` is called once the last that is asked is on its way.
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
    // The library asks within this task.
    setTimeout(asked)
    const response = await exchanged
    if (response.profile.sub !== sub) return null
    storeAddresses(this.#authority, await this.#client.metadataService.getMetadata())
    this.#set(response)
    return response
  }

  /** In a small window, which closes itself; the opened window must be the answer to a press. */
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

  /** In the small window: hands the answer to the one that began. */
  static answerOpener() {
    ;(window.opener as Window).postMessage({ source: SOURCE, url: location.href }, location.origin)
  }

  async renew(): Promise<void> {
    const user = this.#user
    // The library's other way would be a hidden frame, which our policy forbids.
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
    // Ended meanwhile: what has come is nobody's.
    if (this.#user === null) throw new Error('signed out while the token was renewed')
    // A provider that sends no new refresh token means the old one to be used on.
    this.#set({ ...renewed, refresh_token: renewed.refresh_token ?? refresh_token })
  }

  forget() {
    this.#set(null)
  }

  /** Ends the session at the provider. */
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
 * What the provider would have the browser post back (OAuth 2.0 Form Post Response Mode), as the address that it leads to otherwise: a way there and back less than following it.
 * Throws where it asks something instead. Asked not to ask, it never answers 200 with another page, unless by leading on: such a page comes from something in between.
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

/** Settled only when the page is brought back by the back button: until then nothing may go on. */
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

/** The address with which the small window came back from the provider. */
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
