-- Who is calling and what they may: the functions that every policy asks. Published to policies, not to the
-- data API (schema rechte is not exposed).

revoke all on schema app, rechte from public;
grant usage on schema app, rechte to nutzer, forst_definer, forst_betrieb;
grant usage on schema app to forst_dokument;
grant usage on schema rechte to forst_idp;
-- The login parses statements before it switches the role; it holds no right on any table.
grant usage on schema app, rechte to forst_api;
-- A function can only be given to forst_definer while that role may create in its schema.
grant create on schema app, rechte to forst_definer;

-- Without this a crafted expression could put other claims into the settings that the policies read. Only a
-- superuser owns the function; an owner who is none needs the operator's help once (docs/operations.md), and
-- the operations page says so until then.
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    revoke execute on function pg_catalog.set_config(text, text, boolean) from public;
  end if;
  if has_function_privilege('pg_catalog.set_config(text, text, boolean)', 'execute with grant option') then
    grant execute on function pg_catalog.set_config(text, text, boolean)
      to forst_api, forst_betrieb, forst_idp;
  end if;
end $$;

-- Puts a table under the house's rule: row security on and forced, nothing granted, policies only for the two
-- inner roles. Every noun begins with it, so a second run leaves exactly what the file says.
create or replace function rechte.protect(relation regclass)
  returns void language plpgsql set search_path = pg_catalog as $$
declare found record;
begin
  for found in select polname from pg_policy where polrelid = relation loop
    execute format('drop policy %I on %s', found.polname, relation);
  end loop;
  execute format('alter table %s enable row level security', relation);
  execute format('alter table %s force row level security', relation);
  execute format(
    'revoke all on %s from public, nutzer, forst_definer, forst_betrieb, forst_idp, forst_dokument, forst_karte, forst_api',
    relation
  );
  for found in
    select attname
    from pg_attribute
    where attrelid = relation and attnum > 0 and not attisdropped and attacl is not null
  loop
    execute format(
      'revoke all (%I) on %s from public, nutzer, forst_definer, forst_idp, forst_dokument, forst_karte, forst_api',
      found.attname, relation
    );
  end loop;
  execute format('grant select, insert, update, delete on %s to forst_betrieb', relation);
  -- Restoring a dump sets the counters of the numbers as well.
  for found in
    select objid::regclass as name
    from pg_depend
    where classid = 'pg_class'::regclass
      and refobjid = relation
      and deptype = 'i'
      and objid in (select oid from pg_class where relkind = 'S')
  loop
    execute format('grant select, update on sequence %s to forst_betrieb', found.name);
  end loop;
  execute format('create policy betrieb on %s to forst_betrieb using (true) with check (true)', relation);
  execute format('create policy definer on %s to forst_definer using (true) with check (true)', relation);
end $$;
revoke execute on function rechte.protect(regclass) from public;

-- Hands a function to the role of the definer functions and closes it; who may call it is granted below it.
create or replace function rechte.define(function regprocedure)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  execute format('alter function %s security definer', function);
  execute format('alter function %s owner to forst_definer', function);
  execute format('revoke execute on function %s from public', function);
end $$;
revoke execute on function rechte.define(regprocedure) from public;

select rechte.protect('rechte.identitaet');
grant select, insert, update, delete on rechte.identitaet to forst_definer;

select rechte.protect('rechte.beendete_sitzung');
grant select, insert, update, delete on rechte.beendete_sitzung to forst_definer;

select rechte.protect('rechte.sitzungsende');
grant select, insert, update, delete on rechte.sitzungsende to forst_definer;

