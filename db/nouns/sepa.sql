-- SEPA direct debits: mandates, and files for the bank. The file itself is written from the lines by
-- domain/sepa/pain.ts; a payment is booked only when the bank's file says so. For apus_admin; auditors read.

do $$
declare relation regclass;
begin
  foreach relation in array array['app.sepa_mandat', 'app.sepa_lauf', 'app.sepa_posten']::regclass[] loop
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

-- Definer: checks for every role, whatever that role may read. What is in a file stays as it was sent; a
-- mandate can only be withdrawn, a file only get its digest or be withdrawn, each once.
create or replace function books.check_sepa_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_op = 'DELETE' then
    if tg_table_name = 'sepa_mandat'
      or tg_table_name = 'sepa_posten'
        and not exists (
          select from app.rechnung r where r.id = (to_jsonb(old) ->> 'rechnung_id')::bigint
        )
    then
      return old;
    end if;
  elsif tg_table_name = 'sepa_mandat'
      and to_jsonb(new) - 'widerrufen_am' = to_jsonb(old) - 'widerrufen_am'
      and to_jsonb(old) ->> 'widerrufen_am' is null
    or tg_table_name = 'sepa_lauf'
      and to_jsonb(new) - '{sha256,zurueckgezogen_am,grund}'::text[] = to_jsonb(
        old
      ) - '{sha256,zurueckgezogen_am,grund}'::text[]
      and to_jsonb(old) ->> 'sha256' in ('', to_jsonb(new) ->> 'sha256')
      and to_jsonb(old) ->> 'zurueckgezogen_am' is null
  then
    return new;
  end if;
  perform books.refuse_issued(tg_table_name || ' ' || old.id);
  return null;
end $$;
select rights.define('books.check_sepa_frozen()');
create or replace trigger a_fest before update or delete on app.sepa_mandat
  for each row execute function books.check_sepa_frozen();
create or replace trigger a_fest before update or delete on app.sepa_lauf
  for each row execute function books.check_sepa_frozen();
create or replace trigger a_fest before update or delete on app.sepa_posten
  for each row execute function books.check_sepa_frozen();

