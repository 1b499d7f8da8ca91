// Events beyond the matrix: which acts write one, in which order readers see them, what keys see, how long they are
// kept.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_KINDS } from '#domain/ereignis.ts'
import type { Context, Database } from '#server/database/database.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { TREE_A1, TREE_B1 } from './cells/habitat.ts'
import { HIDDEN } from './cells/karte.ts'
import { insertKey } from './cells/zugang.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, type IdentityName } from './world.ts'

const LINES = [{ bez: 'Vermessung', anzahl: '2.5', einheit: 'h', ep: '80.50' }]
const TODAY = officeDay(new Date())

interface Event {
  readonly id: string
  readonly art: string
  readonly client_id: number
  readonly tabelle: string
  readonly datensatz: string
  readonly inhalt: Record<string, unknown>
}

function caller(api: Database, name: IdentityName) {
  const run = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
    (await api.once<T>(asCaller(claimsOf(name)), sql(text, ...values))).rows
  const value = async <T>(text: string, ...values: unknown[]): Promise<T> =>
    Object.values((await run<Record<string, unknown>>(`select ${text}`, ...values))[0]!)[0] as T
  return { run, value }
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`events on ${engineName}`, () => {
    let engine: Engine
    let admin: ReturnType<typeof caller>
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      admin = caller(engine.api, 'admin')
    })
    afterAll(() => engine?.close())
    const betrieb = (text: string) =>
      engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
    const last = async () => {
      const { rows } = await engine.owner.query<{ id: string }>(
        'select max(id)::text as id from app.ereignis',
      )
      return Number(rows[0]?.id ?? 0)
    }
    const since = async (position: number): Promise<Event[]> => {
      const { rows } = await engine.owner.query<Event & { inhalt: unknown }>(
        `select id::text as id, art, client_id, tabelle, datensatz::text as datensatz, inhalt from app.ereignis
         where id > $1 order by id`,
        [position],
      )
      return rows.map((row) => ({
        ...row,
        client_id: Number(row.client_id),
        inhalt: typeof row.inhalt === 'string' ? JSON.parse(row.inhalt) : row.inhalt,
      }))
    }
    /** What `work` has written, without positions. */
    const written = async (work: () => Promise<unknown>) => {
      const before = await last()
      await work()
      return (await since(before)).map(({ art, client_id, tabelle, inhalt }) => ({
        art,
        client_id,
        tabelle,
        ...inhalt,
      }))
    }
    const tree = (id: number, set: string) =>
      admin.run(`update app.habitatbaeume set ${set} where id = $1`, id)
    let lostBefore = 0
    /** Another loss each time: the same one is reported once a day. */
    const lost = () => `verlust_datum = checks.today() - ${lostBefore++}, verlust_grund = 'windwurf'`
    const FOUND = 'verlust_datum = null, verlust_grund = null'

    test('the kinds of a half are those of the screens', async () => {
      for (const half of ['forst', 'draenage'] as const)
        expect(await admin.value<string>(`array_to_string(dispatch.kinds_of_half($1), ' ')`, half)).toEqual(
          EVENT_KINDS[half].join(' '),
        )
    })

    describe('each act writes its event', () => {
      const draft = async () => {
        const id = Number(await admin.value('app.a_add_invoice($1, $2, $3, 19)', w.A, TODAY, '2026-01-31'))
        await admin.value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(LINES), id)
        return id
      }
      test('an invoice, when it is issued, and its Storno; a draft writes none', async () => {
        let id = 0
        expect(
          await written(async () => {
            id = await draft()
          }),
        ).toEqual([])
        const [issued] = await written(() => admin.run('select app.a_issue_invoice($1)', id))
        expect(issued).toMatchObject({
          art: 'rechnung',
          client_id: w.A,
          tabelle: 'rechnung',
          datum: TODAY,
          nummer: expect.stringMatching(/^RE-/) as string,
        })
        const storno = await written(() => admin.run('select app.a_cancel_invoice($1, null, $2)', id, 'x'))
        expect(storno).toMatchObject([{ art: 'storno', tabelle: 'rechnung', client_id: w.A }])
        expect(await written(() => admin.run('select app.a_set_archive_for_rn($1, true)', id))).toEqual([])
      })
      test('an offer, when it is issued and with each decision', async () => {
        const id = Number(await admin.value('app.a_add_offer($1, $2, 19)', w.A, TODAY))
        await admin.value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(LINES), id)
        const issued = await written(() => admin.run('select app.a_issue_offer($1)', id))
        expect(issued).toMatchObject([{ tabelle: 'angebot', art: 'angebot', fassung: 1 }])
        expect(await written(() => admin.run('select app.a_decide_offer($1, true)', id))).toMatchObject([
          { tabelle: 'angebot', status: 'angenommen', nummer: issued[0]?.['nummer' as never] },
        ])
        expect(await written(() => admin.run('select app.a_decide_offer($1, false)', id))).toMatchObject([
          { tabelle: 'angebot', status: 'abgelehnt' },
        ])
        // A revision that is begun and thrown away decides nothing once more.
        let revision = 0
        expect(
          await written(async () => {
            revision = Number(await admin.value('app.a_revise_offer($1)', id))
            await admin.run('select app.a_delete_offer($1)', revision)
          }),
        ).toEqual([])
      })
      test('a reminder', async () => {
        const found = await written(() =>
          engine.owner.script(
            `begin; insert into app.mahnung (client_id, rechnung_id, stufe, datum, faellig, beleg)
               select client_id, id, 1, checks.today(), checks.today() + 10, beleg
               from app.rechnung where id = 3; commit`,
          ),
        )
        expect(found).toMatchObject([{ art: 'mahnung', client_id: w.B, stufe: 1, rechnung_id: 3 }])
      })
      test('a plan, when it is released and when it has a new georeferenced file meanwhile', async () => {
        const show = (shown: boolean) =>
          admin.run('update app.karte set show_client = $2 where id = $1', HIDDEN, shown)
        expect(await written(() => show(true))).toEqual([
          { art: 'plan.published', client_id: w.A, tabelle: 'karte', anlass: 'freigegeben' },
        ])
        expect(await written(() => show(true))).toEqual([])
        const file = `insert into app.karte_datei (karte_id, client_id, art, name, mime, groesse, sha256, breite,
            hoehe, epsg, umriss, georef_typ)
          values (${HIDDEN}, ${w.A}, 'ergebnis', 'a.tif', 'image/tiff', 1, repeat('a', 64), 1, 1, 25833, '[]',
            'helmert')`
        expect(await written(() => engine.owner.script(file))).toMatchObject([{ anlass: 'neues_ergebnis' }])
        expect(await written(() => show(false))).toEqual([])
        expect(await written(() => engine.owner.script(file))).toEqual([])
        expect(
          await written(() =>
            admin.run(
              `insert into app.karte (client_id, map_name, epsg, show_client) values ($1, 'Neu', 25833, true)`,
              w.A,
            ),
          ),
        ).toHaveLength(1)
      })
      test('a plan that is released, when it gets another customer: to the one who sees it now', async () => {
        const move = (id: number, kunde: number) =>
          written(() => admin.run('update app.karte set client_id = $2 where id = $1', id, kunde))
        const insert = `insert into app.karte (client_id, map_name, epsg, show_client)
          values ($1, 'Umzug', 25833, $2) returning id`
        const [shown] = await admin.run<{ id: number }>(insert, w.A, true)
        const [hidden] = await admin.run<{ id: number }>(insert, w.A, false)
        expect(await move(Number(shown!.id), w.B)).toEqual([
          { art: 'plan.published', client_id: w.B, tabelle: 'karte', anlass: 'freigegeben' },
        ])
        expect(await move(Number(shown!.id), w.B)).toEqual([])
        expect(await move(Number(hidden!.id), w.B)).toEqual([])
        expect(
          await written(() =>
            admin.run(
              'update app.karte set client_id = $2, show_client = false where id = $1',
              shown!.id,
              w.A,
            ),
          ),
        ).toEqual([])
      })
      test('a tree, when it is lost; not when something else of it changes', async () => {
        expect(await written(() => tree(TREE_A1, lost()))).toMatchObject([
          { art: 'tree.lost', client_id: w.A, idHQ: w.A1, verlust_grund: 'windwurf', verlust_datum: TODAY },
        ])
        expect(await written(() => tree(TREE_A1, `verlust_grund = 'brand'`))).toEqual([])
        expect(await written(() => tree(TREE_A1, FOUND))).toEqual([])
      })
      test('what is rolled back and what a restore writes leaves none', async () => {
        const before = await last()
        await expect(
          engine.api.transaction(asCaller(claimsOf('admin')), async (tx) => {
            await tx.query(sql(`update app.habitatbaeume set ${lost()} where id = $1`, TREE_B1))
            throw new Error('undone')
          }),
        ).rejects.toThrow('undone')
        await betrieb(`update app.habitatbaeume set ${lost()} where id = ${TREE_B1}`)
        await betrieb(
          `update app.habitatbaeume set verlust_datum = null, verlust_grund = null where id = ${TREE_B1}`,
        )
        expect(await since(before)).toEqual([])
      })
      test('no event says more than numbers and days', async () => {
        for (const { inhalt } of await since(1000))
          for (const key of Object.keys(inhalt))
            expect([
              'art',
              'nummer',
              'fassung',
              'datum',
              'stufe',
              'rechnung_id',
              'status',
              'anlass',
              'kennung',
              'idHQ',
              'verlust_datum',
              'verlust_grund',
              'anzahl',
            ]).toContain(key)
      })
    })

    describe('many trees', () => {
      const [FIRST, COUNT] = [500_000, 1_400]
      const update = (set: string, more = 'true') =>
        engine.owner.script(`update app.habitatbaeume set ${set} where id >= ${FIRST} and ${more}`)
      const findAll = () => betrieb(`update app.habitatbaeume set ${FOUND} where id >= ${FIRST}`)
      const SAME = `verlust_datum = checks.today() - 3000, verlust_grund = 'brand'`
      // Those of A1 and of B1 by turns.
      beforeAll(async () => {
        // The history of changes takes most of the time and is not what this is about.
        await engine.owner.script('alter table app.habitatbaeume disable trigger z_verlauf')
        await betrieb(`insert into app.habitatbaeume (id, kennung, client_id, "idHQ", art, erfasst_am, lon, lat,
            lage_methode)
          select ${FIRST} + n, gen_random_uuid(), case n % 2 when 0 then ${w.A} else ${w.B} end,
            case n % 2 when 0 then ${w.A1} else ${w.B1} end, 'bu', checks.today(), 10, 51, 'karte'
          from generate_series(0, ${COUNT - 1}) n`)
      })
      afterAll(async () => {
        await betrieb(`delete from app.habitatbaeume where id >= ${FIRST}`)
        await engine.owner.script('alter table app.habitatbaeume enable trigger z_verlauf')
      })
      const summaries = (events: readonly object[]) => events.filter((event) => 'anzahl' in event)

      test('a thousand of a transaction are told one by one, the others as a number for each holding', {
        timeout: 180_000,
      }, async () => {
        const events = await written(() => update(SAME))
        expect(events).toHaveLength(1_002)
        expect(summaries(events)).toEqual([
          { art: 'tree.lost', client_id: w.A, tabelle: 'habitatbaeume', idHQ: w.A1, anzahl: 200 },
          { art: 'tree.lost', client_id: w.B, tabelle: 'habitatbaeume', idHQ: w.B1, anzahl: 200 },
        ])
        const { rows } = await engine.owner.query<{ n: string }>(
          'select count(*)::text as n from app.ereignis where id < 0 or client_id = 0',
        )
        expect(rows[0]?.n).toBe('0')
      })
      test('a number is told to those who see the holding', async () => {
        const seen = async (name: IdentityName) =>
          (
            await caller(engine.api, name).run<{ kunde: number }>(
              `select client_id::integer as kunde from app.ereignis where inhalt ? 'anzahl' order by id`,
            )
          ).map(({ kunde }) => kunde)
        expect(await seen('ogf_team')).toEqual([w.A, w.B])
        expect(await seen('kundenadmin')).toEqual([w.A])
        expect(await seen('ogf_standard')).toEqual([w.A])
        expect(await seen('apus_admin')).toEqual([])
      })
      test('the same loss, taken back and set again, is told once a day; what was only counted is told', {
        timeout: 180_000,
      }, async () => {
        await findAll()
        const second = await written(() => update(SAME))
        expect(second).toHaveLength(400)
        expect(summaries(second)).toEqual([])
        await findAll()
        expect(await written(() => update(SAME))).toEqual([])
        await findAll()
        await betrieb(`update app.ereignis set am = am - interval '25 hours' where datensatz = ${FIRST}`)
        expect(await written(() => update(SAME))).toHaveLength(1)
        await findAll()
        expect(await written(() => update(lost(), `id < ${FIRST} + 5`))).toHaveLength(5)
        await findAll()
      })
      test('several statements of a transaction count together, and what a savepoint takes back does not', {
        timeout: 180_000,
      }, async () => {
        const found = `update app.habitatbaeume set ${FOUND} where id >= ${FIRST};`
        const lose = (from: number, to: number, days: number) =>
          `update app.habitatbaeume set verlust_datum = checks.today() - ${days}, verlust_grund = 'zersetzt'
           where id >= ${FIRST + from} and id < ${FIRST + to};`
        const events = await written(() =>
          engine.owner.script(`begin; savepoint a; ${lose(0, 1_400, 4_000)} rollback to a;
            ${lose(0, 500, 4_001)} ${lose(500, 1_200, 4_001)} ${lose(1_200, 1_400, 4_001)}
            ${found} ${lose(0, 500, 4_001)} commit`),
        )
        expect(events).toHaveLength(1_002)
        expect(summaries(events)).toMatchObject([{ anzahl: 200 }, { anzahl: 200 }])
        await findAll()
      })
      test('whoever issues waits for the end of it only', { timeout: 60_000 }, async ({ skip }) => {
        // One transaction at a time there.
        if (engineName === 'embedded') skip()
        const wrote = Promise.withResolvers<void>()
        const release = Promise.withResolvers<void>()
        const slow = engine.api.transaction(asCaller(claimsOf('admin')), async (tx) => {
          await tx.query(sql(`update app.habitatbaeume set ${lost()} where id >= ${FIRST}`))
          wrote.resolve()
          await release.promise
        })
        await Promise.race([wrote.promise, slow])
        expect(
          await written(() => admin.run('update app.karte set show_client = true where id = $1', HIDDEN)),
        ).toHaveLength(1)
        release.resolve()
        await slow
        await betrieb(`update app.kartenblatt set show_client = id <> ${HIDDEN}`)
      })
    })

    describe('positions', () => {
      test('are given in the order of the commits, whoever wrote first', async ({ skip }) => {
        // One transaction at a time there.
        if (engineName === 'embedded') skip()
        const before = await last()
        const release = Promise.withResolvers<void>()
        const wrote = Promise.withResolvers<void>()
        const slow = engine.api.transaction(asCaller(claimsOf('admin')), async (tx) => {
          await tx.query(sql(`update app.habitatbaeume set ${lost()} where id = $1`, TREE_A1))
          wrote.resolve()
          await release.promise
        })
        await wrote.promise
        // Began later and is ready earlier: waits for nobody.
        await tree(TREE_B1, lost())
        expect((await since(before)).map(({ datensatz }) => Number(datensatz))).toEqual([TREE_B1])
        release.resolve()
        await slow
        expect((await since(before)).map(({ datensatz }) => Number(datensatz))).toEqual([TREE_B1, TREE_A1])
        await betrieb('update app.habitatbaeume set verlust_datum = null, verlust_grund = null')
      })
      test('a reader who always goes on from the last one misses none of many writers', {
        timeout: 120_000,
      }, async () => {
        const before = await last()
        await betrieb(`update app.kartenblatt set show_client = false`)
        let writing = true
        const toggle = async (id: number) => {
          for (let round = 0; round < 12; round++)
            await engine.api.transaction(asCaller(claimsOf('admin')), async (tx) => {
              await tx.query(sql('update app.karte set show_client = true where id = $1', id))
              if (engineName === 'postgres') await new Promise((go) => setTimeout(go, Math.random() * 12))
              await tx.query(sql('update app.karte set show_client = false where id = $1', id))
            })
        }
        const seen: number[] = []
        const read = async () => {
          let after = before
          let isLast = false
          while (!isLast) {
            isLast = !writing
            const rows = await admin.run<{ id: string }>(
              'select id::text as id from app.ereignis where id > $1 order by id limit 5',
              after,
            )
            seen.push(...rows.map(({ id }) => Number(id)))
            after = seen.at(-1) ?? before
            if (rows.length > 0) isLast = false
          }
        }
        const { rows } = await engine.owner.query<{ id: number }>(
          'select id from app.kartenblatt order by id limit 3',
        )
        const reading = read()
        await Promise.all(rows.map(({ id }) => toggle(Number(id))))
        writing = false
        await reading
        const all = (await since(before)).map(({ id }) => Number(id))
        expect(all).toHaveLength(rows.length * 12)
        expect(seen).toEqual(all)
        await betrieb(`update app.kartenblatt set show_client = id <> ${HIDDEN}`)
      })
    })

    describe('a key', () => {
      const withKey = async (narrowing: Partial<Parameters<typeof insertKey>[0]>): Promise<Context> => {
        const id = 20_000 + Math.floor(Math.random() * 1e6)
        await betrieb(
          insertKey({ user_id: w.numberOf('admin'), id, groups: ['appuser_apus_admin'], ...narrowing }),
        )
        const claims = { iss: w.ISS, sub: 'admin', iat: 0, groups: [], key: String(id) }
        return {
          role: 'programm',
          settings: { 'request.jwt.claims': JSON.stringify(claims), 'request.path': '/ereignis' },
          preRequest: CHECK_REQUEST,
        }
      }
      const kinds = async (context: Context) =>
        (
          await engine.api.once<{ art: string; kunde: number }>(
            context,
            sql(
              'select distinct art, client_id as kunde from app.ereignis where id < 10 order by art, kunde',
            ),
          )
        ).rows.map(({ art, kunde }) => `${art} ${kunde}`)
      test('of groups, a half or a customer sees theirs', async () => {
        expect(await kinds(await withKey({}))).toHaveLength(7)
        expect(await kinds(await withKey({ gruppen: ['karten'] }))).toEqual([
          `plan.published ${w.A}`,
          `plan.published ${w.B}`,
        ])
        expect(await kinds(await withKey({ gruppen: ['habitat', 'belege'], client_id: w.B }))).toEqual([
          `document.issued ${w.B}`,
          `tree.lost ${w.B}`,
        ])
        expect(await kinds(await withKey({ haelfte: 'forst' }))).toEqual([
          `tree.lost ${w.A}`,
          `tree.lost ${w.B}`,
        ])
        expect((await kinds(await withKey({ haelfte: 'draenage' }))).join()).not.toContain('tree')
        await expect(kinds(await withKey({ gruppen: ['notizen'] }))).rejects.toMatchObject({
          hint: 'key_group',
        })
      })
    })

    describe('keeping', () => {
      const range = async () =>
        (
          await admin.run<{ entfernt_bis: number; letzte: number }>(
            'select entfernt_bis::integer as entfernt_bis, letzte::integer as letzte from dispatch.event_range()',
          )
        )[0]
      test('forgets what is older, and says up to where; the last position stays', async () => {
        const lastEvent = await last()
        expect(await range()).toEqual({ entfernt_bis: 0, letzte: lastEvent })
        // As in a new installation.
        await betrieb('delete from dispatch.ereignis_ende')
        expect(await range()).toEqual({ entfernt_bis: 0, letzte: lastEvent })
        await betrieb(`update app.ereignis set am = now() - interval '91 days' where id <= 5`)
        await betrieb(`do $$ begin perform dispatch.forget_events(90); end $$`)
        expect(await range()).toEqual({ entfernt_bis: 5, letzte: lastEvent })
        await betrieb(`update app.ereignis set am = now() - interval '91 days'`)
        await betrieb(`do $$ begin perform dispatch.forget_events(90); end $$`)
        expect(await range()).toEqual({ entfernt_bis: lastEvent, letzte: lastEvent })
        await tree(TREE_A1, lost())
        expect((await range())?.letzte).toBeGreaterThan(lastEvent)
        expect(await range()).toMatchObject({ entfernt_bis: lastEvent })
      })
      test('with a customer’s data their events and webhooks go', async () => {
        await betrieb(`delete from app.abo where client_id = ${w.B}`)
        await tree(TREE_B1, lost())
        await betrieb(`insert into dispatch.webhook (id, haelfte, name, url, arten, client_id, geheimnis, zeichen,
            stand)
          values (77, 'forst', 'B', 'https://b.example', '{tree.lost}', ${w.B}, repeat('x', 60), 'abcd', 0)`)
        await betrieb(`do $$ begin perform dispatch.make_deliveries(); end $$`)
        const left = async () =>
          (
            await engine.owner.query<{ n: string }>(
              `select (select count(*) from app.ereignis where client_id = ${w.B}) || ' ' ||
                 (select count(*) from dispatch.zustellung where client_id = ${w.B}) || ' ' ||
                 (select count(*) from dispatch.webhook where client_id = ${w.B}) as n`,
            )
          ).rows[0]?.n
        expect(await left()).toMatch(/^1 [1-9] 1$/)
        await admin.run(`select app.a_delete_kunde_daten($1, 'Forst B')`, w.B)
        expect(await left()).toBe('0 0 0')
      })
    })
  })
