// Direct debits: mandates, and files for the bank.
import { closed, one } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'
import { OPEN_A, OPEN_B } from './zahlung.ts'

const BOOK = 'apus_admin admin'
const READS = `${BOOK} pruefer`
/** Of customers A and B; the one of B is in a file with the invoice of B. */
export const [MANDAT_A, MANDAT_B, LAUF] = [1, 2, 1]
const IBAN = 'DE02120300000000202051'

const readOnly = (table: string, insert: string, set: string) => [
  { what: 'read', call: one(`select * from ${table}`), may: READS },
  ...closed(table, insert, set),
]

export const SEPA: NounCells = {
  personal: ['sepa_lauf'],
  tables: ['sepa_lauf SELECT', 'sepa_mandat SELECT', 'sepa_posten SELECT'],
  definers: [
    'app.a_add_mandat',
    'app.a_add_sepa_lauf',
    'app.a_revoke_mandat',
    'app.a_revoke_sepa_lauf',
    'app.a_set_sepa_datei',
    'books.check_sepa_frozen',
  ],
  world: `
    insert into app.sepa_mandat (id, client_id, referenz, unterschrieben, inhaber, iban)
      values (${MANDAT_A}, ${w.A}, 'M-A', '2026-01-02', 'Kunde A', '${IBAN}'),
        (${MANDAT_B}, ${w.B}, 'M-B', '2026-01-02', 'Kunde B', '${IBAN}');
    insert into app.sepa_lauf (id, tag, name, iban, bic, glaeubiger_id, anzahl, summe)
      values (${LAUF}, '2026-02-10', 'V', '${IBAN}', '', 'DE98ZZZ09999999999', 1, 119);
    insert into app.sepa_posten (id, lauf_id, client_id, rechnung_id, mandat_id, nummer, betrag, folge, art, inhaber,
        iban, bic, referenz, unterschrieben)
      values (1, ${LAUF}, ${w.B}, ${OPEN_B}, ${MANDAT_B}, 'RE-2026-0002b', 119, 'FRST', 'core', 'Kunde B',
        '${IBAN}', '', 'M-B', '2026-01-02');
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 1000)
      from unnest('{sepa_mandat,sepa_lauf,sepa_posten}'::text[]) name;`,
  relations: {
    sepa_mandat: readOnly(
      'app.sepa_mandat',
      `(client_id, referenz, unterschrieben, inhaber, iban) values (${w.A}, 'M-2', '2026-01-02', 'x', '${IBAN}')`,
      `widerrufen_am = '2026-03-01'`,
    ),
    sepa_lauf: readOnly(
      'app.sepa_lauf',
      `(tag, name, iban, bic, glaeubiger_id, anzahl, summe) values ('2026-02-11', 'x', '${IBAN}', '', 'x', 1, 1)`,
      `grund = 'x'`,
    ),
    sepa_posten: readOnly(
      'app.sepa_posten',
      `(lauf_id, client_id, rechnung_id, mandat_id, nummer, betrag, folge, art, inhaber, iban, bic, referenz,
        unterschrieben) values (${LAUF}, ${w.A}, ${OPEN_A}, ${MANDAT_A}, 'x', 1, 'RCUR', 'core', 'x', 'x', '', 'x',
        '2026-01-02')`,
      'betrag = 2',
    ),
  },
  procedures: {
    a_get_mandate: [
      { what: 'all', call: one('select * from app.a_get_mandate()'), may: READS },
      {
        what: 'of a customer',
        call: one('select * from app.a_get_mandate($1)', w.A),
        finds: (row) => row['client_id'] === w.A,
        may: READS,
      },
    ],
    a_add_mandat: [
      {
        what: 'one',
        call: one(`select app.a_add_mandat($1, 'M-9', '2026-01-02', 'A', '${IBAN}')`, w.A),
        may: BOOK,
      },
      {
        what: 'nobody’s',
        call: one(`select app.a_add_mandat(999, 'M-9', '2026-01-02', 'A', '${IBAN}')`),
        may: '',
      },
    ],
    a_revoke_mandat: [
      { what: 'one', call: one('select app.a_revoke_mandat($1)', MANDAT_A), may: BOOK },
      { what: 'nobody’s', call: one('select app.a_revoke_mandat(999)'), may: '' },
    ],
    a_get_lastschriften: [{ what: 'all', call: one('select * from app.a_get_lastschriften()'), may: READS }],
    a_get_einzug: [{ what: 'one', call: one('select * from app.a_get_einzug($1)', OPEN_B), may: READS }],
    a_add_sepa_lauf: [
      // There is no account of the supplier in this world: db/test/sepa.sql.test.ts makes files.
      { what: 'nobody’s', call: one(`select app.a_add_sepa_lauf('{999}', checks.today() + 1)`), may: '' },
    ],
    a_set_sepa_datei: [
      { what: 'one', call: one('select app.a_set_sepa_datei($1, $2)', LAUF, 'a'.repeat(64)), may: BOOK },
      { what: 'nobody’s', call: one('select app.a_set_sepa_datei(999, $1)', 'a'.repeat(64)), may: '' },
    ],
    a_revoke_sepa_lauf: [
      { what: 'one', call: one(`select app.a_revoke_sepa_lauf($1, 'Irrtum')`, LAUF), may: BOOK },
      { what: 'nobody’s', call: one(`select app.a_revoke_sepa_lauf(999, 'Irrtum')`), may: '' },
    ],
    a_get_sepa_laeufe: [{ what: 'all', call: one('select * from app.a_get_sepa_laeufe()'), may: READS }],
  },
}
