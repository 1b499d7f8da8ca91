// WMTS described by capabilities: which grid is read, how tiles are asked for, and what is reported when it
// cannot be used.
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SettingFault } from '#server/setting-kinds.ts'
import { serveRoom } from './map-service.fixture.ts'
import { mapServices } from './services.ts'
import { readCapabilities, type WmtsWanted } from './wmts.ts'
import {
  capabilities,
  type CapabilitiesOptions,
  MERCATOR,
  startWmts,
  UTM32,
  UTM33,
  type WmtsServer,
} from './wmts.fixture.ts'

const ASKED = new URL('https://karten.example/wmts/capabilities.xml?key=geheim')
const TEMPLATE = 'https://karten.example/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png'
const WANTED: WmtsWanted = { layer: 'marken', system: 25_833, matrixSet: null, style: null, format: null }
const ALL = [MERCATOR, UTM32, UTM33]
const read = (options: Partial<CapabilitiesOptions> = {}, wanted: Partial<WmtsWanted> = {}) =>
  readCapabilities(
    capabilities({ sets: ALL, ...(options.query === undefined && { template: TEMPLATE }), ...options }),
    { ...WANTED, ...wanted },
    ASKED,
  )

describe('the grid', () => {
  test('of UTM 33 among several sets, from the coarsest level to the finest', () => {
    const { raster, min, max, adresse } = read()
    expect([raster?.projektion, raster?.ebenen.length, min, max]).toEqual([25_833, 14, 0, 13])
    expect(raster?.ebenen[0]).toEqual({
      aufloesung: expect.closeTo(4_891.969810252, 6),
      ursprung: [-464_849.38, 6_310_160.14],
      kachel: [256, 256],
      zahl: [3, 3],
    })
    expect(adresse({ z: 9, x: 4, y: 7 }).href).toBe('https://karten.example/DE_EPSG_25833_ADV/09/7/4.png')
  })
  test('whatever the order of the levels in the document', () => {
    const shuffled = { ...UTM32, resolutions: [10, 40, 20], across: 200 }
    const { raster, adresse } = read({ sets: [shuffled] }, { system: 25_832 })
    expect(raster?.ebenen.map(({ aufloesung }) => Math.round(aufloesung))).toEqual([40, 20, 10])
    expect(adresse({ z: 0, x: 1, y: 2 }).pathname).toBe('/DE_EPSG_25832_ADV/01/2/1.png')
  })
  test.each<[string, Partial<CapabilitiesOptions>]>([
    ['with northing first in the corner', { sets: [{ ...UTM33, corner: [6_310_160.14, -464_849.38] }] }],
    ['with the code as a word', { crs: (epsg) => `EPSG:${epsg}` }],
    ['with the code as an address', { crs: (epsg) => `http://www.opengis.net/def/crs/EPSG/0/${epsg}` }],
    ['with a version in the code', { crs: (epsg) => `urn:ogc:def:crs:EPSG:6.18:3:${epsg}` }],
  ])('%s', (_name, options) => {
    expect(read(options).raster?.ebenen[3]?.ursprung).toEqual([-464_849.38, 6_310_160.14])
  })
  test('of two sets in one system the finer one, or the one that is named', () => {
    const coarse = { ...UTM33, id: 'GROB', resolutions: UTM33.resolutions.slice(0, 5) }
    expect(read({ sets: [coarse, UTM33] }).raster?.ebenen).toHaveLength(14)
    expect(read({ sets: [coarse, UTM33] }, { matrixSet: 'GROB' }).raster?.ebenen).toHaveLength(5)
  })
  test('the usual one of web mercator needs none of its own, and keeps the usual numbers', () => {
    const { raster, min, max, adresse } = read({}, { system: 3857 })
    expect([raster, min, max]).toEqual([null, 0, 18])
    expect(adresse({ z: 7, x: 68, y: 42 }).pathname).toBe('/GLOBAL_WEBMERCATOR/07/42/68.png')
    const later = { ...MERCATOR, resolutions: MERCATOR.resolutions.slice(5), across: 32 }
    const part = read({ sets: [later] }, { system: 3857 })
    expect([part.min, part.max]).toEqual([5, 18])
    expect(part.adresse({ z: 7, x: 68, y: 42 }).pathname).toBe('/GLOBAL_WEBMERCATOR/02/42/68.png')
    for (const other of [{ edge: 512 }, { corner: [-20_000_000, 20_037_508.342789244] as const }])
      expect(read({ sets: [{ ...MERCATOR, ...other }] }, { system: 3857 }).raster?.projektion).toBe(3857)
  })
})

