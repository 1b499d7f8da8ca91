// Corrections of single lines or amounts: what may be taken back, what it makes of the invoice, of its payments, open
// items, turnover tax, DATEV and the overview.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KorrekturState } from '#contract/buchhaltung.ts'
import type { UstRow } from '#contract/ust.ts'
import type { CustomerAccount, OpenItem } from '#contract/zahlung.ts'
import type { Beleg, BelegTax } from '#domain/beleg.ts'
import { addDays } from '#domain/day.ts'
import cases from '#domain/korrektur.cases.json' with { type: 'json' }
import { DatabaseFault } from '#server/database/database.ts'
import { bookkeeper } from './bookkeeper.ts'
import { enginesToday, type Engine, isMissing, openEngine } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

const TODAY = officeDay(new Date())
const SUPPLIED = addDays(TODAY, -70)
const LINES = [
  { bez: 'Aufnahme', anzahl: '10', einheit: 'ha', ep: '100.00', ust_satz: '19' },
  { bez: 'Karte', anzahl: '2', einheit: 'Stk', ep: '50.00', ust_satz: '7' },
]
const taxOf = ([category, rate, lineSum, discount, basis, tax]: readonly string[]) => ({
  kategorie: category,
  satz: rate,
  grund: '',
  positionen: lineSum,
  rabatt: discount,
  basis,
  steuer: tax,
})
const told = ({ kategorie, satz, basis, steuer }: BelegTax) => `${kategorie} ${satz} ${basis} ${steuer}`
const monthOf = (iso: string) => {
  const [year, month] = iso.split('-').map(Number)
  return [`${iso.slice(0, 7)}-01`, new Date(Date.UTC(year!, month!, 0)).toISOString().slice(0, 10)] as const
}

