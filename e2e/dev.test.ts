// npm run dev: the screens come unbundled from the source, signing in works on the address that it prints, and
// the server starts again when one of its files changes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailOf, enterCredentials, hasBrowser, launchBrowser } from './browser.ts'

const ROOT = join(import.meta.dirname, '..')
const READY = /Forstkontor ist bereit: (\S+)/g

describe.skipIf(!hasBrowser())('npm run dev', () => {
  let child: ChildProcess
  let browser: Browser
  let folder: string
  let printed = ''
  const starts = () => [...printed.matchAll(READY)].map(([, origin]) => origin ?? '')
  const isReady = (times: number) => expect.poll(() => starts().length, { timeout: 90_000 }).toBe(times)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forstkontor-dev-'))
    child = spawn(process.execPath, ['scripts/dev.ts'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    browser = await launchBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })

  test('signs in on the address that it prints, with the source as it is', async () => {
    await isReady(1)
    const [origin = ''] = starts()
    const password = /Passwort für alle: (\S+)/.exec(printed)?.[1] ?? ''
    const page = await browser.newPage()
    await page.goto(`${origin}/profile/index`)
    await enterCredentials(page, emailOf('ogf_admin'), password)
    await page.getByLabel('Vorname').waitFor()
    expect(new URL(page.url()).origin).toBe(origin)
    expect(await page.locator('script[src^="/src/main.tsx"]').count()).toBe(1)
    await page.close()
  })

  test('starts the server again when a file of it changes, and ends with one signal', async () => {
    const now = new Date()
    utimesSync(join(ROOT, 'server/welcome.ts'), now, now)
    await isReady(2)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    // Vite ends on the signal as well, with the signal's own code.
    expect([0, 143]).toContain((await ended)[0])
    await expect(fetch(starts()[0] ?? '')).rejects.toThrow('fetch failed')
    await expect.poll(() => printed).toContain('Forstkontor wird beendet')
  })
})
