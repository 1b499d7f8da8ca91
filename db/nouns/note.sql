-- Notes and files at a customer, a headquarters, an offer, an invoice or a plan. Staff who read the record
-- read its notes and write their own; customers read only what is marked for them, at records they may read.
-- Written by the procedures below alone. The bytes of files are stored by the server (server/notes).

select rights.protect('app.notiz');
select rights.protect('app.notiz_datei');
select rights.protect('app.notiz_erwaehnt');
grant select, insert, delete, update (text, fuer_kunde, geaendert_am, version, wer) on app.notiz
  to forst_definer;
grant select, insert, delete on app.notiz_datei to forst_definer;
grant select, insert, delete, update (name) on app.notiz_erwaehnt to forst_definer;
grant select on app.notiz, app.notiz_datei, app.notiz_erwaehnt to nutzer;
grant update (params) on app.meldung to forst_definer;

-- Limits, the same as in contract/note.ts (compared by db/test/note.sql.test.ts). Per record: notes in 24
-- hours, files and their bytes; people named in one note.
create or replace function notes.limits(
  out notes_a_day integer, out files integer, out bytes bigint, out mentions integer
) language sql immutable parallel safe set search_path = pg_catalog as $$
  select 200, 200, 500000000::bigint, 20
$$;
grant execute on function notes.limits() to nutzer, forst_definer;

-- Kinds of records that these roles read as staff, and so may write notes at.
create or replace function notes.kinds_of(roles text[])
  returns text[] language sql immutable parallel safe set search_path = pg_catalog as $$
  select array_remove(array[
    case when roles && '{ogf_admin,ogf_team,apus_admin,apus_team}' then 'kunde' end,
    case when roles && '{ogf_admin,ogf_team}' then 'hq' end,
    case when roles && '{apus_admin}' then 'angebot' end,
    case when roles && '{apus_admin}' then 'rechnung' end,
    case when roles && '{apus_admin,apus_team}' then 'karte' end
  ], null)
$$;
grant execute on function notes.kinds_of(text[]) to nutzer, forst_definer;
create or replace function notes.kinds() returns text[] language sql stable set search_path = pg_catalog
  return notes.kinds_of(rights.roles());
grant execute on function notes.kinds() to nutzer, forst_definer;

-- Definer: customers have no access to the books. What was issued to the caller's own customers.
create or replace function notes.issued(art text)
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare own bigint[] := rights.kunden_as('kundenadmin', 'appuser_admin');
begin
  return case issued.art
    when 'rechnung' then array(
      select r.id
      from app.rechnung r
      where r.client_id = any (own) and r.zustand = 'ausgestellt'
    )
    when 'angebot' then
      array(select a.id from app.angebot a where a.client_id = any (own) and a.beleg is not null)
  end;
end $$;
select rights.define('notes.issued(text)');
grant execute on function notes.issued(text) to nutzer;

create policy staff on app.notiz for select to nutzer
  using (
    art = any ((select notes.kinds())::text[])
    and (art <> 'kunde' or exists (select from app.kunde k where k.client_id = notiz.client_id))
  );
create policy own_kunde on app.notiz for select to nutzer
  using (
    fuer_kunde
    and art = 'kunde'
    and client_id = any ((select rights.kunden_as('kundenadmin', 'appuser', 'appuser_admin'))::bigint[])
    and exists (select from app.kunde k where k.client_id = notiz.client_id)
  );
create policy own_hq on app.notiz for select to nutzer
  using (
    fuer_kunde
    and art = 'hq'
    and (
      client_id = any ((select rights.kunden_as('kundenadmin'))::bigint[])
      or hqid = any ((select rights.hqs_as())::bigint[])
    )
  );
create policy own_karte on app.notiz for select to nutzer
  using (
    fuer_kunde
    and art = 'karte'
    and client_id = any ((select rights.kunden_as('appuser', 'appuser_admin'))::bigint[])
    and exists (select from app.kartenblatt k where k.id = karte_id and k.show_client)
  );
