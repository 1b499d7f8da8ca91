// The page of all building blocks: it looks as the kept pictures do, in light and dark, so that a change of
// any part is seen; nothing in it breaks a rule of accessibility; charts are read by keyboard, and their words
// never touch. `npm run bausteine:update` renews the pictures, which then are part of the change.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { oneServer } from './one-server.ts'

const PATH = '/verwaltung/bausteine'
const KEPT = join(import.meta.dirname, 'pictures')
/** What differs, and what was seen, to find out why a comparison failed. */
const SEEN = join(import.meta.dirname, '../.cache/bausteine')
const RENEW = process.env['BAUSTEINE'] === 'neu'
/** Share of pixels that may differ. */
const MOST = 0.001

const SCHEMES = ['light', 'dark'] as const
type Scheme = (typeof SCHEMES)[number]

describe.skipIf(!hasBrowser())('the building blocks', () => {
  const house = oneServer()
  const visit = async (colorScheme: Scheme, width = 1240): Promise<Page> => {
    const page = await house.visit('ogf_admin', PATH, {
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width, height: 900 },
    })
    await page.locator('.chart svg').first().waitFor()
    // Drawings and charts come after the page.
    await expect.poll(() => page.locator('.parts-states .drawing').count()).toBe(6)
    return page
  }

  const picture = async (page: Page): Promise<Buffer> => {
    const parts = page.locator('.parts')
    const box = (await parts.boundingBox())!
    // As high as all of it, so that nothing scrolls and nothing is above it.
    await page.setViewportSize({ width: 1240, height: Math.ceil(box.height) + 400 })
    await page.evaluate(async () => {
      await document.fonts.ready
      // Nothing of ours, but drawn by the system: the mark that a field has the focus, and scroll bars.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    })
    return parts.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' })
  }

  for (const scheme of SCHEMES)
    test(`look as the kept picture, ${scheme}`, async () => {
      const seen = await picture(await visit(scheme))
      await compare(scheme, seen)
    })

  test('a changed part is noticed', async () => {
    if (RENEW) return
    const page = await visit('light')
    await page.evaluate(() => {
      for (const one of document.querySelectorAll<HTMLElement>('.button, .badge')) one.style.padding = '0'
    })
    expect(await differing('light', await picture(page))).toBeGreaterThan(MOST)
  })

  for (const scheme of SCHEMES)
    test(`break no rule of accessibility, ${scheme}`, async () => {
      expect(await brokenRules(await visit(scheme))).toEqual([])
    })

  test('a chart is read bar by bar with arrow keys', async () => {
    const page = await visit('light')
    const chart = page.getByRole('slider', { name: 'Säulen mit Verlauf' })
    const said = () => chart.getAttribute('aria-valuetext')
    await chart.focus()
    await page.keyboard.press('Home')
    await expect.poll(said).toBe('Jan 2026: 12.000 €')
    expect(await chart.locator('.chart-value').innerText()).toBe('Jan 2026: 12.000 €')
    await page.keyboard.press('ArrowRight')
    await expect.poll(said).toBe('Feb 2026: 18.000 €')
    await page.keyboard.press('End')
    await expect.poll(said).toBe('Dez 2026: 11.000 €')
    expect(await inside(chart.locator('.chart-value span'), chart)).toBe(true)
    await page.keyboard.press('Escape')
    await chart.locator('.chart-value').waitFor({ state: 'detached' })
    // The same by pointer.
    const box = (await chart.boundingBox())!
    await page.mouse.move(box.x + box.width - 20, box.y + 60)
    await expect.poll(() => chart.locator('.chart-value').innerText()).toBe('Dez 2026: 11.000 €')
  })

  test('the figures of a chart are there as a table', async () => {
    const page = await visit('light')
    await page.getByText('Zahlen als Tabelle').first().click()
    const table = page.getByRole('table', { name: 'Säulen mit Verlauf' })
    expect(await table.getByRole('row').count()).toBe(13)
    expect(
      await table
        .getByRole('row', { name: /^Feb 26/ })
        .getByRole('cell')
        .first()
        .innerText(),
    ).toBe('18.000 €')
  })

  for (const width of [1440, 1024, 700, 390, 320])
    test(`words of charts never touch, ${width} px wide`, async () => {
      const page = await visit('light', width)
      for (const chart of await page.locator('.chart svg').all()) {
        const boxes = await chart.locator('text').evaluateAll((all) =>
          all.map((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect()
            return { text: one.textContent, left, right, top, bottom }
          }),
        )
        const frame = (await chart.boundingBox())!
        expect(boxes.length).toBeGreaterThan(4)
        for (const [at, a] of boxes.entries()) {
          expect(a.left, `${a.text} begins in the chart`).toBeGreaterThanOrEqual(frame.x - 0.5)
          expect(a.right, `${a.text} ends in the chart`).toBeLessThanOrEqual(frame.x + frame.width + 0.5)
          for (const b of boxes.slice(at + 1)) {
            const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
            expect(apart, `${a.text} and ${b.text}`).toBe(true)
          }
        }
      }
    })
})

async function inside(inner: Locator, outer: Locator): Promise<boolean> {
  const [a, b] = [(await inner.boundingBox())!, (await outer.boundingBox())!]
  return a.x >= b.x - 0.5 && a.x + a.width <= b.x + b.width + 0.5
}

const rgba = (png: Buffer) => sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })

/** Share of the pixels that differ from the kept picture; 1 if its size does. */
async function differing(scheme: Scheme, png: Buffer): Promise<number> {
  const [kept, seen] = await Promise.all([rgba(readFileSync(join(KEPT, `parts-${scheme}.png`))), rgba(png)])
  const { width, height } = seen.info
  if (kept.info.width !== width || kept.info.height !== height) return 1
  const marked = Buffer.alloc(width * height * 4)
  const count = pixelmatch(kept.data, seen.data, marked, width, height, { threshold: 0.1 })
  mkdirSync(SEEN, { recursive: true })
  writeFileSync(join(SEEN, `${scheme}.png`), png)
  await sharp(marked, { raw: { width, height, channels: 4 } })
    .png()
    .toFile(join(SEEN, `${scheme}-differs.png`))
  return count / (width * height)
}

async function compare(scheme: Scheme, png: Buffer): Promise<void> {
  const file = join(KEPT, `parts-${scheme}.png`)
  if (RENEW) await sharp(png).removeAlpha().png({ compressionLevel: 9, palette: false }).toFile(file)
  expect(existsSync(file), 'npm run bausteine:update makes the picture').toBe(true)
  expect(await differing(scheme, png), `differs: see ${SEEN}`).toBeLessThanOrEqual(MOST)
}
