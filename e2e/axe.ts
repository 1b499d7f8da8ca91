// Checks a page in its current state against accessibility rules.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}
interface AxeWindow {
  axe: { run(context: Node | null, options: object): Promise<{ violations: Violation[] }> }
}

/** Colours in transition between two schemes belong to neither. */
const isStill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // The end of one animation may start another.
    for (let passing: Animation[] = [], turn = 0; turn < 10 && (turn < 2 || passing.length > 0); turn++) {
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      passing = document
        .getAnimations()
        .filter(
          (one) => one.playState === 'running' && one.effect?.getComputedTiming().iterations !== Infinity,
        )
      await Promise.all(passing.map((one) => one.finished.catch(() => {})))
    }
  })

/**
 * Broken rules on the page in its current state, or within one element of it, with their places. `rules`:
 * only these.
 */
export async function brokenRules(page: Page, within?: string, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  await isStill(page)
  const violations = await page.evaluate(
    async ({ selector, only }) => {
      const context = selector === undefined ? document : document.querySelector(selector)
      // Preloading reads all style sheets again, for an experimental rule that is not checked.
      const options = {
        resultTypes: ['violations'],
        preload: false,
        ...(only && { runOnly: { type: 'rule', values: only } }),
      }
      const { violations } = await (globalThis as unknown as AxeWindow).axe.run(context, options)
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
      }))
    },
    { selector: within, only: rules },
  )
  return violations.map(({ id, nodes }) => {
    const places = nodes.map(
      ({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.replaceAll('\n', ' ')})`,
    )
    return `${id}: ${places.join('; ')}`
  })
}
