// Habitat trees: foresters may access those of their enabled headquarters, a customer's kundenadmin those of
// the customer, staff all; only the server names photos.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import type { Cell } from '../attempt.ts'
import type { NounCells } from './cells.ts'

const STAFF = 'ogf_team ogf_admin admin'
const ADMIN = 'ogf_admin admin'
const LINKED = 'ogf_standard ogf_fb_admin multiple_fb'
const DELETE = `ogf_fb_admin ${ADMIN}`

/** Trees of headquarters A1, A2 (disabled) and B1; photos and check-ups have the same numbers. */
export const [TREE_A1, TREE_A2, TREE_B1] = [1, 2, 3]
export const idOf = (nr: number): string => `00000000-0000-4000-8000-${String(nr).padStart(12, '0')}`
/**
 * The numbers in a kennung: trees use their ids, check-ups start at 20, photos at 40; this one is a deleted
 * tree of A1.
 */
export const DELETED = 90

const perHq = (
  call: (nr: number) => string,
  what: string,
  [own, disabled, foreign]: readonly string[],
): Cell[] => [
  { what: `${what} own`, call: one(call(TREE_A1)), may: own! },
  { what: `${what} of a disabled headquarters`, call: one(call(TREE_A2)), may: disabled! },
  { what: `${what} foreign`, call: one(call(TREE_B1)), may: foreign! },
]
const READ = [`${LINKED} kundenadmin ${STAFF}`, `kundenadmin ${STAFF}`, STAFF]
const WRITE = [`${LINKED} ${ADMIN}`, ADMIN, ADMIN]
const REMOVE = [DELETE, ADMIN, ADMIN]
const hqOf = (nr: number) => [w.A1, w.A2, w.B1][nr - 1]!
const synced = (capture: (nr: number) => object) => (nr: number) =>
  `select app.__o_sync_habitatbaeume('${JSON.stringify([capture(nr)])}') -> 0 ->> 'ergebnis' as ergebnis`
const taken = (cells: Cell[]): Cell[] =>
  cells.map((cell) => ({
    ...cell,
    finds: (row) => ['angelegt', 'geaendert', 'geloescht'].includes(String(row['ergebnis'])),
  }))

const TREE_COLUMNS =
  'nummer,art,art_text,bhd_cm,hoehe_m,zustand,status,strukturen,markierung_art,markierung_datum,' +
  'erfasst_am,erfasser,lon,lat,genauigkeit_m,lage_methode,sLVL01,sLVL02,sLVL03,sLVL04,sLVL05,iSTAND,' +
  'bemerkung,verlust_datum,verlust_grund,kawm,lage_zeit,lage_fix,genauigkeit_geschaetzt'

