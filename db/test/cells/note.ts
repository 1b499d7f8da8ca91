// Notes and files at records: staff read them like the record and write their own; customers read what is
// marked for them at records they may read, and write nothing.
import { closed, one, sql, type Cell } from '../attempt.ts'
import * as w from '../world.ts'
import { ANGEBOT_A, DRAFT_A, RECHNUNG_A } from './buchhaltung.ts'
import type { NounCells } from './cells.ts'
import { HIDDEN, SHOWN } from './karte.ts'

const STAFF = 'ogf_admin ogf_team apus_admin apus_team admin'
const FOREST = 'ogf_admin ogf_team admin'
const BOOK = 'apus_admin admin'
const DRAINAGE = 'apus_admin apus_team admin'
const DOCUMENT_READERS = 'kundenadmin appuser_admin'

/** Where the notes of the world are, who reads them as staff, and who when they are marked. */
const PLACES = [
  ['a customer', 'kunde', w.A, null, STAFF, 'kundenadmin appuser appuser_admin'],
  ['another customer', 'kunde', w.B, null, STAFF, ''],
  ['a headquarters', 'hq', w.A1, 'hqid', FOREST, 'kundenadmin ogf_standard ogf_fb_admin multiple_fb'],
  ['an offer', 'angebot', ANGEBOT_A, 'angebot_id', BOOK, DOCUMENT_READERS],
  ['an invoice', 'rechnung', RECHNUNG_A, 'rechnung_id', BOOK, DOCUMENT_READERS],
  ['a draft', 'rechnung', DRAFT_A, 'rechnung_id', BOOK, ''],
  ['a plan', 'karte', SHOWN, 'karte_id', DRAINAGE, 'appuser appuser_admin'],
  ['a plan that is not shown', 'karte', HIDDEN, 'karte_id', DRAINAGE, ''],
] as const
/** Two at each place: one for the provider alone, one marked for the customer. */
const noteAt = (place: number, marked: boolean): number => 6000 + place * 2 + (marked ? 1 : 0)
/** One of each person at customer A, with a file. */
export const ownNote = (person: number): number => 7000 + person

const readCells = (relation: string, key: string): Cell[] =>
  PLACES.flatMap(([what, , , , staff, customers], place) => [
    {
      what: `at ${what}`,
      call: one(`select * from app.${relation} where ${key} = $1`, noteAt(place, false)),
      may: staff,
    },
    {
      what: `at ${what}, for the customer`,
      call: one(`select * from app.${relation} where ${key} = $1`, noteAt(place, true)),
      may: `${staff} ${customers}`,
    },
  ])
const hash = "repeat('c', 64)"

