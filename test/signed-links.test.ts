// What a CDN would need to serve photos and scans, tried with nginx as the edge: links to the immutable name that are
// signed and end soon, checked before the copy is used; the copy is kept under the name alone. The server hands out no
// such links (docs/operations.md, "A cache or a CDN").
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './private-postgres.ts'
import { findProxy } from './proxies.ts'

const SECRET = 'zwischen-server-und-rand'
const PHOTO = randomBytes(50_000)
const NAME = `/photo/${createHash('sha256').update(PHOTO).digest('hex')}`

describe.skipIf(findProxy('nginx') === undefined)('an edge that checks signed links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signed-links-'))
  let origin: Server
  let edge: ChildProcess
  let address = ''
  let asked = 0
  beforeAll(async () => {
    origin = createServer((_request, response) => {
      asked++
      response.setHeader('cache-control', 'public, max-age=31536000, immutable')
      response.end(PHOTO)
    }).listen(0, '127.0.0.1')
    await once(origin, 'listening')
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const config = `daemon off; user root; pid ${folder}/pid; error_log stderr; events {}
      http {
        access_log off; ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
        proxy_cache_path ${folder}/kept keys_zone=photos:1m;
        server {
          listen 127.0.0.1:${port};
          location /photo/ {
            secure_link $arg_signature,$arg_until;
            secure_link_md5 "$secure_link_expires$uri ${SECRET}";
            if ($secure_link = "") { return 403; }
            if ($secure_link = "0") { return 410; }
            proxy_cache photos; proxy_cache_key $uri;
            proxy_pass http://127.0.0.1:${(origin.address() as AddressInfo).port}$uri;
            add_header X-Cache $upstream_cache_status;
            # In the browser no longer than the link.
            proxy_hide_header Cache-Control; add_header Cache-Control "private, max-age=300";
          }
        }
      }`
    writeFileSync(join(folder, 'nginx.conf'), config)
    edge = spawn(findProxy('nginx')!, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
    const answers = (): Promise<boolean> =>
      fetch(address).then(
        () => true,
        () => false,
      )
    for (let tries = 0; tries < 100 && !(await answers()); tries++) await sleep(50)
  })
  afterAll(async () => {
    const gone = once(edge, 'exit')
    edge.kill('SIGTERM')
    await gone
    origin.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const link = (name: string, seconds: number): string => {
    const until = Math.floor(Date.now() / 1_000) + seconds
    const signature = createHash('md5').update(`${until}${name} ${SECRET}`).digest('base64url')
    return `${name}?signature=${signature}&until=${until}`
  }
  const get = async (path: string) => {
    const answer = await fetch(address + path)
    const body = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, cache: answer.headers.get('x-cache'), whole: body.equals(PHOTO), answer }
  }

  test('each person’s link gets the one copy, and the server is asked once', async () => {
    const first = await get(link(NAME, 300))
    expect(first).toMatchObject({ status: 200, cache: 'MISS', whole: true })
    expect(await get(link(NAME, 299))).toMatchObject({ status: 200, cache: 'HIT', whole: true })
    expect(first.answer.headers.get('cache-control')).toBe('private, max-age=300')
    expect(asked).toBe(1)
  })
  test('without a signature, with another’s or after its time nothing is given, though the copy is there', async () => {
    await get(link(NAME, 300))
    expect(await get(NAME)).toMatchObject({ status: 403, whole: false })
    const [, query] = link('/photo/other', 300).split('?')
    expect(await get(`${NAME}?${query}`)).toMatchObject({ status: 403, whole: false })
    const longer = link(NAME, 300).replace(/until=(\d+)/, (_, until) => `until=${Number(until) + 3_600}`)
    expect(await get(longer)).toMatchObject({ status: 403, whole: false })
    expect(await get(link(NAME, -1))).toMatchObject({ status: 410, whole: false })
  })
})
