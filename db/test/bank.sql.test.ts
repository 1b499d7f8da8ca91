// Bank entries and invoices: what is known about a file, several assignments at once and undoing them, and
// the rows of the DATEV batch.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { datevBatch } from '#domain/datev/batch.ts'
import type { DatevBeleg, DatevTax } from '#domain/datev/job.ts'
import type { Statement } from '#server/database/database.ts'
import { IBAN_B, UMSATZ_B } from './cells/bank.ts'
import { OPEN_A, OPEN_B, UMSATZ } from './cells/zahlung.ts'
import { refusalIn } from './attempt.ts'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf } from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`the bank and the adviser on ${engineName}`, () => {
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
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [
            key,
            ['json', 'beleg', 'skonto', 'steuern', 'inhalt'].includes(key) && typeof value === 'string'
              ? (JSON.parse(value) as unknown)
              : value,
          ]),
        ),
      )
    }
    const refusal = (...statements: Statement[]): Promise<string> =>
      refusalIn(engine.api, claimsOf('apus_admin'), ...statements)
    const entry = (part: object = {}) => ({
      konto: 'DE02120300000000202051',
      datum: '2026-03-01',
      betrag: '12.50',
      name: 'A',
      iban: '',
      zweck: 'x',
      referenz: '',
      ...part,
    })
    const probe = (...entries: object[]) =>
      sql('select app.a_probe_bank($1) as json', JSON.stringify(entries))
    const read = (...entries: object[]) =>
      sql('select app.a_import_bank($1) as json', JSON.stringify(entries))
    const match = (...assignments: object[]) =>
      sql('select app.a_match_bank_all($1) as n', JSON.stringify(assignments))
    const state = (id: number) =>
      sql('select stand, rest::text, nummern from app.kontoumsatz_liste where id = $1', id)
    const openItems = sql(
      `select id::integer, offen::text from app.rechnung_liste where id in (${OPEN_A}, ${OPEN_B}) order by id`,
    )

    test('a file is known before it is read, and asking writes nothing', async () => {
      expect(
        await rowsOf(
          probe(entry(), entry(), entry({ betrag: '3.00' })),
          probe(entry(), entry(), entry({ betrag: '3.00' })),
        ),
      ).toEqual([{ json: { neu: 3, bekannt: 0, fraglich: 0 } }])
      expect(
        await rowsOf(read(entry(), entry()), probe(entry(), entry(), entry({ betrag: '3.00' }))),
      ).toEqual([{ json: { neu: 1, bekannt: 2, fraglich: 0 } }])
      expect(await rowsOf(read(entry(), entry()), read(entry(), entry(), entry()))).toEqual([
        { json: { neu: 1, bekannt: 2 } },
      ])
      expect(await refusal(probe())).toBe('23514 umsaetze umsaetze')
      expect(await refusal(probe({ datum: 'heute' }))).toBe('23514 umsaetze umsaetze')
    })

    describe('the same booking in a file of another kind', () => {
      const [A, B] = ['DE89370400440532013000', 'DE02120300000000202051']
      const camt = (amount: string, iban: string, purpose: string, more: object = {}) =>
        entry({
          betrag: amount,
          iban,
          name: `Kunde ${iban}`,
          zweck: purpose,
          referenz: `CAMT-${purpose}`,
          ...more,
        })
      const other =
        (source: string) =>
        (amount: string, iban: string, purpose: string, more: object = {}) =>
          entry({
            betrag: amount,
            iban,
            name: 'KUNDE',
            zweck: purpose,
            referenz: 'KREF',
            quelle: source,
            ...more,
          })
      const mt = other('mt940')
      const csv = other('csv')
      const found = async (had: object[], asked: object[]) => {
        const [{ json }] = (await rowsOf(read(...had), probe(...asked))) as [{ json: Record<string, number> }]
        const written = (await rowsOf(read(...had), read(...asked))) as [{ json: { neu: number } }]
        expect(written[0].json.neu).toBe(json.neu)
        return [json.neu, json.bekannt, json.fraglich]
      }
      const purposes = async (had: object[], asked: object[]) =>
        (
          await rowsOf(
            read(...had),
            read(...asked),
            sql(
              `select string_agg(zweck, ', ' order by zweck) as z from app.kontoumsatz where datum = '2026-03-01'`,
            ),
          )
        )[0]!.z

      test('is known whichever comes first, whatever its texts', async () => {
        expect(await found([camt('5.00', A, 'RE 1')], [mt('5.00', A, 'RE1')])).toEqual([0, 1, 0])
        expect(await found([mt('5.00', A, 'RE1')], [camt('5.00', A, 'RE 1')])).toEqual([0, 1, 0])
        expect(await found([mt('5.00', A, 'RE1')], [csv('5.00', '', 'x')])).toEqual([0, 1, 0])
        expect(await found([csv('5.00', '', 'x')], [camt('5.00', A, 'RE 1')])).toEqual([0, 1, 0])
      })
      test('another day, amount, direction or account is another booking', async () => {
        const had = [camt('5.00', A, 'x')]
        expect(await found(had, [mt('5.00', A, 'x', { datum: '2026-03-02' })])).toEqual([1, 0, 0])
        expect(await found(had, [mt('-5.00', A, 'x')])).toEqual([1, 0, 1])
        expect(await found(had, [mt('5.01', A, 'x')])).toEqual([1, 0, 1])
        expect(await found(had, [mt('5.00', A, 'x', { konto: A })])).toEqual([1, 0, 0])
      })
      test('of two alike ones the missing one is added', async () => {
        expect(await purposes([camt('5.00', A, 'RE 1')], [mt('5.00', B, 'RE2'), mt('5.00', A, 'RE1')])).toBe(
          'RE 1, RE2',
        )
        expect(await purposes([camt('5.00', A, 'RE 1')], [mt('5.00', A, 'RE2'), mt('5.00', A, 'RE1')])).toBe(
          'RE 1, RE2',
        )
        expect(
          await purposes(
            [camt('5.00', A, 'a'), camt('5.00', B, 'b')],
            [mt('5.00', A, 'A'), mt('5.00', A, 'c'), mt('5.00', B, 'B')],
          ),
        ).toBe('a, b, c')
      })
      test('a batch as a whole is its parts', async () => {
        const parts = [camt('10.00', A, 'a'), camt('20.00', B, 'b'), camt('7.00', B, 'c')]
        const whole = [mt('30.00', '', 'SAMMLER'), mt('7.00', B, 'c')]
        expect(await found(parts, whole)).toEqual([0, 2, 0])
        expect(await found(whole, parts)).toEqual([0, 3, 0])
        expect(
          await found(
            [camt('9.00', A, 'a'), camt('-9.00', A, 'b')],
            [mt('5.00', B, 'c'), mt('-5.00', B, 'd')],
          ),
        ).toEqual([2, 0, 2])
        // One cent less is something else, and people look at it.
        expect(await found(parts, [mt('29.99', '', 'SAMMLER'), mt('7.00', B, 'c')])).toEqual([1, 1, 1])
      })
      test('two statements of one day are no copies of each other, two exports of it are', async () => {
        expect(await found([mt('5.00', A, 'x')], [mt('5.00', B, 'y')])).toEqual([1, 0, 0])
        expect(await found([camt('5.00', A, 'x')], [camt('5.00', B, 'y')])).toEqual([1, 0, 0])
        expect(await found([csv('5.00', A, 'x')], [csv('5.00', A, 'other column')])).toEqual([0, 1, 0])
        expect(await found([csv('5.00', A, 'x')], [csv('5.00', A, 'x'), csv('5.00', A, 'y')])).toEqual([
          1, 1, 0,
        ])
      })
      test('a kind that is none, and two kinds in one list, are refused', async () => {
        expect(await refusal(probe(entry({ quelle: 'ofx' })))).toBe('23514 umsaetze umsaetze')
        expect(await refusal(read(entry(), entry({ quelle: 'csv' })))).toBe('23514 umsaetze umsaetze')
      })
      test('it says where it is from', async () => {
        expect(
          await rowsOf(
            read(mt('5.00', A, 'neu')),
            sql(`select quelle from app.kontoumsatz where zweck = 'neu'`),
          ),
        ).toEqual([{ quelle: 'mt940' }])
      })
    })

    test('the list says what became of an entry', async () => {
      expect(await rowsOf(state(UMSATZ))).toEqual([{ stand: 'offen', rest: '50.00', nummern: '' }])
      expect(
        await rowsOf(match({ umsatz_id: UMSATZ, rechnung_id: OPEN_A, betrag: '20' }), state(UMSATZ)),
      ).toEqual([{ stand: 'teilweise', rest: '30.00', nummern: 'RE-2026-0002a' }])
      expect(await rowsOf(match({ umsatz_id: UMSATZ, rechnung_id: OPEN_A }), state(UMSATZ))).toEqual([
        { stand: 'zugeordnet', rest: '0.00', nummern: 'RE-2026-0002a' },
      ])
      expect(await rowsOf(sql(`select app.a_set_umsatz_erledigt(${UMSATZ}, true)`), state(UMSATZ))).toEqual([
        { stand: 'abgelegt', rest: '50.00', nummern: '' },
      ])
    })

    test('several assignments are booked together or not at all', async () => {
      const split = [
        { umsatz_id: UMSATZ, rechnung_id: OPEN_A, betrag: '30.00' },
        { umsatz_id: UMSATZ, rechnung_id: OPEN_B, betrag: '20.00', skonto: true },
      ]
      expect(await rowsOf(match(...split), openItems)).toEqual([
        { id: OPEN_A, offen: '70.00' },
        { id: OPEN_B, offen: '0.00' },
      ])
      expect(await refusal(match(...split, { umsatz_id: UMSATZ, rechnung_id: OPEN_A, betrag: '0.01' }))).toBe(
        'PT409 - umsatz_verbraucht',
      )
      expect(await rowsOf(openItems)).toEqual([
        { id: OPEN_A, offen: '100.00' },
        { id: OPEN_B, offen: '119.00' },
      ])
      for (const wrong of [
        [],
        [5],
        [{ umsatz_id: UMSATZ }],
        [{ umsatz_id: '1;', rechnung_id: OPEN_A }],
        [{ umsatz_id: UMSATZ, rechnung_id: OPEN_A, betrag: '1,5' }],
      ])
        expect(await refusal(match(...(wrong as object[])))).toBe('23514 zuordnungen zuordnungen')
    })

    test('an assignment is taken back as a whole, its discount included, once, with a reason', async () => {
      const taken = sql(`select app.a_unmatch_bank(${UMSATZ}, 'Falscher Kunde') as n`)
      expect(await rowsOf(match({ umsatz_id: UMSATZ, rechnung_id: OPEN_B, skonto: true }), taken)).toEqual([
        { n: 2 },
      ])
      expect(
        await rowsOf(match({ umsatz_id: UMSATZ, rechnung_id: OPEN_B, skonto: true }), taken, openItems),
      ).toEqual([
        { id: OPEN_A, offen: '100.00' },
        { id: OPEN_B, offen: '119.00' },
      ])
      expect(await rowsOf(match({ umsatz_id: UMSATZ, rechnung_id: OPEN_B }), taken, state(UMSATZ))).toEqual([
        { stand: 'offen', rest: '50.00', nummern: '' },
      ])
      expect(await refusal(taken)).toBe('PT409 - umsatz_frei')
      expect(
        await refusal(
          match({ umsatz_id: UMSATZ, rechnung_id: OPEN_B }),
          sql(`select app.a_unmatch_bank(${UMSATZ})`),
        ),
      ).toBe('23514 grund fehlt')
    })

    test('undone at once: only what this assignment made, not what others made of the entry', async () => {
      const undone = (assignment: object) =>
        sql(
          `with made as materialized (select app.a_match_bank_all($1) as ids)
           select app.a_unmatch_bank(${UMSATZ}, 'rückgängig',
             array(select jsonb_array_elements_text(ids -> 'zahlungen')::bigint),
             array(select jsonb_array_elements_text(ids -> 'eingang')::bigint)) as n from made`,
          JSON.stringify([assignment]),
        )
      const first = match({ umsatz_id: UMSATZ, rechnung_id: OPEN_A, betrag: '20' })
      const second = undone({ umsatz_id: UMSATZ, rechnung_id: OPEN_B, betrag: '30', skonto: true })
      expect(await rowsOf(first, second)).toEqual([{ n: 2 }])
      expect(await rowsOf(first, second, openItems)).toEqual([
        { id: OPEN_A, offen: '80.00' },
        { id: OPEN_B, offen: '119.00' },
      ])
      expect(await rowsOf(first, second, state(UMSATZ))).toMatchObject([
        { stand: 'teilweise', rest: '30.00' },
      ])
      expect(await refusal(first, sql(`select app.a_unmatch_bank(${UMSATZ}, 'x', '{}')`))).toBe(
        'PT409 - umsatz_frei',
      )
    })

    test('an account is known by what it has paid, until that is taken back', async () => {
      const accountList = sql('select iban, client_id::integer from app.a_get_bank_konten()')
      const [row] = await rowsOf(accountList)
      expect(row).toMatchObject({ iban: IBAN_B })
      expect(await rowsOf(sql(`select app.a_unmatch_bank(${UMSATZ_B}, 'Irrtum')`), accountList)).toEqual([])
    })

    test('what payments are compared with: open ones and those paid lately', async () => {
      const rows = await rowsOf(
        sql(
          `select rechnung_id::integer, nummer, zahlbetrag, bezahlt, offen, storniert, skonto
           from app.a_get_bank_rechnungen()`,
        ),
      )
      expect(rows).toContainEqual({
        rechnung_id: OPEN_A,
        nummer: 'RE-2026-0002a',
        zahlbetrag: '119.00',
        bezahlt: '19.00',
        offen: '100.00',
        storniert: false,
        skonto: [],
      })
    })

    describe('DATEV', () => {
      const GROUP: readonly DatevTax[] = [
        {
          kategorie: 'S',
          satz: '19.00',
          basis: '100.00',
          steuer: '19.00',
          le_date: '2026-01-05',
          datum: '2026-01-05',
        },
      ]
      test('rows have the customer’s account: their own, the one for all, or the first plus their number', async () => {
        const debitor = sql(
          `select debitor from app.a_get_datev('2026-01-01', '2026-12-31') where rechnung_id = ${OPEN_A}`,
        )
        const [{ debitor: plain }] = (await rowsOf(debitor)) as [{ debitor: string }]
        expect(Number(plain)).toBeGreaterThan(10_000)
        const collective = sql(`select app.a_set_lieferant('{"datev_debitor_sammel": "19999"}')`)
        expect(await rowsOf(collective, debitor)).toEqual([{ debitor: '19999' }])
        const own = sql(
          `select app.a_set_kunde_rechnung((select client_id from app.rechnung where id = ${OPEN_A}),
           '{"debitor": "12345"}')`,
        )
        expect(await rowsOf(collective, own, debitor)).toEqual([{ debitor: '12345' }])
        expect(await refusal(sql(`select app.a_set_lieferant('{"datev_debitor_sammel": "0123"}')`))).toMatch(
          /^23514/,
        )
        expect(await refusal(sql(`select app.a_set_lieferant('{"datev_jahresbeginn": 13}')`))).toMatch(
          /^23514/,
        )
      })
      test('a batch is written from what the database answers', async () => {
        const rows = await rowsOf(
          sql(
            `select debitor, beleg from app.a_get_datev('2026-01-01', '2026-12-31')
             where rechnung_id in (${OPEN_A}, ${OPEN_B}) order by rechnung_id`,
          ),
        )
        const belege = rows.map(({ beleg, debitor }) => {
          const one = beleg as DatevBeleg['beleg']
          // The test world's documents have no tax groups.
          return {
            debitor: String(debitor),
            beleg: { ...one, art: 'rechnung' as const, summen: { steuern: GROUP } },
          }
        })
        const batch = datevBatch({
          von: '2026-01-01',
          bis: '2026-12-31',
          createdAt: '2026-12-31T12:00:00.000Z',
          setting: {
            adviser: '29098',
            mandant: '55003',
            accountDigits: 4,
            revenueAccounts: { 'S 19.00': '8400' },
          },
          belege,
        })
        expect(batch.faults).toEqual([])
        const lines = new TextDecoder('windows-1252').decode(batch.bytes).split('\r\n').slice(2, -1)
        expect(lines.map((line) => line.split(';').slice(0, 11).join(';'))).toEqual([
          `119,00;"S";"EUR";;;"";${belege[0]!.debitor};8400;"";0501;"RE-2026-0002a"`,
          `119,00;"S";"EUR";;;"";${belege[1]!.debitor};8400;"";0501;"RE-2026-0002b"`,
        ])
      })
      test('payments come with the groups of their invoice, what was taken back as well', async () => {
        const rows = await rowsOf(
          match({ umsatz_id: UMSATZ, rechnung_id: OPEN_A }),
          sql(`select app.a_unmatch_bank(${UMSATZ}, 'Irrtum')`),
          sql(
            `select nummer, betrag, art from app.a_get_datev_zahlungen('2000-01-01', '2199-12-31')
             where rechnung_id = ${OPEN_A}`,
          ),
        )
        expect(new Set(rows.map(({ betrag }) => betrag))).toEqual(new Set(['-50.00', '19.00', '50.00']))
        expect(rows).toHaveLength(3)
      })
      test('what was handed out is written down with its hash, and the chain stays sound', async () => {
        const [row] = await rowsOf(
          sql(
            `select app.a_add_datev_export('2026-01-01', '2026-03-31',
             'EXTF_Buchungsstapel_20260101_20260331.csv', '${'d'.repeat(64)}', 12, true, '{RE-9}')`,
          ),
          sql(`select app.a_add_pruefung_export('2026-01-01', '2026-12-31')`),
          sql(`select ereignis, inhalt from app.a_get_protokoll('datev') limit 1`),
        )
        expect(row).toEqual({
          ereignis: 'exportiert',
          inhalt: {
            von: '2026-01-01',
            bis: '2026-03-31',
            datei: 'EXTF_Buchungsstapel_20260101_20260331.csv',
            sha256: 'd'.repeat(64),
            zeilen: 12,
            zahlungen: true,
            ausgelassen: ['RE-9'],
          },
        })
        expect(
          await rowsOf(
            sql(`select app.a_add_pruefung_export('2026-01-01', '2026-12-31')`),
            sql('select ok from app.a_check_protokoll()'),
          ),
        ).toEqual([{ ok: true }])
        for (const [args, field] of [
          [`'2026-03-31', '2026-01-01', 'x.csv', '${'d'.repeat(64)}', 1`, 'von'],
          [`'2026-01-01', '2026-03-31', '../x', '${'d'.repeat(64)}', 1`, 'datei'],
          [`'2026-01-01', '2026-03-31', 'x.csv', 'd', 1`, 'sha256'],
          [`'2026-01-01', '2026-03-31', 'x.csv', '${'d'.repeat(64)}', 0`, 'zeilen'],
          [`null, '2026-03-31', 'x.csv', '${'d'.repeat(64)}', 1`, 'von'],
          [`'2026-01-01', '2026-03-31', 'x.csv', '${'d'.repeat(64)}', 1, false, '{""}'`, 'ausgelassen'],
          [`'2026-01-01', '2026-03-31', 'x.csv', '${'d'.repeat(64)}', 1, false, '{NULL}'`, 'ausgelassen'],
        ] as const)
          expect(await refusal(sql(`select app.a_add_datev_export(${args})`)), args).toMatch(
            new RegExp(`^23514 ${field} `),
          )
      })
    })
  })
