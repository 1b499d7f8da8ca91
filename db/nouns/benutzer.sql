-- People and their links to customers and headquarters. Only procedures write these tables: each checks that
-- the caller holds what it gives away.

select rights.protect('app.benutzer');
select rights.protect('app.benutzer_kunde');
select rights.protect('app.benutzer_hq');
grant select, insert, update, delete on app.benutzer, app.benutzer_kunde, app.benutzer_hq to forst_definer;
grant select on app.benutzer, app.benutzer_kunde, app.benutzer_hq to nutzer;

create policy staff on app.benutzer for select to nutzer
  using ((select rights.has_any('ogf_admin', 'apus_admin', 'ogf_team', 'apus_team')));
create policy people on app.benutzer for select to nutzer
  using (user_id = any ((select rights.people())::bigint[]));
create policy staff on app.benutzer_kunde for select to nutzer
  using ((select rights.has_any('ogf_admin', 'apus_admin', 'ogf_team', 'apus_team')));
create policy self on app.benutzer_kunde for select to nutzer
  using (user_id = (select rights.user_id()) and not (select rights.roles()) <@ '{ogf_init}');
create policy own_kunde on app.benutzer_kunde for select to nutzer
  using (client_id = any ((select rights.kunden_as('kundenadmin', 'appuser_admin'))::bigint[]));
create policy staff on app.benutzer_hq for select to nutzer
  using ((select rights.has_any('ogf_admin', 'apus_admin', 'ogf_team', 'apus_team')));
create policy self on app.benutzer_hq for select to nutzer
  using (user_id = (select rights.user_id()) and not (select rights.roles()) <@ '{ogf_init}');
create policy own_kunde on app.benutzer_hq for select to nutzer
  using (client_id = any ((select rights.kunden_as('kundenadmin'))::bigint[]));
create policy own_hq on app.benutzer_hq for select to nutzer
  using (hqid = any ((select rights.hqs_as('hq_admin'))::bigint[]));

-- Definer: must also count admins the caller may not see. Each half keeps at least one enabled admin. Changes
-- by operations (sample data, restore) are not checked.
create or replace function accounts.check_last_admin()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform pg_advisory_xact_lock(hashtext('accounts.check_last_admin'));
  if old.enabled
    and old.system_status in ('ogf_admin', 'admin')
    and not exists (
      select from app.benutzer b where b.enabled and b.system_status in ('ogf_admin', 'admin')
    )
  then
    raise sqlstate 'PT409' using message = 'the last ogf_admin cannot be removed', hint = 'last_admin';
  end if;
  if old.enabled
    and (old.apus_admin or old.system_status in ('apus_admin', 'admin'))
    and not exists (
      select from app.benutzer b
      where b.enabled and (b.apus_admin or b.system_status in ('apus_admin', 'admin'))
    )
  then
    raise sqlstate 'PT409' using message = 'the last apus_admin cannot be removed', hint = 'last_admin';
  end if;
  return null;
end $$;
select rights.define('accounts.check_last_admin()');
create or replace trigger x_last_admin after update of enabled, system_status, apus_admin or delete
  on app.benutzer
  for each row when (current_user <> 'forst_betrieb') execute function accounts.check_last_admin();

-- Definer: the table of ended sessions is closed to nutzer. New provider staff and auditors must sign in
-- again, with the second factor required of them. Unlocking must not revive sessions from before the lock, so
-- locking ends them for good.
drop trigger if exists x_new_staff on app.benutzer;
create or replace function accounts.end_sessions_of_changed()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform accounts.end_sessions_of(new.user_id);
  -- A key made before does not gain what the second factor now guards, and a lock ends it for good.
  perform accounts.end_keys_of(new.user_id, 'person', rights.caller_name());
  return null;
end $$;
select rights.define('accounts.end_sessions_of_changed()');
create or replace trigger x_end_sessions
  after update of apus_admin, apus_team, system_status, pruefer_bis, enabled, email on app.benutzer
  for each row
  when (
    (old.enabled and not new.enabled)
    or old.email is distinct from new.email
    or (rights.is_auditor(new.pruefer_bis) and not rights.is_auditor(old.pruefer_bis))
    or (
      (
        new.apus_admin
        or new.apus_team
        or new.system_status in ('apus_admin', 'apus_team', 'ogf_admin', 'ogf_team', 'admin')
      )
      and not (
        old.apus_admin
        or old.apus_team
        or old.system_status in ('apus_admin', 'apus_team', 'ogf_admin', 'ogf_team', 'admin')
      )
    )
  ) execute function accounts.end_sessions_of_changed();

-- Nobody may give themselves a role, a link or a switch, whatever way they write the row; giving up what one
-- holds is allowed. Who gives what to others is decided in the procedures below.
-- Whether base role `after` carries nothing that `before` does not: an admin may become a plain person of
-- their half, `admin` also an admin of one half. domain/role-origins.ts (laysDown) has the same rule.
create or replace function rights.lays_down(before text, after text)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return after = 'ogf_init'
    or case before
      when 'admin' then after in ('ogf_admin', 'apus_admin', 'ogf_standard', 'appuser')
      when 'ogf_admin' then after = 'ogf_standard'
      when 'apus_admin' then after = 'appuser'
      else false
    end;
