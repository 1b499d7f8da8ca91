-- For the tax adviser and the auditor: rows of the DATEV batch, a record of every export, and the tables for
-- an audit. For apus_admin; auditors read them (pruefer.sql).

-- As the caller. The batches that were handed out, as the log has them. `folge` and `zahlung` are the last
-- invoice and the last payment that there were: what came later is in none of them, whatever its day. Batches
-- of earlier versions have only their time.
create or replace function books.datev_batches()
  returns table (von date, bis date, zeit timestamptz, zahlungen boolean, folge bigint, zahlung bigint)
  language sql stable set search_path = pg_catalog as $$
  select (p.inhalt ->> 'von')::date, (p.inhalt ->> 'bis')::date, p.zeit, (p.inhalt ->> 'zahlungen')::boolean,
    (p.inhalt #>> '{stand,folge}')::bigint, (p.inhalt #>> '{stand,zahlung}')::bigint
  from app.protokoll p
  where p.gegenstand = 'datev' and p.ereignis = 'exportiert'
$$;
grant execute on function books.datev_batches() to nutzer;

-- As the caller. `debitor` is the customer's own account, else the one shared account, else the first account
-- number plus the customer's number. Tax groups are those of books.tax_parts; `datum` decides their tax
-- period. Advance invoices are booked with their payments alone; a final invoice bills the whole and clears
-- what was received (`anzahlungen`, by rate). `neu`: in no batch yet. Dropped first, because the columns of
-- the answer have changed.
drop function if exists app.a_get_datev(date, date);
create or replace function app.a_get_datev(von date, bis date)
  returns table (
    rechnung_id bigint, client_id bigint, kunde text, debitor text, beleg jsonb, folge bigint, neu boolean
  ) language plpgsql stable set search_path = pg_catalog as $$
declare ways jsonb := books.taxation_ways();
begin
  return query
    with batch as materialized (select * from books.datev_batches())
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
        'anzahlungen', case
          when jsonb_array_length(coalesce(r.beleg -> 'abschlaege', '[]')) = 0 then '[]'
          else (
            select coalesce(jsonb_agg(
              jsonb_build_object(
                'kategorie', x.kategorie, 'satz', x.satz, 'basis', x.basis::text, 'steuer', x.steuer::text,
                'le_date', x.le_date, 'datum', books.taxed_on(r, x.le_date)
              ) order by array_position('{S,E,AE,O}'::text[], x.kategorie), x.satz::numeric desc, x.le_date
            ), '[]')
            from books.cleared_advances(r, ways) x
            where x.basis <> 0 or x.steuer <> 0
          )
        end
      ),
      r.folge,
      not exists (
        select from batch b
        where r.rn_datum between b.von and b.bis and coalesce(r.folge <= b.folge, r.ausgestellt_am <= b.zeit)
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

-- As the caller. Payments of a period. `steuern`: what a discount takes back, by rate and tax period.
-- `anzahlungen`: what a payment of an advance is by rate, in running totals, so that all of them together are
-- what the final invoice clears; it counts when it is received (§ 13 (1) Nr. 1a sentence 4 UStG), and one
-- that was entered by mistake and taken back leaves the day that it had. `neu`: in no batch with payments
-- yet; `neu_abschlag`: an advance in no batch at all, because what is received for one is in every batch, and
-- its money only in those with payments.
drop function if exists app.a_get_datev_zahlungen(date, date);
create or replace function app.a_get_datev_zahlungen(von date, bis date)
  returns table (
    zahlung_id bigint, rechnung_id bigint, nummer text, kunde text, debitor text, datum date, betrag text,
    art text, steuern jsonb, anzahlungen jsonb, neu boolean, neu_abschlag boolean
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  -- Before the policies are asked for every row.
  if not rights.reads_books() then return; end if;
  return query
    with batch as materialized (select * from books.datev_batches())
    select z.id, z.rechnung_id, r.nummer, coalesce(r.beleg #>> '{empfaenger,name}', k.name),
      coalesce(
        nullif(b.debitor, ''), nullif(l.datev_debitor_sammel, ''), (l.datev_debitor_von + r.client_id)::text
      ),
      z.datum, z.betrag::text, z.art,
      case
        when z.art <> 'skonto' then '[]'
        else (
          select coalesce(jsonb_agg(
            jsonb_build_object(
              'kategorie', x.kategorie, 'satz', x.satz, 'basis', x.basis::text, 'steuer', x.steuer::text,
              'le_date', x.le_date, 'datum', x.datum
            ) order by array_position('{S,E,AE,O}'::text[], x.kategorie), x.satz::numeric desc, x.datum
          ), '[]')
          from books.reduction_parts(z, r) x
        )
      end,
      case
        when r.art = 'abschlag' and z.art = 'zahlung' then (
          select jsonb_agg(s || jsonb_build_object('le_date', x.tag, 'datum', x.tag) order by n)
          from jsonb_array_elements(
            books.advance_payment(z, r.beleg #> '{summen,steuern}')
          ) with ordinality as t(s, n)
            cross join (select coalesce(g.datum, z.datum) as tag) x
        )
      end,
      not exists (
        select from batch b
        where b.zahlungen
          and z.datum between b.von and b.bis
          and coalesce(z.id <= b.zahlung, z.angelegt_am <= b.zeit)
      ),
      r.art = 'abschlag'
        and z.art = 'zahlung'
        and not exists (
          select from batch b
          where z.datum between b.von and b.bis and coalesce(z.id <= b.zahlung, z.angelegt_am <= b.zeit)
        )
    from app.zahlung z
      join app.rechnung r on r.id = z.rechnung_id
      left join app.zahlung g on g.id = z.gegen_id
      left join app.kunde k on k.client_id = r.client_id
      left join app.kunde_rechnung b on b.client_id = r.client_id
      left join app.lieferant l on true
    where z.datum between a_get_datev_zahlungen.von and a_get_datev_zahlungen.bis
    order by z.datum, z.id;
end $$;
grant execute on function app.a_get_datev_zahlungen(date, date) to nutzer;

-- As the caller. Where the books stand, to be written down with the batch that is made now.
create or replace function app.a_get_datev_stand()
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return jsonb_build_object(
    'folge', (select coalesce(max(r.folge), 0) from app.rechnung r),
    'zahlung', (select coalesce(max(z.id), 0) from app.zahlung z),
    'ausfuhr', (
      select coalesce(max(p.nr), 0)
      from app.protokoll p
      where p.gegenstand = 'datev' and p.ereignis = 'exportiert'
    )
  );
end $$;
grant execute on function app.a_get_datev_stand() to nutzer;

-- As the caller. Per month of the last two years what was entered after the batches of its days: it is in
-- none of them. Payments count if there was a batch with payments; `abschlaege` are those of advances, which
-- are in every batch.
create or replace function app.a_get_datev_nachtraege()
  returns table (monat text, rechnungen bigint, zahlungen bigint, abschlaege bigint)
  language plpgsql stable set search_path = pg_catalog set statement_timeout = '15s' as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    with batch as materialized (select * from books.datev_batches()),
    span as materialized (
      select greatest(min(b.von), checks.today() - 731) as von, max(b.bis) as bis from batch b
    ),
    missing as materialized (
      select r.id, r.rn_datum, r.storno_von
      from span s join app.rechnung r on r.rn_datum between s.von and s.bis
      where r.zustand = 'ausgestellt'
        and r.art <> 'abschlag'
        and (
          select bool_or(coalesce(r.folge <= b.folge, r.ausgestellt_am <= b.zeit))
          from batch b
          where r.rn_datum between b.von and b.bis
        ) is false
    ),
    late as (
      select m.rn_datum as day, 'rechnung' as kind
      from missing m
        join app.rechnung r on r.id = m.id
        left join app.rechnung o on o.id = m.storno_von
      where o.art is distinct from 'abschlag'
        -- What makes no line is missing in no batch.
        and exists (
          select from jsonb_array_elements(r.beleg #> '{summen,steuern}') g
          where (g ->> 'basis')::numeric + (g ->> 'steuer')::numeric <> 0
        )
      union all
      select z.datum, k.kind
      from span s
        join app.zahlung z on z.datum between s.von and s.bis
        cross join (values ('zahlung'), ('abschlag')) as k(kind)
      where z.art <> 'ausfall'
        and (
          select bool_or(coalesce(z.id <= b.zahlung, z.angelegt_am <= b.zeit))
          from batch b
          where z.datum between b.von and b.bis and (b.zahlungen or k.kind = 'abschlag')
        ) is false
        and (
          k.kind = 'zahlung'
          or z.art = 'zahlung'
            and exists (select from app.rechnung r where r.id = z.rechnung_id and r.art = 'abschlag')
        )
    )
    select to_char(l.day, 'YYYY-MM'), count(*) filter (where l.kind = 'rechnung'),
      count(*) filter (where l.kind = 'zahlung'), count(*) filter (where l.kind = 'abschlag')
    from late l
    group by 1
    order by 1;
end $$;
grant execute on function app.a_get_datev_nachtraege() to nutzer;

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
-- amounts, `ab` the day of the input tax. `exportiert_am`: the last batch that had it. `abschlag`: an
-- advance, or a final invoice that takes advances off; their tax is booked with payments, which people do.
-- Dropped first, because the columns of its answer have changed.
drop function if exists app.a_get_datev_eingang(date, date);
create or replace function app.a_get_datev_eingang(von date, bis date)
  returns table (
    eingang_id bigint, stand text, nummer text, kreditor text, creditor text, konto text, datum date,
    faellig date, leistung date, ab date, vorsteuer text, satz text, netto text, steuer text, brutto text,
    abzug text, steuern jsonb, sha256 text, groesse integer, exportiert_am timestamptz, geaendert boolean,
    abschlag text
  ) language plpgsql stable set search_path = pg_catalog as $$
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
      books.input_tax_day(
        case when e.vorsteuer = 'anzahlung' then 'inland' else e.vorsteuer end, e.datum, d.leistung,
        d.erhalten, e.brutto
      ),
      e.vorsteuer, e.vorsteuer_satz::text, e.netto::text, e.steuer::text, e.brutto::text,
      case
        when not d.small then coalesce(e.vorsteuer_betrag, e.steuer)::text
        when e.vorsteuer in ('inland', 'anzahlung', 'keine') then '0.00'
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
      e.sha256, e.groesse, b.zeit, coalesce(e.entschieden_am > b.zeit, false), a.abschlag
    from app.eingang e
      left join app.kreditor k on k.id = e.kreditor_id
      left join batch b on b.id = e.id
      cross join lateral (
        select coalesce(e.leistung, e.datum) as leistung,
          coalesce(e.erhalten, (e.eingegangen_am at time zone 'Europe/Berlin')::date) as erhalten,
          books.is_small_business(coalesce(e.leistung, e.datum)) as small
      ) d
      cross join lateral (
        select case
          when d.small then null
          when e.vorsteuer = 'anzahlung' then 'abschlag'
          when e.vorsteuer = 'inland'
            and e.vorsteuer_betrag <> e.steuer
            and books.is_partly_paid(e.brutto, e.zahlbetrag, e.steuer)
          then 'schluss'
        end as abschlag
      ) a
    where (
        e.datum between a_get_datev_eingang.von and a_get_datev_eingang.bis
        and e.zustand in ('neu', 'freigegeben', 'bezahlt')
      )
      or (
        e.datum between a_get_datev_eingang.von - 731 and a_get_datev_eingang.von - 1
        and e.zustand in ('freigegeben', 'bezahlt')
        and b.id is null
        and a.abschlag is null
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

-- Whether this is a list of differences as a_get_datev_abweichung tells them, each with equal amounts if
-- there is none any more.
create or replace function books.are_differences(rows jsonb)
  returns boolean language sql immutable set search_path = pg_catalog
  return coalesce(jsonb_typeof(rows) = 'array' and jsonb_array_length(rows) <= 1000, false)
    and not exists (
      select from jsonb_array_elements(rows) h
      where jsonb_typeof(h) <> 'object'
        or h - '{root,nummer,monat,kategorie,satz,declared,booked}'::text[] <> '{}'
        or coalesce(h ->> 'root', '') !~ '^-?[0-9]{1,18}$'
        or not coalesce(checks.is_line(h ->> 'nummer', 60), false)
        or coalesce(h ->> 'monat', '') !~ '^2[0-9]{3}-(0[1-9]|1[0-2])-01$'
        or coalesce(h ->> 'kategorie', '-') !~ '^(S|E|AE|O)?$'
        or coalesce(h ->> 'satz', '-') !~ '^([0-9]{1,3}\.[0-9]{2})?$'
        or coalesce(h ->> 'declared', '') !~ '^-?[0-9]{1,12}\.[0-9]{2}$'
        or coalesce(h ->> 'booked', '') !~ '^-?[0-9]{1,12}\.[0-9]{2}$'
    );
grant execute on function books.are_differences(jsonb) to forst_definer;

-- Definer: the audit chain is closed to nutzer. Records an export with the hash of its file, and the
-- documents that it leaves out because the format cannot hold them. `eingang`: the received invoices in it;
-- `stand`: the last invoice and payment that there were when its rows were read (a_get_datev_stand). With its
-- `ausfuhr` a batch is refused if another was handed out since: both would have the same rows. `hinweise`:
-- the differences that it names (a_get_datev_abweichung).
drop function if exists app.a_add_datev_export(date, date, text, text, integer, boolean);
drop function if exists app.a_add_datev_export(date, date, text, text, integer, boolean, text[]);
drop function if exists app.a_add_datev_export(date, date, text, text, integer, boolean, text[], bigint[]);
drop function if exists app.a_add_datev_export(
  date, date, text, text, integer, boolean, text[], bigint[], jsonb
);
create or replace function app.a_add_datev_export(
  von date, bis date, datei text, sha256 text, zeilen integer, zahlungen boolean default false,
  ausgelassen text[] default '{}', eingang bigint[] default '{}', stand jsonb default null,
  hinweise jsonb default '[]'
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
    stand is null
      or jsonb_typeof(stand) = 'object'
        and stand - '{folge,zahlung,ausfuhr}'::text[] = '{}'
        and coalesce(stand ->> 'folge', '') ~ '^[0-9]{1,18}$'
        and coalesce(stand ->> 'zahlung', '') ~ '^[0-9]{1,18}$'
        and coalesce(stand ->> 'ausfuhr', '0') ~ '^[0-9]{1,18}$',
    'stand', 'stand'
  );
  perform checks.check_value(books.are_differences(hinweise), 'hinweise', 'hinweise');
  perform books.lock();
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
  if exists (
    select from app.protokoll p
    where p.gegenstand = 'datev'
      and p.ereignis = 'exportiert'
      and p.nr > (a_add_datev_export.stand ->> 'ausfuhr')::bigint
  ) then
    raise sqlstate 'PT409' using message = 'a batch was exported meanwhile', hint = 'datev_ausfuhr';
  end if;
  perform checks.check_value(
    coalesce((stand ->> 'folge')::bigint <= (select coalesce(max(r.folge), 0) from app.rechnung r), true)
      and coalesce((stand ->> 'zahlung')::bigint <= (select coalesce(max(z.id), 0) from app.zahlung z), true),
    'stand', 'stand'
  );
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
    end || case
      when stand is null then '{}'
      else jsonb_build_object('stand', a_add_datev_export.stand - 'ausfuhr')
    end || case
      when jsonb_array_length(hinweise) > 0 then jsonb_build_object('hinweise', a_add_datev_export.hinweise)
      else '{}'
    end
  );
end $$;
select rights.define(
  'app.a_add_datev_export(date, date, text, text, integer, boolean, text[], bigint[], jsonb, jsonb)'
);
grant execute on function app.a_add_datev_export(
  date, date, text, text, integer, boolean, text[], bigint[], jsonb, jsonb
) to nutzer;

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
