// What a picky eye would see on any page: German words in the English interface, a page that scrolls sideways
// on a phone, words that overlap each other or are cut without dots, a band that ends before its card does.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { po } from 'gettext-parser'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type DemoRole, hasBrowser, signIn } from './browser.ts'
import { tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'
import { fillIds, openInside, pathsOf, settle } from './pages.ts'
import { borrowVisitor } from './reuse.ts'

const STORED = 'forstkontor.einstellung'
/** Together they open every page. */
const ROLES: readonly DemoRole[] = [
  'ogf_admin',
  'apus_admin',
  'kundenadmin',
  'appuser_admin',
  'ogf_standard',
  'ogf_init',
]
/** The words of this page are people's own, and its parts show words in the language of the trade. */
const OWN_WORDS = ['/abkuerzungen/index', '/verwaltung/bausteine']

/** German texts of the interface whose English is another. */
function germanTexts(): ReadonlySet<string> {
  const { translations } = po.parse(readFileSync(join(import.meta.dirname, '../web/texts/en.po')))
  const [texts, english] = [new Set<string>(), new Set<string>()]
  for (const context of Object.values(translations))
    for (const [german, { msgstr: said }] of Object.entries(context)) {
      english.add(said[0] ?? '')
      if (german !== said[0]) texts.add(german)
    }
  return new Set([...texts].filter((text) => !english.has(text)))
}
const MONTHS = /(?:Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Mär|Okt|Dez)\b/
const LITTLE = /(?:^|\s)(?:der|die|das|und|oder|nicht|für|mit|ist|sind|wird|werden|noch|kein|keine|Bitte)\s/

/** What the interface itself says on the page: its labels, buttons, titles and hints, not what people entered. */
const saidOn = (page: Page): Promise<{ all: string[]; own: string[] }> =>
  page.evaluate(() => {
    const [all, own] = [new Set<string>(), new Set<string>()]
    const OWN =
      'label, legend, button, th[scope="col"], h2, h3, summary, .tab, .field-hint, .chart text, .state'
    for (const element of document.querySelectorAll<HTMLElement>(
      'body *:not(script, style, noscript, option)',
    )) {
      for (const node of element.childNodes) {
        const text = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '').trim() : ''
        if (text === '') continue
        all.add(text)
        if (element.closest(OWN)) own.add(text)
      }
      for (const name of ['aria-label', 'placeholder']) {
        const text = element.getAttribute(name)?.trim()
        if (text) all.add(text)
      }
    }
    return { all: [...all], own: [...own] }
  })

interface Seen {
  readonly sideways: number
  readonly cut: readonly string[]
  readonly touching: readonly string[]
  readonly bands: readonly string[]
}
const seenOn = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const shown = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 2 && height > 2 && element.checkVisibility({ visibilityProperty: true })
    }
    const text = (element: Element) => `${element.className}: ${(element.textContent ?? '').slice(0, 40)}`
    const within = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(shown)
    const { scrollWidth, clientWidth } = document.documentElement
    // Cut in the middle of a letter: what is too long for its place wraps or ends in dots.
    const cut = within('main *, header *').filter((element) => {
      const own = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      )
      const { overflowX, textOverflow } = getComputedStyle(element)
      return (
        own &&
        /hidden|clip/.test(overflowX) &&
        textOverflow !== 'ellipsis' &&
        element.scrollWidth > element.clientWidth + 1
      )
    })
    // Words of neighbours in a row of buttons, titles of columns or tabs.
    const touching: string[] = []
    for (const row of within('thead tr, .toolbar, .page-actions, .tabs, .summary-actions, .list-chips')) {
      const words = [...row.querySelectorAll('button, a, th, label')]
        .filter((one) => shown(one) && one.querySelector('button, a, label') === null)
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
      for (const [at, a] of words.entries())
        for (const b of words.slice(at + 1)) {
          const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)
          const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)
          // Buttons of titles reach a little into the space around them.
          if (wide > 13 && high > 2) touching.push(`${text(a.one)} | ${text(b.one)}`)
        }
    }
    // The band of a form's buttons ends where its card does.
    const bands = within('.card .record-save').filter((band) => {
      const [inner, outer] = [band, band.closest('.card')!].map((one) => one.getBoundingClientRect())
      return Math.abs(inner!.left - outer!.left) > 2 || Math.abs(inner!.right - outer!.right) > 2
    })
    return {
      sideways: Math.max(0, scrollWidth - clientWidth),
      cut: cut.slice(0, 5).map(text),
      touching: touching.slice(0, 5),
      bands: bands.map(text),
    }
  })

describe.skipIf(!hasBrowser())('on every page', () => {
  const house = oneServer()
  const german = germanTexts()
  const opened = new Set<string>()

  for (const role of ROLES) {
    const patterns = pathsOf(role).filter((path) => path === '/dashboard' || !opened.has(path))
    for (const path of patterns) opened.add(path)
    test(`${role}, ${patterns.length} pages: English is English, and nothing is cut or overlaps`, async () => {
      const visitor = await borrowVisitor(house.browser, house.app)
      const { page } = visitor
      try {
        await page.addInitScript((key) => {
          const kept = localStorage.getItem(key)
          if (kept?.includes('"language"')) return
          localStorage.setItem(key, '{"user":null,"values":{"language":"en"},"waiting":["language"]}')
        }, STORED)
        await signIn(visitor, house.app, role)
        await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor()
        await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('en')
        const token = await tokenOf(page)
        for (const pattern of patterns) {
          const path = await fillIds(house.app, token, pattern)
          await openInside(page, path)
          await settle(page)
          if (!OWN_WORDS.includes(pattern)) {
            const { all, own } = await saidOn(page)
            expect(
              [
                ...all.filter((text) => german.has(text) && own.includes(text)),
                ...own.filter((text) => MONTHS.test(text) || LITTLE.test(text)),
              ],
              `${path} as ${role}: German in English`,
            ).toEqual([])
          }
          for (const width of [1024, 390]) {
            await page.setViewportSize({ width, height: 900 })
            // What measures its room hears of the new width a moment later.
            await expect
              .poll(() => seenOn(page), { message: `${path} as ${role}, ${width} px wide` })
              .toEqual({ sideways: 0, cut: [], touching: [], bands: [] })
          }
          await page.setViewportSize({ width: 1360, height: 900 })
        }
      } finally {
        await visitor.close()
      }
    }, 300_000)
  }

  test('together they are all pages', () => {
    expect([...new Set(ROLES.flatMap(pathsOf))].filter((path) => !opened.has(path))).toEqual([])
  })
})