-- The check digits of a creditor id; the same rule as domain/sepa/creditor-id.ts, tested with its cases.
create or replace function checks.creditor_id_fault(value text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select case
    when id !~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$' then 'form'
    when id ~ '^DE' and id !~ '^DE[0-9]{2}[A-Z0-9]{3}[0-9]{11}$' then 'laenge'
    when substr(id, 3, 2)::integer between 2 and 98 and checks.mod97(substr(id, 8) || left(id, 4)) = 1 then
      null
    else 'pruefziffer'
  end
  from (select upper(regexp_replace(value, '\s', '', 'g')) as id) n
$$;
grant execute on function checks.creditor_id_fault(text) to forst_definer;

-- Easter Sunday by the Gregorian calendar (Meeus, Jones, Butcher).
create or replace function books.feast_sunday(year integer)
  returns date language sql immutable strict set search_path = pg_catalog as $$
  select make_date(
    year, (s.h + s.l - 7 * s.m + 90) / 25,
    (s.h + s.l - 7 * s.m + 33 * ((s.h + s.l - 7 * s.m + 90) / 25) + 19) % 32
  )
  from (
    select r.h, r.l, (r.a + 11 * r.h + 19 * r.l) / 433 as m
    from (
      select q.a, q.h, (32 + 2 * q.e + 2 * (q.c / 4) - q.h - q.c % 4) % 7 as l
      from (
        select year % 19 as a, year % 100 as c, (year / 100) % 4 as e,
          (19 * (year % 19) + year / 100 - year / 100 / 4 - (8 * (year / 100) + 13) / 25 + 15) % 30 as h
      ) q
    ) r
  ) s
$$;
grant execute on function books.feast_sunday(integer) to forst_definer;

-- Where SEPA reaches (EPC409-09), by the country of an account; the same rule as domain/sepa/area.ts, tested
-- with its cases; Monaco belongs to the EU for turnover tax alone. A direct debit needs no more than the IBAN
-- within the European Economic Area alone.
create or replace function books.is_debit_account(iban text)
  returns boolean language sql immutable set search_path = pg_catalog
  return checks.is_eu_country(left(is_debit_account.iban, 2)) and is_debit_account.iban !~ '^MC'
    or left(is_debit_account.iban, 2) in ('IS', 'LI', 'NO');
grant execute on function books.is_debit_account(text) to forst_definer;
create or replace function books.is_sepa_account(iban text)
  returns boolean language sql immutable set search_path = pg_catalog
  return books.is_debit_account(is_sepa_account.iban)
    or left(is_sepa_account.iban, 2) in (
      'AD', 'AL', 'CH', 'GB', 'GI', 'MC', 'MD', 'ME', 'MK', 'RS', 'SM', 'VA'
    );
grant execute on function books.is_sepa_account(text) to forst_definer;

-- Whether TARGET settles on a day; the same rule as domain/sepa/target-day.ts, tested with its cases.
create or replace function books.is_target_day(day date)
  returns boolean language sql immutable strict set search_path = pg_catalog
  return extract(isodow from day) < 6
    and to_char(day, 'MM-DD') not in ('01-01', '05-01', '12-25', '12-26')
    and day - books.feast_sunday(extract(year from day)::integer) not in (-2, 1);
grant execute on function books.is_target_day(date) to forst_definer;

-- Mandates with their state. `zuletzt`: the last collection that was not withdrawn. A mandate expires 36
-- months after its last use (rulebook of the EPC, 4.1): `gueltig_bis` is the last day of a collection.
create or replace view books.mandate with (security_invoker = true) as
  select m.*, u.zuletzt, coalesce(u.zahl, 0) as zahl,
    case
      when m.widerrufen_am is not null then 'widerrufen'
      when m.einmalig and u.zahl > 0 then 'verbraucht'
      when g.bis < checks.today() then 'abgelaufen'
      else 'aktiv'
    end as stand,
    g.bis as gueltig_bis
  from app.sepa_mandat m
    left join lateral (
      select max(l.tag) as zuletzt, count(*) as zahl
      from app.sepa_posten p join app.sepa_lauf l on l.id = p.lauf_id
      where p.mandat_id = m.id and l.zurueckgezogen_am is null
    ) u on true
    cross join lateral (select (coalesce(u.zuletzt, m.unterschrieben) + interval '36 months')::date as bis) g;
revoke all on books.mandate from public, nutzer;
grant select on books.mandate to nutzer, forst_definer;

-- As the caller, newest first.
create or replace function app.a_get_mandate(kunde_id bigint default null)
  returns table (
    id bigint, client_id bigint, kunde text, referenz text, unterschrieben date, inhaber text, iban text,
    bic text, art text, einmalig boolean, widerrufen_am date, zuletzt date, stand text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select m.id, m.client_id, k.name, m.referenz, m.unterschrieben, m.inhaber, m.iban, m.bic, m.art,
      m.einmalig, m.widerrufen_am, m.zuletzt, m.stand
    from books.mandate m left join app.kunde k on k.client_id = m.client_id
    where a_get_mandate.kunde_id is null or m.client_id = a_get_mandate.kunde_id
    order by m.id desc;
end $$;
grant execute on function app.a_get_mandate(bigint) to nutzer;

-- Definer: nobody has a grant to write these tables, as in all of the bookkeeping.
create or replace function app.a_add_mandat(
  client_id bigint, referenz text, unterschrieben date, inhaber text, iban text, bic text default '',
  art text default 'core', einmalig boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  customer app.kunde;
  made bigint;
  account text := checks.norm_iban(coalesce(a_add_mandat.iban, ''));
  bank text := upper(regexp_replace(coalesce(a_add_mandat.bic, ''), '\s', '', 'g'));
  holder text := btrim(coalesce(a_add_mandat.inhaber, ''));
  name text := btrim(coalesce(a_add_mandat.referenz, ''));
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  customer := books.beleg_kunde(a_add_mandat.client_id);
  perform checks.check_value(
    name ~ '^[A-Za-z0-9?:().,''+/-]{1,35}$' and name !~ '^/|/$|//', 'referenz', 'mandat_referenz'
  );
  perform checks.check_value(
    not exists (select from app.sepa_mandat m where m.referenz = name), 'referenz', 'mandat_doppelt'
  );
  perform checks.check_value(
    coalesce(a_add_mandat.unterschrieben between '2009-11-02' and checks.today(), false), 'unterschrieben',
    'mandat_tag'
  );
  perform checks.check_value(
    holder <> '' and checks.is_line_or_empty(holder, 70), 'inhaber', 'mandat_inhaber'
  );
  perform checks.check_value(checks.iban_fault(account) is null, 'iban', 'iban');
  perform checks.check_value(books.is_debit_account(account), 'iban', 'iban_ewr');
  perform checks.check_value(bank ~ '^([A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)?$', 'bic', 'mandat_bic');
  perform checks.check_value(a_add_mandat.art in ('core', 'b2b'), 'art', 'mandat_art');
  -- Consumers cannot give up their right to a refund (§ 675x, § 675e (1) BGB; rulebook of the B2B scheme).
  perform checks.check_value(
    a_add_mandat.art <> 'b2b'
      or not exists (
        select from app.kunde_rechnung k where k.client_id = customer.client_id and k.ist_privat
      ),
    'art', 'mandat_privat'
  );
  insert into app.sepa_mandat (client_id, referenz, unterschrieben, inhaber, iban, bic, art, einmalig)
  values (
    customer.client_id, name, a_add_mandat.unterschrieben, holder, account, bank, a_add_mandat.art,
    coalesce(a_add_mandat.einmalig, false)
  )
  returning sepa_mandat.id into made;
  perform books.record(
    'mandat', made, customer.client_id, 'angelegt',
    jsonb_build_object('referenz', name, 'art', a_add_mandat.art)
  );
  return made;
end $$;
select rights.define('app.a_add_mandat(bigint, text, date, text, text, text, text, boolean)');
grant execute on function app.a_add_mandat(bigint, text, date, text, text, text, text, boolean) to nutzer;

-- Definer: see above. From today on nothing is collected by it.
create or replace function app.a_revoke_mandat(mandat_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare source app.sepa_mandat;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select m.* into source from app.sepa_mandat m where m.id = a_revoke_mandat.mandat_id;
  perform rights.check_found(source.id is not null);
  if source.widerrufen_am is not null then
    raise sqlstate 'PT409' using message = 'withdrawn already', hint = 'mandat_widerrufen';
  end if;
  update app.sepa_mandat m set widerrufen_am = checks.today() where m.id = source.id;
  perform books.record('mandat', source.id, source.client_id, 'widerrufen', '{}');
end $$;
select rights.define('app.a_revoke_mandat(bigint)');
grant execute on function app.a_revoke_mandat(bigint) to nutzer;

-- The day itself or the next one on which TARGET settles.
create or replace function books.target_day_from(day date)
  returns date language sql immutable strict set search_path = pg_catalog
  return (select min(day + n) from generate_series(0, 9) n where books.is_target_day(day + n));
grant execute on function books.target_day_from(date) to forst_definer;
-- The same rule as domain/sepa/target-day.ts: a file that is made on a day collects first on this one. The
-- bank has it on the next business day, and one is in between (D-1; rulebook of the EPC, 4.3.2).
create or replace function books.first_collection_day(day date)
  returns date language sql immutable set search_path = pg_catalog
  return books.target_day_from(books.target_day_from(first_collection_day.day) + 1);
grant execute on function books.first_collection_day(date) to forst_definer;

-- Announced collection --------------------------------------------------------------------------------------

-- How the collection of an invoice stands. `geplant`: announced, and can be put into a file. `datei`: in a
-- file; the bank reports up to a week after its day. `zurueck`: in a file, and a week later still open.
-- `mandat_beendet`: announced with a mandate that has ended since; the document stays as it is. Null: neither
-- announced nor in a file. The caller asks only for invoices with an open amount.
create or replace function books.einzug_stand(rechnung_id bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select case
    when f.tag >= checks.today() - 7 then 'datei'
    when f.tag is not null then 'zurueck'
    when r.beleg ? 'einzug' then case when m.stand = 'aktiv' then 'geplant' else 'mandat_beendet' end
  end
  from app.rechnung r
    left join lateral (
      select max(l.tag) as tag
      from app.sepa_posten p join app.sepa_lauf l on l.id = p.lauf_id
      where p.rechnung_id = r.id and l.zurueckgezogen_am is null
    ) f on true
    left join lateral (
      select b.stand
      from books.mandate b
      where b.client_id = r.client_id and b.referenz = r.beleg #>> '{einzug,mandat}'
    ) m on true
  where r.id = einzug_stand.rechnung_id
$$;
grant execute on function books.einzug_stand(bigint) to nutzer, forst_definer;

-- As the caller: how an invoice is collected; no row if it is not, or nothing is open. `datei`: day of the
-- file that it is in. `ersatz`: reference of another active mandate, once the announced one has ended.
create or replace function app.a_get_einzug(invoice_id bigint)
  returns table (tag date, mandat text, iban text, stand text, datei date, ersatz text)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select coalesce((r.beleg #>> '{einzug,tag}')::date, f.tag),
      coalesce(r.beleg #>> '{einzug,mandat}', f.referenz), coalesce(r.beleg #>> '{einzug,iban}', f.iban),
      s.stand, f.tag,
      case
        when s.stand = 'mandat_beendet' then (
          select b.referenz
          from books.mandate b
          where b.client_id = r.client_id and b.stand = 'aktiv'
          order by b.id desc limit 1
        )
      end
    from app.rechnung_liste l
      join app.rechnung r on r.id = l.id
      cross join lateral (select books.einzug_stand(r.id) as stand) s
      left join lateral (
        select g.tag, p.referenz, p.iban
        from app.sepa_posten p join app.sepa_lauf g on g.id = p.lauf_id
        where p.rechnung_id = r.id and g.zurueckgezogen_am is null
        order by g.tag desc, g.id desc limit 1
      ) f on true
    where l.id = a_get_einzug.invoice_id and l.offen > 0 and s.stand is not null;
end $$;
grant execute on function app.a_get_einzug(bigint) to nutzer;

-- As the caller: open invoices whose customer has an active mandate, and that are in no file: by the
-- announced mandate, or the newest one if that has ended. `tag`: the announced day; `angekuendigt`: the
-- mandate.
do $$
begin
  if not exists (
    select from pg_proc p
    where p.oid = to_regprocedure('books.collectable()') and 'angekuendigt' = any (p.proargnames)
  ) then
    drop function if exists app.a_get_lastschriften();
    drop function if exists books.collectable();
  end if;
end $$;
create or replace function books.collectable()
  returns table (
    rechnung_id bigint, client_id bigint, kunde text, nummer text, rn_datum date, faellig date, offen text,
    mandat_id bigint, referenz text, inhaber text, iban text, art text, folge text, tag date,
    angekuendigt text
  ) language sql stable set search_path = pg_catalog as $$
  select l.id, l.client_id, l.kunde, l.nummer, l.rn_datum, l.faellig, l.offen::text, m.id, m.referenz,
    m.inhaber, m.iban, m.art, case when m.einmalig then 'OOFF' when m.zahl = 0 then 'FRST' else 'RCUR' end,
    (r.beleg #>> '{einzug,tag}')::date, r.beleg #>> '{einzug,mandat}'
  from app.rechnung_liste l
    join app.rechnung r on r.id = l.id
    join lateral (
      select b.*
      from books.mandate b
      where b.client_id = l.client_id and b.stand = 'aktiv'
      order by b.referenz = r.beleg #>> '{einzug,mandat}' desc nulls last, b.id desc limit 1
    ) m on true
  where l.art in ('rechnung', 'abschlag', 'schluss')
    and l.offen > 0
    and not exists (
      select from app.sepa_posten p join app.sepa_lauf f on f.id = p.lauf_id
      where p.rechnung_id = l.id and f.zurueckgezogen_am is null
    )
  order by l.faellig, l.id
$$;
grant execute on function books.collectable() to nutzer, forst_definer;
-- As the caller.
create or replace function app.a_get_lastschriften()
  returns table (
    rechnung_id bigint, client_id bigint, kunde text, nummer text, rn_datum date, faellig date, offen text,
    mandat_id bigint, referenz text, inhaber text, iban text, art text, folge text, tag date,
    angekuendigt text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  -- Before the policies are asked for every row.
  if not rights.reads_books() then return; end if;
  return query select c.* from books.collectable() c;
end $$;
grant execute on function app.a_get_lastschriften() to nutzer;

-- Definer: see above. A file that collects the open amounts of these invoices on a day: TARGET settles on it,
-- and it is tomorrow at the earliest, because the bank needs the file a day before (rulebook of the EPC,
-- 4.3). Not booked as paid. Of several lines of a mandate that was never used the first is FRST.
create or replace function app.a_add_sepa_lauf(rechnungen bigint[], tag date)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  supplier app.lieferant;
  made bigint;
  wanted integer := coalesce(cardinality(a_add_sepa_lauf.rechnungen), 0);
  lines integer;
  total numeric;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  perform checks.check_value(wanted between 1 and 2000, 'rechnungen', 'lastschrift_zahl');
  perform rights.check_found(
    not exists (
      select from unnest(a_add_sepa_lauf.rechnungen) w(id)
      where not exists (select from app.rechnung r where r.id = w.id)
    )
  );
  perform checks.check_value(
    coalesce(
      a_add_sepa_lauf.tag between books.first_collection_day(checks.today()) and checks.today() + 365
        and books.is_target_day(a_add_sepa_lauf.tag),
      false
    ),
    'tag', 'lastschrift_tag'
  );
  select f.* into supplier from app.lieferant f;
  if coalesce(supplier.iban, '') = '' or coalesce(supplier.glaeubiger_id, '') = '' then
    raise sqlstate 'PT409' using message = 'no account or creditor id', hint = 'lastschrift_konto';
  end if;
  select count(*), sum(d.offen::numeric) into lines, total
  from books.collectable() d
  where d.rechnung_id = any (a_add_sepa_lauf.rechnungen);
  if lines <> wanted
    or exists (
      select from books.collectable() d
      where d.rechnung_id = any (a_add_sepa_lauf.rechnungen)
        and (d.offen::numeric > 999999999.99 or d.folge = 'OOFF')
      group by d.mandat_id
      having count(*) > 1 and max(d.folge) = 'OOFF' or max(d.offen::numeric) > 999999999.99
    )
  then
    raise sqlstate 'PT409'
      using message = 'not every invoice can be collected', hint = 'lastschrift_rechnung';
  end if;
  -- The customer was given a day; later is allowed, earlier is not.
  perform checks.check_value(
    not exists (
      select from books.collectable() d
      where d.rechnung_id = any (a_add_sepa_lauf.rechnungen) and d.tag > a_add_sepa_lauf.tag
    ),
    'tag', 'lastschrift_angekuendigt'
  );
  -- Active today, but not on the day of the collection.
  perform checks.check_value(
    not exists (
      select from books.collectable() d join books.mandate m on m.id = d.mandat_id
      where d.rechnung_id = any (a_add_sepa_lauf.rechnungen) and m.gueltig_bis < a_add_sepa_lauf.tag
    ),
    'tag', 'lastschrift_mandat_frist'
  );
  insert into app.sepa_lauf (tag, name, iban, bic, glaeubiger_id, anzahl, summe)
  values (
    a_add_sepa_lauf.tag, coalesce(nullif(supplier.kontoinhaber, ''), supplier.name), supplier.iban,
    supplier.bic, supplier.glaeubiger_id, lines, total
  )
  returning sepa_lauf.id into made;
  insert into app.sepa_posten (
    lauf_id, client_id, rechnung_id, mandat_id, nummer, betrag, folge, art, inhaber, iban, bic, referenz,
    unterschrieben
  )
  select made, d.client_id, d.rechnung_id, d.mandat_id, d.nummer, d.offen::numeric,
    case
      when d.folge = 'FRST'
        and row_number() over (partition by d.mandat_id order by d.faellig, d.rechnung_id) > 1
      then 'RCUR'
      else d.folge
    end,
    m.art, m.inhaber, m.iban, m.bic, m.referenz, m.unterschrieben
  from books.collectable() d join app.sepa_mandat m on m.id = d.mandat_id
  where d.rechnung_id = any (a_add_sepa_lauf.rechnungen)
  order by d.faellig, d.rechnung_id;
  perform books.record('lastschrift', made, null, 'angelegt', jsonb_build_object(
    'tag', a_add_sepa_lauf.tag, 'anzahl', lines, 'summe', total::numeric(14, 2)::text
  ));
  return made;
end $$;
select rights.define('app.a_add_sepa_lauf(bigint[], date)');
grant execute on function app.a_add_sepa_lauf(bigint[], date) to nutzer;

-- Definer: see above. The digest of the file that was handed out: kept the first time, compared from then on.
create or replace function app.a_set_sepa_datei(lauf_id bigint, sha256 text)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare source app.sepa_lauf;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select l.* into source from app.sepa_lauf l where l.id = a_set_sepa_datei.lauf_id;
  perform rights.check_found(source.id is not null);
  perform checks.check_value(coalesce(a_set_sepa_datei.sha256 ~ '^[0-9a-f]{64}$', false), 'sha256', 'sha256');
  if source.sha256 = '' and source.zurueckgezogen_am is null then
    update app.sepa_lauf l set sha256 = a_set_sepa_datei.sha256 where l.id = source.id;
    perform books.record(
      'lastschrift', source.id, null, 'exportiert', jsonb_build_object('sha256', a_set_sepa_datei.sha256)
    );
    return true;
  end if;
  return source.sha256 = a_set_sepa_datei.sha256;
end $$;
select rights.define('app.a_set_sepa_datei(bigint, text)');
grant execute on function app.a_set_sepa_datei(bigint, text) to nutzer;

-- Definer: see above. The file was not given to the bank or was taken back there: its invoices are offered
-- again.
create or replace function app.a_revoke_sepa_lauf(lauf_id bigint, grund text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  source app.sepa_lauf;
  reason text := btrim(coalesce(a_revoke_sepa_lauf.grund, ''));
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select l.* into source from app.sepa_lauf l where l.id = a_revoke_sepa_lauf.lauf_id;
  perform rights.check_found(source.id is not null);
  if source.zurueckgezogen_am is not null then
    raise sqlstate 'PT409' using message = 'withdrawn already', hint = 'lastschrift_zurueck';
  end if;
  perform checks.check_value(reason <> '', 'grund', 'fehlt'),
    checks.check_value(checks.is_line_or_empty(reason, 500), 'grund', 'zeile_500');
  update app.sepa_lauf l set zurueckgezogen_am = checks.today(), grund = reason
  where l.id = source.id;
  perform books.record('lastschrift', source.id, null, 'zurueckgezogen', jsonb_build_object('grund', reason));
end $$;
select rights.define('app.a_revoke_sepa_lauf(bigint, text)');
grant execute on function app.a_revoke_sepa_lauf(bigint, text) to nutzer;

-- As the caller, the newest 50, with the lines that the file is written from: at most 2,000 each, which stay
-- below the limit of an answer.
create or replace function app.a_get_sepa_laeufe()
  returns table (
    id bigint, tag date, name text, iban text, bic text, glaeubiger_id text, anzahl integer, summe text,
    angelegt_am timestamptz, sha256 text, zurueckgezogen_am date, grund text, zeilen jsonb
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select l.id, l.tag, l.name, l.iban, l.bic, l.glaeubiger_id, l.anzahl, l.summe::text, l.angelegt_am,
      l.sha256, l.zurueckgezogen_am, l.grund,
      (
        select jsonb_agg(
          jsonb_build_object(
            'rechnung_id', p.rechnung_id, 'nummer', p.nummer, 'betrag', p.betrag::text, 'folge', p.folge,
            'art', p.art, 'inhaber', p.inhaber, 'iban', p.iban, 'bic', p.bic, 'referenz', p.referenz,
            'unterschrieben', p.unterschrieben
          ) order by p.id
        )
        from app.sepa_posten p
        where p.lauf_id = l.id
      )
    from app.sepa_lauf l
    order by l.id desc limit 50;
end $$;
grant execute on function app.a_get_sepa_laeufe() to nutzer;
