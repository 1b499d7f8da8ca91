// Files that go with an invoice. The world's rows are inserted with the invoices, before those are issued.
import { closed, one } from '../attempt.ts'
import { DRAFT_A, RECHNUNG_A, RECHNUNG_B } from './buchhaltung.ts'
import type { NounCells } from './cells.ts'

const BOOK = 'apus_admin admin'
const READS = `${BOOK} pruefer`
const OWN = `${READS} kundenadmin appuser_admin`

/** Of a draft and an issued invoice of customer A, and of an issued one of customer B. */
export const [ANLAGE_DRAFT, ANLAGE_A, ANLAGE_B] = [1, 2, 3]

export const ANLAGE_CELLS: NounCells = {
  tables: ['anlage SELECT(id,client_id,rechnung_id,name,beschreibung,dateiname,mime,sha256,groesse)'],
  definers: [
    'app.a_delete_anlage',
    'app.a_update_anlage',
    'books.add_anlage',
    'books.check_anlage_frozen',
    'books.is_issued',
  ],
  relations: {
    anlage: [
      {
        what: 'read own',
        call: one('select id, name from app.anlage where id = $1', ANLAGE_A),
        may: OWN,
      },
      {
        what: 'read that of a draft',
        call: one('select id, name from app.anlage where id = $1', ANLAGE_DRAFT),
        may: BOOK,
      },
      {
        what: 'read foreign',
        call: one('select id, name from app.anlage where id = $1', ANLAGE_B),
        may: READS,
      },
      { what: 'read the bytes', call: one('select inhalt from app.anlage'), may: '' },
      ...closed(
        'app.anlage',
        `(client_id, rechnung_id, name, dateiname, mime, inhalt) values (1, 1, 'a', 'a', 'text/csv', 'a')`,
        `name = 'x'`,
      ),
    ],
  },
  procedures: {
    a_get_anlagen: [
      { what: 'own', call: one('select * from app.a_get_anlagen($1)', RECHNUNG_A), may: OWN },
      { what: 'of a draft', call: one('select * from app.a_get_anlagen($1)', DRAFT_A), may: BOOK },
      { what: 'foreign', call: one('select * from app.a_get_anlagen($1)', RECHNUNG_B), may: READS },
    ],
    a_get_anlage_quellen: [
      { what: 'of a draft', call: one('select app.a_get_anlage_quellen($1)', DRAFT_A), may: BOOK },
      { what: 'nobody’s', call: one('select app.a_get_anlage_quellen(999)'), may: '' },
    ],
    a_update_anlage: [
      { what: 'of a draft', call: one(`select app.a_update_anlage($1, 'Plan')`, ANLAGE_DRAFT), may: BOOK },
      { what: 'nobody’s', call: one(`select app.a_update_anlage(999, 'Plan')`), may: '' },
    ],
    a_delete_anlage: [
      { what: 'of a draft', call: one('select app.a_delete_anlage($1)', ANLAGE_DRAFT), may: BOOK },
      { what: 'nobody’s', call: one('select app.a_delete_anlage(999)'), may: '' },
    ],
  },
}
