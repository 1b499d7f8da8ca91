-- People and their links to customers and headquarters. The tables are written by procedures alone: each of
-- them decides whether the caller holds what is given away.

select rechte.protect('app.benutzer');
select rechte.protect('app.benutzer_kunde');
select rechte.protect('app.benutzer_hq');
grant select, insert, update, delete on app.benutzer, app.benutzer_kunde, app.benutzer_hq to forst_definer;
grant select on app.benutzer, app.benutzer_kunde, app.benutzer_hq to nutzer;

create policy staff on app.benutzer for select to nutzer
  using ((select rechte.has_any('ogf_admin', 'apus_admin', 'ogf_team', 'apus_team')));
create policy people on app.benutzer for select to nutzer
  using (user_id = any ((select rechte.people())::bigint[]));
create policy staff on app.benutzer_kunde for select to nutzer
  using ((select rechte.has_any('ogf_admin', 'apus_admin', 'ogf_team', 'apus_team')));
create policy self on app.benutzer_kunde for select to nutzer
  using (user_id = (select rechte.user_id()) and not (select rechte.rollen()) <@ '{ogf_init}');
create policy own_kunde on app.benutzer_kunde for select to nutzer
  using (client_id = any ((select rechte.kunden_als('kundenadmin', 'appuser_admin'))::bigint[]));
create policy staff on app.benutzer_hq for select to nutzer
  using ((select rechte.has_any('ogf_admin', 'apus_admin', 'ogf_team', 'apus_team')));
create policy self on app.benutzer_hq for select to nutzer
  using (user_id = (select rechte.user_id()) and not (select rechte.rollen()) <@ '{ogf_init}');
create policy own_kunde on app.benutzer_hq for select to nutzer
  using (client_id = any ((select rechte.kunden_als('kundenadmin'))::bigint[]));
create policy own_hq on app.benutzer_hq for select to nutzer
  using (hqid = any ((select rechte.hqs_als('hq_admin'))::bigint[]));

-- Definer, as the last admin must be found whoever looks: each half keeps at least one admin who is not
-- locked out. Admins that the operator's sample or restore brings are not judged.
create or replace function rechte.check_last_admin()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform pg_advisory_xact_lock(hashtext('rechte.check_last_admin'));
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
select rechte.define('rechte.check_last_admin()');
create or replace trigger x_last_admin after update of enabled, system_status, apus_admin or delete
  on app.benutzer
  for each row when (current_user <> 'forst_betrieb') execute function rechte.check_last_admin();

-- Definer: the table is closed. Whoever becomes provider staff signs in anew, and so with the second factor
-- that staff need. Unlocking must not bring back what was locked out: sessions that began before the lock are
-- over for good.
drop trigger if exists x_new_staff on app.benutzer;
drop function if exists rechte.end_sessions_of_new_staff();
create or replace function rechte.end_sessions_of_changed()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.sitzungen_beenden(new.user_id);
  return null;
end $$;
select rechte.define('rechte.end_sessions_of_changed()');
create or replace trigger x_end_sessions after update of apus_admin, apus_team, system_status, enabled, email
  on app.benutzer
  for each row
  when (
    (old.enabled and not new.enabled)
    or old.email is distinct from new.email
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
  ) execute function rechte.end_sessions_of_changed();

-- Nobody gives themselves a role, a link or a switch, by whatever way they came to write the row; what one
-- holds one may lay down. The procedures below decide who gives what to others.
-- Whether the second base role holds nothing that the first one does not: an admin becomes a plain person of
-- their half, `admin` one half's admin as well. domain/role-origins.ts says the same.
create or replace function rechte.lays_down(before text, after text)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return after = 'ogf_init'
    or case before
      when 'admin' then after in ('ogf_admin', 'apus_admin', 'ogf_standard', 'appuser')
      when 'ogf_admin' then after = 'ogf_standard'
      when 'apus_admin' then after = 'appuser'
      else false
    end;