grant execute on function rights.lays_down(text, text) to forst_definer;
create or replace function rights.check_not_oneself()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  after jsonb := to_jsonb(new);
  before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  gained boolean;
begin
  if new.user_id is distinct from rights.user_id() then return new; end if;
  gained := case tg_table_name
    when 'benutzer' then ((after ->> 'apus_admin')::boolean and not (before ->> 'apus_admin')::boolean)
      or ((after ->> 'apus_team')::boolean and not (before ->> 'apus_team')::boolean)
      or (
        after ->> 'system_status' <> before ->> 'system_status'
        and not rights.lays_down(before ->> 'system_status', after ->> 'system_status')
      )
      or (
        after ->> 'pruefer_bis' is not null
        and after ->> 'pruefer_bis' is distinct from before ->> 'pruefer_bis'
      )
    when 'benutzer_kunde' then
      tg_op = 'INSERT'
        or after ->> 'rolle' <> before ->> 'rolle'
        or ((after ->> 'kataster_enabled')::boolean and not (before ->> 'kataster_enabled')::boolean)
    else tg_op = 'INSERT' or (after -> 'hq_status' ? 'hq_admin' and not before -> 'hq_status' ? 'hq_admin')
  end;
  if gained then
    raise sqlstate 'PT403' using message = 'not found or not allowed', hint = 'nicht_sich_selbst';
  end if;
  return new;
end $$;
grant execute on function rights.check_not_oneself() to forst_definer;
create or replace trigger b_not_oneself before update of system_status, apus_admin, apus_team, pruefer_bis
  on app.benutzer
  for each row when (current_user <> 'forst_betrieb') execute function rights.check_not_oneself();
create or replace trigger b_not_oneself before insert or update on app.benutzer_kunde
  for each row when (current_user <> 'forst_betrieb') execute function rights.check_not_oneself();
create or replace trigger b_not_oneself before insert or update on app.benutzer_hq
  for each row when (current_user <> 'forst_betrieb') execute function rights.check_not_oneself();

-- Definer: nutzer has no right to write people. `kataster_enabled` of a person is true if at least one of
-- their links has it; nothing else sets it.
create or replace function accounts.derive_kataster()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare person bigint := case tg_op when 'DELETE' then old.user_id else new.user_id end;
begin
  update app.benutzer b set kataster_enabled = not b.kataster_enabled
  where b.user_id = person
    and b.kataster_enabled <> exists (
      select from app.benutzer_kunde bk where bk.user_id = person and bk.kataster_enabled
    );
  return null;
end $$;
select rights.define('accounts.derive_kataster()');
create or replace trigger x_kataster after insert or delete or update of kataster_enabled
  on app.benutzer_kunde
  for each row when (current_user <> 'forst_betrieb') execute function accounts.derive_kataster();
-- Repairs rows from before the switch followed the links, and rows brought by operations. Runs as
-- forst_betrieb because forced row security hides every row from the owner.
set role forst_betrieb;
update app.benutzer b set kataster_enabled = not b.kataster_enabled
where b.kataster_enabled <> exists (
  select from app.benutzer_kunde bk where bk.user_id = b.user_id and bk.kataster_enabled
);
reset role;

select history.watch('app.benutzer', 'user_id', true);
select history.watch('app.benutzer_kunde', 'client_id,user_id', false);
select history.watch('app.benutzer_hq', 'hqid,user_id', false);

-- Whether the caller may change people's rights at all: the provider's admins. Which of them is decided by
-- the functions below.
create or replace function rights.is_people_admin()
  returns boolean language sql stable set search_path = pg_catalog
  return rights.has_any('ogf_admin', 'apus_admin');
grant execute on function rights.is_people_admin() to nutzer, forst_definer;

