// Input tax of received invoices by month: when it counts, what lowers it, and the tax that we owe as the recipient.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt, refusalIn, rowsOf } from './attempt.ts'
import { EINGANG, KREDITOR } from './cells/eingang.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf } from './world.ts'

type Months = Readonly<Record<string, readonly [basis: string, steuer: string, abzug: string]>>
interface Case {
  readonly why: string
  /** Columns of the invoice; the others: 100.00 + 19.00, of and received on 2 February. */
  readonly set?: string
  /** Day, amount, kind. */
  readonly payments?: readonly (readonly [string, string, 'zahlung' | 'skonto'])[]
  readonly months: Months
}
const CASES: readonly Case[] = [
  { why: 'supply and invoice in one month', months: { '2026-02': ['100.00', '0.00', '19.00'] } },
  {
    why: 'received later (§ 15 (1) Nr. 1: the invoice must be there)',
    set: `erhalten = '2026-03-05'`,
    months: { '2026-03': ['100.00', '0.00', '19.00'] },
  },
  {
    why: 'supplied later',
    set: `leistung = '2026-04-30'`,
    months: { '2026-04': ['100.00', '0.00', '19.00'] },
  },
  {
    why: 'paid before the supply, in parts',
    set: `leistung = '2026-05-15'`,
    payments: [
      ['2026-03-10', '50.00', 'zahlung'],
      ['2026-04-10', '69.00', 'zahlung'],
    ],
    months: { '2026-03': ['42.02', '0.00', '7.98'], '2026-04': ['57.98', '0.00', '11.02'] },
  },
  {
    why: 'a part paid before, the rest with the supply',
    set: `leistung = '2026-05-15'`,
    payments: [['2026-03-10', '59.50', 'zahlung']],
    months: { '2026-03': ['50.00', '0.00', '9.50'], '2026-05': ['50.00', '0.00', '9.50'] },
  },
  {
    why: 'paid before the invoice came: with the invoice (§ 15 (1) Nr. 1 sentence 3)',
    set: `leistung = '2026-05-15', erhalten = '2026-04-02'`,
    payments: [['2026-03-10', '119.00', 'zahlung']],
    months: { '2026-04': ['100.00', '0.00', '19.00'] },
  },
  {
    why: 'cash discount in the month after (§ 17 (1) sentence 8)',
    payments: [
      ['2026-03-10', '116.62', 'zahlung'],
      ['2026-03-10', '2.38', 'skonto'],
    ],
    months: { '2026-02': ['100.00', '0.00', '19.00'], '2026-03': ['-2.00', '0.00', '-0.38'] },
  },
  {
    why: 'half of it deductible',
    set: 'vorsteuer_betrag = 9.5',
    months: { '2026-02': ['100.00', '0.00', '9.50'] },
  },
  { why: 'nothing deductible', set: `vorsteuer = 'keine'`, months: {} },
  {
    why: 'a credit note',
    set: 'netto = -100, steuer = -19, brutto = -119, zahlbetrag = -119',
    months: { '2026-02': ['-100.00', '0.00', '-19.00'] },
  },
  {
    why: 'a credit note of a service from the EU: with the credit, not with the supply (§ 17 (1) sentence 8)',
    set: `vorsteuer = 'eu_leistung', netto = -100, steuer = 0, brutto = -100, zahlbetrag = -100,
      leistung = '2026-01-31', datum = '2026-06-15', erhalten = '2026-06-16'`,
    months: { '2026-06': ['-100.00', '-19.00', '-19.00'] },
  },
  {
    why: 'a credit note of goods from the EU',
    set: `vorsteuer = 'erwerb', netto = -100, steuer = 0, brutto = -100, zahlbetrag = -100,
      leistung = '2026-01-31', datum = '2026-06-15'`,
    months: { '2026-06': ['-100.00', '-19.00', '-19.00'] },
  },
  {
    why: 'a service from the EU: with the supply, whenever the invoice comes (§ 13b (1))',
    set: `vorsteuer = 'eu_leistung', steuer = 0, brutto = 100, zahlbetrag = 100, leistung = '2026-01-31',
      erhalten = '2026-03-02'`,
    months: { '2026-01': ['100.00', '19.00', '19.00'] },
  },
  {
    why: 'another service: with the invoice (§ 13b (2))',
    set: `vorsteuer = 'andere_leistung', steuer = 0, brutto = 100, zahlbetrag = 100, leistung = '2026-01-15'`,
    months: { '2026-02': ['100.00', '19.00', '19.00'] },
  },
  {
    why: 'at the latest with the end of the month after the supply',
    set: `vorsteuer = 'andere_leistung', steuer = 0, brutto = 100, zahlbetrag = 100, leistung = '2025-11-15'`,
    months: { '2025-12': ['100.00', '19.00', '19.00'] },
  },
  {
    why: 'a service from the EU, a part paid before the supply and the invoice (§ 13b (4) sentence 2)',
    set: `vorsteuer = 'eu_leistung', steuer = 0, brutto = 100, zahlbetrag = 100, leistung = '2026-05-15',
      erhalten = '2026-06-02'`,
    payments: [
      ['2026-03-10', '30.00', 'zahlung'],
      ['2026-06-10', '70.00', 'zahlung'],
    ],
    months: { '2026-03': ['30.00', '5.70', '5.70'], '2026-05': ['70.00', '13.30', '13.30'] },
  },
  {
    why: 'such an advance paid back before the supply',
    set: `vorsteuer = 'eu_leistung', steuer = 0, brutto = 100, zahlbetrag = 100, leistung = '2026-06-15'`,
    payments: [
      ['2026-03-10', '30.00', 'zahlung'],
      ['2026-04-10', '-30.00', 'zahlung'],
    ],
    months: {
      '2026-03': ['30.00', '5.70', '5.70'],
      '2026-04': ['-30.00', '-5.70', '-5.70'],
      '2026-06': ['100.00', '19.00', '19.00'],
    },
  },
  {
    why: 'another service, paid in parts before the supply and between supply and invoice',
    set: `vorsteuer = 'andere_leistung', steuer = 0, brutto = 100, zahlbetrag = 100, leistung = '2026-03-15',
      datum = '2026-06-02'`,
    payments: [
      ['2026-01-10', '20.00', 'zahlung'],
      ['2026-03-20', '30.00', 'zahlung'],
    ],
    // At the latest with the end of the month after the supply.
    months: { '2026-01': ['20.00', '3.80', '3.80'], '2026-04': ['80.00', '15.20', '15.20'] },
  },
  {
    why: 'goods from the EU are no service: paid in advance they count with the invoice (§ 13 (1) Nr. 6)',
    set: `vorsteuer = 'erwerb', steuer = 0, brutto = 100, zahlbetrag = 100, leistung = '2026-05-15',
      datum = '2026-05-16'`,
    payments: [['2026-03-10', '100.00', 'zahlung']],
    months: { '2026-05': ['100.00', '19.00', '19.00'] },
  },
  {
    why: 'goods from the EU at 7 %, with a cash discount',
    set: `vorsteuer = 'erwerb', vorsteuer_satz = 7, steuer = 0, brutto = 100, zahlbetrag = 100`,
    payments: [
      ['2026-03-10', '98.00', 'zahlung'],
      ['2026-03-10', '2.00', 'skonto'],
    ],
    months: { '2026-02': ['100.00', '7.00', '7.00'], '2026-03': ['-2.00', '-0.14', '-0.14'] },
  },
  {
    why: 'an advance: with its payments alone, whatever its days say (§ 15 (1) Nr. 1 sentence 3)',
    set: `vorsteuer = 'anzahlung'`,
    payments: [
      ['2026-03-10', '59.50', 'zahlung'],
      ['2026-05-10', '59.50', 'zahlung'],
    ],
    months: { '2026-03': ['50.00', '0.00', '9.50'], '2026-05': ['50.00', '0.00', '9.50'] },
  },
  {
    why: 'an advance paid and paid back',
    set: `vorsteuer = 'anzahlung'`,
    payments: [
      ['2026-03-10', '119.00', 'zahlung'],
      ['2026-04-10', '-119.00', 'zahlung'],
    ],
    months: { '2026-03': ['100.00', '0.00', '19.00'], '2026-04': ['-100.00', '0.00', '-19.00'] },
  },
  { why: 'an advance nobody paid', set: `vorsteuer = 'anzahlung'`, months: {} },
  {
    why: 'a final invoice that takes an advance off, with a cash discount on the rest',
    set: `vorsteuer_betrag = 9.5, zahlbetrag = 59.5`,
    payments: [
      ['2026-03-10', '58.31', 'zahlung'],
      ['2026-03-10', '1.19', 'skonto'],
    ],
    months: { '2026-02': ['100.00', '0.00', '9.50'], '2026-03': ['-2.00', '0.00', '-0.19'] },
  },
  { why: 'not approved', set: `zustand = 'neu', entschieden_am = null`, months: {} },
  { why: 'refused', set: `zustand = 'abgelehnt'`, months: {} },
]

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`input tax on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      for (const [at, { set, payments = [] }] of CASES.entries()) {
        const id = 200 + at
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await engine.owner.script(
          [
            `insert into app.eingang (id, kreditor_id, name, dateiname, inhalt, format, geprueft, datum, netto, steuer,
               brutto, nummer, zahlbetrag, zustand, entschieden_am, erhalten)
             values (${id}, ${KREDITOR}, 'x', 'x', 'v${id}', 'cii', 'x', '2026-02-02', 100, 19, 119, 'V-${at}', 119,
               'freigegeben', now(), '2026-02-02')`,
            ...(set === undefined ? [] : [`update app.eingang set ${set} where id = ${id}`]),
            ...payments.map(
              ([day, amount, kind]) =>
                `insert into app.eingang_zahlung (eingang_id, datum, betrag, art)
                   values (${id}, '${day}', ${amount}, '${kind}')`,
            ),
          ].join(';'),
        )
      }
    })
    afterAll(() => engine?.close())
    const taxOf = async (from: string, to: string) =>
      rowsOf(
        await attempt(
          engine.api,
          claimsOf('apus_admin'),
          sql('select eingang_id::integer, basis, steuer, abzug from app.a_get_vorsteuer($1, $2)', from, to),
        ),
      )

    test('each case by month', async () => {
      const found: Record<string, Record<string, unknown>> = {}
      for (const month of [
        '2025-11',
        '2025-12',
        '2026-01',
        '2026-02',
        '2026-03',
        '2026-04',
        '2026-05',
        '2026-06',
      ]) {
        const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0))
          .toISOString()
          .slice(0, 10)
        // oxlint-disable-next-line no-await-in-loop -- month after month
        for (const { eingang_id, basis, steuer, abzug } of await taxOf(`${month}-01`, last)) {
          const one = CASES[Number(eingang_id) - 200]
          if (one !== undefined) (found[one.why] ??= {})[month] = [basis, steuer, abzug]
        }
      }
      expect(found).toEqual(
        Object.fromEntries(
          CASES.filter(({ months }) => Object.keys(months).length > 0).map(({ why, months }) => [
            why,
            months,
          ]),
        ),
      )
    })
    test('a quarter is the sum of its months', async () => {
      const rows = await taxOf('2026-01-01', '2026-03-31')
      const own = (at: number) => rows.find(({ eingang_id }) => eingang_id === 200 + at)
      const discount = CASES.findIndex(({ why }) => why.startsWith('cash discount'))
      expect(own(discount)).toMatchObject({ basis: '98.00', abzug: '18.62' })
    })
    test('a small business deducts nothing and owes what the recipient owes', async () => {
      await engine.owner.script(
        `insert into app.lieferant (name, strasse, plz, ort, kleinunternehmer) values ('K', 'W 1', '37073', 'G', true)
           on conflict (eines) do update set kleinunternehmer = true`,
      )
      const rows = await taxOf('2026-01-01', '2026-03-31')
      expect(rows.every(({ abzug }) => abzug === '0.00')).toBe(true)
      expect(rows.some(({ steuer }) => steuer === '19.00')).toBe(true)
      // Until the day before the supplies of February, or from their day on; what was supplied in January keeps what
      // held then.
      const deducted = async (from: string, to: string, why: string) =>
        (await taxOf(from, to)).find(
          ({ eingang_id }) => eingang_id === 200 + CASES.findIndex((one) => one.why.startsWith(why)),
        )?.['abzug']
      for (const [first, way, later, earlier] of [
        ['true', 'regel', '19.00', '0.00'],
        ['false', 'klein', '0.00', '19.00'],
      ] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one setting after the other
        await engine.owner.script(
          `update app.lieferant set kleinunternehmer = ${first},
             kleinunternehmer_ab = '[{"ab": "2026-02-02", "art": "${way}"}]'`,
        )
        // oxlint-disable-next-line no-await-in-loop -- one setting after the other
        expect(await deducted('2026-02-01', '2026-02-28', 'supply and')).toBe(later)
        // oxlint-disable-next-line no-await-in-loop -- one setting after the other
        expect(await deducted('2026-01-01', '2026-01-31', 'a service from the EU')).toBe(earlier)
      }
      await engine.owner.script(
        `update app.lieferant set kleinunternehmer = false, kleinunternehmer_ab = '[]'`,
      )
    })
    test.each([
      [{ vorsteuer: 'alles' }, '23514 vorsteuer vorsteuer_art'],
      [{ vorsteuer_satz: '16' }, '23514 vorsteuer_satz vorsteuer_satz'],
      [{ vorsteuer_betrag: '19.01' }, '23514 vorsteuer_betrag vorsteuer_betrag'],
      [{ vorsteuer_betrag: '-1' }, '23514 vorsteuer_betrag vorsteuer_betrag'],
      [{ vorsteuer_betrag: 'x' }, '22P02 - -'],
      [{ leistung: '1999-01-01' }, '23514 leistung datum_bereich'],
      [{ erhalten: '2200-01-01' }, '23514 erhalten erhalten'],
    ])('%j is refused', async (values, wanted) =>
      expect(
        await refusalIn(
          engine.api,
          claimsOf('apus_admin'),
          sql('select app.a_save_eingang($1, 1, $2::jsonb)', EINGANG, JSON.stringify(values)),
        ),
      ).toBe(wanted),
    )
    test('only whole months', async () =>
      expect(
        await refusalIn(
          engine.api,
          claimsOf('apus_admin'),
          sql(`select * from app.a_get_vorsteuer('2026-01-02', '2026-01-31')`),
        ),
      ).toBe('23514 von zeitraum'))
  })