export const HABITAT: NounCells = {
  tables: [
    'habitatbaeume DELETE',
    `habitatbaeume INSERT(kennung,idHQ,${TREE_COLUMNS})`,
    'habitatbaeume SELECT',
    `habitatbaeume UPDATE(${TREE_COLUMNS})`,
    'habitatbaeume_karte SELECT',
    'habitatbaeume_liste SELECT',
    'habitatbilder DELETE',
    'habitatbilder SELECT',
    'habitatbilder UPDATE(bemerkung,titelbild)',
    'habitatkontrollen DELETE',
    'habitatkontrollen INSERT(kennung,habitat_id,datum,ergebnis,kontrolleur,bemerkung)',
    'habitatkontrollen SELECT',
  ],
  definers: [
    'app.__o_get_kawm',
    'app.a_get_habitat_pruefung',
    'app.a_get_kawm_bestaende',
    'forest.report_head',
    'forest.kunde_of',
    'forest.may_habitat',
    'forest.import_target',
    'forest.measure_picture_distance',
    'forest.add_habitat_picture',
    'forest.set_picture_sizes',
    'forest.pictures_without_sizes',
    'forest.is_received',
    'forest.remove_habitat',
    'forest.record_habitat_deletion',
    'forest.remember_received',
    'forest.replace_habitat_name',
    'forest.is_habitat_deleted',
    'forest.pass_on_title_picture',
    'forest.was_habitat_deleted',
    'forest.active_hqs',
    'forest.kawm_on',
    'forest.record_kawm_evidence',
    'forest.kawm_places',
  ],
  world: `insert into app.habitatbaeume (id, kennung, client_id, "idHQ", nummer, art, lon, lat)
      select nr, ('00000000-0000-4000-8000-' || lpad(nr::text, 12, '0'))::uuid, client_id, "idHQ", 'H' || nr,
        'bu', round(st_x(p)::numeric, 7), round(st_y(p)::numeric, 7) from (
        select nr, h.client_id, h."idHQ", st_transform(st_setsrid(st_makepoint(x + 100, y + 100), epsg), 4326) as p
        from (values (${TREE_A1}, ${w.A1}, 320000, 5690000, 25833), (${TREE_A2}, ${w.A2}, 325000, 5690000, 25833),
          (${TREE_B1}, ${w.B1}, 530000, 5680000, 25832)) as v(nr, hqid, x, y, epsg) join app.hq h on h."idHQ" = hqid) t;
    insert into app.habitatkontrollen (id, kennung, habitat_id, client_id, "idHQ", ergebnis)
      select id, ('00000000-0000-4000-8000-' || lpad((id + 20)::text, 12, '0'))::uuid, id, client_id, "idHQ",
      'vorhanden' from app.habitatbaeume;
    insert into app.habitatbilder (id, kennung, habitat_id, client_id, "idHQ", dateiname, typ, groesse,
      breite, hoehe, sha256, klein, titelbild)
      select id, ('00000000-0000-4000-8000-' || lpad((id + 40)::text, 12, '0'))::uuid, id, client_id,
        "idHQ", 'Baum.jpg', 'image/jpeg', 1000, 4000, 3000, lpad((id + 60)::text, 64, '0'),
        lpad((id + 80)::text, 64, '0'), true from app.habitatbaeume;
    insert into forest.habitat_geloescht (kennung, art, client_id, "idHQ")
      values ('${idOf(DELETED)}', 'baum', ${w.A}, ${w.A1});
    insert into app.verlauf (tabelle, schluessel, client_id, hqid, aktion)
      select 'habitatbaeume', id::text, client_id, "idHQ", 'neu' from app.habitatbaeume;
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 1000)
      from unnest('{habitatbaeume,habitatkontrollen,habitatbilder}'::text[]) name;`,
  relations: {
    habitatbaeume: [
      ...perHq((nr) => `select * from app.habitatbaeume where id = ${nr}`, 'read', READ),
      ...perHq(
        (nr) =>
          `insert into app.habitatbaeume ("idHQ", art, lon, lat) values (${hqOf(nr)}, 'bu', 12.4, 51.3)`,
        'create',
        WRITE,
      ),
      ...perHq((nr) => `update app.habitatbaeume set bemerkung = 'x' where id = ${nr}`, 'change', WRITE),
      ...perHq((nr) => `delete from app.habitatbaeume where id = ${nr}`, 'delete', REMOVE),
      {
        what: 'say whose it is',
        call: one(`update app.habitatbaeume set client_id = ${w.B}, "idHQ" = ${w.B1} where id = ${TREE_A1}`),
        may: '',
      },
    ],
    habitatbaeume_karte: perHq(
      (nr) => `select * from app.habitatbaeume_karte where id = ${nr}`,
      'read',
      READ,
    ),
    habitatbaeume_liste: perHq(
      (nr) => `select * from app.habitatbaeume_liste where id = ${nr}`,
      'read',
      READ,
    ),
    habitatkontrollen: [
      ...perHq((nr) => `select * from app.habitatkontrollen where id = ${nr}`, 'read', READ),
      ...perHq(
        (nr) => `insert into app.habitatkontrollen (habitat_id, ergebnis) values (${nr}, 'vorhanden')`,
        'create',
        WRITE,
      ),
      ...perHq((nr) => `delete from app.habitatkontrollen where id = ${nr}`, 'delete', REMOVE),
      {
        what: 'change',
        call: one(`update app.habitatkontrollen set ergebnis = 'nicht_gefunden' where id = ${TREE_A1}`),
        may: '',
      },
    ],
    habitatbilder: [
      ...perHq((nr) => `select * from app.habitatbilder where habitat_id = ${nr}`, 'read', READ),
      ...perHq((nr) => `update app.habitatbilder set bemerkung = 'x' where id = ${nr}`, 'change', WRITE),
      ...perHq((nr) => `delete from app.habitatbilder where id = ${nr}`, 'delete', REMOVE),
      {
        what: 'create',
        call: one(
          `insert into app.habitatbilder (habitat_id, client_id, "idHQ", dateiname, typ, groesse, breite, hoehe, sha256)
           values (${TREE_A1}, ${w.A}, ${w.A1}, 'x.jpg', 'image/jpeg', 1, 1, 1, repeat('a', 64))`,
        ),
        may: '',
      },
      {
        what: 'say which bytes',
        call: one(`update app.habitatbilder set sha256 = repeat('b', 64) where id = ${TREE_A1}`),
        may: '',
      },
    ],
    verlauf: perHq(
      (nr) => `select * from app.verlauf where tabelle = 'habitatbaeume' and schluessel = '${nr}'`,
      'read of a habitat tree',
      READ,
    ),
  },
  procedures: {
    __o_sync_habitatbaeume: [
      ...taken(
        perHq(
          synced((nr) => ({
            kennung: idOf(70 + nr),
            version: null,
            idHQ: hqOf(nr),
            art: 'bu',
            lon: 12.4,
            lat: 51.3,
          })),
          'new in',
          WRITE,
        ),
      ),
      ...taken(
        perHq(
          synced((nr) => ({ kennung: idOf(nr), version: 1, bemerkung: 'x' })),
          'change',
          WRITE,
        ),
      ),
      ...taken([
        {
          what: 'learn of what was deleted',
          call: one(synced(() => ({ kennung: idOf(DELETED), version: 1 }))(1)),
          may: `${LINKED} ${ADMIN}`,
        },
      ]),
    ],
    __o_change_habitatbaeume: [
      ...perHq((nr) => `select app.__o_change_habitatbaeume('{${nr}}', '{"kawm": false}')`, 'of', WRITE),
      {
        what: 'own and foreign',
        call: one(`select app.__o_change_habitatbaeume('{${TREE_A1},${TREE_B1}}', '{"kawm": false}')`),
        may: ADMIN,
      },
    ],
    a_get_habitat_pruefung: perHq((nr) => `select app.a_get_habitat_pruefung(${hqOf(nr)})`, 'of', READ),
    __o_get_kawm: perHq((nr) => `select app.__o_get_kawm(${hqOf(nr)})`, 'of', READ),
    a_get_kawm_bestaende: perHq((nr) => `select app.a_get_kawm_bestaende(${hqOf(nr)})`, 'of', READ),
  },
}
