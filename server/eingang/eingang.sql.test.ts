// Received invoices over HTTP and in the database: who may send a file, what is kept of it, who gets the bytes,
// duplicates, the life of an invoice, its seals and the forecast.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Eingang, EINGANG_BYTES, eingangPaths } from '#contract/eingang.ts'
import { cii, ubl } from '#domain/eingang/files.fixture.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { refusalIn } from '../../db/test/attempt.ts'
import { EINGANG, EINGANG_OK, EINGANG_PAID, KREDITOR } from '../../db/test/cells/eingang.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { claimsOf, type IdentityName, ROLE_NAMES } from '../../db/test/world.ts'
import { sha } from '../../test/tus.ts'
import { SPEC } from './hostile-files.fixture.ts'
import { makePdf } from './pdf.fixture.ts'
import { createEingangRoom } from './routes.ts'

const PREFIX = '/prod-api'
const WRITES: readonly IdentityName[] = ['apus_admin', 'admin']
const READS: readonly IdentityName[] = [...WRITES, 'pruefer']

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`received invoices on ${engineName}`, () => {
    let engine: Engine
    let folder: string
    let app: FastifyInstance
    let origin: string

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      folder = await mkdtemp(join(tmpdir(), 'eingang-'))
      app = refusingServer(1000)
      const room = createEingangRoom({
        database: engine.api,
        folder: join(folder, 'eingang'),
        now: () => new Date(),
        work: createWorkQueue(),
      })
      await app.register(room.routes!, { prefix: PREFIX })
      await app.listen({ port: 0, host: '127.0.0.1' })
      origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    })

    const ask = (who: IdentityName, path: string, init: RequestInit = {}) =>
      fetch(`${origin}${PREFIX}/${path}`, {
        ...init,
        headers: { authorization: `Bearer token-${who}`, ...init.headers },
      })
    const send = (bytes: Buffer | string, name = 'Rechnung.xml', who: IdentityName = 'apus_admin') =>
      ask(who, eingangPaths.upload(name), {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: new Uint8Array(Buffer.from(bytes as string)),
      })
    const idOf = async (answer: Response): Promise<number> => {
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { data: { id: number } }).data.id
    }
    const refusedBy = async (answer: Response) => ({
      status: answer.status,
      hint: ((await answer.json()) as { hint?: string }).hint,
    })
    const one = async <T>(text: string, ...values: unknown[]): Promise<T> => {
      const { rows } = await engine.api.once<Record<string, unknown>>(
        asCaller(claimsOf('apus_admin')),
        sql(`select ${text}`, ...values),
      )
      return Object.values(rows[0]!)[0] as T
    }
    const record = async (id: number): Promise<Eingang> =>
      JSON.parse(await one<string>('app.a_get_eingang($1)::text', id)) as Eingang
    const refusal = (text: string, ...values: unknown[]): Promise<string> =>
      refusalIn(engine.api, claimsOf('apus_admin'), sql(`select ${text}`, ...values))
    const invoice = (number: string, more: object = {}) => cii({ ...SPEC, number, ...more })

    test('only those who write the books send files, and only bytes', async () => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is easier to read
      for (const who of ROLE_NAMES.filter((name) => !WRITES.includes(name)))
        expect((await send(invoice('W-1'), 'a.xml', who)).status, who).toBe(403)
      const json = await ask('apus_admin', eingangPaths.upload('a.xml'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      expect(json.status).toBe(400)
    })
    test('every byte is kept, and given to those who read the books, to be saved', async () => {
      const bytes = Buffer.from(invoice('B-1'))
      const id = await idOf(await send(bytes, '../Grün\u202E.xml'))
      for (const who of ROLE_NAMES) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other is easier to read
        const answer = await ask(who, eingangPaths.file(id))
        expect([who, answer.status]).toEqual([who, READS.includes(who) ? 200 : 404])
        if (answer.status !== 200) continue
        expect(answer.headers.get('content-disposition')).toContain('attachment; filename="Gr_n.xml"')
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect(sha(new Uint8Array(await answer.arrayBuffer()))).toBe(sha(bytes))
      }
      expect(await record(id)).toMatchObject({
        dateiname: 'Grün.xml',
        sha256: sha(bytes),
        groesse: bytes.length,
      })
      expect(await readdir(join(folder, 'eingang'))).toEqual([])
    })
    test('the same file comes in once and the one there is named; the same number is only shown', async () => {
      const id = await idOf(await send(invoice('D-1')))
      const twin = await send(invoice('D-1'), 'anders.xml')
      const body = (await twin.json()) as { hint: string; message: string }
      expect([twin.status, body.hint]).toEqual([409, 'eingang_doppelt'])
      expect(body.message).toContain(`D-1, Baumschule Müller & Söhne (Eingang ${id})`)
      const other = await idOf(await send(invoice('D-1', { notes: ['noch einmal'] })))
      expect((await record(other)).gleiche).toMatchObject([{ id, zustand: 'neu' }])
      expect(await one('doppelt from app.eingang_liste where id = $1', other)).toBe(true)
    })
    test('what is no invoice is refused by its reason, and nothing of it stays', async () => {
      const count = () => one<number>('count(*)::integer from app.eingang')
      const before = await count()
      expect(await refusedBy(await send('<html/>'))).toEqual({ status: 400, hint: 'eingang_fremd' })
      expect(await refusedBy(await send(''))).toEqual({ status: 400, hint: 'eingang_leer' })
      expect(await refusedBy(await send('<!DOCTYPE a><a/>'))).toEqual({ status: 400, hint: 'eingang_dtd' })
      expect(await refusedBy(await send(Buffer.alloc(EINGANG_BYTES + 1, 'a')))).toEqual({
        status: 413,
        hint: 'eingang_gross',
      })
      expect(await count()).toBe(before)
      expect(await readdir(join(folder, 'eingang'))).toEqual([])
    })
    test('an e-invoice in a PDF, and a PDF alone', async () => {
      const id = await idOf(
        await send(
          makePdf({ attachments: [['factur-x.xml', Buffer.from(ubl({ ...SPEC, number: 'P-1' }))]] }),
          'a.pdf',
        ),
      )
      expect(await record(id)).toMatchObject({
        format: 'zugferd',
        nummer: 'P-1',
        brutto: '119.00',
        // To another name than the one in the settings.
        befunde: [expect.objectContaining({ rule: 'empfaenger', weight: 'hint' })],
      })
      const plain = await record(await idOf(await send(makePdf({ attachments: [] }), 'b.pdf')))
      expect(plain).toMatchObject({ format: 'pdf', nummer: '', brutto: null, gelesen: null, aus_datei: [] })
      expect((await ask('apus_admin', eingangPaths.file(id))).headers.get('content-type')).toBe(
        'application/pdf',
      )
    })
    test('embedded documents are saved as bytes, whatever they say they are', async () => {
      const page = Buffer.from('<script>alert(1)</script>')
      const attachments = [['seite.html', 'text/html', page.toString('base64')]] as const
      const id = await idOf(await send(invoice('A-1', { attachments })))
      const answer = await ask('pruefer', eingangPaths.attachment(id, 1))
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
      expect(answer.headers.get('content-disposition')).toContain('attachment; filename="seite.html"')
      expect(Buffer.from(await answer.arrayBuffer()).equals(page)).toBe(true)
      expect((await ask('pruefer', eingangPaths.attachment(id, 2))).status).toBe(404)
      expect((await ask('ogf_admin', eingangPaths.attachment(id, 1))).status).toBe(404)
    })

    test('the sender is recognised by VAT id, account and name, in this order', async () => {
      const of = async (number: string, more: object) =>
        (await record(await idOf(await send(invoice(number, more))))).kreditor_id
      expect(await of('E-1', {})).toBe(KREDITOR)
      const byAccount = await one<number>(
        `app.a_save_kreditor('{"name": "Nach Konto", "iban": "DE02 5001 0517 0137 0750 30"}')`,
      )
      const { vatId: _vatId, ...without } = SPEC
      const anonymous = (number: string, more: object) =>
        send(cii({ ...without, taxNumber: '20/200/12345', number, ...more }))
      const found = async (number: string, more: object) =>
        (await record(await idOf(await anonymous(number, more)))).kreditor_id
      expect(await found('E-2', { iban: 'DE02500105170137075030' })).toBe(Number(byAccount))
      expect(await found('E-3', { seller: 'NACH KONTO' })).toBe(Number(byAccount))
      expect(await found('E-4', { seller: 'Niemand' })).toBeNull()
      // Another VAT id is another company, whatever its name is.
      expect(await of('E-5', { vatId: 'ATU12345675', seller: 'Baumschule Ost' })).toBeNull()
    })
    test('what the file says cannot be typed over; everything else can until the decision', async () => {
      const id = await idOf(await send(invoice('F-1')))
      const save = (fieldValues: object, version = 1) =>
        `app.a_save_eingang(${id}, ${version}, '${JSON.stringify(fieldValues)}')`
      expect(await refusal(save({ brutto: '120.00' }))).toBe('23514 brutto eingang_gelesen')
      expect(await refusal(save({ nummer: 'x' }))).toBe('23514 nummer eingang_gelesen')
      expect(await refusal(save({ kreditor_id: 999 }))).toBe('23514 kreditor_id eingang_kreditor')
      expect(await refusal(save({ zustand: 'bezahlt' }))).toBe('23514 zustand felder')
      expect(await refusal(save({ konto: 'abc' }))).toBe('23514 konto konto_ziffern')
      expect(await refusal(save({ konto: '4980' }, 7))).toBe('PT409 - changed_meanwhile')
      expect(await one(save({ konto: '4980', faellig: '2026-04-01', kreditor_id: KREDITOR }))).toBe(2)
      expect(await record(id)).toMatchObject({ konto: '4980', faellig: '2026-04-01', version: 2 })
    })
    test('a plain PDF is approved once its values are there and add up', async () => {
      const id = await idOf(await send(makePdf({ attachments: [['x.txt', 'x']] }), 'c.pdf'))
      const decide = (version: number, more = '') => `app.a_decide_eingang(${id}, ${version}, true${more})`
      expect(await refusal(decide(1))).toBe('23514 nummer fehlt')
      const values = {
        nummer: 'C-1',
        datum: '2026-03-01',
        netto: '100.00',
        steuer: '19.00',
        zahlbetrag: '119.00',
      }
      const save = (version: number, fieldValues: object) =>
        one(`app.a_save_eingang(${id}, ${version}, '${JSON.stringify(fieldValues)}')`)
      await save(1, { ...values, brutto: '118.00' })
      expect(await refusal(decide(2))).toBe('23514 brutto eingang_summe')
      await save(2, { brutto: '119.00' })
      expect(await refusal(decide(3))).toBe('23514 kreditor_id eingang_kreditor')
      await save(3, { kreditor_id: KREDITOR })
      expect(await one(decide(4))).toBe(5)
      expect(await refusal(`app.a_save_eingang(${id}, 5, '{"konto": "1"}')`)).toBe('PT409 - eingang_zustand')
    })
    test('approved, paid, taken back; refused with its reason; an unknown sender is added', async () => {
      const id = await idOf(await send(invoice('L-1', { vatId: 'DE129273398', seller: 'Neu & Co' })))
      expect((await record(id)).kreditor).toBeNull()
      expect(await refusal(`app.a_decide_eingang(${id}, 1, false, ' ')`)).toBe(
        '23514 bemerkung eingang_grund',
      )
      expect(await one(`app.a_decide_eingang(${id}, 1, true)`)).toBe(2)
      expect(await record(id)).toMatchObject({
        zustand: 'freigegeben',
        kreditor: { name: 'Neu & Co', ust_id: 'DE129273398' },
      })
      expect(await refusal(`app.a_decide_eingang(${id}, 2, true)`)).toBe('PT409 - eingang_zustand')
      const paid = await one(`app.a_add_eingang_zahlung(${id}, '2026-03-10', 119)`)
      expect(await record(id)).toMatchObject({ zustand: 'bezahlt', bezahlt_am: '2026-03-10', version: 3 })
      expect(await refusal(`app.a_decide_eingang(${id}, 3, null)`)).toBe('PT409 - eingang_zustand')
      await one(`app.a_revoke_eingang_zahlung(${paid as number}, 'Irrtum')`)
      expect(await record(id)).toMatchObject({ zustand: 'freigegeben', bezahlt_am: null, version: 4 })
      expect(await one(`app.a_decide_eingang(${id}, 4, null)`)).toBe(5)
      expect(await one(`app.a_decide_eingang(${id}, 5, false, 'Nicht bestellt')`)).toBe(6)
      expect(await record(id)).toMatchObject({ zustand: 'abgelehnt', bemerkung: 'Nicht bestellt' })
      const events = await one<string>(
        `string_agg(ereignis, ' ' order by nr) from app.protokoll where gegenstand = 'eingang' and gegenstand_id = $1`,
        id,
      )
      expect(events).toBe('eingegangen freigegeben zahlung zahlung_zurueck wieder_offen abgelehnt')
    })
    test('what is open: only an approved invoice until it is paid, a credit note below zero', async () => {
      const open = (id: number) => one<string | null>('offen::text from app.eingang_liste where id = $1', id)
      const id = await idOf(await send(invoice('O-1')))
      expect(await open(id)).toBeNull()
      await one(`app.a_decide_eingang(${id}, 1, true)`)
      expect(await open(id)).toBe('119.00')
      const paid = await one<number>(`app.a_add_eingang_zahlung(${id}, '2026-03-10', 119)`)
      expect(await open(id)).toBe('0.00')
      await one(`app.a_revoke_eingang_zahlung(${paid}, 'Irrtum')`)
      expect(await open(id)).toBe('119.00')
      await one(`app.a_decide_eingang(${id}, 4, null)`)
      await one(`app.a_decide_eingang(${id}, 5, false, 'Nicht bestellt')`)
      expect(await open(id)).toBeNull()
      const credit = await idOf(await send(cii({ ...SPEC, number: 'O-2', type: '381', preceding: 'O-1' })))
      await one(`app.a_decide_eingang(${credit}, 1, true)`)
      expect(await open(credit)).toBe('-119.00')
    })
    test('an invoice with faults is approved with a word why', async () => {
      const id = await idOf(await send(invoice('X-1', { gross: '120.00' })))
      expect((await record(id)).befunde.map(({ rule }) => rule)).toContain('BR-CO-15')
      expect(await refusal(`app.a_decide_eingang(${id}, 1, true)`)).toBe('23514 bemerkung eingang_trotzdem')
      // Sums that do not add up are never booked.
      expect(await refusal(`app.a_decide_eingang(${id}, 1, true, 'Mit dem Lieferanten geklärt')`)).toBe(
        '23514 brutto eingang_summe',
      )
    })
    test('our own supply, billed by a customer, is never a debt', async () => {
      const own = await one<string>('name from app.lieferant')
      const id = await idOf(await send(cii({ ...SPEC, number: 'G-1', type: '389', seller: own })))
      expect(await record(id)).toMatchObject({ vorsteuer: 'keine' })
      expect(await refusal(`app.a_decide_eingang(${id}, 1, true)`)).toBe('PT409 - eingang_eigene')
      expect(await refusal(`app.a_decide_eingang(${id}, 1, false, 'Gehört zu unseren Umsätzen')`)).toBe(
        'done',
      )
    })
    test('a final invoice that takes advances off: somebody says what is left to deduct', async () => {
      const file = cii({ ...SPEC, number: 'S-1', paid: '59.50', payable: '59.50' })
      const id = await idOf(await send(file))
      expect(await record(id)).toMatchObject({ vorsteuer: 'inland', zahlbetrag: '59.50' })
      expect((await record(id)).befunde).toContainEqual(
        expect.objectContaining({ term: 'BT-113', weight: 'hint' }),
      )
      expect(await refusal(`app.a_decide_eingang(${id}, 1, true)`)).toBe(
        '23514 vorsteuer_betrag eingang_abschlaege',
      )
      await one(`app.a_save_eingang(${id}, 1, '{"vorsteuer_betrag": "9.50"}')`)
      expect(await refusal(`app.a_decide_eingang(${id}, 2, true)`)).toBe('done')
      // An advance is deducted with its payment, as it is.
      const advance = await idOf(await send(cii({ ...SPEC, number: 'S-0', type: '326' })))
      expect((await record(advance)).vorsteuer).toBe('anzahlung')
      expect(await refusal(`app.a_decide_eingang(${advance}, 1, true)`)).toBe('done')
      const batch = await one<string>(
        `array_agg(nummer || ' ' || coalesce(abschlag, '-') order by nummer)::text
         from app.a_get_datev_eingang('2026-01-01', '2026-12-31') where nummer in ('S-0', 'S-1')`,
      )
      expect(batch).toBe('{"S-0 abschlag","S-1 schluss"}')
    })
    test('approved and unpaid ones are expenses of the forecast, credit notes lessen them', async () => {
      const expected = async () =>
        JSON.parse(
          await one<string>(`books.cashflow_input('2026-01-01', '2036-01-01', 'monat', 0)::text`),
        ) as {
          eingang: { faellig: string; offen: string }[]
        }
      const before = (await expected()).eingang.length
      const id = await idOf(await send(cii({ ...SPEC, number: 'V-1', type: '381', preceding: 'L-1' })))
      await one(`app.a_decide_eingang(${id}, 1, true)`)
      expect((await expected()).eingang.slice(before)).toEqual([{ faellig: '2026-03-16', offen: '-119.00' }])
      await one(`app.a_add_eingang_zahlung(${id}, '2026-03-10', -19)`)
      expect((await expected()).eingang.slice(before)).toEqual([{ faellig: '2026-03-16', offen: '-100.00' }])
      await one(`app.a_add_eingang_zahlung(${id}, '2026-03-11', -100)`)
      expect((await expected()).eingang.length).toBe(before)
    })
    test.each([
      [`'2026-03-16', '2026-03-02'`, '2026-03-16'],
      [`null, '2026-03-02'`, '2026-04-01'],
      ['null, null', null],
    ])('due: its day, or thirty days after its date: %s', async (days, due) =>
      expect(await one(`books.eingang_due(${days})::text`)).toBe(due),
    )
    test('what arrived stays as it arrived, for every role', async () => {
      // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
      for (const text of [
        `update app.eingang set inhalt = 'x' where id = ${EINGANG_OK}`,
        `update app.eingang set gelesen = '{}' where id = ${EINGANG_OK}`,
        `update app.eingang set befunde = '[]' where id = ${EINGANG_OK}`,
        `delete from app.eingang where id = ${EINGANG_PAID}`,
      ])
        for (const role of ['forst_betrieb', 'forst_definer']) {
          await expect(
            engine.owner.script(`begin; set local role ${role}; ${text}; commit`),
            `${role}: ${text}`,
          ).rejects.toMatchObject({ hint: 'ausgestellt' })
          await engine.owner.script('rollback')
        }
    })
    test('each state is sealed, other bytes are noticed', async () => {
      await engine.owner.script('select books.seal_missing()')
      const check = async () =>
        JSON.parse(await one<string>('to_jsonb(c)::text from app.a_check_protokoll() c')) as object
      expect(JSON.stringify(await check())).toContain('"ok": true'.replace(' ', ''))
      await engine.owner.script(
        `set session_replication_role = replica;
         update app.eingang set inhalt = 'anders' where id = ${EINGANG}; set session_replication_role = origin`,
      )
      const found = JSON.stringify(await check())
      expect(found).toContain('eingang')
      expect(found).toContain('sha256')
    })
  })
