-- What all of the bookkeeping shares: who reads it, the lock for writing, the audit chain, and what keeps an
-- issued document from changing. Read by apus_admin; a customer's admins read the documents of their own
-- customer (head data in document.sql), never the books. Written only by procedures: nutzer has no grant to
-- insert, update or delete.

select rights.protect('app.protokoll');
grant select, insert on app.protokoll to forst_definer;
-- The name goes when the person's data are deleted; it is not part of the hash.
grant update (wer) on app.protokoll to forst_definer;
grant select on app.protokoll to nutzer;
create policy buchhaltung on app.protokoll for select to nutzer
  using ((select rights.has_role('apus_admin')));

do $$
declare relation regclass;
begin
  foreach relation in array array[
    'app.lieferant', 'app.nummernkreis', 'app.kunde_rechnung', 'app.rechnung', 'app.angebot', 'app.position'
  ]::regclass[] loop
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

-- Written only by forst_dokument, the role in which the server makes documents. nutzer sees everything but
-- the bytes: the server hands those out after it has asked for the row as the caller.
select rights.protect('app.dokument');
grant select (
  id, client_id, rechnung_id, angebot_id, mahnung_id, art, dateiname, sha256, groesse, regelwerk, erzeugt_am
) on app.dokument to nutzer;
grant select,
  insert (
    client_id, rechnung_id, angebot_id, mahnung_id, art, dateiname, inhalt, sha256, regelwerk
  ) on app.dokument to forst_dokument;
grant select, delete on app.dokument to forst_definer;
create policy buchhaltung on app.dokument for select to nutzer using ((select rights.has_role('apus_admin')));
create policy own on app.dokument for select to nutzer
  using (client_id = any ((select rights.kunden_as('kundenadmin', 'appuser_admin'))::bigint[]));
grant execute on function checks.is_line_or_empty(text, integer) to forst_dokument;
create policy schreiber_liest on app.dokument for select to forst_dokument using (true);
create policy schreiber on app.dokument for insert to forst_dokument with check (true);

-- Of the books that role sees only what was issued.
grant select (id, client_id, art, nummer, ausgestellt_am, beleg) on app.rechnung to forst_dokument;
grant select (id, client_id, nummer, fassung, ausgestellt_am, beleg) on app.angebot to forst_dokument;
grant select (logo, logo_typ, aufbewahrung_text) on app.lieferant to forst_dokument;
create policy dokument on app.rechnung for select to forst_dokument using (beleg is not null);
create policy dokument on app.angebot for select to forst_dokument using (beleg is not null);
create policy dokument on app.lieferant for select to forst_dokument using (eines);

-- Taken first by everything that writes the books, and held to the end of the transaction. It keeps numbers
-- and days in order and the chain without forks, and avoids deadlocks. A write takes a few milliseconds.
create or replace function books.lock() returns void language sql set search_path = pg_catalog as $$
  select pg_advisory_xact_lock(hashtext('app.protokoll'))
$$;
grant execute on function books.lock() to forst_definer;

-- Audit chain -----------------------------------------------------------------------------------------------

-- What is hashed of a row: one JSON array, so that no two rows have the same text. Without the name (see the
-- table).
create or replace function books.entry_hash(p app.protokoll)
  returns text language sql stable set search_path = pg_catalog
  return encode(sha256(convert_to(
    jsonb_build_array(
      p.nr, to_char(p.zeit at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), p.user_id, p.gegenstand,
      p.gegenstand_id, p.client_id, p.ereignis, p.inhalt, p.vorher
    )::text,
    'UTF8'
  )), 'hex');
grant execute on function books.entry_hash(app.protokoll) to forst_definer, forst_betrieb;

