// Files of plans and jobs on them: visible like the plan, started and deleted by staff, written only by the
// server.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import type { Cell } from '../attempt.ts'
import type { NounCells } from './cells.ts'
import { FREMD, SHOWN, HIDDEN } from './karte.ts'

const STAFF = 'apus_admin apus_team admin'
const OWNERS = 'appuser appuser_admin'

/**
 * Each plan has a scan with its own number, a result, and the job that tiles it; the visible plan also has a
 * failed job.
 */
export const RESULT_SHOWN = 11
export const FAILED = 21
/** Plans of customers A and B whose scans, with the same numbers, were never tiled. */
export const [UNCUT, UNCUT_FOREIGN] = [41, 42]
/** A plan of customer A that is shown, whose mosaic was given up. */
export const MOSAIC = 43
const MOSAIC_VALUES = JSON.stringify({
  epsg: 25833,
  res: null,
  kompression: 'jpeg',
  ueberlappung: 'oben',
  blaetter: [SHOWN, HIDDEN].map((id) => ({ karte_id: id, name: `Plan ${id}`, datei_id: id + 10 })),
})
export const hashOf = (file: number): string => String(file).padStart(64, '0')

const readCells = (relation: string): Cell[] => [
  {
    what: 'of own that is shown',
    call: one(`select * from app.${relation} where karte_id = $1`, SHOWN),
    may: `${STAFF} ${OWNERS}`,
  },
  {
    what: 'of own that is not',
    call: one(`select * from app.${relation} where karte_id = $1`, HIDDEN),
    may: STAFF,
  },
  { what: 'of foreign', call: one(`select * from app.${relation} where karte_id = $1`, FREMD), may: STAFF },
  { what: 'change', call: one(`update app.${relation} set wer = 'x'`), may: '' },
  { what: 'delete', call: one(`delete from app.${relation}`), may: '' },
]
const askCells = (procedure: string, where = 'true'): Cell[] =>
  [
    ['own that is shown', SHOWN, `${STAFF} ${OWNERS}`] as const,
    ['own that is not', HIDDEN, STAFF] as const,
    ['foreign', FREMD, STAFF] as const,
  ].map(([what, karte, may]) => ({
    what,
    call: one(`select * from app.${procedure}($1) answer where ${where}`, karte),
    may,
  }))