-- Whether a person works for the provider.
create or replace function rights.is_staff(person bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select exists (
    select from app.benutzer b
    where b.user_id = person
      and (
        b.apus_admin
        or b.apus_team
        or b.system_status in ('apus_admin', 'apus_team', 'ogf_admin', 'ogf_team', 'admin')
      )
  )
$$;
grant execute on function rights.is_staff(bigint) to forst_definer;
-- Whether the caller's own link to a customer carries what `rolle` gives: nobody gives or takes what they do
-- not hold.
create or replace function rights.holds_link(client_id bigint, rolle text)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select case holds_link.rolle
    when 'admin' then holds_link.client_id = any (rights.kunden_as('appuser_admin'))
    when 'kundenadmin' then holds_link.client_id = any (rights.kunden_as('kundenadmin'))
    else true
  end
$$;
grant execute on function rights.holds_link(bigint, text) to forst_definer;
-- Whether the caller may give others this role at a customer: in the forest half 'kundenadmin', in the
-- drainage half 'admin' and 'nutzer'. A customer's admin may give what their own link carries.
create or replace function rights.gives_link(client_id bigint, rolle text)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select case
    when gives_link.rolle = 'kundenadmin' then
      rights.has_role('ogf_admin') or gives_link.client_id = any (rights.kunden_as('kundenadmin'))
    when gives_link.rolle in ('admin', 'nutzer') then
      rights.has_role('apus_admin') or gives_link.client_id = any (rights.kunden_as('appuser_admin'))
    else false
  end
$$;
grant execute on function rights.gives_link(bigint, text) to forst_definer;
-- Whether the caller may take the role away: every role they may give, and the plain role of people they
-- administer.
create or replace function rights.takes_link(client_id bigint, rolle text)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select rights.gives_link(takes_link.client_id, takes_link.rolle)
    or (
      takes_link.rolle = 'nutzer'
      and (rights.has_role('ogf_admin') or takes_link.client_id = any (rights.kunden_as('kundenadmin')))
    )
$$;
grant execute on function rights.takes_link(bigint, text) to forst_definer;
-- Whether the caller may switch the Kataster on or off for others of a customer: the provider always; a
-- customer's admin only switches on what they can see themselves.
create or replace function rights.gives_kataster(client_id bigint, wanted boolean)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
begin
  return rights.has_role('apus_admin')
    or (
      gives_kataster.client_id = any (rights.kunden_as('appuser_admin'))
      and (not wanted or gives_kataster.client_id = any (maps.kataster_kunden()))
    );
end $$;
grant execute on function rights.gives_kataster(bigint, boolean) to forst_definer;
-- Role of a new link if none is given: the plain one. The forest half only has 'kundenadmin', and only its
-- provider admin may omit it; a customer's admin has to say explicitly that they create another admin.
create or replace function rights.link_role(client_id bigint, rolle text)
  returns text language sql stable set search_path = pg_catalog as $$
  select coalesce(link_role.rolle, case
    when not rights.gives_link(link_role.client_id, 'nutzer') and rights.has_role('ogf_admin') then
      'kundenadmin'
    else 'nutzer'
  end)
$$;
grant execute on function rights.link_role(bigint, text) to forst_definer;

-- Definer: reads links and people regardless of the policies. Whom the caller may administer (lock, invite,
-- app access). Admins of customers and headquarters: people who belong only to their own customers and
-- headquarters, never provider staff. Only the provider may lock people who also belong elsewhere.
create or replace function rights.may_manage(person bigint)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
declare kunden bigint[] := rights.kunden_as('kundenadmin', 'appuser_admin');
declare forest bigint[] := rights.kunden_as('kundenadmin');
declare hqs bigint[] := rights.hqs_as('hq_admin');
begin
  -- Managing an account can lead to signing in with it. So staff of one half are managed by that half's
  -- admins and everybody else by either; admins of customers and headquarters manage only people whose links
  -- carry nothing the caller lacks.
  if rights.is_people_admin() then
    return exists (
      select from app.benutzer b
      where b.user_id = person
        and rights.may_take(b.system_status)
        and (rights.has_role('apus_admin') or not (b.apus_admin or b.apus_team or b.pruefer_bis is not null))
    );
  end if;
  return person = any (rights.people())
    and person <> rights.user_id()
    and not rights.is_staff(person)
    and not exists (
      select from app.benutzer_kunde bk
      where bk.user_id = person
        and (bk.client_id <> all (kunden) or not rights.holds_link(bk.client_id, bk.rolle))
    )
    and not exists (
      select from app.benutzer_hq bh
      where bh.user_id = person and bh.client_id <> all (forest) and bh.hqid <> all (hqs)
    );
end $$;
select rights.define('rights.may_manage(bigint)');
grant execute on function rights.may_manage(bigint) to nutzer, forst_definer;

-- Definer: reads the address regardless of the policies. A person's address for inviting, unlocking and
-- ending sessions, only for callers who may administer that person. `vertraut`: whether the caller may see a
-- link that replaces a password. Only the provider's admins may; others could use an invitation to take over
-- the account.
create or replace function accounts.check_may_manage(user_id bigint)
  returns table (email text, vertraut boolean) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(
    rights.may_manage(check_may_manage.user_id) and not privacy.is_deleted(check_may_manage.user_id)
  );
  return query
    select b.email, rights.is_people_admin()
    from app.benutzer b
    where b.user_id = check_may_manage.user_id;
end $$;
select rights.define('accounts.check_may_manage(bigint)');
grant execute on function accounts.check_may_manage(bigint) to nutzer;

-- Reads -----------------------------------------------------------------------------------------------------

-- A person by sign-in address or number, as a list of one or none. No result if both are empty.
drop function if exists app.__o_get_user_data(text, text);
create or replace function app.__o_get_user_data(email text default '', id text default '')
  returns table (
    user_id bigint, reg_date timestamptz, first_name text, last_name text, system_status text, email text,
    mail text, username text, db_role text, geb date, geschlecht text, apus_admin boolean, apus_team boolean,
    kataster_enabled boolean, app_status text, enabled boolean, pruefer boolean, kunden jsonb
  ) language sql stable set search_path = pg_catalog as $$
  select b.user_id, b.reg_date, b.first_name, b.last_name, b.system_status, b.email, b.mail, b.username,
    b.db_role, b.geb, b.geschlecht, b.apus_admin, b.apus_team, b.kataster_enabled, b.app_status, b.enabled,
    rights.is_auditor(b.pruefer_bis),
    (
      select coalesce(jsonb_agg(
        jsonb_build_object('client_id', bk.client_id, 'name', k.name, 'rolle', bk.rolle)
        order by k.sortname, bk.client_id
      ), '[]')
      from app.benutzer_kunde bk left join app.kunde k on k.client_id = bk.client_id
      where bk.user_id = b.user_id
    )
  from app.benutzer b
  where (coalesce(__o_get_user_data.email, '') <> '' or coalesce(__o_get_user_data.id, '') <> '')
    and (
      coalesce(__o_get_user_data.email, '') = ''
      or accounts.fold_address(b.email) = accounts.fold_address(__o_get_user_data.email)
    )
    and (coalesce(__o_get_user_data.id, '') = '' or b.user_id::text = __o_get_user_data.id)
$$;
grant execute on function app.__o_get_user_data(text, text) to nutzer;

create or replace function app.a_get_currentuser()
  returns setof app.benutzer language sql stable rows 1 set search_path = pg_catalog as $$
  select b.* from app.benutzer b where b.user_id = rights.user_id()
$$;
grant execute on function app.a_get_currentuser() to nutzer;

-- The caller with everything the screens need: roles, groups, the active headquarters (the first enabled one
-- by name), and when the token was issued and expires.
create or replace function app.a_get_currentsessionuser()
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'user_id', b.user_id, 'name', rights.caller_name(), 'first_name', b.first_name, 'last_name', b.last_name,
    'email', b.email, 'username', b.username, 'geb', b.geb, 'geschlecht', b.geschlecht,
    'reg_date', b.reg_date, 'mail', b.mail, 'mail_db', b.mail, 'db_role', b.db_role,
    'system_status', b.system_status, 'apus_admin', b.apus_admin, 'apus_team', b.apus_team,
    'kataster_enabled', b.kataster_enabled, 'app_status', b.app_status, 'enabled', b.enabled,
    'pruefer', rights.is_auditor(b.pruefer_bis),
    'roles', (
      select coalesce(jsonb_agg(role order by nr), '[]')
      from (
        select role, min(nr) as nr
        from unnest(rights.roles()) with ordinality as r(role, nr)
        group by role
      ) as distinct_roles
    ),
    'groups', coalesce(rights.claims() -> 'groups', '[]'),
    'kunden', (
      select coalesce(jsonb_agg(
        jsonb_build_object('client_id', bk.client_id, 'name', k.name, 'rolle', bk.rolle)
        order by k.sortname, bk.client_id
      ), '[]')
      from app.benutzer_kunde bk left join app.kunde k on k.client_id = bk.client_id
      where bk.user_id = b.user_id
    ),
    'idhq', active."idHQ", 'hq_name', active."sHQ", 'hq_status', coalesce(to_jsonb(active.hq_status), '[]'),
    'dtFE', active."dtFE", 'dcFLAEHB', active."dcFLAEHB"::text,
    'hq_count', (select count(*) from app.benutzer_hq bh where bh.user_id = b.user_id),
    'issued_at', (rights.session()).issued, 'expires_at', (rights.session()).expires
  )
  from app.benutzer b
    left join lateral (
      select h."idHQ", h."sHQ", h."dtFE", h."dcFLAEHB", bh.hq_status
      from app.benutzer_hq bh join app.hq h on h."idHQ" = bh.hqid
      where bh.user_id = b.user_id and h.fb_enabled
      order by h.sortname, h."idHQ" limit 1
    ) active on true
  where b.user_id = rights.user_id()
