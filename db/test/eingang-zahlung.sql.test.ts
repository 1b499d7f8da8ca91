// Payments of received invoices, by hand and from the bank, and the files of credit transfers that pay them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#domain/day.ts'
import { isTargetDay, targetDayFrom } from '#domain/sepa/target-day.ts'
import type { Statement } from '#server/database/database.ts'
import { asCaller, attempt, refusalIn, rowsOf } from './attempt.ts'
import {
  EINGANG,
  EINGANG_OK,
  EINGANG_PAID,
  EINGANG_RUN,
  EINGANG_ZAHLUNG,
  KREDITOR,
  ZAHLLAUF,
} from './cells/eingang.ts'
import { OPEN_A } from './cells/zahlung.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf } from './world.ts'

const IBAN = 'DE75512108001245126199'
const OTHER = 'DE89370400440532013000'
/** A credit note over 119.00, one with nothing to pay, and one whose account is another than the supplier's. */
const [CREDIT, NOTHING, FORGED] = [81, 82, 83]

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`payments of received invoices on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const values = `kreditor_id, name, dateiname, inhalt, format, geprueft, datum, netto, steuer, brutto`
      const row = (id: number, more: string, last: string) =>
        `insert into app.eingang (id, ${values}, nummer, zahlbetrag, zustand, entschieden_am, iban) values
          (${id}, ${KREDITOR}, 'Baumschule Ost', '${id}.xml', '${id}', 'cii', 'x', '2026-02-01', ${more}, 'N-${id}',
            ${last})`
      await engine.owner.script(
        [
          row(CREDIT, '-100, -19, -119', `-119, 'freigegeben', now(), ''`),
          row(NOTHING, '100, 19, 119', `0, 'neu', null, ''`),
          row(FORGED, '100, 19, 119', `119, 'freigegeben', now(), '${OTHER}'`),
          `insert into app.lieferant (name, strasse, plz, ort, iban, bic, kontoinhaber)
             values ('V & Söhne', 'W 1', '37073', 'G', '${OTHER}', '', 'V & Söhne GbR')
             on conflict (eines) do update set iban = excluded.iban, kontoinhaber = excluded.kontoinhaber`,
        ].join(';'),
      )
    })
    afterAll(() => engine?.close())
    /** All in one transaction that is undone; the rows of the last statement. */
    const run = async (...statements: Statement[]) =>
      rowsOf(await attempt(engine.api, claimsOf('apus_admin'), ...statements))
    const refusal = (...statements: Statement[]) =>
      refusalIn(engine.api, claimsOf('apus_admin'), ...statements)
    const pay = (id: number, amount: number | string, more = '') =>
      sql(`select app.a_add_eingang_zahlung($1, '2026-03-10', $2${more})::integer as id`, id, amount)
    const takeBack = (reason = 'Irrtum', which = 'true') =>
      sql(
        `select app.a_revoke_eingang_zahlung((select max(id) from app.eingang_zahlung where gegen_id is null
           and art = 'zahlung' and ${which}), $1)`,
        reason,
      )
    const state = (id: number) =>
      sql(`select zustand, offen::text, bezahlt_am::text from app.eingang_liste where id = $1`, id)
    const bank = (amount: string, part: object = {}) =>
      sql(
        `select app.a_import_bank($1)`,
        JSON.stringify([
          { konto: OTHER, datum: '2026-03-11', betrag: amount, name: 'Baumschule Ost', zweck: 'x', ...part },
        ]),
      )
    const UMSATZ = `(select max(id) from app.kontoumsatz)`
    const match = (amount: string | null, part: object) =>
      sql(
        `select app.a_match_bank_all(jsonb_build_array($1::jsonb || jsonb_build_object('umsatz_id', ${UMSATZ})))`,
        JSON.stringify({ ...(amount !== null && { betrag: amount }), ...part }),
      )
    const umsatz = sql(
      `select stand, rest::text, nummern, erledigt from app.kontoumsatz_liste where id = ${UMSATZ}`,
    )

    describe('a new supplier', () => {
      const arrive = (id: number, sender: string) =>
        engine.owner.script(`begin; set local role forst_betrieb;
          insert into app.eingang (id, name, ust_id, iban, dateiname, inhalt, format, geprueft, datum, netto,
            steuer, brutto, nummer, zahlbetrag)
          values (${id}, 'Pflanzen ${id}', ${sender}, 'n.xml', 'n${id}', 'cii', 'x', '2026-02-01', 100, 19, 119,
            'N-${id}', 119);
          commit`)
      const decide = (id: number) => sql('select app.a_decide_eingang($1, 1, true)', id)
      test.each([
        ['VAT id', 84, `'DE136695976', ''`, `'DE136695976', '${IBAN}'`],
        ['account', 86, `'', 'DE02120300000000202051'`, `'', 'DE02120300000000202051'`],
      ])(
        'is added once, whichever of two invoices is approved first: its %s',
        async (_what, id, one, two) => {
          await arrive(id, one)
          await arrive(id + 1, two)
          const senders = sql(
            'select count(distinct kreditor_id)::integer as n from app.eingang where id in ($1, $2)',
            id,
            id + 1,
          )
          expect(await run(decide(id), decide(id + 1), senders)).toEqual([{ n: 1 }])
          expect(await run(decide(id + 1), decide(id), senders)).toEqual([{ n: 1 }])
        },
      )
    })

    describe('by hand', () => {
      test('in parts: open until the last one, paid on its day', async () => {
        expect(await run(pay(EINGANG_OK, 19), state(EINGANG_OK))).toEqual([
          { zustand: 'freigegeben', offen: '100.00', bezahlt_am: null },
        ])
        expect(await run(pay(EINGANG_OK, 19), pay(EINGANG_OK, '100.00'), state(EINGANG_OK))).toEqual([
          { zustand: 'bezahlt', offen: '0.00', bezahlt_am: '2026-03-10' },
        ])
      })
      test('with cash discount: the rest is deducted, as a booking of its own', async () => {
        const lines = sql(`select art, betrag, zurueck from app.a_get_eingang_zahlungen($1)`, EINGANG_OK)
        expect(await run(pay(EINGANG_OK, '116.62', ', true'), lines)).toEqual([
          { art: 'zahlung', betrag: '116.62', zurueck: false },
          { art: 'skonto', betrag: '2.38', zurueck: false },
        ])
        expect(await run(pay(EINGANG_OK, 119, ', true'), lines)).toHaveLength(1)
      })
      test.each([
        ['nothing', '0', '', '23514 betrag zahlung_null'],
        ['not a number', 'NaN', '', '23514 betrag zahlung_null'],
        ['more than is open', '119.01', '', '23514 betrag zahlung_zu_hoch'],
        ['a third of a cent', '1.001', '', '23514 betrag betrag_stellen'],
        ['money back that was never paid', '-1', '', '23514 betrag zahlung_rueck'],
        ['a line too long', '1', `, false, repeat('a', 501)`, '23514 bemerkung zeile_500'],
      ])('%s is refused', async (_what, amount, more, wanted) =>
        expect(await refusal(pay(EINGANG_OK, amount, more))).toBe(wanted),
      )
      test('nothing that is not approved, and not tomorrow', async () => {
        expect(await refusal(pay(EINGANG, 1))).toBe('PT409 - eingang_zustand')
        expect(
          await refusal(sql(`select app.a_add_eingang_zahlung($1, checks.today() + 1, 1)`, EINGANG_OK)),
        ).toBe('23514 datum zahlung_datum')
      })
      test('too much is possible if it is said, and comes back in parts', async () => {
        const more = pay(EINGANG_OK, 150, `, false, '', true`)
        expect(await run(more, state(EINGANG_OK))).toEqual([
          { zustand: 'bezahlt', offen: '-31.00', bezahlt_am: '2026-03-10' },
        ])
        expect(await run(more, pay(EINGANG_OK, -31), state(EINGANG_OK))).toMatchObject([{ offen: '0.00' }])
        expect(await refusal(more, pay(EINGANG_OK, '-150.01'))).toBe('23514 betrag zahlung_rueck')
        expect(await refusal(more, pay(EINGANG_OK, -31), takeBack('Irrtum', 'betrag = 150'))).toBe(
          'PT409 - zahlung_rueck_zuerst',
        )
      })
      test('money that came back earlier than it was paid is refused', async () =>
        expect(
          await refusal(
            pay(EINGANG_OK, 119),
            sql(`select app.a_add_eingang_zahlung($1, '2026-03-09', -1)`, EINGANG_OK),
          ),
        ).toBe('23514 betrag zahlung_rueck'))
      test('taken back with its reason, once', async () => {
        expect(await run(pay(EINGANG_OK, 119), takeBack(), state(EINGANG_OK))).toEqual([
          { zustand: 'freigegeben', offen: '119.00', bezahlt_am: null },
        ])
        expect(await refusal(pay(EINGANG_OK, 119), takeBack(' '))).toBe('23514 grund fehlt')
        expect(await refusal(pay(EINGANG_OK, 119), takeBack(), takeBack())).toBe('PT409 - zahlung_zurueck')
      })
      test('what was paid twice comes back in parts', async () => {
        const twice = [pay(EINGANG_OK, 119), pay(EINGANG_OK, 119, ', ueberzahlung => true')]
        expect(await run(...twice, pay(EINGANG_OK, -100), state(EINGANG_OK))).toMatchObject([
          { offen: '-19.00' },
        ])
        expect(
          await run(...twice, pay(EINGANG_OK, -100), pay(EINGANG_OK, -19), state(EINGANG_OK)),
        ).toMatchObject([{ zustand: 'bezahlt', offen: '0.00' }])
        expect(await refusal(...twice, pay(EINGANG_OK, '-238.01'))).toBe('23514 betrag zahlung_rueck')
      })
      test('a credit note is settled by money that comes in', async () => {
        expect(await run(pay(CREDIT, '-119'), state(CREDIT))).toEqual([
          { zustand: 'bezahlt', offen: '0.00', bezahlt_am: '2026-03-10' },
        ])
        expect(await refusal(pay(CREDIT, '-119.01'))).toBe('23514 betrag zahlung_zu_hoch')
        expect(await refusal(pay(CREDIT, '1'))).toBe('23514 betrag zahlung_rueck')
      })
      test('with nothing to pay it is paid by its approval, which can be taken back', async () => {
        const decide = (version: number, approved: boolean | null) =>
          sql(`select app.a_decide_eingang($1, $2, $3)`, NOTHING, version, approved)
        const deductible = sql(`select app.a_save_eingang($1, 1, '{"vorsteuer_betrag": "19.00"}')`, NOTHING)
        expect(await refusal(decide(1, true))).toBe('23514 vorsteuer_betrag eingang_abschlaege')
        expect(await run(deductible, decide(2, true), state(NOTHING))).toEqual([
          { zustand: 'bezahlt', offen: '0.00', bezahlt_am: '2026-02-01' },
        ])
        expect(await run(deductible, decide(2, true), decide(3, null), state(NOTHING))).toMatchObject([
          { zustand: 'neu', bezahlt_am: null },
        ])
      })
      test('the approval of what was paid in part stays', async () =>
        expect(
          await refusal(pay(EINGANG_OK, 19), sql('select app.a_decide_eingang($1, 2, null)', EINGANG_OK)),
        ).toBe('PT409 - eingang_zustand'))
      test('an earlier version noted the day alone: the payment is added at the start', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           insert into app.eingang (id, kreditor_id, name, dateiname, inhalt, format, geprueft, datum, netto, steuer,
             brutto, nummer, zahlbetrag, zustand, entschieden_am, bezahlt_am)
           values (90, ${KREDITOR}, 'x', 'x', 'früher', 'pdf', 'x', '2026-02-01', 100, 19, 119, 'F-1', 119, 'bezahlt',
             now(), '2026-02-20');
           set local role forst_definer; select books.adopt_paid_eingang(); select books.adopt_paid_eingang(); commit`,
        )
        expect(
          await run(
            sql(
              `select p.betrag::text, p.datum::text, e.bezahlt::text, e.zustand from app.eingang_zahlung p
                 join app.eingang e on e.id = p.eingang_id where e.id = 90`,
            ),
          ),
        ).toEqual([{ betrag: '119.00', datum: '2026-02-20', bezahlt: '119.00', zustand: 'bezahlt' }])
        expect(await run(state(EINGANG_PAID))).toMatchObject([{ zustand: 'bezahlt', offen: '0.00' }])
      })
    })

    describe('from the bank', () => {
      test('an entry pays it; undone, both are open again', async () => {
        const paid = [bank('-119'), match(null, { eingang_id: EINGANG_OK })] as const
        expect(await run(...paid, umsatz)).toEqual([
          { stand: 'zugeordnet', rest: '0.00', nummern: 'E-2', erledigt: true },
        ])
        expect(await run(...paid, state(EINGANG_OK))).toMatchObject([
          { zustand: 'bezahlt', bezahlt_am: '2026-03-11' },
        ])
        const undo = sql(`select app.a_unmatch_bank(${UMSATZ}, 'Irrtum')`)
        expect(await run(...paid, undo, umsatz)).toEqual([
          { stand: 'offen', rest: '-119.00', nummern: '', erledigt: false },
        ])
        expect(await run(...paid, undo, state(EINGANG_OK))).toMatchObject([{ offen: '119.00' }])
      })
      test('a part, the rest as cash discount, and what is left of the entry', async () => {
        const part = [bank('-150'), match('-116.62', { eingang_id: EINGANG_OK, skonto: true })] as const
        expect(await run(...part, umsatz)).toMatchObject([{ stand: 'teilweise', rest: '-33.38' }])
        expect(await run(...part, state(EINGANG_OK))).toMatchObject([{ zustand: 'bezahlt', offen: '0.00' }])
      })
      test('one entry pays a received invoice and gives back what a customer paid', async () =>
        expect(
          await run(
            sql(`select app.a_add_payment(${OPEN_A}, '2026-03-10', 1)`),
            bank('-120'),
            match('-119', { eingang_id: EINGANG_OK }),
            match('-1', { rechnung_id: OPEN_A }),
            umsatz,
          ),
        ).toMatchObject([{ stand: 'zugeordnet', rest: '0.00', erledigt: true }]))
      test.each([
        ['money that came in', '119', '119', '23514 betrag zahlung_rueck', EINGANG_OK],
        ['more than the entry', '-119', '-119.01', 'PT409 - umsatz_verbraucht', EINGANG_OK],
        ['more than is open', '-120', '-120', '23514 betrag zahlung_zu_hoch', EINGANG_OK],
        ['not approved', '-119', '-119', 'PT409 - eingang_zustand', EINGANG],
      ])('%s is refused', async (_what, entry, amount, wanted, id) => {
        expect(await refusal(bank(entry), match(amount, { eingang_id: id }))).toBe(wanted)
      })
      test('an assignment names one invoice, of ours or received', async () => {
        expect(await refusal(bank('-119'), match('-119', {}))).toBe('23514 zuordnungen zuordnungen')
        expect(
          await refusal(bank('-119'), match('-119', { eingang_id: EINGANG_OK, rechnung_id: OPEN_A })),
        ).toBe('23514 zuordnungen zuordnungen')
      })
      test('money that comes in settles a credit note', async () =>
        expect(await run(bank('119'), match(null, { eingang_id: CREDIT }), state(CREDIT))).toMatchObject([
          { zustand: 'bezahlt', offen: '0.00' },
        ]))
    })

    describe('files for the bank', () => {
      const DAY = targetDayFrom(addDays(new Date().toISOString().slice(0, 10), 2))
      const order = (part: object = {}) => ({ eingang_id: EINGANG_OK, betrag: '119.00', iban: IBAN, ...part })
      const add = (posten: unknown, tag: string = DAY) =>
        sql('select app.a_add_zahllauf($1, $2)::integer as id', JSON.stringify(posten), tag)
      const payable = sql('select eingang_id::integer, iban, bekannt, offen from app.a_get_zahlbare()')
      const withdraw = sql(
        `select app.a_revoke_zahllauf((select max(id) from app.zahllauf), 'nicht abgegeben')`,
      )
      const ordered = (id: number) => sql('select angewiesen::text from app.eingang_liste where id = $1', id)
      test('what is approved and open is offered until a file pays it, and again after that is withdrawn', async () => {
        const ids = (rows: Record<string, unknown>[]) => rows.map(({ eingang_id }) => eingang_id)
        expect(ids(await run(payable))).toEqual(expect.arrayContaining([EINGANG_OK, FORGED]))
        expect(ids(await run(payable))).not.toEqual(expect.arrayContaining([EINGANG_RUN]))
        expect(ids(await run(payable))).not.toEqual(expect.arrayContaining([CREDIT]))
        expect(ids(await run(add([order()]), payable))).not.toEqual(expect.arrayContaining([EINGANG_OK]))
        expect(ids(await run(add([order()]), withdraw, payable))).toEqual(
          expect.arrayContaining([EINGANG_OK]),
        )
        expect(await refusal(add([order()]), add([order()]))).toBe('PT409 - zahllauf_rechnung')
        expect(await refusal(add([order()]), withdraw, withdraw)).toBe('PT409 - zahllauf_zurueck')
      })
      test('it has our account, its lines and their sum; nothing is paid by it', async () => {
        const [made] = await run(
          add([order({ betrag: '116.62', skonto: true }), order({ eingang_id: FORGED, iban: OTHER })]),
          sql(
            `select name, iban, anzahl, summe, offen, zeilen::text from app.a_get_zahllaeufe()
               order by id desc limit 1`,
          ),
        )
        expect(made).toMatchObject({
          name: 'V & Söhne GbR',
          iban: OTHER,
          anzahl: 2,
          summe: '235.62',
          offen: 2,
        })
        expect(JSON.parse(String(made!['zeilen']))).toMatchObject([
          { nummer: 'E-2', betrag: '116.62', skonto: '2.38', iban: IBAN },
          { nummer: `N-${FORGED}`, betrag: '119.00', skonto: '0.00', iban: OTHER },
        ])
        expect(await run(add([order()]), state(EINGANG_OK))).toMatchObject([{ zustand: 'freigegeben' }])
      })
      describe('a line and the bank', () => {
        /** The world's file pays this invoice on March 2nd. */
        const carry = (day = '2026-03-02') => [
          bank('-119', { datum: day }),
          match(null, { eingang_id: EINGANG_RUN }),
        ]
        const undo = sql(`select app.a_unmatch_bank(${UMSATZ}, 'falsch')`)
        const open = sql('select offen from app.a_get_zahllaeufe() where id = $1', ZAHLLAUF)
        const offered = async (...statements: Statement[]) =>
          (await run(...statements, payable)).some(({ eingang_id }) => eingang_id === EINGANG_RUN)
        test('its entry carries it out; what comes back can be paid again', async () => {
          expect(await run(...carry(), open)).toEqual([{ offen: 0 }])
          expect(await run(...carry(), ordered(EINGANG_RUN))).toEqual([{ angewiesen: null }])
          const back = [
            bank('119', { datum: '2026-03-12', zweck: 'Konto erloschen' }),
            match(null, { eingang_id: EINGANG_RUN }),
          ]
          expect(await run(...carry(), ...back, open)).toEqual([{ offen: 0 }])
          expect(await offered(...carry(), ...back)).toBe(true)
        })
        test('an entry before its day is another one', async () =>
          expect(await run(...carry('2026-03-01'), open)).toEqual([{ offen: 1 }]))
        test('a wrong assignment that was undone leaves it with the bank: nobody is paid twice', async () => {
          expect(await run(...carry(), undo, open)).toEqual([{ offen: 1 }])
          expect(await offered(...carry(), undo)).toBe(false)
          expect(await run(...carry(), undo, ...carry('2026-03-03'), open)).toEqual([{ offen: 0 }])
        })
      })
      test.each([
        ['no order', [], '23514 posten zahllauf_zahl'],
        ['no list', {}, '23514 posten zahllauf_zahl'],
        [
          'too many',
          Array.from({ length: 1001 }, (_, at) => order({ eingang_id: at + 1 })),
          '23514 posten zahllauf_zahl',
        ],
        ['one twice', [order(), order()], '23514 posten zahllauf_posten'],
        ['an amount that is none', [order({ betrag: '1,5' })], '23514 posten zahllauf_posten'],
        ['nothing', [order({ betrag: '0' })], 'PT409 - zahllauf_rechnung'],
        ['more than is open', [order({ betrag: '119.01' })], 'PT409 - zahllauf_rechnung'],
        ['an account that nobody names', [order({ iban: OTHER })], 'PT409 - zahllauf_rechnung'],
        ['a credit note', [order({ eingang_id: CREDIT, betrag: '1' })], 'PT409 - zahllauf_rechnung'],
        ['not approved', [order({ eingang_id: EINGANG })], 'PT409 - zahllauf_rechnung'],
      ])('%s is refused', async (_what, posten, wanted) => expect(await refusal(add(posten))).toBe(wanted))
      test('only on a day on which banks book, and not in the past', async () => {
        const sunday = [0, 1, 2, 3, 4, 5, 6].map((n) => addDays(DAY, n)).find((day) => !isTargetDay(day))!
        expect(await refusal(add([order()], sunday))).toBe('23514 tag zahllauf_tag')
        expect(await refusal(add([order()], addDays(DAY, -9)))).toBe('23514 tag zahllauf_tag')
        expect(await refusal(add([order()], addDays(DAY, 400)))).toBe('23514 tag zahllauf_tag')
      })
      test('each transfer has its own day, the file that of the first; the bank’s sums are by day', async () => {
        const later = targetDayFrom(addDays(DAY, 1))
        const two = add([order({ tag: later }), order({ eingang_id: FORGED, iban: OTHER })])
        const [made] = await run(
          two,
          sql(`select tag::text, zeilen::text from app.a_get_zahllaeufe() order by id desc limit 1`),
        )
        expect(made).toMatchObject({ tag: DAY })
        expect(JSON.parse(String(made!['zeilen']))).toMatchObject([{ tag: later }, { tag: DAY }])
        const days = sql(
          `select eingang_id::integer as id, posten_tag::text as tag from app.a_get_bank_eingang()
             where eingang_id in ($1, $2) order by 2`,
          EINGANG_OK,
          FORGED,
        )
        expect((await run(two, days)).map(({ tag }) => tag)).toEqual([DAY, later])
        expect(await run(two, ordered(EINGANG_OK))).toEqual([{ angewiesen: later }])
        expect(await run(two, withdraw, ordered(EINGANG_OK))).toEqual([{ angewiesen: null }])
        const sunday = [0, 1, 2, 3, 4, 5, 6].map((n) => addDays(DAY, n)).find((day) => !isTargetDay(day))!
        expect(await refusal(add([order({ tag: sunday })]))).toBe('23514 tag zahllauf_tag')
        expect(await refusal(add([order({ tag: 'morgen' })]))).toBe('23514 posten zahllauf_posten')
      })
      test('a refusal names the invoices that cannot be paid so', async () => {
        const both = [order(), order({ eingang_id: FORGED, iban: IBAN, betrag: '120.00' })]
        await expect(engine.api.once(asCaller(claimsOf('apus_admin')), add(both))).rejects.toMatchObject({
          hint: 'zahllauf_rechnung',
          detail: `{"nummern": "N-${FORGED}"}`,
        })
      })
      test('the digest of the first download stays', async () => {
        const note = (letter: string) =>
          sql(`select app.a_set_zahllauf_datei($1, repeat($2, 64)) as same`, ZAHLLAUF, letter)
        expect(await run(note('a'), note('a'))).toEqual([{ same: true }])
        expect(await run(note('a'), note('b'))).toEqual([{ same: false }])
      })
      test('an invoice in a file keeps its approval', async () =>
        expect(await refusal(sql('select app.a_decide_eingang($1, 1, null)', EINGANG_RUN))).toBe(
          'PT409 - eingang_zahllauf',
        ))
      test('bookings and files are final for every role', async () => {
        // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
        for (const text of [
          `update app.eingang_zahlung set betrag = 1 where id = ${EINGANG_ZAHLUNG}`,
          `delete from app.eingang_zahlung where id = ${EINGANG_ZAHLUNG}`,
          `update app.zahlposten set iban = '${OTHER}' where lauf_id = ${ZAHLLAUF}`,
          `delete from app.zahlposten where lauf_id = ${ZAHLLAUF}`,
          `update app.zahllauf set summe = 1 where id = ${ZAHLLAUF}`,
        ]) {
          await expect(
            engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`),
            text,
          ).rejects.toMatchObject({ hint: 'ausgestellt' })
          await engine.owner.script('rollback')
        }
      })
    })
  })