create policy own_beleg on app.notiz for select to nutzer
  using (
    fuer_kunde
    and (
      (art = 'rechnung' and datensatz = any ((select notes.issued('rechnung'))::bigint[]))
      or (art = 'angebot' and datensatz = any ((select notes.issued('angebot'))::bigint[]))
    )
  );
create policy note on app.notiz_datei for select to nutzer
  using (exists (select from app.notiz n where n.id = notiz_id));
create policy note on app.notiz_erwaehnt for select to nutzer
  using (exists (select from app.notiz n where n.id = notiz_id));

-- Definer: nutzer may not write notes. A record that gets another customer, as plans and drafts may, takes
-- its notes along, and what was written for the former customer is nothing for the new one.
create or replace function notes.make_internal()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  update app.notiz n set fuer_kunde = false, version = n.version + 1
  where n.fuer_kunde
    and new.id = case tg_table_name
      when 'kartenblatt' then n.karte_id
      when 'rechnung' then n.rechnung_id
      when 'angebot' then n.angebot_id
    end;
  return null;
end $$;
select rights.define('notes.make_internal()');
do $$
declare relation regclass;
begin
  foreach relation in array array['app.kartenblatt', 'app.rechnung', 'app.angebot']::regclass[] loop
    execute format(
      'create or replace trigger x_notizen after update of client_id on %s for each row
        when (old.client_id <> new.client_id) execute function notes.make_internal()',
      relation
    );
  end loop;
end $$;

-- The key of an entry in the history is kind/record/note, so that it can be read as the record it belongs to
-- after the note is gone. Customers do not read it: it holds what was written before it was marked for them.
-- Only what raises the version is recorded: a name that is removed is no change.
create or replace trigger z_verlauf after insert or delete or update of version on app.notiz
  for each row when (current_user <> 'forst_betrieb')
  execute function history.record_change('art,datensatz,id');
create policy note on app.verlauf for select to nutzer
  using (tabelle = 'notiz' and split_part(schluessel, '/', 1) = any ((select notes.kinds())::text[]));
-- The forest half's admins read the history of everything else, but not of the other half's notes.
create policy note_only on app.verlauf as restrictive for select to nutzer
  using (tabelle <> 'notiz' or split_part(schluessel, '/', 1) = any ((select notes.kinds())::text[]));

-- Definer: users may not write the history. Files have none of their own; that of the note shows them.
create or replace function notes.record_file()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  file app.notiz_datei := case tg_op when 'DELETE' then old else new end;
  entry jsonb := jsonb_build_object('datei', file.name);
begin
  insert into app.verlauf (wer, user_id, tabelle, schluessel, client_id, hqid, person_id, aktion, alt, neu)
  select me.name, me.user_id, 'notiz', n.art || '/' || n.datensatz || '/' || n.id, n.client_id, n.hqid,
    n.user_id, 'geaendert', case tg_op when 'DELETE' then entry else '{"datei": null}' end,
    case tg_op when 'INSERT' then entry else '{"datei": null}' end
  from app.notiz n cross join rights.caller() me
  where n.id = file.notiz_id;
  return null;
end $$;
select rights.define('notes.record_file()');
create or replace trigger z_verlauf after insert or delete on app.notiz_datei
  for each row when (current_user <> 'forst_betrieb') execute function notes.record_file();

-- Definer: the books are closed. The customer of a record; null if there is no such record, or if the
-- customer is blocked and the caller does not see it.
create or replace function notes.client_of(art text, datensatz bigint)
  returns bigint language sql stable set search_path = pg_catalog as $$
  select k.client_id
  from app.kunde k
  where k.client_id = case client_of.art
      when 'kunde' then client_of.datensatz
      when 'hq' then (select h.client_id from app.hq h where h."idHQ" = client_of.datensatz)
      when 'angebot' then (select a.client_id from app.angebot a where a.id = client_of.datensatz)
      when 'rechnung' then (select r.client_id from app.rechnung r where r.id = client_of.datensatz)
      when 'karte' then (select b.client_id from app.kartenblatt b where b.id = client_of.datensatz)
    end
    and (k.gesperrt_bis is null or rights.has_any('ogf_admin', 'apus_admin'))
