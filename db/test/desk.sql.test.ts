// The start page's figures against plain counts with the same rights, and what waits for whom.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Desk, DeskNews } from '#contract/desk.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`the desk on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())

    const value = async <T>(role: w.IdentityName, text: string): Promise<T> => {
      const { rows } = await engine.api.once<{ found: T }>(
        asCaller(w.claimsOf(role)),
        sql(`select (${text})::text as found`),
      )
      return JSON.parse(String(rows[0]!.found)) as T
    }
    const deskOf = (role: w.IdentityName) => value<Desk>(role, 'app.__o_get_desk()')

    test('figures are the counts of the caller', async () => {
      const tables = {
        kunden: 'kunde',
        forstbetriebe: 'hq',
        nutzer: 'benutzer',
        baeume: 'habitatbaeume',
        karten: 'kartenblatt',
      }
      let compared = 0
      for (const role of ['ogf_admin', 'apus_team', 'admin', 'kundenadmin', 'ogf_standard'] as const)
        for (const { art, wert } of (await deskOf(role)).zahlen) {
          expect(wert, `${role} ${art}`).toBe(await value(role, `select count(*) from app.${tables[art]}`))
          compared++
        }
      expect(compared).toBeGreaterThan(8)
    })

    test('growth is of thirty days, beside the thirty before; months are the last twelve', async () => {
      const count = async () => {
        const desk = await deskOf('ogf_admin')
        return { ...desk.zahlen.find(({ art }) => art === 'baeume')!, months: desk.baeume }
      }
      const before = await count()
      await engine.owner.script(
        `begin; set local role forst_betrieb;
         insert into app.habitatbaeume (kennung, client_id, "idHQ", nummer, art, zustand, status, erfasst_am, lon, lat)
         select gen_random_uuid(), ${w.A}, ${w.A1}, 'D' || back, 'bu', 'lebend', 'baum',
           checks.today() - back, 10, 51
         from unnest(array[0, 29, 30, 59, 60]) back;
         commit`,
      )
      const after = await count()
      expect(after.wert - before.wert).toBe(5)
      expect(after.neu! - before.neu!).toBe(2)
      expect(after.zuvor! - before.zuvor!).toBe(2)
      expect(after.months).toHaveLength(12)
      const sum = (months: typeof after.months) => months.reduce((all, { anzahl }) => all + anzahl, 0)
      expect(sum(after.months) - sum(before.months)).toBe(5)
      expect(after.months.at(-1)!.monat).toBe((await deskOf('ogf_admin')).heute.slice(0, 7))
      expect((await deskOf('apus_team')).baeume).toEqual([])
    })

    test('what is done waits no longer', async () => {
      const waiting = async () => (await deskOf('ogf_admin')).wartet.find(({ art }) => art === 'fb_gesperrt')
      const before = await waiting()
      const change = (enabled: boolean) =>
        engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.hq set fb_enabled = ${enabled} where "idHQ" = ${w.A1}; commit`,
        )
      await change(false)
      expect((await waiting())!.anzahl).toBe((before?.anzahl ?? 0) + 1)
      await change(true)
      expect(await waiting()).toEqual(before)
    })

    test('work in the books is counted as its pages count it', async () => {
      const counted = async (art: string) =>
        (await deskOf('apus_admin')).wartet.find((one) => one.art === art)?.anzahl ?? 0
      const pages = {
        eingang: `select count(*) from app.eingang_liste where stand = 'neu'`,
        mahnungen: 'select count(*) from app.a_get_mahnliste() where dran and naechste is not null',
        bank: 'select count(*) from app.a_get_bank(true)',
      }
      await engine.owner.script(
        `begin; set local role forst_betrieb;
         insert into app.rechnung (id, client_id, le_date, rn_datum, faellig, ust_satz, netto, steuer, brutto,
           zahlbetrag, zustand, nummer, folge, ausgestellt_am, beleg)
         select 9000 + n, ${w.A}, '2026-01-02', '2026-01-02', checks.today() - n, 19, 100, 19, 119, 119,
           'ausgestellt', 'DESK-' || n, 9000 + n, now(), '{}'
         from unnest(array[1, 40, 90]) n;
         commit`,
      )
      for (const [art, rows] of Object.entries(pages)) {
        const expected = await value<number>('apus_admin', rows)
        expect(expected, art).toBeGreaterThan(0)
        expect(await counted(art), art).toBe(expected)
      }
      for (const role of ['ogf_admin', 'apus_team', 'kundenadmin'] as const)
        for (const { art } of (await deskOf(role)).wartet) expect(Object.keys(pages), role).not.toContain(art)
    })

    test('what others changed since the last visit, each record once, and only what one may read', async () => {
      // Earlier tests changed records a moment ago.
      const since = await value<string>('admin', 'to_jsonb(clock_timestamp())')
      await setTimeout(20)
      const newsOf = (role: w.IdentityName) =>
        value<DeskNews[]>(role, `coalesce((select jsonb_agg(n) from app.__o_get_news('${since}') n), '[]')`)
      const as = (role: w.IdentityName, text: string) =>
        engine.api.once(asCaller(w.claimsOf(role)), sql(text))
      const before = await newsOf('ogf_team')
      await as('ogf_admin', `update app.kunde set ort = ort || 'x' where client_id = ${w.A}`)
      await as('ogf_admin', `update app.kunde set ort = ort || 'y' where client_id = ${w.A}`)
      await as('ogf_admin', `update app.kunde set ort = ort || 'z' where client_id = ${w.B}`)
      const kunden = (news: DeskNews[]) => news.filter(({ art }) => art === 'kunde').map(({ id }) => id)
      const after = await newsOf('ogf_team')
      expect(after.length).toBe(before.length + 2)
      expect(after[0]).toMatchObject({ art: 'kunde', id: w.B, was: 'geaendert', titel: 'Forst B' })
      expect(kunden(after)).toEqual([w.B, w.A])
      // One's own changes are no news.
      expect(kunden(await newsOf('ogf_admin'))).toEqual([])
      expect(kunden(await newsOf('kundenadmin'))).toEqual([w.A])
      expect(await newsOf('ogf_init')).toEqual([])
      const none = await value(
        'ogf_team',
        `(select count(*) from app.__o_get_news(now() + interval '1 day'))`,
      )
      expect(none).toBe(0)
    })

    test('the newly registered see nothing', async () => {
      expect(await deskOf('ogf_init')).toMatchObject({ wartet: [], zahlen: [], baeume: [] })
    })
  })