revoke execute on function rechte.lays_down(text, text) from public;
grant execute on function rechte.lays_down(text, text) to forst_definer;
create or replace function rechte.check_not_oneself()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  after jsonb := to_jsonb(new);
  before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  gained boolean;
begin
  if new.user_id is distinct from rechte.user_id() then return new; end if;
  gained := case tg_table_name
    when 'benutzer' then ((after ->> 'apus_admin')::boolean and not (before ->> 'apus_admin')::boolean)
      or ((after ->> 'apus_team')::boolean and not (before ->> 'apus_team')::boolean)
      or (
        after ->> 'system_status' <> before ->> 'system_status'
        and not rechte.lays_down(before ->> 'system_status', after ->> 'system_status')
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
revoke execute on function rechte.check_not_oneself() from public;
grant execute on function rechte.check_not_oneself() to forst_definer;
create or replace trigger b_not_oneself before update of system_status, apus_admin, apus_team on app.benutzer
  for each row when (current_user <> 'forst_betrieb') execute function rechte.check_not_oneself();
create or replace trigger b_not_oneself before insert or update on app.benutzer_kunde
  for each row when (current_user <> 'forst_betrieb') execute function rechte.check_not_oneself();
create or replace trigger b_not_oneself before insert or update on app.benutzer_hq
  for each row when (current_user <> 'forst_betrieb') execute function rechte.check_not_oneself();

-- Definer: people are written by nobody's own right. A person's `kataster_enabled` says whether one of their
-- links has the switch on; nobody sets it by itself.
create or replace function rechte.kataster_der_person()
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
select rechte.define('rechte.kataster_der_person()');
create or replace trigger x_kataster after insert or delete or update of kataster_enabled
  on app.benutzer_kunde
  for each row when (current_user <> 'forst_betrieb') execute function rechte.kataster_der_person();
-- What was set before the switch followed the links, and what operations bring. As operations: the owner's
-- eyes see no row under forced row security.
set role forst_betrieb;
update app.benutzer b set kataster_enabled = not b.kataster_enabled
where b.kataster_enabled <> exists (
  select from app.benutzer_kunde bk where bk.user_id = b.user_id and bk.kataster_enabled
);
reset role;

select rechte.watch('app.benutzer', 'user_id', true);
select rechte.watch('app.benutzer_kunde', 'client_id,user_id', false);
select rechte.watch('app.benutzer_hq', 'hqid,user_id', false);

-- Whether the caller may change people's rights at all, and which of them: the provider's admins everyone's.
create or replace function rechte.is_people_admin()
  returns boolean language sql stable set search_path = pg_catalog
  return rechte.has_any('ogf_admin', 'apus_admin');

-- Whether somebody works for the provider.
create or replace function rechte.is_staff(person bigint)
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
-- Whether the caller's own link to a customer carries what that role gives: nobody gives or takes what they
-- do not hold.
create or replace function rechte.holds_link(client_id bigint, rolle text)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select case holds_link.rolle
    when 'admin' then holds_link.client_id = any (rechte.kunden_als('appuser_admin'))
    when 'kundenadmin' then holds_link.client_id = any (rechte.kunden_als('kundenadmin'))
    else true
  end
$$;
-- Whether the caller gives this role at a customer, to others: of the forest half 'kundenadmin', of the
-- drainage half 'admin' and 'nutzer'; a customer's admin what their own link carries.
create or replace function rechte.gives_link(client_id bigint, rolle text)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select case
    when gives_link.rolle = 'kundenadmin' then
      rechte.has_role('ogf_admin') or gives_link.client_id = any (rechte.kunden_als('kundenadmin'))
    when gives_link.rolle in ('admin', 'nutzer') then
      rechte.has_role('apus_admin') or gives_link.client_id = any (rechte.kunden_als('appuser_admin'))
    else false
  end
$$;
-- Whether the caller takes it: what one gives, and the plain role of those whom one administers.
create or replace function rechte.takes_link(client_id bigint, rolle text)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select rechte.gives_link(takes_link.client_id, takes_link.rolle)
    or (
      takes_link.rolle = 'nutzer'
      and (rechte.has_role('ogf_admin') or takes_link.client_id = any (rechte.kunden_als('kundenadmin')))
    )
$$;
-- Whether the caller switches the Kataster on for others of a customer: the provider any, a customer's admin
-- who sees it themselves.
create or replace function rechte.gives_kataster(client_id bigint, wanted boolean)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
begin
  return rechte.has_role('apus_admin')
    or (
      gives_kataster.client_id = any (rechte.kunden_als('appuser_admin'))
      and (not wanted or gives_kataster.client_id = any (rechte.kataster_kunden()))
    );
end $$;
-- Without a role a new link carries the plain one; the forest half has but 'kundenadmin', and there only the
-- provider leaves it unsaid: a customer's admin says that they make another.
create or replace function rechte.link_rolle(client_id bigint, rolle text)
  returns text language sql stable set search_path = pg_catalog as $$
  select coalesce(link_rolle.rolle, case
    when not rechte.gives_link(link_rolle.client_id, 'nutzer') and rechte.has_role('ogf_admin') then
      'kundenadmin'
    else 'nutzer'
  end)
$$;
revoke execute on function rechte.gives_link(bigint, text), rechte.takes_link(bigint, text),
  rechte.gives_kataster(bigint, boolean), rechte.link_rolle(bigint, text) from public;
grant execute on function rechte.is_staff(bigint), rechte.holds_link(bigint, text),
  rechte.gives_link(bigint, text), rechte.takes_link(bigint, text), rechte.gives_kataster(bigint, boolean),
  rechte.link_rolle(bigint, text) to forst_definer;

-- Definer: whom the caller may administer (lock, invite, app access). Customers' and headquarters' admins:
-- people that belong only to customers and headquarters of the caller, never provider staff. Somebody who
-- also belongs elsewhere is administered there too, so only the provider may lock them.
create or replace function rechte.may_manage(person bigint)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
declare kunden bigint[] := rechte.kunden_als('kundenadmin', 'appuser_admin');
declare forest bigint[] := rechte.kunden_als('kundenadmin');
declare hqs bigint[] := rechte.hqs_als('hq_admin');
begin
  -- Who manages an account can come to sign in with it: staff of a half are managed by that half's admins,
  -- everybody else by either; and by customers' and headquarters' admins only people whose links carry
  -- nothing that the caller lacks.
  if rechte.is_people_admin() then
    return exists (
      select from app.benutzer b
      where b.user_id = person
        and rechte.may_take(b.system_status)
        and (rechte.has_role('apus_admin') or not (b.apus_admin or b.apus_team))
    );
  end if;
  return person = any (rechte.people())
    and person <> rechte.user_id()
    and not rechte.is_staff(person)
    and not exists (
      select from app.benutzer_kunde bk
      where bk.user_id = person
        and (bk.client_id <> all (kunden) or not rechte.holds_link(bk.client_id, bk.rolle))
    )
    and not exists (
      select from app.benutzer_hq bh
      where bh.user_id = person and bh.client_id <> all (forest) and bh.hqid <> all (hqs)
    );
end $$;
select rechte.define('rechte.may_manage(bigint)');

create or replace function rechte.refuse_unless(allowed boolean)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  -- One answer for "does not exist" and "not yours": ids tell nothing.
  if allowed is not true then raise sqlstate 'PT403' using message = 'not found or not allowed'; end if;
end $$;

-- Definer: address of a person for inviting, unlocking and ending sessions, only to those who may administer
-- that person. `vertraut`: the provider's admins may be shown a link that replaces a password; others may
-- not, or an invitation would hand them the account.
drop function if exists rechte.darf_konto_verwalten(bigint);
create function rechte.darf_konto_verwalten(user_id bigint)
  returns table (email text, vertraut boolean) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(
    rechte.may_manage(darf_konto_verwalten.user_id) and not rechte.ist_geloescht(darf_konto_verwalten.user_id)
  );
  return query
    select b.email, rechte.is_people_admin()
    from app.benutzer b
    where b.user_id = darf_konto_verwalten.user_id;
end $$;
select rechte.define('rechte.darf_konto_verwalten(bigint)');

grant execute on function rechte.is_people_admin(), rechte.may_manage(bigint), rechte.refuse_unless(boolean)
  to nutzer, forst_definer;
grant execute on function rechte.darf_konto_verwalten(bigint) to nutzer;

-- Reads -----------------------------------------------------------------------------------------------------

-- A person by sign-in address or number, as a list of one or none. Both empty asks for nobody.
create or replace function app.__o_get_user_data(email text default '', id text default '')
  returns table (
    user_id bigint, reg_date timestamptz, first_name text, last_name text, system_status text, email text,
    mail text, username text, db_role text, geb date, geschlecht text, apus_admin boolean, apus_team boolean,
    kataster_enabled boolean, app_status text, enabled boolean, kunden jsonb
  ) language sql stable set search_path = pg_catalog as $$
  select b.user_id, b.reg_date, b.first_name, b.last_name, b.system_status, b.email, b.mail, b.username,
    b.db_role, b.geb, b.geschlecht, b.apus_admin, b.apus_team, b.kataster_enabled, b.app_status, b.enabled,
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
      or rechte.fold_address(b.email) = rechte.fold_address(__o_get_user_data.email)
    )
    and (coalesce(__o_get_user_data.id, '') = '' or b.user_id::text = __o_get_user_data.id)
