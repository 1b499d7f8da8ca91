// The survey: staff see all of it and write single objects, a customer's people see their own while the
// Kataster is switched on for both; only the server's import writes many.
import { type Cell, one } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const STAFF = 'apus_admin apus_team admin'
const OWNERS = 'appuser appuser_admin'
export const TABLES = ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'] as const

/** A second customer of appuser and appuser_admin, with the Kataster on; it is off for A. */
export const C = 3
/** Finished imports of customers A, B and C, and one of C in progress. */
export const [IMPORT_A, IMPORT_B, IMPORT_C, RUNNING] = [1, 2, 3, 4]

const some = (field: string) => (row: Record<string, unknown>) => row[field] !== null

/** Drains of 100 m and less, and points every 10 m: some surveyed, some taken from plans, some neither. */
const objects = (client: number, run: number, epsg: number, x: number): string => `
  insert into app.draenage (client_id, import_id, schluessel, geom, vermessen, erfq, qdt, datum) values
    (${client}, ${run}, 'D1', st_geomfromtext('MULTILINESTRING((${x} 5690000,${x + 100} 5690000))', ${epsg}),
     true, 'GNSS/RTK', 'A', '2026-03-01'),
    (${client}, ${run}, 'D2', st_geomfromtext('MULTILINESTRING((${x} 5690010,${x + 50} 5690010))', ${epsg}),
     false, 'Bestandsplan', null, '2026-03-02'),
    (${client}, ${run}, null, st_geomfromtext('MULTILINESTRING((${x} 5690020,${x + 25} 5690020))', ${epsg}),
     null, null, null, null);
  ${['ausmuendung', 'schacht', 'schlucker', 'einlauf']
    .map(
      (name, nr) => `insert into app.${name} (client_id, import_id, schluessel, geom, vermessen, datum)
    select ${client}, ${run}, '${name} ' || n, st_setsrid(st_makepoint(${x} + 10 * n, 5690000), ${epsg}),
      case n % 3 when 0 then true when 1 then false end, '2026-03-01' from generate_series(1, ${nr + 2}) n;`,
    )
    .join('\n  ')}`

const read = (name: string) => [
  {
    what: 'read own',
    call: one(`select * from app.${name} where client_id = $1`, C),
    may: `${STAFF} ${OWNERS}`,
  },
  {
    what: 'read own that is switched off',
    call: one(`select * from app.${name} where client_id = $1`, w.A),
    may: STAFF,
  },
  { what: 'read foreign', call: one(`select * from app.${name} where client_id = $1`, w.B), may: STAFF },
]
const POINT = `[{"nr": 1, "g": "010100000000000000001813410000000004B45541", "schluessel": "neu"}]`

/** In the place of an own, a switched-off and a foreign customer. */
const perKunde = (what: string, call: (client: number, epsg: number, x: number) => string): Cell[] =>
  (
    [
      ['own', C, 25_833, 380_000],
      ['own that is switched off', w.A, 25_833, 312_000],
      ['foreign', w.B, 25_832, 534_000],
    ] as const
  ).map(([whose, client, epsg, x]) => ({
    what: `${what} ${whose}`,
    call: one(call(client, epsg, x)),
    may: STAFF,
  }))
/** A line for drains, else a point. */
const placeAt = (name: string, epsg: number, x: number): string =>
  name === 'draenage'
    ? `st_geomfromtext('MULTILINESTRING((${x} 5690000,${x + 5} 5690000))', ${epsg})`
    : `st_geomfromtext('POINT(${x} 5690000)', ${epsg})`
const COLUMNS =
  'schluessel,vermessen,erfq,qdt,art,dn,material,hoehe,sohlhoehe,tiefe,@baujahr,plan_nr,zustand,' +
  'letzte_kontrolle,eigentuemer,genauigkeit_cm,datum,bemerkung'
const SAID_OF_PLACE = 'lage_fix,genauigkeit_geschaetzt'
const columnsOf = (name: string): string =>
  COLUMNS.replace('@', name === 'draenage' ? 'gefaelle,abstand,' : '')
