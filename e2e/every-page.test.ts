// Opens every page that a role may open, as that role in a real browser, with a thousand hostile texts in the
// columns that people fill: the heading is shown, access is not refused, no script runs, nothing fails,
// nothing overflows the page and no accessibility rule is broken in either scheme. Exports contain only text.
import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import type { Page } from 'playwright-core'
import readXlsxFile from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import { type DemoRole, hasBrowser, signIn } from './browser.ts'
import { borrowVisitor } from './reuse.ts'
import { isToday, VOLL } from '../test/extent.ts'
import { beginsLikeFormula } from '../test/formula-texts.ts'
import { call, tokenOf } from './calls.ts'
import { hostileStrings } from './hostile-strings.ts'
import { brokenInSchemes, fillIds, openInside, pathsOf } from './pages.ts'
import { oneServer } from './one-server.ts'

/**
 * Accessibility checks take longest, so each page is checked only once for staff and once for customers, of
 * these every other one today; the dashboard is checked for each role, because it differs.
 */
const STAFF: readonly DemoRole[] = ['ogf_admin', 'apus_admin']
const CUSTOMERS: readonly DemoRole[] = ['kundenadmin', 'ogf_standard', 'ogf_init', 'appuser_admin']
const isAsked = (role: DemoRole, pattern: string): boolean => {
  // The same pages without their buttons.
  if (role === 'pruefer') return true
  const side = [STAFF, CUSTOMERS].find((roles) => roles.includes(role))
  if (side === undefined) return false
  return pattern === '/dashboard' || side.find((other) => pathsOf(other).includes(pattern)) === role
}

/**
 * Every role opens its home; the other pages are opened once by each side, and in the full run by every role
 * that may.
 */
const pagesOf = (role: DemoRole): string[] =>
  pathsOf(role).filter((path) => VOLL || path === '/dashboard' || isAsked(role, path))

const COUNT = 1000
const STRINGS = hostileStrings(COUNT)
const nth = (at: number, longest = 200): string =>
  Array.from(STRINGS[at % COUNT]!)
    .slice(0, longest)
    .join('')
    .trim() || 'x'

/** The innermost elements that make the page scroll sideways; empty if it does not. */
const sticksOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('main *, header *')]
      .filter(
        (element) => element.getBoundingClientRect().right > clientWidth && element.children.length === 0,
      )
      .slice(0, 5)
      .map(
        (element) =>
          `${element.parentElement?.tagName}.${element.parentElement?.className} > ` +
          `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40)}`,
      )
  })