$$;

create or replace function app.a_get_currentuser()
  returns setof app.benutzer language sql stable rows 1 set search_path = pg_catalog as $$
  select b.* from app.benutzer b where b.user_id = rechte.user_id()
$$;

-- The caller with everything that the screens need: roles, groups, the active headquarters (the first enabled
-- one by name) and the times of the session.
create or replace function app.a_get_currentsessionuser()
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'user_id', b.user_id, 'name', rechte.wer(), 'first_name', b.first_name, 'last_name', b.last_name,
    'email', b.email, 'username', b.username, 'geb', b.geb, 'geschlecht', b.geschlecht,
    'reg_date', b.reg_date, 'mail', b.mail, 'mail_db', b.mail, 'db_role', b.db_role,
    'system_status', b.system_status, 'apus_admin', b.apus_admin, 'apus_team', b.apus_team,
    'kataster_enabled', b.kataster_enabled, 'app_status', b.app_status, 'enabled', b.enabled,
    'roles', (
      select coalesce(jsonb_agg(role order by nr), '[]')
      from (
        select role, min(nr) as nr
        from unnest(rechte.rollen()) with ordinality as r(role, nr)
        group by role
      ) as distinct_roles
    ),
    'groups', coalesce(rechte.claims() -> 'groups', '[]'),
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
    'issued_at', to_timestamp((rechte.claims() ->> 'iat')::double precision),
    'expires_at', to_timestamp((rechte.claims() ->> 'exp')::double precision)
  )
  from app.benutzer b
    left join lateral (
      select h."idHQ", h."sHQ", h."dtFE", h."dcFLAEHB", bh.hq_status
      from app.benutzer_hq bh join app.hq h on h."idHQ" = bh.hqid
      where bh.user_id = b.user_id and h.fb_enabled
      order by h.sortname, h."idHQ" limit 1
    ) active on true
  where b.user_id = rechte.user_id()
