-- Saved views. Everybody with a record has their own and sees nobody else's. Nothing in the database depends
-- on them.

select rights.protect('app.ansicht');
alter table app.ansicht alter column user_id set default rights.user_id();
grant select, delete, insert (liste, name, suche, spalten),
  update (name, suche, spalten, standard) on app.ansicht to nutzer;
create policy own on app.ansicht to nutzer
  using (user_id = (select rights.user_id()))
  with check (user_id = (select rights.user_id()));

-- A longer menu would be unreadable: 50 views per list, 500 per person.
create or replace function accounts.limit_views()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if (
    select count(*) >= 500 or count(*) filter (where a.liste = new.liste) >= 50
    from app.ansicht a
    where a.user_id = new.user_id
  ) then
    raise sqlstate 'PT413' using message = 'too many saved views', hint = 'ansichten';
  end if;
  return new;
end $$;
create or replace trigger a_limit before insert on app.ansicht
  for each row when (current_user in ('nutzer', 'programm')) execute function accounts.limit_views();

-- Sets the view a list opens with; `id` null: the plain list. Runs with the caller's own rights.
create or replace function app.__o_set_standardansicht(liste text, id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  if rights.user_id() is null then raise sqlstate 'PT403' using message = 'views belong to a person'; end if;
  update app.ansicht a set standard = false
  where a.user_id = rights.user_id()
    and a.liste = __o_set_standardansicht.liste
    and a.standard
    and a.id is distinct from __o_set_standardansicht.id;
  if __o_set_standardansicht.id is null then return; end if;
  update app.ansicht a set standard = true
  where a.user_id = rights.user_id()
    and a.liste = __o_set_standardansicht.liste
    and a.id = __o_set_standardansicht.id;
  if not found then raise sqlstate 'PT404' using message = 'no such view'; end if;
end $$;
grant execute on function app.__o_set_standardansicht(text, bigint) to nutzer;

-- Definer: a key that is narrowed to groups or a customer does not read the table, and may read the rows of
-- its owner's view. What the caller's own view says; nothing for somebody else's.
create or replace function accounts.own_view(id bigint)
  returns table (liste text, suche text, spalten text[])
  language sql stable set search_path = pg_catalog as $$
  select a.liste, a.suche, a.spalten
  from app.ansicht a
  where a.id = own_view.id and a.user_id = rights.user_id()
$$;
grant select on app.ansicht to forst_definer;
select rights.define('accounts.own_view(bigint)');
grant execute on function accounts.own_view(bigint) to nutzer;
