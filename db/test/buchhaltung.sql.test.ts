// Rules of invoices and offers beyond access rights: sums, numbers and dates, what is fixed and stays fixed,
// Storno, revisions, partial billing, the audit chain.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ibanCases from '#domain/iban.cases.json' with { type: 'json' }
import logoCases from '#domain/logo.cases.json' with { type: 'json' }
import leitwegCases from '#domain/leitweg.cases.json' with { type: 'json' }
import countryCases from '#domain/country.cases.json' with { type: 'json' }
import { countryList, isEuCountry, isPostcode } from '#domain/countries.ts'
import placeCases from '#domain/place-of-supply.cases.json' with { type: 'json' }
import areaCases from '#domain/tax-area.cases.json' with { type: 'json' }
import nummerCases from '#domain/number-range.cases.json' with { type: 'json' }
import rechnungCases from '#domain/rechnung.cases.json' with { type: 'json' }
import steuernummerCases from '#domain/tax-number.cases.json' with { type: 'json' }
import ustIdCases from '#domain/ust-id.cases.json' with { type: 'json' }
import type { Beleg } from '#domain/beleg.ts'
import { computeBeleg, belegBasisOf } from '#domain/rechnung.ts'
import { negateBeleg } from '#domain/rechnung.oracle.ts'
import {
  type Context,
  type Database,
  DatabaseFault,
  type OwnerConnection,
  type Statement,
} from '#server/database/database.ts'
import type { EmbeddedDatabase } from '#server/database/embedded.ts'
import { type LogoCase, logoBytes } from '../../test/logo-cases.ts'
import { ACCEPTED_ANGEBOT, DRAFT_A, RECHNUNG_A } from './cells/buchhaltung.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { silentLog } from '#server/log.ts'
import { asUser } from '../../test/owned-database.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { randomDocuments } from '../../test/random-documents.ts'
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf } from './world.ts'

const jsonOf = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : value) as T
const day = (offset: number) => officeDay(new Date(Date.now() + offset * 86_400_000))
const TODAY = day(0)

const DEFAULT_LINES = [{ bez: 'Vermessung', anzahl: '2.5', einheit: 'h', ep: '80.50' }]

