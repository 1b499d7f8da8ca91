// Received invoices for DATEV: which ones a batch has, what is recorded of it, and the package of their originals.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eingangPaths } from '#contract/eingang.ts'
import { type DatevEingangRow, datevPicturesPath } from '#contract/datev.ts'
import { datevBatch } from '#domain/datev/batch.ts'
import { pictureUuid, pictureName } from '#domain/datev/pictures.ts'
import { cii } from '#domain/eingang/files.fixture.ts'
import { createTestAnchors } from '#server/anchors.fixture.ts'
import { createEingangRoom } from '#server/eingang/routes.ts'
import { SPEC } from '#server/eingang/hostile-files.fixture.ts'
import { makePdf } from '#server/eingang/pdf.fixture.ts'
import { unpackZip } from '../../web/src/data/unpack-zip.ts'
import type { Log } from '#server/log.ts'
import { parseXml } from '#server/parse-xml.ts'
import { refusalIn } from '../../db/test/attempt.ts'
import { EINGANG, KREDITOR } from '../../db/test/cells/eingang.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { claimsOf } from '../../db/test/world.ts'
import { sha } from '../../test/tus.ts'
import { createAuditRoom } from './routes.ts'

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`received invoices for DATEV on ${engineName}`, () => {
    let engine: Engine
    let folder: string
    let app: FastifyInstance
    let anchors: ReturnType<typeof createTestAnchors>
    const errors: string[] = []
    const log = { info: () => undefined, warn: () => undefined, error: (text: string) => errors.push(text) }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      folder = await mkdtemp(join(tmpdir(), 'datev-'))
      anchors = createTestAnchors()
      app = refusingServer(1000)
      const shared = { database: engine.api, now: () => new Date('2026-04-01T10:00:00Z') }
      await app.register(createEingangRoom({ ...shared, folder }).routes!, { prefix: '/prod-api' })
      const make = () => Promise.resolve(true)
      const room = createAuditRoom({ ...shared, log: log as unknown as Log, make, anchors })
      await app.register(room.routes, { prefix: '/prod-api' })
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
      anchors?.remove()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    })

    const one = async <T>(text: string, ...values: unknown[]): Promise<T> => {
      const { rows } = await engine.api.once<Record<string, unknown>>(
        asCaller(claimsOf('apus_admin')),
        sql(`select ${text}`, ...values),
      )
      return Object.values(rows[0] ?? {})[0] as T
    }
    const takeIn = async (bytes: Buffer, name: string): Promise<number> => {
      const answer = await app.inject({
        method: 'POST',
        url: `/prod-api/${eingangPaths.upload(name)}`,
        headers: { authorization: 'Bearer token-apus_admin', 'content-type': 'application/octet-stream' },
        payload: bytes,
      })
      return (JSON.parse(answer.payload) as { data: { id: number } }).data.id
    }
    const approved = async (bytes: Buffer, name: string): Promise<number> => {
      const id = await takeIn(bytes, name)
      await one(`app.a_decide_eingang(${id}, 1, true)`)
      return id
    }
    const due = async (start: string, bis: string): Promise<DatevEingangRow[]> => {
      const rows = await one<string>(
        `(select coalesce(json_agg(e), '[]')::text from app.a_get_datev_eingang($1, $2) e)`,
        start,
        bis,
      )
      return JSON.parse(rows) as DatevEingangRow[]
    }
    const exported = async (ids: readonly number[]): Promise<number> => {
      await one(
        `app.a_add_datev_export('2026-03-01', '2026-03-31', 'EXTF_x.csv', repeat('a', 64), 1, eingang => $1)`,
        ids,
      )
      return one<number>(`max(nr) from app.protokoll where gegenstand = 'datev' and ereignis = 'exportiert'`)
    }
    const packageOf = (nr: number | string, who = 'apus_admin') =>
      app.inject({
        url: `/prod-api/${datevPicturesPath(nr)}`,
        headers: { authorization: `Bearer token-${who}` },
      })
    const filesIn = async (payload: Buffer): Promise<Map<string, Buffer>> =>
      new Map(
        (await unpackZip(new Uint8Array(payload), () => true)).map(({ name, data }) => [
          name,
          Buffer.from(data),
        ]),
      )

    test('a line and its picture have one number, and the picture is the original', async () => {
      const xml = Buffer.from(cii({ ...SPEC, number: 'D-1' }))
      const pdf = makePdf({ attachments: [['factur-x.xml', Buffer.from(cii({ ...SPEC, number: 'D-2' }))]] })
      const ids = [await approved(xml, 'a.xml'), await approved(pdf, 'Rechnung Müller.pdf')]
      await one(`app.a_save_kreditor('{"konto": "70001", "aufwandskonto": "4980"}', ${KREDITOR}, 1)`)
      const rows = (await due('2026-03-01', '2026-03-31')).filter(({ stand }) => stand === 'dabei')
      expect(rows.map(({ eingang_id }) => eingang_id)).toEqual(ids)
      expect(rows[0]).toMatchObject({
        nummer: 'D-1',
        creditor: '70001',
        konto: '4980',
        brutto: '119.00',
        abzug: '19.00',
        vorsteuer: 'inland',
        steuern: [{ kategorie: 'S', basis: '100.00', steuer: '19.00' }],
        exportiert_am: null,
      })
      const setting = { adviser: '29098', mandant: '55003', accountDigits: 4, revenueAccounts: {} }
      const createdAt = '2026-04-01T10:00:00.000Z'
      const batch = datevBatch({
        von: '2026-03-01',
        bis: '2026-03-31',
        createdAt,
        setting,
        belege: [],
        eingang: rows,
      })
      expect([batch.faults, batch.eingang]).toEqual([[], ids])
      const answer = await packageOf(await exported(batch.eingang))
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
      const files = await filesIn(answer.rawPayload)
      expect([...files.keys()]).toEqual([`Eingang-${ids[0]}.xml`, `Eingang-${ids[1]}.pdf`, 'document.xml'])
      const lines = new TextDecoder('windows-1252').decode(batch.bytes)
      const listed = parseXml(files.get('document.xml')!.toString('utf8')).children[1]!.children
      expect(listed.map(({ attributes }) => attributes['guid'])).toEqual(
        rows.map(({ sha256 }) => pictureUuid(sha256)),
      )
      for (const [at, bytes] of [xml, pdf].entries()) {
        const { sha256 } = rows[at]!
        expect(sha(new Uint8Array(files.get([...files.keys()][at]!)!))).toBe(sha(bytes))
        expect(sha(bytes)).toBe(sha256)
        expect(lines).toContain(`"BEDI ""${pictureUuid(sha256)}"""`)
      }
    })
    test('what was handed over is known, and what came too late is told', async () => {
      const [first] = (await due('2026-03-01', '2026-03-31')).filter(({ stand }) => stand === 'dabei')
      expect(first!.exportiert_am).not.toBeNull()
      expect(first!.geaendert).toBe(false)
      const late = await approved(Buffer.from(cii({ ...SPEC, number: 'D-3' })), 'c.xml')
      const waiting = await takeIn(Buffer.from(cii({ ...SPEC, number: 'D-4' })), 'd.xml')
      expect(
        (await due('2026-04-01', '2026-04-30')).map((row) => [row.eingang_id, row.stand]),
      ).toContainEqual([late, 'frueher'])
      const march = await due('2026-03-01', '2026-03-31')
      expect(march.find((row) => row.eingang_id === waiting)!.stand).toBe('wartet')
      expect(march.find((row) => row.eingang_id === late)!.exportiert_am).toBeNull()
      await one(`app.a_decide_eingang(${first!.eingang_id}, 2, null)`)
      await one(`app.a_decide_eingang(${first!.eingang_id}, 3, true)`)
      const again = await due('2026-03-01', '2026-03-31')
      expect(again.find((row) => row.eingang_id === first!.eingang_id)!.geaendert).toBe(true)
    })
    test('a small business deducts nothing, and owes what it owes', async () => {
      await engine.owner.script('update app.lieferant set kleinunternehmer = true')
      const [row] = await due('2026-03-01', '2026-03-31')
      await engine.owner.script('update app.lieferant set kleinunternehmer = false')
      expect(row!.abzug).toBe('0.00')
    })
    test('only approved ones are recorded as handed over', async () => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is easier to read
      for (const ids of [`{${EINGANG}}`, '{999}', '{null}'])
        expect(
          await refusalIn(
            engine.api,
            claimsOf('apus_admin'),
            sql(
              `select app.a_add_datev_export('2026-03-01', '2026-03-31', 'x.csv', repeat('a', 64), 1, eingang => $1)`,
              ids,
            ),
          ),
          ids,
        ).toBe('23514 eingang eingang_zustand')
    })
    test('each download is recorded, and a number that is no batch is not found', async () => {
      const count = () => one<number>(`count(*)::integer from app.protokoll where ereignis = 'belege'`)
      const before = await count()
      expect((await packageOf(await exported([]))).statusCode).toBe(404)
      // oxlint-disable-next-line no-await-in-loop -- as above
      for (const nr of ['999999', '0', 'x', '1.zip', '99999999999999999999'])
        expect((await packageOf(nr)).statusCode, nr).toBe(404)
      expect(await count()).toBe(before)
      const [row] = (await due('2026-03-01', '2026-03-31')).filter(({ stand }) => stand === 'dabei')
      const nr = await exported([row!.eingang_id])
      expect((await packageOf(nr, 'pruefer')).statusCode).toBe(200)
      expect((await packageOf(nr, 'ogf_admin')).statusCode).toBe(403)
      expect(await count()).toBe(before + 1)
    })
    test('a file that is no longer what came in is left out, and the log says so', async () => {
      const [first, second] = (await due('2026-03-01', '2026-03-31')).filter(({ stand }) => stand === 'dabei')
      const nr = await exported([first!.eingang_id, second!.eingang_id])
      await engine.owner.script(
        `set session_replication_role = replica;
         update app.eingang set inhalt = 'anders' where id = ${first!.eingang_id};
         set session_replication_role = origin`,
      )
      const files = await filesIn((await packageOf(nr)).rawPayload)
      expect([...files.keys()]).toEqual([
        pictureName({ eingang_id: second!.eingang_id, format: 'zugferd' }),
        'document.xml',
      ])
      expect(
        files
          .get('document.xml')!
          .toString('utf8')
          .match(/<document /g),
      ).toHaveLength(1)
      expect(errors).toEqual(['a received invoice is not what came in'])
    })
  })
