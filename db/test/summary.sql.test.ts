// A customer and a holding at a glance: every figure against one that is made of the rows, in cents.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RechnungState } from '#contract/buchhaltung.ts'
import type { HqSummary, KundeSummary } from '#contract/summary.ts'
import { addDays } from '#domain/day.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { C } from './cells/vermessung.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

const TODAY = officeDay(new Date())
const YEAR = Number(TODAY.slice(0, 4))
const UNPAID: readonly RechnungState[] = ['offen', 'teilbezahlt', 'ueberfaellig']
const cents = (text: string | number) => Math.round(Number(text) * 100)
const euros = (sum: number) => (sum / 100).toFixed(2)
const newest = <Row extends { id: number; datum: string }>(rows: readonly Row[]) =>
  rows
    .toSorted((a, b) => b.datum.localeCompare(a.datum) || b.id - a.id)
    .slice(0, 5)
    .map(({ id }) => id)

interface InvoiceRow {
  id: number
  stand: RechnungState
  art: string
  zustand: string
  datum: string
  faellig: string | null
  netto: string
  offen: string
  archiviert: boolean
}

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`summaries on ${engineName}`, () => {
    let engine: Engine
    const run = async <T>(role: w.IdentityName, text: string, ...values: unknown[]): Promise<T[]> =>
      (await engine.api.once<T>(asCaller(w.claimsOf(role)), sql(text, ...values))).rows
    const value = async <T>(role: w.IdentityName, text: string, ...values: unknown[]): Promise<T> =>
      Object.values((await run<Record<string, unknown>>(role, `select ${text}`, ...values))[0]!)[0] as T
    const kunde = async (role: w.IdentityName, id: number) =>
      JSON.parse(await value(role, 'app.__o_get_kunde_summary($1)::text', id)) as KundeSummary
    const hq = async (role: w.IdentityName, id: number) =>
      JSON.parse(await value(role, 'app.__o_get_hq_summary($1)::text', id)) as HqSummary
    const operate = (text: string) =>
      engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)

    const invoice = async (client_id: number, netto: string, day: string, issued = true): Promise<number> => {
      const id = Number(await value('apus_admin', 'app.a_add_invoice($1, $2, $2, 19)', client_id, day))
      const line = JSON.stringify([{ bez: 'Vermessung', anzahl: '1', ep: netto }])
      await value('apus_admin', 'app.a_save_positions($1::jsonb, $2)', line, id)
      if (issued) await run('apus_admin', 'select * from app.a_issue_invoice($1)', id)
      return id
    }
    const pay = (id: number, amount: string) =>
      value('apus_admin', 'app.a_add_payment($1, $2, $3::numeric, ueberzahlung => true)', id, TODAY, amount)

    /** Unpaid, partly paid, paid, paid too much, overdue with a reminder, cancelled, last year's and a draft. */
    const fill = async (client_id: number) => {
      const ids: number[] = []
      for (const netto of ['100', '250.50', '80', '40', '19.99', '333.33'])
        ids.push(await invoice(client_id, netto, TODAY))
      await pay(ids[1]!, '100')
      await pay(ids[2]!, '95.20')
      await pay(ids[3]!, '60')
      await run('apus_admin', `select * from app.a_cancel_invoice($1, grund => 'Irrtum')`, ids[4])
      await invoice(client_id, '70', TODAY, false)
    }
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await fill(w.A)
      await fill(w.B)
    })
    afterAll(() => engine?.close())

    const invoicesOf = (client_id: number) =>
      run<InvoiceRow>(
        'apus_admin',
        `select l.id, l.stand, l.art, l.zustand, l.rn_datum::text as datum, l.faellig::text, l.netto::text,
           l.offen::text, l.archiviert from app.rechnung_liste l where l.client_id = $1`,
        client_id,
      )
    const sumOf = (rows: readonly InvoiceRow[], field: 'netto' | 'offen') =>
      euros(rows.reduce((sum, row) => sum + cents(row[field]), 0))

    test.each([w.A, w.B])('what was billed to customer %i, from its rows', async (client_id) => {
      const rows = await invoicesOf(client_id)
      const { buch } = await kunde('apus_admin', client_id)
      const unpaid = rows.filter(({ stand }) => UNPAID.includes(stand))
      const overdue = rows.filter(({ stand }) => stand === 'ueberfaellig')
      const issued = rows.filter(({ zustand }) => zustand === 'ausgestellt')
      const inYear = (year: number) => issued.filter(({ datum }) => datum.startsWith(`${year}-`))
      const sameDay = `${YEAR - 1}${TODAY.slice(4)}`
      expect(overdue.length).toBeGreaterThan(0)
      expect(buch).toMatchObject({
        sicht: 'buchhaltung',
        offen: { anzahl: unpaid.length, betrag: sumOf(unpaid, 'offen') },
        ueberfaellig: {
          anzahl: overdue.length,
          betrag: sumOf(overdue, 'offen'),
          seit: overdue.map(({ faellig }) => faellig!).toSorted((a, b) => a.localeCompare(b))[0],
        },
        zurueck: euros(-rows.reduce((sum, { offen }) => sum + Math.min(0, cents(offen)), 0)),
        umsatz: {
          jahr: YEAR,
          netto: sumOf(inYear(YEAR), 'netto'),
          vorjahr: sumOf(inYear(YEAR - 1), 'netto'),
          vorjahr_bis_heute: sumOf(
            inYear(YEAR - 1).filter(({ datum }) => datum <= sameDay),
            'netto',
          ),
        },
        rechnungen: { anzahl: rows.filter(({ archiviert }) => !archiviert).length },
      })
      expect(Number(buch!.zurueck)).toBeGreaterThan(0)
      expect(buch!.rechnungen.zeilen.map(({ id }) => id)).toEqual(newest(rows))
    })

    test('revenue of last year counts to the same day as well', async () => {
      const before = (await kunde('apus_admin', w.B)).buch!.umsatz!
      const move = (id: number, day: string) =>
        `alter table app.rechnung disable trigger user;
         update app.rechnung set rn_datum = '${day}' where id = ${id};
         alter table app.rechnung enable trigger user`
      const moved = (await invoicesOf(w.B)).filter(
        ({ art, stand }) => art === 'rechnung' && stand === 'offen',
      )
      const [early, late] = moved
      expect(moved.length).toBeGreaterThan(1)
      const same = `${YEAR - 1}${TODAY.slice(4)}`
      const after = addDays(same, 1)
      await engine.owner.script(move(early!.id, same))
      await engine.owner.script(move(late!.id, after))
      const now = (await kunde('apus_admin', w.B)).buch!.umsatz!
      const plus = (text: string, ...more: string[]) =>
        euros(more.reduce((sum, one) => sum + cents(one), cents(text)))
      expect(now.vorjahr_bis_heute).toBe(plus(before.vorjahr_bis_heute, early!.netto))
      // Where the next day is a new year, it is this year's.
      const late_year = after.startsWith(`${YEAR}-`) ? [] : [late!.netto]
      expect(now.vorjahr).toBe(plus(before.vorjahr, early!.netto, ...late_year))
    })

    test('reminders: the newest, and the highest level of what is still overdue', async () => {
      const [due] = (await invoicesOf(w.A)).filter(({ stand }) => stand === 'ueberfaellig')
      const before = (await kunde('apus_admin', w.A)).buch!
      await run('apus_admin', 'select app.a_add_mahnung($1, $2)', due!.id, (before.mahnstufe ?? 0) + 1)
      const { mahnstufe, mahnungen } = (await kunde('apus_admin', w.A)).buch!
      expect(mahnstufe).toBe((before.mahnstufe ?? 0) + 1)
      expect(mahnungen!.anzahl).toBe(before.mahnungen!.anzahl + 1)
      expect(mahnungen!.zeilen[0]).toMatchObject({ rechnung_id: due!.id, stufe: mahnstufe, datum: TODAY })
      await pay(due!.id, due!.offen)
      expect((await kunde('apus_admin', w.A)).buch!.mahnstufe).toBeNull()
    })

    test('offers that are not decided, and what of them waits for the customer', async () => {
      const rows = await run<{ id: number; stand: string; datum: string; brutto: string }>(
        'apus_admin',
        `select id, stand, an_datum::text as datum, gilt_brutto::text as brutto
         from app.angebot_liste where client_id = $1 and not archiviert`,
        w.A,
      )
      const open = rows.filter(({ stand }) => ['entwurf', 'versendet'].includes(stand))
      const sent = open.filter(({ stand }) => stand === 'versendet')
      const { angebote } = (await kunde('apus_admin', w.A)).buch!
      expect(open.length).toBeGreaterThan(sent.length)
      expect([angebote.anzahl, angebote.versendet, angebote.betrag]).toEqual([
        open.length,
        sent.length,
        euros(sent.reduce((sum, { brutto }) => sum + cents(brutto), 0)),
      ])
      expect(angebote.zeilen.map(({ id }) => id)).toEqual(newest(open))
    })

    test('customers get what was issued to them, and no more', async () => {
      for (const role of ['kundenadmin', 'appuser_admin'] as const) {
        const { buch } = await kunde(role, w.A)
        const issued = (await invoicesOf(w.A)).filter(({ zustand }) => zustand === 'ausgestellt')
        const unpaid = issued.filter(({ stand }) => UNPAID.includes(stand))
        expect(buch).toMatchObject({
          sicht: 'kunde',
          offen: { anzahl: unpaid.length, betrag: sumOf(unpaid, 'offen') },
          umsatz: null,
          mahnungen: null,
          mahnstufe: null,
          rechnungen: { anzahl: issued.length },
        })
        expect(buch!.rechnungen.zeilen.map(({ id }) => id)).toEqual(newest(issued))
        expect(buch!.angebote.zeilen.every(({ stand }) => stand === 'versendet')).toBe(true)
      }
    })

    test.each(['ogf_admin', 'ogf_team', 'apus_team', 'admin', 'kundenadmin', 'appuser_admin'] as const)(
      'numbers are the counts that %s may read',
      async (role) => {
        const count = (from: string, ...values: unknown[]) =>
          value<number>(role, `count(*)::integer from ${from}`, ...values)
        for (const id of role === 'kundenadmin' || role === 'appuser_admin' ? [w.A] : [w.A, w.B, C]) {
          const { forstbetriebe, karten, vermessung, personen, notizen } = await kunde(role, id)
          if (forstbetriebe !== null) {
            expect(forstbetriebe.anzahl).toBe(await count('app.hq where client_id = $1', id))
            for (const { id: hqId, baeume } of forstbetriebe.zeilen)
              expect(baeume).toBe(
                await count('app.habitatbaeume where "idHQ" = $1 and verlust_datum is null', hqId),
              )
          }
          if (karten !== null)
            expect(karten.anzahl).toBe(await count('app.kartenblatt where client_id = $1', id))
          if (vermessung !== null)
            for (const table of ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'] as const)
              expect([table, vermessung[table]]).toEqual([
                table,
                await count(`app.${table} where client_id = $1`, id),
              ])
          if (personen !== null) {
            const link = 'app.benutzer_kunde l join app.benutzer b using (user_id) where l.client_id = $1'
            expect(personen.anzahl).toBe(await count(`${link} and not b.apus_team and not b.apus_admin`, id))
            expect(personen.team).toBe(await count(`${link} and (b.apus_team or b.apus_admin)`, id))
            expect(personen.zeilen.length).toBe(Math.min(5, personen.anzahl))
          }
          expect(notizen.anzahl).toBe(await count(`app.notiz where art = 'kunde' and datensatz = $1`, id))
          expect(notizen.zeilen.map((note) => note.id)).toEqual(
            (
              await run<{ id: number }>(
                role,
                'select id from app.notiz where client_id = $1 order by id desc limit 5',
                id,
              )
            ).map((note) => Number(note.id)),
          )
        }
      },
    )

    test('the history has the newest change first, with the columns and the name', async () => {
      await run('admin', `update app.kunde set ap_tel = '0381 1' where client_id = $1`, w.A)
      await run('admin', `update app.hq set "dcFLAEHB" = 201 where "idHQ" = $1`, w.A1)
      const [holding, customer] = (await kunde('admin', w.A)).verlauf
      expect(holding).toMatchObject({
        tabelle: 'hq',
        aktion: 'geaendert',
        felder: ['dcFLAEHB'],
        name: 'A eins',
        hqid: w.A1,
      })
      expect(customer).toMatchObject({ tabelle: 'kunde', felder: ['ap_tel'], name: null })
      // The drainage team does not read holdings, and so nothing of their history.
      const read = (await kunde('apus_team', w.A)).verlauf
      expect(read.map(({ tabelle }) => tabelle)).not.toContain('hq')
      expect(read[0]).toMatchObject({ tabelle: 'kunde', felder: ['ap_tel'] })
      expect((await hq('ogf_admin', w.A1)).verlauf[0]).toMatchObject({ tabelle: 'hq', felder: ['dcFLAEHB'] })
    })

    test('a holding: trees, grant, stands, outline and subscriptions from their rows', async () => {
      await operate(
        `update app.kunde_hq set kawm_enabled = true, kawm_approval_date = '2026-02-01' where hqid = ${w.A1};
         insert into app.habitatbaeume (kennung, client_id, "idHQ", nummer, art, lon, lat, verlust_datum,
           verlust_grund, markierung_art, kawm, erfasst_am)
         select gen_random_uuid(), ${w.A}, ${w.A1}, 'S' || n, 'bu', 12.4, 51.3,
           case when n = 1 then date '2026-05-01' end, case when n = 1 then 'brand' end,
           case when n % 2 = 0 then 'farbe' end, n % 3 <> 0, checks.today() - n
         from generate_series(1, 8) n`,
      )
      const [row] = await run<Record<string, number>>(
        'ogf_admin',
        `select count(*) filter (where verlust_datum is null)::integer as anzahl,
           count(*) filter (where verlust_datum is null and markierung_art is not null)::integer as markiert,
           count(*) filter (where verlust_datum is not null)::integer as verloren
         from app.habitatbaeume where "idHQ" = $1`,
        w.A1,
      )
      const found = await hq('ogf_admin', w.A1)
      expect(found.baeume).toMatchObject(row!)
      expect(found.baeume.zeilen.length).toBe(5)
      expect(found.baeume.zeilen.map(({ erfasst_am }) => erfasst_am)).toEqual(
        found.baeume.zeilen.map(({ erfasst_am }) => erfasst_am).toSorted((a, b) => b.localeCompare(a)),
      )
      const grant = JSON.parse(await value('ogf_admin', 'app.__o_get_kawm($1)::text', w.A1)) as object
      expect(grant).toMatchObject(
        Object.fromEntries(
          (['soll', 'erfasst', 'markiert', 'frist'] as const).map((key) => [key, found.kawm![key]]),
        ),
      )
      expect((await hq('ogf_admin', w.B1)).kawm).toBeNull()
      const [stands] = await run<{ anzahl: number; hektar: string }>(
        'ogf_admin',
        `select count(*)::integer as anzahl, sum(flaeche_ha)::text as hektar from app.bestand where "idHQ" = $1`,
        w.A1,
      )
      expect(found.bestand).toMatchObject({ anzahl: stands!.anzahl, hektar: Number(stands!.hektar) })
      expect(found.flaeche!.hektar).toBe(200)
      expect((await hq('ogf_admin', w.A2)).flaeche).toBeNull()
      expect(found.abos!.anzahl).toBe(
        await value(
          'ogf_admin',
          `count(*)::integer from app.abo where hqid = $1 and zustand <> 'beendet' and ende >= checks.today()`,
          w.A1,
        ),
      )
      expect(found.personen.anzahl).toBe(
        await value('ogf_admin', 'count(*)::integer from app.benutzer_hq where hqid = $1', w.A1),
      )
      expect(found.personen.zeilen[0]!.hq_status).toContain('hq_admin')
    })

    test('what the customer of a holding owes is told to those who may see invoices, and to nobody else', async () => {
      const roles = [
        ['kundenadmin', 'kunde'],
        ['admin', 'buchhaltung'],
      ] as const
      for (const [role, side] of roles) {
        const { buch } = await kunde(role, w.A)
        expect(buch!.offen.anzahl, role).toBeGreaterThan(0)
        expect((await hq(role, w.A1)).buch, role).toEqual({
          sicht: side,
          offen: buch!.offen,
          ueberfaellig: buch!.ueberfaellig,
        })
      }
      for (const role of ['ogf_admin', 'ogf_team', 'ogf_standard', 'ogf_fb_admin'] as const)
        expect((await hq(role, w.A1)).buch, role).toBeNull()
    })

    test('of a holding that is not enabled its people learn no trees', async () => {
      expect((await hq('inactive_fb', w.A2)).baeume).toMatchObject({ anzahl: 0, zeilen: [] })
      expect((await hq('kundenadmin', w.A2)).baeume.anzahl).toBe((await hq('ogf_admin', w.A2)).baeume.anzahl)
    })
  })