$$;
grant execute on function app.a_get_currentsessionuser() to nutzer;

-- People of a customer; the next function returns the provider's team for that customer.
create or replace function app.a_get_appusers_from_client(client_id bigint)
  returns table (
    user_id bigint, email text, mail text, first_name text, last_name text, username text, db_role text,
    system_status text, rolle text, kataster_enabled boolean, apus_team boolean, apus_admin boolean,
    app_status text, enabled boolean
  ) language sql stable set search_path = pg_catalog as $$
  select b.user_id, b.email, b.mail, b.first_name, b.last_name, b.username, b.db_role, b.system_status,
    bk.rolle, bk.kataster_enabled, b.apus_team, b.apus_admin, b.app_status, b.enabled
  from app.benutzer_kunde bk join app.benutzer b on b.user_id = bk.user_id
  where bk.client_id = a_get_appusers_from_client.client_id and not b.apus_team and not b.apus_admin
  order by lower(b.last_name), lower(b.first_name), b.user_id
$$;
grant execute on function app.a_get_appusers_from_client(bigint) to nutzer;
create or replace function app.a_get_apus_team_from_client(client_id bigint)
  returns table (
    user_id bigint, email text, mail text, first_name text, last_name text, username text, apus_team boolean,
    apus_admin boolean, enabled boolean
  ) language sql stable set search_path = pg_catalog as $$
  select b.user_id, b.email, b.mail, b.first_name, b.last_name, b.username, b.apus_team, b.apus_admin,
    b.enabled
  from app.benutzer_kunde bk join app.benutzer b on b.user_id = bk.user_id
  where bk.client_id = a_get_apus_team_from_client.client_id and (b.apus_team or b.apus_admin)
  order by lower(b.last_name), lower(b.first_name), b.user_id
