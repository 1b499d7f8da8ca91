-- For the tax adviser and the auditor: rows of the DATEV batch, a record of every export, and the tables for
-- an audit. For apus_admin; auditors read them (pruefer.sql).

-- As the caller. `debitor` is the customer's own account, else the one shared account, else the first account
-- number plus the customer's number. Tax groups are those of books.tax_parts; `datum` decides their tax
-- period. Advance invoices are booked with their payments alone; a final invoice bills the whole and clears
-- what was received (`anzahlungen`, by rate).
create or replace function app.a_get_datev(von date, bis date)
  returns table (rechnung_id bigint, client_id bigint, kunde text, debitor text, beleg jsonb)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select r.id, r.client_id, coalesce(k.name, r.beleg #>> '{empfaenger,name}'),
      coalesce(
        nullif(b.debitor, ''), nullif(l.datev_debitor_sammel, ''), (l.datev_debitor_von + r.client_id)::text
      ),
      jsonb_build_object(
        'art', r.beleg -> 'art', 'nummer', r.nummer, 'datum', r.rn_datum, 'faellig', r.beleg -> 'faellig',
        'leistungsort', r.beleg -> 'leistungsort',
        'bezug', case
          when r.art = 'korrektur' then jsonb_build_object('nummer', r.beleg #> '{bezug,nummer}')
        end,
        'empfaenger', jsonb_build_object(
          'name', r.beleg #> '{empfaenger,name}', 'ust_id', coalesce(r.beleg #>> '{empfaenger,ust_id}', '')
        ),
        'summen', jsonb_build_object(
          'steuern', (
            select coalesce(jsonb_agg(
              jsonb_build_object(
                'kategorie', p.kategorie, 'satz', p.satz, 'basis', p.basis::text, 'steuer', p.steuer::text,
                'le_date', p.le_date, 'datum', books.taxed_on(r, p.le_date)
              ) order by p.nr, p.le_date
            ), '[]')
            from books.tax_parts(r.beleg) p
          )
        ),
        'anzahlungen', (
          select coalesce(jsonb_agg(
            jsonb_build_object(
              'kategorie', x.kategorie, 'satz', x.satz, 'basis', x.basis::text, 'steuer', x.steuer::text,
              'le_date', d.day, 'datum', books.taxed_on(r, d.day)
            ) order by array_position('{S,E,AE,O}'::text[], x.kategorie), x.satz::numeric desc
          ), '[]')
          from (
            select s ->> 'kategorie' as kategorie, s ->> 'satz' as satz,
              sum((s ->> 'basis')::numeric) as basis, sum((s ->> 'steuer')::numeric) as steuer
            from jsonb_array_elements(r.beleg -> 'abschlaege') a, jsonb_array_elements(a -> 'steuern') s
            group by 1, 2
          ) x
            cross join (select coalesce(max(p.le_date), r.rn_datum) as day from books.tax_parts(r.beleg) p) d
        )
      )
    from app.rechnung r
      left join app.rechnung o on o.id = r.storno_von
      left join app.kunde k on k.client_id = r.client_id
      left join app.kunde_rechnung b on b.client_id = r.client_id
      left join app.lieferant l on true
    where r.zustand = 'ausgestellt'
      and coalesce(o.art, r.art) <> 'abschlag'
      and r.rn_datum between a_get_datev.von and a_get_datev.bis
    order by r.folge;
end $$;
grant execute on function app.a_get_datev(date, date) to nutzer;

create or replace function books.advance_payment(z app.zahlung, steuern jsonb)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  with paid as (
    select coalesce(sum(b.betrag), 0) as before
    from app.zahlung b
    where b.rechnung_id = z.rechnung_id and b.art = 'zahlung' and (b.datum, b.id) < (z.datum, z.id)
  )
  select coalesce(jsonb_agg(
    u || jsonb_build_object(
      'basis', ((u ->> 'basis')::numeric - (v ->> 'basis')::numeric)::text,
      'steuer', ((u ->> 'steuer')::numeric - (v ->> 'steuer')::numeric)::text
    ) order by t.nr
  ), '[]')
  from paid p
    cross join lateral jsonb_array_elements(
      books.received_by_rate(steuern, p.before + z.betrag)
    ) with ordinality as t(u, nr)
    join lateral jsonb_array_elements(
      books.received_by_rate(steuern, p.before)
    ) with ordinality as s(v, nr) on s.nr = t.nr
$$;
grant execute on function books.advance_payment(app.zahlung, jsonb) to nutzer, forst_definer;

-- As the caller. Payments of a period with the tax groups of their invoice, among which a discount is split.
-- `anzahlungen`: what a payment of an advance is by rate, in running totals, so that all of them together are
-- what the final invoice clears.
drop function if exists app.a_get_datev_zahlungen(date, date);
create or replace function app.a_get_datev_zahlungen(von date, bis date)
  returns table (
    zahlung_id bigint, rechnung_id bigint, nummer text, kunde text, debitor text, datum date, betrag text,
    art text, steuern jsonb, anzahlungen jsonb
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select z.id, z.rechnung_id, r.nummer, coalesce(r.beleg #>> '{empfaenger,name}', k.name),
      coalesce(
        nullif(b.debitor, ''), nullif(l.datev_debitor_sammel, ''), (l.datev_debitor_von + r.client_id)::text
      ),
      z.datum, z.betrag::text, z.art, coalesce(r.beleg #> '{summen,steuern}', '[]'),
      case when r.art = 'abschlag' then books.advance_payment(z, r.beleg #> '{summen,steuern}') end
    from app.zahlung z
      join app.rechnung r on r.id = z.rechnung_id
      left join app.kunde k on k.client_id = r.client_id
      left join app.kunde_rechnung b on b.client_id = r.client_id
      left join app.lieferant l on true
    where z.datum between a_get_datev_zahlungen.von and a_get_datev_zahlungen.bis
    order by z.datum, z.id;
end $$;
grant execute on function app.a_get_datev_zahlungen(date, date) to nutzer;

-- As the caller. Drafts dated within a period: they would be part of it if they were issued.
create or replace function app.a_get_datev_entwuerfe(von date, bis date)
  returns table (rechnung_id bigint, kunde text, rn_datum date, brutto text)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select r.id, coalesce(k.name, ''), r.rn_datum, r.brutto::text
    from app.rechnung r left join app.kunde k on k.client_id = r.client_id
    where r.zustand = 'entwurf'
      and r.art <> 'abschlag'
      and r.rn_datum between a_get_datev_entwuerfe.von and a_get_datev_entwuerfe.bis
    order by r.rn_datum, r.id;
end $$;
grant execute on function app.a_get_datev_entwuerfe(date, date) to nutzer;

-- Definer: the audit chain is closed to nutzer. Records an export with the hash of its file, and the
-- documents that it leaves out because the format cannot hold them.
drop function if exists app.a_add_datev_export(date, date, text, text, integer, boolean);
create or replace function app.a_add_datev_export(
  von date, bis date, datei text, sha256 text, zeilen integer, zahlungen boolean default false,
  ausgelassen text[] default '{}'
) returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform checks.check_value(
    von is not null and bis is not null and von <= bis and von >= '2000-01-01' and bis <= '2199-12-31', 'von',
    'zeitraum'
  );
  perform checks.check_value(coalesce(datei ~ '^[A-Za-z0-9._-]{1,100}$', false), 'datei', 'zeile_100');
  perform checks.check_value(coalesce(sha256 ~ '^[0-9a-f]{64}$', false), 'sha256', 'sha256');
  perform checks.check_value(coalesce(zeilen between 1 and 1000000, false), 'zeilen', 'zeilen');
  perform checks.check_value(
    coalesce(cardinality(ausgelassen), 0) <= 1000
      and not exists (select from unnest(ausgelassen) n where n is null or not checks.is_line(n, 60)),
    'ausgelassen', 'zeile_60'
  );
  perform books.lock();
  perform books.record(
    'datev', null, null, 'exportiert',
    jsonb_build_object(
      'von', a_add_datev_export.von, 'bis', a_add_datev_export.bis, 'datei', a_add_datev_export.datei,
      'sha256', a_add_datev_export.sha256, 'zeilen', a_add_datev_export.zeilen,
      'zahlungen', coalesce(a_add_datev_export.zahlungen, false)
    ) || case
      when cardinality(ausgelassen) > 0 then
        jsonb_build_object('ausgelassen', to_jsonb(a_add_datev_export.ausgelassen))
      else '{}'
    end
  );
end $$;
select rights.define('app.a_add_datev_export(date, date, text, text, integer, boolean, text[])');
grant execute on function app.a_add_datev_export(date, date, text, text, integer, boolean, text[]) to nutzer;

-- Definer: as above. Checks the right to export the documents of a period and records the export. An auditor
-- may: the record is no entry of theirs but one about them.
create or replace function app.a_add_pruefung_export(von date, bis date)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  perform checks.check_value(
    von is not null and bis is not null and von <= bis and von >= '2000-01-01' and bis <= '2199-12-31', 'von',
    'zeitraum'
  );
  perform books.lock();
  perform books.record(
    'pruefung', null, null, 'exportiert',
    jsonb_build_object('von', a_add_pruefung_export.von, 'bis', a_add_pruefung_export.bis)
  );
end $$;
select rights.define('app.a_add_pruefung_export(date, date)');
grant execute on function app.a_add_pruefung_export(date, date) to nutzer;