/** Calls as apus_admin that are committed. */
function bookkeeper(api: Database, name: w.IdentityName = 'apus_admin') {
  const run = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
    (await api.once<T>(asCaller(claimsOf(name)), sql(text, ...values))).rows
  const value = async <T>(text: string, ...values: unknown[]): Promise<T> =>
    Object.values((await run<Record<string, unknown>>(`select ${text}`, ...values))[0]!)[0] as T
  const draft = async (
    options: { rn_datum?: string; le_date?: string | null; client_id?: number; lines?: object[] } = {},
  ): Promise<number> => {
    const { rn_datum = TODAY, le_date = '2026-01-31', client_id = w.A, lines = DEFAULT_LINES } = options
    const id = Number(await value('app.a_add_invoice($1, $2, $3, 19)', client_id, rn_datum, le_date))
    await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), id)
    return id
  }
  const issue = async (id: number) =>
    (
      await run<{ nummer: string; rn_datum: string }>(
        'select nummer, rn_datum::text as rn_datum from app.a_issue_invoice($1)',
        id,
      )
    )[0]!
  const offer = async (lines: object[], an_datum = TODAY): Promise<number> => {
    const id = Number(await value('app.a_add_offer($1, $2, 19)', w.A, an_datum))
    await value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(lines), id)
    return id
  }
  const beleg = async (art: string, id: number) =>
    jsonOf<Beleg>(await value('app.a_get_beleg($1, $2)::text', art, id))
  return { run, value, draft, issue, offer, beleg }
}

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`bookkeeping on ${engineName}`, () => {
    let engine: Engine
    let books: ReturnType<typeof bookkeeper>
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      books = bookkeeper(engine.api)
    })
    afterAll(() => engine?.close())
    const as = (name: w.IdentityName, ...statements: Statement[]) =>
      attempt(engine.api, claimsOf(name), ...statements)
    const ask = async <T>(text: string, values: unknown[] = []) =>
      (await engine.owner.query<T>(text, values)).rows[0]!
    const fault = async (
      work: Promise<unknown>,
    ): Promise<{ code?: string; hint?: string | null; message?: string; detail?: string | null }> => {
      try {
        await work
      } catch (error) {
        if (error instanceof DatabaseFault)
          return {
            code: error.code,
            hint: error.hint ?? null,
            message: error.message,
            detail: error.detail ?? null,
          }
        throw error
      }
      return {}
    }
    const issued = async (options?: Parameters<typeof books.draft>[0]) => {
      const id = await books.draft(options)
      return { id, ...(await books.issue(id)) }
    }
    /** On the embedded engine, an owner connection lasts only as long as its work. */
    const session = <T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T> =>
      'asOwner' in engine.api ? (engine.api as EmbeddedDatabase).asOwner(work) : work(engine.owner)
    const stateOf = async (id: number) =>
      (await ask<{ stand: string }>('select stand from app.rechnung_liste where id = $1', [id])).stand

    describe('the tables of cases', () => {
      test('sums, every case', async () => {
        for (const { why, kopf, positionen, summen, zeilen } of rechnungCases) {
          const { found } = await ask<{ found: string }>(
            'select books.beleg_sums($1::jsonb, $2::jsonb)::text as found',
            [JSON.stringify(kopf), JSON.stringify(positionen)],
          )
          expect(jsonOf(found), why).toEqual({ summen, zeilen })
        }
      })
      const of = async (name: string, text: string) =>
        (await ask<{ fault: string | null }>(`select checks.${name}($1) as fault`, [text])).fault
      test('IBAN', async () => {
        for (const { why, text, iban, fault: wrong } of ibanCases) {
          expect([why, await of('iban_fault', text)]).toEqual([why, wrong])
          expect([why, await of('norm_iban', text)]).toEqual([why, iban])
        }
      })
      test('Leitweg-ID', async () => {
        for (const { why, text, leitweg_id, fault: wrong } of leitwegCases) {
          expect([why, await of('leitweg_fault', text)]).toEqual([why, wrong])
          expect([why, await of('norm_leitweg', text)]).toEqual([why, leitweg_id])
        }
      })
      test('VAT id', async () => {
        for (const { why, text, fault: wrong } of ustIdCases)
          expect([why, await of('ust_id_fault', text)]).toEqual([why, wrong])
      })
      test('postcodes and countries', async () => {
        const { rows } = await engine.owner.query<{ found: string }>(
          `select to_json(array(select checks.is_postcode(c ->> 'land', c ->> 'plz')
             from jsonb_array_elements($1::jsonb) with ordinality as t(c, nr) order by nr))::text as found`,
          [JSON.stringify(countryCases)],
        )
        const found = JSON.parse(rows[0]!.found) as boolean[]
        expect(countryCases.map(({ why }, at) => [why, found[at]])).toEqual(
          countryCases.map(({ why, valid }) => [why, valid]),
        )
        const codes = countryList().map(({ code }) => code)
        const known = await engine.owner.query<{ known: string }>(
          `select string_agg(a || b, ' ' order by a || b) filter (where checks.is_country(a || b)) as known
           from string_to_table('ABCDEFGHIJKLMNOPQRSTUVWXYZ', null) a,
             string_to_table('ABCDEFGHIJKLMNOPQRSTUVWXYZ', null) b`,
        )
        expect(known.rows[0]!.known.split(' ')).toEqual(codes.toSorted())
        const without = await engine.owner.query<{ codes: string }>(
          `select string_agg(c, ' ' order by c) filter (where checks.is_postcode(c, '')) as codes
           from unnest($1::text[]) c`,
          [codes],
        )
        expect(without.rows[0]!.codes.split(' ')).toEqual(
          codes.filter((code) => isPostcode(code, '')).toSorted(),
        )
        const eu = await engine.owner.query<{ eu: string }>(
          `select string_agg(c, ' ' order by c) filter (where checks.is_eu_country(c)) as eu from unnest($1::text[]) c`,
          [codes],
        )
        expect(eu.rows[0]!.eu.split(' ')).toEqual(codes.filter(isEuCountry).toSorted())
      })
      test('where an address is for VAT', async () => {
        const { rows } = await engine.owner.query<{ found: string }>(
          `select to_json(array(select books.tax_area(c ->> 'land', c ->> 'plz')
             from jsonb_array_elements($1::jsonb) with ordinality as t(c, nr) order by nr))::text as found`,
          [JSON.stringify(areaCases)],
        )
        const found = JSON.parse(rows[0]!.found) as string[]
        expect(areaCases.map(({ why }, at) => [why, found[at]])).toEqual(
          areaCases.map(({ why, gebiet }) => [why, gebiet]),
        )
      })
      test('tax by the place of supply', async () => {
        const { rows } = await engine.owner.query<{ found: string }>(
          `select to_json(array(select array_to_string(books.place_categories(c ->> 'leistungsort',
             c ->> 'leistungsland', c ->> 'land', c ->> 'plz', (c ->> 'privat')::boolean, c ->> 'ust_id'), ' ')
             from jsonb_array_elements($1::jsonb) with ordinality as t(c, nr) order by nr))::text as found`,
          [JSON.stringify(placeCases)],
        )
        const found = JSON.parse(rows[0]!.found) as string[]
        expect(placeCases.map(({ why }, at) => [why, found[at]])).toEqual(
          placeCases.map(({ why, erlaubt }) => [why, erlaubt.join(' ')]),
        )
      })
      test('tax number', async () => {
        for (const { why, text, fault: wrong } of steuernummerCases)
          expect([why, await of('tax_number_fault', text)]).toEqual([why, wrong])
      })
      test('patterns of numbers, and what is made of them', async () => {
        for (const { why, muster, jaehrlich, fault: wrong } of nummerCases.muster) {
          const outcome = await as(
            'apus_admin',
            sql(`select app.a_set_nummernkreis('angebot', $1, $2)`, muster, jaehrlich),
          )
          expect([why, 'code' in outcome ? outcome.code : null]).toEqual([
            why,
            wrong === null ? null : '23514',
          ])
        }
        for (const { why, muster, jahr, zahl, nummer } of nummerCases.nummern)
          expect([
            why,
            (await ask<{ n: string }>('select books.number_text($1, $2, $3) as n', [muster, jahr, zahl])).n,
          ]).toEqual([why, nummer])
        for (const { why, jaehrlich, jahr, naechste, in: year, zahl } of nummerCases.zaehler) {
          const given = await session(async (owner) => {
            await owner.script(
              `begin; update app.nummernkreis set muster = '{JJJJ}:{N}', jaehrlich = ${jaehrlich},
               jahr = ${jahr ?? 'null'}, naechste = ${naechste} where art = 'angebot'`,
            )
            const { rows } = await owner.query<{ n: string }>(
              `select books.next_number('angebot', make_date($1, 6, 1)) as n`,
              [year],
            )
            await owner.script('rollback')
            return rows[0]!.n
          })
          expect([why, given]).toEqual([why, `${year}:${zahl}`])
        }
      })
      test('logos', async () => {
        for (const { why, found, ...one } of logoCases) {
          const start = performance.now()
          const { fault: wrong } = await ask<{ fault: string }>(
            `select checks.logo_fault(decode($1, 'base64')) as fault`,
            [logoBytes(one as LogoCase).toString('base64')],
          )
          expect([why, wrong]).toEqual([why, found])
          expect(performance.now() - start, why).toBeLessThan(5_000)
        }
      })
      test('a logo is kept with the type that its content has, and refused at its field', async () => {
        const save = (values: object) =>
          fault(books.value('app.a_set_lieferant($1::jsonb)', JSON.stringify(values)))
        const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
        expect(await save({ logo: svg, logo_typ: 'image/png' })).toEqual({})
        expect(await ask('select logo_typ from app.lieferant')).toEqual({ logo_typ: 'image/svg+xml' })
        const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>').toString(
          'base64',
        )
        for (const [logo, hint] of [
          [script, 'logo_svg_aktiv'],
          ['kein Base64!', 'logo_art'],
          [Buffer.from('GIF89a').toString('base64'), 'logo_art'],
        ]) {
          const refused = await save({ logo, logo_typ: 'image/svg+xml' })
          expect(refused).toMatchObject({ code: '23514', hint })
          expect(refused.message).toContain('column "logo"')
        }
        expect(await save({ logo_typ: 'image/png' })).toMatchObject({ hint: 'logo_art' })
        expect(await save({ logo: null })).toEqual({})
        expect(await ask('select logo, logo_typ from app.lieferant')).toEqual({ logo: null, logo_typ: null })
      })
      test('a thousand random documents: the same sums as the browser reckons', async () => {
        const documents = [...randomDocuments(1000)]
        const { rows } = await engine.owner.query<{ found: string }>(
          `select books.beleg_sums(d, d -> 'positionen')::text as found
           from jsonb_array_elements($1::jsonb) with ordinality as t(d, nr) order by nr`,
          [JSON.stringify(documents)],
        )
        for (const [at, document] of documents.entries()) {
          const { summen, zeilen } = computeBeleg(document)
          expect(jsonOf(rows[at]!.found)).toEqual({ summen, zeilen })
        }
      })
    })

    describe('a draft', () => {
      test('takes ids and rates as text, and has no number', async () => {
        const [row] = await books.run<{ id: number }>(
          `select app.a_add_invoice('${w.A}', '${TODAY}', '2026-01-31', '7.00') as id`,
        )
        const [details] = await books.run<Record<string, unknown>>(
          'select * from app.a_get_invoice_details($1)',
          row!.id,
        )
        expect(details).toMatchObject({
          ust_satz: '7.00',
          nummer: null,
          stand: 'entwurf',
          zustand: 'entwurf',
          netto: '0.00',
          bearbeiter: 'Vor112 Nach112',
        })
      })
      test('null rules of positions', async () => {
        const id = await books.draft({ lines: [] })
        const made = await books.value(
          'app.a_insert_position(1, $1, $2, 10, null, $3, null, null, null, null)',
          'Zeile',
          'h',
          id,
        )
        const [line] = await books.run<Record<string, unknown>>(
          'select * from app.a_get_invoice_positions($1)',
          id,
        )
        expect(line).toMatchObject({
          id: made,
          erl: '',
          erl_on: true,
          erl_titel: '',
          lfd_nr: 1,
          betrag: '10.00',
          rechnung_id: id,
          angebot_id: null,
        })
        await books.value(
          'app.a_update_position($1, 2, $2, $3, 10, 1, $4, null, $5, false, $6)',
          made,
          'Zeile',
          'h',
          id,
          'mehr',
          'Titel',
        )
        await books.value(
          'app.a_update_position($1, 2, $2, $3, 10, 1, $4, null, null, null, null)',
          made,
          'Zeile',
          'h',
          id,
        )
        expect(
          (await books.run<object>('select * from app.a_get_invoice_positions($1)', id))[0],
        ).toMatchObject({
          erl: '',
          erl_on: true,
          erl_titel: '',
          anzahl: '2',
        })
        expect(
          await fault(books.value('app.a_update_position($1, null, $2, $3, 10)', made, 'Zeile', 'h')),
        ).toMatchObject({ code: '23502' })
      })
      test('order is 1, 2, 3 after inserting, moving and deleting', async () => {
        const id = await books.draft({ lines: ['a', 'b', 'c', 'd'].map((label) => ({ bez: label })) })
        const names = async () =>
          (
            await books.run<{ bez: string; lfd_nr: number }>(
              'select bez, lfd_nr from app.a_get_invoice_positions($1)',
              id,
            )
          )
            .map(({ bez, lfd_nr }) => `${lfd_nr}${bez}`)
            .join(' ')
        const idOf = async (label: string) =>
          (
            await books.run<{ id: number }>(
              `select id from app.a_get_invoice_positions($1) where bez = $2`,
              id,
              label,
            )
          )[0]!.id
        await books.value('app.a_insert_position(1, $1, null, 1, 2, $2)', 'neu', id)
        expect(await names()).toBe('1a 2neu 3b 4c 5d')
        await books.value('app.a_update_position($1, 1, $2, null, 1, 4)', await idOf('a'), 'a')
        expect(await names()).toBe('1neu 2b 3c 4a 5d')
        await books.value('app.a_update_position($1, 1, $2, null, 1, 1)', await idOf('d'), 'd')
        expect(await names()).toBe('1d 2neu 3b 4c 5a')
        await books.value('app.a_delete_position($1)', await idOf('neu'))
        expect(await names()).toBe('1d 2b 3c 4a')
        const ids = await Promise.all(['a', 'b', 'c', 'd'].map(idOf))
        await books.value('app.a_reorder_positions($1::bigint[], $2)', `{${ids.join(',')}}`, id)
        expect(await names()).toBe('1a 2b 3c 4d')
        expect(
          await fault(
            books.value('app.a_reorder_positions($1::bigint[], $2)', `{${ids.slice(1).join(',')}}`, id),
          ),
        ).toMatchObject({
          code: 'PT409',
          hint: 'changed_meanwhile',
        })
      })
      test('the whole list is saved at once or not at all, and based on the version that was read', async () => {
        const id = await books.draft({
          lines: [
            { bez: 'a', ep: '1' },
            { bez: 'b', ep: '2' },
          ],
        })
        const before = await books.run<{ id: number; bez: string }>(
          'select id, bez from app.a_get_invoice_positions($1)',
          id,
        )
        const { version } = await ask<{ version: number }>('select version from app.rechnung where id = $1', [
          id,
        ])
        const saved = jsonOf<{
          version: number
          summen: { netto: string }
          positionen: { id: number; bez: string; betrag: string }[]
        }>(
          await books.value(
            'app.a_save_positions($1::jsonb, $2, null, $3)::text',
            JSON.stringify([
              { bez: 'neu', ep: '5.0050', anzahl: '1' },
              { id: String(before[1]!.id), bez: 'b2', ep: '2' },
            ]),
            id,
            version,
          ),
        )
        expect(saved.positionen.map(({ bez, betrag }) => `${bez} ${betrag}`)).toEqual(['neu 5.01', 'b2 2.00'])
        expect(saved.positionen[1]!.id).toBe(before[1]!.id)
        expect([saved.summen.netto, saved.version > version]).toEqual(['7.01', true])
        expect(
          await fault(books.value('app.a_save_positions($1::jsonb, $2, null, $3)', '[]', id, version)),
        ).toMatchObject({
          code: 'PT409',
          hint: 'changed_meanwhile',
        })
        const bad = await fault(
          books.value(
            'app.a_save_positions($1::jsonb, $2)',
            JSON.stringify([{ bez: 'gut' }, { bez: 'x', rabatt_prozent: '101' }]),
            id,
          ),
        )
        expect(bad).toMatchObject({ code: '23514', hint: 'position_wert' })
        expect(bad.message).toContain('line 2')
        expect(
          await fault(books.value('app.a_save_positions($1::jsonb, $2)', '[{"bezz": "x"}]', id)),
        ).toMatchObject({
          code: '23514',
          hint: 'felder',
        })
        expect(
          await fault(books.value('app.a_save_positions($1::jsonb, $2)', `[{"id": ${before[0]!.id}}]`, id)),
        ).toMatchObject({
          code: 'PT409',
        })
        expect((await books.run('select * from app.a_get_invoice_positions($1)', id)).length).toBe(2)
      })
      test('head, terms and lines are saved together or not at all', async () => {
        const save = (
          art: string,
          id: number,
          values: object,
          lines: object[] | null,
          version: number | null = null,
        ) =>
          books.value<number>(
            'app.a_save_beleg($1, $2, $3::jsonb, $4::jsonb, $5)',
            art,
            id,
            JSON.stringify(values),
            lines === null ? null : JSON.stringify(lines),
            version,
          )
        const stored = (id: number) =>
          ask<Record<string, unknown>>(
            `select bearbeiter, anrede, le_date::text, le_date_bis::text, zahlungsziel, skonto::text,
             rabatt_prozent::text, netto::text, zahlbetrag::text, version,
              (select count(*)::integer from app.position p where p.rechnung_id = r.id) as zeilen
              from app.rechnung r where id = $1`,
            [id],
          )
        const id = await books.draft()
        const { version } = await stored(id)
        const given = {
          bearbeiter: 'Frau Holz',
          le_date: '2026-02-01',
          le_date_bis: '2026-02-03',
          zahlungsziel: 30,
          skonto: [{ tage: 7, prozent: '2.00' }],
          rabatt_prozent: '10.00',
        }
        const now = await save(
          'rechnung',
          id,
          given,
          [
            { bez: 'a', ep: '100' },
            { bez: 'b', ep: '50' },
          ],
          version as number,
        )
        expect(await stored(id)).toEqual({
          bearbeiter: 'Frau Holz',
          anrede: '',
          le_date: '2026-02-01',
          le_date_bis: '2026-02-03',
          zahlungsziel: 30,
          skonto: '[{"tage": 7, "prozent": "2.00"}]',
          rabatt_prozent: '10.00',
          netto: '135.00',
          zahlbetrag: '160.65',
          version: now,
          zeilen: 2,
        })
        const after = await stored(id)
        // An error in the last line also rolls back the head, and so does an outdated version.
        expect(
          await fault(
            save(
              'rechnung',
              id,
              { bearbeiter: 'x' },
              [{ bez: 'a' }, { bez: 'b', rabatt_prozent: '101' }],
              now,
            ),
          ),
        ).toMatchObject({
          hint: 'position_wert',
        })
        expect(
          await fault(save('rechnung', id, { bearbeiter: 'x', le_date_bis: '2026-01-01' }, [], now)),
        ).toMatchObject({
          hint: 'beleg_zeitraum',
        })
        expect(await fault(save('rechnung', id, { bearbeiter: 'x' }, [], version as number))).toMatchObject({
          code: 'PT409',
          hint: 'changed_meanwhile',
        })
        expect(await fault(save('rechnung', id, { zustand: 'ausgestellt' }, null))).toMatchObject({
          hint: 'felder',
        })
        expect(await fault(save('rechnung', id, { chance: 5 }, null))).toMatchObject({ hint: 'felder' })
        expect(await fault(save('storno', id, {}, null))).toMatchObject({ code: '23514' })
        expect(await stored(id)).toEqual(after)
        // Null means the customer's value or empty, but date and rate stay; fields that are not named stay
        // too. A later first day removes the last one.
        await save(
          'rechnung',
          id,
          {
            le_date: '2026-02-04',
            rn_datum: null,
            ust_satz: null,
            zahlungsziel: null,
            skonto: null,
            bearbeiter: null,
          },
          null,
        )
        expect(await stored(id)).toMatchObject({
          le_date: '2026-02-04',
          le_date_bis: null,
          zahlungsziel: null,
          skonto: null,
          bearbeiter: '',
          rabatt_prozent: '10.00',
          zeilen: 2,
        })
        expect(
          (
            await books.run<{ ereignis: string }>(
              `select ereignis from app.a_get_protokoll('rechnung', $1)`,
              id,
            )
          )
            .map(({ ereignis }) => ereignis)
            .slice(0, 3),
        ).toEqual(['geaendert', 'positionen', 'geaendert'])

        const offer = await books.offer([{ bez: 'a', ep: '100' }])
        await save('angebot', offer, { chance: 60, gueltig_bis: day(30), anrede: 'Guten Tag' }, [
          { bez: 'b', ep: '7' },
        ])
        expect(
          await ask('select chance, anrede, netto::text from app.angebot where id = $1', [offer]),
        ).toEqual({
          chance: 60,
          anrede: 'Guten Tag',
          netto: '7.00',
        })
        expect(await fault(save('angebot', offer, { gueltig_bis: day(-1) }, null))).toMatchObject({
          hint: 'angebot_gueltig',
        })
        expect(await fault(save('angebot', offer, { rn_datum: TODAY }, null))).toMatchObject({
          hint: 'felder',
        })
      })
      test('a line of another document is not touched through this one', async () => {
        const [one, other] = [await books.draft(), await books.draft()]
        const [line] = await books.run<{ id: number }>(
          'select id from app.a_get_invoice_positions($1)',
          other,
        )
        expect(
          await fault(books.value('app.a_update_position($1, 1, $2, null, 1, 1, $3)', line!.id, 'x', one)),
        ).toMatchObject({
          code: 'PT404',
        })
        expect(
          await fault(books.value('app.a_save_positions($1::jsonb, $2)', `[{"id": ${line!.id}}]`, one)),
        ).toMatchObject({
          code: 'PT409',
        })
      })
      test('is deleted, and no number is used', async () => {
        const id = await books.draft()
        const before = await ask('select naechste from app.nummernkreis where art = $1', ['rechnung'])
        await books.value('app.a_delete_invoice($1)', id)
        expect(await ask('select naechste from app.nummernkreis where art = $1', ['rechnung'])).toEqual(
          before,
        )
        expect(
          await ask('select ereignis from app.protokoll where gegenstand_id = $1 order by nr desc limit 1', [
            id,
          ]),
        ).toEqual({
          ereignis: 'geloescht',
        })
      })
      test('with files of its customer it does not go to another one', async () => {
        const id = await books.draft()
        await engine.owner.script(`begin; set local role forst_betrieb;
          insert into app.anlage (client_id, rechnung_id, name, dateiname, mime, inhalt)
            values (${w.A}, ${id}, 'Plan', 'plan.pdf', 'application/pdf', '%PDF'); commit`)
        const move = (to: number) => books.value('app.a_set_client_for_invoice($1, $2)', to, id)
        expect(await fault(move(w.B))).toMatchObject({ code: 'PT409', hint: 'anlage_kunde' })
        expect(await fault(move(w.A))).toEqual({})
        await books.value('app.a_delete_anlage((select max(id) from app.anlage where rechnung_id = $1))', id)
        expect(await fault(move(w.B))).toEqual({})
      })
      test('goes to another customer with its lines', async () => {
        const id = await books.draft()
        await books.value('app.a_set_client_for_invoice($1, $2)', w.B, id)
        expect(
          await ask(
            `select r.client_id, p.client_id as zeile from app.rechnung r
             join app.position p on p.rechnung_id = r.id where r.id = $1`,
            [id],
          ),
        ).toEqual({ client_id: w.B, zeile: w.B })
        expect((await books.beleg('rechnung', id)).empfaenger.name).toBe('Forst B')
        expect(await fault(books.value('app.a_set_client_for_invoice(999, $1)', id))).toMatchObject({
          code: 'PT404',
        })
      })
    })

    describe('issue', () => {
      test('number, day, sums and the frozen document; what it says can be computed again', async () => {
        const id = await books.draft({
          lines: [
            { bez: 'Feldarbeit', art: 'ueberschrift' },
            { bez: 'Vermessung', anzahl: '2.5', einheit: 'h', ep: '80.50' },
            { bez: 'Karte', anzahl: '3', ep: '9.9950', ust_satz: '7', rabatt_prozent: '10' },
          ],
        })
        await books.value(
          `app.a_set_invoice_terms($1, null, '2026-02-01', 10, '[{"tage": 7, "prozent": "2"}]'::jsonb, 5, 'Treue')`,
          id,
        )
        const { nummer } = await books.issue(id)
        const beleg = await books.beleg('rechnung', id)
        expect(beleg).toMatchObject({
          nummer,
          entwurf: false,
          datum: TODAY,
          faellig: day(10),
          format: 'zugferd',
          rabatt_grund: 'Treue',
          skonto: [{ tage: 7, prozent: '2.00' }],
          le_date_bis: '2026-02-01',
        })
        const { summen, zeilen } = computeBeleg(belegBasisOf(beleg))
        expect(beleg.summen).toEqual(summen)
        expect(beleg.positionen.map(({ nr, betrag }) => ({ nr, betrag }))).toEqual(zeilen)
        expect(
          await ask(
            `select netto::text, steuer::text, brutto::text, zahlbetrag::text, faellig::text, ausgestellt_von
             from app.rechnung where id = $1`,
            [id],
          ),
        ).toEqual({
          netto: summen.netto,
          steuer: summen.steuer,
          brutto: summen.brutto,
          zahlbetrag: summen.zahlbetrag,
          faellig: day(10),
          ausgestellt_von: 'Vor112 Nach112',
        })
      })
      test('a private person’s invoice, and no other, bears the note on keeping as the settings had it', async () => {
        const issuedOf = async () => books.beleg('rechnung', (await issued()).id)
        expect(await issuedOf()).not.toHaveProperty('aufbewahrung')
        await books.value(`app.a_set_kunde_rechnung($1, '{"ist_privat": true}')`, w.A)
        await books.value(`app.a_set_lieferant('{"aufbewahrung_text": "Zwei Jahre.\\nDanke."}')`)
        const before = await issuedOf()
        expect(before).toHaveProperty('aufbewahrung', 'Zwei Jahre.\nDanke.')
        await books.value(`app.a_set_lieferant('{"aufbewahrung_text": ""}')`)
        expect(await issuedOf()).toHaveProperty('aufbewahrung', '')
        expect(await books.beleg('rechnung', Number(before.id))).toEqual(before)
        await books.value(`app.a_set_kunde_rechnung($1, '{"ist_privat": false}')`, w.A)
        await books.value(
          `app.a_set_lieferant('{"aufbewahrung_text":
            "Bitte bewahren Sie diese Rechnung zwei Jahre lang auf (§ 14b Abs. 1 Satz 5 UStG)."}')`,
        )
      })
      test('an XRechnung names the syntax that its customer wants; others have none', async () => {
        const id = await books.draft()
        const now = () => books.value(`app.a_get_beleg('rechnung', $1) ->> 'syntax'`, id)
        await books.value(`app.a_set_kunde_rechnung($1, '{"syntax": "ubl"}')`, w.A)
        expect(await now()).toBe(null)
        await books.value(`app.a_set_kunde_rechnung($1, '{"rechnungsformat": "xrechnung"}')`, w.A)
        expect(await now()).toBe('ubl')
        expect(
          await fault(books.value(`app.a_set_kunde_rechnung($1, '{"syntax": "edifact"}')`, w.A)),
        ).toMatchObject({ code: '23514' })
        await books.value(
          `app.a_set_kunde_rechnung($1, '{"syntax": "cii", "rechnungsformat": "zugferd"}')`,
          w.A,
        )
        expect(await now()).toBe(null)
      })
      test('numbers follow each other and deleted or refused ones leave no gap', async () => {
        const first = await issued()
        await books.value('app.a_delete_invoice($1)', await books.draft())
        const empty = await books.draft({ lines: [] })
        expect(await fault(books.issue(empty))).toMatchObject({ code: '23514', hint: 'positionen_fehlen' })
        const second = await issued()
        const [a, b] = [first, second].map(({ nummer }) => Number(nummer.split('-')[2]))
        expect(b).toBe(a! + 1)
      })
      test('not before the last one, not after today; the calls say the window', async () => {
        await issued()
        expect(
          (await books.run<{ d: string }>('select app.a_get_min_rn_datum_for_new_invoice()::text as d'))[0]!
            .d,
        ).toBe(TODAY)
        expect(
          await books.run('select min::text, max::text from app.a_get_minmax_rn_datum($1)', TODAY),
        ).toEqual([{ min: TODAY, max: TODAY }])
        const [old] = await books.run<{ id: string }>(
          `select id from app.rechnung where rn_datum = '2026-01-05' and folge is not null`,
        )
        expect(
          await books.run(
            `select min::text, max::text from app.a_get_minmax_rn_datum('2026-01-05', $1)`,
            old!.id,
          ),
        ).toEqual([{ min: '2026-01-05', max: '2026-01-05' }])
        expect(
          await books.run(`select min::text, max::text from app.a_get_minmax_rn_datum('2026-01-06')`),
        ).toEqual([{ min: TODAY, max: TODAY }])
        const draft = await books.draft({ rn_datum: '2026-01-05' })
        for (const id of [draft, null])
          expect(
            await books.run(
              `select min::text, max::text from app.a_get_minmax_rn_datum('2026-01-05', $1)`,
              id,
            ),
          ).toEqual([{ min: TODAY, max: TODAY }])
        expect(await fault(books.issue(await books.draft({ rn_datum: day(-1) })))).toMatchObject({
          code: '23514',
          hint: 'datum_vor_letzter',
        })
        expect(await fault(books.issue(await books.draft({ rn_datum: day(1) })))).toMatchObject({
          code: '23514',
          hint: 'datum_zukunft',
        })
      })
      test.each([
        ['no day of supply', { le_date: null }, 'le_date_fehlt', 'le_date'],
        ['no line', { lines: [] }, 'positionen_fehlen', 'positionen'],
        ['headings alone', { lines: [{ bez: 'x', art: 'ueberschrift' }] }, 'positionen_fehlen', 'positionen'],
        ['a line that says nothing', { lines: [{ bez: ' ', ep: '1' }] }, 'bez_fehlt', 'positionen.0.bez'],
        ['a price below nothing', { lines: [{ bez: 'x', ep: '-1' }] }, 'brutto_negativ', 'summen.brutto'],
        [
          'an optional line',
          {
            lines: [
              { bez: 'x', ep: '1' },
              { bez: 'y', art: 'optional' },
            ],
          },
          'beleg_optional',
          'positionen.1.art',
        ],
        [
          'no tax and no reason',
          { lines: [{ bez: 'x', ep: '1', ust_satz: '0' }] },
          'steuergrund_fehlt',
          'positionen.0.steuergrund',
        ],
        [
          'outside of the scope beside others',
          {
            lines: [
              { bez: 'x', ep: '1' },
              { bez: 'y', ep: '1', kategorie: 'O', steuergrund: 'nicht steuerbar' },
            ],
          },
          'nicht_steuerbar_allein',
          'summen.steuern',
        ],
        [
          'reverse charge without VAT ids',
          { lines: [{ bez: 'x', ep: '1', kategorie: 'AE' }] },
          'reverse_charge_lieferant',
          'lieferant.ust_id',
        ],
        [
          'less than nothing',
          { lines: [{ bez: 'x', anzahl: '-1', ep: '1' }] },
          'brutto_negativ',
          'summen.brutto',
        ],
      ])('refused: %s', async (_, options, hint, field) => {
        const refusal = await fault(books.issue(await books.draft(options)))
        expect(refusal).toMatchObject({ code: '23514', hint })
        expect(refusal.message).toContain(`column "${field}"`)
      })
      test('an XRechnung needs contact and Leitweg-ID, which also is its address', async () => {
        const id = await books.draft({ client_id: w.B })
        await books.value(`app.a_set_invoice_terms($1, format => 'xrechnung')`, id)
        expect(await fault(books.issue(id))).toMatchObject({ hint: 'ansprechpartner_fehlt' })
        await books.value(
          `app.a_set_lieferant('{"ansprechpartner": "Frau Muster", "telefon": "0395 1234",
            "mail": "buero@probe.example"}')`,
        )
        expect(await fault(books.issue(id))).toMatchObject({ hint: 'leitweg_fehlt' })
        expect(
          await fault(
            books.value(`app.a_set_kunde_rechnung($1, '{"leitweg_id": "04011000-1234512345-07"}')`, w.B),
          ),
        ).toMatchObject({
          hint: 'leitweg_id',
        })
        await books.value(`app.a_set_kunde_rechnung($1, '{"leitweg_id": "04011000-1234512345-06"}')`, w.B)
        expect((await books.issue(id)).nummer).toMatch(/^RE-/)
      })
      test('without a supplier or a tax number nothing is issued', async () => {
        const attempts = async (change: string) => {
          const id = await books.draft()
          return as(
            'apus_admin',
            sql(`select app.a_set_lieferant('${change}')`),
            sql('select * from app.a_issue_invoice($1)', id),
          )
        }
        expect(await attempts('{"steuernummer": "", "ust_id": ""}')).toMatchObject({ code: '23514' })
        expect(await attempts('{"steuernummer": "", "ust_id": "DE136695976"}')).toMatchObject({ count: 1 })
        expect(
          await as('apus_admin', sql(`select app.a_set_lieferant('{"iban": "DE02120300000000202052"}')`)),
        ).toMatchObject({
          code: '23514',
        })
        expect(await as('apus_admin', sql(`select app.a_set_lieferant('{"name": ""}')`))).toMatchObject({
          code: '23514',
        })
      })
      test('twice is refused; so is what is based on an older version', async () => {
        const id = await books.draft()
        expect(await fault(books.run('select * from app.a_issue_invoice($1, 1)', id))).toMatchObject({
          code: 'PT409',
          hint: 'changed_meanwhile',
        })
        await books.issue(id)
        expect(await fault(books.issue(id))).toMatchObject({
          code: 'PT409',
          hint: 'ausgestellt',
          detail: `rechnung ${id}`,
        })
      })
      test('a number range begins anew with the year, and its pattern cannot give a number twice', async () => {
        expect(
          await ask(
            `select books.number_text('RE-{JJJJ}-{NNNN}', 2031, 7) as a,
             books.number_text('R{JJ}/{NN}', 2005, 123) as b, books.number_text('{NNNNNN}', 2031, 7) as c`,
          ),
        ).toEqual({ a: 'RE-2031-0007', b: 'R05/123', c: '000007' })
        const given = await session(async (owner) => {
          await owner.script(
            `begin; update app.nummernkreis set jahr = 2090, naechste = 500 where art = 'rechnung'`,
          )
          const { rows } = await owner.query<{ nummer: string }>(
            `select books.next_number('rechnung', day) as nummer
             from unnest('{2090-12-31,2091-01-01,2091-01-01}'::date[]) day`,
          )
          await owner.script('rollback')
          return rows.map(({ nummer }) => nummer)
        })
        expect(given).toEqual(['RE-2090-0500', 'RE-2091-0001', 'RE-2091-0002'])
        expect(
          await as('apus_admin', sql(`select app.a_set_nummernkreis('rechnung', 'X-{NNN}', true)`)),
        ).toMatchObject({ code: '23514' })
        expect(
          await as('apus_admin', sql(`select app.a_set_nummernkreis('rechnung', 'X', false)`)),
        ).toMatchObject({ code: '23514' })
        expect(
          await as(
            'apus_admin',
            sql(`select app.a_set_nummernkreis('rechnung', 'RE-{JJJJ}-{NNNN}', true, 900)`),
          ),
        ).toMatchObject({
          code: '23514',
        })
      })
    })

    describe('what is issued is what was looked at', () => {
      const standOf = async (art: string, id: number) =>
        ((await books.beleg(art, id)) as Beleg & { stand?: string }).stand
      const issueSeen = (id: number, stand: string | undefined) =>
        books.run('select nummer from app.a_issue_invoice($1, null, false, $2)', id, stand)
      const terms = (paymentDays: number | null) =>
        books.value(`app.a_set_kunde_rechnung($1, $2)`, w.A, JSON.stringify({ zahlungsziel: paymentDays }))
      test('billing data that changed after the look are noticed', async () => {
        const id = await books.draft()
        const seen = await standOf('rechnung', id)
        await terms(33)
        expect(await fault(issueSeen(id, seen))).toMatchObject({ code: 'PT409', hint: 'beleg_stand' })
        expect(await issueSeen(id, await standOf('rechnung', id))).toHaveLength(1)
        await terms(null)
        expect(await standOf('rechnung', id)).toBeUndefined()
      })
      test('the same of an offer', async () => {
        const id = await books.offer(DEFAULT_LINES)
        const seen = await standOf('angebot', id)
        const issueOffer = (stand: string | undefined) =>
          books.run('select nummer from app.a_issue_offer($1, null, $2)', id, stand)
        expect(await fault(issueOffer('x'))).toMatchObject({ code: 'PT409', hint: 'beleg_stand' })
        expect(await issueOffer(seen)).toHaveLength(1)
      })
    })

    describe('what is issued is fixed', () => {
      const CALLS: Record<string, (id: number, line: number) => Statement> = {
        a_update_invoice_details: (id) =>
          sql(`select app.a_update_invoice_details('x', null, null, $1, '', '', '', 19)`, id),
        a_set_invoice_terms: (id) => sql('select app.a_set_invoice_terms($1)', id),
        a_set_client_for_invoice: (id) => sql(`select app.a_set_client_for_invoice(${w.B}, $1)`, id),
        a_insert_position: (id) => sql(`select app.a_insert_position(1, 'x', null, 1, null, $1)`, id),
        a_update_position: (_, line) => sql(`select app.a_update_position($1, 9, 'x', null, 9)`, line),
        a_delete_position: (_, line) => sql('select app.a_delete_position($1)', line),
        a_reorder_positions: (id, line) =>
          sql(`select app.a_reorder_positions($1::bigint[], $2)`, `{${line}}`, id),
        a_save_positions: (id) => sql(`select app.a_save_positions('[]', $1)`, id),
        a_save_beleg: (id) => sql(`select app.a_save_beleg('rechnung', $1, '{"bearbeiter": "x"}')`, id),
        a_delete_invoice: (id) => sql('select app.a_delete_invoice($1)', id),
        a_issue_invoice: (id) => sql('select * from app.a_issue_invoice($1)', id),
      }
      let id = 0
      let line = 0
      beforeAll(async () => {
        id = (await issued()).id
        line = (await books.run<{ id: number }>('select id from app.a_get_invoice_positions($1)', id))[0]!.id
      })
      for (const [name, statement] of Object.entries(CALLS))
        test(`${name} is refused`, async () =>
          expect(
            await fault(engine.api.once(asCaller(claimsOf('admin')), statement(id, line))),
          ).toMatchObject({
            code: 'PT409',
            hint: 'ausgestellt',
          }))
      const WRITES = [
        `update app.rechnung set brutto = brutto + 1, netto = netto + 1, zahlbetrag = zahlbetrag + 1 where id = $1`,
        `update app.rechnung set zustand = 'entwurf', nummer = null, folge = null, beleg = null,
         ausgestellt_am = null, faellig = null where id = $1`,
        `update app.rechnung set beleg = beleg || '{"nummer": "x"}' where id = $1`,
        `update app.rechnung set rn_datum = rn_datum - 1 where id = $1`,
        `delete from app.rechnung where id = $1`,
        `update app.position set anzahl = anzahl + 1 where rechnung_id = $1`,
        `update app.position set gewaehlt = true, anzahl = 2 where rechnung_id = $1`,
        `delete from app.position where rechnung_id = $1`,
        `insert into app.position (client_id, rechnung_id, lfd_nr) values (${w.A}, $1, 99)`,
        `update app.position set rechnung_id = $1 where rechnung_id = ${DRAFT_A}`,
        `delete from app.protokoll where gegenstand_id = $1`,
        `update app.protokoll set inhalt = '{}' where gegenstand_id = $1`,
        `update app.protokoll set wer = 'jemand' where gegenstand_id = $1`,
      ]
      for (const role of [
        'nutzer',
        'forst_definer',
        'forst_betrieb',
        'forst_idp',
        'forst_dokument',
        'forst_api',
      ])
        test(`no statement of ${role} changes it`, async () => {
          for (const text of WRITES) {
            const refused = await session(async (owner) => {
              await owner.script(
                `begin; select set_config('request.jwt.claims', '${JSON.stringify(claimsOf('admin'))}', true);
                 set local role ${role}`,
              )
              const said = await fault(owner.query(text.replaceAll('$1', String(id))))
              await owner.script('rollback')
              return said
            })
            expect(['42501', 'PT409'], `${role}: ${text}: ${refused.code} ${refused.message}`).toContain(
              refused.code,
            )
          }
        })
      test('nobody empties the table, the owner neither', async () => {
        for (const table of ['rechnung', 'angebot', 'position', 'dokument', 'protokoll'])
          expect(await fault(engine.owner.script(`truncate app.${table} cascade`)), table).toMatchObject({
            code: 'PT409',
            hint: 'ausgestellt',
          })
      })
      test('the archive alone can be set, once it is paid or cancelled', async () => {
        const one = await issued()
        expect(await fault(books.value('app.a_set_archive_for_rn($1)', one.id))).toMatchObject({
          code: 'PT409',
          hint: 'archiv_offen',
        })
        await books.run('select * from app.a_cancel_invoice($1)', one.id)
        expect(await books.value('app.a_set_archive_for_rn($1)', one.id)).toBe(true)
        expect(await books.value('app.a_set_archive_for_rn($1)', one.id)).toBe(false)
        expect(await fault(books.value('app.a_set_archive_for_rn($1)', await books.draft()))).toMatchObject({
          code: 'PT409',
        })
      })
      test('what is owed again leaves the archive', async () => {
        const { id } = await issued()
        const stateNow = () =>
          ask<{ archiviert: boolean }>('select archiviert from app.rechnung where id = $1', [id])
        const amount = await books.value('(select zahlbetrag from app.rechnung where id = $1)', id)
        const pay = (sum: unknown) => books.value('app.a_add_payment($1, $2, $3)', id, TODAY, sum)
        const paid = await pay(amount)
        await books.value('app.a_set_archive_for_rn($1, true)', id)
        const back = await pay(-1)
        expect(await stateNow()).toEqual({ archiviert: false })
        await books.value(`app.a_revoke_payment($1, 'doch nicht')`, back)
        await books.value('app.a_set_archive_for_rn($1, true)', id)
        await books.value(`app.a_revoke_payment($1, 'Irrtum')`, paid)
        expect(await stateNow()).toEqual({ archiviert: false })
        const [last] = await books.run(`select ereignis from app.a_get_protokoll('rechnung', $1) limit 1`, id)
        expect(last).toEqual({ ereignis: 'aus_archiv' })
      })
      test('a refusal is written down by a statement of its own', async () => {
        await engine.api.once(
          asCaller(claimsOf('apus_admin')),
          sql(`select books.record_refusal('a_delete_invoice', 'rechnung 5', 'ausgestellt')`),
        )
        const entry = await ask<{ user_id: number; inhalt: unknown }>(
          `select user_id, inhalt::text as inhalt from app.protokoll where ereignis = 'verweigert'
           order by nr desc limit 1`,
        )
        expect([entry.user_id, jsonOf(entry.inhalt)]).toEqual([
          w.numberOf('apus_admin'),
          { vorgang: 'a_delete_invoice', ziel: 'rechnung 5', code: 'ausgestellt' },
        ])
      })
    })

    describe('Storno', () => {
      test('the exact negation, the next number, once only', async () => {
        const one = await issued({
          lines: [
            { bez: 'Kopf', art: 'ueberschrift' },
            { bez: 'a', anzahl: '3', ep: '9.9950', ust_satz: '7' },
            { bez: 'b', anzahl: '0.333', ep: '0.5' },
          ],
        })
        const original = await books.beleg('rechnung', one.id)
        const [storno] = await books.run<{ id: number; nummer: string }>(
          `select * from app.a_cancel_invoice($1, null, 'Falscher Empfänger')`,
          one.id,
        )
        expect(Number(storno!.nummer.split('-')[2])).toBe(Number(one.nummer.split('-')[2]) + 1)
        const beleg = await books.beleg('storno', storno!.id)
        const negated = negateBeleg(original)
        expect(beleg.summen).toEqual(negated.summen)
        expect(beleg.positionen).toEqual(negated.positionen)
        expect(beleg).toMatchObject({
          art: 'storno',
          nummer: storno!.nummer,
          entwurf: false,
          skonto: [],
          faellig: null,
          bezug: { art: 'rechnung', nummer: one.nummer, datum: TODAY },
          anschreiben: 'Falscher Empfänger',
        })
        expect(await stateOf(one.id)).toBe('storniert')
        expect(await stateOf(storno!.id)).toBe('storno')
        expect(
          await ask(
            `select (sum(netto))::text as netto, sum(steuer)::text as steuer, sum(brutto)::text as brutto,
             sum(zahlbetrag)::text as zahlbetrag from app.rechnung where id = any ($1::bigint[])`,
            [`{${one.id},${storno!.id}}`],
          ),
        ).toEqual({ netto: '0.00', steuer: '0.00', brutto: '0.00', zahlbetrag: '0.00' })
        expect(await fault(books.run('select * from app.a_cancel_invoice($1)', one.id))).toMatchObject({
          code: 'PT409',
          hint: 'storniert',
        })
        expect(await fault(books.run('select * from app.a_cancel_invoice($1)', storno!.id))).toMatchObject({
          code: 'PT409',
          hint: 'storno_von_storno',
        })
        expect(await fault(books.run('select * from app.a_cancel_invoice($1)', DRAFT_A))).toMatchObject({
          code: 'PT409',
          hint: 'storno_entwurf',
        })
        expect(
          await fault(
            engine.owner.script(`update app.position set anzahl = 1 where rechnung_id = ${storno!.id}`),
          ),
        ).toMatchObject({
          hint: 'ausgestellt',
        })
        // One that replaces a cancelled invoice is for the same supply.
        const copy = Number(await books.value('app.a_copy_invoice($1)', one.id))
        expect(
          await ask(
            'select zustand, kopie_von, netto::text as netto, le_date::text as le_date from app.rechnung where id = $1',
            [copy],
          ),
        ).toEqual({
          zustand: 'entwurf',
          kopie_von: one.id,
          netto: original.summen.netto,
          le_date: original.le_date,
        })
        expect(await fault(books.value('app.a_copy_invoice($1)', storno!.id))).toMatchObject({
          hint: 'storno_kopie',
        })
      })
      test('a further one has no day of supply until somebody enters it', async () => {
        const one = await issued()
        const copy = Number(await books.value('app.a_copy_invoice($1)', one.id))
        expect(await ask('select le_date, le_date_bis from app.rechnung where id = $1', [copy])).toEqual({
          le_date: null,
          le_date_bis: null,
        })
        expect(await fault(books.issue(copy))).toMatchObject({ hint: 'le_date_fehlt' })
      })
    })

    describe('an offer', () => {
      const LINES = [
        { bez: 'Teil', art: 'ueberschrift' },
        { bez: 'Drän', anzahl: '10', einheit: 'm', ep: '5' },
        { bez: 'Zusatz', art: 'optional', anzahl: '1', ep: '100' },
      ]
      const linesOf = async (id: number) =>
        books.run<{ id: number; bez: string }>('select id, bez from app.a_get_offer_positions($1)', id)
      const offerState = async (id: number) =>
        (await ask<{ stand: string }>('select stand from app.angebot_liste where id = $1', [id])).stand
      const accepted = async (offered: object[] = LINES) => {
        const id = await books.offer(offered)
        await books.run('select * from app.a_issue_offer($1)', id)
        const lines = await linesOf(id)
        await books.value(
          `app.a_decide_offer($1, true, 'Frau Wald', 'gern', $2::bigint[])`,
          id,
          `{${lines[2]!.id}}`,
        )
        return { id, dran: lines[1]!.id, zusatz: lines[2]!.id }
      }
      const rest = async (id: number) =>
        (await books.run<{ rest: string }>('select rest from app.a_get_offer_rest($1)', id))
          .map((row) => row.rest)
          .join(' ')

      test('sent with a number and a last day, then fixed; optional lines are not in its sum', async () => {
        const id = await books.offer(LINES)
        await books.run('select * from app.a_issue_offer($1)', id)
        const beleg = await books.beleg('angebot', id)
        expect(beleg).toMatchObject({
          art: 'angebot',
          entwurf: false,
          gueltig_bis: day(30),
          summen: { netto: '50.00', brutto: '59.50' },
        })
        expect(beleg.nummer).toMatch(/^AN-\d{4}-\d{4}$/)
        expect(await fault(books.value(`app.a_save_positions('[]', null, $1)`, id))).toMatchObject({
          hint: 'ausgestellt',
        })
        expect(await fault(books.value('app.a_delete_offer($1)', id))).toMatchObject({ hint: 'ausgestellt' })
        expect(await fault(books.value('app.a_set_offer_terms($1)', id))).toMatchObject({
          hint: 'ausgestellt',
        })
        expect(
          await fault(
            books.value(`app.a_update_offer_details('anderer', null, $1, null, null, null, null)`, id),
          ),
        ).toMatchObject({
          hint: 'ausgestellt',
        })
        expect(
          await fault(
            engine.owner.script(`update app.angebot set netto = 1, brutto = 1 + steuer where id = ${id}`),
          ),
        ).toMatchObject({
          hint: 'ausgestellt',
        })
        expect(await fault(engine.owner.script(`delete from app.angebot where id = ${id}`))).toMatchObject({
          hint: 'ausgestellt',
        })
        expect(
          await fault(
            engine.owner.script(
              `update app.angebot set status = 'entwurf', beleg = null, ausgestellt_am = null where id = ${id}`,
            ),
          ),
        ).toMatchObject({ hint: 'ausgestellt' })
      })
      test('the specification’s call sends, decides and signs', async () => {
        const id = await books.offer(LINES)
        const update = (status: string | null, sign: boolean | null) =>
          books.value(
            'app.a_update_offer_details(null, null, $1, null, null, null, null, $2, $3)',
            id,
            status,
            sign,
          )
        expect(await fault(update('angenommen', null))).toMatchObject({
          code: 'PT409',
          hint: 'angebot_status',
        })
        await update('versendet', null)
        await update(null, true)
        await update('abgelehnt', null)
        await update('angenommen', null)
        expect(
          await ask('select status, sign, entschieden_als from app.angebot where id = $1', [id]),
        ).toEqual({
          status: 'angenommen',
          sign: true,
          entschieden_als: 'intern',
        })
        expect(await fault(update('versendet', null))).toMatchObject({ hint: 'angebot_status' })
      })
      test('is billed in parts, never more than offered without saying so, and knows what is left', async () => {
        const { id, dran } = await accepted()
        expect(await rest(id)).toBe('10 1')
        const part = (count: string, extra = false) =>
          books.value<number>(
            'app.a_convert_offer($1, $2::jsonb, null, $3, $4)',
            id,
            JSON.stringify([{ position_id: String(dran), anzahl: count }]),
            '2026-01-31',
            extra,
          )
        const first = await part('4')
        expect(
          (await books.beleg('rechnung', first)).positionen.map(({ bez, anzahl }) => `${bez} ${anzahl}`),
        ).toEqual(['Teil 1', 'Drän 4'])
        expect((await books.beleg('rechnung', first)).bezug).toMatchObject({ art: 'angebot' })
        expect(await rest(id)).toBe('6 1')
        expect(await offerState(id)).toBe('angenommen')
        await books.issue(first)
        expect(await offerState(id)).toBe('teilabgerechnet')
        expect(await fault(part('7'))).toMatchObject({ code: '23514', hint: 'mehr_als_angeboten' })
        const over = await part('7', true)
        expect(await fault(books.issue(over))).toMatchObject({ hint: 'mehr_als_angeboten' })
        await books.value('app.a_delete_invoice($1)', over)
        const last = Number(await books.value(`app.a_convert_offer($1, null, null, '2026-01-31')`, id))
        expect(await rest(id)).toBe('0 0')
        expect(await fault(books.value('app.a_convert_offer($1)', id))).toMatchObject({
          hint: 'angebot_leer',
        })
        await books.issue(last)
        expect(await offerState(id)).toBe('abgerechnet')
        expect(await fault(books.value('app.a_decide_offer($1, false)', id))).toMatchObject({
          hint: 'angebot_abgerechnet',
        })
        // What was cancelled is open again, and a copy of the invoice bills it again.
        await books.run('select * from app.a_cancel_invoice($1)', last)
        expect(await rest(id)).toBe('6 1')
        expect(await offerState(id)).toBe('teilabgerechnet')
        await books.value('app.a_copy_invoice($1)', last)
        expect(await rest(id)).toBe('0 0')
        expect(
          await fault(books.value('app.a_set_client_for_invoice($1, $2)', w.B, await part('1', true))),
        ).toMatchObject({
          hint: 'angebot_kunde',
        })
      })
      test('the day that is given takes the place of the planned days of the lines', async () => {
        const planned = LINES.map((line) => ('ep' in line ? { ...line, le_date: '2026-03-15' } : line))
        const { id, dran } = await accepted(planned)
        const part = JSON.stringify([{ position_id: String(dran), anzahl: '1' }])
        const daysOf = async (invoice: number) =>
          (await books.beleg('rechnung', invoice)).positionen
            .filter(({ art }) => art === 'position')
            .map(({ le_date }) => le_date)
        const given = await books.value<number>(
          'app.a_convert_offer($1, $2::jsonb, null, $3)',
          id,
          part,
          '2026-05-08',
        )
        expect(await daysOf(given)).toEqual([null])
        const kept = await books.value<number>('app.a_convert_offer($1, $2::jsonb)', id, part)
        expect(await daysOf(kept)).toEqual(['2026-03-15'])
      })
      test('lines that are not accepted are not billed', async () => {
        const id = await books.offer(LINES)
        expect(await fault(books.value('app.a_convert_offer($1)', id))).toMatchObject({
          hint: 'angebot_nicht_angenommen',
        })
        await books.run('select * from app.a_issue_offer($1)', id)
        const lines = await linesOf(id)
        expect(
          await fault(
            books.value('app.a_decide_offer($1, true, null, null, $2::bigint[])', id, `{${lines[1]!.id}}`),
          ),
        ).toMatchObject({
          hint: 'angebot_auswahl',
        })
        await books.value('app.a_decide_offer($1, true)', id)
        for (const wrong of [
          [{ position_id: lines[2]!.id, anzahl: '1' }],
          [{ position_id: lines[0]!.id, anzahl: '1' }],
          [{ position_id: lines[1]!.id, anzahl: '0' }],
          [
            { position_id: lines[1]!.id, anzahl: '1' },
            { position_id: String(lines[1]!.id), anzahl: '1' },
          ],
          [{ anzahl: '1' }],
          {},
        ])
          expect(
            await fault(books.value('app.a_convert_offer($1, $2::jsonb)', id, JSON.stringify(wrong))),
            JSON.stringify(wrong),
          ).toMatchObject({ hint: 'angebot_auswahl' })
      })
      test('is revised under its number; the one before is read only until the revision is discarded', async () => {
        const id = await books.offer(LINES)
        await books.run('select * from app.a_issue_offer($1)', id)
        const { nummer } = await books.beleg('angebot', id)
        const next = Number(await books.value('app.a_revise_offer($1)', id))
        expect(await offerState(id)).toBe('ersetzt')
        expect(await fault(books.value('app.a_decide_offer($1, true)', id))).toMatchObject({
          hint: 'angebot_status',
        })
        expect(await fault(books.value('app.a_revise_offer($1)', id))).toMatchObject({
          hint: 'angebot_status',
        })
        await books.value('app.a_delete_offer($1)', next)
        expect(await offerState(id)).toBe('versendet')
        const again = Number(await books.value('app.a_revise_offer($1)', id))
        await books.run('select * from app.a_issue_offer($1)', again)
        expect(await books.beleg('angebot', again)).toMatchObject({
          nummer: `${nummer}/2`,
          bezug: { nummer },
        })
      })
      test('expires, and then only the office may still accept it', async () => {
        const id = await books.offer(LINES, day(0))
        await books.run('select * from app.a_issue_offer($1)', id)
        await engine.owner.script(
          `alter table app.angebot disable trigger a_fest;
           update app.angebot set beleg = beleg || '{"gueltig_bis": "${day(-1)}"}' where id = ${id};
           alter table app.angebot enable trigger a_fest`,
        )
        expect(await offerState(id)).toBe('abgelaufen')
        expect(
          await fault(
            engine.owner.query(`select books.decide_angebot($1, true, 'Kunde', 'portal', '', null)`, [id]),
          ),
        ).toMatchObject({ hint: 'angebot_abgelaufen' })
        await engine.owner.script(
          `alter table app.angebot disable trigger a_fest;
           update app.angebot set beleg = beleg || '{"gueltig_bis": "${day(30)}"}' where id = ${id};
           alter table app.angebot enable trigger a_fest`,
        )
        await engine.owner.query(`select books.decide_angebot($1, true, 'Kunde', 'portal', '', null)`, [id])
        expect(await ask('select status, entschieden_von from app.angebot where id = $1', [id])).toEqual({
          status: 'angenommen',
          entschieden_von: 'Kunde',
        })
      })
      test('days and numbers run in one order', async () => {
        expect(
          await fault(
            (async () =>
              books.run('select * from app.a_issue_offer($1)', await books.offer(LINES, day(-1))))(),
          ),
        ).toMatchObject({ hint: 'datum_vor_letzter' })
        expect(
          await fault(
            (async () =>
              books.run('select * from app.a_issue_offer($1)', await books.offer(LINES, day(1))))(),
          ),
        ).toMatchObject({ hint: 'datum_zukunft' })
        expect(
          (await books.run<{ d: string }>('select app.a_get_min_an_datum_for_new_offer()::text as d'))[0]!.d,
        ).toBe(TODAY)
        const window = (an_datum: string, id: unknown) =>
          books.run('select min::text, max::text from app.a_get_minmax_an_datum($1, $2)', an_datum, id)
        const [old] = await books.run<{ id: string }>(
          `select id from app.angebot where an_datum = '2026-01-05' and status = 'versendet'`,
        )
        expect(await window('2026-01-05', old!.id)).toEqual([{ min: '2026-01-05', max: '2026-01-05' }])
        const late = await books.offer(LINES, '2026-01-05')
        for (const id of [late, null])
          expect(await window('2026-01-05', id)).toEqual([{ min: TODAY, max: TODAY }])
        // A revision keeps its number, so only what it replaces is its limit.
        const revision = await books.value<string>('app.a_revise_offer($1)', old!.id)
        expect(await window(TODAY, revision)).toEqual([{ min: '2026-01-05', max: TODAY }])
      })
      test('the world’s accepted one can be billed', async () =>
        expect(await as('apus_admin', sql('select app.a_convert_offer($1)', ACCEPTED_ANGEBOT))).toMatchObject(
          { count: 1 },
        ))
    })

    // The log alone: rows are changed by hand here, which the chain of records finds (seal.sql.test.ts).
    describe('the audit chain', () => {
      const check = async () =>
        (
          await engine.owner.query<{ ok: boolean; was: string | null; gegenstand_id: number | null }>(
            'select ok, was, gegenstand_id from books.check_journal()',
          )
        ).rows[0]!
      const tampered = async (table: string, text: string) => {
        const triggers = (verb: string) =>
          table
            .split(' ')
            .map((name) => `alter table app.${name} ${verb} trigger user`)
            .join('; ')
        return session(async (owner) => {
          await owner.script(
            `begin; set constraints all immediate; ${triggers('disable')}; ${text}; ${triggers('enable')}`,
          )
          await owner.query(`select set_config('request.jwt.claims', $1, true)`, [
            JSON.stringify(claimsOf('apus_admin')),
          ])
          const { rows } = await owner.query<{ ok: boolean; was: string }>(
            'select ok, was from books.check_journal()',
          )
          await owner.script('rollback')
          return rows[0]!
        })
      }
      // An offer above was backdated by hand; this restores its validity.
      beforeAll(async () => {
        await engine.owner.script(
          `alter table app.angebot disable trigger a_fest;
           update app.angebot a set beleg = beleg || '{"gueltig_bis": "${day(30)}"}'
           where status <> 'entwurf' and entschieden_als = 'portal';
           alter table app.angebot enable trigger a_fest`,
        )
      })
      test('holds after all of the above', async () =>
        expect(await check()).toMatchObject({ ok: true, was: null }))
      test('finds every kind of tampering', async () => {
        const { id } = await issued()
        expect(
          await tampered(
            'protokoll',
            `update app.protokoll set inhalt = inhalt || '{"brutto": "1.00"}'
             where gegenstand_id = ${id} and ereignis = 'ausgestellt'`,
          ),
        ).toEqual({ ok: false, was: 'inhalt' })
        expect(
          await tampered('protokoll', `update app.protokoll set zeit = zeit - interval '1 day' where nr = 3`),
        ).toEqual({
          ok: false,
          was: 'inhalt',
        })
        expect(await tampered('protokoll', `update app.protokoll set user_id = 110 where nr = 3`)).toEqual({
          ok: false,
          was: 'inhalt',
        })
        expect(await tampered('protokoll', `delete from app.protokoll where nr = 4`)).toEqual({
          ok: false,
          was: 'luecke',
        })
        expect(
          await tampered(
            'protokoll',
            `update app.protokoll p set inhalt = '{"x": 1}' where nr = 3;
             update app.protokoll p set hash = books.entry_hash(p) where nr = 3`,
          ),
        ).toEqual({ ok: false, was: 'kette' })
        expect(
          await tampered(
            'rechnung',
            `update app.rechnung set beleg = jsonb_set(beleg, '{empfaenger,name}', '"anderer"') where id = ${id}`,
          ),
        ).toEqual({ ok: false, was: 'beleg' })
        expect(
          await tampered(
            'rechnung',
            `update app.rechnung set netto = netto + 1, brutto = brutto + 1, zahlbetrag = zahlbetrag + 1
             where id = ${id}`,
          ),
        ).toEqual({ ok: false, was: 'beleg' })
        expect(await tampered('rechnung position', `delete from app.rechnung where id = ${id}`)).toEqual({
          ok: false,
          was: 'fehlt',
        })
        expect(await check()).toMatchObject({ ok: true })
      })
      test('the name of a person may go, the number stays and the chain holds', async () => {
        await engine.owner.script(`update app.protokoll set wer = 'gelöschte Person 112' where user_id = 112`)
        expect(await check()).toMatchObject({ ok: true })
      })
      test('a document’s own entries are read by its number', async () => {
        const { id } = await issued()
        const events = await books.run<{ ereignis: string }>(
          `select ereignis from app.a_get_protokoll('rechnung', $1) order by nr`,
          id,
        )
        expect(events.map(({ ereignis }) => ereignis)).toEqual(['angelegt', 'positionen', 'ausgestellt'])
      })
    })

    describe('stored documents', () => {
      const writer: Context = { role: 'forst_dokument' }
      const insert = (rechnung_id: number, content: string, sum = content) =>
        engine.api.once(
          writer,
          sql(
            `insert into app.dokument (client_id, rechnung_id, art, dateiname, inhalt, sha256)
             values (${w.A}, $1, 'xml', 'r.xml', $2::bytea, encode(sha256($3::bytea), 'hex'))`,
            rechnung_id,
            content,
            sum,
          ),
        )
      test('are stored once by the role of the server, with their true sum', async () => {
        const { id } = await issued()
        expect(await fault(insert(id, 'a', 'b'))).toMatchObject({ code: '23514' })
        await insert(id, 'inhalt')
        expect(await fault(insert(id, 'anderer'))).toMatchObject({ code: '23505' })
        for (const role of ['forst_betrieb', 'forst_definer', 'forst_dokument'])
          for (const text of [
            `update app.dokument set inhalt = 'x', sha256 = encode(sha256('x'), 'hex') where rechnung_id = ${id}`,
            `delete from app.dokument where rechnung_id = ${id}`,
          ]) {
            const refused = await session(async (owner) => {
              await owner.script(`begin; set local role ${role}`)
              const said = await fault(owner.query(text))
              await owner.script('rollback')
              return said
            })
            expect(['42501', 'PT409'], `${role} ${text}`).toContain(refused.code)
          }
      })
      test('that role reads what was issued and nothing else', async () => {
        const rows = async (text: string) =>
          (await engine.api.once<Record<string, unknown>>(writer, sql(text))).rows
        expect(await rows(`select id from app.rechnung where id = ${DRAFT_A}`)).toEqual([])
        expect(await rows(`select id from app.rechnung where id = ${RECHNUNG_A}`)).toEqual([
          { id: RECHNUNG_A },
        ])
        for (const text of [
          'select * from app.rechnung',
          'select * from app.kunde',
          'select * from app.protokoll',
          'select iban from app.lieferant',
          `update app.rechnung set archiviert = true`,
        ])
          expect(await fault(rows(text)), text).toMatchObject({ code: '42501' })
      })
    })

    test('fifty at once: numbers without a gap, each once, days in order, nobody waits for ever', async () => {
      const drafts: number[] = []
      for (let nr = 0; nr < 50; nr++) drafts.push(await books.draft({ client_id: nr % 2 === 0 ? w.A : w.B }))
      const before = await ask<{ n: number }>(
        `select naechste::integer as n from app.nummernkreis where art = 'rechnung'`,
      )
      // Meanwhile others write to the books, and some issues are refused.
      const noise = drafts
        .slice(0, 20)
        .map(async (id, nr) =>
          nr % 2 === 0 ? fault(books.value(`app.a_save_positions('[]', $1, null, 1)`, id)) : books.draft(),
        )
      const refused = await Promise.all(Array.from({ length: 10 }, () => books.draft({ le_date: null })))
      const failures = refused.map((id) => fault(books.issue(id)))
      const issues = await Promise.all(drafts.map((id) => books.issue(id)))
      await Promise.all([...noise, ...failures])
      const numbers = issues.map(({ nummer }) => Number(nummer.split('-')[2])).toSorted((a, b) => a - b)
      expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => before.n + at))
      const { rows } = await engine.owner.query<{ wrong: number }>(
        `select count(*)::integer as wrong from (select rn_datum < lag(rn_datum) over (order by folge)
         or folge <> 1 + lag(folge) over (order by folge) or nummer < lag(nummer) over (order by folge) as wrong
         from app.rechnung where folge is not null) x where wrong`,
      )
      expect(rows).toEqual([{ wrong: 0 }])
      expect(await ask('select ok from books.check_journal()')).toEqual({ ok: true })
    })
  })

