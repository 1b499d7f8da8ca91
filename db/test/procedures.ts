// The matrix of procedures: who may call what with their own and with foreign ids.
import type { SYSTEM_STATUS } from '#domain/roles.ts'
import { type Cell, sql } from './attempt.ts'
import { FOREST, LINKED_A1 } from './headquarters.ts'
import * as w from './world.ts'
import { IDENTITIES, ROLE_NAMES } from './world.ts'

const STAFF = 'ogf_admin ogf_team apus_admin apus_team admin'
const ADMINS = 'ogf_admin apus_admin admin'
/** The admin who grants the roles of a half. */
const FOREST_ADMIN = 'ogf_admin admin'
const DRAINAGE = 'apus_admin admin'
const SELVES = [...ROLE_NAMES, 'cut_by_ceiling'].join(' ')

const call =
  (text: string, ...values: unknown[]) =>
  () =>
    sql(`select * from app.${text}`, ...values)
/** Who may give this base role to somebody else. */
const GIVEN: Readonly<Record<(typeof SYSTEM_STATUS)[number], string>> = {
  ogf_init: ADMINS,
  ogf_standard: FOREST_ADMIN,
  kundenadmin: FOREST_ADMIN,
  ogf_team: FOREST_ADMIN,
  ogf_admin: FOREST_ADMIN,
  appuser: DRAINAGE,
  appuser_admin: DRAINAGE,
  apus_team: DRAINAGE,
  apus_admin: DRAINAGE,
  admin: '',
}
/** Who may replace their own base role with this one: roles that an admin gives up. */
const LAID_DOWN: Readonly<Record<string, string>> = {
  ogf_init: ADMINS,
  ogf_standard: FOREST_ADMIN,
  appuser: DRAINAGE,
  ogf_admin: 'admin',
  apus_admin: 'admin',
}
/** $1 is the caller. */
const self = (text: string) => (me: number) => sql(`select app.${text}`, me)
const finds = (user_id: number) => (row: Record<string, unknown>) => row['user_id'] === user_id
const findsHq = (hqId: number) => (row: Record<string, unknown>) => row['idHQ'] === hqId

