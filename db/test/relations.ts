// The matrix of rows: who may do what to which rows of which relation. Expectations are written by hand from
// docs/decisions/roles.md, not computed from the policies.
import { type Cell, sql, one } from './attempt.ts'
import { FOREST, LINKED_A1, readHeadquarters } from './headquarters.ts'
import * as w from './world.ts'

const STAFF = 'ogf_admin ogf_team apus_admin apus_team admin'
const ADMINS = 'ogf_admin apus_admin admin'

/** Entries of the history: whose they are, and who reads them. */
const HISTORY: readonly (readonly [
  what: string,
  table: string,
  column: string,
  value: number,
  may: string,
])[] = [
  [
    'a link to the own customer',
    'benutzer_kunde',
    'person_id',
    w.COLLEAGUE,
    `${STAFF} kundenadmin appuser_admin`,
  ],
  ['a link to a foreign customer', 'benutzer_kunde', 'person_id', w.STRANGER, STAFF],
  [
    'a link to the own headquarters',
    'benutzer_hq',
    'person_id',
    w.FORESTER,
    `${STAFF} kundenadmin ogf_fb_admin`,
  ],
  ['a link to a foreign headquarters', 'benutzer_hq', 'person_id', w.STRANGER, STAFF],
  ['the own customer', 'kunde', 'client_id', w.A, `${STAFF} kundenadmin appuser appuser_admin`],
  ['a foreign customer', 'kunde', 'client_id', w.B, STAFF],
  ['the own headquarters', 'kunde_hq', 'hqid', w.A1, `${FOREST} kundenadmin ${LINKED_A1}`],
  ['a foreign headquarters', 'kunde_hq', 'hqid', w.B1, FOREST],
  ['an own person', 'benutzer', 'person_id', w.COLLEAGUE, `${STAFF} kundenadmin appuser_admin`],
  ['a foreign person', 'benutzer', 'person_id', w.STRANGER, STAFF],
]

