-- The chain of the books (GoBD Rz. 107-112). Each state of each record of the books is sealed by one entry in
-- the transaction that writes it; an entry contains the hash of the one before. The check makes each entry
-- again from the present rows and names record and field. What it cannot find, and for how long:
-- docs/buchhaltung.md.

do $$
declare relation regclass;
begin
  foreach relation in array array['app.siegel', 'app.siegel_form', 'app.buchpruefung']::regclass[] loop
    perform rights.protect(relation);
    execute format('grant select, insert on %s to forst_definer', relation);
    execute format('grant select on %s to nutzer', relation);
    execute format(
      $p$create policy buchhaltung on %s for select to nutzer using ((select rights.reads_books()))$p$,
      relation
    );
  end loop;
end $$;

-- The records of the books: their key, which rows count, and the columns without a seal. Those follow from
-- others (suchtext), only steer the work (tries of a mail), or are bytes whose digest is a column (inhalt).
-- A logo is not sealed.
create or replace function books.sealed_tables()
  returns table (tabelle text, schluessel text, typ text, wo text, ohne text[])
  language sql immutable set search_path = pg_catalog as $$
  values ('rechnung', 'id', 'bigint', $w$r.zustand = 'ausgestellt'$w$, '{suchtext}'::text[]),
    ('angebot', 'id', 'bigint', $w$r.status <> 'entwurf'$w$, '{suchtext}'),
    (
      'position', 'id', 'bigint',
      $w$exists (select from app.rechnung x where x.id = r.rechnung_id and x.zustand = 'ausgestellt')
        or exists (select from app.angebot x where x.id = r.angebot_id and x.status <> 'entwurf')$w$,
      '{}'
    ),
    ('dokument', 'id', 'bigint', 'true', '{inhalt}'), ('zahlung', 'id', 'bigint', 'true', '{}'),
    ('kontoumsatz', 'id', 'bigint', 'true', '{}'), ('sepa_mandat', 'id', 'bigint', 'true', '{}'),
    ('sepa_lauf', 'id', 'bigint', 'true', '{}'), ('sepa_posten', 'id', 'bigint', 'true', '{}'),
    ('mahnung', 'id', 'bigint', 'true', '{}'),
    ('versand', 'id', 'bigint', 'true', '{versuche,naechster,begonnen_am,fehler}'),
    ('annahme_link', 'id', 'bigint', 'true', '{}'), ('nummernkreis', 'art', 'text', 'true', '{}'),
    ('lieferant', 'eines', 'boolean', 'true', '{logo}'), ('protokoll', 'nr', 'bigint', 'true', '{}'),
    ('eingang', 'id', 'bigint', 'true', '{inhalt,suchtext}'), ('kreditor', 'id', 'bigint', 'true', '{}'),
    ('eingang_zahlung', 'id', 'bigint', 'true', '{}'), ('zahllauf', 'id', 'bigint', 'true', '{}'),
    ('zahlposten', 'id', 'bigint', 'true', '{}'),
    (
      'anlage', 'id', 'bigint',
      $w$exists (select from app.rechnung x where x.id = r.rechnung_id and x.zustand = 'ausgestellt')$w$,
      '{inhalt}'
    )
$$;
grant execute on function books.sealed_tables() to forst_definer;

-- Columns of a table that its seals cover, as the check selects them.
create or replace function books.sealed_columns(tabelle text)
  returns text[] language sql stable set search_path = pg_catalog as $$
  select array_agg(a.attname::text order by a.attnum)
  from pg_attribute a
    join books.sealed_tables() t on t.tabelle = sealed_columns.tabelle
  where a.attrelid = ('app.' || sealed_columns.tabelle)::regclass
    and a.attnum > 0
    and not a.attisdropped
    and a.attname <> all (t.ohne)
$$;
grant execute on function books.sealed_columns(text) to forst_definer;

-- The line of an entry that is hashed: its columns and the hash of the one before, joined by |.
create or replace function books.seal_hash(s app.siegel, vorher bytea)
  returns bytea language sql stable set search_path = pg_catalog
  return sha256(convert_to(concat_ws(
    '|', s.nr, to_char(s.zeit at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), s.tabelle, s.schluessel,
    s.art, coalesce(s.user_id::text, ''), s.durch, s.form, encode(s.felder, 'hex'),
    encode(s.pruefsumme, 'hex'), encode(vorher, 'hex')
  ), 'UTF8'));
grant execute on function books.seal_hash(app.siegel, bytea) to forst_definer;

-- Before the first entry.
create or replace function books.seal_origin()
  returns bytea language sql immutable parallel safe set search_path = pg_catalog
  return decode(repeat('00', 32), 'hex');
grant execute on function books.seal_origin() to forst_definer;

