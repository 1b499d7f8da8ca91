// The product against the real Keycloak: tokens, groups, renewal, sign-out, disabling, and the application's
// own flow through its pages.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createHash, randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Authenticate } from '#server/caller.ts'
import { createAuthenticate } from '#server/identity/verify.ts'
import { silentLog } from '#server/log.ts'
import { type RunningApp, startApp } from '../e2e/app.ts'
import { freePort } from '../test/private-postgres.ts'
import { emailOf, hasBrowser, launchBrowser, openVisitor } from '../e2e/browser.ts'
import { fetchKeycloak, VERSION } from './fetch-keycloak.ts'
import { type Keycloak, startKeycloak } from './keycloak-server.ts'

const PASSWORD = 'Kranich über Moor 7'

const fetched = fetchKeycloak()
const missing = 'missing' in fetched ? fetched.missing : hasBrowser() ? null : 'no Chromium is installed'
if (missing !== null) console.log(`Keycloak ${VERSION}: skipped, ${missing}`)

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
}

describe.skipIf(missing !== null)(`Keycloak ${VERSION}`, () => {
  let keycloak: Keycloak
  let browser: Browser
  let appPort: number
  let appOrigin: string
  let authenticate: Authenticate

  beforeAll(async () => {
    if ('missing' in fetched) return
    appPort = await freePort()
    appOrigin = `http://localhost:${appPort}`
    ;[keycloak, browser] = await Promise.all([
      startKeycloak({ home: fetched.home, port: await freePort(), appOrigin }),
      launchBrowser(),
    ])
    console.log(
      `Keycloak ${VERSION} ready after ${(keycloak.startMs / 1000).toFixed(1)} s, ${keycloak.memoryMb()} MB`,
    )
    authenticate = createAuthenticate({
      issuer: keycloak.issuer,
      audience: 'ogf-api',
      algorithms: ['RS256'],
      jwks: { uri: undefined },
      groupsClaim: 'groups',
      groupsMode: 'claim',
      emailClaim: 'email',
      clockSkewS: 5,
      now: () => new Date(),
      log: silentLog,
    })
  })
  afterAll(async () => {
    await browser?.close()
    await keycloak?.stop()
  })

  const newEmail = () => `person-${randomBytes(4).toString('hex')}@forst.example`
  const addUser = async (more: Partial<Parameters<Keycloak['addUser']>[0]> = {}) => {
    const email = more.email ?? newEmail()
    return {
      email,
      userId: await keycloak.addUser({
        email,
        password: PASSWORD,
        firstName: 'Jörg',
        lastName: 'Öl',
        ...more,
      }),
    }
  }
  const verifier = randomBytes(32).toString('base64url')
  const protocol = (path: string) => `${keycloak.issuer}/protocol/openid-connect/${path}`

  /** Keycloak's own page, filled in as a person does. */
  async function enter(page: Page, email: string): Promise<void> {
    await page.locator('#username').fill(email)
    await page.locator('#password').fill(PASSWORD)
    await page.locator('#kc-login').click()
  }
  const startAddress = (changes: Record<string, string> = {}) =>
    `${protocol('auth')}?${new URLSearchParams({
      client_id: 'ogf-web',
      redirect_uri: `${appOrigin}/auth-redirect`,
      response_type: 'code',
      scope: 'openid email profile',
      state: 'zustand',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    })}`
  const token = (form: Record<string, string>) =>
    fetch(protocol('token'), { method: 'POST', body: new URLSearchParams({ client_id: 'ogf-web', ...form }) })

  /** Code flow with PKCE in Chromium; the test answers for the application's page. */
  async function signIn(email: string): Promise<{ tokens: Tokens; page: Page }> {
    const context = await browser.newContext({ locale: 'de-DE' })
    const page = await context.newPage()
    await page.goto(startAddress())
    await enter(page, email)
    await page.waitForURL(`${appOrigin}/auth-redirect?*`)
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    const answer = await token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${appOrigin}/auth-redirect`,
      code_verifier: verifier,
    })
    expect(answer.status).toBe(200)
    return { tokens: (await answer.json()) as Tokens, page }
  }
  const refresh = (refresh_token: string) => token({ grant_type: 'refresh_token', refresh_token })
  const kindOf = async (bearer: string) => {
    try {
      await authenticate(`Bearer ${bearer}`)
      return 'accepted'
    } catch (error) {
      return (error as { kind: string }).kind
    }
  }

  describe('tokens', () => {
    // A browser redirected to an address without a server may not keep that address, so answer there.
    const application = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<p>back</p>'),
    )
    beforeAll(() => once(application.listen(Number(new URL(appOrigin).port), 'localhost'), 'listening'))
    afterAll(async () => {
      application.closeAllConnections()
      await once(application.close(), 'close')
    })

    test('a new person is in the default group; the verifier takes the access token and nothing else', async () => {
      const { email } = await addUser()
      const { tokens, page } = await signIn(email)
      const { claims } = await authenticate(`Bearer ${tokens.access_token}`)
      expect(claims).toMatchObject({
        iss: keycloak.issuer,
        email,
        email_verified: true,
        groups: ['appuser_new'],
        typ: 'Bearer',
        azp: 'ogf-web',
        given_name: 'Jörg',
        role: 'nutzer',
      })
      expect(claims.exp - claims.iat).toBe(300)
      expect([await kindOf(tokens.id_token), await kindOf(tokens.refresh_token)]).toEqual([
        'wrong_audience',
        'bad_signature',
      ])
      await page.context().close()
    })
    test('a group given by hand counts; the sign-in page is German', async () => {
      const { email } = await addUser({ group: 'appuser_apus_admin' })
      const { tokens, page } = await signIn(email)
      expect((await authenticate(`Bearer ${tokens.access_token}`)).claims.groups).toEqual([
        'appuser_apus_admin',
      ])
      await page.context().clearCookies()
      await page.goto(startAddress())
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      await page.context().close()
    })
    test('a token of another realm of the same server is refused', async () => {
      const { email } = await addUser()
      const { tokens, page } = await signIn(email)
      const foreign = createAuthenticate({
        issuer: keycloak.issuer.replace('/forstkontor', '/master'),
        audience: 'ogf-api',
        algorithms: ['RS256'],
        jwks: { uri: undefined },
        groupsClaim: 'groups',
        groupsMode: 'claim',
        emailClaim: 'email',
        clockSkewS: 5,
        now: () => new Date(),
        log: silentLog,
      })
      await expect((async () => foreign(`Bearer ${tokens.access_token}`))()).rejects.toMatchObject({
        kind: 'bad_signature',
      })
      await page.context().close()
    })
    test('are renewed, each refresh token once', async () => {
      const { email } = await addUser()
      const { tokens, page } = await signIn(email)
      const next = (await (await refresh(tokens.refresh_token)).json()) as Tokens
      expect((await authenticate(`Bearer ${next.access_token}`)).claims.email).toBe(email)
      expect((await refresh(tokens.refresh_token)).status).toBe(400)
      await page.context().close()
    })
    test('the profile is read at the account address', async () => {
      const { email } = await addUser()
      const { tokens, page } = await signIn(email)
      const answer = await fetch(`${keycloak.issuer}/account`, {
        headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' },
      })
      expect(await answer.json()).toMatchObject({
        email,
        firstName: 'Jörg',
        lastName: 'Öl',
        emailVerified: true,
      })
      await page.context().close()
    })
    test('who is disabled gets no new token and cannot sign in', async () => {
      const { email, userId } = await addUser()
      const { tokens, page } = await signIn(email)
      await keycloak.setEnabled(userId, false)
      expect((await refresh(tokens.refresh_token)).status).toBe(400)
      await page.goto(startAddress({ prompt: 'login' }))
      await enter(page, email)
      await page
        .locator('#input-error, .kc-feedback-text, .pf-v5-c-alert, [role=alert], .pf-m-danger')
        .first()
        .waitFor()
      expect(new URL(page.url()).origin).toBe(new URL(keycloak.issuer).origin)
      await page.context().close()
    })
    test('signing out ends the session and its tokens', async () => {
      const { email } = await addUser()
      const { tokens, page } = await signIn(email)
      const leave = `${protocol('logout')}?${new URLSearchParams({
        id_token_hint: tokens.id_token,
        post_logout_redirect_uri: `${appOrigin}/`,
      })}`
      // Only the address that the browser is redirected to counts.
      await page.goto(leave).catch(() => undefined)
      await page.waitForURL(`${appOrigin}/`)
      expect((await refresh(tokens.refresh_token)).status).toBe(400)
      await page.goto(startAddress())
      await page.locator('#username').waitFor()
      await page.context().close()
    })
    test.each([
      ['another address', { redirect_uri: 'https://evil.example/auth-redirect' }],
      ['a longer path', { redirect_uri: 'APP/auth-redirect/x' }],
    ])('%s is no way back', async (_name, changes) => {
      const answer = await fetch(
        startAddress({ redirect_uri: changes.redirect_uri.replace('APP', appOrigin) }),
        { redirect: 'manual' },
      )
      expect(answer.status).toBe(400)
    })
    test('a sign-in without proof key, or with the password sent by the application, is refused', async () => {
      const { email } = await addUser()
      const plain = await fetch(startAddress({ code_challenge_method: 'plain', code_challenge: verifier }), {
        redirect: 'manual',
      })
      expect(plain.headers.get('location')).toContain('error=invalid_request')
      expect((await token({ grant_type: 'password', username: email, password: PASSWORD })).status).toBe(400)
    })
  })

  describe('the application with AUTH_MODE=oidc', () => {
    let app: RunningApp
    beforeAll(async () => {
      app = await startApp({ port: appPort, env: { AUTH_MODE: 'oidc', OIDC_ISSUER: keycloak.issuer } })
    })
    afterAll(() => app?.stop())

    const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('Admin-Token') ?? '')
    const isHere = (page: Page) => page.getByRole('navigation').first().waitFor()

    test('signs a known person in, shows their work and their name, renews the token, and signs out', async () => {
      const email = emailOf('ogf_admin')
      await addUser({ email, firstName: 'Anna', lastName: 'Ahorn', group: 'appuser_apus_admin' })
      const visitor = await openVisitor(browser, app)
      const { page } = visitor
      await page.goto('/')
      await enter(page, email)
      await page.getByRole('heading', { level: 1, name: 'Willkommen, Anna Ahorn' }).waitFor()
      await page.getByRole('navigation', { name: 'Hauptmenü' }).getByRole('link', { name: 'Kunden' }).click()
      await page.getByText('500 Kunden').waitFor()
      await page.getByRole('button', { name: 'Anna Ahorn' }).click()
      await page.getByText(email).first().waitFor()
      await page.keyboard.press('Escape')
      const before = await storedToken(page)
      // Sixty-nine seconds before it expires, the token is renewed at the next opportunity.
      await page.clock.install()
      await page.clock.fastForward(240_000)
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await expect.poll(() => storedToken(page), { timeout: 15_000 }).not.toBe(before)
      await page.getByRole('button', { name: 'Anna Ahorn' }).click()
      await page.getByRole('menuitem', { name: 'Abmelden' }).click()
      await expect.poll(() => storedToken(page), { timeout: 15_000 }).toBe('')
      // Keycloak's session has ended too: returning leads to its form and not straight in.
      await page.goto('/kunden/index')
      await page
        .getByRole('button', { name: /nmelden/ })
        .first()
        .click()
      await page.locator('#username').waitFor()
      await visitor.close()
    })
    test('the group is a ceiling: a newcomer to Keycloak with a mighty row sees nothing', async () => {
      const email = emailOf('apus_admin')
      await addUser({ email })
      const visitor = await openVisitor(browser, app)
      const { page } = visitor
      await page.goto('/')
      await enter(page, email)
      await isHere(page)
      expect(await page.getByRole('link', { name: 'Kunden' }).count()).toBe(0)
      const answer = await fetch(`${app.origin}/rest/kunde?select=client_id`, {
        headers: { authorization: `Bearer ${await storedToken(page)}` },
      })
      expect(await answer.json()).toEqual([])
      await visitor.close()
    })
    test('an address that Keycloak has not verified is bound to nobody', async () => {
      const email = emailOf('ogf_team')
      await addUser({ email, emailVerified: false, group: 'appuser_apus_admin' })
      const visitor = await openVisitor(browser, app)
      const { page } = visitor
      await page.goto('/')
      await enter(page, email)
      // Keycloak asks for the confirmation first; the application is not reached.
      await page.waitForLoadState('networkidle')
      expect(new URL(page.url()).origin).toBe(new URL(keycloak.issuer).origin)
      await visitor.close()
    })
    test('who is disabled in Keycloak keeps the page, gets no renewal, and signs in at the next load', async () => {
      const email = emailOf('kundenadmin')
      const { userId } = await addUser({ email, group: 'appuser_admin' })
      const visitor = await openVisitor(browser, app)
      const { page } = visitor
      await page.goto('/')
      await enter(page, email)
      await isHere(page)
      const before = await storedToken(page)
      await keycloak.setEnabled(userId, false)
      await keycloak.endSessions(userId)
      await page.clock.install()
      await page.clock.fastForward(240_000)
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await page.waitForTimeout(2_000)
      expect(await storedToken(page)).toBe(before)
      expect(new URL(page.url()).origin).toBe(app.origin)
      await page.reload()
      await page.locator('#username').waitFor()
      await visitor.close()
    })
  })
})
