// DATEV: nothing is handed out twice and nothing left out, whenever it was entered; and a discount is split by what
// advances and corrections have left of its invoice.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatevDifferenceRow, DatevLate, DatevStand } from '#contract/datev.ts'
import { addDays } from '#domain/day.ts'
import { notesOf } from '#domain/datev/differences.ts'
import type { DatevTax } from '#domain/datev/job.ts'
import { asCaller, refusalIn, refusalOf } from './attempt.ts'
import { bookkeeper } from './bookkeeper.ts'
import { enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf } from './world.ts'

const TODAY = officeDay(new Date())
const MONTH = TODAY.slice(0, 7)
const FIRST = `${MONTH}-01`
const YESTERDAY = officeDay(new Date(Date.now() - 86_400_000))

for (const name of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(name))(`batches for DATEV on ${name}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(name)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const { run, value, json } = bookkeeper(() => engine)
    const issue = (id: number) => run('select * from app.a_issue_invoice($1)', id)
    const invoice = async (lines: readonly object[]): Promise<number> => {
      const id = Number(await value('app.a_add_invoice($1, $2, $2, 19)', w.A, TODAY))
      await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), id)
      await issue(id)
      return id
    }
    const plain = () => invoice([{ bez: 'Vermessung', anzahl: '1', ep: '100.00' }])
    const pay = async (id: number, amount: string, kind = 'zahlung') =>
      Number(await value('app.a_add_payment($1, $2, $3, $4)', id, TODAY, amount, kind))
    const standNow = () => json<DatevStand>('app.a_get_datev_stand()')
    const ofMonth = async () => {
      const [row] = await run<DatevLate>('select * from app.a_get_datev_nachtraege() where monat = $1', MONTH)
      return row === undefined
        ? undefined
        : [row.rechnungen, row.zahlungen, row.abschlaege].map(Number).join(' ')
    }
    const batchCall = (more: { zahlungen?: boolean; stand?: DatevStand }) =>
      sql(
        `select app.a_add_datev_export($1, $2, 'EXTF_x.csv', '${'d'.repeat(64)}', 3, $3, stand => $4::jsonb)`,
        FIRST,
        TODAY,
        more.zahlungen ?? false,
        more.stand === undefined ? null : JSON.stringify(more.stand),
      )
    const batch = (more: { zahlungen?: boolean; stand?: DatevStand } = {}) =>
      engine.api.once(asCaller(claimsOf('apus_admin')), batchCall(more))
    const newOnes = async () => ({
      rechnungen: (
        await run<{ id: number }>(
          'select rechnung_id::integer as id from app.a_get_datev($1, $2) where neu order by folge',
          FIRST,
          TODAY,
        )
      ).map(({ id }) => id),
      zahlungen: (
        await run<{ id: number }>(
          'select zahlung_id::integer as id from app.a_get_datev_zahlungen($1, $2) where neu order by 1',
          FIRST,
          TODAY,
        )
      ).map(({ id }) => id),
    })

    test('what is entered after the batch of its day is in none, until the next one', async () => {
      const first = await plain()
      const paid = await pay(first, '50.00')
      expect(await ofMonth()).toBeUndefined()
      const before = await newOnes()
      expect(before.rechnungen).toContain(first)
      expect(before.zahlungen).toContain(paid)

      await batch({ stand: await standNow() })
      // Payments were not in it.
      expect(await newOnes()).toEqual({ rechnungen: [], zahlungen: before.zahlungen })
      expect(await ofMonth()).toBeUndefined()
      await batch({ zahlungen: true, stand: await standNow() })
      expect(await newOnes()).toEqual({ rechnungen: [], zahlungen: [] })

      const second = await plain()
      const more = await pay(first, '69.00')
      expect(await newOnes()).toEqual({ rechnungen: [second], zahlungen: [more] })
      expect(await ofMonth()).toBe('1 1 0')

      // A loss makes no line, nor does an invoice of nothing.
      await pay(second, '1.00', 'ausfall')
      await invoice([{ bez: 'Kulanz', anzahl: '1', ep: '0.00' }])
      expect(await ofMonth()).toBe('1 1 0')
      await batch({ zahlungen: true, stand: await standNow() })

      // Read before something else comes in, handed out after it.
      const stand = await standNow()
      const third = await plain()
      const taken = Number(await value(`app.a_revoke_payment($1, 'Irrtum')`, more))
      await batch({ zahlungen: true, stand })
      expect(await newOnes()).toEqual({ rechnungen: [third], zahlungen: [taken] })
      // A batch of an earlier version says only when it was.
      await batch({ zahlungen: true })
      expect(await newOnes()).toEqual({ rechnungen: [], zahlungen: [] })
      expect(await ofMonth()).toBeUndefined()
    })

    test('what is received for an advance is in every batch, its money only in those with payments', async () => {
      const offer = Number(await value('app.a_add_offer($1, $2, 19)', w.A, TODAY))
      const lines = [{ bez: 'Vermessung', anzahl: '1', ep: '1000.00' }]
      await value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(lines), offer)
      await run('select * from app.a_issue_offer($1)', offer)
      await value('app.a_decide_offer($1, true)', offer)
      const advance = Number(await value(`app.a_add_abschlag($1, '50', null, '', $2)`, offer, TODAY))
      await issue(advance)
      const flags = async () =>
        (
          await run<{ neu: boolean; neu_abschlag: boolean }>(
            'select neu, neu_abschlag from app.a_get_datev_zahlungen($1, $2) where rechnung_id = $3',
            FIRST,
            TODAY,
            advance,
          )
        ).map(({ neu, neu_abschlag }) => `${neu} ${neu_abschlag}`)
      await batch({ zahlungen: true, stand: await standNow() })
      await pay(advance, '595.00')
      expect(await ofMonth()).toBe('0 1 1')
      expect(await flags()).toEqual(['true true'])
      await batch({ stand: await standNow() })
      expect(await ofMonth()).toBe('0 1 0')
      expect(await flags()).toEqual(['true false'])
      await batch({ zahlungen: true, stand: await standNow() })
      expect(await ofMonth()).toBeUndefined()
      expect(await flags()).toEqual(['false false'])
    })

    test('what a batch has named for booking by hand is not new again, and is named once it has changed', async () => {
      const id = await plain()
      const mistaken = await value<number>(
        'app.a_add_payment($1, $2, $3, ueberzahlung => true)',
        id,
        TODAY,
        '169.00',
      )
      const NEXT = addDays(TODAY, 40)
      const rowsOf = async (first: string, last: string) =>
        (
          await run<DatevDifferenceRow>(
            `select * from app.a_get_datev_abweichung($1, $2) where rechnung_id = $3`,
            first,
            last,
            id,
          )
        ).map((row) => ({ ...row, monat: FIRST, root: Number(row.root) }))
      const words = async (first = FIRST, last = TODAY) =>
        (await rowsOf(first, last)).map(({ stand, declared, booked, before_declared }) =>
          [stand, declared, booked, before_declared ?? ''].join(' ').trim(),
        )
      const note = async () =>
        engine.api.once(
          asCaller(claimsOf('apus_admin')),
          sql(
            `select app.a_add_datev_export($1, $2, 'EXTF_x.csv', '${'d'.repeat(64)}', 3, stand => $3::jsonb,
               hinweise => $4::jsonb)`,
            FIRST,
            TODAY,
            JSON.stringify(await standNow()),
            JSON.stringify(notesOf(await rowsOf(FIRST, TODAY))),
          ),
        )
      expect(await words()).toEqual(['neu 169.00 119.00'])
      await note()
      expect(await words()).toEqual(['genannt 169.00 119.00'])
      // Of another month only what has changed is named.
      expect(await words(NEXT, NEXT)).toEqual([])
      await pay(id, '-20.00')
      for (const [start, end] of [
        [FIRST, TODAY],
        [NEXT, NEXT],
      ])
        expect(await words(start, end)).toEqual(['anders 149.00 119.00 169.00'])
      await note()
      expect(await words()).toEqual(['genannt 149.00 119.00'])
      await pay(id, '-30.00')
      expect(await words(NEXT, NEXT)).toEqual(['vorbei 149.00 119.00'])
      await note()
      expect([await words(), await words(NEXT, NEXT)]).toEqual([[], []])
      // A payment that was entered by mistake was never made.
      for (const each of [-30, -20])
        await value(
          `app.a_revoke_payment((select max(id) from app.zahlung where rechnung_id = $1 and betrag = $2), 'Irrtum')`,
          id,
          each,
        )
      expect(await words()).toEqual(['neu 169.00 119.00'])
      await note()
      await value(`app.a_revoke_payment($1, 'Irrtum')`, mistaken)
      expect(await words(NEXT, NEXT)).toEqual(['vorbei 169.00 119.00'])
    })

    test('a batch does not know what is still to come, and says it in numbers', async () => {
      const asked = (stand: unknown) =>
        refusalIn(
          engine.api,
          claimsOf('apus_admin'),
          sql(
            `select app.a_add_datev_export($1, $2, 'x.csv', '${'d'.repeat(64)}', 1, stand => $3::jsonb)`,
            FIRST,
            TODAY,
            JSON.stringify(stand),
          ),
        )
      for (const stand of [
        [],
        {},
        { folge: 1 },
        { folge: 1, zahlung: -1 },
        { folge: 1, zahlung: 1, wer: 'x' },
        { folge: 1, zahlung: 999_999_999 },
        { folge: 999_999_999, zahlung: 1 },
      ])
        expect(await asked(stand), JSON.stringify(stand)).toBe('23514 stand stand')
    })

    test('two previews of the same rows: only the first becomes a batch', async () => {
      const stand = await standNow()
      await plain()
      const [seen, other] = [await standNow(), await standNow()]
      expect(seen).toEqual({ ...stand, folge: stand.folge + 1 })
      const refused = (one: DatevStand) =>
        refusalOf(engine.api.once(asCaller(claimsOf('apus_admin')), batchCall({ stand: one })))
      expect((await Promise.all([seen, other].map(refused))).sort()).toEqual([
        'PT409 - datev_ausfuhr',
        'done',
      ])
      const { ausfuhr, ...again } = seen
      expect(ausfuhr).toBe(stand.ausfuhr)
      expect(await refused(again)).toBe('done')
      const [last] = await run<{ inhalt: string }>(
        `select inhalt::text from app.protokoll where gegenstand = 'datev' order by nr desc limit 1`,
      )
      expect(JSON.parse(last!.inhalt)).toMatchObject({ stand: again })
    })

    const discounts = async (id: number) =>
      (
        await run<{ art: string; steuern: DatevTax[] | string }>(
          `select art, steuern::text as steuern from app.a_get_datev_zahlungen($1, $2) where rechnung_id = $3
           order by zahlung_id`,
          YESTERDAY,
          TODAY,
          id,
        )
      ).map(({ art, steuern }) =>
        [
          art,
          ...(JSON.parse(String(steuern)) as DatevTax[]).map(
            ({ satz, basis, steuer }) => `${satz} ${basis} ${steuer}`,
          ),
        ].join(' | '),
      )
    test('a discount that is taken back goes back as it was split', async () => {
      const id = await invoice([
        { bez: 'Karte', anzahl: '1', ep: '100.00', ust_satz: '7' },
        { bez: 'Vermessung', anzahl: '1', ep: '100.00' },
      ])
      const taken = Number(await value(`app.a_add_payment($1, $2, 1, 'skonto')`, id, YESTERDAY))
      const { zeilen } = await json<{ zeilen: { position_id: string; bez: string }[] }>(
        'app.a_get_korrektur($1)',
        id,
      )
      const wish = [{ position_id: zeilen.find(({ bez }) => bez === 'Karte')!.position_id, menge: '1' }]
      await issue(
        Number(
          await value(`app.a_add_korrektur($1, $2::jsonb, 'Nicht geliefert.')`, id, JSON.stringify(wish)),
        ),
      )
      await value(`app.a_revoke_payment($1, 'Irrtum')`, taken)
      expect(await discounts(id)).toEqual([
        'skonto | 19.00 0.45 0.08 | 7.00 0.44 0.03',
        'skonto | 19.00 -0.45 -0.08 | 7.00 -0.44 -0.03',
      ])
    })
    test('a discount is split by what a correction has left', async () => {
      const id = await invoice([
        { bez: 'Karte', anzahl: '1', ep: '100.00', ust_satz: '7' },
        { bez: 'Vermessung', anzahl: '1', ep: '100.00' },
      ])
      const { zeilen } = await json<{ zeilen: { position_id: string; bez: string }[] }>(
        'app.a_get_korrektur($1)',
        id,
      )
      const wish = [{ position_id: zeilen.find(({ bez }) => bez === 'Karte')!.position_id, menge: '1' }]
      await pay(id, '1.00', 'skonto')
      const made = Number(
        await value(`app.a_add_korrektur($1, $2::jsonb, 'Nicht geliefert.')`, id, JSON.stringify(wish)),
      )
      await issue(made)
      await pay(id, '2.38', 'skonto')
      await pay(id, '10.00')
      // By the state of the day: both discounts are of the day of the correction.
      expect(await discounts(id)).toEqual(['skonto | 19.00 0.84 0.16', 'skonto | 19.00 2.00 0.38', 'zahlung'])
    })
    test('of a final invoice, by what its advances have left', async () => {
      const offer = Number(await value('app.a_add_offer($1, $2, 19)', w.A, TODAY))
      const lines = [
        { bez: 'Vermessung', anzahl: '1', ep: '1000.00' },
        { bez: 'Karte', anzahl: '1', ep: '100.00', ust_satz: '7' },
      ]
      await value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(lines), offer)
      await run('select * from app.a_issue_offer($1)', offer)
      await value('app.a_decide_offer($1, true)', offer)
      const advance = Number(await value(`app.a_add_abschlag($1, '50', null, '', $2)`, offer, TODAY))
      await issue(advance)
      await pay(advance, '648.50')
      const final = Number(await value('app.a_add_schluss($1, null, $2, $2)', offer, TODAY))
      await issue(final)
      await pay(final, '12.97', 'skonto')
      expect(await discounts(final)).toEqual(['skonto | 19.00 10.00 1.90 | 7.00 1.00 0.07'])
    })
  })
