// A whole server behind a proxy that keeps answers (deploy/nginx/forstkontor-cache.conf), as a CDN does: what may be
// kept comes from the proxy the second time, what is personal never does, even if the proxy keeps whatever it may.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { freePort } from '../test/private-postgres.ts'
import { findProxy, type RunningProxy, startProxy } from '../test/proxies.ts'
import { type RunningApp, startApp } from './app.ts'
import { folderMaker } from './folders.ts'
import { tokensOf } from './http-sign-in.ts'

const ASSETS = join(import.meta.dirname, '../web/dist/assets')
const NAMES = readdirSync(ASSETS).filter((name) => /\.(?:js|css)$/.test(name))
const makeFolder = folderMaker()
/** Everywhere, for everybody: a CDN that knows nothing of the application and follows its answers alone. */
const GREEDY = {
  '    proxy_buffering off;\n    proxy_cache off;\n':
    '    proxy_buffering on;\n    proxy_cache forstkontor_files;\n' +
    '    add_header X-Cache $upstream_cache_status always;\n',
  '  proxy_cache_bypass $http_authorization $http_cookie;\n  proxy_no_cache $http_authorization $http_cookie;\n':
    '',
  '$host$uri;': '$host$request_uri;',
}

describe.skipIf(findProxy('nginx') === undefined).each([
  ['as in deploy', {}],
  ['that keeps whatever it may', GREEDY],
])('a proxy %s', (_, changes) => {
  const before = getGlobalDispatcher()
  let proxy: RunningProxy
  let server: RunningApp
  let app: RunningApp
  let token = ''
  beforeAll(async () => {
    const port = await freePort()
    proxy = await startProxy('nginx', port, { changes })
    const origin = `https://localhost:${proxy.port}`
    setGlobalDispatcher(new Agent({ connect: { ca: proxy.ca } }))
    server = await startApp({ dataDir: makeFolder(), port, env: { PUBLIC_ORIGIN: origin } })
    app = { ...server, origin }
    token = (await tokensOf(app, 'ogf_admin')).access_token
  })
  afterAll(async () => {
    await server?.kill()
    await proxy?.stop()
    setGlobalDispatcher(before)
  })
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(app.origin + path, { headers, redirect: 'manual' })
    const body = Buffer.from(await answer.arrayBuffer())
    return { answer, body, cache: answer.headers.get('x-cache') }
  }

  test('files of the screens come from it the second time, in each encoding and in parts', async () => {
    expect(NAMES.length).toBeGreaterThan(50)
    for (const name of NAMES.slice(0, 20)) {
      const content = readFileSync(join(ASSETS, name))
      for (const encoding of ['identity', 'gzip', 'br']) {
        // oxlint-disable-next-line no-await-in-loop -- the second after the first
        const first = await ask(`/assets/${name}`, { 'accept-encoding': encoding })
        // oxlint-disable-next-line no-await-in-loop -- as above
        const second = await ask(`/assets/${name}`, { 'accept-encoding': encoding })
        expect([first.answer.status, second.cache]).toEqual([200, 'HIT'])
        // What fetch has decoded.
        expect([first.body.equals(content), second.body.equals(content)], `${name} ${encoding}`).toEqual([
          true,
          true,
        ])
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      const part = await ask(`/assets/${name}`, { 'accept-encoding': 'identity', range: 'bytes=10-19' })
      expect([part.answer.status, part.body]).toEqual([206, content.subarray(10, 20)])
    }
  })

  test('a missing one is never kept', async () => {
    const gone = await ask('/assets/no-such-file-12345678.js')
    expect([gone.answer.status, (await ask('/assets/no-such-file-12345678.js')).cache]).not.toContain('HIT')
    expect(gone.answer.status).toBe(404)
  })

  const PERSONAL = [
    '/rest/kunde?select=client_id,name&limit=5',
    '/rest/habitatbaeume?limit=5',
    '/rest/kartenblatt?limit=5',
    '/rest/rpc/a_get_currentuser',
    '/rest/rpc/__o_get_desk',
    '/realms/master/protocol/openid-connect/userinfo',
    '/ogc/collections',
    '/odata',
    '/tabelle/kunden.csv',
  ]
  test('what a person gets is never kept, and is given to nobody else', async () => {
    let answered = 0
    for (const path of PERSONAL) {
      // oxlint-disable-next-line no-await-in-loop -- the second after the first
      const own = await ask(path, { authorization: `Bearer ${token}` })
      if (own.answer.ok && own.body.length > 2) answered++
      // oxlint-disable-next-line no-await-in-loop -- as above
      const again = await ask(path, { authorization: `Bearer ${token}` })
      // oxlint-disable-next-line no-await-in-loop -- as above
      const nobody = await ask(path)
      for (const { cache } of [own, again, nobody])
        expect(['HIT', 'STALE', 'UPDATING', 'REVALIDATED'], path).not.toContain(cache)
      if (own.answer.ok) expect(nobody.body.equals(own.body) && own.body.length > 2, path).toBe(false)
    }
    expect(answered).toBeGreaterThan(4)
  })

  test('photos, pages, sign-in, settings and health are asked for each time', async () => {
    const authorization = `Bearer ${token}`
    const photos = await ask('/rest/habitatbilder?select=id,habitat_id&limit=1', { authorization })
    const [photo] = JSON.parse(String(photos.body)) as { id: number }[]
    expect(photo).toBeDefined()
    const file = await ask(`/prod-api/habitatbilder/${photo!.id}/klein`, { authorization })
    expect([file.answer.status, file.answer.headers.get('cache-control')]).toEqual([
      200,
      'private, max-age=300',
    ])
    const pages = ['/kunden', '/', '/sw.js', '/config/identity', '/healthz', '/livez', '/realms/master']
    for (const path of [`/prod-api/habitatbilder/${photo!.id}/klein`, ...pages]) {
      // oxlint-disable-next-line no-await-in-loop -- the second after the first
      await ask(path, { authorization, accept: 'text/html' })
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { cache } = await ask(path, { authorization, accept: 'text/html' })
      expect(['HIT', 'STALE'], path).not.toContain(cache)
    }
  })
})
