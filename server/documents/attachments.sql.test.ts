// Files that go with an invoice, from the file at a record to the stored document: what may be attached, what the
// issue freezes, who gets the bytes, and that a change behind the application is noticed.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Anlage, ANLAGE_BYTES, ANLAGE_TYPES, anlagePaths, type AnlageSources } from '#contract/anlage.ts'
import type { Beleg } from '#domain/beleg.ts'
import { folderStore, type Store } from '#server/files/store.ts'
import { refusalOf } from '../../db/test/attempt.ts'
import { DRAFT_A, RECHNUNG_A, RECHNUNG_B } from '../../db/test/cells/buchhaltung.ts'
import { ANLAGE_A, ANLAGE_B, ANLAGE_DRAFT } from '../../db/test/cells/anlage.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import * as w from '../../db/test/world.ts'
import { claimsOf, type IdentityName } from '../../db/test/world.ts'
import { attachmentRoutes, namesOf } from './attachments.ts'
import { createRenderer } from './renderer.ts'
import { createStore } from './store.ts'

const PDF = Buffer.from('%PDF-1.7\n1 0 obj << >> endobj\n%%EOF\n')
const CSV = Buffer.from('Bestand;ha\n12 a;3,5\n')
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('names', () => {
  test.each([
    ['Lieferschein 4711.pdf', 'Lieferschein 4711', 'Lieferschein 4711.pdf'],
    ['..\\..\\boot.PDF', '..\\..\\boot', 'boot.PDF'],
    ['a/b:c*?.csv', 'a/b:c*?', 'a-b-c.csv'],
    ['CON.pdf', 'CON', 'CON-Datei.pdf'],
    ['fdp\u202efdp.pdf', 'fdpfdp', 'fdpfdp.pdf'],
    ['地图.pdf', 'Anlage', '地图.pdf'],
    ['.pdf', 'Anlage', 'Anlage.pdf'],
    ['ohne', 'ohne', 'ohne'],
  ])('%s', (given, name, fileName) => expect(namesOf(given)).toEqual({ name, dateiname: fileName }))
  test('are shortened, and keep their ending', () => {
    const { name, dateiname } = namesOf(`${'ä'.repeat(200)}.xlsx`)
    expect([name.length, dateiname.length, dateiname.slice(-5)]).toEqual([100, 145, '.xlsx'])
  })
})

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`attachments on ${engineName}`, () => {
    let engine: Engine
    let folder: string
    let files: Store
    let app: FastifyInstance
    const renderer = createRenderer()
    let at = 5000
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      folder = await mkdtemp(join(tmpdir(), 'attached-'))
      files = folderStore(folder)
      app = refusingServer()
      await app.register(attachmentRoutes({ database: engine.api, storedFiles: files }), {
        prefix: '/prod-api',
      })
      await app.ready()
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.notiz (id, client_id, text, user_id) values (901, ${w.A}, 'x', 1), (902, ${w.B}, 'x', 1);
        commit`)
    }, 240_000)
    afterAll(async () => {
      await app?.close()
      await renderer.close()
      await engine?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    })

    /** A file at a record of the customer. */
    async function stored(name: string, mime: string, bytes: Uint8Array, note = 901): Promise<number> {
      const path = join(folder, `new-${++at}`)
      await writeFile(path, bytes)
      await files.putFile(path)
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.notiz_datei (id, notiz_id, client_id, name, mime, groesse, sha256)
        values (${at}, ${note}, ${note === 901 ? w.A : w.B}, '${name}', '${mime}', ${bytes.length}, '${sha(bytes)}');
        commit`)
      return at
    }
    const attach = (file: number, invoice: number = DRAFT_A, who: IdentityName = 'apus_admin') =>
      app.inject({
        method: 'POST',
        url: `/prod-api/${anlagePaths.add(invoice)}`,
        headers: { authorization: `Bearer token-${who}` },
        payload: { datei: file },
      })
    const get = (invoice: number, id: number, who: IdentityName) =>
      app.inject({
        url: `/prod-api/${anlagePaths.file(invoice, id)}`,
        headers: { authorization: `Bearer token-${who}` },
      })
    const hintOf = async (answer: ReturnType<typeof attach>) => (await answer).json<{ hint?: string }>().hint
    const call = async <T>(text: string, ...values: unknown[]): Promise<T> => {
      const { rows } = await engine.api.once<{ answer: string }>(
        asCaller(claimsOf('apus_admin')),
        sql(`select (${text})::text as answer`, ...values),
      )
      return JSON.parse(rows[0]?.answer || 'null') as T
    }
    const listed = (invoice: number) =>
      call<Anlage[]>(`select jsonb_agg(a order by a.id) from app.a_get_anlagen($1) a`, invoice)
    const setRoom = (files_: number, megabytes: number) =>
      engine.owner.script(`begin; set local role forst_betrieb;
        update app.lieferant set anlagen_anzahl = ${files_}, anlagen_mb = ${megabytes}; commit`)

    test('types are those of the table', async () => {
      const { rows } = await engine.owner.query<{ rule: string }>(
        `select pg_get_constraintdef(c.oid) as rule from pg_constraint c where c.conname = 'anlage_mime_check'`,
      )
      expect([...rows[0]!.rule.matchAll(/'([^']+)'/g)].map(([, mime]) => mime!).toSorted()).toEqual(
        Object.keys(ANLAGE_TYPES).toSorted(),
      )
    })
    test('only files that can be attached are offered, those of other customers never', async () => {
      const plan = await stored('Aufmass.csv', 'text/plain', CSV)
      await stored('Brief.txt', 'text/plain', Buffer.from('x'))
      await stored('Scan.tif', 'image/tiff', Buffer.from('y'))
      await stored('Fremd.pdf', 'application/pdf', PDF, 902)
      const { dateien, anzahl, bytes } = await call<AnlageSources>('app.a_get_anlage_quellen($1)', DRAFT_A)
      expect(dateien.map(({ id, name }) => [id, name])).toContainEqual([plan, 'Aufmass.csv'])
      expect(dateien.map(({ name }) => name)).not.toContain('Brief.txt')
      expect(dateien.map(({ name }) => name)).not.toContain('Scan.tif')
      expect(dateien.map(({ name }) => name)).not.toContain('Fremd.pdf')
      expect([anzahl, bytes]).toEqual([20, 15_000_000])
    })
    test('what cannot be attached is refused, and nothing is written', async () => {
      const before = await listed(DRAFT_A)
      expect(await hintOf(attach(await stored('a.txt', 'text/plain', Buffer.from('a'))))).toBe('anlage_art')
      expect(await hintOf(attach(await stored('a.pdf', 'text/plain', Buffer.from('b'))))).toBe('anlage_art')
      const gone = await stored('weg.pdf', 'application/pdf', Buffer.from('%PDF-1.7 gone'))
      await files.remove(sha(Buffer.from('%PDF-1.7 gone')))
      expect(await hintOf(attach(gone))).toBe('anlage_fehlt')
      const foreign = await stored('f.pdf', 'application/pdf', Buffer.from('%PDF-1.7 f'), 902)
      expect((await attach(foreign)).statusCode).toBe(404)
      expect((await attach(999_999)).statusCode).toBe(404)
      const large = await stored('gross.pdf', 'application/pdf', Buffer.alloc(ANLAGE_BYTES + 1, 'g'))
      expect(await hintOf(attach(large))).toBe('anlage_gross')
      expect(await listed(DRAFT_A)).toEqual(before)
    })
    test('the settings bound number and size', async () => {
      const [one, two] = [
        await stored('m1.pdf', 'application/pdf', randomBytes(700_000)),
        await stored('m2.pdf', 'application/pdf', randomBytes(700_000)),
      ]
      await setRoom(20, 1)
      expect((await attach(one)).statusCode).toBe(200)
      expect(await hintOf(attach(two))).toBe('anlage_gross')
      await setRoom(2, 15)
      expect(await hintOf(attach(two))).toBe('anlage_viele')
      await setRoom(20, 15)
      const [, added] = await listed(DRAFT_A)
      await call('app.a_delete_anlage($1)', added!.id)
    })
    test('a second file of the same name gets another, and the same bytes are there once', async () => {
      const same = await stored('PLAN.PDF', 'application/pdf', PDF)
      expect((await attach(same)).statusCode).toBe(200)
      expect(await hintOf(attach(same))).toBe('anlage_doppelt')
      const all = await listed(DRAFT_A)
      expect(all.map(({ dateiname }) => dateiname)).toEqual(['plan.pdf', 'PLAN (2).PDF'])
      const id = all[1]!.id
      expect(await refusalOf(call('app.a_update_anlage($1, $2)', id, ''))).toContain('name fehlt')
      expect(await refusalOf(call('app.a_update_anlage($1, $2)', id, '地图'))).toContain('name zeichen_druck')
      await call('app.a_update_anlage($1, $2, $3)', id, 'Plan Süd', 'Stand November')
      expect((await listed(DRAFT_A))[1]).toMatchObject({ name: 'Plan Süd', beschreibung: 'Stand November' })
    })

    test('each of them makes a new version of the draft: another document would be issued', async () => {
      const version = async () =>
        Number(await call('select version from app.rechnung where id = $1', DRAFT_A))
      const seen = [await version()]
      await attach(await stored('Neu.pdf', 'application/pdf', Buffer.from('%PDF-1.7 version')))
      seen.push(await version())
      const id = (await listed(DRAFT_A)).at(-1)!.id
      await call('app.a_update_anlage($1, $2)', id, 'Neu benannt')
      seen.push(await version())
      await call('app.a_delete_anlage($1)', id)
      seen.push(await version())
      expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      expect(new Set(seen).size).toBe(4)
    })
    test('who gets the bytes', async () => {
      for (const [invoice, id, may] of [
        [DRAFT_A, ANLAGE_DRAFT, ['apus_admin', 'admin']],
        [RECHNUNG_A, ANLAGE_A, ['apus_admin', 'admin', 'pruefer', 'kundenadmin', 'appuser_admin']],
        [RECHNUNG_B, ANLAGE_B, ['apus_admin', 'admin', 'pruefer']],
      ] as const)
        for (const who of [
          'apus_admin',
          'admin',
          'pruefer',
          'kundenadmin',
          'appuser_admin',
          'apus_team',
          'ogf_admin',
          'appuser',
        ] as const)
          expect([who, id, (await get(invoice, id, who)).statusCode]).toEqual([
            who,
            id,
            (may as readonly string[]).includes(who) ? 200 : 404,
          ])
      // Under another invoice it is not there.
      expect((await get(RECHNUNG_B, ANLAGE_A, 'apus_admin')).statusCode).toBe(404)
      const answer = await get(RECHNUNG_A, ANLAGE_A, 'kundenadmin')
      expect([
        answer.headers['content-disposition'],
        answer.headers['x-content-type-options'],
        answer.headers['cache-control'],
      ]).toEqual([`attachment; filename="schein.pdf"; filename*=UTF-8''schein.pdf`, 'nosniff', 'no-store'])
    })

    describe('from the issue on', () => {
      let invoice: number
      let beleg: Beleg
      const bytes = Buffer.concat([PDF, Buffer.from('of the issued one')])
      beforeAll(async () => {
        await engine.owner.script(`begin; set local role forst_betrieb;
          update app.lieferant set ust_id = 'DE136695976', telefon = '1', mail = 'a@b.example',
            ansprechpartner = 'A', kontoinhaber = 'A'; commit`)
        invoice = await call<number>(`app.a_add_invoice($1, checks.today(), checks.today(), 19)`, w.A)
        await call(`app.a_insert_position(1, 'Vermessung', 'psch', 100, rechnung_id => $1)`, invoice)
        await call(`app.a_set_kunde_rechnung($1, '{"rechnungsformat": "pdf"}')`, w.A)
        expect((await attach(await stored('Schein.pdf', 'application/pdf', bytes), invoice)).statusCode).toBe(
          200,
        )
        await call(`select to_jsonb(i) from app.a_issue_invoice($1) i`, invoice)
        beleg = await call<Beleg>(`app.a_get_beleg('rechnung', $1)`, invoice)
      })
      const sealFaults = async () => {
        const { rows } = await engine.owner.query<{ faults: string }>(
          `select (select p.befunde from books.prove_journal(false) p)::text as faults`,
        )
        return rows[0]!.faults
      }
      test('the document names them with their digests', () => {
        expect(beleg.anlagen).toEqual([
          {
            id: expect.stringMatching(/^\d+$/) as string,
            name: 'Schein',
            beschreibung: '',
            dateiname: 'Schein.pdf',
            mime: 'application/pdf',
            sha256: sha(bytes),
            groesse: bytes.length,
          },
        ])
      })
      test('nothing is added, named or removed any more, by nobody', async () => {
        const { id } = beleg.anlagen![0]!
        const late = await stored('x.pdf', 'application/pdf', Buffer.from('%PDF-1.7 x'))
        expect((await attach(late, invoice)).statusCode).toBe(409)
        expect(await refusalOf(call('app.a_update_anlage($1, $2)', id, 'x'))).toContain('PT409')
        expect(await refusalOf(call('app.a_delete_anlage($1)', id))).toContain('PT409')
        for (const change of [
          `update app.anlage set inhalt = 'x' where id = ${id}`,
          `update app.anlage set name = 'x' where id = ${id}`,
          `delete from app.anlage where id = ${id}`,
        ]) {
          const attempt = engine.owner.script(`begin; set local role forst_betrieb; ${change}; commit`)
          await expect(attempt).rejects.toThrow(/issued/)
          await engine.owner.script('rollback')
        }
      })
      test('the files are made with it', async () => {
        const store = createStore(engine.api, renderer)
        expect(await store.make('rechnung', String(invoice))).toBe(true)
        const [pdf] = await store.fetchFiles('rechnung', String(invoice))
        const text = pdf!.inhalt.toString('latin1')
        expect([text.includes('/AFRelationship /Supplement'), text.includes('Schein.pdf')]).toEqual([
          true,
          true,
        ])
      })
      test('a copy takes them along only in place of a cancelled invoice; a Storno has none', async () => {
        const plain = await call<number>('app.a_copy_invoice($1)', invoice)
        expect(await listed(plain)).toBe(null)
        const storno = await call<{ id: number }>(
          `select to_jsonb(s) from app.a_cancel_invoice($1) s`,
          invoice,
        )
        const back = await call<Beleg>(`app.a_get_beleg('rechnung', $1)`, storno.id)
        expect([back.art, back.anlagen]).toEqual(['storno', undefined])
        const instead = await call<number>('app.a_copy_invoice($1)', invoice)
        expect((await listed(instead)).map(({ dateiname }) => dateiname)).toEqual(['Schein.pdf'])
      })
      test('other bytes are noticed by the check of the chain, and no file is made of them', async () => {
        const { id } = beleg.anlagen![0]!
        expect(await sealFaults()).not.toContain('"anlage"')
        await engine.owner.script(`begin; alter table app.anlage disable trigger all;
          update app.anlage set inhalt = 'other' where id = ${id};
          alter table app.anlage enable trigger all; commit`)
        expect(await sealFaults()).toMatch(/"anlage"/)
        await engine.owner.script(`begin; alter table app.dokument disable trigger all;
          delete from app.dokument where rechnung_id = ${invoice};
          alter table app.dokument enable trigger all; commit`)
        await expect(createStore(engine.api, renderer).make('rechnung', String(invoice))).rejects.toThrow(
          /not the one that was issued/,
        )
      })
    })
  })