export const PROCEDURES: Record<string, Cell[]> = {
  a_get_appusers_from_client: [
    {
      what: 'own',
      call: call('a_get_appusers_from_client($1)', w.A),
      finds: finds(w.COLLEAGUE),
      may: `${STAFF} kundenadmin appuser_admin`,
    },
    {
      what: 'foreign',
      call: call('a_get_appusers_from_client($1)', w.B),
      finds: finds(w.STRANGER),
      may: STAFF,
    },
  ],
  a_get_apus_team_from_client: [
    {
      what: 'own',
      call: call('a_get_apus_team_from_client($1)', w.A),
      finds: finds(w.ADVISER),
      may: `${STAFF} kundenadmin appuser_admin`,
    },
    {
      what: 'foreign shows nobody of another customer',
      call: call('a_get_apus_team_from_client($1)', w.B),
      finds: () => true,
      may: '',
    },
  ],
  __o_get_users_from_hq: [
    {
      what: 'own',
      call: call('__o_get_users_from_hq($1)', w.A1),
      finds: finds(w.FORESTER),
      may: `${STAFF} kundenadmin ogf_fb_admin`,
    },
    { what: 'foreign', call: call('__o_get_users_from_hq($1)', w.B1), finds: finds(w.STRANGER), may: STAFF },
  ],
  a_set_projektordner: [
    { what: 'own', call: call(`a_set_projektordner($1, 'Plaene 2024')`, w.A), may: ADMINS },
    { what: 'foreign', call: call(`a_set_projektordner($1, 'Plaene 2024')`, w.B), may: ADMINS },
    { what: 'nobody’s', call: call(`a_set_projektordner($1, 'Plaene 2024')`, 999), may: '' },
  ],
  a_set_kataster_for_client: [
    { what: 'own', call: call('a_set_kataster_for_client($1, true)', w.A), may: ADMINS },
    { what: 'foreign', call: call('a_set_kataster_for_client($1, true)', w.B), may: ADMINS },
  ],
  a_add_user_to_client: [
    { what: 'nobody', call: call(`a_add_user_to_client(999, ${w.A}, false)`), may: '' },
    {
      what: 'a person of one’s own to the own customer',
      call: call('a_add_user_to_client($1, $2, false)', w.COLLEAGUE, w.A),
      may: `${ADMINS} kundenadmin appuser_admin`,
    },
    {
      what: 'the survey switch, which the customer has not been given',
      call: call('a_add_user_to_client($1, $2, true)', w.COLLEAGUE, w.A),
      may: DRAINAGE,
    },
    {
      what: 'a stranger to the own customer',
      call: call('a_add_user_to_client($1, $2, false)', w.STRANGER, w.A),
      may: ADMINS,
    },
    {
      what: 'a person of one’s own to a foreign customer',
      call: call('a_add_user_to_client($1, $2, false)', w.COLLEAGUE, w.B),
      may: ADMINS,
    },
    {
      what: 'as a plain user',
      call: call(`a_add_user_to_client($1, $2, false, 'nutzer')`, w.STRANGER, w.A),
      may: DRAINAGE,
    },
    {
      what: 'as kundenadmin',
      call: call(`a_add_user_to_client($1, $2, false, 'kundenadmin')`, w.STRANGER, w.A),
      may: FOREST_ADMIN,
    },
    {
      what: 'as kundenadmin, one of the own people who is there',
      call: call(`a_add_user_to_client($1, $2, false, 'kundenadmin')`, w.COLLEAGUE, w.A),
      may: `${FOREST_ADMIN} kundenadmin`,
    },
    // Adding a role one already has changes nothing and is no error.
    ...(
      [
        ['nutzer', ''],
        ['admin', 'appuser_admin'],
        ['kundenadmin', 'kundenadmin'],
      ] as const
    ).flatMap(([role, may]) => [
      {
        what: `oneself to the own customer as ${role}`,
        call: self(`a_add_user_to_client($1, ${w.A}, false, '${role}')`),
        may,
      },
      {
        what: `oneself to a foreign customer as ${role}`,
        call: self(`a_add_user_to_client($1, ${w.B}, false, '${role}')`),
        may: '',
      },
    ]),
    { what: 'oneself to a foreign customer', call: self(`a_add_user_to_client($1, ${w.B}, false)`), may: '' },
    {
      what: 'the survey switch of one’s own link',
      call: self(`a_add_user_to_client($1, ${w.A}, true)`),
      may: '',
    },
  ],
  a_remove_user_from_client: [
    {
      what: 'somebody who is not linked',
      call: call(`a_remove_user_from_client(${w.FORESTER}, ${w.A})`),
      may: '',
    },
    {
      what: 'own',
      call: call('a_remove_user_from_client($1, $2)', w.COLLEAGUE, w.A),
      may: `${ADMINS} kundenadmin appuser_admin`,
    },
    { what: 'foreign', call: call('a_remove_user_from_client($1, $2)', w.STRANGER, w.B), may: ADMINS },
  ],
  a_set_kunde_rolle: [
    {
      what: 'of somebody who is not linked',
      call: call(`a_set_kunde_rolle(${w.FORESTER}, ${w.A}, 'nutzer')`),
      may: '',
    },
    {
      what: 'own nutzer',
      call: call(`a_set_kunde_rolle($1, $2, 'nutzer')`, w.COLLEAGUE, w.A),
      may: `${DRAINAGE} appuser_admin`,
    },
    {
      what: 'own admin',
      call: call(`a_set_kunde_rolle($1, $2, 'admin')`, w.COLLEAGUE, w.A),
      may: `${DRAINAGE} appuser_admin`,
    },
    {
      what: 'own kundenadmin',
      call: call(`a_set_kunde_rolle($1, $2, 'kundenadmin')`, w.COLLEAGUE, w.A),
      may: `${FOREST_ADMIN} kundenadmin`,
    },
    {
      what: 'taking the other half’s admin away',
      call: call(`a_set_kunde_rolle($1, $2, 'nutzer')`, IDENTITIES.kundenadmin.user_id, w.A),
      may: 'admin',
    },
    {
      what: 'the forest half’s in place of the drainage half’s admin',
      call: call(`a_set_kunde_rolle($1, $2, 'kundenadmin')`, IDENTITIES.appuser_admin.user_id, w.A),
      may: 'admin',
    },
    { what: 'foreign', call: call(`a_set_kunde_rolle($1, $2, 'nutzer')`, w.STRANGER, w.B), may: DRAINAGE },
    {
      what: 'foreign kundenadmin',
      call: call(`a_set_kunde_rolle($1, $2, 'kundenadmin')`, w.STRANGER, w.B),
      may: FOREST_ADMIN,
    },
    ...['nutzer', 'admin', 'kundenadmin'].map((role) => ({
      what: `one’s own: another than one has, ${role}`,
      call: (me: number) =>
        sql(
          `select app.a_set_kunde_rolle(bk.user_id, bk.client_id, $2) from app.benutzer_kunde bk
           where bk.user_id = $1 and bk.client_id = ${w.A} and bk.rolle <> $2`,
          me,
          role,
        ),
      may: '',
    })),
  ],
  a_add_user: [
    {
      what: 'to a customer that does not exist',
      call: call(`a_add_user('neu@test.example', 'Neu', 'Person', false, false, false, 999)`),
      may: '',
    },
    {
      what: 'to the own customer',
      call: call(`a_add_user('neu@test.example', 'Neu', 'Person', false, false, false, $1)`, w.A),
      may: `${ADMINS} appuser_admin`,
    },
    ...(
      [
        ['nutzer', `${DRAINAGE} appuser_admin`, DRAINAGE],
        ['admin', `${DRAINAGE} appuser_admin`, DRAINAGE],
        ['kundenadmin', `${FOREST_ADMIN} kundenadmin`, FOREST_ADMIN],
        ['chef', '', ''],
      ] as const
    ).flatMap(([role, own, foreign]) => [
      {
        what: `to the own customer as ${role}`,
        call: call(`a_add_user('neu@test.example', client_id => ${w.A}, rolle => '${role}')`),
        may: own,
      },
      {
        what: `to a foreign customer as ${role}`,
        call: call(`a_add_user('neu@test.example', client_id => ${w.B}, rolle => '${role}')`),
        may: foreign,
      },
    ]),
    {
      what: 'with the survey switch that the customer lacks',
      call: call(`a_add_user('neu@test.example', 'Neu', 'Person', true, false, false, $1)`, w.A),
      may: DRAINAGE,
    },
    {
      what: 'to a foreign customer',
      call: call(`a_add_user('neu@test.example', 'Neu', 'Person', false, false, false, $1)`, w.B),
      may: ADMINS,
    },
    {
      what: 'to no customer',
      call: call(`a_add_user('neu@test.example', 'Neu', 'Person', false, false, false, null)`),
      may: ADMINS,
    },
    {
      what: 'as team',
      call: call(`a_add_user('neu@test.example', 'Neu', 'Person', false, true, false, $1)`, w.A),
      may: 'apus_admin admin',
    },
    {
      what: 'as admin',
      call: call(`a_add_user('neu@test.example', 'Neu', 'Person', false, false, true, $1)`, w.A),
      may: 'apus_admin admin',
    },
  ],
  a_get_user_exists: [{ what: 'asked', call: call(`a_get_user_exists('irgendwer')`), may: ADMINS }],
  __o_get_user_data: [
    {
      what: 'self',
      call: (me) => sql(`select * from app.__o_get_user_data('', $1)`, String(me)),
      finds: (row, me) => row['user_id'] === me,
      may: SELVES,
    },
    {
      what: 'own, by address',
      call: call(`__o_get_user_data($1, '')`, w.usernameOf(w.COLLEAGUE)),
      finds: finds(w.COLLEAGUE),
      may: `${STAFF} kundenadmin appuser_admin`,
    },
    {
      what: 'foreign, by address',
      call: call(`__o_get_user_data($1, '')`, w.usernameOf(w.STRANGER)),
      finds: finds(w.STRANGER),
      may: STAFF,
    },
    {
      what: 'neither address nor number',
      call: call(`__o_get_user_data('', '')`),
      finds: () => true,
      may: '',
    },
  ],
  __o_change_app_status: [
    {
      what: 'a person of the customer',
      call: call(`__o_change_app_status($1, $2, 'gesperrt')`, w.COLLEAGUE, w.usernameOf(w.COLLEAGUE)),
      may: `${ADMINS} kundenadmin appuser_admin`,
    },
    {
      what: 'a person of the headquarters',
      call: call(`__o_change_app_status($1, $2, 'gesperrt')`, w.FORESTER, w.usernameOf(w.FORESTER)),
      may: `${ADMINS} kundenadmin ogf_fb_admin`,
    },
    {
      what: 'foreign',
      call: call(`__o_change_app_status($1, $2, 'gesperrt')`, w.STRANGER, w.usernameOf(w.STRANGER)),
      may: ADMINS,
    },
    {
      what: 'a number with somebody else’s name',
      call: call(`__o_change_app_status($1, $2, 'gesperrt')`, w.COLLEAGUE, w.usernameOf(w.FORESTER)),
      may: '',
    },
    {
      what: 'a member of the provider’s team',
      call: call(`__o_change_app_status($1, $2, 'gesperrt')`, w.ADVISER, w.usernameOf(w.ADVISER)),
      may: 'apus_admin admin',
    },
  ],
  __o_update_user: [{ what: 'own names', call: call(`__o_update_user('Eva', 'Forst', null)`), may: SELVES }],
  __o_connect_user_to_hq: [
    ...(
      [
        ['a stranger to the own headquarters', w.STRANGER, w.A1, 'ogf_admin admin'],
        [
          'a newly registered person to the own headquarters',
          IDENTITIES.ogf_init.user_id,
          w.A1,
          'ogf_admin admin kundenadmin ogf_fb_admin',
        ],
        ['a member of the provider’s team', w.ADVISER, w.A1, 'ogf_admin admin'],
        ['to the own headquarters', w.COLLEAGUE, w.A1, 'ogf_admin admin kundenadmin ogf_fb_admin'],
        ['to another of the customer', w.COLLEAGUE, w.A2, 'ogf_admin admin kundenadmin'],
        ['to a foreign one', w.COLLEAGUE, w.B1, 'ogf_admin admin'],
      ] as const
    ).map(([what, user, hqId, may]) => ({
      what,
      call: call('__o_connect_user_to_hq($1, $2, $3)', w.usernameOf(user), user, hqId),
      may,
    })),
    {
      what: 'a number with somebody else’s name',
      call: call('__o_connect_user_to_hq($1, $2, $3)', w.usernameOf(w.STRANGER), w.COLLEAGUE, w.A1),
      may: '',
    },
    ...[w.A1, w.A2, w.B1].map((hqId) => ({
      what: `oneself to ${hqId}`,
      call: (me: number) => sql('select app.__o_connect_user_to_hq($1, $2, $3)', w.usernameOf(me), me, hqId),
      may: '',
    })),
  ],
  __o_disconnect_user_from_hq: [
    {
      what: 'somebody who is not connected',
      call: call(`__o_disconnect_user_from_hq('${w.usernameOf(w.COLLEAGUE)}', ${w.COLLEAGUE}, ${w.A1})`),
      may: '',
    },
    {
      what: 'from the own headquarters',
      call: call('__o_disconnect_user_from_hq($1, $2, $3)', w.usernameOf(w.FORESTER), w.FORESTER, w.A1),
      may: 'ogf_admin admin kundenadmin ogf_fb_admin',
    },
    {
      what: 'from a foreign one',
      call: call('__o_disconnect_user_from_hq($1, $2, $3)', w.usernameOf(w.STRANGER), w.STRANGER, w.B1),
      may: 'ogf_admin admin',
    },
  ],
  a_set_hq_status: [
    {
      what: 'own',
      call: call(`a_set_hq_status($1, $2, '{hq_admin}')`, w.FORESTER, w.A1),
      may: 'ogf_admin admin ogf_fb_admin',
    },
    {
      what: 'foreign',
      call: call(`a_set_hq_status($1, $2, '{hq_admin}')`, w.STRANGER, w.B1),
      may: 'ogf_admin admin',
    },
    {
      what: 'oneself where one only works',
      call: self(`a_set_hq_status($1, ${w.A1}, '{hq_admin}')`),
      may: 'ogf_fb_admin',
    },
    { what: 'oneself: less', call: self(`a_set_hq_status($1, ${w.A1}, '{hq_user}')`), may: 'ogf_fb_admin' },
  ],
  a_set_user_enabled: [
    {
      what: 'a person of the customer',
      call: call('a_set_user_enabled($1, false)', w.COLLEAGUE),
      may: `${ADMINS} kundenadmin appuser_admin`,
    },
    {
      what: 'a person of the headquarters',
      call: call('a_set_user_enabled($1, false)', w.FORESTER),
      may: `${ADMINS} kundenadmin ogf_fb_admin`,
    },
    { what: 'foreign', call: call('a_set_user_enabled($1, false)', w.STRANGER), may: ADMINS },
    {
      what: 'a member of the provider’s team',
      call: call('a_set_user_enabled($1, false)', w.ADVISER),
      may: 'apus_admin admin',
    },
    { what: 'nobody', call: call('a_set_user_enabled($1, false)', 999), may: '' },
  ],
  a_set_system_status: [
    { what: 'nobody’s', call: call(`a_set_system_status(999, 'ogf_standard')`), may: '' },
    ...Object.entries(GIVEN).flatMap(([role, may]) => [
      { what: `of somebody: ${role}`, call: call(`a_set_system_status($1, '${role}')`, w.COLLEAGUE), may },
      {
        what: `one’s own, another than one has: ${role}`,
        call: (me: number) =>
          sql(
            `select app.a_set_system_status(b.user_id, $2) from app.benutzer b
             where b.user_id = $1 and b.system_status <> $2`,
            me,
            role,
          ),
        may: LAID_DOWN[role] ?? '',
      },
    ]),
    {
      what: 'taking the drainage half’s role away',
      call: call(`a_set_system_status($1, 'ogf_init')`, w.ADVISER),
      may: DRAINAGE,
    },
    {
      what: 'taking `admin` away',
      call: call(`a_set_system_status($1, 'ogf_init')`, IDENTITIES.session_ended.user_id),
      may: 'admin',
    },
  ],
  a_set_user_flags: [
    { what: 'nobody’s', call: call(`a_set_user_flags(999, false, false)`), may: '' },
    {
      what: 'somebody',
      call: call('a_set_user_flags($1, true, true)', w.COLLEAGUE),
      may: 'apus_admin admin',
    },
    { what: 'oneself', call: self('a_set_user_flags($1, true, true)'), may: '' },
  ],
  a_get_currentuser: [
    {
      what: 'self',
      call: call('a_get_currentuser()'),
      finds: (row, me) => row['user_id'] === me,
      may: SELVES,
    },
  ],
  a_get_currentsessionuser: [
    {
      what: 'self',
      call: () => sql('select (app.a_get_currentsessionuser()) ->> $1 as user_id', 'user_id'),
      finds: (row, me) => row['user_id'] === String(me),
      may: SELVES,
    },
  ],
  __o_get_hqs_from_user: [
    {
      what: 'a person of the own headquarters',
      call: call('__o_get_hqs_from_user($1)', w.FORESTER),
      finds: findsHq(w.A1),
      may: `${FOREST} kundenadmin ogf_fb_admin`,
    },
    {
      what: 'foreign',
      call: call('__o_get_hqs_from_user($1)', w.STRANGER),
      finds: findsHq(w.B1),
      may: FOREST,
    },
    {
      what: 'self',
      call: (me) => sql('select * from app.__o_get_hqs_from_user($1)', me),
      finds: findsHq(w.A1),
      may: LINKED_A1,
    },
  ],
  __o_get_hq_details: [
    {
      what: 'own',
      call: call('__o_get_hq_details($1)', w.A1),
      finds: (row) => row['idHQ'] === w.A1 && Number(row['flaeche_ha']) === 200,
      may: `${FOREST} kundenadmin ${LINKED_A1}`,
    },
    { what: 'foreign', call: call('__o_get_hq_details($1)', w.B1), finds: () => true, may: FOREST },
  ],
  __o_get_bbox_from_hq: [
    {
      what: 'own',
      call: call('__o_get_bbox_from_hq()'),
      finds: (row) => row['idHQ'] === w.A1 && row['xmin'] === '320000' && row['ymax'] === '5692000',
      may: `${FOREST} kundenadmin ${LINKED_A1}`,
    },
    { what: 'foreign', call: call('__o_get_bbox_from_hq()'), finds: findsHq(w.B1), may: FOREST },
  ],
  a_import_find_kunden: [
    {
      what: 'an own customer',
      call: call(`a_import_find_kunden('[{"name": "FORST a", "plz": "04103"}]')`),
      finds: (row) => row['client_id'] === w.A,
      may: `${STAFF} kundenadmin appuser appuser_admin`,
    },
    {
      what: 'a foreign customer',
      call: call(`a_import_find_kunden('[{"name": "Forst B", "plz": "34117"}]')`),
      may: STAFF,
    },
  ],
  a_import_zeilen: [
    {
      what: 'to one’s own run',
      call: (me) => sql(`select app.a_import_zeilen($1, '[{"zeile": 2, "werte": {"name": "x"}}]')`, me),
      may: 'ogf_admin admin',
    },
    {
      what: 'to another’s run',
      call: call(`a_import_zeilen($1, '[{"zeile": 2, "werte": {"name": "x"}}]')`, w.COLLEAGUE),
      may: '',
    },
  ],
  a_import_kunden: [
    {
      what: 'one’s own run',
      call: (me) => sql('select app.a_import_kunden($1) as report', me),
      finds: (row) => (row['report'] as string).includes('"zustand": "fertig"'),
      may: 'ogf_admin admin',
    },
    { what: 'another’s run', call: call('a_import_kunden($1)', w.COLLEAGUE), may: '' },
  ],
  a_import_set_zuordnung: [
    {
      what: 'one’s own',
      call: call(`a_import_set_zuordnung('Name;PLZ', '{}')`),
      may: 'ogf_admin apus_admin apus_team admin',
    },
  ],
}