export const KARTE_FILE: NounCells = {
  tables: ['karte_auftrag SELECT', 'karte_datei SELECT'],
  definers: [
    'app.a_add_karte_auftrag',
    'app.a_cancel_karte_auftrag',
    'app.a_delete_karte_datei',
    'app.a_retry_karte_kacheln',
    'app.a_add_karte_mosaik',
    'app.a_repeat_karte_mosaik',
    'maps.mosaic_files',
    'maps.forest_box',
    'maps.named_files',
    'maps.has_files',
    'maps.job_failed',
    'maps.job_lives',
    'maps.take_job',
    'maps.result_done',
    'maps.plan_whereabouts',
    'maps.tiles_done',
    'maps.add_scan',
    'maps.upload_size',
  ],
  world: `update app.kartenblatt set georef_typ = 'linear' where id in (${SHOWN}, ${HIDDEN}, ${FREMD});
    insert into app.mappoint (karte_id, client_id, nr, mapx, mapy, pixelx, pixely) select id, client_id, 2,
      412100, 5986900, 500, -500 from app.kartenblatt where id in (${SHOWN}, ${HIDDEN}, ${FREMD});
    insert into app.karte_datei (id, karte_id, client_id, art, name, mime, groesse, sha256,
      kacheln_sha256, breite, hoehe, wer)
      select id, id, client_id, 'scan', 'Blatt.jpg', 'image/jpeg', 100, lpad(id::text, 64, '0'),
        lpad((id + 30)::text, 64, '0'), 600, 600, 'T' from app.kartenblatt
        where id in (${SHOWN}, ${HIDDEN}, ${FREMD});
    insert into app.karte_datei (id, karte_id, client_id, art, name, mime, groesse, sha256, kacheln_sha256,
      breite, hoehe, epsg, umriss, georef_typ)
      select id + 10, id, client_id, 'ergebnis', 'Blatt.tif', 'image/tiff', 100, lpad((id + 10)::text, 64,
        '0'), lpad((id + 10)::text, 64, '0'), 600, 600, 25833, '[[412000, 5987000]]', 'linear'
      from app.kartenblatt where id in (${SHOWN}, ${HIDDEN}, ${FREMD});
    insert into app.karte_auftrag (id, karte_id, client_id, datei_id, art) select id, id, client_id, id,
      'kacheln' from app.kartenblatt where id in (${SHOWN}, ${HIDDEN}, ${FREMD});
    insert into app.karte_auftrag (id, karte_id, client_id, datei_id, art, stand, fehler, werte, beendet_am)
      values (${FAILED}, ${SHOWN}, ${w.A}, ${SHOWN}, 'entzerren', 'fehlgeschlagen', 'karte_absturz', '{}', now());
    insert into app.kartenblatt (id, client_id, map_name, epsg, show_client)
      values (${UNCUT}, ${w.A}, 'Plan 41', 25833, true), (${UNCUT_FOREIGN}, ${w.B}, 'Plan 42', 25833, true);
    insert into app.karte_datei (id, karte_id, client_id, art, name, mime, groesse, sha256, breite, hoehe)
      select id, id, client_id, 'scan', 'Roh.jpg', 'image/jpeg', 100, lpad(id::text, 64, '0'), 600, 600
        from app.kartenblatt where id in (${UNCUT}, ${UNCUT_FOREIGN});
    insert into app.kartenblatt (id, client_id, map_name, epsg, show_client)
      values (${MOSAIC}, ${w.A}, 'Mosaik 43', 25833, true);
    insert into app.karte_auftrag (id, karte_id, client_id, art, stand, werte, beendet_am)
      values (${MOSAIC}, ${MOSAIC}, ${w.A}, 'mosaik', 'abgebrochen', '${MOSAIC_VALUES}', now());
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 1000)
      from unnest('{karte_datei,karte_auftrag}'::text[]) name;`,
  relations: {
    karte_datei: [
      ...readCells('karte_datei'),
      {
        what: 'create',
        call: one(
          `insert into app.karte_datei (karte_id, client_id, art, name, mime, groesse, sha256, breite, hoehe)
           values (${SHOWN}, ${w.A}, 'scan', 'x', 'image/png', 1, '${hashOf(99)}', 1, 1)`,
        ),
        may: '',
      },
    ],
    karte_auftrag: [
      ...readCells('karte_auftrag'),
      {
        what: 'of a mosaic, which names plans that are not shown',
        call: one('select * from app.karte_auftrag where id = $1', MOSAIC),
        may: STAFF,
      },
      {
        what: 'of own, failed',
        call: one('select * from app.karte_auftrag where id = $1', FAILED),
        may: STAFF,
      },
      {
        what: 'create',
        call: one(
          `insert into app.karte_auftrag (karte_id, client_id, datei_id, art)
           values (${SHOWN}, ${w.A}, ${RESULT_SHOWN}, 'kacheln')`,
        ),
        may: '',
      },
    ],
  },
  procedures: {
    a_get_karte_dateien: askCells('a_get_karte_dateien'),
    a_get_karte_auftraege: askCells('a_get_karte_auftraege'),
    a_get_karte_umgebung: askCells('a_get_karte_umgebung', 'answer is not null'),
    a_add_karte_auftrag: [
      { what: 'of a plan', call: one('select app.a_add_karte_auftrag($1)', SHOWN), may: STAFF },
      { what: 'of a foreign plan', call: one('select app.a_add_karte_auftrag($1)', FREMD), may: STAFF },
      { what: 'of none', call: one('select app.a_add_karte_auftrag(999)'), may: '' },
    ],
    a_cancel_karte_auftrag: [
      { what: 'one', call: one('select app.a_cancel_karte_auftrag($1)', SHOWN), may: STAFF },
      { what: 'none', call: one('select app.a_cancel_karte_auftrag(999)'), may: '' },
    ],
    a_retry_karte_kacheln: [
      { what: 'of own', call: one('select app.a_retry_karte_kacheln($1)', UNCUT), may: STAFF },
      { what: 'of foreign', call: one('select app.a_retry_karte_kacheln($1)', UNCUT_FOREIGN), may: STAFF },
      { what: 'of a result', call: one('select app.a_retry_karte_kacheln($1)', RESULT_SHOWN), may: '' },
      { what: 'of none', call: one('select app.a_retry_karte_kacheln(999)'), may: '' },
    ],
    a_get_karte_ergebnisse: [
      {
        what: 'of own',
        call: one('select * from app.a_get_karte_ergebnisse($1::bigint[])', `{${SHOWN}}`),
        may: STAFF,
      },
      {
        what: 'of foreign',
        call: one('select * from app.a_get_karte_ergebnisse($1::bigint[])', `{${FREMD}}`),
        may: STAFF,
      },
    ],
    a_add_karte_mosaik: [
      {
        what: 'of two plans',
        call: one(`select app.a_add_karte_mosaik($1::bigint[], 'Mosaik', 25833)`, `{${SHOWN},${HIDDEN}}`),
        may: STAFF,
      },
      {
        what: 'of none',
        call: one(`select app.a_add_karte_mosaik($1::bigint[], 'Mosaik', 25833)`, '{998,999}'),
        may: '',
      },
    ],
    a_repeat_karte_mosaik: [
      { what: 'one', call: one('select app.a_repeat_karte_mosaik($1)', MOSAIC), may: STAFF },
      { what: 'a plan that is none', call: one('select app.a_repeat_karte_mosaik($1)', SHOWN), may: '' },
    ],
    a_delete_karte_datei: [
      { what: 'one', call: one('select app.a_delete_karte_datei($1)', RESULT_SHOWN), may: STAFF },
      { what: 'none', call: one('select app.a_delete_karte_datei(999)'), may: '' },
    ],
  },
}
