// The application's pages for tests: addresses with real records filled in, opened without reloading
// everything.
import { eingangPaths } from '#contract/eingang.ts'
import { cii } from '#domain/eingang/files.fixture.ts'
import { SENT } from './sent-invoice.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { mayOpen, NOT_THERE_YET, WHO_OPENS_WHAT } from '../web/src/app/who-opens-what.fixture.ts'
import type { RunningApp } from './app.ts'
import { brokenRules } from './axe.ts'
import type { DemoRole } from './browser.ts'
import { call } from './calls.ts'

/** Patterns of the pages that a role may open. */
export const pathsOf = (role: DemoRole): string[] =>
  Object.keys(WHO_OPENS_WHAT).filter((path) => !NOT_THERE_YET.includes(path) && mayOpen(path, role))

/** Fills in records that this person may read; another's id would only show the not-found page. */
export async function fillIds(
  app: Pick<RunningApp, 'origin'>,
  token: string,
  pattern: string,
): Promise<string> {
  if (!pattern.includes('$')) return pattern
  if (pattern === '/feld/$') return '/feld/baeume'
  const first = async (path: string): Promise<Record<string, unknown>> => {
    const { json } = await call(app, token, `/rest/${path}&limit=1`)
    const [row] = json as Record<string, unknown>[]
    if (row === undefined) throw new Error(`no sample for ${pattern}: ${path} is empty`)
    return row
  }
  if (pattern.includes('$detailid')) {
    const { client_id, hqid } = await first('kunde_hq?select=client_id,hqid&order=hqid')
    return pattern.replace('$id', String(client_id)).replace('$detailid', String(hqid))
  }
  if (pattern.includes('$user_id'))
    return pattern.replace(
      '$user_id',
      String((await first('benutzer?select=user_id&order=user_id'))['user_id']),
    )
  // A customer's own document; without any, the page for that is shown instead.
  const own = /^\/dokumente\/(rechnung|angebot)\//.exec(pattern)
  if (own) {
    const { json } = await call(app, token, '/rest/rpc/__o_get_dokumente', {})
    const row = (json as { art: string; id: number }[]).find(
      ({ art }) => (art === 'angebot') === (own[1] === 'angebot'),
    )
    return pattern.replace('$id', String(row?.id ?? 1))
  }
  if (pattern.startsWith('/karten/'))
    return pattern.replace('$id', String((await first('karte?select=id&order=id'))['id']))
  if (pattern === '/kataster/objekt/$')
    return pattern.replace(/\$$/, `schacht.${String((await first('schacht?select=id&order=id'))['id'])}`)
  // Of a customer that is in the books; an auditor sees no others.
  if (pattern.startsWith('/buchhaltung/offene-posten/')) {
    const { client_id } = await first('rechnung_liste?select=client_id&zustand=neq.entwurf&order=id')
    return pattern.replace('$id', String(client_id))
  }
  // The trial has received none: the first role that may sends one in.
  if (pattern.startsWith('/buchhaltung/eingang/rechnung/')) {
    const rows = async () =>
      (await call(app, token, '/rest/eingang_liste?select=id&order=id&limit=1')).json as { id: number }[]
    if ((await rows()).length === 0)
      await fetch(`${app.origin}/prod-api/${eingangPaths.upload('Rechnung.xml')}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
        body: cii(SENT),
      })
    return pattern.replace('$id', String((await rows())[0]?.id ?? 1))
  }
  // The trial has no recurring invoice: one is set up whose first period is far away.
  if (pattern.startsWith('/buchhaltung/rechnungen/wiederkehrend/')) {
    const rows = async () =>
      (await call(app, token, '/rest/serie?select=id&order=id&limit=1')).json as { id: number }[]
    if ((await rows()).length === 0)
      await call(app, token, '/rest/rpc/a_add_serie', {
        invoice_id: (await first('rechnung_liste?select=id&art=eq.rechnung&order=id'))['id'],
        werte: { titel: 'Monitoring', monate: 3, beginn: '2190-01-01' },
      })
    return pattern.replace('$id', String((await rows())[0]?.id ?? 1))
  }
  if (pattern.startsWith('/habitatbaeume/'))
    return pattern.replace('$id', String((await first('habitatbaeume?select=id&order=id'))['id']))
  // New documents need a customer id; existing ones have their own ids.
  const books = /\/(rechnung|angebot)\/(update\/)?\$(?:id|update_id)$/.exec(pattern)
  if (books) {
    const [, docKind, update] = books
    const state = docKind === 'rechnung' ? 'zustand' : 'status'
    const row = await first(`${docKind}_liste?select=id&${state}=${update ? 'eq' : 'neq'}.entwurf&order=id`)
    return pattern.replace(/\$\w+/, String(row['id']))
  }
  return pattern.replace(
    /\$\w+/,
    String((await first('kunde?select=client_id&order=client_id'))['client_id']),
  )
}

/** Opens an address inside the application; reloading for each page would take minutes. */
export async function openInside(page: Page, path: string, query = ''): Promise<void> {
  await page.evaluate((wanted) => {
    history.pushState(null, '', wanted)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path + query)
  await page.locator(`main .view[data-path="${path}"]`).getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** The background of the page in each scheme: a dark page that stays light would pass every other test. */
const GROUND = { light: 'rgb(244, 246, 242)', dark: 'rgb(17, 22, 15)' } as const
export const groundOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

/** Waits until nothing is loading and no skeleton is left. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  // The page of building blocks shows what is busy for good.
  await page.locator('[aria-busy="true"]:not(.parts *)').first().waitFor({ state: 'detached' })
}

/** Colours change by a transition; with reduced motion within a frame. */
async function inScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect.poll(() => groundOf(page), { timeout: 5_000 }).toBe(GROUND[colorScheme])
  await page.waitForTimeout(100)
}

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Accessibility rules that the loaded page breaks, in the light and the dark scheme. */
export async function brokenInSchemes(page: Page): Promise<string[]> {
  const broken: string[] = []
  await settle(page)
  for (const scheme of ['light', 'dark'] as const) {
    await inScheme(page, scheme)
    // The schemes differ only in colours.
    const found = await brokenRules(page, undefined, scheme === 'dark' ? COLOUR_RULES : undefined)
    broken.push(...found.map((rule) => `${scheme}: ${rule}`))
  }
  return broken
}