-- Addresses are the same when they differ in nothing but A to Z and a to z. The same rule stands in
-- domain/mail-address.ts; both are tried on mail-address.cases.json.
create or replace function rechte.fold_address(value text) returns text language sql immutable parallel safe
  return translate(value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
-- The indexes on addresses ask it for everybody who writes one.
revoke execute on function rechte.fold_address(text) from public;
grant execute on function rechte.fold_address(text) to nutzer, forst_definer, forst_idp, forst_betrieb;

-- The verified claims of this transaction; after a transaction the setting is an empty string, which must
-- mean nobody.
create or replace function rechte.claims()
  returns jsonb language sql stable parallel safe set search_path = pg_catalog
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb;

-- Whether a token was issued after the last end of its person's sessions; null: there was none.
create or replace function rechte.gilt_noch(claims jsonb, ab timestamptz)
  returns boolean language sql stable parallel safe
  return ab is null or claims ->> 'iat' is null or to_timestamp((claims ->> 'iat')::double precision) >= ab;
revoke execute on function rechte.gilt_noch(jsonb, timestamptz) from public;
grant execute on function rechte.gilt_noch(jsonb, timestamptz) to forst_definer;

-- The derivation of roles. The same rule stands in domain/roles.ts; both are tested against
-- domain/roles.cases.json.
create or replace function rechte.derive_rollen(
  groups text[], system_status text, apus_admin boolean, apus_team boolean, kunden text[], hqs jsonb
) returns text[] language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
  validated constant text[] := '{ogf_init,ogf_standard,appuser,multiple_fb,ogf_fb_admin,inactive_fb}';
  customer_admin constant text[] := validated || '{kundenadmin,appuser_admin}'::text[];
  team constant text[] := customer_admin || '{apus_team,ogf_team}'::text[];
  every constant text[] := team || '{ogf_admin,apus_admin,admin}'::text[];
  ceiling text[];
  roles text[] := '{}';
begin
  ceiling := case
    when groups && '{appuser_apus_admin,/appuser_apus_admin}' then every
    when groups && '{appuser_apus,/appuser_apus}' then team
    when groups && '{appuser_admin,/appuser_admin}' then customer_admin
    when groups && '{appuser_validated,/appuser_validated}' then validated
    else '{ogf_init}'
  end;
  if system_status = any (every) and system_status not in ('multiple_fb', 'ogf_fb_admin', 'inactive_fb') then
    roles := array[system_status];
  end if;
  if apus_admin then roles := roles || 'apus_admin'::text; end if;
  if apus_team then roles := roles || 'apus_team'::text; end if;
  if 'admin' = any (kunden) then roles := roles || '{appuser_admin,appuser}'::text[]; end if;
  if 'kundenadmin' = any (kunden) then roles := roles || 'kundenadmin'::text; end if;
  if 'nutzer' = any (kunden) then roles := roles || 'appuser'::text; end if;
  if jsonb_array_length(hqs) > 1 then roles := roles || 'multiple_fb'::text; end if;
  if hqs @? '$[*] ? (@.hq_status[*] == "hq_admin")' then roles := roles || 'ogf_fb_admin'::text; end if;
  if jsonb_array_length(hqs) > 0 and not hqs @? '$[*] ? (@.fb_enabled == true)' then
    roles := roles || 'inactive_fb'::text;
  end if;
  roles := array(
    select role
    from unnest(roles) with ordinality as r(role, nr)
    where role = any (ceiling)
    group by role
    order by min(nr)
  );
  return case when cardinality(roles) > 0 then roles else '{ogf_init}' end;
end $$;

-- Definer: a caller may learn their own number although the table of identities is closed to them. Null for
-- nobody, for the disabled and for sessions that were ended.
create or replace function rechte.user_id()
  returns bigint language plpgsql stable set search_path = pg_catalog as $$
declare
  claims jsonb := rechte.claims();
  found bigint;
begin
  select i.user_id into found
  from rechte.identitaet i
    join app.benutzer b on b.user_id = i.user_id
    left join rechte.sitzungsende e on e.user_id = i.user_id
  where i.iss = claims ->> 'iss'
    and i.sub = claims ->> 'sub'
    and b.enabled
    and rechte.gilt_noch(claims, e.ab);
  return found;
end $$;
select rechte.define('rechte.user_id()');

-- Definer: reads the caller's own row and links whatever the policies on them say. Roles of the caller now;
-- none for nobody and for the disabled. admin stands for both halves' admins, so that policies need to name
-- those alone.
create or replace function rechte.rollen()
  returns text[] language plpgsql stable set search_path = pg_catalog as $$
declare
  claims jsonb := rechte.claims();
  roles text[];
begin
  if claims is null then return '{}'; end if;
  select rechte.derive_rollen(
    array(
      select jsonb_array_elements_text(case
        when jsonb_typeof(claims -> 'groups') = 'array' then claims -> 'groups'
        else '[]'
      end)
    ),
    b.system_status, b.apus_admin, b.apus_team,
    array(select bk.rolle from app.benutzer_kunde bk where bk.user_id = b.user_id),
    (
      select coalesce(
        jsonb_agg(jsonb_build_object('hq_status', bh.hq_status, 'fb_enabled', hq.fb_enabled)), '[]'
      )
      from app.benutzer_hq bh join app.hq on hq."idHQ" = bh.hqid
      where bh.user_id = b.user_id
    )
  ) into roles
  from rechte.identitaet i
    join app.benutzer b on b.user_id = i.user_id
    left join rechte.sitzungsende e on e.user_id = i.user_id
  where i.iss = claims ->> 'iss'
    and i.sub = claims ->> 'sub'
    and b.enabled
    and rechte.gilt_noch(claims, e.ab);
  return case
    when roles is null then '{}'
    when 'admin' = any (roles) then roles || '{ogf_admin,apus_admin}'::text[]
    else roles
  end;
end $$;
select rechte.define('rechte.rollen()');

create or replace function rechte.has_role(role text)
  returns boolean language sql stable set search_path = pg_catalog
  return role = any (rechte.rollen());
create or replace function rechte.has_any(variadic roles text[])
  returns boolean language sql stable set search_path = pg_catalog
  return roles && rechte.rollen();

-- Definer: the caller's customers for which the caller holds one of these roles. The link's own role counts:
-- who is admin of one customer is none of another.
create or replace function rechte.kunden_als(variadic roles text[])
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare held text[] := rechte.rollen();
begin
  return array(
    select bk.client_id
    from app.benutzer_kunde bk
    where bk.user_id = rechte.user_id()
      and case bk.rolle
        when 'admin' then '{appuser_admin,appuser}'::text[]
        when 'kundenadmin' then '{kundenadmin}'
        else '{appuser}'
      end && array(select unnest(roles) intersect select unnest(held))
  );
end $$;
select rechte.define('rechte.kunden_als(text[])');

-- Definer: the caller's linked headquarters; with 'hq_admin' only those the caller administers. None for the
-- newly registered.
create or replace function rechte.hqs_als(status text default null)
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare held text[] := rechte.rollen();
begin
  if held <@ '{ogf_init}' or (status = 'hq_admin' and not 'ogf_fb_admin' = any (held)) then
    return '{}';
  end if;
  return array(
    select bh.hqid
    from app.benutzer_hq bh
    where bh.user_id = rechte.user_id() and (status is null or status = any (bh.hq_status))
  );
end $$;
select rechte.define('rechte.hqs_als(text)');

-- Definer: whom the caller may see: oneself; people of the customers and headquarters that the caller
-- administers.
create or replace function rechte.people()
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare kunden bigint[] := rechte.kunden_als('kundenadmin', 'appuser_admin');
declare forest bigint[] := rechte.kunden_als('kundenadmin');
declare hqs bigint[] := rechte.hqs_als('hq_admin');
begin
  return array(
    select rechte.user_id()
    where rechte.user_id() is not null
    union
    select bk.user_id
    from app.benutzer_kunde bk
    where bk.client_id = any (kunden)
    union
    select bh.user_id
    from app.benutzer_hq bh
    where bh.client_id = any (forest) or bh.hqid = any (hqs)
  );
end $$;
select rechte.define('rechte.people()');

-- Definer: the caller's number and the name that the history shows, in one look: every change asks for them.
create or replace function rechte.ich(out user_id bigint, out name text)
  language plpgsql stable set search_path = pg_catalog as $$
declare claims jsonb := rechte.claims();
begin
  if claims is null then return; end if;
  select b.user_id,
    coalesce(nullif(btrim(coalesce(b.first_name, '') || ' ' || coalesce(b.last_name, '')), ''), b.username)
  into user_id, name
  from rechte.identitaet i
    join app.benutzer b on b.user_id = i.user_id
    left join rechte.sitzungsende e on e.user_id = i.user_id
  where i.iss = claims ->> 'iss'
    and i.sub = claims ->> 'sub'
    and b.enabled
    and rechte.gilt_noch(claims, e.ab);
end $$;
select rechte.define('rechte.ich()');
create or replace function rechte.wer() returns text language sql stable set search_path = pg_catalog
  return (rechte.ich()).name;

-- Of a deleted person a digest of (iss, sub) stays in place of both, until sessions_valid_after: a token that
-- is still good, or an account that the provider's directory still has, would otherwise make a new person at
-- its next call. It is no key to the person: whoever does not have iss and sub already cannot find them in
-- it.
create or replace function rechte.identitaet_digest(iss text, sub text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return encode(sha256(convert_to(iss || E'\n' || sub, 'UTF8')), 'hex');
create or replace function rechte.war_geloescht(claims jsonb)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from rechte.identitaet i
    where i.iss = 'geloescht'
      and i.sub = rechte.identitaet_digest(claims ->> 'iss', claims ->> 'sub')
      and i.sessions_valid_after > now()
  )
$$;
revoke execute on function rechte.identitaet_digest(text, text), rechte.war_geloescht(jsonb) from public;
grant execute on function rechte.identitaet_digest(text, text), rechte.war_geloescht(jsonb) to forst_definer;

-- The digest that is kept of a deleted person's sign-in address. Addresses can be guessed, so it is kept no
-- longer than a token lives; see a_delete_person_daten.
create or replace function rechte.adresse_digest(address text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return encode(sha256(convert_to(E'adresse\n' || rechte.fold_address(address), 'UTF8')), 'hex');
revoke execute on function rechte.adresse_digest(text) from public;
grant execute on function rechte.adresse_digest(text) to forst_definer;

-- Definer: what stands against a token; null: nothing. An account that is bound to nobody is judged by its
-- verified address: a token that was never used ends with its person's sessions as well.
-- 'former': issued to a deleted person before the deletion. 'deleted': the account of a deleted person, which
-- an admin may have made anew.
create or replace function rechte.sperrgrund(claims jsonb)
  returns text language plpgsql stable set search_path = pg_catalog as $$
declare person record;
begin
  select b.enabled, e.ab into person
  from rechte.identitaet i
    join app.benutzer b on b.user_id = i.user_id
    left join rechte.sitzungsende e on e.user_id = i.user_id
  where i.iss = claims ->> 'iss' and i.sub = claims ->> 'sub';
  if not found then
    if exists (
      select from rechte.sitzungsende e
      where e.ehemals = rechte.adresse_digest(claims ->> 'email') and not rechte.gilt_noch(claims, e.ab)
    ) then
      return 'former';
    end if;
    if rechte.war_geloescht(claims) then return 'deleted'; end if;
    if claims -> 'email_verified' is distinct from 'true'::jsonb then return null; end if;
    select b.enabled, e.ab into person
    from app.benutzer b left join rechte.sitzungsende e on e.user_id = b.user_id
    where rechte.fold_address(b.email) = rechte.fold_address(claims ->> 'email');
    if not found then return null; end if;
  end if;
  if not person.enabled then return 'disabled'; end if;
  if not rechte.gilt_noch(claims, person.ab) then return 'ended'; end if;
  return null;
end $$;
select rechte.define('rechte.sperrgrund(jsonb)');
grant execute on function rechte.sperrgrund(jsonb) to forst_definer;

-- Definer: asked first in every transaction of a request. Refuses the disabled, the deleted, sessions that an
-- admin has ended and those that were signed out of; whoever has no row passes and sees nothing.
create or replace function rechte.check_request()
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare
  claims jsonb := rechte.claims();
  grund text;
begin
  if claims is null then return; end if;
  grund := case
    when exists (select from rechte.beendete_sitzung s where s.sid = claims ->> 'sid') then 'ended'
    else rechte.sperrgrund(claims)
  end;
  if grund in ('former', 'deleted') then
    raise sqlstate 'PT401' using message = 'Account deleted', hint = 'account_disabled';
  end if;
  if grund = 'disabled' then
    raise sqlstate 'PT401' using message = 'Account disabled', hint = 'account_disabled';
  end if;
  if grund = 'ended' then
    raise sqlstate 'PT401' using message = 'Session ended', hint = 'session_ended';
  end if;
end $$;
select rechte.define('rechte.check_request()');

-- Definer: binds the token's (iss, sub) to a person at first contact. Only a verified address counts, and
-- only onto a row that has no account yet; an address nobody has becomes a newly registered person. Later
-- changes of the address never bind anew. Whoever was deleted comes back only where an admin has made the
-- person anew.
create or replace function rechte.link_identity()
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  claims jsonb := rechte.claims();
  address text := rechte.fold_address(claims ->> 'email');
  person bigint;
  grund text;
begin
  if claims ->> 'iss' is null or claims ->> 'sub' is null then return null; end if;
  select i.user_id into person
  from rechte.identitaet i
  where i.iss = claims ->> 'iss' and i.sub = claims ->> 'sub';
  if found then return person; end if;
  if claims -> 'email_verified' is distinct from 'true'::jsonb or address is null then return null; end if;
  grund := rechte.sperrgrund(claims);
  -- What is refused binds nobody.
  if grund in ('ended', 'disabled', 'former') then return null; end if;
  if grund is null then
    insert into app.benutzer (email, username, first_name, last_name)
    values (
      address, address, nullif(btrim(left(claims ->> 'given_name', 100)), ''),
      nullif(btrim(left(claims ->> 'family_name', 100)), '')
    )
    on conflict do nothing;
  end if;
  insert into rechte.identitaet (iss, sub, user_id)
  select claims ->> 'iss', claims ->> 'sub', b.user_id
  from app.benutzer b
  where rechte.fold_address(b.email) = address
  on conflict do nothing;
  select i.user_id into person
  from rechte.identitaet i
  where i.iss = claims ->> 'iss' and i.sub = claims ->> 'sub';
  return person;
end $$;
select rechte.define('rechte.link_identity()');

-- Definer, for the embedded identity provider: its issuer is the product's own address. When that has
-- changed, its accounts (subs) keep their persons; else all would sign in and see nothing.
create or replace function rechte.move_identities(issuer text, subs text[])
  returns integer language sql set search_path = pg_catalog as $$
  with moved as (
    update rechte.identitaet i set iss = issuer
    where i.sub = any (subs)
      and i.iss not in (issuer, 'geloescht')
      and not exists (select from rechte.identitaet taken where taken.iss = issuer and taken.sub = i.sub)
    returning 1
  )
  select count(*)::integer
  from moved
$$;
select rechte.define('rechte.move_identities(text, text[])');

-- Definer, for the embedded identity provider: what it must know of the person behind an account. The group
-- is the lowest whose ceiling lets the row's roles through.
create or replace function rechte.konto_lage(email text)
  returns table (
    user_id bigint, enabled boolean, first_name text, last_name text, username text, gruppe text,
    zweiter_faktor_noetig boolean, sessions_valid_after timestamptz
  ) language sql stable set search_path = pg_catalog as $$
  select b.user_id, b.enabled, b.first_name, b.last_name, b.username,
    case
      when b.apus_admin or b.system_status in ('apus_admin', 'ogf_admin', 'admin') then 'appuser_apus_admin'
      when b.apus_team or b.system_status in ('apus_team', 'ogf_team') then 'appuser_apus'
      when b.system_status in ('kundenadmin', 'appuser_admin')
        or exists (
          select from app.benutzer_kunde bk
          where bk.user_id = b.user_id and bk.rolle in ('admin', 'kundenadmin')
        )
      then 'appuser_admin'
      when b.system_status = 'ogf_init' then 'appuser_new'
      else 'appuser_validated'
    end,
    b.apus_admin
      or b.apus_team
      or b.system_status in ('apus_admin', 'apus_team', 'ogf_admin', 'ogf_team', 'admin'),
    coalesce(e.ab, '-infinity')
  from app.benutzer b left join rechte.sitzungsende e on e.user_id = b.user_id
  where rechte.fold_address(b.email) = rechte.fold_address(konto_lage.email)
$$;
select rechte.define('rechte.konto_lage(text)');

-- Definer, for the set-up link: the first admin of both halves. Only while there is no admin at all.
create or replace function rechte.erster_admin(email text, first_name text, last_name text)
  returns bigint language plpgsql set search_path = pg_catalog as $$
-- The conflict target below can only name the column bare.
#variable_conflict use_column
declare person bigint;
begin
  perform pg_advisory_xact_lock(hashtext('rechte.erster_admin'));
  if exists (
    select from app.benutzer b
    where b.enabled and b.system_status in ('admin', 'ogf_admin', 'apus_admin')
  ) then
    raise sqlstate 'PT409' using message = 'there is an admin already', hint = 'set_up_done';
  end if;
  insert into app.benutzer as b (email, username, first_name, last_name, system_status, apus_admin)
  values (
    rechte.fold_address(erster_admin.email), rechte.fold_address(erster_admin.email), erster_admin.first_name,
    erster_admin.last_name, 'ogf_admin', true
  )
  on conflict (rechte.fold_address(email)) do update
    set system_status = 'ogf_admin', apus_admin = true, enabled = true
  returning b.user_id into person;
  return person;
end $$;
select rechte.define('rechte.erster_admin(text, text, text)');

-- Definer, for whatever ends a person's sessions: tokens issued until now are refused from the next call on,
-- used or not, whichever account they are bound to. Never earlier than before.
create or replace function rechte.sitzungen_beenden(person bigint)
  returns void language sql set search_path = pg_catalog as $$
  insert into rechte.sitzungsende as e (user_id, ab)
  values (sitzungen_beenden.person, date_trunc('second', clock_timestamp()) + interval '1 second')
  on conflict on constraint sitzungsende_pkey do update set ab = greatest(e.ab, excluded.ab)
$$;
select rechte.define('rechte.sitzungen_beenden(bigint)');
grant execute on function rechte.sitzungen_beenden(bigint) to forst_definer;

-- Definer, for the embedded identity provider: the same by the sign-in address.
create or replace function rechte.end_sessions(email text)
  returns void language sql set search_path = pg_catalog as $$
  select rechte.sitzungen_beenden(b.user_id)
  from app.benutzer b
  where rechte.fold_address(b.email) = rechte.fold_address(end_sessions.email)
$$;
select rechte.define('rechte.end_sessions(text)');

-- Definer, for the embedded identity provider: one session was signed out of; its access tokens are refused
-- from the next call on, for as long as they would be good.
create or replace function rechte.end_session(sid text, seconds integer)
  returns void language sql set search_path = pg_catalog as $$
  delete from rechte.beendete_sitzung s where s.bis < now();
  insert into rechte.beendete_sitzung as s (sid, bis)
  values (end_session.sid, now() + end_session.seconds * interval '1 second')
  on conflict on constraint beendete_sitzung_pkey do nothing
$$;
select rechte.define('rechte.end_session(text, integer)');

grant execute on function rechte.claims(), rechte.user_id(), rechte.rollen(), rechte.has_role(text),
  rechte.has_any(text[]), rechte.kunden_als(text[]), rechte.hqs_als(text), rechte.people(), rechte.wer(),
  rechte.ich(), rechte.check_request(), rechte.link_identity() to nutzer;
grant execute on function rechte.claims(), rechte.user_id(), rechte.rollen(), rechte.has_role(text),
  rechte.has_any(text[]), rechte.kunden_als(text[]), rechte.hqs_als(text), rechte.people(), rechte.wer(),
  rechte.ich(), rechte.derive_rollen(text[], text, boolean, boolean, text[], jsonb) to forst_definer;
grant execute on function rechte.konto_lage(text), rechte.erster_admin(text, text, text),
  rechte.end_sessions(text), rechte.end_session(text, integer), rechte.move_identities(text, text[])
  to forst_idp;
-- The checks of nearly every text column. Without a setting of their own they become part of the expression
-- that asks them: a call costs more than the check, and an import of 100,000 objects asks a million times.
-- Nothing in them depends on the search path, as their bodies were read when they were made.
create or replace function rechte.is_line(value text, longest integer)
  returns boolean language sql immutable parallel safe
  return value is null
    or (char_length(value) between 1 and longest and value !~ '[\x01-\x1f\x7f]' and btrim(value) = value);
create or replace function rechte.is_text(value text, longest integer)
  returns boolean language sql immutable parallel safe
  return value is null or (char_length(value) <= longest and value !~ '[\x01-\x08\x0b-\x1f\x7f]');
grant execute on function rechte.sort_key(text), rechte.natural_key(text), rechte.search_text(text),
  rechte.is_line(text, integer), rechte.is_email(text), rechte.is_text(text, integer),
  rechte.is_line_or_empty(text, integer) to nutzer, forst_definer, forst_betrieb;
grant execute on function rechte.is_skonto(jsonb), rechte.is_unit_price(numeric)
  to forst_definer, forst_betrieb;
grant execute on function rechte.claims(), rechte.wer(), rechte.ich(), rechte.user_id() to forst_betrieb;
