// Plans, their points and saved versions. A customer's people see the plans shared with them, their admin can
// reply; staff notes stay with the staff.
import { sql, one } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const STAFF = 'apus_admin apus_team admin'
const OWNERS = 'appuser appuser_admin'

/** Of customer A: a shared plan and one that is not; of customer B: a shared one. */
const KARTE_COLUMNS =
  'map_name,width,height,din,client_id,georef_bash,epsg,georef_label,res,georef_typ,typ,scale,jahr,' +
  'status,client_status,show_client,bem_client,bem_to_client,bem_apus,ausf_unternehmen,auftr_nr,reg_nr,' +
  'kreis,gemarkung,gemeinde'
const SHEET_COLUMNS =
  'client_id,map_name,width,height,din,epsg,georef_label,res,georef_typ,typ,scale,jahr,status,' +
  'client_status,show_client,bem_client,bem_to_client,ausf_unternehmen,auftr_nr,reg_nr,kreis,gemarkung,' +
  'gemeinde'

export const [SHOWN, HIDDEN, FREMD] = [1, 2, 3]
export const SAVED_VERSION = 1

const point = (karte: number, nr = 9) =>
  `insert into app.mappoint (karte_id, nr, mapx, mapy, pixelx, pixely)
   values (${karte}, ${nr}, 412000, 5987000, 10, -10)`
const POINTS = JSON.stringify([{ mapx: 412_000, mapy: 5_987_000, pixelx: 10, pixely: -10 }])
const some = (field: string) => (row: Record<string, unknown>) => row[field] !== null

