// Mails as people see them: on a phone and on a screen, light and dark, and with names that are too long.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERYDAY, sampleMails } from '../test/sample-mails.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser, launchBrowser } from './browser.ts'

const LONG = 'Sehrlangeswortohneeineinzigesleerzeichen'.repeat(5)
const MAILS = {
  ...sampleMails('de'),
  ...sampleMails('en'),
  ...Object.fromEntries(
    Object.entries(
      sampleMails('de', { ...EVERYDAY, title: LONG, karte: LONG, kunde: LONG, company: LONG }),
    ).map(([name, mail]) => [`${name}, long names`, mail]),
  ),
}

describe.skipIf(!hasBrowser())('mails in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  for (const width of [320, 390, 700])
    for (const colorScheme of ['light', 'dark'] as const)
      test(`fit ${width} pixels, can be read when it is ${colorScheme}, and ask for nothing`, async () => {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
        const page = await context.newPage()
        const asked: string[] = []
        page.on('request', (request) => asked.push(request.url()))
        for (const [name, { html }] of Object.entries(MAILS)) {
          await page.setContent(html)
          expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
          const button = page.locator('a.press')
          if ((await button.count()) > 0)
            expect((await button.boundingBox())?.height, name).toBeGreaterThanOrEqual(44)
          // A mail is no page of a site: it has no landmarks.
          const rules = [
            'color-contrast',
            'link-name',
            'html-has-lang',
            'link-in-text-block',
            'heading-order',
          ]
          expect(await brokenRules(page, undefined, rules), name).toEqual([])
        }
        expect(asked).toEqual([])
        expect(
          await page.locator('td.sheet').evaluate((cell) => getComputedStyle(cell).backgroundColor),
        ).toBe(colorScheme === 'dark' ? 'rgb(26, 33, 23)' : 'rgb(255, 255, 255)')
        await context.close()
      })
})
