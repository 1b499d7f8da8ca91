// Forest stands: readable with the headquarters they belong to, if it is enabled and has bought them; written
// only by the server's import, which ogf_admin starts. bestand-module.sql.test.ts tests what each switch
// reveals.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const FOREST = 'ogf_admin ogf_team admin'
const ADMIN = 'ogf_admin admin'
const LINKED_A1 = 'ogf_standard ogf_fb_admin multiple_fb'
const OWN = `${FOREST} kundenadmin ${LINKED_A1}`
/** Bought, but not enabled. */
const OWN_A2 = FOREST

/** Finished imports of A1, A2 and B1, and one of A1 in progress. */
export const [DONE_A1, DONE_A2, DONE_B1, RUNNING] = [101, 102, 103, 104]
/** Stands, in the world's order: two of A1, one of A2, one of B1. */
export const [STAND_A1, STAND_A1_2, STAND_A2, STAND_B1] = [201, 202, 203, 204]

const square = (x: number, y: number): string =>
  `st_multi(st_transform(st_makeenvelope(${x}, ${y}, ${x + 200}, ${y + 100}, 25833), 4326))`

const read = (name: string) => [
  { what: 'read own', call: one(`select * from app.${name} where "idHQ" = $1`, w.A1), may: OWN },
  {
    what: 'read another of the same customer',
    call: one(`select * from app.${name} where "idHQ" = $1`, w.A2),
    may: OWN_A2,
  },
  { what: 'read foreign', call: one(`select * from app.${name} where "idHQ" = $1`, w.B1), may: FOREST },
  { what: 'change', call: one(`update app.${name} set bemerkung = 'x'`), may: '' },
  { what: 'delete', call: one(`delete from app.${name}`), may: '' },
]

/** Proposed borders: of STAND_A1 and of a stand of B1. */
const [PROPOSAL_A1, PROPOSAL_B1] = [301, 302]
const capture = (idHQ: number): string =>
  JSON.stringify([
    {
      kennung: '00000000-0000-4000-8000-000000009999',
      version: null,
      tabelle: 'grenzvorschlag',
      idHQ,
      bestand_id: null,
      fassung: null,
      iSTAND: 77,
      lage: '12.5 51.3,12.51 51.3,12.51 51.31',
      spur: '12.50000000 51.30000000 spur 2.1 gnss 0 1790000000',
      toleranz_m: 1,
      erfasst_am: '2026-11-28T09:00:00Z',
    },
  ])
const taken = (row: Record<string, unknown>) => JSON.stringify(row).includes('angelegt')

/** The polygon of STAND_A1 as hex. */
export const POLYGON =
  '01030000000100000005000000' +
  '0000000000002840000000000080494000000000006628400000000000804940' +
  '000000000066284000000000008a4940000000000000284000000000008a4940' +
  '00000000000028400000000000804940'
const BESTAENDE = JSON.stringify([{ nr: 1, g: POLYGON, sLVL02: '9', iSTAND: 1 }])
const KINDS = JSON.stringify([
  { nr: 1, sLVL02: '3', sLVL03: '17', sLVL04: 'b', iSTAND: 2, baumart: 'Fichte', anteil: 10 },
])

const named = (name: string) => (row: Record<string, unknown>) => JSON.stringify(row).includes(name)
const some = (row: Record<string, unknown>) => row['n'] !== '0' && row['n'] !== 0

