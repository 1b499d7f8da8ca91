-- Who is calling and what they may do: the functions behind every policy. Policies may call them; the data
-- API may not, because it publishes only the schema app.

-- app is what the API publishes. Every other schema holds the functions and closed tables of one subject.
create or replace function rights.schemas()
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return '{app,rights,checks,history,accounts,search,abo,books,dispatch,forest,maps,notices,privacy,
    imports,notes}'::text[];

do $$
declare name text;
begin
  foreach name in array rights.schemas() loop
    execute format('revoke all on schema %I from public', name);
    -- forst_api parses statements before it switches roles; it has no right on any table.
    execute format('grant usage on schema %I to nutzer, forst_definer, forst_betrieb, forst_api', name);
    -- forst_definer can only become the owner of a function if it may create in the function's schema.
    execute format('grant create on schema %I to forst_definer', name);
  end loop;
end $$;
grant usage on schema accounts, app, books, checks, dispatch, rights to forst_dokument;
grant usage on schema accounts, books to forst_idp;

-- Otherwise a crafted expression could put other claims into the settings that the policies read. Only a
-- superuser owns set_config; if our owner is none, the operator must revoke it once (docs/operations.md), and
-- the operations page shows a warning until then.
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

-- Applies the house rule to a table: row security on and forced, all grants revoked, policies only for
-- forst_betrieb and forst_definer. Every noun starts with it, so running the file again leaves exactly what
-- the file says.
create or replace function rights.protect(relation regclass)
  returns void language plpgsql set search_path = pg_catalog as $$
declare found record;
begin
  for found in select polname from pg_policy where polrelid = relation loop
    execute format('drop policy %I on %s', found.polname, relation);
  end loop;
  execute format('alter table %s enable row level security', relation);
  execute format('alter table %s force row level security', relation);
  execute format(
    'revoke all on %s from public, nutzer, forst_definer, forst_betrieb, forst_idp, forst_dokument,
      forst_karte, forst_api',
    relation
  );
  for found in
    select attname
    from pg_attribute
    where attrelid = relation and attnum > 0 and not attisdropped and attacl is not null
  loop
    execute format(
      'revoke all (%I) on %s from public, nutzer, forst_definer, forst_idp, forst_dokument, forst_karte,
        forst_api',
      found.attname, relation
    );
  end loop;
  execute format('grant select, insert, update, delete on %s to forst_betrieb', relation);
  -- A restore also sets the sequences.
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

-- Makes a function security definer, owned by forst_definer and closed to PUBLIC. Who may call it is granted
-- below it.
create or replace function rights.define(function regprocedure)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  execute format('alter function %s security definer', function);
  execute format('alter function %s owner to forst_definer', function);
  execute format('revoke execute on function %s from public', function);
end $$;

select rights.protect('accounts.identitaet');
grant select, insert, update, delete on accounts.identitaet to forst_definer;

select rights.protect('accounts.beendete_sitzung');
grant select, insert, update, delete on accounts.beendete_sitzung to forst_definer;

select rights.protect('accounts.sitzungsende');
grant select, insert, update, delete on accounts.sitzungsende to forst_definer;

