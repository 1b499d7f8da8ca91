// Position templates and text blocks: for apus_admin only, including their history.
import { one } from '../attempt.ts'
import type { NounCells } from './cells.ts'

const KEEPERS = 'apus_admin admin'

export const TEMPLATE: NounCells = {
  personal: ['positionsvorlage', 'freitext'],
  tables: [
    'freitext DELETE',
    'freitext INSERT(art,titel,text,archiviert)',
    'freitext SELECT',
    'freitext UPDATE(art,titel,text,archiviert)',
    'positionsvorlage DELETE',
    'positionsvorlage INSERT(gruppe,bez,einheit,ep,ust_satz,erl_titel,erl,erl_on,archiviert)',
    'positionsvorlage SELECT',
    'positionsvorlage UPDATE(gruppe,bez,einheit,ep,ust_satz,erl_titel,erl,erl_on,archiviert)',
  ],
  world: `insert into app.positionsvorlage (id, gruppe, bez, einheit, ep)
    values (1, 'Vermessung', 'Dränage einmessen', 'm', 0.85);
    insert into app.freitext (id, art, titel, text) values (1, 'anrede', 'Förmlich', 'Sehr geehrte Damen und Herren,');
    insert into app.verlauf (tabelle, schluessel, aktion) values ('positionsvorlage', '1', 'neu'),
      ('freitext', '1', 'neu');
    select setval(pg_get_serial_sequence('app.positionsvorlage', 'id'), 1000),
      setval(pg_get_serial_sequence('app.freitext', 'id'), 1000);`,
  relations: {
    positionsvorlage: [
      { what: 'read', call: one('select * from app.positionsvorlage'), may: KEEPERS },
      {
        what: 'create',
        call: one(`insert into app.positionsvorlage (bez, einheit, ep) values ('Anfahrt', 'km', 0.3)`),
        may: KEEPERS,
      },
      { what: 'change', call: one('update app.positionsvorlage set ep = 2 where id = 1'), may: KEEPERS },
      {
        what: 'change the version',
        call: one('update app.positionsvorlage set version = 7 where id = 1'),
        may: '',
      },
      { what: 'delete', call: one('delete from app.positionsvorlage where id = 1'), may: KEEPERS },
    ],
    freitext: [
      { what: 'read', call: one('select * from app.freitext'), may: KEEPERS },
      {
        what: 'create',
        call: one(`insert into app.freitext (art, titel, text) values ('mail', 'x', 'y')`),
        may: KEEPERS,
      },
      { what: 'change', call: one(`update app.freitext set text = 'x' where id = 1`), may: KEEPERS },
      { what: 'change the version', call: one('update app.freitext set version = 7 where id = 1'), may: '' },
      { what: 'delete', call: one('delete from app.freitext where id = 1'), may: KEEPERS },
    ],
    verlauf: [
      {
        what: 'read of templates',
        call: one(`select * from app.verlauf where tabelle = 'positionsvorlage'`),
        may: KEEPERS,
      },
      {
        what: 'read of text blocks',
        call: one(`select * from app.verlauf where tabelle = 'freitext'`),
        may: KEEPERS,
      },
    ],
  },
  procedures: {
    a_get_position_tmpl: [
      { what: 'all', call: one('select * from app.a_get_position_tmpl()'), may: KEEPERS },
    ],
    a_get_all_freitexte: [
      { what: 'all', call: one('select * from app.a_get_all_freitexte()'), may: KEEPERS },
    ],
    a_save_position_tmpl: [
      { what: 'a new one', call: one(`select app.a_save_position_tmpl('Anfahrt', 'km', 0.3)`), may: KEEPERS },
      { what: 'one', call: one(`select app.a_save_position_tmpl('Anfahrt', 'km', 0.3, 1)`), may: KEEPERS },
      { what: 'nobody’s', call: one(`select app.a_save_position_tmpl('Anfahrt', 'km', 0.3, 999)`), may: '' },
    ],
    a_delete_position_tmpl: [
      { what: 'one', call: one('select app.a_delete_position_tmpl(1)'), may: KEEPERS },
      { what: 'nobody’s', call: one('select app.a_delete_position_tmpl(999)'), may: '' },
    ],
    a_save_freitext: [
      { what: 'a new one', call: one(`select app.a_save_freitext('mail', 'x', 'y')`), may: KEEPERS },
      { what: 'one', call: one(`select app.a_save_freitext('mail', 'x', 'y', 1)`), may: KEEPERS },
      { what: 'nobody’s', call: one(`select app.a_save_freitext('mail', 'x', 'y', 999)`), may: '' },
    ],
    a_delete_freitext: [
      { what: 'one', call: one('select app.a_delete_freitext(1)'), may: KEEPERS },
      { what: 'nobody’s', call: one('select app.a_delete_freitext(999)'), may: '' },
    ],
  },
}
