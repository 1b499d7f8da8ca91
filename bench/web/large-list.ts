// The list of 100,000 customers, paged by the embedded engine: first rows, a sort, a search, the next page.
import { rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { createEmbeddedDatabase } from '#server/database/embedded.ts'
import { silentLog } from '#server/log.ts'
import { startApp, temporaryFolder } from '../../e2e/app.ts'
import { launchBrowser, openVisitor, signIn } from '../../e2e/browser.ts'
import { countSaid } from '../count-said.ts'
import { median } from '../figures.ts'
import { customersSql } from '../suche/scene.ts'
import { openSlowed, visit } from './scene.ts'

export interface LargeList {
  readonly lcp: number
  readonly usable: number
  readonly sorted: number
  readonly found: number
  readonly next: number
}

const FIRST = 1_000
export async function measureLargeList(browser: Browser, rows = 100_000, rounds = 3): Promise<LargeList> {
  const dataDir = temporaryFolder()
  try {
    const first = await startApp({ dataDir })
    const { port } = first
    const visitor = await openVisitor(browser, first)
    await signIn(visitor, first, 'ogf_admin', '/kunden/index')
    const storageState = await visitor.context.storageState()
    await visitor.close()
    await first.stop()
    const database = await createEmbeddedDatabase({ folder: dataDir, log: silentLog, loginRole: 'forst_api' })
    await database.asOwner((owner) => owner.script(customersSql(FIRST, FIRST + rows - 501)))
    await database.close()
    // The same port: with another one the issuer would change, and the account would belong to no one.
    const app = await startApp({ dataDir, port })
    try {
      const measured: LargeList[] = []
      for (let round = 0; round < rounds; round++) {
        const slowed = await openSlowed(browser, app.origin, { storageState })
        measured.push(await measureOnce(slowed.page, rows))
        await slowed.close()
      }
      const of = (key: keyof LargeList) => median(measured.map((one) => one[key]))
      return {
        lcp: of('lcp'),
        usable: of('usable'),
        sorted: of('sorted'),
        found: of('found'),
        next: of('next'),
      }
    } finally {
      await app.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureOnce(page: Page, rows: number): Promise<LargeList> {
  const { lcp, there: usable } = await visit(
    page,
    () => page.goto('/kunden/index'),
    () => page.locator('.row-link').first().waitFor(),
  )
  await page.getByText(`${countSaid(rows)} Kunden`).waitFor()
  const sorted = await until(page, () => page.getByRole('button', { name: 'Ort', exact: true }).click())
  const found = await until(page, () =>
    page.getByRole('searchbox', { name: 'Kunden suchen' }).fill('müller goslar'),
  )
  await until(page, () => page.getByRole('searchbox', { name: 'Kunden suchen' }).fill(''))
  await page.getByText(`${countSaid(rows)} Kunden`).waitFor()
  // Beyond what is counted there is no button for the last page.
  const next = await until(page, () => page.getByRole('button', { name: 'Nächste Seite' }).click())
  return { lcp, usable, sorted, found, next }
}

/** From the action until different rows are drawn. */
async function until(page: Page, act: () => Promise<void>): Promise<number> {
  const drawn = () => page.locator('tbody').innerText()
  const before = await drawn()
  const began = performance.now()
  await act()
  await page.waitForFunction(
    (text) => document.querySelector<HTMLElement>('tbody')?.innerText !== text,
    before,
    { polling: 'raf' },
  )
  return performance.now() - began
}

if (import.meta.main) {
  const browser = await launchBrowser()
  console.log(await measureLargeList(browser))
  await browser.close()
}