export const KARTE: NounCells = {
  tables: [
    'karte DELETE',
    `karte INSERT(${KARTE_COLUMNS})`,
    'karte SELECT',
    `karte UPDATE(${KARTE_COLUMNS})`,
    'karte_intern INSERT(karte_id,client_id,bem_apus,georef_bash)',
    'karte_intern SELECT',
    'karte_intern UPDATE(bem_apus,georef_bash)',
    'karte_liste SELECT',
    'karte_stand INSERT(karte_id,client_id,wer,user_id,epsg,georef_typ,res,georef_label,punkte)',
    'karte_stand SELECT',
    'kartenblatt DELETE',
    `kartenblatt INSERT(${SHEET_COLUMNS})`,
    'kartenblatt SELECT',
    `kartenblatt UPDATE(${SHEET_COLUMNS})`,
    'mappoint DELETE',
    'mappoint INSERT(karte_id,client_id,nr,mapx,mapy,pixelx,pixely,enable,dx,dy,residual)',
    'mappoint SELECT',
    'mappoint UPDATE(nr,mapx,mapy,pixelx,pixely,enable,dx,dy,residual)',
  ],
  definers: ['maps.notify'],
  world: `insert into app.kartenblatt (id, client_id, map_name, epsg, show_client, bem_to_client) values
      (${SHOWN}, ${w.A}, 'Plan 1', 25833, true, 'Bitte prüfen'),
      (${HIDDEN}, ${w.A}, 'Plan 2', 25833, false, null), (${FREMD}, ${w.B}, 'Plan 3', 25833, true, null);
    insert into app.karte_intern (karte_id, client_id, bem_apus, georef_bash)
      select id, client_id, 'nur für uns', 'gdalwarp' from app.kartenblatt where id <> ${HIDDEN};
    insert into app.mappoint (karte_id, client_id, nr, mapx, mapy, pixelx, pixely)
      select id, client_id, 1, 412000, 5987000, 100, -100 from app.kartenblatt;
    insert into app.karte_stand (id, karte_id, client_id, wer, epsg, punkte)
      select id, id, client_id, 'T', 25833, '${POINTS}' from app.kartenblatt;
    insert into app.verlauf (tabelle, schluessel, client_id, aktion) select name, id::text, client_id, 'neu'
      from app.kartenblatt, unnest('{kartenblatt,karte_intern}'::text[]) name;
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 1000)
      from unnest('{kartenblatt,mappoint,karte_stand}'::text[]) name;`,
  relations: {
    karte_liste: [
      {
        what: 'read own that is shown',
        call: one('select * from app.karte_liste where id = $1', SHOWN),
        may: `${STAFF} ${OWNERS}`,
      },
      {
        what: 'read own that is not',
        call: one('select * from app.karte_liste where id = $1', HIDDEN),
        may: STAFF,
      },
      { what: 'read foreign', call: one('select * from app.karte_liste where id = $1', FREMD), may: STAFF },
      {
        what: 'find it by its customer and with its points',
        call: one(
          `select * from app.karte_liste
           where id = $1 and punkte > 0 and suchtext like '%' || search.search_text(kunde) || '%'`,
          SHOWN,
        ),
        may: `${STAFF} ${OWNERS}`,
      },
    ],
    karte: [
      {
        what: 'read own that is shown',
        call: one('select * from app.karte where id = $1', SHOWN),
        may: `${STAFF} ${OWNERS}`,
      },
      {
        what: 'read own that is not',
        call: one('select * from app.karte where id = $1', HIDDEN),
        may: STAFF,
      },
      { what: 'read foreign', call: one('select * from app.karte where id = $1', FREMD), may: STAFF },
      {
        what: 'read what the staff noted',
        call: one('select bem_apus from app.karte where id = $1', SHOWN),
        finds: some('bem_apus'),
        may: STAFF,
      },
      {
        what: 'read the commands',
        call: one('select georef_bash from app.karte where id = $1', SHOWN),
        finds: some('georef_bash'),
        may: STAFF,
      },
      {
        what: 'create',
        call: one(`insert into app.karte (client_id, map_name, bem_apus) values (${w.A}, 'Neu', 'x')`),
        may: STAFF,
      },
      {
        what: 'change the register of own',
        call: one(`update app.karte set kreis = 'x' where id = ${SHOWN}`),
        may: STAFF,
      },
      {
        what: 'show one',
        call: one(`update app.karte set show_client = true where id = ${HIDDEN}`),
        may: STAFF,
      },
      {
        what: 'note something',
        call: one(`update app.karte set bem_apus = 'x' where id = ${SHOWN}`),
        may: STAFF,
      },
      {
        what: 'answer on own',
        call: one(
          `update app.karte set client_status = 'freigegeben', bem_client = 'gut' where id = ${SHOWN}`,
        ),
        may: `${STAFF} appuser_admin`,
      },
      {
        what: 'answer on own that is not shown',
        call: one(`update app.karte set bem_client = 'x' where id = ${HIDDEN}`),
        may: STAFF,
      },
      {
        what: 'answer on foreign',
        call: one(`update app.karte set bem_client = 'x' where id = ${FREMD}`),
        may: STAFF,
      },
      {
        what: 'give away',
        call: one(`update app.karte set client_id = ${w.B} where id = ${SHOWN}`),
        may: STAFF,
      },
      { what: 'delete', call: one(`delete from app.karte where id = ${SHOWN}`), may: 'apus_admin admin' },
    ],
    kartenblatt: [
      {
        what: 'read own that is not shown',
        call: one('select * from app.kartenblatt where id = $1', HIDDEN),
        may: STAFF,
      },
      {
        what: 'create',
        call: one(`insert into app.kartenblatt (client_id, map_name, epsg) values (${w.A}, 'Neu', 25833)`),
        may: STAFF,
      },
      {
        what: 'change the version',
        call: one(`update app.kartenblatt set version = 7 where id = ${SHOWN}`),
        may: '',
      },
      { what: 'change', call: one(`update app.kartenblatt set jahr = 1975 where id = ${SHOWN}`), may: STAFF },
      {
        what: 'delete',
        call: one(`delete from app.kartenblatt where id = ${SHOWN}`),
        may: 'apus_admin admin',
      },
    ],
    karte_intern: [
      { what: 'read', call: one('select * from app.karte_intern where karte_id = $1', SHOWN), may: STAFF },
      {
        what: 'create',
        call: one(`insert into app.karte_intern (karte_id, client_id) values (${HIDDEN}, ${w.A})`),
        may: STAFF,
      },
      {
        what: 'change',
        call: one(`update app.karte_intern set bem_apus = 'x' where karte_id = ${SHOWN}`),
        may: STAFF,
      },
      { what: 'delete', call: one(`delete from app.karte_intern where karte_id = ${SHOWN}`), may: '' },
    ],
    mappoint: [
      {
        what: 'read of own that is shown',
        call: one('select * from app.mappoint where karte_id = $1', SHOWN),
        may: `${STAFF} ${OWNERS}`,
      },
      {
        what: 'read of own that is not',
        call: one('select * from app.mappoint where karte_id = $1', HIDDEN),
        may: STAFF,
      },
      {
        what: 'read of foreign',
        call: one('select * from app.mappoint where karte_id = $1', FREMD),
        may: STAFF,
      },
      { what: 'create on own', call: one(point(SHOWN)), may: STAFF },
      { what: 'create on none', call: one(point(999)), may: '' },
      {
        what: 'change',
        call: one(`update app.mappoint set enable = false where karte_id = ${SHOWN}`),
        may: STAFF,
      },
      {
        what: 'move to another plan',
        call: one(`update app.mappoint set karte_id = ${FREMD} where karte_id = ${SHOWN}`),
        may: '',
      },
      { what: 'delete', call: one(`delete from app.mappoint where karte_id = ${SHOWN}`), may: STAFF },
    ],
    karte_stand: [
      { what: 'read', call: one('select * from app.karte_stand where karte_id = $1', SHOWN), may: STAFF },
      {
        what: 'create',
        call: one(
          `insert into app.karte_stand (karte_id, client_id, epsg, punkte) values (${SHOWN}, ${w.A}, 25833, '[]')`,
        ),
        may: STAFF,
      },
      { what: 'change', call: one(`update app.karte_stand set punkte = '[]'`), may: '' },
      { what: 'delete', call: one('delete from app.karte_stand'), may: '' },
    ],
    verlauf: [
      {
        what: 'read of a plan that is shown',
        call: one(`select * from app.verlauf where tabelle = 'kartenblatt' and schluessel = '${SHOWN}'`),
        may: `${STAFF} ${OWNERS}`,
      },
      {
        what: 'read of a plan that is not',
        call: one(`select * from app.verlauf where tabelle = 'kartenblatt' and schluessel = '${HIDDEN}'`),
        may: STAFF,
      },
      {
        what: 'read of what the staff noted',
        call: one(`select * from app.verlauf where tabelle = 'karte_intern'`),
        may: STAFF,
      },
    ],
  },
  procedures: {
    a_set_mappoints: [
      {
        what: 'of a plan',
        call: one('select app.a_set_mappoints($1, $2::jsonb)', SHOWN, POINTS),
        may: STAFF,
      },
      { what: 'of none', call: one('select app.a_set_mappoints(999, $1::jsonb)', POINTS), may: '' },
      { what: 'of none, nothing', call: one(`select app.a_set_mappoints(999, '[]')`), may: '' },
    ],
    a_get_karte_staende: [
      { what: 'of a plan', call: one('select * from app.a_get_karte_staende($1)', SHOWN), may: STAFF },
    ],
    a_get_karte_stand: [
      {
        what: 'one',
        call: one('select app.a_get_karte_stand($1) as punkte', SAVED_VERSION),
        finds: some('punkte'),
        may: STAFF,
      },
    ],
    a_get_karten_stand: [
      { what: 'own', call: () => sql('select * from app.a_get_karten_stand()'), may: `${STAFF} ${OWNERS}` },
    ],
    a_get_map_list_from_db: [
      {
        what: 'own',
        call: one('select * from app.a_get_map_list_from_db($1)', w.A),
        may: `${STAFF} ${OWNERS}`,
      },
      { what: 'foreign', call: one('select * from app.a_get_map_list_from_db($1)', w.B), may: STAFF },
    ],
  },
}
