// Forecasts: for apus_admin only, including their history.
import { one } from '../attempt.ts'
import type { NounCells } from './cells.ts'

const KEEPERS = 'apus_admin admin'

export const PROGNOSE: NounCells = {
  personal: ['prognose'],
  tables: [
    'prognose DELETE',
    'prognose INSERT(datum,betrag,art,kategorie,bemerkung)',
    'prognose SELECT',
    'prognose UPDATE(datum,betrag,art,kategorie,bemerkung)',
  ],
  world: `insert into app.prognose (id, datum, betrag, art, kategorie)
    values (1, '2026-12-01', 1200.50, 'Einnahme', 'Vermessung'), (2, '2026-12-15', 800, 'Ausgabe', null);
    insert into app.verlauf (tabelle, schluessel, aktion) values ('prognose', '1', 'neu');
    select setval(pg_get_serial_sequence('app.prognose', 'id'), 1000);`,
  relations: {
    prognose: [
      { what: 'read', call: one('select * from app.prognose'), may: KEEPERS },
      {
        what: 'create',
        call: one(`insert into app.prognose (datum, betrag, art) values ('2026-11-30', 1, 'Ausgabe')`),
        may: KEEPERS,
      },
      { what: 'change', call: one('update app.prognose set betrag = 2 where id = 1'), may: KEEPERS },
      { what: 'change the version', call: one('update app.prognose set version = 7 where id = 1'), may: '' },
      { what: 'delete', call: one('delete from app.prognose where id = 1'), may: KEEPERS },
    ],
    verlauf: [
      {
        what: 'read of forecasts',
        call: one(`select * from app.verlauf where tabelle = 'prognose'`),
        may: KEEPERS,
      },
    ],
  },
  procedures: {
    a_get_prognose: [{ what: 'all', call: one('select * from app.a_get_prognose()'), may: KEEPERS }],
    a_insert_prognose: [
      { what: 'one', call: one(`select app.a_insert_prognose('2026-11-30', 1, 'Ausgabe')`), may: KEEPERS },
    ],
    a_update_prognose: [
      { what: 'one', call: one(`select app.a_update_prognose(1, '2026-11-30', 1, 'Ausgabe')`), may: KEEPERS },
      {
        what: 'nobody’s',
        call: one(`select app.a_update_prognose(999, '2026-11-30', 1, 'Ausgabe')`),
        may: '',
      },
    ],
    a_delete_prognose: [
      { what: 'one', call: one('select app.a_delete_prognose(1)'), may: KEEPERS },
      { what: 'nobody’s', call: one('select app.a_delete_prognose(999)'), may: '' },
    ],
  },
}
