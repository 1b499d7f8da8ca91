// Webhooks and the feed over HTTP, with real receivers: made, delivered, retried, given up, by one server and by
// several; and what whom the feed tells.
import fastify, { type FastifyInstance } from 'fastify'
import { inject } from 'vitest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TREE_A1, TREE_B1 } from '../../db/test/cells/habitat.ts'
import { HIDDEN, SHOWN } from '../../db/test/cells/karte.ts'
import { insertKey } from '../../db/test/cells/zugang.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, B, claimsOf, IDENTITIES, type IdentityName, numberOf } from '../../db/test/world.ts'
import type { Changes, MadeWebhook, WebhookDelivery, WebhookTest } from '#contract/webhook.ts'
import type { AsOwner } from '#server/as-betrieb.ts'
import { type Caller, type Claims, SignInFault } from '#server/caller.ts'
import type { EmbeddedDatabase } from '#server/database/embedded.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { refuseAt } from '#server/refuse.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { createWorkQueue, sharesOf } from '#server/work-queue.ts'
import { withDatabase } from '../../test/databases.ts'
import { deliverDue, type DeliverOptions } from './deliver.ts'
import type { Seal } from './reseal.ts'
import { expectedSignature, type Receiver, startReceiver } from './receiver.fixture.ts'
import { countUnreadable, resealWebhooks } from './reseal.ts'
import { createWebhooksRoom } from './webhooks.ts'

const BASES = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }
let lostBefore = 0
/** Another loss each time: the same one is reported once a day. */
const lost = () => `verlust_datum = checks.today() - ${lostBefore++}, verlust_grund = 'windwurf'`

