// Received invoices and their senders.
import { addDays } from '#domain/day.ts'
import { targetDayFrom } from '#domain/sepa/target-day.ts'
import { closed, one } from '../attempt.ts'
import type { NounCells } from './cells.ts'

const BOOK = 'apus_admin admin'
const READS = `${BOOK} pruefer`

/** New, approved, paid; the first one is of nobody known. */
export const [EINGANG, EINGANG_OK, EINGANG_PAID] = [71, 72, 73]
export const KREDITOR = 71
/** The payment that settled the paid one; a file for the bank with one line, which pays the fourth. */
export const [EINGANG_ZAHLUNG, ZAHLLAUF, EINGANG_RUN] = [71, 71, 74]

/** A batch for DATEV that has the approved one. */
export const BATCH = `select min(nr) from app.protokoll where gegenstand = 'datev' and inhalt ? 'eingang'`

const AMOUNTS = 'datum, netto, steuer, brutto, zahlbetrag'
const VALUES = `'2026-02-01', 100, 19, 119, 119`

export const EINGANG_CELLS: NounCells = {
  personal: ['eingang', 'kreditor', 'eingang_zahlung', 'zahllauf', 'zahlposten'],
  tables: [
    'eingang SELECT(id,dateiname,sha256,groesse,format,profil,geprueft,gelesen,befunde,kreditor_id,name,ust_id,' +
      'iban,nummer,datum,faellig,netto,steuer,brutto,zahlbetrag,aus_datei,konto,zustand,eingegangen_am,' +
      'entschieden_am,bemerkung,bezahlt_am,suchtext,version,geaendert_am,bezahlt,vorsteuer,vorsteuer_betrag,' +
      'vorsteuer_satz,leistung,erhalten)',
    'eingang_liste SELECT',
    'kreditor SELECT',
    'eingang_zahlung SELECT',
    'zahllauf SELECT',
    'zahlposten SELECT',
  ],
  definers: [
    'app.a_decide_eingang',
    'app.a_save_eingang',
    'app.a_save_kreditor',
    'app.a_add_eingang_zahlung',
    'app.a_revoke_eingang_zahlung',
    'app.a_add_zahllauf',
    'app.a_revoke_zahllauf',
    'app.a_set_zahllauf_datei',
    'books.check_eingang_zahlung_frozen',
    'books.check_zahllauf_frozen',
    'books.add_eingang',
    'books.eingang_recipient',
    'app.a_add_datev_belege',
  ],
  world: `
    insert into app.kreditor (id, name, ust_id, iban)
      values (${KREDITOR}, 'Baumschule Ost', 'DE136695976', 'DE75512108001245126199');
    insert into app.eingang (id, dateiname, inhalt, format, geprueft, name, nummer, ${AMOUNTS})
      values (${EINGANG}, 'neu.pdf', 'neu', 'pdf', 'Forstkontor 1', 'Harvester GmbH', 'E-1', ${VALUES});
    insert into app.eingang (id, dateiname, inhalt, format, geprueft, kreditor_id, name, nummer, ${AMOUNTS},
      faellig, zustand, entschieden_am, bezahlt_am, bezahlt, erhalten)
      values (${EINGANG_OK}, 'gut.xml', 'gut', 'cii', 'Forstkontor 1', ${KREDITOR}, 'Baumschule Ost', 'E-2',
          ${VALUES}, '2026-03-01', 'freigegeben', '2026-02-02', null, 0, '2026-02-02'),
        (${EINGANG_PAID}, 'alt.xml', 'alt', 'ubl', 'Forstkontor 1', ${KREDITOR}, 'Baumschule Ost', 'E-3',
          ${VALUES}, '2026-03-01', 'bezahlt', '2026-02-02', '2026-02-20', 119, '2026-02-02'),
        (${EINGANG_RUN}, 'lauf.xml', 'lauf', 'ubl', 'Forstkontor 1', ${KREDITOR}, 'Baumschule Ost', 'E-4',
          ${VALUES}, '2026-03-01', 'freigegeben', '2026-02-02', null, 0, '2026-02-02');
    insert into app.eingang_zahlung (id, eingang_id, datum, betrag)
      values (${EINGANG_ZAHLUNG}, ${EINGANG_PAID}, '2026-02-20', 119);
    insert into app.zahllauf (id, tag, name, iban, bic, anzahl, summe)
      values (${ZAHLLAUF}, '2026-03-02', 'Forstkontor', 'DE89370400440532013000', '', 1, 119);
    insert into app.zahlposten (id, lauf_id, eingang_id, nummer, datum, betrag, name, iban)
      values (71, ${ZAHLLAUF}, ${EINGANG_RUN}, 'E-4', '2026-02-01', 119, 'Baumschule Ost',
        'DE75512108001245126199');
    do $$ declare entry app.protokoll; last app.protokoll; begin
      select p.* into last from app.protokoll p order by p.nr desc limit 1;
      entry := row(last.nr + 1, '2026-02-03', 'System', null, 'datev', null, null, 'exportiert',
        '{"eingang": [${EINGANG_OK}]}'::jsonb, last.hash, last.hash);
      entry.hash := books.entry_hash(entry);
      insert into app.protokoll select entry.*;
    end $$;
    select setval(pg_get_serial_sequence('app.' || name, 'id'), 1000)
      from unnest('{kreditor,eingang,eingang_zahlung,zahllauf,zahlposten}'::text[]) name;`,
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
    eingang_zahlung: [
      { what: 'read', call: one('select * from app.eingang_zahlung'), may: READS },
      ...closed(
        'app.eingang_zahlung',
        `(eingang_id, datum, betrag) values (${EINGANG_OK}, '2026-02-20', 1)`,
        'betrag = 1',
      ),
    ],
    zahllauf: [
      { what: 'read', call: one('select * from app.zahllauf'), may: READS },
      ...closed(
        'app.zahllauf',
        `(tag, name, iban, bic, anzahl, summe) values ('2026-03-02', 'x', 'x', '', 1, 1)`,
        `grund = 'x'`,
      ),
    ],
    zahlposten: [
      { what: 'read', call: one('select * from app.zahlposten'), may: READS },
      ...closed(
        'app.zahlposten',
        `(lauf_id, eingang_id, nummer, datum, betrag, name, iban)
          values (${ZAHLLAUF}, ${EINGANG_OK}, 'x', '2026-02-01', 1, 'x', 'DE75512108001245126199')`,
        `nummer = 'x'`,
      ),
    ],
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
    a_add_eingang_zahlung: [
      {
        what: 'a part',
        call: one(`select app.a_add_eingang_zahlung($1, '2026-02-03', 19)`, EINGANG_OK),
        may: BOOK,
      },
      { what: 'nobody’s', call: one(`select app.a_add_eingang_zahlung(999, '2026-02-03', 1)`), may: '' },
    ],
    a_revoke_eingang_zahlung: [
      {
        what: 'one',
        call: one(`select app.a_revoke_eingang_zahlung($1, 'Irrtum')`, EINGANG_ZAHLUNG),
        may: BOOK,
      },
      { what: 'nobody’s', call: one(`select app.a_revoke_eingang_zahlung(999, 'Irrtum')`), may: '' },
    ],
    a_get_eingang_zahlungen: [
      {
        what: 'of one',
        call: one('select * from app.a_get_eingang_zahlungen($1)', EINGANG_PAID),
        may: READS,
      },
    ],
    a_get_bank_eingang: [{ what: 'all', call: one('select * from app.a_get_bank_eingang()'), may: READS }],
    a_get_zahlbare: [{ what: 'all', call: one('select * from app.a_get_zahlbare()'), may: READS }],
    a_add_zahllauf: [
      {
        what: 'one',
        call: one(
          `select app.a_add_zahllauf(jsonb_build_array(jsonb_build_object('eingang_id', $1::bigint, 'betrag', '119',
            'iban', 'DE75512108001245126199')), $2)`,
          EINGANG_OK,
          // In two days, whatever the time zone.
          targetDayFrom(addDays(new Date().toISOString().slice(0, 10), 2)),
        ),
        may: BOOK,
      },
    ],
    a_set_zahllauf_datei: [
      {
        what: 'one',
        call: one(`select app.a_set_zahllauf_datei($1, repeat('a', 64))`, ZAHLLAUF),
        may: BOOK,
      },
      { what: 'nobody’s', call: one(`select app.a_set_zahllauf_datei(999, repeat('a', 64))`), may: '' },
    ],
    a_revoke_zahllauf: [
      { what: 'one', call: one(`select app.a_revoke_zahllauf($1, 'Irrtum')`, ZAHLLAUF), may: BOOK },
      { what: 'nobody’s', call: one(`select app.a_revoke_zahllauf(999, 'Irrtum')`), may: '' },
    ],
    a_get_datev_eingang: [
      {
        what: 'a year',
        call: one(`select * from app.a_get_datev_eingang('2026-01-01', '2026-12-31')`),
        may: READS,
      },
    ],
    a_get_datev_belege: [
      { what: 'a batch', call: one(`select * from app.a_get_datev_belege((${BATCH}))`), may: READS },
    ],
    a_add_datev_belege: [
      { what: 'a batch', call: one(`select app.a_add_datev_belege((${BATCH}))`), may: READS },
      { what: 'nobody’s', call: one('select app.a_add_datev_belege(999999)'), may: '' },
    ],
    a_get_vorsteuer: [
      {
        what: 'of a month',
        call: one(`select * from app.a_get_vorsteuer('2026-02-01', '2026-02-28')`),
        may: READS,
      },
    ],
    a_get_zahllaeufe: [{ what: 'all', call: one('select * from app.a_get_zahllaeufe()'), may: READS }],
  },
}
