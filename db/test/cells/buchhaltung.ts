// Invoices, offers, positions, their number ranges, the supplier, documents and the audit chain.
import { sql } from '../engines.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const BUCH = 'apus_admin admin'
const OWN = `${BUCH} kundenadmin appuser_admin`

/** Of customer A and of customer B: a draft and an issued one of each. */
export const [ENTWURF_A, RECHNUNG_A, RECHNUNG_B] = [1, 2, 3]
export const [ANGEBOT_ENTWURF_A, ANGEBOT_A, ANGEBOT_B] = [1, 2, 3]
export const [POSITION_ENTWURF, POSITION_RECHNUNG, POSITION_ANGEBOT] = [1, 2, 3]

const one =
  (text: string, ...values: unknown[]) =>
  () =>
    sql(text, ...values)
const closed = (table: string, insert: string, set: string) => [
  { what: 'create', call: one(`insert into ${table} ${insert}`), may: '' },
  { what: 'change', call: one(`update ${table} set ${set}`), may: '' },
  { what: 'delete', call: one(`delete from ${table}`), may: '' },
]
const own = (table: string, key: string, mine: number, foreign: number, may: string) => [
  { what: 'read own', call: one(`select ${key} from app.${table} where ${key} = $1`, mine), may },
  { what: 'read foreign', call: one(`select ${key} from app.${table} where ${key} = $1`, foreign), may: BUCH },
]
const HASH = '0'.repeat(64)

export const BUCHHALTUNG: NounCells = {
  personal: ['lieferant', 'nummernkreis'],
  tables: [
    'angebot SELECT',
    'dokument SELECT(id,client_id,rechnung_id,angebot_id,mahnung_id,art,dateiname,sha256,groesse,regelwerk,erzeugt_am)',
    'kunde_rechnung SELECT',
    'lieferant SELECT',
    'nummernkreis SELECT',
    'position SELECT',
    'protokoll SELECT',
    'rechnung SELECT',
  ],
  world: `
    insert into app.lieferant (name, strasse, plz, ort, steuernummer, iban) values ('Vermessung Probe GmbH', 'Lindenweg 3', '17033', 'Neubrandenburg', '072/123/45678', 'DE02120300000000202051');
    insert into app.nummernkreis (art, muster, jahr, naechste) values ('rechnung', 'RE-{JJJJ}-{NNNN}', 2026, 3), ('angebot', 'AN-{JJJJ}-{NNNN}', 2026, 3);
    insert into app.kunde_rechnung (client_id) values (${w.A}), (${w.B});
    insert into app.angebot (id, client_id, an_datum, ust_satz) values
      (${ANGEBOT_ENTWURF_A}, ${w.A}, '2026-01-05', 19), (${ANGEBOT_A}, ${w.A}, '2026-01-05', 19), (${ANGEBOT_B}, ${w.B}, '2026-01-05', 19);
    insert into app.rechnung (id, client_id, le_date, rn_datum, ust_satz) values
      (${ENTWURF_A}, ${w.A}, '2026-01-05', '2026-01-05', 19), (${RECHNUNG_A}, ${w.A}, '2026-01-05', '2026-01-05', 19), (${RECHNUNG_B}, ${w.B}, '2026-01-05', '2026-01-05', 19);
    insert into app.position (id, client_id, rechnung_id, angebot_id, lfd_nr, bez) values (${POSITION_ENTWURF}, ${w.A}, ${ENTWURF_A}, null, 1, 'Vermessung'),
      (${POSITION_RECHNUNG}, ${w.B}, ${RECHNUNG_B}, null, 1, 'Vermessung'), (${POSITION_ANGEBOT}, ${w.A}, null, ${ANGEBOT_A}, 1, 'Vermessung');
    update app.angebot set status = 'versendet', nummer = 'AN-2026-000' || id - 1, ausgestellt_am = '2026-01-05', beleg = '{}' where id <> ${ANGEBOT_ENTWURF_A};
    update app.rechnung set zustand = 'ausgestellt', nummer = 'RE-2026-000' || id - 1, folge = id - 1, ausgestellt_am = '2026-01-05', faellig = '2026-01-19', beleg = '{}' where id <> ${ENTWURF_A};
    insert into app.dokument (id, client_id, rechnung_id, art, dateiname, inhalt, sha256) values
      (1, ${w.A}, ${RECHNUNG_A}, 'pdf', 'a.pdf', 'a', encode(sha256('a'), 'hex')), (2, ${w.B}, ${RECHNUNG_B}, 'pdf', 'b.pdf', 'b', encode(sha256('b'), 'hex'));
    insert into app.protokoll (nr, zeit, gegenstand, gegenstand_id, client_id, ereignis, vorher, hash) values (1, '2026-01-05', 'rechnung', ${RECHNUNG_A}, ${w.A}, 'ausgestellt', '${HASH}', '${'1'.repeat(64)}');
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 1000) from unnest('{angebot,rechnung,position,dokument}'::text[]) name;`,
  relations: {
    lieferant: [
      { what: 'read', call: one('select * from app.lieferant'), may: BUCH },
      ...closed('app.lieferant', `(name, strasse, plz, ort) values ('x', 'x', '1', 'x')`, `name = 'x'`),
    ],
    nummernkreis: [
      { what: 'read', call: one('select * from app.nummernkreis'), may: BUCH },
      ...closed('app.nummernkreis', `(art, muster) values ('rechnung', '{N}')`, `naechste = 1`),
    ],
    kunde_rechnung: [
      ...own('kunde_rechnung', 'client_id', w.A, w.B, BUCH),
      ...closed('app.kunde_rechnung', `(client_id) values (${w.A})`, `debitor = '1'`),
    ],
    angebot: [
      ...own('angebot', 'id', ANGEBOT_A, ANGEBOT_B, BUCH),
      ...closed('app.angebot', `(client_id, an_datum, ust_satz) values (${w.A}, '2026-01-05', 19)`, `bearbeiter = 'x'`),
    ],
    rechnung: [
      ...own('rechnung', 'id', RECHNUNG_A, RECHNUNG_B, BUCH),
      ...closed('app.rechnung', `(client_id, rn_datum, ust_satz) values (${w.A}, '2026-01-05', 19)`, `bearbeiter = 'x'`),
    ],
    position: [
      ...own('position', 'id', POSITION_ENTWURF, POSITION_RECHNUNG, BUCH),
      ...closed('app.position', `(client_id, rechnung_id, lfd_nr) values (${w.A}, ${ENTWURF_A}, 2)`, `bez = 'x'`),
    ],
    dokument: [
      ...own('dokument', 'id', 1, 2, OWN),
      { what: 'read the bytes', call: one('select inhalt from app.dokument'), may: '' },
      ...closed(
        'app.dokument',
        `(client_id, angebot_id, art, dateiname, inhalt, sha256) values (${w.A}, ${ANGEBOT_A}, 'pdf', 'x', 'x', 'x')`,
        `dateiname = 'x'`,
      ),
    ],
    protokoll: [
      { what: 'read', call: one('select * from app.protokoll'), may: BUCH },
      ...closed(
        'app.protokoll',
        `(nr, zeit, gegenstand, ereignis, vorher, hash) values (2, now(), 'rechnung', 'neu', '${HASH}', '${HASH}')`,
        `ereignis = 'neu'`,
      ),
    ],
  },
}
