import { createHash } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Beleg } from '#domain/beleg.ts'
import { silentLog } from '#server/log.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, B } from '../../db/test/world.ts'
import { authenticateByName, refusingServer } from '../../db/test/refusing-server.ts'
import { angebot, threeRates, privatePerson, xrechnung } from './beleg.fixture.ts'
import { Pdf } from './pdf.fixture.ts'
import { createStore } from './store.ts'
import { createRenderer, DocumentFault } from './renderer.ts'
import { documentRoutes } from './routes.ts'
import { makeOrdered, orderMissing, documentWorkshop } from './workshop.ts'

const ZUGFERD = 9001
const XRECHNUNG = 9002
const FREMD = 9003
const PAPER = 9004
const ANGEBOT = 9005
const DRAFT_ID = 9006
const IN_UBL = 9007

for (const engineName of EITHER_ENGINE) {
  describe.skipIf(isMissing(engineName))(`on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    const renderer = createRenderer()

    const issue = async (id: number, client: number, beleg: Beleg): Promise<void> => {
      if (beleg.art === 'angebot')
        await engine.owner.query(
          `insert into app.angebot (id, client_id, an_datum, ust_satz, status, nummer, ausgestellt_am, beleg)
            values ($1, $2, $3, 19, 'versendet', $4, now(), $5::jsonb)`,
          [id, client, beleg.datum, `${beleg.nummer}-${id}`, JSON.stringify(beleg)],
        )
      else
        await engine.owner.query(
          `insert into app.rechnung (id, client_id, rn_datum, ust_satz, zustand, nummer, folge, faellig,
            ausgestellt_am, beleg)
            values ($1, $2, $3, 19, 'ausgestellt', $4, $5, $3, now(), $6::jsonb)`,
          [id, client, beleg.datum, `${beleg.nummer}-${id}`, id, JSON.stringify(beleg)],
        )
    }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await issue(ZUGFERD, A, threeRates())
      await issue(XRECHNUNG, A, xrechnung())
      await issue(FREMD, B, threeRates())
      await issue(IN_UBL, A, { ...xrechnung(), syntax: 'ubl' })
      await issue(PAPER, A, privatePerson())
      await issue(ANGEBOT, A, angebot())
      app = refusingServer()
      await app.register(
        documentRoutes({
          database: engine.api,
          fileStore: createStore(engine.api, renderer),
          log: silentLog,
        }),
        {
          prefix: '/prod-api',
        },
      )
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
      (
        await engine.owner.query(
          'select id, art, sha256, dateiname from app.dokument where rechnung_id = $1 order by id',
          [ZUGFERD],
        )
      ).rows

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
      expect(first.headers['repr-digest']).toBe(
        `sha-256=:${createHash('sha256').update(first.rawPayload).digest('base64')}:`,
      )
    })
    test('files that are stored while somebody asks for them are handed out', async () => {
      const fileStore = createStore(engine.api, renderer)
      let looks = 0
      const late = fastify()
      guardRoutes(late, authenticateByName)
      const fetchStored: typeof fileStore.fetchStored = (...asked) =>
        looks++ === 0 ? Promise.resolve(null) : fileStore.fetchStored(...asked)
      await late.register(
        documentRoutes({
          database: engine.api,
          fileStore: { ...fileStore, fetchStored },
          log: silentLog,
        }),
      )
      const answer = await late.inject({
        url: `/beleg/rechnung/${ZUGFERD}.pdf`,
        headers: { authorization: 'Bearer token-apus_admin' },
      })
      expect([answer.statusCode, looks]).toEqual([200, 2])
      expect(answer.rawPayload.equals((await get('apus_admin', `rechnung/${ZUGFERD}.pdf`)).rawPayload)).toBe(
        true,
      )
      await late.close()
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
      expect(
        new Pdf((await get('kundenadmin', `rechnung/${XRECHNUNG}.pdf`)).rawPayload).attachments(),
      ).toEqual([])
    })
    test('in the syntax that the customer wants, and stored as such', async () => {
      const { payload, statusCode } = await get('kundenadmin', `rechnung/${IN_UBL}.xml`)
      expect([statusCode, payload.includes('<Invoice xmlns="urn:oasis:names:specification:ubl:')]).toEqual([
        200,
        true,
      ])
      const { rows } = await engine.owner.query(
        `select regelwerk from app.dokument where rechnung_id = $1 and art = 'xml'`,
        [IN_UBL],
      )
      expect(rows).toEqual([{ regelwerk: 'XRechnung 3.0.2 (UBL 2.1)' }])
    })
    test('ten at once make one', async () => {
      const all = await Promise.all(
        Array.from({ length: 10 }, () => get('apus_admin', `angebot/${ANGEBOT}.pdf`)),
      )
      expect(
        new Set(
          all.map(
            ({ statusCode, rawPayload }) =>
              `${statusCode} ${createHash('sha256').update(rawPayload).digest('hex')}`,
          ),
        ).size,
      ).toBe(1)
      expect(all[0]!.statusCode).toBe(200)
      expect(
        (await engine.owner.query('select from app.dokument where angebot_id = $1', [ANGEBOT])).rowCount,
      ).toBe(1)
    })

    test('a draft is drawn with its watermark for the office, is not kept, and nobody else finds it', async () => {
      await engine.owner.query(
        `insert into app.rechnung (id, client_id, rn_datum, ust_satz) values ($1, $2, '2026-11-12', 19)`,
        [DRAFT_ID, A],
      )
      const drawn = await get('apus_admin', `rechnung/${DRAFT_ID}.pdf`)
      expect([drawn.statusCode, drawn.headers['content-disposition']]).toEqual([
        200,
        expect.stringMatching(/^inline; filename="Rechnung-Entwurf.pdf"/),
      ])
      expect(new Pdf(drawn.rawPayload).text()).toContain('ENTWURF')
      expect(
        (await engine.owner.query('select from app.dokument where rechnung_id = $1', [DRAFT_ID])).rowCount,
      ).toBe(0)
      expect((await get('apus_admin', `rechnung/${DRAFT_ID}.xml`)).statusCode).toBe(404)
      expect((await get('kundenadmin', `rechnung/${DRAFT_ID}.pdf`)).statusCode).toBe(404)
    })

    describe('not found is', () => {
      const REFUSED = { code: 'not_found' }
      test.each([
        ["another customer's", 'kundenadmin', `rechnung/${FREMD}.pdf`],
        ["another customer's XML", 'kundenadmin', `rechnung/${FREMD}.xml`],
        ['a document, for who has nothing to do with the books', 'ogf_standard', `rechnung/${ZUGFERD}.pdf`],
        ['what does not exist', 'apus_admin', 'rechnung/424242.pdf'],
        ['an e-invoice of who wants paper', 'apus_admin', `rechnung/${PAPER}.xml`],
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
    describe('a reminder', () => {
      const OVERDUE = 51 // of customer A in the small world, with its first reminder
      const post = (name: string, path: string, body: object) =>
        app.inject({
          method: 'POST',
          url: `/prod-api/beleg/vorschau/${path}`,
          headers: { authorization: `Bearer token-${name}` },
          payload: body,
        })
      const overdue = async () => {
        const beleg = { ...threeRates(), skonto: [] }
        await engine.owner.query(
          `insert into app.rechnung (id, client_id, rn_datum, ust_satz, zustand, nummer, folge, faellig,
            ausgestellt_am, netto, steuer, brutto, zahlbetrag, beleg)
           values (9101, $1, '2026-01-05', 19, 'ausgestellt', 'RE-9101', 9101, '2026-01-19', now(), 100, 19,
             119, 119, $2::jsonb)`,
          [A, JSON.stringify(beleg)],
        )
      }
      const WISH = { rechnung_id: 9101, stufe: 1, text: 'Bitte zahlen Sie {betrag} zu {nummer}.' }
      test('is drawn before it is made, for the office alone, and nothing of it is kept', async () => {
        await overdue()
        const drawn = await post('apus_admin', 'mahnung.pdf', WISH)
        expect([drawn.statusCode, drawn.headers['content-type'], drawn.headers['cache-control']]).toEqual([
          200,
          'application/pdf',
          'no-store',
        ])
        const text = new Pdf(drawn.rawPayload).text()
        expect(text).toContain('ENTWURF')
        expect(text).toContain('Bitte zahlen Sie 119,00')
        expect((await engine.owner.query('select from app.mahnung where rechnung_id = 9101')).rowCount).toBe(
          0,
        )
        for (const [name, body, status] of [
          ['kundenadmin', WISH, 403],
          ['ogf_admin', WISH, 403],
          ['apus_admin', { ...WISH, stufe: 2 }, 400],
          ['apus_admin', { ...WISH, stufe: 'x' }, 400],
          ['apus_admin', { ...WISH, gebuehr: '-1' }, 400],
          ['apus_admin', { ...WISH, rechnung_id: '1 or 1=1' }, 404],
          ['apus_admin', {}, 404],
          ['nobody', WISH, 401],
        ] as const)
          expect([name, JSON.stringify(body), (await post(name, 'mahnung.pdf', body)).statusCode]).toEqual([
            name,
            JSON.stringify(body),
            status,
          ])
      })
      test('that was made is a file like the others, seen by the same people', async () => {
        await engine.owner.query(
          `insert into app.mahnung (id, client_id, rechnung_id, stufe, datum, faellig, gebuehr, text, beleg)
            values (9201, $1, 9101, 1, '2026-02-01', '2026-02-15', 5, 'Bitte zahlen Sie {betrag}.', '{}')`,
          [A],
        )
        const first = await get('apus_admin', 'mahnung/9201.pdf')
        expect([first.statusCode, first.headers['content-disposition']]).toEqual([
          200,
          expect.stringContaining('Mahnung-RE-9101.pdf'),
        ])
        const text = new Pdf(first.rawPayload).text()
        for (const part of ['Zahlungserinnerung', 'RE-9101', '124,00', 'GiroCode'])
          expect(text).toContain(part)
        expect((await get('kundenadmin', 'mahnung/9201.pdf')).rawPayload.equals(first.rawPayload)).toBe(true)
        expect((await get('ogf_standard', 'mahnung/9201.pdf')).statusCode).toBe(404)
        expect((await get('apus_admin', 'mahnung/9201.xml')).statusCode).toBe(404)
        expect((await get('apus_admin', `mahnung/${OVERDUE}.pdf`)).statusCode).toBe(404)
      })
    })

    describe('what is typed and not saved', () => {
      const DRAFT = 9301
      const post = (name: string, path: string, body: unknown) =>
        app.inject({
          method: 'POST',
          url: `/prod-api/beleg/vorschau/${path}`,
          headers: { authorization: `Bearer token-${name}`, 'content-type': 'application/json' },
          payload: JSON.stringify(body),
        })
      test('is drawn with the parties of the database and sums that are computed again', async () => {
        await engine.owner.query(
          `insert into app.rechnung (id, client_id, rn_datum, ust_satz) values ($1, $2, '2026-11-12', 19)`,
          [DRAFT, A],
        )
        const typed = threeRates()
        const drawn = await post('apus_admin', `rechnung/${DRAFT}.pdf`, {
          ...typed,
          entwurf: false,
          nummer: 'RE-GEFAELSCHT',
          lieferant: { ...typed.lieferant, name: 'Betrug GmbH', iban: 'DE89370400440532013000' },
          summen: { ...typed.summen, brutto: '1.00', zahlbetrag: '1.00' },
        })
        expect(drawn.statusCode).toBe(200)
        const text = new Pdf(drawn.rawPayload).text()
        expect(text).toContain('ENTWURF')
        expect(text).toContain(typed.positionen[0]!.bez.slice(0, 12))
        expect(text).toContain('Vermessung Probe GmbH')
        expect(text).not.toMatch(/Betrug|GEFAELSCHT/)
        expect(
          (await engine.owner.query('select from app.position where rechnung_id = $1', [DRAFT])).rowCount,
        ).toBe(0)
      })
      test.each([
        ['a stranger', 'kundenadmin', `rechnung/${DRAFT}.pdf`, {}, 404],
        ['what is issued', 'apus_admin', `rechnung/${ZUGFERD}.pdf`, {}, 404],
        ['nothing', 'apus_admin', `rechnung/${DRAFT}.pdf`, null, 400],
        [
          'lines that are none',
          'apus_admin',
          `rechnung/${DRAFT}.pdf`,
          { ...threeRates(), positionen: [{ art: 'position' }] },
          400,
        ],
        [
          'figures that are none',
          'apus_admin',
          `rechnung/${DRAFT}.pdf`,
          { ...threeRates(), ust_satz: '1e99' },
          400,
        ],
        [
          'too many lines',
          'apus_admin',
          `rechnung/${DRAFT}.pdf`,
          { ...threeRates(), positionen: Array.from({ length: 1001 }, () => ({})) },
          400,
        ],
        [
          'too much',
          'apus_admin',
          `rechnung/${DRAFT}.pdf`,
          { ...threeRates(), zuerl: 'x'.repeat(1_100_000) },
          413,
        ],
        ['another ending', 'apus_admin', `rechnung/${DRAFT}.xml`, threeRates(), 404],
      ])('%s is refused', async (_what, name, path, body, status) =>
        expect((await post(name, path, body)).statusCode).toBe(status),
      )
    })

    describe('the workshop', () => {
      const make = (art: 'rechnung' | 'angebot' | 'mahnung', id: string) =>
        createStore(engine.api, renderer).make(art, id)
      const waiting = async () =>
        Number(
          (await engine.owner.query<{ n: number }>('select count(*)::integer as n from app.dokument_auftrag'))
            .rows[0]!.n,
        )
      const clear = () => engine.owner.query('update app.dokument_auftrag set naechster = now()')
      test('makes what was issued; what fails holds up no other; several servers make each once', async () => {
        await issue(9401, A, threeRates())
        await issue(9402, B, threeRates())
        await issue(9403, A, angebot())
        await clear()
        expect(await waiting()).toBeGreaterThan(2)
        const said: unknown[] = []
        const made: string[] = []
        const options = {
          database: engine.api,
          fileStore: {
            make: (art: 'rechnung' | 'angebot' | 'mahnung', id: string) => {
              if (id === '9402') return Promise.reject(new DocumentFault('satz', 'the template failed'))
              made.push(id)
              return make(art, id)
            },
          },
          log: {
            ...silentLog,
            error: (message: string, facts?: Record<string, unknown>) =>
              void said.push([message, facts?.['beleg']]),
          },
        }
        await Promise.all([makeOrdered(options), makeOrdered(options)])
        expect(made.filter((id) => id === '9401')).toEqual(['9401'])
        expect(new Set(made).size).toBe(made.length)
        expect(said).toContainEqual(['document not made', '9402'])
        const files = async (column: string, id: number) =>
          (await engine.owner.query(`select from app.dokument where ${column} = $1`, [id])).rowCount
        expect([
          await files('rechnung_id', 9401),
          await files('angebot_id', 9403),
          await files('rechnung_id', 9402),
        ]).toEqual([2, 1, 0])
        const [order] = (
          await engine.owner.query<{ fehler: string; later: boolean }>(
            'select fehler, naechster > now() as later from app.dokument_auftrag where rechnung_id = 9402',
          )
        ).rows
        expect(order).toEqual({ fehler: 'the template failed', later: true })
        // When a person asks for it, it is made all the same, and the job is done.
        expect((await get('apus_admin', 'rechnung/9402.pdf')).statusCode).toBe(200)
        expect(
          (await engine.owner.query('select from app.dokument_auftrag where rechnung_id = 9402')).rowCount,
        ).toBe(0)
      })
      test('orders at its start what is missing, and is woken by an issue', async () => {
        await issue(9404, A, threeRates())
        await engine.owner.query('delete from app.dokument_auftrag')
        expect(await orderMissing({ database: engine.api, log: silentLog })).toBeGreaterThan(0)
        const workshop = documentWorkshop({
          database: engine.api,
          fileStore: { make },
          log: silentLog,
          everyMs: 3_600_000,
        })
        workshop.start()
        try {
          workshop.wake()
          await expect
            .poll(
              () =>
                engine.owner
                  .query('select from app.dokument where rechnung_id = 9404')
                  .then(({ rowCount }) => rowCount),
              {
                timeout: 20_000,
              },
            )
            .toBe(2)
          await issue(9405, A, threeRates())
          workshop.wake()
          await expect
            .poll(
              () =>
                engine.owner
                  .query('select from app.dokument where rechnung_id = 9405')
                  .then(({ rowCount }) => rowCount),
              {
                timeout: 20_000,
              },
            )
            .toBe(2)
        } finally {
          await workshop.stop()
        }
      })
    })
    test('without a token nothing is said', async () =>
      expect((await app.inject({ url: `/prod-api/beleg/rechnung/${ZUGFERD}.pdf` })).statusCode).toBe(401))
  })
}
