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
  -- Before the policies are asked for every row.
  if not rights.reads_books() then return; end if;
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

-- As the caller. Approved received invoices of a period (`stand` 'dabei'), those that wait for their decision
-- ('wartet'), and approved ones from before that no batch had although there were batches with received ones
-- ('frueher'): they were approved too late. `steuern` are the file's own groups (BG-23) with unsigned
-- amounts, `ab` the day of the input tax. `exportiert_am`: the last batch that had it.
create or replace function app.a_get_datev_eingang(von date, bis date)
  returns table (
    eingang_id bigint, stand text, nummer text, kreditor text, creditor text, konto text, datum date,
    faellig date, leistung date, ab date, vorsteuer text, satz text, netto text, steuer text, brutto text,
    abzug text, steuern jsonb, sha256 text, groesse integer, exportiert_am timestamptz, geaendert boolean
  ) language plpgsql stable set search_path = pg_catalog as $$
declare small boolean := coalesce((select l.kleinunternehmer from app.lieferant l), false);
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    with batch as materialized (
      select x.id::bigint as id, max(p.zeit) as zeit
      from app.protokoll p, jsonb_array_elements_text(p.inhalt -> 'eingang') x(id)
      where p.gegenstand = 'datev' and p.ereignis = 'exportiert'
      group by 1
    )
    select e.id,
      case
        when e.datum < a_get_datev_eingang.von then 'frueher'
        when e.zustand = 'neu' then 'wartet'
        else 'dabei'
      end,
      e.nummer, coalesce(k.name, e.name), coalesce(k.konto, ''),
      coalesce(nullif(e.konto, ''), k.aufwandskonto, ''), e.datum, e.faellig, d.leistung,
      books.input_tax_day(e.vorsteuer, e.datum, d.leistung, d.erhalten), e.vorsteuer, e.vorsteuer_satz::text,
      e.netto::text, e.steuer::text, e.brutto::text,
      case
        when not small then coalesce(e.vorsteuer_betrag, e.steuer)::text
        when e.vorsteuer in ('inland', 'keine') then '0.00'
      end,
      (
        select jsonb_agg(
          jsonb_build_object(
            'kategorie', g #>> '{terms,BT-118,0}', 'satz', g #>> '{terms,BT-119,0}',
            'basis', g #>> '{terms,BT-116,0}', 'steuer', g #>> '{terms,BT-117,0}'
          ) order by t.nr
        )
        from jsonb_array_elements(e.gelesen #> '{groups,BG-23}') with ordinality as t(g, nr)
      ),
      e.sha256, e.groesse, b.zeit, coalesce(e.entschieden_am > b.zeit, false)
    from app.eingang e
      left join app.kreditor k on k.id = e.kreditor_id
      left join batch b on b.id = e.id
      cross join lateral (
        select coalesce(e.leistung, e.datum) as leistung,
          coalesce(e.erhalten, (e.eingegangen_am at time zone 'Europe/Berlin')::date) as erhalten
      ) d
    where (
        e.datum between a_get_datev_eingang.von and a_get_datev_eingang.bis
        and e.zustand in ('neu', 'freigegeben', 'bezahlt')
      )
      or (
        e.datum between a_get_datev_eingang.von - 731 and a_get_datev_eingang.von - 1
        and e.zustand in ('freigegeben', 'bezahlt')
        and b.id is null
        and exists (select from batch)
      )
    order by e.datum, e.id;
end $$;
grant execute on function app.a_get_datev_eingang(date, date) to nutzer;

-- As the caller. What the pictures of a batch are made of: its received invoices, by the log's number.
-- `sha256` is the digest that the log has of the file as it came in.
create or replace function app.a_get_datev_belege(nr bigint)
  returns table (
    eingang_id bigint, nummer text, kreditor text, datum date, format text, sha256 text, groesse integer,
    zeit timestamptz
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    select e.id, e.nummer, coalesce(k.name, e.name), e.datum, e.format,
      coalesce((
        select min(q.inhalt ->> 'sha256')
        from app.protokoll q
        where q.gegenstand = 'eingang' and q.gegenstand_id = e.id and q.ereignis = 'eingegangen'
      ), e.sha256),
      e.groesse, p.zeit
    from app.protokoll p
      cross join jsonb_array_elements_text(p.inhalt -> 'eingang') x(id)
      join app.eingang e on e.id = x.id::bigint
      left join app.kreditor k on k.id = e.kreditor_id
    where p.nr = a_get_datev_belege.nr and p.gegenstand = 'datev' and p.ereignis = 'exportiert'
    order by e.datum, e.id;
end $$;
grant execute on function app.a_get_datev_belege(bigint) to nutzer;

-- Definer: the audit chain is closed to nutzer. Records that the pictures of a batch were handed out. An
-- auditor may: the record is no entry of theirs but one about them.
create or replace function app.a_add_datev_belege(nr bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare many integer;
begin
  perform rights.refuse_unless(rights.reads_books());
  select jsonb_array_length(p.inhalt -> 'eingang') into many
  from app.protokoll p
  where p.nr = a_add_datev_belege.nr and p.gegenstand = 'datev' and p.ereignis = 'exportiert';
  perform rights.check_found(coalesce(many, 0) > 0);
  perform books.lock();
  perform books.record(
    'datev', null, null, 'belege',
    jsonb_build_object('export', a_add_datev_belege.nr, 'eingangsrechnungen', many)
  );
end $$;
select rights.define('app.a_add_datev_belege(bigint)');
grant execute on function app.a_add_datev_belege(bigint) to nutzer;

-- Definer: the audit chain is closed to nutzer. Records an export with the hash of its file, and the
-- documents that it leaves out because the format cannot hold them. `eingang`: the received invoices in it.
drop function if exists app.a_add_datev_export(date, date, text, text, integer, boolean);
drop function if exists app.a_add_datev_export(date, date, text, text, integer, boolean, text[]);
create or replace function app.a_add_datev_export(
  von date, bis date, datei text, sha256 text, zeilen integer, zahlungen boolean default false,
  ausgelassen text[] default '{}', eingang bigint[] default '{}'
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
  perform checks.check_value(
    coalesce(cardinality(eingang), 0) <= 4999
      and not exists (
        select from unnest(eingang) i
        where not exists (
          select from app.eingang e where e.id = i and e.zustand in ('freigegeben', 'bezahlt')
        )
      ),
    'eingang', 'eingang_zustand'
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
    end || case
      when cardinality(eingang) > 0 then jsonb_build_object('eingang', to_jsonb(eingang))
      else '{}'
    end
  );
end $$;
select rights.define('app.a_add_datev_export(date, date, text, text, integer, boolean, text[], bigint[])');
grant execute on function app.a_add_datev_export(date, date, text, text, integer, boolean, text[], bigint[])
  to nutzer;

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
