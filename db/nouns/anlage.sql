-- Files that go with an invoice. Chosen while it is a draft; from its issue on they are as fixed as the
-- document, which names their digests. The books read them, and a customer's admins those of their invoices.

-- nutzer sees everything but the bytes: the server hands those out after it has asked for the row as the
-- caller.
select rights.protect('app.anlage');
grant select, insert, update, delete on app.anlage to forst_definer;
grant select (id, client_id, rechnung_id, name, beschreibung, dateiname, mime, sha256, groesse) on app.anlage
  to nutzer;
create policy buchhaltung on app.anlage for select to nutzer using ((select rights.has_role('apus_admin')));
-- Definer: the books are closed to customers.
create or replace function books.is_issued(rechnung_id bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (select from app.rechnung r where r.id = is_issued.rechnung_id and r.beleg is not null)
$$;
select rights.define('books.is_issued(bigint)');
grant execute on function books.is_issued(bigint) to nutzer;
create policy own on app.anlage for select to nutzer
  using (
    client_id = any ((select rights.kunden_as('kundenadmin', 'appuser_admin'))::bigint[])
    and books.is_issued(rechnung_id)
  );
grant select on app.anlage to forst_dokument;
create policy dokument on app.anlage for select to forst_dokument using (true);

-- Definer: the caller need not be able to see the invoice.
create or replace function books.check_anlage_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare entry app.anlage;
begin
  foreach entry in array case tg_op
    when 'INSERT' then array[new]
    when 'DELETE' then array[old]
    else array[old, new]
  end loop
    if books.is_issued(entry.rechnung_id) then perform books.refuse_issued('anlage ' || entry.id); end if;
  end loop;
  return case tg_op when 'DELETE' then old else new end;
end $$;
select rights.define('books.check_anlage_frozen()');
create or replace trigger a_fest before insert or update or delete on app.anlage
  for each row execute function books.check_anlage_frozen();

-- As the document names them; null if there are none.
create or replace function books.beleg_anlagen(rechnung_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_agg(
    jsonb_build_object(
      'id', a.id::text, 'name', a.name, 'beschreibung', a.beschreibung, 'dateiname', a.dateiname,
      'mime', a.mime, 'sha256', a.sha256, 'groesse', a.groesse
    ) order by a.id
  )
  from app.anlage a
  where a.rechnung_id = beleg_anlagen.rechnung_id
$$;
grant execute on function books.beleg_anlagen(bigint) to forst_definer;

create or replace function books.check_anlage_words(name text, beschreibung text)
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  perform checks.check_value(check_anlage_words.name <> '', 'name', 'fehlt'),
    checks.check_value(checks.is_line(check_anlage_words.name, 100), 'name', 'zeile_100'),
    checks.check_value(not checks.is_unprintable(check_anlage_words.name), 'name', 'zeichen_druck'),
    checks.check_value(
      checks.is_line_or_empty(check_anlage_words.beschreibung, 200), 'beschreibung', 'zeile_200'
    ),
    checks.check_value(
      not checks.is_unprintable(check_anlage_words.beschreibung), 'beschreibung', 'zeichen_druck'
    );
end $$;
grant execute on function books.check_anlage_words(text, text) to forst_definer;

-- A name that none of the invoice's files has: "Plan (2).pdf". Systems that do not tell A from a save both.
create or replace function books.free_file_name(rechnung_id bigint, wanted text)
  returns text language sql stable set search_path = pg_catalog as $$
  select n.name
  from generate_series(1, 99) i,
    lateral (
      select case
        when i = 1 then wanted
        else
          left(regexp_replace(wanted, '\.[^.]*$', ''), 140)
            || ' ('
            || i
            || ')'
            || coalesce(substring(wanted from '\.[^.]*$'), '')
      end as name
    ) n
  where not exists (
    select from app.anlage a
    where a.rechnung_id = free_file_name.rechnung_id and lower(a.dateiname) = lower(n.name)
  )
  order by i limit 1
$$;
grant execute on function books.free_file_name(bigint, text) to forst_definer;

-- Definer: only procedures write the books. A file that the server has read and judged.
create or replace function books.add_anlage(
  invoice_id bigint, name text, beschreibung text, dateiname text, mime text, inhalt bytea
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  draft app.rechnung;
  room record;
  made app.anlage;
  words text := btrim(coalesce(add_anlage.name, ''));
  more text := btrim(coalesce(add_anlage.beschreibung, ''));
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  draft := books.rechnung_draft(add_anlage.invoice_id);
  perform books.check_anlage_words(words, more);
  select coalesce(max(l.anlagen_anzahl), 20) as files, coalesce(max(l.anlagen_mb), 15) * 1000000 as bytes
  into room
  from app.lieferant l;
  if (select count(*) from app.anlage a where a.rechnung_id = draft.id) >= room.files then
    raise sqlstate 'PT409' using message = 'too many attachments', hint = 'anlage_viele';
  end if;
  if (
    select coalesce(sum(a.groesse), 0) from app.anlage a where a.rechnung_id = draft.id
  ) + octet_length(add_anlage.inhalt) > room.bytes then
    raise sqlstate 'PT409' using message = 'the attachments are too large', hint = 'anlage_gross';
  end if;
  if exists (
    select from app.anlage a
    where a.rechnung_id = draft.id and a.sha256 = encode(sha256(add_anlage.inhalt), 'hex')
  ) then
    raise sqlstate 'PT409' using message = 'attached already', hint = 'anlage_doppelt';
  end if;
  insert into app.anlage as a (client_id, rechnung_id, name, beschreibung, dateiname, mime, inhalt)
  values (
    draft.client_id, draft.id, words, more, books.free_file_name(draft.id, add_anlage.dateiname),
    add_anlage.mime, add_anlage.inhalt
  )
  returning a.* into made;
  perform books.record(
    'rechnung', draft.id, draft.client_id, 'anlage_neu',
    jsonb_build_object('anlage', made.name, 'datei', made.dateiname, 'sha256', made.sha256)
  );
  -- The draft is no longer what its reader saw: a new version.
  perform books.compute_rechnung(draft.id);
  return made.id;
end $$;
select rights.define('books.add_anlage(bigint, text, text, text, text, bytea)');
grant execute on function books.add_anlage(bigint, text, text, text, text, bytea) to forst_dokument;

-- Of one invoice, in the order in which they were added. As the caller.
create or replace function app.a_get_anlagen(invoice_id bigint)
  returns table (
    id bigint, name text, beschreibung text, dateiname text, mime text, groesse integer, sha256 text
  ) language sql stable set search_path = pg_catalog as $$
  select a.id, a.name, a.beschreibung, a.dateiname, a.mime, a.groesse, a.sha256
  from app.anlage a
  where a.rechnung_id = a_get_anlagen.invoice_id
  order by a.id
$$;
grant execute on function app.a_get_anlagen(bigint) to nutzer;

-- What may still be added to an invoice, and the files that hang at its customer and the records of that
-- customer, newest first. Files of other kinds than EN 16931 allows are left out. As the caller, who sees the
-- files that they may see anyway.
create or replace function app.a_get_anlage_quellen(invoice_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare client bigint;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  select r.client_id into client
  from app.rechnung r
  where r.id = a_get_anlage_quellen.invoice_id;
  perform rights.check_found(found);
  return jsonb_build_object(
    'anzahl', coalesce((select l.anlagen_anzahl from app.lieferant l), 20),
    'bytes', coalesce((select l.anlagen_mb from app.lieferant l), 15) * 1000000,
    'dateien', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'id', d.id, 'name', d.name, 'groesse', d.groesse, 'art', d.art, 'datensatz', d.datensatz,
          'angelegt_am', d.angelegt_am, 'angehaengt', d.angehaengt
        ) order by d.id desc
      )
      from (
        select f.id, f.name, f.groesse, n.art, n.datensatz, f.angelegt_am,
          exists (
            select from app.anlage a
            where a.rechnung_id = a_get_anlage_quellen.invoice_id and a.sha256 = f.sha256
          ) as angehaengt
        from app.notiz_datei f join app.notiz n on n.id = f.notiz_id
        where f.client_id = client
          and (
            f.mime in (
              'application/pdf', 'image/png', 'image/jpeg',
              'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
              'application/vnd.oasis.opendocument.spreadsheet'
            )
            or (f.mime = 'text/plain' and lower(f.name) like '%.csv')
          )
        order by f.id desc limit 500
      ) d
    ), '[]')
  );
