// Advances and the final invoice of an order: who stops whom, what the final invoice takes off, and what open items,
// turnover tax, DATEV and the overview make of it.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UstRow } from '#contract/ust.ts'
import type { CustomerAccount, OpenItem } from '#contract/zahlung.ts'
import cases from '#domain/abschlag.cases.json' with { type: 'json' }
import { restByRate } from '#domain/abschlag.ts'
import type { Beleg, BelegAmount } from '#domain/beleg.ts'
import { addDays } from '#domain/day.ts'
import { DatabaseFault } from '#server/database/database.ts'
import { bookkeeper } from './bookkeeper.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf } from './world.ts'

const TODAY = officeDay(new Date())
const ago = (days: number): string => addDays(TODAY, -days)
const LINES = [
  { bez: 'Aufnahme', anzahl: '100', einheit: 'ha', ep: '100.00', ust_satz: '19' },
  { bez: 'Karte', anzahl: '1', einheit: 'psch', ep: '1000.00', ust_satz: '7' },
]
const amountsOf = (rows: readonly (readonly string[])[]) =>
  rows.map(([category, rate, basis, tax]) => ({ kategorie: category, satz: rate, basis, steuer: tax }))
const jsonOf = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : value) as T
const told = ({ kategorie, satz, basis, steuer }: BelegAmount) => `${kategorie} ${satz} ${basis} ${steuer}`
const monthOf = (iso: string) => {
  const [year, month] = iso.split('-').map(Number)
  return [`${iso.slice(0, 7)}-01`, new Date(Date.UTC(year!, month!, 0)).toISOString().slice(0, 10)] as const
}