export const RELATIONS: Record<string, Cell[]> = {
  kunde: [
    {
      what: 'read own',
      call: one('select * from app.kunde where client_id = $1', w.A),
      may: `${STAFF} kundenadmin appuser appuser_admin`,
    },
    { what: 'read foreign', call: one('select * from app.kunde where client_id = $1', w.B), may: STAFF },
    {
      what: 'create',
      call: one(`insert into app.kunde (name, strasse, plz, ort) values ('Neu', 'Weg 3', '10115', 'Berlin')`),
      may: ADMINS,
    },
    {
      what: "create with a number of one's own",
      call: one(
        `insert into app.kunde (client_id, name, strasse, plz, ort) values (77, 'Neu', 'Weg 3', '10115', 'Berlin')`,
      ),
      may: '',
    },
    ...columns('kunde', 'client_id', { own: w.A, foreign: w.B }, [
      {
        set: `name = 'Anders', name_zusatz = 'x', strasse = 'y', plz = '01067', ort = 'z'`,
        own: ADMINS,
        foreign: ADMINS,
      },
      { set: `bundesland = 'Sachsen'`, own: `${ADMINS} apus_team`, foreign: `${ADMINS} apus_team` },
      { set: 'epsg = 4647', own: `${ADMINS} apus_team`, foreign: `${ADMINS} apus_team` },
      {
        set: `ap_gender = 'Frau', ap_vorname = 'E', ap_nachname = 'F', ap_tel = '0341 1'`,
        own: `${ADMINS} kundenadmin appuser_admin`,
        foreign: ADMINS,
      },
      { set: `bundesland = 'Sachsen', name = 'Anders'`, own: ADMINS, foreign: ADMINS },
      { set: `ap_tel = '0341 1', epsg = 25832`, own: ADMINS, foreign: ADMINS },
      { set: `ordner = 'kunde_a'`, own: ADMINS, foreign: ADMINS },
      { set: `kataster_status = true`, own: ADMINS, foreign: ADMINS },
      { set: 'client_id = 99', own: '', foreign: '' },
      { set: 'version = 99', own: '', foreign: '' },
      { set: `geaendert_von = 'x'`, own: '', foreign: '' },
    ]),
    { what: 'delete own', call: one('delete from app.kunde where client_id = $1', w.A), may: '' },
    { what: 'delete foreign', call: one('delete from app.kunde where client_id = $1', w.B), may: '' },
  ],
  hq: [
    ...readHeadquarters('hq'),
    {
      what: 'create own',
      call: one(`insert into app.hq (client_id, "sHQ") values ($1, 'Neu')`, w.A),
      may: 'ogf_admin admin',
    },
    ...columns('hq', '"idHQ"', { own: w.A1, foreign: w.B1 }, [
      {
        set: `"sHQ" = 'Anders', fb_enabled = false, "dtFE" = '2020-01-01', "dcFLAEHB" = 3`,
        own: 'ogf_admin admin',
        foreign: 'ogf_admin admin',
      },
      { set: `client_id = ${w.B}`, own: '', foreign: '' },
    ]),
    { what: 'delete own', call: one('delete from app.hq where "idHQ" = $1', w.A1), may: '' },
  ],
  kunde_hq: [
    {
      what: 'read own',
      call: one('select * from app.kunde_hq where hqid = $1', w.A1),
      may: `${FOREST} kundenadmin ${LINKED_A1}`,
    },
    { what: 'read foreign', call: one('select * from app.kunde_hq where hqid = $1', w.B1), may: FOREST },
    {
      what: 'create',
      call: one('insert into app.kunde_hq (hqid, client_id) values ($1, $2)', w.A1, w.A),
      may: '',
    },
    ...columns('kunde_hq', 'hqid', { own: w.A1, foreign: w.B1 }, [
      ...[
        'fe_enabled = true',
        'basis_fe_enabled = true',
        'kawm_enabled = true',
        'kawm_area = 12.5',
        `kawm_approval_date = '2024-05-01'`,
        'kawm_custom_area_enabled = true',
      ].map((set) => ({ set, own: 'ogf_admin admin', foreign: 'ogf_admin admin' })),
      { set: `client_id = ${w.B}`, own: '', foreign: '' },
    ]),
    { what: 'delete own', call: one('delete from app.kunde_hq where hqid = $1', w.A1), may: '' },
  ],
  hq_flaeche: [
    {
      what: 'create own',
      call: one(
        'insert into app.hq_flaeche (hqid, client_id, geom) values ($1, $2, st_geomfromtext($3, 25833))',
        w.A2,
        w.A,
        w.A2_AREA,
      ),
      may: 'ogf_admin admin',
    },
    {
      what: 'read own',
      call: one('select hqid, st_area(geom) from app.hq_flaeche where hqid = $1', w.A1),
      may: `${FOREST} kundenadmin ${LINKED_A1}`,
    },
    {
      what: 'read foreign',
      call: one('select hqid, st_area(geom) from app.hq_flaeche where hqid = $1', w.B1),
      may: FOREST,
    },
    {
      what: 'change own',
      call: one('update app.hq_flaeche set geom = st_translate(geom, 10, 10) where hqid = $1', w.A1),
      may: 'ogf_admin admin',
    },
    {
      what: 'change foreign',
      call: one('update app.hq_flaeche set geom = st_translate(geom, 10, 10) where hqid = $1', w.B1),
      may: 'ogf_admin admin',
    },
    {
      what: 'delete own',
      call: one('delete from app.hq_flaeche where hqid = $1', w.A1),
      may: 'ogf_admin admin',
    },
    {
      what: 'delete foreign',
      call: one('delete from app.hq_flaeche where hqid = $1', w.B1),
      may: 'ogf_admin admin',
    },
  ],
  benutzer: [
    {
      what: 'read self',
      call: (me) => sql('select * from app.benutzer where user_id = $1', me),
      may: `${w.ROLE_NAMES.join(' ')} cut_by_ceiling`,
    },
    {
      what: 'read a person of the own customer',
      call: one('select * from app.benutzer where user_id = $1', w.COLLEAGUE),
      may: `${STAFF} kundenadmin appuser_admin`,
    },
    {
      what: 'read a person of the own headquarters',
      call: one('select * from app.benutzer where user_id = $1', w.FORESTER),
      may: `${STAFF} kundenadmin ogf_fb_admin`,
    },
    {
      what: 'read foreign',
      call: one('select * from app.benutzer where user_id = $1', w.STRANGER),
      may: STAFF,
    },
    ...writesNobody(
      'benutzer',
      `user_id = ${w.COLLEAGUE}`,
      `(email, username) values ('neu@test.example', 'neu')`,
      `enabled = false`,
    ),
  ],
  benutzer_kunde: [
    {
      what: 'read one’s own link',
      call: (me) => sql('select * from app.benutzer_kunde where user_id = $1', me),
      may: 'kundenadmin appuser appuser_admin',
    },
    {
      what: 'read own',
      call: one('select * from app.benutzer_kunde where user_id = $1', w.COLLEAGUE),
      may: `${STAFF} kundenadmin appuser_admin`,
    },
    {
      what: 'read foreign',
      call: one('select * from app.benutzer_kunde where user_id = $1', w.STRANGER),
      may: STAFF,
    },
    ...writesNobody(
      'benutzer_kunde',
      `user_id = ${w.COLLEAGUE}`,
      `(client_id, user_id) values (${w.B}, ${w.COLLEAGUE})`,
      `rolle = 'admin'`,
    ),
  ],
  benutzer_hq: [
    {
      what: 'read own',
      call: one('select * from app.benutzer_hq where user_id = $1', w.FORESTER),
      may: `${STAFF} kundenadmin ogf_fb_admin`,
    },
    {
      what: 'read foreign',
      call: one('select * from app.benutzer_hq where user_id = $1', w.STRANGER),
      may: STAFF,
    },
    ...writesNobody(
      'benutzer_hq',
      `user_id = ${w.FORESTER}`,
      `(client_id, hqid, user_id) values (${w.B}, ${w.B1}, ${w.FORESTER})`,
      `hq_status = '{hq_admin}'`,
    ),
  ],
  gutschein: [
    { what: 'read', call: one('select * from app.gutschein'), may: 'ogf_admin admin' },
    {
      what: 'create',
      call: one(
        `insert into app.gutschein (rabatt_abo, rabatt_kawm, expire_date, laufzeit) values (5, 5, '2035-01-01', 3)`,
      ),
      may: 'ogf_admin admin',
    },
    { what: 'change', call: one('update app.gutschein set rabatt_abo = 99 where id = 1'), may: '' },
    { what: 'delete', call: one('delete from app.gutschein where id = 1'), may: 'ogf_admin admin' },
  ],
  verlauf: [
    ...HISTORY.map(([what, table, column, value, may]) => ({
      what: `read of ${what}`,
      call: one(`select * from app.verlauf where tabelle = '${table}' and ${column} = $1`, value),
      may,
    })),
    {
      what: 'read of vouchers',
      call: one(`select * from app.verlauf where tabelle = 'gutschein'`),
      may: 'ogf_admin admin',
    },
    ...writesNobody(
      'verlauf',
      `tabelle = 'kunde'`,
      `(tabelle, schluessel, aktion) values ('kunde', '1', 'neu')`,
      `wer = 'x'`,
    ),
  ],
  // Everyone sees only their own import runs, even the provider's admins.
  import_lauf: [
    {
      what: 'read own',
      call: (me) => sql('select * from app.import_lauf where user_id = $1', me),
      may: 'ogf_admin admin',
    },
    {
      what: 'read another’s',
      call: one('select * from app.import_lauf where user_id = $1', w.COLLEAGUE),
      may: '',
    },
    {
      what: 'create',
      call: one(`insert into app.import_lauf (dateiname) values ('neu.csv')`),
      may: 'ogf_admin admin',
    },
    {
      what: 'create for another',
      call: one(`insert into app.import_lauf (user_id, dateiname) values ($1, 'neu.csv')`, w.COLLEAGUE),
      may: '',
    },
    {
      what: 'change own',
      call: (me) => sql(`update app.import_lauf set zustand = 'fehlerhaft' where user_id = $1`, me),
      may: 'ogf_admin admin',
    },
    {
      what: 'change another’s',
      call: one(`update app.import_lauf set zustand = 'fehlerhaft' where user_id = $1`, w.COLLEAGUE),
      may: '',
    },
    {
      what: 'delete own',
      call: (me) => sql('delete from app.import_lauf where user_id = $1', me),
      may: 'ogf_admin admin',
    },
    {
      what: 'delete another’s',
      call: one('delete from app.import_lauf where user_id = $1', w.COLLEAGUE),
      may: '',
    },
  ],
  import_zeile: [
    {
      what: 'read own',
      call: (me) => sql('select * from app.import_zeile where user_id = $1', me),
      may: 'ogf_admin admin',
    },
    {
      what: 'read another’s',
      call: one('select * from app.import_zeile where user_id = $1', w.COLLEAGUE),
      may: '',
    },
    {
      what: 'create in another’s run',
      call: one(
        `insert into app.import_zeile (user_id, import_id, zeile, werte) values ($1, $1, 2, '{}')`,
        w.COLLEAGUE,
      ),
      may: '',
    },
    {
      what: 'change another’s',
      call: one(`update app.import_zeile set werte = '{}' where user_id = $1`, w.COLLEAGUE),
      may: '',
    },
    {
      what: 'delete own',
      call: (me) => sql('delete from app.import_zeile where user_id = $1', me),
      may: 'ogf_admin admin',
    },
    {
      what: 'delete another’s',
      call: one('delete from app.import_zeile where user_id = $1', w.COLLEAGUE),
      may: '',
    },
  ],
  import_zuordnung: [
    {
      what: 'read own',
      call: (me) => sql('select * from app.import_zuordnung where user_id = $1', me),
      may: 'ogf_admin apus_admin apus_team admin',
    },
    {
      what: 'read another’s',
      call: one('select * from app.import_zuordnung where user_id = $1', w.COLLEAGUE),
      may: '',
    },
    {
      what: 'create',
      call: one(`insert into app.import_zuordnung (kopf, felder) values ('PLZ', '{}')`),
      may: 'ogf_admin apus_admin apus_team admin',
    },
    {
      what: 'change another’s',
      call: one(`update app.import_zuordnung set felder = '{"a": 1}' where user_id = $1`, w.COLLEAGUE),
      may: '',
    },
    {
      what: 'delete own',
      call: (me) => sql('delete from app.import_zuordnung where user_id = $1', me),
      may: 'ogf_admin apus_admin apus_team admin',
    },
    {
      what: 'delete another’s',
      call: one('delete from app.import_zuordnung where user_id = $1', w.COLLEAGUE),
      may: '',
    },
  ],
  'accounts.identitaet': [
    { what: 'read', call: one('select * from accounts.identitaet'), may: '' },
    ...writesNobody(
      'accounts.identitaet',
      'true',
      `(iss, sub, user_id) values ('x', 'y', ${w.COLLEAGUE})`,
      `sub = 'x'`,
    ),
  ],
}

function writesNobody(table: string, where: string, insert: string, set: string): Cell[] {
  const name = table.includes('.') ? table : `app.${table}`
  return [
    { what: 'create', call: one(`insert into ${name} ${insert}`), may: '' },
    { what: 'change', call: one(`update ${name} set ${set} where ${where}`), may: '' },
    { what: 'delete', call: one(`delete from ${name} where ${where}`), may: '' },
  ]
}

function columns(
  table: string,
  key: string,
  ids: { own: number; foreign: number },
  entries: { set: string; own: string; foreign: string }[],
): Cell[] {
  return entries.flatMap(({ set, own, foreign }) => [
    {
      what: `change own: ${set}`,
      call: one(`update app.${table} set ${set} where ${key} = $1`, ids.own),
      may: own,
    },
    {
      what: `change foreign: ${set}`,
      call: one(`update app.${table} set ${set} where ${key} = $1`, ids.foreign),
      may: foreign,
    },
  ])
}
