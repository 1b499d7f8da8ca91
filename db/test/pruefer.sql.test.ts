// Auditors: who becomes one, until when, and that they read the books and nothing else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '#server/database/database.ts'
import { rowsOf } from './attempt.ts'
import { RECHNUNG_A } from './cells/buchhaltung.ts'
import { EINGANG } from './cells/eingang.ts'
import { attempt, enginesToday, type Engine, isMissing, openEngine, type Outcome, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, IDENTITIES, type IdentityName } from './world.ts'

const AUDITOR = IDENTITIES.pruefer.user_id
const NEW = IDENTITIES.ogf_init.user_id
const TODAY = `(now() at time zone 'Europe/Berlin')::date`
/** What is one's own: the record, settings, notices and imports. */
const OWN = [
  'benutzer',
  'nutzer_liste',
  'mitglied',
  'einstellung',
  'ansicht',
  'meldung',
  'import_lauf',
  'import_zeile',
  'import_zuordnung',
]
const ALONE = { code: 'PT409', message: 'an auditor holds no other role' }
const BOOKS = [
  'rechnung',
  'rechnung_liste',
  'rechnung_offen',
  'angebot',
  'angebot_liste',
  'angebot_offen',
  'position',
  'zahlung',
  'kontoumsatz',
  'kontoumsatz_liste',
  'mahnung',
  'sepa_mandat',
  'sepa_lauf',
  'sepa_posten',
  'eingang_zahlung',
  'zahllauf',
  'zahlposten',
  'versand',
  'dokument',
  'anlage',
  'protokoll',
  'siegel',
  'siegel_form',
  'buchpruefung',
  'nummernkreis',
  'lieferant',
  'kunde_rechnung',
  'eingang',
  'eingang_liste',
  'kreditor',
  'ereignis',
]
const READS: readonly Statement[] = [
  ...BOOKS.map((name) => sql(`select 1 from app.${name}`)),
  sql('select 1 from app.a_get_invoices()'),
  sql(`select app.a_get_beleg('rechnung', $1)`, RECHNUNG_A),
  sql('select * from app.a_get_invoice_positions($1)', RECHNUNG_A),
  sql('select * from app.a_get_nummernkreise()'),
  sql(`select * from app.a_get_ust('2026-01-01', '2026-12-31')`),
  sql(`select * from app.a_get_buch_kunden('2026-01-01', '2026-12-31')`),
  sql('select * from app.a_get_offene_posten()'),
  sql('select app.a_get_eingang($1)', EINGANG),
  sql('select * from app.a_get_kreditoren()'),
  sql('select * from app.a_get_anlagen($1)', RECHNUNG_A),
  sql(`select app.a_get_kundenkonto($1, '2026-01-01', '2026-12-31')`, w.A),
  sql(`select app.a_add_pruefung_export('2026-01-01', '2026-12-31')`),
]

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`auditors on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const as = (name: IdentityName, ...statements: Statement[]): Promise<Outcome> =>
      attempt(engine.api, claimsOf(name), ...statements)
    const asOperations = (text: string): Promise<unknown> =>
      engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
    const until = (bis: string) =>
      asOperations(`update app.benutzer set pruefer_bis = ${bis} where user_id = ${AUDITOR}`)
    const set = (user_id: number, bis: string) => sql(`select app.a_set_pruefer(${user_id}, ${bis})`)

    test('they see the books and their own record, and no row of anything else', async () => {
      const { rows } = await engine.owner.query<{ name: string }>(
        `select c.relname as name from pg_class c
         where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'v')
           and has_any_column_privilege('nutzer', c.oid, 'select') order by 1`,
      )
      const seen: string[] = []
      for (const { name } of rows) {
        const outcome = await as('pruefer', sql(`select 1 from app.${name} limit 1`))
        if ('rows' in outcome && (outcome.rows?.length ?? 0) > 0) seen.push(name)
      }
      expect(seen.filter((name) => !OWN.includes(name)).toSorted()).toEqual(BOOKS.toSorted())
      expect(rowsOf(await as('pruefer', sql('select user_id from app.benutzer')))).toMatchObject([
        { user_id: AUDITOR },
      ])
    })
    test('lists name the customer as the document does, and drafts are missing', async () => {
      const rows = rowsOf(await as('pruefer', sql('select kunde, zustand from app.rechnung_liste')))
      expect(rows.map(({ kunde }) => kunde)).toContain('Kunde A')
      expect(new Set(rows.map(({ zustand }) => zustand))).toEqual(new Set(['ausgestellt']))
    })
    test('after the day has passed the next request is refused', async () => {
      try {
        await until(TODAY)
        for (const read of READS) expect(await as('pruefer', read), read.text).not.toHaveProperty('code')
        await until(`${TODAY} - 1`)
        expect(rowsOf(await as('pruefer', sql('select rights.roles()::text as roles')))).toEqual([
          { roles: '{ogf_init}' },
        ])
        for (const read of READS) {
          const outcome = await as('pruefer', read)
          expect('code' in outcome ? outcome.code : (outcome.rows?.length ?? 0), read.text).toBeOneOf([
            0,
            'PT403',
          ])
        }
      } finally {
        await until(`'2199-12-31'`)
      }
    })
    test('the day and its end stand in the books’ log and in the person’s history; sessions end', async () => {
      const outcome = await as(
        'apus_admin',
        set(NEW, `${TODAY} + 30`),
        set(NEW, `${TODAY} + 30`),
        set(NEW, 'null'),
        sql(`select (select json_agg(p.ereignis order by p.nr)::text from app.protokoll p
             where p.gegenstand = 'pruefer' and p.gegenstand_id = ${NEW}) as log,
           (select count(*) from app.verlauf v where v.tabelle = 'benutzer' and v.person_id = ${NEW}
             and v.neu ? 'pruefer_bis')::integer as history`),
      )
      expect(rowsOf(outcome)).toMatchObject([{ log: '["erteilt", "beendet"]', history: 2 }])
    })
    test('neither in the past nor for ever', async () => {
      for (const bis of [`${TODAY} - 1`, `${TODAY} + 800`, `'infinity'`])
        expect(await as('apus_admin', set(NEW, bis)), bis).toMatchObject({
          message: 'column "bis": pruefer_bis',
        })
    })
    test('nobody who holds anything else becomes one', async () => {
      for (const person of [w.COLLEAGUE, w.FORESTER, w.ADVISER, IDENTITIES.ogf_team.user_id])
        expect(await as('apus_admin', set(person, `${TODAY} + 30`)), String(person)).toMatchObject(ALONE)
    })
    test('and no auditor gets anything else before the audit has ended', async () => {
      const given = [
        ['apus_admin', sql(`select app.a_add_user_to_client(${AUDITOR}, ${w.A})`)],
        ['apus_admin', sql(`select app.a_set_user_flags(${AUDITOR}, true, null)`)],
        ['ogf_admin', sql(`select app.a_set_system_status(${AUDITOR}, 'ogf_standard')`)],
        [
          'ogf_admin',
          sql(`select app.__o_connect_user_to_hq('${w.usernameOf(AUDITOR)}', ${AUDITOR}, ${w.A1})`),
        ],
      ] as const
      for (const [name, statement] of given) {
        expect(await as(name, statement), statement.text).toMatchObject(ALONE)
        if (name === 'apus_admin')
          expect(await as(name, set(AUDITOR, 'null'), statement), statement.text).not.toHaveProperty('code')
      }
      // Nor do admins of a headquarters learn that there is one.
      expect(await as('ogf_fb_admin', given[3][1])).toMatchObject({ code: 'PT403' })
    })
    test('the other half does not manage their account', async () => {
      const lock = sql(`select app.a_set_user_enabled(${AUDITOR}, false)`)
      expect(await as('ogf_admin', lock)).toMatchObject({ code: 'PT403' })
      expect(await as('apus_admin', lock)).not.toHaveProperty('code')
    })
  })
