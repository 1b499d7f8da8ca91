// Customers abroad: what their address may be, and how place of supply and numbers of the buyer go from the
// customer to offer, invoice, copy and Storno.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Beleg } from '#domain/beleg.ts'
import { refusalIn } from './attempt.ts'
import { bookkeeper } from './bookkeeper.ts'
import { enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf } from './world.ts'

const TODAY = officeDay(new Date())

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`customers abroad on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const { run, value } = bookkeeper(() => engine)
    const refused = (text: string, ...values: unknown[]) =>
      refusalIn(engine.api, claimsOf('apus_admin'), sql(text, ...values))
    const belegOf = async (art: string, id: number): Promise<Beleg> => {
      const made = await value<Beleg | string>('app.a_get_beleg($1, $2)', art, id)
      return typeof made === 'string' ? (JSON.parse(made) as Beleg) : made
    }
    const moreOf = ({ leistungsort, leistungsland, verweise }: Beleg) => ({
      leistungsort,
      leistungsland,
      verweise,
    })

    test.each([
      ['AT', '1010', null, 'done'],
      ['AT', '01010', null, '23514 plz plz_land'],
      ['NL', '1012 AB', null, 'done'],
      ['JP', '100-0001', null, 'done'],
      ['HK', '', null, 'done'],
      ['JP', '', null, '23514 plz plz_land'],
      ['DE', '', null, '23514 plz plz_land'],
      ['ZZ', '1010', null, '23514 land land'],
      ['AT', '1010', 'Bayern', '23514 bundesland bundesland_land'],
      ['DE', '01067', 'Sachsen', 'done'],
      ['DE', '1010', null, '23514 plz plz_land'],
    ])('an address of %s with the postcode %s and the state %s: %s', async (land, plz, state, outcome) => {
      expect(
        await refused(
          `insert into app.kunde (name, strasse, plz, ort, land, bundesland)
           values ('Fern', 'Weg 1', $1, 'Ort', $2, $3)`,
          plz,
          land,
          state,
        ),
      ).toBe(outcome)
    })

    test('a customer without a postcode is reached where the post has none', async () => {
      await engine.owner.query(
        `insert into app.kunde (name, strasse, plz, ort, land)
         values ('Fern', '1 Nathan Road', '', 'Kowloon', 'HK'), ('Wien', 'Weg 1', '1010', 'Wien', 'AT')`,
        [],
      )
      const found = await engine.owner.query<{ ort: string }>(
        `select books.present_address(k.client_id) ->> 'ort' as ort from app.kunde k
         where k.name in ('Fern', 'Wien') order by ort`,
      )
      expect(found.rows).toEqual([{ ort: 'Kowloon' }, { ort: 'Wien' }])
      await engine.owner.query(`delete from app.kunde where name in ('Fern', 'Wien')`, [])
    })

    test('the customer’s place and numbers hold until a document has its own', async () => {
      await value(`app.a_set_lieferant('{"ust_id": "DE136695976"}')`)
      await run(`update app.kunde set land = 'AT', plz = '1010', bundesland = null where client_id = $1`, w.A)
      const set = (fieldValues: object) =>
        value('app.a_set_kunde_rechnung($1, $2::jsonb)', w.A, JSON.stringify(fieldValues))
      await set({
        ust_id: 'ATU13585627',
        leistungsort: 'grundstueck_ausland',
        leistungsland: 'AT',
        kaeufer_ref: ' K-1 ',
        vertrag_nr: 'V-1',
      })
      const offer = Number(await value('app.a_add_offer($1, $2, 19)', w.A, TODAY))
      expect(moreOf(await belegOf('angebot', offer))).toEqual({
        leistungsort: 'grundstueck_ausland',
        leistungsland: 'AT',
        verweise: { kaeufer_ref: 'K-1', vertrag_nr: 'V-1' },
      })
      // What belongs to land abroad goes with it.
      await set({ leistungsort: 'grundstueck_inland' })
      const own = {
        leistungsort: 'kein_grundstueck',
        leistungsland: 'AT',
        kaeufer_ref: 'K-2',
        projekt_nr: 'P-2',
        vergabe_nr: 'L-2',
        objekt_nr: 'O-2',
      }
      const lines = [{ bez: 'Beratung', anzahl: '2', ep: '100', kategorie: 'AE', ust_satz: '0' }]
      await value(
        `app.a_save_beleg('angebot', $1, $2::jsonb, $3::jsonb)`,
        offer,
        JSON.stringify(own),
        JSON.stringify(lines),
      )
      const wanted = {
        leistungsort: 'kein_grundstueck',
        leistungsland: null,
        verweise: {
          kaeufer_ref: 'K-2',
          projekt_nr: 'P-2',
          vertrag_nr: 'V-1',
          vergabe_nr: 'L-2',
          objekt_nr: 'O-2',
        },
      }
      expect(moreOf(await belegOf('angebot', offer))).toEqual(wanted)
      await run('select * from app.a_issue_offer($1)', offer)
      await value(`app.a_decide_offer($1, true, 'Kunde', '', null)`, offer)
      const invoice = Number(await value('app.a_convert_offer($1, null, $2, $2)', offer, TODAY))
      expect(moreOf(await belegOf('rechnung', invoice))).toEqual(wanted)
      await run('select * from app.a_issue_invoice($1)', invoice)
      const [storno] = await run<{ id: number }>('select id from app.a_cancel_invoice($1)', invoice)
      expect(moreOf(await belegOf('storno', Number(storno!.id)))).toEqual(wanted)
      const copy = Number(await value('app.a_copy_invoice($1)', invoice))
      expect(moreOf(await belegOf('rechnung', copy))).toEqual(wanted)
      const [row] = await run<{ leistungsort: string; projekt_nr: string }>(
        'select leistungsort, projekt_nr from app.a_get_invoice_details($1)',
        copy,
      )
      expect(row).toEqual({ leistungsort: 'kein_grundstueck', projekt_nr: 'P-2' })

      // An issued document stays as it was; the copy follows what is known now.
      await set({ ust_id: '' })
      expect(await refused('select * from app.a_issue_invoice($1)', copy)).toBe(
        '23514 empfaenger.ust_id reverse_charge_empfaenger',
      )
      expect((await belegOf('rechnung', invoice)).empfaenger.ust_id).toBe('ATU13585627')
    })
  })