create or replace function books.form_of(of_table text, columns text[])
  returns integer language plpgsql set search_path = pg_catalog as $$
declare found integer;
begin
  select f.form into found
  from app.siegel_form f
  where f.tabelle = of_table and f.spalten = columns;
  if found is null then
    insert into app.siegel_form (form, tabelle, spalten)
    select coalesce(max(f.form), 0) + 1, of_table, columns
    from app.siegel_form f
    returning siegel_form.form into found;
  end if;
  return found;
end $$;
grant execute on function books.form_of(text, text[]) to forst_definer;

-- Adds an entry. `werte`: the record without its unsealed columns; null: it was deleted.
create or replace function books.seal(of_table text, key text, act text, werte jsonb)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  last record;
  entry app.siegel;
  columns text[];
begin
  perform books.lock();
  select s.nr, s.hash into last from app.siegel s order by s.nr desc limit 1;
  if werte is null then
    columns := books.sealed_columns(of_table);
    select array_agg(c order by length(c), c collate "C") into columns from unnest(columns) c;
    entry.felder := '';
    entry.pruefsumme := books.seal_origin();
  else
    select array_agg(e.key order by e.nr),
      string_agg(substr(sha256(convert_to(e.value::text, 'UTF8')), 1, 4), ''::bytea order by e.nr)
    into columns, entry.felder
    from jsonb_each(werte) with ordinality as e(key, value, nr);
    entry.pruefsumme := sha256(convert_to(werte::text, 'UTF8'));
  end if;
  entry.nr := coalesce(last.nr, 0) + 1;
  entry.zeit := clock_timestamp();
  entry.tabelle := of_table;
  entry.schluessel := key;
  entry.art := act;
  entry.user_id := rights.user_id();
  entry.durch := coalesce(nullif(current_setting('role'), ''), 'none');
  entry.form := books.form_of(of_table, columns);
  entry.hash := books.seal_hash(entry, coalesce(last.hash, books.seal_origin()));
  insert into app.siegel select entry.*;
end $$;
grant execute on function books.seal(text, text, text, jsonb) to forst_definer;

-- Whether the last entry of a record says that it exists.
create or replace function books.is_sealed(of_table text, key text)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select coalesce((
    select s.art <> 'geloescht'
    from app.siegel s
    where s.tabelle = of_table and s.schluessel = key
    order by s.nr desc limit 1
  ), false)
$$;
grant execute on function books.is_sealed(text, text) to forst_definer;

-- Definer: the chain is closed. Times are written in UTC, whatever the session's zone.
create or replace function books.seal_row()
  returns trigger language plpgsql set search_path = pg_catalog set timezone = 'UTC' as $$
declare
  kind record;
  werte jsonb;
  earlier jsonb;
  key text;
  sealed boolean;
  line app.position;
  file record;
begin
  select t.* into kind from books.sealed_tables() t where t.tabelle = tg_table_name;
  if tg_op = 'DELETE' then
    -- Two statements: one would look for the column in every table.
    if tg_table_name in ('dokument', 'eingang', 'anlage') then
      key := old.id;
    else
      key := to_jsonb(old) ->> kind.schluessel;
    end if;
    if books.is_sealed(kind.tabelle, key) then
      perform books.seal(kind.tabelle, key, 'geloescht', null);
    end if;
    return null;
  end if;
  -- Bytes would be turned into text only to be left out.
  if tg_table_name in ('dokument', 'eingang', 'anlage') then
    new.inhalt := null;
    if tg_op = 'UPDATE' then old.inhalt := null; end if;
  elsif tg_table_name = 'lieferant' then
    new.logo := null;
    if tg_op = 'UPDATE' then old.logo := null; end if;
  end if;
  werte := to_jsonb(new) - kind.ohne;
  key := werte ->> kind.schluessel;
  if tg_op = 'UPDATE' then
    earlier := to_jsonb(old) - kind.ohne;
    if earlier = werte then return null; end if;
  end if;
  if (tg_table_name = 'rechnung' and werte ->> 'zustand' <> 'ausgestellt')
    or (tg_table_name = 'angebot' and werte ->> 'status' = 'entwurf')
    or (
      tg_table_name = 'position'
      and not books.is_position_fixed((werte ->> 'rechnung_id')::bigint, (werte ->> 'angebot_id')::bigint)
    )
    or (
      tg_table_name = 'anlage' and not books.is_position_fixed((werte ->> 'rechnung_id')::bigint, null)
    )
  then
    return null;
  end if;
  sealed := tg_op = 'UPDATE' and books.is_sealed(kind.tabelle, key);
  perform books.seal(kind.tabelle, key, case when sealed then 'geaendert' else 'neu' end, werte);
  -- With its issue the lines of a document are fixed.
  if tg_table_name in ('rechnung', 'angebot') and tg_op = 'UPDATE' and not sealed then
    for line in
      select p.*
      from app.position p
      where (tg_table_name = 'rechnung' and p.rechnung_id = (werte ->> 'id')::bigint)
        or (tg_table_name = 'angebot' and p.angebot_id = (werte ->> 'id')::bigint)
      order by p.lfd_nr, p.id
    loop
      perform books.seal('position', line.id::text, 'neu', to_jsonb(line));
    end loop;
  end if;
  if tg_table_name = 'rechnung' and tg_op = 'UPDATE' and not sealed then
    -- Without the bytes, in the order of the columns that books.sealed_columns names.
    for file in
      select a.id, a.client_id, a.rechnung_id, a.name, a.beschreibung, a.dateiname, a.mime, a.sha256,
        a.groesse
      from app.anlage a
      where a.rechnung_id = (werte ->> 'id')::bigint
      order by a.id
    loop
      perform books.seal('anlage', file.id::text, 'neu', to_jsonb(file));
    end loop;
  end if;
  return null;
