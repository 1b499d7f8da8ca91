// The home page of a forester on a slow phone: CPU four times slower, 10 Mbit/s, 40 ms, the same line as
// bench:web; for comparison its frozen page in the same run.
import type { BrowserContextOptions } from 'playwright-core'
import { launchBrowser, openVisitor, signIn } from '../../e2e/browser.ts'
import { atMost, type Figure, median, shown } from '../figures.ts'
import { inHouse } from '../maps/house.ts'
import { SHORT } from '../extent.ts'
import { withFrozen } from '../web/frozen.ts'
import { openSlowed, readObserved, revisit, visit } from '../web/scene.ts'

const ROUNDS = SHORT ? 1 : 7
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

export const measure = (): Promise<Figure[]> =>
  inHouse(async ({ app }) => {
    const browser = await launchBrowser()
    try {
      const visitor = await openVisitor(browser, app)
      // As for someone who has already been sent to the landing page once and continued in the browser.
      await visitor.context.addInitScript(() => localStorage.setItem('geraet.im-browser', '1'))
      await signIn(visitor, app, 'ogf_standard')
      const storageState = await visitor.context.storageState()
      await visitor.close()
      const [lcps, blocked, again, complete, references]: [number[], number[], number[], number[], number[]] =
        [[], [], [], [], []]
      for (let round = 0; round < ROUNDS; round++) {
        references.push(await withFrozen(browser, PHONE, async (page) => (await readObserved(page)).lcp))
        const { page, close } = await openSlowed(browser, app.origin, { ...PHONE, storageState })
        const isThere = () => page.locator('.frame').getByRole('heading', { level: 1 }).waitFor()
        const { lcp, blocking } = await visit(page, () => page.goto('/dashboard'), isThere)
        complete.push(await page.evaluate(() => performance.now()))
        lcps.push(lcp)
        blocked.push(blocking)
        again.push((await revisit(page, isThere)).lcp)
        await close()
      }
      return [
        atMost(
          'LCP of /dashboard as a forester, phone, CPU/4, 10 Mbit/s, 40 ms, ' +
            'from the address on with the sign-in, nothing cached (frontend.md, section 8)',
          750,
          median(lcps),
          'ms',
        ),
        atMost('LCP of it loaded anew (frontend.md, section 8)', 750, median(again), 'ms'),
        atMost('total blocking time of it (frontend.md, section 8)', 150, median(blocked), 'ms'),
        shown('the line is quiet, half a second later', median(complete), 'ms'),
        shown('reference page LCP', median(references), 'ms'),
      ]
    } finally {
      await browser.close()
    }
  })
