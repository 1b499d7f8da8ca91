// Turnover tax: which part of a document belongs to which tax period.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatevTax } from '#domain/datev/job.ts'
import { refusalIn } from './attempt.ts'
import { bookkeeper } from './bookkeeper.ts'
import { enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { type Declared, grossOf, randomInvoices, reckon, type SampleInvoice } from './ust-reckoning.ts'
import { scriptOf } from './ust-rows.ts'
import * as w from './world.ts'
import { claimsOf } from './world.ts'

const TODAY = officeDay(new Date())

interface Line {
  readonly betrag: string
  readonly satz?: string
  readonly kategorie?: string
  readonly art?: string
  readonly gewaehlt?: boolean
  readonly le_date?: string
  readonly le_date_bis?: string
}
const documentOf = (taxes: readonly (readonly string[])[], lines: readonly Line[], head: object = {}) => ({
  datum: '2026-04-02',
  le_date: '2026-03-01',
  le_date_bis: '2026-03-20',
  ...head,
  positionen: lines.map(({ betrag, satz = '19.00', kategorie = 'S', art = 'position', ...days }) => ({
    art,
    kategorie,
    ust_satz: satz,
    betrag,
    le_date: null,
    le_date_bis: null,
    ...days,
  })),
  summen: {
    steuern: taxes.map(([category, rate, basis, taxAmount]) => ({
      kategorie: category,
      satz: rate,
      grund: '',
      basis,
      steuer: taxAmount,
    })),
  },
})
const S19 = (basis: string, taxAmount: string) => ['S', '19.00', basis, taxAmount]

/** Document, and its parts as "category rate day base tax". */
const PARTS: readonly (readonly [what: string, beleg: object, parts: readonly string[]])[] = [
  [
    'the days of the document',
    documentOf([S19('100.00', '19.00')], [{ betrag: '100.00' }]),
    ['S 19.00 2026-03-20 100.00 19.00'],
  ],
  [
    'one day',
    documentOf([S19('100.00', '19.00')], [{ betrag: '100.00' }], { le_date_bis: null }),
    ['S 19.00 2026-03-01 100.00 19.00'],
  ],
  [
    'no day: that of the invoice',
    documentOf([S19('100.00', '19.00')], [{ betrag: '100.00' }], { le_date: null, le_date_bis: null }),
    ['S 19.00 2026-04-02 100.00 19.00'],
  ],
  [
    'lines of two months, split to the cent',
    documentOf(
      [S19('100.00', '19.00')],
      [
        { betrag: '33.33', le_date: '2026-01-31' },
        { betrag: '33.33', le_date: '2026-02-01', le_date_bis: '2026-02-10' },
        { betrag: '33.34', le_date: '2026-02-28' },
      ],
    ),
    ['S 19.00 2026-01-31 33.33 6.33', 'S 19.00 2026-02-28 66.67 12.67'],
  ],
  [
    'a discount on the document is split as well',
    documentOf(
      [S19('90.01', '17.10')],
      [
        { betrag: '50.00', le_date: '2026-01-31' },
        { betrag: '50.01', le_date: '2026-02-01' },
      ],
    ),
    ['S 19.00 2026-01-31 45.00 8.55', 'S 19.00 2026-02-01 45.01 8.55'],
  ],
  [
    'each group by its own lines',
    documentOf(
      [S19('100.00', '19.00'), ['S', '7.00', '10.00', '0.70'], ['AE', '0.00', '5.00', '0.00']],
      [
        { betrag: '100.00' },
        { betrag: '10.00', satz: '7.00', le_date: '2026-02-02' },
        { betrag: '5.00', satz: '0.00', kategorie: 'AE', le_date: '2026-01-02' },
      ],
    ),
    ['S 19.00 2026-03-20 100.00 19.00', 'S 7.00 2026-02-02 10.00 0.70', 'AE 0.00 2026-01-02 5.00 0.00'],
  ],
  [
    'only lines that count',
    documentOf(
      [S19('30.00', '5.70')],
      [
        { betrag: '10.00' },
        { betrag: '99.00', art: 'optional', gewaehlt: false, le_date: '2026-01-02' },
        { betrag: '20.00', art: 'alternativ', gewaehlt: true, le_date: '2026-02-02' },
        { betrag: '30.00', art: 'ueberschrift', le_date: '2026-01-02' },
      ],
    ),
    ['S 19.00 2026-02-02 20.00 3.80', 'S 19.00 2026-03-20 10.00 1.90'],
  ],
  [
    'lines that cancel each other out',
    documentOf(
      [S19('0.00', '0.00')],
      [
        { betrag: '10.00', le_date: '2026-01-02' },
        { betrag: '-10.00', le_date: '2026-02-02' },
      ],
    ),
    ['S 19.00 2026-01-02 0 0', 'S 19.00 2026-02-02 0.00 0.00'],
  ],
  [
    'a Storno is the exact negation',
    documentOf(
      [S19('-100.00', '-19.00')],
      [
        { betrag: '-33.33', le_date: '2026-01-31' },
        { betrag: '-66.67', le_date: '2026-02-01' },
      ],
    ),
    ['S 19.00 2026-01-31 -33.33 -6.33', 'S 19.00 2026-02-01 -66.67 -12.67'],
  ],
  ['no groups', documentOf([], []), []],
]

const MONTHS = Array.from({ length: 16 }, (_, index) => {
  const at = (offset: number) => new Date(Date.UTC(2025, 9 + index + offset, 1))
  return {
    von: at(0).toISOString().slice(0, 10),
    bis: new Date(at(1).getTime() - 86_400_000).toISOString().slice(0, 10),
  }
})

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`turnover tax on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const { run, value } = bookkeeper(() => engine)

    test.each(PARTS)('parts of a document: %s', async (_what, beleg, parts) => {
      const { rows } = await engine.owner.query<{ part: string }>(
        `select concat_ws(' ', kategorie, satz, le_date, basis, steuer) as part
         from books.tax_parts($1::jsonb) order by nr, le_date`,
        [JSON.stringify(beleg)],
      )
      expect(rows.map(({ part }) => part)).toEqual(parts)
    })

    describe('random documents', () => {
      const FIRST = 100_000
      const invoices = randomInvoices(2026, 150, FIRST)
      interface Row {
        readonly rechnung_id: number
        readonly kategorie: string
        readonly satz: string
        readonly basis: string
        readonly steuer: string
        readonly anlass: string
      }
      const ask = (start: string, bis: string) =>
        run<Row>(
          `select rechnung_id, kategorie, satz, basis, steuer, anlass::text as anlass
           from app.a_get_ust($1, $2) where rechnung_id >= ${FIRST}`,
          start,
          bis,
        )
      const cents = (text: string): bigint => BigInt(text.replace('.', ''))
      const told = async (periods: readonly { von: string; bis: string }[]): Promise<Declared> => {
        const declared: Declared = new Map()
        for (const { von, bis } of periods)
          for (const { rechnung_id, kategorie, satz, basis, steuer, anlass } of await ask(von, bis)) {
            expect(anlass).not.toBe('{}')
            const key = `${von.slice(0, 7)} ${rechnung_id} ${kategorie} ${satz}`
            const [b, t] = declared.get(key) ?? [0n, 0n]
            declared.set(key, [b + cents(basis), t + cents(steuer)])
          }
        for (const [key, [b, t]] of declared) if (b === 0n && t === 0n) declared.delete(key)
        return declared
      }
      const shown = (declared: Declared) =>
        [...declared].map(([key, [b, t]]) => `${key} ${b} ${t}`).toSorted()
      beforeAll(async () => {
        await engine.owner.script(scriptOf(invoices))
        await engine.owner.script('select books.seal_missing()')
      })
      test.each(['soll', 'ist'] as const)(
        'every month agrees with an independent reckoning: %s',
        async (kind) => {
          await value(`app.a_set_lieferant('{"besteuerung": "${kind}"}')`)
          const wanted = shown(reckon(invoices, () => kind))
          expect(wanted.length).toBeGreaterThan(250)
          expect(shown(await told(MONTHS))).toEqual(wanted)
          expect(invoices.filter(({ replaced }) => replaced !== null).length).toBeGreaterThan(5)
          expect(invoices.flatMap(({ corrections }) => corrections).length).toBeGreaterThan(20)
        },
      )
      const changes = async (first: 'soll' | 'ist', ab: readonly string[]) => {
        const other = first === 'soll' ? 'ist' : 'soll'
        const taxationChanges = ab.map((day, at) => ({ ab: day, art: at % 2 === 0 ? other : first }))
        await value(
          'app.a_set_lieferant($1::jsonb)',
          JSON.stringify({ besteuerung: first, besteuerung_ab: taxationChanges }),
        )
        return (day: string) => taxationChanges.filter((one) => one.ab <= day).at(-1)?.art ?? first
      }
      test.each([
        ['soll', ['2026-01-01']],
        ['ist', ['2026-01-01']],
        ['soll', ['2025-12-01', '2026-03-01', '2026-05-01']],
        ['ist', ['2026-02-01', '2026-04-01']],
      ] as const)('and with changes: %s until %j', async (first, ab) => {
        const setting = await changes(first, ab)
        expect(shown(await told(MONTHS))).toEqual(shown(reckon(invoices, setting)))
      })
      test('no change taxes anything twice or leaves it out (§ 20 sentence 3 UStG)', async () => {
        // Paid to the cent in money: in the end either way has declared the whole invoice.
        const settled = new Set(
          invoices
            .filter(
              ({ storno, payments, advance, ...one }) =>
                storno === null &&
                payments.every(({ art }) => art === 'zahlung') &&
                payments.reduce((sum, { cents }) => sum + cents, advance) === grossOf(one),
            )
            .map(({ id }) => String(id)),
        )
        expect(settled.size).toBeGreaterThan(5)
        const ends = (declared: Declared) => {
          const total = new Map<string, readonly [bigint, bigint]>()
          for (const [key, [b, t]] of declared) {
            const [, id = '', ...group] = key.split(' ')
            if (!settled.has(id)) continue
            const name = [id, ...group].join(' ')
            const [base, tax] = total.get(name) ?? [0n, 0n]
            total.set(name, [base + b, tax + t])
          }
          return [...total].map(([name, [b, t]]) => `${name} ${b} ${t}`).toSorted()
        }
        await changes('soll', [])
        const never = ends(await told(MONTHS))
        expect(never.length).toBeGreaterThan(5)
        for (const first of ['soll', 'ist'] as const) {
          await changes(first, ['2026-01-01', '2026-04-01'])
          expect(ends(await told(MONTHS))).toEqual(never)
        }
        await changes('soll', [])
      })
      test.each([
        '{}',
        '[1]',
        '[{"ab": "2026-01-02", "art": "ist"}]',
        '[{"ab": "2026-01-01", "art": "x"}]',
        '[{"ab": "2026-01-01", "art": "ist"}, {"ab": "2026-01-01", "art": "soll"}]',
      ])('no change is %s', async (given) =>
        expect(
          await refusalIn(
            engine.api,
            claimsOf('apus_admin'),
            sql(`select app.a_set_lieferant(jsonb_build_object('besteuerung_ab', $1::jsonb))`, given),
          ),
        ).toBe('23514 besteuerung_ab besteuerung_ab'),
      )
      test('a quarter is the sum of its months', async () => {
        const sums = (declared: Declared) => {
          const total = new Map<string, bigint>()
          for (const [key, [b, t]] of declared) {
            const group = key.split(' ').slice(2).join(' ')
            total.set(group, (total.get(group) ?? 0n) + b * 1_000_000n + t)
          }
          return total
        }
        const quarter = await told([{ von: '2026-01-01', bis: '2026-03-31' }])
        const months = await told(MONTHS.slice(3, 6))
        expect(sums(quarter)).toEqual(sums(months))
      })
    })
    test('an invoice of two rates, by hand: supplied in January, half paid in April, a discount in May', async () => {
      const [line, id] = [{ kategorie: 'S', day: null } as const, 90_000]
      const invoice: SampleInvoice = {
        id,
        issued: '2026-03-05',
        supplied: '2026-01-31',
        lines: [
          { ...line, satz: 19, cents: 100_00n },
          { ...line, satz: 7, cents: 100_00n },
        ],
        advance: 0n,
        payments: [
          { day: '2026-04-10', cents: 113_00n, art: 'zahlung' },
          { day: '2026-05-10', cents: 2_26n, art: 'skonto' },
        ],
        eu: false,
        ort: null,
        storno: null,
        corrections: [],
        replaced: null,
      }
      await engine.owner.script(scriptOf([invoice]))
      await engine.owner.script('select books.seal_missing()')
      const year = async (kind: string) => {
        await value(`app.a_set_lieferant('{"besteuerung": "${kind}"}')`)
        const told: string[] = []
        for (const { von, bis } of MONTHS)
          for (const { satz, basis, steuer, anlass } of await run<Record<string, string>>(
            `select satz, basis, steuer, anlass::text as anlass from app.a_get_ust($1, $2)
             where rechnung_id = ${id}`,
            von,
            bis,
          ))
            told.push(`${von.slice(0, 7)} ${satz} ${basis} ${steuer} ${anlass}`)
        return told
      }
      expect(await year('soll')).toEqual([
        '2026-01 19.00 100.00 19.00 {leistung}',
        '2026-01 7.00 100.00 7.00 {leistung}',
        '2026-05 19.00 -1.00 -0.19 {minderung}',
        '2026-05 7.00 -1.00 -0.07 {minderung}',
      ])
      expect(await year('ist')).toEqual([
        '2026-04 19.00 50.00 9.50 {zahlung}',
        '2026-04 7.00 50.00 3.50 {zahlung}',
      ])
    })
    test('only whole months', async () => {
      const asked = (start: string, bis: string) =>
        refusalIn(engine.api, claimsOf('apus_admin'), sql('select * from app.a_get_ust($1, $2)', start, bis))
      expect(await asked('2026-01-01', '2026-12-31')).toBe('done')
      for (const [start, bis] of [
        ['2026-01-02', '2026-01-31'],
        ['2026-01-01', '2026-01-30'],
        ['2026-02-01', '2026-01-31'],
        ['2026-01-01', '2027-01-31'],
      ] as const)
        expect(await asked(start, bis), `${start} ${bis}`).toBe('23514 von zeitraum')
    })

    test('a Storno counts when it happens, what replaces the cancelled one with it, DATEV knows both', async () => {
      const draft = Number(await value('app.a_add_invoice($1, $2, $3, 19)', w.A, TODAY, '2026-01-31'))
      const lines = [{ bez: 'Vermessung', anzahl: '1', ep: '100.00' }]
      await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), draft)
      await run('select * from app.a_issue_invoice($1)', draft)
      const [storno] = await run<{ id: number }>('select id from app.a_cancel_invoice($1)', draft)
      const copy = Number(await value('app.a_copy_invoice($1)', draft))
      await run('select * from app.a_issue_invoice($1)', copy)
      const rows = await run<{ rechnung_id: number; steuern: DatevTax[] | string }>(
        `select rechnung_id, (beleg #> '{summen,steuern}')::text as steuern
         from app.a_get_datev($1, $1) where rechnung_id = any ($2)`,
        TODAY,
        [draft, Number(storno!.id), copy],
      )
      const group = (basis: string, taxAmount: string, datum: string) => [
        { kategorie: 'S', satz: '19.00', basis, steuer: taxAmount, le_date: '2026-01-31', datum },
      ]
      expect(rows.map(({ steuern }) => JSON.parse(String(steuern)) as DatevTax[])).toEqual([
        group('100.00', '19.00', '2026-01-31'),
        group('-100.00', '-19.00', TODAY),
        group('100.00', '19.00', TODAY),
      ])
    })
  })
