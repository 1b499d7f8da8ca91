// Books of many years: issued invoices with three lines, a payment and an entry of the log each, and stored files.
// One in fifty is not paid, one in 400 cancelled; every tenth bills an offer, one in fifty of these in part.

const BELEG = `jsonb_build_object('nummer', 'RE-' || r.id, 'datum', r.rn_datum::text,
  'empfaenger', jsonb_build_object('client_id', r.client_id::text, 'name', 'Kunde'),
  'summen', jsonb_build_object('netto', 300.00, 'steuer', 57.00, 'brutto', 357.00, 'zahlbetrag', 357.00))`

/** The log of the issues, each entry with the hash of the one before. */
const LOG = `do $$ declare entry app.protokoll; davor text := repeat('0', 64); issued record; begin
    for issued in select 'rechnung' as art, r.id, r.client_id, r.beleg from app.rechnung r
      union all select 'angebot', a.id, a.client_id, a.beleg from app.angebot a order by 1, 2 loop
      entry := row(coalesce(entry.nr, 0) + 1, '2026-01-05', 'System', null, issued.art, issued.id,
        issued.client_id, 'ausgestellt', jsonb_build_object('sha256', encode(sha256(convert_to(
        issued.beleg::text, 'UTF8')), 'hex')), davor, davor);
      entry.hash := books.entry_hash(entry);
      davor := entry.hash;
      insert into app.protokoll select entry.*;
    end loop;
  end $$;`

/** @param invoices of 1,000 customers that are there already */
export const booksSql = (invoices: number): string => `begin; set local role forst_betrieb;
  insert into app.lieferant (name, strasse, plz, ort, steuernummer, iban) values ('Vermessung Probe GmbH',
    'Lindenweg 3', '17033', 'Neubrandenburg', '072/123/45678', 'DE02120300000000202051');
  insert into app.rechnung (id, client_id, le_date, rn_datum, ust_satz, netto, steuer, brutto, zahlbetrag)
    select i, 1 + i % 1000, day, day, 19, 300, 57, 357, 357
    from generate_series(1, ${invoices}) i, lateral (select current_date - 2499 + i % 2500 as day) d;
  insert into app.angebot (id, client_id, an_datum, ust_satz, netto, steuer, brutto)
    select r.id / 10, r.client_id, r.rn_datum, 19, 300, 57, 357 from app.rechnung r where r.id % 10 = 0;
  insert into app.position (id, client_id, angebot_id, lfd_nr, bez, anzahl, einheit, ep)
    select a.id, a.client_id, a.id, 1, 'Vermessung eines Grabens mit Aufmaß und Skizze', 2, 'Stunde', 50
    from app.angebot a;
  select setval(pg_get_serial_sequence('app.position', 'id'), ${invoices});
  update app.angebot a set status = 'versendet', nummer = 'AN-' || id, ausgestellt_am = an_datum,
    beleg = ${BELEG.replaceAll('r.', 'a.').replace("'RE-'", "'AN-'").replace('rn_datum', 'an_datum')}
      || '{"gueltig_bis": "2199-01-01"}';
  update app.angebot a set status = 'angenommen', entschieden_am = an_datum, entschieden_von = 'Kunde',
    entschieden_als = 'intern' where id % 20 <> 0;
  insert into app.position (client_id, rechnung_id, lfd_nr, bez, anzahl, einheit, ep, angebot_position_id)
    select r.client_id, r.id, n, 'Vermessung eines Grabens mit Aufmaß und Skizze',
      case when n = 1 and r.id % 500 = 10 then 1 else 2 end, 'Stunde', 50,
      case when n = 1 and r.id % 10 = 0 and r.id % 200 <> 0 then r.id / 10 end
    from app.rechnung r, generate_series(1, 3) n;
  update app.rechnung r set zustand = 'ausgestellt', nummer = 'RE-' || id, folge = id,
    ausgestellt_am = rn_datum, ausgestellt_von = 'Anna Ahorn', faellig = rn_datum + 14, beleg = ${BELEG};
  insert into app.zahlung (rechnung_id, client_id, datum, betrag, art)
    select r.id, r.client_id, least(r.rn_datum + 10, current_date), 357, 'zahlung' from app.rechnung r
    where r.id % 50 <> 7;
  insert into app.rechnung (id, client_id, le_date, rn_datum, ust_satz, netto, steuer, brutto, zahlbetrag, art,
    zustand, storno_von, nummer, folge, ausgestellt_am, ausgestellt_von, faellig, beleg)
    select r.id + ${invoices}, client_id, le_date, rn_datum, ust_satz, -netto, -steuer, -brutto, -zahlbetrag,
      'storno', zustand, id, 'ST-' || id, folge + ${invoices}, ausgestellt_am, ausgestellt_von, faellig,
      ${BELEG.replace("'RE-'", "'ST-'").replaceAll(/(\d+\.00)/g, '-$1')}
    from app.rechnung r where r.id % 400 = 9;
  insert into app.mahnung (client_id, rechnung_id, stufe, datum, faellig, beleg)
    select r.client_id, r.id, 1, r.rn_datum + 20, r.rn_datum + 30, '{}' from app.rechnung r where r.id % 100 = 7;
  insert into app.prognose (datum, betrag, art) select current_date + i, 1000, 'Ausgabe' from generate_series(1, 60) i;
  ${LOG}
  commit;
  analyze`

/** Files whose bytes do not compress, as those of a PDF. */
export const filesSql = (files: number, bytes: number): string => `begin; set local role forst_betrieb;
  insert into app.dokument (client_id, rechnung_id, art, dateiname, inhalt, sha256)
    select r.client_id, r.id, 'pdf', r.nummer || '.pdf', f.inhalt, encode(sha256(f.inhalt), 'hex')
    from app.rechnung r cross join lateral (
      select string_agg(sha256(convert_to(r.id || ' ' || n, 'UTF8')), ''::bytea) as inhalt
      from generate_series(1, ${Math.ceil(bytes / 32)}) n
    ) f where r.id <= ${files};
  commit;
  analyze app.dokument`

/** Changes this many invoices as a procedure does: each gets an entry. */
export const changesSql = (records: number): string => `begin; set local role forst_definer;
  update app.rechnung set archiviert = not archiviert where id <= ${records};
  commit`
