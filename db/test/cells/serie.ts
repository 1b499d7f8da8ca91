// Recurring invoices: for apus_admin only, including their history. Auditors read nothing of drafts.
import { closed, one } from '../attempt.ts'
import * as w from '../world.ts'
import { DRAFT_A } from './buchhaltung.ts'
import type { NounCells } from './cells.ts'

const BOOK = 'apus_admin admin'
/** Of customers A and B; the first has left out its second period. */
export const [SERIE_A, SERIE_B] = [1, 2]
const LINES = `'[{"art": "position", "bez": "Monitoring {zeitraum}", "anzahl": "1", "einheit": "psch", "ep": "100.00",
  "rabatt_prozent": "0.00", "ust_satz": null, "kategorie": null, "steuergrund": "", "erl": "", "erl_on": true,
  "erl_titel": ""}]'`

export const SERIE: NounCells = {
  tables: ['serie SELECT', 'serie_lauf SELECT'],
  definers: [
    'app.a_add_serie',
    'app.a_add_serie_rechnungen',
    'app.a_delete_serie',
    'app.a_get_serie_faellig',
    'app.a_save_serie',
    'app.a_skip_serie',
    'app.a_unskip_serie',
  ],
  world: `
    insert into app.serie (id, client_id, titel, monate, beginn, anzahl, positionen)
      values (${SERIE_A}, ${w.A}, 'Monitoring A', 1, '2026-01-01', 3, ${LINES}),
        (${SERIE_B}, ${w.B}, 'Monitoring B', 12, '2026-01-01', 2, ${LINES});
    insert into app.serie_lauf (id, client_id, serie_id, nr, von, bis, art, grund)
      values (1, ${w.A}, ${SERIE_A}, 2, '2026-02-01', '2026-02-28', 'ausgelassen', 'Winterpause');
    insert into app.verlauf (tabelle, schluessel, aktion) values ('serie', '1', 'neu'), ('serie_lauf', '1', 'neu');
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 1000) from unnest('{serie,serie_lauf}'::text[]) name;`,
  relations: {
    serie: [
      { what: 'read', call: one('select * from app.serie'), may: BOOK },
      ...closed(
        'app.serie',
        `(client_id, titel, monate, beginn) values (${w.A}, 'x', 1, '2026-01-01')`,
        `titel = 'x'`,
      ),
    ],
    serie_lauf: [
      { what: 'read', call: one('select * from app.serie_lauf'), may: BOOK },
      ...closed(
        'app.serie_lauf',
        `(client_id, serie_id, nr, von, bis, art)
          values (${w.A}, ${SERIE_A}, 3, '2026-03-01', '2026-03-31', 'entwurf')`,
        `grund = 'x'`,
      ),
    ],
    verlauf: [
      {
        what: 'read of recurring invoices',
        call: one(`select * from app.verlauf where tabelle = 'serie'`),
        may: BOOK,
      },
      {
        what: 'read of their runs',
        call: one(`select * from app.verlauf where tabelle = 'serie_lauf'`),
        may: BOOK,
      },
    ],
  },
  procedures: {
    a_get_serien: [{ what: 'all', call: one('select * from app.a_get_serien()'), may: BOOK }],
    a_get_serie: [
      { what: 'one', call: one('select app.a_get_serie($1)', SERIE_A), may: BOOK },
      { what: 'nobody’s', call: one('select app.a_get_serie(999)'), may: '' },
    ],
    a_get_serie_faellig: [{ what: 'all', call: one('select app.a_get_serie_faellig()'), may: BOOK }],
    a_add_serie: [
      {
        what: 'of a draft',
        call: one(
          `select app.a_add_serie($1, '{"titel": "Neu", "monate": 1, "beginn": "2026-05-01"}')`,
          DRAFT_A,
        ),
        may: BOOK,
      },
      {
        what: 'nobody’s',
        call: one(`select app.a_add_serie(999, '{"titel": "Neu", "monate": 1, "beginn": "2026-05-01"}')`),
        may: '',
      },
    ],
    a_save_serie: [
      { what: 'one', call: one(`select app.a_save_serie($1, '{"titel": "Anders"}', 1)`, SERIE_A), may: BOOK },
      { what: 'nobody’s', call: one(`select app.a_save_serie(999, '{"titel": "Anders"}', 1)`), may: '' },
    ],
    a_delete_serie: [
      { what: 'one', call: one('select app.a_delete_serie($1, 1)', SERIE_B), may: BOOK },
      { what: 'nobody’s', call: one('select app.a_delete_serie(999, 1)'), may: '' },
    ],
    a_add_serie_rechnungen: [
      {
        what: 'one',
        call: one(`select app.a_add_serie_rechnungen('[{"serie_id": ${SERIE_A}, "nr": 1, "version": 1}]')`),
        may: BOOK,
      },
      {
        what: 'nobody’s',
        call: one(`select app.a_add_serie_rechnungen('[{"serie_id": 999, "nr": 1, "version": 1}]')`),
        may: '',
      },
    ],
    a_skip_serie: [
      { what: 'one', call: one(`select app.a_skip_serie($1, 1, 'Ausfall')`, SERIE_A), may: BOOK },
      { what: 'nobody’s', call: one(`select app.a_skip_serie(999, 1, 'Ausfall')`), may: '' },
    ],
    a_unskip_serie: [
      { what: 'one', call: one('select app.a_unskip_serie($1, 2)', SERIE_A), may: BOOK },
      { what: 'nobody’s', call: one('select app.a_unskip_serie(999, 2)'), may: '' },
    ],
  },
}
