// Who may do what with abbreviations: every role except ogf_init and pruefer reads them, apus_admin maintains them.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const READERS = w.ROLE_NAMES.filter((role) => role !== 'ogf_init' && role !== 'pruefer').join(' ')
const KEEPERS = 'apus_admin admin'

export const ABKUERZUNG: NounCells = {
  personal: ['abkuerzung'],
  tables: [
    'abkuerzung DELETE',
    'abkuerzung INSERT(abk,bedeutung,gruppe)',
    'abkuerzung SELECT',
    'abkuerzung UPDATE(abk,bedeutung,gruppe)',
  ],
  world: `insert into app.abkuerzung (id, abk, bedeutung, gruppe) values (1, 'ha', 'Hektar', 'Einheiten');
    insert into app.verlauf (tabelle, schluessel, aktion) values ('abkuerzung', '1', 'neu');
    select setval(pg_get_serial_sequence('app.abkuerzung', 'id'), 1000);`,
  relations: {
    abkuerzung: [
      { what: 'read', call: one('select * from app.abkuerzung'), may: READERS },
      {
        what: 'create',
        call: one(`insert into app.abkuerzung (abk, bedeutung, gruppe) values ('a', 'Ar', 'Einheiten')`),
        may: KEEPERS,
      },
      {
        what: 'change',
        call: one(`update app.abkuerzung set bedeutung = 'Hektar: 10.000 m²' where id = 1`),
        may: KEEPERS,
      },
      {
        what: 'change the version',
        call: one('update app.abkuerzung set version = 7 where id = 1'),
        may: '',
      },
      { what: 'delete', call: one('delete from app.abkuerzung where id = 1'), may: KEEPERS },
    ],
    verlauf: [
      {
        what: 'read of abbreviations',
        call: one(`select * from app.verlauf where tabelle = 'abkuerzung'`),
        may: 'apus_admin ogf_admin admin',
      },
    ],
  },
  procedures: {
    a_get_acronyms: [{ what: 'all', call: one('select * from app.a_get_acronyms()'), may: READERS }],
  },
}
