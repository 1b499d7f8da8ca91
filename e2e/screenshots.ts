// npm run screenshots: every screen from top to bottom at 1440, 1024 and 390 pixels, light and dark, in German
// and English, into .cache/screenshots, with a contact sheet for each screen in .cache/screenshots/sheets, and
// the README pictures into docs/pictures. `npm run screenshots -- readme` takes only those; `npm run screenshots
// -- ogf_admin` one role's screens; `npm run screenshots -- wald` the forest half on a tablet and a phone, light
// and dark, with its dialogs opened.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import { generateImportFile } from '../db/seeds/import-file.ts'
import { type RunningApp, startApp } from './app.ts'
import { type DemoRole, launchBrowser, openVisitor, signIn } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { contactSheet } from './contact-sheet.ts'
import { fillIds, openInside, pathsOf } from './pages.ts'

const ROOT = join(import.meta.dirname, '..')
const README = join(ROOT, 'docs/pictures')
const ALL = join(ROOT, '.cache/screenshots')
const WIDTHS = [1440, 1024, 390] as const
const only = process.argv[2]

/** Each page once, as the first of these roles that may open it; earlier roles see more of it. */
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

/** The languages in which every screen is taken, as a person's choice. */
const LANGUAGES = ['de', 'en'] as const
const chosen = (language: string) =>
  `{"user":null,"values":{"language":"${language}"},"waiting":["language"]}`

async function everyScreen(app: RunningApp, browser: Browser): Promise<void> {
  rmSync(ALL, { recursive: true, force: true })
  mkdirSync(join(ALL, 'sheets'), { recursive: true })
  const taken = new Set<string>()
  for (const role of ORDER.filter((one) => only === undefined || one === only)) {
    // The team's and the newcomer's views differ from what admins see at the same address.
    const own = ['apus_team', 'ogf_init', 'inactive_fb'].includes(role)
    const patterns = pathsOf(role).filter((pattern) => own || !taken.has(pattern))
    for (const pattern of patterns) taken.add(pattern)
    for (const language of LANGUAGES) await screensOf(app, browser, { role, own, language, patterns })
  }
}

interface Screens {
  readonly role: DemoRole
  readonly own: boolean
  readonly language: (typeof LANGUAGES)[number]
  readonly patterns: readonly string[]
}
async function screensOf(
  app: RunningApp,
  browser: Browser,
  { role, own, language, patterns }: Screens,
): Promise<void> {
  const visitor = await openVisitor(browser, app)
  const { page } = visitor
  await page.addInitScript(
    ([key, value]) => {
      if (!localStorage.getItem(key)?.includes('"language"')) localStorage.setItem(key, value)
    },
    ['forstkontor.einstellung', chosen(language)] as const,
  )
  await signIn(visitor, app, role)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  const token = await tokenOf(page)
  for (const pattern of patterns) {
    await openInside(page, await fillIds(app, token, pattern))
    const name = `${pattern.replaceAll('$', '').slice(1).replaceAll('/', '-')}${own ? `-${role}` : ''}`
    const files = await everySize(page, `${name}-${language}`)
    await contactSheet(files, join(ALL, 'sheets', `${name}-${language}.png`))
  }
  await visitor.close()
}

async function everySize(page: Page, name: string): Promise<string[]> {
  const files: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForTimeout(150)
      const more = await hiddenBelow(page)
      const size = page.viewportSize()!
      if (more > 20) await page.setViewportSize({ width, height: Math.min(4_000, size.height + more) })
      await page.waitForTimeout(150)
      const path = join(ALL, `${name}-${width}-${colorScheme}.png`)
      await page.screenshot({ path })
      files.push(path)
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  return files
}

/** Pages scroll inside the frame, so a window as high as the content shows all of it. */
const hiddenBelow = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(
      ...Array.from(
        document.querySelectorAll<HTMLElement>('*'),
        ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
      ),
    ),
  )

