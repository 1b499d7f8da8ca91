// Who may disclose and delete data: the provider's admins that of others within their half, everyone a copy
// of their own.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const ADMINS = 'ogf_admin apus_admin admin'
/** Data of the forest half is disclosed and deleted only by its admins. */
const FOREST = 'ogf_admin admin'
const EVERYBODY = [...w.ROLE_NAMES, 'cut_by_ceiling'].join(' ')
const preview = 'select app.a_get_datenschutz_vorschau($1, $2)'
const answer = 'select app.a_get_datenschutz_auskunft($1, $2)'

export const PRIVACY: NounCells = {
  tables: ['datenschutz_vorgang SELECT'],
  definers: [
    'app.__o_get_meine_daten',
    'app.a_delete_kunde_daten',
    'app.a_delete_person_daten',
    'app.a_get_datenschutz_auskunft',
    'app.a_get_datenschutz_vorschau',
    'privacy.remove_blocked',
    'privacy.refuse_blocked',
    'privacy.refuse_deleted',
  ],
  world: `insert into app.datenschutz_vorgang (art, person_id) values ('auskunft', ${w.STRANGER});
    insert into app.kunde (client_id, name, strasse, plz, ort, gesperrt_bis)
      values (77, 'Gesperrt', 'Weg 1', '17033', 'Ort', '2099-12-31'),
      (78, 'Leer', 'Weg 1', '17033', 'Ort', null), (79, 'Holz', 'Weg 1', '17033', 'Ort', null);
    insert into app.hq ("idHQ", client_id, "sHQ") values (791, 79, 'Holz eins');
    insert into app.kunde_hq (hqid, client_id) values (791, 79);`,
  relations: {
    datenschutz_vorgang: [
      { what: 'read', call: one('select * from app.datenschutz_vorgang'), may: ADMINS },
      {
        what: 'create',
        call: one(`insert into app.datenschutz_vorgang (art, person_id) values ('auskunft', 1)`),
        may: '',
      },
      { what: 'change', call: one(`update app.datenschutz_vorgang set wer = 'x'`), may: '' },
      { what: 'delete', call: one('delete from app.datenschutz_vorgang'), may: '' },
    ],
    kunde: [
      { what: 'read a blocked one', call: one('select * from app.kunde where client_id = 77'), may: ADMINS },
      {
        what: 'change a blocked one',
        call: one(`update app.kunde set ort = 'Anderswo' where client_id = 77`),
        may: '',
      },
      {
        what: 'unblock',
        call: one('update app.kunde set gesperrt_bis = null where client_id = 77'),
        may: '',
      },
    ],
  },
  procedures: {
    a_get_datenschutz_vorschau: [
      { what: 'of a person', call: one(preview, 'person', w.STRANGER), may: ADMINS },
      { what: 'of a customer of the drainage half', call: one(preview, 'kunde', 78), may: ADMINS },
      { what: 'of a customer with headquarters', call: one(preview, 'kunde', 79), may: FOREST },
      { what: 'of a customer of both halves', call: one(preview, 'kunde', w.A), may: 'admin' },
      { what: 'of nobody', call: one(preview, 'person', 999_999), may: '' },
      { what: 'of another kind', call: one(preview, 'hq', w.A1), may: '' },
    ],
    a_get_datenschutz_auskunft: [
      { what: 'of a person', call: one(answer, 'person', w.STRANGER), may: ADMINS },
      { what: 'of a customer of the drainage half', call: one(answer, 'kunde', 78), may: ADMINS },
      { what: 'of a customer with headquarters', call: one(answer, 'kunde', 79), may: FOREST },
      { what: 'of a customer of both halves', call: one(answer, 'kunde', w.A), may: 'admin' },
      { what: 'of no customer', call: one(answer, 'kunde', 999_999), may: '' },
    ],
    __o_get_meine_daten: [
      { what: 'one’s own', call: one('select app.__o_get_meine_daten()'), may: EVERYBODY },
    ],
    a_delete_person_daten: [
      {
        what: 'a person',
        call: one('select app.a_delete_person_daten($1, $2)', w.STRANGER, w.usernameOf(w.STRANGER)),
        may: ADMINS,
      },
      { what: 'nobody', call: one(`select app.a_delete_person_daten(999999, 'x')`), may: '' },
    ],
    a_delete_kunde_daten: [
      { what: 'one that is there', call: one(`select app.a_delete_kunde_daten(78, 'Leer')`), may: ADMINS },
      {
        what: 'one with headquarters',
        call: one(`select app.a_delete_kunde_daten(79, 'Holz')`),
        may: FOREST,
      },
      { what: 'no customer', call: one(`select app.a_delete_kunde_daten(999999, 'x')`), may: '' },
    ],
  },
}
