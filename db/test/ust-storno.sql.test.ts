// Turnover tax of cancelled invoices: what was paid stays due until it is paid back, what replaces one counts with
// its Storno, and a payment entered by mistake was never made.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from './attempt.ts'
import { bookkeeper } from './bookkeeper.ts'
import { enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import type { SampleInvoice } from './ust-reckoning.ts'
import { scriptOf } from './ust-rows.ts'
import * as w from './world.ts'
import { claimsOf } from './world.ts'

const TODAY = officeDay(new Date())
const YEAR = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01']

const sample = (id: number, more: Partial<SampleInvoice>): SampleInvoice => ({
  id,
  issued: '2026-01-10',
  supplied: '2026-01-05',
  lines: [{ kategorie: 'S', satz: 19, cents: 100_00n, day: null }],
  advance: 0n,
  payments: [],
  eu: false,
  ort: null,
  storno: null,
  corrections: [],
  replaced: null,
  ...more,
})
const paid = (day: string, cents: bigint) => ({ day, cents, art: 'zahlung' }) as const

/** By month: document, base, tax, reason. The Storno has the number of its invoice plus one. */
const CASES: readonly (readonly [
  what: string,
  invoices: readonly SampleInvoice[],
  months: readonly string[],
])[] = [
  [
    'paid, cancelled, paid back in parts',
    [
      sample(91_000, {
        payments: [paid('2026-02-10', 119_00n), paid('2026-04-10', -59_50n), paid('2026-05-10', -59_50n)],
        storno: { id: 91_001, day: '2026-03-10' },
      }),
    ],
    [
      '2026-01 0 100.00 19.00 {leistung}',
      '2026-04 0 -50.00 -9.50 {zahlung}',
      '2026-05 0 -50.00 -9.50 {zahlung}',
    ],
  ],
  [
    'half paid, cancelled, paid back in the same month',
    [
      sample(91_010, {
        payments: [paid('2026-02-10', 59_50n), paid('2026-03-20', -59_50n)],
        storno: { id: 91_011, day: '2026-03-10' },
      }),
    ],
    [
      '2026-01 0 100.00 19.00 {leistung}',
      '2026-03 0 -50.00 -9.50 {zahlung}',
      '2026-03 1 -50.00 -9.50 {storno}',
    ],
  ],
  [
    'not paid',
    [sample(91_020, { storno: { id: 91_021, day: '2026-03-10' } })],
    ['2026-01 0 100.00 19.00 {leistung}', '2026-03 1 -100.00 -19.00 {storno}'],
  ],
  [
    'paid for a supply that never came',
    [
      sample(91_030, {
        supplied: '2026-05-05',
        payments: [paid('2026-02-10', 119_00n), paid('2026-04-10', -119_00n)],
        storno: { id: 91_031, day: '2026-03-10' },
      }),
    ],
    ['2026-02 0 100.00 19.00 {zahlung}', '2026-04 0 -100.00 -19.00 {zahlung}'],
  ],
  [
    'paid, replaced at the same price, the money moved to the new invoice a month later',
    [
      sample(91_040, {
        payments: [paid('2026-02-10', 119_00n), paid('2026-04-10', -119_00n)],
        storno: { id: 91_041, day: '2026-03-10' },
      }),
      sample(91_042, {
        issued: '2026-03-10',
        replaced: '2026-03-10',
        payments: [paid('2026-04-10', 119_00n)],
      }),
    ],
    [
      '2026-01 0 100.00 19.00 {leistung}',
      '2026-03 1 -100.00 -19.00 {storno}',
      '2026-03 2 100.00 19.00 {leistung}',
    ],
  ],
  [
    'paid, replaced by a cheaper one: what is beyond its price stays due until it is paid back',
    [
      sample(91_050, {
        payments: [paid('2026-02-10', 119_00n), paid('2026-04-10', -95_20n), paid('2026-05-10', -23_80n)],
        storno: { id: 91_051, day: '2026-03-10' },
      }),
      sample(91_052, {
        issued: '2026-03-10',
        replaced: '2026-03-10',
        lines: [{ kategorie: 'S', satz: 19, cents: 80_00n, day: null }],
        payments: [paid('2026-04-10', 95_20n)],
      }),
    ],
    [
      '2026-01 0 100.00 19.00 {leistung}',
      '2026-03 1 -80.00 -15.20 {storno}',
      '2026-03 2 80.00 15.20 {leistung}',
      '2026-05 0 -20.00 -3.80 {zahlung}',
    ],
  ],
  [
    'replaced, and the new invoice cancelled later: no month before changes',
    [
      sample(91_060, {
        payments: [paid('2026-02-10', 119_00n), paid('2026-06-10', -119_00n)],
        storno: { id: 91_061, day: '2026-03-10' },
      }),
      sample(91_062, {
        issued: '2026-03-10',
        replaced: '2026-03-10',
        storno: { id: 91_063, day: '2026-05-10' },
      }),
    ],
    [
      '2026-01 0 100.00 19.00 {leistung}',
      '2026-03 1 -100.00 -19.00 {storno}',
      '2026-03 2 100.00 19.00 {leistung}',
      '2026-05 0 100.00 19.00 {zahlung}',
      '2026-05 3 -100.00 -19.00 {storno}',
      '2026-06 0 -100.00 -19.00 {zahlung}',
    ],
  ],
  [
    'the money of before the Storno booked to the new invoice: no money in advance',
    [
      sample(91_070, { storno: { id: 91_071, day: '2026-03-02' } }),
      sample(91_072, {
        issued: '2026-03-02',
        replaced: '2026-03-02',
        payments: [paid('2026-02-27', 119_00n)],
      }),
    ],
    [
      '2026-01 0 100.00 19.00 {leistung}',
      '2026-03 1 -100.00 -19.00 {storno}',
      '2026-03 2 100.00 19.00 {leistung}',
    ],
  ],
  [
    'put off: money for a supply to come stays, on whichever of the two it is',
    [
      sample(91_080, {
        supplied: '2026-03-05',
        payments: [paid('2026-02-10', 119_00n)],
        storno: { id: 91_081, day: '2026-03-10' },
      }),
      sample(91_082, { issued: '2026-03-10', supplied: '2026-06-20', replaced: '2026-03-10' }),
    ],
    [
      '2026-02 0 100.00 19.00 {zahlung}',
      '2026-06 0 -100.00 -19.00 {zahlung}',
      '2026-06 2 100.00 19.00 {leistung}',
    ],
  ],
  [
    'put off, the money booked to the new invoice',
    [
      sample(91_090, { supplied: '2026-03-05', storno: { id: 91_091, day: '2026-03-10' } }),
      sample(91_092, {
        issued: '2026-03-10',
        supplied: '2026-06-20',
        replaced: '2026-03-10',
        payments: [paid('2026-02-10', 119_00n)],
      }),
    ],
    [
      '2026-02 2 100.00 19.00 {zahlung}',
      '2026-03 0 100.00 19.00 {leistung}',
      '2026-03 1 -100.00 -19.00 {storno}',
    ],
  ],
]

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`turnover tax of a Storno on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(scriptOf(CASES.flatMap(([, invoices]) => invoices)))
      await engine.owner.script('select books.seal_missing()')
    })
    afterAll(() => engine?.close())
    const { run, value } = bookkeeper(() => engine)
    const declared = async (first: number, last: number, kind: 'soll' | 'ist') => {
      await value(`app.a_set_lieferant('{"besteuerung": "${kind}"}')`)
      const months = await Promise.all(
        YEAR.map((month) =>
          run<Record<string, string>>(
            `select rechnung_id - ${first} as nr, basis, steuer, anlass::text as anlass
             from app.a_get_ust($1::date, ($1::date + interval '1 month')::date - 1)
             where rechnung_id between ${first} and ${last} order by 1`,
            month,
          ),
        ),
      )
      return months.flatMap((rows, index) =>
        rows.map(
          ({ nr, basis, steuer, anlass }) => `${YEAR[index]!.slice(0, 7)} ${nr} ${basis} ${steuer} ${anlass}`,
        ),
      )
    }

    test.each(CASES)('by agreed consideration: %s', async (_, [first], months) => {
      expect(await declared(first!.id, first!.id + 9, 'soll')).toEqual(months)
    })

    test('a payment entered by mistake and taken back was never made, a repayment has its day', async () => {
      const [wrong, right] = [91_100, 91_110]
      await engine.owner.script(scriptOf([sample(wrong, {}), sample(right, {})]))
      const pay = (id: number, of: number, day: string, amountText: string, takenBack = 'null') =>
        engine.owner.script(
          `insert into app.zahlung (id, client_id, rechnung_id, datum, betrag, art, gegen_id)
           values (${id}, ${w.A}, ${of}, '${day}', ${amountText}, 'zahlung', ${takenBack})`,
        )
      await pay(91_200, wrong, '2026-02-10', '119.00')
      await pay(91_201, wrong, '2026-04-10', '-119.00', '91200')
      await pay(91_202, right, '2026-02-10', '119.00')
      await pay(91_203, right, '2026-05-10', '-59.50')
      await engine.owner.script('select books.seal_missing()')
      expect(await declared(wrong, right + 9, 'ist')).toEqual([
        `2026-02 ${right - wrong} 100.00 19.00 {zahlung}`,
        `2026-05 ${right - wrong} -50.00 -9.50 {zahlung}`,
      ])
    })

    test('money that comes after a loss counts when it comes, the month of the loss stays', async () => {
      const written = 91_300
      await engine.owner.script(scriptOf([sample(written, {})]))
      const book = (day: string, amount: string, art: string) =>
        value('app.a_add_payment($1, $2, $3, $4, ueberzahlung => true)', written, day, amount, art)
      await book('2026-03-15', '119.00', 'ausfall')
      await book('2026-05-10', '59.50', 'zahlung')
      // A cash discount that is withdrawn later: § 17 (1) sentences 1 and 8 UStG.
      const reduced = 91_310
      await engine.owner.script(scriptOf([sample(reduced, {})]))
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const [day, amount] of [
        ['2026-02-15', '11.90'],
        ['2026-04-10', '-11.90'],
      ])
        await value(`app.a_add_payment($1, $2, $3, 'skonto')`, reduced, day, amount)
      expect(await declared(written, written + 9, 'soll')).toEqual([
        '2026-01 0 100.00 19.00 {leistung}',
        '2026-03 0 -100.00 -19.00 {minderung}',
        '2026-05 0 50.00 9.50 {minderung}',
      ])
      expect(await declared(reduced, reduced + 9, 'soll')).toEqual([
        '2026-01 0 100.00 19.00 {leistung}',
        '2026-02 0 -10.00 -1.90 {minderung}',
        '2026-04 0 10.00 1.90 {minderung}',
      ])
    })

    test('a small business from a day on: each document is what held on the day of its supply', async () => {
      await value(
        'app.a_set_lieferant($1::jsonb)',
        JSON.stringify({ kleinunternehmer: true, kleinunternehmer_ab: [{ ab: '2026-05-17', art: 'regel' }] }),
      )
      const draft = async (lines: readonly object[], from: string | null, to: string | null = null) => {
        const id = Number(await value('app.a_add_invoice($1, $2, $3, 19)', w.A, TODAY, from))
        if (to !== null)
          await value(`app.a_save_beleg('rechnung', $1, $2::jsonb)`, id, JSON.stringify({ le_date_bis: to }))
        const rows = lines.map((line) => ({ bez: 'Vermessung', anzahl: '1', ep: '100.00', ...line }))
        await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(rows), id)
        const [made] = await run<{ steuer: string }>(
          'select steuer::text from app.rechnung where id = $1',
          id,
        )
        return { id, steuer: made!.steuer }
      }
      const tax = async (from: string, to: string | null) => (await draft([{}], from, to)).steuer
      const taxOfLines = async (...days: object[]) => (await draft(days, null)).steuer
      expect(await tax('2026-05-16', null)).toBe('0.00')
      expect(await tax('2026-05-16', '2026-05-17')).toBe('19.00')
      expect(await tax('2026-05-17', null)).toBe('19.00')
      // Lines with their own days: those decide, not the day of the document (§ 14c UStG).
      expect(await taxOfLines({ le_date: '2026-05-16' })).toBe('0.00')
      expect(await taxOfLines({ le_date: '2026-05-16', le_date_bis: '2026-05-17' })).toBe('19.00')
      expect((await draft([{ le_date: '2026-05-16' }], '2026-05-20')).steuer).toBe('0.00')
      expect((await draft([{ le_date: '2026-05-17' }], '2026-05-02')).steuer).toBe('19.00')
      const refusalOf = async (...lines: object[]) =>
        refusalIn(
          engine.api,
          claimsOf('apus_admin'),
          sql('select app.a_issue_invoice($1)', (await draft(lines, null)).id),
        )
      expect(await refusalOf({ le_date: '2026-05-16' }, { le_date: '2026-05-17' })).toMatch(
        /positionen\.0\.le_date kleinunternehmer_wechsel$/,
      )
      await value(`app.a_set_lieferant('{"kleinunternehmer": false, "kleinunternehmer_ab": []}')`)
      for (const given of [
        '{}',
        '[{"ab": "2026-02-30", "art": "klein"}]',
        '[{"ab": "2026-13-01", "art": "klein"}]',
        '[{"ab": "2026-01-01", "art": "ist"}]',
      ])
        expect(
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          await refusalIn(
            engine.api,
            claimsOf('apus_admin'),
            sql(`select app.a_set_lieferant(jsonb_build_object('kleinunternehmer_ab', $1::jsonb))`, given),
          ),
        ).toBe('23514 kleinunternehmer_ab kleinunternehmer_ab')
    })

    test('an order line billed again counts with the Storno, what was never billed with its supply', async () => {
      const offer = Number(await value('app.a_add_offer($1, $2, 19)', w.A, TODAY))
      const lines = [
        { bez: 'Vermessung', anzahl: '10', ep: '100.00' },
        { bez: 'Karte', anzahl: '1', ep: '50.00' },
      ]
      await value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(lines), offer)
      await run('select * from app.a_issue_offer($1)', offer)
      await value('app.a_decide_offer($1, true)', offer)
      const [survey, map] = await run<{ id: number }>(
        'select id from app.position where angebot_id = $1 order by lfd_nr',
        offer,
      )
      const bill = async (
        wanted: readonly (readonly [line: { id: number } | undefined, anzahl: string])[],
      ) => {
        const chosen = wanted.map(([line, quantity]) => ({ position_id: Number(line!.id), anzahl: quantity }))
        const id = Number(
          await value(
            `app.a_convert_offer($1, $2::jsonb, $3, '2026-01-31')`,
            offer,
            JSON.stringify(chosen),
            TODAY,
          ),
        )
        await run('select * from app.a_issue_invoice($1)', id)
        return id
      }
      const cancel = (id: number) => run('select * from app.a_cancel_invoice($1)', id)
      const replaces = async (id: number) =>
        (await run<{ kopie_von: number | null }>('select kopie_von from app.rechnung where id = $1', id))[0]!
          .kopie_von
      const taxed = async (id: number) =>
        (
          await run<{ datum: string }>(
            `select beleg #>> '{summen,steuern,0,datum}' as datum from app.a_get_datev($1, $1)
             where rechnung_id = $2`,
            TODAY,
            id,
          )
        )[0]!.datum
      const first = await bill([[survey, '6']])
      await cancel(first)
      // A part of what was cancelled, then the rest of it, and then what nobody had billed.
      const second = await bill([[survey, '4']])
      const third = await bill([[survey, '2']])
      const fourth = await bill([[survey, '4']])
      const fifth = await bill([[map, '1']])
      expect(await Promise.all([second, third, fourth, fifth].map(replaces))).toEqual([
        first,
        first,
        null,
        null,
      ])
      expect(await Promise.all([second, third, fourth, fifth].map(taxed))).toEqual([
        TODAY,
        TODAY,
        '2026-01-31',
        '2026-01-31',
      ])
      await cancel(second)
      expect(await replaces(await bill([[survey, '4']]))).toBe(second)
    })
  })