end $$;
select rights.define('books.seal_row()');

create or replace function books.is_position_fixed(of_rechnung bigint, of_angebot bigint)
  returns boolean language sql stable set search_path = pg_catalog
  return exists (select from app.rechnung r where r.id = of_rechnung and r.zustand = 'ausgestellt')
    or exists (select from app.angebot a where a.id = of_angebot and a.status <> 'entwurf');
grant execute on function books.is_position_fixed(bigint, bigint) to forst_definer;

-- Definer: every role that writes takes the lock before it holds a row, or two could wait for each other.
create or replace function books.lock_first()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform books.lock();
  return null;
end $$;
select rights.define('books.lock_first()');

-- Entries and proofs are only added.
create or replace function books.refuse_seal_change()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform books.refuse_issued(tg_table_name || ' is only added to');
  return null;
end $$;
grant execute on function books.refuse_seal_change() to forst_definer, forst_betrieb;

do $$
declare
  kind record;
  name text;
begin
  for kind in select t.* from books.sealed_tables() t loop
    execute format(
      'create or replace trigger b_sperre before insert or delete on app.%I for each statement
        when (current_user <> ''forst_betrieb'') execute function books.lock_first()',
      kind.tabelle
    );
    -- Of a delivery only changes of sealed columns wait for the lock: taking a mail does not.
    execute format(
      'create or replace trigger b_sperre_neu before update of %s on app.%I for each statement
        when (current_user <> ''forst_betrieb'') execute function books.lock_first()',
      array_to_string(array(select quote_ident(c) from unnest(books.sealed_columns(kind.tabelle)) c), ', '),
      kind.tabelle
    );
    execute format(
      'create or replace trigger zz_siegel after insert or update or delete on app.%I for each row
        when (current_user <> ''forst_betrieb'') execute function books.seal_row()',
      kind.tabelle
    );
    execute format(
      'create or replace trigger a_leeren before truncate on app.%I for each statement
        execute function books.refuse_truncate()',
      kind.tabelle
    );
  end loop;
  foreach name in array '{siegel,siegel_form,buchpruefung}'::text[] loop
    execute format(
      'create or replace trigger a_fest before update or delete on app.%I for each row
        execute function books.refuse_seal_change()',
      name
    );
    execute format(
      'create or replace trigger a_leeren before truncate on app.%I for each statement
        execute function books.refuse_truncate()',
      name
    );
  end loop;
  -- Without a seal, because they follow from sealed records or say how the next ones are made; but the books
  -- do their work with them: debtor accounts, what is open, which invoices a series has made, which mails
  -- have become received invoices, which documents are still to be typeset.
  foreach name in array
    '{kunde_rechnung,rechnung_offen,angebot_offen,serie,serie_lauf,eingang_mail,dokument_auftrag}'::text[]
  loop
    execute format(
      'create or replace trigger a_leeren before truncate on app.%I for each statement
        execute function books.refuse_truncate()',
      name
    );
  end loop;
end $$;

-- Seals what has no entry yet: records from before the chain, or inserted by forst_betrieb. Returns how many.
create or replace function books.seal_missing()
  returns bigint language plpgsql set search_path = pg_catalog set timezone = 'UTC' as $$
declare
  kind record;
  found record;
  made bigint := 0;
begin
  perform books.lock();
  for kind in select t.* from books.sealed_tables() t loop
    for found in execute format(
      'select r.%1$I::text as schluessel, (
          select to_jsonb(c) from (select %2$s) c
        ) as werte
        from app.%3$I r
        where (%4$s) and not books.is_sealed(%3$L, r.%1$I::text)
        order by r.%1$I',
      kind.schluessel,
      array_to_string(
        array(select 'r.' || quote_ident(c) from unnest(books.sealed_columns(kind.tabelle)) c), ', '
      ),
      kind.tabelle, kind.wo
    ) loop
      perform books.seal(kind.tabelle, found.schluessel, 'bestand', found.werte);
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;
select rights.define('books.seal_missing()');

