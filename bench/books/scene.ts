// Books of many years: issued invoices with three lines, a payment and an entry of the log each, and stored files.

const BELEG = `jsonb_build_object('nummer', 'RE-' || r.id, 'datum', r.rn_datum::text,
  'empfaenger', jsonb_build_object('client_id', r.client_id::text, 'name', 'Kunde'),
  'summen', jsonb_build_object('netto', 300.00, 'steuer', 57.00, 'brutto', 357.00, 'zahlbetrag', 357.00))`

/** The log of the issues, each entry with the hash of the one before. */
const LOG = `do $$ declare entry app.protokoll; davor text := repeat('0', 64); issued record; begin
    for issued in select r.id, r.client_id, r.beleg from app.rechnung r order by r.id loop
      entry := row(coalesce(entry.nr, 0) + 1, '2026-01-05', 'System', null, 'rechnung', issued.id,
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
    from generate_series(1, ${invoices}) i, lateral (select '2019-01-01'::date + i % 2500 as day) d;
  insert into app.position (client_id, rechnung_id, lfd_nr, bez, anzahl, einheit, ep)
    select r.client_id, r.id, n, 'Vermessung eines Grabens mit Aufmaß und Skizze', 2, 'Stunde', 50
    from app.rechnung r, generate_series(1, 3) n;
  update app.rechnung r set zustand = 'ausgestellt', nummer = 'RE-' || id, folge = id,
    ausgestellt_am = rn_datum, ausgestellt_von = 'Anna Ahorn', faellig = rn_datum + 14, beleg = ${BELEG};
  insert into app.zahlung (rechnung_id, client_id, datum, betrag, art)
    select r.id, r.client_id, r.rn_datum + 10, 357, 'zahlung' from app.rechnung r;
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