$$;
grant execute on function notes.client_of(text, bigint) to forst_definer;

-- Refuses callers who may not write at this record; otherwise the record's customer.
create or replace function notes.check_writer(art text, datensatz bigint)
  returns bigint language plpgsql stable set search_path = pg_catalog as $$
declare client bigint;
begin
  perform rights.refuse_unless(check_writer.art = any (notes.kinds()));
  client := notes.client_of(check_writer.art, check_writer.datensatz);
  perform rights.check_found(client is not null);
  return client;
end $$;
grant execute on function notes.check_writer(text, bigint) to forst_definer;

-- A person's roles by their record, as far as a token allows them all.
create or replace function notes.roles_of(person app.benutzer)
  returns text[] language plpgsql stable set search_path = pg_catalog as $$
declare roles text[];
begin
  roles := rights.derive_roles(
    '{appuser_apus_admin}', person.system_status, person.apus_admin, person.apus_team,
    array(select bk.rolle from app.benutzer_kunde bk where bk.user_id = person.user_id),
    (
      select coalesce(
        jsonb_agg(jsonb_build_object('hq_status', bh.hq_status, 'fb_enabled', h.fb_enabled)), '[]'
      )
      from app.benutzer_hq bh join app.hq h on h."idHQ" = bh.hqid
      where bh.user_id = person.user_id
    )
  );
  return case when 'admin' = any (roles) then roles || '{ogf_admin,apus_admin}'::text[] else roles end;
end $$;
grant execute on function notes.roles_of(app.benutzer) to forst_definer;

-- The address at which a person opens the notes of a record; null if no page shows them. People who are named
-- gets it with the notice. `staff`: as one of the provider's people.
create or replace function notes.place_of(
  art text, client_id bigint, datensatz bigint, roles text[], staff boolean
) returns text language sql immutable set search_path = pg_catalog as $$
  select case place_of.art
    when 'kunde' then case
      when staff and 'ogf_admin' = any (roles) then '/kunden/' || client_id || '?ansicht=notizen'
      when staff and roles && '{apus_admin,apus_team}' then
        '/member-management/client/' || client_id || '?ansicht=notizen'
      when not staff and 'kundenadmin' = any (roles) then
        '/kunde/index?kunde=' || client_id || '&ansicht=notizen'
      when not staff and 'appuser_admin' = any (roles) then
        '/account/index?kunde=' || client_id || '&ansicht=notizen'
    end
    when 'hq' then case
      when staff and 'ogf_admin' = any (roles) then
        '/kunden/' || client_id || '/forstbetrieb/' || datensatz || '?ansicht=notizen'
      when not staff and 'kundenadmin' = any (roles) then
        '/kunde/' || client_id || '/forstbetrieb/' || datensatz || '?ansicht=notizen'
      when not staff and 'ogf_fb_admin' = any (roles) then
        '/forstbetriebe/' || datensatz || '?ansicht=notizen'
    end
    when 'angebot' then case
      when staff then '/buchhaltung/angebote/angebot/' || datensatz
      else '/dokumente/angebot/' || datensatz
    end
    when 'rechnung' then case
      when staff then '/buchhaltung/rechnungen/rechnung/' || datensatz
      else '/dokumente/rechnung/' || datensatz
    end
    when 'karte' then '/karten/' || datensatz || '?ansicht=notizen'
  end
$$;
grant execute on function notes.place_of(text, bigint, bigint, text[], boolean) to forst_definer;

