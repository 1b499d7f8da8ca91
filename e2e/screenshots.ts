// npm run screenshots: every screen at 1440, 1024 and 390 pixels, light and dark, into .cache/screenshots, and the pictures of the README into docs/bilder.
// `npm run screenshots -- readme` takes those of the README alone; `npm run screenshots -- ogf_admin` one role's screens.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { DEMO_ACCOUNTS } from '#domain/probe-konten.ts'
import { generateImportFile } from '../db/seeds/import-file.ts'
import { type RunningApp, startApp } from './app.ts'
import { type DemoRole, launchBrowser, openVisitor, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { fillIds, openInside, pathsOf } from './pages.ts'

const ROOT = join(import.meta.dirname, '..')
const README = join(ROOT, 'docs/bilder')
const ALL = join(ROOT, '.cache/screenshots')
const WIDTHS = [1440, 1024, 390] as const
const only = process.argv[2]

/** Each page once, as the first of these roles that may open it: they see most of it. */
const ORDER: readonly DemoRole[] = [
  'ogf_admin',
  'apus_admin',
  'kundenadmin',
  'appuser_admin',
  'ogf_fb_admin',
  'ogf_standard',
  'apus_team',
  'inactive_fb',
  'ogf_init',
]

async function everyScreen(app: RunningApp, browser: Browser): Promise<void> {
  rmSync(ALL, { recursive: true, force: true })
  mkdirSync(ALL, { recursive: true })
  const taken = new Set<string>()
  for (const role of ORDER.filter((one) => only === undefined || one === only)) {
    const visitor = await openVisitor(browser, app)
    const { page } = visitor
    await signIn(visitor, app, role)
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    const token = await tokenOf(page)
    for (const pattern of pathsOf(role)) {
      // The team's and the newcomer's views differ from what the admins see of the same address.
      const own = ['apus_team', 'ogf_init', 'inactive_fb'].includes(role)
      if (taken.has(pattern) && !own) continue
      taken.add(pattern)
      await openInside(page, await fillIds(app, token, pattern))
      await everySize(page, `${pattern.replaceAll('$', '').slice(1).replaceAll('/', '-')}${own ? `-${role}` : ''}`)
    }
    await visitor.close()
  }
}

async function everySize(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForTimeout(150)
      await page.screenshot({ path: join(ALL, `${name}-${width}-${colorScheme}.png`) })
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

async function readmePictures(app: RunningApp, browser: Browser): Promise<void> {
  const picture = (name: string) => ({ path: join(README, `${name}.png`) })
  const visitor = await openVisitor(browser, app)
  const { page } = visitor
  await page.goto('/')
  await page.getByLabel('E-Mail').waitFor()
  await page.screenshot(picture('anmeldung'))
  await signIn(visitor, app, 'ogf_admin', '/kunden/index')
  await page.getByText('500 Kunden').waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot(picture('kunden'))
  await page.locator('tbody a').nth(4).click()
  await page.getByLabel('Nachname').waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot(picture('kunde'))
  await page.goto('/kunden/import')
  const file = generateImportFile({ rows: 400, faults: 24, seed: 3, now: new Date() })
  await page.locator('input[type=file]').setInputFiles({
    name: 'kunden-2026.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(await file.xlsx()),
  })
  await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
  await page.getByText('Fehler').first().waitFor()
  await page.waitForTimeout(500)
  await page.screenshot(picture('import'))
  for (const [name, path] of [
    ['forstbetrieb', '/forstbetriebe/1'],
    ['nutzer', '/nutzer/1'],
    ['finanzen', '/finanzen/index'],
    ['betrieb', '/verwaltung/betrieb'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(300)
    await page.screenshot(picture(name))
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/kunden/index')
  await page.getByText('500 Kunden').waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot(picture('dunkel'))
  await visitor.close()
  await bookkeeping(app, browser)
  await maps(app, browser)
}

/** The overview with its forecast. */
async function bookkeeping(app: RunningApp, browser: Browser): Promise<void> {
  const visitor = await openVisitor(browser, app)
  const { page } = visitor
  await signIn(visitor, app, 'apus_admin', '/buchhaltung/dashboard')
  await page.locator('figure.chart svg').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(300)
  await page.screenshot({ path: join(README, 'buchhaltung.png') })
  await visitor.close()
}

/** A sheet with its points, and the survey with the sheets under it. */
async function maps(app: RunningApp, browser: Browser): Promise<void> {
  const visitor = await openVisitor(browser, app)
  const { page } = visitor
  await signIn(visitor, app, 'apus_team', '/karten/index')
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  const { json } = await call(
    app,
    await tokenOf(page),
    '/rest/karte_liste?select=id,client_id&scan=not.is.null&georef_typ=not.is.null&order=id&limit=1',
  )
  const [plan] = json as { id: number; client_id: number }[]
  const settle = async () => {
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(2000)
  }
  await page.goto(`/karten/${plan!.id}/georef`)
  await page.getByRole('heading', { name: 'Georeferenzierung', level: 1 }).waitFor()
  await settle()
  await page.screenshot({ path: join(README, 'georef.png') })
  await page.goto(`/kataster/index?kunde=${plan!.client_id}`)
  const plaene = page.getByRole('region', { name: 'Eigene Pläne' }).getByRole('checkbox')
  await plaene.first().waitFor()
  for (const plan of await plaene.all()) await plan.check()
  await settle()
  const karte = page.getByRole('region', { name: /^Karte der Vermessung/ })
  await karte.focus()
  for (let step = 0; step < 2; step++) {
    await page.keyboard.press('+')
    await page.waitForTimeout(600)
  }
  await settle()
  await page.screenshot({ path: join(README, 'kataster.png') })
  await visitor.close()
}

if (only !== undefined && only !== 'readme' && !DEMO_ACCOUNTS.some(({ role }) => role === only))
  throw new Error(`neither readme nor a role: ${only}`)
const app = await startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } })
const browser = await launchBrowser()
try {
  if (only !== 'readme') await everyScreen(app, browser)
  if (only === undefined || only === 'readme') await readmePictures(app, browser)
} finally {
  await browser.close()
  await app.stop()
}
