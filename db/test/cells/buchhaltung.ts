// Invoices, offers, positions, their number ranges, the supplier, documents and the audit chain.
import { sql, one, closed } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const BOOK = 'apus_admin admin'
/** What is issued is read by auditors as well. */
const READS = `${BOOK} pruefer`
const OWN = `${READS} kundenadmin appuser_admin`

/** Invoices and offers of customers A and B: drafts, issued ones and an accepted offer. */
export const [DRAFT_A, RECHNUNG_A, RECHNUNG_B] = [1, 2, 3]
export const [ANGEBOT_DRAFT_A, ANGEBOT_A, ANGEBOT_B, ACCEPTED_ANGEBOT] = [1, 2, 3, 4]
export const [DRAFT_POSITION, POSITION_RECHNUNG, POSITION_ANGEBOT] = [1, 2, 3]

const own = (table: string, key: string, mine: number, foreign: number, may: string) => [
  { what: 'read own', call: one(`select ${key} from app.${table} where ${key} = $1`, mine), may },
  {
    what: 'read foreign',
    call: one(`select ${key} from app.${table} where ${key} = $1`, foreign),
    may: READS,
  },
]
const OGF_INIT = w.numberOf('ogf_init')
const PRUEFER = w.numberOf('pruefer')
const HASH = '0'.repeat(64)
const BELEG = `'{"datum": "2026-01-05", "positionen": [], "summen": {
  "positionen": "0.00", "rabatt": "0.00", "netto": "0.00", "steuer": "0.00", "brutto": "0.00",
  "anzahlung": "0.00", "zahlbetrag": "0.00", "steuern": []}}'::jsonb`

/** What can be corrected. */
const LINE = `'{"lieferant": {"kleinunternehmer": false}, "rabatt_prozent": "0.00", "positionen": [
  {"id": "${POSITION_RECHNUNG}", "nr": "1", "art": "position", "bez": "Vermessung", "anzahl": "1", "einheit": "",
  "ep": "10.00", "rabatt_prozent": "0.00", "ust_satz": "19.00", "kategorie": "S", "steuergrund": "", "le_date": null,
  "le_date_bis": null, "betrag": "10.00"}]}'::jsonb`
const CORRECTION = `'[{"position_id": "${POSITION_RECHNUNG}", "betrag": "1.00"}]', 'Grund'`

const call =
  (text: string, ...values: unknown[]) =>
  () =>
    sql(`select * from app.${text}`, ...values)
/** For either customer: apus_admin sees all books, everyone else none. */
const both = (
  cell: (id: number) => () => ReturnType<typeof sql>,
  mine: number,
  foreign: number,
  may: string = BOOK,
) => [
  { what: 'own', call: cell(mine), may },
  { what: 'foreign', call: cell(foreign), may },
]
const drafts = (cell: (id: number) => () => ReturnType<typeof sql>, mine: number) => [
  { what: 'a draft', call: cell(mine), may: BOOK },
  { what: 'nobody’s', call: cell(999), may: '' },
]

/** The line of the accepted offer has no price, so a share of it would be nothing. */
const ADVANCE = `a_add_abschlag($1, null, '[{"kategorie": "S", "satz": "19.00", "netto": "10.00"}]', mehr => true)`

