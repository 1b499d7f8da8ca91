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
    const offen = sql(
      `select id::integer, offen::text from app.rechnung_liste where id in (${OPEN_A}, ${OPEN_B}) order by id`,
    )

    test('a file is known before it is read, and asking writes nothing', async () => {
      expect(
        await rowsOf(
          probe(entry(), entry(), entry({ betrag: '3.00' })),
          probe(entry(), entry(), entry({ betrag: '3.00' })),
        ),
      ).toEqual([{ json: { neu: 3, bekannt: 0 } }])
      expect(
        await rowsOf(read(entry(), entry()), probe(entry(), entry(), entry({ betrag: '3.00' }))),
      ).toEqual([{ json: { neu: 1, bekannt: 2 } }])
      expect(await rowsOf(read(entry(), entry()), read(entry(), entry(), entry()))).toEqual([
        { json: { neu: 1, bekannt: 2 } },
      ])
      expect(await refusal(probe())).toBe('23514 umsaetze umsaetze')
      expect(await refusal(probe({ datum: 'heute' }))).toBe('23514 umsaetze umsaetze')
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
      expect(await rowsOf(match(...split), offen)).toEqual([
        { id: OPEN_A, offen: '70.00' },
        { id: OPEN_B, offen: '0.00' },
      ])
      expect(await refusal(match(...split, { umsatz_id: UMSATZ, rechnung_id: OPEN_A, betrag: '0.01' }))).toBe(
        'PT409 - umsatz_verbraucht',
      )
      expect(await rowsOf(offen)).toEqual([
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
        await rowsOf(match({ umsatz_id: UMSATZ, rechnung_id: OPEN_B, skonto: true }), taken, offen),
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