-- Adds a row to the chain. `wer`: name of somebody without an account; of all others the caller's name is
-- used.
create or replace function books.record(
  gegenstand text, gegenstand_id bigint, client_id bigint, ereignis text, inhalt jsonb default '{}',
  wer text default null
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  last record;
  me record;
  entry app.protokoll;
begin
  perform books.lock();
  select * into me from rights.caller();
  select p.nr, p.hash into last from app.protokoll p order by p.nr desc limit 1;
  entry.nr := coalesce(last.nr, 0) + 1;
  entry.zeit := clock_timestamp();
  entry.wer := coalesce(me.name, record.wer, 'System');
  entry.user_id := me.user_id;
  entry.gegenstand := record.gegenstand;
  entry.gegenstand_id := record.gegenstand_id;
  entry.client_id := record.client_id;
  entry.ereignis := record.ereignis;
  entry.inhalt := coalesce(record.inhalt, '{}');
  entry.vorher := coalesce(last.hash, repeat('0', 64));
  entry.hash := books.entry_hash(entry);
  insert into app.protokoll select entry.*;
end $$;
grant execute on function books.record(text, bigint, bigint, text, jsonb, text) to forst_definer;

-- Rows are only added. The name alone may be removed, when a person's data are deleted.
create or replace function books.refuse_journal_change()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_op = 'UPDATE'
    and to_jsonb(new) - 'wer' = to_jsonb(old) - 'wer'
    and new.wer like 'gelöschte Person %'
  then
    return new;
  end if;
  raise sqlstate 'PT409'
    using message = 'the audit chain is only added to', hint = 'ausgestellt', detail = 'protokoll';
end $$;
grant execute on function books.refuse_journal_change() to forst_definer, forst_betrieb;
create or replace trigger a_fest before update or delete on app.protokoll
  for each row execute function books.refuse_journal_change();

-- Whether a procedure changes the books: all that do take their lock.
create or replace function books.is_call(name text)
  returns boolean language sql stable set search_path = pg_catalog
  return exists (
    select from pg_proc p
    where p.pronamespace = 'app'::regnamespace and p.proname = is_call.name and p.prosrc ~ 'books\.lock\('
  );
grant execute on function books.is_call(text) to forst_definer;

-- Whether a table belongs to the books: it refers to a document, directly or through others, or only the
-- bookkeeping reads it. Notes at a document are remarks beside the books.
create or replace function books.is_table(name text)
  returns boolean language sql stable set search_path = pg_catalog as $$
  with recursive buch as (
    select c.oid
    from pg_class c
    where c.oid in ('app.rechnung'::regclass, 'app.angebot'::regclass, 'app.kontoumsatz'::regclass)
      or exists (
        select from pg_policy p
        where p.polrelid = c.oid and p.polname = 'buchhaltung' and p.polcmd = 'r'
      )
    union
    select k.conrelid
    from pg_constraint k join buch b on b.oid = k.confrelid
    where k.contype = 'f' and k.conrelid <> 'app.notiz'::regclass
  )
  select exists (
    select from buch b join pg_class c on c.oid = b.oid
    where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and c.relname = is_table.name
  )
$$;
grant execute on function books.is_table(text) to forst_definer;

-- A refused transaction is rolled back with everything it wrote. So the server records the refusal afterwards
-- in its own statement, as the same caller (server/refusals.ts). Definer: the chain is closed.
create or replace function books.record_refusal(call text, ziel text, code text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  -- 'update rechnung' is a write by hand, a single word is a call. Those outside the books are not recorded.
  if code <> 'ausgestellt'
    and not (case
      when call ~ ' ' then books.is_table(split_part(call, ' ', 2))
      else books.is_call(call)
    end)
  then
    return;
  end if;
  -- Limits what somebody who keeps trying can add to the books.
  if rights.user_id() is null
    or (
      select count(*)
      from (
        select from app.protokoll p
        where p.user_id = rights.user_id()
          and p.ereignis = 'verweigert'
          and p.zeit > clock_timestamp() - interval '10 minutes' limit 30
      ) n
    ) >= 30
  then
    return;
  end if;
  perform books.record('verweigert', null, null, 'verweigert', jsonb_build_object(
    'vorgang', left(call, 100), 'ziel', left(ziel, 200), 'code', left(code, 40)
  ));
end $$;
select rights.define('books.record_refusal(text, text, text)');
grant execute on function books.record_refusal(text, text, text) to nutzer;

-- Refuses a change of what is issued.
create or replace function books.refuse_issued(ziel text)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  raise sqlstate 'PT409'
    using message = 'issued documents are not changed', hint = 'ausgestellt', detail = ziel;
end $$;
grant execute on function books.refuse_issued(text) to nutzer, forst_definer, forst_betrieb;

create or replace function books.refuse_truncate()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform books.refuse_issued(tg_table_name);
  return null;
end $$;
do $$
declare relation regclass;
begin
  foreach relation in array array[
    'app.rechnung', 'app.angebot', 'app.position', 'app.dokument', 'app.protokoll'
  ]::regclass[] loop
    execute format(
      'create or replace trigger a_leeren before truncate on %s for each statement
        execute function books.refuse_truncate()',
      relation
    );
  end loop;
end $$;

-- Until when a document must be kept: invoices eight years (§ 147 (3) AO), sent offers six, from the end of
-- the year.
create or replace function books.kept_until(art text, datum date)
  returns date language sql immutable set search_path = pg_catalog
  return make_date(extract(year from datum)::integer + case art when 'angebot' then 6 else 8 end, 12, 31);
grant execute on function books.kept_until(text, date) to forst_definer, forst_betrieb;

-- Whether we are a small business (§ 19 UStG) on a day. As the caller; the same rule as
-- domain/ust/taxation.ts. A supply keeps what holds on its own day (UStAE 19.5), whenever it is invoiced or
-- paid, ours as well as those that we receive.
create or replace function books.is_small_business(day date)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select coalesce((
    select coalesce((
      select c ->> 'art' = 'klein'
      from jsonb_array_elements(l.kleinunternehmer_ab) c
      where (c ->> 'ab')::date <= is_small_business.day
      order by (c ->> 'ab')::date desc limit 1
    ), l.kleinunternehmer)
    from app.lieferant l
  ), false)
$$;
grant execute on function books.is_small_business(date) to nutzer, forst_definer;
-- The same with the first and the last day of that time, as far as a change limits it.
create or replace function books.small_business_time(day date)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  with change as (
    select d.ab, books.is_small_business(d.ab - 1) as before, books.is_small_business(d.ab) as small
    from app.lieferant l
      cross join jsonb_array_elements(l.kleinunternehmer_ab) c
      cross join lateral (select (c ->> 'ab')::date as ab) d
  )
  select jsonb_strip_nulls(jsonb_build_object(
    'kleinunternehmer', now.small,
    'kleinunternehmer_von', (
      select max(c.ab)
      from change c
      where c.ab <= small_business_time.day and c.small = now.small and c.before <> now.small
    ),
    'kleinunternehmer_bis', (
      select min(c.ab) - 1
      from change c
      where c.ab > small_business_time.day and c.small <> now.small
    )
  ))
  from (select books.is_small_business(small_business_time.day) as small) now
$$;
grant execute on function books.small_business_time(date) to forst_definer;

-- The last day on which something was entered for an invoice: its period begins with that year (§ 147 (4)
-- AO).
create or replace function books.last_entry(invoice_id bigint)
  returns date language sql stable set search_path = pg_catalog as $$
  select greatest(
    (select max(z.datum) from app.zahlung z where z.rechnung_id = last_entry.invoice_id),
    (select max(m.datum) from app.mahnung m where m.rechnung_id = last_entry.invoice_id),
    (
      select max(k.rn_datum)
      from app.rechnung k
      where k.storno_von = last_entry.invoice_id or k.korrektur_von = last_entry.invoice_id
    )
  )
$$;
grant execute on function books.last_entry(bigint) to forst_definer, forst_betrieb;

-- Of an issued document only the columns of its state may change, for every role. It may be deleted only
-- after its retention period.
create or replace function books.check_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  fest boolean := case tg_table_name
    when 'rechnung' then to_jsonb(old) ->> 'zustand' = 'ausgestellt'
    else to_jsonb(old) ->> 'status' <> 'entwurf'
  end;
  free text[] := '{archiviert,version,geaendert_am,geaendert_von,suchtext}' || case tg_table_name
    when 'angebot' then
      '{status,sign,chance,auftrag_netto,auftrag_steuer,auftrag_brutto,entschieden_am,entschieden_von,
          entschieden_als,entscheidung}'::text[]
    else '{}'
  end;
  tag date := coalesce(to_jsonb(old) ->> 'rn_datum', to_jsonb(old) ->> 'an_datum')::date;
begin
  if tg_op = 'DELETE' then
    if tg_table_name = 'rechnung' then tag := greatest(tag, books.last_entry(old.id)); end if;
    if fest and books.kept_until(tg_table_name::text, tag) >= checks.today() then
      perform books.refuse_issued(tg_table_name || ' ' || old.id);
    end if;
    return old;
  end if;
  if not fest then return new; end if;
  -- The name of a person whose data are deleted.
  if new.ausgestellt_von is distinct from old.ausgestellt_von
    and new.ausgestellt_von like 'gelöschte Person %'
    and current_user = 'forst_definer'
  then
    free := free || 'ausgestellt_von'::text;
  end if;
  if to_jsonb(new) - free <> to_jsonb(old) - free then
    perform books.refuse_issued(tg_table_name || ' ' || old.id);
  end if;
  if tg_table_name = 'angebot'
    and to_jsonb(new) ->> 'status' is distinct from to_jsonb(old) ->> 'status'
    and not (case to_jsonb(old) ->> 'status'
      when 'versendet' then to_jsonb(new) ->> 'status' in ('angenommen', 'abgelehnt', 'ersetzt')
      when 'abgelehnt' then to_jsonb(new) ->> 'status' in ('angenommen', 'ersetzt')
      when 'angenommen' then to_jsonb(new) ->> 'status' = 'abgelehnt'
      -- The revision was deleted as a draft.
      when 'ersetzt' then to_jsonb(new) ->> 'status' in ('versendet', 'abgelehnt')
      else false
    end)
  then
    raise sqlstate 'PT409'
      using message = 'no way from this state to that one', hint = 'angebot_status',
        detail = 'angebot ' || old.id;
  end if;
  return new;
end $$;
grant execute on function books.check_frozen() to forst_definer, forst_betrieb;
create or replace trigger a_fest before update or delete on app.rechnung
  for each row execute function books.check_frozen();
create or replace trigger a_fest before update or delete on app.angebot
  for each row execute function books.check_frozen();

-- Positions are as fixed as their document. They are inserted with a document that is issued at once (a
-- Storno), in the same transaction, and deleted with it. Of a sent offer only the choice of optional lines
-- may change. Definer: the caller need not be able to see the document.
create or replace function books.check_position_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  entry app.position;
  parent record;
begin
  foreach entry in array case tg_op
    when 'INSERT' then array[new]
    when 'DELETE' then array[old]
    else array[old, new]
  end loop
    if entry.rechnung_id is not null then
      select r.zustand = 'ausgestellt' as fest,
        r.art = 'storno' and r.xmin::text = (pg_current_xact_id()::text::numeric % 4294967296)::text as eben
      into parent
      from app.rechnung r
      where r.id = entry.rechnung_id;
    else
      select a.status <> 'entwurf' as fest, false as eben into parent
      from app.angebot a
      where a.id = entry.angebot_id;
    end if;
    if parent.fest
      and not (tg_op = 'INSERT' and parent.eben)
      and not (
        tg_op = 'UPDATE'
        and entry.angebot_id is not null
        and to_jsonb(new) - 'gewaehlt' = to_jsonb(old) - 'gewaehlt'
      )
    then
      perform books.refuse_issued('position ' || entry.id);
    end if;
  end loop;
  return case tg_op when 'DELETE' then old else new end;
end $$;
select rights.define('books.check_position_frozen()');
create or replace trigger a_fest before insert or update or delete on app.position
  for each row execute function books.check_position_frozen();

-- Files of a document never change and are deleted with it.
create or replace function books.check_document_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_op = 'DELETE'
    and not exists (select from app.rechnung r where r.id = old.rechnung_id)
    and not exists (select from app.angebot a where a.id = old.angebot_id)
    and not exists (select from app.mahnung m where m.id = old.mahnung_id)
  then
    return old;
  end if;
  perform books.refuse_issued('dokument ' || old.id);
  return null;
end $$;
select rights.define('books.check_document_frozen()');
create or replace trigger a_fest before update or delete on app.dokument
  for each row execute function books.check_document_frozen();

-- Every change of a draft raises its version.
do $$
declare relation regclass;
begin
  foreach relation in array array[
    'app.lieferant', 'app.nummernkreis', 'app.kunde_rechnung', 'app.rechnung', 'app.angebot'
  ]::regclass[] loop
    execute format(
      'create or replace trigger y_stamp before insert or update on %s for each row
        when (current_user <> ''forst_betrieb'') execute function history.stamp_change()',
      relation
    );
  end loop;
end $$;

-- Sums ------------------------------------------------------------------------------------------------------

-- Sums of a document, and number and amount of each line. The same rule as domain/rechnung.ts; both are
-- tested with domain/rechnung.cases.json. `header`: rabatt_prozent, ust_satz, anzahlung, kleinunternehmer;
-- `positionen`: in order. Multiplies by 0.01 and never divides, because a division would round.
create or replace function books.beleg_sums(header jsonb, positionen jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  with head as (
    select (header ->> 'rabatt_prozent')::numeric as prozent, (header ->> 'ust_satz')::numeric as ust_satz,
      (header ->> 'anzahlung')::numeric as anzahlung, (header ->> 'kleinunternehmer')::boolean as klein
  ),
  typed as (
    select t.nr, p ->> 'art' as art,
      p ->> 'art' = 'position'
        or (p ->> 'art' <> 'ueberschrift' and coalesce((p ->> 'gewaehlt')::boolean, false)) as zaehlt,
      case
        when p ->> 'art' = 'ueberschrift' then 0
        else round(
          (p ->> 'anzahl')::numeric
            * (p ->> 'ep')::numeric
            * (100 - (p ->> 'rabatt_prozent')::numeric)
            * 0.01,
          2
        )
      end as betrag,
      round(coalesce(nullif(p ->> 'ust_satz', '')::numeric, h.ust_satz), 2) as eigener,
      p ->> 'kategorie' as gewuenscht, btrim(coalesce(p ->> 'steuergrund', ''), E' \t\n\r') as grund, h.klein
    from jsonb_array_elements(positionen) with ordinality as t(p, nr) cross join head h
  ),
  classed as (
    select nr, art, zaehlt, betrag, eigener, grund, klein,
      case
        when klein then 'E'
        else coalesce(gewuenscht, case when eigener = 0 then 'E' else 'S' end)
      end as kategorie
    from typed
  ),
  line as (
    select nr, art, zaehlt, betrag, kategorie, case when kategorie = 'S' then eigener else 0.00 end as satz,
      case
        when klein then 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)'
        when kategorie = 'S' then ''
        when grund = '' and kategorie = 'AE' then 'Steuerschuldnerschaft des Leistungsempfängers'
        else grund
      end as grund,
      count(*) filter (where art = 'ueberschrift') over (order by nr) as abschnitt
    from classed
  ),
  numbered as (
    select l.*, (select count(*) from line v where v.abschnitt = 0) as davor,
      row_number() over (partition by abschnitt order by nr) as im_abschnitt,
      sum(betrag) filter (where zaehlt) over (partition by abschnitt) as unter
    from line l
  ),
  grp as (
    select kategorie, satz, sum(betrag) as positionen,
      coalesce((
        select string_agg(g.grund, '; ' order by g.erste)
        from (
          select i.grund, min(i.nr) as erste
          from line i
          where i.zaehlt and i.kategorie = l.kategorie and i.satz = l.satz and i.grund <> ''
          group by i.grund
        ) g
      ), '') as grund,
      row_number() over (order by array_position('{S,E,AE,O}'::text[], kategorie), satz desc) as platz
    from line l
    where zaehlt
    group by kategorie, satz
  ),
  total as (
    select coalesce(sum(g.positionen), 0.00) as positionen,
      round(coalesce(sum(g.positionen), 0) * h.prozent * 0.01, 2) as rabatt,
      coalesce(
        nullif(sign(sum(g.positionen) * h.prozent), 0),
        (
          select sign(f.positionen * h.prozent)
          from grp f
          where f.positionen * h.prozent <> 0
          order by f.platz limit 1
        ),
        0
      ) as seite,
      h.anzahlung, h.prozent
    from head h left join grp g on true
    group by h.prozent, h.anzahlung
  ),
  cut as (
    select g.*, t.rabatt as ganz, t.seite, case when t.seite < 0 then -1 else 1 end as dreh,
      floor(case when t.seite < 0 then -1 else 1 end * g.positionen * t.prozent) * 0.01 as ab,
      case when t.seite < 0 then -1 else 1 end * g.positionen * t.prozent * 0.01
        - floor(case when t.seite < 0 then -1 else 1 end * g.positionen * t.prozent) * 0.01 as verlust
    from grp g cross join total t
  ),
  share as (
    select c.*,
      round(
        dreh * (
          ab + case
            when row_number() over (order by verlust desc, platz)
              <= (dreh * ganz - sum(ab) over ()) * 100
            then 0.01
            else 0
          end
        ),
        2
      ) as anteil
    from cut c
  ),
  taxed as (
    select s.*, positionen - anteil as basis, round((positionen - anteil) * satz * 0.01, 2) as steuer
    from share s
  ),
  end_sum as (
    select t.positionen, t.rabatt, t.positionen - t.rabatt as netto,
      coalesce((select sum(x.steuer) from taxed x), 0.00) as steuer, t.anzahlung
    from total t
  )
  select jsonb_build_object(
    'summen', (
      select jsonb_build_object(
        'positionen', round(e.positionen, 2)::text, 'rabatt', round(e.rabatt, 2)::text,
        'netto', round(e.netto, 2)::text, 'steuer', round(e.steuer, 2)::text,
        'brutto', round(e.netto + e.steuer, 2)::text, 'anzahlung', round(e.anzahlung, 2)::text,
        'zahlbetrag', round(e.netto + e.steuer - e.anzahlung, 2)::text,
        'steuern', coalesce((
          select jsonb_agg(
            jsonb_build_object(
              'kategorie', x.kategorie, 'satz', round(x.satz, 2)::text, 'grund', x.grund,
              'positionen', round(x.positionen, 2)::text, 'rabatt', x.anteil::text,
              'basis', round(x.basis, 2)::text, 'steuer', round(x.steuer, 2)::text
            ) order by x.platz
          )
          from taxed x
        ), '[]')
      )
      from end_sum e
    ),
    'zeilen', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'nr', case
            when n.abschnitt = 0 then n.nr::text
            when n.art = 'ueberschrift' then (n.davor + n.abschnitt)::text
            else (n.davor + n.abschnitt) || '.' || (n.im_abschnitt - 1)
          end,
          'betrag', round(case
            when n.art = 'ueberschrift' then coalesce(n.unter, 0)
            else n.betrag
          end, 2)::text
        ) order by n.nr
      )
      from numbered n
    ), '[]')
  )
$$;
grant execute on function books.beleg_sums(jsonb, jsonb) to nutzer, forst_definer, forst_betrieb;

-- Decimals as a document writes them: no trailing zeros, prices with at least two places.
create or replace function books.decimal_text(value numeric, places integer default 0)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return case
    when scale(trim_scale(value)) < places then round(value, places)
    else trim_scale(value)
  end::text;
grant execute on function books.decimal_text(numeric, integer) to nutzer, forst_definer, forst_betrieb;

-- What issued corrections have changed of an invoice by a day, gross: zero or below.
create or replace function books.corrected(rechnung_id bigint, until date)
  returns numeric language sql stable set search_path = pg_catalog
  return coalesce((
    select sum(k.brutto)
    from app.rechnung k
    where k.korrektur_von = corrected.rechnung_id
      and k.zustand = 'ausgestellt'
      and k.rn_datum <= corrected.until
  ), 0);
grant execute on function books.corrected(bigint, date) to nutzer, forst_definer;