end $$;
grant execute on function app.a_get_anlage_quellen(bigint) to nutzer;

create or replace function books.draft_anlage(id bigint)
  returns app.anlage language plpgsql set search_path = pg_catalog as $$
declare entry app.anlage;
begin
  select a.* into entry from app.anlage a where a.id = draft_anlage.id for update;
  perform rights.check_found(found);
  perform books.rechnung_draft(entry.rechnung_id);
  entry.inhalt := null;
  return entry;
end $$;
grant execute on function books.draft_anlage(bigint) to forst_definer;

-- Definer: see above.
create or replace function app.a_update_anlage(id bigint, name text, beschreibung text default '')
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  entry app.anlage;
  words text := btrim(coalesce(a_update_anlage.name, ''));
  more text := btrim(coalesce(a_update_anlage.beschreibung, ''));
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  entry := books.draft_anlage(a_update_anlage.id);
  perform books.check_anlage_words(words, more);
  update app.anlage a set name = words, beschreibung = more where a.id = entry.id;
  perform books.record('rechnung', entry.rechnung_id, entry.client_id, 'anlage_geaendert', jsonb_build_object(
    'anlage', jsonb_build_array(entry.name, words), 'datei', entry.dateiname
  ));
  perform books.compute_rechnung(entry.rechnung_id);
end $$;
select rights.define('app.a_update_anlage(bigint, text, text)');
grant execute on function app.a_update_anlage(bigint, text, text) to nutzer;

-- Definer: see above.
create or replace function app.a_delete_anlage(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare entry app.anlage;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  entry := books.draft_anlage(a_delete_anlage.id);
  delete from app.anlage a where a.id = entry.id;
  perform books.record('rechnung', entry.rechnung_id, entry.client_id, 'anlage_geloescht', jsonb_build_object(
    'anlage', entry.name, 'datei', entry.dateiname, 'sha256', entry.sha256
  ));
  perform books.compute_rechnung(entry.rechnung_id);
end $$;
select rights.define('app.a_delete_anlage(bigint)');
grant execute on function app.a_delete_anlage(bigint) to nutzer;
