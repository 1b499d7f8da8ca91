// The sign-in pages in a real browser: its own rules (Origin, policy, cookies) let people through, without
// script, and the pages are accessible.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forAnyone } from '#server/route-caller.ts'
import { type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { findChromium } from '../../test/chromium.ts'
import { listen, PASSWORD, People, startServer, type TestServer } from './identity.fixture.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Folder for screenshots, set by hand by anyone who wants to look at them. */
const PICTURES: string | null = null

describe.skipIf(isMissing('postgres') || findChromium() === undefined)('sign-in pages in Chromium', () => {
  let engine: Engine
  let server: TestServer
  let people: People
  let browser: Browser

  beforeAll(async () => {
    engine = await openEngine('postgres')
    server = await startServer(engine.api, {
      secondFactor: 'provider',
      impressumUrl: 'https://forst.example/impressum',
      datenschutzUrl: 'https://forst.example/datenschutz',
    })
    for (const path of ['/', '/auth-redirect'])
      server.server.get(
        path,
        forAnyone((_request, reply) =>
          reply
            .type('text/html')
            .send(
              '<!doctype html><html lang="de"><title>Anwendung</title><link rel="icon" href="data:,">' +
                '<h1>Anwendung</h1></html>',
            ),
        ),
      )
    await listen(server)
    people = new People(engine.owner, server)
    const asRoot = process.getuid?.() === 0
    browser = await chromium.launch({
      executablePath: findChromium() ?? '',
      args: asRoot ? ['--no-sandbox'] : [],
    })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await engine?.close()
  })

  async function open(
    options: {
      javaScriptEnabled?: boolean
      colorScheme?: 'dark' | 'light'
      width?: number
      locale?: string
    } = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const { width = 1200, javaScriptEnabled = true, colorScheme = 'light', locale = 'de-DE' } = options
    const context = await browser.newContext({
      locale,
      javaScriptEnabled,
      colorScheme,
      viewport: { width, height: 860 },
    })
    context.setDefaultTimeout(10_000)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    return { page, complaints }
  }
  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()
  const fill = async (page: Page, email: string, password = PASSWORD) => {
    await page.getByLabel('E-Mail-Adresse').fill(email)
    await page.getByLabel('Passwort', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
  }
  /** Violations that axe finds; its script is injected past the page's policy. */
  async function faultsOf(page: Page, name: string): Promise<string[]> {
    if (PICTURES !== null) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Runtime.evaluate', { expression: axe })
    const { result } = await cdp.send('Runtime.evaluate', {
      expression:
        'axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) ' +
        '=> id + " " + nodes[0].html)))',
      awaitPromise: true,
    })
    return JSON.parse(result.value as string) as string[]
  }

  test('a person signs in, without any script, and is back in the application', async () => {
    const { email } = await people.withAccount()
    const { page, complaints } = await open({ javaScriptEnabled: false })
    await page.goto(server.client().startAddress())
    expect(await heading(page)).toBe('Anmelden')
    await fill(page, email, 'falsch falsch falsch')
    expect(await page.getByRole('alert').innerText()).toContain('stimmen nicht')
    await fill(page, email)
    await page.waitForURL(/\/auth-redirect\?code=/)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('who reads English signs in in English, and a choice of language is remembered', async () => {
    const { email } = await people.withAccount()
    const { page, complaints } = await open({ locale: 'en-GB' })
    await page.goto(server.client().startAddress())
    expect(await heading(page)).toBe('Sign in')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('falsch falsch falsch')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('E-mail address or password is wrong')
    expect(await faultsOf(page, 'anmelden-englisch')).toEqual([])
    await page.getByRole('link', { name: 'Deutsch' }).click()
    expect(await heading(page)).toBe('Anmelden')
    await page.getByRole('link', { name: 'Passwort vergessen?' }).click()
    expect(await heading(page)).toBe('Passwort vergessen')
    await page.getByRole('link', { name: 'English' }).click()
    expect(await heading(page)).toBe('Forgotten password')
    await page.goto(server.client().startAddress())
    expect(await heading(page)).toBe('Sign in')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/auth-redirect\?code=/)
    expect(complaints.filter((line) => !line.includes('400'))).toEqual([])
    await page.context().close()
  })

  test('the application signs its person out without a question, others are asked', async () => {
    const { email } = await people.withAccount()
    const client = server.client()
    const { page, complaints } = await open()
    await page.goto(client.startAddress())
    await fill(page, email)
    await page.waitForURL(/\/auth-redirect\?code=/)
    const answer = await client.redeem(new URL(page.url()).searchParams.get('code') ?? '')
    const { id_token } = (await answer.json()) as { id_token: string }
    const hint = { id_token_hint: id_token, post_logout_redirect_uri: `${server.origin}/` }
    const signOut = `${client.endpoint}/logout?${new URLSearchParams(hint)}`
    await page.goto(`${client.endpoint}/logout`)
    expect(await heading(page)).toBe('Abmelden')
    expect(await faultsOf(page, 'abmelden')).toEqual([])
    await page.goto(signOut)
    await page.waitForURL(`${server.origin}/`)
    await page.goto(client.startAddress())
    expect(await heading(page)).toBe('Anmelden')
    // Signing out when nobody is signed in any more: the provider's own form proceeds by itself.
    await page.goto(signOut)
    await page.waitForURL(`${server.origin}/`)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('another person may sign in where somebody still is', async () => {
    const [one, two] = [await people.withAccount(), await people.withAccount()]
    const { page, complaints } = await open()
    await page.goto(server.client().startAddress())
    await fill(page, one.email)
    await page.waitForURL(/\/auth-redirect\?code=/)
    await page.goto(server.client().startAddress({ prompt: 'login', login_hint: two.email }))
    expect(await page.getByLabel('E-Mail-Adresse').inputValue()).toBe(two.email)
    await fill(page, two.email)
    await page.waitForURL(/\/auth-redirect\?code=/)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a second factor is set up and asked for', async () => {
    const { email } = await people.withAccount({ system_status: 'ogf_admin' })
    const { page, complaints } = await open()
    await page.goto(server.client().startAddress())
    await fill(page, email)
    expect(await heading(page)).toBe('Zweiten Faktor einrichten')
    expect(await faultsOf(page, 'einrichten')).toEqual([])
    expect(
      await page.locator('.qr').evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(100)
    const secret = (await page.locator('.geheim').innerText()).replace(/\s/g, '')
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    await page.getByLabel('Sechsstelliger Code').fill(totp.generate())
    await page.getByRole('button', { name: 'Einrichten' }).click()
    expect(await page.locator('.codes li').count()).toBe(10)
    expect(await faultsOf(page, 'notfallcodes')).toEqual([])
    await page.reload()
    expect(await page.locator('.codes li').count()).toBe(10)
    await page.getByRole('button', { name: 'Ich habe die Codes aufgehoben' }).click()
    await page.waitForURL(/\/auth-redirect\?code=/)
    await page.goto(server.client().startAddress({ prompt: 'login' }))
    await fill(page, email)
    expect(await heading(page)).toBe('Zweiter Faktor')
    expect(await faultsOf(page, 'code')).toEqual([])
    await page.getByLabel('Code', { exact: true }).fill(totp.generate({ timestamp: Date.now() + 30_000 }))
    await page.getByRole('button', { name: 'Weiter' }).click()
    await page.waitForURL(/\/auth-redirect\?code=/)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('an invitation is accepted by keyboard alone, on a narrow screen in the dark', async () => {
    const { email } = await people.add()
    const { link } = await server.idp.accounts.inviteUser(email)
    const { page, complaints } = await open({ width: 390, colorScheme: 'dark' })
    await page.goto(link)
    expect(await heading(page)).toBe('Willkommen')
    expect(await faultsOf(page, 'willkommen-dunkel-schmal')).toEqual([])
    await page.keyboard.type('Mohnfeld Sattel 91 Uhu')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Mohnfeld Sattel 91 Uhu')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ihr Passwort ist gespeichert' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test.each(['light', 'dark'] as const)('every page is accessible, %s', async (colorScheme) => {
    const { email } = await people.withAccount()
    const { page } = await open({ colorScheme })
    const { link } = await server.idp.accounts.createSetupLink()
    const shown: Record<string, () => Promise<unknown>> = {
      anmelden: () => page.goto(server.client().startAddress()),
      falsch: () => fill(page, email, 'falsch falsch falsch'),
      vergessen: () => page.goto(`${server.origin}/anmelden/vergessen`),
      gesendet: async () => {
        await page.getByLabel('E-Mail-Adresse').fill(email)
        await page.getByRole('button', { name: 'Link anfordern' }).click()
      },
      einrichten: () => page.goto(link),
      abgelaufen: () => page.goto(`${server.origin}/anmelden/passwort/nie`),
      unbekannt: () => page.goto(`${server.origin}/anmelden/gibt/es/nicht`),
      fehler: () => page.goto(server.client().startAddress({ client_id: 'fremd' })),
    }
    for (const [name, show] of Object.entries(shown)) {
      await show()
      expect(await faultsOf(page, `${name}-${colorScheme}`), name).toEqual([])
    }
    await page.context().close()
  })
})