-- Definer: under forced row security an owner without superuser rights sees no entry, and would seal again
-- with each version. Books that were kept before there was a chain enter it as they are.
create or replace function books.begin_chain()
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if not exists (select from app.siegel) then perform books.seal_missing(); end if;
end $$;
select rights.define('books.begin_chain()');
select books.begin_chain();
-- By a role of the product: an entry of the chain by nobody would be reported as written by hand.
do $$
begin
  set local role forst_definer;
  perform books.adopt_paid_eingang();
  reset role;
end $$;

-- The check -------------------------------------------------------------------------------------------------

-- Links of the chain after an entry. luecke: a number is missing; kette: does not follow from the one before;
-- von_hand: written by a login past the application, or sealed as found although the chain had begun.
create or replace function books.check_links(after bigint, vorher bytea)
  returns table (nr bigint, was text, tabelle text, schluessel text)
  language sql stable set search_path = pg_catalog as $$
  with begun as (select min(s.nr) as nr from app.siegel s where s.art <> 'bestand'),
  link as (
    select s.nr, s.tabelle, s.schluessel, s.art, s.durch, s.hash,
      row_number() over (order by s.nr) + after as platz,
      books.seal_hash(s, lag(s.hash, 1, vorher) over (order by s.nr)) as soll
    from app.siegel s
    where s.nr > after
  )
  select l.nr, case when l.nr <> l.platz then 'luecke' when l.hash <> l.soll then 'kette' else 'von_hand' end,
    l.tabelle, l.schluessel
  from link l cross join begun b
  where l.nr <> l.platz
    or l.hash <> l.soll
    or (l.art = 'bestand' and l.nr > b.nr)
    or (l.art <> 'bestand' and l.durch = 'none')
  order by l.nr limit 20
$$;
grant execute on function books.check_links(bigint, bytea) to forst_definer;

-- Columns of a record that differ from its entry.
create or replace function books.changed_columns(werte jsonb, columns text[], felder bytea)
  returns text[] language sql immutable set search_path = pg_catalog as $$
  select array_agg(c.name order by c.nr)
  from unnest(columns) with ordinality as c(name, nr)
  where substr(
    sha256(convert_to(coalesce((werte -> c.name)::text, 'null'), 'UTF8')), 1, 4
  ) <> substr(felder, c.nr::integer * 4 - 3, 4)
$$;
grant execute on function books.changed_columns(jsonb, text[], bytea) to forst_definer;

-- Records whose last entry is after `after`, compared with it. inhalt: changed, with its columns; fehlt:
-- gone;
-- form: a column of the entry does not exist any more.
create or replace function books.check_records(of_table text, after bigint)
  returns table (nr bigint, was text, schluessel text, felder text[])
  language plpgsql stable set search_path = pg_catalog set timezone = 'UTC' as $$
declare
  kind record;
  shape app.siegel_form;
begin
  select t.* into kind from books.sealed_tables() t where t.tabelle = of_table;
  for shape in select f.* from app.siegel_form f where f.tabelle = of_table order by f.form loop
    if not shape.spalten <@ books.sealed_columns(of_table) then
      return query
        select s.nr, 'form', s.schluessel, shape.spalten
        from app.siegel s
        where s.form = shape.form
        order by s.nr limit 1;
      continue;
    end if;
    return query 
      execute format(
        'select s.nr, case when p.werte is null then ''fehlt'' else ''inhalt'' end, s.schluessel,
          case when p.werte is not null then books.changed_columns(p.werte, $2, s.felder) end
        from app.siegel s
          left join lateral (
            select to_jsonb(c) as werte from (select %1$s from app.%2$I r where r.%3$I = s.schluessel::%4$s) c
          ) p on true
        where s.tabelle = %2$L and s.form = $1 and s.nr > $3 and s.art <> ''geloescht''
          and not exists (
            select from app.siegel n
            where n.tabelle = %2$L and n.schluessel = s.schluessel and n.nr > s.nr
          )
          and (p.werte is null or sha256(convert_to(p.werte::text, ''UTF8'')) <> s.pruefsumme)
        order by s.nr limit 20',
        array_to_string(array(select 'r.' || quote_ident(c) from unnest(shape.spalten) c), ', '), of_table,
        kind.schluessel, kind.typ
      ) using shape.form,
      shape.spalten, after;
  end loop;
end $$;
grant execute on function books.check_records(text, bigint) to forst_definer;