-- Who reads the notes at a record and can open it: the provider's people, and the customer's, who read only
-- what is marked for them. Nobody who is locked.
create or replace function notes.readers(art text, client_id bigint, datensatz bigint)
  returns table (user_id bigint, name text, staff boolean, ziel text)
  language sql stable set search_path = pg_catalog as $$
  with person as (
    select b.user_id, notes.roles_of(b) as roles,
      coalesce(
        nullif(btrim(coalesce(b.first_name, '') || ' ' || coalesce(b.last_name, '')), ''), b.username
      ) as name
    from app.benutzer b
    where b.enabled
      -- Each by its index: people of other customers are most of all people.
      and b.user_id in (
        select t.user_id
        from app.benutzer t
        where t.apus_admin
          or t.apus_team
          or t.system_status in ('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team', 'admin')
        union
        select bk.user_id
        from app.benutzer_kunde bk
        where bk.client_id = readers.client_id
        union
        select bh.user_id
        from app.benutzer_hq bh
        where readers.art = 'hq' and bh.hqid = readers.datensatz
      )
  ),
  reader as (
    select p.*, readers.art = any (notes.kinds_of(p.roles)) as staff,
      array(
        select unnest(case bk.rolle
          when 'admin' then '{appuser_admin,appuser}'::text[]
          when 'kundenadmin' then '{kundenadmin}'
          else '{appuser}'
        end)
        from app.benutzer_kunde bk
        where bk.user_id = p.user_id and bk.client_id = readers.client_id
      ) || array(
        select unnest(case when 'hq_admin' = any (bh.hq_status) then '{ogf_fb_admin}'::text[] end)
        from app.benutzer_hq bh
        where bh.user_id = p.user_id and readers.art = 'hq' and bh.hqid = readers.datensatz
      ) as here
    from person p
  ),
  placed as (
    select r.user_id, r.name, r.staff,
      notes.place_of(
        readers.art, readers.client_id, readers.datensatz, case when r.staff then r.roles else r.here end,
        r.staff
      ) as ziel
    from reader r
    where r.staff
      or case readers.art
        when 'kunde' then r.here && '{kundenadmin,appuser_admin}'
        when 'hq' then r.here && '{kundenadmin,ogf_fb_admin}'
        when 'karte' then
          r.here && '{appuser,appuser_admin}'
            and exists (select from app.kartenblatt k where k.id = readers.datensatz and k.show_client)
        when 'rechnung' then
          r.here && '{kundenadmin,appuser_admin}'
            and exists (
              select from app.rechnung i where i.id = readers.datensatz and i.zustand = 'ausgestellt'
            )
        when 'angebot' then
          r.here && '{kundenadmin,appuser_admin}'
            and exists (select from app.angebot o where o.id = readers.datensatz and o.beleg is not null)
      end
  )
  select p.user_id, p.name, p.staff, p.ziel
  from placed p
  where p.ziel is not null
    and (
      p.staff
      or not exists (
        select from app.kunde k
        where k.client_id = readers.client_id and k.gesperrt_bis is not null
      )
    )
$$;
grant execute on function notes.readers(text, bigint, bigint) to forst_definer;

