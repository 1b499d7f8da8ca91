// Reuses one journey's window, emptied, for the next: a new profile reads and compiles the whole application
// again, which is half the work of a short journey.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { RunningApp } from './app.ts'
import { openVisitor, type Visitor } from './browser.ts'

interface UsedWindow {
  readonly visitor: Visitor
  /** Whether emptying can undo everything that was done to it. */
  isClean(): boolean
}

/** Windows waiting for the next journey on this server. */
const waiting = new WeakMap<object, UsedWindow[]>()

/**
 * A visitor like that of `openVisitor`, without anything from earlier journeys: no storage, cookies,
 * listeners or routes. What the server lets browsers cache (the built files) is already there.
 */
export async function borrowVisitor(browser: Browser, app: Pick<RunningApp, 'origin'>): Promise<Visitor> {
  const here = waiting.get(app) ?? []
  const window = here.filter(({ isClean }) => isClean()).at(-1) ?? (await open(browser, app))
  waiting.set(
    app,
    here.filter((one) => one !== window && one.isClean()),
  )
  const { visitor } = window
  // A new list, so that an earlier journey's list stays unchanged.
  const complaints = (visitor.complaints = [])
  return {
    context: visitor.context,
    page: visitor.page,
    complaints,
    async close() {
      const emptied =
        window.isClean() &&
        (await empty(visitor, app.origin).then(
          () => true,
          () => false,
        ))
      if (emptied) waiting.set(app, [...(waiting.get(app) ?? []), window])
      else await visitor.close()
    },
  }
}

/** Methods whose effect on a page or its context outlasts navigation. */
const PAGE = [
  'addInitScript',
  'addLocatorHandler',
  'emulateMedia',
  'exposeBinding',
  'exposeFunction',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setViewportSize',
] as const satisfies readonly (keyof Page)[]
const CONTEXT = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'newPage',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline',
] as const satisfies readonly (keyof BrowserContext)[]
const CLOCK = [
  'fastForward',
  'install',
  'pauseAt',
  'resume',
  'runFor',
  'setFixedTime',
  'setSystemTime',
] as const
const EVENTS = [
  'console',
  'dialog',
  'download',
  'frameattached',
  'framenavigated',
  'load',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
] as const

type Listeners = { listenerCount(event: string): number }
const listenersOf = (one: Listeners): number =>
  EVENTS.reduce((sum, event) => sum + one.listenerCount(event), 0)

async function open(browser: Browser, app: Pick<RunningApp, 'origin'>): Promise<UsedWindow> {
  const visitor = await openVisitor(browser, app)
  const { page, context } = visitor
  let touched = false
  const note = <T extends object>(target: T, names: readonly (keyof T)[]) => {
    for (const name of names) {
      const own = target[name] as (...given: unknown[]) => unknown
      const noted = (...given: unknown[]): unknown => {
        touched = true
        return own.apply(target, given)
      }
      Object.assign(target, { [name]: noted })
    }
  }
  note(page, PAGE)
  note(context, CONTEXT)
  note(context.clock, CLOCK)
  const count = (): number =>
    listenersOf(page as unknown as Listeners) + listenersOf(context as unknown as Listeners)
  const before = count()
  return {
    visitor,
    isClean: () => !touched && !page.isClosed() && context.pages().length === 1 && count() === before,
  }
}

async function empty({ page, context }: Visitor, origin: string): Promise<void> {
  await page.goto(`${origin}/healthz`)
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    const gone = (name: string) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name)
        request.onsuccess = () => resolve()
        request.onerror = () => reject(new Error(name))
        request.onblocked = () => reject(new Error(`${name} is in use`))
      })
    for (const { name = '' } of await indexedDB.databases()) await gone(name)
    for (const name of await caches.keys()) await caches.delete(name)
  })
  await context.clearCookies()
  // Off the page: a resting pointer would hover over what is drawn next.
  await page.mouse.move(-1, -1)
}
