-- Credit transfers: files for the bank that pay received invoices. The file itself is written from the lines
-- by domain/sepa/pain.ts; a payment is booked only when the bank's file says so. For apus_admin; auditors
-- read.

do $$
declare relation regclass;
begin
  foreach relation in array array['app.zahllauf', 'app.zahlposten']::regclass[] loop
    perform rights.protect(relation);
    execute format('grant select, insert, update, delete on %s to forst_definer', relation);
    execute format('grant select on %s to nutzer', relation);
    execute format(
      $p$create policy buchhaltung on %s for select to nutzer
        using ((select rights.has_role('apus_admin')))$p$,
      relation
    );
  end loop;
end $$;

-- Definer: checks for every role, whatever that role may read. A file only gets its digest or is withdrawn,
-- each once.
create or replace function books.check_zahllauf_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_op = 'UPDATE'
    and to_jsonb(new) - '{sha256,zurueckgezogen_am,grund}'::text[] = to_jsonb(
      old
    ) - '{sha256,zurueckgezogen_am,grund}'::text[]
    and old.sha256 in ('', new.sha256)
    and old.zurueckgezogen_am is null
  then
    return new;
  end if;
  perform books.refuse_issued(tg_table_name || ' ' || old.id);
  return null;
end $$;
select rights.define('books.check_zahllauf_frozen()');
create or replace trigger a_fest before update or delete on app.zahllauf
  for each row execute function books.check_zahllauf_frozen();
create or replace trigger a_fest before update or delete on app.zahlposten
  for each row execute function books.check_eingang_zahlung_frozen();