-- Records without an entry, or that exist although their deletion is recorded.
create or replace function books.check_unsealed(of_table text)
  returns table (schluessel text) language plpgsql stable set search_path = pg_catalog as $$
declare kind record;
begin
  select t.* into kind from books.sealed_tables() t where t.tabelle = of_table;
  return query execute format(
    'select r.%1$I::text from app.%2$I r
      where (%3$s) and not books.is_sealed(%2$L, r.%1$I::text) order by r.%1$I limit 20',
    kind.schluessel, of_table, kind.wo
  );
end $$;
grant execute on function books.check_unsealed(text) to forst_definer;

-- Faults of the chain and of the records after an entry; of everything with `whole`.
create or replace function books.check_seals(after bigint, vorher bytea, whole boolean)
  returns table (nr bigint, was text, tabelle text, schluessel text, felder text[])
  language plpgsql stable set search_path = pg_catalog as $$
declare kind record;
begin
  return query
    select l.nr, l.was, l.tabelle, l.schluessel, null::text[]
    from books.check_links(check_seals.after, check_seals.vorher) l;
  for kind in select t.* from books.sealed_tables() t loop
    return query
      select c.nr, c.was, kind.tabelle, c.schluessel, c.felder
      from books.check_records(kind.tabelle, check_seals.after) c;
    if whole then
      return query
        select null::bigint, 'ohne_eintrag', kind.tabelle, u.schluessel, null::text[]
        from books.check_unsealed(kind.tabelle) u;
    end if;
  end loop;
  if whole then
    return query
      select null::bigint, 'summe', o.tabelle, o.schluessel::text, null::text[]
      from books.check_open() o
      order by 3, 4 limit 20;
  end if;
end $$;
grant execute on function books.check_seals(bigint, bytea, boolean) to forst_definer;

-- Every link of the log, and every issued document against it. `nr` is the first faulty row, `was` the fault:
-- luecke (a number is missing), kette (does not follow the one before), inhalt (changed), beleg (a frozen
-- document was changed), ohne_eintrag (issued and never recorded), fehlt (recorded and missing).
create or replace function books.check_journal()
  returns table (
    ok boolean, zeilen bigint, belege bigint, nr bigint, was text, gegenstand text, gegenstand_id bigint,
    kopf text
  ) language plpgsql stable set search_path = pg_catalog as $$
declare
  found_fault record;
  total bigint;
  documents bigint;
  head text;
