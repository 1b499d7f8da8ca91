// Rules beyond access rights: derivation of roles, first contact, locking, the last admin, history, versions,
// areas.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import cases from '#domain/roles.cases.json' with { type: 'json' }
import type { Statement } from '#server/database/database.ts'
import { rowsOf } from './attempt.ts'
import { asCaller, attempt, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, IDENTITIES, ISS, NOW } from './world.ts'

const CHECK: Statement = sql('select rights.check_request()')

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`rules on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const as = (name: w.IdentityName, ...statements: Statement[]) =>
      attempt(engine.api, claimsOf(name), ...statements)
    const rows = async (...args: Parameters<typeof as>) => rowsOf(await as(...args))

    for (const { why, roles, ...source } of cases)
      test(`roles: ${why}`, async () => {
        const { groups, system_status, apus_admin, apus_team, pruefer, kunden, hqs } = source
        const derived = await engine.owner.query<{ roles: string }>(
          `select to_jsonb(rights.derive_roles(array(select jsonb_array_elements_text($1::jsonb)), $2, $3::boolean,
           $4::boolean, array(select jsonb_array_elements_text($5::jsonb)), $6::jsonb,
           $7::boolean))::text as roles`,
          [
            JSON.stringify(groups),
            system_status,
            String(apus_admin),
            String(apus_team),
            JSON.stringify(kunden),
            JSON.stringify(hqs),
            String(pruefer),
          ],
        )
        expect(JSON.parse(derived.rows[0]!.roles)).toEqual(roles)
      })

    describe('an admin of one half of a customer has no hold on the other half’s', () => {
      const ids = {
        kundenadmin: IDENTITIES.kundenadmin.user_id,
        appuser_admin: IDENTITIES.appuser_admin.user_id,
      }
      for (const [caller, other] of [
        ['appuser_admin', 'kundenadmin'],
        ['kundenadmin', 'appuser_admin'],
      ] as const)
        test(`${caller} against ${other}`, async () => {
          for (const act of [
            sql('select from accounts.check_may_manage($1)', ids[other]),
            sql('select app.a_set_user_enabled($1, false)', ids[other]),
            sql('select app.a_remove_user_from_client($1, $2)', ids[other], w.A),
            sql(`select app.a_set_kunde_rolle($1, $2, 'nutzer')`, ids[other], w.A),
          ])
            expect(await as(caller, act), act.text).toMatchObject({ code: 'PT403' })
          expect(
            await as(caller, sql('select from accounts.check_may_manage($1)', w.COLLEAGUE)),
          ).toMatchObject({ count: 1 })
        })
    })

    test('the provider’s staff are connected to a headquarters by ogf_admin alone', async () => {
      const connect = sql(
        'select app.__o_connect_user_to_hq($1, $2, $3)',
        w.usernameOf(w.ADVISER),
        w.ADVISER,
        w.A1,
      )
      for (const caller of ['ogf_fb_admin', 'kundenadmin'] as const)
        expect(await as(caller, connect)).toMatchObject({ code: 'PT403' })
      expect(await as('ogf_admin', connect)).toMatchObject({ count: 1 })
    })

    test('the fault of a refused area does not tell the customer’s system', async () => {
      const draw = sql(
        'insert into app.hq_flaeche (hqid, client_id, geom) values ($1, $2, st_geomfromtext($3, 3857))',
        w.A2,
        w.B,
        w.A2_AREA,
      )
      for (const caller of ['ogf_init', 'ogf_standard', 'kundenadmin', 'ogf_team'] as const)
        expect(await as(caller, draw)).toMatchObject({ code: '42501' })
      expect(await as('ogf_admin', draw)).toMatchObject({ code: '23514' })
    })

    for (const name of w.ROLE_NAMES)
      test(`${name} holds that role`, async () => {
        const held = JSON.parse(
          String((await rows(name, sql('select to_jsonb(rights.roles())::text as roles')))[0]!['roles']),
        )
        expect(held).toContain(name)
      })

    describe('a request is refused', () => {
      test('to the disabled', async () =>
        expect(await as('disabled', CHECK)).toMatchObject({ code: 'PT401', message: 'Account disabled' }))
      test('after an admin has ended the session', async () =>
        expect(await as('session_ended', CHECK)).toMatchObject({ code: 'PT401', message: 'Session ended' }))
      test('not to somebody unknown, who sees nothing instead', async () =>
        expect(await as('unknown', CHECK)).toMatchObject({ count: 1 }))
    })

    test('locking works on the very next call, and so does taking a link away', async () => {
      const claims = claimsOf('appuser')
      const reads = sql(`select from app.kunde where client_id = ${w.A}`)
      expect(await attempt(engine.api, claims, reads)).toMatchObject({ count: 1 })
      await engine.owner.script(
        `set role forst_betrieb;
         update app.benutzer set enabled = false where user_id = ${IDENTITIES.appuser.user_id}; reset role`,
      )
      expect(await attempt(engine.api, claims, reads)).toMatchObject({ count: 0 })
      expect(await attempt(engine.api, claims, CHECK)).toMatchObject({ code: 'PT401' })
      await engine.owner.script(
        `set role forst_betrieb;
         update app.benutzer set enabled = true where user_id = ${IDENTITIES.appuser.user_id}; reset role`,
      )
      // Unlocking does not restore earlier sessions.
      expect(await attempt(engine.api, claims, CHECK)).toMatchObject({
        code: 'PT401',
        message: 'Session ended',
      })
      await engine.owner.script(
        `set role forst_betrieb;
         delete from accounts.sitzungsende where user_id = ${IDENTITIES.appuser.user_id}; reset role`,
      )
      const withoutLink = sql(
        `select from app.kunde where not exists (select from app.a_remove_user_from_client($1, $2))`,
        IDENTITIES.appuser.user_id,
        w.A,
      )
      expect(await attempt(engine.api, claims, reads)).toMatchObject({ count: 1 })
      expect(await attempt(engine.api, claims, withoutLink)).toMatchObject({ code: 'PT403' })
    })

    describe('first contact', () => {
      const LINK = sql('select accounts.link_identity() as user_id')
      const token = (sub: string, more: object) => ({
        iss: ISS,
        sub,
        iat: NOW,
        exp: NOW + 300,
        groups: [],
        ...more,
      })
      test('binds a verified address to its person', async () => {
        const claims = token('new-1', {
          email: w.usernameOf(w.COLLEAGUE).toUpperCase(),
          email_verified: true,
        })
        expect(await attempt(engine.api, claims, LINK)).toMatchObject({ rows: [{ user_id: w.COLLEAGUE }] })
      })
      test('does not believe an address that was not verified', async () => {
        for (const email_verified of [false, undefined, 'true', 1])
          expect(
            await attempt(
              engine.api,
              token('new-2', { email: w.usernameOf(w.COLLEAGUE), email_verified }),
              LINK,
            ),
          ).toMatchObject({
            rows: [{ user_id: null }],
          })
      })
      test('never takes over a person who already has an account', async () => {
        const claims = token('new-3', { email: w.usernameOf(IDENTITIES.admin.user_id), email_verified: true })
        expect(await attempt(engine.api, claims, LINK)).toMatchObject({ rows: [{ user_id: null }] })
      })
      test('with the same subject of another issuer is another account', async () => {
        const claims = {
          ...token('admin', { email: w.usernameOf(IDENTITIES.admin.user_id), email_verified: true }),
          iss: 'https://other.test',
        }
        expect(await attempt(engine.api, claims, LINK)).toMatchObject({ rows: [{ user_id: null }] })
      })
      test('makes a newly registered person of an unknown address', async () => {
        const claims = token('new-4', {
          email: 'neu@test.example',
          email_verified: true,
          given_name: 'Neu',
          family_name: 'Land',
          groups: ['appuser_apus_admin'],
        })
        const outcome = await attempt(
          engine.api,
          claims,
          LINK,
          sql(
            `select system_status, first_name, to_jsonb(rights.roles())::text as roles from app.a_get_currentuser()`,
          ),
        )
        expect(outcome).toMatchObject({
          rows: [{ system_status: 'ogf_init', first_name: 'Neu', roles: '["ogf_init"]' }],
        })
      })
    })

    test('whoever becomes provider staff signs in anew', async () => {
      const { user_id } = IDENTITIES.multiple_fb
      const before = await attempt(engine.api, claimsOf('multiple_fb'), CHECK)
      await engine.api.once(
        asCaller(claimsOf('apus_admin')),
        sql('select app.a_set_user_flags($1, true, null)', user_id),
      )
      const after = await engine.owner.query(
        `select ab > now() - interval '5 minutes' as ended from accounts.sitzungsende where user_id = $1`,
        [user_id],
      )
      await engine.owner.script(`set role forst_betrieb;
        update app.benutzer set apus_team = false where user_id = ${user_id};
        delete from accounts.sitzungsende where user_id = ${user_id}; reset role`)
      expect(before).toMatchObject({ count: 1 })
      expect(after.rows).toEqual([{ ended: true }])
    })

    describe('the last admin', () => {
      const lock = (id: number) => sql('select app.a_set_user_enabled($1, false)', id)
      test('of a half cannot be locked', async () => {
        const { ogf_admin, apus_admin, admin } = IDENTITIES
        expect(
          await as('admin', lock(114), lock(116), lock(ogf_admin.user_id), lock(admin.user_id)),
        ).toMatchObject({ code: 'PT409' })
        const status = sql(`select app.a_set_system_status($1, 'ogf_standard')`, ogf_admin.user_id)
        const rest = sql('select app.a_set_user_enabled(114, false), app.a_set_user_enabled(116, false)')
        expect(
          await as(
            'admin',
            rest,
            status,
            sql(`select app.a_set_system_status($1, 'ogf_standard')`, admin.user_id),
          ),
        ).toMatchObject({
          code: 'PT409',
        })
        expect(
          await as(
            'admin',
            rest,
            sql('select app.a_set_user_flags($1, false, false)', apus_admin.user_id),
            sql(`select app.a_set_system_status($1, 'appuser')`, apus_admin.user_id),
            sql(`select app.a_set_system_status($1, 'ogf_admin')`, admin.user_id),
          ),
        ).toMatchObject({ code: 'PT409' })
      })
      test('but one, can', async () =>
        expect(await as('admin', lock(IDENTITIES.ogf_admin.user_id))).toMatchObject({ count: 1 }))
    })

    describe('history', () => {
      const last = (table: string) =>
        sql(
          `select wer, schluessel, aktion, alt::text as alt, neu::text as neu from app.verlauf
           where tabelle = $1 order by id desc limit 1`,
          table,
        )
      test('keeps who changed which field from what to what', async () => {
        const [entry] = await rows(
          'kundenadmin',
          sql(`update app.kunde set ap_nachname = 'Eiche' where client_id = $1`, w.A),
          last('kunde'),
        )
        expect(entry).toMatchObject({
          wer: 'Vor106 Nach106',
          schluessel: '1',
          aktion: 'geaendert',
          alt: '{"ap_nachname": null}',
          neu: '{"ap_nachname": "Eiche"}',
        })
      })
      test('keeps no change that changes nothing', async () => {
        const [entry] = await rows(
          'ogf_admin',
          sql(`update app.kunde set name = name where client_id = $1`, w.B),
          sql(`select count(*)::int as n from app.verlauf where user_id = $1`, IDENTITIES.ogf_admin.user_id),
        )
        expect(entry).toMatchObject({ n: 0 })
      })
      test('keeps what was deleted', async () => {
        const [entry] = await rows(
          'ogf_admin',
          sql('delete from app.gutschein where id = 1'),
          last('gutschein'),
        )
        expect(entry).toMatchObject({ aktion: 'geloescht', neu: null })
        expect(JSON.parse(String(entry!['alt']))).toMatchObject({ rabatt_abo: 10 })
      })
      test('names links, switches and areas as well', async () => {
        const [link] = await rows(
          'ogf_admin',
          sql('select app.__o_connect_user_to_hq($1, $2, $3)', w.usernameOf(w.COLLEAGUE), w.COLLEAGUE, w.B1),
          last('benutzer_hq'),
        )
        expect(link).toMatchObject({ aktion: 'neu', schluessel: `${w.B1}/${w.COLLEAGUE}` })
        const [switched] = await rows(
          'ogf_admin',
          sql('update app.kunde_hq set kawm_enabled = true where hqid = $1', w.A1),
          last('kunde_hq'),
        )
        expect(switched).toMatchObject({ neu: '{"kawm_enabled": true}' })
        const [area] = await rows(
          'ogf_admin',
          sql('update app.hq_flaeche set geom = st_translate(geom, 5, 0) where hqid = $1', w.A1),
          last('hq_flaeche'),
        )
        expect(area!['neu']).toContain('SRID=25833;POLYGON((320005')
      })
    })

    test('a change raises the version, so a save based on an older one finds no row', async () => {
      const save = sql(
        `update app.kunde set ort = 'Markkleeberg' where client_id = $1 and version = 1
         returning version, geaendert_von`,
        w.A,
      )
      const outcome = await as('ogf_admin', save)
      expect(outcome).toMatchObject({ rows: [{ version: 2, geaendert_von: 'Vor110 Nach110' }] })
      expect(await as('ogf_admin', save, save)).toMatchObject({ count: 0 })
    })

    describe('areas', () => {
      const draw = (wkt: string, epsg: number) =>
        sql('update app.hq_flaeche set geom = st_geomfromtext($1, $2::int) where hqid = $3', wkt, epsg, w.A1)
      test('move with the customer’s coordinate system', async () => {
        const [moved] = await rows(
          'ogf_admin',
          sql('update app.kunde set epsg = 25832 where client_id = $1', w.A),
          sql('select st_srid(geom) as srid, st_xmin(geom) as x from app.hq_flaeche where hqid = $1', w.A1),
        )
        // echo 320000 5692000 | gdaltransform -s_srs EPSG:25833 -t_srs EPSG:25832
        expect(moved).toMatchObject({ srid: 25832 })
        expect(Math.abs(Number(moved!['x']) - 737_791.298)).toBeLessThan(1)
      })
      test('stay as they are where only a datum grid converts them', async () => {
        const where = sql(
          'select st_srid(geom) as srid, st_astext(geom) as text from app.hq_flaeche where hqid = $1',
          w.A1,
        )
        const setEpsg = (epsg: number) =>
          sql('update app.kunde set epsg = $2 where client_id = $1', w.A, epsg)
        const [before] = await rows('ogf_admin', where)
        expect(before).toMatchObject({ srid: 25833 })
        for (const epsg of [31468, 2398])
          expect(await rows('ogf_admin', setEpsg(epsg), where), String(epsg)).toEqual([before])
        expect(await rows('ogf_admin', setEpsg(31468), setEpsg(25832), where)).toMatchObject([
          { srid: 25832 },
        ])
      })
      test('are refused in another system', async () => {
        expect(await as('ogf_admin', draw('MULTIPOLYGON(((0 0,1 0,1 1,0 0)))', 25832))).toMatchObject({
          code: '23514',
        })
      })
      test('are refused when they cross themselves', async () => {
        expect(await as('ogf_admin', draw('MULTIPOLYGON(((0 0,1 1,1 0,0 1,0 0)))', 25833))).toMatchObject({
          code: '23514',
        })
      })
    })

    test('a headquarters brings its switches, all off', async () => {
      const [switches] = await rows(
        'ogf_admin',
        sql(`insert into app.hq (client_id, "sHQ") values ($1, 'Neu')`, w.A),
        sql(`select fe_enabled, kawm_enabled from app.kunde_hq order by hqid desc limit 1`),
      )
      expect(switches).toEqual({ fe_enabled: false, kawm_enabled: false })
    })

    test('an admin of one customer is none of another', async () => {
      await engine.owner.script(
        `set role forst_betrieb; insert into app.benutzer_kunde (client_id, user_id, rolle)
         values (${w.B}, ${IDENTITIES.appuser_admin.user_id}, 'nutzer'); reset role`,
      )
      const change = (client_id: number) =>
        sql(`update app.kunde set ap_tel = '0561 1' where client_id = $1`, client_id)
      expect(await as('appuser_admin', change(w.A))).toMatchObject({ count: 1 })
      expect(await as('appuser_admin', change(w.B))).toMatchObject({ count: 0 })
      expect(
        await as('appuser_admin', sql(`select from app.kunde where client_id in (${w.A}, ${w.B})`)),
      ).toMatchObject({ count: 2 })
      expect(
        await as('appuser_admin', sql('select app.a_set_user_enabled($1, false)', w.STRANGER)),
      ).toMatchObject({ code: 'PT403' })
      await engine.owner.script(
        `set role forst_betrieb; delete from app.benutzer_kunde
         where client_id = ${w.B} and user_id = ${IDENTITIES.appuser_admin.user_id}; reset role`,
      )
    })

    describe('values', () => {
      const refused = async (column: string, value: string) =>
        expect(
          await as('ogf_admin', sql(`update app.kunde set ${column} = $1 where client_id = $2`, value, w.A)),
        ).toMatchObject({
          code: '23514',
        })
      test('of a postcode have five digits', async () => {
        for (const plz of ['1234', '123456', '1234a', '', ' 12345', '１２３４５']) await refused('plz', plz)
      })
      test('of a name are one visible line', async () => {
        for (const name of ['', ' x', 'x ', 'a\nb', 'a\tb', 'x'.repeat(201)]) await refused('name', name)
      })
      test('of a folder are one segment', async () => {
        for (const folder of [
          '..',
          'a/b',
          'a\\b',
          '/etc',
          'a..b',
          '.verborgen',
          'ende.',
          'ende ',
          'c:d',
          'a\u0007',
          '~',
          '-rf',
        ])
          await refused('ordner', folder)
      })
      test('keep hostile text as text', async () => {
        const hostile = `"><img src=x onerror=alert(1)>'); drop table app.kunde;--`
        expect(
          await rows(
            'ogf_admin',
            sql(`update app.kunde set name = $1 where client_id = $2 returning name`, hostile, w.A),
          ),
        ).toEqual([{ name: hostile }])
      })
      test('of a voucher lie in the future and within 0 to 100 per cent', async () => {
        const add = (abo: string, date: string, months: string) =>
          sql(
            'insert into app.gutschein (rabatt_abo, rabatt_kawm, expire_date, laufzeit) values ($1, 0, $2, $3)',
            abo,
            date,
            months,
          )
        expect(await as('ogf_admin', add('100.01', '2090-01-01', '1'))).toMatchObject({ code: '23514' })
        expect(await as('ogf_admin', add('-1', '2090-01-01', '1'))).toMatchObject({ code: '23514' })
        expect(await as('ogf_admin', add('5', '2020-01-01', '1'))).toMatchObject({ code: '23514' })
        expect(await as('ogf_admin', add('5', '2090-01-01', '0'))).toMatchObject({ code: '23514' })
      })
    })

    test('sorting and searching know umlauts', async () => {
      const [sorted] = await rows(
        'ogf_admin',
        sql(
          `select string_agg(t, ' ' order by search.sort_key(t) collate "C") as t
           from unnest(array['Zeder','Ähre','Öko','Apfel','Ost','ßtest']) t`,
        ),
      )
      expect(sorted).toEqual({ t: 'Ähre Apfel Öko Ost ßtest Zeder' })
      const [found] = await rows('ogf_admin', sql(`select search.search_text('Müller Straße') as t`))
      expect(found).toEqual({ t: 'müller straße mueller strasse' })
    })

    test('who asks for the same context twice in a row never meets the former caller', async () => {
      await engine.api.once(asCaller(claimsOf('admin')), sql('select 1'))
      expect(await engine.api.once(asCaller(null), sql('select from app.kunde'))).toMatchObject({
        rowCount: 0,
      })
    })
  })
