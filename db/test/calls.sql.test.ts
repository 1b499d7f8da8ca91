// The calls of the specification (section 7) that concern master data, sent over HTTP exactly as written
// there, on both engines.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enginesToday, type Engine, isMissing, openEngine } from './engines.ts'
import { type ListeningApi, listenToApi } from './listening-api.ts'
import * as w from './world.ts'

interface Answer {
  readonly status: number
  readonly body: unknown
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`calls on ${engineName}`, () => {
    let engine: Engine
    let api: ListeningApi
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await w.buildWorld(engine.owner)
      api = await listenToApi(engine.api)
    })
    afterAll(async () => {
      api?.close()
      await engine?.close()
    })

    describe('a try of a voucher', () => {
      const CODE = 'HTTP1-HTTP1-HTTP1-HTTP1'
      const ALL_WAYS: [string, string, Record<string, string>][] = [
        [
          'a filter on the answer with one object asked for',
          '?gueltig=is.true',
          { accept: 'application/vnd.pgrst.object+json' },
        ],
        ['one object asked for', '', { accept: 'application/vnd.pgrst.object+json' }],
        ['a filter on a field of the answer', '?or=(gueltig.is.true)', {}],
        ['columns of the answer', '?select=gueltig', {}],
        ['an order of the answer', '?order=grund', {}],
        ['no rows at all', '?limit=0', {}],
        ['rows past the end', '?offset=5', { prefer: 'count=exact' }],
        ['a limit of rows that it may touch', '', { prefer: 'handling=strict, max-affected=0' }],
        ['a transaction to be rolled back', '', { prefer: 'tx=rollback' }],
        ['a table of values', '', { accept: 'text/csv' }],
        ['nothing back', '', { prefer: 'return=minimal' }],
        ['an unknown type', '', { accept: 'application/octet-stream' }],
      ]
      beforeAll(() =>
        engine.owner.script(`begin; set local role forst_betrieb;
          update app.gutschein set code_ausgegeben_am = now() where id = 1;
          insert into abo.gutschein_code (gutschein_id, digest)
            values (1, sha256(convert_to('${CODE.replaceAll('-', '')}', 'UTF8'))); commit`),
      )
      const tries = async () => {
        const { rows } = await engine.owner.query<{ n: number }>(
          'select count(*)::integer as n from abo.gutschein_versuch',
        )
        await engine.owner.script(
          'begin; set local role forst_betrieb; delete from abo.gutschein_versuch; commit',
        )
        return Number(rows[0]?.n)
      }
      for (const [name, body] of [
        ['__o_check_gutschein', {}],
        ['__o_start_abo', { hqid: w.A1, modul: 'fe' }],
      ] as const)
        test.each(ALL_WAYS)(`${name} is counted or not made: %s`, async (_way, query, headers) => {
          const ask = async (code: string) => {
            const answer = await fetch(`${api.address}/rpc/${name}${query}`, {
              method: 'POST',
              headers: {
                authorization: 'Bearer ogf_standard',
                'content-type': 'application/json',
                ...headers,
              },
              body: JSON.stringify({ ...body, code }),
            })
            return { status: answer.status, text: await answer.text(), counted: await tries() }
          }
          const [wrong, used] = [await ask('wrong'), await ask('wrong too')]
          expect(used).toEqual(wrong)
          if (wrong.status < 300) expect(wrong.counted).toBe(1)
          // A request refused without being counted was refused before the code was checked.
          if (wrong.counted === 0 && name === '__o_check_gutschein') expect(await ask(CODE)).toEqual(wrong)
        })
    })

    async function call(
      who: string,
      method: string,
      path: string,
      body?: unknown,
      prefer?: string,
    ): Promise<Answer> {
      const headers: Record<string, string> = { authorization: `Bearer ${who}` }
      if (body !== undefined) headers['content-type'] = 'application/json'
      if (prefer !== undefined) headers['prefer'] = prefer
      const answer = await fetch(`${api.address}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
    }
    const rpc = (who: string, name: string, body: unknown = {}) => call(who, 'POST', `/rpc/${name}`, body)

    describe('reads', () => {
      test('/hq?order=idHQ answers every headquarters in order, names in their own spelling', async () => {
        const { status, body } = await call('ogf_admin', 'GET', '/hq?order=idHQ')
        expect(status).toBe(200)
        expect(body).toMatchObject([
          { idHQ: w.A1, sHQ: 'A eins', dcFLAEHB: 200, dtFE: null },
          { idHQ: w.A2 },
          { idHQ: w.B1 },
        ])
      })
      test('/hq?idHQ=eq.{id}', async () =>
        expect(await call('ogf_team', 'GET', `/hq?idHQ=eq.${w.B1}`)).toMatchObject({
          status: 200,
          body: [{ sHQ: 'B eins' }],
        }))
      test('/gutschein', async () =>
        expect(await call('ogf_admin', 'GET', '/gutschein')).toMatchObject({
          status: 200,
          body: [{ id: 1, rabatt_abo: 10, laufzeit: 12 }],
        }))
      test('/kunde and /kunde?client_id=eq.{id}', async () => {
        expect((await call('apus_team', 'GET', '/kunde')).body).toHaveLength(2)
        expect(await call('kundenadmin', 'GET', `/kunde?client_id=eq.${w.A}`)).toMatchObject({
          status: 200,
          body: [{ name: 'Forst A', plz: '04103', epsg: 25833 }],
        })
        expect(await call('kundenadmin', 'GET', `/kunde?client_id=eq.${w.B}`)).toEqual({
          status: 200,
          body: [],
        })
      })
      test('/benutzer and /benutzer_kunde?client_id=eq.{id}', async () => {
        expect((await call('kundenadmin', 'GET', '/benutzer')).body).not.toContainEqual(
          expect.objectContaining({ user_id: w.STRANGER }),
        )
        expect(await call('apus_admin', 'GET', `/benutzer_kunde?client_id=eq.${w.B}`)).toMatchObject({
          body: [{ user_id: w.STRANGER, rolle: 'nutzer' }],
        })
      })
    })

    describe('changes', () => {
      test('/kunde_hq?hqid=eq.{id} takes each switch alone', async () => {
        const switches = {
          fe_enabled: true,
          basis_fe_enabled: true,
          kawm_enabled: true,
          kawm_area: 12.5,
          kawm_approval_date: '2024-05-01',
          kawm_custom_area_enabled: true,
        }
        for (const [key, value] of Object.entries(switches))
          expect(await call('ogf_admin', 'PATCH', `/kunde_hq?hqid=eq.${w.A1}`, { [key]: value })).toEqual({
            status: 204,
            body: null,
          })
        expect(await call('ogf_admin', 'GET', `/kunde_hq?hqid=eq.${w.A1}`)).toMatchObject({
          body: [switches],
        })
      })
      test('/kunde?client_id=eq.{id} takes bundesland or epsg', async () => {
        expect(
          await call('apus_team', 'PATCH', `/kunde?client_id=eq.${w.B}`, { bundesland: 'Hessen' }),
        ).toMatchObject({ status: 204 })
        expect(
          await call(
            'apus_team',
            'PATCH',
            `/kunde?client_id=eq.${w.B}`,
            { epsg: '25832' },
            'return=representation',
          ),
        ).toMatchObject({
          status: 200,
          body: [{ bundesland: 'Hessen', epsg: 25832 }],
        })
      })
      test('a column beyond the role is 403, a foreign row is none', async () => {
        expect(await call('kundenadmin', 'PATCH', `/kunde?client_id=eq.${w.A}`, { name: 'x' })).toMatchObject(
          {
            status: 403,
            body: { code: '42501' },
          },
        )
        expect(
          await call(
            'kundenadmin',
            'PATCH',
            `/kunde?client_id=eq.${w.B}`,
            { ap_tel: '0561 1' },
            'return=representation',
          ),
        ).toEqual({
          status: 200,
          body: [],
        })
      })
      test('an unknown field is refused, and so is a change of everything', async () => {
        expect(
          await call('admin', 'PATCH', `/kunde?client_id=eq.${w.A}`, { schuhgroesse: 43 }),
        ).toMatchObject({
          status: 400,
          body: { code: 'PGRST204' },
        })
        expect(await call('admin', 'PATCH', '/kunde', { ort: 'x' })).toMatchObject({
          status: 400,
          body: { code: '21000' },
        })
        expect(await call('admin', 'DELETE', '/gutschein')).toMatchObject({
          status: 400,
          body: { code: '21000' },
        })
      })
    })

    describe('creates and deletes', () => {
      test('/kunde takes name, strasse, plz, ort', async () => {
        const { status, body } = await call(
          'apus_admin',
          'POST',
          '/kunde',
          { name: 'Neu', strasse: 'Weg 9', plz: '01067', ort: 'Dresden' },
          'return=representation',
        )
        expect(status).toBe(201)
        expect(body).toMatchObject([
          { name: 'Neu', epsg: 25832, version: 1, geaendert_von: 'Vor112 Nach112' },
        ])
      })
      test('/gutschein and DELETE /gutschein?id=eq.{id}', async () => {
        const created = await call(
          'ogf_admin',
          'POST',
          '/gutschein',
          { rabatt_abo: '20', rabatt_kawm: 5, expire_date: '2090-12-31', laufzeit: '6' },
          'return=representation',
        )
        expect(created).toMatchObject({
          status: 201,
          body: [{ rabatt_abo: 20, expire_date: '2090-12-31', laufzeit: 6 }],
        })
        const [{ id }] = created.body as [{ id: number }]
        expect(await call('ogf_admin', 'DELETE', `/gutschein?id=eq.${id}`)).toEqual({
          status: 204,
          body: null,
        })
      })
    })

    describe('procedures', () => {
      test('of customers and people', async () => {
        expect(
          await rpc('ogf_admin', 'a_get_appusers_from_client', { client_id: String(w.A) }),
        ).toMatchObject({
          status: 200,
          body: expect.arrayContaining([expect.objectContaining({ user_id: w.COLLEAGUE })]),
        })
        expect(await rpc('kundenadmin', '__o_get_users_from_hq', { client_id: String(w.A1) })).toMatchObject({
          status: 200,
          body: expect.arrayContaining([
            expect.objectContaining({ user_id: w.FORESTER, hq_status: ['hq_user'] }),
          ]),
        })
        expect(await rpc('apus_team', 'a_get_apus_team_from_client', { client_id: w.A })).toMatchObject({
          body: expect.arrayContaining([expect.objectContaining({ user_id: w.ADVISER })]),
        })
        expect(await rpc('apus_admin', 'a_set_projektordner', { client_id: w.A, ordner: 'Kunde A' })).toEqual(
          { status: 204, body: null },
        )
        expect(
          await rpc('apus_admin', 'a_set_projektordner', { client_id: w.A, ordner: '../etc' }),
        ).toMatchObject({
          status: 400,
          body: { code: '23514' },
        })
        expect(
          await rpc('apus_admin', 'a_set_kataster_for_client', { client_id: w.A, kataster_status: true }),
        ).toEqual({
          status: 204,
          body: null,
        })
        expect(
          await rpc('apus_admin', 'a_add_user_to_client', {
            user_id: w.FORESTER,
            client_id: w.A,
            kataster_enabled: true,
          }),
        ).toEqual({
          status: 204,
          body: null,
        })
        // A customer's admin can grant the Kataster only once they see it themselves.
        const newcomer = { mail: 'niemand@forst-a.example', kataster_enabled: true, client_id: w.A }
        expect(await rpc('appuser_admin', 'a_add_user', newcomer)).toMatchObject({ status: 403 })
        const { user_id } = w.IDENTITIES.appuser_admin
        expect(
          await rpc('apus_admin', 'a_add_user_to_client', {
            user_id,
            client_id: w.A,
            kataster_enabled: true,
          }),
        ).toMatchObject({
          status: 204,
        })
        const added = await rpc('appuser_admin', 'a_add_user', {
          mail: 'Erika@Forst-A.example',
          first_name: null,
          last_name: null,
          kataster_enabled: true,
          apus_team: false,
          apus_admin: false,
          client_id: w.A,
        })
        expect(added).toMatchObject({
          status: 200,
          body: { email: 'erika@forst-a.example', username: 'erika@forst-a.example', db_role: 'erika' },
        })
        expect(await rpc('apus_admin', 'a_get_user_exists', { db_role: 'erika' })).toEqual({
          status: 200,
          body: true,
        })
        expect(await rpc('apus_admin', 'a_get_user_exists', { db_role: 'niemand' })).toEqual({
          status: 200,
          body: false,
        })
        expect(
          await rpc('apus_admin', 'a_add_user', {
            mail: 'erika@forst-a.example',
            first_name: 'E',
            last_name: 'F',
            kataster_enabled: false,
            apus_team: false,
            apus_admin: false,
            client_id: null,
          }),
        ).toMatchObject({ status: 409 })
        expect(
          await rpc('apus_admin', 'a_add_user', {
            mail: 'kein Brief',
            first_name: 'E',
            last_name: 'F',
            kataster_enabled: false,
            apus_team: false,
            apus_admin: false,
            client_id: null,
          }),
        ).toMatchObject({ status: 400 })
      })
      test('of one’s own data: by address with an empty id', async () => {
        expect(
          await rpc('kundenadmin', '__o_get_user_data', { email: w.usernameOf(106).toUpperCase(), id: '' }),
        ).toMatchObject({
          status: 200,
          body: [
            {
              user_id: 106,
              system_status: 'kundenadmin',
              kunden: [{ client_id: w.A, name: 'Forst A', rolle: 'kundenadmin' }],
            },
          ],
        })
        expect(await rpc('kundenadmin', '__o_get_user_data', { email: '', id: String(w.STRANGER) })).toEqual({
          status: 200,
          body: [],
        })
        expect(
          await rpc('ogf_standard', '__o_update_user', {
            first_name: 'Eva',
            last_name: 'Eiche',
            mail: 'eva@forst.example',
          }),
        ).toEqual({
          status: 204,
          body: null,
        })
        expect(await rpc('ogf_standard', 'a_get_currentuser')).toMatchObject({
          body: [{ first_name: 'Eva', mail: 'eva@forst.example', email: w.usernameOf(102) }],
        })
        expect(await rpc('ogf_standard', 'a_get_currentsessionuser')).toMatchObject({
          status: 200,
          body: {
            name: 'Eva Eiche',
            roles: ['ogf_standard'],
            groups: ['appuser_validated'],
            idhq: w.A1,
            hq_name: 'A eins',
            hq_count: 1,
            hq_status: ['hq_user'],
            mail_db: 'eva@forst.example',
          },
        })
      })
      test('of links and app access', async () => {
        const person = { username: w.usernameOf(w.COLLEAGUE), user_id: String(w.COLLEAGUE) }
        expect(
          await rpc('ogf_fb_admin', '__o_connect_user_to_hq', { ...person, hqid: String(w.A1) }),
        ).toEqual({ status: 204, body: null })
        expect(await rpc('ogf_fb_admin', '__o_disconnect_user_from_hq', { ...person, hqid: w.A1 })).toEqual({
          status: 204,
          body: null,
        })
        expect(
          await rpc('ogf_fb_admin', '__o_disconnect_user_from_hq', { ...person, hqid: w.A1 }),
        ).toMatchObject({ status: 403 })
        expect(await rpc('apus_admin', '__o_change_app_status', { ...person, status: 'gesperrt' })).toEqual({
          status: 204,
          body: null,
        })
        expect(
          await rpc('apus_admin', '__o_change_app_status', { ...person, status: 'offen' }),
        ).toMatchObject({ status: 400 })
      })
      test('of headquarters', async () => {
        expect(await rpc('ogf_standard', '__o_get_hqs_from_user', { user_id: '102' })).toMatchObject({
          status: 200,
          body: [
            {
              idHQ: w.A1,
              sHQ: 'A eins',
              hq_status: ['hq_user'],
              fb_enabled: true,
              dtFE: null,
              dcFLAEHB: 200,
            },
          ],
        })
        expect(await rpc('ogf_standard', '__o_get_hqs_from_user', { user_id: '103' })).toMatchObject({
          status: 403,
        })
        expect(await rpc('ogf_standard', '__o_get_hq_details', { hq_id: w.A1 })).toMatchObject({
          body: [{ idHQ: w.A1, epsg: 25833, flaeche_ha: 200, kunde: null }],
        })
        expect(await rpc('ogf_standard', '__o_get_bbox_from_hq')).toMatchObject({
          status: 200,
          body: [{ idHQ: w.A1, xmin: 320000, ymin: 5690000, xmax: 321000, ymax: 5692000 }],
        })
      })
      test('locking somebody works on their next call', async () => {
        expect(await rpc('ogf_team', 'a_set_user_enabled', { user_id: 107, enabled: false })).toMatchObject({
          status: 403,
        })
        expect(await call('appuser', 'GET', '/kunde')).toMatchObject({ status: 200 })
        expect(await rpc('ogf_admin', 'a_set_user_enabled', { user_id: 107, enabled: false })).toEqual({
          status: 204,
          body: null,
        })
        expect(await call('appuser', 'GET', '/kunde')).toMatchObject({
          status: 401,
          body: { message: 'Account disabled', hint: 'account_disabled' },
        })
      })
      test('what is not published does not exist', async () => {
        expect(await rpc('admin', 'protect', { relation: 'app.kunde' })).toMatchObject({
          status: 404,
          body: { code: 'PGRST202' },
        })
        expect(await call('admin', 'GET', '/identitaet')).toMatchObject({
          status: 404,
          body: { code: 'PGRST205' },
        })
        expect(await call('admin', 'GET', '/pg_authid')).toMatchObject({
          status: 404,
          body: { code: 'PGRST205' },
        })
      })
    })
  })