begin
  select count(*) into total from app.protokoll;
  select p.hash into head from app.protokoll p order by p.nr desc limit 1;
  select count(*) into documents
  from (
    select from app.rechnung r
    where r.beleg is not null
    union all
    select from app.angebot a
    where a.beleg is not null
  ) d;
  select x.nr, x.was, x.gegenstand, x.gegenstand_id into found_fault
  from (
    select c.nr,
      case
        when c.nr <> c.platz then 'luecke'
        when c.vorher <> c.davor then 'kette'
        when c.hash <> c.soll then 'inhalt'
      end as was,
      c.gegenstand, c.gegenstand_id
    from (
      select p.nr, p.vorher, p.hash, p.gegenstand, p.gegenstand_id,
        row_number() over (order by p.nr) as platz,
        lag(p.hash, 1, repeat('0', 64)) over (order by p.nr) as davor, books.entry_hash(p) as soll
      from app.protokoll p
    ) c
  ) x
  where x.was is not null
  order by x.nr limit 1;
  if not found then
    select e.nr,
      case when d.id is null then 'fehlt' when e.nr is null then 'ohne_eintrag' else 'beleg' end as was,
      coalesce(d.gegenstand, e.gegenstand) as gegenstand, coalesce(d.id, e.gegenstand_id) as gegenstand_id
    into found_fault
    from (
      select 'rechnung' as gegenstand, r.id, books.beleg_sha256(r.beleg) as sha256,
        r.netto = (r.beleg #>> '{summen,netto}')::numeric
          and r.steuer = (r.beleg #>> '{summen,steuer}')::numeric
          and r.zahlbetrag = (r.beleg #>> '{summen,zahlbetrag}')::numeric
          and r.nummer = r.beleg ->> 'nummer'
          and r.rn_datum = (r.beleg ->> 'datum')::date
          and r.client_id::text = r.beleg #>> '{empfaenger,client_id}' as stimmt
      from app.rechnung r
      where r.beleg is not null
      union all
      select 'angebot', a.id, books.beleg_sha256(a.beleg),
        a.netto = (a.beleg #>> '{summen,netto}')::numeric
          and a.steuer = (a.beleg #>> '{summen,steuer}')::numeric
          and a.an_datum = (a.beleg ->> 'datum')::date
      from app.angebot a
      where a.beleg is not null
    ) d
      full join (
        select p.nr, p.gegenstand, p.gegenstand_id, p.inhalt ->> 'sha256' as sha256
        from app.protokoll p
        where p.ereignis = 'ausgestellt'
          and not exists (
            select from app.protokoll g
            where g.gegenstand = p.gegenstand
              and g.gegenstand_id = p.gegenstand_id
              and g.ereignis = 'aufbewahrung_abgelaufen'
          )
      ) e on e.gegenstand = d.gegenstand and e.gegenstand_id = d.id
    where d.id is null or e.nr is null or d.sha256 <> e.sha256 or not coalesce(d.stimmt, false)
    order by e.nr nulls last limit 1;
  end if;
  return query
    select found_fault.was is null, total, documents, found_fault.nr, found_fault.was, found_fault.gegenstand,
      found_fault.gegenstand_id, head;
end $$;
grant execute on function books.check_journal() to forst_definer;

-- Definer: the chain and the proofs are closed. The log, every entry of the chain and every record; or, with
-- `nur_neue`, the entries since the last proof and their records. `befunde`: at most 100 faults of the chain,
-- [{nr, was, tabelle, schluessel, felder}]. The proof is kept.
create or replace function books.prove_journal(nur_neue boolean)
  returns table (
    ok boolean, zeilen bigint, belege bigint, nr bigint, was text, gegenstand text, gegenstand_id bigint,
    kopf text, siegel bigint, geprueft bigint, siegel_kopf text, befunde jsonb
  ) language plpgsql set search_path = pg_catalog set statement_timeout = '120s' as $$
declare
  journal record;
  last app.buchpruefung;
  head record;
  faults jsonb;
  begun timestamptz := clock_timestamp();
begin
  if nur_neue then
    select b.* into last
    from app.buchpruefung b
    where b.ok and b.art in ('neu', 'alles')
    order by b.id desc limit 1;
  end if;
  select s.nr, s.hash into head from app.siegel s order by s.nr desc limit 1;
  select coalesce(
    jsonb_agg(jsonb_build_object(
      'nr', f.nr, 'was', f.was, 'tabelle', f.tabelle, 'schluessel', f.schluessel, 'felder', f.felder
    )),
    '[]'
  ) into faults
  from (
    select c.*
    from books.check_seals(coalesce(last.bis, 0), coalesce(last.kopf, books.seal_origin()), last.id is null) c
    limit 100
  ) f;
  -- The proof before ended at an entry that must still be there.
  if last.id is not null
    and not exists (select from app.siegel s where s.nr = last.bis and s.hash = last.kopf)
  then
    faults := faults || jsonb_build_object('nr', last.bis, 'was', 'abgeschnitten');
  end if;
  if last.id is null then
    select j.* into journal from books.check_journal() j;
  else
    select true as ok, (select count(*) from app.protokoll) as zeilen, null::bigint as belege,
      null::bigint as nr, null::text as was, null::text as gegenstand, null::bigint as gegenstand_id,
      (select p.hash from app.protokoll p order by p.nr desc limit 1) as kopf into journal;
  end if;
  insert into app.buchpruefung (art, bis, kopf, anzahl, dauer_ms, ok, befunde, user_id)
  values (
    case when last.id is null then 'alles' else 'neu' end, coalesce(head.nr, 0),
    coalesce(head.hash, books.seal_origin()), coalesce(head.nr, 0) - coalesce(last.bis, 0),
    extract(epoch from clock_timestamp() - begun)::numeric * 1000, journal.ok and faults = '[]', faults,
    rights.user_id()
  );
  return query
    select journal.ok and faults = '[]', journal.zeilen, journal.belege, journal.nr, journal.was,
      journal.gegenstand, journal.gegenstand_id, journal.kopf, coalesce(head.nr, 0),
      coalesce(head.nr, 0) - coalesce(last.bis, 0), encode(head.hash, 'hex'), faults;
end $$;
select rights.define('books.prove_journal(boolean)');
grant execute on function books.prove_journal(boolean) to forst_betrieb;

-- The same for people of the books.
drop function if exists app.a_check_protokoll();
create or replace function app.a_check_protokoll(nur_neue boolean default false)
  returns table (
    ok boolean, zeilen bigint, belege bigint, nr bigint, was text, gegenstand text, gegenstand_id bigint,
    kopf text, siegel bigint, geprueft bigint, siegel_kopf text, befunde jsonb
  ) language plpgsql set search_path = pg_catalog set statement_timeout = '120s' as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query select p.* from books.prove_journal(a_check_protokoll.nur_neue) p;
end $$;
select rights.define('app.a_check_protokoll(boolean)');
grant execute on function app.a_check_protokoll(boolean) to nutzer;

-- Stored bytes that the books rely on, after a place: documents, received invoices and attachments, each kind
-- with places of its own, so that one number says how far a check has come. Each by its index.
create or replace function books.stored_files(after bigint, most bigint)
  returns table (platz bigint, tabelle text, id bigint, groesse integer, sha256 text)
  language sql stable set search_path = pg_catalog as $$
  (
    select d.id, 'dokument', d.id, d.groesse, d.sha256
    from app.dokument d
    where d.id > stored_files.after
    order by d.id limit stored_files.most
  )
  union all (
    select 1000000000000000 + e.id, 'eingang', e.id, e.groesse, e.sha256
    from app.eingang e
    where e.id > stored_files.after - 1000000000000000
    order by e.id limit stored_files.most
  )
  union all (
    select 2000000000000000 + a.id, 'anlage', a.id, a.groesse, a.sha256
    from app.anlage a
    where a.id > stored_files.after - 2000000000000000
    order by a.id limit stored_files.most
  )
  order by 1 limit stored_files.most
$$;
grant execute on function books.stored_files(bigint, bigint) to forst_definer;

-- The digest of the bytes as they are, which the column does not say.
create or replace function books.digest_now(of_table text, of_id bigint)
  returns text language plpgsql stable set search_path = pg_catalog as $$
declare digest text;
begin
  execute format('select encode(sha256(x.inhalt), ''hex'') from app.%I x where x.id = $1', of_table)
    into digest
    using of_id;
  return digest;
end $$;
grant execute on function books.digest_now(text, bigint) to forst_definer;

-- Definer: the bytes are closed. Compares stored files with their digests, from a place on, at most `most`
-- bytes and one file more. `bis`: the last one compared; `fertig`: there are no more.
create or replace function books.check_files(after bigint, most bigint)
  returns table (bis bigint, anzahl bigint, groesse bigint, fertig boolean, befunde jsonb)
  language sql stable set search_path = pg_catalog set statement_timeout = '60s' as $$
  with part as (
    select max(d.platz) as bis, count(*) as anzahl, coalesce(sum(d.groesse), 0)::bigint as groesse,
      coalesce(
        jsonb_agg(
          jsonb_build_object('was', 'datei', 'tabelle', d.tabelle, 'schluessel', d.id::text) order by d.platz
        ) filter (where books.digest_now(d.tabelle, d.id) is distinct from d.sha256),
        '[]'
      ) as befunde
    from (
      select f.*, sum(f.groesse) over (order by f.platz) - f.groesse as davor
      from books.stored_files(check_files.after, 2000) f
    ) d
    where d.davor < check_files.most
  )
  select coalesce(p.bis, check_files.after), p.anzahl, p.groesse,
    not exists (select from books.stored_files(coalesce(p.bis, check_files.after), 1)), p.befunde
  from part p
$$;
select rights.define('books.check_files(bigint, bigint)');
grant execute on function books.check_files(bigint, bigint) to forst_betrieb;

-- Keeps a proof of the bytes. `until`: the last file compared (its place in books.stored_files).
create or replace function books.keep_files_proof(
  until bigint, files bigint, bytes bigint, took_ms integer, faults jsonb
) returns void language sql set search_path = pg_catalog as $$
  insert into app.buchpruefung (art, bis, anzahl, groesse, dauer_ms, ok, befunde, user_id)
  values ('dateien', until, files, bytes, took_ms, faults = '[]', faults, rights.user_id())
$$;
select rights.define('books.keep_files_proof(bigint, bigint, bigint, integer, jsonb)');
grant execute on function books.keep_files_proof(bigint, bigint, bigint, integer, jsonb) to forst_betrieb;

-- Keeps a proof of the head of the chain: `anker` is the nightly comparison with the anchors, `mail` and
-- `stempel` say how the head of the last one left the house. `head`: null while nothing is sealed.
create or replace function books.keep_head_proof(
  kind text, nr bigint, head text, checked bigint, faults jsonb
) returns void language sql set search_path = pg_catalog as $$
  insert into app.buchpruefung (art, bis, kopf, anzahl, dauer_ms, ok, befunde, user_id)
  values (kind, nr, decode(head, 'hex'), checked, 0, faults = '[]', faults, rights.user_id())
$$;
select rights.define('books.keep_head_proof(text, bigint, text, bigint, jsonb)');
grant execute on function books.keep_head_proof(text, bigint, text, bigint, jsonb) to forst_betrieb;

-- One part of the bytes for people of the books, as much as one request can read.
create or replace function app.a_check_dateien(ab bigint default 0)
  returns table (bis bigint, anzahl bigint, groesse bigint, fertig boolean, befunde jsonb)
  language plpgsql set search_path = pg_catalog set statement_timeout = '60s' as $$
declare
  part record;
  begun timestamptz := clock_timestamp();
begin
  perform rights.refuse_unless(rights.reads_books());
  select c.* into part from books.check_files(a_check_dateien.ab, 67108864) c;
  perform books.keep_files_proof(
    part.bis, part.anzahl, part.groesse, (extract(epoch from clock_timestamp() - begun) * 1000)::integer,
    part.befunde
  );
  return query select part.bis, part.anzahl, part.groesse, part.fertig, part.befunde;
end $$;
select rights.define('app.a_check_dateien(bigint)');
grant execute on function app.a_check_dateien(bigint) to nutzer;

-- Anchors outside the database: server/anchors.ts -----------------------------------------------------------

-- Definer: the chain is closed. The last entry: its number, and its hash in hex.
create or replace function books.chain_head()
  returns table (nr bigint, kopf text) language sql stable set search_path = pg_catalog as $$
  select s.nr, encode(s.hash, 'hex') from app.siegel s order by s.nr desc limit 1
$$;
select rights.define('books.chain_head()');
grant execute on function books.chain_head() to forst_betrieb, forst_dokument;

-- Definer: the chain is closed. Of these entries: number and hash in hex.
create or replace function books.heads_of(numbers bigint[])
  returns table (nr bigint, kopf text) language sql stable set search_path = pg_catalog as $$
  select s.nr, encode(s.hash, 'hex') from app.siegel s where s.nr = any(numbers)
$$;
select rights.define('books.heads_of(bigint[])');
grant execute on function books.heads_of(bigint[]) to forst_betrieb;

-- The same for people of the books, to compare them with the anchors.
create or replace function app.a_get_siegel_koepfe(nummern bigint[])
  returns table (nr bigint, kopf text) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query select h.* from books.heads_of(nummern) h;
end $$;
select rights.define('app.a_get_siegel_koepfe(bigint[])');
grant execute on function app.a_get_siegel_koepfe(bigint[]) to nutzer;

-- Definer: notices are closed. To the bookkeeping, once a day: a check found faults.
create or replace function notices.notify_books(faults integer)
  returns integer language sql set search_path = pg_catalog as $$
  select notices.notify(
    'buecher_befund', notices.people_with_status('apus_admin', 'admin'),
    'buecher/' || (now() at time zone 'Europe/Berlin')::date, jsonb_build_object('anzahl', faults),
    '/buchhaltung/pruefung?teil=pruefung'
  )
$$;
select rights.define('notices.notify_books(integer)');
grant execute on function notices.notify_books(integer) to forst_betrieb;

-- For an auditor's archive: records as their seals cover them. `werte`: the text that is hashed; `nr`: the
-- last entry of the record. Deleted ones and those without an entry are left out.
create or replace function books.sealed_records(of_table text, keys text[])
  returns table (nr bigint, schluessel text, werte text)
  language plpgsql stable set search_path = pg_catalog set timezone = 'UTC' as $$
declare
  kind record;
  shape app.siegel_form;
begin
  select t.* into kind from books.sealed_tables() t where t.tabelle = of_table;
  for shape in
    select f.*
    from app.siegel_form f
    where f.tabelle = of_table and f.spalten <@ books.sealed_columns(of_table)
    order by f.form
  loop
    return query 
      execute format(
        'select l.nr, l.schluessel, to_jsonb(c)::text
        from unnest($1) as k(schluessel)
          cross join lateral (
            select s.nr, s.schluessel, s.form, s.art
            from app.siegel s
            where s.tabelle = %2$L and s.schluessel = k.schluessel
            order by s.nr desc limit 1
          ) l
          join app.%2$I r on r.%3$I = l.schluessel::%4$s
          cross join lateral (select %1$s) c
        where l.form = $2 and l.art <> ''geloescht''
        order by l.nr',
        array_to_string(array(select 'r.' || quote_ident(c) from unnest(shape.spalten) c), ', '), of_table,
        kind.schluessel, kind.typ
      ) using keys,
      shape.form;
  end loop;
end $$;
grant execute on function books.sealed_records(text, text[]) to forst_definer;

-- Definer: the chain is closed. The same for people of the books, of what the archive contains: the hash of a
-- link's code is nobody's.
create or replace function app.a_get_siegel_saetze(tabelle text, kennungen text[])
  returns table (nr bigint, schluessel text, werte text)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    select s.*
    from books.sealed_records(a_get_siegel_saetze.tabelle, kennungen) s
    where a_get_siegel_saetze.tabelle = any (
      '{rechnung,angebot,position,dokument,zahlung,kontoumsatz,mahnung,versand,protokoll,eingang,
          kreditor,anlage,sepa_mandat,sepa_lauf,sepa_posten,
          eingang_zahlung,zahllauf,zahlposten}'::text[]
    );
end $$;
select rights.define('app.a_get_siegel_saetze(text, text[])');
grant execute on function app.a_get_siegel_saetze(text, text[]) to nutzer;