-- What a record is called, as far as the caller may read it; a draft has no number yet.
create or replace function notes.name_of(art text, datensatz bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select case name_of.art
    when 'kunde' then (select k.name from app.kunde k where k.client_id = name_of.datensatz)
    when 'hq' then (select h."sHQ" from app.hq h where h."idHQ" = name_of.datensatz)
    when 'angebot' then (
      select coalesce(books.angebot_number(a.nummer, a.fassung), '')
      from app.angebot a
      where a.id = name_of.datensatz
    )
    when 'rechnung' then (select coalesce(r.nummer, '') from app.rechnung r where r.id = name_of.datensatz)
    when 'karte' then (select k.map_name from app.kartenblatt k where k.id = name_of.datensatz)
  end
$$;
grant execute on function notes.name_of(text, bigint) to nutzer, forst_definer;

-- Replaces whom a note names. Those who are new get a notice, the writer does not; people who may not read
-- the note any more loses theirs.
create or replace function notes.mention(note app.notiz, people bigint[])
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  key text := 'notiz/' || note.id;
  readers jsonb;
  named record;
begin
  perform checks.check_value(
    cardinality(people) <= (notes.limits()).mentions, 'erwaehnt', 'notiz_erwaehnt_viele'
  );
  if people = '{}'
    and not exists (select from app.notiz_erwaehnt e where e.notiz_id = note.id)
    and not exists (select from app.meldung m where m.art = 'notiz_erwaehnt' and m.schluessel = key)
  then
    return;
  end if;
  -- Once: it asks for the roles of everybody in question.
  select coalesce(jsonb_object_agg(r.user_id, jsonb_build_array(r.name, r.ziel)), '{}') into readers
  from notes.readers(note.art, note.client_id, note.datensatz) r
  where r.staff or note.fuer_kunde;
  perform checks.check_value(
    not exists (select from unnest(people) as p(id) where p.id is null or not readers ? p.id::text),
    'erwaehnt', 'notiz_erwaehnt'
  );
  delete from app.notiz_erwaehnt e where e.notiz_id = note.id and e.user_id <> all (people);
  delete from app.meldung m
  where m.art = 'notiz_erwaehnt' and m.schluessel = key and not readers ? m.user_id::text;
  for named in
    with new as (
      insert into app.notiz_erwaehnt (notiz_id, client_id, user_id, name)
      select distinct note.id, note.client_id, p.id, readers -> p.id::text ->> 0
      from unnest(people) as p(id)
      on conflict do nothing
      returning user_id
    )
    select readers -> new.user_id::text ->> 1 as ziel, array_agg(new.user_id) as people
    from new
    where new.user_id is distinct from note.user_id
    group by 1
  loop
    perform notices.notify(
      'notiz_erwaehnt', named.people, key,
      jsonb_build_object('von', note.wer, 'art', note.art, 'name', notes.name_of(note.art, note.datensatz)),
      named.ziel || case when strpos(named.ziel, '?') > 0 then '&' else '?' end || 'notiz=' || note.id,
      note.client_id
    );
  end loop;
end $$;
grant execute on function notes.mention(app.notiz, bigint[]) to forst_definer;

-- Line ends of all systems become one; no blank lines around.
create or replace function notes.clean(text text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return btrim(replace(replace(coalesce(text, ''), E'\r\n', E'\n'), E'\r', E'\n'), E' \n\t');
grant execute on function notes.clean(text) to forst_definer;

-- Adds a row without mentions. One writer at a time and record, so that the limits hold.
create or replace function notes.add(
  art text, datensatz bigint, client_id bigint, text text, fuer_kunde boolean
) returns app.notiz language plpgsql set search_path = pg_catalog as $$
declare
  me record := rights.caller();
  made app.notiz;
begin
  perform pg_advisory_xact_lock(hashtext('notes/' || add.art || '/' || add.datensatz));
  if (
    select count(*)
    from app.notiz n
    where n.art = add.art and n.datensatz = add.datensatz and n.angelegt_am > now() - interval '24 hours'
  ) >= (notes.limits()).notes_a_day then
    raise sqlstate 'PT409' using message = 'too many notes in a day', hint = 'notiz_viele';
  end if;
  insert into app.notiz as n (
    client_id, hqid, angebot_id, rechnung_id, karte_id, text, fuer_kunde, wer, user_id
  )
  values (
    add.client_id, case add.art when 'hq' then add.datensatz end,
    case add.art when 'angebot' then add.datensatz end, case add.art when 'rechnung' then add.datensatz end,
    case add.art when 'karte' then add.datensatz end, add.text, add.fuer_kunde, me.name, me.user_id
  )
  returning n.* into made;
  return made;
end $$;
grant execute on function notes.add(text, bigint, bigint, text, boolean) to forst_definer;

-- The caller's own note, locked; refused like one that does not exist.
create or replace function notes.own(id bigint)
  returns app.notiz language plpgsql set search_path = pg_catalog as $$
declare note app.notiz;
begin
  select n.* into note
  from app.notiz n
  where n.id = own.id and n.user_id = rights.user_id() for update;
  perform rights.check_found(note.id is not null);
  perform notes.check_writer(note.art, note.datensatz);
  return note;
end $$;
grant execute on function notes.own(bigint) to forst_definer;

-- Procedures for the screens --------------------------------------------------------------------------------

-- How many notes the caller reads at a record, for the heading.
create or replace function app.a_count_notizen(art text, datensatz bigint)
  returns integer language sql stable set search_path = pg_catalog as $$
  select count(*)::integer
  from app.notiz n
  where n.art = a_count_notizen.art and n.datensatz = a_count_notizen.datensatz
$$;
grant execute on function app.a_count_notizen(text, bigint) to nutzer;

-- Newest first, fifty at a time: those before the note `vor`. `schreibt`: the caller may write here;
-- `dateien` and `bytes` are what counts against the limits, and only known to those who may.
create or replace function app.a_get_notizen(art text, datensatz bigint, vor bigint default null)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  with own as (
    select n.*
    from app.notiz n
    where n.art = a_get_notizen.art and n.datensatz = a_get_notizen.datensatz
  ),
  page as (select o.* from own o where vor is null or o.id < vor order by o.id desc limit 50)
  select jsonb_build_object(
    'anzahl', (select count(*) from own), 'schreibt', a_get_notizen.art = any (notes.kinds()),
    'dateien', (select count(*) from app.notiz_datei d where d.notiz_id in (select o.id from own o)),
    'bytes', (
      select coalesce(sum(d.groesse), 0)
      from app.notiz_datei d
      where d.notiz_id in (select o.id from own o)
    ),
    'zeilen', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'id', p.id, 'text', p.text, 'fuer_kunde', p.fuer_kunde, 'angelegt_am', p.angelegt_am,
          'geaendert_am', p.geaendert_am, 'version', p.version, 'wer', p.wer,
          'eigene', coalesce(p.user_id = (select rights.user_id()), false),
          'dateien', coalesce((
            select jsonb_agg(
              jsonb_build_object('id', d.id, 'name', d.name, 'mime', d.mime, 'groesse', d.groesse)
              order by d.id
            )
            from app.notiz_datei d
            where d.notiz_id = p.id
          ), '[]'),
          'erwaehnt', coalesce((
            select jsonb_agg(jsonb_build_object('user_id', e.user_id, 'name', e.name) order by e.name)
            from app.notiz_erwaehnt e
            where e.notiz_id = p.id
          ), '[]')
        ) order by p.id desc
      )
      from page p
    ), '[]')
  )