$$;

-- People of a customer, and those of the provider's team among them.
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

-- People of a headquarters. The field is named client_id as in the given calls; its value is the
-- headquarters' number.
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

-- Whether the label of a database name is taken; only for those who may make people everywhere, since the
-- answer tells about others.
create or replace function app.a_get_user_exists(db_role text)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.is_people_admin());
  return exists (select from app.benutzer b where b.db_role = lower(btrim(a_get_user_exists.db_role)));
end $$;

-- Writes (all definer: the tables are closed; each begins with its own check) -------------------------------

-- Lowest label of that stem not yet taken.
create or replace function rechte.free_db_role(first_name text, last_name text, mail text)
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
    btrim(regexp_replace(rechte.sort_key(translate(stem, '.-_', '   ')), '[^a-z0-9]+', '_', 'g'), '_'), 50
  );
  if stem !~ '^[a-z]' then stem := 'n_' || stem; end if;
  label := stem;
  while exists (select from app.benutzer b where b.db_role = label) loop
    nr := nr + 1;
    label := stem || '_' || nr;
  end loop;
  return label;
end $$;
select rechte.define('rechte.free_db_role(text, text, text)');
grant execute on function rechte.free_db_role(text, text, text) to forst_definer;

-- A new person, with a link to a customer where one is named: who makes it decides which role it carries
-- (gives_link). Flags are given by apus_admin alone.
drop function if exists app.a_add_user(text, text, text, boolean, boolean, boolean, bigint);
create or replace function app.a_add_user(
  mail text, first_name text default null, last_name text default null,
  kataster_enabled boolean default false, apus_team boolean default false, apus_admin boolean default false,
  client_id bigint default null, rolle text default null
) returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  address text := rechte.fold_address(btrim(a_add_user.mail));
  customer bigint := a_add_user.client_id;
  team boolean := coalesce(a_add_user.apus_team, false);
  admin boolean := coalesce(a_add_user.apus_admin, false);
  kataster boolean := coalesce(a_add_user.kataster_enabled, false);
  wanted text := rechte.link_rolle(customer, a_add_user.rolle);
  person app.benutzer;