export const BUCHHALTUNG: NounCells = {
  personal: ['buchpruefung', 'lieferant', 'nummernkreis', 'siegel', 'siegel_form'],
  tables: [
    'angebot SELECT',
    'angebot_liste SELECT',
    'buchpruefung SELECT',
    'dokument SELECT(id,client_id,rechnung_id,angebot_id,mahnung_id,art,dateiname,sha256,groesse,regelwerk,erzeugt_am)',
    'kunde_rechnung SELECT',
    'lieferant SELECT',
    'nummernkreis SELECT',
    'position SELECT',
    'protokoll SELECT',
    'rechnung SELECT',
    'rechnung_liste SELECT',
    'siegel SELECT',
    'siegel_form SELECT',
  ],
  world: `
    insert into app.lieferant (name, strasse, plz, ort, steuernummer, iban) values ('Vermessung Probe GmbH',
      'Lindenweg 3', '17033', 'Neubrandenburg', '072/123/45678', 'DE02120300000000202051');
    insert into app.nummernkreis (art, muster, jahr, naechste)
      values ('rechnung', 'RE-{JJJJ}-{NNNN}', 2026, 3), ('angebot', 'AN-{JJJJ}-{NNNN}', 2026, 4);
    insert into app.kunde_rechnung (client_id) values (${w.A}), (${w.B});
    insert into app.angebot (id, client_id, an_datum, ust_satz) values
      (${ANGEBOT_DRAFT_A}, ${w.A}, '2026-01-05', 19), (${ANGEBOT_A}, ${w.A}, '2026-01-05', 19),
      (${ANGEBOT_B}, ${w.B}, '2026-01-05', 19), (${ACCEPTED_ANGEBOT}, ${w.A}, '2026-01-05', 19);
    insert into app.rechnung (id, client_id, le_date, rn_datum, ust_satz) values
      (${DRAFT_A}, ${w.A}, '2026-01-05', '2026-01-05', 19), (${RECHNUNG_A}, ${w.A}, '2026-01-05', '2026-01-05', 19),
      (${RECHNUNG_B}, ${w.B}, '2026-01-05', '2026-01-05', 19);
    insert into app.position (id, client_id, rechnung_id, angebot_id, lfd_nr, bez)
      values (${DRAFT_POSITION}, ${w.A}, ${DRAFT_A}, null, 1, 'Vermessung'),
      (4, ${w.A}, null, ${ANGEBOT_DRAFT_A}, 1, 'Vermessung'), (5, ${w.A}, null, ${ACCEPTED_ANGEBOT}, 1, 'Vermessung'),
      (${POSITION_RECHNUNG}, ${w.B}, ${RECHNUNG_B}, null, 1, 'Vermessung'),
      (${POSITION_ANGEBOT}, ${w.A}, null, ${ANGEBOT_A}, 1, 'Vermessung');
    insert into app.anlage (id, client_id, rechnung_id, name, dateiname, mime, inhalt) values
      (1, ${w.A}, ${DRAFT_A}, 'Plan', 'plan.pdf', 'application/pdf', 'd'),
      (2, ${w.A}, ${RECHNUNG_A}, 'Lieferschein', 'schein.pdf', 'application/pdf', 'a'),
      (3, ${w.B}, ${RECHNUNG_B}, 'Lieferschein', 'schein.pdf', 'application/pdf', 'b');
    update app.angebot a set status = 'versendet', nummer = 'AN-2026-000' || id - 1,
      ausgestellt_am = '2026-01-05', beleg = ${BELEG}
      || jsonb_build_object('nummer', 'AN-2026-000' || id - 1, 'gueltig_bis', '2199-01-01', 'empfaenger',
        jsonb_build_object('client_id', client_id::text)) where id <> ${ANGEBOT_DRAFT_A};
    update app.angebot set status = 'angenommen', entschieden_am = '2026-01-06', entschieden_von = 'x',
      entschieden_als = 'intern' where id = ${ACCEPTED_ANGEBOT};
    update app.rechnung set zustand = 'ausgestellt', nummer = 'RE-2026-000' || id - 1, folge = id - 1,
      ausgestellt_am = '2026-01-05', faellig = '2026-01-19', beleg = ${BELEG}
      || jsonb_build_object('nummer', 'RE-2026-000' || id - 1, 'empfaenger',
        jsonb_build_object('client_id', client_id::text))
      || case id when ${RECHNUNG_B} then ${LINE} else '{}' end where id <> ${DRAFT_A};
    do $$ declare entry app.protokoll; davor text := repeat('0', 64); belege record; begin
      for belege in select *
        from (select 'rechnung' as art, id, client_id, beleg from app.rechnung where beleg is not null
        union all select 'angebot', id, client_id, beleg from app.angebot where beleg is not null) b loop
        entry := row(coalesce(entry.nr, 0) + 1, '2026-01-05', 'System', null, belege.art,
          belege.id, belege.client_id, 'ausgestellt', jsonb_build_object('sha256',
          encode(sha256(convert_to(belege.beleg::text, 'UTF8')), 'hex')), davor, davor);
        entry.hash := books.entry_hash(entry);
        davor := entry.hash;
        insert into app.protokoll select entry.*;
      end loop;
    end $$;
    insert into app.dokument (id, client_id, rechnung_id, art, dateiname, inhalt, sha256) values
      (1, ${w.A}, ${RECHNUNG_A}, 'pdf', 'a.pdf', 'a', encode(sha256('a'), 'hex')),
      (2, ${w.B}, ${RECHNUNG_B}, 'pdf', 'b.pdf', 'b', encode(sha256('b'), 'hex'));
    insert into app.buchpruefung (art, bis, anzahl, dauer_ms, ok) values ('dateien', 0, 0, 0, true);
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 1000)
      from unnest('{angebot,rechnung,position,dokument,anlage}'::text[]) name;`,
  definers: [
    ...`a_add_abschlag a_add_schluss a_add_korrektur a_save_korrektur
    a_add_invoice a_add_offer a_cancel_invoice a_check_dateien a_check_protokoll a_convert_offer a_copy_invoice
    a_decide_offer a_delete_invoice a_delete_offer a_delete_position a_get_beleg a_get_invoice_positions
    a_get_buch_kunden a_get_offer_positions a_get_siegel_koepfe a_get_siegel_saetze a_insert_position
    a_issue_invoice a_issue_offer a_reorder_positions
    a_revise_offer a_save_beleg a_save_positions a_set_archive_for_an a_set_archive_for_rn
    a_set_client_for_invoice a_set_client_for_offer a_set_invoice_terms a_set_kunde_rechnung
    a_set_lieferant a_set_nummernkreis a_set_offer_terms a_set_pruefer a_update_invoice_details a_update_offer_details
    a_update_position`
      .split(/\s+/)
      .map((name) => `app.${name}`),
    'accounts.check_auditor_alone',
    'books.begin_chain',
    'books.chain_head',
    'books.check_document_frozen',
    'books.check_files',
    'books.check_position_frozen',
    'books.heads_of',
    'books.keep_files_proof',
    'books.keep_head_proof',
    'books.keep_next_of_serie',
    'books.keep_serie_next',
    'books.letterhead',
    'books.lock_first',
    'books.prove_journal',
    'books.seal_missing',
    'books.seal_row',
    'books.record_refusal',
    'notices.notify_books',
  ],
  relations: {
    rechnung_liste: own('rechnung_liste', 'id', RECHNUNG_A, RECHNUNG_B, READS),
    angebot_liste: own('angebot_liste', 'id', ANGEBOT_A, ANGEBOT_B, READS),
    lieferant: [
      { what: 'read', call: one('select * from app.lieferant'), may: READS },
      ...closed('app.lieferant', `(name, strasse, plz, ort) values ('x', 'x', '1', 'x')`, `name = 'x'`),
    ],
    nummernkreis: [
      { what: 'read', call: one('select * from app.nummernkreis'), may: READS },
      ...closed('app.nummernkreis', `(art, muster) values ('rechnung', '{N}')`, `naechste = 1`),
    ],
    kunde_rechnung: [
      ...own('kunde_rechnung', 'client_id', w.A, w.B, READS),
      ...closed('app.kunde_rechnung', `(client_id) values (${w.A})`, `debitor = '1'`),
    ],
    angebot: [
      ...own('angebot', 'id', ANGEBOT_A, ANGEBOT_B, READS),
      {
        what: 'read a draft',
        call: one('select id from app.angebot where id = $1', ANGEBOT_DRAFT_A),
        may: BOOK,
      },
      ...closed(
        'app.angebot',
        `(client_id, an_datum, ust_satz) values (${w.A}, '2026-01-05', 19)`,
        `bearbeiter = 'x'`,
      ),
    ],
    rechnung: [
      ...own('rechnung', 'id', RECHNUNG_A, RECHNUNG_B, READS),
      { what: 'read a draft', call: one('select id from app.rechnung where id = $1', DRAFT_A), may: BOOK },
      ...closed(
        'app.rechnung',
        `(client_id, rn_datum, ust_satz) values (${w.A}, '2026-01-05', 19)`,
        `bearbeiter = 'x'`,
      ),
    ],
    position: [
      ...own('position', 'id', DRAFT_POSITION, POSITION_RECHNUNG, BOOK),
      ...closed(
        'app.position',
        `(client_id, rechnung_id, lfd_nr) values (${w.A}, ${DRAFT_A}, 2)`,
        `bez = 'x'`,
      ),
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
      { what: 'read', call: one('select * from app.protokoll'), may: READS },
      ...closed(
        'app.protokoll',
        `(nr, zeit, gegenstand, ereignis, vorher, hash) values (99, now(), 'rechnung', 'neu', '${HASH}', '${HASH}')`,
        `ereignis = 'neu'`,
      ),
    ],
    siegel: [
      { what: 'read', call: one('select * from app.siegel'), may: READS },
      ...closed(
        'app.siegel',
        `(nr, zeit, tabelle, schluessel, art, durch, form, felder, pruefsumme, hash)
          values (999999, now(), 'rechnung', '1', 'neu', 'nutzer', 1, '', '\\x${HASH}', '\\x${HASH}')`,
        `durch = 'nutzer'`,
      ),
    ],
    siegel_form: [
      { what: 'read', call: one('select * from app.siegel_form'), may: READS },
      ...closed(
        'app.siegel_form',
        `(form, tabelle, spalten) values (999, 'rechnung', '{}')`,
        `spalten = '{}'`,
      ),
    ],
    buchpruefung: [
      { what: 'read', call: one('select * from app.buchpruefung'), may: READS },
      ...closed(
        'app.buchpruefung',
        `(art, bis, anzahl, dauer_ms, ok) values ('alles', 0, 0, 0, true)`,
        'ok = true',
      ),
    ],
  },
  procedures: {
    a_get_invoices: [
      { what: 'all', call: call('a_get_invoices()'), finds: (row) => row['id'] === RECHNUNG_B, may: READS },
    ],
    a_get_offers: [
      { what: 'all', call: call('a_get_offers()'), finds: (row) => row['id'] === ANGEBOT_B, may: READS },
    ],
    a_get_invoice_details: both((id) => call('a_get_invoice_details($1)', id), RECHNUNG_A, RECHNUNG_B, READS),
    a_get_offer_details: both((id) => call('a_get_offer_details($1)', id), ANGEBOT_A, ANGEBOT_B, READS),
    a_get_invoice_positions: [
      { what: 'of a draft', call: call('a_get_invoice_positions($1)', DRAFT_A), may: BOOK },
      { what: 'of an invoice', call: call('a_get_invoice_positions($1)', RECHNUNG_B), may: READS },
    ],
    a_get_offer_positions: [
      { what: 'of a draft', call: call('a_get_offer_positions($1)', ANGEBOT_DRAFT_A), may: BOOK },
      { what: 'of an offer', call: call('a_get_offer_positions($1)', ANGEBOT_A), may: READS },
    ],
    a_get_offer_rest: [{ what: 'own', call: call('a_get_offer_rest($1)', ANGEBOT_A), may: READS }],
    a_get_beleg: [
      ...both((id) => call(`a_get_beleg('rechnung', $1)`, id), RECHNUNG_A, RECHNUNG_B, READS),
      { what: 'a draft', call: call(`a_get_beleg('rechnung', $1)`, DRAFT_A), may: BOOK },
      { what: 'an offer', call: call(`a_get_beleg('angebot', $1)`, ANGEBOT_A), may: READS },
      { what: 'a draft of an offer', call: call(`a_get_beleg('angebot', $1)`, ANGEBOT_DRAFT_A), may: BOOK },
    ],
    a_get_min_rn_datum_for_new_invoice: [
      { what: 'now', call: call('a_get_min_rn_datum_for_new_invoice()'), may: BOOK },
    ],
    a_get_minmax_rn_datum: [
      { what: 'of a day', call: call(`a_get_minmax_rn_datum('2026-02-01')`), may: BOOK },
    ],
    a_get_min_an_datum_for_new_offer: [
      { what: 'now', call: call('a_get_min_an_datum_for_new_offer()'), may: BOOK },
    ],
    a_get_minmax_an_datum: [
      { what: 'of a day', call: call(`a_get_minmax_an_datum('2026-02-01')`), may: BOOK },
    ],
    a_get_nummernkreise: [{ what: 'all', call: call('a_get_nummernkreise()'), may: READS }],
    a_get_protokoll: [{ what: 'all', call: call('a_get_protokoll()'), may: READS }],
    a_check_protokoll: [
      { what: 'all', call: call('a_check_protokoll()'), may: READS },
      { what: 'what is new', call: call('a_check_protokoll(true)'), may: READS },
    ],
    a_get_siegel_koepfe: [{ what: 'of some', call: call(`a_get_siegel_koepfe('{1,2}')`), may: READS }],
    a_get_siegel_saetze: [
      { what: 'an invoice', call: call(`a_get_siegel_saetze('rechnung', '{${RECHNUNG_B}}')`), may: READS },
    ],
    a_check_dateien: [{ what: 'all', call: call('a_check_dateien()'), may: READS }],
    a_get_buch_kunden: [
      {
        what: 'of a year',
        call: call(`a_get_buch_kunden('2026-01-01', '2026-12-31')`),
        finds: (row) => row['client_id'] === w.B,
        may: READS,
      },
    ],
    a_set_pruefer: [
      {
        what: 'a newly registered person',
        call: call('a_set_pruefer($1, current_date + 30)', OGF_INIT),
        may: BOOK,
      },
      { what: 'another day', call: call('a_set_pruefer($1, current_date + 30)', PRUEFER), may: BOOK },
      { what: 'no longer', call: call('a_set_pruefer($1, null)', PRUEFER), may: BOOK },
      {
        what: 'oneself',
        call: (me: number) => sql('select app.a_set_pruefer($1, current_date + 30)', me),
        may: '',
      },
      { what: 'nobody', call: call('a_set_pruefer(999, current_date + 30)'), may: '' },
    ],
    a_add_invoice: both((id) => call(`a_add_invoice($1, '2026-02-01', '2026-01-31', 19)`, id), w.A, w.B),
    a_add_offer: both((id) => call(`a_add_offer($1, '2026-02-01', 19)`, id), w.A, w.B),
    a_update_invoice_details: drafts(
      (id) => call(`a_update_invoice_details('x', null, null, $1, '', '', '', 19)`, id),
      DRAFT_A,
    ),
    a_update_offer_details: drafts(
      (id) => call(`a_update_offer_details('x', null, $1, '', '', '', 19)`, id),
      ANGEBOT_DRAFT_A,
    ),
    a_set_invoice_terms: drafts((id) => call('a_set_invoice_terms($1)', id), DRAFT_A),
    a_set_offer_terms: drafts((id) => call('a_set_offer_terms($1)', id), ANGEBOT_DRAFT_A),
    a_set_client_for_invoice: drafts((id) => call(`a_set_client_for_invoice(${w.A}, $1)`, id), DRAFT_A),
    a_set_client_for_offer: drafts((id) => call(`a_set_client_for_offer(${w.B}, $1)`, id), ANGEBOT_DRAFT_A),
    a_insert_position: drafts((id) => call(`a_insert_position(1, 'x', 'h', 10, null, $1)`, id), DRAFT_A),
    a_update_position: drafts((id) => call(`a_update_position($1, 1, 'x', 'h', 10)`, id), DRAFT_POSITION),
    a_delete_position: drafts((id) => call('a_delete_position($1)', id), DRAFT_POSITION),
    a_reorder_positions: drafts((id) => call(`a_reorder_positions('{${DRAFT_POSITION}}', $1)`, id), DRAFT_A),
    a_save_positions: drafts((id) => call(`a_save_positions('[]', $1)`, id), DRAFT_A),
    a_save_beleg: [
      ...drafts((id) => call(`a_save_beleg('rechnung', $1, '{"bearbeiter": "x"}', '[]')`, id), DRAFT_A),
      ...drafts(
        (id) => call(`a_save_beleg('angebot', $1, '{"bearbeiter": "x"}', '[]')`, id),
        ANGEBOT_DRAFT_A,
      ),
    ],
    a_delete_invoice: drafts((id) => call('a_delete_invoice($1)', id), DRAFT_A),
    a_delete_offer: drafts((id) => call('a_delete_offer($1)', id), ANGEBOT_DRAFT_A),
    a_copy_invoice: both((id) => call('a_copy_invoice($1)', id), RECHNUNG_A, RECHNUNG_B),
    a_issue_invoice: drafts((id) => call('a_issue_invoice($1)', id), DRAFT_A),
    a_issue_offer: drafts((id) => call('a_issue_offer($1)', id), ANGEBOT_DRAFT_A),
    a_cancel_invoice: both((id) => call('a_cancel_invoice($1)', id), RECHNUNG_A, RECHNUNG_B),
    a_revise_offer: both((id) => call('a_revise_offer($1)', id), ANGEBOT_A, ANGEBOT_B),
    a_decide_offer: both((id) => call('a_decide_offer($1, true)', id), ANGEBOT_A, ANGEBOT_B),
    // The world's accepted offer has not been billed yet.
    a_add_abschlag: [
      { what: 'own', call: call(ADVANCE, ACCEPTED_ANGEBOT), may: BOOK },
      { what: 'nobody’s', call: call('a_add_abschlag(999, 10)'), may: '' },
    ],
    a_add_schluss: [
      { what: 'own', call: call('a_add_schluss($1)', ACCEPTED_ANGEBOT), may: BOOK },
      { what: 'nobody’s', call: call('a_add_schluss(999)'), may: '' },
    ],
    a_add_korrektur: [
      { what: 'own', call: call(`a_add_korrektur($1, ${CORRECTION})`, RECHNUNG_B), may: BOOK },
      { what: 'nobody’s', call: call(`a_add_korrektur(999, ${CORRECTION})`), may: '' },
    ],
    a_save_korrektur: [{ what: 'nobody’s', call: call(`a_save_korrektur(999, ${CORRECTION})`), may: '' }],
    a_get_korrektur: [
      { what: 'own', call: call('a_get_korrektur($1)', RECHNUNG_B), may: READS },
      { what: 'a draft', call: call('a_get_korrektur($1)', DRAFT_A), may: '' },
    ],
    a_get_korrektur_zeilen: [
      {
        what: 'own',
        call: () => sql('select count(*) from app.a_get_korrektur_zeilen($1)', RECHNUNG_B),
        may: BOOK,
      },
    ],
    a_convert_offer: [
      { what: 'own', call: call('a_convert_offer($1)', ACCEPTED_ANGEBOT), may: BOOK },
      { what: 'nobody’s', call: call('a_convert_offer(999)'), may: '' },
    ],
    a_set_archive_for_rn: both((id) => call('a_set_archive_for_rn($1, true)', id), RECHNUNG_A, RECHNUNG_B),
    a_set_archive_for_an: both((id) => call('a_set_archive_for_an($1, false)', id), ANGEBOT_A, ANGEBOT_B),
    a_get_buchhaltung: [{ what: 'all', call: call('a_get_buchhaltung(2026)'), may: BOOK }],
    a_get_cashflow: [{ what: 'all', call: call(`a_get_cashflow('2026-01-01', '2026-12-31')`), may: BOOK }],
    a_set_lieferant: [{ what: 'the one', call: call(`a_set_lieferant('{"telefon": "0395 1"}')`), may: BOOK }],
    a_set_kunde_rechnung: both(
      (id) => call(`a_set_kunde_rechnung($1, '{"debitor": "10001"}')`, id),
      w.A,
      w.B,
    ),
    a_set_nummernkreis: [
      { what: 'of invoices', call: call(`a_set_nummernkreis('rechnung', 'R{JJ}-{NNN}', true)`), may: BOOK },
    ],
  },
}
