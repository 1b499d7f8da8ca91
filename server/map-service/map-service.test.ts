import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SettingFault } from '#server/setting-kinds.ts'
import { isPrivate } from '#server/private-address.ts'
import { mapServices } from './services.ts'
import type { BaseMapFileStore } from './base-map-file.ts'
import { createFetcher } from './fetcher.ts'
import { serveRoom } from './map-service.fixture.ts'
import { createCache } from './cache.ts'

const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('a picture'),
])
const ENTRY = {
  id: 'topo',
  titel: 'Topo',
  typ: 'xyz',
  url: 'https://karten.example/{z}/{x}/{y}.png',
  namensnennung: '© Beispiel',
}
const one = (change: object) => mapServices(JSON.stringify([{ ...ENTRY, ...change }]))[0]!
const faultOf = (change: object): string => {
  try {
    one(change)
  } catch (error) {
    if (error instanceof SettingFault) return error.message
  }
  return 'no fault'
}

describe('the list', () => {
  test('the template of the documentation is a good one', () => {
    const all = mapServices(`${import.meta.dirname}/../../docs/map-services.template.json`)
    expect(all.length).toBeGreaterThan(9)
    for (const service of all) expect(service.adresse({ z: 8, x: 136, y: 83 }).protocol).toBe('https:')
  })
  test('places of xyz, from above and from below', () => {
    expect(one({}).adresse({ z: 3, x: 1, y: 2 }).href).toBe('https://karten.example/3/1/2.png')
    expect(one({ url: 'https://karten.example/{z}/{x}/{-y}' }).adresse({ z: 3, x: 1, y: 2 }).href).toBe(
      'https://karten.example/3/1/5',
    )
  })
  test('levels of WMTS with two digits', () => {
    const service = one({
      typ: 'wmts',
      ebenenziffern: 2,
      url: 'https://karten.example/W/{TileMatrix}/{TileRow}/{TileCol}?key=geheim',
    })
    expect(service.adresse({ z: 7, x: 68, y: 42 }).href).toBe('https://karten.example/W/07/42/68?key=geheim')
  })
  test('a tile of a WMS is its square of web mercator', () => {
    const { searchParams } = one({
      typ: 'wms',
      url: 'https://karten.example/wms?map=x',
      layer: 'dop',
    }).adresse({ z: 1, x: 1, y: 0 })
    expect(Object.fromEntries(searchParams)).toMatchObject({
      map: 'x',
      LAYERS: 'dop',
      CRS: 'EPSG:3857',
      WIDTH: '256',
    })
    expect(searchParams.get('BBOX')!.split(',').map(Number)).toEqual([
      0, 0, 20_037_508.342789244, 20_037_508.342789244,
    ])
  })
  test.each([
    [{ namensnennung: '' }, 'namensnennung'],
    [{ id: 'Über' }, 'id darf nur'],
    [{ typ: 'tms' }, 'typ muss xyz oder wmts oder wms sein'],
    [{ url: 'https://karten.example/{z}/{x}' }, 'Stellen für z, x und y'],
    [{ url: 'https://{x}.example/{z}/{y}' }, 'Stellen danach'],
    [{ url: 'http://karten.example/{z}/{x}/{y}' }, 'muss mit https:// beginnen'],
    [{ url: 'file:///etc/{z}/{x}/{y}' }, 'url muss mit https://'],
    [{ url: 'https://nutzer:wort@karten.example/{z}/{x}/{y}' }, 'keinen Nutzer'],
    [{ url: 'https://127.0.0.1/{z}/{x}/{y}' }, 'eigenen Netz'],
    [{ url: 'https://2130706433/{z}/{x}/{y}' }, 'eigenen Netz'],
    [{ url: 'https://[::ffff:10.0.0.1]/{z}/{x}/{y}' }, 'eigenen Netz'],
    [{ url: 'https://localhost/{z}/{x}/{y}' }, 'eigenen Netz'],
    [{ projektion: 'EPSG:25833' }, 'EPSG:3857'],
    [{ rollen: ['chef'] }, 'keine Rolle'],
    [{ min: 9, max: 3 }, 'min ist größer'],
    [{ max: 40 }, 'max muss'],
    [{ layer: 'x' }, '„layer“ ist für xyz nicht bekannt'],
    [{ typ: 'wms', url: 'https://karten.example/wms' }, 'layer fehlt'],
  ])('%j is refused in a sentence', (change, sentence) => expect(faultOf(change)).toContain(sentence))
  test('what is no list, and an id twice', () => {
    expect(() => mapServices('/nicht/da.json')).toThrow('gibt es nicht')
    expect(() => mapServices('[{')).toThrow('kein JSON')
    expect(() => mapServices(JSON.stringify([ENTRY, ENTRY]))).toThrow('zweimal')
  })
})

