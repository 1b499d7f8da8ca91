// A production start: PostgreSQL, no sample data, no demo account; the printed link creates the first admin.
import { rmSync } from 'node:fs'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../test/postgres.ts'
import { failingStart, type RunningApp, startApp, temporaryFolder } from './app.ts'
import { enterCredentials, hasBrowser, launchBrowser, openVisitor } from './browser.ts'
import { call, tokenOf } from './calls.ts'

const ADMIN = {
  vorname: 'Greta',
  nachname: 'Grün',
  email: 'greta.gruen@forst.example',
  password: 'Eichelhäher-7-Moosbeere',
}

async function setUp(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Vorname').fill(ADMIN.vorname)
  await page.getByLabel('Nachname').fill(ADMIN.nachname)
  await page.getByLabel('E-Mail').fill(ADMIN.email)
  const passwords = page.locator('input[type=password]')
  for (const at of [0, 1]) await passwords.nth(at).fill(ADMIN.password)
  await page.locator('form button[type=submit]').click()
}

describe.skipIf(postgresUrl() === null || !hasBrowser())('on PostgreSQL', () => {
  const dataDir = temporaryFolder()
  let home: TestDatabase
  let app: RunningApp
  let browser: Browser
  const linkOf = (): string => /http:\S+\/anmelden\/einrichten\/\S+/.exec(app.output())?.[0] ?? ''

  beforeAll(async () => {
    home = await createTestDatabase()
    const admin = new pg.Client({ connectionString: home.url })
    await admin.connect()
    await admin.query('create extension postgis')
    await admin.end()
    const env = { DATABASE_URL: home.url, HOST: '127.0.0.1', SECOND_FACTOR: 'off' }
    ;[app, browser] = await Promise.all([startApp({ env, dataDir }), launchBrowser()])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
    await home?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('the first start prints a link, no password, and is no trial', async () => {
    expect(linkOf()).toMatch(/\/anmelden\/einrichten\/[\w-]{40,}$/)
    expect(app.output()).not.toMatch(/Probebetrieb|Passwort für alle/)
    const config = (await (await fetch(`${app.origin}/config/app.json`)).json()) as { trial: boolean }
    expect(config.trial).toBe(false)
  })
  test('requests run as the powerless login, not as the owner', async () => {
    const watcher = new pg.Client({ connectionString: home.url })
    await watcher.connect()
    await fetch(`${app.origin}/healthz`)
    const logins = async () =>
      (
        await watcher.query<{ usename: string }>(
          'select distinct usename from pg_stat_activity where datname = current_database() ' +
            'and pid <> pg_backend_pid()',
        )
      ).rows
    // Scheduled work runs as the owner and takes a moment.
    await expect.poll(logins, { timeout: 20_000 }).toEqual([{ usename: 'forst_api' }])
    await watcher.end()
  })
  test('the link makes the first admin, who signs in and makes a customer', async () => {
    const { page, complaints, close } = await openVisitor(browser, app)
    await setUp(page, linkOf())
    await page.goto('/kunden/index')
    await enterCredentials(page, ADMIN.email, ADMIN.password)
    await page.getByRole('button', { name: 'Greta Grün' }).waitFor()
    expect(await page.getByText('Probebetrieb').count()).toBe(0)
    const token = await tokenOf(page)
    const made = await call(app, token, '/rest/kunde', {
      name: 'Waldgut Grün',
      strasse: 'Am Forst 1',
      plz: '37073',
      ort: 'Göttingen',
    })
    expect(made.status).toBe(201)
    await page.reload()
    await page.getByRole('link', { name: 'Waldgut Grün' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })
  test('the link works once', async () => {
    const { page, close } = await openVisitor(browser, app)
    await page.goto(linkOf())
    expect(await page.getByLabel('Vorname').count()).toBe(0)
    await close()
  })
  test('without the second factor switched off, staff is asked to set one up', async () => {
    await app.stop()
    app = await startApp({ env: { DATABASE_URL: home.url, HOST: '127.0.0.1' }, dataDir })
    expect(app.output()).not.toContain('/anmelden/einrichten/')
    const { page, close } = await openVisitor(browser, app)
    await page.goto('/')
    await enterCredentials(page, ADMIN.email, ADMIN.password)
    await page
      .getByText(/Zwei|zweite[rn]? (?:Faktor|Schritt)|Einmalcode|Authenti/)
      .first()
      .waitFor()
    expect(await page.evaluate(() => localStorage.getItem('Admin-Token'))).toBeNull()
    await close()
  })
  test('a server with another secret is turned away in one sentence', async () => {
    const other = temporaryFolder()
    const { code, output } = await failingStart({
      env: { DATABASE_URL: home.url, HOST: '127.0.0.1' },
      dataDir: other,
    })
    rmSync(other, { recursive: true, force: true })
    expect(code).toBe(1)
    expect(output).toContain(
      'Forstkontor startet nicht: Ein anderer Server dieser Datenbank benutzt ein anderes Geheimnis',
    )
    expect(output).toContain('IDP_SECRET_FILE')
  })
  test('the database away for a while: 503, then everything goes on by itself', async () => {
    const owner = new pg.Client({ connectionString: postgresUrl() ?? '' })
    await owner.connect()
    const name = new URL(home.url).pathname.slice(1)
    await owner.query(`alter database ${name} allow_connections false`)
    await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    expect((await fetch(`${app.origin}/healthz`)).status).toBe(503)
    expect((await fetch(`${app.origin}/livez`)).status).toBe(200)
    await owner.query(`alter database ${name} allow_connections true`)
    await owner.end()
    await expect
      .poll(async () => (await fetch(`${app.origin}/healthz`)).status, { timeout: 15_000 })
      .toBe(200)
  })
})
