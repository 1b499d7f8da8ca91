// Payments and where an invoice stands by them, the bank's entries, reminders, deliveries, decisions of customers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import platzhalter from '#domain/platzhalter.cases.json' with { type: 'json' }
import { fillPlatzhalter } from '#domain/platzhalter.ts'
import { DatabaseFault, type Statement } from '#server/database/database.ts'
import { ANGEBOT_A, ENTWURF_A } from './cells/buchhaltung.ts'
import { MAHNUNG, OFFEN_A, OFFEN_B, UMSATZ, ZAHLUNG } from './cells/zahlung.ts'
import { asCaller, attempt, ENGINES, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName } from './world.ts'

for (const engineName of ENGINES)
  describe.skipIf(isMissing(engineName))(`payments on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const asWhom = (name: IdentityName, ...statements: Statement[]) => attempt(engine.api, claimsOf(name), ...statements)
    const as = (...statements: Statement[]) => asWhom('apus_admin', ...statements)
    const rowsOf = async (...statements: Statement[]) => {
      const outcome = await as(...statements)
      if ('code' in outcome) throw new Error(`${outcome.code} ${outcome.message}`)
      // JSON comes as it came from PostgreSQL: as text.
      return outcome.rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [
            key,
            ['json', 'beleg'].includes(key) && typeof value === 'string' ? (JSON.parse(value) as unknown) : value,
          ]),
        ),
      )
    }
    const refusalAs = async (name: IdentityName, ...statements: Statement[]): Promise<string> => {
      try {
        await engine.api.transaction(asCaller(claimsOf(name)), async (tx) => {
          for (const statement of statements) await tx.query(statement)
          throw new Error('done')
        })
      } catch (error) {
        if (error instanceof DatabaseFault) return `${error.code} ${error.column ?? '-'} ${error.hint ?? '-'}`
        return error instanceof Error ? error.message : 'done'
      }
      return 'done'
    }
    const asOperations = async (text: string): Promise<void> => {
      try {
        await engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
      } finally {
        await engine.owner.script('rollback')
      }
    }
    const refusal = (...statements: Statement[]) => refusalAs('apus_admin', ...statements)
    const pay = (betrag: unknown, more = '', invoice = OFFEN_A) =>
      sql(`select app.a_add_payment(${invoice}, '2026-02-05', $1${more}) as id`, betrag)
    const state = sql(`select stand, bezahlt::text, offen::text from app.rechnung_liste where id = ${OFFEN_A}`)

    describe('an invoice', () => {
      test('stands by what was paid and by the day', async () => {
        expect(await rowsOf(state)).toEqual([{ stand: 'ueberfaellig', bezahlt: '19.00', offen: '100.00' }])
        expect(await rowsOf(pay('99.99'), state)).toEqual([{ stand: 'ueberfaellig', bezahlt: '118.99', offen: '0.01' }])
        expect(await rowsOf(pay('100'), state)).toEqual([{ stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' }])
        expect(await rowsOf(pay('97.62'), pay('2.38', `, 'skonto'`), state)).toEqual([
          { stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' },
        ])
        expect(await rowsOf(pay('110', ', ueberzahlung => true'), state)).toEqual([
          { stand: 'bezahlt', bezahlt: '129.00', offen: '-10.00' },
        ])
        expect(await rowsOf(pay('-19'), state)).toEqual([{ stand: 'ueberfaellig', bezahlt: '0.00', offen: '119.00' }])
      })
      test('is paid back by a counter entry, once, and both stay', async () => {
        const revoke = sql(`select app.a_revoke_payment(${ZAHLUNG}, 'Falsche Rechnung')`)
        expect(
          await rowsOf(
            revoke,
            sql(`select betrag, gegen_id is not null as gegen, zurueck, wer is not null as wer from app.a_get_payments(${OFFEN_A})`),
          ),
        ).toEqual([
          { betrag: '19.00', gegen: false, zurueck: true, wer: false },
          { betrag: '-19.00', gegen: true, zurueck: false, wer: true },
        ])
        expect(await refusal(revoke, revoke)).toBe('PT409 - zahlung_zurueck')
        expect(await refusal(sql(`select app.a_revoke_payment(${ZAHLUNG}, ' ')`))).toBe('23514 grund fehlt')
      })
      test.each([
        ['more than is open', () => pay('100.01'), '23514 betrag zahlung_zu_hoch'],
        ['nothing', () => pay('0'), '23514 betrag zahlung_null'],
        ['not a number', () => pay('NaN'), '23514 betrag zahlung_null'],
        ['half a cent', () => pay('0.005'), '23514 betrag betrag_stellen'],
        ['more back than came in', () => pay('-19.01'), '23514 betrag zahlung_rueck'],
        ['another kind', () => pay('1', `, 'bar'`), '23514 art zahlung_art'],
        ['too much discount', () => pay('101', `, 'skonto', ueberzahlung => true`), '23514 betrag zahlung_zu_hoch'],
        ['a draft', () => pay('1', '', ENTWURF_A), 'PT409 - zahlung_beleg'],
        ['a day to come', () => sql(`select app.a_add_payment(${OFFEN_A}, rechte.heute() + 1, 1)`), '23514 datum zahlung_datum'],
      ])('%s is refused at its field', async (_what, statement, expected) => expect(await refusal(statement())).toBe(expected))
      test('its payments are changed and deleted by nobody, not even by operations', async () => {
        for (const text of [
          'update app.zahlung set betrag = 1',
          'delete from app.zahlung',
          `update app.mahnung set text = 'x'`,
          'delete from app.mahnung',
          'delete from app.kontoumsatz',
        ])
          await expect(asOperations(text)).rejects.toThrow(/not changed/)
      })
    })

    describe('the bank', () => {
      const entry = (more: object = {}) => ({
        konto: 'DE02120300000000202051',
        datum: '2026-03-01',
        betrag: '100.00',
        name: 'Kunde\nA',
        iban: '',
        zweck: 'RE-2026-0002a',
        referenz: 'x1',
        ...more,
      })
      const read = (entries: object[], file = 'a.xml') =>
        sql('select app.a_import_bank($1::jsonb, $2) as json', JSON.stringify(entries), file)
      test('the same file twice adds nothing; what is alike within one file is several', async () => {
        const twice = [entry(), entry(), entry({ betrag: '-3.5' })]
        expect(await rowsOf(read(twice))).toEqual([{ json: { neu: 3, bekannt: 0 } }])
        expect(await rowsOf(read(twice), read([...twice, entry({ referenz: 'x2' })], 'b.xml'))).toEqual([{ json: { neu: 1, bekannt: 3 } }])
        expect(await rowsOf(read([entry()]), sql(`select name, betrag, rest from app.a_get_bank() where betrag = '100.00'`))).toEqual([
          { name: 'Kunde A', betrag: '100.00', rest: '100.00' },
        ])
      })
      test.each([
        ['nothing', []],
        ['an amount that is none', [entry({ betrag: '1,5' })]],
        ['no amount', [entry({ betrag: '0.00' })]],
        ['a day that is none', [entry({ datum: '01.03.2026' })]],
        ['an account that is none', [entry({ konto: 'hier' })]],
        ['no object', [5]],
      ])('%s is refused as a whole', async (_what, entries) =>
        expect(await refusal(read(entries as object[]))).toBe('23514 umsaetze umsaetze'),
      )
      test('an entry pays an invoice and is done; what is left of it waits', async () => {
        const match = (more = '') => sql(`select app.a_match_bank(${UMSATZ}, ${OFFEN_A}${more})`)
        const entryState = sql(`select erledigt, rest from app.a_get_bank(false) where id = ${UMSATZ}`)
        expect(await rowsOf(match(), entryState)).toEqual([{ erledigt: true, rest: '0.00' }])
        expect(await rowsOf(match(', 30'), entryState)).toEqual([{ erledigt: false, rest: '20.00' }])
        expect(await rowsOf(match(', 30'), sql(`select app.a_match_bank(${UMSATZ}, ${OFFEN_B})`), entryState)).toEqual([
          { erledigt: true, rest: '0.00' },
        ])
        expect(await rowsOf(match(', skonto => true'), state)).toEqual([{ stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' }])
        expect(await refusal(match(), match())).toBe('PT409 - umsatz_verbraucht')
        expect(await refusal(match(', 50.01'))).toBe('PT409 - umsatz_verbraucht')
        expect(await refusal(match(', -1'))).toBe('PT409 - umsatz_verbraucht')
        expect(await rowsOf(match(), sql(`select app.a_revoke_payment((select max(id) from app.zahlung), 'Irrtum')`), entryState)).toEqual([
          { erledigt: false, rest: '50.00' },
        ])
      })
      test('what pays no invoice is put aside', async () =>
        expect(
          await rowsOf(
            sql(`select app.a_set_umsatz_erledigt(${UMSATZ}, true)`),
            sql('select count(*)::integer as n from app.a_get_bank()'),
          ),
        ).toEqual([{ n: 0 }]))
    })

    describe('a reminder', () => {
      const remind = (stufe: number, more = '', invoice = OFFEN_A) => sql(`select app.a_add_mahnung(${invoice}, ${stufe}${more}) as id`)
      test('is frozen with what is open and its fee', async () => {
        const [row] = await rowsOf(
          remind(2, `, text => 'Bitte zahlen Sie {betrag} bis {faellig} auf {nummer}, {name}'`),
          sql(`select beleg, gebuehr::text from app.mahnung where stufe = 2`),
        )
        expect(row).toMatchObject({
          gebuehr: '5.00',
          beleg: {
            art: 'mahnung',
            bezug: { art: 'rechnung', nummer: 'RE-2026-0002a' },
            mahnung: { stufe: 2, rechnung_faellig: '2026-01-19', rechnung_betrag: '119.00', gezahlt: '19.00', gebuehr: '5.00' },
            summen: { zahlbetrag: '105.00' },
          },
        })
        expect((row as { beleg: { anschreiben: string } }).beleg.anschreiben).toMatch(
          /^Bitte zahlen Sie 105,00\u00a0€ bis \d\d\.\d\d\.\d{4} auf RE-2026-0002a, Kunde A$/,
        )
      })
      test('comes level by level and never for what is not overdue', async () => {
        expect(await refusal(remind(1))).toBe('23514 stufe mahnung_stufe')
        expect(await refusal(remind(3))).toBe('23514 stufe mahnung_stufe')
        expect(await refusal(remind(1, '', OFFEN_B), remind(2, '', OFFEN_B), remind(3, '', OFFEN_B), remind(4, '', OFFEN_B))).toBe(
          '23514 stufe mahnung_stufe',
        )
        expect(await refusal(pay('100'), remind(2))).toBe('PT409 - mahnung_stand')
        expect(await refusal(remind(1, '', ENTWURF_A))).toBe('PT409 - mahnung_stand')
        expect(await refusal(remind(2, `, '2026-02-09'`))).toBe('23514 datum mahnung_datum')
        expect(await refusal(remind(2, `, '2026-03-10', '2026-03-10'`))).toBe('23514 faellig mahnung_faellig')
        expect(await refusal(remind(2, `, gebuehr => -1`))).toBe('23514 gebuehr mahnung_gebuehr')
        expect(await refusal(remind(2, `, text => '{wer}'`))).toBe('23514 text platzhalter')
      })
      test('the list says what would come next', async () =>
        expect(await rowsOf(sql('select rechnung_id, offen, stufe, naechste, gebuehr, dran from app.a_get_mahnliste()'))).toEqual(
          [
            { rechnung_id: String(OFFEN_A), offen: '100.00', stufe: 1, naechste: 2, gebuehr: '5.00', dran: true },
            { rechnung_id: String(OFFEN_B), offen: '119.00', stufe: 0, naechste: 1, gebuehr: '0.00', dran: true },
          ].map((row) => expect.objectContaining({ ...row, rechnung_id: expect.anything() })),
        ))
      test.each(platzhalter)('fills in like the screens: $why', async ({ text }) => {
        const values = { name: '{nummer} $1 \\1', nummer: 'RE-1', datum: '1', betrag: '2' }
        expect(await rowsOf(sql('select rechte.fill_platzhalter($1, $2::jsonb) as text', text, JSON.stringify(values)))).toEqual([
          { text: fillPlatzhalter(text, values) },
        ])
      })
    })

    describe('a delivery', () => {
      const send = (art: string, id: number, an = 'a@kunde.test', betreff = 'x', text = 'y', weg = 'mail') =>
        sql('select app.a_send_beleg($1, $2, $3, $4, $5, $6)', art, id, an, betreff, text, weg)
      test('of a mail waits, any other is written down as done', async () => {
        expect(await rowsOf(send('mahnung', MAHNUNG), sql(`select zustand, an from app.a_get_versand('mahnung', ${MAHNUNG})`))).toEqual([
          { zustand: 'wartet', an: 'a@kunde.test' },
        ])
        expect(
          await rowsOf(
            send('angebot', ANGEBOT_A, '', '', '', 'post'),
            sql(`select zustand, gesendet_am is not null as am from app.a_get_versand('angebot', ${ANGEBOT_A})`),
          ),
        ).toEqual([{ zustand: 'gesendet', am: true }])
      })
      test.each([
        ['a draft', send('rechnung', ENTWURF_A), 'PT404 - versand_beleg'],
        ['another kind', send('brief', 1), '23514 art versand_art'],
        ['no address', send('rechnung', OFFEN_A, ''), '23514 an email'],
        ['an address that is none', send('rechnung', OFFEN_A, 'a b@c.de'), '23514 an email'],
        ['no subject', send('rechnung', OFFEN_A, 'a@b.de', ' '), '23514 betreff fehlt'],
        ['no text', send('rechnung', OFFEN_A, 'a@b.de', 'x', ' '), '23514 text fehlt'],
        ['another way', send('rechnung', OFFEN_A, 'a@b.de', 'x', 'y', 'taube'), '23514 weg versand_weg'],
      ])('%s is refused at its field', async (_what, statement, expected) => expect(await refusal(statement)).toBe(expected))
      test('is taken by the post once, tried again later, and given up after six times', async () => {
        const { owner } = engine
        await owner.script('begin; set local role forst_betrieb')
        try {
          const take = async () => (await owner.query<{ versuch: number }>('select art, versuch from rechte.versand_nehmen(10)')).rows
          expect(await take()).toEqual([{ art: 'rechnung', versuch: 1 }])
          expect(await take()).toEqual([])
          for (let at = 2; at <= 6; at++) {
            await owner.query(`select rechte.versand_ergebnis(1, false, 'abgelehnt')`)
            await owner.query('update app.versand set naechster = now()')
            expect(await take()).toEqual([{ art: 'rechnung', versuch: at }])
          }
          await owner.query(`select rechte.versand_ergebnis(1, false, 'abgelehnt')`)
          expect((await owner.query('select zustand, fehler from app.versand where id = 1')).rows).toEqual([
            { zustand: 'fehlgeschlagen', fehler: 'abgelehnt' },
          ])
        } finally {
          await owner.script('rollback')
        }
      })
    })

    test('a customer’s admin decides once; who, when and where is kept', async () => {
      const decide = (yes: boolean) => sql(`select app.__o_decide_offer(${ANGEBOT_A}, $1, 'gern')`, yes)
      expect(
        await asWhom(
          'kundenadmin',
          decide(true),
          sql(`select stand, entscheidbar from app.__o_get_dokumente() where art = 'angebot' and id = ${ANGEBOT_A}`),
        ),
      ).toMatchObject({ rows: [{ stand: 'angenommen', entscheidbar: false }] })
      expect(await refusalAs('kundenadmin', decide(true), decide(false))).toBe('PT409 - angebot_status')
    })
  })