const granted = (name: string): string => columnsOf(name).replace('schluessel,', 'schluessel,geom,')
export const uuidOf = (nr: number): string => `00000000-0000-4000-9000-${String(nr).padStart(12, '0')}`
/** Of the manhole of each customer that the cells change, and of one that was deleted. */
export const [UUID_A, UUID_B, UUID_C, DELETED] = [1, 2, 3, 9].map(uuidOf) as [string, string, string, string]
const synced = (capture: object): string =>
  `select app.a_sync_vermessung('${JSON.stringify([capture])}') -> 0 ->> 'ergebnis' as ergebnis`
const taken = (cells: Cell[]): Cell[] =>
  cells.map((cell) => ({
    ...cell,
    finds: (row) => ['angelegt', 'geaendert', 'entfernt', 'geloescht'].includes(String(row['ergebnis'])),
  }))
const uuidBy = (client: number) => ({ [w.A]: UUID_A, [w.B]: UUID_B, [C]: UUID_C })[client]!

const OVERVIEWS = {
  a_get_ausm_overview_vermessen: 'ausmuendung',
  a_get_schae_overview_vermessen: 'schacht',
  a_get_schlu_overview_vermessen: 'schlucker',
  a_get_einl_overview_vermessen: 'einlauf',
  a_get_drae_overview_vermessen: 'draenage',
  a_get_draenage_overview_erfq: 'draenage',
}
const VIEWS = [
  'drae_einmessung_uebersicht',
  'ausm_einmessung_uebersicht',
  'scha_einmessung_uebersicht',
  'schl_einmessung_uebersicht',
  'drae_laenge_nach_erfq',
  'drae_laenge_qdt_nach_aop',
]