for (const name of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(name))(`advances on ${name}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(name)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const { run, value, json } = bookkeeper(() => engine)
    /** 'done', or field and rule. */
    const refused = async (work: Promise<unknown>): Promise<string> => {
      try {
        await work
        return 'done'
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error
        const number = /"nummer": "([^"]+)"/.exec(error.detail ?? '')?.[1]
        return [error.hint ?? error.message, number].filter(Boolean).join(' ')
      }
    }
    const order = async (lines: object[] = LINES): Promise<number> => {
      const id = Number(await value('app.a_add_offer($1, $2, 19)', w.A, TODAY))
      await value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(lines), id)
      await run('select * from app.a_issue_offer($1)', id)
      await value(`app.a_decide_offer($1, true, 'Frau Wald')`, id)
      return id
    }
    const advance = async (offer: number, percent: string, day: string): Promise<number> =>
      Number(await value('app.a_add_abschlag($1, $2, null, $3, $4)', offer, percent, 'Wie vereinbart.', day))
    const issue = async (id: number, more = false) =>
      (await run<{ nummer: string }>('select nummer from app.a_issue_invoice($1, null, $2)', id, more))[0]!
        .nummer
    const pay = (id: number, day: string, amount: string) =>
      value<number>('app.a_add_payment($1, $2, $3)', id, day, amount)
    const final = async (offer: number, day: string, le_date: string): Promise<number> =>
      Number(await value('app.a_add_schluss($1, null, $2, $3)', offer, day, le_date))
    const belegOf = (id: number) => json<Beleg>(`app.a_get_beleg('rechnung', $1)`, id)
    const stateOf = async (id: number) =>
      (
        await run<{ stand: string; offen: string }>(
          'select stand, offen::text from app.rechnung_liste where id = $1',
          id,
        )
      ).map(({ stand, offen }) => `${stand} ${offen}`)[0]
    const cancel = (id: number, day = TODAY) => run('select * from app.a_cancel_invoice($1, $2)', id, day)
    const ust = async (day: string, ids: readonly number[]) => {
      const rows = await run<UstRow>('select * from app.a_get_ust($1, $2)', ...monthOf(day))
      return rows
        .filter(({ rechnung_id }) => ids.includes(Number(rechnung_id)))
        .map(({ art, kategorie, satz, basis, steuer }) => `${art} ${kategorie} ${satz} ${basis} ${steuer}`)
    }

    describe('the table of cases', () => {
      test('what a payment is by rate', async () => {
        for (const { why, steuern, gezahlt, ergibt } of cases.anteil)
          expect(
            await json(
              'select books.received_by_rate($1::jsonb, $2)',
              JSON.stringify(amountsOf(steuern)),
              gezahlt,
            ),
            why,
          ).toEqual(amountsOf(ergibt))
      })
      test('what the final invoice leaves', async () => {
        for (const { why, steuern, abschlaege, rest } of cases.rest) {
          const beleg = {
            summen: { steuern: amountsOf(steuern) },
            abschlaege: abschlaege.map((one) => ({ steuern: amountsOf(one) })),
          }
          const { rows } = await engine.owner.query<BelegAmount>(
            `select kategorie, satz, basis::text, steuer::text from books.rest_by_rate('${JSON.stringify(beleg)}')`,
          )
          expect(rows, why).toEqual(amountsOf(rest))
        }
      })
    })

    describe('an advance', () => {
      test('is a draft of its own kind, by rate, and uses no quantity of the offer', async () => {
        const offer = await order()
        const id = await advance(offer, '30', TODAY)
        const beleg = await belegOf(id)
        expect(beleg).toMatchObject({ art: 'abschlag', entwurf: true, skonto: [], bezug: { art: 'angebot' } })
        expect(beleg.summen.steuern.map(told)).toEqual(['S 19.00 3000.00 570.00', 'S 7.00 300.00 21.00'])
        expect(beleg.positionen[0]!.bez).toMatch(
          /^Abschlag von 30\u00A0% auf den Auftrag zum Angebot AN-.*, Anteil zu 19/,
        )
        expect(await run('select rest from app.a_get_offer_rest($1)', offer)).toEqual([
          { rest: '100' },
          { rest: '1' },
        ])
        const number = await issue(id)
        expect(number).toMatch(/^RE-/)
        expect(await stateOf(id)).toBe('offen 3891.00')
        expect(await value<string>('rest_brutto::text from app.angebot_liste where id = $1', offer)).toBe(
          '9079.00',
        )
      })
      test('of amounts, and of nothing', async () => {
        const offer = await order()
        const add = (amounts: unknown, percent: string | null = null) =>
          value('app.a_add_abschlag($1, $2, $3::jsonb)', offer, percent, JSON.stringify(amounts))
        const id = Number(await add([{ kategorie: 'S', satz: '7.00', netto: '500.00' }]))
        expect((await belegOf(id)).summen).toMatchObject({ netto: '500.00', steuer: '35.00' })
        expect(await refused(add([{ kategorie: 'S', satz: '16.00', netto: '500.00' }]))).toBe(
          'abschlag_betrag',
        )
        expect(await refused(add([]))).toBe('abschlag_betrag')
        expect(await refused(add([{ kategorie: 'S', satz: '7.00', netto: '5' }], '10'))).toBe(
          'abschlag_betrag',
        )
        expect(await refused(advance(offer, '0', TODAY))).toBe('abschlag_prozent')
        expect(await refused(advance(offer, '100.5', TODAY))).toBe('abschlag_prozent')
      })
      test('needs an order, and does not exceed it by accident', async () => {
        const offer = await order()
        await advance(offer, '60', TODAY)
        expect(await refused(advance(offer, '50', TODAY))).toBe('abschlag_zu_hoch')
        const more = Number(await value('app.a_add_abschlag($1, 50, null, $2, $3, true)', offer, '', TODAY))
        expect(await refused(issue(more))).toBe('abschlag_zu_hoch')
        expect(await refused(issue(more, true))).toBe('done')
        expect(await refused(value('app.a_decide_offer($1, false)', offer))).toBe('angebot_abgerechnet')
        expect(await refused(value('app.a_add_abschlag(999999, 10)'))).not.toBe('done')
        const open = Number(await value('app.a_add_offer($1, $2, 19)', w.A, TODAY))
        expect(await refused(advance(open, '10', TODAY))).toBe('angebot_nicht_angenommen')
      })
      test('takes money only, and no more than it demands', async () => {
        const offer = await order()
        const id = await advance(offer, '10', TODAY)
        await issue(id)
        expect(await refused(value(`app.a_add_payment($1, $2, 10, 'skonto')`, id, TODAY))).toBe(
          'abschlag_nur_geld',
        )
        expect(
          await refused(value(`app.a_add_payment($1, $2, 9999, 'zahlung', '', null, true)`, id, TODAY)),
        ).toBe('abschlag_ueberzahlt')
        expect(await refused(pay(id, TODAY, '1297.00'))).toBe('done')
        expect(await stateOf(id)).toBe('bezahlt 0.00')
      })
    })

    describe('the final invoice', () => {
      test('waits for money, takes off what came, and frees everything when it is cancelled', async () => {
        const offer = await order()
        const first = await advance(offer, '30', TODAY)
        const firstNumber = await issue(first)
        const second = await advance(offer, '10', TODAY)
        const id = await final(offer, TODAY, TODAY)
        expect(await refused(final(offer, TODAY, TODAY))).toBe('schluss_entwurf')
        expect(await refused(issue(id))).toBe('abschlag_entwurf')
        const secondNumber = await issue(second)
        expect(await refused(issue(id))).toBe(`abschlag_offen ${firstNumber}`)
        await pay(first, TODAY, '3891.00')
        expect(await refused(issue(id))).toBe(`abschlag_offen ${secondNumber}`)
        await pay(second, TODAY, '1000.00')
        // The draft has followed.
        const draft = await belegOf(id)
        expect(draft.summen).toMatchObject({
          brutto: '12970.00',
          anzahlung: '4891.00',
          zahlbetrag: '8079.00',
        })
        const number = await issue(id)
        const beleg = await belegOf(id)
        expect(beleg.abschlaege).toMatchObject([
          { nummer: firstNumber, brutto: '3891.00', gezahlt: '3891.00', netto: '3300.00', steuer: '591.00' },
          { nummer: secondNumber, brutto: '1297.00', gezahlt: '1000.00' },
        ])
        expect(beleg.abschlaege![0]!.zahlungen).toEqual([{ datum: TODAY, betrag: '3891.00' }])
        const { rows } = await engine.owner.query<BelegAmount>(
          `select kategorie, satz, basis::text, steuer::text from books.rest_by_rate($1::jsonb)`,
          [JSON.stringify(beleg)],
        )
        expect(rows).toEqual(restByRate(beleg))
        expect(await stateOf(first)).toBe('verrechnet 0.00')
        expect(await stateOf(second)).toBe('verrechnet 0.00')
        expect(await stateOf(id)).toBe('offen 8079.00')

        expect(await refused(cancel(first))).toBe(`abschlag_verrechnet ${number}`)
        expect(await refused(pay(second, TODAY, '297.00'))).toBe(`abschlag_verrechnet_zahlung ${number}`)
        expect(await refused(advance(offer, '1', TODAY))).toBe(`schluss_ausgestellt ${number}`)
        expect(await refused(final(offer, TODAY, TODAY))).toBe(`schluss_ausgestellt ${number}`)
        expect(await refused(value('app.a_copy_invoice($1)', first))).toBe(`schluss_ausgestellt ${number}`)
        const [payment] = await run<{ id: number }>('select id from app.a_get_payments($1)', second)
        expect(await refused(value(`app.a_revoke_payment($1, 'falsch')`, payment!.id))).toBe(
          `abschlag_verrechnet_zahlung ${number}`,
        )

        // What the second advance still claimed is part of the final invoice: nothing is owed twice.
        const items = await run<OpenItem>('select * from app.a_get_offene_posten($1)', TODAY)
        const own = items.filter(({ rechnung_id }) => [first, second, id].includes(Number(rechnung_id)))
        expect(own.map(({ nummer, brutto, bezahlt, offen }) => [nummer, brutto, bezahlt, offen])).toEqual([
          [number, '12970.00', '4891.00', '8079.00'],
        ])
        const account = await json<CustomerAccount>('app.a_get_kundenkonto($1, $2, $3)', w.A, ago(900), TODAY)
        expect(account.zeilen.filter(({ art }) => art === 'verrechnung').map(({ betrag }) => betrag)).toEqual(
          ['-297.00'],
        )
        const all = items.filter(({ client_id }) => Number(client_id) === w.A)
        const owed = all.reduce((sum, { offen }) => sum + Math.round(Number(offen) * 100), 0)
        expect(Math.round(Number(account.ende) * 100)).toBe(owed)

        for (const one of [first, second]) await value('app.a_set_archive_for_rn($1, true)', one)
        await cancel(id)
        expect(await stateOf(first)).toBe('bezahlt 0.00')
        expect(await stateOf(second)).toBe('teilbezahlt 297.00')
        // What is owed again is seen again.
        expect(
          await run('select archiviert from app.rechnung where id in ($1, $2) order by id', first, second),
        ).toEqual([{ archiviert: true }, { archiviert: false }])
        const [storno] = await run<{ id: number }>('select id from app.rechnung where storno_von = $1', id)
        const back = await belegOf(Number(storno!.id))
        expect(back.abschlaege).toMatchObject([
          { gezahlt: '-3891.00', netto: '-3300.00' },
          { gezahlt: '-1000.00' },
        ])
        expect(back.summen).toMatchObject({ anzahlung: '-4891.00', zahlbetrag: '-8079.00' })
        expect(await refused(pay(second, TODAY, '297.00'))).toBe('done')
        const again = await final(offer, TODAY, TODAY)
        expect(await run('select kopie_von, art from app.rechnung where id = $1', again)).toEqual([
          { kopie_von: id, art: 'schluss' },
        ])
        expect((await belegOf(again)).summen.anzahlung).toBe('5188.00')
      })
      test('an advance nobody paid is cancelled first', async () => {
        const offer = await order()
        const paid = await advance(offer, '10', TODAY)
        await issue(paid)
        await pay(paid, TODAY, '1297.00')
        const unpaid = await advance(offer, '20', TODAY)
        await issue(unpaid)
        const id = await final(offer, TODAY, TODAY)
        expect(await refused(issue(id))).toMatch(/^abschlag_offen /)
        await cancel(unpaid)
        expect(await refused(issue(id))).toBe('done')
        expect((await belegOf(id)).abschlaege).toHaveLength(1)
        expect(await stateOf(unpaid)).toBe('storniert 0.00')
      })
      test('gives back what was received beyond the work', async () => {
        const offer = await order([LINES[0]!])
        const id = await advance(offer, '90', TODAY)
        await issue(id)
        await pay(id, TODAY, '10710.00')
        const [line] = await run<{ position_id: number }>(
          'select position_id from app.a_get_offer_rest($1)',
          offer,
        )
        const end = Number(
          await value(
            'app.a_add_schluss($1, $2::jsonb, $3, $3)',
            offer,
            JSON.stringify([{ position_id: line!.position_id, anzahl: '80' }]),
            TODAY,
          ),
        )
        await issue(end)
        expect(await stateOf(end)).toBe('bezahlt -1190.00')
        expect(await refused(pay(end, TODAY, '-1190.01'))).toBe('zahlung_rueck')
        expect(await refused(pay(end, TODAY, '-1190.00'))).toBe('done')
        expect(await stateOf(end)).toBe('bezahlt 0.00')
      })
      test('is what the last invoice of an order with advances has to be', async () => {
        const offer = await order([LINES[0]!])
        const id = await advance(offer, '50', TODAY)
        const number = await issue(id)
        const plain = Number(await value('app.a_convert_offer($1, null, $2, $2)', offer, TODAY))
        expect(await refused(issue(plain))).toBe(`schluss_noetig ${number}`)
      })
    })

    test('a draft names no advance of its own any more', async () => {
      const id = Number(await value('app.a_add_invoice($1, $2, $2, 19)', w.A, TODAY))
      const save = (values: object) =>
        value(`app.a_save_beleg('rechnung', $1, $2::jsonb)`, id, JSON.stringify(values))
      expect(await refused(save({ anzahlung: '100.00' }))).toBe('anzahlung_abschlag')
      expect(await refused(save({ anzahlung: '0.00' }))).toBe('done')
    })

    test('revenue, DATEV and the return of each month', async () => {
      const year = Number(TODAY.slice(0, 4))
      const revenue = async () =>
        (await json<{ umsatz: { netto: string } }>('app.a_get_buchhaltung($1)', year)).umsatz.netto
      const before = Number(await revenue())
      const offer = await order()
      const first = await advance(offer, '30', TODAY)
      await issue(first)
      expect(Number(await revenue())).toBe(before)
      // The money came before the supply, in an earlier month.
      const early = ago(45)
      await pay(first, early, '2000.00')
      await pay(first, TODAY, '1891.00')
      const rows = () => ust(early, [first])
      expect(await rows()).toEqual(['abschlag S 19.00 1542.02 292.98', 'abschlag S 7.00 154.21 10.79'])
      const end = await final(offer, TODAY, TODAY)
      await issue(end)
      expect(Number(await revenue())).toBe(before + 11000)
      expect(await ust(TODAY, [first, end])).toEqual([
        'abschlag S 19.00 1457.98 277.02',
        'abschlag S 7.00 145.79 10.21',
        'schluss S 19.00 7000.00 1330.00',
        'schluss S 7.00 700.00 49.00',
      ])
      const lines = await run<{ zahlung_id: number; nummer: string; betrag: string; anzahlungen: unknown }>(
        `select zahlung_id, nummer, betrag, anzahlungen from app.a_get_datev_zahlungen($1, $2)
         where rechnung_id = $3`,
        early,
        TODAY,
        first,
      )
      // Each counts when it was received.
      const receivedOn = (day: string, amounts: readonly object[]) =>
        amounts.map((one) => ({ ...one, le_date: day, datum: day }))
      expect(lines.map(({ betrag, anzahlungen }) => [betrag, jsonOf(anzahlungen)])).toEqual([
        [
          '2000.00',
          receivedOn(
            early,
            amountsOf([
              ['S', '19.00', '1542.02', '292.98'],
              ['S', '7.00', '154.21', '10.79'],
            ]),
          ),
        ],
        [
          '1891.00',
          receivedOn(
            TODAY,
            amountsOf([
              ['S', '19.00', '1457.98', '277.02'],
              ['S', '7.00', '145.79', '10.21'],
            ]),
          ),
        ],
      ])
      const documents = await run<{ rechnung_id: number; beleg: unknown }>(
        'select rechnung_id, beleg from app.a_get_datev($1, $2)',
        early,
        TODAY,
      )
      expect(documents.some(({ rechnung_id }) => Number(rechnung_id) === first)).toBe(false)
      const booked = jsonOf<{ anzahlungen: BelegAmount[] }>(
        documents.find(({ rechnung_id }) => Number(rechnung_id) === end)!.beleg,
      )
      expect(booked.anzahlungen.map(told)).toEqual(['S 19.00 3000.00 570.00', 'S 7.00 300.00 21.00'])
      // A Storno of the final invoice takes back what it declared; the advance stays as it was received.
      await cancel(end)
      const [storno] = await run<{ id: number }>('select id from app.rechnung where storno_von = $1', end)
      expect(await ust(TODAY, [end, Number(storno!.id)])).toEqual([
        'schluss S 19.00 7000.00 1330.00',
        'schluss S 7.00 700.00 49.00',
        'storno S 19.00 -7000.00 -1330.00',
        'storno S 7.00 -700.00 -49.00',
      ])
      expect(Number(await revenue())).toBe(before)
      // A Storno of the advance alone changes nothing: its money was received. Paying it back does.
      await cancel(first)
      expect(await rows()).toHaveLength(2)
      await pay(first, TODAY, '-3891.00')
      const all = [...(await rows()), ...(await ust(TODAY, [first]))]
      const sum = all.reduce((total, row) => total + Math.round(Number(row.split(' ').at(-1)) * 100), 0)
      expect(sum).toBe(0)
    })

    test('money that came after the supply counts with the supply', async () => {
      const offer = await order([LINES[0]!])
      const id = await advance(offer, '50', TODAY)
      await issue(id)
      await pay(id, TODAY, '5950.00')
      const supplied = ago(45)
      expect(await ust(TODAY, [id])).toEqual(['abschlag S 19.00 5000.00 950.00'])
      const end = await final(offer, TODAY, supplied)
      await issue(end)
      expect(await ust(TODAY, [id, end])).toEqual([])
      expect(await ust(supplied, [id, end])).toEqual([
        'abschlag S 19.00 5000.00 950.00',
        'schluss S 19.00 5000.00 950.00',
      ])
    })

    test('by received consideration the final invoice counts with its own money', async () => {
      const offer = await order()
      const id = await advance(offer, '30', TODAY)
      await issue(id)
      await pay(id, TODAY, '3891.00')
      const end = await final(offer, TODAY, ago(45))
      await issue(end)
      await engine.owner.script(
        `set role forst_betrieb; update app.lieferant set besteuerung = 'ist'; reset role`,
      )
      expect(await ust(ago(45), [id, end])).toEqual([])
      await pay(end, TODAY, '9079.00')
      expect(await ust(TODAY, [id, end])).toEqual([
        'abschlag S 19.00 3000.00 570.00',
        'abschlag S 7.00 300.00 21.00',
        'schluss S 19.00 7000.00 1330.00',
        'schluss S 7.00 700.00 49.00',
      ])
      await engine.owner.script(
        `set role forst_betrieb; update app.lieferant set besteuerung = 'soll'; reset role`,
      )
    })

    test('nobody else writes them', async () => {
      const as = (who: w.IdentityName, text: string) =>
        refused(engine.api.once(asCaller(claimsOf(who)), sql(text)).then(() => undefined))
      expect(await as('kundenadmin', 'select app.a_add_abschlag(1, 10)')).not.toBe('done')
      expect(await as('pruefer', 'select app.a_add_schluss(1)')).not.toBe('done')
    })
    // The last of all: once it is later, nothing can be issued before.
    describe('the day after', () => {
      const LATER = ago(-2)
      const clock = (day: string) =>
        engine.owner.script(
          `create or replace function checks.today() returns date language sql stable
             set search_path = pg_catalog return ${day}`,
        )
      afterAll(() => clock(`(now() at time zone 'Europe/Berlin')::date`))
      test('on a day before the final invoice an advance still demands what it left', async () => {
        const offer = await order()
        const first = await advance(offer, '30', TODAY)
        const second = await advance(offer, '10', TODAY)
        for (const [id, amount] of [
          [first, '3000.00'],
          [second, '1000.00'],
        ] as const) {
          await issue(id)
          await pay(id, TODAY, amount)
        }
        await clock(`'${LATER}'::date`)
        const id = await final(offer, LATER, LATER)
        await issue(id)
        const openOn = async (day: string) =>
          (await run<OpenItem>('select * from app.a_get_offene_posten($1)', day))
            .filter(({ rechnung_id }) => [first, second, id].includes(Number(rechnung_id)))
            .map(({ rechnung_id, offen }) => [Number(rechnung_id), offen])
        expect(await openOn(TODAY)).toEqual([
          [first, '891.00'],
          [second, '297.00'],
        ])
        expect(await openOn(LATER)).toEqual([[id, '8970.00']])
      })
      test('each line of the account has the balance after itself, those of one document too', async () => {
        const { anfang, zeilen } = await json<CustomerAccount>(
          'app.a_get_kundenkonto($1, $2, $3)',
          w.A,
          LATER,
          LATER,
        )
        let balance = Math.round(Number(anfang) * 100)
        for (const { art, betrag, saldo } of zeilen) {
          balance += Math.round(Number(betrag) * 100)
          expect([art, Math.round(Number(saldo) * 100)]).toEqual([art, balance])
        }
        expect(zeilen.map(({ art }) => art).slice(-3)).toEqual(['schluss', 'verrechnung', 'verrechnung'])
      })
    })
  })