const DEVICES = { tablet: { width: 820, height: 1180 }, telefon: { width: 390, height: 844 } } as const
interface ForestPage {
  readonly name: string
  readonly path: string
  /** Opens what the page shows after a click. */
  readonly act?: (page: Page) => Promise<void>
}
const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).first().click()
const FOREST_PAGES: Readonly<Partial<Record<DemoRole, readonly ForestPage[]>>> = {
  ogf_standard: [
    { name: 'dashboard', path: '/dashboard' },
    { name: 'baeume', path: '/habitatbaeume/index' },
    { name: 'baeume-filter', path: '/habitatbaeume/index', act: press(/^Filter/) },
    { name: 'baeume-leer', path: '/habitatbaeume/index?suche=gibtesnicht' },
    { name: 'baeume-karte', path: '/habitatbaeume/index?ansicht=karte' },
    { name: 'baeume-fotos', path: '/habitatbaeume/index?ansicht=fotos' },
    { name: 'baum-neu', path: '/habitatbaeume/index', act: press('Neuer Habitatbaum') },
    { name: 'baum', path: '/habitatbaeume/$id' },
    { name: 'bestand', path: '/waldbestand/index' },
    { name: 'kawm', path: '/kawm/index' },
    { name: 'feld-paket', path: '/feld/paket' },
    {
      name: 'feld-gespeichert',
      path: '/feld/paket',
      act: async (page) => {
        const save = page.getByRole('button', { name: 'Auf diesem Gerät speichern' })
        if (await save.isVisible()) await save.click()
        await page.waitForTimeout(5_000)
      },
    },
    { name: 'feld', path: '/feld' },
    { name: 'feld-baeume', path: '/feld/baeume' },
    { name: 'feld-neu', path: '/feld/neu' },
    { name: 'feld-uebertragen', path: '/feld/uebertragen' },
  ],
  ogf_fb_admin: [{ name: 'baum', path: '/habitatbaeume/$id' }],
  multiple_fb: [{ name: 'dashboard', path: '/dashboard' }],
  inactive_fb: [
    { name: 'dashboard', path: '/dashboard' },
    { name: 'baeume', path: '/habitatbaeume/index' },
  ],
  ogf_init: [{ name: 'dashboard', path: '/dashboard' }],
  kundenadmin: [
    { name: 'baeume', path: '/habitatbaeume/index' },
    { name: 'baum', path: '/habitatbaeume/$id' },
    { name: 'bestand', path: '/waldbestand/index' },
    { name: 'kawm', path: '/kawm/index' },
  ],
  ogf_admin: [
    { name: 'baeume-wahl', path: '/habitatbaeume/index' },
    { name: 'bestand-wahl', path: '/waldbestand/index' },
    { name: 'bestand-import', path: '/waldbestand/import' },
    { name: 'baeume-import', path: '/habitatbaeume/import' },
    { name: 'baeume-feldsicherung', path: '/habitatbaeume/feldsicherung' },
    { name: 'kawm', path: '/kawm/index' },
  ],
}

/** The forest half on mobile devices, the only screens used in the forest. */
async function forestScreens(app: RunningApp, browser: Browser): Promise<void> {
  mkdirSync(ALL, { recursive: true })
  for (const [role, pages] of Object.entries(FOREST_PAGES) as [DemoRole, readonly ForestPage[]][]) {
    // The field mode needs its worker and a position.
    const visitor = await openVisitor(browser, app, {
      viewport: DEVICES.telefon,
      hasTouch: true,
      serviceWorkers: 'allow',
      permissions: ['geolocation'],
      geolocation: { latitude: 49.003, longitude: 8.588, accuracy: 6 },
    })
    const { page } = visitor
    // A touch device would be sent to the landing page.
    await visitor.context.addInitScript(() => localStorage.setItem('geraet.im-browser', '1'))
    await signIn(visitor, app, role)
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    const token = await tokenOf(page)
    for (const { name, path, act } of pages)
      for (const [device, size] of Object.entries(DEVICES)) {
        await page.setViewportSize(size)
        await page.goto(path.startsWith('/habitatbaeume/$') ? await fillIds(app, token, path) : path)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await page.waitForLoadState('networkidle')
        await act?.(page)
        await page.waitForTimeout(600)
        const picture = (more: string) =>
          page.screenshot({ path: join(ALL, `wald-${role}-${name}-${device}${more}.png`) })
        await picture('')
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
        await page.waitForTimeout(150)
        await picture('-dunkel')
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
        const height = await hiddenBelow(page)
        if (height > 20 && act === undefined) {
          await page.setViewportSize({ width: size.width, height: Math.min(5_000, size.height + height) })
          await page.waitForTimeout(400)
          await picture('-ganz')
        }
      }
    await visitor.close()
  }
}

async function readmePictures(app: RunningApp, browser: Browser): Promise<void> {
  const picture = (name: string) => ({ path: join(README, `${name}.png`) })
  const visitor = await openVisitor(browser, app)
  const { page } = visitor
  await page.goto('/')
  await page.getByLabel('E-Mail').waitFor()
  await page.screenshot(picture('sign-in'))
  await signIn(visitor, app, 'ogf_admin', '/kunden/index')
  await page.getByText('500 Kunden').waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot(picture('kunden'))
  await page.locator('tbody a').nth(4).click()
  await page.getByRole('tab', { name: 'Stammdaten' }).click()
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
    ['finances', '/finanzen/index'],
    ['operations', '/verwaltung/betrieb'],
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
  await page.screenshot(picture('dark'))
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

/** A sheet with its points, and the survey with the sheets beneath it. */
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
  const plans = page.getByRole('region', { name: 'Eigene Pläne' }).getByRole('checkbox')
  await plans.first().waitFor()
  for (const plan of await plans.all()) await plan.check()
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

if (
  only !== undefined &&
  only !== 'readme' &&
  only !== 'wald' &&
  !DEMO_ACCOUNTS.some(({ role }) => role === only)
)
  throw new Error(`neither readme, nor wald, nor a role: ${only}`)
const app = await startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } })
const browser = await launchBrowser()
try {
  if (only !== 'readme' && only !== 'wald') await everyScreen(app, browser)
  if (only === undefined || only === 'wald') await forestScreens(app, browser)
  if (only === undefined || only === 'readme') await readmePictures(app, browser)
} finally {
  await browser.close()
  await app.stop()
}
