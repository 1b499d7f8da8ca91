// Row 11: drags the map of 100,000 survey objects in Chromium, on levels that show clusters and on those that
// show objects. Measures the page's script time per step, as the browser itself counts it, and how many
// symbols are drawn. A step is one pointer move and the frame after it, including the work for newly arrived
// tiles.
import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser, openVisitor, signIn } from '../../e2e/browser.ts'
import { atMost, median, type Figure, shown } from '../figures.ts'
import { inHouse } from './house.ts'
import { fillObjects } from './objects.ts'
import { SHORT } from '../extent.ts'

const KUNDE = 1
const STEPS = SHORT ? 20 : 60
/** Zoom steps from the whole survey: clusters of all sizes, then single objects. */
// With a fraction of the objects, none may be left in the middle when zoomed in.
const CLOSER = SHORT ? [0] : [0, 2, 4, 5, 6, 8]

async function scriptMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN)
}
const signsOn = async (page: Page): Promise<number> =>
  Number(await page.locator('[data-symbole]').getAttribute('data-symbole'))

async function pull(
  page: Page,
  session: CDPSession,
): Promise<{ readonly steps: number[]; readonly signs: number }> {
  const map = page.getByRole('region', { name: /^Karte der Vermessung/ })
  await map.scrollIntoViewIfNeeded()
  const box = await map.boundingBox()
  if (box === null) throw new Error('no map')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const looks = () => map.screenshot()
  const still = await looks()
  await page.mouse.move(x, y)
  await page.mouse.down()
  const steps: number[] = []
  let signs = 0
  let before = await scriptMs(session)
  for (let step = 1; step <= STEPS; step++) {
    // Back and forth, so the map stays over the objects.
    const far = 200 * Math.sin((step / STEPS) * 2 * Math.PI)
    await page.mouse.move(x - far, y - far / 2)
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    const after = await scriptMs(session)
    steps.push(after - before)
    before = after
  }
  await page.mouse.move(x - 150, y - 75)
  const moved = await looks()
  await page.mouse.up()
  if (moved.equals(still)) throw new Error('the map was not pulled')
  await page.waitForLoadState('networkidle')
  signs = await signsOn(page)
  return { steps, signs }
}

export const measure = (): Promise<Figure[]> =>
  inHouse(
    async ({ app }) => {
      const browser = await launchBrowser()
      try {
        const { page, context } = await openVisitor(browser, app, { viewport: { width: 1440, height: 900 } })
        await signIn({ page }, app, 'apus_team', `/kataster/index?kunde=${KUNDE}`)
        await page.locator('[data-symbole]').waitFor({ timeout: 60_000 })
        const session = await context.newCDPSession(page)
        await session.send('Performance.enable')
        const all: number[] = []
        const figures: Figure[] = []
        let most = 0
        let closer = 0
        for (const level of CLOSER) {
          for (; closer < level; closer++) await page.getByRole('button', { name: 'Vergrößern' }).click()
          await page.waitForTimeout(1500)
          await page.waitForLoadState('networkidle')
          const { steps, signs } = await pull(page, session)
          if (signs === 0) throw new Error(`nothing is drawn, ${level} times closer`)
          most = Math.max(most, signs)
          all.push(...steps)
          figures.push(
            shown(`11 script per step, ${level} times closer, median (${signs} signs)`, median(steps), 'ms'),
          )
        }
        const sorted = all.toSorted((a, b) => a - b)
        return [
          ...figures,
          atMost('11 script per step of a pull, median', 8, median(all), 'ms'),
          shown('11 script per step of a pull, p95', sorted[Math.ceil(sorted.length * 0.95) - 1]!, 'ms'),
          atMost('11 signs drawn at once in the browser', 3000, most, ''),
        ]
      } finally {
        await browser.close()
      }
    },
    { prepare: (owner) => fillObjects(owner, KUNDE) },
  )
