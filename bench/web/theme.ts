// A click on another theme colour, on a page with a list behind it.
import type { Browser } from 'playwright-core'
import { startApp } from '../../e2e/app.ts'
import { openVisitor, signIn } from '../../e2e/browser.ts'
import { SHORT } from '../extent.ts'
import { median } from '../figures.ts'
import { interactionOf, openSlowed } from './scene.ts'

/** Longest interaction of a click in ms, the median of six. */
export async function measureTheme(browser: Browser): Promise<number> {
  const app = await startApp({ env: { SHOW_SETTINGS: 'on' } })
  try {
    const visitor = await openVisitor(browser, app)
    await signIn(visitor, app, 'ogf_admin', '/kunden/index')
    const storageState = await visitor.context.storageState()
    await visitor.close()
    const { page, close } = await openSlowed(browser, app.origin, { storageState })
    await page.goto('/kunden/index')
    await page.locator('.row-link').first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Seite einrichten' }).click()
    const swatches = page.locator('.swatch')
    await swatches.first().waitFor()
    const presses: number[] = []
    for (const at of SHORT ? [3, 1] : [3, 1, 4, 2, 5, 0])
      presses.push(await interactionOf(page, () => swatches.nth(at).click()))
    await close()
    return median(presses)
  } finally {
    await app.stop()
  }
}