$$;
grant execute on function app.a_get_notizen(text, bigint, bigint) to nutzer;

-- Definer: the books are closed, and whether somebody reads a record depends on closed rows. Whom a note at
-- this record may name: who reads it, the customer's people only if it is marked for them. Everyone who may
-- call this may see all people.
create or replace function app.a_get_notiz_personen(
  art text, datensatz bigint, fuer_kunde boolean default false, suche text default ''
) returns table (user_id bigint, name text, anbieter boolean) language plpgsql stable
  set search_path = pg_catalog as $$
declare
  client bigint := notes.check_writer(a_get_notiz_personen.art, a_get_notiz_personen.datensatz);
  wanted text := search.search_text(coalesce(suche, ''));
begin
  return query
    select r.user_id, r.name, r.staff
    from notes.readers(a_get_notiz_personen.art, client, a_get_notiz_personen.datensatz) r
    where (r.staff or a_get_notiz_personen.fuer_kunde)
      and r.user_id is distinct from rights.user_id()
      and strpos(search.search_text(r.name), wanted) > 0
    order by r.staff desc, strpos(search.search_text(r.name), wanted), r.name, r.user_id limit 20;
end $$;
select rights.define('app.a_get_notiz_personen(text, bigint, boolean, text)');
grant execute on function app.a_get_notiz_personen(text, bigint, boolean, text) to nutzer;