export const NOTES: NounCells = {
  tables: ['notiz SELECT', 'notiz_datei SELECT', 'notiz_erwaehnt SELECT'],
  definers: [
    'app.a_add_notiz',
    'app.a_delete_notiz',
    'app.a_delete_notiz_datei',
    'app.a_get_notiz_personen',
    'app.a_update_notiz',
    'notes.add_file',
    'notes.issued',
    'notes.make_internal',
    'notes.record_file',
    'notes.upload_right',
    'notes.uploaded',
  ],
  world: `${PLACES.map(([, , id, column], place) =>
    [false, true]
      .map(
        (
          marked,
        ) => `insert into app.notiz (id, client_id${column === null ? '' : `, ${column}`}, text, fuer_kunde, wer)
          values (${noteAt(place, marked)}, ${id === w.B && column === null ? w.B : w.A}${
            column === null ? '' : `, ${id}`
          }, 'Text', ${marked}, 'T');`,
      )
      .join('\n'),
  ).join('\n')}
    insert into app.notiz (id, client_id, text, wer, user_id)
      select 7000 + user_id, ${w.A}, 'Eigene', 'T', user_id from app.benutzer;
    insert into app.notiz_datei (id, notiz_id, client_id, name, mime, groesse, sha256)
      select id, id, client_id, 'Brief.pdf', 'application/pdf', 100, ${hash} from app.notiz;
    insert into app.notiz_erwaehnt (notiz_id, client_id, user_id, name)
      select id, client_id, ${w.ADVISER}, 'Vor204 Nach204' from app.notiz;
    insert into app.verlauf (tabelle, schluessel, client_id, aktion) values
      ('notiz', 'kunde/${w.A}/1', ${w.A}, 'neu'), ('notiz', 'rechnung/${RECHNUNG_A}/2', ${w.A}, 'neu'),
      ('notiz', 'hq/${w.A1}/3', ${w.A}, 'neu');
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 9000)
      from unnest('{notiz,notiz_datei}'::text[]) name;`,
  relations: {
    notiz: [
      ...readCells('notiz', 'id'),
      ...closed('app.notiz', `(client_id, text) values (${w.A}, 'x')`, `fuer_kunde = true`),
    ],
    notiz_datei: [
      ...readCells('notiz_datei', 'notiz_id'),
      ...closed(
        'app.notiz_datei',
        `(notiz_id, client_id, name, mime, groesse, sha256) values (6000, ${w.A}, 'x', 'a/b', 1, ${hash})`,
        `name = 'x'`,
      ),
    ],
    notiz_erwaehnt: [
      ...readCells('notiz_erwaehnt', 'notiz_id'),
      ...closed(
        'app.notiz_erwaehnt',
        `(notiz_id, client_id, user_id, name) values (6000, ${w.A}, 1, 'x')`,
        `name = 'x'`,
      ),
    ],
    verlauf: [
      {
        what: 'notes at a customer',
        call: one(`select * from app.verlauf where schluessel = 'kunde/${w.A}/1'`),
        may: STAFF,
      },
      {
        what: 'notes at an invoice',
        call: one(`select * from app.verlauf where schluessel = 'rechnung/${RECHNUNG_A}/2'`),
        may: BOOK,
      },
      {
        what: 'notes at a headquarters',
        call: one(`select * from app.verlauf where schluessel = 'hq/${w.A1}/3'`),
        may: FOREST,
      },
    ],
  },
  procedures: {
    a_count_notizen: PLACES.map(([what, art, id, , staff, customers]) => ({
      what: `at ${what}`,
      call: one('select app.a_count_notizen($1, $2) as n', art, id),
      finds: (row: Record<string, unknown>) => Number(row['n']) > 0,
      may: `${staff} ${customers}`,
    })),
    a_get_notizen: PLACES.map(([what, art, id, , staff, customers]) => ({
      what: `at ${what}`,
      call: one(`select * from jsonb_array_elements(app.a_get_notizen($1, $2) -> 'zeilen')`, art, id),
      may: `${staff} ${customers}`,
    })),
    a_get_notiz_personen: PLACES.map(([what, art, id, , staff]) => ({
      what: `at ${what}`,
      call: one('select * from app.a_get_notiz_personen($1, $2, true)', art, id),
      may: staff,
    })),
    a_add_notiz: PLACES.map(([what, art, id, , staff]) => ({
      what: `at ${what}`,
      call: one(`select app.a_add_notiz($1, $2, 'Neu', true)`, art, id),
      may: staff,
    })),
    a_update_notiz: [
      {
        what: 'own',
        call: (me) => sql(`select app.a_update_notiz($1, 1, 'Anders', true)`, ownNote(me)),
        may: STAFF,
      },
      {
        what: 'another’s',
        call: one(`select app.a_update_notiz($1, 1, 'Anders', true)`, ownNote(w.COLLEAGUE)),
        may: '',
      },
    ],
    a_delete_notiz: [
      { what: 'own', call: (me) => sql('select app.a_delete_notiz($1)', ownNote(me)), may: STAFF },
      { what: 'another’s', call: one('select app.a_delete_notiz($1)', ownNote(w.COLLEAGUE)), may: '' },
    ],
    a_delete_notiz_datei: [
      { what: 'own', call: (me) => sql('select app.a_delete_notiz_datei($1)', ownNote(me)), may: STAFF },
      {
        what: 'another’s',
        call: one('select app.a_delete_notiz_datei($1)', ownNote(w.COLLEAGUE)),
        may: '',
      },
    ],
  },
}
