// Programs with the real Keycloak: a service account and the device flow, bound to keys for programs.
import { randomBytes } from 'node:crypto'
import * as oauth from 'openid-client'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApp, startApp } from '../e2e/app.ts'
import { emailOf, hasBrowser, launchBrowser, openVisitor } from '../e2e/browser.ts'
import { freePort } from '../test/private-postgres.ts'
import { fetchKeycloak, VERSION } from './fetch-keycloak.ts'
import { type Keycloak, startKeycloak } from './keycloak-server.ts'

const PASSWORD = 'Kranich über Moor 7'
const fetched = fetchKeycloak()
const missing = 'missing' in fetched ? fetched.missing : hasBrowser() ? null : 'no Chromium is installed'
if (missing !== null) console.log(`Keycloak ${VERSION}: skipped, ${missing}`)

describe.skipIf(missing !== null)(`programs with Keycloak ${VERSION}`, () => {
  let keycloak: Keycloak
  let browser: Browser
  let app: RunningApp

  beforeAll(async () => {
    if ('missing' in fetched) return
    const port = await freePort()
    ;[keycloak, browser] = await Promise.all([
      startKeycloak({ home: fetched.home, port: await freePort(), appOrigin: `http://localhost:${port}` }),
      launchBrowser(),
    ])
    app = await startApp({ port, env: { AUTH_MODE: 'oidc', OIDC_ISSUER: keycloak.issuer } })
  })
  afterAll(async () => {
    await app?.stop()
    await browser?.close()
    await keycloak?.stop()
  })

  /** Signs in at Keycloak's page; the token is the application's. */
  async function signIn(role: Parameters<typeof emailOf>[0]) {
    const email = emailOf(role)
    await keycloak.addUser({
      email,
      password: PASSWORD,
      firstName: 'Jörg',
      lastName: 'Öl',
      group: 'appuser_apus_admin',
    })
    const visitor = await openVisitor(browser, app)
    const { page } = visitor
    await page.goto('/')
    await page.locator('#username').fill(email)
    await page.locator('#password').fill(PASSWORD)
    await page.locator('#kc-login').click()
    await page.getByRole('navigation').first().waitFor()
    return { page, token: await page.evaluate(() => localStorage.getItem('Admin-Token') ?? '') }
  }
  const newKey = async (token: string, more: object) => {
    const answer = await fetch(`${app.origin}/prod-api/zugaenge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: `Programm ${randomBytes(3).toString('hex')}`,
        haelfte: null,
        gruppen: ['karten'],
        nur_lesen: true,
        client_id: null,
        bis: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
        ...more,
      }),
    })
    const body = (await answer.json()) as {
      data: { id: number; zugang: string | null } | null
      hint?: string
    }
    return { status: answer.status, ...body }
  }
  const rest = async (token: string, path: string, method = 'GET') => {
    const answer = await fetch(`${app.origin}/rest/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    return [answer.status, text === '' ? null : ((JSON.parse(text) as { hint?: string | null }).hint ?? null)]
  }
  const clientOf = (id: string, secret?: string) =>
    oauth.discovery(
      new URL(keycloak.issuer),
      id,
      undefined,
      secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret),
      { execute: [oauth.allowInsecureRequests] },
    )

  test('a service account works once it is bound to a key, with its rights, until the key ends', async () => {
    const secret = randomBytes(24).toString('hex')
    await keycloak.addClient({ clientId: 'auswertung', secret })
    await keycloak.addClient({ clientId: 'woanders', secret, audience: 'another-api' })
    const client = await clientOf('auswertung', secret)
    const tokenOf = async () => (await oauth.clientCredentialsGrant(client)).access_token
    expect(await rest(await tokenOf(), 'karte?select=id&limit=1')).toEqual([401, null])

    const { token } = await signIn('apus_admin')
    const made = await newKey(token, { art: 'haus', haelfte: 'draenage', client: 'auswertung' })
    expect([made.status, made.data?.zugang]).toEqual([200, null])
    const again = await newKey(token, { art: 'haus', haelfte: 'draenage', client: 'auswertung' })
    expect([again.status, again.hint]).toEqual([400, 'zugang_client'])
    const bound = await tokenOf()
    expect(await rest(bound, 'karte?select=id&limit=1')).toEqual([200, null])
    expect(await rest(bound, 'rechnung?select=id&limit=1')).toEqual([403, 'key_group'])
    expect(await rest(bound, 'karte?id=eq.1', 'DELETE')).toEqual([403, 'key_reads_only'])

    await newKey(token, { art: 'haus', haelfte: 'draenage', client: 'woanders' })
    const elsewhere = await oauth.clientCredentialsGrant(await clientOf('woanders', secret))
    expect((await rest(elsewhere.access_token, 'karte?select=id&limit=1'))[0]).toBe(401)

    const ended = await fetch(`${app.origin}/rest/rpc/a_end_zugang`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: made.data?.id }),
    })
    expect(ended.status).toBeLessThan(300)
    expect((await rest(bound, 'karte?select=id&limit=1'))[0]).toBe(401)
  })

  test('the device flow gives a person their own key that is bound, and nobody else one', async () => {
    await keycloak.addClient({ clientId: 'qgis' })
    const client = await clientOf('qgis')
    const connect = async (page: Awaited<ReturnType<typeof signIn>>['page']) => {
      const asked = await oauth.initiateDeviceAuthorization(client, { scope: 'openid' })
      const tokens = oauth.pollDeviceAuthorizationGrant(client, asked)
      const tab = await page.context().newPage()
      await tab.goto(asked.verification_uri_complete ?? '')
      await tab.locator('#kc-login').click()
      await tab
        .getByText(/Gerät|device/i)
        .first()
        .waitFor()
      const { access_token } = await tokens
      await tab.close()
      return access_token
    }
    const [team, other] = [await signIn('apus_team'), await signIn('appuser')]
    expect((await rest(await connect(team.page), 'karte?select=id&limit=1'))[0]).toBe(401)
    expect((await newKey(team.token, { art: 'person', client: 'qgis' })).status).toBe(200)
    const token = await connect(team.page)
    expect(await rest(token, 'karte?select=id&limit=1')).toEqual([200, null])
    expect(await rest(token, 'kunde?select=client_id&limit=1')).toEqual([403, 'key_group'])
    expect((await rest(await connect(other.page), 'karte?select=id&limit=1'))[0]).toBe(401)
  })
})