-- Approved invoices with something to pay that are in no file, or in one whose line came back. `iban`: the
-- account that the invoice names; `bekannt`: the one that the supplier is paid to; they may differ, which is
-- the usual fraud.
create or replace function books.payable()
  returns table (
    eingang_id bigint, kreditor_id bigint, kreditor text, nummer text, datum date, faellig date,
    offen numeric, zahlbetrag numeric, iban text, bekannt text, bedingungen text
  ) language sql stable set search_path = pg_catalog as $$
  select e.id, e.kreditor_id, k.name, e.nummer, e.datum, books.eingang_due(e.faellig, e.datum),
    e.zahlbetrag - e.bezahlt, e.zahlbetrag, e.iban, k.iban, coalesce(e.gelesen #>> '{terms,BT-20,0}', '')
  from app.eingang e join app.kreditor k on k.id = e.kreditor_id
  where e.zustand = 'freigegeben'
    and e.zahlbetrag > e.bezahlt
    and not exists (
      select from app.zahlposten o join app.zahllauf l on l.id = o.lauf_id
      where o.eingang_id = e.id and l.zurueckgezogen_am is null and not books.is_posten_done(o.id)
    )
  order by 6, e.id
$$;
grant execute on function books.payable() to nutzer, forst_definer;
-- As the caller, the earliest due first.
create or replace function app.a_get_zahlbare()
  returns table (
    eingang_id bigint, kreditor_id bigint, kreditor text, nummer text, datum date, faellig date, offen text,
    zahlbetrag text, iban text, bekannt text, bedingungen text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    select p.eingang_id, p.kreditor_id, p.kreditor, p.nummer, p.datum, p.faellig, p.offen::text,
      p.zahlbetrag::text, p.iban, p.bekannt, p.bedingungen
    from books.payable() p;
end $$;
grant execute on function app.a_get_zahlbare() to nutzer;

-- Refuses anything but a list of orders: {eingang_id, betrag, skonto, iban, tag}; `tag` may be left out.
create or replace function books.check_zahlposten(posten jsonb)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  perform checks.check_value(
    coalesce(jsonb_typeof(posten) = 'array' and jsonb_array_length(posten) between 1 and 1000, false),
    'posten', 'zahllauf_zahl'
  );
  perform checks.check_value(
    not exists (
        select from jsonb_array_elements(posten) e
        where jsonb_typeof(e) <> 'object'
          or coalesce(e ->> 'eingang_id', '') !~ '^[1-9][0-9]{0,17}$'
          or coalesce(e ->> 'betrag', '') !~ '^[0-9]{1,9}(\.[0-9]{1,2})?$'
          or coalesce(e ->> 'iban', '') !~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'
          or e ? 'skonto' and jsonb_typeof(e -> 'skonto') <> 'boolean'
          or e ? 'tag' and coalesce(e ->> 'tag', '') !~ '^20[0-9]{2}-[01][0-9]-[0-3][0-9]$'
      )
      and (
        select count(distinct e ->> 'eingang_id') from jsonb_array_elements(posten) e
      ) = jsonb_array_length(posten),
    'posten', 'zahllauf_posten'
  );
end $$;
grant execute on function books.check_zahlposten(jsonb) to forst_definer;

-- Definer: nobody has a grant to write these tables, as in all of the bookkeeping. A file that pays these
-- invoices, each on its own day or on `tag`: TARGET settles on it, and it is today at the earliest. The
-- file's day is that of its first transfer. Not booked as paid. A refusal names the invoices that cannot be
-- paid so. The account is the one that the invoice or the supplier names, nothing else. With `skonto` the
-- rest of the open amount is deducted as cash discount.
create or replace function app.a_add_zahllauf(posten jsonb, tag date)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  own app.lieferant;
  made bigint;
  refused text;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  perform books.check_zahlposten(a_add_zahllauf.posten);
  perform checks.check_value(
    coalesce((
      select bool_and(d.tag between checks.today() and checks.today() + 365 and books.is_target_day(d.tag))
      from jsonb_array_elements(a_add_zahllauf.posten) w
        cross join lateral (select coalesce((w ->> 'tag')::date, a_add_zahllauf.tag) as tag) d
    ), false),
    'tag', 'zahllauf_tag'
  );
  select f.* into own from app.lieferant f;
  if coalesce(own.iban, '') = '' then
    raise sqlstate 'PT409' using message = 'no account of our own', hint = 'zahllauf_konto';
  end if;
  perform rights.check_found(
    not exists (
      select from jsonb_array_elements(a_add_zahllauf.posten) w
      where not exists (select from app.eingang e where e.id = (w ->> 'eingang_id')::bigint)
    )
  );
  select string_agg(e.nummer, ', ' order by e.nummer) into refused
  from jsonb_array_elements(a_add_zahllauf.posten) w
    join app.eingang e on e.id = (w ->> 'eingang_id')::bigint
    left join books.payable() p on p.eingang_id = e.id
  where p.eingang_id is null
    or (w ->> 'betrag')::numeric not between 0.01 and p.offen
    or (w ->> 'iban') not in (p.iban, p.bekannt)
    or checks.iban_fault(w ->> 'iban') is not null
    or not books.is_sepa_account(w ->> 'iban');
  if refused is not null then
    raise sqlstate 'PT409'
      using message = 'not every invoice can be paid', hint = 'zahllauf_rechnung',
        detail = jsonb_build_object('nummern', left(refused, 300))::text;
  end if;
  insert into app.zahllauf (tag, name, iban, bic, anzahl, summe)
  select min(coalesce((w ->> 'tag')::date, a_add_zahllauf.tag)),
    coalesce(nullif(own.kontoinhaber, ''), own.name), own.iban, own.bic, count(*),
    sum((w ->> 'betrag')::numeric)
  from jsonb_array_elements(a_add_zahllauf.posten) w
  returning zahllauf.id into made;
  insert into app.zahlposten (lauf_id, eingang_id, nummer, datum, betrag, skonto, name, iban, tag)
  select made, p.eingang_id, p.nummer, p.datum, (w ->> 'betrag')::numeric,
    case when w -> 'skonto' = 'true' then p.offen - (w ->> 'betrag')::numeric else 0 end, p.kreditor,
    w ->> 'iban', coalesce((w ->> 'tag')::date, a_add_zahllauf.tag)
  from jsonb_array_elements(a_add_zahllauf.posten) with ordinality as t(w, nr)
    join books.payable() p on p.eingang_id = (w ->> 'eingang_id')::bigint
  order by nr;
  perform books.record('zahllauf', made, null, 'angelegt', (
    select jsonb_build_object('tag', l.tag, 'anzahl', l.anzahl, 'summe', l.summe::text)
    from app.zahllauf l
    where l.id = made
  ));
  return made;
end $$;
select rights.define('app.a_add_zahllauf(jsonb, date)');
grant execute on function app.a_add_zahllauf(jsonb, date) to nutzer;

-- Definer: see above. The digest of the file that was handed out: kept the first time, compared from then on.
create or replace function app.a_set_zahllauf_datei(lauf_id bigint, sha256 text)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare source app.zahllauf;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select l.* into source from app.zahllauf l where l.id = a_set_zahllauf_datei.lauf_id;
  perform rights.check_found(source.id is not null);
  perform checks.check_value(
    coalesce(a_set_zahllauf_datei.sha256 ~ '^[0-9a-f]{64}$', false), 'sha256', 'sha256'
  );
  if source.sha256 = '' and source.zurueckgezogen_am is null then
    update app.zahllauf l set sha256 = a_set_zahllauf_datei.sha256 where l.id = source.id;
    perform books.record(
      'zahllauf', source.id, null, 'exportiert', jsonb_build_object('sha256', a_set_zahllauf_datei.sha256)
    );
    return true;
  end if;
  return source.sha256 = a_set_zahllauf_datei.sha256;
end $$;
select rights.define('app.a_set_zahllauf_datei(bigint, text)');
grant execute on function app.a_set_zahllauf_datei(bigint, text) to nutzer;

-- Definer: see above. The file was not given to the bank or was taken back there: its invoices are offered
-- again.
create or replace function app.a_revoke_zahllauf(lauf_id bigint, grund text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  source app.zahllauf;
  reason text := btrim(coalesce(a_revoke_zahllauf.grund, ''));
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select l.* into source from app.zahllauf l where l.id = a_revoke_zahllauf.lauf_id;
  perform rights.check_found(source.id is not null);
  if source.zurueckgezogen_am is not null then
    raise sqlstate 'PT409' using message = 'withdrawn already', hint = 'zahllauf_zurueck';
  end if;
  perform checks.check_value(reason <> '', 'grund', 'fehlt'),
    checks.check_value(checks.is_line_or_empty(reason, 500), 'grund', 'zeile_500');
  update app.zahllauf l set zurueckgezogen_am = checks.today(), grund = reason
  where l.id = source.id;
  perform books.record('zahllauf', source.id, null, 'zurueckgezogen', jsonb_build_object('grund', reason));
end $$;
select rights.define('app.a_revoke_zahllauf(bigint, text)');
grant execute on function app.a_revoke_zahllauf(bigint, text) to nutzer;

-- As the caller, the newest 100, with the lines that the file is written from: at most 1,000 each, which stay
-- below the limit of an answer. `offen`: how many of them the bank has not carried out.
create or replace function app.a_get_zahllaeufe()
  returns table (
    id bigint, tag date, name text, iban text, bic text, anzahl integer, summe text, offen integer,
    angelegt_am timestamptz, sha256 text, zurueckgezogen_am date, grund text, zeilen jsonb
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    select l.id, l.tag, l.name, l.iban, l.bic, l.anzahl, l.summe::text,
      (
        select count(*)
        from app.zahlposten o
        where o.lauf_id = l.id and not books.is_posten_done(o.id)
      )::integer,
      l.angelegt_am, l.sha256, l.zurueckgezogen_am, l.grund,
      (
        select jsonb_agg(
          jsonb_build_object(
            'eingang_id', o.eingang_id, 'nummer', o.nummer, 'datum', o.datum, 'betrag', o.betrag::text,
            'skonto', o.skonto::text, 'name', o.name, 'iban', o.iban, 'tag', coalesce(o.tag, l.tag)
          ) order by o.id
        )
        from app.zahlposten o
        where o.lauf_id = l.id
      )
    from app.zahllauf l
    order by l.id desc limit 100;
end $$;
grant execute on function app.a_get_zahllaeufe() to nutzer;
