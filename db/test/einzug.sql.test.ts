// Invoices that announce their collection: which day and mandate they name, what is done with them until the bank
// reports, and what happens when the mandate ends in between.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Einzug, Lastschrift } from '#contract/sepa.ts'
import type { MahnListRow } from '#contract/zahlung.ts'
import type { Beleg } from '#domain/beleg.ts'
import { addDays } from '#domain/day.ts'
import { firstCollectionDay, targetDayFrom } from '#domain/sepa/target-day.ts'
import { DatabaseFault } from '#server/database/database.ts'
import { bookkeeper } from './bookkeeper.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf } from './world.ts'

const TODAY = officeDay(new Date())
const IBAN = 'DE02120300000000202051'
const CREDITOR = 'DE98ZZZ09999999999'
const LINES = [{ bez: 'Aufnahme', anzahl: '1', einheit: 'psch', ep: '100.00', ust_satz: '19' }]

for (const name of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(name))(`collected invoices on ${name}`, () => {
    let engine: Engine
    let mandates = 0
    beforeAll(async () => {
      engine = await openEngine(name)
      await buildWorld(engine.owner)
      await set({ iban: IBAN, glaeubiger_id: CREDITOR })
    })
    afterAll(() => engine?.close())
    const { run, value } = bookkeeper(() => engine)
    const refused = async (work: Promise<unknown>): Promise<string> => {
      try {
        await work
        return 'done'
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error
        return error.hint ?? error.message
      }
    }
    const set = (values: object) => run('select app.a_set_lieferant($1::jsonb)', JSON.stringify(values))
    const endAll = () =>
      run(
        `select app.a_revoke_mandat(id) from app.sepa_mandat where widerrufen_am is null and client_id = $1`,
        w.A,
      )
    const mandate = async (isOnce = false, signed = '2026-01-02'): Promise<string> => {
      const reference = `E-${++mandates}`
      await run(
        'select app.a_add_mandat($1, $2, $3, $4, $5, einmalig => $6)',
        w.A,
        reference,
        signed,
        'A',
        IBAN,
        isOnce,
      )
      return reference
    }
    const draft = async (day = TODAY): Promise<number> => {
      const id = Number(await value('app.a_add_invoice($1, $2, $2, 19)', w.A, day))
      await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(LINES), id)
      return id
    }
    const issued = async (): Promise<number> => {
      const id = await draft()
      await run('select nummer from app.a_issue_invoice($1)', id)
      return id
    }
    const belegOf = async (id: number) =>
      JSON.parse(await value<string>(`app.a_get_beleg('rechnung', $1)::text`, id)) as Beleg
    const einzugOf = async (id: number) =>
      (
        await run<Einzug>(
          'select tag::text, mandat, iban, stand, datei::text, ersatz from app.a_get_einzug($1)',
          id,
        )
      )[0]
    const offer = async (id: number) =>
      (
        await run<Lastschrift>(
          'select referenz, tag::text, angekuendigt from app.a_get_lastschriften() where rechnung_id = $1',
          id,
        )
      )[0]
    const collect = (id: number, day: string) =>
      value('app.a_add_sepa_lauf($1::bigint[], $2)', `{${id}}`, day)
    const mahnRow = async (id: number) =>
      (await run<MahnListRow>('select dran, einzug from app.a_get_mahnliste() where rechnung_id = $1', id))[0]
    /** As if so many days had passed since it was issued. */
    const age = (id: number, days: number) =>
      engine.owner.script(
        `alter table app.rechnung disable trigger user;
         update app.rechnung set faellig = faellig - ${days},
             beleg = jsonb_set(beleg, '{einzug,tag}', to_jsonb((beleg #>> '{einzug,tag}')::date - ${days}))
           where id = ${id};
         alter table app.rechnung enable trigger user;
         alter table app.sepa_lauf disable trigger user;
         update app.sepa_lauf set tag = tag - ${days}
           where id in (select lauf_id from app.sepa_posten where rechnung_id = ${id});
         alter table app.sepa_lauf enable trigger user`,
      )

    test('none by a mandate that has expired by the day of the collection: an older one, or none', async () => {
      await endAll()
      await set({ einzug_tage: 14, zahlungsziel: 14 })
      const expiring = await value<string>(`(checks.today() + 5 - interval '36 months')::date::text`)
      const valid = await mandate()
      await mandate(false, expiring)
      expect((await belegOf(await issued())).einzug?.mandat).toBe(valid)
      await endAll()
      await mandate(false, expiring)
      expect((await belegOf(await issued())).einzug).toBeUndefined()
    })
    test('names a bank day after due date and pre-notification, mandate, account and creditor', async () => {
      await endAll()
      const mandat = await mandate()
      for (const [collectionDays, paymentDays] of [
        [14, 5],
        [3, 20],
      ] as const) {
        await set({ einzug_tage: collectionDays, zahlungsziel: paymentDays })
        const tag = targetDayFrom(addDays(TODAY, Math.max(collectionDays, paymentDays)))
        const id = await issued()
        const { einzug, faellig } = await belegOf(id)
        expect(einzug).toEqual({ tag, mandat, iban: IBAN, glaeubiger_id: CREDITOR })
        expect(faellig).toBe(tag)
        expect(await value('(select faellig::text from app.rechnung where id = $1)', id)).toBe(tag)
        expect(await einzugOf(id)).toEqual({
          tag,
          mandat,
          iban: IBAN,
          stand: 'geplant',
          datei: null,
          ersatz: null,
        })
        expect(await offer(id)).toEqual({ referenz: mandat, tag, angekuendigt: mandat })
      }
      expect(await refused(set({ einzug_tage: 0 }))).not.toBe('done')
      await set({ einzug_tage: 14, zahlungsziel: 14 })
    })

    test('a draft of an old day counts the pre-notification from today', async () => {
      await endAll()
      await mandate()
      const { einzug } = await belegOf(await draft(addDays(TODAY, -60)))
      expect(einzug?.tag).toBe(targetDayFrom(addDays(TODAY, 14)))
    })

    test('asks for a transfer without mandate, creditor id or something to pay', async () => {
      await endAll()
      expect(await belegOf(await draft())).not.toHaveProperty('einzug')
      await mandate()
      await set({ glaeubiger_id: '' })
      expect(await belegOf(await draft())).not.toHaveProperty('einzug')
      await set({ glaeubiger_id: CREDITOR })
      const paid = await draft()
      await run('select app.a_update_rechnung($1, $2::jsonb)', paid, '{"anzahlung": 119}').catch(() => null)
      await value('app.a_save_positions($1::jsonb, $2)', '[]', paid)
      expect(await belegOf(paid)).not.toHaveProperty('einzug')
    })

    test('a mandate for one collection is announced once', async () => {
      await endAll()
      const once = await mandate(true)
      const first = await issued()
      expect((await belegOf(first)).einzug?.mandat).toBe(once)
      expect(await belegOf(await draft())).not.toHaveProperty('einzug')
      await run('select * from app.a_cancel_invoice($1)', first)
      expect((await belegOf(await draft())).einzug?.mandat).toBe(once)
    })

    test('its Storno is not collected', async () => {
      await endAll()
      await mandate()
      const id = await issued()
      const [storno] = await run<{ id: number }>('select id from app.a_cancel_invoice($1)', id)
      expect(await belegOf(Number(storno!.id))).not.toHaveProperty('einzug')
      expect(await einzugOf(id)).toBeUndefined()
    })

    test('is not collected before the announced day', async () => {
      await endAll()
      await mandate()
      const id = await issued()
      const { tag } = (await belegOf(id)).einzug!
      expect(await refused(collect(id, firstCollectionDay(TODAY)))).toBe('lastschrift_angekuendigt')
      expect(await refused(collect(id, targetDayFrom(addDays(tag, 1))))).toBe('done')
      expect((await einzugOf(id))?.stand).toBe('datei')
    })

    test('is reminded of only when the bank has brought nothing', async () => {
      await endAll()
      await mandate()
      const id = await issued()
      const remind = () => run('select app.a_add_mahnung($1, 1)', id)
      await age(id, 40)
      expect(await mahnRow(id)).toEqual({ dran: false, einzug: 'geplant' })
      expect(await refused(remind())).toBe('mahnung_einzug')
      await collect(id, firstCollectionDay(TODAY))
      expect(await mahnRow(id)).toEqual({ dran: false, einzug: 'datei' })
      expect(await refused(remind())).toBe('mahnung_einzug')
      await age(id, 20)
      expect((await einzugOf(id))?.stand).toBe('zurueck')
      expect(await mahnRow(id)).toEqual({ dran: true, einzug: null })
      expect(await refused(remind())).toBe('done')
      const [made] = await run<{ beleg: string }>(
        'select beleg::text from app.mahnung where rechnung_id = $1',
        id,
      )
      expect(JSON.parse(made!.beleg)).not.toHaveProperty('einzug')
    })

    test('the document stays when its mandate ends; it is offered with another, or reminded of', async () => {
      await endAll()
      const old = await mandate()
      const id = await issued()
      await endAll()
      expect((await belegOf(id)).einzug?.mandat).toBe(old)
      expect(await einzugOf(id)).toMatchObject({ stand: 'mandat_beendet', ersatz: null })
      expect(await offer(id)).toBeUndefined()
      const next = await mandate()
      expect(await einzugOf(id)).toMatchObject({ stand: 'mandat_beendet', mandat: old, ersatz: next })
      expect(await offer(id)).toMatchObject({ referenz: next, angekuendigt: old })
      await age(id, 40)
      expect(await mahnRow(id)).toEqual({ dran: true, einzug: null })
    })

    test('is collected by the mandate it names, not by a newer one', async () => {
      await endAll()
      const named = await mandate()
      const id = await issued()
      await mandate()
      expect(await offer(id)).toMatchObject({ referenz: named, angekuendigt: named })
    })

    test('its customer sees it as long as it will be collected', async () => {
      await endAll()
      const mandat = await mandate()
      const id = await issued()
      const seen = async () =>
        (
          await engine.api.once<{ mandat: string | null }>(
            asCaller(claimsOf('kundenadmin')),
            sql(
              `select einzug ->> 'mandat' as mandat from app.__o_get_dokumente() where id = $1 and art = 'rechnung'`,
              id,
            ),
          )
        ).rows
      expect(await seen()).toEqual([{ mandat }])
      await endAll()
      expect(await seen()).toEqual([{ mandat: null }])
    })
  })
