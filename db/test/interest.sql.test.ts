// Default interest and lump sum: the same cases as in TypeScript, and what a reminder makes of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import cases from '#domain/interest.cases.json' with { type: 'json' }
import type { Statement } from '#server/database/database.ts'
import { OPEN_A, OPEN_B, ZAHLUNG } from './cells/zahlung.ts'
import { refusalIn } from './attempt.ts'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf } from './world.ts'

const json = (value: unknown): unknown =>
  typeof value === 'string' && /^[{[]/.test(value) ? JSON.parse(value) : value

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`interest on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const rowsOf = async (...statements: Statement[]) => {
      const outcome = await attempt(engine.api, claimsOf('apus_admin'), ...statements)
      if ('code' in outcome) throw new Error(`${outcome.code} ${outcome.message}`)
      return outcome.rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, json(value)])),
      )
    }
    const refusal = (...statements: Statement[]) =>
      refusalIn(engine.api, claimsOf('apus_admin'), ...statements)
    const asOwner = async (text: string, values: unknown[]) => (await engine.owner.query(text, values)).rows

    test.each(cases.zinsen)('$why', async ({ posten, von, bis, privat, fehlt, zinsen, zeilen }) => {
      const rates = JSON.stringify(cases.saetze)
      expect(
        await asOwner('select books.missing_half_year($1::jsonb, $2::date, $3::date)::text as tag', [
          rates,
          von,
          bis,
        ]),
      ).toEqual([{ tag: fehlt ?? null }])
      if (fehlt !== undefined) return
      const rows = await asOwner(
        `select von::text, bis::text, tage, betrag::text, basiszins::text, satz::text, zinsen::text
         from books.interest_periods($1::jsonb, $2::jsonb, $3::date, $4::date, $5) order by von`,
        [JSON.stringify(posten), rates, von, bis, privat],
      )
      expect(rows).toEqual(zeilen)
      expect(
        await asOwner(
          `select coalesce(sum(zinsen), 0)::numeric(14, 2)::text as summe
           from books.interest_periods($1::jsonb, $2::jsonb, $3::date, $4::date, $5)`,
          [JSON.stringify(posten), rates, von, bis, privat],
        ),
      ).toEqual([{ summe: zinsen }])
    })
    test.each(cases.beginn)('begins: $why', async ({ faellig, privat, frist, mahnung, ab, fruehestens }) =>
      expect(
        await asOwner(
          `select books.default_day($1::date, $2, $3::date)::text as ab,
             books.earliest_default_day($1::date, $2, $4::date)::text as fruehestens`,
          [faellig, privat, frist, mahnung],
        ),
      ).toEqual([{ ab, fruehestens }]),
    )

    describe('a reminder', () => {
      const supplier = (rates: unknown = null) =>
        sql(
          `select app.a_set_lieferant('{"name": "V", "strasse": "W 1", "plz": "37073", "ort": "G"}'::jsonb
             || coalesce(jsonb_build_object('basiszins', $1::jsonb), '{}'))`,
          rates === null ? '[]' : JSON.stringify(rates),
        )
      /** Rates for every half-year from the due day to today. */
      const ALL = sql(
        `select app.a_set_lieferant(jsonb_build_object('name', 'V', 'strasse', 'W 1', 'plz', '37073', 'ort', 'G',
           'basiszins', (select jsonb_agg(jsonb_build_object('ab', d::date, 'satz', '1.00', 'quelle', 'Test'))
             from generate_series('2026-01-01'::timestamp, checks.today()::timestamp, '6 months') d)))`,
      )
      const remind = (more: string, invoice = OPEN_A, level = 2) =>
        sql(`select app.a_add_mahnung(${invoice}, ${level}, gebuehr => 0${more}) as id`)
      const newest = sql(
        `select beleg, zinsen::text, zinsen_ab::text, pauschale::text from app.mahnung order by id desc limit 1`,
      )
      test('demands all interest until its day, and the lump sum', async () => {
        const [row] = await rowsOf(ALL, remind(`, zinsen_ab => '2026-01-20', pauschale => true`), newest)
        const { beleg, zinsen } = row as {
          beleg: {
            summen: { zahlbetrag: string }
            mahnung: { verzug: { zeilen: { von: string; betrag: string; satz: string; tage: number }[] } }
          }
          zinsen: string
        }
        expect(row).toMatchObject({ zinsen_ab: '2026-01-20', pauschale: '40.00' })
        const { zeilen } = beleg.mahnung.verzug
        // 119.00 until the payment of 19.00 on 1 February, 100.00 from the day after it.
        expect(zeilen.slice(0, 2)).toMatchObject([
          { von: '2026-01-20', bis: '2026-02-01', tage: 13, betrag: '119.00', satz: '10.00', zinsen: '0.42' },
          { von: '2026-02-02', betrag: '100.00' },
        ])
        const cents = (text: string) => Math.round(Number(text) * 100)
        expect(cents(beleg.summen.zahlbetrag)).toBe(10000 + 4000 + cents(zinsen))
        expect(cents(zinsen)).toBe(
          zeilen.reduce((sum, one) => sum + cents((one as unknown as { zinsen: string }).zinsen), 0),
        )
      })
      test('a payment that was taken back never counted', async () => {
        const [row] = await rowsOf(
          ALL,
          sql(`select app.a_revoke_payment(${ZAHLUNG}, 'Irrtum')`),
          remind(`, zinsen_ab => '2026-02-02'`),
          newest,
        )
        expect(row).toMatchObject({ beleg: { mahnung: { verzug: { zeilen: [{ betrag: '119.00' }, {}] } } } })
      })
      test('without interest and lump sum says nothing of them', async () => {
        const [row] = await rowsOf(ALL, remind(''), newest)
        expect(row).toMatchObject({ zinsen: '0.00', zinsen_ab: null, pauschale: '0.00' })
        expect((row as { beleg: { mahnung: object } }).beleg.mahnung).not.toHaveProperty('verzug')
      })
      test('the lump sum is demanded once and stays demanded', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.mahnung set text = text where false;
           insert into app.mahnung (client_id, rechnung_id, stufe, datum, faellig, pauschale, beleg)
           select client_id, id, 2, '2026-03-01', '2026-03-10', 40, '{}' from app.rechnung where id = ${OPEN_A};
           commit`,
        )
        try {
          expect(await refusal(ALL, remind(', pauschale => true', OPEN_A, 3))).toBe(
            '23514 pauschale mahnung_pauschale',
          )
          const [row] = await rowsOf(ALL, remind('', OPEN_A, 3), newest)
          expect(row).toMatchObject({
            pauschale: '0.00',
            beleg: {
              summen: { zahlbetrag: '140.00' },
              mahnung: { verzug: { pauschale: '40.00', zeilen: [] } },
            },
          })
          expect(
            await rowsOf(
              sql(
                `select pauschale, privat, zinsen_ab::text, zinsen_fruehestens::text, posten
                 from app.a_get_mahnliste() where rechnung_id = ${OPEN_A}`,
              ),
            ),
          ).toEqual([
            {
              pauschale: '40.00',
              privat: false,
              zinsen_ab: '2026-01-20',
              zinsen_fruehestens: '2026-01-20',
              posten: [
                { ab: '2000-01-01', offen: '119.00' },
                { ab: '2026-02-02', offen: '100.00' },
              ],
            },
          ])
        } finally {
          await engine.owner.script(
            `alter table app.mahnung disable trigger user;
             delete from app.mahnung where rechnung_id = ${OPEN_A} and stufe = 2;
             alter table app.mahnung enable trigger user`,
          )
        }
      })
      test('private persons owe no lump sum, and interest not before a reminder or thirty days', async () => {
        const isPrivate = sql(`select app.a_set_kunde_rechnung(
          (select client_id from app.rechnung where id = ${OPEN_A}), '{"ist_privat": true}',
          (select k.version from app.kunde_rechnung k join app.rechnung r using (client_id) where r.id = ${OPEN_A}))`)
        expect(await refusal(isPrivate, ALL, remind(', pauschale => true'))).toBe(
          '23514 pauschale mahnung_pauschale',
        )
        expect(await refusal(isPrivate, ALL, remind(`, zinsen_ab => '2026-02-10'`))).toBe(
          '23514 zinsen_ab mahnung_zinsen_privat',
        )
        const [row] = await rowsOf(isPrivate, ALL, remind(`, zinsen_ab => '2026-02-11'`), newest)
        expect(row).toMatchObject({
          beleg: { mahnung: { verzug: { privat: true, zeilen: [{ satz: '6.00' }, {}] } } },
        })
      })
      test('names the half-year without a rate and computes nothing', async () => {
        const [first] = cases.saetze.filter(({ ab }) => ab === '2026-01-01')
        expect(await refusal(supplier([first]), remind(`, zinsen_ab => '2026-01-20'`))).toBe(
          'PT409 - basiszins_fehlt',
        )
        expect(await refusal(remind(`, zinsen_ab => '2026-01-20'`))).toBe('PT409 - basiszins_fehlt')
        expect(await refusal(supplier([first]), remind(''))).toBe('done')
      })
      test.each([
        ['before the day after the due day', `'2026-01-19'`],
        ['after the letter', 'checks.today() + 2'],
      ])('no interest %s', async (_, day) =>
        expect(await refusal(ALL, remind(`, zinsen_ab => ${day}`))).toBe('23514 zinsen_ab mahnung_zinsen_ab'),
      )
      test('is in the account outside the balance', async () => {
        const account = sql(
          `select app.a_get_kundenkonto((select client_id from app.rechnung where id = ${OPEN_B}),
             '2026-01-01', checks.today()) as konto`,
        )
        const [before] = (await rowsOf(account)) as { konto: { ende: string } }[]
        const [row] = await rowsOf(
          ALL,
          remind(`, zinsen_ab => '2026-01-21', pauschale => true`, OPEN_B, 1),
          account,
        )
        expect(row).toMatchObject({ konto: { pauschalen: '40.00', ende: before!.konto.ende } })
      })
      test.each([
        [{ ab: '2026-06-30' }],
        [{ satz: '20.01' }],
        [{ satz: '-5.01' }],
        [{ satz: '1.2' }],
        [{ satz: 1.27 }],
        [{ quelle: '' }],
        [{ mehr: 'x' }],
      ])('a rate may not be %j', async (part) =>
        expect(
          await refusal(supplier([{ ab: '2026-07-01', satz: '1.27', quelle: 'Bundesbank', ...part }])),
        ).toBe('23514 basiszins basiszins'),
      )
      test('nor stand twice', async () =>
        expect(await refusal(supplier([cases.saetze[0], cases.saetze[0]]))).toBe('23514 basiszins basiszins'))
    })
  })
