-- Personal preferences: everybody with a record has their own and sees nobody else's. Nothing in the database
-- depends on them.

select rechte.protect('app.einstellung');
alter table app.einstellung alter column user_id set default rechte.user_id();
grant select, delete, insert (schluessel, wert), update (wert, geaendert_am) on app.einstellung to nutzer;
create policy own on app.einstellung to nutzer
  using (user_id = (select rechte.user_id()))
  with check (user_id = (select rechte.user_id()));

-- The store is for choices and no file room: a person keeps 200 of at most 4 kB.
create or replace function rechte.limit_einstellungen()
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
revoke execute on function rechte.limit_einstellungen() from public;
create or replace trigger a_limit before insert on app.einstellung
  for each row when (current_user = 'nutzer') execute function rechte.limit_einstellungen();

-- Several choices in one call, {"scheme": "dark", "theme": null}: null takes one back. Everything runs with
-- the caller's own rights.
create or replace function app.__o_set_einstellungen(werte jsonb)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if jsonb_typeof(werte) is distinct from 'object' then
    raise sqlstate 'PT400' using message = 'werte must be an object', hint = 'einstellungen';
  end if;
  delete from app.einstellung e
  where e.user_id = rechte.user_id()
    and e.schluessel = any (array(
      select w.key from jsonb_each(werte) w where jsonb_typeof(w.value) = 'null'
    ));
  insert into app.einstellung as e (schluessel, wert)
  select w.key, w.value
  from jsonb_each(werte) w
  where jsonb_typeof(w.value) <> 'null'
  on conflict (user_id, schluessel) do update set wert = excluded.wert, geaendert_am = now();
end $$;
revoke execute on function app.__o_set_einstellungen(jsonb) from public;
grant execute on function app.__o_set_einstellungen(jsonb) to nutzer;