-- Definer: nobody has a grant to write these tables, because a note is written together with its mentions and
-- their notices. Returns the note's number.
create or replace function app.a_add_notiz(
  art text, datensatz bigint, text text, fuer_kunde boolean default false, erwaehnt bigint[] default '{}'
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  client bigint := notes.check_writer(a_add_notiz.art, a_add_notiz.datensatz);
  said text := notes.clean(a_add_notiz.text);
  note app.notiz;
begin
  perform checks.check_value(said <> '', 'text', 'fehlt'),
    checks.check_value(checks.is_text(said, 4000), 'text', 'text_4000');
  note := notes.add(
    a_add_notiz.art, a_add_notiz.datensatz, client, said, coalesce(a_add_notiz.fuer_kunde, false)
  );
  perform notes.mention(note, coalesce(a_add_notiz.erwaehnt, '{}'));
  return note.id;
end $$;
select rights.define('app.a_add_notiz(text, bigint, text, boolean, bigint[])');
grant execute on function app.a_add_notiz(text, bigint, text, boolean, bigint[]) to nutzer;

-- Definer: as above. Only the writer's own. A text may be empty where files are left.
create or replace function app.a_update_notiz(
  id bigint, version integer, text text, fuer_kunde boolean, erwaehnt bigint[] default '{}'
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  note app.notiz := notes.own(a_update_notiz.id);
  said text := notes.clean(a_update_notiz.text);
begin
  perform checks.check_version(a_update_notiz.version, note.version);
  perform
    checks.check_value(
      said <> '' or exists (select from app.notiz_datei d where d.notiz_id = note.id), 'text', 'fehlt'
    ),
    checks.check_value(checks.is_text(said, 4000), 'text', 'text_4000'),
    checks.check_value(a_update_notiz.fuer_kunde is not null, 'fuer_kunde', 'fehlt');
  update app.notiz n set
    text = said, fuer_kunde = a_update_notiz.fuer_kunde, version = n.version + 1,
    geaendert_am = case when n.text <> said then now() else n.geaendert_am end
  where n.id = note.id
  returning n.* into note;
  perform notes.mention(note, coalesce(a_update_notiz.erwaehnt, '{}'));
end $$;
select rights.define('app.a_update_notiz(bigint, integer, text, boolean, bigint[])');
grant execute on function app.a_update_notiz(bigint, integer, text, boolean, bigint[]) to nutzer;

-- Definer: as above. With its files and the notices about it; the server's next clean-up removes the bytes.
create or replace function app.a_delete_notiz(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare note app.notiz := notes.own(a_delete_notiz.id);
begin
  delete from app.notiz_datei d where d.notiz_id = note.id;
  delete from app.meldung m where m.art = 'notiz_erwaehnt' and m.schluessel = 'notiz/' || note.id;
  delete from app.notiz n where n.id = note.id;
end $$;
select rights.define('app.a_delete_notiz(bigint)');
grant execute on function app.a_delete_notiz(bigint) to nutzer;

-- Definer: as above. A note of which nothing is left goes with its last file.
create or replace function app.a_delete_notiz_datei(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  file app.notiz_datei;
  note app.notiz;
begin
  select d.* into file from app.notiz_datei d where d.id = a_delete_notiz_datei.id;
  perform rights.check_found(file.id is not null);
  note := notes.own(file.notiz_id);
  delete from app.notiz_datei d where d.id = file.id;
  if note.text = '' and not exists (select from app.notiz_datei d where d.notiz_id = note.id) then
    delete from app.notiz n where n.id = note.id;
  end if;
end $$;
select rights.define('app.a_delete_notiz_datei(bigint)');
grant execute on function app.a_delete_notiz_datei(bigint) to nutzer;

-- Functions for the server ----------------------------------------------------------------------------------

-- Definer: the books are closed. Whether the caller may add files at this record, or to this note of theirs,
-- and how much there is already; refused like in the procedures above.
create or replace function notes.upload_right(
  art text, datensatz bigint, notiz_id bigint, out person bigint, out dateien bigint, out bytes bigint
) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform notes.check_writer(upload_right.art, upload_right.datensatz);
  perform rights.check_found(
    upload_right.notiz_id is null
    or exists (
      select from app.notiz n
      where n.id = upload_right.notiz_id
        and n.art = upload_right.art
        and n.datensatz = upload_right.datensatz
        and n.user_id = rights.user_id()
    )
  );
  person := rights.user_id();
  select count(*), coalesce(sum(d.groesse), 0) into dateien, bytes
  from app.notiz n join app.notiz_datei d on d.notiz_id = n.id
  where n.art = upload_right.art and n.datensatz = upload_right.datensatz;
end $$;
select rights.define('notes.upload_right(text, bigint, bigint)');
grant execute on function notes.upload_right(text, bigint, bigint) to nutzer;

-- Definer: forst_karte has no right on any table. Adds a file that the caller uploaded: to a note of theirs,
-- or as a separate note without a text. Repeating it for the same upload returns the same file.
create or replace function notes.add_file(
  art text, datensatz bigint, notiz_id bigint, fuer_kunde boolean, upload text, name text, mime text,
  groesse bigint, sha256 text, out notiz bigint, out datei bigint
) language plpgsql set search_path = pg_catalog as $$
declare
  client bigint := notes.check_writer(add_file.art, add_file.datensatz);
  note app.notiz;
  present record;
begin
  perform pg_advisory_xact_lock(hashtext('notes/' || add_file.art || '/' || add_file.datensatz));
  select d.notiz_id, d.id into notiz, datei
  from app.notiz_datei d
  where d.upload = add_file.upload;
  if datei is not null then return; end if;
  if add_file.notiz_id is not null then note := notes.own(add_file.notiz_id); end if;
  perform rights.check_found(
    note.id is null or (note.art = add_file.art and note.datensatz = add_file.datensatz)
  );
  present := notes.upload_right(add_file.art, add_file.datensatz, note.id);
  if present.dateien >= (notes.limits()).files
    or present.bytes + add_file.groesse > (notes.limits()).bytes
  then
    raise sqlstate 'PT409' using message = 'no room for more files', hint = 'notiz_dateien_voll';
  end if;
  if note.id is null then
    note := notes.add(add_file.art, add_file.datensatz, client, '', coalesce(add_file.fuer_kunde, false));
  end if;
  insert into app.notiz_datei as d (notiz_id, client_id, name, mime, groesse, sha256, upload)
  values (
    note.id, note.client_id, add_file.name, add_file.mime, add_file.groesse, add_file.sha256, add_file.upload
  )
  returning d.notiz_id, d.id into notiz, datei;
end $$;
select rights.define('notes.add_file(text, bigint, bigint, boolean, text, text, text, bigint, text)');
grant execute on function notes.add_file(text, bigint, bigint, boolean, text, text, text, bigint, text)
  to forst_karte;

-- Definer: as above. What an upload has become; no row: nothing yet.
create or replace function notes.uploaded(upload text)
  returns table (notiz bigint, datei bigint, groesse bigint)
  language sql stable set search_path = pg_catalog as $$
  select d.notiz_id, d.id, d.groesse from app.notiz_datei d where d.upload = uploaded.upload
$$;
select rights.define('notes.uploaded(text)');
grant execute on function notes.uploaded(text) to forst_karte;
grant usage on schema notes to forst_karte;

-- Replaces a person's name: as the writer, and where others named them. For the deletion of a person's data.
create or replace function notes.replace_name(person bigint, replacement text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update app.notiz n set text = replace(n.text, '@' || e.name, '@' || replacement)
  from app.notiz_erwaehnt e
  where e.notiz_id = n.id and e.user_id = person;
  update app.verlauf v set
    alt = case
      when v.alt ? 'text' then
        v.alt || jsonb_build_object('text', replace(v.alt ->> 'text', '@' || e.name, '@' || replacement))
      else v.alt
    end,
    neu = case
      when v.neu ? 'text' then
        v.neu || jsonb_build_object('text', replace(v.neu ->> 'text', '@' || e.name, '@' || replacement))
      else v.neu
    end
  from app.notiz_erwaehnt e join app.notiz n on n.id = e.notiz_id
  where e.user_id = person
    and v.tabelle = 'notiz'
    and v.schluessel = n.art || '/' || n.datensatz || '/' || n.id;
  update app.notiz_erwaehnt e set name = replacement where e.user_id = person;
  update app.meldung m set params = m.params || jsonb_build_object('von', replacement)
  from app.notiz n
  where n.user_id = person and m.art = 'notiz_erwaehnt' and m.schluessel = 'notiz/' || n.id;
  update app.notiz n set wer = replacement where n.user_id = person;
  update app.verlauf v set
    alt = privacy.without_values(v.alt, '{wer}'), neu = privacy.without_values(v.neu, '{wer}')
  where v.tabelle = 'notiz' and v.person_id = person;
end $$;
grant execute on function notes.replace_name(bigint, text) to forst_definer;
