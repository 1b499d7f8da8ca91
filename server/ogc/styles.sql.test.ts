// The styles of the vector tiles: who gets which, and whether the validator of the style specification accepts them.
import {
  type StyleSpecification,
  validateStyleMin,
  type VectorSourceSpecification,
} from '@maplibre/maplibre-gl-style-spec'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OGC_BASE } from '#server/refuse.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildSurvey, EAST, IMPORT, NORTH, openOgc } from '../../db/test/ogc-server.ts'
import { A, A1, B, NAMES } from '../../db/test/world.ts'
import { LOOKS, propertiesOf } from './looks.ts'
import { COLLECTIONS } from './collections.ts'

const ORIGIN = 'https://forst.example'
const STYLES_REL = 'http://www.opengis.net/def/rel/ogc/1.0/styles'

interface Link {
  readonly href: string
  readonly rel: string
  readonly type: string
}
interface Linked {
  readonly links: readonly Link[]
}
interface Styles {
  readonly default?: string
  readonly styles: readonly (Linked & { readonly id: string; readonly title: string })[]
}

test('every collection has a look', () => {
  expect(LOOKS.map(({ collection }) => collection.id).toSorted()).toEqual(
    COLLECTIONS.map(({ id }) => id).toSorted(),
  )
})

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`styles on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance

    const get = (name: string, path: string, headers: Record<string, string> = {}) =>
      app.inject({
        url: path.startsWith(ORIGIN) ? path.slice(ORIGIN.length) : `${OGC_BASE}${path}`,
        headers: { authorization: `Bearer token-${name}`, ...headers },
      })
    const stylesOf = async (name: string, base = ''): Promise<Styles> => {
      const answer = await get(name, `${base}/styles`)
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json<Styles>()
    }
    const sheet = async (name: string, path: string): Promise<StyleSpecification> => {
      const answer = await get(name, path)
      expect(answer.statusCode, `${path} ${answer.body}`).toBe(200)
      expect(answer.headers['content-type']).toBe('application/vnd.mapbox.style+json')
      return answer.json<StyleSpecification>()
    }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildSurvey(engine)
      for (const [client, nr] of [
        [A, 1],
        [A, 2],
        [B, 3],
      ])
        await engine.owner.query(
          `insert into app.schacht (client_id, import_id, geom, schluessel)
            values ($1, $2, st_setsrid(st_makepoint($3, $4), 25833), $5)`,
          [client, IMPORT + client!, EAST + nr! * 10, NORTH, `S-${nr}`],
        )
      app = await openOgc(engine, ORIGIN)
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })

    test('landing page, collections and tiles lead to them, and every link leads somewhere', async () => {
      for (const base of ['', `/kunde/${A}`, `/betrieb/${A1}`]) {
        const landing = (await app.inject(`${OGC_BASE}${base}`)).json<Linked>()
        const link = landing.links.find(({ rel }) => rel === STYLES_REL)!
        expect(link.href).toBe(`${ORIGIN}${OGC_BASE}${base}/styles`)
        const { styles, default: first } = (await get('admin', link.href)).json<Styles>()
        expect(styles.map(({ id }) => id)).toContain(first)
        expect(new Set(styles.map(({ id }) => id)).size).toBe(styles.length)
        for (const { id, links } of styles)
          for (const rel of ['stylesheet', 'describedby']) {
            const { href, type } = links.find((one) => one.rel === rel)!
            expect(href.startsWith(`${link.href}/${id}`)).toBe(true)
            const answer = await get('admin', href, { accept: type })
            expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type])
            expect(answer.headers['content-language']).toBe('de')
          }
      }
      interface Described extends Linked {
        readonly styles: Styles['styles']
        readonly defaultStyle: string
      }
      const collection = (await get('apus_team', '/collections/schacht')).json<Described>()
      expect(collection.defaultStyle).toBe('schacht')
      expect(collection.styles.map(({ id }) => id)).toEqual(['schacht'])
      const tiles = (await get('apus_team', '/collections/schacht/tiles/WebMercatorQuad')).json<Linked>()
      for (const rel of [STYLES_REL, 'stylesheet']) {
        const { href, type } = tiles.links.find((one) => one.rel === rel)!
        const answer = await get('apus_team', href)
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type])
      }
    })

    test('the validator of the specification finds nothing, in the style of any person', async () => {
      let tried = 0
      for (const name of ['admin', 'apus_team', 'ogf_admin', 'appuser', 'ogf_standard'])
        for (const { id } of (await stylesOf(name)).styles) {
          expect(validateStyleMin(await sheet(name, `/styles/${id}`)), `${name} ${id}`).toEqual([])
          tried++
        }
      expect(tried).toBeGreaterThan(15)
      const wrong = { ...(await sheet('admin', '/styles/karte')), version: 7 }
      expect(validateStyleMin(wrong as never)).not.toEqual([])
    })

    test('a person finds what they see in it, and everybody the same as in the list of collections', async () => {
      for (const name of NAMES) {
        const collections = await get(name, '/collections')
        if (collections.statusCode !== 200) {
          expect((await get(name, '/styles')).statusCode, name).toBe(collections.statusCode)
          expect((await get(name, '/styles/karte')).statusCode, name).toBe(collections.statusCode)
          continue
        }
        const seen = collections.json<{ collections: { id: string }[] }>().collections.map(({ id }) => id)
        const { styles, default: first } = await stylesOf(name)
        const single = styles.slice(2).map(({ id }) => id)
        expect(single.toSorted(), name).toEqual(seen.toSorted())
        expect(first, name).toBe(seen.length === 0 ? undefined : 'karte')
        if (seen.length === 0) expect((await get(name, '/styles/karte')).statusCode, name).toBe(404)
        else
          expect(Object.keys((await sheet(name, '/styles/karte')).sources).toSorted(), name).toEqual(
            seen.toSorted(),
          )
      }
      expect((await get('appuser', `/kunde/${B}/styles/karte`)).statusCode).toBe(404)
      expect((await stylesOf('appuser', `/kunde/${B}`)).styles).toEqual([])
      expect((await get('apus_team', `/betrieb/${A1}/styles/schacht`)).statusCode).toBe(404)
    })

    test('its sources are the tiles of the same address, its colors and names those of the looks', async () => {
      const { sources, layers } = await sheet('apus_team', `/kunde/${A}/styles/karte`)
      const { center } = await sheet('apus_team', `/kunde/${A}/styles/schacht`)
      const manholes = sources['schacht'] as VectorSourceSpecification
      expect(manholes.minzoom).toBe(12)
      expect(manholes.bounds![0]).toBeCloseTo(11.408, 2)
      expect(center![1]).toBeGreaterThan(53)
      const at = (z: number) => {
        const [lon, lat] = [manholes.bounds![0]!, manholes.bounds![1]!]
        const sin = Math.sin((lat * Math.PI) / 180)
        return {
          x: Math.floor(((lon + 180) / 360) * 2 ** z),
          y: Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z),
        }
      }
      const { x, y } = at(14)
      const address = manholes
        .tiles![0]!.replace('{z}', '14')
        .replace('{x}', String(x))
        .replace('{y}', String(y))
      expect(address.startsWith(`${ORIGIN}${OGC_BASE}/kunde/${A}/collections/schacht/`)).toBe(true)
      expect((await get('apus_team', address)).headers['content-type']).toBe(
        'application/vnd.mapbox-vector-tile',
      )
      const circle = layers.find(({ id }) => id === 'schacht')!
      const look = LOOKS.find(({ collection }) => collection.id === 'schacht')!
      expect(circle).toMatchObject({
        type: 'circle',
        paint: { 'circle-color': `rgb(${look.color.join(', ')})` },
      })
      // Areas below lines below points below names.
      const kinds = layers.map(({ type }) => type)
      expect(kinds.indexOf('symbol')).toBeGreaterThan(kinds.lastIndexOf('circle'))
      const without = await sheet('apus_team', '/styles/karte-ohne-namen')
      expect(without.layers.some(({ type }) => type === 'symbol')).toBe(false)
      const about = (await get('apus_team', '/styles/schacht/metadata')).json<{
        layers: { id: string; geometryType: string; propertiesSchema: object }[]
      }>()
      expect(about.layers).toMatchObject([
        { id: 'schacht', geometryType: 'points', propertiesSchema: { schluessel: { type: 'string' } } },
      ])
      const all = (await get('admin', '/styles/karte/metadata')).json<typeof about>()
      for (const { id, propertiesSchema } of all.layers)
        expect(Object.keys(propertiesSchema), id).toEqual(
          propertiesOf(LOOKS.find(({ collection }) => collection.id === id)!),
        )
    })

    test('as pages; nothing else is understood', async () => {
      const page = await get('apus_team', '/styles', { accept: 'text/html' })
      expect(page.body).toContain('<h1>Stile der Vektorkacheln</h1>')
      expect((await get('apus_team', '/styles/karte/metadata?f=html')).body).toContain('<h1>Karte</h1>')
      // A browser that opens a style gets it.
      await sheet('apus_team', '/styles/karte?f=mapbox')
      for (const wrong of ['/styles?x=1', '/styles/karte?f=sld10', '/styles/karte/metadata?f=xml'])
        expect((await get('apus_team', wrong)).statusCode, wrong).toBe(400)
      for (const missing of ['/styles/x', '/styles/karte%2F', '/styles/..%2fkarte/metadata'])
        expect((await get('apus_team', missing)).statusCode, missing).toBe(404)
      for (const method of ['POST', 'PUT', 'DELETE'] as const)
        expect(
          (
            await app.inject({
              method,
              url: `${OGC_BASE}/styles${method === 'POST' ? '' : '/karte'}`,
              headers: { authorization: 'Bearer token-admin' },
            })
          ).statusCode,
        ).toBe(404)
    })
  })