export const VERMESSUNG: NounCells = {
  tables: [
    ...TABLES.flatMap((name) => [
      `${name} DELETE`,
      `${name} INSERT(client_id,${granted(name)},kennung,${SAID_OF_PLACE})`,
      `${name} SELECT`,
      `${name} UPDATE(${granted(name)},${SAID_OF_PLACE})`,
    ]),
    ...VIEWS.map((name) => `${name} SELECT`),
    'vermessungsbilder DELETE',
    'vermessungsbilder SELECT',
    'vermessungsbilder UPDATE(bemerkung)',
    'vermessung_import DELETE',
    'vermessung_import INSERT(client_id,dateiname,format,groesse,sha256)',
    'vermessung_import SELECT',
    'vermessung_import UPDATE(modus,stand,werte,bericht,begonnen_am,beendet_am)',
  ],
  definers: [
    'maps.kataster_cells',
    'maps.rebuild_cells',
    'maps.count_import',
    'maps.count_changed_cells',
    'maps.count_draenage',
    'maps.count_ausmuendung',
    'maps.count_schacht',
    'maps.count_schlucker',
    'maps.count_einlauf',
    'maps.kataster_clusters_near',
    'maps.kataster_kunden',
    'maps.plan_numbered',
    'maps.export_zone',
    'maps.survey_zone',
    'maps.import_target',
    'maps.kataster_objects',
    'maps.is_vermessung_deleted',
    'maps.is_vermessung_received',
    'app.a_get_geloeschte_vermessung',
    'app.a_restore_vermessung',
    'maps.forget_deleted_vermessung',
    'maps.record_vermessung_deletion',
    'maps.remember_vermessung',
    'maps.remove_missing_vermessung',
    'maps.remove_vermessung',
    'maps.store_vermessung_rows',
    'maps.add_vermessung_picture',
    'maps.measure_picture_distance',
    'maps.pictures_without_sizes',
    'maps.record_picture_deletion',
    'maps.remove_pictures',
    'maps.replace_picture_name',
    'maps.say_deletion_reason',
    'maps.set_picture_sizes',
  ],
  world: `insert into app.kunde (client_id, name, strasse, plz, ort, epsg, kataster_status)
    values (${C}, 'Forst C', 'Weg 3', '17033', 'Neubrandenburg', 25833, true);
    insert into app.benutzer_kunde (client_id, user_id, rolle, kataster_enabled)
      values (${C}, ${w.IDENTITIES.appuser.user_id}, 'nutzer', true),
      (${C}, ${w.IDENTITIES.appuser_admin.user_id}, 'admin', true),
      (${C}, ${w.IDENTITIES.kundenadmin.user_id}, 'kundenadmin', true);
    insert into app.vermessung_import (id, client_id, user_id, dateiname, format, groesse, sha256, stand, modus)
      select id, client_id, ${w.IDENTITIES.apus_team.user_id}, 'a.gpkg', 'gpkg', 1, repeat('a', 64), stand, 'ersetzen'
      from (values (${IMPORT_A}, ${w.A}, 'fertig'), (${IMPORT_B}, ${w.B}, 'fertig'),
        (${IMPORT_C}, ${C}, 'fertig'), (${RUNNING}, ${C}, 'laeuft')) as v(id, client_id, stand);
    ${objects(w.A, IMPORT_A, 25_833, 312_000)}
    ${objects(w.B, IMPORT_B, 25_832, 534_000)}
    ${objects(C, IMPORT_C, 25_833, 380_000)}
    update app.schacht set kennung = case client_id when ${w.A} then '${UUID_A}'::uuid
      when ${w.B} then '${UUID_B}' else '${UUID_C}' end where schluessel = 'schacht 1';
    insert into maps.vermessung_geloescht (kennung, tabelle, client_id) values ('${DELETED}', 'schacht', ${C});
    insert into maps.vermessung_geloescht (kennung, tabelle, client_id, inhalt)
      select ('00000000-0000-4000-9000-' || lpad((s.client_id + 900)::text, 12, '0'))::uuid, 'schacht', s.client_id,
        to_jsonb(s) - '{g3857,herkunft}'::text[] || jsonb_build_object('geom', s.geom::text, 'id', s.client_id + 9000,
          'kennung', '00000000-0000-4000-9000-' || lpad((s.client_id + 900)::text, 12, '0'), 'schluessel', 'weg')
      from app.schacht s where s.schluessel = 'schacht 1';
    -- Of no object of this world: a replacing import would keep it, and tests count what is left.
    insert into app.vermessungsbilder (id, kennung, tabelle, objekt, client_id, dateiname, typ, groesse, breite,
      hoehe, sha256, klein)
      select client_id, ('00000000-0000-4000-9000-' || lpad((client_id + 40)::text, 12, '0'))::uuid, 'schacht',
        ('00000000-0000-4000-9000-' || lpad((client_id + 50)::text, 12, '0'))::uuid, client_id, 'Schacht.jpg',
        'image/jpeg', 1000, 4000, 3000, lpad((client_id + 60)::text, 64, '0'),
        lpad((client_id + 80)::text, 64, '0')
      from app.schacht where schluessel = 'schacht 1';
    select setval(pg_get_serial_sequence('app.vermessungsbilder', 'id'), 1000);
    insert into app.verlauf (tabelle, schluessel, client_id, aktion)
      select 'vermessungsbilder', objekt::text, client_id, 'neu' from app.vermessungsbilder;
    insert into app.verlauf (tabelle, schluessel, client_id, aktion)
      select 'schacht', kennung::text, client_id, 'neu' from app.schacht where schluessel = 'schacht 1';
    select setval(pg_get_serial_sequence('app.vermessung_import', 'id'), 1000);`,
  relations: {
    ...Object.fromEntries(
      TABLES.map((name) => [
        name,
        [
          ...read(name),
          ...perKunde(
            'create',
            (client, epsg, x) =>
              `insert into app.${name} (client_id, geom) values (${client}, ${placeAt(name, epsg, x)})`,
          ),
          ...perKunde('change', (client) => `update app.${name} set dn = 100 where client_id = ${client}`),
          ...perKunde('delete', (client) => `delete from app.${name} where client_id = ${client}`),
          {
            what: 'say whose it is',
            call: one(`update app.${name} set client_id = ${w.B} where client_id = ${C}`),
            may: '',
          },
          {
            what: 'say which import made it',
            call: one(
              `insert into app.${name} (client_id, import_id, geom) values (${C}, ${IMPORT_C},
               ${placeAt(name, 25_833, 380_000)})`,
            ),
            may: '',
          },
        ],
      ]),
    ),
    ...Object.fromEntries(
      VIEWS.map((name) => [
        name,
        [{ what: 'read', call: one(`select * from app.${name}`), may: `${STAFF} ${OWNERS}` }],
      ]),
    ),
    verlauf: [
      {
        what: 'read of a survey object of one’s own',
        call: one(`select * from app.verlauf where tabelle = 'schacht' and schluessel = '${UUID_C}'`),
        may: `${STAFF} ${OWNERS}`,
      },
      {
        what: 'read of photos of a survey object of one’s own',
        call: one(`select * from app.verlauf where tabelle = 'vermessungsbilder' and client_id = $1`, C),
        may: `${STAFF} ${OWNERS}`,
      },
      ...[UUID_A, UUID_B].map((identifier) => ({
        what: `read of a survey object ${identifier === UUID_A ? 'that is switched off' : 'of others'}`,
        call: one(`select * from app.verlauf where tabelle = 'schacht' and schluessel = '${identifier}'`),
        may: STAFF,
      })),
    ],
    vermessungsbilder: [
      ...read('vermessungsbilder'),
      ...perKunde(
        'change',
        (client) => `update app.vermessungsbilder set bemerkung = 'x' where client_id = ${client}`,
      ),
      ...perKunde('delete', (client) => `delete from app.vermessungsbilder where client_id = ${client}`),
      {
        what: 'create',
        call: one(
          `insert into app.vermessungsbilder (tabelle, objekt, client_id, dateiname, typ, groesse, breite, hoehe,
             sha256) values ('schacht', '${UUID_C}', ${C}, 'x.jpg', 'image/jpeg', 1, 1, 1, repeat('a', 64))`,
        ),
        may: '',
      },
      {
        what: 'say which bytes',
        call: one(`update app.vermessungsbilder set sha256 = repeat('b', 64) where client_id = ${C}`),
        may: '',
      },
    ],
    vermessung_import: [
      {
        what: 'read',
        call: one('select * from app.vermessung_import where client_id = $1', w.A),
        may: STAFF,
      },
      {
        what: 'create',
        call: one(
          `insert into app.vermessung_import (client_id, dateiname, format, groesse, sha256)
           values (${w.A}, 'x.csv', 'csv', 1, repeat('d', 64))`,
        ),
        may: STAFF,
      },
      {
        what: 'change',
        call: one(`update app.vermessung_import set stand = 'abgebrochen' where id = ${RUNNING}`),
        may: STAFF,
      },
      {
        what: 'change whose it is',
        call: one(`update app.vermessung_import set client_id = ${w.B} where id = ${RUNNING}`),
        may: '',
      },
      { what: 'delete', call: one(`delete from app.vermessung_import where id = ${RUNNING}`), may: STAFF },
    ],
  },
  procedures: {
    a_sync_vermessung: taken([
      ...perKunde('new in', (client) =>
        synced({
          kennung: uuidOf(70 + client),
          version: null,
          tabelle: 'schacht',
          client_id: client,
          lage: '12.4 51.3',
        }),
      ),
      ...perKunde('change', (client) =>
        synced({ kennung: uuidBy(client), version: 1, tabelle: 'schacht', bemerkung: 'x' }),
      ),
      ...perKunde('delete', (client) =>
        synced({
          kennung: uuidBy(client),
          version: 1,
          tabelle: 'schacht',
          geloescht: true,
          loeschgrund: 'x',
        }),
      ),
      {
        what: 'learn of what was deleted',
        call: one(synced({ kennung: DELETED, version: 1, tabelle: 'schacht' })),
        may: STAFF,
      },
    ]),
    a_get_geloeschte_vermessung: (
      [
        ['own', C],
        ['own that is switched off', w.A],
        ['foreign', w.B],
      ] as const
    ).map(([what, client]) => ({
      what,
      call: one(`select jsonb_array_length(app.a_get_geloeschte_vermessung(${client})) as n`),
      finds: (row: Record<string, unknown>) => Number(row['n']) > 0,
      may: STAFF,
    })),
    a_restore_vermessung: perKunde(
      'put back',
      (client) => `select app.a_restore_vermessung('${uuidOf(900 + client)}') ->> 'id' as id`,
    ).map((cell) => ({ ...cell, finds: some('id') })),
    a_get_vermessung_objekte: (
      [
        ['own', C, `${STAFF} ${OWNERS}`],
        ['own that is switched off', w.A, STAFF],
        ['foreign', w.B, STAFF],
      ] as const
    ).map(([what, client, may]) => ({
      what,
      call: one(`select jsonb_array_length(app.a_get_vermessung_objekte(${client}, 'schacht', 0)) as n`),
      finds: (row: Record<string, unknown>) => Number(row['n']) > 0,
      may,
    })),
    ...Object.fromEntries(
      Object.keys(OVERVIEWS).map((name) => [
        name,
        [
          { what: 'own', call: one(`select * from app.${name}($1)`, C), may: `${STAFF} ${OWNERS}` },
          { what: 'own that is switched off', call: one(`select * from app.${name}($1)`, w.A), may: STAFF },
          { what: 'foreign', call: one(`select * from app.${name}($1)`, w.B), may: STAFF },
        ],
      ]),
    ),
    a_get_kataster_overview: [
      {
        what: 'own',
        call: one(`select app.a_get_kataster_overview($1) -> 'umgriff' ->> 0 as umgriff`, C),
        finds: some('umgriff'),
        may: `${STAFF} ${OWNERS}`,
      },
      {
        what: 'foreign',
        call: one(`select app.a_get_kataster_overview($1) -> 'umgriff' ->> 0 as umgriff`, w.B),
        finds: some('umgriff'),
        may: STAFF,
      },
    ],
    ...Object.fromEntries(
      (
        [
          ['maps.kataster_objects', "0, 6000000, 3000000, 9000000, '{}', 10"],
          ['maps.kataster_clusters_near', "0, 6000000, 3000000, 9000000, '{}', 10"],
          ['maps.kataster_cells', "0, 0, 0, '{}'"],
        ] as const
      ).map(([name, given]) => {
        const inSight = (client: number) => one(`select * from ${name}($1, ${given})`, client)
        return [
          name,
          [
            { what: 'own', call: inSight(C), may: `${STAFF} ${OWNERS}` },
            { what: 'own that is switched off', call: inSight(w.A), may: STAFF },
            { what: 'foreign', call: inSight(w.B), may: STAFF },
            { what: 'of nobody', call: inSight(999_999), may: '' },
          ],
        ]
      }),
    ),
    'maps.count_import': [
      {
        what: 'of an import under way',
        call: one(`select maps.count_import(${RUNNING})`),
        may: STAFF,
      },
      { what: 'of one that is over', call: one(`select maps.count_import(${IMPORT_A})`), may: '' },
    ],
    'maps.store_vermessung_rows': [
      {
        what: 'of an import under way',
        call: one(`select * from maps.store_vermessung_rows(${RUNNING}, 'schacht', 25833, '${POINT}')`),
        may: STAFF,
      },
      {
        what: 'of one that is over',
        call: one(`select * from maps.store_vermessung_rows(${IMPORT_A}, 'schacht', 25833, '${POINT}')`),
        may: '',
      },
    ],
    'maps.remove_missing_vermessung': [
      {
        what: 'of an import under way',
        call: one(`select maps.remove_missing_vermessung(${RUNNING}, 'schacht')`),
        may: STAFF,
      },
      {
        what: 'of one that is over',
        call: one(`select maps.remove_missing_vermessung(${IMPORT_A}, 'schacht')`),
        may: '',
      },
    ],
  },
}