describe.skipIf(!hasBrowser())('a thousand hostile texts', () => {
  const house = oneServer()

  const walk = async <T>(
    role: DemoRole,
    work: (page: Page, token: string, complaints: string[]) => Promise<T>,
  ): Promise<T> => {
    const visitor = await borrowVisitor(house.browser, house.app)
    try {
      await signIn(visitor, house.app, role)
      // Home is a different page for each role.
      await visitor.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      expect(new URL(visitor.page.url()).pathname).not.toMatch(/^\/(?:40[14]|login)?$/)
      return await work(visitor.page, await tokenOf(visitor.page), visitor.complaints)
    } finally {
      await visitor.close()
    }
  }
  const stored = async (token: string, path: string, body: object, method?: string) => {
    const answer = await call(house.app, token, `/rest/${path}`, body, method)
    expect(answer.status, `${path}: ${JSON.stringify(answer.json).slice(0, 200)}`).toBeLessThan(300)
  }

  test('are stored as they are', async () => {
    await walk('admin', async (_page, token) => {
      // Six to a customer, so each one appears in at least one column.
      const rows = Array.from({ length: Math.ceil(COUNT / 4) }, (_, at) => ({
        name: nth(4 * at),
        name_zusatz: nth(4 * at + 1),
        strasse: nth(4 * at + 2),
        ort: nth(4 * at + 3),
        ap_vorname: nth(4 * at + 1, 100),
        ap_nachname: nth(4 * at + 2, 100),
        plz: '37073',
      }))
      await stored(token, 'kunde', rows)
      const { json } = await call(
        house.app,
        token,
        `/rest/kunde?select=name,name_zusatz,strasse,ort&client_id=gt.500&order=client_id`,
      )
      expect(
        (json as Record<string, string>[]).flatMap(({ name, name_zusatz, strasse, ort }) => [
          name,
          name_zusatz,
          strasse,
          ort,
        ]),
      ).toEqual(STRINGS)
      // What the customers' own people see.
      for (const client of [1, 2])
        await stored(
          token,
          `kunde?client_id=eq.${client}`,
          { name: nth(client), name_zusatz: nth(19), ort: nth(30), ap_nachname: nth(4, 100) },
          'PATCH',
        )
      for (let hq = 1; hq <= 12; hq++) await stored(token, `hq?idHQ=eq.${hq}`, { sHQ: nth(hq * 3) }, 'PATCH')
      for (let at = 0; at < 40; at++)
        await stored(token, 'abkuerzung', { abk: nth(at * 5, 28), bedeutung: nth(at), gruppe: nth(at, 50) })
      await stored(token, 'ansicht', { liste: 'kunden', name: nth(2, 80), suche: 'suche=%3Cscript%3E' })
    })
  })

  test('together they open every page that anybody may open', () => {
    const roles = DEMO_ACCOUNTS.map(({ role }) => role)
    const all = new Set(roles.flatMap(pathsOf))
    expect([...all].filter((path) => !roles.some((role) => pagesOf(role).includes(path)))).toEqual([])
  })

  for (const { role } of DEMO_ACCOUNTS)
    test(`${role}: ${pagesOf(role).length} pages show them as text and stay in shape`, async () => {
      await walk(role, async (page, token, complaints) => {
        const at = DEMO_ACCOUNTS.findIndex((account) => account.role === role)
        await call(house.app, token, '/rest/rpc/__o_update_user', {
          first_name: nth(at, 100),
          last_name: nth(at + 26, 100),
          mail: null,
        })
        const asked = new Set<string>()
        // The browser's own URLs (blob:, its PDF viewer) are not fetched from any host.
        page.on(
          'request',
          (request) => /^(?:https?|wss?):/.test(request.url()) && asked.add(new URL(request.url()).host),
        )
        for (const [nr, pattern] of pagesOf(role).entries()) {
          const path = await fillIds(house.app, token, pattern)
          await openInside(
            page,
            path,
            pattern.endsWith('/index') && !isAsked(role, pattern) ? '?zeilen=100' : '',
          )
          expect(new URL(page.url()).pathname).toBe(path)
          expect(
            await page.locator('main .state[role="alert"]:not(.parts *)').allInnerTexts(),
            `${path} as ${role}`,
          ).toEqual([])
          expect(await page.title(), path).toMatch(/.+ - Forstkontor$/)
          if (isAsked(role, pattern) && (pattern === '/dashboard' || isToday(nr, 2)))
            expect(await brokenInSchemes(page), `${path} as ${role}`).toEqual([])
          expect(complaints.splice(0), `${path} as ${role}`).toEqual([])
          expect(await page.evaluate(() => 'HIT' in globalThis), `${path}: nothing ran`).toBe(false)
          expect(
            await page
              .locator('iframe, base, [onerror], [onload], [ontoggle], a[href^="javascript:" i]')
              .count(),
            path,
          ).toBe(0)
          expect(await sticksOut(page), `${path}: the page does not scroll sideways`).toEqual([])
        }
        expect([...asked].filter((host) => host !== new URL(house.app.origin).host)).toEqual([])
      })
    }, 300_000)

  test('a narrow window keeps its shape as well', () =>
    walk('ogf_admin', async (page) => {
      await page.setViewportSize({ width: 390, height: 800 })
      for (const path of [
        '/kunden/index',
        '/forstbetriebe/index',
        '/nutzer/index',
        '/kunden/501',
        '/forstbetriebe/3',
      ]) {
        await openInside(page, path)
        expect(await sticksOut(page), path).toEqual([])
      }
    }))

  test('a file for Excel holds texts, not formulas', () =>
    walk('ogf_admin', async (page) => {
      await page.goto('/kunden/index?plz=37073')
      await page.getByText(/\d+ Treffer/).waitFor()
      const save = async (kind: string) => {
        await page.getByRole('button', { name: 'Export', exact: true }).click()
        const download = page.waitForEvent('download')
        await page.getByRole('menuitem', { name: kind }).click()
        return readFileSync(await (await download).path())
      }
      const csv = (await save('CSV für Excel')).toString('utf8')
      const cells = Papa.parse<string[]>(csv.replace(/^\ufeff/, ''), { delimiter: ';' }).data.flat()
      expect(cells.length).toBeGreaterThan(1000)
      expect(cells.filter(beginsLikeFormula)).toEqual([])
      const [sheet] = (await readXlsxFile(await save('Excel (XLSX)'))) as unknown as { data: unknown[][] }[]
      const texts = sheet!.data.flat().filter((cell) => typeof cell === 'string')
      expect(texts.filter(beginsLikeFormula)).toEqual([])
      expect(
        texts.some((text) => text.startsWith("'=")),
        'as text in its cell',
      ).toBe(true)
    }))
})