$$;
grant execute on function app.a_get_apus_team_from_client(bigint) to nutzer;

-- People of a headquarters. The published name of the parameter is client_id, but its value is the number of
-- the headquarters.
create or replace function app.__o_get_users_from_hq(client_id bigint)
  returns table (
    user_id bigint, email text, mail text, first_name text, last_name text, username text, system_status text,
    hq_status text[], app_status text, enabled boolean
  ) language sql stable set search_path = pg_catalog as $$
  select b.user_id, b.email, b.mail, b.first_name, b.last_name, b.username, b.system_status, bh.hq_status,
    b.app_status, b.enabled
  from app.benutzer_hq bh join app.benutzer b on b.user_id = bh.user_id
  where bh.hqid = __o_get_users_from_hq.client_id
  order by lower(b.last_name), lower(b.first_name), b.user_id
$$;
grant execute on function app.__o_get_users_from_hq(bigint) to nutzer;

-- Definer: looks at all people. Whether a database name is taken; only for callers who may create people
-- anywhere, because the answer reveals something about others.
create or replace function app.a_get_user_exists(db_role text)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.is_people_admin());
  return exists (select from app.benutzer b where b.db_role = lower(btrim(a_get_user_exists.db_role)));
end $$;
select rights.define('app.a_get_user_exists(text)');
grant execute on function app.a_get_user_exists(text) to nutzer;

-- Writes (all definer: the tables are closed to nutzer; each begins with its own check) ---------------------

-- Definer: looks at all people. The name itself, or the name with the lowest free number from 2.
create or replace function accounts.free_db_role(first_name text, last_name text, mail text)
  returns text language plpgsql set search_path = pg_catalog as $$
declare
  stem text;
  label text;
  nr integer := 1;
begin
  stem := coalesce(
    nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), split_part(mail, '@', 1)
  );
  stem := left(
    btrim(regexp_replace(search.sort_key(translate(stem, '.-_', '   ')), '[^a-z0-9]+', '_', 'g'), '_'), 50
  );
  if stem !~ '^[a-z]' then stem := 'n_' || stem; end if;
  label := stem;
  while exists (select from app.benutzer b where b.db_role = label) loop
    nr := nr + 1;
    label := stem || '_' || nr;
  end loop;
  return label;
end $$;
select rights.define('accounts.free_db_role(text, text, text)');
grant execute on function accounts.free_db_role(text, text, text) to forst_definer;

-- Definer: see above. A new person, linked to a customer if one is named; rights.gives_link decides which
-- role the caller may give. Only apus_admin sets the flags.
drop function if exists app.a_add_user(text, text, text, boolean, boolean, boolean, bigint);
create or replace function app.a_add_user(
  mail text, first_name text default null, last_name text default null,
  kataster_enabled boolean default false, apus_team boolean default false, apus_admin boolean default false,
  client_id bigint default null, rolle text default null
) returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  address text := accounts.fold_address(btrim(a_add_user.mail));
  customer bigint := a_add_user.client_id;
  team boolean := coalesce(a_add_user.apus_team, false);
  admin boolean := coalesce(a_add_user.apus_admin, false);
  kataster boolean := coalesce(a_add_user.kataster_enabled, false);
  wanted text := rights.link_role(customer, a_add_user.rolle);
  person app.benutzer;
begin
  perform rights.refuse_unless(case
    when customer is null then rights.is_people_admin()
    else rights.gives_link(customer, wanted)
  end);
  perform rights.refuse_unless(customer is null or not kataster or rights.gives_kataster(customer, true));
  perform rights.refuse_unless(not (team or admin) or rights.has_role('apus_admin'));
  -- Addresses of deleted people belong to nobody.
  if address is null
    or address = ''
    or not checks.is_email(address)
    or address like '%@geloescht.invalid'
  then
    raise check_violation using message = 'mail is not an e-mail address', column = 'mail', hint = 'email';
  end if;
  if customer is not null and not exists (select from app.kunde k where k.client_id = customer) then
    perform rights.refuse_unless(false);
  end if;
  begin
    insert into app.benutzer as b (
      email, mail, username, first_name, last_name, db_role, apus_team, apus_admin, system_status
    )
    values (
      address, address, address, nullif(btrim(a_add_user.first_name), ''),
      nullif(btrim(a_add_user.last_name), ''),
      accounts.free_db_role(a_add_user.first_name, a_add_user.last_name, address), team, admin,
      case
        when admin then 'apus_admin'
        when team then 'apus_team'
        when customer is null then 'ogf_init'
        when wanted = 'kundenadmin' then 'kundenadmin'
        else 'appuser'
      end
    )
    returning b.* into person;
  exception
    when unique_violation then
      raise sqlstate 'PT409'
        using message = 'this address cannot be used', column = 'mail', hint = 'mail_taken';
  end;
  if customer is not null then
    insert into app.benutzer_kunde (client_id, user_id, rolle, kataster_enabled)
    values (customer, person.user_id, wanted, kataster);
  end if;
  return jsonb_build_object(
    'user_id', person.user_id, 'username', person.username, 'email', person.email, 'db_role', person.db_role,
    'system_status', person.system_status
  );
