-- People as the provider's admins see them: one list of everybody, and changing somebody's personal data. The
-- people themselves stand in benutzer.sql.

-- Definer: the table of identities is closed. When the person signed in for the first time; null: never. Only
-- for the view below, whose rows row security has let through.
create or replace function rechte.erste_anmeldung(person bigint)
  returns timestamptz language plpgsql stable set search_path = pg_catalog as $$
begin
  return (
    select i.linked_at
    from rechte.identitaet i
    where i.user_id = person and i.iss <> 'geloescht'
  );
end $$;
select rechte.define('rechte.erste_anmeldung(bigint)');
grant execute on function rechte.erste_anmeldung(bigint) to nutzer;

-- Definer, for the same reason: everybody who has signed in at least once, as a set that a filter can hash;
-- asking person by person takes seconds for 100,000.
create or replace function rechte.angemeldete()
  returns setof bigint language sql stable set search_path = pg_catalog as $$
  select i.user_id from rechte.identitaet i where i.iss <> 'geloescht'
$$;
select rechte.define('rechte.angemeldete()');
grant execute on function rechte.angemeldete() to nutzer;

-- What takes a look at other tables stands apart from the person's own columns and is only looked up where it
-- is asked for.
create or replace view app.nutzer_liste with (security_invoker = true) as
  select b.user_id, b.username, b.email, b.mail, b.first_name, b.last_name, b.db_role, b.system_status,
    b.apus_admin, b.apus_team, b.kataster_enabled, b.app_status, b.enabled, b.reg_date,
    exists (select from app.benutzer_kunde bk where bk.user_id = b.user_id)
      or exists (select from app.benutzer_hq bh where bh.user_id = b.user_id) as verknuepft,
    rechte.erste_anmeldung(b.user_id) as erste_anmeldung, b.version, b.geaendert_am, b.geaendert_von,
    b.sortname, b.suchtext, b.user_id in (select rechte.angemeldete()) as angemeldet
  from app.benutzer b;
revoke all on app.nutzer_liste from public, nutzer;
grant select on app.nutzer_liste to nutzer;

-- Personal data as a whole: one's own, and those of people whom one may administer. The version says what the
-- change is based on; the sign-in address stays.
-- Definer: people are written by procedures alone.
create or replace function app.a_update_user(
  user_id bigint, first_name text, last_name text, mail text, geb date, geschlecht text, version integer
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  present integer;
  address text := nullif(btrim(a_update_user.mail), '');
begin
  perform rechte.refuse_unless(
    a_update_user.user_id = rechte.user_id() or rechte.may_manage(a_update_user.user_id)
  );
  select b.version into present
  from app.benutzer b
  where b.user_id = a_update_user.user_id for update;
  if present is distinct from a_update_user.version then
    raise sqlstate 'PT409' using message = 'changed meanwhile', hint = 'changed_meanwhile';
  end if;
  if address is not null and not rechte.is_email(address) then
    raise check_violation using message = 'mail is not an e-mail address', column = 'mail', hint = 'email';
  end if;
  if a_update_user.geb >= current_date or a_update_user.geb <= date '1900-01-01' then
    raise check_violation using message = 'geb is no day of birth', column = 'geb', hint = 'geb';
  end if;
  update app.benutzer b set
    first_name = nullif(btrim(a_update_user.first_name), ''),
    last_name = nullif(btrim(a_update_user.last_name), ''), mail = address, geb = a_update_user.geb,
    geschlecht = nullif(a_update_user.geschlecht, '')
  where b.user_id = a_update_user.user_id;
end $$;
select rechte.define('app.a_update_user(bigint, text, text, text, date, text, integer)');
grant execute on function app.a_update_user(bigint, text, text, text, date, text, integer) to nutzer;
