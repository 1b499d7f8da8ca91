// The frozen page, slowed down like the product in the same run: shows the speed of a machine that others use
// too.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openSlowed } from './scene.ts'

export async function withFrozen<T>(
  browser: Browser,
  state: BrowserContextOptions,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const html = readFileSync(join(import.meta.dirname, 'reference.html'))
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { page, close } = await openSlowed(
    browser,
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
  )
  try {
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    return await work(page)
  } finally {
    await close()
    server.close()
  }
}