/** Marks instead of encrypting; what the house's own does is tested with it. */
const sealOf = (mark: string, former = mark): Seal => ({
  fingerprint: mark,
  encrypt: (text) => `${mark}:${text}`.padEnd(60, ' '),
  decrypt(sealed) {
    const [given, ...text] = sealed.trimEnd().split(':')
    if (given !== mark && given !== former) throw new Error('encrypted with another secret')
    return text.join(':')
  },
  reseal(sealed) {
    return sealed.startsWith(`${mark}:`) ? null : this.encrypt(this.decrypt(sealed))
  },
})

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`webhooks on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let receiver: Receiver
    let options: DeliverOptions
    let asOwner: AsOwner
    let clock = new Date('2026-11-28T10:00:00Z')
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      receiver = await startReceiver()
      const { rows } = await engine.owner.query<{ name: string }>('select current_database() as name')
      // A connection for each piece of work, as in the product.
      asOwner = async (work) => {
        if (engineName === 'embedded') return (engine.api as EmbeddedDatabase).asOwner(work)
        const own = await createOwnerConnection(withDatabase(inject('schemaUrl'), rows[0]?.name ?? ''))
        try {
          return await work(own)
        } finally {
          await own.close()
        }
      }
      options = {
        asOwner,
        seal: sealOf('one'),
        sending: { allowsPrivate: true, now: () => clock, timeMs: 1_500 },
        log: silentLog,
      }
      const work = createWorkQueue(sharesOf(4, 2))
      const room = createWebhooksRoom({ ...options, database: engine.api, work, everyMs: 3_600_000 })
      app = fastify()
      app.setErrorHandler((error, request, reply) => refuseAt(request.url, BASES)(reply, error))
      guardRoutes(app, (authorization): Caller => {
        const name = (authorization ?? '').replace('Bearer ', '')
        const [, key] = /^key:(.*)$/.exec(name) ?? []
        if (key !== undefined) {
          const claims = { iss: 'https://idp.test/realms/master', sub: 'admin', iat: 0, groups: [], key }
          return {
            claims: claims as unknown as Claims,
            claimsJson: JSON.stringify(claims),
            person: `key ${key}`,
            key: { id: Number(key), name: 'Programm', readsOnly: true },
            role: 'programm',
          }
        }
        if (!(name in IDENTITIES)) throw new SignInFault('missing', 'no token')
        const claims = claimsOf(name as IdentityName) as Claims
        return { claims, claimsJson: JSON.stringify(claims), person: claims.sub }
      })
      await app.register(room.routes, { prefix: '/prod-api' })
      await app.register(room.feed.routes)
      await app.ready()
    })
    afterAll(async () => {
      await app?.close()
      await receiver?.close()
      await engine?.close()
    })
    const betrieb = (text: string) =>
      engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
    beforeEach(async () => {
      receiver.answer = 204
      receiver.received.length = 0
      await betrieb(`delete from dispatch.webhook;
        update app.habitatbaeume set verlust_datum = null, verlust_grund = null;
        update app.kartenblatt set show_client = id <> ${HIDDEN}`)
    })

    const ask = async (
      method: 'GET' | 'POST' | 'PUT',
      url: string,
      name: string | null,
      payload?: object,
      headers: Record<string, string> = {},
    ) => {
      const answer = await app.inject({
        method,
        url,
        headers: { ...headers, ...(name !== null && { authorization: `Bearer ${name}` }) },
        ...(payload && { payload }),
      })
      const body = answer.body === '' ? null : (answer.json() as Record<string, unknown>)
      return { status: answer.statusCode, body, headers: answer.headers }
    }
    const call = async <T>(name: IdentityName, text: string, ...values: unknown[]): Promise<T[]> =>
      (await engine.api.once<T>(asCaller(claimsOf(name)), sql(text, ...values))).rows
    const add = async (more: object = {}, name = 'ogf_admin'): Promise<MadeWebhook> => {
      const wanted = {
        haelfte: 'forst',
        name: `Hof ${Math.random()}`,
        url: `${receiver.url}/`,
        arten: ['tree.lost'],
        client_id: null,
        ...more,
      }
      const { status, body } = await ask('POST', '/prod-api/webhooks', name, wanted)
      expect([status, body]).toEqual([200, expect.objectContaining({ code: 20_000 })])
      return body?.['data'] as MadeWebhook
    }
    const lose = (tree = TREE_A1) =>
      call('ogf_admin', `update app.habitatbaeume set ${lost()} where id = $1`, tree)
    const loseAgain = async (times: number) => {
      for (let nr = 0; nr < times; nr++) {
        await call(
          'ogf_admin',
          'update app.habitatbaeume set verlust_datum = null, verlust_grund = null where id = $1',
          TREE_A1,
        )
        await lose()
      }
    }
    const deliver = (more: Partial<DeliverOptions> = {}) => deliverDue({ ...options, ...more })
    const log = () => call<WebhookDelivery>('admin', 'select * from app.a_get_zustellungen()')
    const hook = async (id: number) =>
      (
        await call<{ pause: string | null; fehler_folge: number; wartend: string; verpasst: boolean }>(
          'admin',
          'select pause, fehler_folge, wartend::text as wartend, verpasst from app.a_get_webhooks() where id = $1',
          id,
        )
      )[0]
    /** As if so much time had passed. */
    const pass = (time: string) =>
      betrieb(`update dispatch.webhook set naechster = naechster - interval '${time}',
          vergeben_bis = vergeben_bis - interval '${time}', alt_bis = alt_bis - interval '${time}';
        update dispatch.zustellung set naechster = naechster - interval '${time}'`)
    const positions = () =>
      receiver.received.map(({ body }) => (JSON.parse(body) as { data: { position: number } }).data.position)

    describe('making one', () => {
      test('each half’s admins theirs, nobody else, and no key', async () => {
        const wanted = {
          haelfte: 'forst',
          name: 'X',
          url: `${receiver.url}/`,
          arten: ['tree.lost'],
          client_id: null,
        }
        for (const name of ['apus_admin', 'ogf_team', 'kundenadmin', 'pruefer'])
          expect((await ask('POST', '/prod-api/webhooks', name, wanted)).status, name).toBe(403)
        expect((await ask('POST', '/prod-api/webhooks', 'key:5', wanted)).status).toBe(403)
        expect((await ask('POST', '/prod-api/webhooks', null, wanted)).status).toBe(401)
        const { geheimnis, id } = await add({ name: 'Hof' })
        expect(geheimnis).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
        // Kept encrypted, and in no answer any more.
        const { rows } = await engine.owner.query<{ line: string }>(
          'select geheimnis as line from dispatch.webhook',
        )
        expect(rows[0]?.line.trimEnd()).toBe(`one:${geheimnis}`)
        const shown = JSON.stringify(await call('ogf_admin', 'select * from app.a_get_webhooks()'))
        expect(shown).not.toContain(geheimnis.slice(6, 30))
        expect(await call('apus_admin', 'select * from app.a_get_webhooks()')).toEqual([])
        await expect(call('apus_admin', 'select app.a_delete_webhook($1)', id)).rejects.toMatchObject({
          code: 'PT403',
        })
      })
      test.each([
        ['url', { url: 'quatsch' }],
        ['name', { name: '' }],
        ['arten', { arten: [] }],
        ['arten', { arten: ['document.issued'] }],
        ['client_id', { client_id: 99 }],
        ['haelfte', { haelfte: 'beide' }],
      ])('what is wrong is named: %s of %j', async (field, more) => {
        const wanted = { haelfte: 'forst', name: 'X', url: `${receiver.url}/`, arten: ['tree.lost'], ...more }
        const { status, body } = await ask('POST', '/prod-api/webhooks', 'ogf_admin', wanted)
        expect(status).toBe(400)
        const fields = body?.['fields'] as { field: string }[] | undefined
        expect(body?.['column'] ?? fields?.[0]?.field).toBe(field)
      })
      test('a change needs the version that it is based on', async () => {
        const { id } = await add()
        const changed = { name: 'Neu', url: `${receiver.url}/neu`, arten: ['tree.lost'], client_id: null }
        const put = (version: number) =>
          ask('PUT', `/prod-api/webhooks/${id}`, 'ogf_admin', { ...changed, version })
        expect((await put(1)).body?.['data']).toEqual({ version: 2 })
        expect((await put(1)).body).toMatchObject({ error: 'changed_meanwhile' })
        expect((await ask('PUT', `/prod-api/webhooks/${id}`, 'apus_admin', changed)).status).toBe(403)
        expect((await ask('PUT', '/prod-api/webhooks/99999', 'ogf_admin', changed)).status).toBe(403)
        expect((await ask('PUT', '/prod-api/webhooks/x', 'ogf_admin', changed)).status).toBe(404)
      })
    })

    describe('delivering', () => {
      test('what happens after it was made, of its kinds and its customer, signed, once, in order', async () => {
        await lose(TREE_B1)
        const { geheimnis } = await add({ client_id: A })
        await call('admin', 'update app.karte set show_client = true where id = $1', HIDDEN)
        await betrieb(`update app.habitatbaeume set verlust_datum = null, verlust_grund = null`)
        await lose(TREE_B1)
        await loseAgain(3)
        expect(await deliver()).toBe(3)
        expect(await deliver()).toBe(0)
        expect(receiver.received).toHaveLength(3)
        const [first] = receiver.received
        expect(JSON.parse(first!.body)).toMatchObject({
          type: 'tree.lost',
          data: { client_id: A, table: 'habitatbaeume', id: TREE_A1, details: { verlust_grund: 'windwurf' } },
        })
        expect(first!.headers['webhook-signature']).toBe(expectedSignature(geheimnis, first!))
        expect(positions()).toEqual(positions().toSorted((a, b) => a - b))
        expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
        expect(await log()).toMatchObject(
          Array.from({ length: 3 }, () => ({ zustand: 'zugestellt', status: 204, versuche: 1, grund: null })),
        )
      })
      test('a failure is tried again later, with the same number and a new time', async () => {
        const { id } = await add()
        await lose()
        receiver.answer = 500
        expect(await deliver()).toBe(1)
        expect(await hook(id)).toMatchObject({ fehler_folge: 1, wartend: '1' })
        expect(await deliver(), 'not at once').toBe(0)
        await pass('40 seconds')
        expect(await deliver(), 'not before 48 seconds').toBe(0)
        // Unless somebody asks for it.
        await call('ogf_admin', 'select app.a_repeat_zustellung($1)', (await log())[0]?.id)
        expect(await deliver()).toBe(1)
        receiver.received.pop()
        await pass('45 seconds')
        receiver.answer = 200
        await pass('35 seconds')
        clock = new Date(clock.getTime() + 75_000)
        expect(await deliver()).toBe(1)
        const [first, second] = receiver.received
        expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
        expect(second!.body).toBe(first!.body)
        expect(Number(second!.headers['webhook-timestamp'])).toBe(
          Number(first!.headers['webhook-timestamp']) + 75,
        )
        expect(await hook(id)).toMatchObject({ fehler_folge: 0, wartend: '0' })
      })
      test('asked for once more while another of the same webhook is on its way, it goes next', async () => {
        await add()
        await lose()
        receiver.answer = 422
        await deliver()
        const waits = (await log())[0]!
        await loseAgain(1)
        await betrieb('select dispatch.make_deliveries(); select dispatch.take_delivery()')
        const underWay = (await log()).find(({ id }) => id !== waits.id)!
        expect(underWay).toMatchObject({ zustand: 'wartet', versuche: 1 })
        await call('ogf_admin', 'select app.a_repeat_zustellung($1)', waits.id)
        // That one is the one more itself.
        await call('ogf_admin', 'select app.a_repeat_zustellung($1)', underWay.id)
        expect((await log()).find(({ id }) => id === underWay.id)).toMatchObject({ versuche: 1 })
        receiver.answer = 204
        expect(await deliver(), 'one at a time').toBe(0)
        await betrieb(`select dispatch.delivery_result(${underWay.id}, 1, 204, null, '', 1)`)
        expect(await deliver()).toBe(1)
        expect((await log()).map(({ zustand, versuche }) => [zustand, versuche])).toEqual([
          ['zugestellt', 1],
          ['zugestellt', 1],
        ])
      })
      test('pauses between attempts grow to a day, each a little different', async () => {
        const { rows } = await engine.owner.query<{ least: string; most: string }>(
          `select min(extract(epoch from dispatch.delivery_pause(n)))::integer || '' as least,
             max(extract(epoch from dispatch.delivery_pause(n)))::integer || '' as most
           from generate_series(1, 8) n, generate_series(1, 200) group by n order by n`,
        )
        const minutes = [1, 5, 25, 125, 625, 1440, 1440, 1440]
        for (const [at, { least, most }] of rows.entries()) {
          expect(Number(least)).toBeGreaterThanOrEqual(minutes[at]! * 60 * 0.799)
          expect(Number(most)).toBeLessThanOrEqual(minutes[at]! * 60 * 1.201 + 1)
          expect(Number(most)).toBeGreaterThan(Number(least))
        }
      })
      test('given up after eight attempts: paused, its admins are told, and going on delivers the rest', async () => {
        const { id } = await add({ name: 'Tot' })
        await lose()
        receiver.answer = 503
        for (let nr = 0; nr < 8; nr++) {
          expect(await deliver()).toBe(1)
          await pass('2 days')
        }
        expect(await hook(id)).toMatchObject({ pause: 'aufgegeben' })
        expect((await log())[0]).toMatchObject({
          zustand: 'aufgegeben',
          versuche: 8,
          status: 503,
          grund: 'status',
        })
        const told = await engine.owner.query<{ who: string; params: unknown }>(
          `select string_agg(user_id::text, ' ' order by user_id) as who from app.meldung where art = 'webhook_pause'`,
        )
        const admins = [
          numberOf('ogf_admin'),
          numberOf('admin'),
          numberOf('cut_by_ceiling'),
          numberOf('session_ended'),
        ]
        expect(told.rows[0]?.who.split(' ').map(Number)).toEqual(admins.toSorted((a, b) => a - b))
        receiver.answer = 204
        await loseAgain(2)
        expect(await deliver(), 'paused').toBe(0)
        await call('ogf_admin', 'select app.a_pause_webhook($1, false)', id)
        expect(await deliver()).toBe(2)
        // And the one that was given up, when somebody asks for it.
        const given = (await log()).find(({ zustand }) => zustand === 'aufgegeben')!
        await call('ogf_admin', 'select app.a_repeat_zustellung($1)', given.id)
        expect(await deliver()).toBe(1)
        expect((await log()).map(({ zustand }) => zustand)).toEqual([
          'zugestellt',
          'zugestellt',
          'zugestellt',
        ])
      })
      test('one event that the receiver does not like holds up no other and pauses nothing', async () => {
        const { id } = await add()
        await lose()
        receiver.answer = 422
        await deliver()
        receiver.answer = 204
        await loseAgain(1)
        expect(await deliver()).toBe(1)
        receiver.answer = 422
        for (let nr = 0; nr < 7; nr++) {
          await pass('2 days')
          expect(await deliver()).toBe(1)
          await loseAgain(1)
          receiver.answer = 204
          await deliver()
          receiver.answer = 422
        }
        expect((await log()).some(({ zustand }) => zustand === 'aufgegeben')).toBe(true)
        expect(await hook(id)).toMatchObject({ pause: null })
      })
      test('410 pauses at once; a pause by hand stops and goes on', async () => {
        const { id } = await add()
        await lose()
        receiver.answer = 410
        await deliver()
        expect(await hook(id)).toMatchObject({ pause: 'abgemeldet' })
        await call('ogf_admin', 'select app.a_pause_webhook($1, false)', id)
        await call('ogf_admin', 'select app.a_pause_webhook($1, true)', id)
        expect(await hook(id)).toMatchObject({ pause: 'von_hand' })
        const [given] = await log()
        await expect(
          call('ogf_admin', 'select app.a_repeat_zustellung($1)', given?.id),
        ).rejects.toMatchObject({ hint: 'webhook_pause' })
      })
      test.each([
        [503, `'status'`],
        [410, `'abgemeldet'`],
      ])(
        'what the former receiver answered with %i stays given up, and is no fault of the new one',
        async (status, why) => {
          const { id } = await add({ arten: ['tree.lost'] })
          await lose(TREE_B1)
          await betrieb('select dispatch.make_deliveries(); select dispatch.take_delivery()')
          const underWay = (await log())[0]!
          const wanted = { name: 'Hof A', url: `${receiver.url}/a`, arten: ['tree.lost'], client_id: A }
          expect((await ask('PUT', `/prod-api/webhooks/${id}`, 'ogf_admin', wanted)).status).toBe(200)
          await betrieb(`select dispatch.delivery_result(${underWay.id}, 1, ${status}, ${why}, '', 1)`)
          expect((await log())[0]).toMatchObject({ zustand: 'aufgegeben', versuche: 1 })
          expect(await hook(id)).toMatchObject({ pause: null, fehler_folge: 0 })
          await pass('1 hour')
          expect(await deliver()).toBe(0)
          // It had arrived after all.
          await betrieb(`select dispatch.delivery_result(${underWay.id}, 1, 204, null, '', 1)`)
          expect((await log())[0]).toMatchObject({ zustand: 'zugestellt' })
        },
      )
      test('what the webhook does not want any more is not taken, whatever became of it', async () => {
        await add({ arten: ['tree.lost'], client_id: A })
        await lose()
        await betrieb('select dispatch.make_deliveries()')
        await betrieb(`update dispatch.webhook set client_id = ${B}`)
        expect(await deliver()).toBe(0)
        expect((await log())[0]).toMatchObject({ zustand: 'aufgegeben', grund: 'abgebrochen' })
      })
      test('what waited for a receiver of all does not go to one of a single customer', async () => {
        const { id } = await add({ arten: ['tree.lost'] })
        await lose(TREE_B1)
        await lose()
        receiver.answer = 503
        await deliver()
        await call('ogf_admin', 'select app.a_pause_webhook($1, true)', id)
        const url = `${receiver.url}/a`
        const wanted = { name: 'Hof A', url, arten: ['tree.lost'], client_id: A }
        const { status } = await ask('PUT', `/prod-api/webhooks/${id}`, 'ogf_admin', wanted)
        expect(status).toBe(200)
        await call('ogf_admin', 'select app.a_pause_webhook($1, false)', id)
        receiver.answer = 204
        receiver.received.length = 0
        await pass('1 hour')
        expect(await deliver()).toBe(1)
        expect(receiver.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
          { data: { client_id: A, id: TREE_A1 } },
        ])
        const foreign = (await log()).find(({ zustand }) => zustand === 'aufgegeben')
        expect(foreign).toMatchObject({ grund: 'abgebrochen' })
        await expect(
          call('ogf_admin', 'select app.a_repeat_zustellung($1)', foreign?.id),
        ).rejects.toMatchObject({ hint: 'webhook_auswahl' })
      })
      test('a receiver’s Retry-After is waited for', async () => {
        await add({ url: `${receiver.url}/later` })
        await lose()
        await deliver()
        await pass('119 minutes')
        expect(await deliver()).toBe(0)
        await pass('2 minutes')
        expect(await deliver()).toBe(1)
      })
      test('a new secret signs beside the old one for a day', async () => {
        const { id, geheimnis } = await add()
        const made = await ask('POST', `/prod-api/webhooks/${id}/geheimnis`, 'ogf_admin')
        const newer = (made.body!['data'] as MadeWebhook).geheimnis
        await lose()
        await deliver()
        const both = receiver.received[0]!
        expect(both.headers['webhook-signature']).toBe(
          `${expectedSignature(newer, both)} ${expectedSignature(geheimnis, both)}`,
        )
        await pass('25 hours')
        await loseAgain(1)
        await deliver()
        const one = receiver.received[1]!
        expect(one.headers['webhook-signature']).toBe(expectedSignature(newer, one))
      })
      test('the installation’s secret is exchanged: read with the old one, kept with the new, or paused', async () => {
        const { id, geheimnis } = await add()
        await lose()
        expect(await deliver({ seal: sealOf('two', 'one') })).toBe(1)
        await loseAgain(1)
        expect(await deliver({ seal: sealOf('two') })).toBe(1)
        expect(receiver.received[1]!.headers['webhook-signature']).toBe(
          expectedSignature(geheimnis, receiver.received[1]!),
        )
        await loseAgain(1)
        await deliver({ seal: sealOf('three') })
        expect(receiver.received).toHaveLength(2)
        expect(await hook(id)).toMatchObject({ pause: 'geheimnis' })
      })
      test('so are those that nothing is sent with, as soon as every server has the new one', async () => {
        const { id } = await add()
        await ask('POST', `/prod-api/webhooks/${id}/geheimnis`, 'ogf_admin')
        const marks = async () => {
          const { rows } = await engine.owner.query<{ marks: string }>(
            `select split_part(geheimnis, ':', 1) || ' ' || split_part(geheimnis_alt, ':', 1) as marks
              from dispatch.webhook where id = ${id}`,
          )
          return rows[0]?.marks
        }
        expect(await resealWebhooks(asOwner, sealOf('three'))).toBe(true)
        expect(await marks()).toEqual('one one')
        expect(await countUnreadable(asOwner, sealOf('three'))).toBe(1)
        await engine.owner.script(
          `insert into idp.artefakt (model, id_hash, uid_hash, payload, expires_at)
            values ('Server', 'a', 'one', '{}', now() + interval '1 minute')`,
        )
        expect(await resealWebhooks(asOwner, sealOf('two', 'one'))).toBe(false)
        expect(await marks()).toEqual('one one')
        await engine.owner.script("delete from idp.artefakt where model = 'Server'")
        expect(await resealWebhooks(asOwner, sealOf('two', 'one'))).toBe(true)
        expect(await marks()).toEqual('two two')
        expect(await countUnreadable(asOwner, sealOf('two'))).toBe(0)
      })
      test('a test says at once what becomes of it, also of a paused one, and is in the log', async () => {
        const { id } = await add()
        await call('ogf_admin', 'select app.a_pause_webhook($1, true)', id)
        const test_ = async (name = 'ogf_admin') => await ask('POST', `/prod-api/webhooks/${id}/test`, name)
        expect((await test_()).body?.['data'] as WebhookTest).toMatchObject({ grund: null, status: 204 })
        receiver.answer = 500
        expect((await test_()).body?.['data'] as WebhookTest).toMatchObject({ grund: 'status', status: 500 })
        expect((await test_('apus_admin')).status).toBe(403)
        expect((await log()).map(({ art, zustand }) => `${art} ${zustand}`)).toEqual([
          'test aufgegeben',
          'test zugestellt',
        ])
        expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ type: 'test', data: {} })
        for (let nr = 0; nr < 12; nr++) await test_()
        expect(await log()).toHaveLength(10)
        await pass('9 days')
        expect(await deliver()).toBe(0)
      })
      test('a receiver that answers with another protocol is given up like all others, and a test of it ends', {
        timeout: 30_000,
      }, async () => {
        const { id } = await add({ url: `${receiver.url}/upgrade` })
        const { body } = await ask('POST', `/prod-api/webhooks/${id}/test`, 'ogf_admin')
        expect(body?.['data']).toMatchObject({ grund: 'nicht_erreichbar', status: null })
        await lose()
        expect(await deliver()).toBe(1)
        expect((await log())[0]).toMatchObject({ zustand: 'wartet', grund: 'nicht_erreichbar' })
      })
      test.each(['/999', '/099', '/far-off'])('%s is a failure that waits for its time', async (path) => {
        const { id } = await add({ url: `${receiver.url}${path}` })
        await lose()
        expect(await deliver()).toBe(1)
        expect((await log())[0]).toMatchObject({
          zustand: 'wartet',
          status: path === '/far-off' ? 503 : null,
        })
        expect(await hook(id)).toMatchObject({ fehler_folge: 1 })
        await pass('73 seconds')
        expect(await deliver()).toBe(path === '/far-off' ? 0 : 1)
      })
      /** The database fails at what `fails` says. */
      const failing = (fails: (values: readonly unknown[]) => boolean): Partial<DeliverOptions> => ({
        asOwner: (work) =>
          asOwner((owner) =>
            work({
              ...owner,
              engine: owner.engine,
              script: (text) => owner.script(text),
              close: () => owner.close(),
              query: async (text, values) => {
                if (text.includes('delivery_result') && fails(values ?? [])) throw new Error('crashed')
                return owner.query(text, values)
              },
            }),
          ),
      })
      test('a result that the database does not take counts as a failure', async () => {
        const { id } = await add()
        await lose()
        expect(await deliver(failing((values) => values[2] === 204))).toBe(1)
        expect((await log())[0]).toMatchObject({ zustand: 'wartet', status: null, grund: 'nicht_erreichbar' })
        expect(await hook(id)).toMatchObject({ fehler_folge: 1 })
      })
      test('after eight attempts without a result it is given up, and what comes next is delivered', {
        timeout: 60_000,
      }, async () => {
        await add()
        await lose()
        const crashing = failing(() => true)
        for (let nr = 0; nr < 8; nr++) {
          await expect(deliver(crashing)).rejects.toThrow('crashed')
          await pass('61 seconds')
        }
        expect(receiver.received).toHaveLength(8)
        expect(await deliver()).toBe(0)
        expect((await log())[0]).toMatchObject({ zustand: 'aufgegeben', versuche: 8, grund: 'abgebrochen' })
        await loseAgain(1)
        expect(await deliver()).toBe(1)
      })
      test('a slow receiver holds up no other', { timeout: 60_000 }, async () => {
        await add({ url: `${receiver.url}/drips` })
        await lose()
        await add()
        await loseAgain(4)
        const started = Date.now()
        const work = deliver({ sending: { ...options.sending, timeMs: 6_000 } })
        await expect.poll(() => receiver.received.filter(({ path }) => path === '/').length).toBe(4)
        const fast = receiver.received.filter(({ path }) => path === '/').map(({ at }) => at - started)
        await work
        expect(Math.max(...fast)).toBeLessThan(5_000)
        expect(receiver.received.filter(({ path }) => path === '/drips')).toHaveLength(1)
      })
      test('several servers at the same time send each once', { timeout: 60_000 }, async () => {
        await add()
        await add()
        await loseAgain(8)
        const attempts = await Promise.all([deliver(), deliver(), deliver()])
        expect(attempts.reduce((sum, one) => sum + one, 0)).toBe(16)
        expect(receiver.received).toHaveLength(16)
        expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(16)
      })
      test('what a server had when it crashed is sent by another after a minute', async () => {
        await add()
        await lose()
        await expect(deliver(failing(() => true))).rejects.toThrow('crashed')
        expect(receiver.received).toHaveLength(1)
        expect(await deliver()).toBe(0)
        await pass('61 seconds')
        expect(await deliver()).toBe(1)
        const [first, second] = receiver.received
        expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
      })
      test('a thousand wait at most; the rest follows when they are gone', { timeout: 120_000 }, async () => {
        const { id } = await add()
        await betrieb(`insert into app.ereignis (art, client_id, tabelle, datensatz, inhalt)
          select 'tree.lost', ${A}, 'habitatbaeume', n, '{}' from generate_series(1, 2300) n`)
        const fan = () => betrieb('do $$ begin perform dispatch.make_deliveries(); end $$')
        for (let nr = 0; nr < 6; nr++) await fan()
        expect(Number((await hook(id))?.wartend)).toBeLessThanOrEqual(1_499)
        await betrieb(`update dispatch.zustellung set zustand = 'zugestellt'`)
        for (let nr = 0; nr < 6; nr++) await fan()
        await betrieb(`update dispatch.zustellung set zustand = 'zugestellt'`)
        for (let nr = 0; nr < 6; nr++) await fan()
        const { rows } = await engine.owner.query<{ n: string }>(
          'select count(*)::text as n from dispatch.zustellung',
        )
        expect(rows[0]?.n).toBe('2300')
      })
    })

    describe('the feed', () => {
      const changes = async (name: string | null, query: string, headers = {}) =>
        await ask('GET', `/changes${query}`, name, undefined, headers)
      const page = async (name: string, query: string) =>
        (await changes(name, query)).body as unknown as Changes
      const start = async () => (await page('admin', '?after=0&limit=1000')).next

      test('goes on from the last answer, page by page, and says when there is more', async () => {
        await betrieb('delete from app.ereignis where id > 1000')
        await loseAgain(5)
        const first = await page('ogf_admin', '?limit=3&after=9')
        expect(first).toMatchObject({ more: true })
        expect(first.changes).toHaveLength(3)
        expect(first.next).toBe(first.changes.at(-1)?.data.position)
        const second = await page('ogf_admin', `?limit=3&after=${first.next}`)
        expect(second).toMatchObject({ more: false })
        expect(second.changes).toHaveLength(2)
        const third = await page('ogf_admin', `?after=${second.next}`)
        expect(third).toEqual({ changes: [], next: second.next, more: false })
        expect(second.changes[0]?.type).toBe('tree.lost')
      })
      test('tells each what they may see, and moves everybody on', async () => {
        const from = await start()
        await call('admin', 'update app.karte set show_client = true where id = $1', HIDDEN)
        await lose()
        await lose(TREE_B1)
        const seen = async (name: string, more = '') => {
          const { changes: found, next } = await page(name, `?after=${from}${more}`)
          return [found.map(({ type, data }) => `${type} ${data.client_id}`).join(), next > from]
        }
        const [plan, tree, foreign] = [`plan.published ${A}`, `tree.lost ${A}`, `tree.lost ${B}`]
        expect(await seen('admin')).toEqual([`${plan},${tree},${foreign}`, true])
        expect(await seen('apus_team')).toEqual([plan, true])
        expect(await seen('ogf_team')).toEqual([`${tree},${foreign}`, true])
        expect(await seen('kundenadmin')).toEqual([tree, true])
        expect(await seen('ogf_standard')).toEqual([tree, true])
        expect(await seen('inactive_fb')).toEqual(['', true])
        expect(await seen('appuser')).toEqual([plan, true])
        expect(await seen('ogf_init')).toEqual(['', true])
        expect(await seen('admin', '&kinds=tree.lost')).toEqual([`${tree},${foreign}`, true])
        expect(await seen('admin', `&kinds=tree.lost,plan.published&kunde=${B}`)).toEqual([foreign, true])
        // No longer shown: no longer reported.
        await call('admin', 'update app.karte set show_client = false where id = $1', HIDDEN)
        expect(await seen('appuser')).toEqual(['', true])
        expect(SHOWN).not.toBe(HIDDEN)
      })
      test('tells a key what it is narrowed to', async () => {
        const from = await start()
        await call('admin', 'update app.karte set show_client = true where id = $1', HIDDEN)
        await lose()
        await lose(TREE_B1)
        let id = 40_000
        const withKey = async (narrowing: Partial<Parameters<typeof insertKey>[0]>) => {
          id++
          await betrieb(
            insertKey({
              user_id: numberOf('admin'),
              id,
              groups: ['appuser_apus_admin'],
              nur_lesen: true,
              ...narrowing,
            }),
          )
          const { status, body } = await changes(`key:${id}`, `?after=${from}`)
          if (status !== 200) return [status, body?.['hint']]
          return (body as unknown as Changes).changes.map(({ type, data }) => `${type} ${data.client_id}`)
        }
        expect(await withKey({})).toHaveLength(3)
        expect(await withKey({ gruppen: ['karten'] })).toEqual([`plan.published ${A}`])
        expect(await withKey({ client_id: B })).toEqual([`tree.lost ${B}`])
        expect(await withKey({ haelfte: 'draenage' })).toEqual([`plan.published ${A}`])
        expect(await withKey({ gruppen: ['notizen'] })).toEqual([403, 'key_group'])
      })
      test('refuses by name what cannot be, and nobody gets in without signing in', async () => {
        for (const query of [
          '?after=x',
          '?after=-1',
          '?limit=0',
          '?limit=1001',
          '?wait=26',
          '?kunde=',
          '?kinds=x',
          '?nach=5',
        ]) {
          const { status, body, headers } = await changes('admin', query)
          expect([status, body?.['code']], query).toEqual([400, 'bad_value'])
          expect(body?.['detail']).toContain(/^\?(\w+)/.exec(query)?.[1])
          expect(headers['content-type']).toContain('application/problem+json')
        }
        const { status, headers } = await changes(null, '')
        expect(status).toBe(401)
        expect(headers['www-authenticate']).toMatch(/^Basic/)
      })
      test('from a position that is gone, or not there yet: 410', async () => {
        const now = await start()
        const gone = async (after: number | string) => {
          const { status, body } = await changes('admin', `?after=${after}`)
          return [status, body?.['code'] ?? null]
        }
        expect(await gone(now)).toEqual([200, null])
        expect(await gone(now + 1)).toEqual([410, 'changes_gone'])
        expect(await gone('999999999999999')).toEqual([410, 'changes_gone'])
        // As after a restored dump: positions of another past.
        await engine.owner.query("select setval('app.ereignis_id_seq', $1)", [now + 1_000_000])
        await lose()
        expect(await gone(now)).toEqual([200, null])
        expect(await gone(now + 1)).toEqual([410, 'changes_gone'])
        expect(await gone(await start())).toEqual([200, null])
        await betrieb('update dispatch.ereignis_ende set entfernt_bis = 8')
        expect(await gone(7)).toEqual([410, 'changes_gone'])
        expect(await gone(8)).toEqual([200, null])
        expect((await changes('admin', '?limit=1')).status).toBe(200)
        await betrieb('update dispatch.ereignis_ende set entfernt_bis = 0')
      })
      test('answers 304 to who has it already', async () => {
        const from = await start()
        const first = await changes('admin', `?after=${from}`)
        const etag = String(first.headers['etag'])
        const again = await changes('admin', `?after=${from}`, { 'if-none-match': etag })
        expect([again.status, again.body]).toEqual([304, null])
        await lose()
        expect((await changes('admin', `?after=${from}`, { 'if-none-match': etag })).status).toBe(200)
      })
      test('waits until there is something for the caller, and not longer than asked', {
        timeout: 60_000,
      }, async () => {
        const from = await start()
        const started = Date.now()
        const waiting = page('ogf_admin', `?after=${from}&wait=20`)
        const foreign = page('apus_team', `?after=${from}&wait=3`)
        setTimeout(() => void lose(), 300)
        const answer = await waiting
        expect(answer.changes).toHaveLength(1)
        expect(Date.now() - started).toBeLessThan(6_000)
        // Of no interest to this one: an empty answer after its time, which moves on all the same.
        expect(await foreign).toMatchObject({ changes: [], next: answer.next })
        expect(Date.now() - started).toBeGreaterThanOrEqual(2_900)
      })
      test('of one caller four wait at most, the others are answered at once', {
        timeout: 60_000,
      }, async () => {
        const from = await start()
        const started = Date.now()
        const times = await Promise.all(
          Array.from({ length: 7 }, async () => {
            await page('apus_team', `?after=${from}&wait=3`)
            return Date.now() - started
          }),
        )
        expect(times.filter((ms) => ms > 2_800)).toHaveLength(4)
      })
      test('all keys of a person and the person themselves are one caller', { timeout: 60_000 }, async () => {
        const [at] = await call<{ letzte: number }>(
          'admin',
          'select letzte::integer as letzte from dispatch.event_range()',
        )
        const from = at!.letzte
        const keys = Array.from({ length: 6 }, (_, nr) => 60_000 + nr)
        for (const id of keys)
          await betrieb(insertKey({ user_id: numberOf('admin'), id, groups: ['appuser_apus_admin'] }))
        const started = Date.now()
        const times = await Promise.all(
          ['admin', ...keys.map((id) => `key:${id}`)].map(async (name) => {
            expect((await changes(name, `?after=${from}&wait=3`)).status).toBe(200)
            return Date.now() - started
          }),
        )
        expect(times.filter((ms) => ms > 2_800)).toHaveLength(4)
      })
    })
  })