test.each([
  ['10.1.2.3', true],
  ['172.31.255.255', true],
  ['172.32.0.1', false],
  ['169.254.169.254', true],
  ['100.100.0.1', true],
  ['93.184.216.34', false],
  ['::1', true],
  ['fe80::1', true],
  ['fd12::1', true],
  ['64:ff9b::a00:1', true],
  ['::ffff:8.8.8.8', true],
  ['2002:a00:1::', true],
  ['2a00:1450:4001::5', false],
])('%s is private: %s', (address, expected) => expect(isPrivate(address)).toBe(expected))

test('the store drops what was used least, and fetches once for all who wait', async () => {
  let clock = 0
  let made = 0
  const make = (size: number) => async () => {
    made++
    return 'x'.repeat(size)
  }
  const store = createCache<string>({
    most: 1000,
    lifeOf: () => 10,
    sizeOf: (text) => text.length,
    now: () => clock,
  })
  expect(await Promise.all([store.get('a', make(100)), store.get('a', make(100))])).toEqual([
    'x'.repeat(100),
    'x'.repeat(100),
  ])
  await store.get('b', make(100))
  await store.get('c', make(100))
  expect(made).toBe(3)
  await store.get('a', make(100))
  await store.get('d', make(100))
  expect([made, store.bytes <= 1000]).toEqual([4, true])
  await store.get('a', make(100))
  expect(made).toBe(4)
  await store.get('b', make(100))
  expect(made).toBe(5)
  clock = 11
  await store.get('a', make(100))
  expect(made).toBe(6)
  await expect(store.get('e', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await store.get('e', make(1))
  expect(made).toBe(7)
})

describe('with a service of ours', () => {
  let stub: Server
  let base: string
  let app: FastifyInstance
  let clock = 1_000_000
  let answer: RequestListener
  const asked: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = []

  beforeAll(async () => {
    stub = createServer((request, response) => {
      asked.push({ url: request.url ?? '', headers: request.headers })
      answer(request, response)
    })
    await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
  })
  afterAll(() => {
    stub.closeAllConnections()
    stub.close()
  })
  beforeEach(async () => {
    asked.length = 0
    answer = (_request, response) => response.setHeader('content-type', 'image/png').end(PNG)
    const entries = [
      {
        ...ENTRY,
        id: 'innen',
        url: `${base}/t/{z}/{x}/{y}?key=geheim`,
        intern: true,
        mitnehmen: true,
        min: 2,
        max: 18,
        laender: ['Sachsen'],
      },
      { ...ENTRY, id: 'team', url: `${base}/u/{z}/{x}/{y}`, intern: true, rollen: ['apus_team'] },
    ]
    app = await serveRoom({
      services: mapServices(JSON.stringify(entries)),
      now: () => new Date(clock),
      fetchLimits: { timeMs: 300, bytes: 10_000 },
    })
  })
  afterEach(() => app.close())
  const get = (path: string, role = 'appuser', headers = {}) =>
    app.inject({ url: `/prod-api/${path}`, headers: { authorization: `Bearer ${role}`, ...headers } })

  test('the list names no address and no key, and only what the role may see', async () => {
    const list = await get('grundkarten')
    expect(list.json()).toEqual([
      {
        id: 'innen',
        titel: 'Topo',
        art: 'karte',
        namensnennung: '© Beispiel',
        min: 2,
        max: 18,
        laender: ['Sachsen'],
        mitnehmen: true,
      },
    ])
    expect((await get('grundkarten', 'apus_team')).json()).toHaveLength(2)
    expect((await get('grundkarten', 'admin')).json()).toHaveLength(2)
    expect((await get('grundkarte/team/3/1/1')).statusCode).toBe(404)
    expect(asked).toEqual([])
  })
  test('a tile is fetched once, without anything of the caller, and kept for a day', async () => {
    const [first] = await Promise.all([
      get('grundkarte/innen/3/1/2', 'appuser', { cookie: 'a=b', 'accept-language': 'xx' }),
      get('grundkarte/innen/3/1/2'),
    ])
    expect([first!.statusCode, first!.headers['content-type'], first!.headers['cache-control']]).toEqual([
      200,
      'image/png',
      'private, max-age=86400',
    ])
    expect(first!.rawPayload.equals(PNG)).toBe(true)
    expect(asked.map(({ url }) => url)).toEqual(['/t/3/1/2?key=geheim'])
    expect(Object.keys(asked[0]!.headers).sort()).toEqual(['accept', 'connection', 'host', 'user-agent'])
    expect(
      (await get('grundkarte/innen/3/1/2', 'appuser', { 'if-none-match': first!.headers['etag'] }))
        .statusCode,
    ).toBe(304)
    clock += 86_400_001
    await get('grundkarte/innen/3/1/2')
    expect(asked).toHaveLength(2)
  })
  test('who asks for very many tiles waits for them; others do not, and the service counts as answering', async () => {
    answer = (_request, response) => {
      setTimeout(() => response.setHeader('content-type', 'image/png').end(PNG), 40)
    }
    const many = Array.from({ length: 300 }, (_, x) => get(`grundkarte/innen/12/${x}/1`))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const asking = performance.now()
    expect((await get('grundkarte/innen/12/1/2', 'apus_team')).statusCode).toBe(200)
    expect(performance.now() - asking).toBeLessThan(300)
    const statuses = (await Promise.all(many)).map(({ statusCode }) => statusCode)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(200)
  })
  test('a tile that others wait for too is fetched in the turn of who comes first', async () => {
    answer = (_request, response) => {
      setTimeout(() => response.setHeader('content-type', 'image/png').end(PNG), 40)
    }
    const many = Array.from({ length: 100 }, (_, x) => get(`grundkarte/innen/12/${x}/1`))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const asking = performance.now()
    // The last one of them.
    expect((await get('grundkarte/innen/12/99/1', 'apus_team')).statusCode).toBe(200)
    expect(performance.now() - asking).toBeLessThan(300)
    await Promise.all(many)
    expect(asked).toHaveLength(100)
  })
  test('outside of its levels and of the grid nothing is asked', async () => {
    const wrong = [
      '1/0/0',
      '19/0/0',
      '3/8/0',
      '3/0/8',
      '3/-1/0',
      '3/0x1/0',
      '3/1.5/0',
      '3/01/0',
      '3/1/..%2f..%2fgeheim',
      '99999999/0/0',
    ]
    for (const path of wrong) expect((await get(`grundkarte/innen/${path}`)).statusCode, path).toBe(404)
    expect((await get('grundkarte/fremd/3/1/1')).statusCode).toBe(404)
    expect(asked).toEqual([])
  })
  test('nothing there is an answer, and is kept like one', async () => {
    answer = (_request, response) => response.writeHead(404).end('gone')
    expect((await get('grundkarte/innen/3/1/1')).statusCode).toBe(204)
    expect((await get('grundkarte/innen/3/1/1')).statusCode).toBe(204)
    expect(asked).toHaveLength(1)
  })
  test.each<[string, RequestListener, number]>([
    ['a redirect', (_q, response) => response.writeHead(302, { location: '/t/9/9/9' }).end(), 503],
    [
      'a page that calls itself a picture',
      (_q, response) => response.setHeader('content-type', 'image/png').end('<html><script>1</script>'),
      503,
    ],
    [
      'an SVG',
      (_q, response) =>
        response.setHeader('content-type', 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      503,
    ],
    [
      'more bytes than allowed',
      (_q, response) => response.end(Buffer.concat([PNG, Buffer.alloc(20_000)])),
      503,
    ],
    [
      'bytes without an end',
      (_q, response) =>
        void setInterval(() => response.write(Buffer.concat([PNG, Buffer.alloc(2_000)])), 5).unref(),
      503,
    ],
    ['a fault of the service', (_q, response) => response.writeHead(500).end('secret'), 503],
    ['silence', () => {}, 504],
    ['a head and then silence', (_q, response) => void response.write(PNG), 504],
    ['a connection that is cut', (request) => void request.socket.destroy(), 503],
  ])('%s does not come through', async (_name, act, status) => {
    answer = act
    const told = await get('grundkarte/innen/3/1/1')
    expect([told.statusCode, told.json()['message']]).toEqual([
      status,
      expect.stringMatching(/^Der Kartendienst /),
    ])
    expect(told.payload).not.toMatch(/geheim|secret|127\.0\.0\.1/)
    expect(asked).toHaveLength(1)
  })
  test('a service that cannot be reached is left alone for a while, then asked again', async () => {
    answer = (request) => void request.socket.destroy()
    for (const x of [1, 2, 3]) expect((await get(`grundkarte/innen/3/${x}/1`)).statusCode).toBe(503)
    expect(asked).toHaveLength(1)
    answer = (_request, response) => response.end(PNG)
    clock += 15_001
    expect((await get('grundkarte/innen/3/1/1')).statusCode).toBe(200)
  })
  test('an idle connection that the service gives up is no fault: the tile is asked for on another', async () => {
    const used = new WeakSet<object>()
    // Like a service whose idle timeout ends at the moment of the next request.
    answer = (request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy()
      used.add(request.socket)
      return response.end(PNG)
    }
    for (const x of [1, 2, 3]) expect((await get(`grundkarte/innen/3/${x}/1`)).statusCode).toBe(200)
    expect(asked).toHaveLength(5)
  })
  test('a name that leads into the own network is not connected to', async () => {
    const fetcher = createFetcher({ timeMs: 1000, bytes: 1000 })
    const address = new URL(base.replace('127.0.0.1', 'localhost'))
    await expect(fetcher.fetchImage(address, false)).rejects.toMatchObject({ art: 'eigenes_netz' })
    expect(asked).toEqual([])
    expect((await fetcher.fetchImage(address, true))?.inhalt.equals(PNG)).toBe(true)
    fetcher.close()
  })
})

test('of the pieces that one person asks for only a few are in memory at once', async () => {
  let [reading, most] = [0, 0]
  const file = {
    open: () => Promise.resolve({ map: { datei: { fassung: 'a' } }, size: 1_000 }),
    async read() {
      most = Math.max(most, ++reading)
      await new Promise((resolve) => setTimeout(resolve, 20))
      reading--
      return Buffer.alloc(10)
    },
  } as unknown as BaseMapFileStore
  const app = await serveRoom({ file })
  const ask = (person: string) =>
    app.inject({
      url: '/prod-api/grundkarte-datei/a',
      headers: { authorization: `Bearer ${person}`, range: 'bytes=0-9' },
    })
  const many = Array.from({ length: 60 }, () => ask('appuser'))
  expect((await ask('other')).statusCode).toBe(206)
  expect(new Set((await Promise.all(many)).map(({ statusCode }) => statusCode))).toEqual(new Set([206]))
  // And the other person's.
  expect(most).toBeLessThanOrEqual(7)
  await app.close()
})
test('the documentation names every key', () => {
  const text = readFileSync(`${import.meta.dirname}/../../docs/map-services.md`, 'utf8')
  const keys = [
    'id',
    'titel',
    'typ',
    'url',
    'art',
    'namensnennung',
    'min',
    'max',
    'laender',
    'rollen',
    'intern',
    'projektion',
    'capabilities',
    'matrixsatz',
    'mitnehmen',
    'ebenenziffern',
    'layer',
    'stil',
    'format',
    'version',
    'transparent',
  ]
  expect(keys.filter((key) => !text.includes(`\`${key}\``))).toEqual([])
})
