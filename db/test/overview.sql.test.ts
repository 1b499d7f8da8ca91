// The overview of the bookkeeping: the forecast as the browser computes it, figures that match their lists to
// the cent, what is ordered from offers, and their archive.
import { officeDay } from '#server/office-day.ts'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Buchhaltung } from '#contract/overview.ts'
import angebotCases from '#domain/angebot.cases.json' with { type: 'json' }
import cashflowCases from '#domain/cashflow.cases.json' with { type: 'json' }
import { orderedSums, orderedLines, basesOf } from '#domain/angebot.ts'
import { isUnambiguous } from '#domain/angebot.oracle.ts'
import type { PositionKind } from '#domain/beleg.ts'
import { type CashflowInput, type CashflowRow } from '#domain/cashflow.ts'
import { cashflowOf } from '#domain/cashflow.oracle.ts'
import { decimal, formatCents, formatDecimal, sum } from '#domain/geld.ts'
import { isCounted, type PositionBasis } from '#domain/rechnung.ts'
import { addDays } from '#domain/day.ts'
import { refusalOf } from './attempt.ts'
import { bookkeeper } from './bookkeeper.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

const jsonOf = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : value) as T
const TODAY = officeDay(new Date())

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`the overview on ${engineName}`, () => {
    let engine: Engine
    let empty: Buchhaltung
    /** Before anything exists except the person who asks. */
    const askEmpty = async () => {
      const person = `insert into app.benutzer (user_id, username, email, db_role, system_status, apus_admin)
        values (9001, 'leer', 'leer@test.example', 'leer', 'apus_admin', true);
        insert into accounts.identitaet (iss, sub, user_id) values ('leer', 'leer', 9001)`
      await engine.owner.script(`begin; set local role forst_betrieb; ${person}; commit`)
      const claims = {
        'request.jwt.claims': JSON.stringify({ iss: 'leer', sub: 'leer', groups: ['appuser_apus_admin'] }),
      }
      const { rows } = await engine.api.once<{ found: unknown }>(
        { role: 'nutzer', settings: claims },
        sql('select app.a_get_buchhaltung()::text as found'),
      )
      await engine.owner.script(
        `begin; set local role forst_betrieb; delete from accounts.identitaet where iss = 'leer';
         delete from app.benutzer where user_id = 9001; commit`,
      )
      return jsonOf<Buchhaltung>(rows[0]!.found)
    }
    beforeAll(async () => {
      engine = await openEngine(engineName)
      empty = await askEmpty()
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const { run, value } = bookkeeper(() => engine)
    const ask = async <T>(text: string, ...values: unknown[]) =>
      (await engine.owner.query<T>(text, values)).rows
    const buchhaltung = async (year?: number) =>
      jsonOf<Buchhaltung>(await value('app.a_get_buchhaltung($1)::text', year ?? null))
    const offer = async (
      lines: object[],
      more: { client_id?: number; terms?: string } = {},
    ): Promise<number> => {
      const id = Number(await value('app.a_add_offer($1, $2, 19)', more.client_id ?? w.A, TODAY))
      await value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(lines), id)
      if (more.terms) await value(`app.a_set_offer_terms($1, ${more.terms})`, id)
      await run('select * from app.a_issue_offer($1)', id)
      return id
    }
    const places = async (id: number) =>
      (await run<{ id: number }>('select id from app.a_get_offer_positions($1) order by lfd_nr', id)).map(
        (row) => row.id,
      )
    const accept = async (id: number, chosen: readonly number[] = []) => {
      const ids = await places(id)
      return value(
        'app.a_decide_offer($1, true, $2, $3, $4::bigint[])',
        id,
        'Frau Wald',
        '',
        `{${chosen.map((at) => ids[at]).join(',')}}`,
      )
    }
    const listed = async (id: number) =>
      (
        await run<Record<string, unknown>>(
          `select stand, archiviert, brutto::text, auftrag_netto::text, auftrag_brutto::text,
           gilt_brutto::text, rest_brutto::text, gewichtet::text from app.angebot_liste where id = $1`,
          id,
        )
      )[0]!
    const invoice = async (
      netto: string,
      rn_datum: string,
      more: { client_id?: number; zahlungsziel?: number } = {},
    ): Promise<number> => {
      const id = Number(await value('app.a_add_invoice($1, $2, $2, 19)', more.client_id ?? w.A, rn_datum))
      await value(
        'app.a_save_positions($1::jsonb, $2)',
        JSON.stringify([{ bez: 'Vermessung', anzahl: '1', ep: netto }]),
        id,
      )
      await value('app.a_set_invoice_terms($1, zahlungsziel => $2)', id, more.zahlungsziel ?? 14)
      return id
    }
    const issue = async (id: number) => void (await run('select * from app.a_issue_invoice($1)', id))

    describe('the forecast', () => {
      const sqlOf = async (given: readonly CashflowInput[]): Promise<CashflowRow[][]> => {
        const rows = await ask<{ zeilen: unknown }>(
          `select (select coalesce(jsonb_agg(jsonb_build_object('von', c.von, 'bis', c.bis,
           'einnahmen', c.einnahmen::text, 'ausgaben', c.ausgaben::text, 'offen', c.offen::text,
           'ueberfaellig', c.ueberfaellig::text, 'zurueck', c.zurueck::text,
            'angenommen', c.angenommen::text, 'wiederkehrend', c.wiederkehrend::text,
            'erwartet', c.erwartet::text, 'saldo', c.saldo::text, 'stand',
              c.stand::text) order by c.von), '[]') from books.cashflow(e) c)::text as zeilen
            from jsonb_array_elements($1::jsonb) with ordinality as t(e, nr) order by nr`,
          JSON.stringify(given),
        )
        return rows.map(({ zeilen }) => jsonOf<CashflowRow[]>(zeilen))
      }
      test('every case', async () => {
        const found = await sqlOf(cashflowCases.map(({ eingabe }) => eingabe as CashflowInput))
        for (const [at, { why, zeilen }] of cashflowCases.entries())
          expect([why, found[at]]).toEqual([why, zeilen])
      })
      test('five hundred random ones: the same rows as the browser reckons', async () => {
        const cents = fc
          .bigInt({ min: -(10n ** 5n), max: 10n ** 9n })
          .map((wert) => formatDecimal({ wert, decimals: 2 }))
        const above = fc
          .bigInt({ min: 1n, max: 10n ** 9n })
          .map((wert) => formatDecimal({ wert, decimals: 2 }))
        const day = fc.integer({ min: 0, max: 500 }).map((days) => addDays('2027-10-01', days))
        const given = fc.sample(
          fc.record<CashflowInput>({
            heute: day,
            von: day,
            bis: day,
            schritt: fc.constantFrom('monat' as const, 'woche' as const),
            anfang: cents,
            prognosen: fc.array(
              fc.record({
                datum: day,
                betrag: above,
                art: fc.constantFrom('Einnahme' as const, 'Ausgabe' as const),
              }),
              {
                maxLength: 8,
              },
            ),
            offen: fc.array(fc.record({ faellig: fc.option(day), offen: cents }), { maxLength: 8 }),
            serien: fc.array(fc.record({ datum: day, betrag: cents }), { maxLength: 8 }),
            eingang: fc.array(fc.record({ faellig: fc.option(day), offen: cents }), { maxLength: 8 }),
            angebote: fc.array(
              fc.record({
                stand: fc.constantFrom('versendet' as const, 'angenommen' as const),
                offen: cents,
                basis: day,
                ende: fc.option(day),
                zahlungsziel: fc.integer({ min: 0, max: 90 }),
                chance: fc.option(fc.integer({ min: 0, max: 100 })),
              }),
              { maxLength: 8 },
            ),
          }),
          { numRuns: 500, seed: 7 },
        )
        const found = await sqlOf(given)
        expect(found.filter((rows) => rows.length > 1).length).toBeGreaterThan(100)
        for (const [at, one] of given.entries()) expect(found[at]).toEqual(cashflowOf(one))
      })
      test.each([
        [`'1999-12-31'`, '23514 von datum_bereich'],
        [`'2026-01-02', '2026-01-01'`, '23514 bis cashflow_zeitraum'],
        [`'2026-01-01', '2036-01-02'`, '23514 bis cashflow_zeitraum'],
        [`null, null, 'jahr'`, '23514 schritt cashflow_schritt'],
        [`null, null, null, 0.005`, '23514 anfang betrag_stellen'],
        [`null, null, null, 'NaN'`, '23514 anfang betrag_gross'],
      ])('of %s is refused at its field', async (takes, expected) =>
        expect(await refusalOf(value(`app.a_get_cashflow(${takes})`))).toBe(expected),
      )
      test('without a word goes from today to the end of the fifth month after', async () => {
        const rows = jsonOf<CashflowRow[]>(await value('app.a_get_cashflow()::text'))
        expect([rows.length, rows[0]!.von]).toEqual([6, TODAY])
        expect(rows[1]!.von.slice(8)).toBe('01')
      })
    })

    describe('what is ordered of an offer', () => {
      test('every case', async () => {
        for (const {
          why,
          kopf,
          positionen,
          basen,
          bestellt,
          eindeutig,
          netto,
          steuer,
          brutto,
        } of angebotCases) {
          const [row] = await ask<{ zeilen: unknown; eindeutig: boolean; summen: unknown }>(
            `select books.order_lines($2::jsonb)::text as zeilen, books.is_order_unambiguous($2::jsonb) as eindeutig,
             (books.beleg_sums($1::jsonb, books.order_lines($2::jsonb)) -> 'summen')::text as summen`,
            JSON.stringify(kopf),
            JSON.stringify(positionen),
          )
          const rows = jsonOf<(PositionBasis & { basis: number | null })[]>(row!.zeilen)
          expect([
            why,
            rows.map(({ basis }) => (basis === null ? null : basis - 1)),
            rows.map(isCounted),
          ]).toEqual([why, basen, bestellt])
          expect([why, row!.eindeutig]).toEqual([why, eindeutig])
          expect(jsonOf(row!.summen), why).toMatchObject({ netto, steuer, brutto })
        }
      })
      test('five hundred random offers: the same lines and sums as the browser reckons', async () => {
        const line = fc.record({
          art: fc.constantFrom<PositionKind>(
            'position',
            'position',
            'optional',
            'alternativ',
            'alternativ',
            'ueberschrift',
          ),
          anzahl: fc
            .integer({ min: -2000, max: 9000 })
            .map((n) => formatDecimal({ wert: BigInt(n), decimals: 3 })),
          ep: fc
            .integer({ min: 0, max: 9_000_000 })
            .map((n) => formatDecimal({ wert: BigInt(n), decimals: 4 })),
          rabatt_prozent: fc.constantFrom('0', '2.50', '100'),
          ust_satz: fc.constantFrom(null, '19.00', '7.00', '0.00'),
          kategorie: fc.constant(null),
          steuergrund: fc.constant(''),
          gewaehlt: fc.boolean(),
        })
        const offers = fc.sample(
          fc.record({
            rabatt_prozent: fc.constantFrom('0', '3.00', '33.33'),
            ust_satz: fc.constantFrom('19.00', '7.00'),
            anzahlung: fc.constant('0.00'),
            kleinunternehmer: fc.constantFrom(false, false, true),
            positionen: fc.array(line, { maxLength: 10 }),
          }),
          { numRuns: 500, seed: 11 },
        )
        const rows = await ask<{ zeilen: unknown; eindeutig: boolean; summen: unknown }>(
          `select z::text as zeilen, books.is_order_unambiguous(d -> 'positionen') as eindeutig,
           (books.beleg_sums(d, z) -> 'summen')::text as summen
             from jsonb_array_elements($1::jsonb) with ordinality as t(d, nr)
               cross join lateral (select books.order_lines(d -> 'positionen') as z) x order by nr`,
          JSON.stringify(offers),
        )
        for (const [at, one] of offers.entries()) {
          const lines = jsonOf<(PositionBasis & { basis: number | null })[]>(rows[at]!.zeilen)
          expect(lines.map(({ basis }) => (basis === null ? null : basis - 1))).toEqual(
            basesOf(one.positionen),
          )
          expect(lines.map(isCounted)).toEqual(orderedLines(one.positionen).map(isCounted))
          expect(rows[at]!.eindeutig).toBe(isUnambiguous(one.positionen))
          expect(jsonOf(rows[at]!.summen)).toEqual(orderedSums(one))
        }
      })

      const LINES = [
        { bez: 'Drän', anzahl: '10', ep: '10' },
        { bez: 'Drän, fein', art: 'alternativ', anzahl: '10', ep: '15' },
        { bez: 'Drän, grob', art: 'alternativ', anzahl: '10', ep: '7' },
        { bez: 'Luftbild', art: 'optional', anzahl: '1', ep: '30' },
      ]
      test('is settled by the decision: an alternative replaces its line, what was sent stays as it was', async () => {
        const id = await offer(LINES)
        expect(await listed(id)).toMatchObject({
          brutto: '119.00',
          auftrag_brutto: null,
          gilt_brutto: '119.00',
          rest_brutto: '0.00',
          gewichtet: '59.50',
        })
        await accept(id, [1, 3])
        expect(await listed(id)).toMatchObject({
          brutto: '119.00',
          auftrag_netto: '180.00',
          auftrag_brutto: '214.20',
          gilt_brutto: '214.20',
          rest_brutto: '214.20',
          gewichtet: '0.00',
        })
        const rest = await run<{ bez: string; rest: string }>(
          'select bez, rest from app.a_get_offer_rest($1)',
          id,
        )
        expect(rest.map(({ bez, rest: left }) => `${bez} ${left}`)).toEqual(['Drän, fein 10', 'Luftbild 1'])
        const [head] = await run<object>(
          'select auftrag_netto, auftrag_brutto, rest_brutto from app.a_get_offer_details($1)',
          id,
        )
        expect(head).toEqual({ auftrag_netto: '180.00', auftrag_brutto: '214.20', rest_brutto: '214.20' })
        expect(
          (
            await run<{ inhalt: unknown }>(
              `select inhalt::text from app.a_get_protokoll('angebot', $1) limit 1`,
              id,
            )
          ).map((row) => jsonOf(row.inhalt)),
        ).toMatchObject([{ netto: '180.00', brutto: '214.20' }])
        expect(await run(`select ok from app.a_check_protokoll()`)).toEqual([{ ok: true }])
      })
      test('the replaced line is not billed, and what is left is what billing it would bring', async () => {
        const id = await offer(LINES, { terms: `rabatt_prozent => 10, rabatt_grund => 'Treue'` })
        await accept(id, [2])
        expect(await listed(id)).toMatchObject({ auftrag_netto: '63.00', auftrag_brutto: '74.97' })
        const ids = await places(id)
        const convert = (position: number, count: string) =>
          value<number>(
            'app.a_convert_offer($1, $2::jsonb, null, $3)',
            id,
            JSON.stringify([{ position_id: position, anzahl: count }]),
            TODAY,
          )
        expect(await refusalOf(convert(ids[0]!, '1'))).toBe('23514 positionen angebot_auswahl')
        await issue(await convert(ids[2]!, '4'))
        expect(await listed(id)).toMatchObject({ stand: 'teilabgerechnet', rest_brutto: '44.98' })
        const last = await value<number>('app.a_convert_offer($1, null, null, $2)', id, TODAY)
        expect(await run('select brutto::text from app.rechnung where id = $1', last)).toEqual([
          { brutto: '44.98' },
        ])
        // A draft has not billed anything yet.
        expect(await listed(id)).toMatchObject({ rest_brutto: '44.98' })
        await issue(last)
        expect(await listed(id)).toMatchObject({
          stand: 'abgerechnet',
          rest_brutto: '0.00',
          gilt_brutto: '74.97',
        })
      })
      test('two of one choice are refused, and nothing changes', async () => {
        const id = await offer(LINES)
        expect(await refusalOf(accept(id, [1, 2]))).toBe('23514 positionen angebot_alternative')
        expect(await listed(id)).toMatchObject({ stand: 'versendet', auftrag_brutto: null })
      })
      test('declined again, nothing is ordered', async () => {
        const id = await offer(LINES)
        await accept(id, [3])
        await value('app.a_decide_offer($1, false)', id)
        expect(await listed(id)).toMatchObject({
          stand: 'abgelehnt',
          auftrag_brutto: null,
          gilt_brutto: '119.00',
          rest_brutto: '0.00',
        })
        await accept(id)
        expect(await listed(id)).toMatchObject({ auftrag_brutto: '119.00' })
      })
      test('one accepted before is computed when the nouns are applied; nobody changes it by hand', async () => {
        const id = await offer(LINES)
        await accept(id, [1])
        expect(await refusalOf(run('update app.angebot set auftrag_brutto = 1 where id = $1', id))).toContain(
          '42501',
        )
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.angebot set auftrag_netto = null, auftrag_steuer = null, auftrag_brutto = null
           where id = ${id}; commit`,
        )
        expect(await listed(id)).toMatchObject({ auftrag_brutto: null, rest_brutto: '178.50' })
        await engine.owner.script(`begin; ${readFileSync('db/nouns/angebot.sql', 'utf8')}; commit`)
        expect(await listed(id)).toMatchObject({ auftrag_netto: '150.00', auftrag_brutto: '178.50' })
      })
    })

    describe('the archive of offers', () => {
      const archive = (id: number, wanted: boolean | null = null) =>
        value<boolean>('app.a_set_archive_for_an($1, $2)', id, wanted)
      test('hides what is settled or over, turns round, and is written down', async () => {
        const id = await offer([{ bez: 'Drän', anzahl: '1', ep: '10' }])
        expect(await refusalOf(archive(id))).toBe('PT409 - archiv_angebot_offen')
        expect(await refusalOf(archive(999))).toBe('PT404 - -')
        await value('app.a_decide_offer($1, false)', id)
        expect(await archive(id)).toBe(true)
        expect(await listed(id)).toMatchObject({ stand: 'abgelehnt', archiviert: true })
        expect(await archive(id, true)).toBe(true)
        expect(await archive(id)).toBe(false)
        const events = await run<{ ereignis: string }>(
          `select ereignis from app.a_get_protokoll('angebot', $1) limit 2`,
          id,
        )
        expect(events.map(({ ereignis }) => ereignis)).toEqual(['aus_archiv', 'archiviert'])
      })
      test('what is ordered after all, or is to be billed again, comes back', async () => {
        const id = await offer([{ bez: 'Drän', anzahl: '1', ep: '10' }])
        await value('app.a_decide_offer($1, false)', id)
        await archive(id, true)
        await accept(id)
        expect(await listed(id)).toMatchObject({ stand: 'angenommen', archiviert: false })
        expect(await refusalOf(archive(id))).toBe('PT409 - archiv_angebot_offen')
        const bill = await value<number>('app.a_convert_offer($1, null, null, $2)', id, TODAY)
        await issue(bill)
        expect(await archive(id)).toBe(true)
        await run('select * from app.a_cancel_invoice($1)', bill)
        expect(await listed(id)).toMatchObject({
          stand: 'angenommen',
          archiviert: false,
          rest_brutto: '11.90',
        })
      })
      test('an offer waits for its answer again once its next revision is deleted', async () => {
        const id = await offer([{ bez: 'Drän', anzahl: '1', ep: '10' }])
        const next = await value<number>('app.a_revise_offer($1)', id)
        expect(await archive(id)).toBe(true)
        await value('app.a_delete_offer($1)', next)
        expect(await listed(id)).toMatchObject({ stand: 'versendet', archiviert: false })
        const [last] = await run<{ ereignis: string }>(
          `select ereignis from app.a_get_protokoll('angebot', $1) limit 1`,
          id,
        )
        expect(last).toEqual({ ereignis: 'aus_archiv' })
      })
      test('a draft is deleted and not put away', async () => {
        const id = Number(await value('app.a_add_offer($1, $2, 19)', w.A, TODAY))
        expect(await refusalOf(archive(id, true))).toBe('PT409 - archiv_angebot_offen')
      })
    })

    describe('the figures', () => {
      const cents = (rows: readonly { betrag: string }[]) =>
        formatCents(sum(rows.map(({ betrag }) => decimal(betrag))))
      test('are those of the lists, to the cent', async () => {
        const late = await invoice('100.01', TODAY, { client_id: w.B, zahlungsziel: 0 })
        await issue(late)
        const paid = await invoice('50', TODAY)
        await issue(paid)
        await value(`app.a_add_payment($1, $2, 70, ueberzahlung => true)`, paid, TODAY)
        const part = await invoice('200', TODAY)
        await issue(part)
        await value('app.a_add_payment($1, $2, 38.50)', part, TODAY)
        const taken = await invoice('77', TODAY)
        await issue(taken)
        await run('select * from app.a_cancel_invoice($1)', taken)
        const paidThenTaken = await invoice('100', TODAY)
        await issue(paidThenTaken)
        await value('app.a_add_payment($1, $2, 50)', paidThenTaken, TODAY)
        await run('select * from app.a_cancel_invoice($1)', paidThenTaken)
        await invoice('5', TODAY)
        await offer([{ bez: 'Drän', anzahl: '1', ep: '3.33' }], { terms: 'chance => 25' })
        await accept(
          await offer([
            {
              bez: 'Drän',
              anzahl: '1',
              ep: '80',
              le_date: addDays(TODAY, 100),
              le_date_bis: addDays(TODAY, 200),
            },
          ]),
        )

        const found = await buchhaltung()
        const invoices = await run<{
          stand: string
          art: string
          offen: string
          netto: string
          brutto: string
          rn_datum: string
          client_id: number
        }>('select stand, art, offen, netto, brutto, rn_datum::text, client_id from app.a_get_invoices()')
        const of = (
          column: 'offen' | 'netto' | 'brutto',
          fits: (row: (typeof invoices)[number]) => boolean,
        ) => cents(invoices.filter(fits).map((row) => ({ betrag: row[column] })))
        const waits = ({ stand }: { stand: string }) =>
          ['offen', 'teilbezahlt', 'ueberfaellig'].includes(stand)
        expect(found.rechnungen.offen).toEqual({
          anzahl: invoices.filter(waits).length,
          betrag: of('offen', waits),
        })
        expect(found.rechnungen.ueberfaellig).toMatchObject({
          betrag: of('offen', ({ stand }) => stand === 'ueberfaellig'),
        })
        // Without the sign it has in the list; this includes the overpayment above.
        const back = ({ offen }: { offen: string }) => offen.startsWith('-')
        expect(found.rechnungen.zurueck).toEqual({
          anzahl: invoices.filter(back).length,
          betrag: of('offen', back).replace('-', ''),
        })
        expect(invoices.filter(back).map(({ offen }) => offen)).toContain('-10.50')
        expect(found.rechnungen.entwuerfe).toEqual({
          anzahl: invoices.filter(({ stand }) => stand === 'entwurf').length,
          betrag: of('brutto', ({ stand }) => stand === 'entwurf'),
        })
        const year = TODAY.slice(0, 4)
        const issuedIn = (begin: string) => (row: (typeof invoices)[number]) =>
          row.stand !== 'entwurf' && row.rn_datum.startsWith(begin)
        expect([found.umsatz.netto, found.umsatz.brutto]).toEqual([
          of('netto', issuedIn(year)),
          of('brutto', issuedIn(year)),
        ])
        expect(found.monate.map(({ monat }) => monat)).toEqual(
          Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`),
        )
        for (const month of found.monate)
          expect([month.monat, month.netto]).toEqual([month.monat, of('netto', issuedIn(month.monat))])
        for (const { client_id, netto } of found.kunden)
          expect([client_id, netto]).toEqual([
            client_id,
            of('netto', (row) => issuedIn(year)(row) && row.client_id === client_id),
          ])
        expect(new Set(found.kunden.map(({ client_id }) => client_id))).toEqual(new Set([w.A, w.B]))
        const offers = await run<{
          stand: string
          brutto: string
          auftrag_brutto: string | null
          rest_brutto: string
          chance: number | null
        }>('select stand, brutto, auftrag_brutto, rest_brutto, chance from app.a_get_offers()')
        for (const { stand, anzahl, brutto, rest } of found.angebote) {
          const mine = offers.filter((row) => row.stand === stand)
          expect([stand, anzahl, brutto, rest]).toEqual([
            stand,
            mine.length,
            cents(mine.map((row) => ({ betrag: row.auftrag_brutto ?? row.brutto }))),
            cents(mine.map((row) => ({ betrag: row.rest_brutto }))),
          ])
        }
        expect(found).toMatchObject({ jahr: Number(year), leer: false, unternehmen: true, heute: TODAY })

        // The forecast starts with the same sums: everything open, wherever due, and everything ordered.
        const rows = jsonOf<CashflowRow[]>(
          await value(`app.a_get_cashflow(null, $1, 'monat', 10)::text`, addDays(TODAY, 3650)),
        )
        const all = (kind: 'offen' | 'ueberfaellig' | 'zurueck' | 'angenommen' | 'erwartet') =>
          formatCents(sum(rows.map((row) => decimal(row[kind]))))
        expect([all('offen'), all('ueberfaellig')]).toEqual([
          found.rechnungen.offen.betrag,
          found.rechnungen.ueberfaellig.betrag,
        ])
        // What customers get back is due at once: all of it today, as the list of open items has it.
        const credits = await run<{ offen: string }>(
          `select offen from app.a_get_offene_posten() where klasse = 'guthaben'`,
        )
        expect(credits.map(({ offen }) => offen).toSorted()).toEqual(['-10.00', '-10.50', '-50.00'])
        expect(rows[0]!.zurueck).toBe('70.50')
        expect([
          all('zurueck'),
          cents(credits.map(({ offen }) => ({ betrag: offen }))).replace('-', ''),
        ]).toEqual([found.rechnungen.zurueck.betrag, found.rechnungen.zurueck.betrag])
        expect(all('angenommen')).toBe(formatCents(sum(found.angebote.map(({ rest }) => decimal(rest)))))
        expect(all('erwartet')).toBe(
          formatCents(sum(found.angebote.map(({ gewichtet }) => decimal(gewichtet)))),
        )
        const given = jsonOf<CashflowInput>(
          await value(
            `books.cashflow_input($1::date, $2::date, 'monat', 10)::text`,
            TODAY,
            addDays(TODAY, 3650),
          ),
        )
        expect(rows).toEqual(cashflowOf(given))
        // Each cell is the sum of the rows that its link shows.
        const expected = await run<{ stand: string; tag: string; rest_brutto: string; gewichtet: string }>(
          `select stand, erwartet_am::text as tag, rest_brutto::text, gewichtet::text from app.angebot_liste
           where erwartet_am is not null`,
        )
        expect(
          expected.every(({ stand }) => ['versendet', 'angenommen', 'teilabgerechnet'].includes(stand)),
        ).toBe(true)
        for (const { von, bis, angenommen, erwartet } of rows) {
          const part = expected.filter(({ tag }) => tag >= von && tag <= bis)
          expect([
            von,
            cents(part.map((row) => ({ betrag: row.rest_brutto }))),
            cents(part.map((row) => ({ betrag: row.gewichtet }))),
          ]).toEqual([von, angenommen, erwartet])
        }
      })
      test('of the year before compare up to the same day, and of a year that is over with all of it', async () => {
        const year = Number(TODAY.slice(0, 4))
        const now = await buchhaltung()
        expect(now.umsatz.vergleich.bis.slice(0, 4)).toBe(String(year - 1))
        expect((await buchhaltung(year - 1)).umsatz.vergleich.bis).toBe(`${year - 2}-12-31`)
        expect((await buchhaltung(year + 1)).umsatz).toMatchObject({
          netto: '0.00',
          vorjahr_netto: now.umsatz.netto,
        })
        expect(await refusalOf(buchhaltung(1999))).toBe('23514 jahr datum_bereich')
      })
    })

    test('an empty company is told so', () => {
      expect(empty).toMatchObject({
        leer: true,
        unternehmen: false,
        angebote: [],
        kunden: [],
        uebrige: null,
        rechnungen: { offen: { anzahl: 0, betrag: '0.00' }, ueberfaellig: { seit: null } },
      })
      expect(empty.monate).toHaveLength(12)
    })
  })
