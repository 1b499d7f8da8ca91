// The specification's bookkeeping calls over HTTP, exactly as written there, and what is recorded about
// attempts on issued documents; on both engines.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noteRefusal } from '#server/refusals.ts'
import { RECHNUNG_A } from './cells/buchhaltung.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from './engines.ts'
import { type ListeningApi, listenToApi } from './listening-api.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

type Row = Record<string, unknown>

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`bookkeeping calls on ${engineName}`, () => {
    let engine: Engine
    let api: ListeningApi
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      api = await listenToApi(engine.api, { noteRefusal })
    })
    afterAll(async () => {
      api?.close()
      await engine?.close()
    })
    async function call(who: string, method: string, path: string, body?: unknown) {
      const answer = await fetch(`${api.address}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${who}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as unknown }
    }
    const rpc = async <T>(name: string, body: unknown = {}): Promise<T> => {
      const { status, body: answer } = await call('apus_admin', 'POST', `/rpc/${name}`, body)
      if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(answer)}`)
      return answer as T
    }
    const today = officeDay(new Date())

    test('an invoice from its first call to its last, ids and rates as text', async () => {
      const id = String(
        await rpc<number>('a_add_invoice', {
          client_id: String(w.A),
          rn_datum: today,
          le_date: '2026-01-31',
          ust_satz: '19',
        }),
      )
      const line = await rpc<number>('a_insert_position', {
        anzahl: '2.5',
        bez: 'Vermessung',
        einheit: 'h',
        ep: '80.5',
        lfd_nr: '1',
        rechnung_id: id,
        angebot_id: null,
        erl: null,
        erl_on: null,
        erl_titel: null,
      })
      await rpc('a_update_position', {
        id: String(line),
        anzahl: 3,
        bez: 'Vermessung',
        einheit: 'h',
        ep: 80.5,
        lfd_nr: 1,
        rechnung_id: id,
        angebot_id: null,
        erl: 'im Wald',
        erl_on: 'false',
        erl_titel: null,
      })
      await rpc('a_update_invoice_details', {
        bearbeiter: 'Frau Muster',
        le_date: '2026-01-31',
        rn_datum: today,
        invoice_id: id,
        anrede: 'Guten Tag',
        anschreiben: 'Zeile\r\nzwei',
        zuerl: null,
        ust_satz: '19.00',
      })
      await rpc('a_set_client_for_invoice', { client_id: String(w.B), rechnung_id: id })
      const [details] = await rpc<Row[]>('a_get_invoice_details', { invoice_id: id })
      expect(details).toMatchObject({
        id: Number(id),
        client_id: w.B,
        kunde: 'Forst B',
        bearbeiter: 'Frau Muster',
        anrede: 'Guten Tag',
        anschreiben: 'Zeile\nzwei',
        zuerl: '',
        ust_satz: '19.00',
        netto: '241.50',
        brutto: '287.39',
        nummer: null,
      })
      expect(await rpc<Row[]>('a_get_invoice_positions', { invoice_id: id })).toMatchObject([
        {
          id: line,
          anzahl: '3',
          ep: '80.50',
          erl: 'im Wald',
          erl_on: false,
          erl_titel: '',
          betrag: '241.50',
        },
      ])
      expect((await rpc<Row[]>('a_get_invoices')).find((row) => row['id'] === Number(id))).toMatchObject({
        kunde: 'Forst B',
        stand: 'entwurf',
      })
      expect(await rpc('a_get_min_rn_datum_for_new_invoice')).toBe('2026-01-05')
      expect(await rpc('a_get_minmax_rn_datum', { rn_datum: today })).toEqual([
        { min: '2026-01-05', max: today },
      ])
      const [issued] = await rpc<{ nummer: string; rn_datum: string }[]>('a_issue_invoice', {
        invoice_id: id,
      })
      expect(issued).toEqual({ nummer: 'RE-2026-0003', rn_datum: today })
      const [storno] = await rpc<{ id: number; nummer: string }[]>('a_cancel_invoice', {
        invoice_id: id,
        grund: 'Irrtum',
      })
      expect(storno?.nummer).toBe('RE-2026-0004')
      expect(await rpc('a_set_archive_for_rn', { invoice_id: id })).toBe(true)
      const { body: list } = await call(
        'apus_admin',
        'GET',
        `/rechnung_liste?select=id,stand,brutto,archiviert&client_id=eq.${w.B}&order=folge.desc&limit=2`,
      )
      expect(list).toEqual([
        { id: storno?.id, stand: 'storno', brutto: -287.39, archiviert: false },
        { id: Number(id), stand: 'storniert', brutto: 287.39, archiviert: true },
      ])
    })
    test('an offer from its first call to its invoice', async () => {
      const id = String(
        await rpc<number>('a_add_offer', { client_id: String(w.A), an_datum: today, ust_satz: '19' }),
      )
      await rpc('a_insert_position', {
        anzahl: '10',
        bez: 'Drän',
        einheit: 'm',
        ep: '5',
        lfd_nr: 1,
        rechnung_id: null,
        angebot_id: id,
        erl: null,
        erl_on: null,
        erl_titel: null,
      })
      const written = {
        bearbeiter: 'x',
        an_datum: today,
        offer_id: id,
        anrede: '',
        anschreiben: '',
        zuerl: '',
        ust_satz: '19',
      }
      await rpc('a_update_offer_details', { ...written, status: 'entwurf', sign: 'false' })
      await rpc('a_set_client_for_offer', { client_id: String(w.B), angebot_id: id })
      expect(await rpc('a_get_min_an_datum_for_new_offer')).toBe('2026-01-05')
      expect(await rpc('a_get_minmax_an_datum', { an_datum: today })).toEqual([
        { min: '2026-01-05', max: today },
      ])
      await rpc('a_update_offer_details', { ...written, status: 'versendet', sign: false })
      const [positions, [details]] = [
        await rpc<Row[]>('a_get_offer_positions', { offer_id: id }),
        await rpc<Row[]>('a_get_offer_details', { offer_id: id }),
      ]
      expect(details).toMatchObject({
        nummer: 'AN-2026-0004',
        status: 'versendet',
        stand: 'versendet',
        sign: false,
        netto: '50.00',
      })
      await rpc('a_decide_offer', { offer_id: id, angenommen: true, wer: 'Frau Wald', positionen: [] })
      const draft = await rpc<number>('a_convert_offer', {
        offer_id: id,
        positionen: [{ position_id: positions[0]!['id'], anzahl: '4' }],
        le_date: '2026-01-31',
      })
      expect(await rpc('a_get_offer_rest', { offer_id: id })).toMatchObject([
        { anzahl: '10', abgerechnet: '0', in_entwuerfen: '4', rest: '6' },
      ])
      expect(await rpc('a_get_beleg', { art: 'rechnung', id: draft })).toMatchObject({
        art: 'rechnung',
        entwurf: true,
        bezug: { nummer: 'AN-2026-0004' },
      })
      expect((await rpc<Row[]>('a_get_offers')).find((row) => row['id'] === Number(id))).toMatchObject({
        stand: 'angenommen',
      })
      await rpc('a_delete_position', {
        position_id: String((await rpc<Row[]>('a_get_invoice_positions', { invoice_id: draft }))[0]!['id']),
      })
      await rpc('a_delete_invoice', { invoice_id: draft })
    })
    test('a refusal names its rule and its field', async () => {
      const id = await rpc<number>('a_add_invoice', {
        client_id: w.A,
        rn_datum: today,
        le_date: null,
        ust_satz: 19,
      })
      await rpc('a_save_positions', { rechnung_id: id, positionen: [{ bez: 'x', ep: '1' }] })
      const { status, body } = await call('apus_admin', 'POST', '/rpc/a_issue_invoice', { invoice_id: id })
      expect([status, body]).toMatchObject([
        400,
        { code: '23514', hint: 'le_date_fehlt', message: expect.stringContaining('column "le_date"') },
      ])
    })
    test('attempts on what is issued are refused and recorded, whichever way; others leave no trace', async () => {
      const entries = async () =>
        (
          await rpc<{ user_id: number; inhalt: unknown; ereignis: string }[]>('a_get_protokoll', {
            art: 'verweigert',
          })
        ).map(({ user_id, inhalt }) => [user_id, inhalt])
      expect(await entries()).toEqual([])
      const me = w.numberOf('apus_admin')
      expect(
        (await call('apus_admin', 'POST', '/rpc/a_delete_invoice', { invoice_id: RECHNUNG_A })).status,
      ).toBe(409)
      expect(
        (await call('apus_admin', 'PATCH', `/rechnung?id=eq.${RECHNUNG_A}`, { bearbeiter: 'x' })).status,
      ).toBe(403)
      expect((await call('kundenadmin', 'DELETE', `/rechnung?id=eq.${RECHNUNG_A}`)).status).toBe(403)
      expect(
        (await call('appuser', 'POST', '/rpc/a_delete_invoice', { invoice_id: RECHNUNG_A })).status,
      ).toBe(403)
      // Not an attempt on the books, so nothing is recorded.
      await call('apus_admin', 'PATCH', '/gutschein?id=eq.1', { rabatt_abo: 1 })
      expect(
        (
          await call('appuser', 'POST', '/rpc/a_set_user_flags', {
            user_id: w.COLLEAGUE,
            apus_team: true,
            apus_admin: true,
          })
        ).status,
      ).toBe(403)
      expect((await call('apus_admin', 'POST', '/rpc/a_delete_invoice', { invoice_id: 999 })).status).toBe(
        404,
      )
      expect((await entries()).toReversed()).toEqual([
        [me, { vorgang: 'a_delete_invoice', ziel: `rechnung ${RECHNUNG_A}`, code: 'ausgestellt' }],
        [me, { vorgang: 'update rechnung', ziel: 'rechnung', code: '42501' }],
        [w.numberOf('kundenadmin'), { vorgang: 'delete rechnung', ziel: 'rechnung', code: '42501' }],
        [w.numberOf('appuser'), { vorgang: 'a_delete_invoice', ziel: 'a_delete_invoice', code: 'PT403' }],
      ])
      for (let nr = 0; nr < 32; nr++) await call('apus_admin', 'DELETE', `/rechnung?id=eq.${RECHNUNG_A}`)
      expect(await entries()).toHaveLength(32)
      expect(await rpc<Row[]>('a_check_protokoll')).toMatchObject([{ ok: true }])
    })
  })