export const BESTAND: NounCells = {
  tables: [
    'bestand SELECT',
    'baumarten SELECT',
    'grenzvorschlag SELECT',
    'bestand_import DELETE',
    'bestand_import INSERT(idHQ,client_id,dateiname,format,groesse,sha256)',
    'bestand_import SELECT',
    'bestand_import UPDATE(stand,werte,bericht,beendet_am)',
  ],
  definers: [
    'forest.store_baumart_rows',
    'forest.remove_bestand',
    'forest.clear_bestand',
    'forest.bestand_sums',
    'forest.bestand_scope',
    'forest.store_bestand_rows',
    'forest.hqs_with_fe',
    'forest.receive_border',
    'app.a_apply_grenzvorschlag',
    'app.a_refuse_grenzvorschlag',
  ],
  world: `update app.kunde_hq set fe_enabled = true where hqid in (${w.A1}, ${w.A2});
    insert into app.bestand_import (id, "idHQ", client_id, user_id, dateiname, format, groesse, sha256, stand)
      select id, hqid, client_id, ${w.IDENTITIES.ogf_admin.user_id}, 'fe.gpkg', 'gpkg', 1, repeat('a', 64), stand
      from (values (${DONE_A1}, ${w.A1}, ${w.A}, 'fertig'),
        (${DONE_A2}, ${w.A2}, ${w.A}, 'fertig'), (${DONE_B1}, ${w.B1}, ${w.B}, 'fertig'),
        (${RUNNING}, ${w.A1}, ${w.A}, 'laeuft')) as v(id, hqid, client_id, stand);
    insert into app.bestand (id, "idHQ", client_id, import_id, "sLVL02", "sLVL03", "sLVL04", "iSTAND", geom,
      flaeche_ha, "alter", altersklasse, vorrat) values
      (${STAND_A1}, ${w.A1}, ${w.A}, ${DONE_A1}, '3', '17', 'b', 2, ${square(320_000, 5_690_000)}, 2, 65, 4, 500),
      (${STAND_A1_2}, ${w.A1}, ${w.A}, ${DONE_A1}, '3', '2', 'a', 1, ${square(320_200, 5_690_000)},
       2, null, null, null),
      (${STAND_A2}, ${w.A2}, ${w.A}, ${DONE_A2}, '1', '1', null, 1, ${square(325_000, 5_690_000)}, 2, 30, 2, 200),
      (${STAND_B1}, ${w.B1}, ${w.B}, ${DONE_B1}, '1', '1', null, 1, ${square(380_000, 5_690_000)}, 2, 30, 2, 200);
    insert into app.baumarten (bestand_id, "idHQ", client_id, "sLVL02", "sLVL03", "sLVL04", "iSTAND",
      schicht, baumart, anteil)
      select b.id, b."idHQ", b.client_id, b."sLVL02", b."sLVL03", b."sLVL04", b."iSTAND", 'Oberstand', a,
        case a when 'Rotbuche' then 70 else 30 end from app.bestand b, unnest('{Rotbuche,Fichte}'::text[]) a;
    insert into app.grenzvorschlag (id, kennung, "idHQ", client_id, bestand_id, "iSTAND", fassung, geom, flaeche_ha,
      spur, punkte, toleranz_m, erfasst_am, user_id, wer, digest)
      select v.id, gen_random_uuid(), b."idHQ", b.client_id, b.id, b."iSTAND", md5(public.st_asbinary(b.geom, 'NDR')),
        public.st_geometryn(b.geom, 1), b.flaeche_ha, 'x', 0, 1, now(), ${w.IDENTITIES.ogf_admin.user_id}, 'Anna Forst',
        sha256('x')
      from (values (${PROPOSAL_A1}, ${STAND_A1}), (${PROPOSAL_B1}, ${STAND_B1})) as v(id, stand)
        join app.bestand b on b.id = v.stand;
    select setval(pg_get_serial_sequence('app.grenzvorschlag', 'id'), 1000);
    select setval(pg_get_serial_sequence('app.bestand_import', 'id'), 1000);
    select setval(pg_get_serial_sequence('app.bestand', 'id'), 1000);`,
  relations: {
    hq: [
      {
        what: 'change the names of the levels',
        call: one(`update app.hq set ebenen[2] = 'X' where "idHQ" = $1`, w.A1),
        may: ADMIN,
      },
      {
        what: 'change those of a foreign one',
        call: one(`update app.hq set ebenen[2] = 'X' where "idHQ" = $1`, w.B1),
        may: ADMIN,
      },
    ],
    bestand: [
      ...read('bestand'),
      {
        what: 'create',
        call: one(
          `insert into app.bestand ("idHQ", client_id, import_id, "iSTAND", geom, flaeche_ha)
           values (${w.A1}, ${w.A}, ${DONE_A1}, 99, ${square(320_000, 5_690_500)}, 1)`,
        ),
        may: '',
      },
    ],
    baumarten: [
      ...read('baumarten'),
      {
        what: 'create',
        call: one(
          `insert into app.baumarten (bestand_id, "idHQ", client_id, baumart)
           values (${STAND_A1}, ${w.A1}, ${w.A}, 'Eibe')`,
        ),
        may: '',
      },
    ],
    grenzvorschlag: [
      {
        what: 'read',
        call: one('select * from app.grenzvorschlag where "idHQ" = $1', w.A1),
        may: 'ogf_admin ogf_team admin',
      },
      { what: 'change', call: one(`update app.grenzvorschlag set stand = 'uebernommen'`), may: '' },
      { what: 'delete', call: one('delete from app.grenzvorschlag'), may: '' },
      {
        what: 'create',
        call: one(
          `insert into app.grenzvorschlag (kennung, "idHQ", client_id, geom, flaeche_ha, spur, punkte, toleranz_m,
             erfasst_am, digest)
           select gen_random_uuid(), ${w.A1}, ${w.A},
             public.st_geomfromtext('POLYGON((9 51,9.1 51,9.1 51.1,9 51))', 4326), 1, 'x', 0, 1, now(), 'x'`,
        ),
        may: '',
      },
    ],
    bestand_import: [
      { what: 'read', call: one('select * from app.bestand_import where "idHQ" = $1', w.A1), may: ADMIN },
      {
        what: 'create',
        call: one(
          `insert into app.bestand_import ("idHQ", client_id, dateiname, format, groesse, sha256)
           values (${w.A1}, ${w.A}, 'x.csv', 'csv', 1, repeat('d', 64))`,
        ),
        may: ADMIN,
      },
      {
        what: 'change',
        call: one(`update app.bestand_import set stand = 'fehlgeschlagen' where id = ${RUNNING}`),
        may: ADMIN,
      },
      {
        what: 'change whose it is',
        call: one(`update app.bestand_import set "idHQ" = ${w.B1} where id = ${RUNNING}`),
        may: '',
      },
      { what: 'delete', call: one(`delete from app.bestand_import where id = ${RUNNING}`), may: ADMIN },
    ],
  },
  procedures: {
    a_get_waldbestand: [
      {
        what: 'own',
        call: one('select app.a_get_waldbestand($1) as w', w.A1),
        finds: named('Rotbuche'),
        may: OWN,
      },
      {
        what: 'another of the same customer',
        call: one('select app.a_get_waldbestand($1) as w', w.A2),
        finds: named('Rotbuche'),
        may: OWN_A2,
      },
      {
        what: 'foreign',
        call: one('select app.a_get_waldbestand($1) as w', w.B1),
        finds: named('Rotbuche'),
        may: FOREST,
      },
    ],
    a_get_bestand_umrisse: [
      {
        what: 'own',
        call: one('select jsonb_array_length(app.a_get_bestand_umrisse($1)) as n', w.A1),
        finds: some,
        may: OWN,
      },
      {
        what: 'foreign',
        call: one('select jsonb_array_length(app.a_get_bestand_umrisse($1)) as n', w.B1),
        finds: some,
        may: FOREST,
      },
    ],
    a_set_hq_ebenen: [
      { what: 'own', call: one(`select app.a_set_hq_ebenen($1, '{A,B,C,D,E}', 1)`, w.A1), may: ADMIN },
      { what: 'foreign', call: one(`select app.a_set_hq_ebenen($1, '{A,B,C,D,E}', 1)`, w.B1), may: ADMIN },
      { what: 'of nobody', call: one(`select app.a_set_hq_ebenen($1, '{A,B,C,D,E}', 1)`, 999_999), may: '' },
    ],
    a_get_bestand_grenzen: [
      {
        what: 'own',
        call: one('select jsonb_array_length(app.a_get_bestand_grenzen($1)) as n', w.A1),
        finds: some,
        may: ADMIN,
      },
    ],
    a_sync_grenzvorschlaege: [
      {
        what: 'of any headquarters',
        call: one('select app.a_sync_grenzvorschlaege($1::jsonb) as w', capture(w.B1)),
        finds: taken,
        may: ADMIN,
      },
    ],
    a_get_grenzvorschlaege: [
      {
        what: 'own',
        call: one('select jsonb_array_length(app.a_get_grenzvorschlaege($1)) as n', w.A1),
        finds: some,
        may: FOREST,
      },
    ],
    a_get_grenzvorschlag: [
      { what: 'own', call: one('select app.a_get_grenzvorschlag($1)', PROPOSAL_A1), may: FOREST },
      { what: 'of nobody', call: one('select app.a_get_grenzvorschlag($1)', 999_999), may: '' },
    ],
    a_apply_grenzvorschlag: [
      {
        what: 'own',
        call: one(
          `select app.a_apply_grenzvorschlag($1, 1, md5(public.st_asbinary(geom, 'NDR')), false)
           from app.bestand where id = ${STAND_B1} union all
           select app.a_apply_grenzvorschlag($1, 1, 'x', false) where not exists (
             select from app.bestand where id = ${STAND_B1})`,
          PROPOSAL_B1,
        ),
        may: ADMIN,
      },
    ],
    a_refuse_grenzvorschlag: [
      {
        what: 'own',
        call: one(`select app.a_refuse_grenzvorschlag($1, 1, 'falsch')`, PROPOSAL_A1),
        may: ADMIN,
      },
      { what: 'of nobody', call: one(`select app.a_refuse_grenzvorschlag($1, 1, 'x')`, 999_999), may: '' },
    ],
    'forest.receive_border': [
      {
        what: 'of any headquarters',
        call: one('select forest.receive_border($1::jsonb -> 0)', capture(w.A1)),
        may: ADMIN,
      },
    ],
    'forest.clear_bestand': [
      { what: 'of an import under way', call: one(`select forest.clear_bestand(${RUNNING})`), may: ADMIN },
      { what: 'of one that is over', call: one(`select forest.clear_bestand(${DONE_A1})`), may: '' },
    ],
    'forest.store_bestand_rows': [
      {
        what: 'of an import under way',
        call: one(`select * from forest.store_bestand_rows(${RUNNING}, '${BESTAENDE}')`),
        may: ADMIN,
      },
      {
        what: 'of one that is over',
        call: one(`select * from forest.store_bestand_rows(${DONE_A1}, '${BESTAENDE}')`),
        may: '',
      },
    ],
    'forest.store_baumart_rows': [
      {
        what: 'of an import under way',
        call: one(`select forest.store_baumart_rows(${RUNNING}, '${KINDS}')`),
        may: ADMIN,
      },
      {
        what: 'of one that is over',
        call: one(`select forest.store_baumart_rows(${DONE_A1}, '${KINDS}')`),
        may: '',
      },
    ],
  },
}
