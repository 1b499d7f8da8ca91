// Received invoices and their senders.
import { closed, one } from '../attempt.ts'
import type { NounCells } from './cells.ts'

const BOOK = 'apus_admin admin'
const READS = `${BOOK} pruefer`

/** New, approved, paid; the first one is of nobody known. */
export const [EINGANG, EINGANG_OK, EINGANG_PAID] = [71, 72, 73]
export const KREDITOR = 71

const AMOUNTS = 'datum, netto, steuer, brutto, zahlbetrag'
const VALUES = `'2026-02-01', 100, 19, 119, 119`

export const EINGANG_CELLS: NounCells = {
  personal: ['eingang', 'kreditor'],
  tables: [
    'eingang SELECT(id,dateiname,sha256,groesse,format,profil,geprueft,gelesen,befunde,kreditor_id,name,ust_id,' +
      'iban,nummer,datum,faellig,netto,steuer,brutto,zahlbetrag,aus_datei,konto,zustand,eingegangen_am,' +
      'entschieden_am,bemerkung,bezahlt_am,suchtext,version,geaendert_am)',
    'eingang_liste SELECT',
    'kreditor SELECT',
  ],
  definers: [
    'app.a_decide_eingang',
    'app.a_save_eingang',
    'app.a_save_kreditor',
    'app.a_set_eingang_bezahlt',
    'books.add_eingang',
    'books.eingang_recipient',
  ],
  world: `
    insert into app.kreditor (id, name, ust_id, iban) values (${KREDITOR}, 'Baumschule Ost', 'DE136695976', '');
    insert into app.eingang (id, dateiname, inhalt, format, geprueft, name, nummer, ${AMOUNTS})
      values (${EINGANG}, 'neu.pdf', 'neu', 'pdf', 'Forstkontor 1', 'Harvester GmbH', 'E-1', ${VALUES});
    insert into app.eingang (id, dateiname, inhalt, format, geprueft, kreditor_id, name, nummer, ${AMOUNTS},
      faellig, zustand, entschieden_am, bezahlt_am)
      values (${EINGANG_OK}, 'gut.xml', 'gut', 'cii', 'Forstkontor 1', ${KREDITOR}, 'Baumschule Ost', 'E-2',
          ${VALUES}, '2026-03-01', 'freigegeben', '2026-02-02', null),
        (${EINGANG_PAID}, 'alt.xml', 'alt', 'ubl', 'Forstkontor 1', ${KREDITOR}, 'Baumschule Ost', 'E-3',
          ${VALUES}, '2026-03-01', 'bezahlt', '2026-02-02', '2026-02-20');
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 1000) from unnest('{kreditor,eingang}'::text[]) name;`,
  relations: {
    kreditor: [
      { what: 'read', call: one('select * from app.kreditor'), may: READS },
      ...closed('app.kreditor', `(name) values ('x')`, `name = 'x'`),
    ],
    eingang: [
      { what: 'read', call: one('select id, nummer, gelesen, befunde from app.eingang'), may: READS },
      { what: 'read the bytes', call: one('select inhalt from app.eingang'), may: '' },
      ...closed(
        'app.eingang',
        `(dateiname, inhalt, format, geprueft) values ('a', 'a', 'pdf', 'x')`,
        `konto = '4711'`,
      ),
    ],
    eingang_liste: [{ what: 'read', call: one('select * from app.eingang_liste'), may: READS }],
  },
  procedures: {
    a_get_eingang: [
      { what: 'one', call: one('select app.a_get_eingang($1)', EINGANG), may: READS },
      { what: 'nobody’s', call: one('select app.a_get_eingang(999)'), may: '' },
    ],
    a_get_kreditoren: [{ what: 'all', call: one('select * from app.a_get_kreditoren()'), may: READS }],
    a_save_kreditor: [
      { what: 'a new one', call: one(`select app.a_save_kreditor('{"name": "Neu"}')`), may: BOOK },
      {
        what: 'one',
        call: one(`select app.a_save_kreditor('{"konto": "70001"}', $1, 1)`, KREDITOR),
        may: BOOK,
      },
      { what: 'nobody’s', call: one(`select app.a_save_kreditor('{"konto": "70001"}', 999, 1)`), may: '' },
    ],
    a_save_eingang: [
      { what: 'one', call: one(`select app.a_save_eingang($1, 1, '{"konto": "4980"}')`, EINGANG), may: BOOK },
      { what: 'nobody’s', call: one(`select app.a_save_eingang(999, 1, '{}')`), may: '' },
    ],
    a_decide_eingang: [
      { what: 'approve', call: one('select app.a_decide_eingang($1, 1, true)', EINGANG), may: BOOK },
      {
        what: 'refuse',
        call: one(`select app.a_decide_eingang($1, 1, false, 'Falsch')`, EINGANG),
        may: BOOK,
      },
      { what: 'take back', call: one('select app.a_decide_eingang($1, 1, null)', EINGANG_OK), may: BOOK },
      { what: 'nobody’s', call: one('select app.a_decide_eingang(999, 1, true)'), may: '' },
    ],
    a_set_eingang_bezahlt: [
      {
        what: 'paid',
        call: one(`select app.a_set_eingang_bezahlt($1, 1, '2026-02-03')`, EINGANG_OK),
        may: BOOK,
      },
      {
        what: 'not paid',
        call: one('select app.a_set_eingang_bezahlt($1, 1, null)', EINGANG_PAID),
        may: BOOK,
      },
      { what: 'nobody’s', call: one(`select app.a_set_eingang_bezahlt(999, 1, '2026-02-03')`), may: '' },
    ],
  },
}