describe('the address of a tile', () => {
  test('by a query, with what the service needs in it', () => {
    const query = 'https://karten.example/wmts?key=geheim&amp;service=wmts'
    const { searchParams } = read({ query }).adresse({
      z: 2,
      x: 5,
      y: 6,
    })
    expect(Object.fromEntries(searchParams)).toEqual({
      key: 'geheim',
      SERVICE: 'WMTS',
      REQUEST: 'GetTile',
      VERSION: '1.0.0',
      LAYER: 'marken',
      STYLE: 'farbe',
      FORMAT: 'image/png',
      TILEMATRIXSET: 'DE_EPSG_25833_ADV',
      TILEMATRIX: '02',
      TILEROW: '6',
      TILECOL: '5',
    })
  })
  test('names of another case, a style, a format, a dimension with its default', () => {
    const template = 'https://karten.example/{style}/{Time}/{TILEMATRIXSET}/{tilematrix}/{TileCol}_{TileRow}'
    const more =
      '<Dimension><ows:Identifier>Time</ows:Identifier><Default>2026/11</Default><Value>2026/11</Value></Dimension>'
    const options = { template, more, formats: ['image/tiff', 'image/jpeg'] }
    expect(read(options, { style: 'grau' }).adresse({ z: 1, x: 2, y: 3 }).pathname).toBe(
      '/grau/2026%2F11/DE_EPSG_25833_ADV/01/2_3',
    )
  })
  test('http behind a proxy becomes https, another machine is refused', () => {
    const http = TEMPLATE.replace('https:', 'http:')
    expect(read({ template: http }).adresse({ z: 0, x: 0, y: 0 }).protocol).toBe('https:')
    for (const [template, said] of [
      [TEMPLATE.replace('karten.', 'fremde.'), /anderen Rechner \(fremde\.example\)/],
      [TEMPLATE.replace('karten.example', 'karten.example:8443'), /unter https:\/\/karten\.example:8443/],
      [TEMPLATE.replace('https://', 'https://a:b@'), /Kacheln liegen unter/],
      ['javascript:alert(1)/{TileMatrix}', /anderen Rechner/],
      [`${TEMPLATE}?t={Time}`, /Wert für \{Time\}/],
    ] as const)
      expect(() => read({ template }), template).toThrow(said)
  })
})

test.each<[string, () => unknown, RegExp]>([
  ['another layer', () => read({}, { layer: 'dop' }), /keinen Layer „dop“, sondern „other“, „marken“/],
  ['no set in the system', () => read({ sets: [MERCATOR] }), /keinen Matrixsatz in EPSG:25833/],
  ['a set of another system', () => read({}, { matrixSet: UTM32.id }), /„DE_EPSG_25832_ADV“ in EPSG:25833/],
  ['another style', () => read({}, { style: 'bunt' }), /keinen Stil „bunt“, sondern „grau“, „farbe“/],
  ['no picture', () => read({ formats: ['application/pdf'] }), /kein Bildformat/],
  ['a corner elsewhere', () => read({ sets: [{ ...UTM33, corner: [0, 0] }] }), /nicht über Deutschland/],
  [
    'two equal levels',
    () => read({ sets: [{ ...UTM33, resolutions: [40, 40], across: 99 }] }),
    /zwei Ebenen/,
  ],
  [
    'a level without scale',
    () => read({ sets: [{ ...UTM33, resolutions: [Number.NaN] }] }),
    /ScaleDenominator/,
  ],
  ['tiles of gigabytes', () => read({ sets: [{ ...UTM33, edge: 1e6 }] }), /TileWidth/],
  ['no levels', () => read({ sets: [{ ...UTM33, resolutions: [] }] }), /0 Ebenen/],
  ['another document', () => readCapabilities('<WMS_Capabilities/>', WANTED, ASKED), /keine Beschreibung/],
  ['no XML', () => readCapabilities('<a', WANTED, ASKED), /kein lesbares XML/],
  [
    'entities',
    () => readCapabilities('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', WANTED, ASKED),
    /kein lesbares XML/,
  ],
])('%s is said in a sentence', (_name, act, said) => expect(act).toThrow(said))

