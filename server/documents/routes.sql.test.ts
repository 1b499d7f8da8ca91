import { createHash } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Beleg } from '#domain/beleg.ts'
import { type Caller, type Claims, SignInFault } from '#server/caller.ts'
import { toRefusal } from '#server/errors.ts'
import { silentLog } from '#server/log.ts'
import { ENGINES, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, B, claimsOf, type IdentityName, NAMES } from '../../db/test/world.ts'
import { angebot, dreiSaetze, privat, xrechnung } from './beleg.fixture.ts'
import { Pdf } from './pdf.fixture.ts'
import { createRenderer } from './renderer.ts'
import { documents } from './routes.ts'

function authenticate(authorization: string | undefined): Caller {
  const name = (authorization ?? '').replace(/^Bearer token-/, '') as IdentityName
  const claims = NAMES.includes(name) ? claimsOf(name) : null
  if (claims === null) throw new SignInFault('missing', 'no token')
  return { claims: claims as Claims, claimsJson: JSON.stringify(claims) }
}

const ZUGFERD = 9001
const XRECHNUNG = 9002
const FREMD = 9003
const PAPIER = 9004
const ANGEBOT = 9005
const ENTWURF = 9006

for (const engineName of ENGINES) {
  describe.skipIf(isMissing(engineName))(`on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    const renderer = createRenderer()

    const issue = async (id: number, client: number, beleg: Beleg): Promise<void> => {
      if (beleg.art === 'angebot')
        await engine.owner.query(
          `insert into app.angebot (id, client_id, an_datum, ust_satz, status, nummer, ausgestellt_am, beleg) values ($1, $2, $3, 19, 'versendet', $4, now(), $5::jsonb)`,
          [id, client, beleg.datum, `${beleg.nummer}-${id}`, JSON.stringify(beleg)],
        )
      else
        await engine.owner.query(
          `insert into app.rechnung (id, client_id, rn_datum, ust_satz, zustand, nummer, folge, faellig, ausgestellt_am, beleg) values ($1, $2, $3, 19, 'ausgestellt', $4, $5, $3, now(), $6::jsonb)`,
          [id, client, beleg.datum, `${beleg.nummer}-${id}`, id, JSON.stringify(beleg)],
        )
    }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await issue(ZUGFERD, A, dreiSaetze())
      await issue(XRECHNUNG, A, xrechnung())
      await issue(FREMD, B, dreiSaetze())
      await issue(PAPIER, A, privat())
      await issue(ANGEBOT, A, angebot())
      app = fastify()
      app.setErrorHandler((error, _request, reply) => {
        const refusal = toRefusal(error)
        return reply.code(refusal.status).send({ code: refusal.code, message: refusal.message })
      })
      await app.register(documents({ database: engine.api, authenticate, renderer, log: silentLog }), { prefix: '/prod-api' })
      await app.ready()
    }, 240_000)
    afterAll(async () => {
      await app?.close()
      await renderer.close()
      await engine?.close()
    })

    const get = (name: string, path: string) =>
      app.inject({ url: `/prod-api/beleg/${path}`, headers: { authorization: `Bearer token-${name}` } })
    const stored = async (): Promise<unknown[]> =>
      (await engine.owner.query('select id, art, sha256, dateiname from app.dokument where rechnung_id = $1 order by id', [ZUGFERD])).rows

    test('the first who asks has the files made, everybody after gets the same bytes', async () => {
      const first = await get('apus_admin', `rechnung/${ZUGFERD}.pdf`)
      expect([
        first.statusCode,
        first.headers['content-type'],
        first.headers['cache-control'],
        first.headers['x-content-type-options'],
      ]).toEqual([200, 'application/pdf', 'no-store', 'nosniff'])
      expect(first.headers['content-disposition']).toBe(
        `inline; filename="Rechnung-RE-2026-0042.pdf"; filename*=UTF-8''Rechnung-RE-2026-0042.pdf`,
      )
      const before = await stored()
      expect(before).toHaveLength(2)
      const again = await get('kundenadmin', `rechnung/${ZUGFERD}.pdf`)
      expect(again.rawPayload.equals(first.rawPayload)).toBe(true)
      expect(await stored()).toEqual(before)
      expect(first.headers['repr-digest']).toBe(`sha-256=:${createHash('sha256').update(first.rawPayload).digest('base64')}:`)
    })
    test('the XML that is handed out is the XML in the PDF, to the byte', async () => {
      const xml = await get('apus_admin', `rechnung/${ZUGFERD}.xml`)
      const pdf = new Pdf((await get('apus_admin', `rechnung/${ZUGFERD}.pdf`)).rawPayload)
      expect([xml.statusCode, xml.headers['content-type'], xml.headers['content-disposition']]).toEqual([
        200,
        'application/xml; charset=utf-8',
        `attachment; filename="Rechnung-RE-2026-0042.xml"; filename*=UTF-8''Rechnung-RE-2026-0042.xml`,
      ])
      expect(pdf.attachments()[0]!.bytes.equals(xml.rawPayload)).toBe(true)
    })
    test('an XRechnung is the XML, and its PDF a view without one', async () => {
      expect((await get('kundenadmin', `rechnung/${XRECHNUNG}.xml`)).payload).toContain('xrechnung_3.0')
      expect(new Pdf((await get('kundenadmin', `rechnung/${XRECHNUNG}.pdf`)).rawPayload).attachments()).toEqual([])
    })
    test('ten at once make one', async () => {
      const all = await Promise.all(Array.from({ length: 10 }, () => get('apus_admin', `angebot/${ANGEBOT}.pdf`)))
      expect(
        new Set(all.map(({ statusCode, rawPayload }) => `${statusCode} ${createHash('sha256').update(rawPayload).digest('hex')}`)).size,
      ).toBe(1)
      expect(all[0]!.statusCode).toBe(200)
      expect((await engine.owner.query('select from app.dokument where angebot_id = $1', [ANGEBOT])).rowCount).toBe(1)
    })

    test('a draft is drawn with its watermark for the office, is not kept, and nobody else finds it', async () => {
      await engine.owner.query(`insert into app.rechnung (id, client_id, rn_datum, ust_satz) values ($1, $2, '2026-11-12', 19)`, [
        ENTWURF,
        A,
      ])
      const drawn = await get('apus_admin', `rechnung/${ENTWURF}.pdf`)
      expect([drawn.statusCode, drawn.headers['content-disposition']]).toEqual([
        200,
        expect.stringMatching(/^inline; filename="Rechnung-Entwurf.pdf"/),
      ])
      expect(new Pdf(drawn.rawPayload).text()).toContain('ENTWURF')
      expect((await engine.owner.query('select from app.dokument where rechnung_id = $1', [ENTWURF])).rowCount).toBe(0)
      expect((await get('apus_admin', `rechnung/${ENTWURF}.xml`)).statusCode).toBe(404)
      expect((await get('kundenadmin', `rechnung/${ENTWURF}.pdf`)).statusCode).toBe(404)
    })

    describe('not found is', () => {
      const REFUSED = { code: 'not_found' }
      test.each([
        ["another customer's", 'kundenadmin', `rechnung/${FREMD}.pdf`],
        ["another customer's XML", 'kundenadmin', `rechnung/${FREMD}.xml`],
        ['a document, for who has nothing to do with the books', 'ogf_standard', `rechnung/${ZUGFERD}.pdf`],
        ['what does not exist', 'apus_admin', 'rechnung/424242.pdf'],
        ['an e-invoice of who wants paper', 'apus_admin', `rechnung/${PAPIER}.xml`],
        ['an offer by the number of an invoice', 'apus_admin', `angebot/${ZUGFERD}.pdf`],
        ['another kind', 'apus_admin', `kunde/${ZUGFERD}.pdf`],
        ['another ending', 'apus_admin', `rechnung/${ZUGFERD}.html`],
        ['no number', 'apus_admin', `rechnung/${ZUGFERD}%20or%201=1.pdf`],
        ['a number that is too long', 'apus_admin', `rechnung/${'9'.repeat(40)}.pdf`],
        ['two endings', 'apus_admin', `rechnung/${ZUGFERD}.pdf.xml`],
      ])('%s', async (_what, name, path) => {
        const answer = await get(name, path)
        expect([answer.statusCode, answer.json()]).toEqual([404, expect.objectContaining(REFUSED)])
      })
    })
    test('without a token nothing is said', async () =>
      expect((await app.inject({ url: `/prod-api/beleg/rechnung/${ZUGFERD}.pdf` })).statusCode).toBe(401))
  })
}
