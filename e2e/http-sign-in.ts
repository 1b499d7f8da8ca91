// A sign-in without a browser: the same pages and addresses over plain HTTP, for tests that need many people
// or unusual requests.
import { createHash, randomBytes } from 'node:crypto'
import type { RunningApp } from './app.ts'
import { demoPassword, type DemoRole, emailOf } from './browser.ts'

export interface Tokens {
  readonly access_token: string
  readonly id_token: string
  readonly refresh_token: string
}

export const PROTOCOL = '/realms/master/protocol/openid-connect'
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** The parameters with which the application requests a sign-in. */
export const wish = (origin: string, verifier: string): Record<string, string> => ({
  client_id: 'ogf-web',
  response_type: 'code',
  scope: 'openid email profile',
  redirect_uri: `${origin}/auth-redirect`,
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  state: 'state',
})

/** A browser's cookies, by path; enough for one host. */
class Cookies {
  readonly #kept = new Map<string, string>()
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url)
    const cookie = [...this.#kept]
      .filter(([key]) => pathname.startsWith(key.split(' ')[0] ?? '/'))
      .map(([key, value]) => `${key.split(' ')[1]}=${value}`)
      .join('; ')
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), cookie },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#kept.set(`${/; path=([^;]*)/i.exec(line)?.[1] ?? '/'} ${name}`, value)
    }
    return answer
  }
}

export interface Attempt {
  /** Where the sign-in ended: the application with a code, or null if the form was shown again. */
  readonly returned: URL | null
  /** The form's error message. */
  readonly alert: string | null
  readonly verifier: string
}

let people = 0
/**
 * One attempt from its own network address: the throttle counts per address, and this machine is trusted to
 * forward another.
 */
export async function tryToSignIn(origin: string, email: string, password: string): Promise<Attempt> {
  const cookies = new Cookies()
  const verifier = randomBytes(32).toString('base64url')
  people += 1
  const from = { 'x-forwarded-for': `10.${people >> 16}.${(people >> 8) & 255}.${people & 255}` }
  const start = await cookies.fetch(
    `${origin}${PROTOCOL}/auth?${new URLSearchParams(wish(origin, verifier))}`,
    { headers: from },
  )
  const form = new URL(start.headers.get('location') ?? '', origin).href
  const body = new URLSearchParams({ schritt: 'anmelden', email, passwort: password })
  let answer = await cookies.fetch(form, { method: 'POST', headers: { ...FORM, origin, ...from }, body })
  for (let step = 0; step < 5; step++) {
    const location = answer.headers.get('location')
    if (location === null) break
    const next = new URL(location, origin)
    if (next.pathname === '/auth-redirect') return { returned: next, alert: null, verifier }
    answer = await cookies.fetch(next.href, { headers: from })
  }
  return {
    returned: null,
    alert: /role="alert"[^>]*>([^<]*)/.exec(await answer.text())?.[1] ?? null,
    verifier,
  }
}

/** @throws Error with the form's message if the person cannot sign in */
export async function tokensAt(origin: string, email: string, password: string): Promise<Tokens> {
  const { returned, verifier, alert } = await tryToSignIn(origin, email, password)
  if (returned === null) throw new Error(`${email} could not sign in: ${alert}`)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'ogf-web',
    redirect_uri: `${origin}/auth-redirect`,
    code: returned.searchParams.get('code') ?? '',
    code_verifier: verifier,
  })
  const answer = await fetch(`${origin}${PROTOCOL}/token`, { method: 'POST', headers: FORM, body })
  return (await answer.json()) as Tokens
}

/** `password`: needed after the first start, because later ones print none. */
export const tokensOf = (app: RunningApp, role: DemoRole, password = demoPassword(app)): Promise<Tokens> =>
  tokensAt(app.origin, emailOf(role), password)