end $$;
select rights.define('app.a_add_user(text, text, text, boolean, boolean, boolean, bigint, text)');
grant execute on function app.a_add_user(text, text, text, boolean, boolean, boolean, bigint, text) to nutzer;

-- Definer: see above. Links an existing person to a customer, or changes the switch or role of an existing
-- link.
drop function if exists app.a_add_user_to_client(bigint, bigint, boolean);
create or replace function app.a_add_user_to_client(
  user_id bigint, client_id bigint, kataster_enabled boolean default false, rolle text default null
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  customer bigint := a_add_user_to_client.client_id;
  person bigint := a_add_user_to_client.user_id;
  kataster boolean := coalesce(a_add_user_to_client.kataster_enabled, false);
  wanted text := rights.link_role(customer, a_add_user_to_client.rolle);
  link app.benutzer_kunde;
begin
  perform rights.refuse_unless(
    rights.is_people_admin()
    or (customer = any (rights.kunden_as('kundenadmin', 'appuser_admin')) and person = any (rights.people()))
  );
  perform rights.refuse_unless(
    exists (select from app.kunde k where k.client_id = customer)
    and exists (select from app.benutzer b where b.user_id = person)
  );
  select bk.* into link
  from app.benutzer_kunde bk
  where bk.client_id = customer and bk.user_id = person for update;
  perform rights.refuse_unless(
    kataster = coalesce(link.kataster_enabled, false) or rights.gives_kataster(customer, kataster)
  );
  if link.user_id is not null then
    update app.benutzer_kunde bk set kataster_enabled = kataster
    where bk.client_id = customer and bk.user_id = person and bk.kataster_enabled <> kataster;
    if a_add_user_to_client.rolle <> link.rolle then
      perform app.a_set_kunde_rolle(person, customer, a_add_user_to_client.rolle);
    end if;
    return;
  end if;
  perform rights.refuse_unless(rights.gives_link(customer, wanted));
  insert into app.benutzer_kunde (client_id, user_id, rolle, kataster_enabled)
  values (customer, person, wanted, kataster);
  -- The newly registered now have a place.
  update app.benutzer b set system_status = case wanted
    when 'kundenadmin' then 'kundenadmin'
    else 'appuser'
  end
  where b.user_id = person and b.system_status = 'ogf_init';
end $$;
select rights.define('app.a_add_user_to_client(bigint, bigint, boolean, text)');
grant execute on function app.a_add_user_to_client(bigint, bigint, boolean, text) to nutzer;

-- Definer: see above. The caller must hold what the link carries.
create or replace function app.a_remove_user_from_client(user_id bigint, client_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(
    rights.is_people_admin()
    or (
      a_remove_user_from_client.client_id = any (rights.kunden_as('kundenadmin', 'appuser_admin'))
      and not exists (
        select from app.benutzer_kunde bk
        where bk.user_id = a_remove_user_from_client.user_id
          and bk.client_id = a_remove_user_from_client.client_id
          and not rights.holds_link(bk.client_id, bk.rolle)
      )
    )
  );
  delete from app.benutzer_kunde bk
  where bk.user_id = a_remove_user_from_client.user_id and bk.client_id = a_remove_user_from_client.client_id;
  perform rights.refuse_unless(found);
end $$;
select rights.define('app.a_remove_user_from_client(bigint, bigint)');
grant execute on function app.a_remove_user_from_client(bigint, bigint) to nutzer;

-- Definer: see above. Changes the role of a link: the caller must be allowed to take the old role and to give
-- the new one.
create or replace function app.a_set_kunde_rolle(user_id bigint, client_id bigint, rolle text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if a_set_kunde_rolle.rolle is null or a_set_kunde_rolle.rolle not in ('admin', 'kundenadmin', 'nutzer') then
    raise check_violation
      using message = 'rolle must be admin, kundenadmin or nutzer', column = 'rolle', hint = 'rolle';
  end if;
  perform rights.refuse_unless(rights.gives_link(a_set_kunde_rolle.client_id, a_set_kunde_rolle.rolle));
  perform rights.refuse_unless(
    not exists (
      select from app.benutzer_kunde bk
      where bk.user_id = a_set_kunde_rolle.user_id
        and bk.client_id = a_set_kunde_rolle.client_id
        and not rights.takes_link(bk.client_id, bk.rolle)
    )
  );
  update app.benutzer_kunde bk set rolle = a_set_kunde_rolle.rolle
  where bk.user_id = a_set_kunde_rolle.user_id and bk.client_id = a_set_kunde_rolle.client_id;
  perform rights.refuse_unless(found);
end $$;
select rights.define('app.a_set_kunde_rolle(bigint, bigint, text)');
grant execute on function app.a_set_kunde_rolle(bigint, bigint, text) to nutzer;

-- Definer: see above. A lock takes effect on the person's next call.
create or replace function app.a_set_user_enabled(user_id bigint, enabled boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(
    a_set_user_enabled.enabled is not null and rights.may_manage(a_set_user_enabled.user_id)
  );
  update app.benutzer b set enabled = a_set_user_enabled.enabled
  where b.user_id = a_set_user_enabled.user_id;
end $$;
select rights.define('app.a_set_user_enabled(bigint, boolean)');
grant execute on function app.a_set_user_enabled(bigint, boolean) to nutzer;

-- Definer: see above. The base role. Each provider admin gives the roles of their own half; nobody gives
-- `admin`.
create or replace function app.a_set_system_status(user_id bigint, system_status text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  wanted text := a_set_system_status.system_status;
  present text;
begin
  select b.system_status into present
  from app.benutzer b
  where b.user_id = a_set_system_status.user_id for update;
  perform rights.refuse_unless(found and rights.is_people_admin());
  -- A base role is one that the highest group can hold by it.
  if wanted is null
    or wanted <> (rights.derive_roles('{appuser_apus_admin}', wanted, false, false, '{}', '[]'))[1]
  then
    raise check_violation
      using message = 'unknown system_status', column = 'system_status', hint = 'system_status';
  end if;
  perform rights.refuse_unless(rights.may_give(wanted) and rights.may_take(present));
  update app.benutzer b set system_status = wanted
  where b.user_id = a_set_system_status.user_id;
end $$;
select rights.define('app.a_set_system_status(bigint, text)');
grant execute on function app.a_set_system_status(bigint, text) to nutzer;

-- Each half's admin gives that half's roles; either gives 'ogf_init', which belongs to neither. Nobody gives
-- `admin`: an admin of each half can make somebody admin of both.
create or replace function rights.may_give(role text)
  returns boolean language sql stable set search_path = pg_catalog
  return case
    when role in ('ogf_admin', 'ogf_team', 'ogf_standard', 'kundenadmin') then rights.has_role('ogf_admin')
    when role in ('apus_admin', 'apus_team', 'appuser', 'appuser_admin') then rights.has_role('apus_admin')
    else role = 'ogf_init' and rights.is_people_admin()
  end;
grant execute on function rights.may_give(text) to forst_definer;
-- Each half's admin takes that half's staff roles, another `admin` takes `admin`; either takes the roles of
-- customers' people.
create or replace function rights.may_take(role text)
  returns boolean language sql stable set search_path = pg_catalog
  return case
    when role in ('ogf_admin', 'ogf_team') then rights.has_role('ogf_admin')
    when role in ('apus_admin', 'apus_team') then rights.has_role('apus_admin')
    when role = 'admin' then rights.has_role('admin')
    else rights.is_people_admin()
  end;
grant execute on function rights.may_take(text) to forst_definer;

-- Definer: see above. Null leaves a flag as it is.
create or replace function app.a_set_user_flags(user_id bigint, apus_team boolean, apus_admin boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  update app.benutzer b set
    apus_team = coalesce(a_set_user_flags.apus_team, b.apus_team),
    apus_admin = coalesce(a_set_user_flags.apus_admin, b.apus_admin)
  where b.user_id = a_set_user_flags.user_id;
  perform rights.refuse_unless(found);
end $$;
select rights.define('app.a_set_user_flags(bigint, boolean, boolean)');
grant execute on function app.a_set_user_flags(bigint, boolean, boolean) to nutzer;

-- Definer: see above. Access to the mobile app. The name must match the number, so a mistyped number changes
-- nobody.
create or replace function app.__o_change_app_status(user_id bigint, username text, status text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if __o_change_app_status.status is null or __o_change_app_status.status not in ('aktiv', 'gesperrt') then
    raise check_violation
      using message = 'status must be aktiv or gesperrt', column = 'status', hint = 'app_status';
  end if;
  perform rights.refuse_unless(rights.may_manage(__o_change_app_status.user_id));
  update app.benutzer b set app_status = __o_change_app_status.status
  where b.user_id = __o_change_app_status.user_id
    and accounts.fold_address(b.username) = accounts.fold_address(__o_change_app_status.username);
  perform rights.refuse_unless(found);
end $$;
select rights.define('app.__o_change_app_status(bigint, text, text)');
grant execute on function app.__o_change_app_status(bigint, text, text) to nutzer;

-- Definer: see above. The caller's own names and contact address. The sign-in address does not change; an
-- empty contact address leaves the old one.
create or replace function app.__o_update_user(first_name text, last_name text, mail text default null)
  returns void language plpgsql set search_path = pg_catalog as $$
declare me bigint := rights.user_id();
begin
  perform rights.refuse_unless(me is not null and cardinality(rights.roles()) > 0);
  if nullif(btrim(__o_update_user.mail), '') is not null
    and not checks.is_email(btrim(__o_update_user.mail))
  then
    raise check_violation using message = 'mail is not an e-mail address', column = 'mail', hint = 'email';
  end if;
  update app.benutzer b set
    first_name = nullif(btrim(__o_update_user.first_name), ''),
    last_name = nullif(btrim(__o_update_user.last_name), ''),
    mail = coalesce(nullif(btrim(__o_update_user.mail), ''), b.mail)
  where b.user_id = me;
end $$;
select rights.define('app.__o_update_user(text, text, text)');
grant execute on function app.__o_update_user(text, text, text) to nutzer;

-- Whether the caller may link people to a headquarters.
create or replace function rights.may_connect(hqid bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select rights.has_role('ogf_admin')
    or may_connect.hqid = any (rights.hqs_as('hq_admin'))
    or exists (
      select from app.hq h
      where h."idHQ" = may_connect.hqid and h.client_id = any (rights.kunden_as('kundenadmin'))
    )
$$;
grant execute on function rights.may_connect(bigint) to nutzer, forst_definer;

-- Whom callers other than the provider may link: people they can see anyway, people of the same customer, and
-- the newly registered without any link. A link shows the person's record, so guessing numbers for a known
-- address must not bring in people of other customers.
create or replace function rights.is_near(person bigint, hqid bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select person = any (rights.people())
    or exists (
      select from app.benutzer_kunde bk join app.hq h on h.client_id = bk.client_id
      where bk.user_id = person and h."idHQ" = is_near.hqid
    )
    or (
      exists (
        select from app.benutzer b
        where b.user_id = person and b.system_status = 'ogf_init' and not rights.is_auditor(b.pruefer_bis)
      )
      and not exists (select from app.benutzer_kunde bk where bk.user_id = person)
      and not exists (select from app.benutzer_hq bh where bh.user_id = person)
    )
$$;
grant execute on function rights.is_near(bigint, bigint) to forst_definer;

-- Definer: see above. Name and number must match, so the caller knows whom they link. Only ogf_admin links
-- the provider's staff, because a link shows the person's record.
create or replace function app.__o_connect_user_to_hq(username text, user_id bigint, hqid bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(
    rights.may_connect(__o_connect_user_to_hq.hqid)
    and exists (select from app.hq h where h."idHQ" = __o_connect_user_to_hq.hqid)
    and exists (
      select from app.benutzer b
      where b.user_id = __o_connect_user_to_hq.user_id
        and accounts.fold_address(b.username) = accounts.fold_address(__o_connect_user_to_hq.username)
    )
  );
  perform rights.refuse_unless(
    rights.has_role('ogf_admin')
    or (
      not rights.is_staff(__o_connect_user_to_hq.user_id)
      and rights.is_near(__o_connect_user_to_hq.user_id, __o_connect_user_to_hq.hqid)
    )
  );
  insert into app.benutzer_hq (client_id, hqid, user_id)
  select h.client_id, h."idHQ", __o_connect_user_to_hq.user_id
  from app.hq h
  where h."idHQ" = __o_connect_user_to_hq.hqid
  on conflict on constraint benutzer_hq_pkey do nothing;
  update app.benutzer b set system_status = 'ogf_standard'
  where b.user_id = __o_connect_user_to_hq.user_id and b.system_status = 'ogf_init';
end $$;
select rights.define('app.__o_connect_user_to_hq(text, bigint, bigint)');
grant execute on function app.__o_connect_user_to_hq(text, bigint, bigint) to nutzer;
-- Definer: see above.
create or replace function app.__o_disconnect_user_from_hq(username text, user_id bigint, hqid bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(
    rights.may_connect(__o_disconnect_user_from_hq.hqid)
    and exists (
      select from app.benutzer b
      where b.user_id = __o_disconnect_user_from_hq.user_id
        and accounts.fold_address(b.username) = accounts.fold_address(__o_disconnect_user_from_hq.username)
    )
  );
  delete from app.benutzer_hq bh
  where bh.user_id = __o_disconnect_user_from_hq.user_id and bh.hqid = __o_disconnect_user_from_hq.hqid;
  perform rights.refuse_unless(found);
end $$;
select rights.define('app.__o_disconnect_user_from_hq(text, bigint, bigint)');
grant execute on function app.__o_disconnect_user_from_hq(text, bigint, bigint) to nutzer;

-- Definer: see above. Who administers a headquarters: decided by ogf_admin and by its administrators.
create or replace function app.a_set_hq_status(user_id bigint, hqid bigint, hq_status text[])
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(
    rights.has_role('ogf_admin') or a_set_hq_status.hqid = any (rights.hqs_as('hq_admin'))
  );
  update app.benutzer_hq bh set hq_status = a_set_hq_status.hq_status
  where bh.user_id = a_set_hq_status.user_id and bh.hqid = a_set_hq_status.hqid;
  perform rights.refuse_unless(found);
end $$;
select rights.define('app.a_set_hq_status(bigint, bigint, text[])');
grant execute on function app.a_set_hq_status(bigint, bigint, text[]) to nutzer;