for (const name of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(name))(`corrections on ${name}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(name)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const { run, value, json } = bookkeeper(() => engine)
    /** 'done', or rule, field and number. */
    const refused = async (work: Promise<unknown>): Promise<string> => {
      try {
        await work
        return 'done'
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error
        const field = /column "([^"]+)"/.exec(error.message)?.[1]
        return [error.hint ?? error.message, field].filter(Boolean).join(' ')
      }
    }
    const invoice = async (lines: readonly object[] = LINES, more: object = {}): Promise<number> => {
      const id = Number(await value('app.a_add_invoice($1, $2, $3, 19)', w.A, TODAY, SUPPLIED))
      await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), id)
      if (Object.keys(more).length > 0)
        await value(`app.a_save_beleg('rechnung', $1, $2::jsonb)`, id, JSON.stringify(more))
      await issue(id)
      return id
    }
    const issue = async (id: number) =>
      (await run<{ nummer: string }>('select nummer from app.a_issue_invoice($1)', id))[0]!.nummer
    const rest = (id: number) => json<KorrekturState>('app.a_get_korrektur($1)', id)
    const asked = async (id: number, wishes: Readonly<Record<string, object>>) => {
      const { zeilen } = await rest(id)
      return JSON.stringify(
        Object.entries(wishes).map(([label, wish]) => ({
          position_id: zeilen.find((line) => line.bez === label)!.position_id,
          ...wish,
        })),
      )
    }
    const correct = async (id: number, wishes: Readonly<Record<string, object>>) =>
      Number(
        await value(
          'app.a_add_korrektur($1, $2::jsonb, $3)',
          id,
          await asked(id, wishes),
          'Es waren nur acht Hektar.',
        ),
      )
    const corrected = async (id: number, wishes: Readonly<Record<string, object>>) => {
      const made = await correct(id, wishes)
      await issue(made)
      return made
    }
    const belegOf = (id: number) => json<Beleg>(`app.a_get_beleg('rechnung', $1)`, id)
    const stateOf = async (id: number) =>
      (
        await run<{ stand: string; offen: string; bezahlt: string }>(
          'select stand, offen::text, bezahlt::text from app.rechnung_liste where id = $1',
          id,
        )
      ).map(({ stand, offen, bezahlt }) => `${stand} ${offen} ${bezahlt}`)[0]
    const pay = (id: number, amount: string, day = TODAY) =>
      value<number>('app.a_add_payment($1, $2, $3)', id, day, amount)
    const ust = async (day: string, id: number) =>
      (await run<UstRow>('select * from app.a_get_ust($1, $2)', ...monthOf(day)))
        .filter(({ rechnung_id }) => Number(rechnung_id) === id)
        .map(
          ({ satz, basis, steuer, anlass }) =>
            `${satz} ${basis} ${steuer} ${String(anlass).replaceAll(/[{}]/g, '')}`,
        )
    const openItem = async (id: number, day = TODAY) =>
      (await run<OpenItem>('select * from app.a_get_offene_posten($1)', day))
        .filter(({ rechnung_id }) => Number(rechnung_id) === id)
        .map(({ brutto, bezahlt, offen, lage }) => `${brutto} ${bezahlt} ${offen} ${lage}`)[0]
    const kept = async () => (await engine.owner.query('select * from books.check_open()')).rows

    describe('the table of cases', () => {
      test.each(cases.zeile)('$why', async ({ zeile, rest: left, wunsch, ergibt, fehler }) => {
        const made = await json<Record<string, unknown>>(
          'to_jsonb(books.korrektur_line($1::jsonb, $2, $3, $4::jsonb))',
          JSON.stringify({ ...zeile, bez: 'x' }),
          ...left,
          JSON.stringify(wunsch),
        )
        if (fehler !== undefined) return expect(made['fehler']).toBe(fehler)
        const [quantity, unit, ep, discount, , pieces] = ergibt!
        expect([made['anzahl'], made['einheit'], made['ep'], made['rabatt_prozent'], made['menge']]).toEqual([
          Number(quantity),
          unit,
          Number(ep),
          Number(discount),
          Number(pieces),
        ])
      })
      test.each(cases.summen)('sums: $why', async ({ summen, rest: left, ergibt }) => {
        const made = await json<{ steuern: BelegTax[] }>(
          'books.korrektur_sums($1::jsonb, $2::jsonb)',
          JSON.stringify({ steuern: summen.map(taxOf) }),
          JSON.stringify(left.map(taxOf)),
        )
        expect(made.steuern).toEqual(ergibt.map(taxOf))
      })
    })

    describe('of an open invoice', () => {
      test('is a draft of its own kind that names the invoice, and lowers what is open once issued', async () => {
        const id = await invoice()
        const made = await correct(id, { Aufnahme: { menge: '2' } })
        expect(await belegOf(made)).toMatchObject({
          art: 'korrektur',
          entwurf: true,
          faellig: null,
          skonto: [],
          le_date: SUPPLIED,
          anschreiben: 'Es waren nur acht Hektar.',
          bezug: { art: 'rechnung', datum: TODAY },
          positionen: [{ bez: 'Aufnahme', anzahl: '-2', ep: '100.00', betrag: '-200.00' }],
          summen: { brutto: '-238.00', zahlbetrag: '-238.00' },
        })
        expect(await stateOf(id)).toBe('offen 1297.00 0.00')
        expect(await issue(made)).toMatch(/^RE-/)
        expect(await stateOf(id)).toBe('offen 1059.00 0.00')
        expect(await stateOf(made)).toBe('korrektur 0.00 0.00')
        expect(await openItem(id)).toBe('1059.00 0.00 1059.00 offen')
        expect(await openItem(made)).toBeUndefined()
        expect(await rest(id)).toMatchObject({
          brutto: '1297.00',
          korrigiert: '-238.00',
          rest: '1059.00',
          zeilen: [
            { rest_menge: '8', rest_betrag: '800.00' },
            { rest_menge: '2', rest_betrag: '100.00' },
          ],
          korrekturen: [{ id: made, brutto: '-238.00', entwurf: false }],
        })
        await pay(id, '1059.00')
        expect(await stateOf(id)).toBe('bezahlt 0.00 1059.00')
        expect(await kept()).toEqual([])
      })
      test('several together are the whole to the cent, and not more', async () => {
        const id = await invoice([
          { bez: 'Pflock', anzahl: '3', einheit: 'Stk', ep: '0.335', ust_satz: '19' },
        ])
        for (const pieces of ['1', '1']) await corrected(id, { Pflock: { menge: pieces } })
        const last = await corrected(id, { Pflock: { menge: '1' } })
        expect((await belegOf(last)).summen.steuern.map(told)).toEqual(['S 19.00 -0.33 -0.07'])
        expect(await rest(id)).toMatchObject({ korrigiert: '-1.20', rest: '0.00' })
        expect(await stateOf(id)).toBe('korrigiert 0.00 0.00')
        expect(await refused(correct(id, { Pflock: { menge: '1' } }))).toBe('korrektur_menge zeilen.0.menge')
        expect(await value('app.a_set_archive_for_rn($1, true)', id)).toBe(true)
      })
      test('with a discount on the whole, to the cent', async () => {
        const id = await invoice(LINES, { rabatt_prozent: '3.33', rabatt_grund: 'Treue' })
        await corrected(id, { Aufnahme: { preis: '33.33' }, Karte: { betrag: '12.34' } })
        await corrected(id, { Aufnahme: { menge: '10' }, Karte: { menge: '2' } })
        const { rest: left, steuern } = await rest(id)
        expect(left).toBe('0.00')
        for (const group of steuern)
          expect([group.rabatt, group.basis, group.steuer]).toEqual(['0.00', '0.00', '0.00'])
      })
    })

    describe('of a paid invoice', () => {
      test('leaves a debt to the customer until it is paid back', async () => {
        const id = await invoice()
        await pay(id, '1297.00')
        const made = await corrected(id, { Karte: { menge: '1' } })
        expect(await stateOf(id)).toBe('bezahlt -53.50 1297.00')
        expect(await openItem(id)).toBe('1243.50 1297.00 -53.50 korrigiert')
        const [match] = (
          await run<{ rechnung_id: number; zahlbetrag: string; offen: string }>(
            'select * from app.a_get_bank_rechnungen()',
          )
        ).filter(({ rechnung_id }) => Number(rechnung_id) === id)
        expect(match).toMatchObject({ zahlbetrag: '1243.50', offen: '-53.50' })
        expect(await refused(pay(made, '-53.50'))).toBe('zahlung_beleg')
        await pay(id, '-53.50')
        expect(await stateOf(id)).toBe('bezahlt 0.00 1243.50')
        expect(await openItem(id)).toBeUndefined()
        const account = await json<CustomerAccount>('app.a_get_kundenkonto($1, $2, $2)', w.A, TODAY)
        expect(account.zeilen.filter(({ art }) => art === 'korrektur').map(({ betrag }) => betrag)).toContain(
          '-53.50',
        )
        const sum = (await run<OpenItem>('select * from app.a_get_offene_posten()'))
          .filter(({ client_id }) => Number(client_id) === w.A)
          .reduce((total, { offen }) => total + Number(offen), 0)
        expect(Number(account.ende)).toBeCloseTo(sum, 2)
      })
    })

    describe('of an invoice with a loss or a cash discount', () => {
      const reduce = (id: number, amount: string, kind: string) =>
        value('app.a_add_payment($1, $2, $3, $4)', id, TODAY, amount, kind)
      const reductions = async (id: number) =>
        (
          await run<{ betrag: string }>(
            `select betrag::text from app.zahlung where rechnung_id = $1 and art in ('skonto', 'ausfall')
             order by id`,
            id,
          )
        ).map(({ betrag }) => betrag)
      test('gives back no more than came in: the loss is withdrawn first', async () => {
        const id = await invoice()
        await pay(id, '1000.00')
        await reduce(id, '297.00', 'ausfall')
        await corrected(id, { Karte: { menge: '2' } })
        expect(await reductions(id)).toEqual(['297.00', '-107.00'])
        expect(await stateOf(id)).toBe('bezahlt 0.00 1190.00')
        await corrected(id, { Aufnahme: { menge: '2' } })
        // 952.00 are left of the price, 1000.00 were paid.
        expect(await reductions(id)).toEqual(['297.00', '-107.00', '-190.00'])
        expect(await stateOf(id)).toBe('bezahlt -48.00 1000.00')
        expect(await kept()).toEqual([])
      })
      test('a discount stays with what is left, and goes with the last of it', async () => {
        const id = await invoice()
        await pay(id, '1271.06')
        await reduce(id, '25.94', 'skonto')
        await corrected(id, { Karte: { menge: '2' } })
        expect(await reductions(id)).toEqual(['25.94'])
        expect(await stateOf(id)).toBe('bezahlt -107.00 1297.00')
        await corrected(id, { Aufnahme: { menge: '10' } })
        expect(await reductions(id)).toEqual(['25.94', '-25.94'])
        expect(await stateOf(id)).toBe('bezahlt -1271.06 1271.06')
        // For DATEV the discount leaves its account by the rates of the whole.
        const [row] = await run<{ steuern: unknown }>(
          `select steuern::text as steuern from app.a_get_datev_zahlungen($1, $1)
           where rechnung_id = $2 and betrag = '-25.94'`,
          TODAY,
          id,
        )
        const taxes = JSON.parse(String(row!.steuern)) as readonly { basis: string; steuer: string }[]
        const total = taxes.reduce((sum, { basis, steuer }) => sum + Number(basis) + Number(steuer), 0)
        expect(total).toBeCloseTo(-25.94, 2)
        await pay(id, '-1271.06')
        expect(await stateOf(id)).toBe('korrigiert 0.00 0.00')
        expect(await kept()).toEqual([])
      })
    })

    describe('turnover tax', () => {
      test('agreed: in the month of the correction; of a paid invoice when it is paid back', async () => {
        const id = await invoice()
        await corrected(id, { Aufnahme: { menge: '2' } })
        expect(await ust(SUPPLIED, id)).toEqual([
          '19.00 1000.00 190.00 leistung',
          '7.00 100.00 7.00 leistung',
        ])
        expect(await ust(TODAY, id)).toEqual(['19.00 -200.00 -38.00 korrektur'])
        const paid = await invoice()
        await pay(paid, '1297.00')
        await corrected(paid, { Karte: { menge: '2' } })
        expect(await ust(TODAY, paid)).toEqual([])
        await pay(paid, '-107.00')
        expect(await ust(TODAY, paid)).toEqual(['7.00 -100.00 -7.00 korrektur'])
      })
      test('received: by what is paid, at the rate of what is left', async () => {
        await value(`app.a_set_lieferant('{"besteuerung": "ist"}')`)
        const id = await invoice()
        await corrected(id, { Karte: { menge: '2' } })
        await pay(id, '1190.00')
        expect(await ust(TODAY, id)).toEqual(['19.00 1000.00 190.00 zahlung,korrektur'])
        await value(`app.a_set_lieferant('{"besteuerung": "soll"}')`)
      })
      test('DATEV and the overview', async () => {
        const before = await json<{ umsatz: { netto: string } }>('app.a_get_buchhaltung()')
        const id = await invoice()
        const made = await corrected(id, { Aufnahme: { betrag: '100.00' } })
        const after = await json<{ umsatz: { netto: string } }>('app.a_get_buchhaltung()')
        expect(Number(after.umsatz.netto) - Number(before.umsatz.netto)).toBeCloseTo(1000, 2)
        const [row] = await run<{ beleg: unknown }>(
          'select beleg::text as beleg from app.a_get_datev($1, $1) where rechnung_id = $2',
          TODAY,
          made,
        )
        const beleg = JSON.parse(String(row!.beleg)) as Beleg
        expect(beleg).toMatchObject({
          art: 'korrektur',
          bezug: { nummer: (await belegOf(id)).nummer },
          summen: { steuern: [{ basis: '-100.00', steuer: '-19.00', le_date: SUPPLIED, datum: TODAY }] },
        })
      })
    })

    describe('is refused', () => {
      test('what an invoice cannot give back, at its field', async () => {
        const id = await invoice()
        const add = async (rows: unknown, reason = 'Grund', day: string | null = null) =>
          refused(value('app.a_add_korrektur($1, $2::jsonb, $3, $4)', id, JSON.stringify(rows), reason, day))
        const position_id = (await rest(id)).zeilen[0]!.position_id
        const one = { position_id, menge: '1' }
        expect(await add([])).toBe('korrektur_zeilen zeilen')
        expect(await add([one, one])).toBe('korrektur_zeilen zeilen')
        expect(await add([{ ...one, betrag: '1' }])).toBe('korrektur_zeilen zeilen')
        expect(await add([{ position_id: '1', menge: '1' }])).toBe('korrektur_zeilen zeilen')
        expect(await add([{ position_id, menge: 'x' }])).toBe('korrektur_zahl zeilen')
        expect(await add([{ position_id, menge: '11' }])).toBe('korrektur_menge zeilen.0.menge')
        expect(await add([{ position_id, betrag: '1000.01' }])).toBe('korrektur_betrag zeilen.0.betrag')
        expect(await add([{ position_id, preis: '100.01' }])).toBe('korrektur_preis zeilen.0.preis')
        expect(await add([{ position_id, betrag: '0' }])).toBe('korrektur_null zeilen.0.betrag')
        expect(await add([one], ' ')).toBe('korrektur_grund grund')
        expect(await add([one], 'Grund', addDays(TODAY, -1))).toBe('korrektur_datum rn_datum')
      })
      test('of a draft, an advance, a Storno, a correction, a cancelled invoice', async () => {
        const of = (id: number) =>
          refused(value(`app.a_add_korrektur($1, '[{"position_id": "1", "menge": "1"}]', 'Grund')`, id))
        expect(await of(Number(await value('app.a_add_invoice($1, $2, $3, 19)', w.A, TODAY, SUPPLIED)))).toBe(
          'korrektur_entwurf_rechnung',
        )
        const id = await invoice()
        const made = await corrected(id, { Karte: { menge: '1' } })
        expect(await of(made)).toBe('korrektur_von')
        expect(await refused(run('select * from app.a_cancel_invoice($1)', id))).toBe('storno_korrigiert')
        expect(await refused(run('select * from app.a_cancel_invoice($1)', made))).toBe('korrektur_storno')
        expect(await refused(value('app.a_copy_invoice($1)', made))).toBe('korrektur_kopie')
        const other = await invoice()
        await correct(other, { Karte: { menge: '1' } })
        expect(await refused(correct(other, { Karte: { menge: '1' } }))).toBe('korrektur_entwurf')
        const [storno] = await run<{ id: number }>('select id from app.a_cancel_invoice($1)', other)
        expect(await of(other)).toBe('korrektur_storniert')
        expect(await of(Number(storno!.id))).toBe('korrektur_von')
      })
      test('its draft is changed by its own procedure alone, and not issued for a cancelled invoice', async () => {
        const id = await invoice()
        const made = await correct(id, { Karte: { menge: '1' } })
        for (const work of [
          () => value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(LINES), made),
          () => value(`app.a_save_beleg('rechnung', $1, '{"zuerl": "x"}')`, made),
          () => value('app.a_set_client_for_invoice($1, $2)', w.A, made),
          () => value(`app.a_insert_position(1, 'x', '', 1, null, $1)`, made),
        ])
          expect(await refused(work())).toBe('korrektur_fest')
        expect(await run('select * from app.a_get_korrektur_zeilen($1)', made)).toMatchObject([
          { menge: '1', preis: null, betrag: null },
        ])
        const save = async (wishes: Readonly<Record<string, object>>) =>
          value('app.a_save_korrektur($1, $2::jsonb, $3)', made, await asked(id, wishes), 'Anders')
        await save({ Aufnahme: { preis: '5' } })
        expect((await belegOf(made)).summen.brutto).toBe('-59.50')
        await run('select * from app.a_cancel_invoice($1)', id)
        expect(await refused(issue(made))).toBe('korrektur_storniert')
        await value('app.a_delete_invoice($1)', made)
      })
    })

    test('the chain knows each, and finds what was changed', async () => {
      const id = await invoice()
      const made = await corrected(id, { Aufnahme: { menge: '1' } })
      const found = async () => {
        const text = await value<string>('(app.a_check_protokoll()).befunde::text')
        return (JSON.parse(String(text)) as { tabelle: string; felder: string[] | null }[]).map(
          ({ tabelle, felder }) => `${tabelle} ${(felder ?? []).join()}`,
        )
      }
      expect(await found()).toEqual([])
      await engine.owner.script(
        `alter table app.rechnung disable trigger user;
         alter table app.position disable trigger user;
         update app.rechnung set korrektur_von = ${id - 1} where id = ${made};
         update app.position set korrektur_menge = 3 where rechnung_id = ${made};
         alter table app.rechnung enable trigger user;
         alter table app.position enable trigger user;`,
      )
      expect(await found()).toEqual(
        expect.arrayContaining(['rechnung korrektur_von', 'position korrektur_menge']),
      )
    })
  })