-- Two addresses are the same if they differ only in upper and lower case of A to Z. domain/mail-address.ts
-- has the same rule; both are tested with domain/mail-address.cases.json. The indexes on addresses call it,
-- so every role that writes an address may execute it.
create or replace function accounts.fold_address(value text) returns text language sql immutable parallel safe
  return translate(value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
grant execute on function accounts.fold_address(text) to nutzer, forst_definer, forst_betrieb, forst_idp;
-- The verified claims of this transaction. After a transaction the setting is an empty string, which must
-- mean nobody.
create or replace function rights.claims()
  returns jsonb language sql stable parallel safe set search_path = pg_catalog
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb;
grant execute on function rights.claims() to nutzer, forst_definer, forst_betrieb;

-- Whether a token was issued after its person's sessions were last ended. `ab` null: they never were. A key
-- is no session; it ends by itself (rights.key).
create or replace function rights.is_current(claims jsonb, ab timestamptz)
  returns boolean language sql stable parallel safe
  return ab is null
    or claims ? 'key'
    or claims ->> 'iat' is null
    or to_timestamp((claims ->> 'iat')::double precision) >= ab;
grant execute on function rights.is_current(jsonb, timestamptz) to forst_definer;

-- Derives the roles. domain/roles.ts has the same rule; both are tested with domain/roles.cases.json.
-- `pruefer`: the day until which the person audits the books has not passed.
drop function if exists rights.derive_roles(text[], text, boolean, boolean, text[], jsonb);
create or replace function rights.derive_roles(
  groups text[], system_status text, apus_admin boolean, apus_team boolean, kunden text[], hqs jsonb,
  pruefer boolean default false
) returns text[] language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
  validated constant text[] := '{ogf_init,ogf_standard,appuser,multiple_fb,ogf_fb_admin,inactive_fb,pruefer}';
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
  if system_status = any (every)
    and system_status not in ('multiple_fb', 'ogf_fb_admin', 'inactive_fb', 'pruefer')
  then
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
  if pruefer then roles := roles || 'pruefer'::text; end if;
  roles := array(
    select role
    from unnest(roles) with ordinality as r(role, nr)
    where role = any (ceiling)
    group by role
    order by min(nr)
  );
  -- An auditor has a place, although they belong to neither half.
  if 'pruefer' = any (roles) then roles := array_remove(roles, 'ogf_init'); end if;
  return case when cardinality(roles) > 0 then roles else '{ogf_init}' end;
end $$;
grant execute on function rights.derive_roles(text[], text, boolean, boolean, text[], jsonb, boolean)
  to forst_definer;

-- Whether a person who audits the books until this day does so today.
create or replace function rights.is_auditor(pruefer_bis date)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
begin
  return coalesce(pruefer_bis >= checks.today(), false);
end $$;
grant execute on function rights.is_auditor(date) to nutzer, forst_definer, forst_betrieb;

-- Definer: the table of identities is closed to nutzer. The caller's own number; null for nobody, for the
-- disabled and for ended sessions.
create or replace function rights.user_id()
  returns bigint language plpgsql stable set search_path = pg_catalog as $$
declare
  claims jsonb := rights.claims();
  found bigint;
begin
  select i.user_id into found
  from accounts.identitaet i
    join app.benutzer b on b.user_id = i.user_id
    left join accounts.sitzungsende e on e.user_id = i.user_id
  where i.iss = claims ->> 'iss'
    and i.sub = claims ->> 'sub'
    and b.enabled
    and rights.is_current(claims, e.ab)
    and (not claims ? 'key' or (rights.key()).user_id = b.user_id);
  return found;
end $$;
select rights.define('rights.user_id()');
grant execute on function rights.user_id() to nutzer, forst_definer, forst_betrieb;

-- Definer: reads the caller's own row and links regardless of the policies on them, which call this function.
-- The caller's current roles; none for nobody and the disabled. admin includes the admin roles of both
-- halves, so policies only need to name those.
create or replace function rights.roles()
  returns text[] language plpgsql stable set search_path = pg_catalog as $$
declare
  claims jsonb := rights.claims();
  roles text[];
begin
  if claims is null then return '{}'; end if;
  select rights.derive_roles(
    array(
      select jsonb_array_elements_text(case
        when claims ? 'key' then coalesce(to_jsonb((rights.key()).token_gruppen), '[]')
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
    ),
    rights.is_auditor(b.pruefer_bis)
  ) into roles
  from accounts.identitaet i
    join app.benutzer b on b.user_id = i.user_id
    left join accounts.sitzungsende e on e.user_id = i.user_id
  where i.iss = claims ->> 'iss'
    and i.sub = claims ->> 'sub'
    and b.enabled
    and rights.is_current(claims, e.ab);
  roles := case
    when roles is null then '{}'
    when 'admin' = any (roles) then roles || '{ogf_admin,apus_admin}'::text[]
    else roles
  end;
  return case when claims ? 'key' then rights.narrowed(roles) else roles end;
end $$;
select rights.define('rights.roles()');
grant execute on function rights.roles() to nutzer, forst_definer;

create or replace function rights.has_role(role text)
  returns boolean language sql stable set search_path = pg_catalog
  return role = any (rights.roles());
grant execute on function rights.has_role(text) to nutzer, forst_definer;
create or replace function rights.has_any(variadic roles text[])
  returns boolean language sql stable set search_path = pg_catalog
  return roles && rights.roles();
grant execute on function rights.has_any(text[]) to nutzer, forst_definer;
-- Who reads the books: apus_admin, and an auditor what is issued.
create or replace function rights.reads_books(issued boolean default true)
  returns boolean language sql stable set search_path = pg_catalog
  return rights.has_role('apus_admin') or (issued and rights.has_role('pruefer'));
grant execute on function rights.reads_books(boolean) to nutzer, forst_definer;

-- Definer: reads the links regardless of their policies, which call this function. The caller's customers
-- where the caller holds one of these roles through the link itself: an admin of one customer is not an admin
-- of another.
create or replace function rights.kunden_as(variadic roles text[])
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare held text[] := rights.roles();
begin
  return array(
    select bk.client_id
    from app.benutzer_kunde bk
    where bk.user_id = rights.user_id()
      and case bk.rolle
        when 'admin' then '{appuser_admin,appuser}'::text[]
        when 'kundenadmin' then '{kundenadmin}'
        else '{appuser}'
      end && array(select unnest(roles) intersect select unnest(held))
  );
end $$;
select rights.define('rights.kunden_as(text[])');
grant execute on function rights.kunden_as(text[]) to nutzer, forst_definer;

-- Definer: as above. The caller's linked headquarters; with 'hq_admin' only those the caller administers.
-- None for the newly registered.
create or replace function rights.hqs_as(status text default null)
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare held text[] := rights.roles();
begin
  if held <@ '{ogf_init}'
    or (status = 'hq_admin' and not 'ogf_fb_admin' = any (held))
    -- Headquarters belong to the forest half, whatever role the link was made for: a key for the other half,
    -- or made without any role of the forest, reaches none, also if its owner is linked later.
    or (
      rights.claims() ? 'key'
      and ((rights.key()).haelfte = 'draenage' or not held && rights.half_roles('forst'))
    )
  then
    return '{}';
  end if;
  return array(
    select bh.hqid
    from app.benutzer_hq bh
    where bh.user_id = rights.user_id() and (status is null or status = any (bh.hq_status))
  );
end $$;
select rights.define('rights.hqs_as(text)');
grant execute on function rights.hqs_as(text) to nutzer, forst_definer;

-- Definer: as above. The people the caller may see: the caller, and the people of the customers and
-- headquarters the caller administers.
create or replace function rights.people()
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare kunden bigint[] := rights.kunden_as('kundenadmin', 'appuser_admin');
declare forest bigint[] := rights.kunden_as('kundenadmin');
declare hqs bigint[] := rights.hqs_as('hq_admin');
begin
  return array(
    select rights.user_id()
    where rights.user_id() is not null
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
select rights.define('rights.people()');
grant execute on function rights.people() to nutzer, forst_definer;

-- Definer: the table of identities is closed to nutzer. The caller's number and the name shown in the
-- history, read together because every change needs both. With a key: "Anna Ahorn durch QGIS Büro".
create or replace function rights.caller(out user_id bigint, out name text)
  language plpgsql stable set search_path = pg_catalog as $$
declare claims jsonb := rights.claims();
begin
  if claims is null then return; end if;
  select b.user_id,
    coalesce(nullif(btrim(coalesce(b.first_name, '') || ' ' || coalesce(b.last_name, '')), ''), b.username)
      || case when claims ? 'key' then ' durch ' || (rights.key()).name else '' end into user_id, name
  from accounts.identitaet i
    join app.benutzer b on b.user_id = i.user_id
    left join accounts.sitzungsende e on e.user_id = i.user_id
  where i.iss = claims ->> 'iss'
    and i.sub = claims ->> 'sub'
    and b.enabled
    and rights.is_current(claims, e.ab);
end $$;
select rights.define('rights.caller()');
grant execute on function rights.caller() to nutzer, forst_definer, forst_betrieb;
create or replace function rights.caller_name() returns text language sql stable set search_path = pg_catalog
  return (rights.caller()).name;
grant execute on function rights.caller_name() to nutzer, forst_definer, forst_betrieb;

-- From when to when the caller is signed in. A key has no session: its own days.
create or replace function rights.session(out issued timestamptz, out expires timestamptz)
  language plpgsql stable set search_path = pg_catalog as $$
declare claims jsonb := rights.claims();
begin
  if claims ? 'key' then
    issued := (rights.key()).erstellt_am;
    expires := ((rights.key()).bis + 1)::timestamp at time zone 'Europe/Berlin';
  else
    issued := to_timestamp((claims ->> 'iat')::double precision);
    expires := to_timestamp((claims ->> 'exp')::double precision);
  end if;
end $$;
grant execute on function rights.session() to nutzer;

-- A digest of (iss, sub) replaces both for a deleted person, until sessions_valid_after. Otherwise a token
-- that is still valid, or an account still in the provider's directory, would create a new person on its next
-- call. Nobody can find the person by the digest without already knowing iss and sub.
create or replace function accounts.identity_digest(iss text, sub text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return encode(sha256(convert_to(iss || E'\n' || sub, 'UTF8')), 'hex');
grant execute on function accounts.identity_digest(text, text) to forst_definer;
create or replace function accounts.was_deleted(claims jsonb)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from accounts.identitaet i
    where i.iss = 'geloescht'
      and i.sub = accounts.identity_digest(claims ->> 'iss', claims ->> 'sub')
      and i.sessions_valid_after > now()
  )
$$;
grant execute on function accounts.was_deleted(jsonb) to forst_definer;

-- Digest of a deleted person's sign-in address. Addresses can be guessed, so it is kept no longer than a
-- token is valid; see app.a_delete_person_daten and privacy.remove_blocked.
create or replace function accounts.address_digest(address text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return encode(sha256(convert_to(E'adresse\n' || accounts.fold_address(address), 'UTF8')), 'hex');
grant execute on function accounts.address_digest(text) to forst_definer;

-- Definer: identities and session ends are closed to nutzer. Why a token is refused; null if it is not. An
-- account not yet bound to a person is checked by its verified address, so ending a person's sessions also
-- ends tokens that were never used.
-- 'former': issued to a deleted person before the deletion. 'deleted': the account of a deleted person, whom
-- an admin may have created again.
create or replace function rights.block_reason(claims jsonb)
  returns text language plpgsql stable set search_path = pg_catalog as $$
declare person record;
begin
  select b.enabled, e.ab into person
  from accounts.identitaet i
    join app.benutzer b on b.user_id = i.user_id
    left join accounts.sitzungsende e on e.user_id = i.user_id
  where i.iss = claims ->> 'iss' and i.sub = claims ->> 'sub';
  if not found then
    if exists (
      select from accounts.sitzungsende e
      where e.ehemals = accounts.address_digest(claims ->> 'email') and not rights.is_current(claims, e.ab)
    ) then
      return 'former';
    end if;
    if accounts.was_deleted(claims) then return 'deleted'; end if;
    if claims -> 'email_verified' is distinct from 'true'::jsonb then return null; end if;
    select b.enabled, e.ab into person
    from app.benutzer b left join accounts.sitzungsende e on e.user_id = b.user_id
    where accounts.fold_address(b.email) = accounts.fold_address(claims ->> 'email');
    if not found then return null; end if;
  end if;
  if not person.enabled then return 'disabled'; end if;
  if not rights.is_current(claims, person.ab) then return 'ended'; end if;
  return null;
end $$;
select rights.define('rights.block_reason(jsonb)');
grant execute on function rights.block_reason(jsonb) to forst_definer;

-- Definer: ended sessions are closed to nutzer. The first statement of every request's transaction. Refuses
-- the disabled, the deleted, sessions ended by an admin and sessions signed out of, and what a key may not
-- do.
-- Callers without a record pass and see nothing. Volatile, because a key may make the transaction read-only.
create or replace function rights.check_request()
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  claims jsonb := rights.claims();
  reason text;
begin
  if claims is null then return; end if;
  reason := case
    when exists (select from accounts.beendete_sitzung s where s.sid = claims ->> 'sid') then 'ended'
    else rights.block_reason(claims)
  end;
  if reason in ('former', 'deleted') then
    raise sqlstate 'PT401' using message = 'Account deleted', hint = 'account_disabled';
  end if;
  if reason = 'disabled' then
    raise sqlstate 'PT401' using message = 'Account disabled', hint = 'account_disabled';
  end if;
  if reason = 'ended' then
    raise sqlstate 'PT401' using message = 'Session ended', hint = 'session_ended';
  end if;
  if claims ? 'key' then perform rights.check_key(current_setting('request.path', true)); end if;
end $$;
select rights.define('rights.check_request()');
grant execute on function rights.check_request() to nutzer, forst_karte, forst_dokument;

-- Definer: identities are closed to nutzer. Binds the token's (iss, sub) to a person on the first call. The
-- address must be verified and the person's record must not have an account yet; an unknown address creates a
-- newly registered person. Later changes of the address change nothing. A deleted person can return only
-- after an admin has created a record for the address again.
create or replace function accounts.link_identity()
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  claims jsonb := rights.claims();
  address text := accounts.fold_address(claims ->> 'email');
  person bigint;
  reason text;
begin
  if claims ->> 'iss' is null or claims ->> 'sub' is null then return null; end if;
  select i.user_id into person
  from accounts.identitaet i
  where i.iss = claims ->> 'iss' and i.sub = claims ->> 'sub';
  if found then return person; end if;
  if claims -> 'email_verified' is distinct from 'true'::jsonb or address is null then return null; end if;
  reason := rights.block_reason(claims);
  -- Refused tokens are bound to nobody.
  if reason in ('ended', 'disabled', 'former') then return null; end if;
  if reason is null then
    insert into app.benutzer (email, username, first_name, last_name)
    values (
      address, address, nullif(btrim(left(claims ->> 'given_name', 100)), ''),
      nullif(btrim(left(claims ->> 'family_name', 100)), '')
    )
    on conflict do nothing;
  end if;
  insert into accounts.identitaet (iss, sub, user_id)
  select claims ->> 'iss', claims ->> 'sub', b.user_id
  from app.benutzer b
  where accounts.fold_address(b.email) = address
  on conflict do nothing;
  select i.user_id into person
  from accounts.identitaet i
  where i.iss = claims ->> 'iss' and i.sub = claims ->> 'sub';
  return person;
end $$;
select rights.define('accounts.link_identity()');
grant execute on function accounts.link_identity() to nutzer;

-- Definer: forst_idp has no rights on identities. For the embedded identity provider, whose issuer is the
-- product's own address: when that changes, its accounts (`subs`) keep their persons. Otherwise everybody
-- would sign in and see nothing.
create or replace function accounts.move_identities(issuer text, subs text[])
  returns integer language sql set search_path = pg_catalog as $$
  with moved as (
    update accounts.identitaet i set iss = issuer
    where i.sub = any (subs)
      and i.iss not in (issuer, 'geloescht')
      and not exists (select from accounts.identitaet taken where taken.iss = issuer and taken.sub = i.sub)
    returning 1
  )
  select count(*)::integer
  from moved
$$;
select rights.define('accounts.move_identities(text, text[])');
grant execute on function accounts.move_identities(text, text[]) to forst_idp;

-- Definer: forst_idp has no rights on people. What the embedded identity provider needs to know about the
-- person behind an account. `gruppe` is the lowest group whose ceiling allows the person's roles.
create or replace function accounts.account_state(email text)
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
      when b.system_status = 'ogf_init' and not rights.is_auditor(b.pruefer_bis) then 'appuser_new'
      else 'appuser_validated'
    end,
    b.apus_admin
      or b.apus_team
      or b.system_status in ('apus_admin', 'apus_team', 'ogf_admin', 'ogf_team', 'admin')
      or rights.is_auditor(b.pruefer_bis),
    coalesce(e.ab, '-infinity')
  from app.benutzer b left join accounts.sitzungsende e on e.user_id = b.user_id
  where accounts.fold_address(b.email) = accounts.fold_address(account_state.email)
$$;
select rights.define('accounts.account_state(text)');
grant execute on function accounts.account_state(text) to forst_idp;

-- Definer: forst_idp has no rights on people. For the set-up link: creates the first admin of both halves,
-- only while there is no enabled admin.
create or replace function accounts.create_first_admin(email text, first_name text, last_name text)
  returns bigint language plpgsql set search_path = pg_catalog as $$
-- The conflict target below can only name the column unqualified.
#variable_conflict use_column
declare person bigint;
begin
  perform pg_advisory_xact_lock(hashtext('accounts.create_first_admin'));
  if exists (
    select from app.benutzer b
    where b.enabled and b.system_status in ('admin', 'ogf_admin', 'apus_admin')
  ) then
    raise sqlstate 'PT409' using message = 'there is an admin already', hint = 'set_up_done';
  end if;
  insert into app.benutzer as b (email, username, first_name, last_name, system_status, apus_admin)
  values (
    accounts.fold_address(create_first_admin.email), accounts.fold_address(create_first_admin.email),
    create_first_admin.first_name, create_first_admin.last_name, 'ogf_admin', true
  )
  on conflict (accounts.fold_address(email)) do update
    set system_status = 'ogf_admin', apus_admin = true, enabled = true
  returning b.user_id into person;
  return person;
end $$;
select rights.define('accounts.create_first_admin(text, text, text)');
grant execute on function accounts.create_first_admin(text, text, text) to forst_idp;

-- Definer: called wherever a person's sessions end; the table is closed. Tokens issued until now are refused
-- from the next call on, even unused ones and whichever account they belong to. The time never moves back.
create or replace function accounts.end_sessions_of(person bigint)
  returns void language sql set search_path = pg_catalog as $$
  insert into accounts.sitzungsende as e (user_id, ab)
  values (end_sessions_of.person, date_trunc('second', clock_timestamp()) + interval '1 second')
  on conflict on constraint sitzungsende_pkey do update set ab = greatest(e.ab, excluded.ab)
$$;
select rights.define('accounts.end_sessions_of(bigint)');
grant execute on function accounts.end_sessions_of(bigint) to forst_definer;

-- Definer: as above. By sign-in address, for the embedded identity provider.
create or replace function accounts.end_sessions(email text)
  returns void language sql set search_path = pg_catalog as $$
  select accounts.end_sessions_of(b.user_id)
  from app.benutzer b
  where accounts.fold_address(b.email) = accounts.fold_address(end_sessions.email)
$$;
select rights.define('accounts.end_sessions(text)');
grant execute on function accounts.end_sessions(text) to forst_idp;

-- Definer: as above. One session was signed out of, for the embedded identity provider. Its access tokens are
-- refused from the next call on, for as long as they would be valid.
create or replace function accounts.end_session(sid text, seconds integer)
  returns void language sql set search_path = pg_catalog as $$
  delete from accounts.beendete_sitzung s where s.bis < now();
  insert into accounts.beendete_sitzung as s (sid, bis)
  values (end_session.sid, now() + end_session.seconds * interval '1 second')
  on conflict on constraint beendete_sitzung_pkey do nothing
$$;
select rights.define('accounts.end_session(text, integer)');
grant execute on function accounts.end_session(text, integer) to forst_idp;

-- Same answer for "does not exist" and "not yours", so that probing numbers reveals nothing.
create or replace function rights.refuse_unless(allowed boolean)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  if allowed is not true then raise sqlstate 'PT403' using message = 'not found or not allowed'; end if;
end $$;
grant execute on function rights.refuse_unless(boolean) to nutzer, forst_definer;

-- As rights.refuse_unless, but with 404: for calls that look up one row.
create or replace function rights.check_found(is_there boolean)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  if is_there is not true then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
end $$;
grant execute on function rights.check_found(boolean) to nutzer, forst_definer, forst_betrieb;
