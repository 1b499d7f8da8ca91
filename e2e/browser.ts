// A Chromium that behaves like a user's and records everything that should never happen: console errors,
// exceptions, policy reports.
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { TOKEN_STORAGE_KEY } from '#domain/constants.ts'
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import { findChromium } from '../test/chromium.ts'
import type { RunningApp } from './app.ts'

export const hasBrowser = (): boolean => findChromium() !== undefined

/** Nothing is fetched, reported or updated in the background. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  '--disable-features=Translate,OptimizationHints,MediaRouter',
]

/**
 * One browser for all journeys of this process, which run one after another: each has its own contexts, and
 * starting a browser costs as much as a short journey.
 */
let running: Promise<Browser> | undefined

/** In a test run `close` closes what was opened through it; the browser itself ends with the process. */
export async function launchBrowser(): Promise<Browser> {
  if (process.env['VITEST'] === undefined) return start()
  running ??= start()
  const browser = await running
  if (!browser.isConnected()) {
    running = undefined
    return launchBrowser()
  }
  const before = new Set(browser.contexts())
  const close = async (): Promise<void> => {
    const mine = browser.contexts().filter((context) => !before.has(context))
    await Promise.all(mine.map((context) => context.close()))
  }
  const valueOf = (name: string | symbol): unknown => {
    const value: unknown = Reflect.get(browser, name)
    return typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(browser) : value
  }
  return new Proxy(browser, { get: (_, name) => (name === 'close' ? close : valueOf(name)) })
}

async function start(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('no Chromium is installed')
  const launch = (...more: string[]) => chromium.launch({ executablePath, args: [...QUIET, ...more] })
  if (process.getuid?.() === 0) return launch('--no-sandbox')
  // Some containers allow no user namespaces, and without them there is no sandbox.
  return launch().catch(() => launch('--no-sandbox'))
}

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /**
   * Console errors, uncaught exceptions and policy reports since the start, newest last. May be replaced by
   * another list.
   */
  complaints: string[]
  close(): Promise<void>
}

/**
 * Its own browser profile with one page, without the service worker; journeys about the worker enable
 * it.
 */
export async function openVisitor(
  browser: Browser,
  app: Pick<RunningApp, 'origin'>,
  more: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: app.origin,
    serviceWorkers: 'block',
    // The CPU renders animations here: a sixth of its work, and journeys do not test them.
    reducedMotion: 'reduce',
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1360, height: 900 },
    ...more,
  })
  // A limit for what hangs, not a measurement: both cores may be busy with other suites.
  context.setDefaultTimeout(30_000)
  // Policy reports do not always reach the console's error level.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy ${event.violatedDirective}: ${event.blockedURI}`),
    )
  })
  const noted: Pick<Visitor, 'complaints'> = { complaints: [] }
  context.on('page', (page) => listenTo(page, noted))
  const page = await context.newPage()
  return Object.assign(noted, { context, page, close: () => context.close() })
}

const EXPECTED = ['waitForEvent', 'waitForRequest', 'waitForResponse'] as const

/**
 * A journey that fails never comes to what it still expects; the window closes, and a refused promise nobody
 * waits for would fail the whole run instead of this journey.
 */
function forgetTheExpected(page: Page): void {
  for (const name of EXPECTED) {
    const own = page[name] as (...given: unknown[]) => Promise<unknown>
    const handled = (...given: unknown[]): Promise<unknown> => {
      const expected = own.apply(page, given)
      expected.catch(() => undefined)
      return expected
    }
    Object.assign(page, { [name]: handled })
  }
}

function listenTo(page: Page, noted: Pick<Visitor, 'complaints'>): void {
  forgetTheExpected(page)
  page.on('pageerror', (error) => noted.complaints.push(`fault: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error')
      noted.complaints.push(`console: ${message.text()} (${message.location().url.split('?')[0]})`)
  })
}

/** The shared password that the first start printed. */
export function demoPassword(app: Pick<RunningApp, 'output'>): string {
  const found = /Passwort für alle: (\S+)/.exec(app.output())?.[1]
  if (found === undefined) throw new Error('this start printed no demo password')
  return found
}

export type DemoRole = (typeof DEMO_ACCOUNTS)[number]['role']
/** Of those who are there day by day: both halves of the office, and two of customers. */
export const EVERYDAY_ROLES = [
  'apus_admin',
  'ogf_admin',
  'apus_team',
  'ogf_team',
  'kundenadmin',
  'appuser',
] as const satisfies readonly DemoRole[]

export const emailOf = (role: DemoRole): string => {
  const account = DEMO_ACCOUNTS.find((one) => one.role === role)
  if (account === undefined) throw new Error(`no demo account ${role}`)
  return account.email
}

/** Fills in the provider's form; the page must already show it or be loading it. */
export async function enterCredentials(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-Mail').fill(email)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
}

/** What a browser stores for someone who has signed in at this server before. */
interface Known {
  readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>
  readonly token: string
}
const sessions = new WeakMap<object, Map<DemoRole, Known>>()
const readToken = (page: Page) => page.evaluate((key) => localStorage.getItem(key), TOKEN_STORAGE_KEY)

/**
 * Signs in through the real pages, from `path` and back to it. Resolves when the application's frame is
 * there. A role that has signed in at this server before arrives as in another tab of the same browser: the
 * provider recognizes it and is asked in the background. `signInAgain`: always with the password, for
 * journeys about sessions.
 */
export async function signIn(
  { page }: Pick<Visitor, 'page'>,
  app: RunningApp,
  role: DemoRole,
  path = '/',
  { signInAgain = false } = {},
): Promise<void> {
  const known = sessions.get(app) ?? new Map<DemoRole, Known>()
  sessions.set(app, known)
  const before = signInAgain ? undefined : known.get(role)
  const goesOn = before !== undefined && (await isAccepted(app, before.token))
  if (before) await page.context().addCookies(before.cookies)
  if (goesOn) await bringToken(page, app, before.token)
  await page.goto(path)
  const frame = page.locator('.frame')
  const asked = page.getByLabel('Passwort', { exact: true })
  await frame.or(asked).first().waitFor()
  if (await asked.isVisible()) {
    await enterCredentials(page, emailOf(role), demoPassword(app))
    await frame.waitFor()
  }
  if (signInAgain || goesOn) return
  const token = await readToken(page)
  if (token !== null) known.set(role, { cookies: await page.context().cookies(), token })
}

/**
 * False once the session has expired or was signed out: the provider would refuse the page, and the console
 * would log it.
 */
const isAccepted = ({ origin }: RunningApp, token: string): Promise<boolean> =>
  fetch(`${origin}/rest/einstellung?limit=1`, { headers: { authorization: `Bearer ${token}` } }).then(
    ({ ok }) => ok,
    () => false,
  )

async function bringToken(page: Page, { origin }: RunningApp, token: string): Promise<void> {
  // localStorage needs a page of this server; a reused window already has one open.
  if (!page.url().startsWith(`${origin}/`)) await page.goto('/healthz')
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [TOKEN_STORAGE_KEY, token] as const)
}
