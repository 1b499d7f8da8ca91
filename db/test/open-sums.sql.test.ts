// What is kept as open, after each step of a document's life, against what follows from the books.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

const TODAY = officeDay(new Date())
const LINES = [
  { bez: 'Vermessung', anzahl: '10', einheit: 'h', ep: '80.50' },
  { bez: 'Anfahrt', anzahl: '3', einheit: 'Stück', ep: '40' },
  { bez: 'Aushang', art: 'optional', anzahl: '1', einheit: 'Stück', ep: '25' },
]

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`open sums on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const rows = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
      (await engine.api.once<T>(asCaller(w.claimsOf('apus_admin')), sql(text, ...values))).rows
    const value = async (text: string, ...values: unknown[]): Promise<unknown> =>
      Object.values((await rows<Record<string, unknown>>(`select ${text}`, ...values))[0] ?? {})[0]
    const asOwner = async <T>(text: string): Promise<T[]> => (await engine.owner.query<T>(text)).rows
    const differences = () => asOwner('select tabelle, schluessel::text from books.check_open()')
    const owed = async (id: number) =>
      (
        await rows<{ offen: string }>('select offen::text from app.rechnung_offen where rechnung_id = $1', id)
      )[0]?.offen
    const toBill = async (id: number) =>
      (
        await rows<{ begonnen: boolean; rest: string }>(
          'select begonnen, rest_brutto::text as rest from app.angebot_offen where angebot_id = $1',
          id,
        )
      )[0]
    /** An issued invoice of 20 hours: 1.190,00. */
    const invoice = async (): Promise<number> => {
      const id = Number(await value('app.a_add_invoice($1, $2, $2, 19)', w.A, TODAY))
      const lines = [{ bez: 'Vermessung', anzahl: '20', einheit: 'h', ep: '50' }]
      await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), id)
      expect(await owed(id), 'a draft owes nothing').toBeUndefined()
      await value('app.a_issue_invoice($1)', id)
      return id
    }
    const pay = (id: number, amount: string) =>
      value('app.a_add_payment($1, $2, $3::numeric, ueberzahlung => true)', id, TODAY, amount)

    test('the world that was there before is counted', async () => {
      expect(await differences()).toEqual([])
      expect((await rows('select 1 from app.rechnung_offen')).length).toBeGreaterThan(1)
      expect((await rows('select 1 from app.angebot_offen')).length).toBeGreaterThan(0)
    })

    test('an invoice from its issue to the money back', async () => {
      const id = await invoice()
      expect(await owed(id)).toBe('1190.00')
      await pay(id, '1000.00')
      expect(await owed(id)).toBe('190.00')
      const wrong = await pay(id, '190.00')
      expect(await owed(id), 'settled: no row').toBeUndefined()
      await value('app.a_revoke_payment($1, $2)', wrong, 'falsch')
      expect(await owed(id)).toBe('190.00')
      await pay(id, '200.00')
      expect(await owed(id), 'paid too much').toBe('-10.00')
      await value('app.a_cancel_invoice($1, null, $2)', id, 'Irrtum')
      expect(await owed(id), 'cancelled: all of it is to be paid back').toBe('-1200.00')
      const [listed] = await rows(
        'select stand, bezahlt::text, offen::text from app.rechnung_liste where id = $1',
        id,
      )
      expect(listed).toEqual({ stand: 'storniert', bezahlt: '1200.00', offen: '-1200.00' })
      await pay(id, '-1200.00')
      expect(await owed(id)).toBeUndefined()
      expect(await differences()).toEqual([])
    })

    test('what is to be paid back is in the overview and in the list for the bank', async () => {
      const id = await invoice()
      const before = await value(`app.a_get_buchhaltung() #>> '{rechnungen,zurueck,betrag}'`)
      await pay(id, '1190.00')
      await value('app.a_cancel_invoice($1, null, $2)', id, 'doppelt')
      const after = await value(`app.a_get_buchhaltung() #>> '{rechnungen,zurueck,betrag}'`)
      expect(Number(after) - Number(before)).toBeCloseTo(1190, 2)
      expect(
        await rows('select storniert, bezahlt from app.a_get_bank_rechnungen() where rechnung_id = $1', id),
      ).toEqual([{ storniert: true, bezahlt: '1190.00' }])
    })

    test('an offer from its acceptance to the last invoice, and back', async () => {
      const id = Number(await value('app.a_add_offer($1, $2, 19)', w.A, TODAY))
      await value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(LINES), id)
      await value('app.a_issue_offer($1)', id)
      expect(await toBill(id), 'not ordered yet').toBeUndefined()
      await value('app.a_decide_offer($1, true)', id)
      expect(await toBill(id)).toEqual({ begonnen: false, rest: '1100.75' })
      const bill = async (positions: unknown) => {
        const made = Number(
          await value('app.a_convert_offer($1, $2::jsonb, $3, $3)', id, JSON.stringify(positions), TODAY),
        )
        await value('app.a_issue_invoice($1)', made)
        return made
      }
      const [first] = await rows<{ position_id: string }>(
        'select position_id from app.a_get_offer_rest($1)',
        id,
      )
      const part = await bill([{ position_id: Number(first?.position_id), anzahl: '4' }])
      expect(await toBill(id)).toEqual({ begonnen: true, rest: '717.57' })
      const last = await bill(null)
      expect(await toBill(id), 'all of it is billed').toBeUndefined()
      expect(await rows('select stand from app.angebot_liste where id = $1', id)).toEqual([
        { stand: 'abgerechnet' },
      ])
      await value('app.a_cancel_invoice($1, null, $2)', last, 'Irrtum')
      expect(await toBill(id)).toEqual({ begonnen: true, rest: '717.57' })
      await value('app.a_cancel_invoice($1, null, $2)', part, 'Irrtum')
      expect(await toBill(id)).toEqual({ begonnen: false, rest: '1100.75' })
      expect(await differences()).toEqual([])
    })

    test('a sum that is wrong is found by the whole check and made again', async () => {
      const id = await invoice()
      await engine.owner.script(`begin; set local role forst_betrieb;
        update app.rechnung_offen set offen = 1 where rechnung_id = ${id};
        delete from app.angebot_offen; commit`)
      expect(await differences()).toContainEqual({ tabelle: 'rechnung', schluessel: String(id) })
      expect(await differences()).toContainEqual(expect.objectContaining({ tabelle: 'angebot' }))
      const [found] = await rows<{ befunde: string }>(
        'select befunde::text as befunde from app.a_check_protokoll(false)',
      )
      expect(JSON.parse(found?.befunde ?? '[]')).toContainEqual(
        expect.objectContaining({ was: 'summe', tabelle: 'rechnung', schluessel: String(id) }),
      )
      await asOwner('select books.count_open()')
      expect(await differences()).toEqual([])
      expect(await owed(id)).toBe('1190.00')
    })

    test('many payments of one statement are counted at once', async () => {
      const id = await invoice()
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.zahlung (client_id, rechnung_id, datum, betrag)
          select ${w.A}, ${id}, '${TODAY}', 0.5 from generate_series(1, 500); commit`)
      expect(await owed(id)).toBe('940.00')
      expect(await differences()).toEqual([])
    })
  })
