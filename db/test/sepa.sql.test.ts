// Direct debits: mandates, what can be collected, and files for the bank.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#domain/day.ts'
import creditorIds from '#domain/sepa/creditor-id.cases.json' with { type: 'json' }
import area from '#domain/sepa/area.cases.json' with { type: 'json' }
import targetDays from '#domain/sepa/target-day.cases.json' with { type: 'json' }
import { firstCollectionDay, targetDayFrom } from '#domain/sepa/target-day.ts'
import type { Statement } from '#server/database/database.ts'
import { LAUF, MANDAT_A } from './cells/sepa.ts'
import { OPEN_A, OPEN_B } from './cells/zahlung.ts'
import { refusalIn } from './attempt.ts'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf } from './world.ts'
import * as w from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`direct debits on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const rowsOf = async (...statements: Statement[]) => {
      const outcome = await attempt(engine.api, claimsOf('apus_admin'), ...statements)
      if ('code' in outcome) throw new Error(`${outcome.code} ${outcome.message} ${JSON.stringify(outcome)}`)
      return outcome.rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [
            key,
            key === 'zeilen' && typeof value === 'string' ? (JSON.parse(value) as unknown) : value,
          ]),
        ),
      )
    }
    const refusal = (...statements: Statement[]) =>
      refusalIn(engine.api, claimsOf('apus_admin'), ...statements)

    test.each(creditorIds)('creditor id: $why', async ({ id, fault }) =>
      expect((await engine.owner.query('select checks.creditor_id_fault($1) as fault', [id])).rows).toEqual([
        { fault },
      ]),
    )
    test.each(area)('$iban', async ({ iban, sepa, debit }) =>
      expect(
        (
          await engine.owner.query(
            'select books.is_sepa_account($1) as sepa, books.is_debit_account($1) as debit',
            [iban],
          )
        ).rows,
      ).toEqual([{ sepa, debit }]),
    )
    test('a file collects first on the bank day after the next one, as the dialog says', async () => {
      const { rows } = await engine.owner.query<{ day: string; first: string }>(
        `select d::date::text as day, books.first_collection_day(d::date)::text as first
         from generate_series(timestamp '2026-03-20', timestamp '2027-01-10', interval '1 day') d`,
      )
      for (const { day, first } of rows) expect([day, first]).toEqual([day, firstCollectionDay(day)])
    })
    test.each(targetDays)('TARGET: $why', async ({ tag, ab }) =>
      expect(
        (
          await engine.owner.query(
            `select min(d::date)::text as ab from generate_series($1::timestamp, $1::timestamp + interval '9 days',
               '1 day') d where books.is_target_day(d::date)`,
            [tag],
          )
        ).rows,
      ).toEqual([{ ab }]),
    )

    const SUPPLIER = sql(
      `select app.a_set_lieferant('{"name": "V & Söhne", "strasse": "W 1", "plz": "37073", "ort": "G",
         "iban": "DE02120300000000202051", "glaeubiger_id": "de98 zzz 0999 9999 999"}')`,
    )
    /** The next day on which TARGET settles, at least two days from now, whatever the time zone. */
    const DAY = `'${firstCollectionDay(addDays(new Date().toISOString().slice(0, 10), 2))}'`
    const collect = (invoices = `{${OPEN_A}}`, day = DAY) =>
      sql(`select app.a_add_sepa_lauf('${invoices}', ${day}) as id`)
    const mandate = (part: Readonly<Record<string, unknown>> = {}) => {
      const given = {
        referenz: 'M-2',
        tag: '2026-01-02',
        inhaber: 'A',
        iban: 'DE02120300000000202051',
        ...part,
      }
      return sql(
        `select app.a_add_mandat($1, $2, $3, $4, $5, art => $6, einmalig => $7) as id`,
        w.A,
        given.referenz,
        given.tag,
        given.inhaber,
        given.iban,
        part['art'] ?? 'core',
        part['einmalig'] ?? false,
      )
    }
    const offered = sql('select rechnung_id::integer, offen, referenz, folge from app.a_get_lastschriften()')

    test('no mandate for an account that needs more than its IBAN, nor of firms for a private person', async () => {
      expect(await refusal(mandate({ iban: 'CH9300762011623852957' }))).toBe('23514 iban iban_ewr')
      expect(await refusal(mandate({ iban: 'TR330006100519786457841326' }))).toBe('23514 iban iban_ewr')
      const privatePerson = sql(`select app.a_set_kunde_rechnung($1, '{"ist_privat": true}')`, w.A)
      expect(await refusal(privatePerson, mandate({ art: 'b2b' }))).toBe('23514 art mandat_privat')
      expect(await refusal(privatePerson, mandate())).toBe('done')
      expect(await refusal(mandate({ art: 'b2b' }), privatePerson)).toBe('23514 ist_privat privat_mandat')
      const revoked = sql(`select app.a_revoke_mandat(max(id)) from app.sepa_mandat where art = 'b2b'`)
      expect(await refusal(mandate({ art: 'b2b' }), revoked, privatePerson)).toBe('done')
    })
    test('what is open and has a mandate is offered, unless it is in a file', async () => {
      expect(await rowsOf(offered)).toEqual([
        { rechnung_id: OPEN_A, offen: '100.00', referenz: 'M-A', folge: 'FRST' },
      ])
      expect(
        await rowsOf(sql(`select app.a_revoke_sepa_lauf(${LAUF}, 'nicht eingereicht')`), offered),
      ).toEqual([
        { rechnung_id: OPEN_A, offen: '100.00', referenz: 'M-A', folge: 'FRST' },
        { rechnung_id: OPEN_B, offen: '119.00', referenz: 'M-B', folge: 'FRST' },
      ])
      expect(await rowsOf(sql(`select app.a_revoke_mandat(${MANDAT_A})`), offered)).toEqual([])
      expect(await rowsOf(mandate(), offered)).toMatchObject([{ referenz: 'M-2' }])
    })
    test('a file keeps its lines, and is not booked', async () => {
      const [run] = await rowsOf(
        SUPPLIER,
        collect(),
        sql('select name, glaeubiger_id, anzahl, summe, sha256, zeilen from app.a_get_sepa_laeufe() limit 1'),
      )
      expect(run).toMatchObject({
        name: 'V & Söhne',
        glaeubiger_id: 'DE98ZZZ09999999999',
        anzahl: 1,
        summe: '100.00',
        sha256: '',
        zeilen: [{ rechnung_id: OPEN_A, betrag: '100.00', folge: 'FRST', referenz: 'M-A' }],
      })
      expect(
        await rowsOf(
          SUPPLIER,
          collect(),
          sql(`select offen::text from app.rechnung_liste where id = ${OPEN_A}`),
        ),
      ).toEqual([{ offen: '100.00' }])
      expect(await rowsOf(SUPPLIER, collect(), offered)).toEqual([])
      expect(await refusal(SUPPLIER, collect(), collect())).toBe('PT409 - lastschrift_rechnung')
    })
    test('the second collection of a mandate is RCUR, and one for one use is used up', async () => {
      const both = [sql(`select app.a_revoke_sepa_lauf(${LAUF}, 'x')`), SUPPLIER]
      const used = sql('select stand from app.a_get_mandate() limit 1')
      expect(await rowsOf(...both, mandate({ einmalig: true }), collect(), used)).toEqual([
        { stand: 'verbraucht' },
      ])
      expect(await rowsOf(mandate({ einmalig: true }), offered)).toMatchObject([{ folge: 'OOFF' }])
    })
    test('a mandate expires 36 months after its last use', async () =>
      expect(
        await rowsOf(
          mandate({ tag: '2012-01-01' }),
          sql('select stand, zuletzt from app.a_get_mandate() limit 1'),
        ),
      ).toEqual([{ stand: 'abgelaufen', zuletzt: null }]))
    test('nor collects on a day after that', async () => {
      const [row] = await rowsOf(
        sql(`select (checks.today() + 40 - interval '36 months')::date::text as day`),
      )
      const expiring = [
        sql(`select app.a_revoke_mandat(${MANDAT_A})`),
        mandate({ tag: String(row!['day']) }),
        SUPPLIER,
      ]
      const [before, after] = [30, 41].map(
        (days) => `'${targetDayFrom(addDays(new Date().toISOString().slice(0, 10), days))}'`,
      )
      expect(await refusal(...expiring, collect(undefined, after))).toBe('23514 tag lastschrift_mandat_frist')
      expect(await refusal(...expiring, collect(undefined, before))).toBe('done')
    })
    test('the digest of the file is kept once and compared from then on', async () => {
      const digest = (sign: string) => sql(`select app.a_set_sepa_datei(${LAUF}, '${sign.repeat(64)}') as ok`)
      expect(await rowsOf(digest('a'))).toEqual([{ ok: true }])
      expect(await rowsOf(digest('a'), digest('a'))).toEqual([{ ok: true }])
      expect(await rowsOf(digest('a'), digest('b'))).toEqual([{ ok: false }])
    })
    test.each([
      ['today', 'checks.today()', '23514 tag lastschrift_tag'],
      [
        'on a Sunday',
        `checks.today() + 14 - extract(isodow from checks.today())::integer`,
        '23514 tag lastschrift_tag',
      ],
      ['never', 'null', '23514 tag lastschrift_tag'],
    ])('nothing is collected %s', async (_, day, expected) =>
      expect(await refusal(SUPPLIER, collect(undefined, day))).toBe(expected),
    )
    test('nor without account and creditor id, nor what is not offered', async () => {
      expect(await refusal(collect())).toBe('PT409 - lastschrift_konto')
      expect(await refusal(SUPPLIER, collect('{}'))).toBe('23514 rechnungen lastschrift_zahl')
      expect(await refusal(SUPPLIER, collect(`{${OPEN_A},${OPEN_B}}`))).toBe('PT409 - lastschrift_rechnung')
      expect(await refusal(SUPPLIER, collect(`{${OPEN_A},${OPEN_A}}`))).toBe('PT409 - lastschrift_rechnung')
    })
    test.each([
      [{ referenz: 'M 2' }, '23514 referenz mandat_referenz'],
      [{ referenz: 'M//2' }, '23514 referenz mandat_referenz'],
      [{ referenz: 'x'.repeat(36) }, '23514 referenz mandat_referenz'],
      [{ referenz: 'M-A' }, '23514 referenz mandat_doppelt'],
      [{ tag: '2199-01-01' }, '23514 unterschrieben mandat_tag'],
      [{ tag: null }, '23514 unterschrieben mandat_tag'],
      [{ inhaber: ' ' }, '23514 inhaber mandat_inhaber'],
      [{ iban: 'DE03120300000000202051' }, '23514 iban iban'],
      [{ art: 'x' }, '23514 art mandat_art'],
    ])('a mandate may not be %j', async (part, expected) =>
      expect(await refusal(mandate(part))).toBe(expected),
    )
    test('nothing of it changes afterwards', async () => {
      for (const text of [
        `update app.sepa_mandat set iban = 'DE89370400440532013000'`,
        'update app.sepa_posten set betrag = 1',
        'update app.sepa_lauf set summe = 1',
        'delete from app.sepa_lauf',
        'delete from app.sepa_posten',
      ])
        await expect(engine.owner.query(text)).rejects.toMatchObject({ code: 'PT409' })
      expect(
        await refusal(
          sql(`select app.a_revoke_mandat(${MANDAT_A})`),
          sql(`select app.a_revoke_mandat(${MANDAT_A})`),
        ),
      ).toBe('PT409 - mandat_widerrufen')
      const revoke = sql(`select app.a_revoke_sepa_lauf(${LAUF}, 'x')`)
      expect(await refusal(revoke, revoke)).toBe('PT409 - lastschrift_zurueck')
    })
    test('the creditor id is checked', async () =>
      expect(
        await refusal(
          sql(
            `select app.a_set_lieferant('{"name": "V", "strasse": "W", "plz": "37073", "ort": "G",
               "glaeubiger_id": "DE97ZZZ09999999999"}')`,
          ),
        ),
      ).toBe('23514 glaeubiger_id glaeubiger_id'))
  })
