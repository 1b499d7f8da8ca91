// A whole server behind nginx and behind Caddy, as deploy/ has them: a sign-in, the screens, lists and a large answer.
// Uploads, streams and what the proxies do to single requests: test/proxy.test.ts.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { freePort } from '../test/private-postgres.ts'
import { findProxy, type ProxyName, type RunningProxy, startProxy } from '../test/proxies.ts'
import { type RunningApp, startApp } from './app.ts'
import { folderMaker } from './folders.ts'
import { tokensOf } from './http-sign-in.ts'

const ASSETS = join(import.meta.dirname, '../web/dist/assets')
const sizeOf = (name: string): number => statSync(join(ASSETS, name)).size
const LARGEST = readdirSync(ASSETS)
  .filter((name) => name.endsWith('.js'))
  .reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one))
const folder = folderMaker()
const undo: (() => unknown)[] = []
const before = getGlobalDispatcher()
beforeEach(() => {
  undo.push(() => setGlobalDispatcher(before))
})
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one()
})

async function startBehind(
  name: ProxyName,
): Promise<{ app: RunningApp; proxy: RunningProxy; origin: string }> {
  const port = await freePort()
  const proxy = await startProxy(name, port)
  undo.push(() => proxy.stop())
  const origin = `https://localhost:${proxy.port}`
  setGlobalDispatcher(new Agent({ connect: { ca: proxy.ca } }))
  const app = await startApp({ dataDir: folder(), port, env: { PUBLIC_ORIGIN: origin } })
  undo.push(() => app.kill())
  return { app: { ...app, origin }, proxy, origin }
}

describe.each<ProxyName>(['nginx', 'caddy'])('behind %s', (name) => {
  test.skipIf(findProxy(name) === undefined)(
    'people sign in, get the screens, lists and a large answer',
    async () => {
      const { app, origin } = await startBehind(name)
      const { access_token: token } = await tokensOf(app, 'ogf_admin')
      const authorization = `Bearer ${token}`
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(origin + path, {
          ...init,
          headers: { authorization, ...(init.headers as Record<string, string>) },
        })

      const page = await fetch(`${origin}/kunden`, { headers: { accept: 'text/html' } })
      expect([page.status, page.headers.get('strict-transport-security')]).toEqual([
        200,
        'max-age=31536000; includeSubDomains',
      ])
      expect(await page.text()).toContain('<script type="module"')
      // The largest file of the screens.
      const code = await fetch(`${origin}/assets/${LARGEST}`)
      expect(code.status).toBe(200)
      expect(await code.text()).toBe(readFileSync(join(ASSETS, LARGEST), 'utf8'))

      const kunden = (await (await ask('/rest/kunde?select=client_id&limit=3')).json()) as {
        client_id: number
      }[]
      expect(kunden).toHaveLength(3)
      const large = await ask('/rest/habitatbaeume?limit=10000')
      expect(((await large.json()) as unknown[]).length).toBeGreaterThan(0)
    },
    240_000,
  )
})