test.each<[object, RegExp]>([
  [{ projektion: 'EPSG:31468' }, /EPSG:3857 oder EPSG:25832 oder EPSG:25833/],
  [{ layer: undefined }, /layer fehlt/],
  [{ url: 'https://karten.example/{z}/{x}/{y}' }, /„url“ steht schon in den capabilities/],
  [{ projektion: 'EPSG:25833', mitnehmen: true }, /mitnehmen gilt nur mit EPSG:3857/],
  [{ capabilities: 'https://127.0.0.1/c.xml' }, /eigenen Netz/],
  [{ capabilities: 'karten' }, /keine vollständige Adresse/],
  [{ typ: 'xyz' }, /„capabilities“ ist für xyz nicht bekannt/],
])('the list of services refuses %j', (change, said) => {
  const entry = {
    id: 'dop',
    titel: 'Luftbild',
    typ: 'wmts',
    capabilities: 'https://karten.example/c.xml',
    layer: 'marken',
    namensnennung: '© Amt',
    ...change,
  }
  let told = ''
  try {
    mapServices(JSON.stringify([entry]))
  } catch (error) {
    if (error instanceof SettingFault) told = error.message
  }
  expect(told).toMatch(said)
})

describe('a service', () => {
  let service: WmtsServer
  let app: FastifyInstance
  let clock = 1_000_000
  beforeAll(async () => {
    service = await startWmts(ALL)
  })
  afterAll(() => service.close())
  beforeEach(() => {
    service.asked.length = 0
  })
  afterEach(() => app.close())
  const open = async (more: object = {}) => {
    const entry = {
      id: 'dop',
      titel: 'Luftbild',
      typ: 'wmts',
      capabilities: `${service.origin}/capabilities.xml`,
      layer: 'marken',
      projektion: 'EPSG:25833',
      intern: true,
      namensnennung: '© Amt',
      ...more,
    }
    const faults: (() => string[])[] = []
    app = await serveRoom({
      services: mapServices(JSON.stringify([entry])),
      now: () => new Date(clock),
      onFaults: (ask) => faults.push(ask),
    })
    return () => faults[0]!()
  }
  const get = (path: string) =>
    app.inject({ url: `/prod-api/${path}`, headers: { authorization: 'Bearer appuser' } })
  const template = () => `${service.origin}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}`

  test('is described once, offered with its grid and without its address, and its tiles are fetched', async () => {
    service.describe(capabilities({ sets: ALL, template: template() }))
    await open()
    const list = await get('grundkarten')
    expect(list.json()).toMatchObject([
      { id: 'dop', min: 0, max: 13, raster: { projektion: 25_833, ebenen: { length: 14 } } },
    ])
    expect(list.payload).not.toContain(service.origin)
    const tile = await get('grundkarte/dop/6/70/60')
    expect((await sharp(tile.rawPayload).metadata()).width).toBe(256)
    expect(service.asked).toEqual(['/capabilities.xml', '/DE_EPSG_25833_ADV/06/60/70'])
    // The grid has 3 * 2^6 columns and rows.
    expect((await get('grundkarte/dop/6/191/0')).statusCode).toBe(200)
    for (const path of ['6/192/0', '6/0/192', '14/0/0', '6/-1/0', '6/1.5/0'])
      expect((await get(`grundkarte/dop/${path}`)).statusCode, path).toBe(404)
  })
  test('that is not as it should be is told and not offered, until it is', async () => {
    service.describe('<html>Wartung</html>')
    const faults = await open()
    expect((await get('grundkarten')).json()).toEqual([])
    expect(faults()).toEqual([
      expect.stringMatching(/^Kartendienst „dop“: Die Antwort ist keine Beschreibung/),
    ])
    service.describe(capabilities({ sets: ALL, template: template() }))
    expect((await get('grundkarten')).json()).toEqual([])
    clock += 60_001
    expect((await get('grundkarten')).json()).toHaveLength(1)
    expect(faults()).toEqual([])
    // Once known it stays, although the service describes something else a day later.
    service.describe('<html>Wartung</html>')
    clock += 86_400_001
    expect((await get('grundkarten')).json()).toHaveLength(1)
    await expect.poll(faults).toHaveLength(1)
    expect((await get('grundkarten')).json()).toHaveLength(1)
  })
  test('that is gone is told, and levels that it does not have', async () => {
    const faults = await open({ capabilities: `${service.origin}/nothing.xml` })
    expect((await get('grundkarten')).json()).toEqual([])
    expect(faults()).toEqual([expect.stringMatching(/kein lesbares XML|war nicht zu holen/)])
    await app.close()
    service.describe(capabilities({ sets: ALL, template: template() }))
    const other = await open({ min: 15, max: 18 })
    expect((await get('grundkarten')).json()).toEqual([])
    expect(other()).toEqual([expect.stringMatching(/Ebenen 0 bis 13, verlangt sind 15 bis 18/)])
  })
})
