// Payments and the resulting state of an invoice, bank entries, reminders, deliveries.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import mahnCases from '#domain/mahnung.cases.json' with { type: 'json' }
import platzhalter from '#domain/placeholders.cases.json' with { type: 'json' }
import { fillPlaceholders } from '#domain/placeholders.ts'
import { DatabaseFault, type Statement } from '#server/database/database.ts'
import { ANGEBOT_A, DRAFT_A } from './cells/buchhaltung.ts'
import { MAHNUNG, OPEN_A, OPEN_B, UMSATZ, ZAHLUNG } from './cells/zahlung.ts'
import { refusalIn } from './attempt.ts'
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName } from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`payments on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const asWhom = (name: IdentityName, ...statements: Statement[]) =>
      attempt(engine.api, claimsOf(name), ...statements)
    const as = (...statements: Statement[]) => asWhom('apus_admin', ...statements)
    const rowsOf = async (...statements: Statement[]) => {
      const outcome = await as(...statements)
      if ('code' in outcome) throw new Error(`${outcome.code} ${outcome.message}`)
      // PostgreSQL returns JSON as text.
      return outcome.rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [
            key,
            ['json', 'beleg'].includes(key) && typeof value === 'string'
              ? (JSON.parse(value) as unknown)
              : value,
          ]),
        ),
      )
    }
    const refusalAs = (name: IdentityName, ...statements: Statement[]): Promise<string> =>
      refusalIn(engine.api, claimsOf(name), ...statements)
    const asOperations = async (text: string): Promise<void> => {
      try {
        await engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
      } finally {
        await engine.owner.script('rollback')
      }
    }
    const refusal = (...statements: Statement[]) => refusalAs('apus_admin', ...statements)
    const pay = (amount: unknown, more = '', invoice = OPEN_A) =>
      sql(`select app.a_add_payment(${invoice}, '2026-02-05', $1${more}) as id`, amount)
    const remind = (level: number, more = '', invoice = OPEN_A) =>
      sql(`select app.a_add_mahnung(${invoice}, ${level}${more}) as id`)
    const state = sql(`select stand, bezahlt::text, offen::text from app.rechnung_liste where id = ${OPEN_A}`)

    describe('an invoice', () => {
      test('stands by what was paid and by the day', async () => {
        expect(await rowsOf(state)).toEqual([{ stand: 'ueberfaellig', bezahlt: '19.00', offen: '100.00' }])
        expect(await rowsOf(pay('99.99'), state)).toEqual([
          { stand: 'ueberfaellig', bezahlt: '118.99', offen: '0.01' },
        ])
        expect(await rowsOf(pay('100'), state)).toEqual([
          { stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' },
        ])
        expect(await rowsOf(pay('97.62'), pay('2.38', `, 'skonto'`), state)).toEqual([
          { stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' },
        ])
        expect(await rowsOf(pay('110', ', ueberzahlung => true'), state)).toEqual([
          { stand: 'bezahlt', bezahlt: '129.00', offen: '-10.00' },
        ])
        expect(await rowsOf(pay('-19'), state)).toEqual([
          { stand: 'ueberfaellig', bezahlt: '0.00', offen: '119.00' },
        ])
      })
      test('is paid back by a counter entry, once, and both stay', async () => {
        const revoke = sql(`select app.a_revoke_payment(${ZAHLUNG}, 'Falsche Rechnung')`)
        expect(
          await rowsOf(
            revoke,
            sql(
              `select betrag, gegen_id is not null as gegen, zurueck, wer is not null as wer
               from app.a_get_payments(${OPEN_A})`,
            ),
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
        [
          'back before it came in',
          () => sql(`select app.a_add_payment(${OPEN_A}, '2026-01-31', -19)`),
          '23514 betrag zahlung_rueck',
        ],
        ['another kind', () => pay('1', `, 'bar'`), '23514 art zahlung_art'],
        [
          'too much discount',
          () => pay('101', `, 'skonto', ueberzahlung => true`),
          '23514 betrag zahlung_zu_hoch',
        ],
        ['a draft', () => pay('1', '', DRAFT_A), 'PT409 - zahlung_beleg'],
        [
          'a day to come',
          () => sql(`select app.a_add_payment(${OPEN_A}, checks.today() + 1, 1)`),
          '23514 datum zahlung_datum',
        ],
      ])('%s is refused at its field', async (_what, statement, expected) =>
        expect(await refusal(statement())).toBe(expected),
      )
      test('a credit goes back in parts', async () => {
        const over = pay('200', ', ueberzahlung => true')
        expect(await rowsOf(over, pay('-30'), pay('-70'), state)).toEqual([
          { stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' },
        ])
        expect(await rowsOf(over, pay('-30'), state)).toMatchObject([{ offen: '-70.00' }])
      })
      test('what comes in for a cancelled one is a credit, once somebody says so', async () => {
        const cancel = sql(`select from app.a_cancel_invoice(${OPEN_B})`)
        const late = (more = '') => pay('119', more, OPEN_B)
        expect(await refusal(cancel, late())).toBe('23514 betrag zahlung_storniert')
        expect(await refusal(cancel, late(`, 'skonto', ueberzahlung => true`))).toBe(
          '23514 betrag zahlung_storniert',
        )
        const open = sql(`select stand, offen::text from app.rechnung_liste where id = ${OPEN_B}`)
        const credit = late(', ueberzahlung => true')
        expect(await rowsOf(cancel, credit, open)).toEqual([{ stand: 'storniert', offen: '-119.00' }])
        expect(await rowsOf(cancel, credit, pay('-100', '', OPEN_B), pay('-19', '', OPEN_B), open)).toEqual([
          { stand: 'storniert', offen: '0.00' },
        ])
        expect(await refusal(cancel, credit, pay('-119.01', '', OPEN_B))).toBe('23514 betrag zahlung_rueck')
      })
      test('money for what was written off withdraws the loss as far as it goes, on its own day', async () => {
        const book = (day: string, amount: number, more = '') =>
          sql(`select app.a_add_payment(${OPEN_A}, $1, $2${more})`, day, amount)
        const loss = book('2026-03-15', 100, `, 'ausfall'`)
        const more = ', ueberzahlung => true'
        const losses = sql(
          `select datum::text, betrag::text from app.zahlung
           where rechnung_id = ${OPEN_A} and art = 'ausfall' order by id`,
        )
        expect(await refusal(loss, book('2026-09-10', 60))).toBe('23514 betrag zahlung_zu_hoch')
        expect(await rowsOf(loss, book('2026-09-10', 60, more), state)).toEqual([
          { stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' },
        ])
        expect(await rowsOf(loss, book('2026-09-10', 60, more), losses)).toEqual([
          { datum: '2026-03-15', betrag: '100.00' },
          { datum: '2026-09-10', betrag: '-60.00' },
        ])
        // Beyond the loss it is the customer's credit.
        expect(await rowsOf(loss, book('2026-09-10', 120, more), state)).toMatchObject([{ offen: '-20.00' }])
        // Money from before the loss was recorded: there was no loss of that amount on any day.
        expect(await rowsOf(loss, book('2026-03-10', 100, more), losses)).toEqual([
          { datum: '2026-03-15', betrag: '100.00' },
          { datum: '2026-03-15', betrag: '-100.00' },
        ])
      })
      test('a Storno ends what lowered its claim, on its own day: nobody gets back what never came in', async () => {
        const book = (day: string, amount: number, art: string) =>
          sql(`select app.a_add_payment(${OPEN_B}, $1, $2, $3)`, day, amount, art)
        const cancel = sql(`select from app.a_cancel_invoice(${OPEN_B})`)
        const after = sql(
          `select l.offen::text, l.bezahlt::text,
             (select string_agg(z.art || ' ' || z.betrag, ', ' order by z.id) from app.zahlung z
              where z.rechnung_id = ${OPEN_B} and z.datum = checks.today()) as today
           from app.rechnung_liste l where l.id = ${OPEN_B}`,
        )
        expect(await rowsOf(book('2026-03-15', 119, 'ausfall'), cancel, after)).toEqual([
          { offen: '0.00', bezahlt: '0.00', today: 'ausfall -119.00' },
        ])
        const discounted = [book('2026-03-01', 116.62, 'zahlung'), book('2026-03-01', 2.38, 'skonto')]
        expect(await rowsOf(...discounted, cancel, after)).toEqual([
          { offen: '-116.62', bezahlt: '116.62', today: 'skonto -2.38' },
        ])
        const repaid = sql(`select app.a_add_payment(${OPEN_B}, checks.today(), -116.62)`)
        expect(await rowsOf(...discounted, cancel, repaid, after)).toMatchObject([
          { offen: '0.00', bezahlt: '0.00' },
        ])
        // What was taken back by hand is not taken back again.
        const back = sql(`select app.a_revoke_payment((select max(id) from app.zahlung), 'Irrtum')`)
        expect(await rowsOf(...discounted, back, cancel, after)).toMatchObject([
          { offen: '-116.62', today: 'skonto -2.38' },
        ])
      })
      test('paid before its own day, as the bank says', async () => {
        const before = sql(`select app.a_add_payment(${OPEN_A}, '2025-12-01', 100) as id`)
        expect(await rowsOf(before, state)).toEqual([{ stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' }])
      })
      test('of which no day gives back more than had come in until then, of each kind', async () => {
        const book = (day: string, amount: number, art = 'zahlung') =>
          sql(`select app.a_add_payment(${OPEN_A}, $1, $2, $3)`, day, amount, art)
        const back = (amount: number) =>
          sql(
            `select app.a_revoke_payment((select max(id) from app.zahlung where betrag = $1), 'Irrtum')`,
            amount,
          )
        const refused = '23514 betrag zahlung_rueck'
        // A later payment does not cover an earlier repayment, and the days after one are looked at too.
        expect(await refusal(book('2026-03-10', 50), book('2026-03-09', -20))).toBe(refused)
        expect(await refusal(book('2026-03-10', -19), book('2026-03-20', 19), book('2026-03-05', -19))).toBe(
          refused,
        )
        expect(await rowsOf(book('2026-03-10', 50), book('2026-03-10', -69), state)).toMatchObject([
          { bezahlt: '0.00' },
        ])
        // Cash discount and losses are no money.
        expect(await refusal(book('2026-03-01', 10, 'skonto'), book('2026-03-02', -20))).toBe(refused)
        expect(await refusal(book('2026-03-02', -1, 'ausfall'))).toBe(refused)
        expect(await rowsOf(book('2026-03-01', 10, 'skonto'), book('2026-03-01', -10, 'skonto'))).toEqual([
          expect.anything(),
        ])
        // What was paid back is taken back first; what was taken back counts on no day.
        const paidBack = [book('2026-03-01', 40), book('2026-03-02', -50)]
        expect(await refusal(...paidBack, back(40))).toBe('PT409 - zahlung_rueck_zuerst')
        expect(await rowsOf(...paidBack, back(-50), back(40), state)).toMatchObject([{ bezahlt: '19.00' }])
        expect(await refusal(...paidBack, back(-50), back(40), book('2026-03-05', -20))).toBe(refused)
      })
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
        expect(await rowsOf(read(twice), read([...twice, entry({ referenz: 'x2' })], 'b.xml'))).toEqual([
          { json: { neu: 1, bekannt: 3 } },
        ])
        expect(
          await rowsOf(
            read([entry()]),
            sql(`select name, betrag, rest from app.a_get_bank() where betrag = '100.00'`),
          ),
        ).toEqual([{ name: 'Kunde A', betrag: '100.00', rest: '100.00' }])
      })
      test('parts of a batch that an earlier version stored as one are known', async () => {
        const before = { betrag: '31.00', zweck: 'SAMMLER', referenz: 'S' }
        const whole = entry({ ...before, name: '' })
        const parts = ['10.00', '20.00', '1.00'].map((amountText) =>
          entry({ betrag: amountText, zweck: `Posten ${amountText}`, vorher: before }),
        )
        const probe = sql('select app.a_probe_bank($1::jsonb) as json', JSON.stringify(parts))
        expect(await rowsOf(read([whole]), probe)).toEqual([{ json: { neu: 0, bekannt: 3, fraglich: 0 } }])
        expect(await rowsOf(read([whole]), read(parts))).toEqual([{ json: { neu: 0, bekannt: 3 } }])
        expect(await rowsOf(probe)).toEqual([{ json: { neu: 3, bekannt: 0, fraglich: 0 } }])
        expect(await rowsOf(read(parts), read(parts))).toEqual([{ json: { neu: 0, bekannt: 3 } }])
      })
      test.each([
        ['nothing', []],
        ['an amount that is none', [entry({ betrag: '1,5' })]],
        ['no amount', [entry({ betrag: '0.00' })]],
        ['a day that is none', [entry({ datum: '01.03.2026' })]],
        ['an account that is none', [entry({ konto: 'hier' })]],
        ['no object', [5]],
        ['a batch without an amount', [entry({ vorher: { zweck: 'x', referenz: '' } })]],
        ['a batch that is none', [entry({ vorher: 'x' })]],
      ])('%s is refused as a whole', async (_what, entries) =>
        expect(await refusal(read(entries as object[]))).toBe('23514 umsaetze umsaetze'),
      )
      test('an entry pays an invoice and is done; what is left of it waits', async () => {
        const match = (more = '') => sql(`select app.a_match_bank(${UMSATZ}, ${OPEN_A}${more})`)
        const entryState = sql(`select erledigt, rest from app.a_get_bank(false) where id = ${UMSATZ}`)
        expect(await rowsOf(match(), entryState)).toEqual([{ erledigt: true, rest: '0.00' }])
        expect(await rowsOf(match(', 30'), entryState)).toEqual([{ erledigt: false, rest: '20.00' }])
        expect(
          await rowsOf(match(', 30'), sql(`select app.a_match_bank(${UMSATZ}, ${OPEN_B})`), entryState),
        ).toEqual([{ erledigt: true, rest: '0.00' }])
        expect(await rowsOf(match(', skonto => true'), state)).toEqual([
          { stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' },
        ])
        expect(await refusal(match(), match())).toBe('PT409 - umsatz_verbraucht')
        expect(await refusal(match(', 50.01'))).toBe('PT409 - umsatz_verbraucht')
        expect(await refusal(match(', -1'))).toBe('PT409 - umsatz_verbraucht')
        expect(
          await rowsOf(
            match(),
            sql(`select app.a_revoke_payment((select max(id) from app.zahlung), 'Irrtum')`),
            entryState,
          ),
        ).toEqual([{ erledigt: false, rest: '50.00' }])
      })
      test('costs of reminders are paid beside the invoice, whose claim and tax they leave alone', async () => {
        const costs = (amount: string, more = '') => pay(amount, `, 'mahnkosten'${more}`)
        const match = sql(`select app.a_match_bank(${UMSATZ}, ${OPEN_A}, mahnkosten => true)`)
        const demanded = sql(
          `select offen, mahnkosten from app.a_get_bank_rechnungen() where rechnung_id = ${OPEN_A}`,
        )
        const taxes = sql(
          `select coalesce(sum(basis::numeric + steuer::numeric), 0)::text as summe
           from generate_series(date_trunc('year', checks.today() - interval '1 year')::date, checks.today(),
               interval '1 year') y,
             lateral app.a_get_ust(y::date, (y + interval '1 year - 1 day')::date) u
           where u.rechnung_id = ${OPEN_A}`,
        )
        const booked = sql(
          `select art, betrag::text from app.zahlung where rechnung_id = ${OPEN_A} and umsatz_id = ${UMSATZ}
           order by id`,
        )
        const bank = sql(
          `select stand, (select rest from app.a_get_bank(false) b where b.id = l.id) as rest
           from app.kontoumsatz_liste l where id = ${UMSATZ}`,
        )
        const account = sql(
          `select z ->> 'kosten' as kosten, z ->> 'betrag' as betrag from jsonb_array_elements(
             app.a_get_kundenkonto((select client_id from app.rechnung where id = ${OPEN_A}), '2025-01-01',
               checks.today()) -> 'zeilen') z
           where z ->> 'art' = 'mahnkosten'`,
        )
        const dunned = [remind(2, ', gebuehr => 5'), pay('55')]
        expect(await refusal(remind(2, ', gebuehr => 5'), costs('5'))).toBe('23514 art mahnkosten_offen')
        expect(await refusal(...dunned, pay('45'), costs('5.01'))).toBe('23514 betrag mahnkosten_hoch')
        expect(await rowsOf(...dunned, pay('45'), costs('5.01', `, ueberzahlung => true`), state)).toEqual([
          { stand: 'bezahlt', bezahlt: '119.00', offen: '0.00' },
        ])
        expect(await rowsOf(...dunned, demanded)).toEqual([{ offen: '45.00', mahnkosten: '5.00' }])
        expect(await rowsOf(...dunned, match, demanded)).toEqual([{ offen: '0.00', mahnkosten: '0.00' }])
        expect(await rowsOf(...dunned, match, booked)).toEqual([
          { art: 'zahlung', betrag: '45.00' },
          { art: 'mahnkosten', betrag: '5.00' },
        ])
        expect(await rowsOf(...dunned, match, bank)).toEqual([{ stand: 'zugeordnet', rest: '0.00' }])
        expect(await rowsOf(...dunned, match, account)).toEqual([{ kosten: '5.00', betrag: '0.00' }])
        expect(await rowsOf(...dunned, match, taxes)).toEqual(await rowsOf(...dunned, pay('45'), taxes))
        // More than was demanded is the customer's credit, and an invoice that is not there takes nothing.
        expect(
          await rowsOf(
            remind(2, ', gebuehr => 5'),
            pay('65'),
            sql(`select app.a_match_bank(${UMSATZ}, ${OPEN_A}, mahnkosten => true, ueberzahlung => true)`),
            booked,
          ),
        ).toEqual([
          { art: 'zahlung', betrag: '45.00' },
          { art: 'mahnkosten', betrag: '5.00' },
        ])
        expect(await refusal(sql(`select app.a_match_bank(${UMSATZ}, 999, mahnkosten => true)`))).toBe(
          'PT404 - -',
        )
        const back = sql(`select app.a_unmatch_bank(${UMSATZ}, 'Irrtum')`)
        expect(await rowsOf(...dunned, match, back, bank)).toEqual([{ stand: 'offen', rest: '50.00' }])
        expect(await rowsOf(...dunned, match, back, demanded)).toEqual([
          { offen: '45.00', mahnkosten: '5.00' },
        ])
        // Paid costs are not demanded again: its payment came back, the costs did not.
        expect(
          await rowsOf(
            ...dunned,
            pay('45'),
            costs('5'),
            sql(
              `select app.a_revoke_payment(max(id), 'Rücklastschrift') from app.zahlung
               where rechnung_id = ${OPEN_A} and art = 'zahlung'`,
            ),
            sql(`select gebuehren, kosten_gezahlt from app.a_get_mahnliste() where rechnung_id = ${OPEN_A}`),
          ),
        ).toEqual([{ gebuehren: '5.00', kosten_gezahlt: '5.00' }])
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
      /** Levels that were written in time, before the test. */
      const written = async (invoice: number, ...levels: [number, string][]) => {
        for (const [level, deadline] of levels)
          await asOperations(
            `insert into app.mahnung (client_id, rechnung_id, stufe, datum, faellig, gebuehr, beleg)
             select client_id, id, ${level}, '${deadline}'::date - 10, '${deadline}', ${5 * (level - 1)}, '{}'
             from app.rechnung where id = ${invoice}`,
          )
      }
      const forgotten = (invoice: number, from: number) =>
        engine.owner.script(
          `alter table app.mahnung disable trigger user;
           delete from app.mahnung where rechnung_id = ${invoice} and stufe >= ${from};
           alter table app.mahnung enable trigger user`,
        )
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
            mahnung: {
              stufe: 2,
              rechnung_faellig: '2026-01-19',
              rechnung_betrag: '119.00',
              gezahlt: '19.00',
              gebuehr: '5.00',
            },
            summen: { zahlbetrag: '105.00' },
          },
        })
        expect((row as { beleg: { anschreiben: string } }).beleg.anschreiben).toMatch(
          /^Bitte zahlen Sie 105,00\u00a0€ bis \d\d\.\d\d\.\d{4} auf RE-2026-0002a, Forst A$/,
        )
      })
      test('is a letter of today: from our present account to the present address', async () => {
        const [row] = await rowsOf(
          sql(
            `select app.a_set_lieferant('{"name": "Neu GmbH", "strasse": "W 1", "plz": "37073", "ort": "G",
               "iban": "DE02120300000000202051"}')`,
          ),
          sql(
            `update app.kunde set strasse = 'Neuer Weg 9', ort = 'Neustadt'
             where client_id = (select client_id from app.rechnung where id = ${OPEN_A})`,
          ),
          remind(2),
          sql(`select beleg from app.mahnung where stufe = 2`),
        )
        expect(row).toMatchObject({
          beleg: {
            lieferant: { name: 'Neu GmbH', iban: 'DE02120300000000202051' },
            empfaenger: { name: 'Forst A', strasse: 'Neuer Weg 9', ort: 'Neustadt' },
          },
        })
      })
      test('asks for the fees of the levels before, and is looked at without being made', async () => {
        const preview = sql(
          `select app.a_preview_mahnung(${OPEN_A}, 3, text => 'Zahlen Sie {betrag}.') as beleg`,
        )
        await written(OPEN_A, [2, '2026-03-20'])
        expect(
          await rowsOf(
            preview,
            sql(`select count(*)::integer as n from app.mahnung where rechnung_id = ${OPEN_A}`),
          ),
        ).toEqual([{ n: 2 }])
        const [row] = await rowsOf(preview)
        await forgotten(OPEN_A, 2)
        expect(row).toMatchObject({
          beleg: {
            entwurf: true,
            anrede: 'Sehr geehrte Damen und Herren,',
            anschreiben: 'Zahlen Sie 115,00\u00a0€.',
            mahnung: { stufe: 3, gebuehr: '10.00', gebuehren_bisher: '5.00', gezahlt: '19.00' },
            summen: { zahlbetrag: '115.00' },
          },
        })
        expect(await refusal(sql(`select app.a_preview_mahnung(${OPEN_A}, 3)`))).toBe(
          '23514 stufe mahnung_stufe',
        )
      })
      test('comes level by level and never for what is not overdue', async () => {
        expect(await refusal(remind(1))).toBe('23514 stufe mahnung_stufe')
        expect(await refusal(remind(3))).toBe('23514 stufe mahnung_stufe')
        await written(OPEN_B, [1, '2026-02-20'], [2, '2026-03-20'], [3, '2026-04-20'])
        expect(await refusal(remind(4, '', OPEN_B))).toBe('23514 stufe mahnung_stufe')
        await forgotten(OPEN_B, 1)
        expect(await refusal(pay('100'), remind(2))).toBe('PT409 - mahnung_stand')
        expect(await refusal(remind(1, '', DRAFT_A))).toBe('PT409 - mahnung_stand')
        expect(await refusal(remind(2, `, '2026-02-09'`))).toBe('23514 datum mahnung_datum')
        expect(await refusal(remind(2, `, checks.today() - 1`))).toBe('23514 datum mahnung_datum')
        expect(await refusal(remind(2, `, checks.today() + 2`))).toBe('23514 datum mahnung_datum')
        expect(await refusal(remind(2, `, null, checks.today()`))).toBe('23514 faellig mahnung_faellig')
        expect(await rowsOf(remind(2, `, checks.today() + 1`))).toHaveLength(1)
        expect(await refusal(remind(2, `, gebuehr => -1`))).toBe('23514 gebuehr mahnung_gebuehr')
        expect(await refusal(remind(2, `, text => '{wer}'`))).toBe('23514 text platzhalter')
      })
      test.each(mahnCases)('has its first day: $why', async ({ faellig, stufe, frist, kulanz, ab }) =>
        expect(
          (
            await engine.owner.query(
              'select books.next_mahnung_day($1::date, $2, $3::date, $4)::text as ab',
              [faellig, stufe, frist, kulanz],
            )
          ).rows,
        ).toEqual([{ ab }]),
      )
      test('skips no deadline: not two on one day, whatever date the letters bear', async () => {
        const early = (...statements: Statement[]) =>
          engine.api
            .transaction(asCaller(claimsOf('apus_admin')), async (tx) => {
              for (const statement of statements) await tx.query(statement)
              throw new Error('not refused')
            })
            .catch((error: unknown) => {
              if (!(error instanceof DatabaseFault)) throw error
              return [error.code, error.hint, JSON.parse(error.detail ?? 'null') as unknown]
            })
        const dayOf = async (text: string) => (await rowsOf(sql(`select (${text})::text as day`)))[0]!['day']
        const [soon, later] = [await dayOf('checks.today() + 5'), await dayOf('checks.today() + 6')]
        // A deadline tomorrow, three days of grace: the next level in five days.
        const first = remind(2, ', null, checks.today() + 1')
        expect(await early(first, remind(3))).toEqual(['PT409', 'mahnung_frueh', { tag: soon }])
        for (const date of ['checks.today() + 1', `'2026-03-01'`, 'checks.today() + 30'])
          expect(await early(first, remind(3, `, ${date}`))).toEqual([
            'PT409',
            'mahnung_frueh',
            { tag: soon },
          ])
        expect(
          await early(
            remind(2, ', checks.today() + 1, checks.today() + 2'),
            sql(`select app.a_preview_mahnung(${OPEN_A}, 3)`),
          ),
        ).toEqual(['PT409', 'mahnung_frueh', { tag: later }])
        // On the last day of grace not yet, on the next it is: the list says the same.
        const next = sql(`select dran, ab::text from app.a_get_mahnliste() where rechnung_id = ${OPEN_A}`)
        for (const [days, due] of [
          [3, false],
          [4, true],
        ] as const) {
          await written(OPEN_A, [2, String(await dayOf(`checks.today() - ${days}`))])
          expect([await refusal(remind(3)), await rowsOf(next)]).toEqual([
            due ? 'done' : 'PT409 - mahnung_frueh',
            [{ dran: due, ab: await dayOf(`checks.today() + ${4 - days}`) }],
          ])
          await forgotten(OPEN_A, 2)
        }
      })
      test('the list says what would come next', async () =>
        expect(
          await rowsOf(
            sql('select rechnung_id, offen, stufe, naechste, gebuehr, dran from app.a_get_mahnliste()'),
          ),
        ).toEqual(
          [
            {
              rechnung_id: String(OPEN_A),
              offen: '100.00',
              stufe: 1,
              naechste: 2,
              gebuehr: '5.00',
              dran: true,
            },
            {
              rechnung_id: String(OPEN_B),
              offen: '119.00',
              stufe: 0,
              naechste: 1,
              gebuehr: '0.00',
              dran: true,
            },
          ].map((row) => expect.objectContaining({ ...row, rechnung_id: expect.anything() })),
        ))
      test('waits a few days after the term of the last, as the settings say', async () => {
        const soon = (days: number) => [
          sql(`select app.a_add_mahnung(${OPEN_A}, 2, null, checks.today() + 1)`),
          sql(
            `select app.a_set_lieferant(jsonb_build_object('mahn_kulanz', ${days}, 'mahn_frist', 21)
             || coalesce((select '{}'::jsonb from app.lieferant),
             '{"name": "V", "strasse": "W 1", "plz": "37073", "ort": "G"}'), (select version from app.lieferant))`,
          ),
          sql(`select dran, frist, gebuehren from app.a_get_mahnliste() where rechnung_id = ${OPEN_A}`),
        ]
        expect(await rowsOf(...soon(0))).toEqual([{ dran: false, frist: 21, gebuehren: '5.00' }])
        expect(await rowsOf(...soon(3))).toEqual([{ dran: false, frist: 21, gebuehren: '5.00' }])
      })
      test.each(platzhalter)('fills in like the screens: $why', async ({ text }) => {
        const values = { name: '{nummer} $1 \\1', nummer: 'RE-1', datum: '1', betrag: '2' }
        expect(
          await rowsOf(
            sql('select books.fill_placeholders($1, $2::jsonb) as text', text, JSON.stringify(values)),
          ),
        ).toEqual([{ text: fillPlaceholders(text, values) }])
      })
    })

    describe('a delivery', () => {
      const send = (
        art: string,
        id: number,
        an = 'a@kunde.test',
        subject = 'x',
        text = 'y',
        channel = 'mail',
      ) => sql('select app.a_send_beleg($1, $2, $3, $4, $5, $6)', art, id, an, subject, text, channel)
      test('of a mail waits, any other is written down as done', async () => {
        expect(
          await rowsOf(
            send('mahnung', MAHNUNG),
            sql(`select zustand, an from app.a_get_versand('mahnung', ${MAHNUNG})`),
          ),
        ).toEqual([{ zustand: 'wartet', an: 'a@kunde.test' }])
        expect(
          await rowsOf(
            send('angebot', ANGEBOT_A, '', '', '', 'post'),
            sql(
              `select zustand, gesendet_am is not null as am from app.a_get_versand('angebot', ${ANGEBOT_A})`,
            ),
          ),
        ).toEqual([{ zustand: 'gesendet', am: true }])
      })
      test.each([
        ['a draft', send('rechnung', DRAFT_A), 'PT404 - versand_beleg'],
        ['another kind', send('brief', 1), '23514 art versand_art'],
        ['no address', send('rechnung', OPEN_A, ''), '23514 an email'],
        ['an address that is none', send('rechnung', OPEN_A, 'a b@c.de'), '23514 an email'],
        ['no subject', send('rechnung', OPEN_A, 'a@b.de', ' '), '23514 betreff fehlt'],
        ['no text', send('rechnung', OPEN_A, 'a@b.de', 'x', ' '), '23514 text fehlt'],
        ['another way', send('rechnung', OPEN_A, 'a@b.de', 'x', 'y', 'taube'), '23514 weg versand_weg'],
      ])('%s is refused at its field', async (_what, statement, expected) =>
        expect(await refusal(statement)).toBe(expected),
      )
      const oneOf = (at: 'an' | 'zustand' | 'grund') =>
        sql(`select ${at} as x from app.a_get_versand('rechnung', ${OPEN_A}) order by versand_id`)
      test('goes to each address by itself, and to none twice while it waits', async () => {
        expect(
          await rowsOf(send('rechnung', OPEN_A, ' b@kunde.test; c@kunde.test,b@kunde.test ,'), oneOf('an')),
        ).toEqual([{ x: 'a@kunde.test' }, { x: 'b@kunde.test' }, { x: 'c@kunde.test' }])
        expect(await refusal(send('rechnung', OPEN_A, 'b@kunde.test, a@kunde.test'))).toBe(
          'PT409 an versand_wartet',
        )
        expect(await refusal(send('rechnung', OPEN_A, 'b@kunde.test, kein'))).toBe('23514 an email')
        expect(
          await refusal(
            send('rechnung', OPEN_A, Array.from({ length: 11 }, (_, nr) => `x${nr}@kunde.test`).join()),
          ),
        ).toBe('23514 an versand_zehn')
        expect(await refusal(send('rechnung', OPEN_B, 'b@kunde.test', 'Rechnung {nummer}'))).toBe(
          '23514 betreff platzhalter_offen',
        )
        expect(await refusal(send('rechnung', OPEN_B, 'b@kunde.test', 'x', 'Guten Tag {name}'))).toBe(
          '23514 text platzhalter_offen',
        )
        expect(await refusal(send('rechnung', OPEN_B, 'b@kunde.test', 'x\r\nBcc: d@evil.test'))).toBe(
          '23514 betreff zeile_200',
        )
        expect(await refusal(send('rechnung', OPEN_B, 'b@kunde.test\r\nBcc: d@evil.test'))).toBe(
          '23514 an email',
        )
      })
      test('is told with its invoice’s reminders, and where it is in the list', async () => {
        expect(
          await rowsOf(
            send('mahnung', MAHNUNG, 'm@kunde.test'),
            sql(
              `select beleg_art, stufe, zustand from app.a_get_versand('rechnung', ${OPEN_A}) order by versand_id`,
            ),
          ),
        ).toEqual([
          { beleg_art: 'rechnung', stufe: null, zustand: 'wartet' },
          { beleg_art: 'mahnung', stufe: 1, zustand: 'wartet' },
        ])
        expect(
          await rowsOf(
            send('rechnung', OPEN_B, '', '', '', 'post'),
            sql(
              `select id::integer as id, versand from app.rechnung_liste
               where id in (${OPEN_A}, ${OPEN_B}, ${DRAFT_A}) order by id desc`,
            ),
          ),
        ).toEqual([
          { id: OPEN_B, versand: 'gesendet' },
          { id: OPEN_A, versand: 'wartet' },
          { id: DRAFT_A, versand: null },
        ])
        expect(
          await rowsOf(
            send('angebot', ANGEBOT_A),
            sql(`select versand from app.angebot_liste where id = ${ANGEBOT_A}`),
          ),
        ).toEqual([{ versand: 'wartet' }])
      })
      test('is withdrawn while it waits, once', async () => {
        const withdraw = sql('select app.a_withdraw_versand(1)')
        expect(await rowsOf(withdraw, oneOf('grund'))).toEqual([{ x: 'zurueckgezogen' }])
        expect(await refusal(withdraw, withdraw)).toBe('PT409 - versand_unterwegs')
      })
      /**
       * On the embedded engine each owner statement runs on its own, so this first resets what came before.
       */
      const AGAIN = `update app.versand set zustand = 'wartet', versuche = 0, naechster = now(),
        begonnen_am = null, grund = '', fehler = '', gesendet_am = null where id = 1`
      /** Acts as the server's post, rolled back at the end. */
      const asPost = async (
        work: (ask: (text: string) => Promise<Record<string, unknown>[]>) => Promise<void>,
      ) => {
        const { owner } = engine
        await owner.script('begin; set local role forst_betrieb')
        try {
          await owner.query(AGAIN)
          await work(async (text) => (await owner.query(text)).rows as Record<string, unknown>[])
        } finally {
          await owner.script('rollback')
        }
      }
      const take = 'select art, versuch, format from dispatch.take_dispatch(10)'
      const state1 = 'select zustand, grund, fehler from app.versand where id = 1'
      test('is taken by the post once, tried again later, and given up after six times', () =>
        asPost(async (ask) => {
          expect(await ask(take)).toEqual([{ art: 'rechnung', versuch: 1, format: 'pdf' }])
          expect(await ask(take)).toEqual([])
          for (let at = 2; at <= 6; at++) {
            await ask(`select dispatch.dispatch_result(1, 'spaeter', 'nicht jetzt')`)
            expect(
              await ask(
                `select round(extract(epoch from naechster - now()) / 60)::integer as minuten
                 from app.versand where id = 1`,
              ),
            ).toEqual([{ minuten: 5 ** (at - 2) }])
            await ask('update app.versand set naechster = now()')
            expect(await ask(take)).toEqual([{ art: 'rechnung', versuch: at, format: 'pdf' }])
          }
          await ask(`select dispatch.dispatch_result(1, 'spaeter', 'nicht jetzt')`)
          expect(await ask(state1)).toEqual([
            { zustand: 'fehlgeschlagen', grund: 'aufgegeben', fehler: 'nicht jetzt' },
          ])
          expect(
            await ask(
              `select ereignis, inhalt ->> 'grund' as grund from app.protokoll order by nr desc limit 1`,
            ),
          ).toEqual([{ ereignis: 'versand_fehler', grund: 'aufgegeben' }])
        }))
      test('that was refused for good is not tried again; one that arrived is written into the chain', () =>
        asPost(async (ask) => {
          await ask(take)
          await ask(`select dispatch.dispatch_result(1, 'abgelehnt', '550 no such user')`)
          expect(await ask(state1)).toEqual([
            { zustand: 'fehlgeschlagen', grund: 'abgelehnt', fehler: '550 no such user' },
          ])
          await ask('update app.versand set naechster = now()')
          expect(await ask(take)).toEqual([])
          await ask(AGAIN)
          await ask(take)
          expect(await ask('select dispatch.begin_dispatch(1, 1) as ja')).toEqual([{ ja: true }])
          expect(await ask('select dispatch.begin_dispatch(1, 1) as ja')).toEqual([{ ja: false }])
          await ask(`select dispatch.dispatch_result(1, '')`)
          expect(
            await ask(
              `select zustand, gesendet_am is not null as am, begonnen_am from app.versand where id = 1`,
            ),
          ).toEqual([{ zustand: 'gesendet', am: true, begonnen_am: null }])
          expect(
            await ask(
              `select gegenstand, gegenstand_id::integer as id, ereignis, inhalt ->> 'an' as an
               from app.protokoll order by nr desc limit 1`,
            ),
          ).toEqual([{ gegenstand: 'rechnung', id: OPEN_A, ereignis: 'versendet', an: 'a@kunde.test' }])
        }))
      test('that was being handed over when the server went down is not sent again: a person is told', () =>
        asPost(async (ask) => {
          await ask(take)
          await ask('select dispatch.begin_dispatch(1, 1)')
          expect(await ask('select * from dispatch.lost_dispatches()')).toEqual([])
          await ask(`update app.versand set naechster = now() - interval '1 second'`)
          expect(await ask(take)).toEqual([])
          expect(await ask('select versand_id::integer as id, an from dispatch.lost_dispatches()')).toEqual([
            { id: 1, an: 'a@kunde.test' },
          ])
          expect(await ask(state1)).toEqual([{ zustand: 'fehlgeschlagen', grund: 'ungewiss', fehler: '' }])
        }))
      test('handed over for long, it is given up later, and arrives all the same', () =>
        asPost(async (ask) => {
          await ask(take)
          // Its document took nine minutes.
          await ask(`update app.versand set naechster = naechster - interval '9 minutes' where id = 1`)
          await ask('select dispatch.begin_dispatch(1, 1)')
          await ask(`update app.versand set naechster = naechster - interval '10 minutes' where id = 1`)
          expect(await ask('select * from dispatch.lost_dispatches()')).toEqual([])
          await ask(`update app.versand set naechster = now() - interval '1 second' where id = 1`)
          expect(await ask('select versand_id::integer as id from dispatch.lost_dispatches()')).toEqual([
            { id: 1 },
          ])
          await ask(`select dispatch.dispatch_result(1, 'abgelehnt', '550', 1)`)
          expect(await ask(state1)).toMatchObject([{ zustand: 'fehlgeschlagen', grund: 'ungewiss' }])
          await ask(`select dispatch.dispatch_result(1, '', '', 1)`)
          expect(await ask(state1)).toEqual([{ zustand: 'gesendet', grund: '', fehler: '' }])
          expect(await ask('select ereignis from app.protokoll order by nr desc limit 1')).toEqual([
            { ereignis: 'versendet' },
          ])
        }))
      test('the result of an attempt says nothing of the next one, which another server has', () =>
        asPost(async (ask) => {
          await ask(take)
          await ask(`update app.versand set naechster = now() where id = 1`)
          expect(await ask(take)).toMatchObject([{ versuch: 2 }])
          await ask('select dispatch.begin_dispatch(1, 2)')
          await ask(`select dispatch.dispatch_result(1, 'spaeter', 'kein Dokument', 1)`)
          expect(await ask('select begonnen_am is null as frei from app.versand where id = 1')).toEqual([
            { frei: false },
          ])
        }))
      test('without a mail server nothing waits', () =>
        asPost(async (ask) => {
          expect(await ask('select dispatch.give_up_dispatches()::integer as n')).toEqual([{ n: 1 }])
          expect(await ask(state1)).toEqual([
            { zustand: 'fehlgeschlagen', grund: 'kein_mailserver', fehler: '' },
          ])
        }))
    })

    describe('files', () => {
      /** Acts as the server's document writer, rolled back at the end. */
      const asWriter = async (
        work: (ask: (text: string) => Promise<Record<string, unknown>[]>) => Promise<void>,
      ) => {
        await engine.api
          .transaction({ role: 'forst_dokument' }, async (tx) => {
            await work(async (text) => (await tx.query({ text })).rows as Record<string, unknown>[])
            throw new Error('back')
          })
          .catch((error: Error) => {
            if (error.message !== 'back') throw error
          })
      }
      const take = 'select art, id::integer as id, versuch from dispatch.take_document()'
      test('of what is missing are ordered, given to one server, and to another once that one has died', () =>
        asWriter(async (ask) => {
          expect(
            Number((await ask('select dispatch.order_missing_documents() as n'))[0]!['n']),
          ).toBeGreaterThan(2)
          expect(await ask('select dispatch.order_missing_documents()::integer as n')).toEqual([{ n: 0 }])
          const given: string[] = []
          for (let row = await ask(take); row.length > 0; row = await ask(take))
            given.push(`${row[0]!['art']} ${row[0]!['id']}`)
          expect(given).toEqual(
            expect.arrayContaining([
              `rechnung ${OPEN_A}`,
              `rechnung ${OPEN_B}`,
              `angebot ${ANGEBOT_A}`,
              `mahnung ${MAHNUNG}`,
            ]),
          )
          expect(new Set(given).size).toBe(given.length)
        }))
      test('that could not be made wait longer each time; the reason is kept for those who see the books', async () => {
        const { owner } = engine
        const minutes = `select fehler, round(extract(epoch from naechster - now()) / 60)::integer as minuten
          from app.dokument_auftrag where id = 1`
        await owner.query(
          `update app.dokument_auftrag set naechster = now() - interval '1 day', versuche = 0, fehler = ''
           where id = 1`,
        )
        const tried = async (fault: string) => {
          await engine.api.transaction({ role: 'forst_dokument' }, (tx) =>
            tx.query({ text: 'select dispatch.document_result(1, $1)', values: [fault] }),
          )
          return (await owner.query(minutes)).rows
        }
        const taken = await engine.api.transaction({ role: 'forst_dokument' }, (tx) =>
          tx.query({ text: take }),
        )
        expect(taken.rows).toEqual([{ art: 'rechnung', id: OPEN_A, versuch: 1 }])
        expect(await tried('Logo\nkaputt')).toEqual([{ fehler: 'Logo kaputt', minuten: 1 }])
        await owner.query('update app.dokument_auftrag set versuche = 9 where id = 1')
        expect(await tried('x')).toEqual([{ fehler: 'x', minuten: 625 }])
        expect(await rowsOf(sql('select fehler from app.dokument_auftrag where id = 1'))).toEqual([
          { fehler: 'x' },
        ])
        expect(await asWhom('kundenadmin', sql('select fehler from app.dokument_auftrag'))).toMatchObject({
          rows: [],
        })
        await owner.query(
          `update app.dokument_auftrag set naechster = now() - interval '1 day', versuche = 0, fehler = ''
           where id = 1`,
        )
      })
      test('are ordered by the issue itself and done with by whoever stores them', () =>
        asWriter(async (ask) => {
          await ask(
            `insert into app.dokument (client_id, rechnung_id, art, dateiname, inhalt, sha256)
             select client_id, id, 'pdf', 'a.pdf', 'x'::bytea, encode(sha256('x'::bytea), 'hex')
             from app.rechnung where id = ${OPEN_A}`,
          )
          expect(await ask(take)).toEqual([])
        }))
      test('of a reminder are ordered as it is made', async () =>
        expect(
          await rowsOf(
            sql(`select app.a_add_mahnung(${OPEN_B}, 1)`),
            sql(
              `select count(*)::integer as n from app.dokument_auftrag a
               join app.mahnung m on m.id = a.mahnung_id where m.rechnung_id = ${OPEN_B}`,
            ),
          ),
        ).toEqual([{ n: 1 }]))
    })
  })
