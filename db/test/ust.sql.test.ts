// Turnover tax: which part of a document belongs to which tax period.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatevTax } from '#domain/datev/job.ts'
import { asCaller, ENGINES, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf } from './world.ts'

const TODAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date())

interface Line {
  readonly betrag: string
  readonly satz?: string
  readonly kategorie?: string
  readonly art?: string
  readonly gewaehlt?: boolean
  readonly le_date?: string
  readonly le_date_bis?: string
}
const documentOf = (steuern: readonly (readonly string[])[], lines: readonly Line[], head: object = {}) => ({
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
    steuern: steuern.map(([kategorie, satz, basis, steuer]) => ({
      kategorie,
      satz,
      grund: '',
      basis,
      steuer,
    })),
  },
})
const S19 = (basis: string, steuer: string) => ['S', '19.00', basis, steuer]

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

for (const engineName of ENGINES)
  describe.skipIf(isMissing(engineName))(`turnover tax on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const run = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
      (await engine.api.once<T>(asCaller(claimsOf('apus_admin')), sql(text, ...values))).rows
    const value = async <T>(text: string, ...values: unknown[]): Promise<T> =>
      Object.values((await run<Record<string, unknown>>(`select ${text}`, ...values))[0]!)[0] as T

    test.each(PARTS)('parts of a document: %s', async (_what, beleg, parts) => {
      const { rows } = await engine.owner.query<{ part: string }>(
        `select concat_ws(' ', kategorie, satz, le_date, basis, steuer) as part
         from books.tax_parts($1::jsonb) order by nr, le_date`,
        [JSON.stringify(beleg)],
      )
      expect(rows.map(({ part }) => part)).toEqual(parts)
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
      const group = (basis: string, steuer: string, datum: string) => [
        { kategorie: 'S', satz: '19.00', basis, steuer, le_date: '2026-01-31', datum },
      ]
      expect(rows.map(({ steuern }) => JSON.parse(String(steuern)) as DatevTax[])).toEqual([
        group('100.00', '19.00', '2026-01-31'),
        group('-100.00', '-19.00', TODAY),
        group('100.00', '19.00', TODAY),
      ])
    })
  })