begin
  perform rechte.refuse_unless(case
    when customer is null then rechte.is_people_admin()
    else rechte.gives_link(customer, wanted)
  end);
  perform rechte.refuse_unless(customer is null or not kataster or rechte.gives_kataster(customer, true));
  perform rechte.refuse_unless(not (team or admin) or rechte.has_role('apus_admin'));
  -- What deleted people are called is nobody's address.
  if address is null
    or address = ''
    or not rechte.is_email(address)
    or address like '%@geloescht.invalid'
  then
    raise check_violation using message = 'mail is not an e-mail address', column = 'mail', hint = 'email';
  end if;
  if customer is not null and not exists (select from app.kunde k where k.client_id = customer) then
    perform rechte.refuse_unless(false);
  end if;
  begin
    insert into app.benutzer as b (
      email, mail, username, first_name, last_name, db_role, apus_team, apus_admin, system_status
    )
    values (
      address, address, address, nullif(btrim(a_add_user.first_name), ''),
      nullif(btrim(a_add_user.last_name), ''),
      rechte.free_db_role(a_add_user.first_name, a_add_user.last_name, address), team, admin,
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

-- An existing person comes to a customer, or the switch of a link that is there changes.
drop function if exists app.a_add_user_to_client(bigint, bigint, boolean);
create or replace function app.a_add_user_to_client(
  user_id bigint, client_id bigint, kataster_enabled boolean default false, rolle text default null
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  customer bigint := a_add_user_to_client.client_id;
  person bigint := a_add_user_to_client.user_id;
  kataster boolean := coalesce(a_add_user_to_client.kataster_enabled, false);
  wanted text := rechte.link_rolle(customer, a_add_user_to_client.rolle);
  link app.benutzer_kunde;
begin
  perform rechte.refuse_unless(
    rechte.is_people_admin()
    or (customer = any (rechte.kunden_als('kundenadmin', 'appuser_admin')) and person = any (rechte.people()))
  );
  perform rechte.refuse_unless(
    exists (select from app.kunde k where k.client_id = customer)
    and exists (select from app.benutzer b where b.user_id = person)
  );
  select bk.* into link
  from app.benutzer_kunde bk
  where bk.client_id = customer and bk.user_id = person for update;
  perform rechte.refuse_unless(
    kataster = coalesce(link.kataster_enabled, false) or rechte.gives_kataster(customer, kataster)
  );
  if link.user_id is not null then
    update app.benutzer_kunde bk set kataster_enabled = kataster
    where bk.client_id = customer and bk.user_id = person and bk.kataster_enabled <> kataster;
    if a_add_user_to_client.rolle <> link.rolle then
      perform app.a_set_kunde_rolle(person, customer, a_add_user_to_client.rolle);
    end if;
    return;
  end if;
  perform rechte.refuse_unless(rechte.gives_link(customer, wanted));
  insert into app.benutzer_kunde (client_id, user_id, rolle, kataster_enabled)
  values (customer, person, wanted, kataster);
  -- Who was only registered has now been placed.
  update app.benutzer b set system_status = case wanted
    when 'kundenadmin' then 'kundenadmin'
    else 'appuser'
  end
  where b.user_id = person and b.system_status = 'ogf_init';
end $$;

create or replace function app.a_remove_user_from_client(user_id bigint, client_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(
    rechte.is_people_admin()
    or (
      a_remove_user_from_client.client_id = any (rechte.kunden_als('kundenadmin', 'appuser_admin'))
      and not exists (
        select from app.benutzer_kunde bk
        where bk.user_id = a_remove_user_from_client.user_id
          and bk.client_id = a_remove_user_from_client.client_id
          and not rechte.holds_link(bk.client_id, bk.rolle)
      )
    )
  );
  delete from app.benutzer_kunde bk
  where bk.user_id = a_remove_user_from_client.user_id and bk.client_id = a_remove_user_from_client.client_id;
  perform rechte.refuse_unless(found);
end $$;

-- The role of a link: who changes it may take what was there and give what comes.
create or replace function app.a_set_kunde_rolle(user_id bigint, client_id bigint, rolle text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if a_set_kunde_rolle.rolle is null or a_set_kunde_rolle.rolle not in ('admin', 'kundenadmin', 'nutzer') then
    raise check_violation
      using message = 'rolle must be admin, kundenadmin or nutzer', column = 'rolle', hint = 'rolle';
  end if;
  perform rechte.refuse_unless(rechte.gives_link(a_set_kunde_rolle.client_id, a_set_kunde_rolle.rolle));
  perform rechte.refuse_unless(
    not exists (
      select from app.benutzer_kunde bk
      where bk.user_id = a_set_kunde_rolle.user_id
        and bk.client_id = a_set_kunde_rolle.client_id
        and not rechte.takes_link(bk.client_id, bk.rolle)
    )
  );
  update app.benutzer_kunde bk set rolle = a_set_kunde_rolle.rolle
  where bk.user_id = a_set_kunde_rolle.user_id and bk.client_id = a_set_kunde_rolle.client_id;
  perform rechte.refuse_unless(found);
end $$;

-- Locking a person works on their very next call.
create or replace function app.a_set_user_enabled(user_id bigint, enabled boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(
    a_set_user_enabled.enabled is not null and rechte.may_manage(a_set_user_enabled.user_id)
  );
  update app.benutzer b set enabled = a_set_user_enabled.enabled
  where b.user_id = a_set_user_enabled.user_id;
end $$;

-- The base role: given by the provider's admins, each those of their own half; `admin` by nobody.
create or replace function app.a_set_system_status(user_id bigint, system_status text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  wanted text := a_set_system_status.system_status;
  present text;
begin
  select b.system_status into present
  from app.benutzer b
  where b.user_id = a_set_system_status.user_id for update;
  perform rechte.refuse_unless(found and rechte.is_people_admin());
  if wanted is null
    or wanted not in (
      'ogf_init', 'ogf_standard', 'ogf_team', 'ogf_admin', 'kundenadmin', 'appuser', 'appuser_admin',
      'apus_team', 'apus_admin', 'admin'
    )
  then
    raise check_violation
      using message = 'unknown system_status', column = 'system_status', hint = 'system_status';
  end if;
  perform rechte.refuse_unless(rechte.may_give(wanted) and rechte.may_take(present));
  update app.benutzer b set system_status = wanted
  where b.user_id = a_set_system_status.user_id;
end $$;

-- Roles of a half are given by that half's admin; who is placed nowhere, by either. `admin` is nobody's to
-- give: both halves' admins together are one.
create or replace function rechte.may_give(role text)
  returns boolean language sql stable set search_path = pg_catalog
  return case
    when role in ('ogf_admin', 'ogf_team', 'ogf_standard', 'kundenadmin') then rechte.has_role('ogf_admin')
    when role in ('apus_admin', 'apus_team', 'appuser', 'appuser_admin') then rechte.has_role('apus_admin')
    else role = 'ogf_init' and rechte.is_people_admin()
  end;
-- Staff roles are taken by that half's admin, `admin` by another one; what customers' people are, by either.
create or replace function rechte.may_take(role text)
  returns boolean language sql stable set search_path = pg_catalog
  return case
    when role in ('ogf_admin', 'ogf_team') then rechte.has_role('ogf_admin')
    when role in ('apus_admin', 'apus_team') then rechte.has_role('apus_admin')
    when role = 'admin' then rechte.has_role('admin')
    else rechte.is_people_admin()
  end;
revoke execute on function rechte.may_take(text) from public;
grant execute on function rechte.may_give(text), rechte.may_take(text) to forst_definer;

create or replace function app.a_set_user_flags(user_id bigint, apus_team boolean, apus_admin boolean)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  update app.benutzer b set
    apus_team = coalesce(a_set_user_flags.apus_team, b.apus_team),
    apus_admin = coalesce(a_set_user_flags.apus_admin, b.apus_admin)
  where b.user_id = a_set_user_flags.user_id;
  perform rechte.refuse_unless(found);
end $$;

-- Access to the mobile app. The name must belong to the number, so a mistyped id changes nobody.
create or replace function app.__o_change_app_status(user_id bigint, username text, status text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if __o_change_app_status.status is null or __o_change_app_status.status not in ('aktiv', 'gesperrt') then
    raise check_violation
      using message = 'status must be aktiv or gesperrt', column = 'status', hint = 'app_status';
  end if;
  perform rechte.refuse_unless(rechte.may_manage(__o_change_app_status.user_id));
  update app.benutzer b set app_status = __o_change_app_status.status
  where b.user_id = __o_change_app_status.user_id
    and rechte.fold_address(b.username) = rechte.fold_address(__o_change_app_status.username);
  perform rechte.refuse_unless(found);
end $$;

-- One's own names and contact address. The sign-in address is another field and is not touched; an empty
-- contact address leaves it as it is.
create or replace function app.__o_update_user(first_name text, last_name text, mail text default null)
  returns void language plpgsql set search_path = pg_catalog as $$
declare me bigint := rechte.user_id();
begin
  perform rechte.refuse_unless(me is not null and cardinality(rechte.rollen()) > 0);
  if nullif(btrim(__o_update_user.mail), '') is not null
    and not rechte.is_email(btrim(__o_update_user.mail))
  then
    raise check_violation using message = 'mail is not an e-mail address', column = 'mail', hint = 'email';
  end if;
  update app.benutzer b set
    first_name = nullif(btrim(__o_update_user.first_name), ''),
    last_name = nullif(btrim(__o_update_user.last_name), ''),
    mail = coalesce(nullif(btrim(__o_update_user.mail), ''), b.mail)
  where b.user_id = me;
end $$;

-- Whether the caller may connect people to a headquarters.
create or replace function rechte.may_connect(hqid bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select rechte.has_role('ogf_admin')
    or may_connect.hqid = any (rechte.hqs_als('hq_admin'))
    or exists (
      select from app.hq h
      where h."idHQ" = may_connect.hqid and h.client_id = any (rechte.kunden_als('kundenadmin'))
    )
$$;
grant execute on function rechte.may_connect(bigint) to forst_definer;

-- Whom others than the provider may connect: people they see anyway, people of the same customer, and the
-- newly registered whom nobody has placed. Connecting shows the person's record, so numbers counted upwards
-- beside a known address must not bring in people of other customers.
create or replace function rechte.is_near(person bigint, hqid bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select person = any (rechte.people())
    or exists (
      select from app.benutzer_kunde bk join app.hq h on h.client_id = bk.client_id
      where bk.user_id = person and h."idHQ" = is_near.hqid
    )
    or (
      exists (select from app.benutzer b where b.user_id = person and b.system_status = 'ogf_init')
      and not exists (select from app.benutzer_kunde bk where bk.user_id = person)
      and not exists (select from app.benutzer_hq bh where bh.user_id = person)
    )
$$;
grant execute on function rechte.is_near(bigint, bigint) to forst_definer;

-- Name and number must belong together: whoever connects a person knows who it is. The provider's staff are
-- connected by ogf_admin alone: whoever connects somebody sees their record.
create or replace function app.__o_connect_user_to_hq(username text, user_id bigint, hqid bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(
    rechte.may_connect(__o_connect_user_to_hq.hqid)
    and exists (select from app.hq h where h."idHQ" = __o_connect_user_to_hq.hqid)
    and exists (
      select from app.benutzer b
      where b.user_id = __o_connect_user_to_hq.user_id
        and rechte.fold_address(b.username) = rechte.fold_address(__o_connect_user_to_hq.username)
    )
  );
  perform rechte.refuse_unless(
    rechte.has_role('ogf_admin')
    or (
      not rechte.is_staff(__o_connect_user_to_hq.user_id)
      and rechte.is_near(__o_connect_user_to_hq.user_id, __o_connect_user_to_hq.hqid)
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
create or replace function app.__o_disconnect_user_from_hq(username text, user_id bigint, hqid bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(
    rechte.may_connect(__o_disconnect_user_from_hq.hqid)
    and exists (
      select from app.benutzer b
      where b.user_id = __o_disconnect_user_from_hq.user_id
        and rechte.fold_address(b.username) = rechte.fold_address(__o_disconnect_user_from_hq.username)
    )
  );
  delete from app.benutzer_hq bh
  where bh.user_id = __o_disconnect_user_from_hq.user_id and bh.hqid = __o_disconnect_user_from_hq.hqid;
  perform rechte.refuse_unless(found);
end $$;

-- Who administers a headquarters: given by ogf_admin and by those who administer it.
create or replace function app.a_set_hq_status(user_id bigint, hqid bigint, hq_status text[])
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(
    rechte.has_role('ogf_admin') or a_set_hq_status.hqid = any (rechte.hqs_als('hq_admin'))
  );
  update app.benutzer_hq bh set hq_status = a_set_hq_status.hq_status
  where bh.user_id = a_set_hq_status.user_id and bh.hqid = a_set_hq_status.hqid;
  perform rechte.refuse_unless(found);
end $$;

do $$
declare entry regprocedure;
begin
  foreach entry in array array[
    'app.a_add_user(text, text, text, boolean, boolean, boolean, bigint, text)',
    'app.a_add_user_to_client(bigint, bigint, boolean, text)',
    'app.a_remove_user_from_client(bigint, bigint)', 'app.a_set_kunde_rolle(bigint, bigint, text)',
    'app.a_set_user_enabled(bigint, boolean)', 'app.a_set_system_status(bigint, text)',
    'app.a_set_user_flags(bigint, boolean, boolean)', 'app.__o_change_app_status(bigint, text, text)',
    'app.__o_update_user(text, text, text)', 'app.__o_connect_user_to_hq(text, bigint, bigint)',
    'app.__o_disconnect_user_from_hq(text, bigint, bigint)', 'app.a_set_hq_status(bigint, bigint, text[])',
    'app.a_get_user_exists(text)'
  ]::regprocedure[] loop
    perform rechte.define(entry);
    execute format('grant execute on function %s to nutzer', entry);
  end loop;
end $$;
revoke execute on function app.__o_get_user_data(text, text), app.a_get_currentuser(),
  app.a_get_currentsessionuser(), app.a_get_appusers_from_client(bigint),
  app.a_get_apus_team_from_client(bigint), app.__o_get_users_from_hq(bigint) from public;
grant execute on function app.__o_get_user_data(text, text), app.a_get_currentuser(),
  app.a_get_currentsessionuser(), app.a_get_appusers_from_client(bigint),
  app.a_get_apus_team_from_client(bigint), app.__o_get_users_from_hq(bigint) to nutzer;