// The test server accepts that many connections; the pool above is smaller.
describe.skipIf(isMissing('postgres'))('fifty connections to PostgreSQL', () => {
  let engine: Engine
  let api: Database
  beforeAll(async () => {
    engine = await openEngine('postgres')
    await buildWorld(engine.owner)
    const { rows } = await engine.owner.query<{ name: string }>('select current_database() as name')
    const url = new URL(postgresUrl()!)
    url.pathname = `/${rows[0]!.name}`
    // Fifty wait for one another here, on a machine that has other tests to run.
    const timeoutMs = 120_000
    api = createPostgresDatabase({
      url: asUser(url.toString(), 'forst_api'),
      poolSize: 50,
      timeoutMs,
      poolTimeoutMs: timeoutMs,
      log: silentLog,
    })
  })
  afterAll(async () => {
    await api?.close()
    await engine?.close()
  })
  test('issue, cancel and change at once: no gap, no number twice, no deadlock', async () => {
    const books = bookkeeper(api)
    const issued = async () =>
      (
        await engine.owner.query<{ n: number }>(
          'select count(*)::integer as n from app.rechnung where folge is not null',
        )
      ).rows[0]!.n
    const before = await issued()
    const drafts = await Promise.all(
      Array.from({ length: 50 }, (_, nr) => books.draft({ client_id: nr % 2 === 0 ? w.A : w.B })),
    )
    // One connection each: all are open and waiting before the first one commits.
    let ready = 0
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const numbers = await Promise.all(
      drafts.map((id) =>
        api.transaction(asCaller(claimsOf('apus_admin')), async (tx) => {
          await tx.query(sql('select 1'))
          ready += 1
          if (ready === drafts.length) open()
          await gate
          return (await tx.query<{ nummer: string }>(sql('select nummer from app.a_issue_invoice($1)', id)))
            .rows[0]!.nummer
        }),
      ),
    )
    expect(ready).toBe(50)
    expect(
      numbers.map((documentNumber) => Number(documentNumber.split('-')[2])).toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 50 }, (_, at) => 3 + at))
    const storno = await Promise.all(
      drafts
        .flatMap((id) => [id, id])
        .map((id) =>
          books
            .run('select nummer from app.a_cancel_invoice($1)', id)
            .catch((error: unknown) => (error as DatabaseFault).hint),
        ),
    )
    expect(storno.filter((answer) => answer === 'storniert')).toHaveLength(50)
    const { rows } = await engine.owner.query(
      `select count(*)::integer as n, count(distinct nummer)::integer as verschieden,
       max(folge)::integer as letzte, bool_and(ordentlich) as ordentlich from
         (select folge, nummer, coalesce(rn_datum >= lag(rn_datum) over (order by folge), true) as ordentlich
          from app.rechnung where folge is not null) x`,
    )
    const all = before + 100
    expect(rows).toEqual([{ n: all, verschieden: all, letzte: all, ordentlich: true }])
    expect(await books.run('select ok from app.a_check_protokoll()')).toEqual([{ ok: true }])
  })
})
