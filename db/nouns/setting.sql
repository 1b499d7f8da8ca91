-- Personal preferences. Everybody with a record has their own and sees nobody else's. The database itself
-- only reads mutedNotices (notice.sql) and language.

select rights.protect('app.einstellung');
alter table app.einstellung alter column user_id set default rights.user_id();
grant select, delete, insert (schluessel, wert), update (wert, geaendert_am) on app.einstellung to nutzer;
create policy own on app.einstellung to nutzer
  using (user_id = (select rights.user_id()))
  with check (user_id = (select rights.user_id()));

-- For choices, not for files: at most 200 per person, 4 kB each.
create or replace function accounts.limit_settings()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if (
    select count(*)
    from app.einstellung e
    where e.user_id = new.user_id and e.schluessel <> new.schluessel
  ) >= 200 then
    raise sqlstate 'PT413' using message = 'more than 200 preferences', hint = 'einstellungen';
  end if;
  return new;
end $$;
create or replace trigger a_limit before insert on app.einstellung
  for each row when (current_user in ('nutzer', 'programm')) execute function accounts.limit_settings();

-- Several choices in one call, {"scheme": "dark", "theme": null}; null removes one. Runs with the caller's
-- own rights.
create or replace function app.__o_set_einstellungen(werte jsonb)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if jsonb_typeof(werte) is distinct from 'object' then
    raise sqlstate 'PT400' using message = 'werte must be an object', hint = 'einstellungen';
  end if;
  delete from app.einstellung e
  where e.user_id = rights.user_id()
    and e.schluessel = any (array(
      select w.key from jsonb_each(werte) w where jsonb_typeof(w.value) = 'null'
    ));
  insert into app.einstellung as e (schluessel, wert)
  select w.key, w.value
  from jsonb_each(werte) w
  where jsonb_typeof(w.value) <> 'null'
  on conflict (user_id, schluessel) do update set wert = excluded.wert, geaendert_am = now();
end $$;
grant execute on function app.__o_set_einstellungen(jsonb) to nutzer;

-- Definer: mails are written outside of a person's requests, by roles without a right on preferences. The
-- language a person has chosen; German until then.
create or replace function accounts.language_of(person bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select case
    when exists (
      select from app.einstellung e
      where e.user_id = language_of.person and e.schluessel = 'language' and e.wert = '"en"'
    ) then 'en'
    else 'de'
  end
$$;
select rights.define('accounts.language_of(bigint)');
grant execute on function accounts.language_of(bigint) to forst_betrieb, forst_idp;
